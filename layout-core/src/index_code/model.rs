//! [`Model`]: what index code needs of a layout, whether its extents are known or not: the digits with their strides as far
//! as these are numbers, and what is known of each axis. Made from a format or a descriptor; writes the offset expression.

use super::IndexCodeError;
use super::expr::Expr;
use crate::descriptor::Descriptor;
use crate::grammar::Spec;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// What is known of an axis.
pub(super) struct Axis {
    pub(super) letter: char,
    /// Its extents, where they are numbers.
    pub(super) known: Option<Known>,
    /// What an extent is rounded up to, and the product of the blocks.
    pub(super) multiple: u64,
    pub(super) block: u64,
}

/// The extents of an axis.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) dim: u64,
    /// Position of index 0.
    pub(super) origin: u64,
    /// The positions of elements and padding.
    pub(super) owned: Range<u64>,
}

/// A digit.
pub(super) struct Digit {
    pub(super) axis: usize,
    pub(super) divisor: u64,
    /// The number of values; `None` for a top digit of an axis of unknown extent.
    pub(super) extent: Option<u64>,
    pub(super) top: bool,
    /// The stride, where it is a number. Where it is not, the memory is dense.
    pub(super) stride: Option<i64>,
}

pub(super) struct Model {
    pub(super) axes: Vec<Axis>,
    /// Outermost first.
    pub(super) digits: Vec<Digit>,
    pub(super) base: u64,
    /// Whether a known extent is 0.
    pub(super) is_empty: bool,
}

impl Model {
    pub(super) fn of_descriptor(d: &Descriptor) -> Model {
        let origin = d.origin();
        let axes = (0..d.rank()).map(|a| {
            let owned = d.owned(a);
            let known = Known {
                dim: d.dims()[a] as u64,
                origin: origin[a] as u64,
                owned: owned.start as u64..owned.end as u64,
            };
            Axis { known: Some(known), ..Axis::of_spec(d.spec(), a) }
        });
        let digits = d.digits();
        let digits = digits.iter().map(|digit| Digit {
            axis: digit.axis,
            divisor: digit.divisor as u64,
            extent: Some(digit.extent as u64),
            top: digit.top,
            stride: Some(digit.stride as i64),
        });
        let (axes, digits) = (axes.collect(), digits.collect());
        Model { axes, digits, base: d.base() as u64, is_empty: d.is_empty() }
    }

    /// The dense layout of `spec`, with the extents that are given.
    pub(super) fn of_spec(spec: &Spec, dims: &[Option<u64>]) -> Result<Model, IndexCodeError> {
        let mut axes = Vec::new();
        for (a, dim) in dims.iter().enumerate() {
            let mut axis = Axis::of_spec(spec, a);
            if let Some(dim) = *dim {
                let padded = dim.div_ceil(axis.multiple).checked_mul(axis.multiple);
                let too_large = IndexCodeError::TooLarge { axis: axis.letter, extent: dim, bits: 64 };
                let owned = 0..padded.filter(|&n| n <= i64::MAX as u64).ok_or(too_large)?;
                axis.known = Some(Known { dim, origin: 0, owned });
            }
            axes.push(axis);
        }
        let mut stride = Some(1u64);
        let mut digits = Vec::new();
        for digit in (0..spec.len()).rev().filter_map(|i| spec.digit(i)) {
            let axis: &Axis = &axes[digit.axis];
            let extent = match digit.size {
                Some(size) => Some(size),
                None => axis.known.as_ref().map(|known| known.owned.end / axis.block),
            };
            digits.push(Digit {
                axis: digit.axis,
                divisor: digit.divisor,
                extent,
                top: digit.size.is_none(),
                stride: stride.map(|stride| stride as i64),
            });
            if let (Some(below), Some(extent)) = (stride, extent) {
                let next = below.checked_mul(extent.max(1)).filter(|&n| n <= i64::MAX as u64);
                stride =
                    Some(next.ok_or(IndexCodeError::TooLarge { axis: axis.letter, extent, bits: 64 })?);
            } else {
                stride = None;
            }
        }
        digits.reverse();
        let is_empty = axes.iter().any(|axis| axis.known.as_ref().is_some_and(|known| known.dim == 0));
        Ok(Model { axes, digits, base: 0, is_empty })
    }

