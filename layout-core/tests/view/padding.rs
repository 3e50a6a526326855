//! Padding: zero after every constructor and `map`, written by `fill_padding` alone, and the trap of the guides.

use crate::layouts::for_layouts;
use crate::oracle::{Oracle, at, indices};
use layout_core::layout::{Layout, Nchw8c, Nchw16c};
use layout_core::view::{Tensor, TensorView, TensorViewMut};

/// Which places of memory are padding, by the oracle.
fn padding(oracle: &Oracle, dims: &[usize]) -> Vec<bool> {
    let mut padding = vec![true; oracle.required_len(dims)];
    for index in indices(dims) {
        padding[oracle.offset(dims, &index)] = false;
    }
    padding
}

fn check_padding<L: Layout>(oracle: &Oracle, dims: &[usize]) {
    let shape = at::<L>(dims);
    let padding = padding(oracle, dims);
    let share = padding.iter().filter(|p| **p).count() as f64 / padding.len().max(1) as f64;
    let zeroed = |t: &Tensor<u16, L>, logical: u16| {
        assert!(t.padding_is_zero());
        assert!(t.as_slice().iter().zip(&padding).all(|(&x, &p)| x == if p { 0 } else { logical }), "{t:?}");
        assert!((t.padding_share() - share).abs() < 1e-12);
    };
    zeroed(&Tensor::zeroed(shape).unwrap(), 0);
    zeroed(&Tensor::filled(shape, 7).unwrap(), 7);
    zeroed(&Tensor::from_fn(shape, |_| 7).unwrap(), 7);
    zeroed(&Tensor::from_slice(shape, &vec![7; padding.len()]).unwrap(), 7);
    zeroed(&Tensor::from_vec(shape, vec![7; padding.len()]).unwrap(), 7);
    zeroed(&Tensor::from_logical(shape, &vec![7; indices(dims).len()]).unwrap(), 7);
    let t: Tensor<u16, L> = Tensor::filled(shape, 7).unwrap();
    zeroed(&t.map(|x| x + 1), 8);
    zeroed(&t.as_strided().map(|x| x + 1), 8);
    let mut mapped = t.clone();
    mapped.map_in_place(|x| x + 1);
    zeroed(&mapped, 8);

    let mut memory = vec![5u16; padding.len() + 2];
    let mut v = TensorViewMut::<u16, L>::from_slice_dirty(shape, &mut memory[1..padding.len() + 1]).unwrap();
    assert_eq!(v.padding_is_zero(), !padding.contains(&true));
    v.fill_padding(9);
    assert!(v.as_slice().iter().zip(&padding).all(|(&x, &p)| x == if p { 9 } else { 5 }));
    v.zero_padding();
    assert!(v.padding_is_zero());
    assert!(v.as_slice().iter().zip(&padding).all(|(&x, &p)| x == if p { 0 } else { 5 }));
    assert_eq!((memory[0], memory[padding.len() + 1]), (5, 5));

    // One padded place that is not zero is found, wherever it is.
    for (place, _) in padding.iter().enumerate().filter(|(_, p)| **p).step_by(7) {
        let mut memory = vec![0u16; padding.len()];
        memory[place] = 1;
        assert!(!TensorView::<u16, L>::from_slice(shape, &memory).unwrap().padding_is_zero());
    }
}

#[test]
fn padding_is_zero_after_every_constructor_and_map() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, $slice:tt, $select:tt) => {{
            let oracle = Oracle::new($axes, $digits);
            for dims in oracle.shapes() {
                check_padding::<$layout>(&oracle, &dims);
            }
        }};
    }
    for_layouts!(one);
}

/// The trap that the oneDNN guide describes ("Understanding memory formats"): an element-wise function over the padded
/// memory makes the padding `f(0)`; a reduction over channels that reads whole blocks is then wrong.
#[test]
fn a_function_with_f_of_zero_not_zero_keeps_the_padding_zero() {
    let exp = |x: f32| x.exp();
    let sum_of_blocks = |t: TensorView<'_, f32, Nchw8c>| t.as_slice().iter().sum::<f32>();
    let t: Tensor<f32, Nchw8c> = Tensor::zeroed([1, 3, 1, 1]).unwrap();

    // The loop that everybody writes first: 5 padded channels become exp(0) = 1.
    let mut raw = t.clone();
    raw.as_mut_slice().iter_mut().for_each(|x| *x = exp(*x));
    assert!(!raw.padding_is_zero());
    assert_eq!(sum_of_blocks(raw.view()), 8.0);
    // Afterwards it can be put right.
    raw.zero_padding();
    assert_eq!(sum_of_blocks(raw.view()), 3.0);

    // `map` does not touch the padding.
    let mapped = t.map(exp);
    assert!(mapped.padding_is_zero());
    assert_eq!(sum_of_blocks(mapped.view()), 3.0);
    let mut in_place = t.clone();
    in_place.map_in_place(exp);
    assert_eq!(sum_of_blocks(in_place.view()), 3.0);
}

/// 17 channels in blocks of 8: the guide's example of padded dims.
#[test]
fn seventeen_channels_in_blocks_of_eight() {
    let t: Tensor<f32, Nchw8c> = Tensor::filled([2, 17, 5, 4], 1.0).unwrap();
    assert_eq!(t.padded_dims(), [2, 24, 5, 4]);
    assert_eq!(t.strides(), [24 * 20, 8 * 20, 8 * 4, 8]);
    assert_eq!(t.required_len(), 2 * 24 * 20);
    assert_eq!(t.as_slice().iter().sum::<f32>(), 2.0 * 17.0 * 20.0);
    assert!((t.padding_share() - 7.0 / 24.0).abs() < 1e-12);
}

/// The padding of one axis is found without a look at the rest: the walk goes to the last block at once.
#[test]
fn padding_of_one_axis_costs_what_there_is_of_it() {
    #[derive(Clone, Copy, Default, Debug)]
    struct Nothing;
    std::thread_local!(static COMPARED: core::cell::Cell<usize> = const { core::cell::Cell::new(0) });
    impl PartialEq for Nothing {
        fn eq(&self, _: &Nothing) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            true
        }
    }
    // Elements of no size: 2^48 of them take no memory, and a scan would never end.
    let padded = (1 << 46) + 16;
    // SAFETY: there are no bytes.
    let memory = unsafe { core::slice::from_raw_parts(core::ptr::dangling::<Nothing>(), 2 * padded * 2) };
    let t: TensorView<'_, Nothing, Nchw16c> =
        TensorView::from_slice([2, (1 << 46) + 1, 2, 1], memory).unwrap();
    assert_eq!(t.padded_dims()[1], padded);
    assert!(t.padding_is_zero());
    assert_eq!(COMPARED.get(), 2 * 2 * 15);
}
