//! From strides and extents back to names: every format that fits, never a guess. An axis of extent 1 has no place of
//! its own, so that there are often several.

use super::super::Descriptor;
use crate::grammar::{MAX_RANK, Spec};

/// Which of some formats fit a tensor, as [`Descriptor::recognise`] finds out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Recognised<'a> {
    /// None of them.
    Nothing,
    /// This one alone.
    One(&'a str),
    /// Two at least; strides and extents do not tell them apart.
    Ambiguous {
        /// The first that fits.
        first: &'a str,
        /// The second that fits.
        second: &'a str,
    },
}

impl Descriptor {
    /// All plain formats that lay the tensor out as it is, densely, in no particular order: the axes with their letters
    /// in every physical order that fits. Axes of extent 1 can be anywhere, so that one of them doubles the number and
    /// more; a tensor without elements fits every order. Strided, broadcast and padded memory fits none.
    ///
    /// Each is a [`Spec`], whose `Display` is the name. Nothing is stored: the next one is found when it is asked for.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let names = |d: &Descriptor| d.formats().map(|spec| spec.to_string()).collect::<Vec<_>>();
    /// let d = Descriptor::new(DType::F32, &[2, 3, 5, 4], "nhwc")?;
    /// assert_eq!(names(&d), ["nhwc"]);
    /// // One channel: PyTorch's channels_last and contiguous at once.
    /// let d = Descriptor::new(DType::F32, &[2, 1, 5, 4], "nhwc")?;
    /// assert_eq!(names(&d), ["nhwc", "nhcw", "cnhw", "nchw"]);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn formats(&self) -> Formats<'_> {
        Formats::new(self, true)
    }

    /// As [`Descriptor::formats`] for strided memory: every physical order of the axes in which the strides nest. An axis
    /// of extent 1 can be anywhere, and so can a broadcast one, whose stride is 0. None where an axis has blocks.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// // Rows with a pitch of 8.
    /// let d = Descriptor::from_strides(DType::F32, &[2, 3], &[8, 1])?;
    /// assert_eq!((d.formats().count(), d.orders().count()), (0, 1));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn orders(&self) -> Formats<'_> {
        Formats::new(self, false)
    }

    /// Those of `candidates`, blocked formats among them, that lay the tensor out as it is
    /// (see [`Descriptor::is_in_format`]), in their order. What is no format of this rank does not fit.
    pub fn formats_among<'a>(&'a self, candidates: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
        candidates.iter().copied().filter(|format| self.is_in_format(format).unwrap_or(false))
    }

    /// Which of `candidates` the tensor is in, if strides and extents tell.
    ///
    /// Strides never say what an axis means. A tensor whose axes are height, width and channels, in this order, has the
    /// extents and the strides of one whose axes are channels, height and width, where these are equal.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor, Recognised};
    /// let d = Descriptor::from_strides(DType::F32, &[2, 3, 5, 4], &[60, 1, 12, 3])?;
    /// assert_eq!(d.recognise(&["nchw", "nhwc"]), Recognised::One("nhwc"));
    /// let d = Descriptor::from_strides(DType::F32, &[2, 3, 1, 1], &[3, 1, 3, 3])?;
    /// assert_eq!(
    ///     d.recognise(&["nchw", "nhwc"]),
    ///     Recognised::Ambiguous { first: "nchw", second: "nhwc" }
    /// );
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn recognise<'a>(&self, candidates: &'a [&'a str]) -> Recognised<'a> {
        let mut fitting =
            candidates.iter().copied().filter(|format| self.is_in_format(format).unwrap_or(false));
        match (fitting.next(), fitting.next()) {
            (None, _) => Recognised::Nothing,
            (Some(first), None) => Recognised::One(first),
            (Some(first), Some(second)) => Recognised::Ambiguous { first, second },
        }
    }

    /// The one distance between neighbours along `axis`; `None` where blocks or padding make it several.
    fn single_stride(&self, axis: usize) -> Option<isize> {
        if self.padded[axis] != self.dims[axis] || self.origin[axis] != 0 {
            return None;
        }
        let stride = self.distance_along(axis, 1) - self.distance_along(axis, 0);
        // A block that changes nothing is joined to its axis: then all its digits are multiples of the lowest one.
        let continues = |digit: super::super::DigitAt| {
            digit.axis != axis
                || digit.divisor >= self.dims[axis]
                || stride.checked_mul(digit.divisor as isize) == Some(digit.stride)
        };
        self.inner_first().all(continues).then_some(stride)
    }
}

