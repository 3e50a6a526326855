//! [`Descriptor`]: the run-time description of a tensor in memory, like oneDNN's `dnnl_memory_desc_t`.
//! Built from a [`Spec`] and extents; every size is checked here once, so that later arithmetic cannot overflow.

use super::DType;
use crate::grammar::{MAX_RANK, Spec};
use crate::shape::{SizeError, checked_len, round_up};

/// The largest number of digits up to the innermost top digit. Their strides depend on the tensor and are stored;
/// the strides of the dense blocks behind them are constants of the format.
pub const MAX_OUTER: usize = 2 * MAX_RANK;

/// One digit of a format, placed in memory: it adds `(index[axis] / divisor) % extent * stride` to the offset.
/// The top digit of an axis needs no `% extent`: the index is in range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DigitAt {
    /// Logical position of the axis.
    pub axis: usize,
    /// What the index is divided by.
    pub divisor: usize,
    /// Number of values; for a top digit the padded extent over the axis' blocks.
    pub extent: usize,
    /// Distance between two values, in elements.
    pub stride: isize,
    /// Whether this is the top digit of its axis.
    pub top: bool,
}

/// The run-time description of a tensor in memory: data type, extents, and where every element is.
///
/// It owns no heap memory and describes memory without holding any.
///
/// Invariants, checked when it is made:
/// 1. `spec` is valid, its outer digits are at most [`MAX_OUTER`], and its inner length fits in `usize`.
/// 2. `padded[a]` is a multiple of the blocks of axis `a` and not below `dims[a]`.
/// 3. `base + Σ (extent - 1) * stride` over the digits of positive stride, and the same over those of negative
///    stride, times the element size, lie in `0..=isize::MAX`: the offset of every padded element does.
/// 4. The padded extents, zeros left out, multiply to at most `isize::MAX` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Descriptor {
    spec: Spec,
    dtype: DType,
    dims: [usize; MAX_RANK],
    padded: [usize; MAX_RANK],
    /// Strides of the digits before [`Spec::outer_len`], by physical position, in elements.
    strides: [isize; MAX_OUTER],
    /// Offset of the element with index 0, in elements.
    base: usize,
}

impl Descriptor {
    /// The dense descriptor of extents `dims` (in logical order) in the format `spec`.
    ///
    /// # Errors
    /// [`SizeError`] where the number of extents is not the rank or a size leaves `isize`.
    pub const fn from_spec(dtype: DType, dims: &[usize], spec: Spec) -> Result<Descriptor, SizeError> {
        let rank = spec.rank();
        if dims.len() != rank {
            return Err(SizeError::Rank { expected: rank, found: dims.len() });
        }
        let mut out = Descriptor {
            spec,
            dtype,
            dims: [0; MAX_RANK],
            padded: [0; MAX_RANK],
            strides: [0; MAX_OUTER],
            base: 0,
        };
        let mut a = 0;
        while a < rank {
            let multiple = spec.padding_multiple(a);
            out.dims[a] = dims[a];
            out.padded[a] = match round_up(dims[a], multiple) {
                Some(n) => n,
                None => {
                    return Err(SizeError::Padding { axis: axis_char(&spec, a), extent: dims[a], multiple });
                }
            };
            a += 1;
        }
        if let Err(a) = checked_len(out.padded.split_at(rank).0, dtype.size()) {
            return Err(SizeError::TooLarge {
                axis: axis_char(&spec, a),
                extent: dims[a],
                element_bytes: dtype.size(),
            });
        }
        // The product of all blocks is at most that of the padded extents, unless an extent is 0.
        let mut stride = spec.dense_block_len() as u128;
        let mut i = spec.outer_len();
        if i > MAX_OUTER || stride > isize::MAX as u128 {
            return Err(SizeError::TooLarge {
                axis: axis_char(&spec, 0),
                extent: dims[0],
                element_bytes: dtype.size(),
            });
        }
        while i > 0 {
            i -= 1;
            let (axis, extent) = match spec.digit(i) {
                Some(d) => match d.size {
                    Some(size) => (d.axis, size as u128),
                    None => (d.axis, (out.padded[d.axis] as u64 / d.divisor) as u128),
                },
                None => (0, 1),
            };
            out.strides[i] = stride as isize;
            let next = stride * if extent == 0 { 1 } else { extent };
            if next > isize::MAX as u128 {
                return Err(SizeError::TooLarge {
                    axis: axis_char(&spec, axis),
                    extent: dims[axis],
                    element_bytes: dtype.size(),
                });
            }
            stride = next;
        }
        Ok(out)
    }

    /// The format: axis names and digits.
    pub const fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The data type of the elements.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of logical axes.
    pub const fn rank(&self) -> usize {
        self.spec.rank()
    }

    /// The extents in logical order.
    pub const fn dims(&self) -> &[usize] {
        self.dims.split_at(self.spec.rank()).0
    }

    /// The extents in memory, padding included, in logical order.
    pub const fn padded_dims(&self) -> &[usize] {
        self.padded.split_at(self.spec.rank()).0
    }

    /// Offset of the element with index 0, in elements (oneDNN: `offset0`).
    pub const fn base(&self) -> usize {
        self.base
    }

    /// The number of digits, in physical order (see [`Descriptor::digit`]).
    pub const fn digit_len(&self) -> usize {
        self.spec.len()
    }

    /// The digit at physical position `position`, 0 outermost; `None` past [`Descriptor::digit_len`].
    pub const fn digit(&self, position: usize) -> Option<DigitAt> {
        let Some(digit) = self.spec.digit(position) else { return None };
        let stride = if position < self.spec.outer_len() {
            self.strides[position]
        } else {
            let mut stride = 1isize;
            let mut i = self.spec.len();
            while i > position + 1 {
                i -= 1;
                if let Some(d) = self.spec.digit(i)
                    && let Some(size) = d.size
                {
                    stride *= size as isize;
                }
            }
            stride
        };
        let divisor = digit.divisor as usize;
        let (extent, top) = match digit.size {
            Some(size) => (size as usize, false),
            None => (self.padded[digit.axis] / divisor, true),
        };
        Some(DigitAt { axis: digit.axis, divisor, extent, stride, top })
    }

    /// Offset of the element at `index`, in elements, without a look at the extents.
    /// Wraps around for an index outside them.
    pub const fn offset_unchecked(&self, index: &[usize]) -> usize {
        let mut offset = self.base;
        let mut i = 0;
        while let Some(d) = self.digit(i) {
            if d.axis < index.len() {
                let quotient = index[d.axis] / d.divisor;
                let value = if d.top { quotient } else { quotient % d.extent };
                offset = offset.wrapping_add(value.wrapping_mul(d.stride as usize));
            }
            i += 1;
        }
        offset
    }
}

const fn axis_char(spec: &Spec, axis: usize) -> char {
    match spec.axis_name(axis) {
        Some(letter) => letter,
        None => '?',
    }
}
