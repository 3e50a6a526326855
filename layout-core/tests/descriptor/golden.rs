//! oneDNN's own results for its 1,671 format tags. The table is not part of the repository: `LAYOUT_SHARED` names
//! the folder that holds `formats/onednn_golden.tsv`, `../shared` beside the workspace otherwise.

use layout_core::descriptor::{DType, Descriptor};
use std::path::PathBuf;

/// The extents that the table was made with.
const DIMS: [usize; 12] = [17, 19, 5, 7, 3, 11, 2, 3, 2, 3, 2, 3];

/// Tags whose name breaks oneDNN's own rule: upper-case `I` without a block of `i`. They stand for `Ohwi24o` and so on.
const MISSPELLED: [(&str, &str); 4] =
    [("OhwI24o", "Ohwi24o"), ("OhwI32o", "Ohwi32o"), ("gOhwI24o", "gOhwi24o"), ("gOhwI32o", "gOhwi32o")];

/// Aliases that oneDNN declares for a tag with another outer order than the name states (`g O I` for `g I O`).
const WRONG_ALIAS: [(&str, &str); 2] =
    [("gIOhw2i8o16i2o", "gOIhw2i8o16i2o"), ("gIOdhw2i8o16i2o", "gOIdhw2i8o16i2o")];

fn table() -> Option<String> {
    let shared = std::env::var_os("LAYOUT_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared"));
    std::fs::read_to_string(shared.join("formats/onednn_golden.tsv")).ok()
}

fn numbers(text: &str) -> Vec<usize> {
    text.split(',').map(|n| n.parse().unwrap()).collect()
}

#[test]
fn every_tag_of_onednn() {
    let Some(table) = table() else {
        println!("skipped: formats/onednn_golden.tsv is not there");
        return;
    };
    let mut rows = 0;
    for row in table.lines().filter(|row| !row.starts_with('#') && !row.starts_with("tag\t")) {
        let [tag, ndims, padded, strides, blocks, mid, last, padded_elems] =
            row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("not eight columns: {row}");
        };
        let means = MISSPELLED
            .iter()
            .chain(&WRONG_ALIAS)
            .find(|(name, _)| *name == tag)
            .map_or(tag, |(_, means)| means);
        let dims = &DIMS[..ndims.parse().unwrap()];
        let d = Descriptor::new(DType::F32, dims, means).unwrap_or_else(|error| panic!("{tag}: {error}"));
        assert_eq!(d.padded_dims(), numbers(padded), "{tag}");
        assert_eq!(d.strides().iter().map(|&s| s as usize).collect::<Vec<_>>(), numbers(strides), "{tag}");
        let listed =
            d.inner_blocks().map(|(axis, size)| format!("{axis}:{size}")).collect::<Vec<_>>().join(",");
        assert_eq!(if listed.is_empty() { "-" } else { &listed }, blocks, "{tag}");
        let middle: Vec<_> = dims.iter().map(|n| n / 2).collect();
        let end: Vec<_> = dims.iter().map(|n| n - 1).collect();
        assert_eq!(d.offset(&middle).unwrap().to_string(), mid, "{tag}");
        assert_eq!(d.offset(&end).unwrap().to_string(), last, "{tag}");
        assert_eq!(d.padded_len().to_string(), padded_elems, "{tag}");
        assert_eq!(d.required_len(), d.padded_len(), "{tag}");
        assert!(d.is_dense(), "{tag}");
        assert_eq!(d.to_string().parse(), Ok(d), "{tag}");
        rows += 1;
    }
    assert!(rows >= 1671, "the table has {rows} rows");
}
