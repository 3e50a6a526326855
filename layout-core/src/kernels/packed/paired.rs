//! Transposes elements of 4 bits in pairs: of two rows of the source, the halves of their bytes are woven to bytes that hold
//! an element of each row, which the kernel for bytes turns into columns. Called by `staged`.

use core::mem::MaybeUninit;

use super::super::cpu::Token;
use super::super::tile::{Step, Tables, Tile};
use super::weave::weave_rows;
use super::{Job, Place, STAGE, Stage};

/// Bytes of a line of memory.
const LINE: usize = 64;

/// Pairs of elements below which a row is too short to be woven by itself.
const SHORT: usize = 8;

/// Moves the data from the first element on of as many x and y as it can; returns these numbers, 0 where it is none.
///
/// # Safety
/// That of [`super::run_on`].
pub(super) unsafe fn pairs(
    token: Token,
    job: &Job<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
) -> (usize, usize) {
    let tile = job.tile;
    let is_crossed = job.copies && tile.x.dst == 1 && tile.y.src == 1;
    let places = src.at | dst.at | tile.x.src | tile.y.dst;
    let repeats = if tile.z.len > 1 { tile.z.src | tile.z.dst } else { 0 };
    let (nx, ny) = (tile.valid_x / 2, tile.valid_y / 2);
    if !is_crossed || (places | repeats) & 1 == 1 || nx == 0 || ny < SHORT {
        return (0, 0);
    }
    let mut stage = Stage::new();
    // Two lines of each row of the source; whole lines of the destination; as many repetitions as fit in the buffer.
    let height = ny.min(2 * LINE);
    let width = (STAGE / 2 / height / LINE * LINE).min(nx);
    let depth = (STAGE / 2 / height / width).min(tile.z.len);
    let mut z = 0;
    while z < tile.z.len {
        let nz = depth.min(tile.z.len - z);
        let mut x = 0;
        while x < nx {
            let columns = width.min(nx - x);
            let mut y = 0;
            while y < ny {
                let rows = height.min(ny - y);
                let from = src.step(z, tile.z.src).step(2 * x, tile.x.src).step(2 * y, 1);
                let to = dst.step(z, tile.z.dst).step(2 * x, 1).step(2 * y, tile.y.dst);
                // SAFETY: the part lies in the tile, and fits in the buffer; the caller's promise.
                unsafe { part(token, job, from, to, [columns, rows, nz], &mut stage) };
                y += rows;
            }
            x += columns;
        }
        z += nz;
    }
    (2 * nx, 2 * ny)
}

/// Transposes a part of so many pairs along x and y, and so many repetitions.
///
/// # Safety
/// As [`pairs`], which has looked at the strides; the part takes two bytes of the buffer for each of these.
#[inline(always)]
unsafe fn part(
    token: Token,
    job: &Job<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
    [columns, rows, count]: [usize; 3],
    stage: &mut Stage,
) {
    let tile = job.tile;
    for (k, woven) in stage.pairs()[..columns * rows * count].chunks_exact_mut(rows).enumerate() {
        let row = src.step(k / columns, tile.z.src).step(k % columns * 2, tile.x.src);
        let next = row.step(1, tile.x.src);
        // The rows go on in the next part.
        fetch(row.byte(true).wrapping_add(rows));
        fetch(next.byte(true).wrapping_add(rows));
        if rows > LINE {
            fetch(row.byte(true).wrapping_add(rows + LINE));
            fetch(next.byte(true).wrapping_add(rows + LINE));
        }
        // SAFETY: the elements of a row follow one another from a whole byte on; the caller's promise.
        let even = unsafe { core::slice::from_raw_parts(row.byte(true), rows) };
        // SAFETY: as above.
        let odd = unsafe { core::slice::from_raw_parts(next.byte(true), rows) };
        weave_rows(token, even, odd, woven);
    }
    let turned = Tile {
        x: Step { len: columns, src: 2 * rows as isize, dst: 1 },
        y: Step { len: 2 * rows, src: 1, dst: tile.y.dst / 2 },
        z: Step { len: count, src: (2 * rows * columns) as isize, dst: tile.z.dst / 2 },
        valid_x: columns,
        valid_y: 2 * rows,
        stream: tile.stream,
        tables: Tables::NONE,
        epilogue: None,
    };
    let turned = if columns == 1 {
        // Nothing is turned: each repetition is a row.
        Tile {
            x: turned.y,
            y: turned.z,
            z: Step { len: 1, src: 0, dst: 0 },
            valid_x: 2 * rows,
            valid_y: count,
            ..turned
        }
    } else {
        turned
    };
    // SAFETY: the buffer was just written, and the lines of the destination begin with whole bytes; the caller's promise.
    unsafe { (job.kernel)(stage.start(), dst.byte_mut(true), &turned) };
}

impl Stage {
    fn pairs(&mut self) -> &mut [MaybeUninit<[u8; 2]>] {
        let pairs = self.0.as_mut_ptr().cast::<MaybeUninit<[u8; 2]>>();
        // SAFETY: as many bytes, which need no value; a pair of bytes needs no alignment.
        unsafe { core::slice::from_raw_parts_mut(pairs, STAGE / 2) }
    }
}

/// Brings the line at `src`, if there is one, into the caches.
#[inline(always)]
fn fetch(src: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every x86-64 processor has SSE; a prefetch of any address has no effect but on the caches.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(src.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = src;
}
