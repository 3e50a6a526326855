//! Blocks with what is logical of them, blocks by index, and rows of blocks, over all layouts.

use crate::layouts::for_layouts;
use crate::oracle::{Oracle, at, indices};
use layout_core::layout::{Layout, Nchw8c, Nchw16c, Ndhwc};
use layout_core::view::{KernelLoops, KernelLoopsMut, Tensor, ViewError};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// `block` as its elements.
fn elements<L: Layout>(block: &L::Block<u32>) -> &[u32] {
    // SAFETY: a block is an array of so many elements.
    unsafe { core::slice::from_raw_parts(core::ptr::from_ref(block).cast(), L::BLOCK_LEN) }
}

fn check<L: Layout>(oracle: &Oracle) {
    for dims in oracle.shapes() {
        // Each place holds its own offset; the oracle says which are logical.
        let mut t = Tensor::<u32, L>::zeroed(at::<L>(&dims)).unwrap();
        t.as_mut_slice().iter_mut().enumerate().for_each(|(offset, x)| *x = offset as u32);
        let mut logical = vec![false; t.required_len()];
        for index in indices(&dims) {
            let offset = oracle.offset(&dims, &index);
            logical[offset] = true;
            let block = elements::<L>(t.block_at(at::<L>(&index)).unwrap());
            assert_eq!(block[offset % L::BLOCK_LEN], offset as u32, "{index:?}");
            assert_eq!(block[0] as usize % L::BLOCK_LEN, 0);
        }
        assert!(dims.is_empty() || t.block_at(at::<L>(&dims)).is_none());

        // By `next`, by `fold`, and by one after the other.
        let offsets = || (0..t.required_len()).step_by(L::BLOCK_LEN);
        for taken in [0, 1, 2, 3, offsets().len() / 2, offsets().len()] {
            let (mut blocks, mut found) = (t.valid_blocks(), vec![]);
            found.extend(blocks.by_ref().take(taken).map(|(_, block)| elements::<L>(block)[0] as usize));
            assert_eq!(blocks.len(), offsets().len() - found.len());
            blocks.for_each(|(_, block)| found.push(elements::<L>(block)[0] as usize));
            assert!(found.into_iter().eq(offsets()), "{dims:?}, {taken} blocks by `next`");
        }
        let mut blocks = t.valid_blocks();
        assert!(blocks.by_ref().count() == offsets().len() && blocks.next().is_none());

        let blocks = t.valid_blocks();
        assert_eq!(blocks.len() * L::BLOCK_LEN, t.required_len());
        for (number, ((valid, block), expected)) in blocks.zip(logical.chunks(L::BLOCK_LEN)).enumerate() {
            let block = elements::<L>(block);
            assert_eq!(block[0] as usize, number * L::BLOCK_LEN);
            assert_eq!(oracle.offset(&dims, valid.start().as_ref()), block[0] as usize);
            let found: Vec<bool> = (0..L::BLOCK_LEN).map(|place| valid.is_logical(place)).collect();
            assert_eq!(found, expected, "{dims:?}, block {number}");
            assert!(!valid.is_logical(L::BLOCK_LEN));
            let count = expected.iter().filter(|logical| **logical).count();
            assert_eq!(valid.len(), count, "{dims:?} {valid:?}");
            assert_eq!((valid.is_whole(), valid.is_empty()), (count == L::BLOCK_LEN, count == 0));
        }
        let (valid, blocks) = (t.clone(), t.valid_blocks_mut());
        assert!(blocks.map(|(of, _)| of).eq(valid.valid_blocks().map(|(of, _)| of)));
        assert_eq!(valid.valid_blocks().fold(0, |sum, (of, _)| sum + of.len()), valid.len());
    }
}

#[test]
fn what_is_logical_of_blocks_agrees_with_the_oracle() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, $slice:tt, $select:tt) => {
            check::<$layout>(&Oracle::new($axes, $digits))
        };
    }
    for_layouts!(one);
}

