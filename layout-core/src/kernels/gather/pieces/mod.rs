//! [`Pieces`]: a line for processors whose registers hold 16 and 32 bytes, put together in whichever way is cheapest. Made from the
//! steps of a [`Gather`](super::Gather) and from where its elements are.

mod copies;
#[cfg(test)]
mod tests;
mod windows;

use super::super::drive::LINE;
use super::GatherStep;
pub(in super::super) use copies::{Copies, Width};
pub(in super::super) use windows::{Pair, Reads, Windows};

/// Quarters of a cycle that an element takes which is put into a register by itself.
const COST_OF_ELEMENT: usize = 2;

/// A line in pieces.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "no heap memory is needed")]
pub(in super::super) enum Pieces {
    /// By permutations of windows.
    Windows(Windows),
    /// By copies of what lies together on both sides, on zeros.
    Copies(Copies),
    /// Element by element, into registers.
    Elements(Elements),
}

/// Elements that are taken one by one.
#[derive(Clone, Debug)]
pub(in super::super) struct Elements {
    /// Bytes of one.
    pub(in super::super) bytes: usize,
    /// Bytes from the line's first element in the source to each; of what is no data, to one that is.
    pub(in super::super) from: [isize; LINE],
    /// Ones in the bytes that are data.
    pub(in super::super) mask: [u8; LINE],
}

impl Pieces {
    pub(super) const NONE: Pieces = Pieces::Windows(Windows::NONE);

    /// Chooses for a line of elements of `element` bytes that lie in the source at `places`, of which those with bits in `data` are
    /// read; and that comes from `steps`, if it has any.
    pub(super) fn new(
        steps: Option<&[GatherStep]>,
        (data, written): (u64, u64),
        element: usize,
        places: &[isize],
    ) -> Pieces {
        if data == 0 {
            // Nothing is read.
            return Pieces::NONE;
        }
        let windows = Windows::new(steps.unwrap_or(&[]));
        let by_windows = if steps.is_some() { windows.cost() } else { usize::MAX };
        let copies = Copies::new(data, element, places);
        let by_copies = copies.cost(data != written);
        if COST_OF_ELEMENT * places.len() < by_copies.min(by_windows) {
            Pieces::Elements(Elements::new(data, element, places))
        } else if by_copies <= by_windows {
            Pieces::Copies(copies)
        } else {
            Pieces::Windows(windows)
        }
    }
}

impl Elements {
    /// Those of `bytes` bytes at `places` that have their bits in `data`, which are some.
    fn new(data: u64, bytes: usize, places: &[isize]) -> Elements {
        let holds = |i: usize| data >> (i * bytes) & 1 != 0;
        let first = (0..places.len()).find(|&i| holds(i)).map_or(0, |i| places[i]);
        let mut elements = Elements { bytes, from: [first; LINE], mask: [0; LINE] };
        for (i, place) in places.iter().enumerate().filter(|&(i, _)| holds(i)) {
            elements.from[i] = *place;
        }
        for i in (0..LINE).filter(|i| data >> i & 1 != 0) {
            elements.mask[i] = u8::MAX;
        }
        elements
    }
}
