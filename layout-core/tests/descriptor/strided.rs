//! Descriptors from strides: what they mean, and which strides and bases are refused and why.

use crate::oracle::{check, dense, indices};
use layout_core::descriptor::{DType, Descriptor, DescriptorError, Location};
use layout_core::grammar::Spec;
use layout_core::shape::{IndexError, SizeError};
use proptest::prelude::*;
use static_assertions::{assert_impl_all, const_assert};
use std::collections::HashSet;

assert_impl_all!(Descriptor: Send, Sync, Copy, Eq, std::hash::Hash, std::fmt::Debug, Unpin);
assert_impl_all!(DescriptorError: Send, Sync, std::error::Error);
const_assert!(size_of::<Descriptor>() < 1024);

/// Descriptors are made and asked while compiling.
const STRIDED: Result<Descriptor, DescriptorError> = Descriptor::from_strides(DType::U8, &[2, 3], &[1, 4]);
const DENSE: Result<Descriptor, DescriptorError> = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c");

fn error(dims: &[usize], strides: &[isize]) -> String {
    Descriptor::from_strides(DType::F32, dims, strides).unwrap_err().to_string()
}

#[test]
fn constants() {
    assert_eq!(STRIDED.unwrap().to_string(), "u8:ba:2x3:strides=1x4");
    const SPAN: usize = match &DENSE {
        Ok(d) => d.required_len(),
        Err(_) => 0,
    };
    assert_eq!(SPAN, 2 * 24 * 20);
    const AT: Result<usize, IndexError> = match &DENSE {
        Ok(d) => d.offset(&[1, 16, 4, 3]),
        Err(_) => Ok(0),
    };
    assert_eq!(AT, Ok(480 + 320 + 4 * 32 + 24));
}

#[test]
fn physical_order_is_by_stride_and_ties_are_in_logical_order() {
    let of = |dims: &[usize], strides: &[isize]| {
        Descriptor::from_strides(DType::F32, dims, strides).unwrap().spec().to_string()
    };
    assert_eq!(of(&[2, 3, 4], &[12, 4, 1]), "abc");
    assert_eq!(of(&[2, 3, 4], &[1, 8, 2]), "bca");
    assert_eq!(of(&[3, 1, 1], &[1, 1, 1]), "abc");
    assert_eq!(of(&[1, 3, 1, 1], &[3, 1, 3, 3]), "acdb");
    assert_eq!(of(&[1, 3], &[0, 1]), "ba");
    assert_eq!(of(&[2, 0, 3], &[0, 0, 0]), "abc");
    // The order of single values says nothing: the same bytes.
    let one = Descriptor::from_strides(DType::F32, &[1, 3, 1, 1], &[3, 1, 3, 3]).unwrap();
    for format in ["nchw", "nhwc", "chwn"] {
        assert!(one.same_bytes(&dense(&[1, 3, 1, 1], format)));
    }
}

