//! The same work on plain NCHW slices, as it is written where nobody thought of layouts: the yardstick of the examples,
//! and the oracle of their results.

use super::filters::{self, FEATURES, MEAN, SCALE};
use super::picture::Picture;
use super::timed;
use std::time::Duration;

/// What came of a photograph, and how long each of the five steps took.
pub(crate) struct Plain {
    pub(crate) colors: Vec<f32>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) times: [Duration; 5],
}

/// The whole job.
pub(crate) fn run(photo: &Picture) -> Plain {
    let (h, w) = (photo.height, photo.width);
    let (to_features, to_colors) = (filters::features(), filters::picture());
    let [mut input, mut features, mut colors] = [3, FEATURES, 3].map(|channels| vec![0.0; channels * h * w]);
    let mut bytes = vec![0; 3 * h * w];
    let times = [
        timed(|| normalise(&photo.pixels, &mut input, [3, h, w])),
        timed(|| convolve(&input, &to_features, &mut features, [FEATURES, 3, 3], [h, w])),
        timed(|| relu(&mut features)),
        timed(|| convolve(&features, &to_colors, &mut colors, [3, FEATURES, 1], [h, w])),
        timed(|| to_bytes(&colors, &mut bytes, [3, h, w])),
    ];
    Plain { colors, bytes, times }
}

/// Bytes in h, w, c order to normalised floats in c, h, w order.
fn normalise(pixels: &[u8], out: &mut [f32], [c, h, w]: [usize; 3]) {
    for k in 0..c {
        for y in 0..h {
            for x in 0..w {
                out[(k * h + y) * w + x] = (f32::from(pixels[(y * w + x) * c + k]) - MEAN[k]) * SCALE[k];
            }
        }
    }
}

/// A convolution of odd window `k` x `k` with zeros around the picture: `input` is [i, h, w], `weights` [o, i, k, k].
fn convolve(input: &[f32], weights: &[f32], out: &mut [f32], [o, i, k]: [usize; 3], [h, w]: [usize; 2]) {
    for to in 0..o {
        for y in 0..h {
            for x in 0..w {
                let mut sum = 0.0;
                for from in 0..i {
                    for ky in 0..k {
                        for kx in 0..k {
                            let (sy, sx) = (y + ky, x + kx);
                            if sy < k / 2 || sx < k / 2 || sy - k / 2 >= h || sx - k / 2 >= w {
                                continue;
                            }
                            sum += input[(from * h + sy - k / 2) * w + sx - k / 2]
                                * weights[((to * i + from) * k + ky) * k + kx];
                        }
                    }
                }
                out[(to * h + y) * w + x] = sum;
            }
        }
    }
}

/// Cuts off what is negative.
fn relu(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

/// Floats in c, h, w order to bytes in h, w, c order, rounded to the nearest and saturated.
fn to_bytes(values: &[f32], out: &mut [u8], [c, h, w]: [usize; 3]) {
    for k in 0..c {
        for y in 0..h {
            for x in 0..w {
                out[(y * w + x) * c + k] = values[(k * h + y) * w + x].round_ties_even() as u8;
            }
        }
    }
}
