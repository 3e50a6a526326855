//! Where the plans of views come from: made while compiling where the types fix the extents, else found by everything that
//! they follow from. Wrong plans would move the wrong elements.

use super::digits::Oracle;
use super::{Bits, assert_same, expected, filled, untouched};
use layout_core::layout::{
    Block, ColumnMajor, Dim, Format, Layout, Nchw, Nchw8c, Nchw16c, Nhwc, OIhw4i16o4i, Oihw, RowMajor,
    SameAxes, Scalar, ZeroPadding,
};
use layout_core::reorder::{ReorderError, ReorderOptions, Stores, reorder};
use layout_core::shape::{Fixed, Shape, fixed};
use layout_core::view::{Tensor, TensorView, TensorViewMut};

/// Moves a tensor, with the extents typed as those of `from` in the source and of `to` in the destination, and compares
/// memory with the oracles'.
fn check<T: Bits, L: Layout, U: Bits, M: SameAxes<L> + ZeroPadding>(
    (from, from_oracle): (impl Shape<L::Index>, &Oracle),
    (to, to_oracle): (impl Shape<M::Index>, &Oracle),
) {
    let dims = from.dims();
    let memory: Vec<T> = filled(from_oracle.required_len(dims.as_ref()), 3);
    let mut found: Vec<U> = untouched(to_oracle.required_len(dims.as_ref()));
    let expected = expected(
        dims.as_ref(),
        (&memory, |index| from_oracle.offset(dims.as_ref(), index)),
        (&found, &to_oracle.padded(dims.as_ref()), |index| to_oracle.offset(dims.as_ref(), index)),
    );
    let src = TensorView::<T, L, _>::from_slice(from, &memory).unwrap();
    for stores in [Stores::Auto, Stores::Temporal, Stores::Streaming] {
        let options = ReorderOptions::new().with_stores(stores);
        found.fill(untouched(1)[0]);
        let mut dst = TensorViewMut::<U, M, _>::from_slice_dirty(to, &mut found).unwrap().assume_zeroed();
        options.reorder(src, &mut dst).unwrap();
        assert_same(&found, &expected, format_args!("{} -> {}, {stores}", L::SPEC, M::SPEC));
        found.fill(untouched(1)[0]);
        let mut dst = TensorViewMut::<U, M, _>::from_slice_dirty(to, &mut found).unwrap().assume_zeroed();
        options.reorder(src.as_strided(), dst.as_strided_mut()).unwrap();
        assert_same(&found, &expected, format_args!("{} -> {}, strided, {stores}", L::SPEC, M::SPEC));
        let made: Tensor<U, M, _> = options.convert(src).unwrap();
        assert_same(made.as_slice(), &expected, format_args!("{} -> {}, made, {stores}", L::SPEC, M::SPEC));
    }
}

type Extents = (Fixed<2>, Fixed<19>, Fixed<3>, Fixed<5>);
type Outer = (Fixed<2>, usize, usize, Fixed<5>);
type Inner = (usize, Fixed<19>, Fixed<3>, usize);

#[test]
fn extents_in_the_type() {
    let all: Extents = (fixed(), fixed(), fixed(), fixed());
    let (outer, inner): (Outer, Inner) = ((fixed(), 19, 3, fixed()), (2, fixed(), fixed(), 5));
    let (nchw, nhwc, blocked) = (
        Oracle::new("nchw", "n c h w"),
        Oracle::new("nchw", "n h w c"),
        Oracle::new("nchw", "n c/16 h w c%16"),
    );
    check::<f32, Nchw, f32, Nhwc>((all, &nchw), (all, &nhwc));
    check::<u8, Nhwc, f32, Nchw16c>((all, &nhwc), (all, &blocked));
    check::<f32, Nchw16c, u8, Nhwc>((all, &blocked), (all, &nhwc));
    // Known from one side, from the other, from both together, and in part.
    check::<u8, Nhwc, f32, Nchw16c>((all, &nhwc), ([2, 19, 3, 5], &blocked));
    check::<u8, Nhwc, f32, Nchw16c>(([2, 19, 3, 5], &nhwc), (all, &blocked));
    check::<u8, Nhwc, f32, Nchw16c>((outer, &nhwc), (inner, &blocked));
    check::<u8, Nhwc, f32, Nchw16c>((outer, &nhwc), (outer, &blocked));
    check::<u8, Nhwc, f32, Nchw16c>(([2, 19, 3, 5], &nhwc), ([2, 19, 3, 5], &blocked));
}

