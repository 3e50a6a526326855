//! The worked examples of the guides, to the number: oneDNN and MKL-DNN 0.95 "Understanding Memory Formats",
//! cuDNN's NC/32HW32, OpenVINO's "GPU Memory Formats", PyTorch's strides.

use crate::oracle::{check, dense, indices, laid_out};
use layout_core::descriptor::{DType, Descriptor, Location};

/// The guides' tensor: batch 2, 16 channels, 5 x 4.
const N: usize = 2;
const C: usize = 16;
const H: usize = 5;
const W: usize = 4;

/// "Plain data formats" and "Blocked layout": the offset functions as the guides print them.
#[test]
fn four_offset_formulas_over_the_whole_tensor() {
    let nchw = |n, c, h, w| n * C * H * W + c * H * W + h * W + w;
    let nhwc = |n, c, h, w| n * H * W * C + h * W * C + w * C + c;
    let chwn = |n, c, h, w| c * H * W * N + h * W * N + w * N + n;
    let n_chw8c = |n, c, h, w| n * C * H * W + (c / 8) * H * W * 8 + h * W * 8 + w * 8 + (c % 8);
    type Formula = fn(usize, usize, usize, usize) -> usize;
    let formulas: [(&str, Formula); 4] =
        [("nchw", nchw), ("nhwc", nhwc), ("chwn", chwn), ("nChw8c", n_chw8c)];
    for (format, formula) in formulas {
        let d = dense(&[N, C, H, W], format);
        for index in indices(&[N, C, H, W]) {
            let [n, c, h, w] = index[..] else { unreachable!() };
            assert_eq!(d.offset(&index), Ok(formula(n, c, h, w)), "{format} {index:?}");
        }
        assert_eq!(
            (d.logical_len(), d.padded_len(), d.required_len(), d.size_bytes()),
            (640, 640, 640, 2560)
        );
        assert!(d.is_dense());
        assert_eq!(d.is_plain(), format != "nChw8c");
    }
}

/// "Generalization of the plain data layout": a row-major matrix with a stride larger than its columns, and the four
/// plain formats as special cases of strides.
#[test]
fn strides_with_a_leading_dimension() {
    let (rows, columns, leading) = (5, 4, 7);
    let d = Descriptor::from_strides(DType::F32, &[rows, columns], &[leading as isize, 1]).unwrap();
    for index in indices(&[rows, columns]) {
        assert_eq!(d.offset(&index), Ok(index[0] * leading + index[1]));
    }
    assert_eq!(d.locate(4), Ok(Location::Unused));
    assert_eq!((d.required_len(), d.size_bytes(), d.padded_len()), (4 * 7 + 4, 128, 20));
    assert!(!d.is_dense() && d.is_plain());
    check(&d);

    for (format, strides) in [
        ("nchw", [C * H * W, H * W, W, 1]),
        ("nhwc", [H * W * C, 1, W * C, C]),
        ("chwn", [1, H * W * N, W * N, N]),
    ] {
        let strides = strides.map(|s| s as isize);
        let d = Descriptor::with_strides(DType::F32, &[N, C, H, W], format, &strides).unwrap();
        assert_eq!(d, dense(&[N, C, H, W], format));
        assert_eq!(*d.strides(), strides);
        assert!(Descriptor::from_strides(DType::F32, &[N, C, H, W], &strides).unwrap().same_bytes(&d));
    }
}

/// "What if channels are not multiples of 8 (or 16)?", in the words of both guides.
#[test]
fn seventeen_channels_in_blocks_of_eight() {
    let c_padded = 24;
    let d = dense(&[N, 17, H, W], "nChw8c");
    assert_eq!(d.dims(), [N, 17, H, W]);
    assert_eq!(d.padded_dims(), [N, c_padded, H, W]);
    let strides = [c_padded * H * W, H * W * 8, W * 8, 8].map(|s| s as isize);
    assert_eq!(*d.strides(), strides);
    assert_eq!(d.inner_blocks().len(), 1);
    assert_eq!(d.inner_blocks().collect::<Vec<_>>(), [(1, 8)]);
    assert_eq!(d.size_bytes(), 4 * N * c_padded * H * W);
    assert_eq!(d.padding_share(), 7.0 / 24.0);

    let old = d.blocking_095().unwrap();
    assert_eq!(old.strides[0][..4], strides);
    assert_eq!(old.strides[1][1], 1);
    assert_eq!(old.padding_dims[..4], [N, c_padded, H, W]);
    check(&d);
}

