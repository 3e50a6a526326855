//! AVX2 and F16C: 32-byte vectors. The token is the proof that the processor has
//! them, so that the only thing left to the callers is memory.

mod convert;
mod gathered;
mod lines;
mod memory;
mod narrow;
mod packed;
pub(super) mod quads;
mod run;
mod tiles;
mod transpose;
mod woven;

use super::super::convert::{Bf16, F16, Format};
use super::super::cpu::Avx2;
use super::super::drive::{
    self, AddRows, Carried, ConvertRows, CrossedWay, Eights, Grid, Groups, LINE, Nibbles, Order, Pieces,
    Pixels, PlanesWay, Quads, Rows, Simd, Strips, Woven,
};
use super::super::epilogue::Affine;
use super::super::parts::prefetch_far;
use super::super::tile::{Blocks, Joined, Kernel, Step, Tile};
use super::parts::bytes::stream_piece;
use super::parts::lines::line_methods;
use super::parts::maker;
use super::parts::woven::woven_methods;
pub(in super::super) use convert::{Copies, Registers};
pub(in super::super) use gathered::gather_lines;
pub(in super::super) use lines::fours::{part as part_fours, spread as spread_fours, weave as weave_fours};
pub(in super::super) use lines::nibbles::{load_nibbles, store_nibbles};
pub(in super::super) use lines::turned::{
    by_rows as nibbles_by_rows, from_bytes as nibbles_from_bytes, pairs as turn_nibbles,
    to_bytes as nibbles_to_bytes, to_lines as nibbles_to_lines, uneven as turn_uneven,
};
pub(in super::super) use tiles::takes_tiles;
use woven::group_methods;

drive::copy_entry! { "avx2,f16c", Avx2 }

/// # Safety
/// That of [`super::super::JoinRows`]; the processor has the features.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn join_rows(job: &Joined) {
    // SAFETY: the caller's promise.
    unsafe { lines::joined::join(job) }
}

/// How tiles are converted and transposed in registers, where this family has a way.
#[inline(always)]
pub(in super::super) fn crossed_way(
    _token: Avx2,
    src: Format,
    dst: Format,
    x: usize,
    scaled: bool,
) -> Option<CrossedWay> {
    convert::crossed_way(src, dst, x, scaled)
}

/// The kernel for tiles of short rows with padding, and of rows of a block of channels, where this family has one.
#[inline(always)]
pub(in super::super) const fn padded_tile(_token: Avx2, src: Format, dst: Format) -> Option<Kernel> {
    convert::padded_tile(src, dst)
}

/// How pixels of bytes become planes, where this family has a way.
#[inline(always)]
pub(in super::super) fn planes_way(_token: Avx2, src: Format, dst: Format) -> Option<PlanesWay> {
    convert::planes_way(src, dst)
}

/// The loop that converts rows from `src` to `dst`, where this family has one of its own; with parameters, if `scaled`.
#[inline(always)]
pub(in super::super) fn convert_rows(
    _token: Avx2,
    src: Format,
    dst: Format,
    scaled: bool,
) -> Option<ConvertRows> {
    convert::convert_rows(src, dst, scaled)
}

/// # Safety
/// That of [`convert::look_up`]; the processor has the features.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn look_up(job: &Rows, table: *const u8) {
    // SAFETY: the caller's promise.
    unsafe { convert::look_up(job, table) }
}

