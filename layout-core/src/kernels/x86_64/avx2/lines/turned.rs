//! Crossed tiles of elements of 4 bits, a square of whole lines of the source at a time. Called by `drive::turned` by way of
//! `avx2`.
//!
//! A line of each of 64 rows is read once and kept; then squares of 16 by 16 bytes are turned in both lanes. What packs or
//! unpacks elements is done on the way in or out.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::super::drive::{LINE, Turned, Uneven};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::loops::Store;
use super::super::super::parts::prefetch_far;
use super::super::super::parts::zip::unrolled;
use super::super::convert::{Numbers, Results, place};
use super::super::memory::*;
use super::super::transpose::{join2, turn32};

/// Rows of bytes of a square, and half of them: those that fill a register.
const ROWS: usize = LINE;
const HALF: usize = LINE / 2;

/// A square on its way, a line for each row.
#[repr(align(64))]
struct Square([[MaybeUninit<u8>; LINE]; ROWS]);

impl Square {
    #[inline(always)]
    const fn new() -> Square {
        Square([[MaybeUninit::uninit(); LINE]; ROWS])
    }

    /// Keeps a row.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    fn keep(&mut self, row: usize, line: [__m256i; 2]) {
        // SAFETY: a row of the square is a line.
        unsafe { store64(self.0[row].as_mut_ptr().cast(), line) };
    }
}

/// Calls `$put` with each column `$at` of a square, as the bytes of all rows.
macro_rules! columns {
    ($square:expr, $at:ident, $column:ident => $put:expr) => {{
        let from = core::ptr::from_ref($square).cast::<u8>();
        for c in 0..LINE / 16 {
            // The columns of 32 rows, while the others are turned.
            let mut first = [_mm256_setzero_si256(); 16];
            for half in 0..2 {
                let from = from.wrapping_add(half * HALF * LINE + 16 * c);
                let mut rows = [_mm256_setzero_si256(); 16];
                unrolled!(16, i => {
                    // SAFETY: a square has 64 lines, which were written.
                    let row = unsafe { load16(from.wrapping_add(i * LINE)) };
                    // SAFETY: as above.
                    rows[i] = join2([row, unsafe { load16(from.wrapping_add((16 + i) * LINE)) }]);
                });
                let columns = turn32::<1, 16>(rows, 16);
                if half == 0 {
                    first = columns;
                    continue;
                }
                for j in 0..16 {
                    let ($at, $column) = (16 * c + j, [first[j], columns[j]]);
                    $put
                }
            }
        }
    }};
}

/// Writes a line.
///
/// # Safety
/// It can be written; with `past` it is aligned.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn put(to: *mut u8, line: [__m256i; 2], past: bool) {
    if past {
        // SAFETY: the caller's promise.
        unsafe { stream64(to, line) };
    } else {
        // SAFETY: as above.
        unsafe { store64(to, line) };
    }
}

/// Fetches the end of what lies in a line from here on, or in two, into the second-level cache; the beginning was fetched with what
/// lies before it.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn fetch(line: *const u8) {
    prefetch_far(line.wrapping_add(LINE - 1));
}

/// The line at `from`.
///
/// # Safety
/// It can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn read<const AHEAD: bool>(from: *const u8, next: *const u8) -> [__m256i; 2] {
    if AHEAD {
        fetch(next);
    }
    // SAFETY: the caller's promise.
    unsafe { load64(from) }
}

/// The lower halves of the bytes of `low` beside the upper ones of `high`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn beside(low: __m256i, high: __m256i) -> __m256i {
    let halves = _mm256_set1_epi8(0x0F);
    _mm256_or_si256(_mm256_and_si256(low, halves), _mm256_andnot_si256(halves, high))
}

/// The lower halves of the bytes of `low` beside those of `high`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn lower([low, high]: [[__m256i; 2]; 2]) -> [__m256i; 2] {
    let [a, b] = [_mm256_slli_epi16::<4>(high[0]), _mm256_slli_epi16::<4>(high[1])];
    [beside(low[0], a), beside(low[1], b)]
}

/// The upper halves of the bytes of `low` beside those of `high`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn upper([low, high]: [[__m256i; 2]; 2]) -> [__m256i; 2] {
    let [a, b] = [_mm256_srli_epi16::<4>(low[0]), _mm256_srli_epi16::<4>(low[1])];
    [beside(a, high[0]), beside(b, high[1])]
}

