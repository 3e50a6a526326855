//! [`Epilogue`]: what a converting kernel does to a number between its two types, by values that the run gives. Made by
//! `reorder::attributes`, read by `drive::convert`; the loops get it as an [`Affine`].

use super::convert::{Rounding, bf16_to_f32, e8m0_to_f32, f16_to_f32};
use core::cell::Cell;
use core::mem::MaybeUninit;

/// Between load and store a number x becomes ((x - a) * b + beta * old) * c + d, where `old` is the number that the destination
/// had: in f32, every step rounded to the nearest, none fused with the next. The four are [`PARAMETERS`] of it, each one value or
/// one for each index of an axis.
///
/// Padding stays zero.
#[derive(Clone, Debug)]
pub(crate) struct Epilogue {
    /// 0 where the destination is not read.
    pub(crate) beta: f32,
    /// a, b, c and d; what is absent changes no bit.
    pub(crate) parameters: [Option<Parameter>; PARAMETERS],
    /// How the last conversion rounds, where that is not to nearest even.
    pub(crate) rounding: Option<Rounded>,
}

/// A way to round.
#[derive(Clone, Debug)]
pub(crate) struct Rounded {
    pub(crate) how: Rounding,
    /// The positions of elements in logical order, for rounding by chance: places without values.
    pub(crate) position: Option<Parameter>,
}

impl Epilogue {
    /// Whether numbers stay as they are, but for rounding.
    pub(super) fn is_identity(&self) -> bool {
        self.beta == 0.0 && self.parameters.iter().all(Option::is_none)
    }

    /// Everything that is set before each tile.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Parameter> {
        let position = self.rounding.iter().filter_map(|rounded| rounded.position.as_ref());
        self.parameters.iter().flatten().chain(position)
    }

    /// Whether all elements of a tile have the same parameters.
    #[inline]
    pub(super) fn is_common(&self) -> bool {
        self.parameters.iter().flatten().all(|one| one.x == 0 && one.y == 0 && one.z == 0)
    }
}

/// What is subtracted, the two factors, and what is added.
pub(crate) const PARAMETERS: usize = 4;

/// Values that change nothing, not even the sign of a zero: x - 0, x * 1, x * 1 and x + -0.
pub(crate) const NEUTRAL: [f32; PARAMETERS] = [0.0, 1.0, 1.0, -0.0];

/// One of the four, for a tile: the element at (x, y, z) takes value `at + x * self.x + y * self.y + z * self.z`.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) values: Values,
    /// The value of the tile's first element, set before each tile.
    pub(crate) at: Cell<usize>,
    /// Values between two neighbours along the loops of the tile.
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) z: usize,
}

/// Where values are, and how they become the parameter: the f32 nearest to each, or the reciprocal of that, rounded once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values {
    /// Aligned for `format`.
    pub(crate) first: *const u8,
    pub(crate) format: ValueFormat,
    pub(crate) inverse: bool,
}

/// A type of values. An f32 holds all of them but some s32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueFormat {
    F32,
    F16,
    Bf16,
    E8M0,
    S32,
    S8,
    U8,
}

impl Values {
    /// No values: for a parameter that is nothing but a place.
    pub(crate) const NONE: Values =
        Values { first: core::ptr::null(), format: ValueFormat::U8, inverse: false };

    /// Whether the values are parameters as they are.
    pub(super) fn is_plain(self) -> bool {
        matches!(self.format, ValueFormat::F32) && !self.inverse
    }

    /// The parameter of value `at`.
    ///
    /// # Safety
    /// The value can be read.
    #[inline(always)]
    pub(crate) unsafe fn get(self, at: usize) -> f32 {
        let mut lane = [MaybeUninit::uninit()];
        // SAFETY: the caller's promise.
        unsafe { self.write(at, 1, &mut lane) };
        // SAFETY: it was just written.
        unsafe { lane[0].assume_init() }
    }

    /// Writes the parameters of the values `at`, `at + step`, ….
    ///
    /// # Safety
    /// The values can be read.
    pub(crate) unsafe fn write(self, at: usize, step: usize, lanes: &mut [MaybeUninit<f32>]) {
        macro_rules! each {
            ($ty:ty, $to_f32:expr) => {{
                let first = self.first.cast::<$ty>().wrapping_add(at);
                if self.inverse {
                    // SAFETY: the caller's promise.
                    unsafe { write(first, step, lanes, |value| 1.0 / $to_f32(value)) }
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { write(first, step, lanes, $to_f32) }
                }
            }};
        }
        match self.format {
            ValueFormat::F32 => each!(f32, |value| value),
            ValueFormat::F16 => each!(u16, f16_to_f32),
            ValueFormat::Bf16 => each!(u16, bf16_to_f32),
            ValueFormat::E8M0 => each!(u8, e8m0_to_f32),
            ValueFormat::S32 => each!(i32, |value| value as f32),
            ValueFormat::S8 => each!(i8, f32::from),
            ValueFormat::U8 => each!(u8, f32::from),
        }
    }
}

