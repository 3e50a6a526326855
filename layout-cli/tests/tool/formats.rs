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
    bad(1, "no name of a layout matches", &["list", "no such layout"]);
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
    let run = layout(&["--json", "explain", "nchw", "1x2"]);
    let value: serde_json::Value = serde_json::from_str(&run.err).unwrap();
    assert_eq!((run.code, value["exit_code"].as_i64(), run.out.as_str()), (2, Some(2), ""));
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
