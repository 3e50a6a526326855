//! `to_layout`, `convert` and `try_convert` of each of the five types: the values, zero padding, and memory that is
//! dense and aligned.

use super::digits::{Oracle, indices};
use super::{assert_same, expected, filled};
use layout_core::layout::{Block, Dim, Format, Nchw, Nchw16c, Nhwc, OIhw4i16o4i, OIhw16i16o, Oihw, Scalar};
use layout_core::reorder::ReorderError;
use layout_core::view::{ALIGNMENT, Tensor, TensorView};

/// The memory of a tensor of `digits` that holds the part of `memory` from `start` on along `h`.
fn memory_of(memory: &[f32], within: &[usize], start: usize, dims: &[usize], digits: &str) -> Vec<u8> {
    let (from, to) = (Oracle::new("nchw", "n h w c"), Oracle::new("nchw", digits));
    let at = |index: &[usize]| from.offset(within, &[index[0], index[1], index[2] + start, index[3]]);
    expected(
        dims,
        (memory, at),
        (&vec![9; to.required_len(dims)], &to.padded(dims), |index| to.offset(dims, index)),
    )
}

macro_rules! methods {
    ($view:expr, $expected:expr) => {{
        let expected = $expected;
        let made: Tensor<u8, Nchw16c> = $view.convert();
        assert_same(made.as_slice(), &expected, format_args!("convert"));
        assert!(made.padding_is_zero() && made.as_ptr().addr().is_multiple_of(ALIGNMENT));
        let made: Result<Tensor<u8, Nchw16c>, ReorderError> = $view.try_convert();
        assert_same(made.unwrap().as_slice(), &expected, format_args!("try_convert"));
        // In two steps: bytes that are moved by `to_layout` alone.
        let bytes: Tensor<u8, Nchw> = $view.convert();
        assert_same(bytes.to_layout::<Nchw16c>().as_slice(), &expected, format_args!("to_layout"));
        // And floats, of which not a bit may change.
        let there: Tensor<f32, Nchw16c> = $view.to_layout();
        let back: Tensor<f32, Nhwc> = there.to_layout();
        assert!(back.iter().zip($view.iter()).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert_eq!(back.dims(), $view.dims());
    }};
}

#[test]
fn of_each_type() {
    let within = [2, 17, 5, 3];
    let memory: Vec<f32> = filled(2 * 17 * 5 * 3, 11);
    let mut t = Tensor::<f32, Nhwc>::from_slice(within, &memory).unwrap();
    let whole = memory_of(&memory, &within, 0, &within, "n c/16 h w c%16");
    let part = memory_of(&memory, &within, 2, &[2, 17, 3, 3], "n c/16 h w c%16");
    methods!(t, whole.clone());
    methods!(t.view(), whole.clone());
    methods!(t.as_strided(), whole.clone());
    methods!(t.slice::<'h'>(2..).unwrap(), part.clone());
    methods!(t.view_mut(), whole.clone());
    methods!(t.as_strided_mut(), whole);
    methods!(t.slice_mut::<'h'>(2..).unwrap(), part);
}

#[test]
fn between_double_blocked_layouts() {
    for dims in [[16, 16, 1, 1], [17, 5, 2, 3], [1, 33, 1, 2], [0, 16, 3, 3], [20, 0, 1, 1]] {
        let value = |[o, i, h, w]: [usize; 4]| (((o * 37 + i) * 5 + h) * 5 + w) as i32 - 700;
        let plain = Tensor::<i32, Oihw, _>::from_fn(dims, value).unwrap();
        let blocked = plain.to_layout::<OIhw4i16o4i>();
        let other = blocked.to_layout::<OIhw16i16o>();
        let oracle = Oracle::new("oihw", "o/16 i/16 h w i%16 o%16");
        let mut memory = vec![0; oracle.required_len(&dims)];
        for index in indices(&dims) {
            memory[oracle.offset(&dims, &index)] = value([index[0], index[1], index[2], index[3]]);
        }
        assert_eq!(other.as_slice(), memory, "{dims:?}");
        assert_eq!(other.to_layout::<Oihw>().as_slice(), plain.as_slice(), "{dims:?}");
    }
}

/// A block outside an outer letter: digits first, then the logical axes.
type BlockOutside = Format<(Dim<'n'>, Dim<'c'>, Block<'c', 4>, Dim<'h'>), (Dim<'n'>, Dim<'c'>, Dim<'h'>)>;
type Plain = Format<(Dim<'n'>, Dim<'c'>, Dim<'h'>), (Dim<'n'>, Dim<'c'>, Dim<'h'>)>;

#[test]
fn a_block_outside_an_outer_letter() {
    let plain = Tensor::<u8, Plain, _>::from_fn([1, 5, 3], |[_, c, h]| (10 * c + h + 1) as u8).unwrap();
    let blocked = plain.to_layout::<BlockOutside>();
    let mut memory = vec![1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 42, 43];
    memory.resize(24, 0);
    assert_eq!(blocked.as_slice(), memory);
    let columns = blocked.slice::<'h'>(1..).unwrap();
    assert_eq!(columns.to_layout::<Plain>().as_slice(), [2, 3, 12, 13, 22, 23, 32, 33, 42, 43]);
    let second = blocked.slice::<'c'>(4..).unwrap().convert::<f32, Plain>();
    assert_eq!((second.dims(), second.as_slice()), ([1, 1, 3], &[41.0, 42.0, 43.0][..]));
    let mut halves = blocked.chunks::<'c'>(4).unwrap().map(|half| half.to_layout::<Plain>());
    assert_eq!(halves.next().unwrap().as_slice(), &plain.as_slice()[..12]);
    assert_eq!(halves.next().unwrap().as_slice(), &plain.as_slice()[12..]);
}

#[test]
fn saturated_and_rounded() {
    let values = [-1.0, -0.5, 0.5, 1.5, 2.5, 254.5, 255.5, 1e9, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let v: TensorView<'_, f32, layout_core::layout::Vector> = TensorView::from_slice([11], &values).unwrap();
    assert_eq!(
        v.convert::<u8, layout_core::layout::Vector>().as_slice(),
        [0, 0, 0, 2, 2, 254, 255, 255, 0, 255, 0]
    );
    assert_eq!(
        v.convert::<i8, layout_core::layout::Vector>().as_slice(),
        [-1, 0, 0, 2, 2, 127, 127, 127, 0, 127, -128]
    );
}

#[test]
#[cfg(feature = "half")]
fn halves() {
    use half::{bf16, f16};
    let t = Tensor::<f32, Nhwc, _>::from_fn([1, 3, 2, 2], |[_, c, h, w]| {
        1.0 + (c * 4 + h * 2 + w) as f32 / 1024.0
    });
    let t = t.unwrap();
    let narrow: Tensor<f16, Nchw16c> = t.convert();
    assert!(t.indexed_iter().all(|(index, &x)| narrow[index] == f16::from_f32(x)));
    assert!(narrow.padding_is_zero());
    let narrower: Tensor<bf16, Nchw> = narrow.convert();
    assert!(narrower.iter().all(|&x| x.to_f32() == 1.0 || x.to_f32() == 1.0078125), "{narrower:?}");
    let wide: Tensor<f64, Nhwc> = narrow.convert();
    assert!(t.indexed_iter().all(|(index, &x)| wide[index] == f64::from(f16::from_f32(x))));
}

#[test]
fn rank_0() {
    let t: Tensor<f32, Scalar> = Tensor::filled([], 2.5).unwrap();
    assert_eq!(t.convert::<u8, Scalar>()[[]], 2);
    assert_eq!(t.as_strided().to_layout::<Scalar>()[[]], 2.5);
}
