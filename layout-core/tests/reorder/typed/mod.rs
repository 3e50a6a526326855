//! `reorder` and the methods of views, against digits read from a text (the oracle of the view tests) and numbers
//! converted one at a time. Memory is compared whole, bit for bit: what the destination does not reach stays as it was.

#[allow(dead_code, reason = "the view tests ask it for more")]
#[path = "../../view/oracle.rs"]
mod digits;
mod errors;
mod methods;
mod operands;
mod pairs;
mod plans;

use crate::oracle::{SENTINEL, convert, fill};
use digits::indices;
use layout_core::descriptor::Element;

/// An element that is made of bytes and compared by its bits.
pub(crate) trait Bits: Element + Default + std::fmt::Debug {
    fn bytes(self) -> Vec<u8>;
    fn of(bytes: &[u8]) -> Self;
}
macro_rules! bits {
    ($($(#[$attr:meta])* $ty:ty,)*) => {$(
        $(#[$attr])*
        impl Bits for $ty {
            fn bytes(self) -> Vec<u8> {
                self.to_ne_bytes().to_vec()
            }
            fn of(bytes: &[u8]) -> Self {
                <$ty>::from_ne_bytes(bytes.try_into().unwrap())
            }
        }
    )*};
}
bits! { f64, f32, i32, i8, u8, #[cfg(feature = "half")] half::f16, #[cfg(feature = "half")] half::bf16, }

/// Memory filled with numbers of every kind.
fn filled<T: Bits>(len: usize, seed: u64) -> Vec<T> {
    let mut bytes = vec![0; len * size_of::<T>()];
    fill(T::DTYPE, &mut bytes, seed);
    bytes.chunks_exact(size_of::<T>()).map(T::of).collect()
}

/// Memory in which every byte tells that nobody wrote there.
fn untouched<T: Bits>(len: usize) -> Vec<T> {
    vec![T::of(&vec![SENTINEL; size_of::<T>()]); len]
}

/// The number that `x` becomes.
fn converted<T: Bits, U: Bits>(x: T) -> U {
    let mut out = vec![0; size_of::<U>()];
    convert(T::DTYPE, U::DTYPE, &x.bytes(), &mut out);
    U::of(&out)
}

/// What `to` holds after a reorder of extents `dims` from `from`: `from_at` and `to_at` give the place of an index in
/// memory, and `padded` the extents that are written.
fn expected<T: Bits, U: Bits>(
    dims: &[usize],
    (from, from_at): (&[T], impl Fn(&[usize]) -> usize),
    (to, padded, to_at): (&[U], &[usize], impl Fn(&[usize]) -> usize),
) -> Vec<U> {
    let mut out = to.to_vec();
    for index in indices(padded) {
        let logical = index.iter().zip(dims).all(|(i, dim)| i < dim);
        out[to_at(&index)] =
            if logical { converted(from[from_at(&index)]) } else { U::of(&vec![0; size_of::<U>()]) };
    }
    out
}

/// Compares memory bit for bit.
#[track_caller]
fn assert_same<T: Bits>(found: &[T], expected: &[T], what: std::fmt::Arguments<'_>) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(found.bytes() == expected.bytes(), "{what}: element {at} is {found:?}, not {expected:?}");
    }
}
