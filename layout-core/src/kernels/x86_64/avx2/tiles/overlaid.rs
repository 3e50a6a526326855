//! Small crossed tiles in squares of 8 by 8 elements, or of 4 by 4 of those of 4 bytes, of which the last ones lie over those before: what
//! squares that fill a register have no room for, or would mostly be empty in. Tiles of 4 to 7 rows or lines are halves of a square that
//! lie over one another in the same way, so that no byte outside of a tile is touched.

use core::arch::x86_64::*;

use super::super::super::super::drive::Strips;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::{Blocks, Step};
use super::super::super::parts::opaque;
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::memory::{load8, load16, store8, store16};
use super::super::transpose::turn16;

/// Rows of the largest square, and of half of one.
const MOST: usize = 8;
const HALF: usize = MOST / 2;

/// Elements along the side of a square.
const fn side<const B: usize>() -> usize {
    if B == 4 { HALF } else { MOST }
}

/// Which of a tile's rows and lines lie at the distances of a table.
const EVEN: u8 = 0;
const ROWS: u8 = 1;
const LINES: u8 = 2;

/// Transposes `job`, of elements of `B` bytes, and all of its repetitions at all places of `blocks`.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::tiles`], for elements of 1, 2 or 4 bytes, and 4 rows and 4 lines at least, not less than 8
/// on the side that has a table, and no padding where that is the side of the rows.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn overlaid<const B: usize>(job: &Strips, again: Step, blocks: &Blocks) {
    let side = side::<B>();
    let (rows, lines, padded) = (job.width < side, job.height < side, job.valid < job.width);
    macro_rules! all {
        ($tables:ident: $(($rows:pat, $lines:pat, $padded:pat) => $few_rows:literal $few_lines:literal $with_padding:literal,)*) => {
            match (rows, lines, padded) {
                // SAFETY of all: the caller's promise, and the sizes were just compared.
                $(($rows, $lines, $padded) => {
                    // SAFETY: see above.
                    unsafe { all::<B, $tables, $few_rows, $few_lines, $with_padding>(job, again, blocks) }
                })*
            }
        };
    }
    if job.even {
        all! { EVEN:
            (false, false, false) => false false false,
            (false, false, true) => false false true,
            (false, true, false) => false true false,
            (false, true, true) => false true true,
            (true, false, false) => true false false,
            (true, false, true) => true false true,
            (true, true, false) => true true false,
            (true, true, true) => true true true,
        }
    } else if job.even_x {
        all! { LINES:
            (false, _, false) => false false false,
            (false, _, true) => false false true,
            (true, _, false) => true false false,
            (true, _, true) => true false true,
        }
    } else {
        all! { ROWS:
            (_, false, _) => false false false,
            (_, true, _) => false true false,
        }
    }
}

/// The same. `FEW_ROWS` and `FEW_LINES`: there are less than 8; `PADDED`: some rows hold no data.
///
/// # Safety
/// As [`overlaid`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn all<
    const B: usize,
    const TABLE: u8,
    const FEW_ROWS: bool,
    const FEW_LINES: bool,
    const PADDED: bool,
>(
    job: &Strips,
    again: Step,
    blocks: &Blocks,
) {
    if const { B == 4 && (FEW_ROWS || FEW_LINES) } {
        return;
    }
    let (one, side) = (Square::<TABLE>::new::<B, FEW_ROWS, FEW_LINES>(job), side::<B>());
    // A single row or line behind the last square is moved by elements.
    let (row, line) = (!FEW_ROWS && job.width % side == 1, !FEW_LINES && job.height % side == 1);
    let width = if row { job.width - 1 } else { job.width };
    let height = if line { job.height - 1 } else { job.height };
    for (&src_by, &dst_by) in blocks.src.iter().zip(blocks.dst) {
        let (mut src, mut dst) = (job.src.wrapping_offset(src_by), job.dst.wrapping_offset(dst_by));
        for _ in 0..again.len {
            let mut x = 0;
            loop {
                let valid = job.valid.saturating_sub(x);
                let mut y = 0;
                loop {
                    // SAFETY: the caller's promise: these rows and lines are in the job.
                    unsafe { one.turn::<B, FEW_ROWS, FEW_LINES, PADDED>(src, dst, [x, y], valid) };
                    match if FEW_LINES { None } else { next(y, side, height) } {
                        Some(next) => y = next,
                        None => break,
                    }
                }
                if line {
                    // SAFETY: as above.
                    unsafe { one.line::<B, FEW_ROWS, PADDED>(src, dst, [x, height], valid) };
                }
                match if FEW_ROWS { None } else { next(x, side, width) } {
                    Some(next) => x = next,
                    None => break,
                }
            }
            if row {
                // SAFETY: as above.
                unsafe { one.last_row::<B>(src, dst, job) };
            }
            (src, dst) = (step(src, 1, again.src), step_mut(dst, 1, again.dst));
        }
    }
}

