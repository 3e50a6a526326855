//! `layout convert` on files that are made here byte by byte, compared with plain loops. What NumPy thinks of them is in
//! `numpy.rs`.

use crate::common::{good, json, layout};
use std::fs;
use std::path::{Path, PathBuf};

/// A `.npy` file as NumPy's format description has it, version 1.0.
pub(crate) fn npy(path: &Path, descr: &str, fortran: bool, shape: &[usize], data: &[u8]) {
    let mut extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    if shape.len() > 1 {
        extents = extents.trim_end_matches(", ").to_owned();
    }
    let fortran = if fortran { "True" } else { "False" };
    let mut head = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({extents}), }}");
    while !(head.len() + 11).is_multiple_of(64) {
        head.push(' ');
    }
    head.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.bytes());
    bytes.extend(data);
    fs::write(path, bytes).unwrap();
}

/// Shape as it is written, and the data of a `.npy` file.
pub(crate) fn read_npy(path: &Path) -> (String, Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    assert_eq!(&bytes[..6], b"\x93NUMPY");
    let len = u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
    let head = std::str::from_utf8(&bytes[10..10 + len]).unwrap();
    let shape = head.split("'shape': (").nth(1).unwrap().split(')').next().unwrap();
    (shape.trim().trim_end_matches(',').replace(' ', ""), bytes[10 + len..].to_vec())
}

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path as an argument.
    pub(crate) fn arg(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// 2 x 17 x 5 x 4 numbers, as bytes.
fn numbers() -> Vec<u8> {
    (0..2 * 17 * 5 * 4).flat_map(|i| (i as f32).to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap())).collect()
}

#[test]
fn to_blocks_and_back() {
    let folder = Folder::new();
    npy(&folder.path("in.npy"), "<f4", false, &[2, 17, 5, 4], &numbers());
    let (input, blocked, back) = (folder.arg("in.npy"), folder.arg("blocked.npy"), folder.arg("back.npy"));
    let text = good(&["convert", &input, &blocked, "--from", "nchw", "--to", "nChw8c"]);
    assert!(
        text.starts_with(
            "f32:nchw:2x17x5x4 -> f32:nChw8c:2x17x5x4, an array of shape [2, 3, 5, 4, 8], 29% padding\n"
        ),
        "{text}"
    );
    let (shape, data) = read_npy(&folder.path("blocked.npy"));
    assert_eq!(shape, "2,3,5,4,8");
    let mut expected = vec![0.0; 2 * 24 * 20];
    for (i, value) in expected.iter_mut().enumerate() {
        let (n, block, h, w, lane) = (i / 480, i / 160 % 3, i / 32 % 5, i / 8 % 4, i % 8);
        let c = block * 8 + lane;
        if c < 17 {
            *value = (((n * 17 + c) * 5 + h) * 4 + w) as f32;
        }
    }
    assert_eq!(floats(&data), expected);
    // The padding is part of the array unless the extents say otherwise.
    good(&["convert", &blocked, &back, "--from", "nChw8c", "--to", "nchw", "--dims", "2x17x5x4"]);
    let (shape, data) = read_npy(&folder.path("back.npy"));
    assert_eq!((shape.as_str(), data), ("2,17,5,4", numbers()));
    good(&["convert", &blocked, &back, "--from", "nChw8c", "--to", "nchw", "--force"]);
    assert_eq!(read_npy(&folder.path("back.npy")).0, "2,24,5,4");
    assert_eq!(folder.names(), ["back.npy", "blocked.npy", "in.npy"], "no temporary files are left");
}

