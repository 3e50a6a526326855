//! Round trips of `.npy` files with NumPy itself, which makes the input, says what is expected, and reads the output. Says
//! that it was skipped where there is no NumPy: `LAYOUT_PYTHON` names another Python than `python3`.

use crate::common::good;
use crate::files::Folder;
use std::process::Command;

fn python(code: &str) -> Result<String, String> {
    let python = std::env::var("LAYOUT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let out = Command::new(&python).args(["-c", code]).output().map_err(|error| error.to_string())?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if out.status.success() { Ok(text(out.stdout)) } else { Err(text(out.stderr)) }
}

/// Format of the file, format wanted, and NumPy's own way from one array to the other.
const WAYS: &[(&str, &str, &str)] = &[
    ("nchw", "nhwc", "a.transpose(0, 2, 3, 1)"),
    ("nhwc", "nchw", "a.transpose(0, 3, 1, 2)"),
    ("nchw", "chwn", "a.transpose(1, 2, 3, 0)"),
    (
        "nchw",
        "nChw8c",
        "np.pad(a, ((0, 0), (0, -a.shape[1] % 8), (0, 0), (0, 0)))\
         .reshape(a.shape[0], -1, 8, *a.shape[2:]).transpose(0, 1, 3, 4, 2)",
    ),
    (
        "oihw",
        "OIhw4i16o4i",
        "np.pad(a, ((0, -a.shape[0] % 16), (0, -a.shape[1] % 16), (0, 0), (0, 0)))\
         .reshape(-(-a.shape[0] // 16), 16, -(-a.shape[1] // 16), 4, 4, *a.shape[2:]).transpose(0, 2, 5, 6, 3, 1, 4)",
    ),
    ("nchw", "f16:nhwc", "a.transpose(0, 2, 3, 1).astype(np.float16)"),
    ("nchw", "f64:nchw", "a.astype(np.float64)"),
    ("nchw", "s32:nhwc", "np.rint(a.transpose(0, 2, 3, 1)).astype(np.int32)"),
];

#[test]
fn round_trips_with_numpy() {
    if let Err(error) = python("import numpy") {
        println!("note: no NumPy; skipped: {}", error.lines().last().unwrap_or_default());
        return;
    }
    let folder = Folder::new();
    let (input, output, back) = (folder.arg("in.npy"), folder.arg("out.npy"), folder.arg("back.npy"));
    for order in ["C", "F"] {
        let make = format!(
            "import numpy as np\na = np.random.default_rng(7).normal(0, 50, (3, 17, 5, 6)).astype(np.float32)\n\
             np.save({input:?}, np.array(a, order='{order}'))"
        );
        python(&make).unwrap();
        for (from, to, expected) in WAYS {
            let format = to.rsplit(':').next().unwrap();
            good(&["convert", &input, &output, "--from", from, "--to", to, "--force", "--quiet"]);
            let check = format!(
                "import numpy as np\na = np.load({input:?})\nexpected = {expected}\nfound = np.load({output:?})\n\
                 print(found.dtype == expected.dtype, found.shape == expected.shape, np.array_equal(found, expected))"
            );
            assert_eq!(python(&check).unwrap().trim(), "True True True", "{order} {from} -> {to}");
            // And back, where no bits are lost.
            if !to.contains(":s32") && !to.starts_with("s32") && !to.starts_with("f16") {
                let spec = good(&["--json", "check", from]);
                let axes = serde_json::from_str::<serde_json::Value>(&spec).unwrap()["axes"].clone();
                let extents = "3x17x5x6";
                // The extents are those of the axes in logical order.
                let dims = if *from == "nhwc" { "3x6x17x5" } else { extents };
                assert_eq!(axes.as_array().unwrap().len(), 4);
                let to_back = format!("f32:{from}");
                good(&[
                    "convert", &output, &back, "--from", format, "--to", &to_back, "--dims", dims, "--force",
                    "--quiet",
                ]);
                let check = format!(
                    "import numpy as np\nprint(np.array_equal(np.load({input:?}), np.load({back:?})))"
                );
                assert_eq!(python(&check).unwrap().trim(), "True", "{order} {from} -> {to} and back");
            }
        }
    }
}
