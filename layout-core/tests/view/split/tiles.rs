//! Tiles of every layout at many sizes, parts at every count, from both ends and split in two.

use crate::layouts::for_layouts;
use crate::oracle::{Oracle, at, indices};
use layout_core::layout::{HasAxis, Layout, Nchw, Nchw16c, Nhwc};
use layout_core::view::{StridedViewMut, Tensor, TilesMut, ViewError};

/// Adds `by` to every element of the part and its padding.
fn add<L: Layout>(mut part: StridedViewMut<'_, u32, L>, by: u32) {
    for block in part.blocks_mut() {
        // SAFETY: a block is an array of so many elements.
        let elements = unsafe {
            core::slice::from_raw_parts_mut(core::ptr::from_mut(block).cast::<u32>(), L::BLOCK_LEN)
        };
        elements.iter_mut().for_each(|x| *x += by);
    }
}

/// Tile sizes to try for extents `dims`: one block, two, the whole, more than that, and mixtures.
fn sizes(oracle: &Oracle, dims: &[usize]) -> Vec<Vec<usize>> {
    let of = |axis: usize| [oracle.multiple(axis), 2 * oracle.multiple(axis), dims[axis].max(1), usize::MAX];
    (0..6)
        .map(|round| (0..dims.len()).map(|axis| of(axis)[(round + axis * (round / 4 + 1)) % 4]).collect())
        .collect()
}

/// The number of the tile that an index, which may be one of padding, belongs to, counted in the order of `L`'s outer axes.
fn owner<L: Layout>(dims: &[usize], sizes: &[usize], index: &[usize]) -> usize {
    L::OUTER_ORDER.iter().fold(0, |number, &axis| {
        let last = dims[axis] - 1;
        number * dims[axis].div_ceil(sizes[axis]) + index[axis].min(last) / sizes[axis]
    })
}

fn check_tiles<L: Layout>(oracle: &Oracle) {
    for dims in oracle.shapes() {
        let mut t = Tensor::<u32, L>::zeroed(at::<L>(&dims)).unwrap();
        for sizes in sizes(oracle, &dims) {
            let all = at::<L>(&sizes);
            t.as_mut_slice().fill(0);
            let tiles = t.tiles_mut(all).unwrap();
            let count = if dims.contains(&0) {
                0
            } else {
                dims.iter().zip(&sizes).map(|(d, s)| d.div_ceil(*s)).product()
            };
            assert_eq!(tiles.len(), count, "{dims:?} {sizes:?}");
            for (k, tile) in tiles.enumerate() {
                add(tile, k as u32 + 1);
            }
            // Each place of memory, padding included, was written by the tile that it belongs to, and by no other.
            for (position, &x) in t.physical_iter() {
                let (layout_core::layout::Position::Element(index)
                | layout_core::layout::Position::Padding(index)) = position;
                assert_eq!(
                    x as usize,
                    owner::<L>(&dims, &sizes, index.as_ref()) + 1,
                    "{dims:?} {sizes:?} {index:?}"
                );
            }
            // What a tile says of itself.
            let mut next = 0;
            t.iter_mut().for_each(|x| (next += 1, *x = next).1);
            for (start, mut tile) in t.indexed_tiles_mut(all).unwrap() {
                for (axis, &size) in sizes.iter().enumerate() {
                    assert_eq!(start.as_ref()[axis] % size, 0);
                    assert_eq!(tile.dims().as_ref()[axis], size.min(dims[axis] - start.as_ref()[axis]));
                }
                for index in indices(tile.dims().as_ref()) {
                    let in_whole: Vec<_> = index.iter().zip(start.as_ref()).map(|(i, s)| i + s).collect();
                    let number = in_whole.iter().zip(&dims).fold(0, |n, (i, d)| n * d + i) as u32 + 1;
                    assert_eq!(tile[at::<L>(&index)], number);
                }
                tile.fill_padding(u32::MAX);
            }
            // All padding is behind some tile, and writing it reaches nothing else.
            for (position, &x) in t.physical_iter() {
                match position {
                    layout_core::layout::Position::Element(index) => {
                        let number = index.as_ref().iter().zip(&dims).fold(0, |n, (i, d)| n * d + i);
                        assert_eq!(x as usize, number + 1);
                    }
                    layout_core::layout::Position::Padding(_) => assert_eq!(x, u32::MAX),
                }
            }
            let shared = t.indexed_tiles(all).unwrap();
            assert!(
                shared
                    .clone()
                    .all(|(start, tile)| core::ptr::eq(&tile[at::<L>(&vec![0; dims.len()])], &t[start]))
            );
            assert!(
                shared.map(|(_, tile)| tile.as_ptr()).eq(t
                    .as_strided()
                    .tiles(all)
                    .unwrap()
                    .map(|tile| tile.as_ptr()))
            );
        }
    }
}

