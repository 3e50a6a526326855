//! Which loops take rows from one type to another. Called by `rows` with the parameters of a job, if it has any.
//!
//! Every family has a loop for each pair of which one type is f32, and this loop takes parameters; vector families have some
//! more, those of x86-64 for all usual types. The other pairs go through f32 in a buffer, which is exact because f32 holds every
//! number of 16 bits and less, and an s32 as far as f16 and most smaller types can tell. Where it is not, the portable family has
//! a loop: out of f64, and from s32 to f64, bf16 and e8m0.
//! Parameters are applied in f32 whatever the types, so that with them the first step rounds to f32.
//!
//! Where a result is added to what the destination holds, and the family has no loop for that, that goes through f32 in a buffer
//! of its own, and is what the first step adds at last; the parameters that belong behind the sum go to the second step.

use core::mem::MaybeUninit;

#[cfg(target_arch = "aarch64")]
use super::super::super::aarch64;
use super::super::super::convert::Format;
use super::super::super::cpu::Token;
use super::super::super::epilogue::{Affine, Epilogue, LANES};
use super::super::super::generic::{self, step, step_mut};
#[cfg(target_arch = "x86_64")]
use super::super::super::x86_64;
use super::super::{AddRows, ConvertRows, Rows};
use super::rounded::Last;
use super::{larger, smaller};

/// Numbers of the buffer between two steps.
pub(super) const BETWEEN: usize = 512;

/// Numbers of the buffer of a loop that has two steps of its own. It may run between two others, which leave little stack.
const INSIDE: usize = 128;

/// Elements of a row that one loop for both steps takes less time for: shorter ones end with parts of registers.
const LONG: usize = 4 * LANES;

/// One loop, or two with f32 between them. Parameters belong to the first.
#[derive(Clone, Copy)]
pub(super) struct Steps<'a> {
    /// How results are added to what the destination holds, and the factor of that, where they are.
    pub(super) old: Option<(Old, f32)>,
    pub(super) first: ConvertRows,
    pub(super) second: Option<ConvertRows>,
    /// What stands for both where rows are long.
    pub(super) both: Option<ConvertRows>,
    /// What stands for the second step where that rounds in a way of its own.
    pub(super) last: Option<Last<'a>>,
    /// Bytes of an element of the source and of the destination.
    pub(super) src: usize,
    pub(super) dst: usize,
}

/// How results are added to what the destination holds.
#[derive(Clone, Copy)]
pub(super) enum Old {
    /// By a loop that does all of it.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone has such loops so far"))]
    InPlace(AddRows),
    /// By way of f32 in a buffer, to which this loop converts it.
    Apart(ConvertRows),
}

