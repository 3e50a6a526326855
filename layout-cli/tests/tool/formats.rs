//! The commands that read no files.

use crate::common::{bad, good, json, layout};

#[test]
fn explain() {
    let text = good(&["explain", "nChw8c", "2x17x5x4"]);
    assert!(text.starts_with("f32:nChw8c:2x17x5x4\n"), "{text}");
    assert!(text.contains("+ (c / 8) * HW*8\n"), "{text}");
    assert_eq!(text, good(&["explain", "f32:nChw8c:2x17x5x4"]));
    assert_eq!(text, good(&["explain", "ov:b_fs_yx_fsv8", "2,17,5,4"]));
    let value = json(&["explain", "u8:nChw8c", "2x17x5x4"]);
    assert_eq!(value["padded_dims"], serde_json::json!([2, 24, 5, 4]));
    assert_eq!(value["strides"], serde_json::json!([480, 160, 32, 8]));
    assert_eq!(value["inner_blocks"], serde_json::json!(["8c"]));
    assert_eq!(value["names"]["ov"], "b_fs_yx_fsv8");
    assert_eq!(value["dtype"], "u8");
    assert_eq!(value["padded_bytes"], 960);
    assert!(value["cache_conflict"].is_null());
    let value = json(&["explain", "ab", "1024x1024"]);
    assert_eq!(value["cache_conflict"]["stride_bytes"], 4096);
    let value = json(&["explain", "f32:ab:3x4:strides=-8x1:base=16"]);
    assert_eq!((value["strides"][0].as_i64(), value["base"].as_u64()), (Some(-8), Some(16)));
}

#[test]
fn plan() {
    let text = good(&["plan", "u8:nhwc", "f32:nChw16c", "1x3x300x451"]);
    assert!(text.starts_with("u8:nhwc:1x3x300x451 -> f32:nChw16c:1x3x300x451\nu8 -> f32: "), "{text}");
    assert!(text.contains("not a plain copy"), "{text}");
    let value = json(&["plan", "u8:nhwc", "nchw", "1x3x30x45"]);
    assert_eq!(value["destination"], "u8:nchw:1x3x30x45");
    assert_eq!(value["bytes_read"], 4050);
    let tuned = ["plan", "oihw", "OIhw8o8i", "64x35x3x3", "--tune"];
    let text = good(&tuned);
    let ways: Vec<&str> = text.lines().filter(|line| line.contains(" ns  tiles")).collect();
    assert!(ways.len() > 2 && text.contains("<- as planned"), "{text}");
    let value = json(&[&tuned[..], &["--json"]].concat());
    assert!(value["ways"].as_array().unwrap().iter().all(|way| way["nanoseconds"].as_f64().unwrap() > 0.0));
    assert!(value["ways"].as_array().unwrap().len() > 2);
}

