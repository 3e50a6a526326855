//! Parallel iterators in a pool of the caller's own, cut as finely as they can be: every place once, in the right order, and
//! small work on one thread.

use crate::layouts::for_few_layouts;
use crate::oracle::{Oracle, at};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::layout::{Layout, Nchw, Nchw16c};
use layout_core::view::{DynViewMut, Tensor};
use rayon::ThreadPool;
use rayon::prelude::*;
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::sync::Mutex;

fn pool() -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap()
}

/// `block` as its elements.
fn elements<L: Layout>(block: &mut L::Block<u32>) -> &mut [u32] {
    // SAFETY: a block is an array of so many elements.
    unsafe { core::slice::from_raw_parts_mut(core::ptr::from_mut(block).cast(), L::BLOCK_LEN) }
}

fn check<L: Layout>(oracle: &Oracle)
where
    L::Block<u32>: Send + Sync,
{
    for dims in oracle.shapes() {
        let mut t = Tensor::<u32, L>::zeroed(at::<L>(&dims)).unwrap();
        let multiples: Vec<_> = (0..dims.len()).map(|axis| oracle.multiple(axis)).collect();
        let sizes = at::<L>(&multiples);

        // Blocks of dense and strided views by their number, each on its own.
        let number = |(k, block): (usize, &mut L::Block<u32>)| {
            elements::<L>(block).iter_mut().for_each(|x| *x += k as u32)
        };
        t.par_blocks_mut().with_min_bytes(0).enumerate().with_max_len(1).for_each(number);
        let by_block: Vec<u32> = (0..t.required_len()).map(|at| (at / L::BLOCK_LEN) as u32).collect();
        assert_eq!(t.as_slice(), by_block);
        t.as_mut_slice().fill(0);
        t.as_strided_mut().par_blocks_mut().with_min_bytes(0).enumerate().with_max_len(1).for_each(number);
        assert_eq!(t.as_slice(), by_block);
        // Backwards, and in stretches of three.
        let count = by_block.len() / L::BLOCK_LEN;
        t.as_strided_mut().par_blocks_mut().with_min_bytes(0).rev().enumerate().with_max_len(3).for_each(
            |(k, block)| {
                elements::<L>(block).iter_mut().for_each(|x| *x = x.abs_diff((count - 1 - k) as u32));
            },
        );
        assert!(t.as_slice().iter().all(|&x| x == 0));
        let offsets: Vec<usize> = t
            .par_indexed_blocks()
            .with_min_bytes(0)
            .with_max_len(2)
            .map(|(index, _)| oracle.offset(&dims, index.as_ref()))
            .collect();
        assert!(offsets.into_iter().eq((0..count).map(|k| k * L::BLOCK_LEN)));

        // Tiles, and both views of one element zipped.
        t.par_tiles_mut(sizes).unwrap().with_max_len(1).for_each(|mut tile| {
            tile.par_indexed_blocks_mut()
                .for_each(|(_, block)| elements::<L>(block).iter_mut().for_each(|x| *x += 1));
        });
        assert!(t.as_slice().iter().all(|&x| x == 1));
        let starts: Vec<L::Index> = t.indexed_tiles(sizes).unwrap().map(|(start, _)| start).collect();
        let found: Vec<L::Index> =
            t.par_indexed_tiles_mut(sizes).unwrap().with_max_len(1).map(|(start, _)| start).collect();
        assert_eq!(found, starts);

        // Logical elements alone, with their indices.
        let seen = Mutex::new(vec![0; t.required_len()]);
        t.par_runs_mut().for_each(|run| {
            for k in 0..run.elements.len() {
                run.elements[k] = 7;
                seen.lock().unwrap()[oracle.offset(&dims, run.index(k).as_ref())] += 1;
            }
        });
        for (position, &x) in t.physical_iter() {
            let is_element = matches!(position, layout_core::layout::Position::Element(_));
            assert_eq!(x, if is_element { 7 } else { 1 });
        }
        let seen = seen.into_inner().unwrap();
        assert_eq!(seen.iter().sum::<u32>() as usize, t.len());
        assert!(t.as_slice().iter().zip(seen).all(|(&x, seen)| seen == u32::from(x == 7)));
        assert_eq!(t.par_runs().map(|run| run.elements.len()).sum::<usize>(), t.len());
        t.par_map_in_place(|x| x * 3);
        assert!(t.iter().all(|&x| x == 21));
    }
}

#[test]
fn every_place_once() {
    pool().install(|| {
        macro_rules! one {
            ($layout:ty, $axes:literal, $digits:literal, $slice:tt, $select:tt) => {
                check::<$layout>(&Oracle::new($axes, $digits));
            };
        }
        for_few_layouts!(one);
    });
}

/// Runs of a tensor that is large enough to be cut.
#[test]
fn runs_of_a_large_tensor() {
    let mut t = Tensor::<u32, Nchw16c>::zeroed([3, 40, 40, 50]).unwrap();
    pool().install(|| {
        t.par_runs_mut().for_each(|run| {
            for k in 0..run.elements.len() {
                let [n, c, h, w] = run.index(k);
                run.elements[k] += (((n * 40 + c) * 40 + h) * 50 + w) as u32 + 1;
            }
        });
    });
    assert!(t.iter().copied().eq(1..=t.len() as u32));
    pool().install(|| {
        t.par_runs().for_each(|run| {
            for (k, &x) in run.elements.iter().enumerate() {
                assert_eq!(x, t[run.index(k)]);
            }
        });
    });
    assert!(t.padding_is_zero());
}