#[test]
fn refused_strides() {
    assert_eq!(error(&[2, 3], &[0, 1]), "stride 0 of axis `a` puts its 2 values on one element");
    assert_eq!(
        error(&[4, 3], &[1, 2]),
        "stride 2 of axis `b` and stride 1 of axis `a` overlap: two indices would be one element"
    );
    assert_eq!(
        error(&[2, 3], &[3, 2]),
        "stride 3 of axis `a` lies inside axis `b` with stride 2: strides must nest, here it must be at least 5"
    );
    // No two axes overlap, but three do (5 = 3 + 2).
    assert!(matches!(
        Descriptor::from_strides(DType::F32, &[2, 2, 2], &[5, 3, 2]),
        Err(DescriptorError::Interleaved { axis: 'a', stride: 5, other: 'b', other_stride: 3, least: 6 })
    ));
    assert_eq!(error(&[2, 3], &[1]), "the layout needs 2 strides, but 1 were given");
    assert_eq!(error(&[1; 13], &[1; 13]), "13 extents were given, but a tensor has at most 12 axes");
    assert_eq!(
        error(&[2, 3], &[-3, 1]),
        "base offset 0 is too small: with these negative strides it must be at least 3"
    );
    let too_large = Descriptor::from_strides(DType::F32, &[3, 2], &[isize::MAX, 1]);
    let size = SizeError::TooLarge { axis: 'a', extent: 3, element_bytes: 4 };
    assert_eq!(too_large, Err(DescriptorError::Size(size)));
    // The text is that of the inner error, so that a chain of sources does not say it twice.
    let too_large = too_large.unwrap_err();
    assert_eq!(too_large.to_string(), size.to_string());
    assert!(std::error::Error::source(&too_large).is_none());
    for strides in [[isize::MIN; 3], [isize::MAX; 3], [isize::MIN, isize::MAX, 0]] {
        assert!(Descriptor::from_strides(DType::F64, &[2, 2, 3], &strides).is_err());
        assert!(Descriptor::from_strides(DType::F64, &[isize::MAX as usize / 8, 1, 1], &strides).is_err());
        assert!(Descriptor::from_strides(DType::F64, &[1, 1, 1], &strides).is_ok());
    }
}

#[test]
fn strides_of_blocked_formats() {
    let with = |strides: &[isize]| Descriptor::with_strides(DType::F32, &[2, 17, 3, 4], "nChw8c", strides);
    let d = with(&[1000, 120, 40, 10]).unwrap();
    assert_eq!(d.offset(&[1, 16, 2, 3]), Ok(1000 + 240 + 80 + 30));
    assert_eq!(d.locate(8), Ok(Location::Unused));
    let Ok(Location::Element(index)) = d.locate(1250) else { panic!("1250 is no element") };
    assert_eq!(*index, [1, 16, 0, 1]);
    check(&d);
    assert_eq!(
        with(&[1000, 120, 40, 6]).unwrap_err().to_string(),
        "stride 6 of axis `w` and stride 1 of axis `c` overlap: two indices would be one element"
    );
    assert_eq!(
        Descriptor::with_strides(DType::F32, &[1, 16, 1, 1], "nChw8c", &[0, 4, 0, 0])
            .unwrap_err()
            .to_string(),
        "stride 4 of axis `c` reaches into its own inner block (stride 1): two indices would be one element"
    );
    assert_eq!(
        with(&[1000, 40, 80, 10]).unwrap_err().to_string(),
        "stride 80 of axis `h` and stride 40 of axis `c` overlap: two indices would be one element"
    );
    assert_eq!(
        with(&[1000, 40, 200, 10]).unwrap_err().to_string(),
        "the format puts axis `c` outside axis `h`, but their strides are 40 and 200"
    );
    // The shape of an NHWC tensor with the strides of NCHW: said, not guessed.
    assert_eq!(
        Descriptor::with_strides(DType::F32, &[2, 3, 4, 5], "nhwc", &[60, 20, 5, 1]).unwrap_err().to_string(),
        "the format puts axis `h` outside axis `c`, but their strides are 5 and 20"
    );
    assert!(matches!(
        Descriptor::with_strides(DType::F32, &[2, 3], "ac", &[3, 1]),
        Err(DescriptorError::Format(_))
    ));
}

#[test]
fn base_offset() {
    let d = dense(&[2, 3], "ab").with_base(7).unwrap();
    assert_eq!((d.base(), d.offset(&[1, 2]), d.required_len(), d.size_bytes()), (7, Ok(12), 13, 52));
    assert_eq!((d.locate(6), d.first_offset()), (Ok(Location::Unused), 7));
    assert!(d.is_dense());
    check(&d);
    let largest = isize::MAX as usize / 4 - 6;
    assert_eq!(d.with_base(largest).unwrap().size_bytes(), isize::MAX as usize / 4 * 4);
    assert_eq!(d.with_base(largest + 1), Err(DescriptorError::BaseTooLarge { base: largest + 1, largest }));
    assert_eq!(
        d.with_base(usize::MAX).unwrap_err().to_string(),
        format!("base offset {} is too large: with these extents it may be at most {largest}", usize::MAX)
    );
}

