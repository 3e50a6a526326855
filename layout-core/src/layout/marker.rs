//! Marker traits with which a kernel says at type level what it needs of a layout, so that `cargo check` and the editor
//! report a wrong one with advice. They hold no methods.
//!
//! The general impls are hidden from diagnostics (`do_not_recommend`), so that the text on the trait is what a user sees.
//! They compare lists in `where` clauses: one type for both operands in the head is reported as an impl that nearly fits.

use super::digits::digit::Dim;
use super::digits::search::{BlockOf, Cons, Find, PickAll, SameDigits, Without};
use super::digits::tuple::{AxisTuple, DigitTuple, ToTuple};
use super::format::{Format, Layout};
use crate::shape::{IndexArray, Shape};
use core::ops::Rem;
use typenum::{B1, Const, IsEqual, ToUInt, U, U0};

/// The layout has `RANK` logical axes.
///
/// ```
/// use layout_core::layout::{Layout, Nhwc, Rank};
/// fn image_kernel<L: Layout + Rank<4>>() {}
/// image_kernel::<Nhwc>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a layout of rank {RANK} is needed here, but `{Self}` has another rank",
    label = "not a layout of rank {RANK}",
    note = "write a format with {RANK} axes, such as `layout!(\"nchw\")` for rank 4"
)]
pub trait Rank<const RANK: usize> {}

macro_rules! ranks {
    ($($rank:literal: $($axis:ident)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<Digits, $(const $axis: char),*> Rank<$rank> for Format<Digits, ($(Dim<$axis>,)*)> {}
    )*};
}
ranks! {
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

/// The layout has a logical axis named `AXIS`.
#[diagnostic::on_unimplemented(
    message = "there is no axis {AXIS} in layout `{Self}`",
    label = "no axis {AXIS} in this layout",
    note = "write the letter of one of the layout's axes; `relabel` gives axes other names"
)]
pub trait HasAxis<const AXIS: char> {}
#[diagnostic::do_not_recommend]
impl<Axes: AxisTuple, Digits, const AXIS: char> HasAxis<AXIS> for Format<Digits, Axes> where
    Axes::List: Find<Dim<AXIS>>
{
}

/// The innermost digit in memory is the whole of axis `AXIS`: neighbours along it are neighbours in memory.
///
/// ```
/// use layout_core::layout::{Innermost, Nchw, Nhwc};
/// fn rows<L: Innermost<'w'>>() {}
/// rows::<Nchw>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a layout whose innermost axis is {AXIS} is needed here, but `{Self}` is not one",
    label = "axis {AXIS} is not innermost",
    note = "write a plain format that ends with this axis, such as `layout!(\"nhwc\")` for 'c'"
)]
pub trait Innermost<const AXIS: char> {}

/// Plain, with the channels innermost: `nwc`, `nhwc`, `ndhwc`, `nc`.
///
/// ```
/// use layout_core::layout::{ChannelsLast, Nhwc};
/// fn pixel_kernel<L: ChannelsLast>() {}
/// pixel_kernel::<Nhwc>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a channels-last layout is needed here, but `{Self}` is not one",
    label = "not channels-last",
    note = "channels-last layouts are plain and end with axis `c`: `layout!(\"nhwc\")`; convert with `to_layout`"
)]
pub trait ChannelsLast {}

/// Plain, with the batch outermost, then the channels, then space in logical order: `nc`, `ncw`, `nchw`, `ncdhw`.
///
/// ```
/// use layout_core::layout::{ChannelsFirst, Nchw};
/// fn plane_kernel<L: ChannelsFirst>() {}
/// plane_kernel::<Nchw>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a channels-first layout is needed here, but `{Self}` is not one",
    label = "not channels-first",
    note = "channels-first layouts are plain with `n`, then `c`, then space: `layout!(\"nchw\")`; convert with `to_layout`"
)]
pub trait ChannelsFirst {}