    /// Checks that every offset, and with it every product on the way there, fits in `bits` bits.
    pub(super) fn check_bits(&self, bits: u32) -> Result<(), IndexCodeError> {
        let limit = if bits == 32 { u128::from(u32::MAX) } else { i64::MAX as u128 };
        let mut reach = u128::from(self.base);
        for digit in self.digits.iter().rev() {
            let axis = &self.axes[digit.axis];
            let (Some(extent), Some(stride)) = (digit.extent, digit.stride) else { continue };
            reach += u128::from(extent.saturating_sub(1)) * u128::from(stride.unsigned_abs());
            let extent = axis.known.as_ref().map_or(extent, |known| known.dim);
            // The inverse multiplies what it found by divisors, up to the end of the last block.
            if reach > limit || u128::from(axis.block) > limit {
                return Err(IndexCodeError::TooLarge { axis: axis.letter, extent, bits });
            }
        }
        Ok(())
    }

    /// Whether all strides are numbers.
    fn is_static(&self) -> bool {
        self.digits.iter().all(|digit| digit.stride.is_some())
    }

    /// The offset of the element whose index is in the variables that the axes are called.
    pub(super) fn offset(&self) -> Expr {
        if !self.is_static() {
            // Horner's form: as many multiplications as extents, and none of them twice.
            return self
                .digits
                .iter()
                .fold(Expr::ZERO, |outer, digit| outer.times(self.extent(digit)).plus(self.value(digit)));
        }
        // Strides below 0 last, so that nothing but the whole wraps.
        let mut sum = Expr::Number(self.base);
        for (negative, digit) in
            [false, true].into_iter().flat_map(|n| self.digits.iter().map(move |d| (n, d)))
        {
            let stride = digit.stride.unwrap_or(0);
            if (stride < 0) == negative {
                let term = self.value(digit).times(Expr::Number(stride.unsigned_abs()));
                sum = if negative { sum.minus(term) } else { sum.plus(term) };
            }
        }
        sum
    }

    /// What a digit picks from the index.
    fn value(&self, digit: &Digit) -> Expr {
        let axis = &self.axes[digit.axis];
        let name = Expr::name(&String::from(axis.letter));
        let Some(known) = &axis.known else {
            let quotient = name.over(digit.divisor);
            return match (digit.top, digit.extent) {
                (false, Some(extent)) => quotient.modulo(Expr::Number(extent)),
                _ => quotient,
            };
        };
        if known.owned.end <= digit.divisor {
            return Expr::ZERO;
        }
        let quotient = name.plus(Expr::Number(known.origin)).over(digit.divisor);
        match digit.extent {
            Some(extent) if !digit.top && known.owned.end.div_ceil(digit.divisor) > extent => {
                quotient.modulo(Expr::Number(extent))
            }
            _ => quotient,
        }
    }

    /// The number of values of a digit.
    pub(super) fn extent(&self, digit: &Digit) -> Expr {
        if let Some(extent) = digit.extent {
            return Expr::Number(extent);
        }
        let axis = &self.axes[digit.axis];
        let padded = Expr::name(&axis.parameter()).plus(Expr::Number(axis.multiple - 1)).over(axis.multiple);
        padded.times(Expr::Number(axis.multiple / axis.block))
    }

    /// The axes whose extents are parameters.
    pub(super) fn unknown(&self) -> impl Iterator<Item = &Axis> {
        self.axes.iter().filter(|axis| axis.known.is_none())
    }
}

impl Axis {
    fn of_spec(spec: &Spec, axis: usize) -> Axis {
        Axis {
            letter: spec.axis_name(axis).unwrap_or('?'),
            known: None,
            multiple: spec.padding_multiple(axis),
            block: spec.block_of(axis),
        }
    }

    /// The parameter that stands for an unknown extent. Capitals would read like the guides, but `I` is a macro in C's
    /// `<complex.h>`.
    pub(super) fn parameter(&self) -> String {
        format!("dim_{}", self.letter)
    }
}
