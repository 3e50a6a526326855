//! AVX-512 (F, BW, VL, DQ, VBMI): 64-byte vectors, masks at the edges. The token is the proof that the processor has
//! them, so that the only thing left to the callers is memory.

mod convert;
mod dense;
mod groups;
mod lines;
mod memory;
mod narrow;
mod nibbles;
mod run;
mod transpose;
mod woven;

pub(in super::super) use convert::{
    add_rows, convert_rows, is_native, native_results, planes_way, scale_rows,
};
pub(in super::super) use dense::gather_lines;
pub(in super::super) use lines::fours::{part as part_fours, spread as spread_fours, weave as weave_fours};
pub(in super::super) use lines::turned::{
    by_rows as nibbles_by_rows, by_rows_native as nibbles_by_rows_native, from_bytes as nibbles_from_bytes,
    pairs as turn_nibbles, to_bytes as nibbles_to_bytes, to_lines as nibbles_to_lines, uneven as turn_uneven,
};
pub(in super::super) use nibbles::{load_nibbles, store_nibbles};

use super::super::convert::{Bf16, F16, Format};
use super::super::cpu::Avx512;
use super::super::drive::{
    self, Carried, CrossedWay, Eights, Grid, Groups, LINE, Nibbles, Order, PartedRows, Pieces, Pixels, Quads,
    Rows, Simd, Strips, Woven,
};
use super::super::epilogue::Affine;
use super::super::parts::prefetch_far;
use super::super::tile::{Joined, Kernel, Step, Tile};
use super::avx2::quads;
use super::parts::lines::line_methods;
use super::parts::maker;
use super::parts::woven::woven_methods;

drive::copy_entry! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", Avx512 }

/// Moves rows of a block and a part of one.
///
/// # Safety
/// That of [`super::super::JoinRows`]; the processor has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn join_rows(job: &Joined) {
    // SAFETY: the caller's promise.
    unsafe { lines::joined::join_rows(job) }
}

/// How tiles are converted and transposed in registers, where this family has a way.
#[inline(always)]
pub(in super::super) fn crossed_way(
    token: Avx512,
    src: Format,
    dst: Format,
    x: [usize; 2],
    dense: bool,
) -> Option<CrossedWay> {
    convert::crossed_way(token, src, dst, x, dense)
}

/// The kernel for tiles of short rows with padding, where this family has one.
#[inline(always)]
pub(in super::super) const fn padded_tile(_token: Avx512, src: Format, dst: Format) -> Option<Kernel> {
    convert::padded_tile(src, dst)
}

/// How rows in parts are converted, where this family has a way.
#[inline(always)]
pub(in super::super) fn parted_rows(
    token: Avx512,
    src: Format,
    dst: Format,
    parts: usize,
) -> Option<PartedRows> {
    match (src, dst) {
        (Format::F32, Format::Bf16) if token.has_bf16() => convert::native_parted_rows(parts),
        _ => convert::parted_rows(src, dst, parts),
    }
}

/// `name results: type`: converts rows of elements of 4 bits to that type.
macro_rules! nibbles_to {
    ($($name:ident $results:ident: $to:ty;)*) => {$(
        /// The results of 16 numbers for each of `count` rows.
        ///
        /// # Safety
        /// That of [`convert::results_of`]; the processor has the features.
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        pub(in super::super) unsafe fn $results(
            numbers: &[f32; 16],
            map: Option<&Affine>,
            count: usize,
            to: *mut u8,
        ) {
            // SAFETY: the caller's promise.
            unsafe { convert::results_of::<$to>(numbers, map, count, to) }
        }

        /// Converts rows of elements of 4 bits, with an affine map if there is one.
        ///
        /// # Safety
        /// That of [`convert::nibbles`]; the processor has the features.
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        pub(in super::super) unsafe fn $name(job: &Nibbles<'_>, map: Option<&Affine>) {
            // SAFETY: the caller's promise.
            unsafe { convert::nibbles::<$to>(job, map) }
        }
    )*};
}
nibbles_to! {
    nibbles_to_f32 results_of_f32: f32;
    nibbles_to_f16 results_of_f16: F16;
    nibbles_to_bf16 results_of_bf16: Bf16;
}

/// Converts rows of 8 bits by a table of results of `W` bytes.
///
/// # Safety
/// That of [`convert::look_up`]; the processor has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn look_up<const W: usize>(job: &Rows, table: *const u8) {
    // SAFETY: the caller's promise.
    unsafe { convert::look_up::<W>(job, table) }
}

