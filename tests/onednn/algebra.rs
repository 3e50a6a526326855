//! Sub-tensors, permutations and reshapes of random descriptors, against `dnnl_memory_desc_create_submemory`,
//! `dnnl_memory_desc_permute_axes` and `dnnl_memory_desc_reshape`: every element at the same offset.

use super::random::{Random, dims, tag};
use layout_peers::onednn::{DataType, MemoryDesc};
use tensor_layout::{DType, Descriptor};

/// oneDNN's offset of an element, from what it says about a descriptor: `offset0`, outer strides, dense inner blocks,
/// and `padded_offsets` added to the index.
struct Blocking {
    offset0: usize,
    strides: Vec<usize>,
    blocks: Vec<(usize, usize)>,
    origin: Vec<usize>,
}

impl Blocking {
    fn of(md: &MemoryDesc<'_>) -> Blocking {
        Blocking {
            offset0: md.offset0(),
            strides: md.strides(),
            blocks: md.inner_blocks(),
            origin: md.padded_offsets(),
        }
    }

    fn offset(&self, index: &[usize]) -> usize {
        let mut position: Vec<usize> = index.iter().zip(&self.origin).map(|(i, o)| i + o).collect();
        let (mut offset, mut stride) = (self.offset0, 1);
        for &(axis, size) in self.blocks.iter().rev() {
            offset += position[axis] % size * stride;
            position[axis] /= size;
            stride *= size;
        }
        offset + position.iter().zip(&self.strides).map(|(p, s)| p * s).sum::<usize>()
    }
}

