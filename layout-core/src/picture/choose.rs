//! What of a tensor a picture shows: which axes span a grid, which indices of large axes are left out, and which rows of
//! memory are drawn. Called by `scene` and `terminal`, which draw the same choice.

use super::colour::{Key, Paint};
use super::formula::letter;
use crate::descriptor::{Descriptor, Location};
use crate::grammar::MAX_RANK;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Indices of an axis of the grid that are all shown.
const GRID: usize = 16;
/// Grids along the last axis outside them that are all shown.
const GRIDS: usize = 32;
/// Lines of cells on one side.
const PAGE: usize = 160;
/// Characters of one line of grids, at about 7 pixels each.
const LINE: usize = 180;
/// Cells of one row of memory where there is room for them.
pub(super) const ROW: usize = 24;
/// Rows of memory that are all shown.
const ROWS: usize = 32;

/// What stands at one place of a grid or of the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    /// An element: its number in logical order, and its colour.
    Element(usize, Paint),
    Padding,
    /// Memory that is not the tensor's.
    Unused,
}

/// One grid: two axes of the tensor, the others fixed.
pub(super) struct Grid {
    /// `n=0 c=3`: what is fixed. Axes of a single index are not said.
    pub(super) title: String,
    /// By line and column; `None` where lines or columns are left out.
    pub(super) cells: Vec<Option<Vec<Option<Cell>>>>,
}

/// One row of memory.
pub(super) struct Row {
    /// The offset of its first cell.
    pub(super) offset: usize,
    /// `(0, 8, 0, 0)`: the index of the first element in it.
    pub(super) index: String,
    pub(super) cells: Vec<Cell>,
}

/// What is shown.
pub(super) struct Choice {
    /// Lines of grids; `None` where some are left out.
    pub(super) grids: Vec<Vec<Option<Grid>>>,
    /// `None` where rows are left out.
    pub(super) rows: Vec<Option<Row>>,
    /// Cells after which a row has a small gap.
    pub(super) group: usize,
    /// Lines and columns of a grid after which there is a small gap: the smallest blocks of the two axes, where
    /// all of them are shown.
    pub(super) steps: [usize; 2],
    /// In words: which axes are fixed in a grid, and which go down and across.
    pub(super) caption: String,
    pub(super) key: Key,
    /// Whether there is padding, and memory that is not the tensor's.
    pub(super) has: (bool, bool),
}

impl Choice {
    /// With at most `row` cells in a row of memory, or a few more where that is very little.
    pub(super) fn new(d: &Descriptor, row: usize) -> Choice {
        let key = Key::new(d);
        let (down, across) = grid_axes(d);
        let step = |axis: Option<usize>| match axis {
            Some(axis) if d.padded_dims()[axis] <= GRID => smallest_block(d, axis),
            _ => usize::MAX,
        };
        let (rows, group) = memory(d, &key, row);
        let unused = rows.iter().flatten().any(|row| row.cells.contains(&Cell::Unused));
        Choice {
            grids: if d.is_empty() { Vec::new() } else { grids(d, &key, down, across) },
            rows,
            group,
            steps: [step(down), step(across)],
            caption: caption(d, down, across),
            key,
            has: (d.padded_len() > d.logical_len(), unused),
        }
    }
}

/// The axes that span a grid, down and across: those with blocks where there are two of them, otherwise the last two.
fn grid_axes(d: &Descriptor) -> (Option<usize>, Option<usize>) {
    let rank = d.rank();
    let mut blocked = (0..rank).filter(|&axis| d.spec().block_of(axis) > 1);
    match (blocked.next(), blocked.next()) {
        (Some(down), Some(across)) => (Some(down), Some(across)),
        _ if rank >= 2 => (Some(rank - 2), Some(rank - 1)),
        _ => (None, rank.checked_sub(1)),
    }
}

fn caption(d: &Descriptor, down: Option<usize>, across: Option<usize>) -> String {
    let fixed: Vec<String> = (0..d.rank())
        .filter(|&axis| Some(axis) != down && Some(axis) != across && d.dims()[axis] > 1)
        .map(|axis| String::from(letter(d, axis)))
        .collect();
    let mut out = match fixed.as_slice() {
        [] => String::new(),
        _ => format!("one grid for each {}; ", fixed.join(", ")),
    };
    if let Some(down) = down {
        out.push_str(&format!("{} goes down, ", letter(d, down)));
    }
    if let Some(across) = across {
        out.push_str(&format!("{} goes to the right", letter(d, across)));
    }
    out
}

/// The innermost block of an axis; without one, no step.
fn smallest_block(d: &Descriptor, axis: usize) -> usize {
    let lowest = d.inner_first().filter(|digit| digit.axis == axis).min_by_key(|digit| digit.divisor);
    lowest.filter(|digit| !digit.top).map_or(usize::MAX, |digit| digit.extent)
}

