//! Views that are described at run time: every window of several formats, element by element and run by run.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::shape::IndexError;
use layout_core::view::{DynView, DynViewMut, ViewError};
use std::collections::HashSet;

/// Calls `check` with every window of a tensor of extents `dims`.
fn windows(format: &str, dims: [usize; 2], check: impl Fn(&Descriptor, &Descriptor, [usize; 2])) {
    let whole = Descriptor::new(DType::S32, &dims, format).unwrap();
    for a in 0..dims[0] {
        for b in 0..dims[1] {
            for height in 0..=dims[0] - a {
                for width in 0..=dims[1] - b {
                    check(&whole, &whole.submemory(&[a, b], &[height, width]).unwrap(), [a, b]);
                }
            }
        }
    }
}

const FORMATS: [&str; 7] = ["ab", "ba", "aB4b", "bA3a", "AB2a4b", "BA4b2a2b", "aB3b"];

#[test]
fn windows_are_parts_of_the_whole() {
    for format in FORMATS {
        windows(format, [5, 7], |whole, part, [a, b]| {
            let memory: Vec<i32> = (0..whole.required_len() as i32).collect();
            let at = |index: &[usize]| memory[whole.offset(&[a + index[0], b + index[1]]).unwrap()];
            let view = DynView::new(part, &memory).unwrap();
            let mut count = 0;
            for (index, element) in view.indexed_iter() {
                assert_eq!(*element, at(&index), "{part} at {index:?}");
                assert_eq!(view.get(&index), Ok(element));
                count += 1;
            }
            assert_eq!(count, part.logical_len(), "{part}");
            assert!(view.iter().eq(view.indexed_iter().map(|(_, element)| element)));
            let mut seen = HashSet::new();
            for run in view.runs() {
                for (k, element) in run.elements.iter().enumerate() {
                    let mut index = run.start.to_vec();
                    index[run.axis] += k;
                    assert_eq!(*element, at(&index), "{part} at {index:?}");
                    assert!(seen.insert(index), "{part}: an element is in two runs");
                }
            }
            assert_eq!(seen.len(), part.logical_len(), "{part}: elements are in no run");
        });
    }
}

#[test]
fn writing_a_window_touches_nothing_else() {
    for format in FORMATS {
        windows(format, [4, 6], |whole, part, _| {
            let mut memory = vec![-1; whole.required_len()];
            let mut next = 0;
            DynViewMut::new(part, &mut memory).unwrap().for_each(|_, element| {
                assert_eq!(std::mem::replace(element, next), -1);
                next += 1;
            });
            assert_eq!(memory.iter().filter(|&&value| value != -1).count(), part.logical_len(), "{part}");
            assert!(DynView::new(part, &memory).unwrap().iter().copied().eq(0..next), "{part}");
        });
    }
}

#[test]
fn runs_are_what_is_left_of_each_block() {
    let whole = Descriptor::new(DType::S32, &[1, 40], "nC16c").unwrap();
    let memory = vec![0; whole.required_len()];
    let lengths = |start: usize, len: usize| {
        let part = whole.submemory(&[0, start], &[1, len]).unwrap();
        DynView::new(&part, &memory).unwrap().runs().map(|run| run.elements.len()).collect::<Vec<_>>()
    };
    assert_eq!(lengths(0, 40), [16, 16, 8]);
    assert_eq!(lengths(5, 30), [11, 16, 3]);
    assert_eq!(lengths(17, 3), [3]);
}

#[test]
fn broadcasts_and_scalars() {
    let row = Descriptor::new(DType::S32, &[1, 3], "ab").unwrap().broadcast(0, 2).unwrap();
    let view = DynView::new(&row, &[1, 2, 3]).unwrap();
    assert_eq!(view.iter().copied().collect::<Vec<_>>(), [1, 2, 3, 1, 2, 3]);
    let scalar = Descriptor::scalar(DType::S32);
    assert_eq!(DynView::new(&scalar, &[7]).unwrap().get(&[]), Ok(&7));
    assert_eq!(DynView::new(&scalar, &[7]).unwrap().runs().count(), 1);
}

#[test]
fn what_does_not_fit_is_refused() {
    let d = Descriptor::new(DType::S32, &[2, 3], "ab").unwrap();
    assert!(matches!(DynView::new(&d, &[0; 5]), Err(ViewError::Length { expected: 6, found: 5 })));
    assert!(matches!(DynView::new(&d, &[0.0f32; 6]), Err(ViewError::DType { .. })));
    let memory = [0; 6];
    let view = DynView::new(&d, &memory).unwrap();
    assert_eq!(view.get(&[0]), Err(IndexError::Rank { expected: 2, found: 1 }));
    assert!(matches!(view.get(&[0, 3]), Err(IndexError::OutOfRange { axis: 'b', .. })));
}
