//! [`Pieces`]: a line for processors whose registers hold 16 and 32 bytes, put together in whichever way is cheapest. Made from the
//! steps of a [`Gather`](super::Gather) and from where its elements are.

mod copies;
#[cfg(test)]
mod tests;
mod windows;

use super::super::drive::LINE;
use super::GatherStep;
use copies::Copies;
use windows::Windows;
pub(in super::super) use {copies::Width, windows::Pair, windows::Reads};

/// Quarters of a cycle that an element takes which is put into a register by itself.
const COST_OF_ELEMENT: usize = 2;

/// How a line is put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum By {
    /// By permutations of windows.
    Windows,
    /// By copies of what lies together on both sides, on zeros.
    Copies,
    /// Element by element, of as many bytes, into registers.
    Elements(usize),
}

/// What that needs.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    pub(in super::super) by: By,
    pub(in super::super) windows: Windows,
    pub(in super::super) copies: Copies,
    /// Bytes from the line's first element in the source to each element; of what is no data, to one that is.
    pub(in super::super) elements: [isize; LINE],
    /// Ones in the bytes that are data.
    pub(in super::super) mask: [u8; LINE],
}

impl Pieces {
    pub(super) const NONE: Pieces = Pieces {
        by: By::Windows,
        windows: Windows::NONE,
        copies: Copies::NONE,
        elements: [0; LINE],
        mask: [0; LINE],
    };

    /// Chooses for a line of elements of `element` bytes that lie in the source at `places`, of which those with bits in `data` are
    /// read; and that comes from `steps`, if it has any.
    pub(super) fn write(
        &mut self,
        steps: Option<&[GatherStep]>,
        (data, written): (u64, u64),
        element: usize,
        places: &[isize],
    ) {
        self.windows.write(steps.unwrap_or(&[]));
        self.by = By::Windows;
        if data == 0 {
            // Nothing is read.
            return;
        }
        let mut least = if steps.is_some() { self.windows.cost() } else { usize::MAX };
        self.copies.write(data, element, places);
        let cost = self.copies.cost(data != written);
        if cost <= least {
            (self.by, least) = (By::Copies, cost);
        }
        if COST_OF_ELEMENT * places.len() < least {
            self.by = By::Elements(element);
            self.take_elements(data, element, places);
        }
    }

    fn take_elements(&mut self, data: u64, element: usize, places: &[isize]) {
        let holds = |i: usize| data >> (i * element) & 1 != 0;
        let first = (0..places.len()).find(|&i| holds(i)).map_or(0, |i| places[i]);
        self.elements.fill(first);
        for (i, place) in places.iter().enumerate().filter(|&(i, _)| holds(i)) {
            self.elements[i] = *place;
        }
        for (i, byte) in self.mask.iter_mut().enumerate() {
            *byte = if data >> i & 1 != 0 { u8::MAX } else { 0 };
        }
    }
}
