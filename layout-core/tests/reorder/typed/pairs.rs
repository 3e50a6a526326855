//! `reorder` between any two layouts of a group: dense memory, a part that is cut on all axes, and a chunk along one,
//! each as source and as destination.

use super::digits::{Oracle, at};
use super::{Bits, assert_same, expected, filled, untouched};
use layout_core::layout::{self, Block, Digit, Dim, Format, PaddedDim, SameAxes, ZeroPadding};
use layout_core::reorder::reorder;
use layout_core::view::{StridedView, StridedViewMut, TensorView, TensorViewMut};
use proptest::prelude::*;

/// A layout with its oracle's text, whose axes can be cut by position.
trait Case: ZeroPadding {
    const TEXT: (&'static str, &'static str);

    fn oracle() -> Oracle {
        Oracle::new(Self::TEXT.0, Self::TEXT.1)
    }
    /// The part from `start` on with extents `dims`, on all axes.
    fn cut<'a, T>(v: StridedView<'a, T, Self>, start: &[usize], dims: &[usize]) -> StridedView<'a, T, Self>;
    /// [`cut`](Case::cut), to write.
    fn cut_mut<'a, T>(
        v: StridedViewMut<'a, T, Self>,
        start: &[usize],
        dims: &[usize],
    ) -> StridedViewMut<'a, T, Self>;
    /// The second chunk of `size` along `axis`.
    fn chunk<'a, T>(v: StridedView<'a, T, Self>, axis: usize, size: usize) -> StridedView<'a, T, Self>;
    /// [`chunk`](Case::chunk), to write.
    fn chunk_mut<'a, T>(
        v: StridedViewMut<'a, T, Self>,
        axis: usize,
        size: usize,
    ) -> StridedViewMut<'a, T, Self>;
}

// Rank 0 has no axis to use the arguments.
macro_rules! cases {
    ($($layout:ty, $axes:literal, $digits:literal, [$($position:literal $axis:literal)*];)*) => {$(
        impl Case for $layout {
            const TEXT: (&'static str, &'static str) = ($axes, $digits);

            fn cut<'a, T>(v: StridedView<'a, T, Self>, _start: &[usize], _dims: &[usize]) -> StridedView<'a, T, Self> {
                $(let v = v.slice::<$axis>(_start[$position].._start[$position] + _dims[$position]).unwrap();)*
                v
            }
            fn cut_mut<'a, T>(
                v: StridedViewMut<'a, T, Self>,
                _start: &[usize],
                _dims: &[usize],
            ) -> StridedViewMut<'a, T, Self> {
                $(let v = v.into_slice::<$axis>(_start[$position].._start[$position] + _dims[$position]).unwrap();)*
                v
            }
            fn chunk<'a, T>(_v: StridedView<'a, T, Self>, axis: usize, _size: usize) -> StridedView<'a, T, Self> {
                match axis {
                    $($position => _v.chunks::<$axis>(_size).unwrap().nth(1).unwrap(),)*
                    _ => unreachable!("axis {axis}"),
                }
            }
            fn chunk_mut<'a, T>(_v: StridedViewMut<'a, T, Self>, axis: usize, _size: usize) -> StridedViewMut<'a, T, Self> {
                match axis {
                    $($position => _v.into_chunks::<$axis>(_size).unwrap().nth(1).unwrap(),)*
                    _ => unreachable!("axis {axis}"),
                }
            }
        }
    )*};
}

type N = Dim<'n'>;
type C = Dim<'c'>;
type H = Dim<'h'>;
type W = Dim<'w'>;
type Image = (N, C, H, W);
type BlockOutside = Format<(N, C, Block<'c', 4>, H), (N, C, H)>;
type Plain3 = Format<(H, N, C), (N, C, H)>;
type BlockBeforeTop = Format<(N, Block<'w', 4>, C, H, W), Image>;
type Interleaved = Format<(N, H, W, C, Block<'n', 2>, Block<'c', 4>, Block<'n', 3>), Image>;
type Swizzled = Format<(N, C, H, W, Digit<'c', 1, 4>, Digit<'c', 4, 3>), Image>;
type SwizzledApart = Format<(Digit<'c', 1, 2>, N, C, Digit<'c', 6, 2>, H, W, Digit<'c', 2, 3>), Image>;
type Padded = Format<(N, PaddedDim<'c', 6>, PaddedDim<'h', 3>, W, Block<'c', 4>), Image>;

