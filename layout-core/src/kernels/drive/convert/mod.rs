//! Moves elements and changes their type, for all families: runs are converted by the family's own loops, and a transpose
//! in the narrower of the two types goes before or after, through a buffer that stays in the first-level cache.
//! Compiled once for all pairs of types.
//!
//! * `tile` cuts a tile into jobs of rows, `cross` those tiles that are transposed besides.
//! * `rows` gives each row the parameters of its elements, which `table` lays out.
//! * `lookup` keeps the results for all values of 8 bits; `nibbles` takes elements of 4 bits out of memory by such.
//! * `steps` picks the loops: one, or two with f32 between them. `rounded` is what stands for the last where a caller wants other
//!   rounding than to nearest even.

mod cross;
mod lookup;
mod nibbles;
mod rounded;
mod rows;
mod short;
mod steps;
mod table;
mod tile;

use core::mem::MaybeUninit;

use super::super::convert::{Bf16, Boolean, E8M0, F4E2M1, F4E3M0, F8E4M3, F8E5M2, F16, Format, Number};
use super::super::copy_kernel;
use super::super::cpu::Token;
#[cfg(target_arch = "x86_64")]
use super::super::epilogue::LANES;
use super::super::epilogue::{Affine, Epilogue};
use super::super::tile::{Kernel, Tile};
use super::super::writes_in_turn;
#[cfg(target_arch = "x86_64")]
pub(in super::super) use cross::{Crossed, CrossedWay, PlanesWay};
use lookup::{LookUp, Results, way};
pub(super) use nibbles::numbers;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_imports, reason = "AVX-512 alone reads it so far"))]
pub(in super::super) use nibbles::{Nibbles, nibbles};
#[cfg(target_arch = "x86_64")]
pub(in super::super) use short::{Parted, PartedRows};
use steps::Steps;
pub(in super::super) use steps::by_buffer;

/// How to convert between two types on one family.
pub(in super::super) struct Conversion<'a> {
    steps: Steps<'a>,
    formats: (Format, Format),
    /// Bytes of an element of the source and of the destination.
    src: usize,
    dst: usize,
    /// Whether zero bytes become zero: padding may then be put in before the conversion.
    keeps_zero: bool,
    /// The family that copies.
    token: Token,
    epilogue: Option<&'a Epilogue>,
    /// What the epilogue comes to where all elements of the tile have the same parameters.
    common: Option<&'a Affine>,
    /// How results are looked up where all that there can be are in a table; the table of those that `common` gives.
    look_up: Option<LookUp>,
    results: Option<&'a Results>,
    /// The same for each of a few values of y, where parameters differ along y alone.
    results_of_rows: Option<&'a [Results; FEW]>,
}

/// Rows that have a table each.
const FEW: usize = 4;

impl<'a> Conversion<'a> {
    /// From `src` to `dst` with the instructions that `token` proves. Without an epilogue the two differ.
    #[inline]
    pub(in super::super) fn new(
        token: Token,
        src: Format,
        dst: Format,
        epilogue: Option<&'a Epilogue>,
    ) -> Conversion<'a> {
        let steps = Steps::new(token, src, dst, epilogue);
        let keeps_zero = !matches!(src, Format::E8M0);
        let formats = (src, dst);
        // Where chance rounds, the same number has several results.
        let alike = !steps.accumulates() && !steps.rounds();
        let look_up = if alike { way(token, src, dst, epilogue.is_some()) } else { None };
        let (src, dst) = (src.bytes(), dst.bytes());
        Conversion {
            steps,
            formats,
            src,
            dst,
            keeps_zero,
            token,
            epilogue,
            common: None,
            look_up,
            results: None,
            results_of_rows: None,
        }
    }
}

