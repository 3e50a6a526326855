//! SSE4.1: 16-byte vectors. The portable loops convert, for which the compiler uses SSE2. The token is the proof that the processor has
//! them, so that the only thing left to the callers is memory.

mod memory;
mod narrow;
mod run;
mod transpose;
mod woven;

use super::super::cpu::Sse41;
use super::super::drive::{self, Grid, Pixels, Rows, Simd, Strips, Woven};
use super::super::parts::prefetch_far;
use super::super::tile::Tile;
use super::parts::bytes::stream_piece;
use super::parts::lines::apart::pack_apart;
use super::parts::woven::woven_methods;

drive::copy_entry! { "sse4.1", Sse41 }

// SAFETY of all calls: the token proves that the processor has the target features; what the callee asks of memory is
// what the trait's method asks of its caller.
impl Simd for Sse41 {
    const REGISTER: usize = 16;
    const FEW: usize = 16;

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
    unsafe fn dense<const B: usize>(self, job: &Strips) -> bool {
        // SAFETY: the caller's promise.
        unsafe { narrow::from_few_planes::<B>(job) }
    }

    #[inline(always)]
    unsafe fn sparse<const B: usize>(self, job: &Strips) -> bool {
        // SAFETY: the caller's promise.
        unsafe { narrow::from_few_planes::<B>(job) }
    }

    #[inline(always)]
    unsafe fn few<const B: usize>(self, job: &Strips) -> bool {
        if B > 4 || job.width * B < Self::FEW {
            return false;
        }
        // SAFETY: the caller's promise.
        if unsafe { narrow::to_few_planes::<B>(job) } {
            return true;
        }
        // SAFETY: see above; its sizes were just looked at.
        unsafe { narrow::few::<B>(job) };
        true
    }

    woven_methods! {}

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
    unsafe fn pack(self, job: &Rows) -> usize {
        // SAFETY: see above.
        unsafe { pack_apart(job) }
    }

    #[inline(always)]
    unsafe fn stream<const W: usize>(self, src: *const u8, dst: *mut u8) {
        // SAFETY: see above.
        unsafe { stream_piece::<W>(src, dst) }
    }

    #[inline(always)]
    fn fetch(self, src: *const u8) {
        prefetch_far(src);
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
