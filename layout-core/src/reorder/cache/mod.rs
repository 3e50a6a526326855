//! [`PlanCache`]: plans that were made before, found by what they follow from. The one-line calls of `typed` and
//! `described` ask the cache of their thread (`thread`); it never runs a plan itself.

mod key;
mod thread;

pub(super) use key::{Key, Operands, Typed};
pub(super) use thread::{with_new_plan, with_plan};

use super::{Attributes, Reorder, ReorderError, ReorderOptions};
use crate::descriptor::Descriptor;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use key::Stored;

/// Plans of reorders that were asked for before, so that asking again takes tens of nanoseconds.
///
/// [`reorder`](super::reorder), [`reorder_bytes`](super::reorder_bytes) and the methods of views keep one for each
/// thread, which is made with the first plan and dropped with the thread; [`PlanCache::of_thread`] gives access to it.
/// Without the feature `std` there is none, and they plan anew each time: there, and where threads share plans, keep a
/// cache yourself, or the plans.
///
/// It holds at most [`PlanCache::capacity`] plans, of about 3 KiB each with their descriptors, on the heap. A plan that is
/// found was made for the same descriptors and options, compared in full. Nothing is allocated then. Where there is no
/// room, the plan makes way that was not used for the longest time among a few.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::PlanCache;
///
/// let src = Descriptor::new(DType::U8, &[2, 3], "ab")?;
/// let dst = Descriptor::new(DType::U8, &[2, 3], "ba")?;
/// let mut cache = PlanCache::new();
/// let mut out = [0; 6];
/// for _ in 0..3 {
///     cache.plan(&src, &dst)?.run(&[1, 2, 3, 4, 5, 6], &mut out)?;
/// }
/// assert_eq!(out, [1, 4, 2, 5, 3, 6]);
/// assert_eq!((cache.len(), cache.hits(), cache.misses()), (1, 2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlanCache {
    /// Where a key may stand follows from its hash. The plan that was used last comes first. Empty, or as many as
    /// `sets_len` says.
    sets: Vec<Vec<Slot>>,
    sets_len: usize,
    /// Slots of a set, at least one.
    ways: usize,
    hits: u64,
    misses: u64,
}

struct Slot {
    /// Of the entry's key: most others are told apart without a look at the entry.
    hash: u64,
    entry: Box<Entry>,
}

struct Entry {
    key: Stored,
    plan: Reorder,
}

/// Slots of a set, where there are as many.
const WAYS: usize = 4;

/// Plans of the largest cache: 200 MiB.
const LARGEST: usize = 1 << 16;

impl PlanCache {
    /// Plans that a cache holds unless another capacity is asked for.
    pub const CAPACITY: usize = 128;

    /// An empty cache for [`PlanCache::CAPACITY`] plans. No memory is allocated before the first.
    pub const fn new() -> PlanCache {
        PlanCache::with_capacity(PlanCache::CAPACITY)
    }

    /// An empty cache for at most `capacity` plans; for one where `capacity` is 0, and for 65,536 where it is more. No memory
    /// is allocated before the first plan, and then for the table of places and for that plan.
    ///
    /// A plan has a few places where it may stand, so that some make way for others before all places are taken. A capacity
    /// that is twice the number of plans in use keeps most of them.
    pub const fn with_capacity(capacity: usize) -> PlanCache {
        let capacity = if capacity > LARGEST { LARGEST } else { capacity };
        let sets_len = if capacity < WAYS { 1 } else { capacity / WAYS };
        let ways = if capacity == 0 { 1 } else { capacity / sets_len };
        PlanCache { sets: Vec::new(), sets_len, ways, hits: 0, misses: 0 }
    }

    /// The cache of this thread, which [`reorder`](super::reorder), [`reorder_bytes`](super::reorder_bytes) and the methods of
    /// views use. Those that are called in `f` start with an empty one, which is dropped at the end of `f`.
    ///
    /// ```
    /// use layout_core::reorder::PlanCache;
    /// PlanCache::of_thread(|cache| *cache = PlanCache::with_capacity(1000));
    /// assert!(PlanCache::of_thread(|cache| cache.capacity()) <= 1000);
    /// PlanCache::of_thread(PlanCache::clear);
    /// ```
    #[cfg(feature = "std")]
    pub fn of_thread<R>(f: impl FnOnce(&mut PlanCache) -> R) -> R {
        thread::of_thread(f)
    }