/// The owned positions of an axis that are shown; `None` between those that do not follow one another.
fn shown(d: &Descriptor, axis: usize, limit: usize) -> Vec<Option<usize>> {
    let owned = d.owned(axis);
    let len = owned.end - owned.start;
    if len <= limit {
        return owned.map(Some).collect();
    }
    let block = d.spec().block_of(axis) as usize;
    let data = d.origin()[axis] + d.dims()[axis];
    let mut positions: Vec<usize> = [0, 1, 2, len - 1].iter().map(|i| owned.start + i).collect();
    // Where a block ends, and where padding begins.
    for edge in [block, data] {
        if edge > 1 && owned.contains(&edge) {
            positions.extend([edge - 1, edge]);
        }
    }
    if limit < 8 {
        positions = [0, len - 1].iter().map(|i| owned.start + i).take(limit).collect();
    }
    with_gaps(positions)
}

fn with_gaps(mut positions: Vec<usize>) -> Vec<Option<usize>> {
    positions.sort_unstable();
    positions.dedup();
    let mut out: Vec<Option<usize>> = Vec::new();
    for position in positions {
        if let Some(Some(last)) = out.last()
            && last + 1 < position
        {
            out.push(None);
        }
        out.push(Some(position));
    }
    out
}

fn grids(d: &Descriptor, key: &Key, down: Option<usize>, across: Option<usize>) -> Vec<Vec<Option<Grid>>> {
    let fixed: Vec<usize> = (0..d.rank()).filter(|&a| Some(a) != down && Some(a) != across).collect();
    let Some((&last, outer)) = fixed.split_last() else {
        return [[Some(grid(d, key, down, across, &fixed, [0; MAX_RANK]))].into_iter().collect()].into();
    };
    // Few of the outer ones: every one of them is a line of grids.
    let limit = match outer.iter().filter(|&&axis| d.dims()[axis] > 1).count() {
        0 | 1 => 3,
        2 => 2,
        _ => 1,
    };
    let mut places = [[0; MAX_RANK]].to_vec();
    for &axis in outer {
        let positions: Vec<usize> = shown(d, axis, limit).into_iter().flatten().collect();
        places =
            places.iter().flat_map(|place| positions.iter().map(move |&at| with(place, axis, at))).collect();
    }
    let block = d.spec().block_of(last) as usize;
    let mut wrap = if (2..=16).contains(&block) { block } else { 8 };
    // A part of a block where grids are too wide to stand beside one another.
    let columns = across.map_or(1, |axis| shown(d, axis, GRID).len()) + 1;
    let digits = d.logical_len().max(10).ilog10() as usize + 2;
    while wrap.is_multiple_of(2) && wrap * columns * digits > LINE {
        wrap /= 2;
    }
    // Where a grid itself is too large, or takes much room, a few of them say enough.
    let len = |axis: Option<usize>| axis.map_or(1, |axis| shown(d, axis, GRID).len());
    let is_large = [down, across].into_iter().flatten().any(|axis| d.padded_dims()[axis] > GRID);
    let limit = match len(down) * len(across) {
        64.. => 4,
        _ if is_large => 8,
        _ => GRIDS,
    };
    // As many lines of grids as a page or two hold: the first ones, and the last.
    let positions = shown(d, last, limit);
    let mut starts: Vec<usize> = positions.iter().flatten().map(|at| at / wrap).collect();
    starts.dedup();
    let fitting = (PAGE / (starts.len() * (len(down) + 2)).max(1)).max(1);
    if places.len() > fitting {
        let end = places.len() - usize::from(fitting > 1);
        places.drain(fitting - usize::from(fitting > 1)..end);
    }
    let mut lines = Vec::new();
    // The number of a place among all those of the outer axes: where one is missing, dots say so.
    let number = |place: &[usize; MAX_RANK]| {
        let along = |number: usize, &axis: &usize| {
            let owned = d.owned(axis);
            number.saturating_mul(owned.len()).saturating_add(place[axis] - owned.start)
        };
        outer.iter().fold(0, along)
    };
    let all = outer.iter().fold(1, |all: usize, &axis| all.saturating_mul(d.owned(axis).len()));
    let mut next = 0;
    for place in places {
        if number(&place) > next {
            lines.push([None].into());
        }
        next = number(&place).saturating_add(1);
        let mut line: Vec<Option<Grid>> = Vec::new();
        let mut row = None;
        for &position in &positions {
            let own = position.map(|at| at / wrap);
            // A new line for each block; what is left out is said where it would stand.
            if own.is_some() && row.is_some() && own != row {
                lines.push(core::mem::take(&mut line));
            }
            row = own.or(row);
            line.push(position.map(|at| grid(d, key, down, across, &fixed, with(&place, last, at))));
        }
        lines.push(line);
    }
    if next < all {
        lines.push([None].into());
    }
    lines
}