/// 128 lines of 128 elements of 4 bits from as many rows.
///
/// # Safety
/// That of the type of such loops in `drive::turned`.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn pairs<const AHEAD: bool>(job: &Turned) {
    let mut squares = [const { Square::new() }; 2];
    for k in 0..ROWS {
        let mut rows = [[_mm256_setzero_si256(); 2]; 2];
        for (i, row) in rows.iter_mut().enumerate() {
            let [from, next] = [step(job.rows[0], 2 * k + i, job.row), step(job.next[0], 2 * k + i, job.row)];
            // SAFETY: the caller's promise: there are 128 rows.
            *row = unsafe { read::<AHEAD>(from, next) };
        }
        squares[0].keep(k, lower(rows));
        squares[1].keep(k, upper(rows));
    }
    for (n, square) in squares.iter().enumerate() {
        columns!(square, at, column => {
            if AHEAD {
                fetch(step(job.next_lines[0], 2 * at + n, job.next_line));
            }
            // SAFETY: the caller's promise: there are 128 lines.
            unsafe { put(step_mut(job.lines[0], 2 * at + n, job.line), column, job.stream) };
        });
    }
}

/// 64 lines of 128 elements of 4 bits from as many rows, of which every other element is taken.
///
/// # Safety
/// That of the type of such loops in `drive::uneven`.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn uneven<const AHEAD: bool>(job: &Uneven) {
    let mut square = Square::new();
    for k in 0..ROWS {
        let mut rows = [[_mm256_setzero_si256(); 2]; 2];
        for (i, row) in rows.iter_mut().enumerate() {
            let [from, next] = [step(job.rows[i], k, job.row), step(job.next.0[i], k, job.row)];
            // SAFETY: the caller's promise: there are 64 pairs of rows.
            *row = unsafe { read::<AHEAD>(from, next) };
            // The elements that are taken, in the half that they go to.
            if job.upper[i] != (i == 1) {
                for part in row {
                    *part =
                        if i == 0 { _mm256_srli_epi16::<4>(*part) } else { _mm256_slli_epi16::<4>(*part) };
                }
            }
        }
        square.keep(k, [beside(rows[0][0], rows[1][0]), beside(rows[0][1], rows[1][1])]);
    }
    columns!(&square, at, column => {
        if AHEAD {
            fetch(step(job.next.1, at, job.line));
        }
        // SAFETY: the caller's promise: there are 64 lines.
        unsafe { store64(step_mut(job.lines, at, job.line), column) };
    });
}

/// 64 lines of 128 elements of 4 bits from as many rows of bytes, of which the lower 4 bits are taken, or `NEAREST` values,
/// `SIGNED` or not.
///
/// # Safety
/// That of the type of such loops in `drive::turned`.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn from_bytes<
    const NEAREST: bool,
    const SIGNED: bool,
    const AHEAD: bool,
>(
    job: &Turned,
) {
    let mut square = Square::new();
    for k in 0..ROWS {
        let mut rows = [[_mm256_setzero_si256(); 2]; 2];
        for (i, row) in rows.iter_mut().enumerate() {
            let [from, next] = [step(job.rows[0], 2 * k + i, job.row), step(job.next[0], 2 * k + i, job.row)];
            // SAFETY: the caller's promise: there are 128 rows.
            let bytes = unsafe { read::<AHEAD>(from, next) };
            *row = [nearest::<NEAREST, SIGNED>(bytes[0]), nearest::<NEAREST, SIGNED>(bytes[1])];
        }
        square.keep(k, lower(rows));
    }
    columns!(&square, at, column => {
        if AHEAD {
            fetch(step(job.next_lines[0], at, job.next_line));
        }
        // SAFETY: the caller's promise: there are 64 lines.
        unsafe { put(step_mut(job.lines[0], at, job.line), column, job.stream) };
    });
}

/// What 4 bits hold of each byte.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn nearest<const NEAREST: bool, const SIGNED: bool>(bytes: __m256i) -> __m256i {
    match (NEAREST, SIGNED) {
        (false, _) => bytes,
        (true, false) => _mm256_min_epu8(bytes, _mm256_set1_epi8(15)),
        (true, true) => _mm256_max_epi8(_mm256_min_epi8(bytes, _mm256_set1_epi8(7)), _mm256_set1_epi8(-8)),
    }
}

/// The lower and the upper halves of bytes, in bytes of their own.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn parted(bytes: __m256i) -> [__m256i; 2] {
    let halves = _mm256_set1_epi8(0x0F);
    [_mm256_and_si256(bytes, halves), _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), halves)]
}

/// 128 lines of 64 bytes from 64 rows of elements of 4 bits: for each of these what the table has.
///
/// # Safety
/// That of the type of such loops in `drive::turned`; all lines have the same table.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn to_bytes<const AHEAD: bool>(job: &Turned) {
    // SAFETY: the caller's promise: a table has 16 results.
    let table = _mm256_broadcastsi128_si256(unsafe { load16(job.tables[0]) });
    let mut square = Square::new();
    for k in 0..ROWS {
        let [from, next] = [step(job.rows[0], k, job.row), step(job.next[0], k, job.row)];
        // SAFETY: the caller's promise: there are 64 rows.
        square.keep(k, unsafe { read::<AHEAD>(from, next) });
    }
    columns!(&square, at, column => {
        let (a, b) = (parted(column[0]), parted(column[1]));
        for half in 0..2 {
            if AHEAD {
                fetch(step(job.next_lines[0], 2 * at + half, job.next_line));
            }
            let line = [_mm256_shuffle_epi8(table, a[half]), _mm256_shuffle_epi8(table, b[half])];
            // SAFETY: the caller's promise: there are 128 lines.
            unsafe { put(step_mut(job.lines[0], 2 * at + half, job.line), line, job.stream) };
        }
    });
}

