//! Converts f32, and what becomes f32, to elements that are narrower, block by block, and transposes them. Called by the module around it.
//!
//! Registers hold 16 groups of 4 bytes, of values of x that become neighbours: `types` makes them.

mod types;

use core::arch::x86_64::*;

use super::super::super::super::super::drive::{Crossed, LINE};
use super::super::super::super::super::epilogue::{Affine, FACTOR, NONE};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::convert::Load;
use super::super::super::super::super::parts::square::next;
use super::super::super::super::super::parts::zip::unrolled;
use super::super::super::super::super::parts::{opaque, prefetch, prefetch_write};
use super::super::super::super::super::writes_in_turn;
use super::super::super::dense::turn_lanes;
use super::super::super::memory::{load64, store16, store32, store64, stream};
use super::super::super::transpose::turn64;
use super::{CHUNK, FAR};
use types::{Narrow, Seen};
pub(super) use types::{NativeBf16, UsualBf16, native_line};

/// Values of x of a part of a line.
const PART: usize = 16;

/// Rows of the source that lie apart and are read on, and bytes of the destination that are written for them before the next ones.
const TOGETHER: usize = 64;
const ALONG: usize = 2048;

/// `S` to `D`, in lines of the destination of `G` times 16 bytes, which follow one another unless they are whole ones, and then in
/// parts of `P` times 16 bytes what fills less than half of one. Both are 16 elements where lines are no whole ones.
///
/// # Safety
/// That of [`CrossedWay::run`](super::CrossedWay::run).
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) unsafe fn narrow<S: Load<__m512>, D: Narrow, const G: usize, const P: usize>(
    job: &Crossed,
    map: Option<&Affine>,
) {
    match map {
        // SAFETY: the caller's promise.
        None => unsafe { narrow_with::<S, D, G, P, NONE>(job, &Affine::neutral()) },
        // SAFETY: as above.
        Some(map) => unsafe { narrow_with::<S, D::Product, G, P, FACTOR>(job, map) },
    }
}

