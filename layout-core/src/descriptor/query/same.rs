//! [`Descriptor::same_bytes`]: whether two descriptors place every element alike, whatever they are called and
//! however their digits are written. Reorders ask it; it decides exactly, without going through the elements.

use super::super::{Descriptor, DigitAt, MAX_OUTER};

impl Descriptor {
    /// Whether memory described by `self` holds the same tensor when it is read by `other`: same data type, same
    /// extents, and every element at the same offset.
    ///
    /// Axis names do not matter, nor do the strides and blocks of an axis of extent 1, nor blocks that change
    /// nothing (`nhwC8c` with 16 channels is `nhwc`). Padding is not compared: where it matters, as for a copy of
    /// the whole memory, compare [`Descriptor::padded_dims`] as well. Two tensors without elements and of the same
    /// extents are the same.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let of = |dims: &[usize], format| Descriptor::new(DType::F32, dims, format);
    /// assert!(of(&[8, 1, 5, 4], "nchw")?.same_bytes(&of(&[8, 1, 5, 4], "nhwc")?));
    /// assert!(of(&[2, 32, 1, 1], "nChw16c")?.same_bytes(&of(&[2, 32, 1, 1], "abcd")?));
    /// assert!(!of(&[8, 2, 5, 4], "nchw")?.same_bytes(&of(&[8, 2, 5, 4], "nhwc")?));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn same_bytes(&self, other: &Descriptor) -> bool {
        let rank = self.rank();
        if self.dtype as u8 != other.dtype as u8 || rank != other.rank() {
            return false;
        }
        let mut a = 0;
        while a < rank {
            if self.dims[a] != other.dims[a] {
                return false;
            }
            a += 1;
        }
        if self.is_empty() {
            return true;
        }
        self.offset_of_first() == other.offset_of_first() && self.same_places(other)
    }

    /// Whether memory that `self` describes is, byte for byte, what `other` describes: [`Descriptor::same_bytes`], and all
    /// padding in the same places, so that one can be read as the other and a reorder between them would be a copy.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let of = |dims: &[usize], format| Descriptor::new(DType::F32, dims, format);
    /// assert!(of(&[8, 1, 5, 4], "nchw")?.same_memory(&of(&[8, 1, 5, 4], "nhwc")?));
    /// assert!(of(&[2, 16, 5, 4], "nhwc")?.same_memory(&of(&[2, 16, 5, 4], "nChw16c")?));
    /// // The same places for 3 channels, but the block holds 13 more.
    /// let (pixel, block) = (of(&[1, 3, 1, 1], "nhwc")?, of(&[1, 3, 1, 1], "nChw16c")?);
    /// assert!(pixel.same_bytes(&block) && !pixel.same_memory(&block));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn same_memory(&self, other: &Descriptor) -> bool {
        if !self.same_bytes(other) {
            return false;
        }
        if self.is_empty() || (self.padded_dims() == self.dims() && other.padded_dims() == other.dims()) {
            return true;
        }
        // With the padding made elements, dense tensors have the same places if and only if these have.
        let whole = |d: &Descriptor| {
            let dense = d.is_whole() && d.is_dense();
            dense.then(|| Descriptor::from_spec(d.dtype(), d.padded_dims(), *d.spec()).ok()).flatten()
        };
        match (whole(self), whole(other)) {
            (Some(one), Some(two)) => one.same_bytes(&two),
            _ => self == other,
        }
    }

    /// As [`Descriptor::same_bytes`] for tensors whose ranks differ by axes of extent 1: those are left out on both
    /// sides, and the others are matched in their order.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let image = Descriptor::new(DType::F32, &[1, 3, 5, 4], "nhwc")?;
    /// let picture = Descriptor::new(DType::F32, &[3, 5, 4], "bca")?;
    /// assert!(image.same_bytes_apart_from_units(&picture) && !image.same_bytes(&picture));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn same_bytes_apart_from_units(&self, other: &Descriptor) -> bool {
        if self.dtype as u8 != other.dtype as u8 {
            return false;
        }
        let (mine, theirs) = (self.digits(), other.digits());
        let empty = self.is_empty();
        if empty != other.is_empty() || (!empty && self.offset_of_first() != other.offset_of_first()) {
            return false;
        }
        let (mut a, mut b) = (0, 0);
        loop {
            while a < self.rank() && self.dims[a] == 1 {
                a += 1;
            }
            while b < other.rank() && other.dims[b] == 1 {
                b += 1;
            }
            if a == self.rank() || b == other.rank() {
                return a == self.rank() && b == other.rank();
            }
            if self.dims[a] != other.dims[b] {
                return false;
            }
            let one = Along { digits: mine.as_slice(), axis: a, origin: self.origin[a] };
            let two = Along { digits: theirs.as_slice(), axis: b, origin: other.origin[b] };
            if !empty && !same_along(&one, &two, self.dims[a]) {
                return false;
            }
            (a, b) = (a + 1, b + 1);
        }
    }

    /// Whether every element has the same distance from the element with index 0. Both have the same extents and
    /// elements.
    const fn same_places(&self, other: &Descriptor) -> bool {
        if self.spec.same_digits(&other.spec) && self.same_strides(other) && self.same_origins(other) {
            return true;
        }
        let (mine, theirs) = (self.digits(), other.digits());
        let mut a = 0;
        while a < self.rank() {
            let one = Along { digits: mine.as_slice(), axis: a, origin: self.origin[a] };
            let two = Along { digits: theirs.as_slice(), axis: a, origin: other.origin[a] };
            if !same_along(&one, &two, self.dims[a]) {
                return false;
            }
            a += 1;
        }
        true
    }

    /// As [`Descriptor::same_places`] for all positions that the tensors own, of which each axis has as many before the
    /// origin, and as many together, on both sides.
    pub(super) const fn same_owned_places(&self, other: &Descriptor) -> bool {
        if self.spec.same_digits(&other.spec) && self.same_strides(other) && self.same_origins(other) {
            return true;
        }
        let (mine, theirs) = (self.digits(), other.digits());
        let mut a = 0;
        while a < self.rank() {
            let one = Along { digits: mine.as_slice(), axis: a, origin: self.owned_start(a) };
            let two = Along { digits: theirs.as_slice(), axis: a, origin: other.owned_start(a) };
            if !same_along(&one, &two, self.padded[a]) {
                return false;
            }
            a += 1;
        }
        true
    }

    const fn same_origins(&self, other: &Descriptor) -> bool {
        let mut a = 0;
        while a < self.rank() {
            if self.origin[a] != other.origin[a] {
                return false;
            }
            a += 1;
        }
        true
    }

    /// Whether the stored strides are equal.
    const fn same_strides(&self, other: &Descriptor) -> bool {
        let mut i = 0;
        while i < MAX_OUTER {
            if self.strides[i] != other.strides[i] {
                return false;
            }
            i += 1;
        }
        self.stored == other.stored
    }
}

