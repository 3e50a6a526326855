//! [`Rounding`]: to which of its two neighbours a number goes that the type it is converted to does not have. And [`Grid`], the
//! numbers that a type has, on which rounded numbers lie before they are converted. Called by `drive::convert`.

use super::Format;
use core::fmt;

/// Which of the two neighbours a number becomes that lies between two numbers of the type to which it is converted.
///
/// All but the default round once, from what is converted: from f64 and s32 as well, and behind the [arithmetic of
/// attributes](crate::reorder::Attributes#the-arithmetic), whose steps are rounded to the nearest f32 whatever stands here.
/// What can be converted without a loss is not changed. The result is the same on every processor.
///
/// | too large for the type | result |
/// |---|---|
/// | integers, f4_e2m1, f4_e3m0 | the nearest value (saturated), as always |
/// | rounded away from zero (`NearestAway` from half a place beyond the largest number on) | as by default: infinity, NaN of f8_e4m3 and e8m0 |
/// | rounded toward zero, and `Stochastic` | the largest number; infinity stays what it is by default |
///
/// An e8m0 has no sign: its magnitude is rounded, so that `Down` is `TowardZero`. By default it becomes the power of two not above
/// it, which `NearestEven` stands for there too. To f64 and boolean nothing is rounded.
///
/// ```
/// use layout_core::kernels::convert::Rounding;
/// use layout_core::reorder::convert_slice_with;
///
/// let numbers = [2.5f32, -2.5, 0.3, 1e9];
/// let mut out = [0i8; 4];
/// convert_slice_with(&numbers, &mut out, Rounding::NearestEven)?;
/// assert_eq!(out, [2, -2, 0, 127]);
/// convert_slice_with(&numbers, &mut out, Rounding::NearestAway)?;
/// assert_eq!(out, [3, -3, 0, 127]);
/// convert_slice_with(&numbers, &mut out, Rounding::Up)?;
/// assert_eq!(out, [3, -2, 1, 127]);
/// # Ok::<(), layout_core::reorder::ReorderError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Rounding {
    /// The nearest; of two that are as near, the even one (IEEE 754 `roundTiesToEven`). What all processors do unasked.
    #[default]
    NearestEven,
    /// The nearest; of two that are as near, the one further from zero (`roundTiesToAway`).
    NearestAway,
    /// The one nearer to zero (`roundTowardZero`): the number without the digits that do not fit.
    TowardZero,
    /// The smaller one (`roundTowardNegative`).
    Down,
    /// The larger one (`roundTowardPositive`).
    Up,
    /// Either, by chance: the one further from zero with a probability that is the distance from the other, in places. On
    /// average nothing is lost, which is why it is used for training in small types.
    ///
    /// Chance depends on the seed and the element's position alone, counted in logical order with the last axis fastest; not on
    /// layouts, threads or processor. The number at position `i` is the one numbered `i` (from 0) of SplitMix64 (Steele, Lea and
    /// Flood, "Fast splittable pseudorandom number generators", 2014) begun with `seed`; its upper 32 bits, as a fraction, are
    /// compared with the distance: the element goes further from zero where the distance is larger.
    Stochastic {
        /// The seed. Another one for every step of a training.
        seed: u64,
    },
}

impl Rounding {
    /// A number for each way, whatever its seed: what a plan follows from.
    pub(crate) const fn code(self) -> u64 {
        match self {
            Rounding::NearestEven => 0,
            Rounding::NearestAway => 1,
            Rounding::TowardZero => 2,
            Rounding::Down => 3,
            Rounding::Up => 4,
            Rounding::Stochastic { .. } => 5,
        }
    }

    /// The way of number `code`, with seed 0.
    pub(crate) const fn of_code(code: u8) -> Rounding {
        match code {
            1 => Rounding::NearestAway,
            2 => Rounding::TowardZero,
            3 => Rounding::Down,
            4 => Rounding::Up,
            5 => Rounding::Stochastic { seed: 0 },
            _ => Rounding::NearestEven,
        }
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Rounding::NearestEven => "to nearest even",
            Rounding::NearestAway => "to nearest, ties away from zero",
            Rounding::TowardZero => "toward zero",
            Rounding::Down => "down",
            Rounding::Up => "up",
            Rounding::Stochastic { .. } => "stochastically",
        })
    }
}

/// The magnitudes of a type: those of a power of two lie 2^-`mantissa` of it apart, those below the smallest power as far as those
/// above it.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// The power of two below which magnitudes lie evenly, and one 2^`mantissa` times as small.
    smallest: f64,
    /// 2^-`mantissa`.
    place: f64,
    /// A number beyond all, where it does not matter how far.
    beyond: f64,
    /// The largest number; infinity for integers, which saturate in any case.
    largest: f64,
    /// Whether all powers are taken for `smallest`, as of integers.
    is_even: bool,
    signed: bool,
}

/// 2 to the power of `exponent`, a normal number.
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

impl Grid {
    const fn float(mantissa: i32, smallest: i32, largest: f64) -> Grid {
        let beyond = 4.0 * largest;
        let (smallest, place) = (power(smallest), power(-mantissa));
        Grid { smallest, place, beyond, largest, is_even: false, signed: true }
    }

