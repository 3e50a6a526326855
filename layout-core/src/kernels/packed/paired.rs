//! Transposes elements of 4 bits in pairs: of two rows of the source, the lower halves of their bytes are woven to one row of
//! bytes and the upper halves to another, each of which the kernel for bytes turns into columns. Called by `staged`.

use super::super::cpu::Token;
use super::super::tile::{Step, Tables, Tile};
use super::line::weave_rows;
use super::{Job, Place, STAGE, Stage};

/// Bytes of a buffer, one of two.
const HALF: usize = STAGE / 2;

/// Bytes of a line of memory.
const LINE: usize = 64;

/// Moves the data from the first element on of as many x and y as it can; returns these numbers, 0 where it is none.
///
/// # Safety
/// That of [`super::run_on`], for one repetition.
pub(super) unsafe fn pairs(
    token: Token,
    job: &Job<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
) -> (usize, usize) {
    let tile = job.tile;
    let is_crossed = job.copies && tile.x.dst == 1 && tile.y.src == 1;
    let parts_bytes = (src.at | dst.at | tile.x.src | tile.y.dst) & 1 == 1;
    let (nx, ny) = (tile.valid_x / 2, tile.valid_y / 2);
    if !is_crossed || parts_bytes || nx == 0 || ny == 0 {
        return (0, 0);
    }
    let mut stage = Stage::new();
    // Two lines of the source; whole lines of the destination, as many as fit in the buffer.
    let height = ny.min(2 * LINE);
    let width = (HALF / height / LINE * LINE).min(nx);
    let mut y = 0;
    while y < ny {
        let rows = height.min(ny - y);
        let mut x = 0;
        while x < nx {
            let columns = width.min(nx - x);
            let from = src.step(2 * x, tile.x.src).step(2 * y, 1);
            let (low, high) = stage.0.split_at_mut(HALF);
            for i in 0..columns {
                // SAFETY: the elements of a row follow one another from a whole byte on; the caller's promise.
                let [even, odd] = [2 * i, 2 * i + 1].map(|i| unsafe {
                    core::slice::from_raw_parts(from.step(i, tile.x.src).byte(true), rows)
                });
                let range = i * rows..(i + 1) * rows;
                weave_rows(token, (even, odd), &mut low[range.clone()], &mut high[range]);
            }
            let to = dst.step(2 * x, 1).step(2 * y, tile.y.dst);
            let turned = Tile {
                x: Step { len: columns, src: rows as isize, dst: 1 },
                // Every second line of the destination.
                y: Step { len: rows, src: 1, dst: tile.y.dst },
                z: Step { len: 2, src: HALF as isize, dst: tile.y.dst / 2 },
                valid_x: columns,
                valid_y: rows,
                stream: tile.stream,
                tables: Tables::NONE,
                epilogue: None,
            };
            let from = stage.0.as_ptr();
            // SAFETY: the buffers were just written, and the lines of the destination begin with whole bytes; the caller's
            // promise.
            unsafe { (job.kernel)(from.cast(), to.byte_mut(true), &turned) };
            x += columns;
        }
        y += rows;
    }
    (2 * nx, 2 * ny)
}
