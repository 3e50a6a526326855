//! What a run takes: no heap memory, and little stack.

use crate::cache::{allocations, stack};
use crate::oracle::dense;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::ReorderInPlace;

/// One plan for each way.
fn plans() -> Vec<ReorderInPlace> {
    let of = |dims: &[usize], from: &str, to: &str| {
        ReorderInPlace::new(&dense(DType::F32, dims, from), &dense(DType::F32, dims, to)).unwrap()
    };
    let strided = |strides: &[isize]| Descriptor::from_strides(DType::F32, &[150, 150], strides).unwrap();
    vec![
        of(&[2, 17, 5, 5], "nChw16c", "nChw16c"),
        of(&[8, 32, 5, 5], "nchw", "nChw16c"),
        of(&[200, 200], "ab", "ba"),
        of(&[131, 137], "ab", "ba"),
        of(&[64, 3136], "ab", "ba"),
        of(&[2, 96, 5, 6], "nChw48c", "nChw32c"),
        of(&[6, 3, 20_000], "abc", "bac"),
        ReorderInPlace::new(&strided(&[200, 1]), &strided(&[1, 200])).unwrap(),
        ReorderInPlace::new(
            &dense(DType::F32, &[3, 300, 301], "abc"),
            &dense(DType::S32, &[3, 300, 301], "acb"),
        )
        .unwrap(),
    ]
}

#[test]
fn running_allocates_nothing() {
    for plan in plans() {
        let mut memory = vec![1; plan.required_len()];
        assert_eq!(allocations(|| plan.run(&mut memory).unwrap()), 0, "{plan}");
    }
}

#[test]
fn runs_need_little_stack() {
    for plan in plans() {
        let mut memory = vec![1; plan.required_len()];
        let run = move || plan.run(&mut memory).unwrap();
        std::thread::Builder::new().stack_size(stack()).spawn(run).unwrap().join().unwrap();
    }
}