/// Writes what `parameter` makes of every `step`th value.
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn write<T: Copy>(
    first: *const T,
    step: usize,
    lanes: &mut [MaybeUninit<f32>],
    parameter: impl Fn(T) -> f32,
) {
    if step == 1 {
        // SAFETY: the caller's promise.
        let values = unsafe { core::slice::from_raw_parts(first, lanes.len()) };
        for (lane, value) in lanes.iter_mut().zip(values) {
            lane.write(parameter(*value));
        }
        return;
    }
    for (i, lane) in lanes.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        lane.write(parameter(unsafe { first.wrapping_add(i * step).read() }));
    }
}

/// The parameters of the elements of rows, as the loops take them: element x of row y has that at
/// `at + (x & mask) + y * row`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    pub(super) at: [*const f32; PARAMETERS],
    /// All ones where every element has its own value, zero where [`LANES`] equal ones serve all; one less than a power of
    /// two where so many values repeat.
    pub(super) mask: [usize; PARAMETERS],
    /// Values between two rows.
    pub(super) row: [usize; PARAMETERS],
}

/// The steps that the loops of vector families are made for, a bit for each parameter.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "the portable loops take all steps")
)]
mod steps {
    pub(crate) const NONE: u8 = 0;
    pub(crate) const FACTOR: u8 = 1 << 1;
    /// What is added, and the steps that belong behind a sum.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const SHIFT: u8 = 1 << 3;
    #[cfg(target_arch = "x86_64")]
    pub(crate) const SECOND: u8 = 1 << 2 | 1 << 3;
    pub(crate) const SHIFT_FACTOR: u8 = 1 | 1 << 1;
    pub(crate) const FACTOR_SHIFT: u8 = 1 << 1 | 1 << 3;
    pub(crate) const ALL: u8 = 0b1111;
}
#[allow(unused_imports, reason = "the portable loops take all steps")]
pub(super) use steps::{ALL, FACTOR, FACTOR_SHIFT, NONE, SHIFT_FACTOR};
#[cfg(target_arch = "x86_64")]
pub(super) use steps::{SECOND, SHIFT};

/// The values that can be read from the place of each element on: as many as the widest register has.
pub(super) const LANES: usize = 16;

/// [`LANES`] of each of [`NEUTRAL`].
#[repr(align(64))]
struct Neutral([[f32; LANES]; PARAMETERS]);

static UNCHANGED: Neutral =
    Neutral([[NEUTRAL[0]; LANES], [NEUTRAL[1]; LANES], [NEUTRAL[2]; LANES], [NEUTRAL[3]; LANES]]);

impl Affine {
    /// The map that changes nothing.
    pub(super) fn neutral() -> Affine {
        let at = UNCHANGED.0.each_ref().map(|lanes| lanes.as_ptr());
        Affine { at, mask: [0; PARAMETERS], row: [0; PARAMETERS] }
    }

    /// Whether any step changes anything. Not inlined: there are many loops that ask.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    pub(super) fn changes(&self) -> bool {
        self.at != Affine::neutral().at
    }

    /// The steps that change anything, as one of those that loops are made for, and the map with a single factor as the
    /// first of the two.
    #[inline]
    pub(super) fn steps(&self) -> (u8, Affine) {
        let (mut map, neutral) = (*self, Affine::neutral());
        let changes = |k: usize| self.at[k] != neutral.at[k];
        if changes(1) && changes(2) || changes(0) && changes(3) {
            return (ALL, map);
        }
        if changes(2) {
            (map.at[1], map.mask[1], map.row[1]) = (self.at[2], self.mask[2], self.row[2]);
            // Where the loop for all steps has to serve, it takes this one as well.
            (map.at[2], map.mask[2], map.row[2]) = (neutral.at[2], 0, 0);
        }
        let steps = match (changes(0), changes(3)) {
            (true, _) => SHIFT_FACTOR,
            (_, true) => FACTOR_SHIFT,
            _ => FACTOR,
        };
        (steps, map)
    }

    /// [`Affine::steps`], of a map that changes nothing where there is none. Not inlined, as above.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    pub(super) fn steps_of(map: Option<&Affine>) -> (u8, Affine) {
        map.map_or((FACTOR, Affine::neutral()), Affine::steps)
    }

    /// That of the elements from `x` on of the rows from `y` on.
    #[inline(always)]
    pub(super) fn skip(&self, x: usize, y: usize) -> Affine {
        let mut at = self.at;
        for (k, at) in at.iter_mut().enumerate() {
            *at = at.wrapping_add((x & self.mask[k]) + y * self.row[k]);
        }
        Affine { at, ..*self }
    }
}

/// The map itself, for one number: what every family computes, bit for bit.
#[inline(always)]
pub(super) fn affine(x: f32, [a, b, c, d]: [f32; PARAMETERS]) -> f32 {
    ((x - a) * b) * c + d
}
