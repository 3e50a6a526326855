//! From strides back to names: all that fit, against a comparison with every permutation.

use crate::oracle::{dense, indices};
use crate::properties::format_and_dims;
use layout_core::descriptor::{DType, Descriptor, Recognised};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Every order of `letters`.
fn permutations(letters: &str) -> Vec<String> {
    if letters.is_empty() {
        return vec![String::new()];
    }
    let each = letters.char_indices().flat_map(|(i, letter)| {
        let rest = [&letters[..i], &letters[i + 1..]].concat();
        permutations(&rest).into_iter().map(move |tail| format!("{letter}{tail}"))
    });
    each.collect()
}

fn names(d: &Descriptor) -> BTreeSet<String> {
    let all: Vec<String> = d.formats().map(|spec| spec.to_string()).collect();
    let set: BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(all.len(), set.len(), "{d}: {all:?}");
    set
}

/// The definition: the dense tensor in that format has every element at the same distance and no padding.
fn by_brute_force(d: &Descriptor) -> BTreeSet<String> {
    let letters = &"abcdefgh"[..d.rank()];
    let fits = |format: &String| {
        let other = dense(d.dims(), format);
        let zero = vec![0; d.rank()];
        indices(d.dims())
            .iter()
            .all(|index| d.offset(index).unwrap() - d.offset(&zero).unwrap() == other.offset(index).unwrap())
            && (d.is_empty() || d.padded_len() == d.logical_len())
    };
    permutations(letters).into_iter().filter(fits).collect()
}

#[test]
fn formats() {
    let orders = ["abcd", "adbc", "acdb", "bcda", "dcba", "aBcd2b", "abcD4d"];
    for dims in indices(&[4, 4, 4, 3]) {
        let dims: Vec<usize> = dims.iter().map(|n| [1, 2, 3, 0][*n]).collect();
        for order in orders {
            let d = dense(&dims, order).with_base(3).unwrap();
            assert_eq!(names(&d), by_brute_force(&d), "{d}");
        }
    }
    assert_eq!(Descriptor::scalar(DType::F32).formats().count(), 1);
    // As many as there are: the first ones are there at once.
    assert_eq!(dense(&[1; 12], "abcdefghijkl").formats().take(1000).count(), 1000);
    assert_eq!(dense(&[1; 5], "abcde").formats().count(), 120);
}

/// PyTorch: one channel, one pixel, one image.
#[test]
fn channels_last_is_ambiguous() {
    let both = ["nchw", "nhwc"];
    let of = |dims: &[usize], strides: &[isize]| Descriptor::from_strides(DType::F32, dims, strides).unwrap();
    let ambiguous = Recognised::Ambiguous { first: "nchw", second: "nhwc" };
    // C = 1, whatever the stride of the channels.
    assert_eq!(of(&[2, 1, 4, 5], &[20, 20, 5, 1]).recognise(&both), ambiguous);
    assert_eq!(of(&[2, 1, 4, 5], &[20, 1, 5, 1]).recognise(&both), ambiguous);
    // H = W = 1.
    assert_eq!(of(&[2, 3, 1, 1], &[3, 1, 3, 3]).recognise(&both), ambiguous);
    assert_eq!(of(&[2, 3, 1, 1], &[3, 1, 1, 1]).recognise(&both), ambiguous);
    // N = 1 leaves only the place of the batch open.
    let one = of(&[1, 3, 4, 5], &[60, 1, 15, 3]).renamed("nchw").unwrap();
    assert_eq!(one.recognise(&both), Recognised::One("nhwc"));
    assert_eq!(names(&one), ["hnwc", "hwcn", "hwnc", "nhwc"].map(String::from).into());
    // A blocked format among the candidates: one image of 16 channels.
    let d = dense(&[1, 16, 4, 5], "nhwc");
    let candidates = ["nchw", "nChw16c", "nhwc", "nChw8c", "nonsense", "nhwC16c"];
    assert_eq!(d.formats_among(&candidates).collect::<Vec<_>>(), ["nChw16c", "nhwc", "nhwC16c"]);
    assert_eq!(d.recognise(&["nchw"]), Recognised::Nothing);
    // Sixteen channels of which one is padding are not.
    assert_eq!(dense(&[1, 15, 4, 5], "nhwC16c").recognise(&["nhwc", "nhwC16c"]), Recognised::One("nhwC16c"));
}

/// candle#3404: with C == H == W, extents and strides of HWC memory are those of CHW memory.
#[test]
fn equal_extents() {
    let chw = dense(&[1, 4, 4, 4], "nchw");
    let hwc = dense(&[1, 4, 4, 4], "nhwc => nhwc");
    assert!(chw.same_bytes(&hwc));
    assert_eq!((chw.dims(), chw.strides()), (hwc.dims(), hwc.strides()));
    let candidates = ["nchw", "nhwc => nhwc"];
    let ambiguous = Recognised::Ambiguous { first: "nchw", second: "nhwc => nhwc" };
    assert_eq!((chw.recognise(&candidates), hwc.recognise(&candidates)), (ambiguous, ambiguous));
    // In one logical order the strides tell.
    assert_eq!(dense(&[1, 4, 4, 4], "nhwc").recognise(&["nchw", "nhwc"]), Recognised::One("nhwc"));
}