/// 128 lines of results of `W` bytes, 2 or 4, from two blocks of 32 rows of elements of 4 bits: for each of these what the table
/// of its line and block has.
///
/// # Safety
/// That of the type of such loops in `drive::turned`.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn to_lines<const W: usize, const AHEAD: bool>(job: &Turned) {
    let mut square = Square::new();
    for block in 0..2 {
        for k in 0..HALF {
            let [from, next] = [step(job.rows[block], k, job.row), step(job.next[block], k, job.row)];
            let place = if W == 2 { place::<2>(k) } else { k };
            // SAFETY: the caller's promise: each block has 32 rows.
            square.keep(HALF * block + place, unsafe { read::<AHEAD>(from, next) });
        }
    }
    // SAFETY of both: the caller's promise: a table has 16 results.
    // SAFETY: see above.
    let mut tables = [unsafe { Results::at::<W>(job.tables[0]) }; 2];
    // SAFETY: see above.
    tables[1] = unsafe { Results::at::<W>(job.tables[1]) };
    columns!(&square, at, column => {
        for (block, column) in column.into_iter().enumerate() {
            for (half, bytes) in parted(column).into_iter().enumerate() {
                let y = 2 * at + half;
                if job.table > 0 {
                    // SAFETY: the caller's promise: each line has a table.
                    tables[block] = unsafe { Results::at::<W>(job.tables[block].wrapping_add(y * job.table)) };
                }
                let to = step_mut(job.lines[block], y, job.line);
                if AHEAD {
                    let next = step(job.next_lines[block], y, job.next_line);
                    for i in 0..W / 2 {
                        fetch(next.wrapping_add(i * LINE));
                    }
                }
                if W == 2 {
                    let line = tables[block].of_16_bits(bytes);
                    // SAFETY: the caller's promise: there are 128 lines.
                    unsafe { put(to, line, job.stream) };
                    continue;
                }
                let numbers = widened(bytes);
                for i in 0..2 {
                    let first = tables[block].of_32_bits(numbers[2 * i]);
                    let line = [first, tables[block].of_32_bits(numbers[2 * i + 1])];
                    // SAFETY: as above.
                    unsafe { put(to.wrapping_add(i * LINE), line, job.stream) };
                }
            }
        }
    });
}

/// Bytes as numbers of 32 bits.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn widened(bytes: __m256i) -> [__m256i; 4] {
    let (low, high) = (_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes));
    [
        _mm256_cvtepu8_epi32(low),
        _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(low)),
        _mm256_cvtepu8_epi32(high),
        _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(high)),
    ]
}

/// 128 lines of elements of type `D` from 64 rows of elements of 4 bits: numbers times factors, of which each row has one in
/// every 32 lines.
///
/// # Safety
/// That of the type of such loops in `drive::turned`; the tables are those of `drive::turned::by_rows`.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn by_rows<D: Store<__m256>>(job: &Turned) {
    let mut square = Square::new();
    for k in 0..ROWS {
        let [from, next] = [step(job.rows[0], k, job.row), step(job.next[0], k, job.row)];
        let place = k / HALF * HALF + place::<4>(k % HALF);
        // SAFETY: the caller's promise: there are 64 rows.
        square.keep(place, unsafe { read::<true>(from, next) });
    }
    // SAFETY: the caller's promise: there are 16 numbers.
    let numbers = Numbers::new(unsafe { &*job.tables[1].cast() });
    columns!(&square, at, column => {
        let factors = job.tables[0].wrapping_add(at / 16 * job.table);
        for (block, column) in column.into_iter().enumerate() {
            let factors = factors.wrapping_add(block * HALF * size_of::<f32>());
            for (half, bytes) in parted(column).into_iter().enumerate() {
                let next = step(job.next_lines[0], 2 * at + half, job.next_line);
                for i in 0..size_of::<D>() / 2 {
                    fetch(next.wrapping_add((block * size_of::<D>() / 2 + i) * LINE));
                }
                let mut values = numbers.of(bytes);
                for (i, value) in values.iter_mut().enumerate() {
                    // SAFETY: the caller's promise: there are 64 factors.
                    let factor = unsafe { load32(factors.wrapping_add(i * size_of::<__m256>())) };
                    *value = _mm256_mul_ps(*value, _mm256_castsi256_ps(factor));
                }
                let to = step_mut(job.lines[0], 2 * at + half, job.line);
                // SAFETY: the caller's promise: there are 128 lines.
                unsafe { D::store_four(to.wrapping_add(block * HALF * size_of::<D>()), values) };
            }
        }
    });
}