/// One axis of a descriptor.
struct Along<'a> {
    digits: &'a [DigitAt],
    axis: usize,
    origin: usize,
}

impl Along<'_> {
    /// The distance of `index` from position 0.
    const fn distance(&self, index: usize) -> isize {
        let mut distance = 0isize;
        let mut i = 0;
        while i < self.digits.len() {
            let d = self.digits[i];
            if d.axis == self.axis {
                let quotient = (index + self.origin) / d.divisor;
                let value = if d.top { quotient } else { quotient % d.extent };
                distance += value as isize * d.stride;
            }
            i += 1;
        }
        distance
    }

    /// The number of positions that the blocks of the axis take.
    const fn block(&self) -> usize {
        let mut i = 0;
        while i < self.digits.len() {
            let d = self.digits[i];
            if d.axis == self.axis && d.top {
                return d.divisor;
            }
            i += 1;
        }
        1
    }

    /// The distance from one block to the next.
    const fn step(&self) -> isize {
        let mut i = 0;
        while i < self.digits.len() {
            let d = self.digits[i];
            if d.axis == self.axis && d.top {
                return d.stride;
            }
            i += 1;
        }
        0
    }
}

/// Whether all indices below `extent`, which is not 0, have the same distance from index 0 on both sides.
const fn same_along(one: &Along<'_>, other: &Along<'_>, extent: usize) -> bool {
    if one.origin == 0 && other.origin == 0 {
        let mut mine = Steps::new(one.digits, one.axis, extent);
        let mut theirs = Steps::new(other.digits, other.axis, extent);
        loop {
            match (mine.next_merged(), theirs.next_merged()) {
                (None, None) => return true,
                (Some(m), Some(t)) if m.0 == t.0 && m.1 == t.1 => {}
                _ => return false,
            }
        }
    }
    // A start inside a block can make digits look merged that are not, so the indices are gone through. Both sides
    // repeat after the least common multiple of their blocks, but for a constant step, so that many are enough.
    let (mine, theirs) = (one.block(), other.block());
    let (mut gcd, mut rest) = (mine, theirs);
    while rest != 0 {
        (gcd, rest) = (rest, gcd % rest);
    }
    let (in_mine, in_theirs) = (theirs / gcd, mine / gcd);
    let period = mine as u128 * in_mine as u128;
    let steps = (one.step() as i128 * in_mine as i128, other.step() as i128 * in_theirs as i128);
    if (extent as u128) > period && steps.0 != steps.1 {
        return false;
    }
    let end = if (extent as u128) < period { extent } else { period as usize };
    let (mine, theirs) = (one.distance(0), other.distance(0));
    let mut i = 1;
    while i < end {
        if one.distance(i) - mine != other.distance(i) - theirs {
            return false;
        }
        i += 1;
    }
    true
}

