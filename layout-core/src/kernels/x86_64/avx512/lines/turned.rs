//! Crossed tiles of elements of 4 bits, a square of whole lines of the source at a time. Called by `drive::turned` by way of
//! `avx512`.
//!
//! A line of each of 64 rows is read, its 16-byte parts put beside those of the rows that become its neighbours, and the result
//! kept; then squares of 16 by 16 bytes are turned in all lanes. What packs or unpacks elements is done on the way in or out.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::super::convert::Bf16;
use super::super::super::super::drive::{LINE, Turned, Uneven};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::loops::Store;
use super::super::super::parts::prefetch_far;
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::convert::{keep_normal, store_four};
use super::super::dense::turn_lanes;
use super::super::memory::*;
use super::super::transpose::turn64;

/// Rows of bytes of a square.
const ROWS: usize = LINE;

/// A square on its way.
#[repr(align(64))]
struct Square(#[allow(dead_code, reason = "written and read by address")] [MaybeUninit<u8>; ROWS * LINE]);

impl Square {
    #[inline(always)]
    const fn new() -> Square {
        Square([MaybeUninit::uninit(); ROWS * LINE])
    }
}

/// Writes for each `$k` of 64 rows the lines of `$row` to as many squares.
macro_rules! gathered {
    ($squares:ident, $k:ident => $row:expr) => {
        for i in 0..16 {
            let rows = lanes!(64, lane => {
                let $k = 16 * lane + i;
                $row
            });
            for (n, square) in $squares.iter_mut().enumerate() {
                let to = core::ptr::from_mut(square).cast::<u8>();
                for (c, line) in turn_lanes(lanes!(64, lane => rows[lane][n])).into_iter().enumerate() {
                    // SAFETY: a square has 64 lines.
                    unsafe { store64(to.wrapping_add((16 * c + i) * LINE), line) };
                }
            }
        }
    };
}

/// Calls `$put` with each column `$at` of a square, as the bytes of all rows.
macro_rules! columns {
    ($square:expr, $at:ident, $column:ident => $put:expr) => {{
        let from = core::ptr::from_ref($square).cast::<u8>();
        for c in 0..4 {
            let mut rows = [_mm512_setzero_si512(); 16];
            unrolled!(16, i => {
                // SAFETY: a square has 64 lines, which were written.
                rows[i] = unsafe { load64(from.wrapping_add((16 * c + i) * LINE)) };
            });
            let columns = turn64::<1, 16>(rows, 16);
            unrolled!(16, j => {
                let ($at, $column) = (16 * c + j, columns[j]);
                $put
            });
        }
    }};
}

/// Writes a line.
///
/// # Safety
/// It can be written; with `past` it is aligned.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn put(to: *mut u8, line: __m512i, past: bool) {
    if past {
        // SAFETY: the caller's promise.
        unsafe { stream(to, line) };
    } else {
        // SAFETY: as above.
        unsafe { store64(to, line) };
    }
}

/// Fetches the end of what lies in a line from here on, or in two, into the second-level cache; the beginning was fetched with what
/// lies before it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn fetch(line: *const u8) {
    prefetch_far(line.wrapping_add(LINE - 1));
}

/// The lower halves of the bytes of `low` beside the upper ones of `high`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(super) fn beside(low: __m512i, high: __m512i) -> __m512i {
    // Where the third has a bit that of the first, else that of the second.
    _mm512_ternarylogic_epi32::<0xE4>(low, high, _mm512_set1_epi8(0x0F))
}

/// 128 lines of 128 elements of 4 bits from as many rows.
///
/// # Safety
/// That of the type of such loops in `drive::turned`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn pairs<const AHEAD: bool>(job: &Turned) {
    let mut squares = [const { Square::new() }; 2];
    gathered!(squares, k => {
        if AHEAD {
            fetch(step(job.next[0], 2 * k, job.row));
            fetch(step(job.next[0], 2 * k + 1, job.row));
        }
        let [a, b] = [step(job.rows[0], 2 * k, job.row), step(job.rows[0], 2 * k + 1, job.row)];
        // SAFETY: the caller's promise: there are 128 rows.
        let a = unsafe { load64(a) };
        // SAFETY: as above.
        let b = unsafe { load64(b) };
        [beside(a, _mm512_slli_epi16::<4>(b)), beside(_mm512_srli_epi16::<4>(a), b)]
    });
    for (n, square) in squares.iter().enumerate() {
        // Step by step: products of so many lines would not stay in registers.
        let mut to = step_mut(job.lines[0], n, job.line);
        let mut next = step(job.next_lines[0], n, job.next_line);
        columns!(square, _at, column => {
            if AHEAD {
                fetch(next);
                next = step(next, 2, job.next_line);
            }
            // SAFETY: the caller's promise: there are 128 lines.
            unsafe { put(to, column, job.stream) };
            to = step_mut(to, 2, job.line);
        });
    }
}