    /// That of `format`; of f64 and boolean, to which nothing is rounded, some other.
    const fn of(format: Format) -> Grid {
        match format {
            Format::F64 | Format::F32 => Grid::float(23, -126, f32::MAX as f64),
            Format::F16 => Grid::float(10, -14, 65504.0),
            Format::Bf16 => Grid::float(7, -126, 255.0 * power(120)),
            Format::F8E5M2 => Grid::float(2, -14, 57344.0),
            Format::F8E4M3 => Grid::float(3, -6, 448.0),
            Format::F4E2M1 => Grid::float(1, 0, 6.0),
            Format::F4E3M0 => Grid::float(0, -2, 16.0),
            Format::E8M0 => Grid { signed: false, ..Grid::float(0, -127, power(127)) },
            Format::S32 | Format::S8 | Format::U8 | Format::Boolean => {
                let (beyond, largest) = (power(34), f64::INFINITY);
                Grid { smallest: 1.0, place: 1.0, beyond, largest, is_even: true, signed: true }
            }
        }
    }
}

/// How numbers are rounded to a type: [`Rounding`] as two numbers for each sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounder {
    grid: Grid,
    /// A magnitude goes up where it is further from its lower neighbour than this, in places; of positive and negative numbers.
    threshold: [f64; 2],
    /// What a finite magnitude becomes at most.
    most: [f64; 2],
}

impl Rounder {
    /// To the numbers of `format`.
    pub(crate) fn new(rounding: Rounding, format: Format) -> Rounder {
        /// The number before a half: at a half and above it, a magnitude goes up.
        const NEARLY_HALF: f64 = 0.5 - f64::EPSILON / 4.0;
        /// Above every distance from the lower neighbour, and below all but none.
        const NEVER: f64 = 1.0;
        const ALWAYS: f64 = 0.0;
        let grid = Grid::of(format);
        let [positive, negative] = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => [NEARLY_HALF; 2],
            Rounding::TowardZero | Rounding::Stochastic { .. } => [NEVER; 2],
            Rounding::Down => [NEVER, ALWAYS],
            Rounding::Up => [ALWAYS, NEVER],
        };
        let threshold = [positive, if grid.signed { negative } else { positive }];
        let most = threshold.map(|one| if one == NEVER { grid.largest } else { f64::INFINITY });
        Rounder { grid, threshold, most }
    }

    /// `value` as one of the numbers of the grid, or as some number beyond them; up where it is further from its lower
    /// neighbour than `threshold`. NaN and infinity stay.
    #[inline(always)]
    fn round(&self, value: f64, threshold: f64, most: f64) -> f64 {
        const SIGN: u64 = 1 << 63;
        const EXPONENT: u64 = 0x7FF << 52;
        /// Its last place is 1: a number added to it is rounded to an integer.
        const SHIFT: f64 = 4_503_599_627_370_496.0;
        let grid = &self.grid;
        let bits = value.to_bits();
        let magnitude = f64::from_bits(bits & !SIGN);
        let near = if magnitude > grid.beyond { grid.beyond } else { magnitude };
        let power = f64::from_bits(near.to_bits() & EXPONENT);
        let power = if grid.is_even || power < grid.smallest { grid.smallest } else { power };
        let unit = power * grid.place;
        // A power of two, as its reciprocal is: exponents add up to twice the bias.
        let inverse = f64::from_bits((2046u64 << 52).wrapping_sub(unit.to_bits()));
        let places = near * inverse;
        let nearest = (places + SHIFT) - SHIFT;
        let lower = if nearest > places { nearest - 1.0 } else { nearest };
        let up = if places - lower > threshold { 1.0 } else { 0.0 };
        let rounded = (lower + up) * unit;
        let rounded = if rounded > most { most } else { rounded };
        let rounded = if magnitude < f64::INFINITY { rounded } else { magnitude };
        f64::from_bits(rounded.to_bits() | bits & SIGN)
    }

    /// Rounds every number.
    #[inline(always)]
    pub(crate) fn round_all<T: Copy + Into<f64>>(&self, numbers: &mut [T], narrow: impl Fn(f64) -> T) {
        for number in numbers {
            let wide: f64 = (*number).into();
            let side =
                |[positive, negative]: [f64; 2]| if wide.is_sign_negative() { negative } else { positive };
            *number = narrow(self.round(wide, side(self.threshold), side(self.most)));
        }
    }

    /// Rounds every number by the threshold that stands beside it.
    #[inline(always)]
    pub(crate) fn round_by<T: Copy + Into<f64>>(
        &self,
        numbers: &mut [T],
        thresholds: &[f64],
        narrow: impl Fn(f64) -> T,
    ) {
        for (number, &threshold) in numbers.iter_mut().zip(thresholds) {
            *number = narrow(self.round((*number).into(), threshold, self.grid.largest));
        }
    }
}

/// The threshold of the element at `position`: a fraction of 32 bits.
#[inline(always)]
pub(crate) fn chance(seed: u64, position: u64) -> f64 {
    let state = seed.wrapping_add(position.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let state = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let state = (state ^ state >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    let bits = (state ^ state >> 31) >> 32;
    bits as f64 * (1.0 / 4_294_967_296.0)
}
