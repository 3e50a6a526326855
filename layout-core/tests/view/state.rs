//! What the type says of padding: every change of it, every function over all of memory, and the checks, over layouts of
//! all kinds; and what a kernel that relies on zeros sees.

use crate::layouts::for_layouts;
use crate::oracle::{Oracle, at, indices};
use layout_core::layout::padding::{Constant, Highest, Lowest, One};
use layout_core::layout::{
    BlockDivisibleBy, BlockedBy, ChannelsLast, Dirty, Filled, HasAxis, Layout, Nchw, Nchw8c, Nchw16c, Nhwc,
    PadValue, PaddingState, Pads, Rank, RemoveAxis, SameAxes, ZeroPadding,
};
use layout_core::reorder::reorder;
use layout_core::view::{StridedView, Tensor, TensorView, TensorViewMut, ViewError};
use static_assertions::{assert_impl_all, assert_not_impl_any, assert_type_eq_all};

struct Nine;
impl PadValue<i32> for Nine {
    const VALUE: i32 = 9;
}

/// Which places of memory are padding, by the oracle.
fn padding(oracle: &Oracle, dims: &[usize]) -> Vec<bool> {
    let mut padding = vec![true; oracle.required_len(dims)];
    for index in indices(dims) {
        padding[oracle.offset(dims, &index)] = false;
    }
    padding
}

fn check_states<L: ZeroPadding + Pads<i32>>(oracle: &Oracle, dims: &[usize]) {
    let shape = at::<L>(dims);
    let padding = padding(oracle, dims);
    let padded = padding.contains(&true);
    let holds = |memory: &[i32], element: i32, pad: i32| {
        assert_eq!(memory.len(), padding.len());
        assert!(memory.iter().zip(&padding).all(|(&x, &p)| x == if p { pad } else { element }), "{memory:?}");
    };
    let x: Tensor<i32, L> = Tensor::filled(shape, 5).unwrap();
    let zeros = |t: &Tensor<i32, L>, element| holds(t.as_slice(), element, 0);

    // f(0) == 0, and f(0) != 0.
    zeros(&x.map_padded(|x| 2 * x), 10);
    zeros(&x.view().map_padded(|x| x + 2), 7);
    let all: Tensor<i32, Dirty<L>> = x.map_all(|x| x + 2);
    holds(all.as_slice(), 7, 2);
    // What dirty padding holds is not taken for zero.
    zeros(&all.map_padded(|x| x - 2), 5);
    zeros(&all.map_padded(|x| 2 * x), 14);
    let mut in_place = x.clone();
    in_place.map_padded_in_place(|x| 3 * x);
    in_place.view_mut().map_padded_in_place(|x| x + 1);
    zeros(&in_place, 16);

    let mut dirty: Tensor<i32, Dirty<L>> = x.clone().into_dirty();
    dirty.as_mut_slice().fill(8);
    assert!(dirty.check_padding().is_ok());
    assert_eq!(dirty.view().try_zeroed().is_ok(), !padded);
    assert_eq!(dirty.as_strided().try_zeroed().is_ok(), !padded);
    assert_eq!(dirty.view().assume_zeroed().check_padding().is_ok(), !padded);
    if let Err(error) = dirty.view().try_zeroed() {
        let ViewError::PaddingValue { axis, index, extent } = error else { panic!("{error}") };
        let position = L::AXES.iter().position(|&name| name == axis).unwrap();
        assert_eq!(extent, dims[position]);
        assert!((extent..oracle.padded(dims)[position]).contains(&index), "{error}");
    }
    dirty.view_mut().into_zeroed().as_strided_mut().debug_check_padding();
    holds(dirty.as_slice(), 8, 0);
    assert!(dirty.view().try_zeroed().is_ok());
    dirty.as_strided_mut().into_filled::<Nine>().debug_check_padding();
    holds(dirty.as_slice(), 8, 9);
    zeros(&dirty.into_zeroed(), 8);

    let filled: Tensor<i32, Filled<L, Nine>> = x.clone().into_filled();
    holds(filled.as_slice(), 5, 9);
    assert!(filled.check_padding().is_ok());
    assert_eq!(filled.view().assume_zeroed().check_padding().is_err(), padded);
    let mut lent = filled.clone();
    let sum: i64 = lent.with_dirty(|mut v| {
        v.as_mut_slice().iter_mut().for_each(|x| *x += 1);
        v.as_slice().iter().map(|&x| i64::from(x)).sum()
    });
    assert_eq!(sum, padding.iter().map(|&p| if p { 10 } else { 6 }).sum::<i64>());
    holds(lent.as_slice(), 6, 9);
    lent.as_strided_mut().with_dirty(|mut v| v.fill_padding(1));
    lent.view_mut().map_padded_in_place(|x| 10 * x);
    holds(lent.as_slice(), 60, 9);
    lent.map_in_place(|x| x / 10);
    holds(lent.as_slice(), 6, 9);
    zeros(&filled.into_zeroed(), 5);
}