/// Where the parts of a square lie.
struct Square<const TABLE: u8> {
    src_step: isize,
    dst_step: isize,
    /// The distances of all rows, or of all lines.
    table: *const isize,
    /// How far behind the first row and the first line those of the other half lie.
    rows: usize,
    lines: usize,
}

impl<const TABLE: u8> Square<TABLE> {
    #[inline]
    fn new<const B: usize, const FEW_ROWS: bool, const FEW_LINES: bool>(job: &Strips) -> Self {
        let rows = if FEW_ROWS { job.width.saturating_sub(HALF) } else { HALF };
        let lines = if FEW_LINES { job.height.saturating_sub(HALF) } else { HALF };
        let table = if TABLE == ROWS { job.src_x } else { job.dst_y };
        Square { src_step: job.src_step, dst_step: job.dst_step, table, rows, lines }
    }

    /// How far row `x` lies from where rows begin.
    ///
    /// # Safety
    /// It is in the job.
    #[inline]
    unsafe fn row(&self, x: usize) -> isize {
        if TABLE == ROWS {
            // SAFETY: the caller's promise: a table has all rows.
            return unsafe { self.table.wrapping_add(x).read() };
        }
        (x as isize).wrapping_mul(self.src_step)
    }

    /// How far line `y` lies from where lines begin.
    ///
    /// # Safety
    /// It is in the job.
    #[inline]
    unsafe fn line_at(&self, y: usize) -> isize {
        if TABLE == LINES {
            // SAFETY: the caller's promise: a table has all lines.
            return unsafe { self.table.wrapping_add(y).read() };
        }
        (y as isize).wrapping_mul(self.dst_step)
    }

