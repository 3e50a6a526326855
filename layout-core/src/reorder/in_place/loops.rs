//! [`Loops`]: the moves of a reorder within one piece of memory, as loops with a stride on each side, and [`Places`], the set
//! of places that such loops reach. Everything here is counted from the lowest place, in elements.

use crate::grammar::MAX_DIGITS;

/// Loops that a reorder in place holds.
pub(super) const MAX_LOOPS: usize = 26;

/// One loop: `n` values, at least 2, and how far apart two of them are on each side. The source's stride is positive; a
/// negative one of the destination runs down from its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Loop {
    pub(super) n: usize,
    pub(super) src: isize,
    pub(super) dst: isize,
}

impl Loop {
    /// Whether the loop takes the same steps on both sides.
    pub(super) const fn is_shared(&self) -> bool {
        self.src == self.dst
    }
}

/// Up to `N` values, without heap memory.
#[derive(Clone, Copy)]
pub(super) struct List<T, const N: usize = MAX_LOOPS> {
    at: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> List<T, N> {
    /// None yet; `filler` is what is stored where nothing is.
    pub(super) const fn new(filler: T) -> List<T, N> {
        List { at: [filler; N], len: 0 }
    }

    /// Adds one; `None` where there is no room.
    #[must_use]
    pub(super) fn push(&mut self, value: T) -> Option<()> {
        *self.at.get_mut(self.len)? = value;
        self.len += 1;
        Some(())
    }

    /// Takes value `i` out; those behind it move up.
    pub(super) fn remove(&mut self, i: usize) -> T {
        let value = self[i];
        self.at.copy_within(i + 1..self.len, i);
        self.len -= 1;
        value
    }
}

impl<T, const N: usize> core::ops::Deref for List<T, N> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.at[..self.len]
    }
}
impl<T, const N: usize> core::ops::DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.at[..self.len]
    }
}

/// Loops, in any order.
pub(super) type Loops = List<Loop>;

impl Loops {
    pub(super) const EMPTY: Loops = List::new(Loop { n: 1, src: 0, dst: 0 });

    /// Number of combinations. Places are within memory, so that it fits.
    pub(super) fn count(&self) -> usize {
        self.iter().map(|node| node.n).product()
    }

    /// Puts those with the smallest steps in the source first.
    pub(super) fn sort(&mut self) {
        self.sort_unstable_by_key(|node| node.src);
    }

    /// Merges any two loops of which one continues the other on both sides.
    pub(super) fn merge(&mut self) {
        self.sort();
        let mut low = 0;
        while low < self.len() {
            let Loop { n, src, dst } = self[low];
            // Past the end of memory, the product may be past the end of addresses.
            let end = |step: isize| step.checked_mul(n as isize);
            let next = |node: &Loop| Some(node.src) == end(src) && Some(node.dst) == end(dst);
            match self.iter().position(next) {
                Some(high) => {
                    let high = self.remove(high);
                    self[low].n *= high.n;
                }
                None => low += 1,
            }
        }
    }

    /// The loops that take the same steps on both sides, and the others.
    ///
    /// Where all loops together reach the same places on both sides, so do the others alone: with a place p as the power
    /// z^p, the set of all places is the product of the polynomials of the loops, and those of the shared ones divide out.
    pub(super) fn shared_and_others(&self) -> (Loops, Loops) {
        let (mut shared, mut others) = (Loops::EMPTY, Loops::EMPTY);
        for &node in self.iter() {
            // Neither is longer than the whole.
            let _ = if node.is_shared() { &mut shared } else { &mut others }.push(node);
        }
        (shared, others)
    }
}

/// A set of places, from the lowest on: how many steps of each width, the narrowest first.
///
/// Steps nest (each is wider than all narrower ones together reach), and none continues the one below it. The list is then
/// unique: its first width is the distance of the second place, its first number how many places follow in that distance,
/// and so on for the places that are left. Hence two sets are equal exactly if their lists are.
#[derive(Clone, Copy)]
pub(super) struct Places {
    steps: List<(usize, usize), MAX_DIGITS>,
}

impl Places {
    /// The places that loops of so many values and such strides reach.
    pub(super) fn of(loops: impl Iterator<Item = (usize, isize)>) -> Places {
        let mut steps = List::new((1, 0));
        for (n, stride) in loops {
            // No caller has more than the digits of a descriptor.
            let _ = steps.push((n, stride.unsigned_abs()));
        }
        steps.sort_unstable_by_key(|&(_, width)| width);
        let mut i = 1;
        while i < steps.len() {
            let ((n, width), (above, next)) = (steps[i - 1], steps[i]);
            if width * n == next {
                steps[i - 1].0 = n * above;
                steps.remove(i);
            } else {
                i += 1;
            }
        }
        Places { steps }
    }

    /// Number and width of the steps, the narrowest first.
    pub(super) fn steps(&self) -> &[(usize, usize)] {
        &self.steps
    }

    /// Distance of the last place from the first.
    pub(super) fn reach(&self) -> usize {
        self.steps().iter().map(|&(n, width)| (n - 1) * width).sum()
    }
}

impl PartialEq for Places {
    fn eq(&self, other: &Self) -> bool {
        self.steps() == other.steps()
    }
}
