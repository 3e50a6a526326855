//! The one network that transposes, for registers of any width. Used by the folders beside it; touches no memory.
//!
//! In every 128-bit lane it turns R x R elements of 16 / R bytes: zipping rows i and i + R/2 to rows 2i and 2i + 1 is a
//! perfect shuffle, and log2(R) of these are a transpose. Lanes are not crossed: whoever loads puts into the lanes of a
//! register what belongs beside one another in the destination.

/// Defines `$turn::<B, R>(rows, rounds)` for registers of type `$vector`, whose zips for elements of 1, 2, 4 and 8 bytes are given.
macro_rules! zip_network {
    (
        $see:vis $turn:ident, $vector:ty, $features:literal,
        $low1:ident $high1:ident, $low2:ident $high2:ident, $low4:ident $high4:ident, $low8:ident $high8:ident
    ) => {
        /// Shuffles all rows log2(`rounds`) times; R times, this transposes the squares of R by R elements of B bytes in all
        /// lanes.
        #[inline]
        #[target_feature(enable = $features)]
        $see fn $turn<const B: usize, const R: usize>(mut rows: [$vector; R], rounds: usize) -> [$vector; R] {
            let mut left = rounds;
            while left > 1 {
                let mut zipped = rows;
                for i in 0..R / 2 {
                    let (a, b) = (rows[i], rows[i + R / 2]);
                    (zipped[2 * i], zipped[2 * i + 1]) = match B {
                        1 => ($low1(a, b), $high1(a, b)),
                        2 => ($low2(a, b), $high2(a, b)),
                        4 => ($low4(a, b), $high4(a, b)),
                        _ => ($low8(a, b), $high8(a, b)),
                    };
                }
                rows = zipped;
                left /= 2;
            }
            rows
        }
    };
}
pub(in super::super) use zip_network;

/// `$body` for `$i` from 0 to `$count`, at most 16, as text: the compiler leaves a loop over registers a loop, through memory,
/// where its body looks costly. What is written once here is checked by the compiler as often as it is repeated, and of nested
/// ones the product of that: a count that is no literal says how large it gets, `G of 4`, unless it stands alone.
macro_rules! unrolled {
    (2, $i:ident => $body:expr) => { $crate::kernels::parts::zip::unrolled! { @all 0 1, $i => $body } };
    (4, $i:ident => $body:expr) => { $crate::kernels::parts::zip::unrolled! { @all 0 1 2 3, $i => $body } };
    (8, $i:ident => $body:expr) => { $crate::kernels::parts::zip::unrolled! { @all 0 1 2 3 4 5 6 7, $i => $body } };
    (16, $i:ident => $body:expr) => {
        $crate::kernels::parts::zip::unrolled! { @all 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, $i => $body }
    };
    ($count:ident of 2, $i:ident => $body:expr) => {
        $crate::kernels::parts::zip::unrolled! { @each 0 1, $count, $i => $body }
    };
    ($count:ident of 4, $i:ident => $body:expr) => {
        $crate::kernels::parts::zip::unrolled! { @each 0 1 2 3, $count, $i => $body }
    };
    ($count:expr, $i:ident => $body:expr) => {
        $crate::kernels::parts::zip::unrolled! {
            @each 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, $count, $i => $body
        }
    };
    (@all $($number:literal)*, $i:ident => $body:expr) => {$({
        let $i: usize = $number;
        $body
    })*};
    (@each $($number:literal)*, $count:expr, $i:ident => $body:expr) => {$(
        if $count > $number {
            let $i: usize = $number;
            $body
        }
    )*};
}
pub(in super::super) use unrolled;

/// An array with `$value` for each 128-bit lane `$l` of a register of `$width` bytes. As text, because closures are compiled for
/// every kernel they are used in.
macro_rules! lanes {
    (16, $l:ident => $value:expr) => { $crate::kernels::parts::zip::lanes! { @all 0, $l => $value } };
    (32, $l:ident => $value:expr) => { $crate::kernels::parts::zip::lanes! { @all 0 1, $l => $value } };
    (64, $l:ident => $value:expr) => { $crate::kernels::parts::zip::lanes! { @all 0 1 2 3, $l => $value } };
    (@all $($number:literal)*, $l:ident => $value:expr) => {
        [$({
            let $l: usize = $number;
            $value
        }),*]
    };
}
pub(in super::super) use lanes;
