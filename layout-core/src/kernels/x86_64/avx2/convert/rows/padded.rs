//! Tiles of short rows that end with padding, and of rows of a block of channels without it, converted a register at a time or four: what is
//! no data is not read. Called by `drive::convert`.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::super::super::convert::{Bf16, F16, Format};
use super::super::super::super::super::drive::Rows;
use super::super::super::super::super::generic::{fill_zero, step, step_mut};
use super::super::super::super::super::parts::bytes::word_rows;
use super::super::super::super::super::parts::convert::{Load, Store};
use super::super::super::super::super::parts::loops::Integer;
use super::super::super::super::super::parts::rows::BLOCK;
use super::super::super::super::super::tile::{Kernel, Step, Tile};
use super::super::super::memory::{store8, store16, store32};

/// Elements of a register.
const SIDE: usize = 8;
/// Registers that are stored at a time, in one where elements are bytes.
const FOUR: usize = 4;
/// Rows whose last parts are read at a time.
const AT_ONCE: usize = 32;

/// Registers of elements of 2 bytes at most.
#[repr(align(32))]
struct Parts([MaybeUninit<u8>; AT_ONCE * SIDE * 2]);

/// The loops of a tile, that with more rows as `y`.
struct Loops {
    x: Step,
    valid_x: usize,
    y: Step,
    valid_y: usize,
    z: Step,
}

/// The kernel from `src` to `dst` for tiles of rows of whole registers that need no parameters and do not stream.
pub(in super::super::super) const fn padded_tile(src: Format, dst: Format) -> Option<Kernel> {
    macro_rules! to {
        ($($format:ident: $src:ty => $dst:ty),*) => {
            match dst {
                $(Format::$format => Some(tile::<$src, $dst> as Kernel),)*
                _ => None,
            }
        };
    }
    match src {
        Format::F32 => to!(F16: f32 => F16, Bf16: f32 => Bf16, S32: f32 => i32, S8: f32 => i8, U8: f32 => u8),
        Format::F16 => to!(F32: F16 => f32, Bf16: F16 => Bf16, S8: F16 => i8, U8: F16 => u8),
        Format::Bf16 => to!(F32: Bf16 => f32, F16: Bf16 => F16, S8: Bf16 => i8, U8: Bf16 => u8),
        // Not bf16: f32 does not hold every s32, and two roundings are not one.
        Format::S32 => to! {
            F32: i32 => f32, S8: Integer<i32> => Integer<i8>, U8: Integer<i32> => Integer<u8>
        },
        Format::S8 => to!(F32: i8 => f32, F16: i8 => F16, Bf16: i8 => Bf16, S32: Integer<i8> => Integer<i32>),
        Format::U8 => to!(F32: u8 => f32, F16: u8 => F16, Bf16: u8 => Bf16, S32: Integer<u8> => Integer<i32>),
        _ => None,
    }
}

