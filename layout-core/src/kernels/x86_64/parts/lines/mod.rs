//! Where whole lines are what costs, for registers of a line and of a part of one. Nothing here is called from outside the
//! families' folders.

pub(in super::super) mod joined;
pub(in super::super) mod long;
pub(in super::super) mod pieces;
pub(in super::super) mod squares;
