//! What else an operand can be: one index of an axis, permuted, relabelled, with extents in the type, owned or behind
//! references, as a source and as a destination.

use super::digits::{Oracle, indices};
use super::{assert_same, expected, filled, untouched};
use layout_core::layout::{
    ColumnMajor, Dim, Format, Layout, Ncdhw, Ncdhw16c, Nchw, Nchw8c, Nchw16c, Ndhwc, Nhwc, RowMajor, SameAxes,
};
use layout_core::reorder::reorder;
use layout_core::shape::{Fixed, Shape, fixed};
use layout_core::view::{Tensor, TensorView, TensorViewMut, View, ViewMut};

/// Fills a tensor of `Five`, takes one index of its depth, and moves it into one of a tensor of `Other`.
macro_rules! selected {
    ($five:ty, $digits:literal => $other:ty, $other_digits:literal) => {{
        let (from_oracle, to_oracle) = (Oracle::new("ncdhw", $digits), Oracle::new("ncdhw", $other_digits));
        let (dims, four) = ([2, 19, 3, 4, 5], [2, 19, 4, 5]);
        let place = |oracle: &Oracle, depth: usize, index: &[usize]| {
            oracle.offset(&dims, &[index[0], index[1], depth, index[2], index[3]])
        };
        let memory: Vec<f32> = filled(from_oracle.required_len(&dims), 7);
        let mut found: Vec<u8> = untouched(to_oracle.required_len(&dims));
        let mut padded = to_oracle.padded(&dims);
        padded.remove(2);
        let expected = expected(
            &four,
            (&memory, |index| place(&from_oracle, 2, index)),
            (&found, &padded, |index| place(&to_oracle, 1, index)),
        );
        let src = TensorView::<f32, $five>::from_slice(dims, &memory).unwrap();
        let mut dst =
            TensorViewMut::<u8, $other>::from_slice_dirty(dims, &mut found).unwrap().assume_zeroed();
        reorder(src.select::<'d'>(2).unwrap(), dst.select_mut::<'d'>(1).unwrap()).unwrap();
        assert_same(&found, &expected, format_args!("{} -> {}", $digits, $other_digits));
    }};
}

#[test]
fn one_index_of_an_axis() {
    selected!(Ncdhw, "n c d h w" => Ndhwc, "n d h w c");
    selected!(Ndhwc, "n d h w c" => Ncdhw16c, "n c/16 d h w c%16");
    selected!(Ncdhw16c, "n c/16 d h w c%16" => Ncdhw, "n c d h w");
    selected!(Ncdhw16c, "n c/16 d h w c%16" => Ncdhw16c, "n c/16 d h w c%16");
}

/// `nhwc` and `nChw16c` with the logical order n, h, w, c.
type ImageOrder = (Dim<'n'>, Dim<'h'>, Dim<'w'>, Dim<'c'>);
type PermutedNhwc = Format<(Dim<'n'>, Dim<'h'>, Dim<'w'>, Dim<'c'>), ImageOrder>;
type PermutedNchw16c = Format<<Nchw16c as Layout>::Digits, ImageOrder>;

#[test]
fn permuted_axes() {
    let (from_oracle, to_oracle) = (Oracle::new("nhwc", "n h w c"), Oracle::new("nhwc", "n c/16 h w c%16"));
    let (dims, logical) = ([2, 3, 5, 17], [2, 17, 3, 5]);
    let memory: Vec<u8> = filled(2 * 3 * 5 * 17, 1);
    let mut found: Vec<f32> = untouched(to_oracle.required_len(&dims));
    let expected = expected(
        &dims,
        (&memory, |index| from_oracle.offset(&dims, index)),
        (&found, &to_oracle.padded(&dims), |index| to_oracle.offset(&dims, index)),
    );

    // Permuted on both sides, on one, and on the other: dense and strided.
    let src = TensorView::<u8, Nhwc>::from_slice(logical, &memory).unwrap();
    let plain = src.permute_axes::<PermutedNhwc>();
    let mut dst =
        TensorViewMut::<f32, Nchw16c>::from_slice_dirty(logical, &mut found).unwrap().assume_zeroed();
    reorder(plain, dst.view_mut().permute_axes::<PermutedNchw16c>()).unwrap();
    assert_same(dst.as_slice(), &expected, format_args!("dense"));
    dst.as_mut_slice().fill(-1.0);
    reorder(plain.as_strided(), dst.as_strided_mut().permute_axes::<PermutedNchw16c>()).unwrap();
    assert_same(dst.as_slice(), &expected, format_args!("strided"));
    let direct: Tensor<f32, Nchw16c> = plain.permute_axes::<Nhwc>().convert();
    assert_same(direct.as_slice(), &expected, format_args!("there and back"));
}

/// `nchw` and `nChw8c` under anonymous names.
type Anonymous = (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>);
type Abcd = Format<Anonymous, Anonymous>;
type ABcd8b = Format<
    (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>, layout_core::layout::Block<'b', 8>),
    (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>),
>;

