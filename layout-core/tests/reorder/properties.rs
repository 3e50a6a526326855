//! Random formats against the oracle: any digit lists, blocks that do not nest, several an axis, low digits outside
//! higher ones, padding multiples, ranks 0 to 6, any pair of data types; and parts of such tensors, off blocks and on
//! them, with extra padding and without.

use crate::attributes::{Given, check_with};
use crate::oracle::{KEPT, check};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::Spec;
use proptest::prelude::*;

/// A format of rank `rank`: digits in any order, each a top (`None`) or one of `most` blocks.
fn spec(rank: usize, most: usize) -> impl Strategy<Value = Spec> {
    let tops = Just((0..rank).map(|axis| (axis, None)).collect::<Vec<_>>());
    let axis = if rank == 0 { 0..1 } else { 0..rank };
    let blocks =
        prop::collection::vec((axis, prop::sample::select(vec![2, 3, 4, 5, 6, 8, 12, 16])), 0..=most);
    let multiples = prop::collection::vec(prop::sample::select(vec![1, 1, 1, 2, 3, 8]), rank);
    let shuffled = (tops, blocks)
        .prop_map(move |(mut digits, blocks)| {
            digits.extend(blocks.into_iter().filter(|_| rank > 0).map(|(axis, size)| (axis, Some(size))));
            digits
        })
        .prop_shuffle();
    (shuffled, multiples, any::<u64>()).prop_map(move |(digits, multiples, random)| {
        let mut spec = Spec::SCALAR;
        for axis in 0..rank {
            spec.push_axis(b'a' + axis as u8).unwrap();
        }
        for (axis, size) in digits {
            match size {
                None => spec.push_top(axis, multiples[axis]).unwrap(),
                Some(size) => spec.push_block(axis, size).unwrap(),
            }
        }
        if random % 3 == 0 {
            reverse_significance(&mut spec);
        }
        spec.validate().unwrap();
        spec
    })
}

/// The outermost block of each axis becomes its least significant one.
fn reverse_significance(spec: &mut Spec) {
    let significance: Vec<_> = (0..spec.len()).map(|i| spec.significance(i)).collect();
    let blocks = |axis| {
        (0..spec.len())
            .filter(|&i| spec.significance(i).is_some() && spec.digit(i).unwrap().axis == axis)
            .count()
    };
    let counts: Vec<_> = (0..spec.rank()).map(blocks).collect();
    for (i, significance) in significance.into_iter().enumerate() {
        if let Some(significance) = significance {
            let axis = spec.digit(i).unwrap().axis;
            spec.set_significance(i, (counts[axis] - 1 - significance) as u8);
        }
    }
}

pub(crate) fn case() -> impl Strategy<Value = (Spec, Spec, Vec<usize>)> {
    (0usize..=6).prop_flat_map(|rank| {
        let largest: usize = [1, 300, 40, 14, 8, 5, 4][rank];
        let extent = prop_oneof![1 => Just(0), 3 => Just(1), 24 => 2usize..=largest.max(2)];
        (spec(rank, 4), spec(rank, 4), prop::collection::vec(extent, rank))
    })
}

/// Short axes and two that are longer than tiles of these and the tables of several loops; most formats have no blocks.
fn long_case() -> impl Strategy<Value = (Spec, Spec, Vec<usize>)> {
    const MOST: usize = 350_000;
    let format = |rank| prop_oneof![7 => spec(rank, 0), 1 => spec(rank, 2)];
    let rank = prop_oneof![1 => Just(3), 4 => Just(4), 1 => Just(5)];
    rank.prop_flat_map(move |rank| {
        let short = prop_oneof![2usize..=9, prop::sample::select(vec![4, 8])];
        let long = prop::sample::select(vec![65, 70, 100, 128]);
        let dims = (prop::collection::vec(short, rank - 2), long.clone(), long)
            .prop_map(|(short, a, b)| [short, vec![a, b]].concat())
            .prop_shuffle();
        (format(rank), format(rank), dims)
    })
    .prop_filter("small", |(_, _, dims)| dims.iter().product::<usize>() <= MOST)
}

pub(crate) fn dtype() -> impl Strategy<Value = DType> {
    prop::sample::select(DType::ALL.to_vec())
}

/// Dense, or with room behind every digit of the outermost axis and in front of everything.
pub(crate) fn place(dtype: DType, dims: &[usize], spec: Spec, gap: usize) -> Option<Descriptor> {
    let dense = within(60_000, dtype, dims, spec)?;
    if gap == 0 {
        return Some(dense);
    }
    // Strides of the axes in logical order, then of the blocks outside the innermost top digit.
    let outer = spec.outer_len();
    let mut strides = vec![0; spec.rank()];
    let mut extra = Vec::new();
    for (i, digit) in dense.digits().iter().enumerate().take(outer) {
        let stride = digit.stride * (gap as isize) + (outer - 1 - i) as isize;
        if digit.top { strides[digit.axis] = stride } else { extra.push(stride) }
    }
    strides.extend(extra);
    Descriptor::from_parts(dtype, dims, spec, &strides, gap).ok()
}

