//! [`Copies`]: what of a line lies together in the source too, in pieces that are copied by one load and one store each.

use super::super::super::drive::LINE;

/// Bytes of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super::super) enum Width {
    One,
    Two,
    Four,
    Eight,
    Sixteen,
}

/// Bytes that are copied.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Copied {
    /// Bytes from the line's first element in the source to the first of them.
    pub(in super::super::super) from: isize,
    /// The byte of the line where they go.
    pub(in super::super::super) to: u8,
    pub(in super::super::super) width: Width,
}

/// The copies of a line.
#[derive(Clone, Debug)]
pub(in super::super::super) struct Copies {
    all: [Copied; LINE],
    len: usize,
}

impl Copies {
    #[inline]
    pub(in super::super::super) fn all(&self) -> &[Copied] {
        &self.all[..self.len]
    }

    /// What a line costs, in quarters of a cycle, where the bytes that are no data are written as zeros before if it is `on_zeros`.
    pub(super) fn cost(&self, on_zeros: bool) -> usize {
        4 * self.len + if on_zeros { 8 } else { 0 }
    }

    /// The copies of elements of `element` bytes that have their bits in `data`, and lie in the source at `places`.
    pub(super) fn new(data: u64, element: usize, places: &[isize]) -> Copies {
        let mut copies = Copies { all: [Copied { from: 0, to: 0, width: Width::One }; LINE], len: 0 };
        let mut run: Option<(usize, usize)> = None;
        for (i, place) in places.iter().enumerate().filter(|(i, _)| data >> (i * element) & 1 != 0) {
            match &mut run {
                Some((first, len))
                    if *first + *len == i
                        && *place == places[*first].wrapping_add((*len * element) as isize) =>
                {
                    *len += 1;
                }
                _ => {
                    copies.put(run, element, places);
                    run = Some((i, 1));
                }
            }
        }
        copies.put(run, element, places);
        copies
    }

    /// Adds the elements of `run`, the first and how many they are. Two copies may have bytes in common.
    fn put(&mut self, run: Option<(usize, usize)>, element: usize, places: &[isize]) {
        let Some((first, len)) = run else { return };
        let bytes = len * element;
        let (width, step) = match bytes {
            16.. => (Width::Sixteen, 16),
            8.. => (Width::Eight, 8),
            4.. => (Width::Four, 4),
            2.. => (Width::Two, 2),
            _ => (Width::One, 1),
        };
        let mut at = 0;
        while at < bytes {
            let begin = at.min(bytes - step);
            let from = places[first].wrapping_add(begin as isize);
            self.all[self.len] = Copied { from, to: (first * element + begin) as u8, width };
            self.len += 1;
            at += step;
        }
    }
}
