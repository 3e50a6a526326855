//! [`Table`]: the distances of several loops that pass for one in a crossed tile. Filled by `walk`.

use crate::kernels::{Step, Tables};
use core::mem::MaybeUninit;

/// The distances along x, and a line of copies of the last.
pub(super) type X = Table<{ 256 + Tables::SLACK }>;

/// The distances along y.
pub(super) type Y = Table<256>;

/// Distances in bytes from the first value; empty as long as there is one loop.
pub(super) struct Table<const N: usize> {
    entries: [MaybeUninit<isize>; N],
    len: usize,
}

impl X {
    /// Values that fit.
    pub(super) const ROOM: usize = 256;
}

impl Y {
    /// Values that fit.
    pub(super) const ROOM: usize = 256;
}

impl<const N: usize> Table<N> {
    #[inline]
    pub(super) fn new() -> Table<N> {
        Table { entries: [const { MaybeUninit::uninit() }; N], len: 0 }
    }

    /// Adds a loop of `count` values `stride` bytes apart around those that are there; around `first`, of which `src` is the
    /// stride, if none are.
    pub(super) fn extend(&mut self, first: Step, count: usize, stride: isize) {
        if self.len == 0 {
            for (i, entry) in self.entries[..first.len].iter_mut().enumerate() {
                *entry = MaybeUninit::new((i as isize).wrapping_mul(first.src));
            }
            self.len = first.len;
        }
        let inner = self.len;
        let (done, rest) = self.entries.split_at_mut(inner);
        let rest = &mut rest[..inner * (count - 1)];
        if inner == 1 {
            // SAFETY: the first entry is written.
            let mut last = unsafe { done[0].assume_init() };
            for entry in rest {
                last = last.wrapping_add(stride);
                *entry = MaybeUninit::new(last);
            }
            self.len = count;
            return;
        }
        for (k, group) in rest.chunks_exact_mut(inner).enumerate() {
            let by = (k as isize + 1).wrapping_mul(stride);
            for (entry, from) in group.iter_mut().zip(&*done) {
                // SAFETY: the first `len` entries are written.
                *entry = MaybeUninit::new(unsafe { from.assume_init() }.wrapping_add(by));
            }
        }
        self.len = inner * count;
    }

    /// The entries and `slack` copies of the last; `None` where there is no more than one loop.
    pub(super) fn finish(&mut self, slack: usize) -> Option<&[isize]> {
        let last = *self.entries[..self.len].last()?;
        self.entries[self.len..self.len + slack].fill(last);
        // SAFETY: as many entries are written.
        Some(unsafe { core::slice::from_raw_parts(self.entries.as_ptr().cast(), self.len + slack) })
    }
}
