//! [`Moves`]: what two descriptors say is to move where, checked to be possible within one piece of memory. Made when a plan is
//! made; the only part of this folder that reads descriptors.

use super::error::InPlaceError;
use super::loops::{List, Loop, Loops, MAX_LOOPS, Places};
use crate::descriptor::Descriptor;
use crate::reorder::ReorderError;
use crate::reorder::plan::halve;
use crate::reorder::problem::{Axis, Problem};
use crate::reorder::simplify::simplify;

/// A digit of a loop over segments of blocks that do not nest: `value / weight % n` of its value, on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Which of these loops.
    pub(super) segments: usize,
    pub(super) weight: usize,
    pub(super) n: usize,
    pub(super) stride: isize,
}

/// Digits of loops over segments that a plan holds, by side.
pub(super) const MAX_PIECES: usize = 16;

/// A permutation of the places that a tensor takes, its padding among them.
#[derive(Clone, Copy)]
pub(super) struct Moves {
    /// Loops with one stride a side.
    pub(super) loops: Loops,
    /// The digits of the other loops on the two sides.
    pub(super) src_pieces: List<Piece, MAX_PIECES>,
    pub(super) dst_pieces: List<Piece, MAX_PIECES>,
}

impl Moves {
    /// Moves that loops with one stride a side make.
    pub(super) const fn of(loops: Loops) -> Moves {
        let none = Piece { segments: 0, weight: 1, n: 1, stride: 0 };
        Moves { loops, src_pieces: List::new(none), dst_pieces: List::new(none) }
    }

    /// The moves from `src` to `dst`, from their lowest place on.
    pub(super) fn new(src: &Descriptor, dst: &Descriptor) -> Result<Moves, InPlaceError> {
        let mut problem = Problem::new(src, dst)?;
        let mut moves = Moves::of(Loops::EMPTY);
        check(src, dst)?;
        if dst.is_empty() {
            return Ok(moves);
        }
        // Padding moves like data: both sides pad every axis alike.
        for axis in &mut problem.axes[..problem.axes_len] {
            *axis = Axis { start: 0, data: 0, dim: axis.padded, ..*axis };
        }
        simplify(&mut problem);
        // Of 4 bits, whole bytes are moved, or nothing.
        let pairs = dst.dtype().is_packed() && halve(&mut problem, src, dst);
        moves
            .take(&problem)
            .ok_or(ReorderError::TooManyLoops { needed: problem.nodes.used(), limit: MAX_LOOPS })?;
        let offsets = [src.first_offset(), dst.first_offset()];
        if dst.dtype().is_packed() && (!pairs || offsets.iter().any(|offset| offset % 2 == 1)) {
            return match moves.is_nothing() && offsets[0] == offsets[1] {
                true => Ok(moves),
                false => Err(InPlaceError::SharedBytes { src: src.dtype(), dst: dst.dtype() }),
            };
        }
        let [src_places, dst_places] = [moves.places(true), moves.places(false)];
        let (src_bytes, dst_bytes) = (src.dtype().size(), dst.dtype().size());
        let span =
            |first: usize, places: &Places, bytes| (first * bytes, (first + places.reach() + 1) * bytes);
        let (from, to) = (
            span(offsets[0] >> u32::from(pairs), &src_places, src_bytes),
            span(offsets[1] >> u32::from(pairs), &dst_places, dst_bytes),
        );
        if from != to {
            return Err(InPlaceError::Place { src: from, dst: to });
        }
        if src_places != dst_places {
            let (mine, theirs) = (src_places.steps(), dst_places.steps());
            let at = (0..mine.len().max(theirs.len())).find(|&i| mine.get(i) != theirs.get(i)).unwrap_or(0);
            let steps = |list: &[(usize, usize)]| {
                let (n, width) = list.get(at).copied().unwrap_or((1, 0));
                (n, width * src_bytes)
            };
            return Err(InPlaceError::Gaps { src: steps(mine), dst: steps(theirs) });
        }
        Ok(moves)
    }

