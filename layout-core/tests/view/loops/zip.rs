//! Several views in lockstep, over pairs of layouts of the same axes.

use crate::layouts::*;
use layout_core::layout::{Chwn, Nchw, Nchw8c, Nchw16c, Nhwc};
use layout_core::view::{KernelLoopsMut, Tensor, ViewError};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

fn number([n, c, h, w]: [usize; 4]) -> u32 {
    (1 + ((n * 64 + c) * 64 + h) * 64 + w) as u32
}

const SHAPES: [[usize; 4]; 5] = [[2, 13, 3, 9], [1, 1, 1, 1], [3, 24, 2, 5], [0, 3, 2, 2], [2, 40, 1, 3]];

/// Runs of `$leader` with `$other` beside it.
macro_rules! check_runs {
    ($leader:ty, $other:ty) => {
        for dims in SHAPES {
            let a = Tensor::<u32, $other>::from_fn(dims, number).unwrap();
            let mut out = Tensor::<u32, $leader>::zeroed(dims).unwrap();
            for run in out.zip_runs_mut(&a).unwrap() {
                assert_eq!(run.elements.len(), run.others.len());
                for (k, x) in run.elements.iter_mut().enumerate() {
                    let mut index = run.start;
                    index[run.axis] += k;
                    assert_eq!(run.others[k], number(index));
                    *x += run.others[k];
                }
                let all: Vec<u32> = run.others.iter().copied().collect();
                assert!(run.others.as_slice().is_none_or(|slice| slice == all));
                assert!(run.others.get(all.len()).is_none());
            }
            assert!(out.indexed_iter().all(|(index, &x)| x == number(index)) && out.padding_is_zero());

            let mut again = Tensor::<u32, $leader>::zeroed(dims).unwrap();
            #[cfg(feature = "rayon")]
            let runs = again.par_zip_runs_mut((&a, &out));
            #[cfg(not(feature = "rayon"))]
            let runs = again.zip_runs_mut((&a, &out));
            runs.unwrap().for_each(|run| {
                let (a, out) = run.others;
                run.elements.iter_mut().zip(a.iter().zip(out.iter())).for_each(|(x, (a, out))| *x += a + out);
            });
            assert!(
                again.indexed_iter().all(|(index, &x)| x == 2 * number(index)) && again.padding_is_zero()
            );
        }
    };
}

#[test]
fn runs_of_two_layouts() {
    check_runs!(Nchw, Nchw);
    check_runs!(Nchw, Nchw16c);
    check_runs!(Nhwc, Chwn);
    check_runs!(Nchw16c, Nchw8c);
    check_runs!(Nchw16c, Nchw12c);
    check_runs!(Nchw3c, Nchw16c);
    check_runs!(Nchw16c, NhwCn);
    check_runs!(NhwCn, Nhwc);
    check_runs!(Swizzled, Nchw8c);
    check_runs!(Nchw16c, Swizzled);
    check_runs!(SwizzledApart, PaddedBlock);
    check_runs!(Nhwc, SwizzledApart);
    check_runs!(BlockFirst, BlockBeforeTop);
    check_runs!(BlockBeforeTop, PaddedW);
}

#[test]
fn blocks_of_layouts_that_are_blocked_alike() {
    for dims in SHAPES {
        let a = Tensor::<u32, Degenerate>::from_fn(dims, number).unwrap();
        let b = Tensor::<u8, Nchw8c>::from_fn(dims, |[_, c, ..]| c as u8).unwrap();
        let mut out = Tensor::<u32, Nchw8c>::zeroed(dims).unwrap();
        for (index, x, (a, b)) in out.zip_blocks_mut((&a, &b)).unwrap() {
            assert_eq!(index[1] % 8, 0);
            x.iter_mut().zip(a.iter().zip(b)).for_each(|(x, (a, b))| *x += a + u32::from(*b));
        }
        let expected = |index: [usize; 4]| number(index) + index[1] as u32;
        assert!(out.indexed_iter().all(|(index, &x)| x == expected(index)) && out.padding_is_zero());
        let zipped = out.zip_blocks_mut((&a, &b)).unwrap();
        assert_eq!(zipped.len(), dims[0] * dims[1].div_ceil(8) * dims[2] * dims[3]);
        zipped.for_each(|(_, x, (a, _))| x.iter_mut().zip(a).for_each(|(x, a)| *x -= a));
        #[cfg(feature = "rayon")]
        let blocks = out.par_zip_blocks_mut((&a, &b));
        #[cfg(not(feature = "rayon"))]
        let blocks = out.zip_blocks_mut((&a, &b));
        blocks.unwrap().for_each(|(_, x, (a, _))| {
            x.iter_mut().zip(a).for_each(|(x, a)| *x += 2 * a);
        });
        assert!(out.indexed_iter().all(|(index, &x)| x == expected(index) + number(index)));
    }
}

#[test]
fn parts_are_zipped_with_parts() {
    let a = Tensor::<u32, Nhwc>::from_fn([2, 20, 4, 6], number).unwrap();
    let mut out = Tensor::<u32, Nchw8c>::zeroed([2, 20, 4, 6]).unwrap();
    let part = a.slice::<'h'>(1..3).unwrap();
    for run in out.slice_mut::<'h'>(2..).unwrap().zip_runs_mut(&part).unwrap() {
        run.elements.copy_from_slice(run.others.as_slice().expect("channels are neighbours in both"));
    }
    for ([n, c, h, w], &x) in out.indexed_iter() {
        assert_eq!(x, if h < 2 { 0 } else { number([n, c, h - 1, w]) });
    }
}

#[test]
fn other_extents_are_refused() {
    let (a, b) = (
        Tensor::<u8, Nchw8c>::zeroed([1, 8, 2, 2]).unwrap(),
        Tensor::<u8, Nchw8c>::zeroed([1, 9, 2, 2]).unwrap(),
    );
    let mut out = a.clone();
    let error = ViewError::Extent { axis: 'c', expected: 8, found: 9 };
    assert_eq!(out.zip_blocks_mut(&b).unwrap_err(), error);
    assert_eq!(out.zip_runs_mut((&a, &b)).unwrap_err(), error);
    #[cfg(feature = "rayon")]
    {
        assert_eq!(out.par_zip_blocks_mut((&a, &a, &b)).err(), Some(error));
        assert_eq!(out.par_zip_runs_mut(&b).err(), Some(error));
    }
}