// SAFETY of all calls: the token proves that the processor has the target features; what the callee asks of memory is
// what the trait's method asks of its caller.
impl Simd for Avx512 {
    const REGISTER: usize = 64;

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
    unsafe fn near_column<const B: usize>(self, job: &Strips) {
        match B {
            // SAFETY: see above.
            1 => unsafe { transpose::near_column::<B, 16>(job) },
            // SAFETY: see above.
            2 => unsafe { transpose::near_column::<B, 8>(job) },
            // SAFETY: see above.
            4 => unsafe { transpose::near_column::<B, 4>(job) },
            // SAFETY: see above.
            _ => unsafe { self.column::<B>(job, 0) },
        }
    }

    #[inline(always)]
    unsafe fn near_squares<const B: usize>(self, job: &Strips) -> bool {
        match B {
            // SAFETY: see above.
            2 => unsafe { lines::squares::near::<2>(job) },
            // SAFETY: see above.
            4 => unsafe { lines::squares::near::<4>(job) },
            _ => false,
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
        // SAFETY: see above.
        unsafe { dense::any::<B>(job) }
    }

    #[inline(always)]
    unsafe fn repeated<const B: usize>(self, job: &Strips, again: Step) -> bool {
        // SAFETY: see above.
        unsafe { dense::repeated::<B>(job, again) }
    }

    #[inline(always)]
    unsafe fn few<const B: usize>(self, job: &Strips) -> bool {
        match B {
            // SAFETY: see above; its sizes were just looked at.
            1 if dense::takes_few::<1>(job) => unsafe { dense::few::<1>(job) },
            // SAFETY: see above; its sizes were just looked at.
            2 if dense::takes_few::<2>(job) => unsafe { dense::few::<2>(job) },
            // SAFETY: as above.
            4 if job.width * B >= LINE => unsafe { lines::few::few(job) },
            _ => return false,
        }
        true
    }

    #[inline(always)]
    unsafe fn quads<const B: usize>(self, job: &Quads) -> bool {
        // SAFETY: see above.
        unsafe { quads::quads::<B>(job) }
    }

    #[inline(always)]
    unsafe fn eights<const B: usize>(self, job: &Eights) -> bool {
        if B != 4 {
            return false;
        }
        // SAFETY: see above.
        unsafe { dense::eights(job) };
        true
    }

    #[inline(always)]
    fn writes_in_turn(self) -> bool {
        maker::writes_in_turn()
    }

    #[inline(always)]
    unsafe fn squares<const B: usize>(self, job: &Strips, order: Order) -> bool {
        match B {
            // SAFETY: see above.
            2 => unsafe { lines::squares::squares::<2>(job, order) },
            // SAFETY: see above.
            4 => unsafe { lines::squares::squares::<4>(job, order) },
            _ => return false,
        }
        true
    }

    #[inline(always)]
    unsafe fn scattered<const B: usize>(self, job: &Strips) -> bool {
        // SAFETY: see above; the distances of the source are looked at.
        job.even_x && unsafe { dense::scattered::<B>(job) }
    }

    #[inline(always)]
    unsafe fn sparse<const B: usize>(self, job: &Strips) -> bool {
        if B != 4 || job.height * B < LINE {
            return false;
        }
        // SAFETY: see above.
        unsafe { lines::few::sparse(job) };
        true
    }

    #[inline(always)]
    unsafe fn group<const B: usize>(self, job: &Groups) -> bool {
        match B {
            // SAFETY: see above.
            1 => unsafe { groups::group::<1, 4>(job) },
            // SAFETY: see above.
            2 => unsafe { groups::group::<2, 2>(job) },
            _ => return false,
        }
        true
    }

    #[inline(always)]
    unsafe fn ungroup<const B: usize>(self, job: &Groups) -> bool {
        match B {
            // SAFETY: see above.
            1 => unsafe { groups::ungroup::<1, 4>(job) },
            // SAFETY: see above.
            2 => unsafe { groups::ungroup::<2, 2>(job) },
            _ => return false,
        }
        true
    }

    woven_methods! {}

    #[inline(always)]
    unsafe fn tabled<const B: usize>(self, job: &Strips) {
        match B {
            // SAFETY: see above; the distances of the source were just looked at.
            2 if job.even_x => unsafe { transpose::scattered::<B, 8>(job) },
            // SAFETY: as above.
            4 if job.even_x => unsafe { transpose::scattered::<B, 4>(job) },
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

    line_methods! {}

    #[inline(always)]
    unsafe fn stream<const W: usize>(self, src: *const u8, dst: *mut u8) {
        // SAFETY: see above.
        unsafe { run::stream_piece::<W>(src, dst) }
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