    /// The plan from `src` to `dst`, made now where it is not there.
    ///
    /// # Errors
    /// As for [`Reorder::new`]; errors are not kept.
    pub fn plan(&mut self, src: &Descriptor, dst: &Descriptor) -> Result<&Reorder, ReorderError> {
        self.plan_with(src, dst, ReorderOptions::new())
    }

    /// The plan from `src` to `dst` that runs with `options`, made now where it is not there.
    ///
    /// # Errors
    /// As for [`Reorder::new`]; errors are not kept.
    pub fn plan_with(
        &mut self,
        src: &Descriptor,
        dst: &Descriptor,
        options: ReorderOptions,
    ) -> Result<&Reorder, ReorderError> {
        let key = Key { operands: Operands::Described { src, dst }, options, attributes: None };
        self.find(key, &mut || options.tuned_plan(src, dst))
    }

    /// The plan from `src` to `dst` with `attributes`, made now where it is not there. It is found again for other values along the
    /// same axes.
    ///
    /// # Errors
    /// As for [`Reorder::with_attributes`]; errors are not kept.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Attributes, PlanCache, Values};
    ///
    /// let src = Descriptor::new(DType::F32, &[2, 3], "ab")?;
    /// let dst = Descriptor::new(DType::S8, &[2, 3], "ba")?;
    /// let mut cache = PlanCache::new();
    /// for scales in [[1.0, 2.0], [3.0, 4.0]] {
    ///     let attributes = Attributes::new().dst_scale(Values::per_axis('a', &scales));
    ///     cache.plan_with_attributes(&src, &dst, &attributes)?.run_with(&[0; 24], &mut [0; 6], &attributes)?;
    /// }
    /// assert_eq!((cache.len(), cache.hits()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_with_attributes(
        &mut self,
        src: &Descriptor,
        dst: &Descriptor,
        attributes: &Attributes<'_>,
    ) -> Result<&Reorder, ReorderError> {
        let (operands, options) = (Operands::Described { src, dst }, ReorderOptions::new());
        let key = Key { operands, options, attributes: Some(attributes) };
        self.find(key, &mut || Reorder::with_attributes(src, dst, attributes))
    }

    /// The plan of `key`, made by `make` where it is not there.
    fn find(
        &mut self,
        key: Key<'_>,
        make: &mut dyn FnMut() -> Result<Reorder, ReorderError>,
    ) -> Result<&Reorder, ReorderError> {
        self.find_hashed(key.hash(), key, make)
    }

    /// [`PlanCache::find`] of a key with this hash.
    fn find_hashed(
        &mut self,
        hash: u64,
        key: Key<'_>,
        make: &mut dyn FnMut() -> Result<Reorder, ReorderError>,
    ) -> Result<&Reorder, ReorderError> {
        if self.sets.is_empty() {
            self.sets.resize_with(self.sets_len, Vec::new);
        }
        // Which part of the range of hashes the hash lies in, without a division.
        let set = ((u128::from(hash) * self.sets_len as u128) >> 64) as usize;
        let set = &mut self.sets[set];
        match set.iter().position(|slot| slot.hash == hash && key.is(&slot.entry.key)) {
            Some(at) => {
                self.hits += 1;
                if at > 0 {
                    set[..=at].rotate_right(1);
                }
            }
            None => {
                self.misses += 1;
                insert(set, self.ways, hash, key, make)?;
            }
        }
        Ok(&set[0].entry.plan)
    }

    /// Forgets all plans and gives their memory back; what was counted stays.
    pub fn clear(&mut self) {
        self.sets = Vec::new();
    }

    /// Plans that there are.
    pub fn len(&self) -> usize {
        self.sets.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plans that there can be at most.
    pub const fn capacity(&self) -> usize {
        self.sets_len * self.ways
    }

    /// How often a plan was there.
    pub const fn hits(&self) -> u64 {
        self.hits
    }

    /// How often it had to be made, errors included.
    pub const fn misses(&self) -> u64 {
        self.misses
    }
}

/// Makes the plan of `key` the first of its set. Apart, so that finding one needs no stack for making one.
#[cold]
#[inline(never)]
fn insert(
    set: &mut Vec<Slot>,
    ways: usize,
    hash: u64,
    key: Key<'_>,
    make: &mut dyn FnMut() -> Result<Reorder, ReorderError>,
) -> Result<(), ReorderError> {
    let entry = Box::new(Entry { plan: make()?, key: key.to_stored() });
    set.truncate(ways - 1);
    set.insert(0, Slot { hash, entry });
    Ok(())
}

impl Default for PlanCache {
    fn default() -> Self {
        PlanCache::new()
    }
}