#[test]
fn types_and_orders() {
    let folder = Folder::new();
    let (input, output) = (folder.arg("in.npy"), folder.arg("out.npy"));
    // Rounded to nearest even and saturated.
    let values = [-1.5f32, 0.5, 1.5, 300.0, f32::NAN, 7.0];
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy(&folder.path("in.npy"), "<f4", false, &[2, 3], &bytes);
    good(&["convert", &input, &output, "--to", "u8:ba"]);
    assert_eq!(read_npy(&folder.path("out.npy")), ("3,2".to_owned(), vec![0, 255, 0, 0, 2, 7]));
    // Fortran order: the first axis is the innermost in memory.
    npy(&folder.path("in.npy"), "|u1", true, &[2, 3], &[0, 10, 1, 11, 2, 12]);
    good(&["convert", &input, &output, "--from", "ab", "--to", "ab", "--force"]);
    assert_eq!(read_npy(&folder.path("out.npy")), ("2,3".to_owned(), vec![0, 1, 2, 10, 11, 12]));
    // All values in one row, as raw buffers are saved.
    npy(&folder.path("in.npy"), "|u1", false, &[8], &[0, 1, 2, 3, 10, 0, 12, 0]);
    good(&["convert", &input, &output, "--from", "AB2a2b", "--dims", "2x3", "--to", "ab", "--force"]);
    assert_eq!(read_npy(&folder.path("out.npy")), ("2,3".to_owned(), vec![0, 1, 10, 2, 3, 12]));
    // Nothing at all, and a single number.
    npy(&folder.path("in.npy"), "<f4", false, &[2, 0, 3], &[]);
    good(&["convert", &input, &output, "--to", "cab", "--force"]);
    assert_eq!(read_npy(&folder.path("out.npy")), ("3,2,0".to_owned(), vec![]));
    npy(&folder.path("in.npy"), "<f4", false, &[], &1.5f32.to_le_bytes());
    good(&["convert", &input, &output, "--to", "f64:scalar", "--force"]);
    assert_eq!(read_npy(&folder.path("out.npy")).1, 1.5f64.to_le_bytes());
}

/// A safetensors file as its description has it.
pub(crate) fn safetensors(path: &Path, header: &str, data: &[u8]) {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.extend(data);
    fs::write(path, bytes).unwrap();
}

/// Header and data.
fn read_safetensors(path: &Path) -> (serde_json::Value, Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    let len = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[8..8 + len]).unwrap(), bytes[8 + len..].to_vec())
}

#[test]
fn safetensors_there_and_back() {
    let folder = Folder::new();
    let weights: Vec<u8> = (0..3 * 5).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let header = r#"{"__metadata__":{"made":"here"},"w":{"dtype":"F32","shape":[3,5],"data_offsets":[0,60]},"ids":{"dtype":"I64","shape":[2],"data_offsets":[60,76]}}"#;
    let data: Vec<u8> = weights.iter().copied().chain(0..16).collect();
    safetensors(&folder.path("in.safetensors"), header, &data);
    let (input, packed, back) =
        (folder.arg("in.safetensors"), folder.arg("packed.safetensors"), folder.arg("back.safetensors"));
    let value = json(&["convert", &input, &packed, "--tensor", "w", "--to", "bf16:BA4a2b"]);
    assert_eq!(value["tensors"][0]["destination"], "bf16:BA4a2b:3x5");
    let (head, data) = read_safetensors(&folder.path("packed.safetensors"));
    assert_eq!(head["w"]["shape"], serde_json::json!([3, 1, 4, 2]));
    assert_eq!((head["w"]["dtype"].as_str(), head["ids"]["dtype"].as_str()), (Some("BF16"), Some("I64")));
    assert_eq!(head["__metadata__"]["made"], "here");
    assert_eq!(head["__metadata__"]["layout.w"], "bf16:BA4a2b:3x5");
    // b = 1, a = 2 is element 2 * 5 + 1, in block 0 at 2 * 2 + 1.
    assert_eq!(data[10..12], half(11.0));
    assert_eq!(data[48..], (0..16).collect::<Vec<u8>>(), "what is not converted is copied");
    assert_eq!((8 + fs::read(&packed).unwrap()[0] as usize) % 64, 0, "the data is aligned");
    // The file notes its layout: neither --from nor --dims.
    let value = json(&["convert", &packed, &back, "--tensor", "w", "--to", "f32:ab"]);
    assert_eq!(value["tensors"][0]["source"], "bf16:BA4a2b:3x5");
    let (head, data) = read_safetensors(&folder.path("back.safetensors"));
    assert_eq!((head["w"]["shape"].clone(), &data[..60]), (serde_json::json!([3, 5]), &weights[..]));
    // To NumPy and from there.
    let array = folder.arg("w.npy");
    good(&["convert", &packed, &array, "--tensor", "w", "--to", "f32:ab"]);
    assert_eq!(read_npy(&folder.path("w.npy")), ("3,5".to_owned(), weights.clone()));
    good(&["convert", &array, &back, "--to", "ba", "--tensor", "named", "--force"]);
    assert_eq!(
        read_safetensors(&folder.path("back.safetensors")).0["named"]["shape"],
        serde_json::json!([5, 3])
    );
    // Without --tensor what fits is converted, and the rest copied.
    let text = good(&["convert", &input, &packed, "--to", "ba", "--force"]);
    assert!(text.contains("w: f32:ab:3x5 -> f32:ba:3x5"), "{text}");
    assert!(
        text.contains("ids: copied as it is: the elements are I64, which is no data type here\n"),
        "{text}"
    );
    // A .npy file has room for one, and the others are named.
    let text = good(&["convert", &input, &array, "--to", "ba", "--force"]);
    assert!(text.contains("ids: left out, because a .npy file holds one tensor"), "{text}");
}

