//! `reorder_with` between views: dense and strided, parts off blocks, and what it refuses.

use layout_core::layout::{Nchw, Nchw16c, Nhwc};
use layout_core::reorder::{
    Attributes, Normalization, Values, asymmetric_scale, quantise, reorder_with, symmetric_scale,
};
use layout_core::view::Tensor;

#[test]
fn parts_of_tensors() {
    let image: Tensor<u8, Nhwc> =
        Tensor::from_fn([2, 20, 5, 6], |[n, c, h, w]| (n * 90 + c * 7 + h * 3 + w) as u8).unwrap();
    let mut act: Tensor<f32, Nchw16c> = Tensor::filled([2, 20, 5, 6], -3.0).unwrap();
    let scales = [0.5, 1.5, 2.5, 3.5];
    let zero_points = [40, 39, 38, 37];
    let attributes = Attributes::new()
        .src_scale(Values::per_axis('c', &scales))
        .src_zero_point(Values::per_axis('c', &zero_points));
    // The last channels, which have a block of their own.
    let part = act.slice_mut::<'c'>(16..20).unwrap();
    reorder_with(image.slice::<'c'>(5..9).unwrap(), part, &attributes).unwrap();
    for n in 0..2 {
        for c in 0..20 {
            for h in 0..5 {
                for w in 0..6 {
                    let expected = match c {
                        16..20 => {
                            let x = image[[n, c - 11, h, w]] as f32 - zero_points[c - 16] as f32;
                            x * scales[c - 16]
                        }
                        _ => -3.0,
                    };
                    assert_eq!(act[[n, c, h, w]], expected, "{:?}", [n, c, h, w]);
                }
            }
        }
    }
}

#[test]
fn pictures_and_back() {
    const NORMAL: Normalization<3> =
        Normalization::new([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]).of_range(255.0);
    let image: Tensor<u8, Nhwc> =
        Tensor::from_fn([1, 3, 61, 67], |[_, c, h, w]| (c * 50 + h * 67 + w) as u8).unwrap();
    let mut planes: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 61, 67]).unwrap();
    reorder_with(&image, &mut planes, &NORMAL.attributes('c')).unwrap();
    for c in 0..3 {
        for (h, w) in [(0, 0), (17, 33), (60, 66)] {
            let expected = (image[[0, c, h, w]] as f32 - NORMAL.mean()[c]) * (1.0 / NORMAL.std()[c]);
            assert_eq!(planes[[0, c, h, w]], expected);
        }
    }
    let mut back: Tensor<u8, Nhwc> = Tensor::zeroed([1, 3, 61, 67]).unwrap();
    reorder_with(&planes, &mut back, &NORMAL.inverse('c')).unwrap();
    assert_eq!(back.as_slice(), image.as_slice());
}

#[test]
fn refused() {
    let image: Tensor<u8, Nhwc> = Tensor::zeroed([1, 4, 2, 2]).unwrap();
    let mut planes: Tensor<f32, Nchw> = Tensor::filled([1, 4, 2, 2], 5.0).unwrap();
    let three = Normalization::new([0.0; 3], [1.0; 3]);
    let error = reorder_with(&image, &mut planes, &three.attributes('c')).unwrap_err();
    assert_eq!(error.to_string(), "the source zero point has 3 values, but axis `c` has extent 4");
    assert!(planes.as_slice().iter().all(|&x| x == 5.0));
}

/// The reciprocal of a scale has to be finite, or every number becomes the largest.
#[test]
fn scales_of_tiny_and_of_huge_numbers() {
    let of = |numbers: [f32; 3]| {
        Tensor::<f32, layout_core::layout::Vector>::from_vec([3], numbers.to_vec()).unwrap()
    };
    let mut small = Tensor::<i8, layout_core::layout::Vector>::zeroed([3]).unwrap();
    for most in [1e-37f32, 1e-36, 1e-44, 3e38] {
        let tensor = of([most, most / 2.0, 0.0]);
        let scale = symmetric_scale(&tensor, 127.0);
        assert!(scale.recip().is_finite() && scale >= f32::MIN_POSITIVE, "{most}: {scale}");
        quantise(&tensor, &mut small, scale).unwrap();
        for (i, &q) in small.as_slice().iter().enumerate() {
            let exact = f64::from(tensor.as_slice()[i]) / f64::from(scale);
            assert!((f64::from(q) - exact).abs() <= 0.51, "{most}: {q} for {exact}");
        }
    }
    let (scale, zero_point) = asymmetric_scale(of([-3e38, 3e38, 0.0]), 0.0, 255.0);
    assert!((f64::from(scale) / (6e38 / 255.0) - 1.0).abs() < 1e-6, "{scale}");
    assert_eq!(zero_point, 128);
}