#[test]
fn other_formats_with_extents_in_the_type() {
    type Weights = (Fixed<17>, Fixed<6>, Fixed<1>, Fixed<3>);
    let weights: Weights = (fixed(), fixed(), fixed(), fixed());
    check::<i8, Oihw, i8, OIhw4i16o4i>(
        (weights, &Oracle::new("oihw", "o i h w")),
        (weights, &Oracle::new("oihw", "o/16 i/16 h w i/4%4 o%16 i%4")),
    );
    type BlockOutside = Format<(Dim<'n'>, Dim<'c'>, Block<'c', 4>, Dim<'h'>), (Dim<'n'>, Dim<'c'>, Dim<'h'>)>;
    type Plain = Format<(Dim<'h'>, Dim<'n'>, Dim<'c'>), (Dim<'n'>, Dim<'c'>, Dim<'h'>)>;
    type Three = (Fixed<2>, Fixed<7>, Fixed<5>);
    let three: Three = (fixed(), fixed(), fixed());
    check::<f32, BlockOutside, u8, Plain>(
        (three, &Oracle::new("nch", "n c/4 c%4 h")),
        (three, &Oracle::new("nch", "h n c")),
    );
    // Without elements, and of rank 0.
    type None = (Fixed<0>, Fixed<3>);
    let none: None = (fixed(), fixed());
    check::<f32, RowMajor, u8, ColumnMajor>(
        (none, &Oracle::new("ab", "a b")),
        (none, &Oracle::new("ab", "b a")),
    );
    check::<f32, Scalar, u8, Scalar>(((), &Oracle::new("", "")), ((), &Oracle::new("", "")));
    check::<f32, Scalar, u8, Scalar>(([], &Oracle::new("", "")), ([], &Oracle::new("", "")));
}

#[test]
fn extents_that_differ_in_the_type() {
    let src = Tensor::<u8, RowMajor, (Fixed<2>, Fixed<3>)>::zeroed((fixed(), fixed())).unwrap();
    let mut dst = Tensor::<u8, RowMajor, (Fixed<2>, Fixed<4>)>::filled((fixed(), fixed()), 9).unwrap();
    let error = ReorderError::Extent { axis: 'b', position: 1, src: 3, dst: 4 };
    assert_eq!(reorder(&src, &mut dst), Err(error));
    assert_eq!(dst.as_slice(), [9; 8]);
    // Both are known, from one type, and one of them differs.
    let mut dst = Tensor::<u8, RowMajor>::filled([2, 4], 9).unwrap();
    assert_eq!(reorder(&src, &mut dst), Err(error));
    assert_eq!(
        reorder(&dst, &mut src.clone()),
        Err(ReorderError::Extent { axis: 'b', position: 1, src: 4, dst: 3 })
    );
    assert_eq!(dst.as_slice(), [9; 8]);
}

/// Twelve axes with blocks, the most that there is to plan: the compiler does not tire of it.
#[test]
fn many_axes() {
    type Axes = (
        Dim<'a'>,
        Dim<'b'>,
        Dim<'c'>,
        Dim<'d'>,
        Dim<'e'>,
        Dim<'f'>,
        Dim<'g'>,
        Dim<'h'>,
        Dim<'i'>,
        Dim<'j'>,
        Dim<'k'>,
        Dim<'l'>,
    );
    type Blocked = Format<
        (
            Dim<'l'>,
            Dim<'k'>,
            Dim<'j'>,
            Dim<'i'>,
            Dim<'h'>,
            Dim<'g'>,
            Dim<'f'>,
            Dim<'e'>,
            Dim<'d'>,
            Dim<'c'>,
            Dim<'b'>,
            Dim<'a'>,
            Block<'a', 2>,
            Block<'c', 2>,
            Block<'e', 2>,
            Block<'g', 3>,
            Block<'i', 2>,
        ),
        Axes,
    >;
    type Plain = Format<Axes, Axes>;
    type Two = Fixed<2>;
    type Extents = (Two, Two, Two, Fixed<1>, Fixed<3>, Two, Two, Two, Two, Two, Two, Two);
    let shape = Extents::default();
    let letters = "abcdefghijkl";
    check::<u8, Plain, u8, Blocked>(
        (shape, &Oracle::new(letters, "a b c d e f g h i j k l")),
        (shape, &Oracle::new(letters, "l k j i/2 h g/3 f e/2 d c/2 b a/2 a%2 c%2 e%2 g%3 i%2")),
    );
}