#[test]
fn orders() {
    let order = |d: &Descriptor| d.orders().map(|spec| spec.to_string()).collect::<BTreeSet<_>>();
    let of = |dims: &[usize], strides: &[isize]| {
        Descriptor::from_broadcast_strides(DType::F32, dims, strides).unwrap()
    };
    assert_eq!(order(&of(&[2, 3], &[8, 1])), ["ab".to_string()].into());
    assert_eq!(order(&of(&[2, 3], &[0, 1])), ["ab", "ba"].map(String::from).into());
    assert_eq!(of(&[2, 3], &[0, 1]).formats().count(), 0);
    assert_eq!(order(&of(&[2, 1, 3], &[8, 5, 2])), ["abc", "acb", "bac"].map(String::from).into());
    assert_eq!(of(&[4], &[0]).orders().count(), 1);
    let turned = Descriptor::from_parts(
        DType::F32,
        &[2, 3],
        layout_core::grammar::Spec::parse("ab").unwrap(),
        &[3, -1],
        2,
    );
    assert_eq!((turned.unwrap().orders().count(), turned.unwrap().formats().count()), (1, 0));
    assert_eq!(dense(&[2, 17], "aB16b").orders().count(), 0);
    // Each order takes the strides.
    let d = of(&[2, 1, 3, 1], &[7, 1, 2, 9]);
    for spec in d.orders() {
        let named = Descriptor::from_parts(DType::F32, d.dims(), spec, &d.strides(), 0).unwrap();
        assert!(named.same_bytes(&d));
    }
}

/// `is_in_format` against the elements and the padding.
#[test]
fn is_in_format() {
    let formats = ["nchw", "nhwc", "nChw4c", "nhwC4c", "nChw2c", "chwn", "NhwC2n4c"];
    for dims in [[2, 4, 3, 2], [1, 3, 1, 2], [2, 1, 1, 1], [2, 8, 1, 1], [0, 3, 2, 2]] {
        for one in formats {
            for other in formats {
                let (d, e) = (dense(&dims, one).with_base(7).unwrap(), dense(&dims, other));
                let elements = indices(&dims)
                    .iter()
                    .all(|index| d.offset(index).unwrap() - 7 == e.offset(index).unwrap());
                let padding = d.padded_dims() == e.padded_dims();
                assert_eq!(
                    d.is_in_format(other).unwrap(),
                    d.is_empty() || (elements && padding),
                    "{d} {other}"
                );
            }
        }
    }
    let d = dense(&[2, 3, 4, 5], "nchw");
    assert!(d.is_in_format("nchW").is_err() && d.is_in_format("nc").is_err());
    // A part of a tensor is not dense, and a view that starts in a block is in no format.
    let part = dense(&[4, 6], "aB4b").submemory(&[0, 1], &[1, 3]).unwrap();
    assert!(part.is_in_format("ab").unwrap() && !part.is_in_format("aB4b").unwrap());
    assert!(!dense(&[4, 6], "aB4b").submemory(&[0, 1], &[2, 3]).unwrap().is_in_format("ab").unwrap());
}

/// `same_bytes` of ragged views, and across ranks, against every element.
#[test]
fn same_bytes_of_parts() {
    let formats = ["ab", "aB4b", "aB2b2b", "AB2a4b", "aB3b", "ba", "aB2b"];
    let parts: Vec<Descriptor> = formats
        .iter()
        .flat_map(|format| {
            let d = dense(&[2, 12], format);
            [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4), (4, 8), (1, 2), (5, 7), (0, 12), (3, 1)]
                .map(|(start, size)| d.submemory(&[0, start], &[2, size]).unwrap())
        })
        .collect();
    for one in &parts {
        for other in &parts {
            let same = one.dims() == other.dims()
                && indices(one.dims()).iter().all(|index| one.offset(index) == other.offset(index));
            assert_eq!(one.same_bytes(other), same, "{one} {other}");
            let flat = other.unsqueeze(1).unwrap();
            assert_eq!(one.same_bytes_apart_from_units(&flat), same, "{one} {flat}");
            assert_eq!(flat.same_bytes_apart_from_units(one), same, "{one} {flat}");
        }
    }
}

proptest! {
    #[test]
    fn random_formats((format, dims) in format_and_dims()) {
        let d = dense(&dims, &format);
        prop_assert_eq!(names(&d), by_brute_force(&d));
    }
}