#[test]
fn negative_strides() {
    // A matrix read upside down and right to left.
    let spec = Spec::parse("ab").unwrap();
    let d = Descriptor::from_parts(DType::F32, &[2, 3], spec, &[-4, -1], 6).unwrap();
    let offsets: Vec<_> = indices(&[2, 3]).iter().map(|index| d.offset(index).unwrap()).collect();
    assert_eq!(offsets, [6, 5, 4, 2, 1, 0]);
    assert_eq!((d.first_offset(), d.required_len(), d.is_dense()), (0, 7, false));
    assert_eq!(d.locate(3), Ok(Location::Unused));
    check(&d);
    let refused = Descriptor::from_parts(DType::F32, &[2, 3], spec, &[-4, -1], 5);
    assert_eq!(refused, Err(DescriptorError::BaseTooSmall { base: 5, least: 6 }));
}

#[test]
fn rank_zero() {
    let d = Descriptor::scalar(DType::Bf16);
    assert_eq!(Descriptor::from_spec(DType::Bf16, &[], Spec::SCALAR), Ok(d));
    assert_eq!(Descriptor::from_strides(DType::Bf16, &[], &[]), Ok(d));
    assert_eq!((d.rank(), d.digit_len(), d.dims().len(), d.strides().len()), (0, 0, 0, 0));
    assert_eq!((d.logical_len(), d.padded_len(), d.required_len(), d.size_bytes()), (1, 1, 1, 2));
    assert_eq!(d.offset(&[]), Ok(0));
    assert_eq!(d.offset(&[0]), Err(IndexError::Rank { expected: 0, found: 1 }));
    assert!(d.is_dense() && d.is_plain() && !d.is_empty() && d.same_bytes(&d) && d.inner_blocks().len() == 0);
    assert!(d.blocking_095().is_some());
    check(&d);
    check(&d.with_base(3).unwrap());
}

#[test]
fn extent_zero() {
    for format in ["abc", "cab", "aBc4b", "ABc2a3b2a"] {
        for dims in [[0, 5, 3], [2, 0, 3], [2, 5, 0], [0, 0, 0]] {
            let d = dense(&dims, format);
            assert_eq!((d.logical_len(), d.padded_len(), d.required_len(), d.size_bytes()), (0, 0, 0, 0));
            assert!(d.is_empty() && d.is_dense() && d.padding_share() == 0.0);
            assert_eq!(d.locate(0), Err(IndexError::Offset { offset: 0, required_len: 0 }));
            assert!(matches!(d.offset(&[0, 0, 0]), Err(IndexError::OutOfRange { index: 0, extent: 0, .. })));
            check(&d);
        }
    }
    // Strides as NumPy states them for an array of shape (2, 0, 3): an extent of 0 counts as 1.
    assert_eq!(*dense(&[2, 0, 3], "abc").strides(), [3, 3, 1]);
    assert!(Descriptor::from_strides(DType::F32, &[2, 0, 3], &[0, 0, 0]).is_ok());
}