impl<'a> Steps<'a> {
    /// The steps from `src` to `dst`, with an epilogue if there is one.
    #[inline]
    pub(super) fn new(token: Token, src: Format, dst: Format, epilogue: Option<&Epilogue>) -> Steps<'a> {
        if let Some(epilogue) = epilogue
            && let Some(rounded) = &epilogue.rounding
        {
            return Steps::rounded(token, [src, dst], epilogue, rounded);
        }
        let scaled = epilogue.is_some();
        let one = |src, dst| one(token, src, dst, scaled);
        let beta = epilogue.map_or(0.0, |epilogue| epilogue.beta);
        if beta != 0.0 {
            let (src_bytes, dst_bytes) = (src.bytes(), dst.bytes());
            if let Some(add) = adds(token, src, dst) {
                let old = Some((Old::InPlace(add), beta));
                let first = generic::F32_TO_F32;
                return Steps {
                    old,
                    first,
                    second: None,
                    both: None,
                    last: None,
                    src: src_bytes,
                    dst: dst_bytes,
                };
            }
            // There is a loop from and to f32 for every type.
            let from = |format| one(format, Format::F32).unwrap_or(generic::F32_TO_F32);
            let second = one(Format::F32, dst).unwrap_or(generic::F32_TO_F32);
            let (first, old) = (from(src), Some((Old::Apart(from(dst)), beta)));
            return Steps {
                old,
                first,
                second: Some(second),
                both: None,
                last: None,
                src: src_bytes,
                dst: dst_bytes,
            };
        }
        let through_f32 = scaled && !matches!(src, Format::F32) && !matches!(dst, Format::F32);
        let direct = if through_f32 { own(token, src, dst, true) } else { one(src, dst) };
        let (first, second) = match direct {
            Some(loop_) => (Some(loop_), None),
            None => (one(src, Format::F32), one(Format::F32, dst)),
        };
        // There is a loop from and to f32 for every type.
        let first = first.unwrap_or(generic::F32_TO_F32);
        let both = if through_f32 && second.is_some() { scales(token, src, dst) } else { None };
        Steps { old: None, first, second, both, last: None, src: src.bytes(), dst: dst.bytes() }
    }

    /// Whether results are rounded otherwise than to nearest even.
    pub(super) const fn rounds(&self) -> bool {
        self.last.is_some()
    }

    /// Whether what the destination holds goes through a buffer.
    pub(super) const fn adds_apart(&self) -> bool {
        matches!(self.old, Some((Old::Apart(_), _)))
    }

    /// Whether the destination is read.
    pub(super) const fn accumulates(&self) -> bool {
        self.old.is_some()
    }

    /// Converts the rows of `job`, with the parameters of `affine`.
    ///
    /// # Safety
    /// That of [`ConvertRows`]; the valid elements of the destination can be read where it is.
    pub(super) unsafe fn run(&self, job: &Rows, affine: Option<&Affine>) {
        if let Some((Old::InPlace(add), beta)) = self.old {
            // SAFETY: the caller's promise.
            unsafe { add(job, affine, beta) };
            return;
        }
        let Some(second) = self.second else {
            // SAFETY: the caller's promise.
            unsafe { (self.first)(job, affine) };
            return;
        };
        if let Some((Old::Apart(old), beta)) = self.old {
            // SAFETY: the caller's promise.
            unsafe { self.add(job, affine, (old, beta), second) };
            return;
        }
        if let Some(last) = self.last.as_ref().filter(|last| last.is_only(affine)) {
            // SAFETY: the caller's promise.
            unsafe { last.run(job, None) };
            return;
        }
        if let Some(both) = self.both.filter(|_| job.count == 1 || job.valid >= LONG) {
            // SAFETY: the caller's promise.
            unsafe { both(job, affine) };
            return;
        }
        let mut between = [MaybeUninit::<f32>::uninit(); BETWEEN];
        let between = between.as_mut_ptr().cast::<u8>();
        job.each_part::<BETWEEN>([self.src, self.dst], |[x, y], part| {
            let pitch = (part.valid * size_of::<f32>()) as isize;
            let affine = affine.map(|affine| affine.skip(x, y));
            let widened =
                Rows { dst: between, dst_y: pitch, len: part.valid, stream: false, claims: false, ..part };
            // SAFETY: these elements lie in the job, and the buffer has room for them.
            unsafe { (self.first)(&widened, affine.as_ref()) };
            // SAFETY: what is read was just written; the destination lies in the job.
            unsafe { self.finish(second, &Rows { src: between, src_y: pitch, ..part }, None) };
        });
    }
}

impl Rows {
    /// Calls `f` for parts of `N` elements at most, of these bytes on the two sides, with where each begins: as many whole rows
    /// as there is room for, or parts of one after the other.
    #[inline(always)]
    pub(super) fn each_part<const N: usize>(
        &self,
        [src, dst]: [usize; 2],
        mut f: impl FnMut([usize; 2], Rows),
    ) {
        let height = match self.valid {
            0 => self.count,
            valid => larger(1, N / valid),
        };
        let mut y = 0;
        while y < self.count {
            let count = smaller(self.count - y, height);
            let mut x = 0;
            loop {
                let valid = smaller(self.valid - x, N);
                let len = if x + valid == self.valid { self.len - x } else { valid };
                let src = step(self.src, y, self.src_y).wrapping_add(x * src);
                let dst = step_mut(self.dst, y, self.dst_y).wrapping_add(x * dst);
                f([x, y], Rows { src, dst, valid, len, count, ..*self });
                x += valid;
                if x == self.valid {
                    break;
                }
            }
            y += count;
        }
    }
}

