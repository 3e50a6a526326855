//! Tuples of digits: the lists of logical axes (to 12) and of digits (to 74) that a [`Format`](super::super::Format) is made of.

use super::super::walk::Walk;
use super::digit::{DigitDef, DigitType, Dim};
use super::search::{Cons, InnerBlock};
use crate::shape::{IndexArray, Shape};

mod private {
    pub trait Sealed {}
}

/// `[isize; DIGITS]`: one stride for each digit in physical order. Sealed.
pub trait StrideArray:
    private::Sealed
    + Copy
    + Eq
    + core::hash::Hash
    + core::fmt::Debug
    + AsRef<[isize]>
    + AsMut<[isize]>
    + Send
    + Sync
    + 'static
{
    /// All zeros.
    const ZERO: Self;
}
impl<const DIGITS: usize> private::Sealed for [isize; DIGITS] {}
impl<const DIGITS: usize> StrideArray for [isize; DIGITS] {
    const ZERO: Self = [0; DIGITS];
}

/// The logical axes of a layout: a tuple of [`Dim`]. Sealed.
pub trait AxisTuple: private::Sealed + 'static {
    /// The letters in logical order.
    const LETTERS: &'static [char];
    /// `[usize; RANK]`.
    type Index: IndexArray + Shape<Self::Index>;
    /// The axes as a list.
    type List;
}

/// The digits of a layout in physical order, outermost first: a tuple of digit types. Sealed.
pub trait DigitTuple: private::Sealed + 'static {
    /// The digits as values.
    const DEFS: &'static [DigitDef];
    /// One stride a digit.
    type Strides: StrideArray;
    /// The digits as a list.
    type List: InnerBlock;
    /// Takes a step for each digit, outermost first, without a loop: straight-line code.
    fn outermost_first<W: Walk>(walk: &mut W);
    /// Takes a step for each digit, innermost first.
    fn innermost_first<W: Walk>(walk: &mut W);
}

/// The tuple of a list.
pub trait ToTuple {
    /// The tuple.
    type Tuple;
}

macro_rules! list {
    () => { () };
    ($head:ident $($tail:ident)*) => { Cons<$head, list!($($tail)*)> };
}

macro_rules! digit_tuples {
    (@one [$($digit:ident $at:literal)*] [$($reverse:literal)*]) => {
        impl<$($digit: DigitType),*> private::Sealed for ($($digit,)*) {}
        impl<$($digit: DigitType),*> DigitTuple for ($($digit,)*)
        where
            list!($($digit)*): InnerBlock,
        {
            const DEFS: &'static [DigitDef] = &[$($digit::DEF),*];
            type Strides = [isize; { let digits: &[usize] = &[$($at),*]; digits.len() }];
            type List = list!($($digit)*);
            #[inline(always)]
            fn outermost_first<W: Walk>(_walk: &mut W) {
                $(_walk.step::<$at>();)*
            }
            #[inline(always)]
            fn innermost_first<W: Walk>(_walk: &mut W) {
                $(_walk.step::<$reverse>();)*
            }
        }
        impl<$($digit),*> ToTuple for list!($($digit)*) {
            type Tuple = ($($digit,)*);
        }
    };
    ([$($done:tt)*] [$($reverse:tt)*]) => {
        digit_tuples!(@one [$($done)*] [$($reverse)*]);
    };
    ([$($done:tt)*] [$($reverse:tt)*] $digit:ident $at:literal $($rest:tt)*) => {
        digit_tuples!(@one [$($done)*] [$($reverse)*]);
        digit_tuples!([$($done)* $digit $at] [$at $($reverse)*] $($rest)*);
    };
}
digit_tuples! { [] []
    D0 0 D1 1 D2 2 D3 3 D4 4 D5 5 D6 6 D7 7 D8 8 D9 9 D10 10 D11 11 D12 12 D13 13 D14 14 D15 15 D16 16 D17 17 D18 18
    D19 19 D20 20 D21 21 D22 22 D23 23 D24 24 D25 25 D26 26 D27 27 D28 28 D29 29 D30 30 D31 31 D32 32 D33 33 D34 34
    D35 35 D36 36 D37 37 D38 38 D39 39 D40 40 D41 41 D42 42 D43 43 D44 44 D45 45 D46 46 D47 47 D48 48 D49 49 D50 50
    D51 51 D52 52 D53 53 D54 54 D55 55 D56 56 D57 57 D58 58 D59 59 D60 60 D61 61 D62 62 D63 63 D64 64 D65 65 D66 66
    D67 67 D68 68 D69 69 D70 70 D71 71 D72 72 D73 73
}

macro_rules! list_of_dims {
    () => { () };
    ($head:ident $($tail:ident)*) => { Cons<Dim<$head>, list_of_dims!($($tail)*)> };
}

macro_rules! axis_tuples {
    ($($rank:literal: $($axis:ident)*;)*) => {$(
        impl<$(const $axis: char),*> AxisTuple for ($(Dim<$axis>,)*) {
            const LETTERS: &'static [char] = &[$($axis),*];
            type Index = [usize; $rank];
            type List = list_of_dims!($($axis)*);
        }
    )*};
}
axis_tuples! {
    0: ;
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
}