/// A file with tensors of several ranks, as models have them.
#[test]
fn what_does_not_fit_is_carried_over() {
    let folder = Folder::new();
    let header = r#"{"norm":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"bias":{"dtype":"F32","shape":[2],"data_offsets":[4,12]},"conv":{"dtype":"F32","shape":[2,3,1,2],"data_offsets":[12,60]},"ids":{"dtype":"I64","shape":[1],"data_offsets":[60,68]},"deep":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[68,72]},"w":{"dtype":"BF16","shape":[1,2,1,1],"data_offsets":[72,76]}}"#;
    let data: Vec<u8> = (0..76).collect();
    safetensors(&folder.path("in.safetensors"), header, &data);
    let (input, output) = (folder.arg("in.safetensors"), folder.arg("out.safetensors"));
    // Formats of one rank, of several ranks, and with logical axes of the other side.
    for (more, to, shape, last) in [
        (&["--to", "ohwi"][..], "ohwi", serde_json::json!([2, 1, 2, 3]), 2),
        (&["--to", "channels_last"][..], "nhwc", serde_json::json!([2, 1, 2, 3]), 2),
        (&["--to", "OIhw2i4o"][..], "OIhw2i4o", serde_json::json!([1, 2, 1, 2, 2, 4]), 8),
        (&["--from", "oihw", "--to", "iohw"][..], "iohw", serde_json::json!([3, 2, 1, 2]), 2),
    ] {
        let mut args = vec!["convert", &input, &output, "--force"];
        args.extend(more);
        let text = good(&args);
        for name in ["norm", "bias", "ids", "deep"] {
            assert!(text.contains(&format!("{name}: copied as it is: ")), "{to}: {name}\n{text}");
        }
        let value = json(&args);
        let tensors = value["tensors"].as_array().unwrap();
        let destination = |at: usize| tensors[at]["destination"].as_str().map(str::to_owned);
        assert_eq!(destination(2).unwrap(), format!("f32:{to}:2x3x1x2"));
        assert_eq!(destination(5).unwrap(), format!("bf16:{to}:1x2x1x1"));
        assert!(tensors[1]["copied_because"].is_string() && tensors[2]["copied_because"].is_null());
        let (head, bytes) = read_safetensors(&folder.path("out.safetensors"));
        assert_eq!(head["conv"]["shape"], shape);
        assert_eq!(head["deep"]["shape"].as_array().unwrap().len(), 14);
        assert_eq!((head["ids"]["dtype"].as_str(), head["w"]["dtype"].as_str()), (Some("I64"), Some("BF16")));
        // What is carried over is what it was.
        for (name, from) in [("norm", 0..4), ("bias", 4..12), ("ids", 60..68), ("deep", 68..72)] {
            let at = |end: usize| head[name]["data_offsets"][end].as_u64().unwrap() as usize;
            assert_eq!(bytes[at(0)..at(1)], data[from], "{name}");
        }
        let at = |end: usize| head["w"]["data_offsets"][end].as_u64().unwrap() as usize;
        assert_eq!(at(1) - at(0), 2 * last, "{to}");
    }
    // One that is named must fit.
    let run = layout(&["convert", &input, &output, "--force", "--to", "ohwi", "--tensor", "bias"]);
    assert_eq!(run.code, 1);
    assert!(run.err.starts_with("error: tensor `bias`: the array has shape [2], but"), "{}", run.err);
}

