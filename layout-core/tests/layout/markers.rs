//! What each marker trait admits. What they refuse is in the compile-fail catalogue.

use core::ops::Rem;
use layout_core::layout::*;
use static_assertions::{assert_impl_all, assert_not_impl_any, assert_type_eq_all};
use typenum::{U0, U8};

assert_impl_all!(Nchw: Layout, Rank<4>, ChannelsFirst, Innermost<'w'>, HasAxis<'h'>);
assert_not_impl_any!(Nchw: Rank<3>, ChannelsLast, Innermost<'c'>, HasAxis<'d'>, BlockedBy<'c', 16>, BlockDivisibleBy<'c', 8>);
assert_impl_all!(Nhwc: Rank<4>, ChannelsLast, Innermost<'c'>);
assert_not_impl_any!(Nhwc: ChannelsFirst);
assert_impl_all!(Nc: ChannelsFirst, ChannelsLast);
assert_impl_all!(Nwc: ChannelsLast);
assert_impl_all!(Ncdhw: ChannelsFirst);
assert_impl_all!(Ndhwc: ChannelsLast, Rank<5>);
assert_not_impl_any!(Chwn: ChannelsFirst, ChannelsLast);

assert_impl_all!(Nchw16c: BlockedBy<'c', 16>, BlockDivisibleBy<'c', 16>, BlockDivisibleBy<'c', 8>, BlockDivisibleBy<'c', 1>);
assert_not_impl_any!(Nchw16c: BlockedBy<'c', 8>, BlockedBy<'n', 16>, BlockDivisibleBy<'c', 32>, BlockDivisibleBy<'h', 2>);
assert_not_impl_any!(Nchw16c: ChannelsFirst, ChannelsLast, Innermost<'c'>, Innermost<'w'>);
// The blocks of an axis multiply, wherever they lie.
assert_impl_all!(OIhw4i16o4i: BlockedBy<'i', 16>, BlockedBy<'o', 16>);
assert_impl_all!(OIhw8i16o2i: BlockedBy<'i', 16>, BlockedBy<'o', 16>, BlockDivisibleBy<'i', 2>);
// An unblocked axis is blocked by 1.
assert_impl_all!(Nchw: BlockedBy<'c', 1>);

type Nchw12c = Format<
    (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>, Block<'c', 12>),
    (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>),
>;
assert_impl_all!(Nchw12c: BlockedBy<'c', 12>, BlockDivisibleBy<'c', 4>);
assert_not_impl_any!(Nchw12c: BlockDivisibleBy<'c', 8>);

type ABcd16b = Format<
    (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>, Block<'b', 16>),
    (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>),
>;
type ABcd16a = Format<
    (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>, Block<'a', 16>),
    (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>),
>;
assert_impl_all!(Nchw16c: Relabels<ABcd16b>, Relabels<Nchw16c>);
assert_impl_all!(ABcd16b: Relabels<Nchw16c>);
assert_not_impl_any!(Nchw16c: Relabels<ABcd16a>, Relabels<Nchw8c>, Relabels<Nchw>);
assert_impl_all!(RowMajor: Relabels<Nc>, Relabels<Oi>);
assert_not_impl_any!(ColumnMajor: Relabels<Nc>);

type NhwcOfNchw = Format<(Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>), (Dim<'n'>, Dim<'h'>, Dim<'w'>, Dim<'c'>)>;
assert_impl_all!(Nchw: Permutes<NhwcOfNchw>);
assert_not_impl_any!(Nchw: Permutes<Nhwc>);

type Nhw = Format<(Dim<'n'>, Dim<'h'>, Dim<'w'>), (Dim<'n'>, Dim<'h'>, Dim<'w'>)>;
assert_type_eq_all!(<Nchw16c as RemoveAxis<'c'>>::Output, Nhw);
assert_type_eq_all!(<Nhwc as RemoveAxis<'c'>>::Output, Nhw);
assert_type_eq_all!(<Vector as RemoveAxis<'a'>>::Output, Scalar);

/// typenum's arithmetic on a layout's block, as a kernel of the user's own would write it.
fn vectors<L: Blocked<'c'>>() -> &'static str
where
    L::Size: Rem<U8, Output = U0>,
{
    "whole vectors"
}

#[test]
fn block_sizes_are_numbers_in_bounds() {
    assert_eq!(vectors::<Nchw16c>(), "whole vectors");
    assert_eq!(vectors::<Nchw8c>(), "whole vectors");
}
