//! Makes a crossed tile longer by the loops that continue it, by way of tables of distances. Called by `walk`.

use super::super::super::plan::Reorder;
use super::super::tables::{X, Y};
use super::take::{Around, ENOUGH, LINE, Loop};
use crate::kernels::{Step, Tile, takes_parts, takes_pieces, turns_short_lines};

/// `y` with the destination's stride as that of a table's first loop.
pub(super) fn y_step(y: Step) -> Step {
    Step { src: y.dst, ..y }
}

/// Takes loops into a crossed tile that continue x in the destination, or y in the source, where these are short.
pub(super) fn lengthen(plan: &Reorder, tile: &mut Tile, around: &mut Around<'_>, xs: &mut X, ys: &mut Y) {
    /// Rows and lines that are worth a part of a loop.
    const LEAST: usize = 8;
    let (bytes, x, y) = (plan.dst_element as usize, tile.x, tile.y);
    // A part of a crossed box may be rows that follow one another on both sides, for which there is no table; or single rows, whose
    // elements of 4 bytes are as fast moved one by one (Zen 3).
    if x.src == bytes as isize || y.len == 1 && x.len >= 8 && bytes == 4 && takes_pieces(tile.token) {
        return;
    }
    let narrow = |len: usize| len <= 4 || len == 8 && bytes == 1;
    // Pixels have kernels of their own, where they are not too few.
    if bytes <= 4
        && (narrow(x.len) && y.dst == (x.len * bytes) as isize && y.len >= 8
            || narrow(y.len) && x.src == (y.len * bytes) as isize && x.len >= 8)
        || tile.valid_x == 0
        || tile.stays(bytes)
    {
        return;
    }
    // A few whole lines, of long rows, are moved faster without a table.
    let x_end = (x.len * bytes) as isize;
    let few = |one: Loop| one.dst == x_end && (one.count as usize) < ENOUGH / (x.len * bytes).max(1);
    let whole = bytes == 4 && x_end % LINE == 0 && y.len * bytes >= ENOUGH / 2;
    if whole && (0..around.len).any(|i| few(around.get(i))) {
        return;
    }
    // A part of a loop that has no room: the ends of lines that are no whole ones are then written together, or those of rows read,
    // where short lines of narrow elements are parts of others in any case.
    let (pays, short) =
        (takes_parts(tile.token, bytes, around.len), bytes == 1 || bytes == 2 && x_end < LINE);
    let lines_first = pays && !short && x_end % LINE != 0;
    let rows_first = pays && short && (y.len * bytes) as isize % LINE != 0;
    if tile.valid_x == x.len {
        while tile.x.len * bytes < ENOUGH {
            let (end, y_end) = ((tile.x.len * bytes) as isize, (y.len * bytes) as isize);
            // Half a line and longer rows of the source are better than a line and shorter rows; and so are 16 bytes than rows that
            // fill no register.
            let least = if y_end < 16 { 16 } else { LINE / 2 };
            let for_y = |one: &Loop| one.src == y_end && y_end < LINE && end >= least;
            let wanted = |one: &Loop| one.dst == end && !for_y(one);
            let most = X::ROOM / tile.x.len;
            // As below.
            let step =
                if end < 16 && turns_short_lines(tile.token, y.len, x.len, bytes) && tile.x.len == x.len {
                    around.take_part([LEAST.div_ceil(x.len), most], wanted)
                } else {
                    around.take_or_part(lines_first, most, wanted)
                };
            let Some(step) = step else { break };
            xs.extend(tile.x, step.len, step.src);
            tile.x.len *= step.len;
        }
        tile.valid_x = tile.x.len;
    }
    if tile.valid_y == y.len && y.src == bytes as isize {
        while tile.y.len * bytes < ENOUGH {
            let end = (tile.y.len * bytes) as isize;
            let most = Y::ROOM / tile.y.len;
            // A part of a long loop, once, where rows fill no register.
            let fits = x_end == 16 || turns_short_lines(tile.token, x.len, y.len, bytes);
            let step = if end < 16 && fits && tile.y.len == y.len {
                around.take_part([LEAST.div_ceil(y.len), most], |one| one.src == end)
            } else {
                around.take_or_part(rows_first, most, |one| one.src == end)
            };
            let Some(step) = step else { break };
            ys.extend(y_step(tile.y), step.len, step.dst);
            tile.y.len *= step.len;
        }
        tile.valid_y = tile.y.len;
    }
}