#[test]
fn every_type_of_safetensors() {
    let folder = Folder::new();
    let (input, wide, back) =
        (folder.arg("in.safetensors"), folder.arg("wide.safetensors"), folder.arg("back.safetensors"));
    for (word, dtype, bytes, values) in [
        (
            "F8_E5M2",
            "f8_e5m2",
            [0x00u8, 0x3c, 0xc0, 0x44, 0x7b, 0x38],
            [0.0f32, 1.0, -2.0, 4.0, 57344.0, 0.5],
        ),
        ("F8_E4M3", "f8_e4m3", [0x00, 0x38, 0xc0, 0x48, 0x7e, 0x30], [0.0, 1.0, -2.0, 4.0, 448.0, 0.5]),
        ("F8_E8M0", "e8m0", [127, 128, 129, 126, 130, 120], [1.0, 2.0, 4.0, 0.5, 8.0, 0.0078125]),
        ("BOOL", "boolean", [0, 1, 1, 0, 1, 0], [0.0, 1.0, 1.0, 0.0, 1.0, 0.0]),
        ("U8", "u8", [0, 1, 2, 3, 255, 7], [0.0, 1.0, 2.0, 3.0, 255.0, 7.0]),
        ("I8", "s8", [0, 255, 2, 3, 128, 7], [0.0, -1.0, 2.0, 3.0, -128.0, 7.0]),
    ] {
        let header = format!(r#"{{"w":{{"dtype":"{word}","shape":[2,3],"data_offsets":[0,6]}}}}"#);
        safetensors(&folder.path("in.safetensors"), &header, &bytes);
        let text = good(&["convert", &input, &wide, "--to", "f32:ba", "--force"]);
        assert!(text.starts_with(&format!("w: {dtype}:ab:2x3 -> f32:ba:2x3,")), "{text}");
        let (_, data) = read_safetensors(&folder.path("wide.safetensors"));
        let transposed = [0, 3, 1, 4, 2, 5].map(|i| values[i]);
        assert_eq!(floats(&data), transposed, "{word}");
        good(&["convert", &wide, &back, "--to", &format!("{dtype}:ab"), "--force"]);
        let (head, data) = read_safetensors(&folder.path("back.safetensors"));
        assert_eq!((head["w"]["dtype"].as_str(), &data[..6]), (Some(word), &bytes[..]));
    }
    // Two to a byte, the first in the lower bits.
    let header = r#"{"w":{"dtype":"F4","shape":[2,3],"data_offsets":[0,3]}}"#;
    safetensors(&folder.path("in.safetensors"), header, &[0x20, 0x64, 0xa7]);
    good(&["convert", &input, &wide, "--to", "f32:ab", "--force"]);
    let (_, data) = read_safetensors(&folder.path("wide.safetensors"));
    assert_eq!(floats(&data), [0.0, 1.0, 2.0, 4.0, 6.0, -1.0]);
    good(&["convert", &wide, &back, "--to", "f4_e2m1:ab", "--force"]);
    let (head, data) = read_safetensors(&folder.path("back.safetensors"));
    assert_eq!((head["w"]["dtype"].as_str(), &data[..3]), (Some("F4"), &[0x20, 0x64, 0xa7][..]));
}

#[test]
fn truths_and_the_other_byte_order() {
    let folder = Folder::new();
    let (input, output) = (folder.arg("in.npy"), folder.arg("out.npy"));
    // Any byte but 0 is true; 1 in what is written.
    npy(&folder.path("in.npy"), "|b1", false, &[2, 3], &[0, 1, 2, 0, 255, 0]);
    good(&["convert", &input, &output, "--to", "ba"]);
    let head = fs::read(&output).unwrap();
    assert!(head.windows(5).any(|part| part == b"'|b1'"));
    assert_eq!(read_npy(&folder.path("out.npy")), ("3,2".to_owned(), vec![0, 0, 1, 1, 1, 0]));
    good(&["convert", &input, &output, "--to", "f32:ab", "--force"]);
    assert_eq!(floats(&read_npy(&folder.path("out.npy")).1), [0.0, 1.0, 1.0, 0.0, 1.0, 0.0]);
    let values = [1.5f64, -2.0, 3.0, 0.25, 70000.0, -6.0];
    let bytes = |descr: &str| -> Vec<u8> {
        let each = values.iter().map(|&value| match descr {
            ">f8" => value.to_be_bytes().to_vec(),
            ">f4" => (value as f32).to_be_bytes().to_vec(),
            _ => (value as i32).to_be_bytes().to_vec(),
        });
        each.flatten().collect()
    };
    for descr in [">f8", ">f4", ">i4"] {
        for is_fortran in [false, true] {
            npy(&folder.path("in.npy"), descr, is_fortran, &[2, 3], &bytes(descr));
            good(&["convert", &input, &output, "--to", "f32:ba", "--force"]);
            let order = if is_fortran { [0, 1, 2, 3, 4, 5] } else { [0, 3, 1, 4, 2, 5] };
            let expected = order.map(|i| match descr {
                ">i4" => values[i].trunc() as f32,
                _ => values[i] as f32,
            });
            assert_eq!(floats(&read_npy(&folder.path("out.npy")).1), expected, "{descr}");
        }
    }
    npy(&folder.path("in.npy"), ">f4", false, &[2, 3], &bytes(">f4"));
    good(&["convert", &input, &output, "--to", "ab", "--force"]);
    assert!(fs::read(&output).unwrap().windows(5).any(|part| part == b"'<f4'"));
}

/// Told to end, the tool takes what it has written with it.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_of_a_conversion_that_was_given_up() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    npy(&folder.path("in.npy"), "|u1", false, &[4096, 8192], &vec![1; 1 << 25]);
    for signal in ["-INT", "-TERM"] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_layout"))
            .args(["convert", &folder.arg("in.npy"), &folder.arg("out.npy"), "--to", "f64:ba"])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // The file is there as soon as its header is; the handler is there before the room on the disk.
        let is_written = |name: &String| {
            name.starts_with(".layout-") && fs::metadata(folder.path(name)).is_ok_and(|file| file.len() > 0)
        };
        while !folder.names().iter().any(is_written) && run.try_wait().unwrap().is_none() {}
        Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap();
        let code = run.wait().unwrap().code();
        if code == Some(0) {
            println!("note: converted before it was told to end; skipped");
            fs::remove_file(folder.path("out.npy")).unwrap();
            continue;
        }
        assert_eq!((code, folder.names()), (Some(130), vec!["in.npy".to_owned()]));
    }
}

