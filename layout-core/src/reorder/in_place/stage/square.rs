//! [`Square`]: the transpose of square matrices. Each tile changes places with the one beyond the diagonal; both go through the
//! scratch, from where ordinary reorders write them transposed.

use super::{Outer, Scratch, Side, strided};
use crate::descriptor::DType;
use crate::reorder::Reorder;
use crate::reorder::in_place::loops::{Loop, Loops};
use core::ops::Range;

/// Bytes of a tile at most; there are two in the scratch.
const TILE: usize = 16 << 10;

/// A tile into the scratch, and out of it transposed.
type Plans = (Reorder, Reorder);

/// The transpose of square matrices of small rows.
#[derive(Clone)]
pub(in super::super) struct Square {
    outer: Outer,
    /// Rows, and columns.
    n: usize,
    /// Rows and columns of a tile.
    tile: usize,
    /// Distances of rows and columns, in elements.
    row: isize,
    column: isize,
    /// What moves together, inside a column.
    inner: Loops,
    dtype: DType,
}

impl Square {
    /// `loops` as the transpose of square matrices; `None` where they are something else.
    pub(in super::super) fn new(loops: &Loops, dtype: DType) -> Option<Square> {
        let (mut shared, mut others) = loops.shared_and_others();
        others.sort();
        let [low, high] = others[..] else { return None };
        if (low.n, low.src, low.dst) != (high.n, high.dst, high.src) {
            return None;
        }
        let mut inner = Loops::EMPTY;
        while let Some(at) = shared.iter().position(|node| node.src < low.src) {
            inner.push(shared.remove(at))?;
        }
        inner.sort();
        // Two tiles at a time, with rows of whole lines.
        let elements = TILE / dtype.size() / inner.count();
        let tile = elements.isqrt().min(256);
        let tile = if tile >= 16 { tile / 16 * 16 } else { tile };
        if tile < 4 {
            return None;
        }
        let tile = tile.min(low.n);
        let square = Square {
            outer: Outer::new(&shared, dtype.size()),
            n: low.n,
            tile,
            row: high.src,
            column: low.src,
            inner,
            dtype,
        };
        // If the largest tile has plans, all have.
        square.tile_plans(tile, tile)?;
        Some(square)
    }

    pub(in super::super) fn n(&self) -> usize {
        self.n
    }

    pub(in super::super) fn tile(&self) -> usize {
        self.tile
    }

    /// How many matrices there are.
    pub(in super::super) fn count(&self) -> usize {
        self.outer.count()
    }

    /// The reorders of a tile of so many rows and columns into the scratch, and transposed into memory.
    #[inline(never)]
    fn tile_plans(&self, rows: usize, columns: usize) -> Option<Plans> {
        let mut loops = self.inner;
        loops.push(Loop { n: columns, src: self.column, dst: self.row })?;
        loops.push(Loop { n: rows, src: self.row, dst: self.column })?;
        let (from, to) = (strided(self.dtype, &loops, Side::Src)?, strided(self.dtype, &loops, Side::Dst)?);
        let between = strided(self.dtype, &loops, Side::Dense)?;
        Some((Reorder::new(&from, &between).ok()?, Reorder::new(&between, &to).ok()?))
    }

    /// Transposes the matrices from `first` on.
    ///
    /// # Safety
    /// The places of the loops can be read and written, from `first` as the lowest.
    #[inline(never)]
    pub(in super::super) unsafe fn run(&self, first: *mut u8) {
        let (whole, edge) = (self.n / self.tile, self.n % self.tile);
        // Plans were made once before, for the largest tile.
        if let Some(plans) = self.tile_plans(self.tile, self.tile) {
            // SAFETY: the caller's promise.
            unsafe { self.exchange(first, [&plans, &plans], 0..whole, |row| row..whole) };
        }
        if edge == 0 {
            return;
        }
        let right_and_below = self.tile_plans(self.tile, edge).zip(self.tile_plans(edge, self.tile));
        if let Some((right, below)) = &right_and_below {
            // SAFETY: the caller's promise.
            unsafe { self.exchange(first, [right, below], 0..whole, |_| whole..whole + 1) };
        }
        if let Some(corner) = self.tile_plans(edge, edge) {
            // SAFETY: the caller's promise.
            unsafe { self.exchange(first, [&corner, &corner], whole..whole + 1, |row| row..row + 1) };
        }
    }

    /// Exchanges the tiles of `rows` with those beyond the diagonal, transposed: those in `columns` of a row of tiles, which
    /// all have plan `right`, and theirs `below`. Apart from [`Square::run`], so that the scratch is not on the stack while
    /// plans are made.
    ///
    /// # Safety
    /// That of [`Square::run`].
    #[inline(never)]
    unsafe fn exchange(
        &self,
        first: *mut u8,
        [right, below]: [&Plans; 2],
        rows: Range<usize>,
        columns: impl Fn(usize) -> Range<usize>,
    ) {
        let mut scratch = Scratch::<{ 2 * TILE }>::new();
        let (one, other) = (scratch.ptr(), scratch.ptr().wrapping_add(TILE));
        let (row_bytes, column_bytes) =
            (self.row * self.dtype.size() as isize, self.column * self.dtype.size() as isize);
        let at = |matrix: *mut u8, row: usize, column: usize| {
            let (row, column) = ((row * self.tile) as isize, (column * self.tile) as isize);
            matrix.wrapping_offset(row * row_bytes + column * column_bytes)
        };
        self.outer.for_each(|distance| {
            let matrix = first.wrapping_offset(distance);
            for row in rows.clone() {
                for column in columns(row) {
                    let (upper, lower) = (at(matrix, row, column), at(matrix, column, row));
                    // SAFETY: both tiles are places of the matrix, and the scratch lies apart and has room for both.
                    unsafe { right.0.run_ptr(upper, one) };
                    if row != column {
                        // SAFETY: as above.
                        unsafe { below.0.run_ptr(lower, other) };
                        // SAFETY: the lower tile was written to the scratch by the line above, the upper one is saved.
                        unsafe { below.1.run_ptr(other, upper) };
                    }
                    // SAFETY: the upper tile was written to the scratch above, and the lower one is saved.
                    unsafe { right.1.run_ptr(one, lower) };
                }
            }
        });
    }
}
