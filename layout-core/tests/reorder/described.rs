//! `reorder_bytes`: the bytes that a plan moves, the errors of both steps, and the cache of the thread that it asks.

use crate::oracle::{SENTINEL, dense, fill, reorder};
use crate::properties::{case, dtype, place};
use layout_core::descriptor::DType;
use layout_core::reorder::{ReorderError, ReorderOptions, Stores, reorder_bytes};
use proptest::prelude::*;

proptest! {
    /// With the plans of other cases in the thread's cache.
    #[test]
    fn random_formats((from, to, dims) in case(), src in dtype(), dst in dtype(), stores in 0usize..3, seed in any::<u64>()) {
        let (Some(src), Some(dst)) = (place(src, &dims, from, 0), place(dst, &dims, to, 0)) else { return Ok(()) };
        let mut memory = vec![0; src.size_bytes()];
        fill(src.dtype(), &mut memory, seed);
        let mut expected = vec![SENTINEL; dst.size_bytes()];
        let found = expected.clone();
        reorder(&src, &dst, &memory, &mut expected);
        let options = ReorderOptions::new().with_stores([Stores::Auto, Stores::Temporal, Stores::Streaming][stores]);
        for _ in 0..2 {
            let mut found = found.clone();
            options.reorder_bytes(&src, &memory, &dst, &mut found).unwrap();
            prop_assert!(found == expected, "{} -> {}", src, dst);
        }
    }
}

#[test]
fn errors() {
    let (src, dst) = (dense(DType::U8, &[2, 3], "ab"), dense(DType::F32, &[2, 3], "ba"));
    let mut out = [7; 24];
    // Twice: made, and found.
    for _ in 0..2 {
        assert_eq!(
            reorder_bytes(&src, &[0; 5], &dst, &mut out),
            Err(ReorderError::SourceTooSmall { expected: 6, found: 5 })
        );
        assert_eq!(
            reorder_bytes(&src, &[0; 6], &dst, &mut out[1..]),
            Err(ReorderError::DestinationTooSmall { expected: 24, found: 23 })
        );
        assert_eq!(
            reorder_bytes(&dense(DType::U8, &[2, 4], "ab"), &[0; 8], &dst, &mut out),
            Err(ReorderError::Extent { axis: 'b', position: 1, src: 4, dst: 3 })
        );
    }
    assert_eq!(out, [7; 24]);
}

#[cfg(feature = "std")]
mod thread {
    use super::*;
    use crate::cache::allocations;
    use layout_core::descriptor::Descriptor;
    use layout_core::layout::{Nchw, Nhwc};
    use layout_core::reorder::PlanCache;
    use layout_core::view::Tensor;
    use std::cell::Cell;

    fn pair(n: usize) -> (Descriptor, Descriptor) {
        (dense(DType::U8, &[n, 3], "ab"), dense(DType::U8, &[n, 3], "ba"))
    }

    /// Moves a tensor of `n` rows and looks at what it became.
    fn move_rows(n: usize) {
        let (src, dst) = pair(n);
        let memory: Vec<u8> = (0..3 * n).map(|i| i as u8).collect();
        let mut out = vec![SENTINEL; 3 * n];
        reorder_bytes(&src, &memory, &dst, &mut out).unwrap();
        assert!((0..3 * n).all(|i| out[i] == memory[i % n * 3 + i / n]), "{out:?}");
    }

    fn counts() -> (usize, u64, u64) {
        PlanCache::of_thread(|cache| (cache.len(), cache.hits(), cache.misses()))
    }

    /// In a thread of its own, with an empty cache.
    fn apart(f: impl FnOnce() + Send) {
        std::thread::scope(|scope| scope.spawn(f).join().unwrap());
    }

    #[test]
    fn plans_are_kept_by_each_thread() {
        apart(|| {
            assert_eq!(counts(), (0, 0, 0));
            for n in [2, 3, 2, 3, 3] {
                move_rows(n);
            }
            assert_eq!(counts(), (2, 3, 2));
            apart(|| assert_eq!(counts(), (0, 0, 0)));
            PlanCache::of_thread(PlanCache::clear);
            move_rows(2);
            assert_eq!(counts(), (1, 3, 3));
            PlanCache::of_thread(|cache| *cache = PlanCache::with_capacity(1));
            for n in [2, 3, 2, 3, 3] {
                move_rows(n);
            }
            assert_eq!(counts(), (1, 1, 4));
        });
    }

    #[test]
    fn options_have_plans_of_their_own() {
        apart(|| {
            let (src, dst) = pair(2);
            for stores in [Stores::Auto, Stores::Temporal, Stores::Streaming, Stores::Temporal] {
                let options = ReorderOptions::new().with_stores(stores);
                options.reorder_bytes(&src, &[0; 6], &dst, &mut [0; 6]).unwrap();
            }
            assert_eq!(counts(), (3, 1, 3));
        });
    }

    #[test]
    fn finding_allocates_nothing() {
        apart(|| {
            let (src, dst) = pair(5);
            let mut out = [0; 15];
            let mut call = || reorder_bytes(&src, &[1; 15], &dst, &mut out).unwrap();
            assert!(allocations(&mut call) > 0);
            assert_eq!(allocations(&mut call), 0);
            let src = Tensor::<f32, Nchw>::zeroed([1, 3, 4, 5]).unwrap();
            let mut dst = Tensor::<f32, Nhwc>::zeroed([1, 3, 4, 5]).unwrap();
            let mut call = || layout_core::reorder::reorder(&src, &mut dst).unwrap();
            assert!(allocations(&mut call) > 0);
            assert_eq!(allocations(&mut call), 0);
            let mut rows = dst.slice_mut::<'h'>(1..3).unwrap();
            let mut call =
                || layout_core::reorder::reorder(src.slice::<'h'>(1..3).unwrap(), &mut rows).unwrap();
            assert!(allocations(&mut call) > 0);
            assert_eq!(allocations(&mut call), 0);
            // The new tensor alone.
            drop(src.to_layout::<Nhwc>());
            assert_eq!(allocations(|| drop(src.to_layout::<Nhwc>())), 1);
        });
    }

    #[test]
    fn calls_in_the_cache_of_the_thread() {
        apart(|| {
            move_rows(2);
            PlanCache::of_thread(|cache| {
                assert_eq!(cache.len(), 1);
                move_rows(2);
                move_rows(4);
                PlanCache::of_thread(|cache| assert_eq!((cache.len(), cache.misses()), (2, 2)));
                assert_eq!(cache.len(), 1);
            });
            assert_eq!(counts(), (1, 0, 1));
        });
    }

    /// Moves something when its thread ends, before or after the cache is gone.
    struct AtTheEnd(Cell<usize>);

    impl Drop for AtTheEnd {
        fn drop(&mut self) {
            move_rows(self.0.get());
            PlanCache::of_thread(|cache| assert!(cache.len() <= 2));
        }
    }

    std::thread_local! {
        static FIRST: AtTheEnd = const { AtTheEnd(Cell::new(2)) };
        static LAST: AtTheEnd = const { AtTheEnd(Cell::new(2)) };
    }

    #[test]
    fn while_the_thread_ends() {
        apart(|| {
            FIRST.with(|at_the_end| at_the_end.0.set(3));
            move_rows(3);
            LAST.with(|at_the_end| at_the_end.0.set(5));
        });
    }
}