macro_rules! plain {
    ($($axis:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<Axes, $(const $axis: char,)* const AXIS: char> Innermost<AXIS> for Format<($(Dim<$axis>,)* Dim<AXIS>,), Axes> {}
        #[diagnostic::do_not_recommend]
        impl<Axes, $(const $axis: char,)*> ChannelsLast for Format<($(Dim<$axis>,)* Dim<'c'>,), Axes> {}
        #[diagnostic::do_not_recommend]
        impl<$(const $axis: char),*> ChannelsFirst
            for Format<(Dim<'n'>, Dim<'c'>, $(Dim<$axis>,)*), (Dim<'n'>, Dim<'c'>, $(Dim<$axis>,)*)> {}
    };
}
plain!();
plain!(A);
plain!(A B);
plain!(A B C);
plain!(A B C D);
plain!(A B C D E);
plain!(A B C D E F);
plain!(A B C D E F G);
plain!(A B C D E F G H);
plain!(A B C D E F G H I);

/// The blocks of axis `AXIS` multiply to `SIZE` elements, wherever they lie: `nChw16c` is blocked on `c` by 16,
/// `OIhw4i16o4i` on `o` by 16 and on `i` by 16. `SIZE` is at most 1024 or a power of two.
///
/// ```
/// use layout_core::layout::{BlockedBy, OIhw16i16o};
/// fn kernel<W: BlockedBy<'o', 16> + BlockedBy<'i', 16>>() {}
/// kernel::<OIhw16i16o>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a layout that blocks axis {AXIS} by {SIZE} is needed here, but `{Self}` does not",
    label = "axis {AXIS} is not blocked by {SIZE}",
    note = "write the axis in upper case and the block behind the outer letters: `layout!(\"nChw16c\")` blocks 'c' by 16"
)]
pub trait BlockedBy<const AXIS: char, const SIZE: usize> {}
#[diagnostic::do_not_recommend]
impl<Axes, Digits: DigitTuple, const AXIS: char, const SIZE: usize> BlockedBy<AXIS, SIZE>
    for Format<Digits, Axes>
where
    Digits::List: BlockOf<Dim<AXIS>>,
    Const<SIZE>: ToUInt,
    <Digits::List as BlockOf<Dim<AXIS>>>::Product: IsEqual<U<SIZE>, Output = B1>,
{
}

/// The product of the blocks of axis `AXIS` as a typenum number ([`Blocked::Size`]), for arithmetic in bounds; `U1`
/// where the axis has no block.
#[diagnostic::on_unimplemented(
    message = "the block of axis {AXIS} of `{Self}` is not known as a type-level number",
    label = "no block size for axis {AXIS}",
    note = "block sizes to 1024 and powers of two are"
)]
pub trait Blocked<const AXIS: char> {
    /// The product of the axis' blocks.
    type Size;
}
#[diagnostic::do_not_recommend]
impl<Axes, Digits: DigitTuple, const AXIS: char> Blocked<AXIS> for Format<Digits, Axes>
where
    Digits::List: BlockOf<Dim<AXIS>>,
{
    type Size = <Digits::List as BlockOf<Dim<AXIS>>>::Product;
}

/// The blocks of axis `AXIS` multiply to a multiple of `DIVISOR`, so that a kernel with vectors of `DIVISOR` elements
/// needs no tail.
///
/// ```
/// use layout_core::layout::{BlockDivisibleBy, Nchw16c};
/// fn avx2_kernel<L: BlockDivisibleBy<'c', 8>>() {}
/// avx2_kernel::<Nchw16c>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a layout that blocks axis {AXIS} by a multiple of {DIVISOR} is needed here, but `{Self}` does not",
    label = "the block of axis {AXIS} is not divisible by {DIVISOR}",
    note = "choose a block that is a multiple of {DIVISOR}; a layout without a block on the axis counts as a block of 1"
)]
pub trait BlockDivisibleBy<const AXIS: char, const DIVISOR: usize> {}
#[diagnostic::do_not_recommend]
impl<Axes, Digits: DigitTuple, const AXIS: char, const DIVISOR: usize> BlockDivisibleBy<AXIS, DIVISOR>
    for Format<Digits, Axes>
where
    Digits::List: BlockOf<Dim<AXIS>>,
    Const<DIVISOR>: ToUInt,
    <Digits::List as BlockOf<Dim<AXIS>>>::Product: Rem<U<DIVISOR>, Output = U0>,
{
}

/// The same digits under other axis names: `nChw16c` and `aBcd16b`. A view can be relabelled for free.
#[diagnostic::on_unimplemented(
    message = "layouts with different digits cannot be relabelled: `{Self}` as `{Other}`",
    label = "not the same digits",
    note = "`relabel` renames axes and moves nothing; `to_layout` and `reorder` move data between layouts"
)]
pub trait Relabels<Other> {}
#[diagnostic::do_not_recommend]
impl<Axes: AxisTuple, Digits: DigitTuple, OtherAxes: AxisTuple, OtherDigits: DigitTuple>
    Relabels<Format<OtherDigits, OtherAxes>> for Format<Digits, Axes>
where
    Digits::List: SameDigits<Axes::List, OtherAxes::List, OtherDigits::List>,
{
}

