//! Runs a plan on the threads of rayon's current pool: the global one, or that in whose `install` it is called. Decides in how many
//! parts.

use super::super::super::attributes::Scaling;
use super::super::super::{Reorder, ReorderError};
use super::shared::share;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Bytes read and written that make a part of their own worth while in a pool: to wake a thread takes some ten microseconds of the one
/// that calls.
const ENOUGH: usize = 512 * 1024;
/// Bytes for each thread from which on there are several parts for each, so that one that is held up keeps the others waiting for
/// less. What is smaller lies in the threads' own caches, and is faster where each is given the same part again.
const SEVERAL: usize = 1 << 20;
const MOST_EACH: usize = 4;

/// Bytes in all from which on the pool is asked for help from outside: its threads, which may all be asleep, come some tens of
/// microseconds later, when the calling thread has nearly done with less.
const ENOUGH_ASLEEP: usize = 4 << 20;

/// How many parts to make of `bytes` for so many threads of a pool.
fn parts_in_pool(bytes: usize, threads: usize) -> u64 {
    let each = (bytes / SEVERAL / threads.max(1)).clamp(1, MOST_EACH);
    (bytes / ENOUGH).min(threads.saturating_mul(each)) as u64
}

/// The same for a thread that is not of the pool, and helps.
fn parts_outside(bytes: usize, threads: usize) -> u64 {
    if bytes < ENOUGH_ASLEEP || threads < 2 {
        return 1;
    }
    (bytes / ENOUGH).min(threads.saturating_mul(MOST_EACH)) as u64
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
    /// `install` this is called. Reorders that move less than a megabyte stay on the calling thread. One that belongs to
    /// no pool does all that moves less than four megabytes, since the pool's threads may be asleep; of more it does its part, and
    /// all where none of them comes, and takes some memory from the heap for what it hands out.
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
        let wanted = if inside { parts_in_pool(bytes, threads) } else { parts_outside(bytes, threads) };
        let Some(cut) = self.cut(wanted) else {
            // SAFETY: the caller's promise.
            return unsafe { self.run_boxes(src, dst, scaling) };
        };
        let memory = Memory { src, dst };
        let run = |i| {
            let (src, dst) = memory.pointers();
            // SAFETY: the caller's promise; the parts write to different places.
            unsafe { self.run_part(src, dst, cut.part(i), scaling) };
        };
        if inside {
            (0..cut.parts).into_par_iter().for_each(run);
        } else {
            share(cut.parts, threads - 1, &run);
        }
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
            assert!(parts_outside(plan.bytes_read() + plan.bytes_written(), 2) > 1);
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
        assert!(parts_in_pool(2 * ENOUGH - 1, 8) < 2);
        assert!(parts_in_pool(usize::MAX, 1) >= 1);
    }

    /// One part for each thread while their own caches hold it, several of what is large, and never more than are worth while.
    #[test]
    fn parts_grow_with_what_is_moved() {
        assert_eq!(parts_in_pool(1 << 20, 2), 2);
        assert_eq!(parts_in_pool(1 << 20, 64), 2);
        assert_eq!(parts_in_pool(16 << 20, 64), 32);
        assert_eq!(parts_in_pool(4 << 20, 2), 4);
        assert_eq!(parts_in_pool(1 << 30, 2), 8);
        assert_eq!(parts_in_pool(usize::MAX, usize::MAX), (usize::MAX / ENOUGH) as u64);
    }
}
