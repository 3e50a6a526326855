//! The offset formulas of the oneDNN guide ("Understanding Memory Formats"), written out, over its 2x16x5x4 tensor.

use layout_core::layout::{Chwn, Layout, Nchw, Nchw8c, Nchw32c, Nhwc};
use layout_core::shape::fixed;

fn check<L: Layout<Index = [usize; 4]>>(
    dims: [usize; 4],
    formula: impl Fn(usize, usize, usize, usize) -> usize,
) {
    let mapping = L::mapping(dims).unwrap();
    for n in 0..dims[0] {
        for c in 0..dims[1] {
            for h in 0..dims[2] {
                for w in 0..dims[3] {
                    assert_eq!(
                        mapping.offset([n, c, h, w]),
                        Ok(formula(n, c, h, w)),
                        "{:?} {n} {c} {h} {w}",
                        L::default()
                    );
                }
            }
        }
    }
}

#[test]
#[allow(non_snake_case, reason = "the guide's names: upper case for extents")]
fn the_four_formulas() {
    let dims @ [_N, C, H, W] = [2, 16, 5, 4];
    check::<Nchw>(dims, |n, c, h, w| n * C * H * W + c * H * W + h * W + w);
    check::<Nhwc>(dims, |n, c, h, w| n * H * W * C + h * W * C + w * C + c);
    check::<Chwn>(dims, |n, c, h, w| c * H * W * 2 + h * W * 2 + w * 2 + n);
    check::<Nchw8c>(dims, |n, c, h, w| n * C * H * W + (c / 8) * H * W * 8 + h * W * 8 + w * 8 + (c % 8));
}

#[test]
fn seventeen_channels_in_blocks_of_eight() {
    let dims = [2, 17, 5, 4];
    assert_eq!(Nchw8c::padded_dims(dims), Ok([2, 24, 5, 4]));
    // stride_n uses C_padded; stride_C = H * W * 8; stride_h = W * 8; stride_w = 8
    assert_eq!(Nchw8c::strides(dims), Ok([24 * 5 * 4, 5 * 4 * 8, 4 * 8, 8]));
    assert_eq!(Nchw8c::INNER_BLOCKS, [(1, 8)]);
    assert_eq!(Nchw8c::required_len(dims), Ok(2 * 24 * 5 * 4));
}

#[test]
fn pytorch_strides() {
    assert_eq!(Nchw::strides([1, 64, 5, 4]), Ok([1280, 20, 4, 1]));
    assert_eq!(Nhwc::strides([1, 64, 5, 4]), Ok([1280, 1, 256, 64]));
}

#[test]
fn cudnn_nc32hw32() {
    // Two groups of 32 channels, each laid out as NHWC.
    check::<Nchw32c>([1, 64, 5, 4], |_, c, h, w| (c / 32) * 5 * 4 * 32 + (h * 4 + w) * 32 + c % 32);
}

#[test]
fn static_extents_give_the_same_offsets() {
    let dynamic = Nchw8c::mapping([2, 17, 5, 4]).unwrap();
    let mixed = Nchw8c::mapping((2usize, fixed::<17>(), 5usize, fixed::<4>())).unwrap();
    let all_static = Nchw8c::mapping((fixed::<2>(), fixed::<17>(), fixed::<5>(), fixed::<4>())).unwrap();
    assert_eq!(size_of_val(&mixed), 2 * size_of::<usize>());
    assert_eq!(size_of_val(&all_static), 0);
    for c in 0..17 {
        let index = [1, c, 4, 3];
        assert_eq!(dynamic.offset(index), mixed.offset(index));
        assert_eq!(dynamic.offset(index), all_static.offset(index));
    }
    assert_eq!(all_static.padded_dims(), [2, 24, 5, 4]);
}
