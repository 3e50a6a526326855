//! Type-level search: digits as cons lists, letters as typenum numbers, so that a `where` clause can ask for "the
//! block of axis `c`". Const generics cannot compare or divide in a `where` clause; typenum can.

use super::digit::{Block, Digit, Dim, PaddedDim};
use core::marker::PhantomData;
use core::ops::{Add, Mul};
use typenum::{Add1, B0, B1, Const, Eq, IsEqual, Prod, ToUInt, U, U0, U1, Unsigned};

/// A list of types: `Cons<A, Cons<B, ()>>` stands for the tuple `(A, B)`.
pub struct Cons<Head, Tail>(PhantomData<fn() -> (Head, Tail)>);

/// The number of a letter, for comparisons.
pub trait Letter {
    /// 0 for `a`, 1 for `b`, ….
    type Number: Unsigned;
}

macro_rules! letters {
    ($($letter:literal $number:ident)*) => {$(
        impl Letter for Dim<$letter> {
            type Number = typenum::$number;
        }
    )*};
}
letters! {
    'a' U0 'b' U1 'c' U2 'd' U3 'e' U4 'f' U5 'g' U6 'h' U7 'i' U8 'j' U9 'k' U10 'l' U11 'm' U12
    'n' U13 'o' U14 'p' U15 'q' U16 'r' U17 's' U18 't' U19 'u' U20 'v' U21 'w' U22 'x' U23 'y' U24 'z' U25
}

/// Picks one of two types by a type-level bit.
pub trait Choose<IfTrue, IfFalse> {
    /// The picked one.
    type Output;
}
impl<IfTrue, IfFalse> Choose<IfTrue, IfFalse> for B1 {
    type Output = IfTrue;
}
impl<IfTrue, IfFalse> Choose<IfTrue, IfFalse> for B0 {
    type Output = IfFalse;
}

/// A digit (or logical axis) compared with the axis `A = Dim<letter>`.
pub trait OnAxis<A> {
    /// `B1` where the digit belongs to the axis.
    type Same;
    /// What the digit contributes to the block product of `A`: its size or 1.
    type Factor;
}
macro_rules! top_on_axis {
    ($digit:ty, $($param:tt)*) => {
        impl<$($param)*, A: Letter> OnAxis<A> for $digit
        where
            Dim<AXIS>: Letter,
            <Dim<AXIS> as Letter>::Number: IsEqual<A::Number>,
        {
            type Same = Eq<<Dim<AXIS> as Letter>::Number, A::Number>;
            type Factor = U1;
        }
    };
}
top_on_axis!(Dim<AXIS>, const AXIS: char);
top_on_axis!(PaddedDim<AXIS, MULTIPLE>, const AXIS: char, const MULTIPLE: usize);
macro_rules! block_on_axis {
    ($digit:ty, $($param:tt)*) => {
        impl<$($param)*, A: Letter> OnAxis<A> for $digit
        where
            Dim<AXIS>: Letter,
            <Dim<AXIS> as Letter>::Number: IsEqual<A::Number>,
            Const<SIZE>: ToUInt,
            Eq<<Dim<AXIS> as Letter>::Number, A::Number>: Choose<U<SIZE>, U1>,
        {
            type Same = Eq<<Dim<AXIS> as Letter>::Number, A::Number>;
            type Factor = <Self::Same as Choose<U<SIZE>, U1>>::Output;
        }
    };
}
block_on_axis!(Block<AXIS, SIZE>, const AXIS: char, const SIZE: usize);
block_on_axis!(Digit<AXIS, DIVISOR, SIZE>, const AXIS: char, const DIVISOR: usize, const SIZE: usize);

/// The product of the blocks of axis `A` in a list, as a typenum number; 1 where it has none.
pub trait BlockOf<A> {
    /// The product.
    type Product;
}
impl<A> BlockOf<A> for () {
    type Product = U1;
}
impl<Head: OnAxis<A>, Tail: BlockOf<A>, A> BlockOf<A> for Cons<Head, Tail>
where
    Head::Factor: Mul<Tail::Product>,
{
    type Product = Prod<Head::Factor, Tail::Product>;
}

/// The position of axis `A` in a list of axes, as a typenum number. Not implemented where it is missing.
pub trait Find<A> {
    /// The position.
    type Position;
}
/// [`Find`] once it is known whether the head is the axis.
pub trait FindNext<A, HeadIsIt> {
    /// The position.
    type Position;
}
impl<Head, Tail, A> FindNext<A, B1> for Cons<Head, Tail> {
    type Position = U0;
}
impl<Head, Tail: Find<A>, A> FindNext<A, B0> for Cons<Head, Tail>
where
    Tail::Position: Add<B1>,
{
    type Position = Add1<Tail::Position>;
}
impl<Head: OnAxis<A>, Tail, A> Find<A> for Cons<Head, Tail>
where
    Self: FindNext<A, Head::Same>,
{
    type Position = <Self as FindNext<A, Head::Same>>::Position;
}

/// Of a list of extents, the one that stands where axis `A` stands in a list of axes.
pub trait Pick<A, Extents> {
    /// The extent.
    type Extent;
}
/// [`Pick`] once it is known whether the head is the axis.
pub trait PickNext<A, HeadIsIt, Extents> {
    /// The extent.
    type Extent;
}
impl<Head, Tail, A, Extent, Rest> PickNext<A, B1, Cons<Extent, Rest>> for Cons<Head, Tail> {
    type Extent = Extent;
}
impl<Head, Tail: Pick<A, Rest>, A, Extent, Rest> PickNext<A, B0, Cons<Extent, Rest>> for Cons<Head, Tail> {
    type Extent = Tail::Extent;
}
impl<Head: OnAxis<A>, Tail, A, Extents> Pick<A, Extents> for Cons<Head, Tail>
where
    Self: PickNext<A, Head::Same, Extents>,
{
    type Extent = <Self as PickNext<A, Head::Same, Extents>>::Extent;
}

