//! [`Values`]: the values of one attribute.

/// One value for the whole tensor, or one for each index of an axis. Held by reference, and read when a plan runs.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Values<'a, T> {
    /// One for all elements.
    Common(T),
    /// One for each index of an axis.
    PerAxis {
        /// Name of the axis.
        axis: char,
        /// As many as the extent of the axis.
        values: &'a [T],
    },
}

impl<'a, T: Copy> Values<'a, T> {
    /// The same value for all elements.
    pub const fn common(value: T) -> Values<'a, T> {
        Values::Common(value)
    }

    /// One value for each index of the axis named `axis`.
    ///
    /// The names are those of the source's format; where that has anonymous axes (`abc…`), those of the destination's.
    pub const fn per_axis(axis: char, values: &'a [T]) -> Values<'a, T> {
        Values::PerAxis { axis, values }
    }

    /// The axis and the number of values, where there is one for each index.
    pub(super) const fn axis(&self) -> Option<(char, usize)> {
        match *self {
            Values::Common(_) => None,
            Values::PerAxis { axis, values } => Some((axis, values.len())),
        }
    }

    /// Where the values begin; a common one lies in `self`.
    pub(super) const fn first(&self) -> *const T {
        match self {
            Values::Common(value) => value,
            Values::PerAxis { values, .. } => values.as_ptr(),
        }
    }
}