/// The same digits with the logical axes in another order: `nchw` as `nhwc => nchw`. A view can be permuted for free.
#[diagnostic::on_unimplemented(
    message = "these are different layouts, not one in two logical orders: `{Self}` and `{Other}`",
    label = "not a permutation of the logical axes",
    note = "`permute_axes` moves nothing: keep the format and state the new logical order, as in `layout!(\"nhwc => nchw\")` \
            for `layout!(\"nchw\")`; `to_layout` and `reorder` move data between layouts"
)]
pub trait Permutes<Other> {}
#[diagnostic::do_not_recommend]
impl<Axes, OtherAxes, Digits: DigitTuple, OtherDigits> Permutes<Format<OtherDigits, OtherAxes>>
    for Format<Digits, Axes>
where
    OtherDigits: DigitTuple<List = Digits::List>,
{
}

/// The shape type `Self` of layout `From` with its extents in the logical order of layout `To`. Extents known while
/// compiling stay so: `(usize, Fixed<3>)` of `nc` is `(Fixed<3>, usize)` of `nc => cn`.
#[diagnostic::on_unimplemented(
    message = "the shape `{Self}` of `{From}` cannot be put into the logical order of `{To}`",
    label = "extents that belong to other axes",
    note = "both layouts need the same axes; the extents are `[usize; RANK]` or a tuple of `usize` and `Fixed<N>`"
)]
pub trait PermuteShape<From: Layout, To: Layout>: Shape<From::Index> {
    /// The permuted shape type.
    type Output: Shape<To::Index>;
}
impl<From, To, const RANK: usize> PermuteShape<From, To> for [usize; RANK]
where
    From: Layout<Index = [usize; RANK]>,
    To: Layout<Index = [usize; RANK]>,
    [usize; RANK]: IndexArray + Shape<[usize; RANK]>,
{
    type Output = [usize; RANK];
}
macro_rules! list {
    () => { () };
    ($head:ident $($tail:ident)*) => { Cons<$head, list!($($tail)*)> };
}
macro_rules! permute_shapes {
    ($($rank:literal: $($extent:ident)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L: Layout, To: Layout, Picked, Output, $($extent),*> PermuteShape<L, To> for ($($extent,)*)
        where
            Self: Shape<L::Index>,
            <To::Axes as AxisTuple>::List: PickAll<<L::Axes as AxisTuple>::List, list!($($extent)*), Extents = Picked>,
            Picked: ToTuple<Tuple = Output>,
            Output: Shape<To::Index>,
        {
            type Output = Output;
        }
    )*};
}
permute_shapes! {
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
    12: A B C D E F G H I J K M;
}

/// The layout without axis `AXIS`, which is what is left when an index along it is selected.
#[diagnostic::on_unimplemented(
    message = "there is no axis {AXIS} to select in layout `{Self}`",
    label = "no axis {AXIS} in this layout",
    note = "write the letter of one of the layout's axes; `relabel` gives axes other names"
)]
pub trait RemoveAxis<const AXIS: char>: HasAxis<AXIS> {
    /// The layout of rank one less.
    type Output: Layout;
}
#[diagnostic::do_not_recommend]
impl<Axes: AxisTuple, Digits: DigitTuple, const AXIS: char, NewAxes, NewDigits> RemoveAxis<AXIS>
    for Format<Digits, Axes>
where
    Axes::List: Find<Dim<AXIS>> + Without<Dim<AXIS>>,
    Digits::List: Without<Dim<AXIS>>,
    <Axes::List as Without<Dim<AXIS>>>::Rest: ToTuple<Tuple = NewAxes>,
    <Digits::List as Without<Dim<AXIS>>>::Rest: ToTuple<Tuple = NewDigits>,
    NewAxes: AxisTuple,
    NewDigits: DigitTuple,
{
    type Output = Format<NewDigits, NewAxes>;
}

/// The same logical axes, in the same order, as layout `Other`: the two describe the same tensors, however they lie in
/// memory, so that a reorder can move one into the other.
#[diagnostic::on_unimplemented(
    message = "the layouts have different logical axes: `{Other}` and `{Self}`",
    label = "other logical axes",
    note = "both must name the same axes in the same logical order: rename axes with `relabel`, change their order with \
            `permute_axes`; neither moves anything"
)]
pub trait SameAxes<Other: Layout>: Layout<Index = Other::Index> {}
#[diagnostic::do_not_recommend]
impl<Axes, OtherAxes, Digits, OtherDigits> SameAxes<Format<OtherDigits, OtherAxes>> for Format<Digits, Axes>
where
    Axes: AxisTuple,
    OtherAxes: AxisTuple<List = Axes::List, Index = Axes::Index>,
    Digits: DigitTuple,
    OtherDigits: DigitTuple,
{
}