/// The kernel that converts elements from `src` to `dst`, as the table of [`convert`](super::super::convert) says, with the
/// epilogue of the tile where it has one.
pub(crate) const fn convert_kernel(src: Format, dst: Format) -> Kernel {
    macro_rules! to {
        ($src:ty) => {
            match dst {
                Format::F64 => here!(convert_elements::<$src, f64>),
                Format::F32 => here!(convert_elements::<$src, f32>),
                Format::F16 => here!(convert_elements::<$src, F16>),
                Format::Bf16 => here!(convert_elements::<$src, Bf16>),
                Format::S32 => here!(convert_elements::<$src, i32>),
                Format::S8 => here!(convert_elements::<$src, i8>),
                Format::U8 => here!(convert_elements::<$src, u8>),
                Format::F8E5M2 => here!(convert_elements::<$src, F8E5M2>),
                Format::F8E4M3 => here!(convert_elements::<$src, F8E4M3>),
                Format::E8M0 => here!(convert_elements::<$src, E8M0>),
                Format::F4E2M1 => here!(convert_elements::<$src, F4E2M1>),
                Format::F4E3M0 => here!(convert_elements::<$src, F4E3M0>),
                Format::Boolean => here!(convert_elements::<$src, Boolean>),
            }
        };
    }
    match src {
        Format::F64 => to!(f64),
        Format::F32 => to!(f32),
        Format::F16 => to!(F16),
        Format::Bf16 => to!(Bf16),
        Format::S32 => to!(i32),
        Format::S8 => to!(i8),
        Format::U8 => to!(u8),
        Format::F8E5M2 => to!(F8E5M2),
        Format::F8E4M3 => to!(F8E4M3),
        Format::E8M0 => to!(E8M0),
        Format::F4E2M1 => to!(F4E2M1),
        Format::F4E3M0 => to!(F4E3M0),
        Format::Boolean => to!(Boolean),
    }
}

/// Converts elements from `S` to `D` with the instructions that the tile asks for. Nothing but the way in: what is
/// behind it is compiled once.
///
/// # Safety
/// That of [`Kernel`].
unsafe fn convert_elements<S: Number, D: Number>(src: *const u8, dst: *mut u8, tile: &Tile<'_>) {
    // SAFETY: the caller's promise.
    unsafe { convert_formats((S::FORMAT, D::FORMAT), src, dst, tile) }
}

/// Converts elements between two types.
///
/// # Safety
/// That of [`Kernel`].
unsafe fn convert_formats(formats: (Format, Format), src: *const u8, dst: *mut u8, tile: &Tile<'_>) {
    // SAFETY: the caller's promise.
    unsafe { convert_on(tile.token, formats, src, dst, tile) }
}

/// The same with the instructions that `token` proves.
///
/// # Safety
/// That of [`Kernel`].
#[inline]
pub(in super::super) unsafe fn convert_on(
    token: Token,
    formats: (Format, Format),
    src: *const u8,
    dst: *mut u8,
    tile: &Tile<'_>,
) {
    if formats.0 == formats.1
        && tile.epilogue.is_none()
        && let Some(copy) = copy_kernel(formats.0.bytes())
    {
        // A plan for sums of equal types, by a run that adds nothing.
        // SAFETY: the caller's promise, of elements as wide.
        return unsafe { copy(src, dst, tile) };
    }
    let (from, to) = (formats.0.bytes(), formats.1.bytes());
    let rows = tile.x.src == from as isize && tile.x.dst == to as isize;
    // Short rows, and those of the next block; or groups of a row, and those of the next.
    let joined = match tile.joined() {
        None if rows => tile.flattened(from, to),
        joined => joined.filter(|_| rows || tile.epilogue.is_some()),
    };
    let tile = joined.as_ref().unwrap_or(tile);
    if rows && let Some(kernel) = padded_kernel(token, formats, tile) {
        // SAFETY: the caller's promise, and the strides were just compared.
        return unsafe { kernel(src, dst, tile) };
    }
    let conversion = Conversion::new(token, formats.0, formats.1, tile.epilogue);
    // SAFETY: the caller's promise.
    unsafe { conversion.run(src, dst, tile) }
}