#[test]
fn check() {
    assert_eq!(
        good(&["check", "ov:b_fs_yx_fsv16"]),
        "nChw16c\nindexed as (n, c, h, w), in memory n c/16 h w c%16\n"
    );
    assert!(good(&["check", "n..c", "--rank", "5"]).starts_with("ndhwc\n"));
    let run = layout(&["check", "nchw16c"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.out,
        "error: axis `c` has a block but its outer letter is lower case\n  nchw16c\n   ^\nhelp: write \"nChw16c\"\n"
    );
    let run = layout(&["check", "u8:nchw16c", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, value["valid"].as_bool(), value["position"].as_u64()), (1, Some(false), Some(4)));
    assert_eq!(value["help"], "write \"nChw16c\"");
    assert_eq!(json(&["check", "nhwc"])["names"]["torch"], "channels_last");
    let run = layout(&["check", "nchw", "--rank", "3"]);
    assert_eq!((run.code, run.out.as_str()), (1, "error: `nchw` has 4 axes, not 3\n"));
}

#[test]
fn code() {
    let text = good(&["code", "nChw8c", "2x17x5x4", "-l", "wgsl", "--part", "offset", "--name", "act"]);
    assert_eq!(
        text,
        "fn act_offset(n: u32, c: u32, h: u32, w: u32) -> u32 {\n    \
         return n * 480u + (c / 8u) * 160u + h * 32u + w * 8u + c % 8u;\n}\n"
    );
    let text = good(&["code", "nChw8c", "?x17x5x?", "--part", "offset", "--macro", "--bits", "32"]);
    assert_eq!(
        text,
        "#define nChw8c_offset(n, c, h, w, dim_w) \
         (((((n) * 3 + (c) / 8) * 5 + (h)) * (dim_w) + (w)) * 8 + (c) % 8)\n"
    );
    assert!(good(&["code", "nhwc"]).contains("size_t dim_c"));
    assert!(good(&["code", "f32:ab:3x4:strides=8x1", "-l", "cpp"]).contains("return a * 8 + b;"));
    assert_eq!(json(&["code", "nhwc", "-l", "opencl"])["language"], "opencl");
    bad(2, "cannot be the name of functions", &["code", "nhwc", "--name", "1"]);
    bad(2, "WGSL has no macros", &["code", "nhwc", "-l", "wgsl", "--macro"]);
    bad(2, "past the 32 bits", &["code", "nhwc", "1x9999x9999x9999", "--bits", "32"]);
    bad(2, "rank 4, but 2 extents", &["code", "nhwc", "?x3"]);
}

#[test]
fn list() {
    let text = good(&["list", "fsv16", "b_fs"]);
    assert!(
        text.lines().any(|line| line.split_whitespace().eq(["OpenVINO", "b_fs_yx_fsv16", "nChw16c"])),
        "{text}"
    );
    let text = good(&["list", "ov:b_fs_yx_fsv32", "--exact"]);
    assert!(text.contains("NC/32HW32") && text.contains("kCHW32") && text.contains("nChw32c"), "{text}");
    assert!(!text.contains("aBcd32b"), "other axes: {text}");
    let value = json(&["list", "--system", "PyTorch"]);
    assert!(
        value
            .as_array()
            .unwrap()
            .iter()
            .any(|entry| entry["name"] == "channels_last" && entry["format"] == "nhwc")
    );
    assert!(json(&["list"]).as_array().unwrap().len() > 1500);
    bad(1, "no name matches `no such layout`", &["list", "no such layout"]);
    bad(1, "no name of PyTorch matches `fsv16`", &["list", "fsv16", "--system", "torch"]);
    bad(2, "`qq` is no system; the systems are onednn, ", &["list", "--system", "qq"]);
    bad(2, "nChw16c", &["list", "nchw16c", "--exact"]);
}

#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = good(&["completions", shell]);
        assert!(script.contains("layout") && script.contains("explain"), "{shell}");
    }
}

#[test]
fn wrong_command_lines() {
    bad(2, "rank 4, but 2 extents were given", &["explain", "nchw", "1x2"]);
    bad(2, "help: write \"nChw16c\"", &["explain", "nchw16c", "1x2x3x4"]);
    bad(2, "`q` in the extents", &["explain", "nchw", "1x2x3xq"]);
    bad(2, "the extents are missing", &["explain", "nchw"]);
    bad(2, "only `layout code`", &["explain", "nchw", "1x?x3x4"]);
    bad(2, "at byte 11\n  f32:nchw:1xqx3x4\n             ^", &["explain", "f32:nchw:1xqx3x4"]);
    bad(2, "unrecognized subcommand", &["explode"]);
    bad(2, "required arguments", &["plan", "nchw"]);
    bad(2, "axis", &["plan", "nchw", "oihw", "1x2x3x4"]);
    let run = layout(&["check", "f32:nhwc:1x2x3x4"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (
            1,
            "error: there is more than a format\n  nhwc:1x2x3x4\n      ^^^^^^^^\nhelp: leave out \":1x2x3x4\"\n"
        )
    );
    bad(2, "leave out \":1x2x3x4\"", &["explain", "nhwc:1x2x3x4", "1x2x3x4"]);
    bad(
        2,
        "stated twice\n  f32:nchw\n  ^^^^\nhelp: leave out \"f32:\"",
        &["explain", "u8:f32:nchw", "1x2x3x4"],
    );
    bad(2, "expected `:padded=`, `:origin=`", &["explain", "f32:ab:3x4:foo=1"]);
    bad(2, "with these negative strides it must be at least 16", &["code", "f32:ab:3x4:strides=-8x1"]);
    bad(2, "there is more than a format", &["code", "nhwc:1x2x3x4"]);
    bad(2, "the extents are empty", &["explain", "nchw", ""]);
    bad(2, "is larger than any memory", &["explain", "nchw", "1x2x3x99999999999999999999"]);
    bad(2, "write `f32:nchw:1x2x3x4`, or `nchw 1x2x3x4`", &["explain", "nchw:1x2x3x4"]);
    bad(2, "write `f32:ov:bfyx:1x2x3x4`", &["explain", "ov:bfyx:1x2x3x4"]);
}

/// A word that is no data type is called so, with what was meant.
#[test]
fn unknown_data_types() {
    for args in [
        &["explain", "fp32:nchw", "1x2x3x4"][..],
        &["explain", "fp32:nchw:1x2x3x4"],
        &["draw", "fp32:nchw:1x2x3x4"],
        &["plan", "fp32:nchw", "nhwc", "1x2x3x4"],
        &["plan", "nhwc", "fp32:nchw", "1x2x3x4"],
        &["bench", "nhwc", "fp32:nchw", "1x2x3x4"],
        &["code", "fp32:nchw", "1x?x3x4"],
        &["code", "fp32:nchw"],
    ] {
        bad(2, "error: `fp32` is neither a data type nor the prefix of a system\n  fp32:nchw", args);
        bad(2, "  ^^^^\nhelp: write \"f32:nchw", args);
        bad(2, "help: the data types are f64, f32, f16, bf16, ", args);
    }
    bad(2, "error: `i64` is neither", &["explain", "i64:nchw:1x2x3x4"]);
    let run = layout(&["check", "int8:nhwc", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, value["help"].as_str()), (1, Some("write \"s8:nhwc\"")));
    assert_eq!(value["error"], "`int8` is neither a data type nor the prefix of a system");
}

/// Padding in bytes counts two elements of 4 bits for each.
#[test]
fn four_bits() {
    assert!(good(&["explain", "u4:nchw^64B", "1x2x3x4"]).starts_with("u4:nchw^128:"));
    assert!(good(&["check", "u4:nchw^64B", "--rank", "4"]).starts_with("nchw^128\n"));
    assert!(good(&["code", "u4:nchw^64B", "?x2x3x4"]).contains("384"));
    let text = good(&["explain", "u4:ab", "3x5"]);
    let bytes: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("a ") || line.starts_with("b "))
        .filter_map(|l| l.split_whitespace().last())
        .collect();
    assert_eq!(bytes, ["2.5", "0.5"], "{text}");
}

