//! Random layouts over one piece of memory: what is not refused is right, and what has the same padding is not refused.

use super::{check, run};
use crate::oracle::KEPT;
use crate::properties::case;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::Spec;
use layout_core::reorder::{InPlaceError, ReorderInPlace};
use proptest::prelude::*;

/// The digits of `spec` in another order, blocks with those of their axis kept in order.
fn shuffled(spec: &Spec, keys: &[u32]) -> Spec {
    let mut order: Vec<usize> = (0..spec.len()).collect();
    order.sort_by_key(|&at| keys[at % keys.len()].wrapping_mul(at as u32 + 1));
    let mut out = Spec::SCALAR;
    for axis in 0..spec.rank() {
        out.push_axis(b'a' + axis as u8).unwrap();
    }
    for at in order {
        let digit = spec.digit(at).unwrap();
        match digit.size {
            None => out.push_top(digit.axis, spec.stated_multiple(digit.axis) as u32).unwrap(),
            Some(size) => out.push_block(digit.axis, size as u32).unwrap(),
        }
    }
    out
}

fn small(descriptor: &Descriptor) -> bool {
    descriptor.size_bytes() <= 200_000
}

/// The types of which no two elements share a byte.
const BYTES: &[DType] = {
    let (bytes, packed) = DType::ALL.split_at(11);
    assert!(!bytes[10].is_packed() && packed[0].is_packed());
    bytes
};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500 / KEPT as u32, ..ProptestConfig::default() })]

    /// Any two formats. Where they are padded alike the plan has to be; elsewhere it has to be refused.
    #[test]
    fn random_formats((from, to, dims) in case(), dtype in prop::sample::select(BYTES.to_vec()), seed in any::<u64>()) {
        let of = |spec| Descriptor::from_spec(dtype, &dims, spec).unwrap();
        let (src, dst) = (of(from), of(to));
        if small(&src) && small(&dst) {
            let alike = src.padded_dims() == dst.padded_dims() || src.is_empty();
            match ReorderInPlace::new(&src, &dst) {
                Ok(plan) => {
                    prop_assert!(alike);
                    run(&plan, &src, &dst, seed);
                }
                Err(InPlaceError::Size { src: a, dst: b }) => {
                    prop_assert_eq!((a, b), (src.size_bytes(), dst.size_bytes()));
                    prop_assert_ne!(a, b);
                }
                Err(InPlaceError::Padding { position, src: a, dst: b, .. }) => {
                    prop_assert_eq!(src.size_bytes(), dst.size_bytes());
                    prop_assert_eq!((a, b), (src.padded_dims()[position], dst.padded_dims()[position]));
                    prop_assert_ne!(a, b);
                }
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
    }

    /// The same digits in another order: always possible. Extents are larger, so that no scratch holds them.
    #[test]
    fn digits_in_another_order(
        (from, _, dims) in case(),
        dtype in prop::sample::select(BYTES.to_vec()),
        keys in prop::collection::vec(any::<u32>(), 12),
        grow in prop::collection::vec(1usize..5, 6),
        seed in any::<u64>(),
    ) {
        let dims: Vec<_> = dims.iter().zip(grow).map(|(dim, grow)| dim * grow).collect();
        let of = |spec| Descriptor::from_spec(dtype, &dims, spec).unwrap();
        let (src, dst) = (of(from), of(shuffled(&from, &keys)));
        if small(&src) {
            check(&src, &dst, seed);
        }
    }

    /// Whole blocks of a larger tensor: gaps around them, the same on both sides where only inner digits differ.
    #[test]
    fn parts(
        dims in prop::array::uniform3(1usize..12),
        before in prop::array::uniform2(0usize..3),
        formats in prop::array::uniform2(prop::sample::select(
            &["ABc4a8b", "ABc8b4a", "ABc2a8b2a", "BAc4a8b", "ABc4a2b4b", "AcB4a8b"][..],
        )),
        dtype in prop::sample::select(BYTES.to_vec()),
        seed in any::<u64>(),
    ) {
        let whole = [4 * (before[0] + 2) + dims[0] * 4, 8 * (before[1] + 1) + dims[1] * 8, dims[2]];
        let part = |format: &str| {
            let whole = Descriptor::new(dtype, &whole, format).unwrap();
            whole.submemory(&[4 * before[0], 8 * before[1], 0], &[dims[0] * 4, dims[1] * 8, dims[2]]).unwrap()
        };
        let (src, dst) = (part(formats[0]), part(formats[1]));
        match ReorderInPlace::new(&src, &dst) {
            Ok(plan) => run(&plan, &src, &dst, seed),
            Err(InPlaceError::Place { .. } | InPlaceError::Gaps { .. }) => {
                // Then there is a byte that one of them owns and the other does not.
                let owned = |d: &Descriptor| -> Vec<usize> {
                    let mut places = vec![];
                    crate::oracle::for_each_index(d.padded_dims(), |index| places.push(d.offset_unchecked(index)));
                    places.sort_unstable();
                    places
                };
                prop_assert_ne!(owned(&src), owned(&dst));
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    /// Matrices of any size, up to some that need all steps.
    #[test]
    fn matrices(rows in 1usize..700, columns in 1usize..700, batch in 1usize..3, inner in 1usize..4, seed in any::<u64>()) {
        let dims = [batch, rows, columns, inner];
        let of = |format| Descriptor::new(BYTES[seed as usize % BYTES.len()], &dims, format).unwrap();
        if small(&of("abcd")) {
            for format in ["acbd", "cbad", "dcba", "adbc"] {
                check(&of("abcd"), &of(format), seed);
            }
        }
    }
}
