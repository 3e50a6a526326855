//! Padded dims, outer strides, inner blocks and sizes of random tags, against `dnnl_memory_desc_query`.

use super::random::{Random, dims, tag};
use layout_peers::onednn::DataType;
use tensor_layout::{DType, Descriptor};

#[test]
fn random_tags() {
    let Some(onednn) = super::library("random_tags") else { return };
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..4000 {
        let rank = 1 + random.below(6);
        let tag = tag(&mut random, rank, 4);
        let dims = dims(&mut random, rank, 40);
        let theirs = match onednn.with_tag(&dims, DataType::F32, &tag) {
            Ok(theirs) => theirs,
            Err(error) => panic!("oneDNN refuses {tag}: {error}"),
        };
        let ours = Descriptor::new(DType::F32, &dims, &tag).unwrap_or_else(|error| panic!("{tag}: {error}"));
        assert_eq!(ours.padded_dims(), theirs.padded_dims(), "padded dims of {tag} {dims:?}");
        let strides: Vec<usize> = ours.strides().iter().map(|&stride| stride as usize).collect();
        assert_eq!(strides, theirs.strides(), "strides of {tag} {dims:?}");
        let blocks: Vec<(usize, usize)> = ours.inner_blocks().collect();
        assert_eq!(blocks, theirs.inner_blocks(), "inner blocks of {tag} {dims:?}");
        // oneDNN's size is max(padded extent over block * stride), which is the whole area for dense memory.
        assert_eq!(ours.size_bytes(), theirs.size_bytes(), "size of {tag} {dims:?}");
        compared += 1;
    }
    println!("{compared} descriptors equal those of {}", onednn.path().display());
}