cases! {
    layout::Nchw, "nchw", "n c h w", [0 'n' 1 'c' 2 'h' 3 'w'];
    layout::Nhwc, "nchw", "n h w c", [0 'n' 1 'c' 2 'h' 3 'w'];
    layout::Nchw8c, "nchw", "n c/8 h w c%8", [0 'n' 1 'c' 2 'h' 3 'w'];
    BlockBeforeTop, "nchw", "n w%4 c h w/4", [0 'n' 1 'c' 2 'h' 3 'w'];
    Interleaved, "nchw", "n/6 h w c/4 n/3%2 c%4 n%3", [0 'n' 1 'c' 2 'h' 3 'w'];
    Swizzled, "nchw", "n c/12 h w c%4 c/4%3", [0 'n' 1 'c' 2 'h' 3 'w'];
    SwizzledApart, "nchw", "c%2 n c/12 c/6%2 h w c/2%3", [0 'n' 1 'c' 2 'h' 3 'w'];
    Padded, "nchw", "n c/4^6 h^3 w c%4", [0 'n' 1 'c' 2 'h' 3 'w'];
    layout::Oihw, "oihw", "o i h w", [0 'o' 1 'i' 2 'h' 3 'w'];
    layout::Hwio, "oihw", "h w i o", [0 'o' 1 'i' 2 'h' 3 'w'];
    layout::OIhw8i8o, "oihw", "o/8 i/8 h w i%8 o%8", [0 'o' 1 'i' 2 'h' 3 'w'];
    layout::OIhw4i16o4i, "oihw", "o/16 i/16 h w i/4%4 o%16 i%4", [0 'o' 1 'i' 2 'h' 3 'w'];
    BlockOutside, "nch", "n c/4 c%4 h", [0 'n' 1 'c' 2 'h'];
    Plain3, "nch", "h n c", [0 'n' 1 'c' 2 'h'];
    layout::RowMajor, "ab", "a b", [0 'a' 1 'b'];
    layout::ColumnMajor, "ab", "b a", [0 'a' 1 'b'];
    layout::Vector, "a", "a", [0 'a'];
    layout::Scalar, "", "", [];
}

/// How an operand lies in memory of its own.
#[derive(Debug, Clone, Copy)]
enum Part {
    Dense,
    Cut,
    Chunk(usize),
}

/// An operand's memory: extents of the tensor that holds it, and where in it the operand starts.
#[derive(Debug)]
struct Place {
    part: Part,
    within: Vec<usize>,
    start: Vec<usize>,
    /// Of chunks.
    size: usize,
}

impl Place {
    fn new(part: Part, oracle: &Oracle, dims: &[usize]) -> Place {
        let (mut within, mut start, mut size) = (dims.to_vec(), vec![0; dims.len()], 0);
        match part {
            Part::Dense => {}
            Part::Cut => {
                for (axis, &dim) in dims.iter().enumerate() {
                    let multiple = oracle.multiple(axis);
                    start[axis] = multiple * (axis % 2);
                    // A part that ends inside a block has to end where the tensor does.
                    let behind = if dim.is_multiple_of(multiple) { 1 + axis % 2 } else { 0 };
                    within[axis] = start[axis] + dim + behind;
                }
            }
            Part::Chunk(axis) => {
                let multiple = oracle.multiple(axis);
                size = dims[axis].div_ceil(multiple).max(1) * multiple;
                start[axis] = size;
                within[axis] = size + dims[axis];
            }
        }
        Place { part, within, start, size }
    }

    fn at(&self, oracle: &Oracle, index: &[usize]) -> usize {
        let index: Vec<usize> = index.iter().zip(&self.start).map(|(i, start)| i + start).collect();
        oracle.offset(&self.within, &index)
    }

    fn view<'a, T, L: Case>(&self, dense: TensorView<'a, T, L>, dims: &[usize]) -> StridedView<'a, T, L> {
        match self.part {
            Part::Chunk(axis) => L::chunk(dense.as_strided(), axis, self.size),
            _ => L::cut(dense.as_strided(), &self.start, dims),
        }
    }

    fn view_mut<'a, T, L: Case>(
        &self,
        dense: TensorViewMut<'a, T, L>,
        dims: &[usize],
    ) -> StridedViewMut<'a, T, L> {
        match self.part {
            Part::Chunk(axis) => L::chunk_mut(dense.into_strided(), axis, self.size),
            _ => L::cut_mut(dense.into_strided(), &self.start, dims),
        }
    }
}

/// Every kind of source into every kind of destination.
fn check<T: Bits, U: Bits, From: Case, To: Case + SameAxes<From>>(dims: &[usize], seed: u64) {
    let (from_oracle, to_oracle) = (From::oracle(), To::oracle());
    let parts = |shift: usize| {
        let mut parts = vec![Part::Dense, Part::Cut];
        if !dims.contains(&0) && !dims.is_empty() {
            parts.push(Part::Chunk((seed as usize + shift) % dims.len()));
        }
        parts
    };
    for from_part in parts(0) {
        let from = Place::new(from_part, &from_oracle, dims);
        let memory: Vec<T> = filled(from_oracle.required_len(&from.within), seed);
        let src = TensorView::<T, From>::from_slice(at::<From>(&from.within), &memory).unwrap();
        for to_part in parts(1) {
            let to = Place::new(to_part, &to_oracle, dims);
            let mut found: Vec<U> = untouched(to_oracle.required_len(&to.within));
            let expected = expected(
                dims,
                (&memory, |index| from.at(&from_oracle, index)),
                (&found, &to_oracle.padded(dims), |index| to.at(&to_oracle, index)),
            );
            let dst = TensorViewMut::<U, To>::from_slice_dirty(at::<To>(&to.within), &mut found)
                .unwrap()
                .assume_zeroed();
            match (from_part, to_part) {
                (Part::Dense, Part::Dense) => reorder(src, dst),
                (Part::Dense, _) => reorder(src, to.view_mut(dst, dims)),
                (_, Part::Dense) => reorder(from.view(src, dims), dst),
                _ => reorder(from.view(src, dims), to.view_mut(dst, dims)),
            }
            .unwrap();
            assert_same(
                &found,
                &expected,
                format_args!(
                    "{} {} {from:?}\n-> {} {} {to:?}\nof {dims:?}",
                    T::DTYPE,
                    From::default(),
                    U::DTYPE,
                    To::default()
                ),
            );
        }
    }
}