/// The family's kernel for a tile of short rows with padding, or of blocks of channels, where it has one and that is faster than what
/// other rows go through.
#[inline]
fn padded_kernel(token: Token, formats: (Format, Format), tile: &Tile<'_>) -> Option<Kernel> {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(avx512) if pays_padded(formats, tile, LANES) => {
            super::super::x86_64::avx512::padded_tile(avx512, formats.0, formats.1)
        }
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(avx2) => {
            // Other rows without padding are converted as ever, and so are wider elements among more rows that are all padding.
            let ends = tile.valid_x < tile.x.len && tile.x.len.is_multiple_of(LANES / 2);
            let apart = tile.valid_y <= tile.y.len / 2 && formats.0.bytes() < formats.1.bytes();
            let pays = ends && !apart && pays_padded(formats, tile, LANES / 2) || are_blocks(formats, tile);
            if pays { super::super::x86_64::avx2::padded_tile(avx2, formats.0, formats.1) } else { None }
        }
        _ => {
            let _ = (formats, tile);
            None
        }
    }
}

/// Whether rows are a few of one block of channels, repeated: what is done for each repetition outweighs its elements.
#[cfg(target_arch = "x86_64")]
#[inline]
fn are_blocks(formats: (Format, Format), tile: &Tile) -> bool {
    const MANY: usize = 64;
    let Tile { x, y, z, valid_x, .. } = *tile;
    let few = matches!(x.len, 8 | 16) && valid_x == x.len && z.len > 1 && y.len <= MANY;
    few && has_no_own_loop(formats) && !tile.stream && tile.epilogue.is_none()
}

/// Whether rows of these formats go by way of f32, or of integers of 32 bits: others have loops that do better.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_no_own_loop((src, dst): (Format, Format)) -> bool {
    !matches!((src, dst), (Format::S8 | Format::U8, Format::Bf16))
}

/// Whether the family has a kernel for rows of blocks of channels that are converted, and repeated.
#[inline]
pub(crate) fn converts_blocks(token: Token, src: Format, dst: Format) -> bool {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(avx2) => {
            has_no_own_loop((src, dst)) && super::super::x86_64::avx2::padded_tile(avx2, src, dst).is_some()
        }
        _ => {
            let _ = (src, dst);
            false
        }
    }
}

/// Whether rows are short, some of their places padding, and no other way does better. A register has as many elements as `side`.
#[cfg(target_arch = "x86_64")]
#[inline]
fn pays_padded((src, dst): (Format, Format), tile: &Tile<'_>, side: usize) -> bool {
    /// Elements of a row that outweigh how it ends.
    const LONG: usize = 64;
    let Tile { x, y, valid_x, valid_y, .. } = *tile;
    let is_padded = valid_x < x.len || valid_y < y.len;
    if x.len > LONG || !is_padded || tile.stream || tile.epilogue.is_some() {
        return false;
    }
    let (from, to) = (src.bytes(), dst.bytes());
    let even = y.src == (x.len * from) as isize && y.dst == (x.len * to) as isize;
    // Those that have no gaps in the source are converted as one row, and take their places as they are.
    let follows = y.src == (valid_x * from) as isize && valid_y > 1;
    even || x.len >= side && !follows
}

/// Bytes of the buffer.
const STAGE: usize = 16 * 1024;

/// The same for rows, which have buffers for their parameters besides; and for those that have buffers between their steps too.
const SMALL: usize = STAGE / 2;
const SMALLEST: usize = STAGE / 16;

/// A buffer, aligned to lines so that transposes fill whole ones.
#[repr(align(64))]
struct Stage<const N: usize>([MaybeUninit<u8>; N]);

const fn smaller(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

const fn larger(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Whether `count` lines, `stride` bytes apart, would drive one another out of a first-level cache: lines 4096 bytes apart share
/// the same places, of which there are at least 8.
pub(in super::super) const fn is_crowded(stride: isize, count: usize) -> bool {
    count > 8 * (4096 >> (stride.unsigned_abs() | 4096).trailing_zeros())
}

/// Whether lines of the destination `step` bytes apart that drive one another out of a first-level cache are better written a few at a
/// time, by elements of `bytes` bytes that become wider, than by way of a buffer: on AMD's processors (Zen 4) only where they are
/// not so far apart that the few do so too.
pub(in super::super) fn takes_bands(step: isize, bytes: usize) -> bool {
    writes_in_turn() || !is_crowded(step, 32 / bytes)
}
