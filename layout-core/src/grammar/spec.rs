//! [`Spec`]: a parsed format, the ordered list of digits that every later stage works on.
//! Written by the parser and by the layout types; read by everyone; knows no text.

use super::SpecError;

/// The largest rank of a layout, as in oneDNN (`DNNL_MAX_NDIMS`).
pub const MAX_RANK: usize = 12;

/// The largest number of inner blocks. A block is at least 2 and the product of all blocks of a layout
/// fits in 63 bits, so that no valid format can have more.
pub const MAX_BLOCKS: usize = 62;

/// The largest number of digits: one for each axis and one for each block.
pub const MAX_DIGITS: usize = MAX_RANK + MAX_BLOCKS;

/// One digit of a layout: it picks `(index / divisor) % size` of the index along `axis`, and
/// `index / divisor` where `size` is `None` (the top digit of the axis).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Digit {
    /// Logical position of the axis that the digit belongs to.
    pub axis: usize,
    /// What the index is divided by: the product of the less significant digits of the axis.
    pub divisor: u64,
    /// The fixed number of values of an inner block; `None` for the top digit, whose extent depends on the tensor.
    pub size: Option<u64>,
}

/// A parsed format: the logical axes by name, and the digits in physical order, outermost first.
///
/// The offset of an element is the mixed-radix number over the digits. Plain, blocked, multiply blocked and
/// swizzled formats are all this one list. Equality compares axis names, digits and padding.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spec {
    rank: u8,
    len: u8,
    /// Letters in logical order.
    axes: [u8; MAX_RANK],
    /// Least multiple that an extent is rounded up to beside its blocks.
    multiple: [u32; MAX_RANK],
    axis: [u8; MAX_DIGITS],
    /// 0 for a top digit.
    size: [u32; MAX_DIGITS],
    /// Significance among the axis' blocks, 0 lowest.
    significance: [u8; MAX_DIGITS],
}

impl Spec {
    /// The format of rank 0: one element, no axes.
    pub const SCALAR: Spec = Spec {
        rank: 0,
        len: 0,
        axes: [0; MAX_RANK],
        multiple: [0; MAX_RANK],
        axis: [0; MAX_DIGITS],
        size: [0; MAX_DIGITS],
        significance: [0; MAX_DIGITS],
    };

    /// Adds a logical axis named `letter` (ASCII, lower case) behind the existing ones.
    ///
    /// # Errors
    /// [`SpecError::TooManyAxes`] past [`MAX_RANK`]; [`SpecError::RepeatedAxis`] where the letter is used.
    pub const fn push_axis(&mut self, letter: u8) -> Result<(), SpecError> {
        if self.rank as usize == MAX_RANK {
            return Err(SpecError::TooManyAxes);
        }
        if self.axis_named(letter as char).is_some() {
            return Err(SpecError::RepeatedAxis);
        }
        self.axes[self.rank as usize] = letter;
        self.multiple[self.rank as usize] = 1;
        self.rank += 1;
        Ok(())
    }

    /// Adds the top digit of `axis` inside the existing digits; `multiple` is what the extent is padded to
    /// beside the axis' blocks (1 for none).
    ///
    /// # Errors
    /// [`SpecError::NoSuchAxis`], [`SpecError::RepeatedTop`], or [`SpecError::BlockTooSmall`] for a multiple of 0.
    pub const fn push_top(&mut self, axis: usize, multiple: u32) -> Result<(), SpecError> {
        if axis >= self.rank as usize {
            return Err(SpecError::NoSuchAxis);
        }
        if self.top_of(axis).is_some() {
            return Err(SpecError::RepeatedTop);
        }
        if multiple == 0 {
            return Err(SpecError::BlockTooSmall);
        }
        self.axis[self.len as usize] = axis as u8;
        self.multiple[axis] = multiple;
        self.len += 1;
        Ok(())
    }