type Check = fn(&[usize], u64);

/// The check of each pair of layouts, for elements from `$t` to `$u`.
macro_rules! pairs {
    ($t:ty, $u:ty; $($layout:ty),*) => {
        pairs!(@from $t, $u; [$($layout),*]; $($layout),*)
    };
    (@from $t:ty, $u:ty; $all:tt; $($from:ty),*) => {
        [$(pairs!(@to $t, $u; $from; $all)),*].concat()
    };
    (@to $t:ty, $u:ty; $from:ty; [$($to:ty),*]) => {
        vec![$((<$from as Case>::oracle as fn() -> Oracle, check::<$t, $u, $from, $to> as Check)),*]
    };
}

fn images() -> Vec<(fn() -> Oracle, Check)> {
    pairs!(
        u8, f32;
        layout::Nchw, layout::Nhwc, layout::Nchw8c, BlockBeforeTop, Interleaved, Swizzled, SwizzledApart, Padded
    )
}

/// Each pair on some of the extents at which its source has tails, full blocks and nothing at all.
fn check_all(pairs: Vec<(fn() -> Oracle, Check)>) {
    for (i, (oracle, check)) in pairs.into_iter().enumerate() {
        let shapes = oracle().shapes();
        for step in [0, 2, 5] {
            check(&shapes[(i + step) % shapes.len()], (i + step) as u64);
        }
    }
}

#[test]
fn images_of_bytes_to_floats() {
    check_all(images());
}

#[test]
fn weights_of_one_type() {
    check_all(pairs!(f32, f32; layout::Oihw, layout::Hwio, layout::OIhw8i8o, layout::OIhw4i16o4i));
}

#[test]
fn floats_to_saturated_bytes() {
    check_all(pairs!(f32, u8; layout::Nhwc, layout::Nchw8c, Swizzled, Interleaved));
    check_all(pairs!(f64, i8; BlockOutside, Plain3));
    check_all(pairs!(i32, u8; BlockOutside, Plain3));
}

#[test]
#[cfg(feature = "half")]
fn half_types() {
    check_all(pairs!(f32, half::f16; BlockOutside, Plain3));
    check_all(pairs!(half::bf16, f32; BlockOutside, Plain3));
    check_all(pairs!(half::f16, half::bf16; layout::Nhwc, layout::Nchw8c));
    check_all(pairs!(half::f16, half::f16; layout::OIhw4i16o4i, layout::Hwio));
}

#[test]
fn low_ranks() {
    for dims in [[1, 1], [3, 7], [17, 33], [0, 5], [5, 0]] {
        for (_, check) in pairs!(f32, i32; layout::RowMajor, layout::ColumnMajor) {
            check(&dims, 3);
        }
    }
    for dim in [0, 1, 2, 100] {
        check::<i8, f64, layout::Vector, layout::Vector>(&[dim], 4);
    }
    check::<f32, u8, layout::Scalar, layout::Scalar>(&[], 5);
    check::<u8, u8, layout::Scalar, layout::Scalar>(&[], 6);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn random_extents_of_images(
        n in 0usize..8, c in 0usize..28, h in 0usize..6, w in 0usize..11, pair in any::<prop::sample::Index>(), seed in any::<u64>()
    ) {
        pair.get(&images()).1(&[n, c, h, w], seed);
    }

    #[test]
    fn random_extents_of_weights(
        o in 0usize..35, i in 0usize..35, h in 0usize..4, w in 0usize..4, seed in any::<u64>()
    ) {
        check::<f32, u8, layout::OIhw4i16o4i, layout::OIhw8i8o>(&[o, i, h, w], seed);
        check::<i8, f32, layout::Hwio, layout::OIhw4i16o4i>(&[o, i, h, w], seed);
    }

    #[test]
    fn random_extents_outside_blocks(n in 0usize..9, c in 0usize..20, h in 0usize..9, seed in any::<u64>()) {
        check::<f32, f32, BlockOutside, Plain3>(&[n, c, h], seed);
        check::<u8, i32, Plain3, BlockOutside>(&[n, c, h], seed);
        check::<f64, u8, BlockOutside, BlockOutside>(&[n, c, h], seed);
    }
}