impl Steps<'_> {
    /// The second step, or what stands for it.
    ///
    /// # Safety
    /// That of [`ConvertRows`].
    #[inline(always)]
    unsafe fn finish(&self, second: ConvertRows, job: &Rows, affine: Option<&Affine>) {
        match &self.last {
            // SAFETY: the caller's promise.
            None => unsafe { second(job, affine) },
            // SAFETY: the caller's promise.
            Some(last) => unsafe { last.run(job, affine) },
        }
    }

    /// Converts the rows of `job` with `first`, adds what `old.0` reads from the destination, times `old.1`, and writes that with
    /// `second`, a part of the rows after the other.
    ///
    /// # Safety
    /// As [`Steps::run`].
    #[inline(never)]
    unsafe fn add(&self, job: &Rows, affine: Option<&Affine>, old: (ConvertRows, f32), second: ConvertRows) {
        let mut olds = [MaybeUninit::<f32>::uninit(); BETWEEN + LANES];
        let mut sums = [MaybeUninit::<f32>::uninit(); BETWEEN];
        let beta = [old.1; LANES];
        let neutral = Affine::neutral();
        let mut times_beta = neutral;
        times_beta.at[1] = beta.as_ptr();
        let times_beta = (old.1 != 1.0).then_some(&times_beta);
        let map = affine.copied().unwrap_or(neutral);
        job.each_part::<BETWEEN>([self.src, self.dst], |[x, y], part| {
            let Rows { dst, valid, len, count, .. } = part;
            let pitch = (valid * size_of::<f32>()) as isize;
            let part = Rows { len: valid, stream: false, claims: false, ..part };
            let to_old =
                Rows { src: dst, src_y: job.dst_y, dst: olds.as_mut_ptr().cast(), dst_y: pitch, ..part };
            // SAFETY: the caller's promise for the destination; the buffer has room for these elements.
            unsafe { (old.0)(&to_old, times_beta) };
            // Registers read further than the last row.
            olds[valid * count..valid * count + LANES].fill(MaybeUninit::new(0.0));
            let mut before = map.skip(x, y);
            let mut behind = neutral;
            for k in [2, 3] {
                (behind.at[k], behind.mask[k], behind.row[k]) = (before.at[k], before.mask[k], before.row[k]);
                (before.at[k], before.mask[k], before.row[k]) = (neutral.at[k], 0, 0);
            }
            (before.at[3], before.mask[3], before.row[3]) = (olds.as_ptr().cast(), usize::MAX, valid);
            let to_sum = Rows { dst: sums.as_mut_ptr().cast(), dst_y: pitch, ..part };
            // SAFETY: these elements lie in the job, and the buffer has room for them.
            unsafe { (self.first)(&to_sum, Some(&before)) };
            let out = Rows { src: sums.as_ptr().cast(), src_y: pitch, len, ..part };
            // SAFETY: what is read was just written; the destination lies in the job.
            unsafe { self.finish(second, &out, affine.map(|_| &behind)) };
        });
    }
}

/// Converts the elements of `job`, of these `bytes` on the two sides, by two loops with f32 between them, each with its map if it
/// has one: for loops whose parameters so few ask for that none is compiled for them.
///
/// # Safety
/// That of [`ConvertRows`], for the loop from the source to f32 and the one from there to the destination.
#[inline(never)]
pub(in super::super::super) unsafe fn by_buffer(
    job: &Rows,
    maps: [Option<&Affine>; 2],
    [first, second]: [ConvertRows; 2],
    bytes: [usize; 2],
) {
    let mut buffer = [MaybeUninit::<f32>::uninit(); INSIDE];
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    job.each_part::<INSIDE>(bytes, |[x, y], part| {
        let [before, behind] = maps.map(|map| map.map(|map| map.skip(x, y)));
        let pitch = (part.valid * size_of::<f32>()) as isize;
        let to = Rows { dst: buffer, dst_y: pitch, len: part.valid, stream: false, claims: false, ..part };
        // SAFETY: these elements lie in the job, and the buffer has room for them.
        unsafe { first(&to, before.as_ref()) };
        // SAFETY: what is read was just written; the destination lies in the job.
        unsafe { second(&Rows { src: buffer, src_y: pitch, ..part }, behind.as_ref()) };
    });
}

/// The loop for the pair, where there is one; `scaled` where it is to take parameters.
#[inline(always)]
pub(super) fn one(token: Token, src: Format, dst: Format, scaled: bool) -> Option<ConvertRows> {
    own(token, src, dst, scaled).or_else(|| generic::convert_rows(src, dst))
}

/// The family's own loop, where it has one for the pair.
#[inline(always)]
fn own(token: Token, src: Format, dst: Format, scaled: bool) -> Option<ConvertRows> {
    match token {
        #[cfg(target_arch = "aarch64")]
        Token::Neon(neon) => aarch64::neon::convert_rows(neon, src, dst, scaled),
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(avx512) => x86_64::avx512::convert_rows(avx512, src, dst, scaled),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(avx2) => x86_64::avx2::convert_rows(avx2, src, dst, scaled),
        _ => {
            let _ = (src, dst, scaled);
            None
        }
    }
}

/// The family's own loop that adds elements of `src` to those of `dst`, where it has one.
#[inline(always)]
fn adds(token: Token, src: Format, dst: Format) -> Option<AddRows> {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(avx512) => x86_64::avx512::add_rows(avx512, src, dst),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(avx2) => x86_64::avx2::add_rows(avx2, src, dst),
        _ => {
            let _ = (src, dst);
            None
        }
    }
}

/// The family's own loop with parameters for long rows, of those pairs that have no other.
#[inline(always)]
fn scales(token: Token, src: Format, dst: Format) -> Option<ConvertRows> {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(avx512) => x86_64::avx512::scale_rows(avx512, src, dst),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(avx2) => x86_64::avx2::scale_rows(avx2, src, dst),
        _ => {
            let _ = (src, dst);
            None
        }
    }
}