/// Parts of the same types and extents that differ in strides alone, in turns: the thread's cache tells them apart.
#[test]
fn strides_are_part_of_what_a_plan_is_found_by() {
    let value = |[n, c, h, w]: [usize; 4]| (n * 1000 + c * 100 + h * 10 + w) as f32;
    let parents: Vec<Tensor<f32, Nhwc>> = [[2, 8, 4, 6], [2, 9, 4, 6], [3, 8, 5, 7], [2, 8, 5, 9]]
        .map(|dims| Tensor::from_fn(dims, value).unwrap())
        .into();
    let targets = [[2, 8, 4, 6], [3, 11, 5, 6], [2, 17, 4, 9]];
    #[cfg(feature = "std")]
    let capacities = [1, 2, 128];
    #[cfg(not(feature = "std"))]
    let capacities = [0];
    for capacity in capacities {
        #[cfg(feature = "std")]
        layout_core::reorder::PlanCache::of_thread(|cache| {
            *cache = layout_core::reorder::PlanCache::with_capacity(capacity);
        });
        for _ in 0..3 {
            for parent in &parents {
                let part = || {
                    parent.slice::<'n'>(..2).unwrap().slice::<'c'>(..8).unwrap().slice::<'h'>(1..4).unwrap()
                };
                let part = || part().slice::<'w'>(..6).unwrap();
                let check = |found: &dyn Fn([usize; 4]) -> f32| {
                    for n in 0..2 {
                        for c in 0..8 {
                            for (h, w) in (0..3).flat_map(|h| (0..6).map(move |w| (h, w))) {
                                assert_eq!(found([n, c, h, w]), value([n, c, h + 1, w]), "{capacity}");
                            }
                        }
                    }
                };
                let dense: Tensor<f32, Nchw8c> = part().to_layout();
                check(&|index| dense[index]);
                // Extents in the type, and strides that are not.
                type Part = (Fixed<2>, Fixed<8>, Fixed<3>, Fixed<6>);
                let fixed = part().with_shape(Part::default()).unwrap();
                let dense: Tensor<f32, Nchw8c, Part> = fixed.to_layout();
                check(&|index| dense[index]);
                let mut dense = Tensor::<f32, Nchw>::zeroed([2, 8, 3, 6]).unwrap();
                reorder(part(), &mut dense).unwrap();
                check(&|index| dense[index]);
                for dims in targets {
                    let mut whole = Tensor::<f32, Nchw8c>::zeroed(dims).unwrap();
                    let mut rows = whole.as_strided_mut().into_slice::<'n'>(..2).unwrap();
                    let mut rows = rows.slice_mut::<'c'>(..8).unwrap().into_slice::<'h'>(..3).unwrap();
                    let mut rows = rows.slice_mut::<'w'>(..6).unwrap();
                    reorder(part(), &mut rows).unwrap();
                    check(&|index| rows[index]);
                    reorder(&dense, &mut rows).unwrap();
                    check(&|index| rows[index]);
                }
            }
        }
    }
}

/// A plan made while compiling is not looked for.
#[test]
#[cfg(feature = "std")]
fn which_plans_are_kept() {
    use layout_core::reorder::PlanCache;
    let counts = || PlanCache::of_thread(|cache| (cache.len(), cache.hits(), cache.misses()));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            type Three = (Fixed<2>, Fixed<3>);
            let src = Tensor::<u8, RowMajor, Three>::zeroed(Three::default()).unwrap();
            let mut dst = Tensor::<u8, ColumnMajor>::zeroed([2, 3]).unwrap();
            reorder(&src, &mut dst).unwrap();
            drop(src.to_layout::<ColumnMajor>());
            assert_eq!(counts(), (0, 0, 0));
            // The strides of a view are known at run time.
            reorder(src.as_strided(), &mut dst).unwrap();
            assert_eq!(counts(), (1, 0, 1));
            let src = Tensor::<u8, RowMajor>::zeroed([2, 3]).unwrap();
            reorder(&src, &mut dst).unwrap();
            drop(src.to_layout::<ColumnMajor>());
            drop(src.view().to_layout::<ColumnMajor>());
            assert_eq!(counts(), (2, 2, 2));
            // Another type of elements, the other way, another layout.
            drop(src.convert::<i8, ColumnMajor>());
            drop(dst.to_layout::<RowMajor>());
            drop(src.to_layout::<RowMajor>());
            assert_eq!(counts(), (5, 2, 5));
        });
    });
}
