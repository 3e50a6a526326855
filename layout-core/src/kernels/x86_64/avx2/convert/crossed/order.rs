//! The order in which the blocks of a tile are converted. Called by `narrow` and `widen`.

use super::super::super::super::super::drive::{Crossed, LINE};
use super::super::super::super::super::parts::square::next;
use super::super::super::super::parts::maker::writes_in_turn;

/// From this distance between two rows of one side the processor does not see what is read or written next.
pub(super) const FAR: usize = 512;

/// Bytes that stay in a second-level cache until the next of their lines are read or written, and those of a side that stays there
/// as a whole.
const NEAR: usize = 128 * 1024;
const HELD: usize = 256 * 1024;

/// Which blocks follow one another.
#[derive(Clone, Copy)]
pub(super) struct Order {
    /// Values of x that are finished for all y before the next ones.
    pub(super) run: usize,
    /// Values of y of these that are finished before the next ones.
    pub(super) chunk: usize,
    /// Values of x of these that are finished before the next ones, y by y.
    pub(super) line: usize,
    /// Bytes from what a block reads to what it fetches; 0 for nothing.
    pub(super) fetches: isize,
}

impl Order {
    /// The order for processors that go along rows by themselves and do not foresee the next ones (Zen 3): few rows at a time, as far as
    /// what is read or written again for the others stays near. To elements of `bytes` bytes, in blocks of `side` values of x; `None`
    /// where the rows of both sides follow one another, or the processor is another's.
    ///
    /// Against whole lines of all rows: rows of the source that lie apart 1.1 to 2 times as fast, and those of the destination 1.1 to 1.4
    /// times where it is in no cache. Against short parts of all rows, where they do not fit the second-level cache: 1.2 to 2 times.
    #[inline]
    pub(super) fn along_rows(job: &Crossed, bytes: usize, side: usize) -> Option<Order> {
        /// Values of y for which lines of the destination are written in turn, and values of x whose lines are fetched.
        const LINES: usize = 16;
        const ROWS: isize = 16;
        /// Values of y that are read along so many rows.
        const LONG: usize = 512;
        const TOGETHER: usize = 64;
        let (rows, lines) = (job.src_x.unsigned_abs(), job.dst_y.unsigned_abs());
        let whole = LINE / bytes;
        if writes_in_turn() {
            return None;
        }
        let near = |apart: usize, least: usize| (NEAR / apart.max(1)).max(least) / least * least;
        if rows >= FAR {
            let chunk = near(lines, LINE).max(LONG);
            return Some(Order { run: TOGETHER, chunk, line: side, fetches: 2 * LINE as isize });
        }
        let held = (rows.saturating_mul(job.nx)).max(lines.saturating_mul(job.ny)) <= HELD;
        if lines < FAR || held {
            return None;
        }
        let fetches = job.src_x.wrapping_mul(ROWS);
        Some(Order { run: near(rows, whole), chunk: LINES, line: whole.max(side), fetches })
    }

    /// The order for rows that drive one another out of a first-level cache: those of a block, `side` of them, as far as lines of the
    /// destination stay there. Nothing is fetched, which would be driven out before it is read.
    #[inline]
    pub(super) fn by_lines(job: &Crossed, side: usize) -> Order {
        const NEAR: usize = 16 * 1024;
        let chunk = (NEAR / job.dst_y.unsigned_abs().max(1)).max(LINE) / LINE * LINE;
        Order { run: job.nx, chunk, line: side, fetches: 0 }
    }

    /// Calls `block` for each block of `side` values of x and y of `job`, which has as many; the last ones overlap those before.
    /// `begin` is called before the first one of a line for each y.
    #[inline(always)]
    pub(super) fn each(
        &self,
        job: &Crossed,
        side: [usize; 2],
        begin: impl Fn(usize, usize),
        mut block: impl FnMut(usize, usize),
    ) {
        let part = |from: usize, len: usize, end: usize| if end - from < len { end } else { from + len };
        let place = |from: usize, side: usize, end: usize| if from + side > end { end - side } else { from };
        let mut start = 0;
        while start < job.nx {
            let stop = part(start, self.run, job.nx);
            let mut chunk = 0;
            while chunk < job.ny {
                let end = part(chunk, self.chunk, job.ny);
                let mut first = start;
                while first < stop {
                    let last = part(first, self.line, stop);
                    let mut y = place(chunk, side[1], end);
                    loop {
                        begin(first, y);
                        let mut x = place(first, side[0], last);
                        loop {
                            block(x, y);
                            match next(x, side[0], last) {
                                Some(next) => x = next,
                                None => break,
                            }
                        }
                        match next(y, side[1], end) {
                            Some(next) => y = next,
                            None => break,
                        }
                    }
                    first = last;
                }
                chunk = end;
            }
            start = stop;
        }
    }
}