/// The plain formats that fit a descriptor, made by [`Descriptor::formats`] and [`Descriptor::orders`].
#[derive(Clone)]
pub struct Formats<'a> {
    descriptor: &'a Descriptor,
    /// Axes whose place is fixed, from the innermost outward.
    fixed: [usize; MAX_RANK],
    fixed_len: usize,
    /// The format given last, from the innermost axis outward.
    last: [usize; MAX_RANK],
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Between,
    Behind,
}

impl<'a> Formats<'a> {
    fn new(descriptor: &'a Descriptor, dense: bool) -> Formats<'a> {
        let mut out = Formats {
            descriptor,
            fixed: [0; MAX_RANK],
            fixed_len: 0,
            last: [0; MAX_RANK],
            state: State::Before,
        };
        if descriptor.is_empty() {
            return out;
        }
        let mut strides = [0; MAX_RANK];
        for axis in (0..descriptor.rank()).filter(|&axis| descriptor.dims[axis] > 1) {
            match descriptor.single_stride(axis) {
                Some(0) if !dense => {}
                Some(stride) if stride > 0 || !dense => {
                    strides[axis] = stride;
                    out.fixed[out.fixed_len] = axis;
                    out.fixed_len += 1;
                }
                _ => out.state = State::Behind,
            }
        }
        for axis in (0..descriptor.rank()).filter(|&axis| descriptor.dims[axis] == 1) {
            if descriptor.padded[axis] != 1 {
                out.state = State::Behind;
            }
        }
        // No two strides are equal, because they nest.
        out.fixed[..out.fixed_len].sort_unstable_by_key(|&axis| strides[axis].unsigned_abs());
        let mut expected = 1;
        for &axis in out.fixed[..out.fixed_len].iter().filter(|_| dense) {
            if strides[axis] != expected {
                out.state = State::Behind;
            }
            expected *= descriptor.dims[axis] as isize;
        }
        out
    }

    /// The smallest axis from `from` on that can stand outside the axes `self.last[..depth]`.
    fn candidate(&self, depth: usize, from: usize) -> Option<usize> {
        let placed = &self.last[..depth];
        let fixed = &self.fixed[..self.fixed_len];
        let next_fixed = fixed.iter().find(|axis| !placed.contains(axis));
        (from..self.descriptor.rank())
            .find(|axis| !placed.contains(axis) && (Some(axis) == next_fixed || !fixed.contains(axis)))
    }

    /// Fills `self.last` from `depth` on with the smallest axes, the first of them being `from` or larger. Where there
    /// is one for `depth`, there is one for every place outside it.
    fn fill(&mut self, mut depth: usize, mut from: usize) -> bool {
        while depth < self.descriptor.rank() {
            let Some(axis) = self.candidate(depth, from) else { return false };
            self.last[depth] = axis;
            (depth, from) = (depth + 1, 0);
        }
        true
    }
}

impl Iterator for Formats<'_> {
    type Item = Spec;

    fn next(&mut self) -> Option<Spec> {
        let rank = self.descriptor.rank();
        let found = match self.state {
            State::Before => self.fill(0, 0),
            State::Between => (0..rank).rev().any(|depth| {
                let from = self.last[depth] + 1;
                self.fill(depth, from)
            }),
            State::Behind => false,
        };
        if !found {
            self.state = State::Behind;
            return None;
        }
        self.state = State::Between;
        let mut spec = Spec::SCALAR;
        for axis in 0..rank {
            // The letters of a descriptor differ, and each axis gets one top digit: neither is refused.
            spec.push_axis(self.descriptor.axis_char(axis) as u8).ok()?;
        }
        for &axis in self.last[..rank].iter().rev() {
            spec.push_top(axis, 1).ok()?;
        }
        Some(spec)
    }
}

impl core::iter::FusedIterator for Formats<'_> {}