#[test]
fn every_change_of_state_writes_what_the_type_says() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, $slice:tt, $select:tt) => {{
            let oracle = Oracle::new($axes, $digits);
            for dims in oracle.shapes() {
                check_states::<$layout>(&oracle, &dims);
                // Reorders read elements alone, so that any source will do.
                let x = Tensor::<i32, $layout>::filled(at::<$layout>(&dims), 5).unwrap();
                let filled = x.clone().into_filled::<Nine>();
                assert_eq!(filled.to_layout::<$layout>().as_slice(), x.as_slice());
                assert_eq!(filled.into_layout::<$layout>().as_slice(), x.as_slice());
                assert_eq!(x.map_all(|_| 5).to_layout::<$layout>().as_slice(), x.as_slice());
                let mut into = x.map_all(|x| x + 1).into_filled::<Nine>();
                let after = into.clone();
                into.map_in_place(|_| 0);
                into.with_dirty(|v| reorder(&x.map(|x| x + 1), v)).unwrap();
                assert_eq!(into.as_slice(), after.as_slice());
            }
        }};
    }
    for_layouts!(one);
}

#[test]
fn parts_and_other_names_keep_what_the_type_says() {
    let x = Tensor::<f32, Nchw8c>::filled([1, 11, 2, 2], -3.0).unwrap().into_filled::<Lowest>();
    let last: StridedView<'_, f32, Filled<Nchw8c, Lowest>> = x.slice::<'c'>(8..).unwrap();
    last.debug_check_padding();
    let largest = last.blocks().map(|block| block.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    assert!(largest.eq([-3.0; 4]));
    let row: StridedView<'_, f32, Filled<<Nchw8c as RemoveAxis<'h'>>::Output, Lowest>> =
        x.select::<'h'>(1).unwrap();
    row.debug_check_padding();
    type Anonymous = layout_core::layout::Format<
        (
            layout_core::layout::Dim<'a'>,
            layout_core::layout::Dim<'b'>,
            layout_core::layout::Dim<'c'>,
            layout_core::layout::Dim<'d'>,
            layout_core::layout::Block<'b', 8>,
        ),
        (
            layout_core::layout::Dim<'a'>,
            layout_core::layout::Dim<'b'>,
            layout_core::layout::Dim<'c'>,
            layout_core::layout::Dim<'d'>,
        ),
    >;
    x.view().relabel::<Filled<Anonymous, Lowest>>().debug_check_padding();
}

#[test]
fn a_layout_with_other_padding_is_as_good_for_bounds_that_do_not_ask() {
    fn is_zeroed<L: ZeroPadding>() {}
    is_zeroed::<Nchw16c>();
    assert_impl_all!(Dirty<Nchw16c>: Layout<Zeroed = Nchw16c>, Rank<4>, HasAxis<'c'>, BlockedBy<'c', 16>, BlockDivisibleBy<'c', 8>);
    assert_impl_all!(Filled<Nhwc, One>: Layout<Zeroed = Nhwc>, ChannelsLast);
    assert_not_impl_any!(Dirty<Nchw16c>: ZeroPadding, ChannelsLast);
    assert_not_impl_any!(Filled<Nchw16c, One>: ZeroPadding);
    assert_impl_all!(Dirty<Nchw16c>: SameAxes<Nchw>, SameAxes<Dirty<Nhwc>>, SameAxes<Filled<Nhwc, One>>);
    assert_impl_all!(Nchw: SameAxes<Dirty<Nchw16c>>, SameAxes<Filled<Nchw16c, One>>);
    assert_type_eq_all!(<Dirty<Nchw16c> as Layout>::Block<f32>, [f32; 16]);
    assert_type_eq_all!(
        <Dirty<Nchw16c> as RemoveAxis<'h'>>::Output,
        Dirty<<Nchw16c as RemoveAxis<'h'>>::Output>
    );
    assert_eq!(size_of::<TensorView<'_, f32, Dirty<Nchw16c>>>(), size_of::<TensorView<'_, f32, Nchw16c>>());
    assert_eq!(size_of::<Filled<Nchw16c, One>>(), 0);
    assert_eq!(
        (Nchw::PADDING_STATE, <Dirty<Nchw>>::PADDING_STATE, <Filled<Nchw, One>>::PADDING_STATE),
        (PaddingState::Zero, PaddingState::Dirty, PaddingState::Filled)
    );
    assert_eq!(<Dirty<Nchw16c>>::SPEC, Nchw16c::SPEC);
    assert_eq!(
        format!("{0} {0:?} {1:?}", <Dirty<Nchw8c>>::default(), <Filled<Nchw8c, Constant<128>>>::default()),
        "nChw8c Dirty<layout!(\"nChw8c\")> Filled<layout!(\"nChw8c\"), Constant<128>>"
    );
}

#[test]
fn named_values_are_those_of_the_numbers() {
    fn values<T, V: PadValue<T>>() -> T {
        V::VALUE
    }
    assert_eq!((values::<f32, Lowest>(), values::<f64, Highest>()), (f32::NEG_INFINITY, f64::INFINITY));
    assert_eq!(
        (values::<i8, Lowest>(), values::<u8, Lowest>(), values::<i32, Highest>()),
        (-128, 0, i32::MAX)
    );
    assert_eq!((values::<u8, Constant<128>>(), values::<i8, Constant<-128>>()), (128, -128));
    assert_eq!((values::<f32, Constant<-3>>(), values::<f64, One>(), values::<u8, One>()), (-3.0, 1.0, 1));
    #[cfg(feature = "half")]
    assert_eq!(
        (values::<half::f16, Constant<2048>>().to_f32(), values::<half::bf16, Lowest>().to_f32()),
        (2048.0, f32::NEG_INFINITY)
    );
}

/// The trap that the oneDNN guide describes, with types: `exp` over whole blocks, then a sum over whole blocks.
#[test]
fn the_element_wise_trap_is_a_matter_of_types() {
    fn sum_of_blocks<L: ZeroPadding>(x: TensorView<'_, f32, L>) -> f32 {
        x.debug_check_padding_of();
        x.as_slice().iter().sum()
    }
    /// The first line of such a kernel.
    trait Checked {
        fn debug_check_padding_of(&self);
    }
    impl<L: ZeroPadding> Checked for TensorView<'_, f32, L> {
        fn debug_check_padding_of(&self) {
            assert!(self.padding_is_zero());
        }
    }
    let x = Tensor::<f32, Nchw8c>::zeroed([1, 3, 1, 1]).unwrap();
    let exp: Tensor<f32, Dirty<Nchw8c>> = x.map_all(f32::exp);
    // `sum_of_blocks(exp.view())` does not compile: `ui-tests/fail/padding`.
    assert_eq!(exp.as_slice().iter().sum::<f32>(), 8.0);
    assert_eq!(sum_of_blocks(exp.into_zeroed().view()), 3.0);
    assert_eq!(sum_of_blocks(x.map_padded(f32::exp).view()), 3.0);
    let mut in_place = x.clone();
    in_place.with_dirty(|mut x| {
        for block in x.blocks_mut() {
            block.iter_mut().for_each(|x| *x = x.exp());
        }
    });
    assert_eq!(sum_of_blocks(in_place.view()), 3.0);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "index 3 of axis `c`, whose extent is 3")]
fn a_broken_promise_is_found_where_somebody_relies_on_it() {
    let mut x = Tensor::<f32, Nchw8c>::zeroed([1, 3, 1, 1]).unwrap();
    x.blocks_mut()[0].iter_mut().for_each(|x| *x = x.exp());
    x.debug_check_padding();
}

#[test]
fn memory_from_elsewhere_says_nothing_until_it_is_looked_at() {
    let mut memory = [7.0f32; 8];
    let x = TensorView::<f32, Dirty<Nchw8c>>::from_slice([1, 3, 1, 1], &memory).unwrap();
    assert_eq!(x.try_zeroed().unwrap_err(), ViewError::PaddingValue { axis: 'c', index: 3, extent: 3 });
    let x = TensorViewMut::<f32, Nchw8c>::from_slice_dirty([1, 3, 1, 1], &mut memory).unwrap().into_zeroed();
    assert_eq!(x.as_slice(), [7.0, 7.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let any: TensorView<'_, f32, Dirty<Nchw8c>> = x.into_shared().into();
    assert!(any.try_zeroed().is_ok());
}