/// `name results: type`: converts rows of elements of 4 bits to that type.
macro_rules! nibbles_to {
    ($($name:ident $results:ident: $to:ty;)*) => {$(
        /// The results of 16 numbers for each of `count` rows.
        ///
        /// # Safety
        /// That of [`convert::results_of`]; the processor has the features.
        #[target_feature(enable = "avx2,f16c")]
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
        #[target_feature(enable = "avx2,f16c")]
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

/// The loop with parameters for rows of some registers, of those pairs that have no other.
#[inline(always)]
pub(in super::super) fn scale_rows(_token: Avx2, src: Format, dst: Format) -> Option<ConvertRows> {
    convert::scale_between(src, dst)
}

/// The loop that adds elements of `src` to those of `dst`, where this family has one.
#[inline(always)]
pub(in super::super) fn add_rows(_token: Avx2, src: Format, dst: Format) -> Option<AddRows> {
    convert::add_between(src, dst)
}

// SAFETY of all calls: the token proves that the processor has the target features; what the callee asks of memory is
// what the trait's method asks of its caller.
impl Simd for Avx2 {
    const REGISTER: usize = 32;
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
        if B != 4 || job.width * B != LINE || job.valid < job.width || job.height < 16 {
            // SAFETY: the caller's promise.
            if unsafe { narrow::from_few_planes::<B>(job) } {
                return true;
            }
            // SAFETY: as above.
            return unsafe { packed::packed::<B>(job) };
        }
        // SAFETY: see above; its sizes were just compared.
        unsafe { transpose::dense(job) };
        true
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
        // SAFETY: as above.
        if unsafe { packed::unpacked::<B>(job) } {
            return true;
        }
        if B == 4 && job.width >= 8 {
            // SAFETY: see above; its sizes were just looked at.
            unsafe { transpose::few(job) };
        } else {
            // SAFETY: see above; its sizes were just looked at.
            unsafe { narrow::few::<B>(job) };
        }
        true
    }

    tiles::tile_methods!();

    #[inline(always)]
    unsafe fn sparse<const B: usize>(self, job: &Strips) -> bool {
        if B != 4 || job.height < 8 {
            return false;
        }
        // SAFETY: see above; its height was just looked at.
        unsafe { transpose::sparse(job) };
        true
    }

    #[inline(always)]
    fn writes_in_turn(self) -> bool {
        maker::writes_in_turn()
    }

    #[inline(always)]
    unsafe fn squares<const B: usize>(self, job: &Strips, order: Order) -> bool {
        if B != 4 {
            return false;
        }
        if order.crowded {
            // SAFETY: see above.
            unsafe { lines::squares::crowded_squares::<4>(job, order) };
        } else {
            // SAFETY: see above.
            unsafe { lines::squares::squares::<4>(job, order) };
        }
        true
    }

    #[inline(always)]
    unsafe fn eight_rows<const B: usize>(self, job: &Strips) -> bool {
        if B > 4 {
            return false;
        }
        // SAFETY: see above.
        unsafe { lines::eight::eight_rows::<B>(job) };
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
        unsafe { transpose::eights(job) };
        true
    }

    group_methods! {}
    woven_methods! {}

    #[inline(always)]
    unsafe fn tabled<const B: usize>(self, job: &Strips) {
        match B {
            // SAFETY: see above.
            1 => unsafe { transpose::tabled64::<B, 16>(&Strips { stream: false, ..*job }) },
            // SAFETY: see above.
            2 => unsafe { transpose::tabled64::<B, 8>(job) },
            // SAFETY: as above; the distances of the source were just looked at.
            4 if job.even_x => unsafe { transpose::scattered::<B, 4>(job) },
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
        unsafe { stream_piece::<W>(src, dst) }
    }

    #[inline(always)]
    fn fetch(self, src: *const u8) {
        prefetch_far(src);
    }

    #[inline(always)]
    unsafe fn pixels<const B: usize, const N: usize>(self, job: &Pixels) {
        match (B, N) {
            // SAFETY: see above.
            (4, 3) => unsafe { narrow::pixels_of_three(job) },
            // SAFETY: see above, and the sizes were just compared.
            (1 | 2, 2 | 4 | 8) if job.len * B >= 16 && is_short::<B>(job.len) && job.valid == N => unsafe {
                narrow::short_pixels::<B, N, 16>(job)
            },
            // SAFETY: see above.
            (1, 2 | 4 | 8) if is_short::<B>(job.len) && job.valid == N => unsafe {
                narrow::short_pixels::<B, N, 8>(job)
            },
            // SAFETY: see above.
            _ => unsafe { narrow::pixels::<B, N>(job) },
        }
    }

    #[inline(always)]
    unsafe fn planes<const B: usize, const N: usize>(self, job: &Pixels) {
        match (B, N) {
            // SAFETY: see above.
            (4, 3) => unsafe { narrow::planes_of_three(job) },
            // SAFETY: see above, and the sizes were just compared.
            (1 | 2, 2 | 4 | 8) if job.len * B >= 16 && is_short::<B>(job.len) => unsafe {
                narrow::short_planes::<B, N, 16>(job)
            },
            // SAFETY: see above.
            (1, 2 | 4 | 8) if is_short::<B>(job.len) => unsafe { narrow::short_planes::<B, N, 8>(job) },
            // SAFETY: see above.
            _ => unsafe { narrow::planes::<B, N>(job) },
        }
    }
}

/// Whether `len` pixels are less than a register of each plane, but no less than what is turned without a lane beside it.
#[inline(always)]
const fn is_short<const B: usize>(len: usize) -> bool {
    len >= 8 && len * B <= 64
}
