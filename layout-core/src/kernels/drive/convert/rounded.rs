//! The last step of rows that round as the caller says: numbers go through f32 or f64 in a buffer, where they are rounded to
//! numbers that the destination has, so that its own loop changes none of them. Called by `rows` and `steps`; nothing here runs by default.

use core::mem::MaybeUninit;

use super::super::super::convert::{Format, Number, Rounder, Rounding, chance};
use super::super::super::cpu::Token;
use super::super::super::epilogue::{Affine, Epilogue, Rounded};
use super::super::super::generic::{self, step, step_mut};
use super::super::Rows;
use super::rows::Place;
use super::steps::{BETWEEN, Old, Steps, one};
use super::table::{Line, WIDTH};
use super::{Conversion, smaller};

/// Numbers that are rounded at a time: few, because this is called from within all other steps, which have buffers of their own.
const MANY: usize = 128;

/// What is done in place of the last step, or of the only one.
#[derive(Clone, Copy)]
pub(super) struct Last<'a> {
    rounding: Rounding,
    /// The positions of the elements of a row, for rounding by chance.
    line: Option<&'a Line<'a>>,
    token: Token,
    /// The type of what is rounded, and that of the destination.
    from: Format,
    to: Format,
    /// Whether the source has the former.
    is_source: bool,
}

impl<'a> Steps<'a> {
    /// The steps from `src` to `dst` of which the last rounds as `rounded` says.
    #[inline(never)]
    pub(super) fn rounded(
        token: Token,
        [src, dst]: [Format; 2],
        epilogue: &Epilogue,
        rounded: &Rounded,
    ) -> Steps<'a> {
        // What f32 does not hold is rounded once, unless there is arithmetic before, which is in f32.
        let is_wide = matches!(src, Format::F64 | Format::S32 | Format::F32);
        let from = if epilogue.is_identity() && is_wide { src } else { Format::F32 };
        // There is a loop from and to f32 for every type.
        let to_f32 = |format| one(token, format, Format::F32, true).unwrap_or(generic::F32_TO_F32);
        let old = (epilogue.beta != 0.0).then(|| (Old::Apart(to_f32(dst)), epilogue.beta));
        let is_source = from as u8 == src as u8;
        let last = Last { rounding: rounded.how, line: None, token, from, to: dst, is_source };
        let second = Some(generic::F32_TO_F32);
        Steps {
            old,
            first: to_f32(src),
            second,
            both: None,
            last: Some(last),
            src: src.bytes(),
            dst: dst.bytes(),
        }
    }
}

impl Last<'_> {
    /// Whether it takes the elements of the source as they are.
    pub(super) fn is_only(&self, affine: Option<&Affine>) -> bool {
        affine.is_none() && self.is_source
    }

    /// Rounds the numbers of `job`, to which it applies `affine` before.
    ///
    /// # Safety
    /// That of [`ConvertRows`](super::super::ConvertRows).
    pub(super) unsafe fn run(&self, job: &Rows, affine: Option<&Affine>) {
        if self.from == Format::F32 && self.to != Format::S32 {
            // SAFETY: the caller's promise; f32 holds all numbers of the other types.
            unsafe { self.run_in::<f32>(job, affine) };
        } else {
            // SAFETY: the caller's promise.
            unsafe { self.run_in::<f64>(job, affine) };
        }
    }

    /// The same, by way of numbers `T`.
    ///
    /// # Safety
    /// That of [`Last::run`]; `T` holds the numbers of both types.
    #[inline(never)]
    unsafe fn run_in<T: Between>(&self, job: &Rows, affine: Option<&Affine>) {
        let mut numbers = [MaybeUninit::<T>::uninit(); MANY];
        let rounder = Rounder::new(self.rounding, self.to);
        let narrow = one(self.token, T::FORMAT, self.to, false);
        job.each_part::<MANY>([self.from.bytes(), self.to.bytes()], |[x, y], part| {
            let pitch = (part.valid * size_of::<T>()) as isize;
            let wide = numbers.as_mut_ptr().cast::<u8>();
            let widened =
                Rows { dst: wide, dst_y: pitch, len: part.valid, stream: false, claims: false, ..part };
            let affine = affine.map(|affine| affine.skip(x, y));
            // SAFETY: these elements lie in the job, and the buffer has room for them.
            unsafe { self.widen::<T>(&widened, affine.as_ref()) };
            let len = part.valid * part.count;
            // SAFETY: so many were just written.
            let numbers = unsafe { core::slice::from_raw_parts_mut(wide.cast::<T>(), len) };
            match (self.rounding, self.line) {
                (Rounding::Stochastic { seed }, Some(line)) => {
                    let mut thresholds = [0.0; MANY];
                    line.each_run(x, numbers.len(), |range, first, step| {
                        draw(self.token, &mut thresholds[range], seed, first as u64, step as u64);
                    });
                    T::round_by(self.token, &rounder, numbers, &thresholds);
                }
                _ => T::round_all(self.token, &rounder, numbers),
            }
            if let Some(narrow) = narrow {
                // SAFETY: what is read was just written; the destination lies in the job.
                unsafe { narrow(&Rows { src: wide, src_y: pitch, ..part }, None) };
            }
        });
    }

    /// Converts the rows of `job` to `T`, without a loss.
    ///
    /// # Safety
    /// As [`Last::run_in`]; there is room for [`MANY`] elements at most.
    unsafe fn widen<T: Between>(&self, job: &Rows, affine: Option<&Affine>) {
        let mut scaled = [MaybeUninit::<f32>::uninit(); MANY];
        let mut job = *job;
        if affine.is_some() {
            let scaled = scaled.as_mut_ptr().cast::<u8>();
            let pitch = (job.valid * size_of::<f32>()) as isize;
            // SAFETY: the caller's promise; the buffer has room for as many.
            unsafe { generic::F32_TO_F32(&Rows { dst: scaled, dst_y: pitch, ..job }, affine) };
            (job.src, job.src_y) = (scaled, pitch);
        }
        if self.from == T::FORMAT {
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                // SAFETY: the caller's promise.
                unsafe { core::ptr::copy_nonoverlapping(src, dst, job.valid * size_of::<T>()) };
            }
        } else if let Some(widen) = one(self.token, self.from, T::FORMAT, false) {
            // SAFETY: the caller's promise.
            unsafe { widen(&job, None) };
        }
    }
}

