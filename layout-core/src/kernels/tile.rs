//! [`Tile`]: what a kernel is given, three nested loops over elements in units of bytes. Made by the plan's runner;
//! it knows no axes, blocks or data types. [`Tables`] lets several loops of a crossed tile pass for one.

use super::epilogue::Epilogue;

/// One loop of a tile: `len` values, and how far apart two of them are on each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Number of values.
    pub(crate) len: usize,
    /// Bytes between two values in the source.
    pub(crate) src: isize,
    /// Bytes between two values in the destination.
    pub(crate) dst: isize,
}

/// A box of elements: `x` runs along the destination's lines, `y` along the source's where these differ, and `z`
/// repeats the whole, so that small tiles do not pay for a call each.
///
/// Elements with `x < valid_x` and `y < valid_y` are moved; the others of the box are padding, and zero is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile<'a> {
    /// The innermost loop of the destination.
    pub(crate) x: Step,
    /// The innermost loop of the source, or the next one of the destination where `x` is that as well.
    pub(crate) y: Step,
    /// How often the tile is repeated.
    pub(crate) z: Step,
    /// Values of `x` that hold data, at most `x.len`.
    pub(crate) valid_x: usize,
    /// Values of `y` that hold data, at most `y.len`.
    pub(crate) valid_y: usize,
    /// Whether lines of the destination that are written whole should go past the caches. A hint: a kernel that has no
    /// such stores, or finds no whole aligned lines, writes as always. Whoever sets it calls [`super::fence`] at the end.
    pub(crate) stream: bool,
    /// Where `x` or `y` is several loops.
    pub(crate) tables: Tables<'a>,
    /// What a converting kernel does to each number; copying ones do not look at it.
    pub(crate) epilogue: Option<&'a Epilogue>,
}

/// The distances of a crossed tile, in which the destination is contiguous along x and the source along y, where they are no
/// multiples of one stride: several loops pass for one, whose `src` (of x) or `dst` (of y) is not looked at.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tables<'a> {
    /// Bytes from `src` to each value of x that holds data; at least [`Tables::SLACK`] copies of the last one follow.
    pub(crate) src_x: Option<&'a [isize]>,
    /// Bytes from `dst` to each value of y.
    pub(crate) dst_y: Option<&'a [isize]>,
}

impl Tables<'_> {
    /// What a kernel may read of `src_x` behind the values that hold data: a line of bytes.
    pub(crate) const SLACK: usize = 64;
    /// No tables: one stride each.
    pub(crate) const NONE: Tables<'static> = Tables { src_x: None, dst_y: None };
}

/// A kernel: moves the elements of one tile and writes zero to its padding.
///
/// # Safety
/// Let `at(p, x, y, z)` be `p` moved by the steps' strides of its side.
/// 1. For all `x < valid_x`, `y < valid_y`, `z < z.len`, an element of the source's width can be read at `at(src, …)`.
/// 2. For all `x < x.len`, `y < y.len`, `z < z.len`, an element of the destination's width can be written at
///    `at(dst, …)`.
/// 3. No byte that is read is one that is written.
/// 4. `valid_x <= x.len` and `valid_y <= y.len`.
/// 5. With [`Tables`], `x.dst` and `y.src` are the elements' widths, and the tables are as long as they say.
/// 6. With an epilogue, its values for every element that is moved can be read; with its beta, the places of the destination
///    to which elements are moved can be read as well.
///
/// Neither pointer needs any alignment.
pub(crate) type Kernel = unsafe fn(src: *const u8, dst: *mut u8, tile: &Tile<'_>);

impl Tile<'_> {
    /// The same loops with `x` and `y` cut to `[x0, x0 + nx)` and `[y0, y0 + ny)`, all of it data, not repeated. For tiles
    /// without tables; the epilogue is left out.
    #[inline(always)]
    pub(crate) const fn part(&self, nx: usize, ny: usize) -> Tile<'static> {
        Tile {
            x: Step { len: nx, ..self.x },
            y: Step { len: ny, ..self.y },
            z: Step { len: 1, src: 0, dst: 0 },
            valid_x: nx,
            valid_y: ny,
            stream: self.stream,
            tables: Tables::NONE,
            epilogue: None,
        }
    }
}
