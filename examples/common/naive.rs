//! The same work on plain NCHW slices, as it is written where nobody thought of layouts: the yardstick of the examples,
//! and the oracle of their results.

/// Bytes in h, w, c order to normalised floats in c, h, w order.
pub fn normalise(pixels: &[u8], [c, h, w]: [usize; 3], mean: &[f32], scale: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; c * h * w];
    for k in 0..c {
        for y in 0..h {
            for x in 0..w {
                out[(k * h + y) * w + x] = (f32::from(pixels[(y * w + x) * c + k]) - mean[k]) * scale[k];
            }
        }
    }
    out
}

/// A convolution of odd window `k` x `k` with zeros around the picture: `input` is [i, h, w], `weights` [o, i, k, k].
pub fn convolve(input: &[f32], weights: &[f32], [o, i, k]: [usize; 3], [h, w]: [usize; 2]) -> Vec<f32> {
    let mut out = vec![0.0; o * h * w];
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
    out
}

/// Cuts off what is negative.
pub fn relu(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

/// Floats in c, h, w order to bytes in h, w, c order, rounded to the nearest and saturated.
pub fn to_bytes(values: &[f32], [c, h, w]: [usize; 3]) -> Vec<u8> {
    let mut out = vec![0; c * h * w];
    for k in 0..c {
        for y in 0..h {
            for x in 0..w {
                out[(y * w + x) * c + k] = values[(k * h + y) * w + x].round_ties_even() as u8;
            }
        }
    }
    out
}