/// Every element at the same offset.
fn assert_same(ours: &Descriptor, theirs: &MemoryDesc<'_>, what: &str) {
    assert_eq!(ours.dims(), theirs.dims(), "extents of {what}");
    let theirs = Blocking::of(theirs);
    let mut index = vec![0; ours.rank()];
    for _ in 0..ours.logical_len() {
        assert_eq!(ours.offset(&index).unwrap(), theirs.offset(&index), "{what} at {index:?}: {ours:?}");
        for axis in (0..index.len()).rev() {
            index[axis] += 1;
            if index[axis] < ours.dims()[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
}

/// A random dense descriptor of at most a few thousand elements, ours and theirs.
fn random_pair<'a>(
    onednn: &'a layout_peers::onednn::OneDnn,
    random: &mut Random,
) -> Option<(Descriptor, MemoryDesc<'a>, String)> {
    let rank = 1 + random.below(4);
    let (tag, dims) = (tag(random, rank, 3), dims(random, rank, 12));
    let ours = Descriptor::new(DType::F32, &dims, &tag).unwrap();
    if ours.logical_len() > 4000 || ours.padded_len() > 1 << 22 {
        return None;
    }
    let theirs = onednn.with_tag(&dims, DataType::F32, &tag).unwrap();
    Some((ours, theirs, format!("{tag} {dims:?}")))
}

#[test]
fn sub_tensors() {
    let Some(onednn) = super::library("sub_tensors") else { return };
    let mut random = Random(3);
    let (mut compared, mut refused) = (0, 0);
    for _ in 0..3000 {
        let Some((ours, theirs, what)) = random_pair(&onednn, &mut random) else { continue };
        // Any start and size; oneDNN takes those that its blocks allow.
        let aligned = random.below(2) == 0;
        let start: Vec<usize> = (0..ours.rank())
            .map(|a| {
                let block = if aligned { ours.spec().block_of(a) as usize } else { 1 };
                random.below(ours.dims()[a].div_ceil(block)) * block
            })
            .collect();
        let dims: Vec<usize> =
            (0..ours.rank()).map(|a| 1 + random.below(ours.dims()[a] - start[a])).collect();
        let what = format!("{what} from {start:?} to {dims:?}");
        let part = ours.submemory(&start, &dims).unwrap_or_else(|error| panic!("{what}: {error}"));
        match theirs.submemory(&dims, &start) {
            Ok(theirs) => {
                assert_same(&part, &theirs, &what);
                compared += 1;
            }
            // What it refuses is still the part of the whole.
            Err(_) => {
                refused += 1;
                let last: Vec<usize> = dims.iter().map(|d| d - 1).collect();
                let in_whole: Vec<usize> = last.iter().zip(&start).map(|(i, s)| i + s).collect();
                assert_eq!(part.offset(&last), ours.offset(&in_whole), "{what}");
            }
        }
    }
    assert!(compared > 500);
    println!("{compared} parts equal those of oneDNN; {refused} that it refuses equal the whole");
}

#[test]
fn permutations() {
    let Some(onednn) = super::library("permutations") else { return };
    let mut random = Random(4);
    let mut compared = 0;
    for _ in 0..2000 {
        let Some((ours, theirs, what)) = random_pair(&onednn, &mut random) else { continue };
        let mut axes: Vec<usize> = (0..ours.rank()).collect();
        for i in (1..axes.len()).rev() {
            axes.swap(i, random.below(i + 1));
        }
        // Theirs says where each axis goes, ours where each comes from.
        let mut inverse = axes.clone();
        for (to, &from) in axes.iter().enumerate() {
            inverse[from] = to;
        }
        let theirs = theirs.permute_axes(&inverse).unwrap();
        assert_same(&ours.permute_axes(&axes).unwrap(), &theirs, &format!("{what} permuted by {axes:?}"));
        compared += 1;
    }
    assert!(compared > 500);
    println!("{compared} permutations equal those of oneDNN");
}

#[test]
fn reshapes() {
    let Some(onednn) = super::library("reshapes") else { return };
    let mut random = Random(5);
    let (mut compared, mut beyond, mut refused, mut wrong) = (0, 0, 0, 0);
    for _ in 0..6000 {
        let Some((ours, theirs, what)) = random_pair(&onednn, &mut random) else { continue };
        // A factorisation of the element count, near the present one: merge, split or insert an axis.
        let mut dims = ours.dims().to_vec();
        for _ in 0..1 + random.below(2) {
            let at = random.below(dims.len());
            match random.below(3) {
                0 if dims.len() > 1 && at + 1 < dims.len() => {
                    let inner = dims.remove(at + 1);
                    dims[at] *= inner;
                }
                1 if dims.len() < 8 => {
                    let factor = (2..=dims[at]).find(|f| dims[at].is_multiple_of(*f)).unwrap_or(1);
                    dims[at] /= factor;
                    dims.insert(at + 1, factor);
                }
                _ if dims.len() < 8 => dims.insert(at, 1),
                _ => {}
            }
        }
        let what = format!("{what} as {dims:?}");
        match (ours.reshape(&dims), theirs.reshape(&dims)) {
            // It accepts merges through blocks and padding, with a result in which the elements stand elsewhere.
            (_, Ok(theirs)) if moves_elements(&ours, &Blocking::of(&theirs), &dims) => wrong += 1,
            (Ok(ours), Ok(theirs)) => {
                assert_same(&ours, &theirs, &what);
                compared += 1;
            }
            (Ok(_), Err(_)) => beyond += 1,
            (Err(_), Err(_)) => refused += 1,
            (Err(error), Ok(_)) => panic!("oneDNN can reshape {what}, we refuse: {error}"),
        }
    }
    assert!(compared > 500);
    println!(
        "{compared} reshapes equal those of oneDNN, {beyond} it refuses, {refused} both refuse, {wrong} it gets wrong"
    );
}

/// Whether the elements of `whole`, numbered row by row, stand elsewhere in `reshaped`, whose extents are `dims`.
fn moves_elements(whole: &Descriptor, reshaped: &Blocking, dims: &[usize]) -> bool {
    let index = |mut number: usize, dims: &[usize]| -> Vec<usize> {
        let mut index = vec![0; dims.len()];
        for (i, &extent) in index.iter_mut().zip(dims).rev() {
            *i = number % extent;
            number /= extent;
        }
        index
    };
    (0..whole.logical_len())
        .any(|n| whole.offset(&index(n, whole.dims())).unwrap() != reshaped.offset(&index(n, dims)))
}