    /// Whether all loops have one stride a side.
    pub(super) fn is_strided(&self) -> bool {
        self.src_pieces.is_empty() && self.dst_pieces.is_empty()
    }

    /// Whether everything lies where it belongs.
    pub(super) fn is_nothing(&self) -> bool {
        self.is_strided() && self.loops.iter().all(Loop::is_shared)
    }

    /// Takes over the loops of `problem`; `None` where there are too many.
    fn take(&mut self, problem: &Problem) -> Option<()> {
        let nodes = &problem.nodes;
        let mut segments = 0;
        for i in 0..nodes.len() {
            let node = nodes.get(i);
            let n = node.n as usize;
            if nodes.is_strided(i) {
                // Both sides can be walked in either direction.
                let sign = if node.src < 0 { -1 } else { 1 };
                self.loops.push(Loop { n, src: sign * node.src, dst: sign * node.dst })?;
                continue;
            }
            let (mut src_weight, mut dst_weight) = (1, 1);
            for p in 0..nodes.pieces_of(i) {
                let piece = nodes.piece(i, p);
                let (src_n, dst_n) = (piece.n as u32 as usize, (piece.n >> 32) as usize);
                for (pieces, weight, piece_n, stride) in [
                    (&mut self.src_pieces, &mut src_weight, src_n, piece.src),
                    (&mut self.dst_pieces, &mut dst_weight, dst_n, piece.dst),
                ] {
                    // The last digit of a side takes what is left, and behind it there is none.
                    let piece_n = if piece_n == 0 { n.div_ceil(*weight) } else { piece_n };
                    if piece_n > 1 {
                        pieces.push(Piece { segments, weight: *weight, n: piece_n, stride })?;
                    }
                    *weight *= piece_n;
                }
            }
            segments += 1;
        }
        self.loops.merge();
        Some(())
    }

    fn places(&self, in_src: bool) -> Places {
        let pieces = if in_src { &self.src_pieces } else { &self.dst_pieces };
        let pieces = pieces.iter().map(|piece| (piece.n, piece.stride));
        Places::of(
            self.loops.iter().map(|node| (node.n, if in_src { node.src } else { node.dst })).chain(pieces),
        )
    }
}

/// Whether the two have the same padding in memory that is all theirs. They have the same extents.
fn check(src: &Descriptor, dst: &Descriptor) -> Result<(), InPlaceError> {
    let name = |position| dst.spec().axis_name(position).unwrap_or('?');
    for position in 0..dst.rank() {
        if src.is_broadcast(position) {
            let extent = src.dims()[position];
            return Err(InPlaceError::Broadcast { axis: name(position), position, extent });
        }
    }
    if src.dtype().bits() != dst.dtype().bits() {
        return Err(InPlaceError::ElementSize { src: src.dtype(), dst: dst.dtype() });
    }
    if dst.is_empty() {
        return Ok(());
    }
    if dst.dtype().is_packed() && src.dtype() != dst.dtype() {
        return Err(InPlaceError::SharedBytes { src: src.dtype(), dst: dst.dtype() });
    }
    for side in [src, dst] {
        for position in 0..side.rank() {
            let block = side.spec().block_of(position) as usize;
            let (start, end) = (side.origin()[position], side.owned(position).end);
            if start != 0 || !end.is_multiple_of(block) {
                return Err(InPlaceError::Window { axis: name(position), position, start, end, block });
            }
        }
    }
    for position in 0..dst.rank() {
        let padded = (src.padded_dims()[position], dst.padded_dims()[position]);
        if padded.0 != padded.1 {
            let (src_bytes, dst_bytes) = (src.size_bytes(), dst.size_bytes());
            if src_bytes != dst_bytes {
                return Err(InPlaceError::Size { src: src_bytes, dst: dst_bytes });
            }
            return Err(InPlaceError::Padding {
                axis: name(position),
                position,
                src: padded.0,
                dst: padded.1,
            });
        }
    }
    Ok(())
}
