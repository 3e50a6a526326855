//! Runs a plan on the threads of rayon's current pool: the global one, or that in whose `install` it is called.

use super::super::attributes::Scaling;
use super::super::{Reorder, ReorderError};
use super::parts::{ENOUGH, ENOUGH_ASLEEP};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

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
    /// `install` this is called. Reorders that move less than half a megabyte stay on the calling thread, and so do those of
    /// less than four where that belongs to no pool and would have to wait until its threads are awake.
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
    pub(in super::super) unsafe fn par_run_boxes(
        &self,
        src: *const u8,
        dst: *mut u8,
        scaling: Option<&Scaling<'_>>,
    ) {
        let enough = if rayon::current_thread_index().is_some() { ENOUGH } else { ENOUGH_ASLEEP };
        let Some(cut) = self.cut(rayon::current_num_threads(), enough) else {
            // SAFETY: the caller's promise.
            return unsafe { self.run_boxes(src, dst, scaling) };
        };
        let memory = Memory { src, dst };
        (0..cut.parts).into_par_iter().for_each(|i| {
            let (src, dst) = memory.pointers();
            // SAFETY: the caller's promise; the parts write to different places.
            unsafe { self.run_part(src, dst, cut.part(i), scaling) };
        });
    }
}
