//! [`Permutation`]: places that take from one another, moved along cycles: what is at one place is saved, then each place takes
//! what belongs there, and the last one what was saved. Called by `cycles` and `shuffle`.
//!
//! What has moved is noted in a set of bits for a window of places. A cycle is done when its lowest place is passed; beyond
//! the first window, a place that is not noted is followed until it turns out in which window its cycle began.

/// Places in a window.
const WINDOW: usize = 1 << 16;
/// Bytes that move in one go; the size of what is saved.
pub(super) const STRETCH: usize = 8 << 10;

/// A permutation of places, by where each place takes what it gets from.
pub(super) struct Permutation<S> {
    pub(super) count: usize,
    pub(super) source: S,
}

impl<S: Fn(usize) -> usize> Permutation<S> {
    /// Permutes `len` bytes at each place; `at` says where a place is.
    ///
    /// # Safety
    /// `len` bytes at all places, which do not overlap, and at `saved`, can be read and written; `source` is a permutation
    /// of the numbers below `count`.
    pub(super) unsafe fn run(
        &self,
        at: impl Fn(usize) -> *mut u8,
        len: usize,
        seen: &mut Seen,
        saved: *mut u8,
    ) {
        let mut left = self.count;
        seen.start = 0;
        while left > 0 && seen.start < self.count {
            seen.bits.fill(0);
            for place in seen.start..self.count.min(seen.start + WINDOW) {
                if seen.holds(place) || !self.leads(place, seen) {
                    continue;
                }
                // SAFETY: the caller's promise.
                left -= unsafe { self.turn(place, &at, len, seen, saved) };
                if left == 0 {
                    break;
                }
            }
            seen.start += WINDOW;
        }
    }

    /// Whether the cycle of `place`, which is not noted, has yet to be moved. Notes what it passes.
    #[inline]
    fn leads(&self, place: usize, seen: &mut Seen) -> bool {
        if seen.start == 0 {
            return true;
        }
        let mut next = place;
        loop {
            seen.note(next);
            next = (self.source)(next);
            if next == place || next < seen.start {
                return next == place;
            }
        }
    }

    /// Moves the cycle of `lead`; returns how many places it has.
    ///
    /// # Safety
    /// That of [`Permutation::run`].
    #[inline]
    unsafe fn turn(
        &self,
        lead: usize,
        at: &impl Fn(usize) -> *mut u8,
        len: usize,
        seen: &mut Seen,
        saved: *mut u8,
    ) -> usize {
        let mut source = (self.source)(lead);
        seen.note(lead);
        if source == lead {
            return 1;
        }
        let mut to = at(lead);
        // SAFETY: the caller's promise.
        unsafe { copy(to, saved, len) };
        let mut moved = 1;
        while source != lead {
            seen.note(source);
            let from = at(source);
            // SAFETY: the caller's promise; places do not overlap.
            unsafe { copy(from, to, len) };
            to = from;
            source = (self.source)(source);
            moved += 1;
        }
        // SAFETY: as above.
        unsafe { copy(saved, to, len) };
        moved
    }
}

/// The places from `start` on that are in a cycle which has been moved.
pub(super) struct Seen {
    start: usize,
    bits: [u64; WINDOW / 64],
}

impl Seen {
    pub(super) const fn new() -> Seen {
        Seen { start: 0, bits: [0; WINDOW / 64] }
    }

    #[inline]
    pub(super) fn note(&mut self, place: usize) {
        let at = place.wrapping_sub(self.start);
        if let Some(word) = self.bits.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    #[inline]
    pub(super) fn holds(&self, place: usize) -> bool {
        let at = place.wrapping_sub(self.start);
        self.bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

/// Copies `len` bytes; single elements without a call.
///
/// # Safety
/// The bytes can be read and written, and the two do not overlap.
#[inline(always)]
pub(super) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    match len {
        // SAFETY: the caller's promise.
        1 => unsafe { core::ptr::copy_nonoverlapping(from, to, 1) },
        // SAFETY: the caller's promise.
        2 => unsafe { core::ptr::copy_nonoverlapping(from, to, 2) },
        // SAFETY: the caller's promise.
        4 => unsafe { core::ptr::copy_nonoverlapping(from, to, 4) },
        // SAFETY: the caller's promise.
        8 => unsafe { core::ptr::copy_nonoverlapping(from, to, 8) },
        // SAFETY: the caller's promise.
        _ => unsafe { core::ptr::copy_nonoverlapping(from, to, len) },
    }
}
