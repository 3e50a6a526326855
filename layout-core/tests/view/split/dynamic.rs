//! Parts of memory that is described at run time: disjoint slices that together hold every element once.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::view::{DynView, DynViewMut, ViewError};

/// Whole tensors, parts inside blocks, extra padding, negative strides, a block outside everything.
fn descriptors() -> Vec<Descriptor> {
    let new = |dims: &[usize], format: &str| Descriptor::new(DType::S32, dims, format).unwrap();
    let plain = *new(&[4, 3], "ab").spec();
    let strided = |strides, base| Descriptor::from_parts(DType::S32, &[4, 3], plain, strides, base).unwrap();
    let blocked = new(&[2, 37, 3, 2], "nChw8c");
    let mut all = vec![
        Descriptor::scalar(DType::S32),
        new(&[7], "a"),
        new(&[5, 0], "ab"),
        new(&[1, 1, 9, 2], "nhwc"),
        blocked,
        new(&[1, 37, 3, 2], "nChw8c"),
        new(&[21, 5], "AB4b2a"),
        new(&[19], "A3a2a"),
        new(&[2, 6, 2, 2], "8c_nChw"),
        blocked.submemory(&[0, 5, 1, 0], &[1, 30, 2, 2]).unwrap(),
        blocked.submemory(&[1, 13, 0, 1], &[1, 2, 3, 1]).unwrap(),
        new(&[6, 5], "Ab4a").with_halo(&[3, 1], &[2, 2]).unwrap(),
        new(&[6, 5], "ab").with_halo(&[3, 1], &[2, 2]).unwrap().submemory(&[0, 1], &[4, 3]).unwrap(),
        strided(&[-10, 2], 50),
        strided(&[10, -2], 17),
        strided(&[-10, -2], 60),
    ];
    // Every start and size of a tensor with blocks whose outer stride runs backwards.
    let spec = *new(&[11, 2], "Ab4a").spec();
    let backwards = Descriptor::from_parts(DType::S32, &[11, 2], spec, &[-9, 4], 40).unwrap();
    for start in 0..11 {
        all.extend((1..=11 - start).map(|size| backwards.submemory(&[start, 0], &[size, 2]).unwrap()));
    }
    all
}

#[test]
fn parts_hold_every_element_once() {
    for descriptor in descriptors() {
        for count in 1..8 {
            for back in 0..4 {
                let mut memory = vec![0i32; descriptor.required_len() + 3];
                let mut view = DynViewMut::new(&descriptor, &mut memory).unwrap();
                let mut parts = view.outer_parts_mut(count).unwrap();
                let len = parts.len();
                assert!(len <= count);
                // Taken from the ends in different orders, all of them alive at once.
                let mut held = vec![];
                for turn in 0..len {
                    let from_back = [false, true, turn % 2 == 0, turn % 3 == 1][back];
                    held.push(
                        if from_back { parts.next_back() } else { parts.next() }.expect("a part is left"),
                    );
                }
                assert!(parts.next().is_none() && parts.next_back().is_none());
                let mut elements = 0;
                for part in &mut held {
                    elements += part.view().descriptor().logical_len();
                    part.for_each(|_, x| *x += 1);
                }
                assert_eq!(elements, descriptor.logical_len(), "{descriptor:?} in {count}");
                let touched = memory.iter().filter(|&&x| x != 0).count();
                assert_eq!(
                    (touched, memory.iter().sum::<i32>()),
                    (elements, elements as i32),
                    "{descriptor:?}"
                );
                let view = DynView::new(&descriptor, &memory).unwrap();
                assert!(view.iter().all(|&x| x == 1));
            }
        }
    }
}

#[test]
fn parts_are_in_order_and_nearly_equal() {
    let whole = Descriptor::new(DType::S32, &[1, 70, 2], "nCw8c").unwrap();
    let memory: Vec<i32> = (0..whole.required_len() as i32).collect();
    let view = DynView::new(&whole, &memory).unwrap();
    let parts = view.outer_parts(4).unwrap();
    let extents: Vec<_> = parts.clone().map(|part| part.descriptor().dims()[1]).collect();
    assert_eq!(extents, [24, 16, 16, 14]); // 9 blocks: 3, 2, 2 and 2, the last of which is not full
    // Along the axis that is cut, which is the outermost that has more than one block, elements come in order.
    let by_part: Vec<i32> = parts.clone().flat_map(|part| part.iter().copied().collect::<Vec<_>>()).collect();
    assert_eq!(by_part, view.iter().copied().collect::<Vec<_>>());
    let backwards: Vec<_> = parts.rev().map(|part| part.descriptor().dims()[1]).collect();
    assert_eq!(backwards, [14, 16, 16, 24]);
}

#[test]
fn what_cannot_be_cut() {
    let block_first = Descriptor::new(DType::S32, &[1, 16], "8c_nC").unwrap();
    let mut memory = vec![0i32; 16];
    let mut view = DynViewMut::new(&block_first, &mut memory).unwrap();
    assert_eq!(view.outer_parts_mut(5).unwrap().len(), 1);
    assert_eq!(view.outer_parts_mut(0).unwrap_err(), ViewError::NoParts { extent: 16 });
    assert_eq!(view.view().outer_parts(0).unwrap_err(), ViewError::NoParts { extent: 16 });
}
