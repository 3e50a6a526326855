//! Submemory, permuted axes and reshapes of random tags: whatever oneDNN takes, ours is the same descriptor. What it
//! refuses (starts inside a block, axes with blocks) has tests of its own in layout-core.

use super::random::{Random, dims, tag};
use layout_peers::onednn::{DataType, MemoryDesc};
use tensor_layout::{DType, Descriptor};

fn assert_same(ours: &Descriptor, theirs: &MemoryDesc<'_>, what: &str) {
    assert_eq!(ours.dims(), theirs.dims(), "dims of {what}");
    assert_eq!(ours.padded_dims(), theirs.padded_dims(), "padded dims of {what}");
    assert_eq!(ours.base(), theirs.offset0(), "base of {what}");
    assert_eq!(*ours.origin(), theirs.padded_offsets()[..], "origin of {what}");
    assert_eq!(ours.inner_blocks().collect::<Vec<_>>(), theirs.inner_blocks(), "inner blocks of {what}");
    for digit in ours.digits().iter().filter(|digit| digit.top && digit.extent > 1) {
        assert_eq!(
            digit.stride as usize,
            theirs.strides()[digit.axis],
            "stride of axis {} of {what}",
            digit.axis
        );
    }
}

#[test]
fn random_submemory() {
    let Some(onednn) = super::library("random_submemory") else { return };
    let mut random = Random(11);
    let (mut compared, mut refused) = (0, 0);
    for round in 0..6000 {
        let rank = 1 + random.below(5);
        let tag = tag(&mut random, rank, 3);
        let dims = dims(&mut random, rank, 40);
        let theirs = onednn.with_tag(&dims, DataType::F32, &tag).expect("oneDNN takes the tag");
        let ours = Descriptor::new(DType::F32, &dims, &tag).unwrap_or_else(|error| panic!("{tag}: {error}"));
        let (mut start, mut size) = (vec![0; rank], vec![0; rank]);
        for a in 0..rank {
            let block: usize =
                ours.inner_blocks().filter(|block| block.0 == a).map(|block| block.1).product();
            // On blocks in every other round, to the border in a third.
            let step = if round % 2 == 0 { block } else { 1 };
            start[a] = random.below(dims[a].div_ceil(step)) * step;
            let left = dims[a] - start[a];
            size[a] = if random.below(3) == 0 {
                left
            } else {
                (1 + random.below(left)).next_multiple_of(step).min(left)
            };
        }
        let part = ours.submemory(&start, &size).unwrap_or_else(|error| panic!("{tag} {dims:?}: {error}"));
        match theirs.submemory(&size, &start) {
            Ok(theirs) => {
                assert_same(&part, &theirs, &format!("{size:?} from {start:?} of {tag} {dims:?}"));
                compared += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(compared > 1000, "{compared} compared, {refused} refused");
    println!("{compared} parts equal oneDNN's, which refuses {refused} more");
}

#[test]
fn random_permutations() {
    let Some(onednn) = super::library("random_permutations") else { return };
    let mut random = Random(12);
    for _ in 0..2000 {
        let rank = 1 + random.below(6);
        let tag = tag(&mut random, rank, 3);
        let dims = dims(&mut random, rank, 30);
        let mut axes: Vec<usize> = (0..rank).collect();
        for i in (1..rank).rev() {
            axes.swap(i, random.below(i + 1));
        }
        let theirs = onednn.with_tag(&dims, DataType::F32, &tag).expect("oneDNN takes the tag");
        let ours = Descriptor::new(DType::F32, &dims, &tag).unwrap_or_else(|error| panic!("{tag}: {error}"));
        // Axis `a` of the source becomes axis `permutation[a]` there, axis `axes[a]` becomes axis `a` here.
        let mut permutation = vec![0; rank];
        axes.iter().enumerate().for_each(|(a, &axis)| permutation[axis] = a);
        let theirs = theirs.permute_axes(&permutation).expect("oneDNN permutes");
        let ours = ours.permute_axes(&axes).unwrap_or_else(|error| panic!("{tag}: {error}"));
        assert_same(&ours, &theirs, &format!("{tag} {dims:?} by {axes:?}"));
    }
}

#[test]
fn random_reshapes() {
    let Some(onednn) = super::library("random_reshapes") else { return };
    let mut random = Random(13);
    let (mut compared, mut refused) = (0, 0);
    for _ in 0..6000 {
        let rank = 1 + random.below(5);
        let tag = tag(&mut random, rank, 2);
        let dims: Vec<usize> = (0..rank).map(|_| random.pick(&[1, 2, 3, 4, 6, 8, 12, 16, 17])).collect();
        let mut new = dims.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(new.len());
            match random.below(4) {
                0 => new.insert(at, 1),
                1 if new[at] == 1 && new.len() > 1 => drop(new.remove(at)),
                2 if at + 1 < new.len() => new[at] *= new.remove(at + 1),
                _ => {
                    let divisor = (2..=new[at]).find(|n| new[at].is_multiple_of(*n)).unwrap_or(1);
                    new[at] /= divisor;
                    new.insert(at + random.below(2), divisor);
                }
            }
        }
        if new == dims {
            continue;
        }
        let theirs = onednn.with_tag(&dims, DataType::F32, &tag).expect("oneDNN takes the tag");
        let ours = Descriptor::new(DType::F32, &dims, &tag).unwrap_or_else(|error| panic!("{tag}: {error}"));
        match theirs.reshape(&new) {
            Ok(theirs) => {
                let ours = match ours.reshape(&new) {
                    Ok(ours) => ours,
                    // Version 3.2 merges an axis with padding now and then, and then blocks an axis (of 6, by 8) that
                    // has no room for a block: no tensor has that.
                    Err(error) => {
                        let room = |&(axis, block): &(usize, usize)| {
                            theirs.padded_dims()[axis].is_multiple_of(block)
                        };
                        assert!(
                            !theirs.inner_blocks().iter().all(room),
                            "{tag} {dims:?} to {new:?}: {error}"
                        );
                        continue;
                    }
                };
                // Among several axes of extent 1 it is a choice which one keeps padding.
                if !dims.contains(&1) || ours.padded_len() == ours.logical_len() {
                    assert_same(&ours, &theirs, &format!("{tag} {dims:?} as {new:?}"));
                    compared += 1;
                }
            }
            Err(_) => refused += 1,
        }
    }
    assert!(compared > 1000, "{compared} compared, {refused} refused");
    println!("{compared} reshapes equal oneDNN's, which refuses {refused} more");
}