/// 64 lines of 128 elements of 4 bits from as many rows, of which every other element is taken.
///
/// # Safety
/// That of the type of such loops in `drive::uneven`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn uneven<const AHEAD: bool>(job: &Uneven) {
    let down = _mm512_set1_epi16(if job.upper[0] { 4 } else { 0 });
    let up = _mm512_set1_epi16(if job.upper[1] { 0 } else { 4 });
    let mut squares = [const { Square::new() }; 1];
    gathered!(squares, k => {
        let (rows, _) = job.next;
        if AHEAD {
            fetch(step(rows[0], k, job.row));
            fetch(step(rows[1], k, job.row));
        }
        let [a, b] = [step(job.rows[0], k, job.row), step(job.rows[1], k, job.row)];
        // SAFETY: the caller's promise: there are 64 pairs of rows.
        let a = unsafe { load64(a) };
        // SAFETY: as above.
        let b = unsafe { load64(b) };
        [beside(_mm512_srlv_epi16(a, down), _mm512_sllv_epi16(b, up))]
    });
    let (mut to, mut next) = (job.lines, job.next.1);
    columns!(&squares[0], _at, column => {
        if AHEAD {
            fetch(next);
            next = step(next, 1, job.line);
        }
        // SAFETY: the caller's promise: there are 64 lines.
        unsafe { store64(to, column) };
        to = step_mut(to, 1, job.line);
    });
}

/// 64 lines of 128 elements of 4 bits from as many rows of bytes, of which the lower 4 bits are taken, or `NEAREST` values,
/// `SIGNED` or not.
///
/// # Safety
/// That of the type of such loops in `drive::turned`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn from_bytes<
    const NEAREST: bool,
    const SIGNED: bool,
    const AHEAD: bool,
>(
    job: &Turned,
) {
    let mut squares = [const { Square::new() }; 1];
    gathered!(squares, k => {
        if AHEAD {
            fetch(step(job.next[0], 2 * k, job.row));
            fetch(step(job.next[0], 2 * k + 1, job.row));
        }
        let [a, b] = [step(job.rows[0], 2 * k, job.row), step(job.rows[0], 2 * k + 1, job.row)];
        // SAFETY: the caller's promise: there are 128 rows.
        let a = unsafe { load64(a) };
        // SAFETY: as above.
        let b = unsafe { load64(b) };
        let (a, b) = (nearest::<NEAREST, SIGNED>(a), nearest::<NEAREST, SIGNED>(b));
        [beside(a, _mm512_slli_epi16::<4>(b))]
    });
    columns!(&squares[0], at, column => {
        if AHEAD {
            fetch(step(job.next_lines[0], at, job.next_line));
        }
        // SAFETY: the caller's promise: there are 64 lines.
        unsafe { put(step_mut(job.lines[0], at, job.line), column, job.stream) };
    });
}

/// What 4 bits hold of each byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn nearest<const NEAREST: bool, const SIGNED: bool>(bytes: __m512i) -> __m512i {
    match (NEAREST, SIGNED) {
        (false, _) => bytes,
        (true, false) => _mm512_min_epu8(bytes, _mm512_set1_epi8(15)),
        (true, true) => _mm512_max_epi8(_mm512_min_epi8(bytes, _mm512_set1_epi8(7)), _mm512_set1_epi8(-8)),
    }
}

/// 128 lines of 64 bytes from 64 rows of elements of 4 bits: for each of these what the table has.
///
/// # Safety
/// That of the type of such loops in `drive::turned`; all lines have the same table.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn to_bytes<const AHEAD: bool>(job: &Turned) {
    // SAFETY: the caller's promise.
    unsafe { to_lines::<1, AHEAD>(job) }
}

/// 128 lines of results of `W` bytes from two blocks of 32 rows of elements of 4 bits: for each of these what the table of its
/// line and block has.
///
/// # Safety
/// That of the type of such loops in `drive::turned`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn to_lines<const W: usize, const AHEAD: bool>(job: &Turned) {
    let mut squares = [const { Square::new() }; 1];
    gathered!(squares, k => {
        let (block, row) = if W == 1 { (0, k) } else { (k / 32, k % 32) };
        if AHEAD {
            fetch(step(job.next[block], row, job.row));
        }
        let row = step(job.rows[block], row, job.row);
        // SAFETY: the caller's promise: there are 64 rows, or each block has 32.
        [unsafe { load64(row) }]
    });
    columns!(&squares[0], at, column => {
        let upper = _mm512_srli_epi16::<4>(column);
        if AHEAD {
            for y in [2 * at, 2 * at + 1] {
                for lines in job.next_lines {
                    let next = step(lines, y, job.next_line);
                    fetch(next);
                    if W == 4 {
                        fetch(next.wrapping_add(LINE));
                    }
                }
            }
        }
        // SAFETY: the caller's promise: there are 128 lines.
        unsafe { line::<W>(job, 2 * at, column) };
        // SAFETY: as above.
        unsafe { line::<W>(job, 2 * at + 1, upper) };
    });
}

