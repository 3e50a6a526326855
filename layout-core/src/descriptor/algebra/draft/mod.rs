//! [`Draft`]: a descriptor taken apart, to be changed and put together again. Every operation of this room works on
//! one; only [`Draft::finish`] makes a descriptor, and it checks everything anew.

mod linear;

pub(super) use linear::{Assembly, Linear, Piece};

use super::super::strided::Broadcast;
use super::super::window::Window;
use super::super::{DType, Descriptor, DescriptorError, DigitAt};
use super::AlgebraError;
use crate::grammar::{MAX_DIGITS, MAX_RANK, Spec, SpecError};

/// One axis, without its digits.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// Its letter; 0 where it has to be given one.
    pub(super) letter: u8,
    pub(super) dim: usize,
    pub(super) padded: usize,
    pub(super) origin: usize,
    pub(super) halo: bool,
    pub(super) multiple: u32,
}

impl Axis {
    /// An axis without padding that has to be given a letter.
    pub(super) const fn new(dim: usize) -> Axis {
        Axis { letter: 0, dim, padded: dim, origin: 0, halo: false, multiple: 1 }
    }
}

/// A descriptor taken apart. Digits of axis `a` belong to `axes[a]`; a digit's extent counts for blocks alone.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    pub(super) dtype: DType,
    pub(super) base: isize,
    /// Whether the letters of the original stand for positions.
    anonymous: bool,
    /// Letters of the original, as bits.
    used: u32,
    rank: usize,
    axes: [Axis; MAX_RANK],
    len: usize,
    digits: [DigitAt; MAX_DIGITS],
}

impl Draft {
    /// `descriptor` taken apart.
    pub(super) fn of(descriptor: &Descriptor) -> Draft {
        let mut draft = Draft::empty(descriptor);
        for a in 0..descriptor.rank() {
            draft.axes[a] = Axis {
                letter: descriptor.axis_char(a) as u8,
                dim: descriptor.dims[a],
                padded: descriptor.padded[a],
                origin: descriptor.origin[a],
                halo: descriptor.has_halo(a),
                multiple: descriptor.spec.stated_multiple(a) as u32,
            };
        }
        draft.rank = descriptor.rank();
        let digits = descriptor.digits();
        draft.len = digits.len();
        draft.digits[..digits.len()].copy_from_slice(&digits);
        draft
    }

    /// No axes and no digits, but the type, the base and the letters of `descriptor`.
    pub(super) fn empty(descriptor: &Descriptor) -> Draft {
        let letters = || (0..descriptor.rank()).map(|a| descriptor.axis_char(a) as u8);
        Draft {
            dtype: descriptor.dtype,
            base: descriptor.base as isize,
            anonymous: letters().eq((b'a'..).take(descriptor.rank())),
            used: letters().fold(0, |used, letter| used | bit(letter)),
            rank: 0,
            axes: [Axis::new(0); MAX_RANK],
            len: 0,
            digits: [DigitAt { axis: 0, divisor: 1, extent: 1, stride: 0, top: false }; MAX_DIGITS],
        }
    }

    pub(super) fn axes(&self) -> &[Axis] {
        &self.axes[..self.rank]
    }

    pub(super) fn axis_mut(&mut self, axis: usize) -> &mut Axis {
        &mut self.axes[axis]
    }

    pub(super) fn digits(&self) -> &[DigitAt] {
        &self.digits[..self.len]
    }

    pub(super) fn digits_mut(&mut self) -> &mut [DigitAt] {
        &mut self.digits[..self.len]
    }

    /// Adds an axis behind the others; its digits have to be added too.
    pub(super) fn push_axis(&mut self, axis: Axis) -> Result<(), AlgebraError> {
        *self.axes.get_mut(self.rank).ok_or(AlgebraError::TooManyAxes { found: MAX_RANK + 1 })? = axis;
        self.rank += 1;
        Ok(())
    }

    /// Adds `digit` before physical position `position`.
    pub(super) fn insert_digit(&mut self, position: usize, digit: DigitAt) -> Result<(), AlgebraError> {
        if self.len == MAX_DIGITS {
            return self.refuse_digit();
        }
        self.digits.copy_within(position..self.len, position + 1);
        self.digits[position] = digit;
        self.len += 1;
        Ok(())
    }

    /// The error of one digit too many.
    pub(super) fn refuse_digit(&self) -> Result<(), AlgebraError> {
        Err(AlgebraError::Descriptor(DescriptorError::Digits(SpecError::TooLarge)))
    }

    pub(super) fn push_digit(&mut self, digit: DigitAt) -> Result<(), AlgebraError> {
        self.insert_digit(self.len, digit)
    }