/// A list of extents that belong to `Axes`, in the order of the axes of `Self`.
pub trait PickAll<Axes, Extents> {
    /// The reordered extents.
    type Extents;
}
impl<Axes, Extents> PickAll<Axes, Extents> for () {
    type Extents = ();
}
impl<A, Rest, Axes, Extents> PickAll<Axes, Extents> for Cons<A, Rest>
where
    Axes: Pick<A, Extents>,
    Rest: PickAll<Axes, Extents>,
{
    type Extents = Cons<Axes::Extent, Rest::Extents>;
}

/// A list without the digits of axis `A`.
pub trait Without<A> {
    /// The shorter list.
    type Rest;
}
impl<A> Without<A> for () {
    type Rest = ();
}
impl<Head: OnAxis<A>, Tail: Without<A>, A> Without<A> for Cons<Head, Tail>
where
    Head::Same: Choose<Tail::Rest, Cons<Head, Tail::Rest>>,
{
    type Rest = <Head::Same as Choose<Tail::Rest, Cons<Head, Tail::Rest>>>::Output;
}

/// The same digit on the same position of two lists of logical axes, whatever the axes are called.
pub trait SameDigit<Axes, OtherAxes, Other> {}
macro_rules! same_digit {
    ($digit:ty, $other:ty, $($param:tt)*) => {
        impl<$($param)*, Axes, OtherAxes> SameDigit<Axes, OtherAxes, $other> for $digit
        where
            Axes: Find<Dim<AXIS>>,
            OtherAxes: Find<Dim<OTHER>>,
            <Axes as Find<Dim<AXIS>>>::Position: IsEqual<<OtherAxes as Find<Dim<OTHER>>>::Position, Output = B1>,
        {
        }
    };
}
same_digit!(Dim<AXIS>, Dim<OTHER>, const AXIS: char, const OTHER: char);
same_digit!(
    PaddedDim<AXIS, MULTIPLE>, PaddedDim<OTHER, MULTIPLE>,
    const AXIS: char, const OTHER: char, const MULTIPLE: usize
);
same_digit!(Block<AXIS, SIZE>, Block<OTHER, SIZE>, const AXIS: char, const OTHER: char, const SIZE: usize);
same_digit!(
    Digit<AXIS, DIVISOR, SIZE>, Digit<OTHER, DIVISOR, SIZE>,
    const AXIS: char, const OTHER: char, const DIVISOR: usize, const SIZE: usize
);

/// [`SameDigit`] all along two lists.
pub trait SameDigits<Axes, OtherAxes, Other> {}
impl<Axes, OtherAxes> SameDigits<Axes, OtherAxes, ()> for () {}
impl<Axes, OtherAxes, Head, Tail, OtherHead, OtherTail>
    SameDigits<Axes, OtherAxes, Cons<OtherHead, OtherTail>> for Cons<Head, Tail>
where
    Head: SameDigit<Axes, OtherAxes, OtherHead>,
    Tail: SameDigits<Axes, OtherAxes, OtherTail>,
{
}

/// The dense inner block of a list of digits: the blocks behind the last top digit as nested arrays.
pub trait InnerBlock {
    /// `B1` where the list holds blocks alone.
    type BlocksOnly: Both;
    /// The nested array with elements `T`; `T` itself where the list ends with a top digit.
    type Array<T>;
}
/// Picks between two generic types by a type-level bit, where the second is used if the list goes on with a top digit.
pub trait Both {
    /// `[Inner; SIZE]` where the bit is set, `Inner` otherwise.
    type Wrap<Inner, const SIZE: usize>;
}
impl Both for B1 {
    type Wrap<Inner, const SIZE: usize> = [Inner; SIZE];
}
impl Both for B0 {
    type Wrap<Inner, const SIZE: usize> = Inner;
}
impl InnerBlock for () {
    type BlocksOnly = B1;
    type Array<T> = T;
}
impl<const AXIS: char, Tail: InnerBlock> InnerBlock for Cons<Dim<AXIS>, Tail> {
    type BlocksOnly = B0;
    type Array<T> = Tail::Array<T>;
}
impl<const AXIS: char, const MULTIPLE: usize, Tail: InnerBlock> InnerBlock
    for Cons<PaddedDim<AXIS, MULTIPLE>, Tail>
{
    type BlocksOnly = B0;
    type Array<T> = Tail::Array<T>;
}
impl<const AXIS: char, const SIZE: usize, Tail: InnerBlock> InnerBlock for Cons<Block<AXIS, SIZE>, Tail> {
    type BlocksOnly = Tail::BlocksOnly;
    type Array<T> = <Tail::BlocksOnly as Both>::Wrap<Tail::Array<T>, SIZE>;
}
impl<const AXIS: char, const DIVISOR: usize, const SIZE: usize, Tail: InnerBlock> InnerBlock
    for Cons<Digit<AXIS, DIVISOR, SIZE>, Tail>
{
    type BlocksOnly = Tail::BlocksOnly;
    type Array<T> = <Tail::BlocksOnly as Both>::Wrap<Tail::Array<T>, SIZE>;
}
