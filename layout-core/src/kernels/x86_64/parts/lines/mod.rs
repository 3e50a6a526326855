//! Where whole lines are what costs, for registers of a line and of a part of one; and what `pack` does. Nothing here is called from outside the
//! families' folders.

pub(in super::super) mod apart;
pub(in super::super) mod joined;
pub(in super::super) mod long;
pub(in super::super) mod pieces;
pub(in super::super) mod squares;

/// The methods `pack`, `pieces` and `carried` of a family's `Simd`, by its modules `run` and `lines`.
macro_rules! line_methods {
    () => {
        #[inline(always)]
        unsafe fn pack(self, job: &Rows) -> usize {
            // SAFETY: the token proves the features; what the callee asks of memory is what the trait's method does.
            unsafe { run::pack(job) }
        }

        #[inline(always)]
        unsafe fn pieces(self, job: &Pieces) -> bool {
            match job.len {
                // SAFETY: as above.
                16 => unsafe { lines::pieces::quarters(job) },
                // SAFETY: as above; there are no others.
                _ => unsafe { lines::pieces::halves(job) },
            }
            true
        }

        #[inline(always)]
        unsafe fn carried(self, job: &Carried) {
            // SAFETY: as above.
            unsafe { run::carried(self, job) }
        }
    };
}
pub(in super::super) use line_methods;