fn check_parts<L: Layout + HasAxis<AXIS>, const AXIS: char>(oracle: &Oracle) {
    let axis = oracle.axis(AXIS);
    let multiple = oracle.multiple(axis);
    for dims in oracle.shapes() {
        let mut t = Tensor::<u32, L>::zeroed(at::<L>(&dims)).unwrap();
        let blocks = dims[axis].div_ceil(multiple);
        for count in 1..=blocks + 2 {
            t.as_mut_slice().fill(0);
            let parts = t.parts_mut::<AXIS>(count).unwrap();
            assert_eq!(parts.len(), if dims.contains(&0) { 0 } else { count.min(blocks) });
            let mut start = 0;
            let mut extents = vec![];
            for (k, part) in parts.enumerate() {
                let extent = part.dims().as_ref()[axis];
                assert!(extent > 0 && start % multiple == 0);
                start += extent;
                extents.push(extent.div_ceil(multiple));
                add(part, k as u32 + 1);
            }
            if !dims.contains(&0) {
                assert_eq!(start, dims[axis]);
                assert!(extents.iter().max().unwrap() - extents.iter().min().unwrap() <= 1);
            }
            let starts: Vec<_> = extents
                .iter()
                .scan(0, |end, extent| {
                    *end += extent;
                    Some(*end)
                })
                .collect();
            for (position, &x) in t.physical_iter() {
                let (layout_core::layout::Position::Element(index)
                | layout_core::layout::Position::Padding(index)) = position;
                let block = index.as_ref()[axis] / multiple;
                assert_eq!(x as usize, starts.iter().filter(|&&end| end <= block).count() + 1);
            }
        }
    }
}

fn check_outer_parts<L: Layout>(oracle: &Oracle) {
    for dims in oracle.shapes().into_iter().filter(|dims| !dims.contains(&0)) {
        let mut t = Tensor::<u32, L>::zeroed(at::<L>(&dims)).unwrap();
        let blocks: Vec<_> = (0..dims.len()).map(|axis| dims[axis].div_ceil(oracle.multiple(axis))).collect();
        for count in [1, 2, 3, 4, 5, 7, 8, 16, 100, usize::MAX] {
            t.as_mut_slice().fill(0);
            let parts = t.outer_parts_mut(count).unwrap();
            let found = parts.len();
            assert!((1..=count).contains(&found));
            let in_blocks = |part: &StridedViewMut<'_, u32, L>| -> usize {
                (0..dims.len())
                    .map(|axis| part.dims().as_ref()[axis].div_ceil(oracle.multiple(axis)))
                    .product()
            };
            let mut sizes = vec![];
            for part in parts {
                sizes.push(in_blocks(&part));
                add(part, 1);
            }
            assert!(t.as_slice().iter().all(|&x| x == 1), "{dims:?} {count}");
            assert_eq!(sizes.iter().sum::<usize>(), blocks.iter().product::<usize>());
            // As good as cutting along any one axis.
            for &n in &blocks {
                let along_one = blocks.iter().product::<usize>() / n * n.div_ceil(count.min(n));
                assert!(*sizes.iter().max().unwrap() <= along_one, "{dims:?} {count}: {sizes:?}");
            }
        }
    }
}

#[test]
fn tiles_are_disjoint_and_cover_everything() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, $slice:tt, $select:tt) => {
            check_tiles::<$layout>(&Oracle::new($axes, $digits));
            check_outer_parts::<$layout>(&Oracle::new($axes, $digits));
        };
    }
    for_layouts!(one);
}

#[test]
fn parts_are_disjoint_and_cover_everything() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, [$($axis:literal),*], $select:tt) => {
            $(check_parts::<$layout, $axis>(&Oracle::new($axes, $digits));)*
        };
    }
    for_layouts!(one);
}

