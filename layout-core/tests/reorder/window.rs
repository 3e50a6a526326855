//! Parts of tensors, off blocks and on them, extra padding around tensors, and broadcasts: every start and size of small
//! tensors, and random ones.

use crate::oracle::{SENTINEL, check, dense, fill, for_each_index, reorder};
use layout_core::descriptor::{DType, Descriptor, Location};
use layout_core::reorder::Reorder;

/// Calls `visit` with every start and size along the given axes; the other axes are whole.
fn for_each_part(dims: &[usize], axes: &[usize], mut visit: impl FnMut(&[usize], &[usize])) {
    let bounds: Vec<_> = axes.iter().flat_map(|&axis| [dims[axis], dims[axis] + 1]).collect();
    for_each_index(&bounds, |at| {
        let (mut start, mut size) = (vec![0; dims.len()], dims.to_vec());
        for (&axis, at) in axes.iter().zip(at.chunks(2)) {
            if at[0] + at[1] > dims[axis] {
                return;
            }
            (start[axis], size[axis]) = (at[0], at[1]);
        }
        visit(&start, &size);
    });
}

/// Extents, a format with blocks, the axes to cut, and formats to move to and from.
type Case = (&'static [usize], &'static str, &'static [usize], &'static [&'static str]);

const CASES: &[Case] = &[
    (&[2, 20, 1, 3], "nChw8c", &[1], &["nchw", "nhwc", "nChw8c", "nChw4c", "nChw16c", "nChw12c"]),
    (&[1, 20, 2, 1], "nChw8c", &[1, 2], &["nchw", "nChw8c"]),
    (&[3, 10, 1, 2], "OIhw2i3o2i", &[0, 1], &["oihw", "OIhw2i3o2i"]),
    (&[2, 19], "AB2b4a2b", &[1], &["ab", "aB3b", "aB4b", "aB2b2b", "AB4a2b4b"]),
    (&[13], "A3a", &[0], &["A4a", "a", "A6a", "A2a3a", "A3a2a"]),
    (&[13], "A4a", &[0], &["A3a", "A6a", "A2a2a"]),
];

/// As a source and as a destination, against the loop over elements.
#[test]
fn every_part() {
    for &(dims, format, axes, others) in CASES {
        for (case, other) in others.iter().enumerate() {
            for_each_part(dims, axes, |start, size| {
                let types = [(DType::U8, DType::U8), (DType::F32, DType::F32), (DType::S8, DType::F16)];
                let (one, two) = types[(case + start.iter().sum::<usize>()) % 3];
                let part = dense(one, dims, format).submemory(start, size).unwrap();
                check(&part, &dense(two, size, other), 1);
                let part = dense(two, dims, format).submemory(start, size).unwrap();
                check(&dense(one, size, other), &part, 2);
            });
        }
    }
}

/// Both sides parts of tensors in the same or different blocks, at every pair of starts.
#[test]
fn every_pair_of_starts() {
    for (from, to) in [
        ("A8a", "A8a"),
        ("A8a", "A4a"),
        ("A3a", "A4a"),
        ("A6a", "A4a"),
        ("A2a2a2a", "A8a"),
        ("A2a4a", "A4a2a"),
        ("A4a", "A2a3a"),
    ] {
        for_each_index(&[12, 12, 15], |at| {
            let size = at[2];
            let (src, dst) =
                (dense(DType::U8, &[26], from), dense(DType::U8, &[at[1] + size + at[0] % 2], to));
            let (src, dst) = (src.submemory(&[at[0]], &[size]), dst.submemory(&[at[1]], &[size]));
            check(&src.unwrap(), &dst.unwrap(), 3);
        });
    }
}

/// The oracle of this file's other tests goes by `offset`; this one by the inverse map alone.
#[test]
fn places_by_the_inverse_map() {
    let whole = dense(DType::U8, &[3, 11], "AB2a2b4b");
    for_each_part(&[3, 11], &[0, 1], |start, size| {
        let part = whole.submemory(start, size).unwrap();
        let plain = dense(DType::U8, size, "ba");
        let mut bytes = vec![0; plain.size_bytes()];
        fill(DType::U8, &mut bytes, 5);
        let mut out = vec![SENTINEL; whole.size_bytes()];
        Reorder::new(&plain, &part).unwrap().run(&bytes, &mut out).unwrap();
        for (offset, &found) in out.iter().enumerate() {
            let location =
                if offset < part.required_len() { part.locate(offset).unwrap() } else { Location::Unused };
            let expected = match location {
                Location::Element(index) => bytes[index[1] * size[0] + index[0]],
                Location::Padding => 0,
                _ => SENTINEL,
            };
            assert_eq!(found, expected, "{part} at {offset}");
        }
    });
}

/// The parts of a tensor, written one after the other, are the tensor; each leaves the others alone.
#[test]
fn parts_make_the_whole() {
    for (format, dims) in
        [("nChw8c", [2, 20, 3, 2]), ("NChw2n4c2n3c", [5, 20, 1, 2]), ("nhwc", [2, 20, 3, 2])]
    {
        for dtype in [DType::U8, DType::F32] {
            let plain = dense(dtype, &dims, "nchw");
            let whole = dense(dtype, &dims, format);
            let mut bytes = vec![0; plain.size_bytes()];
            fill(dtype, &mut bytes, 9);
            let mut expected = vec![SENTINEL; whole.size_bytes()];
            Reorder::new(&plain, &whole).unwrap().run(&bytes, &mut expected).unwrap();
            for cuts in
                [&[0, 20][..], &[0, 1, 20], &[0, 3, 5, 8, 19, 20], &[0, 7, 9, 16, 17, 20], &[0, 8, 16, 20]]
            {
                let mut found = vec![SENTINEL; whole.size_bytes()];
                // Backwards, so that padding is written before its neighbours.
                for cut in cuts.windows(2).rev() {
                    let (start, size) = ([0, cut[0], 0, 0], [dims[0], cut[1] - cut[0], dims[2], dims[3]]);
                    let from = plain.submemory(&start, &size).unwrap();
                    let to = whole.submemory(&start, &size).unwrap();
                    Reorder::new(&from, &to).unwrap().run(&bytes, &mut found).unwrap();
                }
                assert_eq!(found, expected, "{format} {cuts:?}");
            }
        }
    }
}

#[test]
fn part_to_plain_and_back() {
    for format in ["nChw8c", "NChw2n2c4c", "nChw3c"] {
        let dims = [3, 20, 2, 2];
        let whole = dense(DType::F32, &dims, format);
        let mut bytes = vec![0; whole.size_bytes()];
        fill(DType::F32, &mut bytes, 4);
        for_each_part(&dims, &[1], |start, size| {
            let part = whole.submemory(start, size).unwrap();
            let plain = dense(DType::F32, size, "nhwc");
            let mut between = vec![0; plain.size_bytes()];
            Reorder::new(&part, &plain).unwrap().run(&bytes, &mut between).unwrap();
            let mut out = bytes.clone();
            reorder(&plain, &part, &vec![0; plain.size_bytes()], &mut out);
            Reorder::new(&plain, &part).unwrap().run(&between, &mut out).unwrap();
            let mut expected = bytes.clone();
            reorder(&part, &part, &bytes, &mut expected);
            assert_eq!(out, expected, "{part}");
        });
    }
}

#[test]
fn extra_padding() {
    let dims = [2, 5, 3, 4];
    for format in ["nchw", "nhwc", "nChw4c", "nChw2c2c", "NhCw4c2n"] {
        for_each_index(&[2, 6, 2, 2], |before| {
            let after = [before[1], before[2], before[3], 1];
            let haloed = dense(DType::F32, &dims, format).with_halo(before, &after).unwrap();
            for other in ["nhwc", "nChw4c"] {
                check(&dense(DType::U8, &dims, other), &haloed, 1);
                check(&dense(DType::F32, &dims, other), &haloed, 2);
                check(&haloed, &dense(DType::F32, &dims, other), 3);
            }
            let other = dense(DType::F32, &dims, "nChw3c").with_halo(&after, before).unwrap();
            check(&other, &haloed, 4);
        });
    }
}

/// A part of a tensor with extra padding owns that at its own side.
#[test]
fn parts_of_extra_padding() {
    let dims = [9, 4];
    for format in ["AB4a2b", "aB4b", "Ab3a"] {
        let haloed = dense(DType::F32, &dims, format).with_halo(&[2, 1], &[3, 5]).unwrap();
        for_each_part(&dims, &[0, 1], |start, size| {
            let part = haloed.submemory(start, size).unwrap();
            check(&dense(DType::F32, size, "ba"), &part, 1);
            check(&part, &part, 2);
            check(&part, &dense(DType::F32, size, "Ab4a"), 3);
        });
    }
}

#[test]
fn broadcast_sources() {
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
        let bias = dense(dtype, &[1, 20, 1, 1], "nChw8c");
        let bias = bias.broadcast_to(&[3, 20, 4, 5]).unwrap();
        let scalar = dense(dtype, &[1, 1, 1, 1], "nchw").broadcast_to(&[3, 20, 4, 5]).unwrap();
        let rows = dense(dtype, &[1, 20, 1, 5], "nhwc").broadcast_to(&[3, 20, 4, 5]).unwrap();
        for source in [bias, scalar, rows] {
            for other in ["nchw", "nhwc", "nChw8c", "nChw16c", "nChw3c"] {
                check(&source, &dense(dtype, &[3, 20, 4, 5], other), 1);
                check(&source, &dense(DType::S32, &[3, 20, 4, 5], other), 2);
            }
            let to = dense(dtype, &[3, 30, 4, 5], "nChw8c").submemory(&[0, 7, 0, 0], &[3, 20, 4, 5]).unwrap();
            check(&source, &to, 3);
        }
    }
}

/// Strides that run backwards, and gaps between blocks.
#[test]
fn strided_parts() {
    let spec = *dense(DType::F32, &[3, 14], "aB4b").spec();
    for strides in [[-40, 8], [40, -8], [-40, -8], [40, 4]] {
        let whole = Descriptor::from_parts(DType::F32, &[3, 14], spec, &strides, 200).unwrap();
        for_each_part(&[3, 14], &[1], |start, size| {
            let part = whole.submemory(start, size).unwrap();
            for other in ["ab", "aB4b", "bA2a"] {
                check(&part, &dense(DType::F32, size, other), 1);
                check(&dense(DType::U8, size, other), &part, 2);
            }
            check(&part, &dense(DType::F32, &[3, 20], "aB4b").submemory(&[0, 1], size).unwrap(), 3);
        });
    }
}

#[test]
fn printed_plans() {
    let whole = dense(DType::F32, &[1, 64, 5, 2], "nChw16c");
    let part = whole.submemory(&[0, 4, 0, 0], &[1, 40, 5, 2]).unwrap();
    let plain = dense(DType::F32, &[1, 40, 5, 2], "nchw");
    let printed =
        |src: &Descriptor, dst: &Descriptor| super::plan::portable(&Reorder::new(src, dst).unwrap());
    assert_eq!(
        printed(&part, &plain),
        "f32 -> f32: tile transpose (generic copy, 4 bytes), reads 1600 bytes, writes 1600 bytes\n  \
         loops (3,16,10):(160,1,16):(160,10,1)\n  \
         window 4..44 in loops 0 1\n  \
         not a plain copy: the two sides are contiguous along different axes; tile 10 x 16"
    );
    assert_eq!(
        printed(&part, &dense(DType::F32, &[1, 40, 5, 2], "nChw16c")),
        "f32 -> f32: row copy (generic copy, 4 bytes), reads 1600 bytes, writes 1920 bytes of which 80 elements are zero \
         padding\n  \
         loops (3,10,16):(160,16,1 from [4 160]):(160,16,1 from [0 12])\n  \
         window 0..40, padded to 0..48, in loops 0 2, cut at the blocks of both sides\n  \
         not a plain copy: blocks of the two sides never begin together"
    );
    assert_eq!(
        printed(&plain, &plain.with_halo(&[0, 0, 1, 0], &[0, 0, 1, 0]).unwrap()),
        "f32 -> f32: row copy (generic copy, 8 bytes), reads 1600 bytes, writes 2240 bytes of which 160 elements are zero \
         padding\n  \
         loops (40,7,2):(10,2,1):(14,2,1)\n  \
         window 1..6, padded to 0..7, in loops 2\n  \
         not a plain copy: common runs of 56 bytes"
    );
}

/// Parts of tensors with plain axes, and parts on blocks, need no windows: their plans are those of whole tensors.
#[test]
fn plans_without_windows() {
    let whole = dense(DType::F32, &[3, 64, 9, 9], "nChw16c");
    for (start, size) in [([1, 16, 2, 3], [2, 32, 5, 5]), ([0, 32, 0, 1], [3, 32, 9, 8])] {
        let part = whole.submemory(&start, &size).unwrap();
        let plan = Reorder::new(&part, &dense(DType::F32, &size, "nhwc")).unwrap().to_string();
        assert!(!plan.contains("window") && !plan.contains("tail"), "{plan}");
    }
}