/// Dense, of `most` places.
fn within(most: usize, dtype: DType, dims: &[usize], spec: Spec) -> Option<Descriptor> {
    let dense = Descriptor::from_spec(dtype, dims, spec).unwrap();
    (dense.padded_dims().iter().product::<usize>() <= most).then_some(dense)
}

/// What a part leaves out before and behind, and the extra padding before and behind the tensor, by axis.
pub(crate) type Margins = Vec<[usize; 4]>;

pub(crate) fn margins() -> impl Strategy<Value = Margins> {
    // Half of the axes of parts are cut, and a quarter of tensors have extra padding.
    let cut = || prop_oneof![2 => Just(0), 1 => 0usize..4, 1 => 0usize..30];
    let extra = || prop_oneof![3 => Just(0), 1 => 0usize..9];
    prop::collection::vec((cut(), cut(), extra(), extra()).prop_map(|(a, b, c, d)| [a, b, c, d]), 6)
}

/// A part of extents `dims` of a larger tensor, which may have extra padding; `None` where that would be large.
pub(crate) fn part(
    dtype: DType,
    dims: &[usize],
    spec: Spec,
    margins: &Margins,
    gap: usize,
) -> Option<Descriptor> {
    // Tensors of many axes stay small.
    let largest = [0, 29, 29, 9, 5, 3, 2][dims.len()];
    let by_axis = |k: usize| dims.iter().zip(margins).map(move |(_, margins)| margins[k].min(largest));
    let column = |k| by_axis(k).collect::<Vec<_>>();
    let whole: Vec<_> =
        dims.iter().zip(by_axis(0).zip(by_axis(1))).map(|(dim, (a, b))| dim + a + b).collect();
    let mut whole = place(dtype, &whole, spec, gap)?;
    if gap == 0 {
        whole = whole.with_halo(&column(2), &column(3)).unwrap();
    }
    let part = whole.submemory(&column(0), dims).unwrap();
    (whole.size_bytes() < 400_000).then_some(part)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500 / KEPT as u32, ..ProptestConfig::default() })]

    #[test]
    fn random_formats((from, to, dims) in case(), src in dtype(), dst in dtype(), seed in any::<u64>()) {
        if let (Some(src), Some(dst)) = (place(src, &dims, from, 0), place(dst, &dims, to, 0)) {
            check(&src, &dst, seed);
        }
    }

    #[test]
    fn random_formats_of_one_type((from, to, dims) in case(), dtype in dtype(), seed in any::<u64>()) {
        if let (Some(src), Some(dst)) = (place(dtype, &dims, from, 0), place(dtype, &dims, to, 0)) {
            check(&src, &dst, seed);
        }
    }

    #[test]
    fn random_formats_with_gaps(
        (from, to, dims) in case(),
        dtypes in (dtype(), dtype()),
        gaps in (0usize..4, 1usize..4),
        seed in any::<u64>(),
    ) {
        let src = place(dtypes.0, &dims, from, gaps.0);
        if let (Some(src), Some(dst)) = (src, place(dtypes.1, &dims, to, gaps.1)) {
            check(&src, &dst, seed);
        }
    }

    #[test]
    fn random_attributes(
        (from, to, dims) in case(),
        dtypes in (dtype(), dtype()),
        margins in (margins(), margins()),
        gaps in (prop_oneof![3 => Just(0usize), 1 => 1usize..3], prop_oneof![3 => Just(0usize), 1 => 1usize..3]),
        seed in any::<u64>(),
    ) {
        let src = part(dtypes.0, &dims, from, &margins.0, gaps.0);
        let dst = part(dtypes.1, &dims, to, &margins.1, gaps.1);
        if let (Some(src), Some(dst)) = (src, dst) {
            check_with(&src, &dst, &Given::random(&dims, dtypes, seed), seed);
        }
    }

    #[test]
    fn random_parts(
        (from, to, dims) in case(),
        dtypes in (dtype(), dtype()),
        margins in (margins(), margins()),
        gaps in (prop_oneof![3 => Just(0usize), 1 => 1usize..3], prop_oneof![3 => Just(0usize), 1 => 1usize..3]),
        one_type in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let src = part(dtypes.0, &dims, from, &margins.0, gaps.0);
        let dst = part(if one_type { dtypes.0 } else { dtypes.1 }, &dims, to, &margins.1, gaps.1);
        if let (Some(src), Some(dst)) = (src, dst) {
            check(&src, &dst, seed);
        }
    }
}

proptest! {
    // They are large: few of them where nothing is optimised.
    #![proptest_config(ProptestConfig { cases: (1500 / KEPT / KEPT) as u32, ..ProptestConfig::default() })]

    #[test]
    fn random_formats_of_long_axes(
        (from, to, dims) in long_case(),
        dtype in prop::sample::select(vec![DType::U8, DType::U8, DType::U8, DType::Bf16, DType::F32]),
        other in dtype(),
        one_type in prop::bool::weighted(0.8),
        seed in any::<u64>(),
    ) {
        let other = if one_type { dtype } else { other };
        if let (Some(src), Some(dst)) = (within(500_000, dtype, &dims, from), within(500_000, other, &dims, to)) {
            check(&src, &dst, seed);
        }
    }
}
