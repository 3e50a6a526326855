//! The plan cache of each thread, for the one-line calls. Without the feature `std` there is none, and plans are made anew.

#[cfg(feature = "std")]
use super::PlanCache;
use super::{Key, Reorder, ReorderError};

#[cfg(feature = "std")]
std::thread_local! {
    static CACHE: core::cell::RefCell<PlanCache> = const { core::cell::RefCell::new(PlanCache::new()) };
}

/// Calls `run` with the plan of `key`, which `make` makes where it is not there.
///
/// # Errors
/// Those of `make`; `run` is not called then.
// `dyn`, so that this is compiled once for all layouts.
#[inline(never)]
pub(in crate::reorder) fn with_plan(
    key: Key<'_>,
    make: &mut dyn FnMut() -> Result<Reorder, ReorderError>,
    run: &mut dyn FnMut(&Reorder),
) -> Result<(), ReorderError> {
    #[cfg(feature = "std")]
    {
        // The cache is away while the thread ends, and taken where this is called below `run`: an allocator that reorders,
        // or other work that a thread takes on while it waits for its share of a plan.
        let done = CACHE.try_with(|cache| {
            let mut cache = cache.try_borrow_mut().ok()?;
            Some(cache.find(key, make).map(&mut *run))
        });
        if let Ok(Some(result)) = done {
            return result;
        }
    }
    #[cfg(not(feature = "std"))]
    let _ = key;
    with_new_plan(make, run)
}

/// Calls `run` with a plan that is made now. Apart from the fast way, whose stack stays small.
///
/// # Errors
/// Those of `make`; `run` is not called then.
#[cold]
#[inline(never)]
pub(in crate::reorder) fn with_new_plan(
    make: &mut dyn FnMut() -> Result<Reorder, ReorderError>,
    run: &mut dyn FnMut(&Reorder),
) -> Result<(), ReorderError> {
    run(&make()?);
    Ok(())
}

/// Calls `f` with the cache of this thread, or with an empty one where that is away or taken.
#[cfg(feature = "std")]
pub(super) fn of_thread<R>(f: impl FnOnce(&mut PlanCache) -> R) -> R {
    let exchange = |other: &mut PlanCache| {
        let _ = CACHE.try_with(|cache| {
            if let Ok(mut cache) = cache.try_borrow_mut() {
                core::mem::swap(&mut *cache, other);
            }
        });
    };
    let mut cache = PlanCache::new();
    exchange(&mut cache);
    let result = f(&mut cache);
    exchange(&mut cache);
    result
}