/// Converts the elements of a tile and writes zero to its padding.
///
/// # Safety
/// That of [`Kernel`], for a tile without epilogue and tables whose elements follow one another along x on both sides, of which there
/// are whole registers.
#[target_feature(enable = "avx2,f16c")]
unsafe fn tile<S: Load<__m256>, D: Store<__m256>>(src: *const u8, dst: *mut u8, tile: &Tile<'_>) {
    let Tile { x, valid_x, .. } = *tile;
    let valid_y = if valid_x == 0 { 0 } else { tile.valid_y };
    // The loop with more rows inside, unless rows that follow one another are stored together.
    let together = x.len == SIDE || x.len == BLOCK && valid_x == BLOCK;
    let follow = together && tile.y.dst == (x.len * size_of::<D>()) as isize;
    let (y, z, valid_y) = match valid_y == tile.y.len && tile.z.len > valid_y && !follow {
        true => (tile.z, tile.y, tile.z.len),
        false => (tile.y, tile.z, valid_y),
    };
    let loops = Loops { x, valid_x, y, valid_y, z };
    let registers = x.len == SIDE && y.dst == (SIDE * size_of::<D>()) as isize;
    if registers && valid_x == SIDE {
        // SAFETY: the caller's promise; rows are registers that follow one another.
        unsafe { registers_of::<S, D, true>(src, dst, &loops) };
    } else if registers {
        // SAFETY: as above.
        unsafe { registers_of::<S, D, false>(src, dst, &loops) };
    } else if x.len == BLOCK && valid_x == BLOCK {
        // SAFETY: the caller's promise.
        unsafe { blocks::<S, D>(src, dst, &loops) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { rows::<S, D>(src, dst, &loops) };
    }
}

/// [`tile`] for rows of any length.
///
/// # Safety
/// As there.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn rows<S: Load<__m256>, D: Store<__m256>>(src: *const u8, dst: *mut u8, loops: &Loops) {
    let Loops { x, valid_x, y, valid_y, z } = *loops;
    let (from, to) = (size_of::<S>(), size_of::<D>());
    let rest = valid_x % SIDE;
    let whole = valid_x - rest;
    let data = valid_x.next_multiple_of(SIDE);
    // The parts of registers that rows end with: elements of 4 bytes are read under a mask.
    let mut parts = Parts([const { MaybeUninit::uninit() }; AT_ONCE * SIDE * 2]);
    let parts = parts.0.as_mut_ptr().cast::<u8>();
    let staged = rest > 0 && from < 4;
    for k in 0..z.len {
        let (src, dst) = (step(src, k, z.src), step_mut(dst, k, z.dst));
        let mut row = 0;
        while row < valid_y {
            let count = if valid_y - row < AT_ONCE { valid_y - row } else { AT_ONCE };
            let (src, dst) = (step(src, row, y.src), step_mut(dst, row, y.dst));
            if staged {
                let job = Rows {
                    src: src.wrapping_add(whole * from),
                    src_y: y.src,
                    dst: parts,
                    dst_y: (SIDE * from) as isize,
                    valid: rest * from,
                    len: SIDE * from,
                    count,
                    stream: false,
                    claims: false,
                };
                // SAFETY: the caller's promise: these elements are in the tile; there is room for a register of each row.
                unsafe { word_rows(&job) };
            }
            for i in 0..count {
                let (src, dst) = (step(src, i, y.src), step_mut(dst, i, y.dst));
                let mut at = 0;
                while at < whole {
                    // SAFETY: the caller's promise: these elements are in the tile.
                    let value = unsafe { S::load(src.wrapping_add(at * from)) };
                    // SAFETY: as above.
                    unsafe { D::store(dst.wrapping_add(at * to), value) };
                    at += SIDE;
                }
                if rest > 0 {
                    let value = if const { size_of::<S>() < 4 } {
                        // SAFETY: the register was just written.
                        unsafe { S::load(parts.wrapping_add(i * SIDE * from)) }
                    } else {
                        // SAFETY: as above.
                        unsafe { S::load_first(src.wrapping_add(whole * from), rest) }
                    };
                    // SAFETY: as above: a row is whole registers.
                    unsafe { D::store(dst.wrapping_add(whole * to), value) };
                }
                // SAFETY: as above.
                unsafe { zeros(dst.wrapping_add(data * to), (x.len - data) * to) };
            }
            row += count;
        }
        if valid_y < y.len {
            let rest = Step { len: y.len - valid_y, ..y };
            // SAFETY: as above.
            unsafe { fill_zero(step_mut(dst, valid_y, y.dst), x, rest, to) };
        }
    }
}

