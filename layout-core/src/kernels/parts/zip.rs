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
/// where its body looks costly.
macro_rules! unrolled {
    ($count:expr, $i:ident => $body:expr) => {
        $crate::kernels::parts::zip::unrolled! {
            @each 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, $count, $i => $body
        }
    };
    (@each $($number:literal)*, $count:expr, $i:ident => $body:expr) => {$(
        if $count > $number {
            let $i: usize = $number;
            $body
        }
    )*};
}
pub(in super::super) use unrolled;
