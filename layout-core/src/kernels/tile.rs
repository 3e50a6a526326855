//! [`Tile`]: what a kernel is given, three nested loops over elements in units of bytes. Made by the plan's runner;
//! it knows no axes, blocks or data types. [`Tables`] lets several loops of a crossed tile pass for one.

use super::cpu::Token;
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
    /// Whether lines of the destination are to be asked for before they are written: [`super::claims`] says where that pays.
    pub(crate) claims: bool,
    /// Where `x` or `y` is several loops.
    pub(crate) tables: Tables<'a>,
    /// What a converting kernel does to each number; copying ones do not look at it.
    pub(crate) epilogue: Option<&'a Epilogue>,
    /// The instructions that it is moved with.
    pub(crate) token: Token,
}

/// The distances of a crossed tile, in which the destination is contiguous along x and the source along y, where they are no
/// multiples of one stride: several loops pass for one, whose `src` (of x) or `dst` (of y) is not looked at.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tables<'a> {
    /// Bytes from `src` to each value of x that holds data; at least [`Tables::SLACK`] copies of the last one follow.
    pub(crate) src_x: Option<&'a [isize]>,
    /// Bytes from `dst` to each value of y.
    pub(crate) dst_y: Option<&'a [isize]>,
    /// From each multiple of this on, as many values of a table lie at the loop's own stride; 0 where that is not known.
    pub(crate) together: usize,
    /// Where all of the tile is repeated.
    pub(crate) blocks: Option<&'a Blocks<'a>>,
}

/// Repetitions of a tile of groups of 4 bytes, and the padding of those that `z` stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<'a> {
    /// Bytes from `src` to each repetition.
    pub(crate) src: &'a [isize],
    /// Bytes from `dst` to each; as many.
    pub(crate) dst: &'a [isize],
    /// Values of `z` that hold data, at most `z.len`; for the others zero is written.
    pub(crate) valid_z: usize,
}

impl Tables<'_> {
    /// What a kernel may read of `src_x` behind the values that hold data: a line of bytes.
    pub(crate) const SLACK: usize = 64;
    /// No tables: one stride each.
    pub(crate) const NONE: Tables<'static> = Tables { src_x: None, dst_y: None, together: 0, blocks: None };
}

impl Blocks<'_> {
    /// Tiles without blocks that do the same together: of each block the data and the padding.
    #[inline(always)]
    pub(crate) const fn parts(&self) -> usize {
        2 * self.src.len()
    }

    /// The bytes from `src` and from `dst` to part `i`, and the part.
    #[inline(always)]
    pub(crate) fn part<'a>(&self, tile: &Tile<'a>, i: usize) -> (isize, isize, Tile<'a>) {
        let (src, dst) = (self.src[i / 2], self.dst[i / 2]);
        let data = i.is_multiple_of(2);
        let (first, len) = if data { (0, self.valid_z) } else { (self.valid_z, tile.z.len - self.valid_z) };
        let dst = dst.wrapping_add(tile.z.dst.wrapping_mul(first as isize));
        let part = Tile {
            z: Step { len, ..tile.z },
            valid_x: if data { tile.valid_x } else { 0 },
            tables: Tables { blocks: None, ..tile.tables },
            ..*tile
        };
        (src, dst, part)
    }
}