#[test]
fn masks_have_a_bit_for_each_logical_element() {
    for channels in 1..40 {
        let t = Tensor::<u8, Nchw16c>::zeroed([1, channels, 1, 1]).unwrap();
        let masks: Vec<u64> = t.valid_blocks().map(|(valid, _)| valid.mask()).collect();
        let ones: Vec<u64> =
            (0..channels.div_ceil(16)).map(|k| (1 << (channels - 16 * k).min(16)) - 1).collect();
        assert_eq!(masks, ones);
    }
}

#[test]
fn rows_are_the_blocks_in_order() {
    for dims in [[2, 17, 3, 5], [1, 8, 1, 1], [1, 3, 4, 0], [0, 8, 2, 2], [2, 40, 0, 3]] {
        let mut t = Tensor::<u32, Nchw8c>::zeroed(dims).unwrap();
        t.as_mut_slice().iter_mut().enumerate().for_each(|(offset, x)| *x = offset as u32);
        assert!(t.block_rows::<'w'>().unwrap().flat_map(|(_, row)| row).eq(t.blocks()));
        for (start, row) in t.block_rows::<'w'>().unwrap() {
            assert_eq!(row.len(), dims[3]);
            assert_eq!(t.mapping().offset_unchecked(start), row[0][0] as usize);
        }
        let copy = t.clone();
        assert!(
            t.block_rows_mut::<'w'>()
                .unwrap()
                .map(|(start, _)| start)
                .eq(copy.block_rows::<'w'>().unwrap().map(|(start, _)| start))
        );
    }
}

#[test]
fn rows_of_parts_are_those_of_the_whole() {
    let t = Tensor::<u32, Nchw8c>::from_fn([2, 24, 6, 9], |[n, c, h, w]| {
        (1000 * n + 100 * c + 10 * h + w) as u32
    })
    .unwrap();
    let part = t.slice::<'h'>(2..5).unwrap().slice::<'w'>(3..).unwrap().slice::<'c'>(8..).unwrap();
    let mut rows = 0;
    for ([n, c, h, w], row) in part.block_rows::<'w'>().unwrap() {
        assert_eq!((w, row.len()), (0, 6));
        for (x, block) in row.iter().enumerate() {
            assert!(block.iter().enumerate().all(|(k, &found)| found == t[[n, c + 8 + k, h + 2, x + 3]]));
        }
        rows += 1;
    }
    assert_eq!(rows, 2 * 2 * 3);

    // Of one channel of a channels-last tensor the pixels are no neighbours.
    let t = Tensor::<u32, Ndhwc>::zeroed([1, 2, 3, 4, 5]).unwrap();
    let plane = t.select::<'c'>(1).unwrap();
    let error = ViewError::Stride { axis: 'w', position: 3, expected: 1, found: 2 };
    assert_eq!(plane.block_rows::<'w'>().unwrap_err(), error);
}

#[cfg(feature = "rayon")]
#[test]
fn parallel_rows_are_each_given_once() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.install(|| {
        for dims in [[2, 17, 3, 5], [1, 3, 4, 0], [3, 40, 1, 7]] {
            let mut t = Tensor::<u32, Nchw8c>::zeroed(dims).unwrap();
            let expected: Vec<_> = t.block_rows::<'w'>().unwrap().map(|(start, _)| start).collect();
            let rows = t.par_block_rows_mut::<'w'>().unwrap().with_max_len(1);
            let starts: Vec<_> = rows
                .enumerate()
                .map(|(k, (start, row))| {
                    row.iter_mut().flatten().for_each(|x| *x += 1 + k as u32);
                    start
                })
                .collect();
            assert_eq!(starts, expected);
            let by_row = (0..t.required_len()).map(|offset| (offset / (8 * dims[3].max(1)) + 1) as u32);
            assert!(t.as_slice().iter().copied().eq(by_row));
        }
        let mut t = Tensor::<u32, layout_core::layout::Nchw>::zeroed([1, 2, 3, 8]).unwrap();
        let mut part = t.slice_mut::<'w'>(2..5).unwrap();
        part.par_block_rows_mut::<'w'>().unwrap().for_each(|(_, row)| row.fill(1));
        assert!(t.indexed_iter().all(|([.., w], &x)| x == u32::from((2..5).contains(&w))));
    });
}