#[test]
fn sizes_past_the_address_space() {
    let limit = isize::MAX as usize;
    let of = |dtype, dims: &[usize], format| Descriptor::new(dtype, dims, format);
    assert!(of(DType::U8, &[limit], "a").is_ok());
    let refused = |error| Err(DescriptorError::Size(error));
    let padding = |extent, multiple| refused(SizeError::Padding { axis: 'a', extent, multiple });
    let size = |axis, extent, element_bytes| refused(SizeError::TooLarge { axis, extent, element_bytes });
    assert_eq!(of(DType::U8, &[limit + 1], "a"), size('a', limit + 1, 1));
    assert_eq!(of(DType::U8, &[usize::MAX, 0], "ab"), size('a', usize::MAX, 1));
    assert_eq!(of(DType::U8, &[limit], "A16a"), padding(limit, 16));
    assert_eq!(of(DType::F32, &[limit / 4 + 1], "a"), size('a', limit / 4 + 1, 4));
    assert_eq!(of(DType::U8, &[1 << 32, 1 << 31], "ab"), size('b', 1 << 31, 1));
    // Zero elements, but blocks that no memory could hold: refused, because strides would not fit.
    assert!(of(DType::F64, &[0, limit / 64], "Ab16a").is_err());
    assert!(of(DType::F64, &[0], "A4294967295a1073741824a").is_err());
    assert_eq!(of(DType::U8, &[1, 2, 3], "nchw"), refused(SizeError::Rank { expected: 4, found: 3 }));
}

#[test]
fn indices_are_checked() {
    let d = dense(&[2, 17, 5, 4], "nChw8c");
    assert_eq!(d.offset(&[0, 0, 0]), Err(IndexError::Rank { expected: 4, found: 3 }));
    let found = d.offset(&[0, 17, 0, 9]);
    assert_eq!(found, Err(IndexError::OutOfRange { axis: 'c', position: 1, index: 17, extent: 17 }));
    assert!(d.offset(&[usize::MAX; 4]).is_err());
    assert_eq!(d.locate(960), Err(IndexError::Offset { offset: 960, required_len: 960 }));
    assert!(d.locate(usize::MAX).is_err());
}

proptest! {
    /// Any strides at all: what is accepted is injective, what is called an overlap is one.
    #[test]
    fn strides_are_judged_rightly(
        shape in prop::collection::vec((0usize..5, -9isize..10), 0..5),
        base in 0usize..40,
    ) {
        let (dims, strides): (Vec<_>, Vec<_>) = shape.into_iter().unzip();
        let order: String = {
            let mut axes: Vec<usize> = (0..dims.len()).collect();
            axes.sort_by_key(|&a| std::cmp::Reverse(strides[a].unsigned_abs()));
            axes.iter().map(|&a| (b'a' + a as u8) as char).collect()
        };
        let spec = if dims.is_empty() { Spec::SCALAR } else { Spec::parse(&order).unwrap() };
        let offset = |index: &Vec<usize>| index.iter().zip(&strides).map(|(&i, s)| i as isize * s).sum::<isize>();
        let all = indices(&dims);
        let injective = all.iter().map(offset).collect::<HashSet<_>>().len() == all.len();
        match Descriptor::from_parts(DType::S8, &dims, spec, &strides, base) {
            Ok(d) => {
                prop_assert!(injective);
                for index in &all {
                    prop_assert_eq!(d.offset(index).unwrap() as isize, base as isize + offset(index));
                }
                check(&d);
                prop_assert_eq!(d.to_string().parse(), Ok(d));
            }
            Err(DescriptorError::Overlap { .. } | DescriptorError::ZeroStride { .. }) => prop_assert!(!injective),
            Err(DescriptorError::Interleaved { .. }) => {
                let mut steps: Vec<_> = (0..dims.len()).filter(|&a| dims[a] > 1).collect();
                steps.sort_by_key(|&a| strides[a].unsigned_abs());
                let mut reach = 0;
                let crossed = steps.iter().any(|&a| {
                    let crossed = strides[a].unsigned_abs() <= reach;
                    reach += (dims[a] - 1) * strides[a].unsigned_abs();
                    crossed
                });
                prop_assert!(crossed);
            }
            Err(DescriptorError::BaseTooSmall { least, .. }) => {
                prop_assert!(base < least);
                let d = Descriptor::from_parts(DType::S8, &dims, spec, &strides, least).unwrap();
                if !d.is_empty() {
                    prop_assert_eq!(d.first_offset(), 0);
                }
                check(&d);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}
