//! The squares of a tile one after the other, in an order that keeps the lines of both sides at hand. Called by the folder's `turned`
//! and by `by_rows`.

use core::mem::MaybeUninit;

use super::super::super::cpu::{Cpu, Token};
use super::super::super::epilogue::{Affine, PARAMETERS, Parameter};
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::{Step, Tables as Distances, Tile};
use super::super::super::{copy_bytes, writes_in_turn};
use super::{FAR, LINES, PAGE, Plan, Results, Turned};

/// The squares of a tile, of which the last ones overlap those before.
pub(super) struct Squares<'a> {
    pub(super) plan: Plan,
    pub(super) token: Token,
    pub(super) src: *const u8,
    pub(super) dst: *mut u8,
    pub(super) tile: &'a Tile<'a>,
    /// Elements along x and y.
    pub(super) len: [usize; 2],
}

/// Where squares are written in place of the destination: lines of `pitch` bytes, which begin with element `first` of x.
#[derive(Clone, Copy)]
struct Aside {
    buffer: *mut u8,
    pitch: usize,
    first: usize,
}

/// Bytes of the buffer.
const SIZE: usize = 32 * 1024;

#[repr(align(64))]
struct Buffer(#[allow(dead_code, reason = "written and read by address")] [MaybeUninit<u8>; SIZE]);

/// Calls `run` with the buffer. Apart from it, so that others need no stack for that.
#[inline(never)]
fn with_buffer(run: &mut dyn FnMut(*mut u8)) {
    let mut buffer = MaybeUninit::<Buffer>::uninit();
    run(buffer.as_mut_ptr().cast());
}

/// The results of the lines of a block.
#[repr(align(64))]
struct Tables(#[allow(dead_code, reason = "written and read by address")] [MaybeUninit<u8>; 64 * LINES]);

impl Squares<'_> {
    /// Moves each square: all of the same rows before the next, or `blocks_first` all of the same lines; `tables` says where the
    /// results of its blocks are, given where they begin along y, and along x and z, and how far the next line's are.
    ///
    /// # Safety
    /// That of [`turned`]; the tables can be read.
    #[inline(always)]
    pub(super) unsafe fn each(
        &self,
        blocks_first: bool,
        mut tables: impl FnMut(usize, [[usize; 2]; 2]) -> ([*const u8; 2], usize),
    ) {
        match self.pitch() {
            // SAFETY: the caller's promise.
            0 => unsafe { self.all(blocks_first, None, &mut tables) },
            pitch => with_buffer(&mut |buffer| {
                // SAFETY: as above; that many bytes of each of a square's lines fit in the buffer.
                unsafe { self.all(blocks_first, Some((buffer, pitch)), &mut tables) };
            }),
        }
    }

    /// [`Squares::each`], or by way of a buffer, with so many bytes of each line.
    ///
    /// # Safety
    /// As there; the buffer has room for the lines of a square.
    #[inline(always)]
    unsafe fn all(
        &self,
        blocks_first: bool,
        through: Option<(*mut u8, usize)>,
        mut tables: impl FnMut(usize, [[usize; 2]; 2]) -> ([*const u8; 2], usize),
    ) {
        let Squares { plan, tile, .. } = *self;
        let [src_bits, dst_bits] = plan.bits;
        let bytes = |stride: isize, bits: usize| if bits == 4 { stride >> 1 } else { stride };
        let (row, line) = (bytes(tile.x.src, src_bits), bytes(tile.y.dst, dst_bits));
        let [across, along] = [0, 1].map(|i| self.len[i].div_ceil(plan.side[i]));
        let blocks = across * tile.z.len;
        // Where lines are waited for, all that comes next is asked for.
        let way = if row.unsigned_abs() >= FAR || tile.claims { plan.fetching } else { plan.way };
        let place = |y: usize| (y * plan.side[1]).min(self.len[1] - plan.side[1]);
        // The first row and line of a block, and its place along x and z.
        let at = |y: usize, block: usize| {
            let block = block.min(blocks - 1);
            // Without a division, as long as many a load, where there is nothing to divide.
            let (z, x) = if tile.z.len == 1 { (0, block) } else { (block / across, block % across) };
            let x = (x * plan.side[0]).min(self.len[0] - plan.side[0]);
            let from = step(step(self.src, z, bytes(tile.z.src, src_bits)), x, row);
            let to = step_mut(self.dst, z, bytes(tile.z.dst, dst_bits)).wrapping_add(x * dst_bits / 8);
            (from.wrapping_add(y * src_bits / 8), step_mut(to, y, line), [x, z])
        };
        let both = |y: usize, block: usize| {
            let first = at(y, block);
            [first, if plan.is_split { at(y, block + 1) } else { first }]
        };
        let mut square = |y: usize, block: usize, next: (usize, usize), aside: Option<Aside>| {
            let y = place(y);
            let (here, next) = (both(y, block), both(place(next.0.min(along - 1)), next.1));
            let (tables, table) = tables(y, here.map(|one| one.2));
            let mut lines = here.map(|one| one.1);
            let aligned = (lines[0].addr() | lines[1].addr() | line as usize).is_multiple_of(64);
            let (stream, next_rows) = (tile.stream && aligned, next.map(|one| one.0));
            // Lines that share a place of the caches would drive one another out before they are written.
            let alone = plan.bits[0] == 8 && (line as usize).is_multiple_of(PAGE) || aside.is_some();
            let (next_lines, next_line) = match stream || alone {
                true => (next_rows, 0),
                false => (next.map(|one| one.1.cast_const()), line),
            };
            let mut line = line;
            if let Some(Aside { buffer, pitch, first }) = aside {
                lines = here.map(|one| buffer.wrapping_add((one.2[0] - first) * dst_bits / 8));
                line = pitch as isize;
            }
            let job = Turned {
                rows: here.map(|one| one.0),
                row,
                lines,
                line,
                next: next_rows,
                next_lines,
                next_line,
                tables,
                table,
                stream,
            };
            // SAFETY: the square lies in the tile, or in the buffer; the caller's promise.
            unsafe { way(&job) };
        };
        let count = if plan.is_split { 2 } else { 1 };
        // Lines whose other half, or the next, would have to be asked for again are written side by side.
        let aside = match (plan.bits, through) {
            (_, Some((_, pitch))) => pitch / self.part(),
            _ if blocks_first => 1,
            ([4, 8], _) => 2,
            ([4, 4], _) if (line as usize).is_multiple_of(PAGE / 2) => 2,
            _ => 1,
        };
        let mut group = |y: usize, first: usize| {
            let end = if blocks - first < aside * count { blocks } else { first + aside * count };
            let through = through.map(|(buffer, pitch)| {
                let (_, dst, [first, _]) = at(place(y), first);
                (Aside { buffer, pitch, first }, dst)
            });
            for block in (first..end).step_by(count) {
                let next = match (block + count < end, blocks_first, y + 1 < along) {
                    (true, ..) => (y, block + count),
                    (false, true, _) if end < blocks => (y, end),
                    (false, true, _) => (y + 1, 0),
                    (false, false, true) => (y + 1, first),
                    (false, false, false) => (0, end),
                };
                square(y, block, next, through.map(|one| one.0));
            }
            let Some((Aside { buffer, pitch, first }, dst)) = through else { return };
            let len = (at(0, end - 1).2[0] + plan.side[0] - first) * dst_bits / 8;
            // SAFETY: these lines were just written to the buffer, and lie in the tile.
            unsafe {
                copy_bytes(self.token, 1, buffer, dst, &rows_of(self.token, len, pitch, plan.side[1], line))
            };
        };
        if blocks_first {
            for y in 0..along {
                for first in (0..blocks).step_by(aside * count) {
                    group(y, first);
                }
            }
        } else {
            for first in (0..blocks).step_by(aside * count) {
                for y in 0..along {
                    group(y, first);
                }
            }
        }
    }

    /// Bytes of a line that squares of the same rows write.
    fn part(&self) -> usize {
        self.plan.side[0] * if self.plan.is_split { 2 } else { 1 } * self.plan.bits[1] / 8
    }

    /// Bytes of each line that are written together, by way of the buffer, where lines that lie so far from one another share few places
    /// of a first-level cache: such a place takes one line at a time, so that it is an eighth of that distance (Zen 5, 1.3 to 2.8
    /// times as fast as 64 bytes at a time). 0 elsewhere.
    fn pitch(&self) -> usize {
        /// Bytes of the destination that a second-level cache holds.
        const NEAR: usize = 512 * 1024;
        let Squares { plan, tile, len, .. } = *self;
        let (part, line) = (self.part(), tile.y.dst >> u32::from(plan.bits[1] == 4));
        let distance = 1usize << (line.unsigned_abs() | PAGE).trailing_zeros();
        let most = SIZE / plan.side[1];
        let pitch = if distance / 8 < most { distance / 8 } else { most };
        let large = line.unsigned_abs() * len[1] >= NEAR && len[0] * plan.bits[1] / 8 >= 2 * pitch;
        // With AVX2 what writes more than a line of a row at a time is as fast without; on Intel's what becomes wider than bytes.
        let narrow = part == 64 || matches!(self.token.cpu(), Cpu::Avx512);
        let pays = large
            && narrow
            && pitch >= 2 * part
            && tile.z.len == 1
            && !tile.stream
            && (plan.bits[1] <= 8 || !writes_in_turn());
        if pays { pitch / part * part } else { 0 }
    }

    /// [`Squares::each`] with tables of results of `bytes` bytes each, which `results` writes. No parameter differs along x.
    ///
    /// # Safety
    /// That of [`turned`].
    #[inline(never)]
    pub(super) unsafe fn converted(&self, results: Results, numbers: &[f32; 16], bytes: usize) {
        let mut tables = [const { MaybeUninit::<Tables>::uninit() }; 2];
        let mut lanes = [[MaybeUninit::<f32>::uninit(); LINES]; PARAMETERS];
        let parameters = self.tile.epilogue.map(|epilogue| &epilogue.parameters);
        let differs = |along: fn(&Parameter) -> usize| {
            parameters.is_some_and(|all| all.iter().flatten().any(|one| along(one) > 0))
        };
        let (by_y, by_z) = (differs(|one| one.y), differs(|one| one.z));
        let count = if by_y { LINES } else { 1 };
        // A table that differs along z alone serves all lines of a block.
        let blocks_first = by_y || !by_z;
        let mut written = [None; 2];
        let each = |y: usize, places: [[usize; 2]; 2]| {
            let places = places.map(|[_, z]| z);
            // Blocks that have the same parameters share a table.
            let of = |z: usize| (if by_y { y } else { 0 }, if by_z { z } else { 0 });
            let keys = places.map(of);
            let at = [0, if keys[0] == keys[1] { 0 } else { 1 }].map(|i: usize| {
                let to = tables[i].as_mut_ptr().cast::<u8>();
                if written[i] != Some(keys[i]) {
                    let mut map = Affine::neutral();
                    for (k, one) in parameters.into_iter().flatten().enumerate() {
                        let Some(one) = one else { continue };
                        let first = one.at.get() + y * one.y + places[i] * one.z;
                        let values = &mut lanes[k][..if one.y > 0 { LINES } else { 1 }];
                        // SAFETY: the caller's promise: 6. of the kernel's contract.
                        unsafe { one.values.write(first, one.y, values) };
                        (map.at[k], map.row[k]) = (values.as_ptr().cast(), usize::from(one.y > 0));
                    }
                    // SAFETY: the values were just written; a buffer has room for the results of all lines.
                    unsafe { results(numbers, parameters.map(|_| &map), count, to) };
                    written[i] = Some(keys[i]);
                }
                to.cast_const()
            });
            (at, if by_y { 16 * bytes } else { 0 })
        };
        // SAFETY: the caller's promise; the tables were written.
        unsafe { self.each(blocks_first, each) };
    }
}

/// Rows of `len` bytes, `pitch` bytes from one another, as many lines of the destination, `line` bytes from one another.
fn rows_of(token: Token, len: usize, pitch: usize, count: usize, line: isize) -> Tile<'static> {
    Tile {
        x: Step { len, src: 1, dst: 1 },
        y: Step { len: count, src: pitch as isize, dst: line },
        z: Step { len: 1, src: 0, dst: 0 },
        valid_x: len,
        valid_y: count,
        stream: false,
        claims: false,
        tables: Distances::NONE,
        epilogue: None,
        token,
    }
}
