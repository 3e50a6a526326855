//! [`Shuffle`]: the transpose of a matrix of any extents, by permutations within its rows and its columns.
//!
//! Catanzaro, Keller and Garland, "A decomposition for in-place matrix transposition" (PPoPP 2014): with m rows of n
//! elements, c = gcd(m, n), a = m / c and b = n / c,
//!
//! 1. column j is rotated up by j / b places (nothing for c = 1);
//! 2. element j of row i goes to place ((i + j / b) mod m + j m) mod n of the row;
//! 3. column j is rotated up by j places;
//! 4. row i takes what is in row (i n - i / a) mod m;
//!
//! and memory then holds n rows of m elements. The inverse of the steps for n rows of m elements transposes m rows of n as
//! well, with rows of m elements in the scratch. Rotations move a line's worth of columns at a time.

use super::permutation::{Permutation, STRETCH, Seen};
use super::slabs::LINE;
use super::{Outer, Scratch};
use crate::reorder::in_place::loops::Loops;
use crate::reorder::problem::gcd_of;
use core::mem::MaybeUninit;

/// The transpose of matrices of single elements.
#[derive(Clone)]
pub(in super::super) struct Shuffle {
    outer: Outer,
    /// Rows and columns on which the steps work.
    m: usize,
    n: usize,
    /// Whether the steps are taken backwards.
    inverse: bool,
    /// Bytes of an element.
    element: usize,
}

/// Bytes of a row at most.
const ROW: usize = 32 << 10;
/// Columns of so few elements are rotated one by one.
const SHORT: usize = 128;

impl Shuffle {
    /// `loops` as the transpose of matrices without gaps; `None` where they are something else, or too large.
    pub(in super::super) fn new(loops: &Loops, element: usize) -> Option<Shuffle> {
        let (mut shared, mut others) = loops.shared_and_others();
        others.sort();
        let run = shared.iter().position(|node| node.src == 1);
        let unit = run.map_or(1, |run| shared.remove(run).n);
        let [low, high] = others[..] else { return None };
        let (rows, columns) = (high.n, low.n);
        let dense = low.src == unit as isize
            && high.src == (unit * columns) as isize
            && high.dst == unit as isize
            && low.dst == (unit * rows) as isize;
        let element_bytes = unit * element;
        if !dense || !matches!(element_bytes, 1 | 2 | 4 | 8 | 16) {
            return None;
        }
        let fits = |n: usize| n <= ROW / element_bytes;
        // Rows in the scratch are to be long: what is done for a row is done less often.
        let inverse = !fits(columns) || (fits(rows) && rows > columns);
        let (m, n) = if inverse { (columns, rows) } else { (rows, columns) };
        fits(n).then(|| Shuffle {
            outer: Outer::new(&shared, element),
            m,
            n,
            inverse,
            element: element_bytes,
        })
    }

    /// What it costs to move a byte, where moving it through the scratch costs 256: elements move one by one, several times.
    pub(in super::super) fn cost(&self) -> usize {
        (40 << 8) / self.element
    }

    /// Rows and columns.
    pub(in super::super) fn extents(&self) -> (usize, usize) {
        if self.inverse { (self.n, self.m) } else { (self.m, self.n) }
    }

    /// How many matrices there are.
    pub(in super::super) fn count(&self) -> usize {
        self.outer.count()
    }

    /// Transposes the matrices from `first` on.
    ///
    /// # Safety
    /// The places of the loops can be read and written, from `first` as the lowest.
    #[inline(never)]
    pub(in super::super) unsafe fn run(&self, first: *mut u8) {
        let (m, n) = (self.m, self.n);
        self.outer.for_each(|distance| {
            let first = first.wrapping_offset(distance);
            match self.element {
                // SAFETY: the caller's promise.
                1 => unsafe { Matrix::<1>::new(first, m, n).transpose(self.inverse) },
                // SAFETY: the caller's promise.
                2 => unsafe { Matrix::<2>::new(first, m, n).transpose(self.inverse) },
                // SAFETY: the caller's promise.
                4 => unsafe { Matrix::<4>::new(first, m, n).transpose(self.inverse) },
                // SAFETY: the caller's promise.
                8 => unsafe { Matrix::<8>::new(first, m, n).transpose(self.inverse) },
                // SAFETY: the caller's promise.
                _ => unsafe { Matrix::<16>::new(first, m, n).transpose(self.inverse) },
            }
        });
    }
}

/// `m` rows of `n` elements of `E` bytes, one behind the other.
struct Matrix<const E: usize> {
    first: *mut [u8; E],
    m: usize,
    n: usize,
}

impl<const E: usize> Matrix<E> {
    /// Columns that are rotated together: those of a line.
    const WIDTH: usize = LINE / E;

    fn new(first: *mut u8, m: usize, n: usize) -> Self {
        Matrix { first: first.cast(), m, n }
    }

    fn at(&self, row: usize, column: usize) -> *mut [u8; E] {
        self.first.wrapping_add(row * self.n + column)
    }

