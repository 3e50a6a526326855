//! Files that are missing, broken or of the wrong kind, and outputs that cannot be: an error that names the file, the exit
//! code, and no new file.

use crate::common::{bad, good, layout};
use crate::files::{Folder, npy, safetensors};
use std::fs;

#[test]
fn input() {
    let folder = Folder::new();
    let (input, output) = (folder.arg("in.npy"), folder.arg("out.npy"));
    let convert = |code, words: &str, more: &[&str]| {
        let mut args = vec!["convert", input.as_str(), output.as_str()];
        args.extend(more);
        bad(code, words, &args);
        assert!(!folder.path("out.npy").exists(), "{words}");
    };
    let nhwc = ["--from", "nchw", "--to", "nhwc"];
    convert(1, "in.npy: ", &nhwc);
    fs::write(&input, b"").unwrap();
    convert(1, "it is no .npy file", &nhwc);
    fs::write(&input, b"\x93NUMPY\x01\x00\xff").unwrap();
    convert(1, "it is no .npy file", &nhwc);
    fs::write(&input, b"PK\x03\x04 and so on, which is not an array").unwrap();
    convert(1, "it is no .npy file", &nhwc);
    npy(&folder.path("in.npy"), "<f4", false, &[1, 2, 3, 4], &[0; 95]);
    convert(1, "it is truncated: 96 bytes of data for shape [1, 2, 3, 4], but 95 are there", &nhwc);
    npy(&folder.path("in.npy"), "<f4", false, &[usize::MAX, 2, 3, 4], &[0; 96]);
    convert(1, "larger than the address space", &nhwc);
    for word in ["<i8", ">i8", "<u2", "<c8", "|O", "|S4", "<M8[ns]"] {
        npy(&folder.path("in.npy"), word, false, &[1, 2, 3, 4], &[0; 192]);
        let words = format!("error: the elements are {word}, which is no data type here\nhelp: save them");
        convert(1, &words, &nhwc);
    }
    convert(1, "a.astype('int32')\nhelp: the data types are f64, f32, ", &nhwc);
    npy(&folder.path("in.npy"), "<f4", false, &[1, 2, 3, 4], &[0; 96]);
    convert(2, "the elements in the file are f32, not u8", &["--from", "u8:nchw", "--to", "nhwc"]);
    fs::remove_file(&input).unwrap();
    fs::create_dir(&input).unwrap();
    convert(1, "it is a folder", &nhwc);
}

#[test]
fn layouts() {
    let folder = Folder::new();
    let (input, output) = (folder.arg("in.npy"), folder.arg("out.npy"));
    let convert = |code, words: &str, more: &[&str]| {
        let mut args = vec!["convert", input.as_str(), output.as_str()];
        args.extend(more);
        bad(code, words, &args);
        assert_eq!(folder.names(), ["in.npy"], "{words}");
    };
    npy(&folder.path("in.npy"), "|u1", false, &[2, 3, 4], &[0; 24]);
    convert(
        1,
        "the array has shape [2, 3, 4], but nchw is an array of 4 axes (n, c, h, w)",
        &["-f", "nchw", "-t", "nhwc"],
    );
    convert(2, "help: write \"nChw16c\"", &["-f", "nchw", "-t", "nchw16c"]);
    convert(2, "nhwc has 4 axes, but the tensor u8:ncw:2x3x4 has 3", &["-f", "ncw", "-t", "nhwc"]);
    convert(2, "--dims has 2 extents, but ncw has 3 axes", &["-f", "ncw", "-t", "nwc", "--dims", "2x3"]);
    convert(
        1,
        "axis `c` with extent 2 takes 2 values in memory, but the array has 3",
        &["-f", "ncw", "-t", "nwc", "--dims", "2x2x4"],
    );
    convert(2, "the elements in the file are u8, not f32", &["-f", "f32:ncw", "-t", "nwc"]);
    convert(2, "axis", &["-f", "ncw", "-t", "oiw"]);
    for dtype in ["bf16", "f8_e5m2", "f8_e4m3", "e8m0", "s4", "u4", "f4_e2m1", "f4_e3m0"] {
        let to = format!("{dtype}:acb");
        let instead = match dtype {
            "s4" | "u4" | "f4_e3m0" => "state",
            _ => "write a .safetensors file, or state",
        };
        let words =
            format!("NumPy has no {dtype}\nhelp: {instead} another type, as in --to f32:nchw; it has f64, ");
        convert(2, &words, &["-t", &to]);
    }
    convert(2, "it has f64, f32, f16, s32, s8, u8, boolean\n", &["-t", "bf16:acb"]);
    convert(2, "`int8` is neither a data type nor", &["-t", "int8:acb"]);
    convert(
        1,
        "axis 2 of the array has 4 values, but in aB8b it is the block 8b",
        &["-f", "aB8b", "-t", "ab"],
    );
    convert(2, "required", &["-f", "ncw"]);
    npy(&folder.path("in.npy"), "|u1", false, &[24], &[0; 24]);
    convert(
        1,
        "the array has 24 elements, but u8:aB8b:3x9 has 48 with padding",
        &["-f", "aB8b", "-t", "ab", "--dims", "3x9"],
    );
}