/// [`tile`] for rows of a register, `WHOLE` or with padding, that follow one another in the destination, four at a time.
///
/// # Safety
/// As there.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn registers_of<S: Load<__m256>, D: Store<__m256>, const WHOLE: bool>(
    src: *const u8,
    dst: *mut u8,
    loops: &Loops,
) {
    let Loops { x, valid_x, y, valid_y, z } = *loops;
    let load = |src: *const u8| {
        if WHOLE {
            // SAFETY: the caller's promise: these elements are in the tile.
            unsafe { S::load(src) }
        } else {
            // SAFETY: as above.
            unsafe { S::load_first(src, valid_x) }
        }
    };
    for k in 0..z.len {
        let (src, dst) = (step(src, k, z.src), step_mut(dst, k, z.dst));
        let mut row = 0;
        while row + FOUR <= valid_y {
            let mut values = [_mm256_setzero_ps(); FOUR];
            for (i, value) in values.iter_mut().enumerate() {
                *value = load(step(src, row + i, y.src));
            }
            // SAFETY: the caller's promise: these rows, which follow one another, are in the tile.
            unsafe { D::store_four(step_mut(dst, row, y.dst), values) };
            row += FOUR;
        }
        for row in row..valid_y {
            let value = load(step(src, row, y.src));
            // SAFETY: as above.
            unsafe { D::store(step_mut(dst, row, y.dst), value) };
        }
        if valid_y < y.len {
            let rest = Step { len: y.len - valid_y, ..y };
            // SAFETY: as above.
            unsafe { fill_zero(step_mut(dst, valid_y, y.dst), x, rest, size_of::<D>()) };
        }
    }
}

/// [`tile`] for rows of a [`BLOCK`] without padding, two at a time where they follow one another in the destination.
///
/// # Safety
/// As there.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn blocks<S: Load<__m256>, D: Store<__m256>>(src: *const u8, dst: *mut u8, loops: &Loops) {
    let Loops { x, y, valid_y, z, .. } = *loops;
    let (from, to) = (SIDE * size_of::<S>(), SIDE * size_of::<D>());
    let follow = y.dst == (2 * to) as isize;
    for k in 0..z.len {
        let (src, dst) = (step(src, k, z.src), step_mut(dst, k, z.dst));
        let mut row = 0;
        while follow && row + 2 <= valid_y {
            let rows = [step(src, row, y.src), step(src, row + 1, y.src)];
            let mut values = [_mm256_setzero_ps(); FOUR];
            for (i, value) in values.iter_mut().enumerate() {
                // SAFETY: the caller's promise: these elements are in the tile.
                *value = unsafe { S::load(rows[i / 2].wrapping_add(i % 2 * from)) };
            }
            // SAFETY: as above: these rows follow one another.
            unsafe { D::store_four(step_mut(dst, row, y.dst), values) };
            row += 2;
        }
        for row in row..valid_y {
            let (src, dst) = (step(src, row, y.src), step_mut(dst, row, y.dst));
            for i in 0..2 {
                // SAFETY: as above.
                let value = unsafe { S::load(src.wrapping_add(i * from)) };
                // SAFETY: as above.
                unsafe { D::store(dst.wrapping_add(i * to), value) };
            }
        }
        if valid_y < y.len && follow {
            // SAFETY: as above.
            unsafe { zeros(step_mut(dst, valid_y, y.dst), (y.len - valid_y) * 2 * to) };
        } else if valid_y < y.len {
            let rest = Step { len: y.len - valid_y, ..y };
            // SAFETY: as above.
            unsafe { fill_zero(step_mut(dst, valid_y, y.dst), x, rest, size_of::<D>()) };
        }
    }
}

/// Writes `len` bytes of zero, a multiple of 8.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn zeros(dst: *mut u8, len: usize) {
    let (zero, half) = (_mm256_setzero_si256(), _mm_setzero_si128());
    let mut at = 0;
    while at + 32 <= len {
        // SAFETY: the caller's promise.
        unsafe { store32(dst.wrapping_add(at), zero) };
        at += 32;
    }
    if len & 16 != 0 {
        // SAFETY: as above.
        unsafe { store16(dst.wrapping_add(at), half) };
        at += 16;
    }
    if len & 8 != 0 {
        // SAFETY: as above.
        unsafe { store8(dst.wrapping_add(at), half) };
    }
}
