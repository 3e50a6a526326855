//! Work in parts that the calling thread begins at once, and of which rayon's threads take up what is left when they come. Called by
//! `pool`.
//!
//! `rayon::scope` and parallel iterators would let a caller from outside the pool sleep until a thread of the pool has woken up and has
//! done all, and then wake it: each takes tens of microseconds. Within a pool they hand halves out to threads that have to come first,
//! and other parts to other threads each time.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread::{self, Thread};

/// How often to look whether the last parts are done, before the caller sleeps: some ten microseconds.
const LOOKS: u32 = 4096;

/// What the caller and its helpers know.
struct Shared {
    /// The caller's closure, which lives as long as a part of `left` is.
    work: *const (dyn Fn(u32) + Sync),
    parts: u32,
    /// How many parts were taken up from the first one on, by the caller, in the lower half; from the last one on, by helpers, in the
    /// upper half: of a caller that comes again, each thread takes up the same parts, which may still be in its caches. Nothing is left
    /// where both make up `parts`.
    taken: AtomicU64,
    /// Parts that are not done.
    left: AtomicU32,
    caller: Thread,
}

// SAFETY: the closure, which `work` points to, can be called from several threads, and is only while `left` is not 0, until when
// the caller waits; all else is made for several threads.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// Calls `work` with all numbers below `parts`, on this thread and up to `helpers` of rayon's current pool.
pub(super) fn share(parts: u32, helpers: usize, work: &(dyn Fn(u32) + Sync)) {
    // SAFETY: this changes the lifetime alone; no thread calls it after `Waiting` is dropped, which is before this returns.
    let work = unsafe { core::mem::transmute::<&(dyn Fn(u32) + Sync), &'static (dyn Fn(u32) + Sync)>(work) };
    let shared = Arc::new(Shared {
        work,
        parts,
        taken: AtomicU64::new(0),
        left: AtomicU32::new(parts),
        caller: thread::current(),
    });
    let waiting = Waiting(&shared);
    for _ in 0..helpers.min(parts.saturating_sub(1) as usize) {
        let shared = Arc::clone(&shared);
        rayon::spawn(move || shared.help(HELPER));
    }
    shared.help(CALLER);
    drop(waiting);
}

/// What is added to [`Shared::taken`] for a part.
const CALLER: u64 = 1;
const HELPER: u64 = 1 << 32;

impl Shared {
    /// Does parts until all are taken up, from the end that belongs to `side`.
    fn help(&self, side: u64) {
        loop {
            // What a part reads was written before its number was handed to this thread.
            let before = self.taken.fetch_add(side, Ordering::Relaxed);
            let (first, last) = (before as u32, (before >> 32) as u32);
            if u64::from(first) + u64::from(last) >= self.parts.into() {
                return;
            }
            let part = if side == CALLER { first } else { self.parts - 1 - last };
            let done = Done(self);
            // SAFETY: this part is one of `left`, so that the caller waits.
            let work = unsafe { &*self.work };
            work(part);
            drop(done);
        }
    }
}

/// A part that was taken up, and is done when this is dropped, also where it panicked.
struct Done<'a>(&'a Shared);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if self.0.left.fetch_sub(1, Ordering::Release) == 1 {
            self.0.caller.unpark();
        }
    }
}

/// Lets the caller go on, or panic, only when nobody uses what it lent.
struct Waiting<'a>(&'a Shared);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let shared = self.0;
        // Parts are left to be taken up where the caller panicked.
        let before = shared.taken.swap(shared.parts.into(), Ordering::Relaxed);
        let taken = (before as u32).saturating_add((before >> 32) as u32);
        shared.left.fetch_sub(shared.parts.saturating_sub(taken), Ordering::Relaxed);
        let mut looks = 0;
        while shared.left.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks < LOOKS {
                core::hint::spin_loop();
            } else {
                thread::park();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::share;
    use alloc::sync::Arc;
    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use core::time::Duration;

    /// post: each part is done once, whoever comes to help, and all before the call returns.
    #[test]
    fn each_part_is_done_once() {
        for parts in [1, 2, 3, 64, 1000u32] {
            for helpers in [0, 1, 3] {
                let done: std::vec::Vec<_> = (0..parts).map(|_| AtomicU32::new(0)).collect();
                share(parts, helpers, &|i| {
                    if parts < 10 {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    done[i as usize].fetch_add(1, Ordering::Relaxed);
                });
                assert!(done.iter().all(|one| one.load(Ordering::Relaxed) == 1), "{parts} {helpers}");
            }
        }
    }

    /// The caller does all where the pool has something else to do.
    #[test]
    fn a_busy_pool_holds_up_nobody() {
        let free = Arc::new(AtomicBool::new(false));
        for _ in 0..rayon::current_num_threads() {
            let free = Arc::clone(&free);
            rayon::spawn(move || {
                while !free.load(Ordering::Acquire) {
                    std::thread::yield_now();
                }
            });
        }
        let sum = AtomicU32::new(0);
        share(100, 1, &|i| {
            sum.fetch_add(i, Ordering::Relaxed);
        });
        free.store(true, Ordering::Release);
        assert_eq!(sum.into_inner(), 4950);
    }

    /// A panic of the caller's part waits for those that helpers have begun.
    #[test]
    fn a_panic_leaves_nothing_behind() {
        let running = AtomicU32::new(0);
        let caller = std::thread::current().id();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            share(50, 1, &|_| {
                running.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(1));
                running.fetch_sub(1, Ordering::SeqCst);
                assert!(std::thread::current().id() != caller, "on purpose");
            });
        }));
        assert!(result.is_err());
        assert_eq!(running.into_inner(), 0);
    }
}