/// # Safety
/// As [`narrow`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn narrow_with<S: Load<__m512>, D: Narrow, const G: usize, const P: usize, const STEPS: u8>(
    job: &Crossed,
    map: &Affine,
) {
    let apart = if G == 4 { job.dst_y as usize } else { 0 };
    // Whether whole lines of the destination are aligned, and go past the caches: a loop of its own, since one that asks for each block
    // takes 1.15 times as long where they do not (Emerald Rapids).
    if job.stream && (job.dst.addr() | apart).is_multiple_of(LINE) {
        // SAFETY: the caller's promise, and lines of the destination are aligned.
        unsafe { narrow_blocks::<S, D, G, P, STEPS, true>(job, map) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { narrow_blocks::<S, D, G, P, STEPS, false>(job, map) };
    }
}

/// # Safety
/// As [`narrow`]; with `STREAM`, lines of the destination are aligned.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn narrow_blocks<
    S: Load<__m512>,
    D: Narrow,
    const G: usize,
    const P: usize,
    const STEPS: u8,
    const STREAM: bool,
>(
    job: &Crossed,
    map: &Affine,
) {
    let side = G * 16 / size_of::<D>();
    // What is more than half of a line is better a whole one that overlaps the one before.
    let rest = job.nx % side;
    let in_parts = P < G && rest > 0 && (job.nx < side || rest.next_multiple_of(PART) <= side / 2);
    let wide = if in_parts { job.nx - rest } else { job.nx };
    // Rows that lie close together are read on for a part of each: what is open of the destination is few lines, and more where these
    // are asked for ahead.
    let (rows, lines) = (job.src_x.unsigned_abs(), job.dst_y.unsigned_abs());
    let close = G == 4 && (rows < FAR || job.claims && rows < 4 * FAR && lines >= 4 * FAR);
    let (height, ahead) = match close {
        true if job.claims => (CHUNK / size_of::<D>(), job.src_x.wrapping_mul(16)),
        true => (16, job.src_x.wrapping_mul(16)),
        // Lines that have few places in the first-level cache leave none for the next ones.
        false if rows.is_multiple_of(2048) => (CHUNK, 0),
        false => (CHUNK, 2 * LINE as isize),
    };
    // Few rows that lie apart are read on, where the processor foresees that: 1.1 to 2.2 times as fast (Zen 4) as parts of all rows; on
    // Intel's, 1.05 to 2, where lines are whole ones or written several in a row.
    let along = G == 4
        && rows >= FAR
        && (!writes_in_turn() || lines.is_multiple_of(LINE) || job.nx * size_of::<D>() >= 2048);
    let (height, run) = if along { (ALONG / size_of::<D>(), TOGETHER) } else { (height, wide) };
    // How far the lines of the next block are from those of this one.
    let claimed = match job.claims && !STREAM && G == 4 {
        true if close => LINE as isize,
        true if lines >= FAR => job.dst_y.wrapping_mul(16),
        _ => 0,
    };
    let mut start = 0;
    loop {
        // The last run is no narrower than a block.
        let stop = if wide - start < run + side { wide } else { start + run };
        let mut chunk = 0;
        while chunk < job.ny {
            let end = if job.ny - chunk < height { job.ny } else { chunk + height };
            let mut x = (wide > 0).then_some(start);
            while let Some(at) = x {
                let mut y = if chunk + 16 > end { end - 16 } else { chunk };
                loop {
                    let whole = if G == 4 { at.is_multiple_of(side) } else { y.is_multiple_of(4) };
                    if STREAM && whole {
                        // SAFETY: `side` values of x and 16 of y from here on are in the job, and the lines whole ones.
                        unsafe { block::<S, D, G, STEPS, true, false>(job, map, [at, y], [ahead, claimed]) };
                    } else {
                        // SAFETY: as above.
                        unsafe { block::<S, D, G, STEPS, false, false>(job, map, [at, y], [ahead, claimed]) };
                    }
                    match next(y, 16, end) {
                        Some(next) => y = next,
                        None => break,
                    }
                }
                x = next(at, side, stop);
            }
            let mut x =
                (in_parts && stop == wide).then_some(if job.nx - wide < PART { job.nx - PART } else { wide });
            while let Some(at) = x {
                let mut y = Some(if chunk + 16 > end { end - 16 } else { chunk });
                while let Some(y_at) = y {
                    // SAFETY: 16 values of x and of y from here on are in the job.
                    unsafe { block::<S, D, P, STEPS, false, true>(job, map, [at, y_at], [ahead, 0]) };
                    y = next(y_at, 16, end);
                }
                x = next(at, PART, job.nx);
            }
            chunk = end;
        }
        if stop == wide {
            return;
        }
        start = stop;
    }
}

/// Asks for 16 lines before they are written. Not inlined: its distances would take the registers of the block.
#[inline(never)]
fn claim(first: *mut u8, apart: isize) {
    for i in 0..16 {
        prefetch_write(step_mut(first, i, apart));
    }
}

/// The block of 16 values of y, in fewer instructions where none of its values is against that.
///
/// # Safety
/// As [`narrow`]; with `STREAM`, its lines are aligned.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn block<
    S: Load<__m512>,
    D: Narrow,
    const G: usize,
    const STEPS: u8,
    const STREAM: bool,
    const APART: bool,
>(
    job: &Crossed,
    map: &Affine,
    at: [usize; 2],
    next: [isize; 2],
) {
    // SAFETY: the caller's promise.
    let seen = unsafe { narrow_block::<S, D, G, STEPS, STREAM, APART, true>(job, map, at, next) };
    if D::LOOKS && seen.is_wrong() {
        // SAFETY: as above.
        unsafe { block_of_any::<S, D, G, STEPS, APART>(job, map, at) };
    }
}

/// The same for any values. Without factors nothing is multiplied by 1: Intel's processors take long for subnormal numbers (up to 4.9 times
/// as fast so).
///
/// # Safety
/// As [`narrow`].
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn block_of_any<S: Load<__m512>, D: Narrow, const G: usize, const STEPS: u8, const APART: bool>(
    job: &Crossed,
    map: &Affine,
    at: [usize; 2],
) {
    // SAFETY: the caller's promise.
    unsafe { narrow_block::<S, D, G, STEPS, false, APART, false>(job, map, at, [0; 2]) };
}

/// Nothing in it but asking for lines depends on a condition, so that loads, arithmetic and stores of the whole block can overlap.
/// Returns what was seen of its values, if it goes by the `USUAL` instructions.
///
/// # Safety
/// As [`narrow`], for the block of 16 values of y; with `STREAM`, its lines are aligned. Where lines are no whole ones, they follow one
/// another unless they lie `APART`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn narrow_block<
    S: Load<__m512>,
    D: Narrow,
    const G: usize,
    const STEPS: u8,
    const STREAM: bool,
    const APART: bool,
    const USUAL: bool,
>(
    job: &Crossed,
    map: &Affine,
    [x, y]: [usize; 2],
    [ahead, claimed]: [isize; 2],
) -> Seen {
    if claimed != 0 {
        let next = step_mut(job.dst, y, job.dst_y).wrapping_add(x * size_of::<D>()).wrapping_offset(claimed);
        // Of two lines the last.
        claim(next.wrapping_add(if G == 4 { LINE - 1 } else { 0 }), job.dst_y);
    }
    let block = step(job.src, x, job.src_x).wrapping_add(y * size_of::<S>());
    // The factors of the block's first row, and the bytes between those of two rows.
    let factors = map.at[1].wrapping_add((y & map.mask[1]) + x * map.row[1]).cast::<u8>();
    let pitch = (size_of::<f32>() * map.row[1]) as isize;
    let mut seen = Seen::nothing();
    let mut pieces = [[_mm512_setzero_si512(); G]; 4];
    unrolled!(G of 4, g => {
        let mut rows = [_mm512_setzero_si512(); 4];
        unrolled!(4, i => {
            let from = opaque(step(block, (4 * g + i) * D::SIDE, job.src_x).cast_mut()).cast_const();
            let mut own = factors;
            if STEPS != NONE {
                own = opaque(step(factors, (4 * g + i) * D::SIDE, pitch).cast_mut()).cast_const();
            }
            let at = |k| Row { src: step(from, k, job.src_x), factor: step(own, k, pitch), ahead };
            let mut values = [_mm512_setzero_ps(); 4];
            // SAFETY: the caller's promise, as for the others.
            values[0] = unsafe { load_row::<S, STEPS>(at(0)) };
            // SAFETY: see above.
            values[1] = unsafe { load_row::<S, STEPS>(at(1)) };
            if D::SIDE == 4 {
                // SAFETY: see above.
                values[2] = unsafe { load_row::<S, STEPS>(at(2)) };
                // SAFETY: see above.
                values[3] = unsafe { load_row::<S, STEPS>(at(3)) };
            }
            // SAFETY of both: the features are those of this function.
            rows[i] = if USUAL && D::LOOKS {
                // SAFETY: see above.
                unsafe { D::join_usual(values, &mut seen) }
            } else {
                // SAFETY: see above.
                unsafe { D::join(values) }
            };
        });
        let turned = turn64::<4, 4>(rows, 4);
        unrolled!(4, j => {
            pieces[j][g] = turned[j];
        });
    });
    let pieces = pieces.as_flattened();
    let first = step_mut(job.dst, y, job.dst_y).wrapping_add(x * size_of::<D>());
    unrolled!(G of 4, m => {
        let lines = turn_lanes([pieces[4 * m], pieces[4 * m + 1], pieces[4 * m + 2], pieces[4 * m + 3]]);
        unrolled!(4, lane => {
            let to = if G == 4 || APART {
                step_mut(first, 4 * lane + 4 / G * m, job.dst_y)
            } else {
                first.wrapping_add(4 * lane * G * 16 + m * LINE)
            };
            if APART {
                // SAFETY: these lines are in the job.
                unsafe { store_rows::<G>(to, job.dst_y, lines[lane]) };
            } else if STREAM {
                // SAFETY: this line is in the job, and aligned.
                unsafe { stream(to, lines[lane]) };
            } else {
                // SAFETY: this line is in the job.
                unsafe { store64(to, lines[lane]) };
            }
        });
    });
    seen
}

/// Stores the lines of `G` times 16 bytes, one or two, that a register has one after the other.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn store_rows<const G: usize>(to: *mut u8, apart: isize, lines: __m512i) {
    if G == 2 {
        let rows = [_mm512_castsi512_si256(lines), _mm512_extracti64x4_epi64::<1>(lines)];
        unrolled!(2, i => {
            // SAFETY: the caller's promise.
            unsafe { store32(step_mut(to, i, apart), rows[i]) };
        });
        return;
    }
    let rows = [
        _mm512_castsi512_si128(lines),
        _mm512_extracti32x4_epi32::<1>(lines),
        _mm512_extracti32x4_epi32::<2>(lines),
        _mm512_extracti32x4_epi32::<3>(lines),
    ];
    unrolled!(4, i => {
        // SAFETY: as above.
        unsafe { store16(step_mut(to, i, apart), rows[i]) };
    });
}

/// 16 values of a row of the source, their factors, and how far ahead the row is fetched.
#[derive(Clone, Copy)]
struct Row {
    src: *const u8,
    factor: *const u8,
    ahead: isize,
}

/// The values of `row`, multiplied.
///
/// # Safety
/// They can be read, and with a factor, as many of these.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn load_row<S: Load<__m512>, const STEPS: u8>(row: Row) -> __m512 {
    prefetch(row.src.wrapping_offset(row.ahead));
    // SAFETY: the caller's promise.
    let value = unsafe { S::load(row.src) };
    if STEPS == NONE {
        return value;
    }
    // SAFETY: as above.
    _mm512_mul_ps(value, _mm512_castsi512_ps(unsafe { load64(row.factor) }))
}
