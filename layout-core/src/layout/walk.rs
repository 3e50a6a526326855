//! What the offset functions do at each digit. Every fact about the digit is a constant of the layout, so that a walk
//! over the digits compiles to straight-line code.

use super::format::Layout;

/// One step for each digit; `AT` is its physical position.
pub trait Walk {
    /// Handles the digit at physical position `AT`.
    fn step<const AT: usize>(&mut self);
}

/// Facts about one digit of layout `L`, resolved while compiling.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) axis: usize,
    pub(super) divisor: usize,
    /// 0 for a top digit.
    pub(super) size: usize,
    /// What the extent of a top digit is padded to.
    pub(super) multiple: usize,
    /// Whether this digit is one of the dense blocks behind the innermost top digit.
    pub(super) dense: bool,
    /// Stride of a dense block, in elements.
    pub(super) dense_stride: isize,
}

/// The facts about the digit at `at`. Evaluated while compiling alone.
pub(super) const fn facts<L: Layout>(at: usize) -> Facts {
    let Some(digit) = L::SPEC.digit(at) else { panic!("a layout has no digit at this position") };
    let dense = at >= L::SPEC.outer_len();
    let mut dense_stride = 1;
    if dense {
        let mut i = at + 1;
        while let Some(inner) = L::SPEC.digit(i) {
            if let Some(size) = inner.size {
                dense_stride *= to_usize(size) as isize;
            }
            i += 1;
        }
    }
    Facts {
        axis: digit.axis,
        divisor: to_usize(digit.divisor),
        size: match digit.size {
            Some(size) => to_usize(size),
            None => 0,
        },
        multiple: to_usize(L::SPEC.padding_multiple(digit.axis)),
        dense,
        dense_stride,
    }
}

/// A block product as `usize`, refused while compiling where the target's addresses are too short for it.
pub(super) const fn to_usize(n: u64) -> usize {
    assert!(n <= isize::MAX as u64, "the blocks of this layout are too large for this target");
    n as usize
}

/// `extent` rounded up to `multiple`. Checked when the mapping was made; never overflows for its extents.
#[inline(always)]
pub(super) const fn padded(extent: usize, multiple: usize) -> usize {
    if multiple == 1 { extent } else { extent.wrapping_add(multiple - 1) / multiple * multiple }
}

/// Value of a digit for an index along its axis.
#[inline(always)]
const fn value(index: usize, facts: Facts) -> usize {
    let quotient = index / facts.divisor;
    if facts.size == 0 { quotient } else { quotient % facts.size }
}

/// Number of values of a digit.
#[inline(always)]
const fn extent(dim: usize, facts: Facts) -> usize {
    if facts.size != 0 {
        facts.size
    } else if facts.multiple == facts.divisor {
        dim.wrapping_add(facts.divisor - 1) / facts.divisor
    } else {
        padded(dim, facts.multiple) / facts.divisor
    }
}

/// Offset in dense memory, in Horner form: one multiply a digit whose extent is not a constant.
pub(super) struct DenseOffset<L: Layout> {
    pub(super) dims: L::Index,
    pub(super) index: L::Index,
    pub(super) offset: usize,
}
impl<L: Layout> Walk for DenseOffset<L> {
    #[inline(always)]
    fn step<const AT: usize>(&mut self) {
        let facts = const { facts::<L>(AT) };
        let value = value(self.index.as_ref()[facts.axis], facts);
        let extent = extent(self.dims.as_ref()[facts.axis], facts);
        self.offset = self.offset.wrapping_mul(extent).wrapping_add(value);
    }
}

/// Index of an offset in dense memory. Walked innermost first; `rest` ends as 0 for an offset in range.
pub(super) struct DenseIndex<L: Layout> {
    pub(super) dims: L::Index,
    pub(super) rest: usize,
    pub(super) index: L::Index,
}
impl<L: Layout> Walk for DenseIndex<L> {
    #[inline(always)]
    fn step<const AT: usize>(&mut self) {
        let facts = const { facts::<L>(AT) };
        // An extent of 0 has no offsets; 1 keeps the division defined.
        let extent = extent(self.dims.as_ref()[facts.axis], facts).max(1);
        self.index.as_mut()[facts.axis] += self.rest % extent * facts.divisor;
        self.rest /= extent;
    }
}

/// Strides of dense memory, one a digit. Walked innermost first.
pub(super) struct DenseStrides<L: Layout> {
    pub(super) dims: L::Index,
    pub(super) next: usize,
    pub(super) strides: L::Strides,
}
impl<L: Layout> Walk for DenseStrides<L> {
    #[inline(always)]
    fn step<const AT: usize>(&mut self) {
        let facts = const { facts::<L>(AT) };
        self.strides.as_mut()[AT] = self.next as isize;
        self.next = self.next.wrapping_mul(extent(self.dims.as_ref()[facts.axis], facts).max(1));
    }
}

