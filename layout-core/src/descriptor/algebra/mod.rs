//! Descriptors from descriptors: parts of a tensor, other axes for the same elements, one layout read through another.
//! Each operation states what it needs (`pre:`) and what holds then (`post:`), and a test of the same name checks it
//! over all coordinates. None moves an element; each checks its result like a constructor.
//!
//! Axis names. An axis that stays what it is keeps its letter. An axis that is made (by `unsqueeze`, `tile`, or where
//! `reshape` splits or merges) gets the first letters of the alphabet that neither the old nor the new axes use. Where
//! the axes were `a`, `b`, `c`, … in logical order, which stand for positions and not for meanings, the result's are
//! too. [`Descriptor::renamed`] states other names.

mod axes;
mod compose;
mod draft;
mod error;
mod reshape;
mod submemory;
mod tile;

pub use error::AlgebraError;
