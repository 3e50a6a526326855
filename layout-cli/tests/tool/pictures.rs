//! `layout draw` and `layout bench`.

use crate::common::{bad, good, json};
use crate::files::{Folder, npy};
use std::fs;

#[test]
fn terminal() {
    let text = good(&["draw", "nChw8c", "1x17x2x3"]);
    assert!(!text.contains('\x1b'), "colours into a pipe");
    assert!(text.contains("Memory order") && text.contains("////") && text.contains("c=16"), "{text}");
    assert!(good(&["draw", "nChw8c", "1x17x2x3", "--colour", "always"]).contains("\x1b[30;48;"));
    let width = |columns: &str| {
        let text = good(&["draw", "nchw", "1x8x2x3", "--width", columns]);
        let grids =
            text.split("Memory").next().unwrap().lines().skip(3).map(|line| line.chars().count()).max();
        grids.unwrap()
    };
    assert!(width("40") <= 40 && width("200") > 80);
    assert!(json(&["draw", "nhwc", "1x2x2x2"])["svg"].as_str().unwrap().starts_with("<svg "));
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let svg = path("a.svg");
    assert_eq!(good(&["draw", "nhwc", "1x3x2x2", "-o", &svg]), format!("{svg}: f32:nhwc:1x3x2x2\n"));
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    // Drawn again, it is replaced.
    good(&["draw", "nchw", "1x3x2x2", "-o", &svg]);
    assert_ne!(fs::read_to_string(&svg).unwrap(), text);

    let image = path("a.png");
    good(&["draw", "nChw8c", "1x17x2x3", "-o", &image]);
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(&image).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let viewed = good(&["draw", "nChw8c", "1x17x2x3", "--json"]);
    let viewed: serde_json::Value = serde_json::from_str(&viewed).unwrap();
    let head = viewed["svg"].as_str().unwrap().lines().next().unwrap().to_owned();
    assert!(head.contains(&format!("viewBox=\"0 0 {} {}\"", info.width / 2, info.height / 2)), "{head}");
    // The three blocks have their colours on both sides, with ink on them.
    for colour in [[128, 199, 237], [235, 183, 63], [63, 182, 150]] {
        let near = |pixel: &[u8]| pixel.iter().zip(colour).all(|(&a, b): (&u8, u8)| a.abs_diff(b) < 3);
        let count = pixels.chunks(3).filter(|pixel| near(pixel)).count();
        assert!(count > 1000, "{colour:?}: {count} pixels");
    }
    let dark = pixels.chunks(3).filter(|pixel| pixel.iter().all(|&part| part < 60)).count();
    assert!(dark > 2000, "{dark} pixels of ink");
}

#[test]
fn wrong_files() {
    bad(2, "pictures are .svg or .png files", &["draw", "nhwc", "1x3x2x2", "-o", "a.gif"]);
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("no/such/folder/a.svg");
    bad(1, "cannot write", &["draw", "nhwc", "1x3x2x2", "-o", inside.to_str().unwrap()]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    bad(2, "rank 4", &["draw", "nhwc", "1x3x2", "-o", "a.svg"]);
}

#[test]
fn bench() {
    let text = good(&["bench", "nchw", "nhwc", "1x8x8x8", "--seconds", "0.01"]);
    assert!(text.contains("share of memcpy") && text.contains("f32:nhwc"), "{text}");
    let value = json(&["bench", "u8:nhwc", "f32:nChw8c", "1x3x9x9", "--seconds", "0.01", "--parallel"]);
    assert_eq!(value[0]["bytes"], 3 * 81 + 8 * 81 * 4);
    assert!(
        value[0]["seconds"].as_f64().unwrap() > 0.0 && value[0]["share_of_memcpy"].as_f64().unwrap() > 0.0
    );
    assert!(json(&["bench", "--seconds", "0.001"]).as_array().unwrap().len() > 10);
    for seconds in ["0", "-1", "nan", "1e300"] {
        bad(2, "--seconds takes a number above 0", &["bench", "--seconds", seconds]);
    }
    bad(2, "required", &["bench", "nchw"]);
    bad(2, "axis", &["bench", "nchw", "oihw", "1x2x3x4"]);
}

/// What is no regular file stays what it is, and a link leads to what is written.
#[cfg(unix)]
#[test]
fn outputs_that_are_no_files() {
    let folder = Folder::new();
    let (socket, link, target) = (folder.arg("socket.svg"), folder.arg("link.svg"), folder.arg("target.svg"));
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    bad(1, "socket.svg", &["draw", "nhwc", "1x3x2x2", "-o", &socket]);
    fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    good(&["draw", "nhwc", "1x3x2x2", "-o", &link]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().starts_with("<svg "));

    npy(&folder.path("in.npy"), "|u1", false, &[1, 2, 3, 4], &[0; 24]);
    let pipe = folder.arg("pipe.npy");
    let _listener = std::os::unix::net::UnixListener::bind(&pipe).unwrap();
    let input = folder.arg("in.npy");
    let args = ["convert", &input, &pipe, "--force", "--from", "nchw", "--to", "nhwc"];
    bad(1, "cannot be mapped: name a file", &args);
    assert!(!fs::symlink_metadata(&pipe).unwrap().is_file());
}
