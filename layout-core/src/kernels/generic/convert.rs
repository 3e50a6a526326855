//! Moves elements and changes their type; chooses the loop by the strides of the tile.

use core::mem::MaybeUninit;

use super::super::convert::{Convert, Number};
use super::super::tile::{Kernel, Step, Tile};
use super::copy::cross;
use super::memory::{load, store};
use super::small::is_tiny;
use super::strided::each;
use super::{each_part, step, step_mut};

/// Elements along y that are converted at a time before they are transposed.
const RUN: usize = 64;

/// Bytes of a cache line: as many rows are converted as fill one of the destination.
const LINE: usize = 64;

/// Bytes of the buffer for converted elements.
const BUFFER: usize = RUN * LINE;

/// Moves the elements of `tile` from type `S` to `D` and writes zero to its padding.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of the sizes of `S` and `D`.
pub(in super::super) unsafe fn convert<S: Number + Convert<D>, D: Number>(
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
) {
    let (src_bytes, dst_bytes) = (size_of::<S>() as isize, size_of::<D>() as isize);
    let body: Kernel = if tile.x.src == src_bytes && tile.x.dst == dst_bytes {
        rows::<S, D>
    } else if tile.x.dst == dst_bytes && tile.y.src == src_bytes && !is_tiny(tile) {
        crossed::<S, D>
    } else {
        strided::<S, D>
    };
    // SAFETY: the caller's promise; the strides that `body` asks for were just compared.
    unsafe { each_part(src, dst, tile, size_of::<D>(), body) };
}

/// Any strides, one element at a time.
///
/// # Safety
/// As [`convert`].
unsafe fn strided<S: Number + Convert<D>, D: Number>(src: *const u8, dst: *mut u8, tile: &Tile) {
    each(src, dst, tile, |src, dst| {
        // SAFETY: `each` visits the elements of the tile.
        let value = unsafe { load::<S>(src) };
        // SAFETY: as above.
        unsafe { store(dst, value.convert()) };
    });
}

/// Rows that are contiguous on both sides.
///
/// # Safety
/// As [`convert`], with unit strides along x on both sides.
unsafe fn rows<S: Number + Convert<D>, D: Number>(src: *const u8, dst: *mut u8, tile: &Tile) {
    for y in 0..tile.y.len {
        // SAFETY: the elements of the row follow one another on both sides.
        unsafe { run::<S, D>(step(src, y, tile.y.src), step_mut(dst, y, tile.y.dst), tile.x.len) };
    }
}

/// The destination is contiguous along x, the source along y: converts runs of the source into a buffer of 4 KiB that
/// stays in the first-level cache, then transposes in the destination's type.
///
/// # Safety
/// As [`convert`], with unit strides of the destination along x and of the source along y.
unsafe fn crossed<S: Number + Convert<D>, D: Number>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let mut buffer = MaybeUninit::<[u64; BUFFER / 8]>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let bytes = size_of::<D>();
    // Pixels of a few elements that follow one another make one long run.
    let pixels = tile.y.len <= RUN && tile.x.src == (tile.y.len * size_of::<S>()) as isize;
    let height = if tile.y.len < RUN { tile.y.len } else { RUN };
    let width = if pixels { BUFFER / (bytes * height) } else { LINE / bytes };
    let mut y = 0;
    while y < tile.y.len {
        let ny = if tile.y.len - y < height { tile.y.len - y } else { height };
        let mut x = 0;
        while x < tile.x.len {
            let nx = if tile.x.len - x < width { tile.x.len - x } else { width };
            let from = step(step(src, x, tile.x.src), y, tile.y.src);
            let to = step_mut(step_mut(dst, x, tile.x.dst), y, tile.y.dst);
            if pixels {
                // SAFETY: `height` is all of y, so that the pixels lie in the tile; `width` of them fit in the buffer.
                unsafe { run::<S, D>(from, buffer, nx * ny) };
            } else {
                for row in 0..nx {
                    let to = buffer.wrapping_add(row * height * bytes);
                    // SAFETY: the source's run is in the tile; `width` rows of `height` elements fit in the buffer.
                    unsafe { run::<S, D>(step(from, row, tile.x.src), to, ny) };
                }
            }
            let part = Tile {
                x: Step { len: nx, src: (height * bytes) as isize, dst: tile.x.dst },
                y: Step { len: ny, src: bytes as isize, dst: tile.y.dst },
                ..tile.part(nx, ny)
            };
            // SAFETY: `nx` rows of `ny` elements were just written to the buffer, and the part of the destination is
            // in the tile.
            unsafe { transpose_bytes(bytes, buffer, to, &part) };
            x += nx;
        }
        y += ny;
    }
}

/// [`cross`] for elements of `bytes` bytes; not inlined, so that all conversions to one width share it.
///
/// # Safety
/// As [`cross`].
#[inline(never)]
unsafe fn transpose_bytes(bytes: usize, src: *const u8, dst: *mut u8, tile: &Tile) {
    match bytes {
        // SAFETY: the caller's promise.
        1 => unsafe { cross::<1>(src, dst, tile) },
        // SAFETY: the caller's promise.
        2 => unsafe { cross::<2>(src, dst, tile) },
        // SAFETY: the caller's promise.
        4 => unsafe { cross::<4>(src, dst, tile) },
        // SAFETY: the caller's promise.
        _ => unsafe { cross::<8>(src, dst, tile) },
    }
}

/// A number at any address.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Packed<T>(T);

/// Converts `len` contiguous elements.
///
/// # Safety
/// `len` elements of `S` can be read at `src`, and as many of `D` written at `dst`; they do not overlap.
#[inline(always)]
unsafe fn run<S: Number + Convert<D>, D: Number>(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: the caller's promise; `Packed` needs no alignment, and any bytes are a number.
    let src = unsafe { core::slice::from_raw_parts(src.cast::<Packed<S>>(), len) };
    // The destination may be a buffer that holds nothing yet.
    // SAFETY: the caller's promise; `MaybeUninit` needs no value.
    let dst = unsafe { core::slice::from_raw_parts_mut(dst.cast::<MaybeUninit<Packed<D>>>(), len) };
    for (from, to) in src.iter().zip(dst) {
        let value = from.0;
        to.write(Packed(value.convert()));
    }
}