    /// Takes the digits of `axis` away; the axis stays.
    pub(super) fn remove_digits(&mut self, axis: usize) {
        let mut kept = 0;
        for at in 0..self.len {
            if self.digits[at].axis != axis {
                self.digits[kept] = self.digits[at];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Takes `axis` away, whose digits are gone already.
    pub(super) fn remove_axis(&mut self, axis: usize) {
        self.axes.copy_within(axis + 1..self.rank, axis);
        self.rank -= 1;
        for digit in self.digits_mut().iter_mut().filter(|digit| digit.axis > axis) {
            digit.axis -= 1;
        }
    }

    /// Puts the axes in another order: the new axis `a` is the old axis `order[a]`. Axes that are not named go, and
    /// their digits have to be gone already.
    pub(super) fn reorder_axes(&mut self, order: &[usize]) {
        let old = self.axes;
        let mut place = [0; MAX_RANK];
        for (a, &from) in order.iter().enumerate() {
            self.axes[a] = old[from];
            place[from] = a;
        }
        self.rank = order.len();
        for digit in self.digits_mut() {
            digit.axis = place[digit.axis];
        }
    }

    /// Adds an axis of extent 1 at logical position `at`. Its digit stands just outside that of the next axis, as if
    /// memory were dense there; behind the last axis just inside the innermost top digit.
    pub(super) fn insert_unit(&mut self, at: usize) -> Result<(), AlgebraError> {
        self.push_axis(Axis::new(1))?;
        for a in (at + 1..self.rank).rev() {
            self.axes.swap(a, a - 1);
        }
        for digit in self.digits_mut().iter_mut().filter(|digit| digit.axis >= at) {
            digit.axis += 1;
        }
        let next = self.digits().iter().position(|digit| digit.top && digit.axis == at + 1);
        let (position, stride) = match next {
            Some(position) => {
                let digit = self.digits[position];
                (position, digit.stride.saturating_mul(digit.extent.max(1) as isize))
            }
            None => {
                let position = self.digits().iter().rposition(|digit| digit.top).map_or(0, |last| last + 1);
                let inside = self.digits()[position..].iter().map(|digit| digit.extent).product::<usize>();
                (position, inside as isize)
            }
        };
        let stride = stride.saturating_abs();
        self.insert_digit(position, DigitAt { axis: at, divisor: 1, extent: 1, stride, top: true })
    }

    /// The descriptor, with letters for axes that have none.
    pub(super) fn finish(mut self) -> Result<Descriptor, AlgebraError> {
        self.name_axes();
        let mut spec = Spec::SCALAR;
        let digits = |error| AlgebraError::Descriptor(DescriptorError::Digits(error));
        for axis in self.axes() {
            spec.push_axis(axis.letter).map_err(digits)?;
        }
        let mut strides = [0; MAX_DIGITS];
        for (position, digit) in self.digits().iter().enumerate() {
            strides[position] = digit.stride;
            if digit.top {
                spec.push_top(digit.axis, self.axes[digit.axis].multiple).map_err(digits)?;
            } else {
                let size = u32::try_from(digit.extent).map_err(|_| digits(SpecError::TooLarge))?;
                spec.push_block(digit.axis, size).map_err(digits)?;
            }
        }
        for (position, digit) in self.digits().iter().enumerate().filter(|(_, digit)| !digit.top) {
            let lower =
                |other: &&DigitAt| !other.top && other.axis == digit.axis && other.divisor < digit.divisor;
            spec.set_significance(position, self.digits().iter().filter(lower).count() as u8);
        }
        spec.validate().map_err(digits)?;

        let mut dims = [0; MAX_RANK];
        let mut window = Window { padded: [0; MAX_RANK], origin: [0; MAX_RANK], halo: 0 };
        for (a, axis) in self.axes().iter().enumerate() {
            dims[a] = axis.dim;
            window.padded[a] = axis.padded;
            window.origin[a] = axis.origin;
            window.halo |= u16::from(axis.halo) << a;
        }
        let mut out = Descriptor::unplaced(self.dtype, &dims[..self.rank], spec)
            .map_err(|error| AlgebraError::Descriptor(DescriptorError::Size(error)))?;
        out.set_window(&window)?;
        out.store_strides(&strides, Broadcast::Allowed)?;
        // Offsets of a descriptor are never negative; the result reaches no further than the original.
        Ok(out.with_base(self.base.unsigned_abs())?)
    }

    /// Gives letters to the axes that have none (see the head of this room).
    fn name_axes(&mut self) {
        let mut used = self.axes().iter().fold(self.used, |used, axis| used | bit(axis.letter));
        for (a, axis) in self.axes[..self.rank].iter_mut().enumerate() {
            if self.anonymous {
                axis.letter = b'a' + a as u8;
            } else if axis.letter == 0 {
                // Two times twelve letters are used at most.
                axis.letter = (b'a'..=b'z').find(|&letter| used & bit(letter) == 0).unwrap_or(b'z');
                used |= bit(axis.letter);
            }
        }
    }

    /// Names the first `rank` axes as `original` does, and leaves the others to be given free letters.
    pub(super) fn rename_like(&mut self, original: &Descriptor, rank: usize) {
        let letters = Draft::empty(original);
        (self.anonymous, self.used) = (letters.anonymous, letters.used);
        for a in 0..self.rank {
            self.axes[a].letter = if a < rank { original.axis_char(a) as u8 } else { 0 };
        }
    }

    /// States the letters of the axes, whatever the original's were.
    pub(super) fn name(&mut self, axis: usize, letter: u8) {
        self.anonymous = false;
        self.axes[axis].letter = letter;
    }
}

/// A letter as a bit; 0 for what is none.
const fn bit(letter: u8) -> u32 {
    if letter.is_ascii_lowercase() { 1 << (letter - b'a') } else { 0 }
}