/// The name must not be there before the bytes are on the disk. Says that it was skipped where there is no strace.
#[test]
#[cfg(target_os = "linux")]
fn files_are_on_the_disk_before_they_have_their_name() {
    let folder = Folder::new();
    npy(&folder.path("in.npy"), "|u1", false, &[2, 3], &[0; 6]);
    let (input, output, picture) = (folder.arg("in.npy"), folder.arg("out.npy"), folder.arg("a.svg"));
    for args in [
        &["draw", "nhwc", "1x2x2x2", "-o", &picture][..],
        &["convert", &input, &output, "--to", "ba"],
        &["convert", &input, &output, "--to", "ba", "--force"],
    ] {
        let trace = folder.arg("trace");
        let run = std::process::Command::new("strace")
            .args(["-f", "-e", "trace=fsync,rename,renameat,renameat2,link,linkat", "-o", &trace])
            .arg(env!("CARGO_BIN_EXE_layout"))
            .args(args)
            .output();
        let Ok(trace) = run.and_then(|_| fs::read_to_string(&trace)) else {
            println!("note: no strace; skipped");
            return;
        };
        if !trace.contains("exited with 0") {
            println!("note: strace cannot trace here; skipped: {trace}");
            return;
        }
        let at = |name: &str| trace.lines().position(|line| line.contains(name));
        let named = at("rename").or(at("link")).expect("the file gets its name");
        assert!(at("fsync(").is_some_and(|synced| synced < named), "{args:?}\n{trace}");
    }
}

fn half(value: f32) -> [u8; 2] {
    let bits = value.to_bits().to_le_bytes();
    [bits[2], bits[3]]
}