/// Each number is drawn once, whatever the order in which the ends take turns, and however the rest is split.
#[test]
fn from_both_ends() {
    let mut t = Tensor::<u32, Nchw16c>::zeroed([3, 40, 4, 6]).unwrap();
    let firsts: Vec<_> = t.tiles([1, 16, 2, 4]).unwrap().map(|tile| tile.as_ptr()).collect();
    assert_eq!(firsts.len(), 3 * 3 * 2 * 2);
    let pointer = |tile: Option<StridedViewMut<'_, u32, Nchw16c>>| tile.map(|tile| tile.as_ptr());
    for seed in 0..50u32 {
        let mut pieces: Vec<(usize, TilesMut<'_, u32, Nchw16c>)> =
            vec![(0, t.tiles_mut([1, 16, 2, 4]).unwrap())];
        let mut seen = vec![0; firsts.len()];
        let mut random = seed * 7919 + 1;
        while let Some((first, mut tiles)) = pieces.pop() {
            random = random.wrapping_mul(1664525).wrapping_add(1013904223);
            let n = (random >> 24) as usize % 4;
            let len = tiles.len();
            let mut mark = |number: usize, found| {
                assert_eq!(found, firsts.get(number).copied());
                seen[number] += 1;
            };
            match (random >> 16) % 5 {
                _ if len == 0 => {
                    assert_eq!(
                        (pointer(tiles.next()), pointer(tiles.next_back()), pointer(tiles.nth(2))),
                        (None, None, None)
                    );
                }
                0 => {
                    mark(first, pointer(tiles.next()));
                    pieces.push((first + 1, tiles));
                }
                1 => {
                    mark(first + len - 1, pointer(tiles.next_back()));
                    pieces.push((first, tiles));
                }
                2 if n < len => {
                    (first..first + n).for_each(|number| mark(number, Some(firsts[number])));
                    mark(first + n, pointer(tiles.nth(n)));
                    pieces.push((first + n + 1, tiles));
                }
                3 if n < len => {
                    (first + len - n..first + len).for_each(|number| mark(number, Some(firsts[number])));
                    mark(first + len - 1 - n, pointer(tiles.nth_back(n)));
                    pieces.push((first, tiles));
                }
                _ => {
                    let (one, two) = tiles.split_at(n);
                    assert_eq!((one.len(), two.len()), (n.min(len), len - n.min(len)));
                    pieces.extend([(first, one), (first + n.min(len), two)]);
                }
            }
        }
        assert_eq!(seen, vec![1; firsts.len()]);
    }
}

/// Parts of parts: exclusive views of a slice are cut like the whole, and leave the rest alone.
#[test]
fn tiles_of_a_part() {
    let mut t = Tensor::<u32, Nhwc>::zeroed([2, 3, 8, 9]).unwrap();
    let middle = t.slice_mut::<'h'>(2..7).unwrap().into_slice::<'w'>(1..8).unwrap();
    for tile in middle.into_tiles([1, 2, 3, 3]).unwrap() {
        add(tile, 1);
    }
    for ([_, _, h, w], &x) in t.indexed_iter() {
        assert_eq!(x, u32::from((2..7).contains(&h) && (1..8).contains(&w)));
    }
    let part = t.slice_mut::<'c'>(1..).unwrap();
    assert!(part.into_outer_parts(4).unwrap().map(|part| part.dims()).eq([[1, 2, 4, 9]; 4]));
    let rows = t.slice_mut::<'h'>(4..).unwrap().into_parts::<'h'>(3).unwrap();
    assert!(rows.map(|part| part.dims()[2]).eq([2, 1, 1]));
}

#[test]
fn what_cannot_be_cut() {
    let mut t = Tensor::<u32, Nchw16c>::zeroed([1, 40, 4, 4]).unwrap();
    let refused = |axis, size, multiple| ViewError::ChunkSize { axis, size, multiple };
    assert_eq!(t.tiles_mut([1, 8, 4, 4]).unwrap_err(), refused('c', 8, 16));
    assert_eq!(t.tiles([0, 16, 4, 4]).unwrap_err(), refused('n', 0, 1));
    assert_eq!(t.indexed_tiles_mut([1, 24, 0, 4]).unwrap_err(), refused('c', 24, 16));
    assert_eq!(t.tiles([1, 40, 4, 4]).unwrap().len(), 1);
    assert_eq!(t.parts_mut::<'c'>(0).unwrap_err(), ViewError::NoParts { extent: 40 });
    let error = t.outer_parts(0).unwrap_err();
    assert_eq!(error, ViewError::NoParts { extent: 640 });
    assert_eq!(error.to_string(), "an extent of 640 cannot be cut into 0 parts");
    // No elements, no tiles, whatever the other extents.
    let empty = Tensor::<u8, Nchw>::zeroed([1 << 40, 0, 1 << 20, 3]).unwrap();
    assert_eq!((empty.tiles([1; 4]).unwrap().len(), empty.outer_parts(7).unwrap().len()), (0, 0));
    assert_eq!(empty.parts::<'n'>(3).unwrap().next().map(|part| part.dims()), None);
}