#[test]
fn output() {
    let folder = Folder::new();
    npy(&folder.path("in.npy"), "|u1", false, &[2, 3], &[0; 6]);
    let input = folder.arg("in.npy");
    let convert =
        |code, words: &str, output: &str| bad(code, words, &["convert", &input, output, "--to", "ba"]);
    convert(1, "folder/out.npy: there is no folder ", &folder.arg("no/such/folder/out.npy"));
    // A folder that cannot be written to, as it is for everyone; what is said of it is about the file that was asked for.
    if std::path::Path::new("/proc/self").exists() {
        let run = layout(&["convert", &input, "/proc/self/out.npy", "--to", "ba"]);
        assert_eq!(run.code, 1);
        assert!(run.err.starts_with("error: cannot write /proc/self/out.npy: "), "{}", run.err);
        assert!(!run.err.contains(".layout-"), "{}", run.err);
    }
    convert(2, "the name ends neither in .npy nor in .safetensors", &folder.arg("out.txt"));
    fs::write(folder.path("out.npy"), "precious").unwrap();
    convert(1, "it exists: --force replaces it", &folder.arg("out.npy"));
    assert_eq!(fs::read(folder.path("out.npy")).unwrap(), b"precious");
    fs::remove_file(folder.path("out.npy")).unwrap();
    fs::create_dir(folder.path("out.npy")).unwrap();
    bad(1, "it is a folder", &["convert", &input, &folder.arg("out.npy"), "--to", "ba", "--force"]);
    assert_eq!(folder.names(), ["in.npy", "out.npy"], "nothing is left behind");
    // A disk that is full, where the machine has one.
    if cfg!(target_os = "linux") && std::path::Path::new("/dev/full").exists() {
        let full = std::process::Command::new(env!("CARGO_BIN_EXE_layout"))
            .args(["explain", "nchw", "1x2x3x4"])
            .stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap())
            .output()
            .unwrap();
        assert_eq!(full.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&full.stderr).contains("cannot write the output"));
    }
}

#[test]
fn broken_safetensors() {
    let folder = Folder::new();
    let (input, output) = (folder.arg("in.safetensors"), folder.arg("out.safetensors"));
    let convert = |code, words: &str, more: &[&str]| {
        let mut args = vec!["convert", input.as_str(), output.as_str()];
        args.extend(more);
        bad(code, words, &args);
        assert!(!folder.path("out.safetensors").exists(), "{words}");
    };
    fs::write(&input, [9, 0, 0]).unwrap();
    convert(1, "it is no whole safetensors file", &["-t", "ba"]);
    fs::write(&input, [255; 32]).unwrap();
    convert(1, "it is no whole safetensors file", &["-t", "ba"]);
    let header = r#"{"w":{"dtype":"F32","shape":[3,5],"data_offsets":[0,60]}}"#;
    safetensors(&folder.path("in.safetensors"), header, &[0; 59]);
    convert(1, "it is no whole safetensors file", &["-t", "ba"]);
    safetensors(&folder.path("in.safetensors"), header, &[0; 60]);
    convert(1, "there is no tensor `v`; the file has w", &["-t", "ba", "--tensor", "v"]);
    convert(1, "tensor `w`: the array has shape [3, 5]", &["-f", "nchw", "-t", "nhwc", "--tensor", "w"]);
    for dtype in ["s4", "u4", "f4_e3m0"] {
        let to = format!("{dtype}:ba");
        convert(2, &format!("safetensors has no {dtype}\nhelp: state another"), &["-t", &to]);
    }
    convert(2, "`w` of shape [5, 3] has an odd number of elements of 4 bits", &["-t", "f4_e2m1:ba"]);
    convert(1, "but nchw is an array of 4 axes", &["-f", "nchw", "-t", "nhwc"]);
    let header = r#"{"v":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]},"w":{"dtype":"U8","shape":[2,2],"data_offsets":[4,8]}}"#;
    safetensors(&folder.path("in.safetensors"), header, &[0; 8]);
    bad(2, "a .npy file holds one tensor, not 2", &["convert", &input, &folder.arg("out.npy"), "-t", "ba"]);
    convert(1, "none of the 2 tensors of", &["-f", "nchw", "-t", "nhwc"]);
    convert(1, "of the first: the array has shape [2, 2], but nchw", &["-f", "nchw", "-t", "nhwc"]);
    // A mistake of the command line is one for all tensors.
    convert(2, "help: write \"nChw16c\"", &["-t", "nchw16c"]);
    convert(2, "abc has 3 axes, but the tensor u8:ab:2x2 has 2", &["-f", "ab", "-t", "abc"]);
    // 4 GiB that are not there; the largest number there is.
    for len in [1u64 << 32, 99_999_999, u64::MAX] {
        let mut bytes = len.to_le_bytes().to_vec();
        bytes.extend(b"{}");
        fs::write(&input, bytes).unwrap();
        convert(1, &format!("a header of {len} bytes, but 2 are there"), &["-t", "ba"]);
    }
    safetensors(&folder.path("in.safetensors"), "{}", &[]);
    convert(1, "has no tensors", &["-t", "ba"]);
    // Both are the bytes of the file; which one is meant?
    let header = r#"{"w":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]},"w":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}"#;
    safetensors(&folder.path("in.safetensors"), header, &[0; 4]);
    convert(1, "it is no whole safetensors file: it has two tensors `w`", &["-t", "ba"]);
}