    /// Greatest common divisor of the extents.
    fn gcd(&self) -> usize {
        gcd_of(self.m as u64, self.n as u64) as usize
    }

    /// All steps, or all of them backwards.
    ///
    /// # Safety
    /// The elements can be read and written.
    unsafe fn transpose(&self, inverse: bool) {
        if inverse {
            // SAFETY: the caller's promise.
            unsafe { self.permute_rows(true) };
            // SAFETY: the caller's promise.
            unsafe { self.rotate_columns(true) };
            // SAFETY: the caller's promise.
            unsafe { self.shuffle_rows(true) };
            // SAFETY: the caller's promise.
            unsafe { self.rotate_bands(true) };
        } else {
            // SAFETY: the caller's promise.
            unsafe { self.rotate_bands(false) };
            // SAFETY: the caller's promise.
            unsafe { self.shuffle_rows(false) };
            // SAFETY: the caller's promise.
            unsafe { self.rotate_columns(false) };
            // SAFETY: the caller's promise.
            unsafe { self.permute_rows(false) };
        }
    }

    /// Step 1: rotates the k-th band of n / c columns by k.
    ///
    /// # Safety
    /// That of [`Matrix::transpose`].
    unsafe fn rotate_bands(&self, inverse: bool) {
        let c = self.gcd();
        let band = self.n / c;
        for k in 1..c {
            let mut column = k * band;
            while column < (k + 1) * band {
                let width = (STRETCH / E).min((k + 1) * band - column);
                // SAFETY: the caller's promise.
                unsafe { self.rotate(column, width, if inverse { self.m - k } else { k }) };
                column += width;
            }
        }
    }

    /// Step 2.
    ///
    /// # Safety
    /// That of [`Matrix::transpose`].
    #[inline(never)]
    unsafe fn shuffle_rows(&self, inverse: bool) {
        let mut scratch = Scratch::<ROW>::new();
        let row_copy: *mut [u8; E] = scratch.ptr().cast();
        let (m, n) = (self.m, self.n);
        let band = n / self.gcd();
        for i in 0..m {
            let row = self.at(i, 0);
            // SAFETY: the caller's promise; the scratch has room for a row.
            unsafe { core::ptr::copy_nonoverlapping(row, row_copy, n) };
            // j m mod n.
            let mut multiple = 0;
            for k in 0..n / band {
                let start = (i + k) % m % n;
                for j in k * band..(k + 1) * band {
                    let sum = start + multiple;
                    let place = if sum >= n { sum - n } else { sum };
                    let (from, to) = if inverse { (place, j) } else { (j, place) };
                    let (from, to) = (row_copy.wrapping_add(from), row.wrapping_add(to));
                    // SAFETY: both numbers are below n.
                    unsafe { core::ptr::copy_nonoverlapping(from, to, 1) };
                    multiple += m % n;
                    multiple -= if multiple >= n { n } else { 0 };
                }
            }
        }
    }

    /// Step 3: rotates each column by its number.
    ///
    /// # Safety
    /// That of [`Matrix::transpose`].
    #[inline(never)]
    unsafe fn rotate_columns(&self, inverse: bool) {
        let (m, n) = (self.m, self.n);
        if m <= SHORT {
            for column in 0..n {
                let by = if inverse { m - column % m } else { column };
                // SAFETY: the caller's promise.
                unsafe { self.rotate_short(column, by % m) };
            }
            return;
        }
        for column in (0..n).step_by(Self::WIDTH) {
            let width = Self::WIDTH.min(n - column);
            if inverse {
                // Within the band first: its last column by nothing, the others by what they lack.
                // SAFETY: the caller's promise.
                unsafe { self.rotate_within(column, width, |k| width - 1 - k) };
                // SAFETY: the caller's promise.
                unsafe { self.rotate(column, width, 2 * m - (column + width - 1) % m) };
            } else {
                // SAFETY: the caller's promise.
                unsafe { self.rotate(column, width, column) };
                // SAFETY: the caller's promise.
                unsafe { self.rotate_within(column, width, |k| k) };
            }
        }
    }

    /// Step 4.
    ///
    /// # Safety
    /// That of [`Matrix::transpose`].
    #[inline(never)]
    unsafe fn permute_rows(&self, inverse: bool) {
        let mut seen = Seen::new();
        let mut saved = [MaybeUninit::<u8>::uninit(); STRETCH];
        let (m, n, c) = (self.m, self.n, self.gcd());
        let (a, b) = (m / c, n / c);
        let turn = inverse_modulo(b, a);
        let source = |i: usize| {
            if inverse {
                // Factors below the number of rows, which `u32` may hold where it does not hold the product.
                let first = (i.div_ceil(c) % a) as u64 * turn as u64 % a as u64;
                first as usize + (c - 1) * i % c * a
            } else {
                // A number of elements.
                (i * n + m - i / a) % m
            }
        };
        let rows = Permutation { count: m, source };
        for from in (0..n * E).step_by(STRETCH) {
            let at = |row: usize| self.at(row, 0).cast::<u8>().wrapping_add(from);
            // SAFETY: the caller's promise, of a part of each row; the step is a permutation.
            unsafe { rows.run(at, (n * E - from).min(STRETCH), &mut seen, saved.as_mut_ptr().cast()) };
        }
    }