/// Line `y` of [`to_lines`], from the lower halves of `bytes`.
///
/// # Safety
/// As there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn line<const W: usize>(job: &Turned, y: usize, bytes: __m512i) {
    let [a, b] = lanes!(32, i => step_mut(job.lines[i], y, job.line));
    let [from_a, from_b] = lanes!(32, i => job.tables[i].wrapping_add(y * job.table));
    if W == 1 {
        // SAFETY: the caller's promise: a table has 16 results.
        let table = _mm512_broadcast_i32x4(unsafe { load16(from_a) });
        let line = _mm512_shuffle_epi8(table, _mm512_and_si512(bytes, _mm512_set1_epi8(0x0F)));
        // SAFETY: the caller's promise: the blocks are beside one another.
        unsafe { put(a, line, job.stream) };
        return;
    }
    for (block, from, to) in
        [(_mm512_castsi512_si256(bytes), from_a, a), (_mm512_extracti64x4_epi64::<1>(bytes), from_b, b)]
    {
        if W == 2 {
            // SAFETY: as above.
            let table = _mm512_broadcast_i64x4(unsafe { load32(from) });
            // The lower five bits count, and the fifth changes nothing.
            let line = _mm512_permutexvar_epi16(_mm512_cvtepu8_epi16(block), table);
            // SAFETY: as above.
            unsafe { put(to, line, job.stream) };
            continue;
        }
        // SAFETY: as above.
        let table = unsafe { load64(from) };
        let halves = [_mm256_castsi256_si128(block), _mm256_extracti128_si256::<1>(block)];
        for (i, half) in halves.into_iter().enumerate() {
            // The lower four bits count.
            let line = _mm512_permutexvar_epi32(_mm512_cvtepu8_epi32(half), table);
            // SAFETY: as above.
            unsafe { put(to.wrapping_add(i * LINE), line, job.stream) };
        }
    }
}

/// What [`by_rows`] does, with elements of `$bytes` bytes that `$store_four` stores.
macro_rules! products {
    ($job:ident, $bytes:expr, $store_four:path) => {{
        // SAFETY: the caller's promise: there are 16 numbers.
        let numbers = _mm512_castsi512_ps(unsafe { load64($job.tables[1]) });
        let mut squares = [const { Square::new() }; 1];
        gathered!(squares, k => {
            fetch(step($job.next[0], k, $job.row));
            // SAFETY: the caller's promise: there are 64 rows.
            [unsafe { load64(step($job.rows[0], k, $job.row)) }]
        });
        columns!(&squares[0], at, column => {
            let factors = $job.tables[0].wrapping_add(at / 16 * $job.table);
            let parts = [
                _mm512_castsi512_si128(column),
                _mm512_extracti32x4_epi32::<1>(column),
                _mm512_extracti32x4_epi32::<2>(column),
                _mm512_extracti32x4_epi32::<3>(column),
            ];
            let parts = lanes!(64, i => _mm512_cvtepu8_epi32(parts[i]));
            for half in 0..2 {
                let y = 2 * at + half;
                let next = step($job.next_lines[0], y, $job.next_line);
                for i in 0..$bytes {
                    fetch(next.wrapping_add(i * LINE));
                }
                let values = lanes!(64, i => {
                    // The lower four bits count.
                    let element = if half == 0 { parts[i] } else { _mm512_srli_epi32::<4>(parts[i]) };
                    // SAFETY: the caller's promise: there are 64 factors.
                    let factor = _mm512_castsi512_ps(unsafe { load64(factors.wrapping_add(i * LINE)) });
                    _mm512_mul_ps(_mm512_permutexvar_ps(element, numbers), factor)
                });
                // SAFETY: the caller's promise: there are 128 lines.
                unsafe { $store_four(step_mut($job.lines[0], y, $job.line), values) };
            }
        });
    }};
}

/// 128 lines of elements of type `D` from 64 rows of elements of 4 bits: numbers times factors, of which each row has one in
/// every 32 lines.
///
/// # Safety
/// That of the type of such loops in `drive::turned`; the tables are those of `drive::turned::by_rows`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn by_rows<D: Store<__m512>>(job: &Turned) {
    products!(job, size_of::<D>(), D::store_four);
}

/// The same to bf16.
///
/// # Safety
/// As there; the processor has AVX512_BF16.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16")]
pub(in super::super::super::super) unsafe fn by_rows_native(job: &Turned) {
    let count = if job.table == 0 { ROWS } else { 4 * ROWS };
    // SAFETY: the caller's promise: the first table is factors of all rows, or four times.
    if !unsafe { keep_normal(job.tables[0].cast(), count) } {
        // SAFETY: as above.
        return unsafe { by_rows::<Bf16>(job) };
    }
    products!(job, size_of::<Bf16>(), store_four);
}