    /// Adds a block of `size` elements along `axis` inside the existing digits. It becomes the least
    /// significant block of its axis.
    ///
    /// # Errors
    /// [`SpecError::NoSuchAxis`]; [`SpecError::BlockTooSmall`] below 2; [`SpecError::TooLarge`] where the blocks
    /// multiply to more than `i64::MAX`.
    pub const fn push_block(&mut self, axis: usize, size: u32) -> Result<(), SpecError> {
        if axis >= self.rank as usize {
            return Err(SpecError::NoSuchAxis);
        }
        if size < 2 {
            return Err(SpecError::BlockTooSmall);
        }
        match self.inner_len().checked_mul(size as u64) {
            Some(n) if n <= i64::MAX as u64 => {}
            _ => return Err(SpecError::TooLarge),
        }
        let mut i = 0;
        while i < self.len as usize {
            if self.axis[i] as usize == axis && self.size[i] != 0 {
                self.significance[i] += 1;
            }
            i += 1;
        }
        // At most 62 blocks pass the product check, so the digit fits.
        self.axis[self.len as usize] = axis as u8;
        self.size[self.len as usize] = size;
        self.significance[self.len as usize] = 0;
        self.len += 1;
        Ok(())
    }

    /// States the significance of the digit at physical position `position` (a block): 0 is the lowest of its axis.
    /// Call [`Spec::validate`] when all are stated.
    pub const fn set_significance(&mut self, position: usize, significance: u8) {
        if position < self.len as usize {
            self.significance[position] = significance;
        }
    }

    /// Checks that every axis has its top digit and that the significances of each axis' blocks are 0, 1, 2, ….
    ///
    /// # Errors
    /// [`SpecError::MissingTop`] or [`SpecError::BadSignificance`] or [`SpecError::TooLarge`].
    pub const fn validate(&self) -> Result<(), SpecError> {
        let mut axis = 0;
        while axis < self.rank as usize {
            if self.top_of(axis).is_none() {
                return Err(SpecError::MissingTop);
            }
            let mut seen = 0u64;
            let mut count = 0;
            let mut i = 0;
            while i < self.len as usize {
                if self.axis[i] as usize == axis && self.size[i] != 0 {
                    let s = self.significance[i];
                    if s as usize >= MAX_BLOCKS || seen & (1 << s) != 0 {
                        return Err(SpecError::BadSignificance);
                    }
                    seen |= 1 << s;
                    count += 1;
                }
                i += 1;
            }
            if seen != (1u64 << count) - 1 {
                return Err(SpecError::BadSignificance);
            }
            if lcm(self.block_of(axis), self.multiple[axis] as u64).is_none() {
                return Err(SpecError::TooLarge);
            }
            axis += 1;
        }
        Ok(())
    }

    /// The number of logical axes, 0 to [`MAX_RANK`].
    pub const fn rank(&self) -> usize {
        self.rank as usize
    }

    /// The letter of logical axis `axis`, or `None` past the rank.
    pub const fn axis_name(&self, axis: usize) -> Option<char> {
        if axis < self.rank as usize { Some(self.axes[axis] as char) } else { None }
    }

