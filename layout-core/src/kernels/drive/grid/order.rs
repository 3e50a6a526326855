//! The order of the loops of a [`Grid`], which decides its speed: of the two whose pieces share lines on one of the sides, the
//! shorter one is inside, or bands of the longer one in it. Then one side is read or written in turn and the other in a few streams.

use super::super::super::tile::Step;
use super::super::LINE;
use super::Grid;

/// A loop whose strides are no smaller than this on either side shares no lines with others.
const FAR: usize = 256;
/// Of fewer values than this a loop inside by itself costs more than it saves; the longer one is inside then, in bands.
const FEW: usize = 4;
/// A shorter loop of more values than this would touch too many lines at a time.
const MANY: usize = 64;

/// The loops of a [`Grid`], ordered.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub(super) outer: Step,
    pub(super) middle: Step,
    pub(super) inner: Step,
    /// Values of the inner loop after which the middle one goes on.
    pub(super) band: usize,
    /// Whether all lines are aligned, and what makes up each is written in turn.
    pub(super) whole_lines: bool,
}

impl Order {
    #[inline(always)]
    pub(super) fn of(grid: &Grid) -> Order {
        let far = |one: Step| {
            let stride = one.src.unsigned_abs().min(one.dst.unsigned_abs());
            if one.len == 1 { usize::MAX } else { stride }
        };
        let [mut outer, mut a, mut b] = grid.loops;
        if far(a) > far(outer) {
            (outer, a) = (a, outer);
        }
        if far(b) > far(outer) {
            (outer, b) = (b, outer);
        }
        let (long, short) = if a.len < b.len { (b, a) } else { (a, b) };
        let pieces = LINE / grid.len.max(1);
        let mut order = Order { outer, middle: short, inner: long, band: usize::MAX, whole_lines: false };
        if far(short) >= FAR {
            if far(long) >= FAR && far(short) < far(long) {
                (order.middle, order.inner) = (long, short);
            }
        } else if pieces == 1 && FEW <= short.len && short.len <= MANY {
            // Of two as long, the one that is written in turn is inside.
            let swaps = short.len == long.len && long.dst.unsigned_abs() < short.dst.unsigned_abs();
            (order.middle, order.inner) = if swaps { (short, long) } else { (long, short) };
        } else {
            // As many as write a few lines.
            order.band = if pieces == 1 { 8 } else { 4 * pieces.min(16) };
        }
        order.keep_lines(grid, long, short);
        order
    }

    /// Chooses the order so that what makes up a line that is streamed is written in turn, if that can be.
    #[inline(always)]
    fn keep_lines(&mut self, grid: &Grid, long: Step, short: Step) {
        if !grid.stream || grid.len < 16 || !LINE.is_multiple_of(grid.len) {
            return;
        }
        let is_on_line = |at: isize| at & (LINE as isize - 1) == 0;
        let pieces = LINE / grid.len;
        let follows = |one: Step| one.dst == grid.len as isize && one.len.is_multiple_of(pieces);
        let on_lines = grid.places.1.iter().all(|&at| is_on_line(at));
        if !is_on_line(grid.dst.addr() as isize) || !is_on_line(self.outer.dst) || !on_lines {
            return;
        }
        let on_line = (is_on_line(long.dst), is_on_line(short.dst));
        if pieces == 1 {
            self.whole_lines = on_line == (true, true);
        } else if follows(short) && on_line.0 {
            *self = Order { middle: long, inner: short, band: usize::MAX, whole_lines: true, ..*self };
        } else if follows(long) && on_line.1 {
            *self = Order { middle: short, inner: long, band: pieces, whole_lines: true, ..*self };
        }
    }
}