impl Conversion<'_> {
    /// Converts the rows of `job`, as [`Conversion::rows`] does, and rounds as `rounded` says.
    ///
    /// # Safety
    /// As [`Conversion::rows`]; `valid` is not 0.
    #[inline(never)]
    pub(super) unsafe fn rounded(&self, job: &Rows, place: &Place, epilogue: &Epilogue, rounded: &Rounded) {
        let Some(position) = &rounded.position else {
            // SAFETY: the caller's promise.
            return unsafe { self.one_way(job, place, epilogue) };
        };
        // All steps take as many at once: positions count from the first of them.
        const { assert!(WIDTH <= BETWEEN) };
        // A part of a row at a time, with whole turns of z or a part of one.
        let Place { inner, data, .. } = *place;
        let turns = WIDTH / inner * inner;
        for y in 0..job.count {
            let row = place.at_row(y);
            let mut x = 0;
            while x < job.valid {
                let (turn, within) = (x / inner, x % inner);
                let room = if turns > 0 { turns } else { smaller(WIDTH, inner - within) };
                let valid = smaller(room, job.valid - x);
                let mut place = row;
                place.first[place.after as usize] += turn;
                if turns == 0 {
                    place.first[place.along as usize] += within;
                    (place.inner, place.data) = (valid, smaller(data.saturating_sub(within), valid));
                }
                let part = Rows {
                    src: step(job.src, y, job.src_y).wrapping_add(x * self.src),
                    dst: step_mut(job.dst, y, job.dst_y).wrapping_add(x * self.dst),
                    valid,
                    len: if x + valid == job.valid { job.len - x } else { valid },
                    count: 1,
                    ..*job
                };
                let line = Line::new(Some(position), &place, valid);
                let last = self.steps.last.map(|last| Last { line: Some(&line), ..last });
                let conversion = Conversion { steps: Steps { last, ..self.steps }, ..*self };
                // SAFETY: the caller's promise, for a part of a row.
                unsafe { conversion.one_way(&part, &place, epilogue) };
                x += valid;
            }
        }
    }

    /// Converts the rows of `job`, whose elements are all rounded the same way, or have their positions in the steps.
    ///
    /// # Safety
    /// As [`Conversion::rounded`].
    unsafe fn one_way(&self, job: &Rows, place: &Place, epilogue: &Epilogue) {
        match self.common {
            // SAFETY: the caller's promise.
            _ if epilogue.parameters.iter().all(Option::is_none) => unsafe { self.alike(job, None) },
            // SAFETY: as above.
            Some(common) if place.data == place.inner => unsafe { self.alike(job, Some(common)) },
            // SAFETY: as above.
            _ => unsafe { self.scaled(job, place, epilogue) },
        }
    }
}

/// A type of the numbers that are rounded.
trait Between: Number {
    fn round_all(token: Token, rounder: &Rounder, numbers: &mut [Self]);
    fn round_by(token: Token, rounder: &Rounder, numbers: &mut [Self], thresholds: &[f64]);
}

/// A function around `$body` for each family, compiled with the instructions that a token proves.
macro_rules! for_families {
    ($name:ident($($argument:ident: $type:ty),*) $body:block) => {
        fn $name(token: Token, $($argument: $type),*) {
            #[inline(always)]
            fn plain($($argument: $type),*) $body
            match token {
                #[cfg(target_arch = "x86_64")]
                Token::Avx512(_) => {
                    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
                    fn wide($($argument: $type),*) {
                        plain($($argument),*);
                    }
                    // SAFETY: the token proves the features.
                    unsafe { wide($($argument),*) }
                }
                #[cfg(target_arch = "x86_64")]
                Token::Avx2(_) => {
                    #[target_feature(enable = "avx2")]
                    fn wide($($argument: $type),*) {
                        plain($($argument),*);
                    }
                    // SAFETY: the token proves the features.
                    unsafe { wide($($argument),*) }
                }
                _ => plain($($argument),*),
            }
        }
    };
}

impl Between for f32 {
    for_families!(round_all(rounder: &Rounder, numbers: &mut [f32]) {
        rounder.round_all(numbers, |number| number as f32);
    });
    for_families!(round_by(rounder: &Rounder, numbers: &mut [f32], thresholds: &[f64]) {
        rounder.round_by(numbers, thresholds, |number| number as f32);
    });
}

impl Between for f64 {
    for_families!(round_all(rounder: &Rounder, numbers: &mut [f64]) {
        rounder.round_all(numbers, |number| number);
    });
    for_families!(round_by(rounder: &Rounder, numbers: &mut [f64], thresholds: &[f64]) {
        rounder.round_by(numbers, thresholds, |number| number);
    });
}

for_families!(draw(thresholds: &mut [f64], seed: u64, first: u64, step: u64) {
    for (i, threshold) in thresholds.iter_mut().enumerate() {
        *threshold = chance(seed, first.wrapping_add((i as u64).wrapping_mul(step)));
    }
});