/// Rows of whole blocks and of a part of one behind them, which are moved together: apart they would touch lines twice.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(crate) struct Joined {
    pub(crate) src: *const u8,
    pub(crate) dst: *mut u8,
    /// The rows.
    pub(crate) rows: Step,
    /// The whole blocks of a row; the part lies where one more would.
    pub(crate) blocks: Step,
    /// Bytes of a block, 16, 32 or 64, which are contiguous on both sides.
    pub(crate) block: usize,
    /// Bytes of the part that hold data.
    pub(crate) valid: usize,
    /// Whether the part is a whole block in the destination, of which the rest is padding.
    pub(crate) padded: bool,
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
/// 5. With [`Tables`], `x.dst` and `y.src` are the elements' widths, and the tables are as long as they say. With [`Blocks`],
///    which only copying kernels take, all of this holds from each of their places on, the first point for `z < valid_z`.
/// 6. With an epilogue, its values for every element that is moved can be read; with its beta, the places of the destination
///    to which elements are moved can be read as well.
///
/// Neither pointer needs any alignment.
pub(crate) type Kernel = unsafe fn(src: *const u8, dst: *mut u8, tile: &Tile<'_>);

impl<'a> Tile<'a> {
    /// The same with `z` as more values of `y`, where that goes on in the same steps on both sides and in the parameters.
    #[inline]
    pub(crate) fn joined(&self) -> Option<Tile<'a>> {
        let (y, z) = (self.y, self.z);
        let follows = |along: isize, repeat: isize| along.wrapping_mul(y.len as isize) == repeat;
        let all = |epilogue: &Epilogue| epilogue.places().all(|one| one.y * y.len == one.z);
        let goes_on = z.len > 1 && self.valid_y == y.len && follows(y.src, z.src) && follows(y.dst, z.dst);
        if !goes_on
            || !self.epilogue.is_none_or(all)
            || self.tables.src_x.is_some()
            || self.tables.dst_y.is_some()
        {
            return None;
        }
        let len = y.len * z.len;
        Some(Tile { y: Step { len, ..y }, z: Step { len: 1, src: 0, dst: 0 }, valid_y: len, ..*self })
    }

    /// The same with the rows of each value of `z` as one, of elements of `src` and `dst` bytes, where these follow one another on
    /// both sides; not for those whose parameters differ.
    #[inline]
    pub(crate) fn flattened(&self, src: usize, dst: usize) -> Option<Tile<'a>> {
        let (x, y) = (self.x, self.y);
        let row = |bytes: usize| (x.len * bytes) as isize;
        let follows = self.valid_x == x.len && y.src == row(src) && y.dst == row(dst);
        let alike = |epilogue: &Epilogue| epilogue.is_common() && epilogue.rounding.is_none();
        if !follows
            || y.len == 1
            || self.valid_y == 0
            || !self.epilogue.is_none_or(alike)
            || self.tables.src_x.is_some()
            || self.tables.dst_y.is_some()
        {
            return None;
        }
        let x = Step { len: x.len * y.len, ..x };
        let once = Step { len: 1, src: 0, dst: 0 };
        Some(Tile { x, y: self.z, z: once, valid_x: self.valid_y * self.x.len, valid_y: self.z.len, ..*self })
    }

    /// Whether `y` is so long, the rows along `x` fill registers so well, and both sides lie so near one another that a crossed
    /// tile, of elements of `bytes` bytes, is faster moved as it is than with more rows by way of a table, or in bands.
    #[inline(always)]
    pub(crate) const fn stays(&self, bytes: usize) -> bool {
        /// Bytes along y; and those that all rows of a side span: a part of what a first-level cache holds.
        const HIGH: usize = 48;
        const NEAR: usize = 10 * 1024;
        /// Of more rows than this between two values of y, longer ones are better.
        const BETWEEN: usize = 8;
        let Tile { x, y, valid_x, .. } = *self;
        // Half lines of four bytes are as fast by whole ones.
        let width = x.len * bytes;
        let fills = matches!(width, 16 | 64) || width == 32 && bytes < 4;
        let fills = fills && valid_x == x.len && y.len * bytes >= HIGH;
        let src = x.src.unsigned_abs().saturating_mul(x.len);
        let dst = y.dst.unsigned_abs();
        fills && src <= NEAR && dst <= BETWEEN * width && dst.saturating_mul(y.len) <= NEAR
    }

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
            claims: self.claims,
            tables: Tables::NONE,
            epilogue: None,
            token: self.token,
        }
    }
}
