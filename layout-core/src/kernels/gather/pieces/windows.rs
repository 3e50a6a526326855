//! [`Windows`]: the steps of a line in pieces of 16 bytes, whose bytes are permuted at once.

use super::super::GatherStep;

/// Bytes of a window at most, and of a piece of the line.
const PIECE: usize = 16;

/// Pairs of windows that half a line is put together from at most: one for each byte of a piece.
const MOST: usize = PIECE;

/// An index that takes no byte.
const NOTHING: u8 = 0x80;

/// How the windows of a pair are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super::super) enum Reads {
    /// 16 bytes, for both pieces.
    Once,
    /// 32 bytes that follow one another.
    Along,
    /// 16 bytes for each piece.
    Whole,
    /// 8 bytes for each piece.
    Eight,
    /// 4 bytes for each piece.
    Four,
    /// As many as `len` says.
    Few,
}

/// What is read for two neighbouring pieces of the line, and where in them it goes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(in super::super::super) struct Pair {
    /// The byte of the piece's window for each byte of it, or [`NOTHING`].
    pub(in super::super::super) index: [u8; 2 * PIECE],
    /// Bytes from the line's first element in the source to each window.
    pub(in super::super::super) at: [isize; 2],
    /// Bytes that are read of each.
    pub(in super::super::super) len: [u8; 2],
    pub(in super::super::super) reads: Reads,
}

/// The pairs of both halves of a line.
#[derive(Clone, Debug)]
pub(in super::super::super) struct Windows {
    pairs: [[Pair; MOST]; 2],
    len: [u8; 2],
}

impl Pair {
    const NONE: Pair = Pair { index: [NOTHING; 2 * PIECE], at: [0; 2], len: [0; 2], reads: Reads::Few };
}

impl Windows {
    pub(super) const NONE: Windows = Windows { pairs: [[Pair::NONE; MOST]; 2], len: [0; 2] };

    /// Those of half a line.
    #[inline]
    pub(in super::super::super) fn of_half(&self, half: usize) -> &[Pair] {
        &self.pairs[half][..usize::from(self.len[half])]
    }

    /// What a line costs, in quarters of a cycle.
    pub(super) fn cost(&self) -> usize {
        let of = |pair: &Pair| match pair.reads {
            Reads::Once | Reads::Along => 4,
            Reads::Whole => 6,
            Reads::Eight | Reads::Four => 7,
            Reads::Few => 24,
        };
        (0..2).flat_map(|half| self.of_half(half)).map(of).sum()
    }

    /// Cuts `steps` into windows.
    pub(super) fn new(steps: &[GatherStep]) -> Windows {
        let mut windows = Windows::NONE;
        for half in 0..2 {
            let pairs = &mut windows.pairs[half];
            let mut lens = [0; 2];
            for (side, len) in lens.iter_mut().enumerate() {
                for step in steps {
                    *len = put(pairs, *len, side, step, PIECE * (2 * half + side));
                }
            }
            let [low, high] = lens;
            let len = low.max(high);
            for (i, pair) in pairs[..len].iter_mut().enumerate() {
                // What one piece needs no window for is read for the other.
                for side in (0..2).filter(|&side| i >= lens[side]) {
                    pair.index[PIECE * side..][..PIECE].fill(NOTHING);
                    (pair.at[side], pair.len[side]) = (pair.at[1 - side], pair.len[1 - side]);
                }
                pair.reads = pair.reads_of();
            }
            windows.len[half] = len as u8;
        }
        windows
    }
}

impl Pair {
    fn reads_of(&self) -> Reads {
        let [low, high] = self.at;
        match self.len {
            [16, 16] if low == high => Reads::Once,
            [16, 16] if low.wrapping_add(16) == high => Reads::Along,
            [16, 16] => Reads::Whole,
            [8, 8] => Reads::Eight,
            [4, 4] => Reads::Four,
            _ => Reads::Few,
        }
    }
}

/// Adds the windows of `step` for the piece of the line from byte `first` on, which is one `side` of the pairs, of which `len` have one;
/// returns how many have one then.
fn put(pairs: &mut [Pair; MOST], mut len: usize, side: usize, step: &GatherStep, first: usize) -> usize {
    let mut left = (step.taken >> first) as u16;
    while left != 0 {
        // From the lowest byte that no window has yet.
        let bytes = (0..PIECE).filter(|b| left >> b & 1 != 0);
        let lowest = bytes.map(|b| step.index[first + b]).min().unwrap_or(0);
        let above = (step.read >> lowest).trailing_ones() as usize;
        let below = (step.read << (63 - lowest)).leading_ones() as usize - 1;
        // Whole ones where as many bytes beside one another may be read.
        let back = PIECE.saturating_sub(above).min(below);
        let (start, room) = (usize::from(lowest) - back, (above + back).min(PIECE));
        let pair = &mut pairs[len];
        pair.index[PIECE * side..][..PIECE].fill(NOTHING);
        let mut end = 0;
        for b in (0..PIECE).filter(|b| left >> b & 1 != 0) {
            let byte = usize::from(step.index[first + b]);
            if byte < start + room {
                pair.index[PIECE * side + b] = (byte - start) as u8;
                end = end.max(byte - start + 1);
            }
        }
        for b in 0..PIECE {
            left &= !(u16::from(pair.index[PIECE * side + b] != NOTHING) << b);
        }
        pair.at[side] = step.at.wrapping_add(start as isize);
        // No more than is needed where not all can be read.
        pair.len[side] = if room == PIECE { PIECE } else { end } as u8;
        len += 1;
    }
    len
}