/// The distance of index `i` along one axis from index 0, as a list of (divisor, stride) from the finest to the
/// coarsest. Digits that no index below the extent reaches are left out, and a digit that continues the one below
/// it (its stride is where that one ends) is merged into it.
///
/// The list is unique. Up to the second divisor the distance is `i` times the first stride; there it deviates for the
/// first time, since the digits would have merged otherwise, so distance determines that divisor and, by its value
/// there, the second stride; and so on. Hence two axes place all indices alike if and only if the lists are equal.
struct Steps<'a> {
    digits: &'a [DigitAt],
    axis: usize,
    extent: usize,
    /// Divisor and stride of the digit that was looked at last; divisor 0 before the first.
    last: (usize, isize),
}

impl<'a> Steps<'a> {
    const fn new(digits: &'a [DigitAt], axis: usize, extent: usize) -> Steps<'a> {
        Steps { digits, axis, extent, last: (0, 0) }
    }

    const fn next_merged(&mut self) -> Option<(usize, isize)> {
        loop {
            let (divisor, stride) = self.last;
            let Some(next) = self.coarser_than(divisor) else { return None };
            self.last = next;
            // `divisor` divides `next.0`. The product is the span of a digit that indices reach in full.
            if divisor == 0 || (next.0 / divisor) as isize * stride != next.1 {
                return Some(next);
            }
        }
    }

    /// The digit of the axis with the least divisor above `divisor` that is below the extent.
    const fn coarser_than(&self, divisor: usize) -> Option<(usize, isize)> {
        let mut best: Option<(usize, isize)> = None;
        let mut i = 0;
        while i < self.digits.len() {
            let d = self.digits[i];
            let limit = match best {
                Some((best, _)) => best,
                None => self.extent,
            };
            if d.axis == self.axis && d.divisor > divisor && d.divisor < limit {
                best = Some((d.divisor, d.stride));
            }
            i += 1;
        }
        best
    }
}
