//! Every offset of many layouts, extents and tails: in range, never twice, inverted, and padding is exactly the rest.

use layout_core::layout::*;
use layout_core::shape::{IndexArray, IndexError, SizeError};

/// Calls `visit` for every index below `dims`, the last axis fastest.
pub(crate) fn indices<I: IndexArray>(dims: I, mut visit: impl FnMut(I)) {
    let mut index = I::ZERO;
    if dims.as_ref().contains(&0) {
        return;
    }
    'outer: loop {
        visit(index);
        for axis in (0..I::RANK).rev() {
            index.as_mut()[axis] += 1;
            if index.as_ref()[axis] < dims.as_ref()[axis] {
                continue 'outer;
            }
            index.as_mut()[axis] = 0;
        }
        return;
    }
}

fn check<L: Layout>(dims: L::Index) {
    let mapping = L::mapping(dims).unwrap();
    let padded = mapping.padded_dims();
    let required = mapping.required_len();
    assert_eq!(required, padded.as_ref().iter().product::<usize>());
    // The definition, digit by digit, with the strides of the mapping.
    let strides = mapping.digit_strides();
    let definition = |index: &L::Index| -> usize {
        (0..L::SPEC.len())
            .map(|at| {
                let digit = L::SPEC.digit(at).unwrap();
                let quotient = index.as_ref()[digit.axis] / digit.divisor as usize;
                let value = digit.size.map_or(quotient, |size| quotient % size as usize);
                value * strides.as_ref()[at] as usize
            })
            .sum()
    };
    let mut seen = vec![false; required];
    indices(padded, |index| {
        let offset = mapping.offset_unchecked(index);
        assert_eq!(offset, definition(&index));
        assert!(
            !std::mem::replace(&mut seen[offset], true),
            "{:?}: {index:?} shares its place",
            L::default()
        );
        let inside = index.as_ref().iter().zip(dims.as_ref()).all(|(i, d)| i < d);
        let expected = if inside { Position::Element(index) } else { Position::Padding(index) };
        assert_eq!(mapping.position(offset), Ok(expected), "{:?}", L::default());
        assert_eq!(mapping.offset(index).is_ok(), inside);
    });
    assert!(seen.iter().all(|&place| place), "{:?}: a place that no index reaches", L::default());
    assert_eq!(
        mapping.position(required),
        Err(IndexError::Offset { offset: required, required_len: required })
    );
}

type Blocked12 = Format<(Dim<'n'>, Dim<'c'>, Block<'c', 12>), (Dim<'n'>, Dim<'c'>)>;
type Blocked3Of5 =
    Format<(Dim<'b'>, Dim<'a'>, Block<'b', 3>, Block<'a', 5>, Block<'b', 7>), (Dim<'a'>, Dim<'b'>)>;
type BlockOutside = Format<(Dim<'n'>, Dim<'c'>, Block<'c', 4>, Dim<'h'>), (Dim<'n'>, Dim<'c'>, Dim<'h'>)>;
type Padded = Format<(PaddedDim<'h', 3>, PaddedDim<'w', 8>), (Dim<'h'>, Dim<'w'>)>;
type PaddedAndBlocked = Format<(Dim<'o'>, PaddedDim<'i', 6>, Block<'i', 4>), (Dim<'o'>, Dim<'i'>)>;
type Swizzled =
    Format<(Dim<'o'>, Dim<'i'>, Digit<'o', 1, 4>, Block<'i', 2>, Digit<'o', 4, 3>), (Dim<'o'>, Dim<'i'>)>;

#[test]
fn offsets_and_their_inverse() {
    for tail in [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33] {
        check::<Vector>([tail]);
        check::<RowMajor>([3, tail]);
        check::<ColumnMajor>([tail, 4]);
        check::<Nchw>([2, tail, 2, 3]);
        check::<Nhwc>([2, tail, 3, 2]);
        check::<Chwn>([2, tail, 2, 2]);
        check::<Nchw8c>([2, tail, 2, 3]);
        check::<Nchw16c>([1, tail, 3, 2]);
        check::<OIhw16i16o>([tail, 17, 1, 2]);
        check::<OIhw4i16o4i>([17, tail, 2, 1]);
        check::<OIhw8i16o2i>([tail, tail, 1, 1]);
        check::<Goihw8g>([tail, 1, 1, 3, 3]);
        check::<Blocked12>([2, tail]);
        check::<Blocked3Of5>([tail, 22]);
        check::<Blocked3Of5>([6, tail]);
        check::<BlockOutside>([2, tail, 3]);
        check::<Padded>([tail, 9]);
        check::<PaddedAndBlocked>([2, tail]);
        check::<Swizzled>([tail, 3]);
    }
    check::<Scalar>([]);
}

#[test]
fn a_padding_multiple_and_blocks_round_up_to_both() {
    // Least common multiple of 6 and 4.
    assert_eq!(PaddedAndBlocked::PADDING, [1, 12]);
    assert_eq!(PaddedAndBlocked::padded_dims([2, 13]), Ok([2, 24]));
}

#[test]
fn sizes_that_no_memory_has_are_refused() {
    assert_eq!(
        Nchw::required_len([usize::MAX, 2, 1, 1]),
        Err(SizeError::TooLarge { axis: 'n', extent: usize::MAX, element_bytes: 1 })
    );
    assert_eq!(
        Nchw::required_len([1 << 40, 1 << 40, 1, 1]),
        Err(SizeError::TooLarge { axis: 'c', extent: 1 << 40, element_bytes: 1 })
    );
    assert_eq!(
        Nchw16c::required_len([1, usize::MAX - 3, 1, 1]),
        Err(SizeError::Padding { axis: 'c', extent: usize::MAX - 3, multiple: 16 })
    );
    // An extent of 0 does not hide that the strides would not fit.
    assert!(Nchw::required_len([0, 1 << 40, 1 << 40, 1]).is_err());
    assert_eq!(Nchw::required_len([0, 1 << 20, 1 << 20, 1]), Ok(0));
}

#[test]
fn an_index_outside_names_the_axis() {
    let error = Nchw16c::offset([1, 3, 8, 8], [0, 3, 0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "index 3 of axis `c` (position 1) is out of range: its extent is 3");
}
