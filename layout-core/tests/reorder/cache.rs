//! Plans that were made before: the same as new ones, in caches so small that different pairs of descriptors meet in one
//! place, and no allocation where one is found.

use crate::oracle::{self, SENTINEL, dense, fill};
use crate::properties::{case, dtype, margins, part};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::Spec;
use layout_core::kernels::Cpu;
use layout_core::reorder::{PlanCache, Reorder, ReorderError, ReorderOptions, Stores};
use proptest::prelude::*;
use static_assertions::assert_impl_all;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

assert_impl_all!(PlanCache: Send, Sync, Default, std::fmt::Debug);

/// Counts what each thread allocates.
struct Counting;

std::thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: passes everything on.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends may have no counter any more.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A thread with 64 KiB of stack and what it needs itself; more where the build is not optimised, when each value has a place of its own,
/// and under the address sanitizer, which puts room around each.
pub(crate) fn stack() -> usize {
    let wide = cfg!(debug_assertions) || std::env::var_os("ASAN_OPTIONS").is_some();
    if wide { 512 << 10 } else { (64 + 12) << 10 }
}

/// How often `f` allocates. What the environment says of the processor is read before, once in each process.
pub(crate) fn allocations(f: impl FnOnce()) -> usize {
    let _ = Cpu::current();
    let before = ALLOCATIONS.get();
    f();
    ALLOCATIONS.get() - before
}

/// What `plan` makes of memory filled from `seed`, with what lies around it.
fn moved(plan: &Reorder, src: &Descriptor, dst: &Descriptor, seed: u64) -> Vec<u8> {
    let mut memory = vec![0; src.size_bytes()];
    fill(src.dtype(), &mut memory, seed);
    let mut out = vec![SENTINEL; dst.size_bytes() + 8];
    plan.run(&memory, &mut out).unwrap();
    out
}