/// MKL-DNN 0.95, "Blocked layout": the `blocking` structure of nChw8c, and its offset rule on other formats.
#[test]
fn blocking_structure_of_0_95() {
    let old = dense(&[N, C, H, W], "nChw8c").blocking_095().unwrap();
    assert_eq!(old.block_dims[..4], [1, 8, 1, 1]);
    assert_eq!(old.strides[0][..4], [C * H * W, H * W * 8, W * 8, 8].map(|s| s as isize));
    assert_eq!(old.strides[1][..4], [1, 1, 1, 1]);
    assert_eq!(old.padding_dims[..4], [N, C, H, W]);
    assert_eq!((old.offset_padding, old.offset_padding_to_data), (0, [0; 12]));

    for format in ["nchw", "nhwc", "NChw2n8c", "nCHw4h8c", "NchW2w2n"] {
        let d = dense(&[3, 17, H, W], format).with_base(11).unwrap();
        let old = d.blocking_095().unwrap();
        for index in indices(d.dims()) {
            let place = |d: usize| {
                let (block, within) = (index[d] / old.block_dims[d], index[d] % old.block_dims[d]);
                block * old.strides[0][d] as usize + within * old.strides[1][d] as usize
            };
            assert_eq!(
                d.offset(&index),
                Ok(old.offset_padding + (0..4).map(place).sum::<usize>()),
                "{format}"
            );
        }
    }
    assert_eq!(dense(&[64, 32, 3, 3], "OIhw4i16o4i").blocking_095(), None);
}

/// cuDNN's NC/32HW32 with 1 x 64 x 5 x 4: NC/xHWx is NCHW for x = 1 and NHWC for x = C.
#[test]
fn nc_32_hw_32() {
    let dims = [1, 64, 5, 4];
    let nc_x_hw_x = |x: usize, c: usize, h: usize, w: usize| (c / x) * 5 * 4 * x + h * 4 * x + w * x + c % x;
    for index in indices(&dims) {
        let [_, c, h, w] = index[..] else { unreachable!() };
        assert_eq!(dense(&dims, "nChw32c").offset(&index), Ok(nc_x_hw_x(32, c, h, w)));
        assert_eq!(dense(&dims, "nchw").offset(&index), Ok(nc_x_hw_x(1, c, h, w)));
        assert_eq!(dense(&dims, "nhwc").offset(&index), Ok(nc_x_hw_x(64, c, h, w)));
        assert_eq!(dense(&dims, "nChw64c").offset(&index), Ok(nc_x_hw_x(64, c, h, w)));
    }
    assert!(dense(&dims, "nChw64c").same_bytes(&dense(&dims, "nhwc")));
    assert!(!dense(&dims, "nChw32c").same_bytes(&dense(&dims, "nhwc")));
    assert_eq!(*dense(&dims, "nChw32c").strides(), [1280, 640, 128, 32]);
}

/// OpenVINO, "GPU Memory Formats": the sixteen lines of bfyx, printed as [b, f, y, x].
#[test]
fn openvino_bfyx() {
    let lines = [
        [0, 0, 0, 0],
        [0, 0, 0, 1],
        [0, 0, 1, 0],
        [0, 0, 1, 1],
        [0, 1, 0, 0],
        [0, 1, 0, 1],
        [0, 1, 1, 0],
        [0, 1, 1, 1],
        [1, 0, 0, 0],
        [1, 0, 0, 1],
        [1, 0, 1, 0],
        [1, 0, 1, 1],
        [1, 1, 0, 0],
        [1, 1, 0, 1],
        [1, 1, 1, 0],
        [1, 1, 1, 1],
    ];
    let d = dense(&[2, 2, 2, 2], "nchw");
    assert_eq!(d.required_len(), 16);
    for (i, line) in lines.iter().enumerate() {
        let Location::Element(index) = d.locate(i).unwrap() else { panic!("{i} is no element") };
        assert_eq!(*index, line[..]);
        assert_eq!(d.offset(line), Ok(i));
    }
}

