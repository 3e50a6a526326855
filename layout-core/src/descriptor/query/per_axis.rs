//! [`PerAxis`]: up to [`MAX_RANK`] values, one an axis, without heap memory. What queries return.

use crate::grammar::MAX_RANK;
use core::fmt;
use core::ops::Deref;

/// One value an axis, in logical order; dereferences to a slice as long as the rank.
#[derive(Clone, Copy)]
pub struct PerAxis<T> {
    len: usize,
    at: [T; MAX_RANK],
}

/// A logical index of a tensor whose rank is known at run time.
pub type Index = PerAxis<usize>;

/// Strides in elements, of a tensor whose rank is known at run time.
pub type Strides = PerAxis<isize>;

impl<T: Copy> PerAxis<T> {
    /// `len` (at most [`MAX_RANK`]) times `value`.
    pub(crate) const fn filled(len: usize, value: T) -> PerAxis<T> {
        PerAxis::new(len, [value; MAX_RANK])
    }

    /// The first `len` of `at`.
    pub(crate) const fn new(len: usize, at: [T; MAX_RANK]) -> PerAxis<T> {
        PerAxis { len: if len < MAX_RANK { len } else { MAX_RANK }, at }
    }

    /// Sets the value of `axis`, which is below the rank.
    pub(crate) const fn set(&mut self, axis: usize, value: T) {
        self.at[axis] = value;
    }

    /// The values as a slice, in const context as well.
    pub const fn as_slice(&self) -> &[T] {
        self.at.split_at(self.len).0
    }
}

impl<T: Copy> Deref for PerAxis<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Copy> AsRef<[T]> for PerAxis<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T: Copy + PartialEq> PartialEq for PerAxis<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Copy + Eq> Eq for PerAxis<T> {}

impl<T: Copy + core::hash::Hash> core::hash::Hash for PerAxis<T> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for PerAxis<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}