    /// The logical position of the axis named `letter`.
    pub const fn axis_named(&self, letter: char) -> Option<usize> {
        let mut i = 0;
        while i < self.rank as usize {
            if self.axes[i] as char == letter {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// The number of digits: the rank plus the number of inner blocks.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are no digits, which is so for rank 0 alone.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The digit at physical position `position` (0 is outermost), or `None` past [`Spec::len`].
    #[inline]
    pub const fn digit(&self, position: usize) -> Option<Digit> {
        if position >= self.len as usize {
            return None;
        }
        let axis = self.axis[position];
        let top = self.size[position] == 0;
        let mut divisor = 1u64;
        let mut i = 0;
        while i < self.len as usize {
            let lower = top || self.significance[i] < self.significance[position];
            if self.axis[i] == axis && self.size[i] != 0 && lower {
                divisor *= self.size[i] as u64;
            }
            i += 1;
        }
        let size = if top { None } else { Some(self.size[position] as u64) };
        Some(Digit { axis: axis as usize, divisor, size })
    }

    /// Axis and block size of the digit at physical position `position`, without its divisor, which costs a pass over
    /// the digits; the size is `None` for a top digit.
    #[cfg(feature = "tensors")]
    pub(crate) const fn axis_and_size(&self, position: usize) -> Option<(usize, Option<u64>)> {
        if position >= self.len as usize {
            return None;
        }
        let size = self.size[position] as u64;
        Some((self.axis[position] as usize, if size == 0 { None } else { Some(size) }))
    }

    /// Significance of the block at physical position `position` among the blocks of its axis, 0 lowest;
    /// `None` for a top digit or past the end.
    pub const fn significance(&self, position: usize) -> Option<usize> {
        if position >= self.len as usize || self.size[position] == 0 {
            return None;
        }
        Some(self.significance[position] as usize)
    }

    /// Whether every axis' blocks fall in significance from left to right, as oneDNN's names always do.
    pub const fn is_in_significance_order(&self) -> bool {
        let mut i = 0;
        while i < self.len as usize {
            let mut j = i + 1;
            while j < self.len as usize {
                let same = self.axis[i] == self.axis[j] && self.size[i] != 0 && self.size[j] != 0;
                if same && self.significance[i] < self.significance[j] {
                    return false;
                }
                j += 1;
            }
            i += 1;
        }
        true
    }

    /// Physical position of the top digit of `axis`.
    pub const fn top_of(&self, axis: usize) -> Option<usize> {
        let mut i = 0;
        while i < self.len as usize {
            if self.axis[i] as usize == axis && self.size[i] == 0 {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// The product of the blocks of `axis`, in elements; 1 where it is not blocked.
    pub const fn block_of(&self, axis: usize) -> u64 {
        let mut product = 1;
        let mut i = 0;
        while i < self.len as usize {
            if self.axis[i] as usize == axis && self.size[i] != 0 {
                product *= self.size[i] as u64;
            }
            i += 1;
        }
        product
    }

    /// The multiple that `axis` is padded to beside its blocks (`w^32`); 1 for none.
    pub const fn stated_multiple(&self, axis: usize) -> u64 {
        if axis < self.rank as usize { self.multiple[axis] as u64 } else { 1 }
    }

    /// Whether [`Spec::padding_multiple`] of `axis` fits in 63 bits, as [`Spec::validate`] asks.
    pub(super) const fn padding_fits(&self, axis: usize) -> bool {
        lcm(self.block_of(axis), self.stated_multiple(axis)).is_some()
    }

    /// What the extent of `axis` is rounded up to in memory: the least common multiple of its blocks' product
    /// and its stated multiple.
    pub const fn padding_multiple(&self, axis: usize) -> u64 {
        match lcm(self.block_of(axis), self.stated_multiple(axis)) {
            Some(m) => m,
            None => self.block_of(axis),
        }
    }

    /// The product of all blocks, in elements.
    pub const fn inner_len(&self) -> u64 {
        let mut product = 1;
        let mut i = 0;
        while i < self.len as usize {
            if self.size[i] != 0 {
                product *= self.size[i] as u64;
            }
            i += 1;
        }
        product
    }

    /// How many digits there are up to and including the innermost top digit. The digits behind it are blocks
    /// that lie densely inside one another, so that their strides are constants of the format.
    #[inline]
    pub const fn outer_len(&self) -> usize {
        let mut i = self.len as usize;
        while i > 0 && self.size[i - 1] != 0 {
            i -= 1;
        }
        i
    }

    /// The product of the dense blocks behind the innermost top digit, in elements: the length of the contiguous
    /// inner block.
    pub const fn dense_block_len(&self) -> u64 {
        let mut product = 1;
        let mut i = self.outer_len();
        while i < self.len as usize {
            product *= self.size[i] as u64;
            i += 1;
        }
        product
    }

    /// Whether `self` and `other` place every element alike: same digits and padding, whatever the axes are called.
    pub const fn same_digits(&self, other: &Spec) -> bool {
        if self.rank != other.rank || self.len != other.len {
            return false;
        }
        let mut i = 0;
        while i < self.len as usize {
            if self.axis[i] != other.axis[i]
                || self.size[i] != other.size[i]
                || self.significance[i] != other.significance[i]
            {
                return false;
            }
            i += 1;
        }
        let mut a = 0;
        while a < self.rank as usize {
            if self.multiple[a] != other.multiple[a] {
                return false;
            }
            a += 1;
        }
        true
    }
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Least common multiple within 63 bits; `None` for 0 or past that.
const fn lcm(a: u64, b: u64) -> Option<u64> {
    if a == 0 || b == 0 {
        return None;
    }
    match (a / gcd(a, b)).checked_mul(b) {
        Some(n) if n <= i64::MAX as u64 => Some(n),
        _ => None,
    }
}
