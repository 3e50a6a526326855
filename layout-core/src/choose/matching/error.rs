//! [`MatchError`]: why no kernel of a list could be called.

use crate::descriptor::{DType, Descriptor};
use crate::grammar::Spec;
use crate::reorder::ReorderError;
use crate::view::ViewError;
use alloc::boxed::Box;
use core::fmt;

/// Why memory matches no layout of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MatchError {
    /// The list has no layouts.
    NoLayouts,
    /// No layout of the list has the axes of the descriptor.
    Axes {
        /// The descriptor's format.
        found: Box<Spec>,
        /// The first format of the list.
        listed: Box<Spec>,
    },
    /// The elements are of another type, and are not to be converted.
    DType {
        /// The element type of the kernels.
        expected: DType,
        /// The descriptor's.
        found: DType,
    },
    /// None of the layouts is that of the memory, and it is not to be reordered.
    Layout {
        /// The descriptor.
        found: Box<Descriptor>,
    },
    /// The memory does not hold what the descriptor says, or there is none to reorder into.
    View(ViewError),
    /// The reorder to the nearest layout cannot be.
    Reorder(ReorderError),
}

/// The letters of the axes in logical order, as in `n, c, h, w`.
struct Axes<'a>(&'a Spec);
impl fmt::Display for Axes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for axis in 0..self.0.rank() {
            let comma = if axis == 0 { "" } else { ", " };
            write!(f, "{comma}{}", self.0.axis_name(axis).unwrap_or('?'))?;
        }
        Ok(())
    }
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::NoLayouts => f.write_str("the list has no layouts"),
            MatchError::Axes { found, listed } => write!(
                f,
                "the descriptor `{found}` has axes {}, but the layouts of the list have others, such as {} of `{listed}`: \
                 rename axes with `relabel`, change their order with `permute`, or list a layout over these axes",
                Axes(found),
                Axes(listed)
            ),
            MatchError::DType { expected, found } => write!(
                f,
                "the elements are {found}, but the kernels take {expected}: write `else convert` to convert them"
            ),
            MatchError::Layout { found } => write!(
                f,
                "no layout of the list is that of `{found}`, dense, aligned and with zero padding: add it, or write \
                 `else reorder`"
            ),
            MatchError::View(error) => error.fmt(f),
            MatchError::Reorder(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MatchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // Their own texts are what `Display` gives.
            MatchError::View(error) => error.source(),
            MatchError::Reorder(error) => error.source(),
            _ => None,
        }
    }
}