/// The same tensor in b_fs_yx_fsv16: 128 positions, of which the guide prints the first of each (b, y, x) with f from
/// 0 to 15; 16 positions a (b, y, x), of which f = 2 to 15 are padding.
#[test]
fn openvino_b_fs_yx_fsv16() {
    let d = dense(&[2, 2, 2, 2], "nChw16c");
    assert_eq!(d.padded_dims(), [2, 16, 2, 2]);
    assert_eq!(d.required_len(), 128);
    let starts = [
        (0, [0, 0, 0]),
        (16, [0, 0, 1]),
        (32, [0, 1, 0]),
        (48, [0, 1, 1]),
        (64, [1, 0, 0]),
        (80, [1, 0, 1]),
        (96, [1, 1, 0]),
        (112, [1, 1, 1]),
    ];
    for (start, [b, y, x]) in starts {
        for f in 0..16 {
            let i = start + f;
            assert_eq!(d.offset_unchecked(&[b, f, y, x]), i);
            match d.locate(i).unwrap() {
                Location::Element(index) => assert!(f < 2 && index[..] == [b, f, y, x]),
                other => assert!(f >= 2 && other == Location::Padding),
            }
        }
    }
}

/// PyTorch: strides of contiguous and channels-last memory, and the storage printed for 1 x 3 x 2 x 2.
#[test]
fn pytorch_strides_and_storage() {
    assert_eq!(*dense(&[1, 64, 5, 4], "nchw").strides(), [1280, 20, 4, 1]);
    assert_eq!(*dense(&[1, 64, 5, 4], "nhwc").strides(), [1280, 1, 256, 64]);
    for (strides, format) in [([1280, 20, 4, 1], "abcd"), ([1280, 1, 256, 64], "acdb")] {
        let d = Descriptor::from_strides(DType::F32, &[1, 64, 5, 4], &strides).unwrap();
        assert_eq!(d, dense(&[1, 64, 5, 4], format));
    }

    let storage = [14, 16, 20, 11, 8, 26, 15, 18, 29, 21, 10, 3];
    let channels_last = [14, 8, 29, 16, 26, 21, 20, 15, 10, 11, 18, 3];
    let (nchw, nhwc) = (dense(&[1, 3, 2, 2], "nchw"), dense(&[1, 3, 2, 2], "nhwc"));
    for index in indices(&[1, 3, 2, 2]) {
        assert_eq!(channels_last[nhwc.offset(&index).unwrap()], storage[nchw.offset(&index).unwrap()]);
    }
    assert_eq!(nhwc.offset(&[0, 1, 0, 0]), Ok(1));

    // Transposing axes 0 and 2 of the contiguous tensor: shape (2, 3, 1, 2), strides (2, 4, 12, 1), same storage.
    let transposed = Descriptor::from_strides(DType::F32, &[2, 3, 1, 2], &[2, 4, 12, 1]).unwrap();
    for index in indices(&[2, 3, 1, 2]) {
        assert_eq!(transposed.offset(&index), nchw.offset(&[index[2], index[1], index[0], index[3]]));
    }
    assert_eq!(transposed.to_string(), "f32:cbad:2x3x1x2");
}

/// Every format of the examples laid out by counting through memory.
#[test]
fn formats_are_read_outermost_first() {
    for (letters, format) in [
        ("nchw", "nhwc"),
        ("nchw", "nChw16c"),
        ("nchw", "NChw2n8c"),
        ("oihw", "OIhw4i16o4i"),
        ("oihw", "OIhw8i8o"),
        ("goihw", "gOIhw4o4i"),
        ("ncdhw", "nCdhw4c"),
        ("tnc", "ntc"),
        ("ldigo", "ldgoi"),
        ("oihw", "IOhw4i3o"),
    ] {
        let dims = [3, 17, 6, 2, 3];
        let d = dense(&dims[..letters.len()], format);
        for (offset, index) in laid_out(letters, format, d.dims()).iter().enumerate() {
            assert_eq!(d.offset_unchecked(index), offset, "{format} {index:?}");
        }
        check(&d);
    }
}