/// What clap says is JSON too, of the same shape and with the same exit code.
#[test]
fn every_error_is_json_if_asked() {
    for (args, words) in [
        (&["explain", "nchw", "1x2"][..], "rank 4, but 2 extents"),
        (&["explode"], "unrecognized subcommand"),
        (&["plan", "nchw"], "required arguments"),
        (&["explain", "nchw", "1x2x3x4", "--colour"], "unexpected argument"),
        (&["draw", "nchw", "1x2x3x4", "--colour", "pink"], "invalid value 'pink'"),
        (&["bench", "--seconds", "soon"], "invalid value 'soon'"),
        (&[], "requires a subcommand"),
    ] {
        for json in [0, args.len()] {
            let mut args = args.to_vec();
            args.insert(json, "--json");
            let run = layout(&args);
            let value: serde_json::Value = serde_json::from_str(&run.err).expect(&run.err);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
            assert_eq!(value.as_object().unwrap().keys().collect::<Vec<_>>(), ["error", "exit_code"]);
            assert_eq!(value["exit_code"], 2);
            let text = value["error"].as_str().unwrap();
            assert!(text.contains(words) && !text.starts_with("error"), "{args:?}: {text}");
        }
    }
    // Behind `--` it is an argument.
    bad(2, "unexpected argument", &["explain", "a", "1", "--", "--json"]);
    assert!(good(&["--json", "--help"]).contains("Usage: layout"));
}

/// Whoever reads the output may go away at any time.
#[test]
fn readers_that_go_away() {
    use std::process::{Command, Stdio};
    for args in
        [&["list"][..], &["list", "--json"], &["--help"], &["explain", "nchw", "1x2x3x4"], &["explode"]]
    {
        for close_errors in [false, true] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
            command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut run = command.spawn().unwrap();
            drop(run.stdout.take());
            let errors = run.stderr.take();
            let text = match close_errors {
                true => String::new(),
                false => std::io::read_to_string(errors.unwrap()).unwrap(),
            };
            let code = run.wait().unwrap().code();
            assert_eq!(code, Some(if args == ["explode"] { 2 } else { 0 }), "{args:?}: {text}");
            assert!(!text.contains("panicked"), "{text}");
        }
    }
}

#[test]
fn help() {
    for args in
        [&["--help"][..], &["help", "explain"], &["plan", "--help"], &["code", "--help"], &["list", "--help"]]
    {
        let text = good(args);
        assert!(text.contains("Examples:") && text.contains("Usage: layout"), "{args:?}\n{text}");
    }
    assert!(good(&["--version"]).starts_with("layout "));
}