impl fmt::Debug for PlanCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlanCache")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .field("hits", &self.hits)
            .field("misses", &self.misses)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::DType;
    use crate::reorder::{Rounding, Stores, Values};
    #[cfg(feature = "std")]
    use alloc::vec;
    use core::any::TypeId;

    fn of(dims: &[usize], format: &str) -> Descriptor {
        Descriptor::new(DType::U8, dims, format).unwrap()
    }

    /// Keys of one hash, each two of which differ in one thing, are told apart.
    #[test]
    fn keys_with_one_hash() {
        let described = |src, dst| Operands::Described { src, dst };
        let typed = |types, dims, src, dst| Operands::Typed(Typed { types, dims, src, dst });
        let (rows, columns, more) = (of(&[2, 3], "ab"), of(&[2, 3], "ba"), of(&[3, 2], "ab"));
        let [one, other] = [TypeId::of::<u8>(), TypeId::of::<i8>()];
        let operands = [
            described(&rows, &columns),
            described(&rows, &rows),
            described(&columns, &columns),
            described(&more, &more),
            typed(one, &[2, 3], None, None),
            typed(other, &[2, 3], None, None),
            typed(one, &[3, 2], None, None),
            typed(one, &[2, 3], Some(&[3, 1]), None),
            typed(one, &[2, 3], Some(&[4, 1]), None),
            typed(one, &[2, 3], None, Some(&[3, 1])),
            typed(one, &[2, 3], None, Some(&[4, 1])),
            typed(one, &[2, 3], Some(&[3, 1]), Some(&[4, 1])),
        ];
        let stores = [Stores::Auto, Stores::Temporal, Stores::Streaming];
        let options = stores.map(|stores| ReorderOptions::new().with_stores(stores)).to_vec();
        #[cfg(feature = "std")]
        let options = {
            let of = |micros| ReorderOptions::new().with_tuning(core::time::Duration::from_micros(micros));
            // A budget of 0 is none.
            assert_eq!(of(0), ReorderOptions::new());
            [options, vec![of(1), of(2)]].concat()
        };
        let (values, axes, grouped) = ([1.0; 6], ['a', 'b'], [('a', 1), ('b', 2)]);
        let scale = |values| Attributes::new().src_scale(values);
        let attributes = [
            Attributes::new(),
            Attributes::new().accumulate(1.0),
            scale(Values::common(1.0)),
            Attributes::new().dst_scale(Values::common(1.0)),
            scale(Values::per_axis('a', &values)),
            scale(Values::per_axis('b', &values)),
            scale(Values::per_axes(&axes, &values)),
            scale(Values::grouped(&grouped, &values)),
            Attributes::new().src_shift(Values::common(1.0)),
            Attributes::new().src_zero_point(Values::common(1)),
            Attributes::new().rounding(Rounding::Up),
            Attributes::new().rounding(Rounding::Down),
            // Of another seed, the plan is the same.
            Attributes::new().rounding(Rounding::Stochastic { seed: 1 }),
            Attributes::new().rounding(Rounding::Up).accumulate(1.0),
        ];
        let keys: Vec<_> = operands
            .into_iter()
            .flat_map(|operands| options.iter().map(move |&options| (operands, options)))
            .flat_map(|(operands, options)| {
                attributes.each_ref().map(|attributes| Key {
                    operands,
                    options,
                    attributes: Some(attributes),
                })
            })
            .collect();
        // Each key gets a plan of its own length.
        let plan = |i: usize| Reorder::new(&of(&[i], "a"), &of(&[i], "a"));
        for capacity in [1, 2, 6, 7 * keys.len()] {
            let mut cache = PlanCache::with_capacity(capacity);
            for i in (0..keys.len()).chain((0..keys.len()).rev()) {
                let found = cache.find_hashed(0, keys[i], &mut || plan(i)).unwrap();
                assert_eq!(found.src_len(), i, "capacity {capacity}");
            }
        }
    }

    #[test]
    fn errors_are_not_kept() {
        let (src, dst) = (of(&[2, 3], "ab"), of(&[3, 2], "ab"));
        let mut cache = PlanCache::with_capacity(1);
        assert!(cache.plan(&src, &src).is_ok());
        assert!(cache.plan(&src, &dst).is_err() && cache.plan(&src, &dst).is_err());
        assert_eq!((cache.len(), cache.misses()), (1, 3));
        assert!(cache.plan(&src, &src).is_ok());
        assert_eq!(cache.hits(), 1);
    }
}