#[test]
fn relabelled_axes() {
    let (from_oracle, to_oracle) = (Oracle::new("abcd", "a b c d"), Oracle::new("abcd", "a b/8 c d b%8"));
    let dims = [3, 11, 2, 4];
    let memory: Vec<i32> = filled(3 * 11 * 2 * 4, 2);
    let mut found: Vec<i8> = untouched(to_oracle.required_len(&dims));
    let expected = expected(
        &dims,
        (&memory, |index| from_oracle.offset(&dims, index)),
        (&found, &to_oracle.padded(&dims), |index| to_oracle.offset(&dims, index)),
    );
    let src = TensorView::<i32, Nchw>::from_slice(dims, &memory).unwrap();
    let mut dst = TensorViewMut::<i8, ABcd8b>::from_slice_dirty(dims, &mut found).unwrap().assume_zeroed();
    reorder(src.relabel::<Abcd>(), dst.view_mut()).unwrap();
    assert_same(dst.as_slice(), &expected, format_args!("the source"));
    dst.as_mut_slice().fill(1);
    reorder(src.as_strided(), dst.as_strided_mut().relabel::<Nchw8c>()).unwrap();
    assert_same(dst.as_slice(), &expected, format_args!("the destination"));
}

type All = (Fixed<2>, Fixed<19>, Fixed<3>, Fixed<5>);
type Some = (usize, Fixed<19>, usize, Fixed<5>);

/// Reorders `memory` between shapes typed as `S` and `R`, dense and strided, and compares with the dynamic result.
fn static_extents<S: Shape<[usize; 4]>, R: Shape<[usize; 4]>>(from: S, to: R) {
    let memory: Vec<f32> = filled(2 * 19 * 3 * 5, 3);
    let src = TensorView::<f32, Nhwc, S>::from_slice(from, &memory).unwrap();
    let mut expected = Tensor::<u8, Nchw16c>::filled([2, 19, 3, 5], 9).unwrap();
    reorder(src.with_shape([2, 19, 3, 5]).unwrap(), &mut expected).unwrap();
    let mut found: Vec<u8> = untouched(expected.required_len());
    let mut dst = TensorViewMut::<u8, Nchw16c, R>::from_slice_dirty(to, &mut found).unwrap().assume_zeroed();
    let mut check = |what: &str, run: &mut dyn FnMut(&mut TensorViewMut<'_, u8, Nchw16c, R>)| {
        dst.as_mut_slice().fill(0xA5);
        run(&mut dst);
        assert_same(dst.as_slice(), expected.as_slice(), format_args!("{what}: {from:?} -> {to:?}"));
    };
    check("dense to dense", &mut |dst| reorder(src, dst).unwrap());
    check("strided to dense", &mut |dst| reorder(src.as_strided(), dst).unwrap());
    check("dense to strided", &mut |dst| reorder(src, dst.as_strided_mut()).unwrap());
    check("strided to strided", &mut |dst| reorder(src.as_strided(), dst.as_strided_mut()).unwrap());
    let made: Tensor<u8, Nchw16c, S> = src.convert();
    assert_eq!(made.shape(), from);
    assert_same(made.as_slice(), expected.as_slice(), format_args!("convert of {from:?}"));
}

#[test]
fn extents_in_the_type() {
    let all: All = (fixed(), fixed(), fixed(), fixed());
    let some: Some = (2, fixed(), 3, fixed());
    static_extents(all, all);
    static_extents(all, some);
    static_extents(some, all);
    static_extents(some, [2, 19, 3, 5]);
    static_extents([2, 19, 3, 5], all);
}

/// Code that is generic over its operands, as users write it.
fn copy<Src, Dst>(src: Src, dst: Dst)
where
    Src: View<Elem = i8>,
    Dst: ViewMut<Elem = f64, Layout: SameAxes<Src::Layout>>,
{
    reorder(src, dst).unwrap();
}

#[test]
fn owned_borrowed_and_behind_references() {
    let make = || Tensor::<i8, RowMajor, _>::from_fn([3, 4], |[a, b]| (a * 4 + b) as i8).unwrap();
    let mut t = make();
    let mut out = Tensor::<f64, ColumnMajor>::zeroed([3, 4]).unwrap();
    let mut check = |run: &mut dyn FnMut(&mut Tensor<f64, ColumnMajor>)| {
        out.as_mut_slice().fill(-1.0);
        run(&mut out);
        assert!(indices(&[3, 4]).iter().all(|i| out[[i[0], i[1]]] == (i[0] * 4 + i[1]) as f64), "{out:?}");
    };
    check(&mut |out| copy(&t, out));
    check(&mut |out| copy(t.view(), out.view_mut()));
    check(&mut |out| copy(&t.view(), &mut out.view_mut()));
    check(&mut |out| copy(t.view_mut(), &mut out.as_strided_mut()));
    check(&mut |out| copy(&mut t, out.slice_mut::<'a'>(..).unwrap()));
    check(&mut |out| copy(t.as_strided_mut(), &mut &mut *out));
    check(&mut |out| copy(make(), out));
    copy(make(), Tensor::<f64, RowMajor>::zeroed([3, 4]).unwrap());
}

#[test]
fn a_broadcast_view_is_a_source() {
    use layout_core::layout::{Nchw8c, Nhwc};
    let bias = Tensor::<u8, Nchw8c>::from_fn([1, 11, 1, 1], |[_, c, _, _]| c as u8 + 1).unwrap();
    let all = bias.as_strided().broadcast::<'w'>(4).unwrap().broadcast::<'n'>(2).unwrap();
    let made: Tensor<f32, Nhwc> = all.convert();
    assert!(made.indexed_iter().all(|([_, c, _, _], &value)| value == c as f32 + 1.0));
    let made: Tensor<u8, Nchw8c> = all.to_layout();
    assert!(made.indexed_iter().all(|([_, c, _, _], &value)| value == c as u8 + 1) && made.padding_is_zero());
}
