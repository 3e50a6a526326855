//! Runs a plan on the threads of rayon's current pool: the global one, or that in whose `install` it is called. Decides in how many
//! parts.

use super::super::super::attributes::Scaling;
use super::super::super::{Reorder, ReorderError};
use super::shared::share;

/// Bytes read and written of a part at least: a thread that sleeps takes as long to come as the move of about as many. What is not
/// several times as much for each thread lies in their own caches, and is faster where each is given the same part again.
const PART: usize = 1 << 20;
/// Parts for each thread at most, so that one that is held up keeps the others waiting for less.
const MOST_EACH: usize = 4;
/// Parts in all.
const MOST: usize = 1 << 20;
/// Bytes in all from which on the pool is asked for help from outside, where its threads are more likely to be asleep.
const OUTSIDE: usize = 4 * PART;

/// How many parts to make of `bytes` for so many threads; `inside`: the one that calls is of the pool.
fn parts(bytes: usize, threads: usize, inside: bool) -> u64 {
    if threads < 2 || !inside && bytes < OUTSIDE {
        return 1;
    }
    let each = (bytes / PART / threads).clamp(1, MOST_EACH);
    (bytes / PART).min(threads.saturating_mul(each)).min(MOST) as u64
}

/// The two buffers, for several threads.
#[derive(Clone, Copy)]
struct Memory {
    src: *const u8,
    dst: *mut u8,
}

// SAFETY: who makes one vouches for both buffers as long as the parts run; these write to different places.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// The pointers; a method, so that closures take the whole.
    fn pointers(self) -> (*const u8, *mut u8) {
        (self.src, self.dst)
    }
}

impl Reorder {
    /// [`Reorder::run`] on the threads of the current pool of [rayon]: the global one, or a caller's own in whose
    /// `install` this is called. What moves less than two megabytes stays on the calling thread, and less than four where that belongs
    /// to no pool. Of more, the calling thread begins at once, and does all where none of the others comes; what it hands out takes
    /// some memory from the heap.
    ///
    /// # Errors
    /// Those of [`Reorder::run`].
    ///
    /// ```
    /// # use layout_core::{descriptor::{DType, Descriptor}, reorder::{Reorder, ReorderError}};
    /// let src = Descriptor::new(DType::F32, &[8, 64, 28, 28], "nchw")?;
    /// let dst = Descriptor::new(DType::F32, &[8, 64, 28, 28], "nChw16c")?;
    /// let plan = Reorder::new(&src, &dst)?;
    /// let (from, mut to) = (vec![1; plan.src_len()], vec![0; plan.dst_len()]);
    /// plan.par_run(&from, &mut to)?;
    /// assert_eq!(from, to);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn par_run(&self, src: &[u8], dst: &mut [u8]) -> Result<(), ReorderError> {
        self.check_plain()?;
        self.check_len(src.len(), dst.len())?;
        // SAFETY: both are as long as the plan says and, one being borrowed exclusively, do not overlap.
        unsafe { self.par_run_ptr(src.as_ptr(), dst.as_mut_ptr()) };
        Ok(())
    }

    /// [`Reorder::par_run`] for memory that is known by pointers.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`].
    pub unsafe fn par_run_ptr(&self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.par_run_boxes(src, dst, None) };
    }

    /// Runs the plan in parts, with the values of its attributes if it has any.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`], except for the attributes.
    pub(in super::super::super) unsafe fn par_run_boxes(
        &self,
        src: *const u8,
        dst: *mut u8,
        scaling: Option<&Scaling<'_>>,
    ) {
        let inside = rayon::current_thread_index().is_some();
        let (bytes, threads) = (self.bytes_read() + self.bytes_written(), rayon::current_num_threads());
        let Some(cut) = self.cut(parts(bytes, threads, inside), threads) else {
            // SAFETY: the caller's promise.
            return unsafe { self.run_boxes(src, dst, scaling) };
        };
        let memory = Memory { src, dst };
        let run = |i: u32| {
            let (src, dst) = memory.pointers();
            // SAFETY: the caller's promise; the parts write to different places.
            unsafe { self.run_part(src, dst, cut.part(i.into()), scaling) };
        };
        share(cut.parts as u32, threads - 1, &run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// post: in parts, from outside a pool and from within one of any size, a plan does what it does as a whole.
    #[test]
    fn threads_move_the_whole() {
        use crate::descriptor::{DType, Descriptor};
        use std::vec::Vec;

        let pools: Vec<_> = [2, 3, 7]
            .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
            .into();
        // Two of the source's rows make a line of the destination; a tail; bytes.
        for (dtype, dims, from, to) in [
            (DType::F32, [3, 67, 60, 61], "nchw", "nChw16c"),
            (DType::F32, [3, 67, 60, 61], "nChw8c", "nhwc"),
            (DType::S8, [11, 67, 60, 61], "nhwc", "nchw"),
        ] {
            let src = Descriptor::new(dtype, &dims, from).unwrap();
            let plan = Reorder::new(&src, &Descriptor::new(dtype, &dims, to).unwrap()).unwrap();
            assert!(parts(plan.bytes_read() + plan.bytes_written(), 2, false) > 1);
            let bytes: Vec<u8> = (0..plan.src_len()).map(|i| (i % 251) as u8).collect();
            let mut whole = std::vec![1; plan.dst_len()];
            plan.run(&bytes, &mut whole).unwrap();
            let mut found = std::vec![2; plan.dst_len()];
            for _ in 0..3 {
                found.fill(2);
                plan.par_run(&bytes, &mut found).unwrap();
                assert!(found == whole, "{from} -> {to}");
            }
            for pool in &pools {
                found.fill(2);
                pool.install(|| plan.par_run(&bytes, &mut found)).unwrap();
                assert!(found == whole, "{from} -> {to} in {pool:?}");
            }
        }
    }

    #[test]
    fn little_is_one_part() {
        for (bytes, inside) in [(2 * PART - 1, true), (OUTSIDE - 1, false)] {
            assert!(parts(bytes, 8, inside) < 2);
            assert!(parts(bytes + 1, 8, inside) > 1);
        }
        assert_eq!(parts(usize::MAX, 1, true), 1);
    }

    /// One part for each thread while their own caches hold it, several of what is large, and never more than are worth while.
    #[test]
    fn parts_grow_with_what_is_moved() {
        assert_eq!(parts(3 << 20, 2, true), 2);
        assert_eq!(parts(3 << 20, 64, true), 3);
        assert_eq!(parts(4 << 20, 2, false), 4);
        assert_eq!(parts(1 << 30, 2, true), 8);
        assert_eq!(parts(usize::MAX, usize::MAX, true), MOST.min(usize::MAX / PART) as u64);
    }
}