/// Asks `cache` for a plan and holds it against a new one.
fn check(cache: &mut PlanCache, src: &Descriptor, dst: &Descriptor, options: ReorderOptions, seed: u64) {
    let new = options.plan(src, dst).unwrap();
    let found = cache.plan_with(src, dst, options).unwrap();
    assert_eq!(found.to_string(), new.to_string(), "{src} -> {dst}");
    assert_eq!(found.stores(), options.stores());
    assert_eq!((found.src_len(), found.dst_len()), (new.src_len(), new.dst_len()), "{src} -> {dst}");
    assert!(moved(found, src, dst, seed) == moved(&new, src, dst, seed), "{src} -> {dst}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Any pairs, asked for in any order.
    #[test]
    fn found_plans_are_new_plans(
        cases in prop::collection::vec(
            (case(), (dtype(), dtype()), (margins(), margins()), (0usize..3, 0usize..3)),
            1..6,
        ),
        order in prop::collection::vec((any::<prop::sample::Index>(), 0usize..3), 1..24),
        capacity in prop::sample::select(vec![0usize, 1, 2, 3, 7, 8, 9, 64]),
        seed in any::<u64>(),
    ) {
        let pairs: Vec<_> = cases
            .into_iter()
            .filter_map(|((from, to, dims), dtypes, margins, gaps)| {
                let src = part(dtypes.0, &dims, from, &margins.0, gaps.0)?;
                Some((src, part(dtypes.1, &dims, to, &margins.1, gaps.1)?))
            })
            .filter(|(src, dst)| Reorder::new(src, dst).is_ok())
            .collect();
        prop_assume!(!pairs.is_empty());
        let mut cache = PlanCache::with_capacity(capacity);
        for (asked, (pair, stores)) in order.iter().enumerate() {
            let (src, dst) = pair.get(&pairs);
            let stores = [Stores::Auto, Stores::Temporal, Stores::Streaming][*stores];
            check(&mut cache, src, dst, ReorderOptions::new().with_stores(stores), seed);
            prop_assert_eq!(cache.hits() + cache.misses(), asked as u64 + 1);
            prop_assert!(cache.len() <= cache.capacity() && cache.len() as u64 <= cache.misses());
        }
    }

    /// Where a plan can stand anywhere, it is there as long as fewer others were asked for since than there are places.
    #[test]
    fn the_one_not_used_for_longest_makes_way(
        order in prop::collection::vec(0usize..7, 1..60),
        capacity in 1usize..5,
    ) {
        let pairs: Vec<_> =
            (1..8).map(|n| (dense(DType::U8, &[n, 3], "ab"), dense(DType::U8, &[n, 3], "ba"))).collect();
        let mut cache = PlanCache::with_capacity(capacity);
        prop_assert_eq!(cache.capacity(), capacity);
        let mut used: Vec<usize> = Vec::new();
        for &pair in &order {
            let there = used.iter().position(|&other| other == pair);
            let hits = cache.hits();
            cache.plan(&pairs[pair].0, &pairs[pair].1).unwrap();
            prop_assert_eq!(cache.hits() - hits, u64::from(there.is_some()));
            if let Some(at) = there {
                used.remove(at);
            }
            used.insert(0, pair);
            used.truncate(capacity);
            prop_assert_eq!(cache.len(), used.len());
        }
    }
}

/// Descriptors that share their hash, but not their plans: a hash alone would give the wrong one.
#[test]
fn equal_hashes() {
    let hash = |d: &Descriptor| BuildHasherDefault::<DefaultHasher>::default().hash_one(d);
    let plain = dense(DType::U8, &[16, 3], "ab");
    // The same digits, with the other one of them the lower.
    let swizzled = |low: usize| {
        let mut spec = Spec::SCALAR;
        spec.push_axis(b'a').unwrap();
        spec.push_axis(b'b').unwrap();
        spec.push_top(0, 1).unwrap();
        spec.push_top(1, 1).unwrap();
        spec.push_block(0, 4).unwrap();
        spec.push_block(0, 4).unwrap();
        spec.set_significance(2, 1 - low as u8);
        spec.set_significance(3, low as u8);
        Descriptor::from_spec(DType::U8, &[16, 3], spec).unwrap()
    };
    // Extra padding behind the outermost axis.
    let padded = |rows| plain.with_halo(&[0, 0], &[rows, 0]).unwrap();
    let mut cache = PlanCache::with_capacity(1);
    for [one, other] in [[swizzled(0), swizzled(1)], [padded(0), padded(1)]] {
        assert!(one != other && hash(&one) == hash(&other), "{one} and {other}");
        for _ in 0..3 {
            for dst in [one, other] {
                check(&mut cache, &plain, &dst, ReorderOptions::new(), 3);
                let mut expected = vec![SENTINEL; dst.size_bytes()];
                let memory: Vec<u8> = (0..48).collect();
                oracle::reorder(&plain, &dst, &memory, &mut expected);
                let mut found = vec![SENTINEL; dst.size_bytes()];
                cache.plan(&plain, &dst).unwrap().run(&memory, &mut found).unwrap();
                assert_eq!(found, expected);
            }
        }
    }
    // Names that differ are an error, also where the plan for others is there.
    let [nchw, oihw, other] = ["nchw", "oihw", "nhwc"].map(|format| dense(DType::U8, &[2, 3, 4, 5], format));
    assert_eq!(hash(&nchw), hash(&oihw));
    let mut cache = PlanCache::new();
    cache.plan(&nchw, &other).unwrap();
    assert!(matches!(
        cache.plan(&oihw, &other),
        Err(ReorderError::AxisName { position: 0, src: 'o', dst: 'n' })
    ));
    assert_eq!((cache.hits(), cache.misses(), cache.len()), (0, 2, 1));
}

#[test]
fn capacities() {
    assert_eq!(PlanCache::new().capacity(), PlanCache::CAPACITY);
    for capacity in 0..300 {
        let found = PlanCache::with_capacity(capacity).capacity();
        assert!(found <= capacity.max(1) && 4 * found > 3 * capacity && found > 0, "{capacity}: {found}");
    }
    let mut cache = PlanCache::with_capacity(usize::MAX);
    assert_eq!(cache.capacity(), 1 << 16);
    assert!(cache.plan(&dense(DType::U8, &[2], "a"), &dense(DType::U8, &[2], "a")).is_ok());
    let mut cache = PlanCache::with_capacity(40);
    for n in 1..200 {
        let pair = [dense(DType::U8, &[n, 3], "ab"), dense(DType::U8, &[n, 3], "ba")];
        cache.plan(&pair[0], &pair[1]).unwrap();
        assert!(cache.len() <= 40);
    }
    // Nearly all places are taken: the hash spreads over them.
    assert!(cache.len() > 36, "{cache:?}");
    cache.clear();
    assert!(cache.is_empty());
    assert_eq!((cache.len(), cache.hits(), cache.misses(), cache.capacity()), (0, 0, 199, 40));
}

#[test]
fn finding_allocates_nothing() {
    let (src, dst) =
        (dense(DType::F32, &[2, 17, 5, 4], "nchw"), dense(DType::F32, &[2, 17, 5, 4], "nChw16c"));
    assert_eq!(allocations(|| _ = std::hint::black_box(Reorder::new(&src, &dst))), 0);
    let mut cache = PlanCache::new();
    assert_eq!(allocations(|| _ = PlanCache::with_capacity(1000)), 0);
    assert!(allocations(|| _ = cache.plan(&src, &dst)) > 0);
    assert_eq!(allocations(|| _ = cache.plan(&src, &dst)), 0);
    let memory = vec![0; src.size_bytes()];
    let mut out = vec![0; dst.size_bytes()];
    assert_eq!(allocations(|| cache.plan(&src, &dst).unwrap().run(&memory, &mut out).unwrap()), 0);
}