    /// Transposes the one at `x` and `y`, of whose rows the first `valid` hold data.
    ///
    /// # Safety
    /// These rows can be read from `src` on, and the lines written from `dst` on.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn turn<const B: usize, const FEW_ROWS: bool, const FEW_LINES: bool, const PADDED: bool>(
        &self,
        src: *const u8,
        dst: *mut u8,
        [x, y]: [usize; 2],
        valid: usize,
    ) {
        let (src, dst) = (src.wrapping_add(y * B), dst.wrapping_add(x * B));
        let mut rows = [_mm_setzero_si128(); MOST];
        let mut from = src;
        unrolled!(8, i => {
            if i < side::<B>() {
                if TABLE != ROWS && (i == 0 || i == HALF) {
                    let first = if i == 0 { x } else { x + self.rows };
                    from = opaque(step(src, first, self.src_step).cast_mut()).cast_const();
                }
                let row = if i < HALF { i } else { self.rows + i - HALF };
                if !PADDED || row < valid {
                    let at = if TABLE == ROWS {
                        // SAFETY: the caller's promise.
                        src.wrapping_offset(unsafe { self.row(x + row) })
                    } else {
                        step(from, i % HALF, self.src_step)
                    };
                    // SAFETY: the caller's promise.
                    rows[i] = unsafe { self.load::<B, FEW_LINES>(at) };
                }
            }
        });
        let lines = turn::<B>(rows);
        let mut to = dst;
        unrolled!(8, i => {
            if i < side::<B>() {
                if TABLE != LINES && (i == 0 || i == HALF) {
                    let first = if i == 0 { y } else { y + self.lines };
                    to = opaque(step_mut(dst, first, self.dst_step));
                }
                let line = if i < HALF { i } else { self.lines + i - HALF };
                let at = if TABLE == LINES {
                    // SAFETY: the caller's promise.
                    dst.wrapping_offset(unsafe { self.line_at(y + line) })
                } else {
                    step_mut(to, i % HALF, self.dst_step)
                };
                // SAFETY: the caller's promise.
                unsafe { self.store::<B, FEW_ROWS>(at, &lines, i) };
            }
        });
    }

    /// An element of each row of a square, of which the first `valid` hold data, to line `y`.
    ///
    /// # Safety
    /// As [`Square::turn`].
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn line<const B: usize, const FEW_ROWS: bool, const PADDED: bool>(
        &self,
        src: *const u8,
        dst: *mut u8,
        [x, y]: [usize; 2],
        valid: usize,
    ) {
        let src = src.wrapping_add(y * B);
        let mut line = [[0; B]; MOST];
        unrolled!(8, i => {
            let row = if i < HALF { i } else { self.rows + i - HALF };
            if i < side::<B>() && (!PADDED || row < valid) {
                // SAFETY: the caller's promise.
                let at = src.wrapping_offset(unsafe { self.row(x + row) });
                // SAFETY: as above.
                line[i] = unsafe { at.cast::<[u8; B]>().read() };
            }
        });
        // SAFETY: as above.
        let dst = dst.wrapping_offset(unsafe { self.line_at(y) }).wrapping_add(x * B);
        let [a, b, c, d, e, f, g, h] = line;
        // SAFETY: as above: four elements at least.
        unsafe { dst.cast::<[[u8; B]; HALF]>().write([a, b, c, d]) };
        if B < 4 {
            // SAFETY: as above: the last four.
            unsafe { dst.wrapping_add(self.rows * B).cast::<[[u8; B]; HALF]>().write([e, f, g, h]) };
        }
    }

    /// The last row of `job`, which may be padding, to an element of each line.
    ///
    /// # Safety
    /// As [`Square::turn`].
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn last_row<const B: usize>(&self, src: *const u8, dst: *mut u8, job: &Strips) {
        let last = job.width - 1;
        let dst = dst.wrapping_add(last * B);
        // SAFETY: the caller's promise.
        let src = src.wrapping_offset(if job.valid > last { unsafe { self.row(last) } } else { 0 });
        for y in 0..job.height {
            let element = if job.valid > last {
                // SAFETY: as above.
                unsafe { src.wrapping_add(y * B).cast::<[u8; B]>().read() }
            } else {
                [0; B]
            };
            // SAFETY: as above.
            let at = dst.wrapping_offset(unsafe { self.line_at(y) });
            // SAFETY: as above.
            unsafe { at.cast::<[u8; B]>().write(element) };
        }
    }

    /// A row.
    ///
    /// # Safety
    /// It can be read.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn load<const B: usize, const FEW_LINES: bool>(&self, src: *const u8) -> __m128i {
        let last = src.wrapping_add(self.lines * B);
        match (B, FEW_LINES) {
            // SAFETY of all: the caller's promise; a half is 4 elements.
            // SAFETY: see above.
            (1, false) => unsafe { load8(src) },
            (1, true) => {
                // SAFETY: see above.
                let first = unsafe { src.cast::<[u8; HALF]>().read() };
                // SAFETY: see above.
                let last = unsafe { last.cast::<[u8; HALF]>().read() };
                _mm_insert_epi32::<1>(_mm_cvtsi32_si128(i32::from_le_bytes(first)), i32::from_le_bytes(last))
            }
            (2, true) => {
                // SAFETY: see above.
                let first = unsafe { load8(src) };
                // SAFETY: see above.
                _mm_unpacklo_epi64(first, unsafe { load8(last) })
            }
            // SAFETY: see above.
            _ => unsafe { load16(src) },
        }
    }

    /// Line `i` of `lines`.
    ///
    /// # Safety
    /// It can be written.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn store<const B: usize, const FEW_ROWS: bool>(
        &self,
        dst: *mut u8,
        lines: &[__m128i; MOST],
        i: usize,
    ) {
        let last = dst.wrapping_add(self.rows * B);
        // Of bytes there are two lines in a register.
        let line = if B > 1 { lines[i] } else { lines[i / 2] };
        let upper = _mm_unpackhi_epi64(line, line);
        let own = if B == 1 && i % 2 == 1 { upper } else { line };
        match (B, FEW_ROWS) {
            // SAFETY of all: the caller's promise; a half is 4 elements.
            // SAFETY: see above.
            (1, false) => unsafe { store8(dst, own) },
            (1, true) => {
                let [first, behind] = [_mm_cvtsi128_si32(own), _mm_extract_epi32::<1>(own)];
                // SAFETY: see above.
                unsafe { dst.cast::<[u8; HALF]>().write(first.to_le_bytes()) };
                // SAFETY: see above.
                unsafe { last.cast::<[u8; HALF]>().write(behind.to_le_bytes()) };
            }
            (2, true) => {
                // SAFETY: see above.
                unsafe { store8(dst, own) };
                // SAFETY: see above.
                unsafe { store8(last, upper) };
            }
            // SAFETY: see above.
            _ => unsafe { store16(dst, own) },
        }
    }
}

/// The columns of a square; of bytes, which are in the lower halves, two in each register.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn turn<const B: usize>(rows: [__m128i; MOST]) -> [__m128i; MOST] {
    let [a, b, c, d, e, f, g, h] = rows;
    match B {
        1 => {
            // Every other row, every other one of these, and then all.
            let even = [_mm_unpacklo_epi8(a, e), _mm_unpacklo_epi8(c, g)];
            let odd = [_mm_unpacklo_epi8(b, f), _mm_unpacklo_epi8(d, h)];
            let low = [_mm_unpacklo_epi8(even[0], even[1]), _mm_unpacklo_epi8(odd[0], odd[1])];
            let high = [_mm_unpackhi_epi8(even[0], even[1]), _mm_unpackhi_epi8(odd[0], odd[1])];
            let first = [_mm_unpacklo_epi8(low[0], low[1]), _mm_unpackhi_epi8(low[0], low[1])];
            let last = [_mm_unpacklo_epi8(high[0], high[1]), _mm_unpackhi_epi8(high[0], high[1])];
            [first[0], first[1], last[0], last[1], e, f, g, h]
        }
        2 => turn16::<2, 8>(rows, MOST),
        _ => {
            let [a, b, c, d] = turn16::<4, 4>([a, b, c, d], HALF);
            [a, b, c, d, e, f, g, h]
        }
    }
}
