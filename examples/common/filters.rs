//! The weights of the two convolutions, in o, i, h, w order as frameworks hold them.

/// Mean and reciprocal deviation of each colour, in units of a byte, as image networks normalise with.
pub(crate) const MEAN: [f32; 3] = [123.7, 116.3, 103.5];
pub(crate) const SCALE: [f32; 3] = [1.0 / 58.4, 1.0 / 57.1, 1.0 / 57.4];

/// Channels between the convolutions.
pub(crate) const FEATURES: usize = 16;

const SOBEL: [[f32; 3]; 3] = [[-0.25, 0.0, 0.25], [-0.5, 0.0, 0.5], [-0.25, 0.0, 0.25]];
const BLUR: [[f32; 3]; 3] = [[0.0625, 0.125, 0.0625], [0.125, 0.25, 0.125], [0.0625, 0.125, 0.0625]];
const LAPLACE: [[f32; 3]; 3] = [[0.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 0.0]];

const LUMA: [f32; 3] = [0.3, 0.59, 0.11];
const RED_GREEN: [f32; 3] = [1.0, -1.0, 0.0];
const BLUE_YELLOW: [f32; 3] = [-0.5, -0.5, 1.0];

/// 3 -> 16 channels, 3 x 3: edges of brightness in eight directions, then blurred brightness, two blurred differences of
/// colour and fine detail, each once for light and once for dark, because what is negative is cut off behind it.
pub(crate) fn features() -> Vec<f32> {
    let mut weights = Vec::new();
    for direction in 0..8 {
        let (sin, cos) = (direction as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
        weights.extend(filter(LUMA, |y, x| cos * SOBEL[y][x] + sin * SOBEL[x][y]));
    }
    for (colors, kernel) in [(LUMA, BLUR), (RED_GREEN, BLUR), (BLUE_YELLOW, BLUR), (LUMA, LAPLACE)] {
        for sign in [1.0, -1.0] {
            weights.extend(filter(colors, |y, x| sign * kernel[y][x]));
        }
    }
    weights
}

fn filter(colors: [f32; 3], kernel: impl Fn(usize, usize) -> f32) -> Vec<f32> {
    let mut weights = Vec::new();
    for color in colors {
        for y in 0..3 {
            weights.extend((0..3).map(|x| color * kernel(y, x)));
        }
    }
    weights
}

/// 16 -> 3 channels, 1 x 1: each direction glows in its own hue over a dim picture. The result is in units of a byte.
pub(crate) fn picture() -> Vec<f32> {
    let mut weights = Vec::new();
    for color in 0..3 {
        for direction in 0..8 {
            let turn = direction as f32 / 8.0 - color as f32 / 3.0;
            weights.push(170.0 * (0.5 + 0.5 * (std::f32::consts::TAU * turn).cos()));
        }
        let [red_green, blue_yellow] = [[10.0, -10.0, 0.0], [-6.0, -6.0, 12.0]].map(|tint| tint[color]);
        for weight in [45.0, red_green, blue_yellow, 20.0] {
            weights.extend([weight, -weight]);
        }
    }
    weights
}
