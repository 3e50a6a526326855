//! NEON: 16-byte vectors. The token is the proof that the processor has them, so that the only thing left to the callers
//! is memory.

mod convert;
mod memory;
mod narrow;
mod run;
mod transpose;
mod woven;
mod zip;

use super::super::convert::Format;
use super::super::cpu::Neon;
use super::super::drive::{self, ConvertRows, Grid, Pixels, Rows, Simd, Strips, Woven};
use super::super::parts::prefetch_second;
use super::super::tile::Tile;

drive::copy_entry! { "neon", Neon }

/// The loop that converts rows from `src` to `dst`, where this family has one of its own; with parameters, if `scaled`.
#[inline(always)]
pub(in super::super) fn convert_rows(
    _token: Neon,
    src: Format,
    dst: Format,
    scaled: bool,
) -> Option<ConvertRows> {
    convert::loop_between(src, dst, scaled)
}

// SAFETY of all calls: the token proves that the processor has the target features; what the callee asks of memory is
// what the trait's method asks of its caller.
impl Simd for Neon {
    const REGISTER: usize = 16;

    #[inline(always)]
    unsafe fn column<const B: usize>(self, job: &Strips, ahead: isize) {
        match B {
            // SAFETY: see above.
            1 => unsafe { transpose::column::<B, 16>(job, ahead) },
            // SAFETY: see above.
            2 => unsafe { transpose::column::<B, 8>(job, ahead) },
            // SAFETY: see above.
            4 => unsafe { transpose::column::<B, 4>(job, ahead) },
            // SAFETY: see above.
            8 => unsafe { transpose::column::<B, 2>(job, ahead) },
            // SAFETY: see above.
            _ => unsafe { transpose::column::<B, 1>(job, ahead) },
        }
    }

    #[inline(always)]
    unsafe fn columns<const B: usize>(self, job: &Strips, aside: usize) {
        match B {
            // SAFETY: see above.
            1 => unsafe { transpose::columns::<B, 16>(job, aside) },
            // SAFETY: see above.
            2 => unsafe { transpose::columns::<B, 8>(job, aside) },
            // SAFETY: see above; there are no others.
            _ => unsafe { transpose::columns::<B, 4>(job, aside) },
        }
    }

    #[inline(always)]
    unsafe fn weave<const B: usize>(self, job: &Woven) -> bool {
        // Miri knows no lookups in four registers.
        if cfg!(miri) || !job.is_full::<B>() {
            return false;
        }
        for i in 0..job.src_blocks.len() {
            let job = job.block(i);
            match B {
                // SAFETY: see above; the job is one full block.
                1 => unsafe { woven::weave::<1>(&job) },
                // SAFETY: see above; the job is one full block.
                _ => unsafe { woven::weave::<2>(&job) },
            }
        }
        true
    }

    #[inline(always)]
    unsafe fn unweave<const B: usize>(self, job: &Woven) -> bool {
        // Miri knows no lookups in four registers.
        if cfg!(miri) || !job.is_full::<B>() {
            return false;
        }
        for i in 0..job.src_blocks.len() {
            let job = job.block(i);
            match B {
                // SAFETY: see above; the job is one full block.
                1 => unsafe { woven::unweave::<1>(&job) },
                // SAFETY: see above; the job is one full block.
                _ => unsafe { woven::unweave::<2>(&job) },
            }
        }
        true
    }

    #[inline(always)]
    unsafe fn narrow_column<const B: usize, const W: usize>(self, job: &Strips) {
        match B {
            // SAFETY: see above.
            1 => unsafe { transpose::narrow_column::<B, 16, W>(job) },
            // SAFETY: see above.
            2 => unsafe { transpose::narrow_column::<B, 8, W>(job) },
            // SAFETY: see above.
            4 => unsafe { transpose::narrow_column::<B, 4, W>(job) },
            // SAFETY: see above.
            8 => unsafe { transpose::narrow_column::<B, 2, W>(job) },
            // SAFETY: see above.
            _ => unsafe { transpose::narrow_column::<B, 1, W>(job) },
        }
    }

    #[inline(always)]
    unsafe fn edge<const B: usize>(self, job: &Strips) {
        match B {
            // SAFETY: see above.
            1 => unsafe { transpose::edge::<B, 16>(job) },
            // SAFETY: see above.
            2 => unsafe { transpose::edge::<B, 8>(job) },
            // SAFETY: see above.
            4 => unsafe { transpose::edge::<B, 4>(job) },
            // SAFETY: see above.
            8 => unsafe { transpose::edge::<B, 2>(job) },
            // SAFETY: see above.
            _ => unsafe { transpose::edge::<B, 1>(job) },
        }
    }

    #[inline(always)]
    unsafe fn tabled<const B: usize>(self, job: &Strips) {
        match B {
            // SAFETY: see above.
            1 => unsafe { transpose::tabled64::<B, 16>(job) },
            // SAFETY: see above.
            2 => unsafe { transpose::tabled64::<B, 8>(job) },
            // SAFETY: see above.
            4 => unsafe { transpose::tabled64::<B, 4>(job) },
            // SAFETY: see above.
            8 => unsafe { transpose::tabled64::<B, 2>(job) },
            // SAFETY: see above.
            _ => unsafe { transpose::tabled64::<B, 1>(job) },
        }
    }

    #[inline(always)]
    unsafe fn rows(self, job: &Rows) {
        // SAFETY: see above.
        unsafe { run::rows(job) }
    }

    #[inline(always)]
    unsafe fn ordered(self, job: &Grid) {
        // SAFETY: see above.
        unsafe { run::ordered(self, job) }
    }

    #[inline(always)]
    fn fetch(self, src: *const u8) {
        prefetch_second(src);
    }

    #[inline(always)]
    unsafe fn pixels<const B: usize, const N: usize>(self, job: &Pixels) {
        // SAFETY: see above.
        unsafe { narrow::pixels::<B, N>(job) }
    }

    #[inline(always)]
    unsafe fn planes<const B: usize, const N: usize>(self, job: &Pixels) {
        // SAFETY: see above.
        unsafe { narrow::planes::<B, N>(job) }
    }
}