/// The pool is the caller's, and all of its threads may take part; outside it, work is not split below the minimum.
#[test]
fn the_callers_pool_and_the_minimum() {
    let mut t = Tensor::<f32, Nchw>::zeroed([64, 4, 16, 16]).unwrap(); // 256 KiB, 4 KiB an image
    let pool = pool();
    let threads: Vec<Option<usize>> = pool.install(|| {
        t.par_chunks_mut::<'n'>(1)
            .unwrap()
            .map(|_| (rayon::current_num_threads() == 3).then(rayon::current_thread_index))
            .map(Option::flatten)
            .collect()
    });
    assert!(threads.iter().all(|thread| thread.is_some_and(|thread| thread < 3)));

    /// How many pieces each go has.
    fn goes<I: ParallelIterator>(iter: I) -> Vec<usize> {
        iter.fold(|| 0, |n, _| n + 1).collect()
    }
    pool.install(|| {
        let images = || t.par_chunks::<'n'>(1).unwrap();
        assert_eq!(goes(images().with_min_bytes(1 << 20)), [64]);
        assert_eq!(goes(images().with_min_len(64)), [64]);
        assert!(goes(images().with_min_bytes(32 << 10)).iter().all(|&n| n >= 8));
        assert!(goes(images().with_min_bytes(32 << 10).with_min_len(20)).iter().all(|&n| n >= 20));
        assert_eq!(goes(images().with_max_len(1)).len(), 64);
        // Blocks are small: 64 KiB of them stay together unless told otherwise.
        assert!(goes(t.par_blocks()).iter().all(|&n| n * 4 >= 64 << 10));
        assert!(goes(t.slice::<'h'>(1..).unwrap().par_blocks()).iter().all(|&n| n * 4 >= 64 << 10));
        assert!(goes(t.par_blocks().with_min_bytes(256).with_max_len(64)).len() >= 1024);
        let small = Tensor::<f32, Nchw>::zeroed([1, 4, 16, 16]).unwrap();
        assert_eq!(goes(small.par_blocks()), [1024]);
        assert_eq!(goes(small.par_runs()), [64]);
    });
}

#[test]
fn parts_in_parallel() {
    let mut t = Tensor::<u32, Nchw16c>::zeroed([2, 70, 5, 6]).unwrap();
    pool().install(|| {
        t.par_parts_mut::<'c'>(3)
            .unwrap()
            .enumerate()
            .for_each(|(k, mut part)| part.map_in_place(|x| x + k as u32));
        t.par_outer_parts_mut(6).unwrap().for_each(|mut part| part.map_in_place(|x| x + 10));
        assert_eq!(t.par_parts::<'h'>(5).unwrap().map(|part| part.len()).sum::<usize>(), t.len());
        assert_eq!(t.par_outer_parts(4).unwrap().len(), 4);
    });
    assert!(t.indexed_iter().all(|([_, c, ..], &x)| x == 10 + [0, 0, 1, 1, 2][c / 16]));

    let descriptor = Descriptor::new(DType::S32, &[1, 70, 3], "nCw16c").unwrap();
    let mut memory = vec![0i32; descriptor.required_len()];
    let mut view = DynViewMut::new(&descriptor, &mut memory).unwrap();
    let parts = pool().install(|| {
        let parts = view.outer_parts_mut(5).unwrap().into_par_iter();
        parts.with_max_len(1).map(|mut part| part.for_each(|_, x| *x += 1)).count()
    });
    assert_eq!((parts, memory.iter().sum::<i32>()), (5, 70 * 3));
}

mod sendable {
    use super::*;
    use layout_core::view::{DynPartsMut, IndexedTilesMut, Par, StridedViewMut, Tiles, TilesMut};
    use std::cell::Cell;

    assert_impl_all!(TilesMut<'static, f32, Nchw>: Send, Sync, ParallelPieces);
    assert_impl_all!(Tiles<'static, f32, Nchw>: Send, Sync, Clone);
    assert_impl_all!(IndexedTilesMut<'static, Cell<f32>, Nchw>: Send);
    assert_impl_all!(Par<TilesMut<'static, f32, Nchw>>: Send, IndexedParallelIterator);
    assert_impl_all!(DynPartsMut<'static, f32>: Send, Sync);
    // What a shared reference to an element reaches must not be shared, and what cannot move must not move.
    assert_not_impl_any!(Tiles<'static, Cell<f32>, Nchw>: Send, Sync);
    assert_not_impl_any!(TilesMut<'static, Cell<f32>, Nchw>: Sync);
    assert_not_impl_any!(TilesMut<'static, *mut f32, Nchw>: Send, Sync, Clone);
    assert_not_impl_any!(StridedViewMut<'static, *mut f32, Nchw>: Send);

    trait ParallelPieces: IntoParallelIterator {}
    impl<T: Send, L: Layout> ParallelPieces for TilesMut<'_, T, L> {}
}