fn with(place: &[usize; MAX_RANK], axis: usize, position: usize) -> [usize; MAX_RANK] {
    let mut place = *place;
    place[axis] = position;
    place
}

fn grid(
    d: &Descriptor,
    key: &Key,
    down: Option<usize>,
    across: Option<usize>,
    fixed: &[usize],
    place: [usize; MAX_RANK],
) -> Grid {
    let origin = d.origin();
    let said = fixed.iter().filter(|&&axis| d.padded_dims()[axis] > 1);
    let title: Vec<String> = said
        .map(|&axis| format!("{}={}", letter(d, axis), place[axis] as isize - origin[axis] as isize))
        .collect();
    let along = |axis: Option<usize>| match axis {
        Some(axis) => shown(d, axis, GRID),
        None => [Some(0)].into(),
    };
    let put = |place: &[usize; MAX_RANK], axis: Option<usize>, at| {
        axis.map_or(*place, |axis| with(place, axis, at))
    };
    let line = |at: usize| {
        let place = put(&place, down, at);
        along(across).into_iter().map(|at| Some(cell(d, key, &put(&place, across, at?)))).collect()
    };
    Grid { title: title.join(" "), cells: along(down).into_iter().map(|at| at.map(line)).collect() }
}

/// What stands at owned positions.
fn cell(d: &Descriptor, key: &Key, position: &[usize; MAX_RANK]) -> Cell {
    let mut number = 0;
    for ((at, origin), dim) in position.iter().zip(d.origin().iter()).zip(d.dims()) {
        match at.checked_sub(*origin) {
            Some(index) if index < *dim => number = number * dim + index,
            _ => return Cell::Padding,
        }
    }
    Cell::Element(number, key.paint(position))
}

/// The rows of memory that are shown, and after how many cells there is a gap.
fn memory(d: &Descriptor, key: &Key, limit: usize) -> (Vec<Option<Row>>, usize) {
    let (first, len) = (d.first_offset(), d.required_len().saturating_sub(d.first_offset()));
    let (width, group) = row_width(d, limit);
    let count = len.div_ceil(width);
    let row = |r: usize| row(d, key, first + r * width, width.min(len - r * width));
    if count <= ROWS {
        return ((0..count).map(|r| Some(row(r))).collect(), group);
    }
    // The start, the first step of each outer digit, and the end.
    let mut rows = [0, 1, 2, 3, count - 2, count - 1].to_vec();
    for digit in d.inner_first().filter(|digit| digit.extent > 1) {
        let step = digit.stride.unsigned_abs() / width;
        rows.extend([step, step + 1].into_iter().filter(|&r| r > 0 && r < count));
    }
    (with_gaps(rows).into_iter().map(|r| r.map(row)).collect(), group)
}

/// The cells of a row, a product of inner extents where that is possible so that rows begin where indices do; and those of
/// its groups, the innermost digit.
fn row_width(d: &Descriptor, limit: usize) -> (usize, usize) {
    let mut digits = d.inner_first().filter(|digit| digit.extent > 1);
    let Some(innermost) = digits.next() else { return (1, 1) };
    if d.is_empty() {
        return (1, 1);
    }
    if !d.is_dense() {
        let pitch = digits.next().map_or(0, |digit| digit.stride.unsigned_abs());
        return if (2..=limit).contains(&pitch) { (pitch, pitch) } else { (limit.min(16), limit.min(16)) };
    }
    // Several rows say more than one: the outermost digit is not joined to a row of a few cells.
    let outermost = d.inner_first().filter(|digit| digit.extent > 1).last();
    let mut width = 1;
    for digit in d.inner_first() {
        if width >= 4 && outermost == Some(digit) {
            break;
        }
        let room = (limit / width).max(1);
        if digit.extent <= room {
            width *= digit.extent;
            continue;
        }
        let divisor = (1..=room).rev().find(|&part| digit.extent.is_multiple_of(part)).unwrap_or(1);
        // A prime extent has no part; rows then begin anywhere.
        width *= if width * divisor < 8 { (limit.min(16) / width).max(1) } else { divisor };
        break;
    }
    (width, if width.is_multiple_of(innermost.extent) { innermost.extent } else { width })
}

fn row(d: &Descriptor, key: &Key, offset: usize, len: usize) -> Row {
    let mut index = String::new();
    let mut cells = Vec::new();
    for at in offset..offset + len {
        cells.push(match d.locate(at) {
            Ok(Location::Element(found)) => {
                let mut position = [0; MAX_RANK];
                for axis in 0..d.rank() {
                    position[axis] = found[axis] + d.origin()[axis];
                }
                if index.is_empty() {
                    let numbers: Vec<String> = found.iter().map(|i| format!("{i}")).collect();
                    index = format!("({})", numbers.join(", "));
                }
                cell(d, key, &position)
            }
            Ok(Location::Padding) => Cell::Padding,
            _ => Cell::Unused,
        });
    }
    Row { offset, index, cells }
}
