//! The markers of a layout hold for it whatever its padding holds, and so do its relations to other layouts: a reorder
//! reads elements alone, and writes padding itself.

use super::super::digits::tuple::{AxisTuple, DigitTuple};
use super::super::format::{Format, Layout};
use super::super::marker::{
    BlockDivisibleBy, Blocked, BlockedBy, ChannelsFirst, ChannelsLast, HasAxis, Innermost, Permutes, Rank,
    Relabels, RemoveAxis, SameAxes,
};
use super::{Dirty, Filled, PadValue, Pads, ZeroPadding};

impl<Axes: AxisTuple, Digits: DigitTuple> ZeroPadding for Format<Digits, Axes> {}

#[diagnostic::do_not_recommend]
impl<Axes: AxisTuple, Digits: DigitTuple, T: Default> Pads<T> for Format<Digits, Axes> {
    #[inline(always)]
    fn padding() -> Option<T> {
        Some(T::default())
    }
}
#[diagnostic::do_not_recommend]
impl<L: ZeroPadding, T> Pads<T> for Dirty<L> {
    #[inline(always)]
    fn padding() -> Option<T> {
        None
    }
}
#[diagnostic::do_not_recommend]
impl<L: ZeroPadding, T, V: PadValue<T>> Pads<T> for Filled<L, V> {
    #[inline(always)]
    fn padding() -> Option<T> {
        Some(V::VALUE)
    }
}

macro_rules! forward {
    ($name:ident<L $(, $value:ident)?>) => {
        #[diagnostic::do_not_recommend]
        impl<L: Rank<RANK> $(, $value)?, const RANK: usize> Rank<RANK> for $name<L $(, $value)?> {}
        #[diagnostic::do_not_recommend]
        impl<L: HasAxis<AXIS> $(, $value)?, const AXIS: char> HasAxis<AXIS> for $name<L $(, $value)?> {}
        #[diagnostic::do_not_recommend]
        impl<L: Innermost<AXIS> $(, $value)?, const AXIS: char> Innermost<AXIS> for $name<L $(, $value)?> {}
        #[diagnostic::do_not_recommend]
        impl<L: ChannelsLast $(, $value)?> ChannelsLast for $name<L $(, $value)?> {}
        #[diagnostic::do_not_recommend]
        impl<L: ChannelsFirst $(, $value)?> ChannelsFirst for $name<L $(, $value)?> {}
        #[diagnostic::do_not_recommend]
        impl<L: BlockedBy<AXIS, SIZE> $(, $value)?, const AXIS: char, const SIZE: usize> BlockedBy<AXIS, SIZE>
            for $name<L $(, $value)?>
        {
        }
        #[diagnostic::do_not_recommend]
        impl<L: Blocked<AXIS> $(, $value)?, const AXIS: char> Blocked<AXIS> for $name<L $(, $value)?> {
            type Size = L::Size;
        }
        #[diagnostic::do_not_recommend]
        impl<L: BlockDivisibleBy<AXIS, DIVISOR> $(, $value)?, const AXIS: char, const DIVISOR: usize>
            BlockDivisibleBy<AXIS, DIVISOR> for $name<L $(, $value)?>
        {
        }
        #[diagnostic::do_not_recommend]
        impl<L: Relabels<Other> $(, $value)?, Other> Relabels<$name<Other $(, $value)?>>
            for $name<L $(, $value)?>
        {
        }
        #[diagnostic::do_not_recommend]
        impl<L: Permutes<Other> $(, $value)?, Other> Permutes<$name<Other $(, $value)?>>
            for $name<L $(, $value)?>
        {
        }
        #[diagnostic::do_not_recommend]
        impl<L: RemoveAxis<AXIS, Output: ZeroPadding> $(, $value: 'static)?, const AXIS: char> RemoveAxis<AXIS>
            for $name<L $(, $value)?>
        {
            type Output = $name<L::Output $(, $value)?>;
        }
        #[diagnostic::do_not_recommend]
        impl<L: ZeroPadding + SameAxes<Other> $(, $value: 'static)?, Other: Layout> SameAxes<Other>
            for $name<L $(, $value)?>
        {
        }
        #[diagnostic::do_not_recommend]
        impl<Axes, Digits, Other $(, $value: 'static)?> SameAxes<$name<Other $(, $value)?>> for Format<Digits, Axes>
        where
            Axes: AxisTuple,
            Digits: DigitTuple,
            Other: ZeroPadding,
            Self: SameAxes<Other>,
        {
        }
    };
}
forward!(Dirty<L>);
forward!(Filled<L, V>);