    /// Rotates `width` columns from `column` on up by `by` rows, at most a stretch wide.
    ///
    /// # Safety
    /// That of [`Matrix::transpose`].
    #[inline]
    unsafe fn rotate(&self, column: usize, width: usize, by: usize) {
        let (m, by) = (self.m, by % self.m);
        if by == 0 {
            return;
        }
        let mut saved = [MaybeUninit::<u8>::uninit(); STRETCH];
        let saved = saved.as_mut_ptr().cast();
        for lead in 0..gcd_of(m as u64, by as u64) as usize {
            let mut to = lead;
            // SAFETY: the caller's promise.
            unsafe { core::ptr::copy_nonoverlapping(self.at(lead, column), saved, width) };
            loop {
                let sum = to + by;
                let from = if sum >= m { sum - m } else { sum };
                if from == lead {
                    break;
                }
                // SAFETY: the caller's promise; a row does not overlap another.
                unsafe { self.move_band(from, to, column, width) };
                to = from;
            }
            // SAFETY: as above.
            unsafe { core::ptr::copy_nonoverlapping(saved, self.at(to, column), width) };
        }
    }

    /// Copies `width` elements from `column` on from one row to another; a line without a call.
    ///
    /// # Safety
    /// That of [`Matrix::transpose`], and the rows differ.
    #[inline(always)]
    unsafe fn move_band(&self, from: usize, to: usize, column: usize, width: usize) {
        let (from, to) = (self.at(from, column), self.at(to, column));
        if width == Self::WIDTH {
            // SAFETY: the caller's promise.
            unsafe { core::ptr::copy_nonoverlapping(from.cast::<[u8; LINE]>(), to.cast(), 1) };
        } else {
            // SAFETY: the caller's promise.
            unsafe { core::ptr::copy_nonoverlapping(from, to, width) };
        }
    }

    /// Rotates the k-th of `width` columns from `column` on up by `by(k)` rows, which is below `width`; there are more rows
    /// than twice that. Row by row: each takes from rows that are still to come, the last ones from copies of the first.
    ///
    /// # Safety
    /// That of [`Matrix::transpose`].
    #[inline(always)]
    unsafe fn rotate_within(&self, column: usize, width: usize, by: impl Fn(usize) -> usize) {
        // As many rows as a line has elements, and of these a line.
        let mut heads = [MaybeUninit::<u8>::uninit(); LINE * LINE];
        let heads: *mut [u8; E] = heads.as_mut_ptr().cast();
        let head = |row: usize, k: usize| heads.wrapping_add(row * Self::WIDTH + k);
        for row in 0..width {
            // SAFETY: the caller's promise; there is room for `WIDTH` rows of `WIDTH` elements.
            unsafe { core::ptr::copy_nonoverlapping(self.at(row, column), head(row, 0), width) };
        }
        let whole = self.m - width;
        for row in 0..whole {
            for k in 0..width {
                let (from, to) = (self.at(row + by(k), column + k), self.at(row, column + k));
                // SAFETY: the caller's promise; where the two are the same place nothing happens.
                unsafe { core::ptr::copy(from, to, 1) };
            }
        }
        for row in whole..self.m {
            for k in 0..width {
                let from = row + by(k);
                let value = if from < self.m {
                    // SAFETY: the caller's promise.
                    unsafe { *self.at(from, column + k) }
                } else {
                    // SAFETY: the first `width` rows were copied, `width` elements of each.
                    unsafe { *head(from - self.m, k) }
                };
                // SAFETY: the caller's promise.
                unsafe { *self.at(row, column + k) = value };
            }
        }
    }

    /// Rotates one column of at most [`SHORT`] elements up by `by` rows.
    ///
    /// # Safety
    /// That of [`Matrix::transpose`].
    #[inline]
    unsafe fn rotate_short(&self, column: usize, by: usize) {
        let mut copy = [[0; E]; SHORT];
        for (row, element) in copy.iter_mut().enumerate().take(self.m) {
            // SAFETY: the caller's promise.
            *element = unsafe { *self.at(row, column) };
        }
        for row in 0..self.m {
            let from = if row + by >= self.m { row + by - self.m } else { row + by };
            // SAFETY: the caller's promise.
            unsafe { *self.at(row, column) = copy[from] };
        }
    }
}

/// The number below `modulus` whose product with `of` leaves the rest 1, where they have no common divisor; 0 for modulus 1.
fn inverse_modulo(of: usize, modulus: usize) -> usize {
    let (mut a, mut b) = (modulus as i128, (of % modulus) as i128);
    let (mut x, mut y) = (0i128, 1i128);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a % b);
        (x, y) = (y, x - quotient * y);
    }
    x.rem_euclid(modulus as i128) as usize
}
