//! What the vector families have in common, as macros over a register's type, its width and its instructions; nothing here
//! is called from outside their folders.

pub(super) mod bytes;
pub(super) mod convert;
pub(super) mod loops;
pub(super) mod rows;
pub(super) mod square;
pub(super) mod woven;
pub(super) mod zip;

pub(super) use super::generic::opaque;

/// So many lines ahead those of the destination are asked for, where they follow one another.
pub(super) const CLAIMED: usize = 16;

/// The same where registers are written across lines, of which the processor itself asks ahead only for the first: the second one of
/// each is asked for, so many registers ahead.
pub(super) const ACROSS: usize = 4;

/// `prefetch name: hint`, for the line at an address.
#[cfg(target_arch = "x86_64")]
macro_rules! prefetch {
    ($($(#[$attr:meta])* $name:ident: $hint:ident;)*) => {$(
        $(#[$attr])*
        #[inline(always)]
        pub(super) fn $name(at: *const u8) {
            #[cfg(not(miri))]
            // SAFETY: every processor of this architecture has the instruction; an address that cannot be read is no fault.
            unsafe {
                core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::$hint }>(at.cast());
            }
            #[cfg(miri)]
            let _ = at;
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
prefetch! {
    /// Fetches the line at `at` into the first-level cache.
    prefetch: _MM_HINT_T0;
    /// Fetches the line at `at` into the second-level cache.
    prefetch_far: _MM_HINT_T1;
}

/// Fetches the line at `at` into the first-level cache for a write: no other core has it then.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn prefetch_write(at: *mut u8) {
    #[cfg(not(miri))]
    // SAFETY: a hint, which processors without the instruction pass over; addresses that cannot be written are no fault.
    unsafe {
        core::arch::asm!("prefetchw [{0}]", in(reg) at, options(nostack, preserves_flags))
    };
    #[cfg(miri)]
    let _ = at;
}

/// Fetches the line at `at` into the first-level cache.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub(super) fn prefetch(at: *const u8) {
    prfm!("pldl1keep", at);
}

/// Fetches the line at `at` into the first-level cache for a write.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub(super) fn prefetch_write(at: *mut u8) {
    prfm!("pstl1keep", at);
}

/// Fetches the line at `at` into the second-level cache.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub(super) fn prefetch_second(at: *const u8) {
    prfm!("pldl2keep", at);
}

/// A prefetch, whose intrinsic is not stable.
#[cfg(target_arch = "aarch64")]
macro_rules! prfm {
    ($hint:literal, $at:ident) => {{
        #[cfg(not(miri))]
        // SAFETY: a hint; addresses that cannot be read are no fault.
        unsafe {
            core::arch::asm!(
                concat!("prfm ", $hint, ", [{0}]"),
                in(reg) $at,
                options(readonly, nostack, preserves_flags)
            )
        };
        #[cfg(miri)]
        let _ = $at;
    }};
}
#[cfg(target_arch = "aarch64")]
use prfm;
