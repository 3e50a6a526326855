//! The pictures in the documentation are those that the code draws: `LAYOUT_PICTURES=overwrite` writes them anew. Look at
//! them before they are committed.

use layout_core::descriptor::{DType, Descriptor};
use std::path::Path;

const PICTURES: &[(&str, &str, &[usize])] = &[
    ("nchw", "nchw", &[2, 3, 3, 4]),
    ("nhwc", "nhwc", &[2, 3, 3, 4]),
    ("chwn", "chwn", &[2, 3, 3, 4]),
    ("nChw8c", "nChw8c", &[1, 17, 2, 3]),
    ("OIhw4i16o4i", "OIhw4i16o4i", &[16, 16, 1, 1]),
    ("b_fs_yx_fsv16", "b_fs_yx_fsv16", &[1, 20, 2, 2]),
];

#[test]
fn pictures_of_the_documentation() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    let overwrite = std::env::var_os("LAYOUT_PICTURES").is_some_and(|value| value == "overwrite");
    for (name, format, dims) in PICTURES {
        let svg = Descriptor::new(DType::F32, dims, format).expect(format).to_svg();
        let path = folder.join(format!("{name}.svg"));
        if overwrite {
            std::fs::create_dir_all(&folder).expect("the folder can be written");
            std::fs::write(&path, &svg).expect("the picture can be written");
        }
        let found = std::fs::read_to_string(&path).expect("the picture is there");
        assert!(
            found == svg,
            "{name}.svg is not what the code draws: LAYOUT_PICTURES=overwrite, and look at it"
        );
    }
}