/// Offset where the strides of the digits before the dense blocks are stored.
pub(super) struct StridedOffset<'a, L: Layout> {
    pub(super) strides: &'a L::Strides,
    pub(super) index: L::Index,
    pub(super) offset: isize,
}
impl<L: Layout> Walk for StridedOffset<'_, L> {
    #[inline(always)]
    fn step<const AT: usize>(&mut self) {
        let facts = const { facts::<L>(AT) };
        let value = value(self.index.as_ref()[facts.axis], facts) as isize;
        let stride = if facts.dense { facts.dense_stride } else { self.strides.as_ref()[AT] };
        self.offset = self.offset.wrapping_add(value.wrapping_mul(stride));
    }
}

/// Offset of the dense block that holds an index: that of the index with the dense digits at 0.
pub(super) struct BlockOffset<'a, L: Layout> {
    pub(super) strides: &'a L::Strides,
    pub(super) index: L::Index,
    pub(super) offset: isize,
}
impl<L: Layout> Walk for BlockOffset<'_, L> {
    #[inline(always)]
    fn step<const AT: usize>(&mut self) {
        let facts = const { facts::<L>(AT) };
        if !facts.dense {
            let value = value(self.index.as_ref()[facts.axis], facts) as isize;
            self.offset = self.offset.wrapping_add(value.wrapping_mul(self.strides.as_ref()[AT]));
        }
    }
}

/// The step to the next combination of the outer digits in physical order, like an odometer. Walked innermost first.
///
/// `index` and `offset` are those of the present combination with every digit from `digits` on at 0. A digit goes up
/// by one where its axis stays below `bounds`, and back to 0 with a carry where not; values that could only lead past
/// the bounds are never entered, so that nothing is skipped one by one.
pub(super) struct Odometer<'a, L: Layout> {
    pub(super) strides: &'a L::Strides,
    /// How many digits, counted from the outermost, take part.
    pub(super) digits: usize,
    pub(super) bounds: L::Index,
    pub(super) index: &'a mut L::Index,
    pub(super) offset: &'a mut usize,
    /// Whether a digit went up.
    pub(super) done: bool,
}
impl<L: Layout> Walk for Odometer<'_, L> {
    #[inline(always)]
    fn step<const AT: usize>(&mut self) {
        let facts = const { facts::<L>(AT) };
        if self.done || AT >= self.digits {
            return;
        }
        let stride = (if facts.dense { facts.dense_stride } else { self.strides.as_ref()[AT] }) as usize;
        let bound = self.bounds.as_ref()[facts.axis];
        let index = &mut self.index.as_mut()[facts.axis];
        let value = value(*index, facts);
        if (facts.size == 0 || value + 1 < facts.size) && *index + facts.divisor < bound {
            *index += facts.divisor;
            *self.offset = self.offset.wrapping_add(stride);
            self.done = true;
        } else {
            *index -= value * facts.divisor;
            *self.offset = self.offset.wrapping_sub(value.wrapping_mul(stride));
        }
    }
}

/// How many values the innermost of the first `digits` digits takes from 0 on, the other digits being those of `index`,
/// before its axis reaches `bounds`: the places from one carry of an odometer to the next. 1 where no digit takes part.
pub(super) struct RowLen<L: Layout> {
    pub(super) digits: usize,
    pub(super) bounds: L::Index,
    pub(super) index: L::Index,
    pub(super) len: usize,
}
impl<L: Layout> Walk for RowLen<L> {
    #[inline(always)]
    fn step<const AT: usize>(&mut self) {
        let facts = const { facts::<L>(AT) };
        if AT + 1 == self.digits {
            let rest = self.bounds.as_ref()[facts.axis].saturating_sub(self.index.as_ref()[facts.axis]);
            let len = rest.div_ceil(facts.divisor);
            self.len = if facts.size == 0 { len } else { len.min(facts.size) };
        }
    }
}

/// The innermost of the first `digits` digits by one up, or down, with no look at anything.
pub(super) struct Step<'a, L: Layout> {
    pub(super) strides: &'a L::Strides,
    pub(super) digits: usize,
    pub(super) up: bool,
    pub(super) index: &'a mut L::Index,
    pub(super) offset: &'a mut usize,
}
impl<L: Layout> Walk for Step<'_, L> {
    #[inline(always)]
    fn step<const AT: usize>(&mut self) {
        let facts = const { facts::<L>(AT) };
        if AT + 1 == self.digits {
            let stride = (if facts.dense { facts.dense_stride } else { self.strides.as_ref()[AT] }) as usize;
            let index = &mut self.index.as_mut()[facts.axis];
            if self.up {
                *index = index.wrapping_add(facts.divisor);
                *self.offset = self.offset.wrapping_add(stride);
            } else {
                *index = index.wrapping_sub(facts.divisor);
                *self.offset = self.offset.wrapping_sub(stride);
            }
        }
    }
}