/// A file may call its tensors what it likes; a terminal does not act on it.
#[test]
fn names_with_control_characters() {
    let folder = Folder::new();
    let (input, output) = (folder.arg("in.safetensors"), folder.arg("out.safetensors"));
    let header = r#"{"a\u001b[2Jb\n":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]},"\u0007":{"dtype":"I64","shape":[1],"data_offsets":[4,12]}}"#;
    safetensors(&folder.path("in.safetensors"), header, &[0; 12]);
    let text = good(&["convert", &input, &output, "-t", "ba"]);
    assert!(text.starts_with("a\\u{1b}[2Jb\\n: u8:ab:2x2 -> u8:ba:2x2"), "{text}");
    assert!(text.contains("\n\\u{7}: copied as it is: the elements are I64"), "{text}");
    bad(
        1,
        "the file has a\\u{1b}[2Jb\\n, \\u{7}\n",
        &["convert", &input, &output, "-t", "ba", "--tensor", "v", "--force"],
    );
    bad(
        1,
        "tensor `\\u{7}`: the elements",
        &["convert", &input, &output, "-t", "ba", "--tensor", "\u{7}", "--force"],
    );
    let json = crate::common::json(&["convert", &input, &output, "-t", "ba", "--force"]);
    assert_eq!(json["tensors"][0]["name"], "a\u{1b}[2Jb\n", "scripts get the name itself");
}

/// Blocks of 2^31 and 2^30: a tensor of 2^62 bytes fits in no file, and four of them in no number.
#[test]
fn sums_beyond_every_number() {
    let folder = Folder::new();
    let (input, output) = (folder.arg("in.safetensors"), folder.arg("out.safetensors"));
    for count in [1, 3, 4, 9] {
        let tensor =
            |i: usize| format!(r#""t{i}":{{"dtype":"U8","shape":[1,1],"data_offsets":[{i},{}]}}"#, i + 1);
        let header = format!("{{{}}}", (0..count).map(tensor).collect::<Vec<_>>().join(","));
        safetensors(&folder.path("in.safetensors"), &header, &vec![0; count]);
        for dtype in ["u8", "bf16"] {
            let to = format!("{dtype}:AB2147483648a1073741824b");
            let run = layout(&["convert", &input, &output, "--to", &to]);
            assert_eq!(
                (run.code, folder.names()),
                (1, vec!["in.safetensors".to_owned()]),
                "{count}: {}",
                run.err
            );
            assert!(
                run.err.contains("larger than any file") || run.err.contains("cannot write"),
                "{}",
                run.err
            );
        }
    }
}

/// Headers that claim more than there is, or that call the parser of Python's literals once for each bracket.
#[test]
fn hostile_headers() {
    let folder = Folder::new();
    let (input, output) = (folder.arg("in.npy"), folder.arg("out.npy"));
    let mut long = b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec();
    long.extend([b' '; 100]);
    let nested = |bracket: &str| {
        let head = format!("{{'descr': '<f4', 'shape': {}", bracket.repeat(60000 / bracket.len()));
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((head.len() as u16).to_le_bytes());
        file.extend(head.bytes());
        file
    };
    for (file, words) in [
        (long, "longer than 65536 bytes"),
        (nested("("), "nests brackets too deeply"),
        (nested("(')',"), "nests brackets too deeply"),
        (nested("[\"}\","), "nests brackets too deeply"),
        (nested("1_0"), "the header says `1_01_01_01_01_01_01_01_0` where an extent stands"),
        (nested("-1, "), "the header says `-1` where an extent stands"),
    ] {
        fs::write(&input, file).unwrap();
        bad(1, words, &["convert", &input, &output, "--to", "ab"]);
        assert_eq!(folder.names(), ["in.npy"]);
    }
}
