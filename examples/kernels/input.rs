//! Input for kernels: features of the photograph, and numbers that stand in for trained weights.

use super::picture;
use std::path::Path;

/// The brightness of each 8 x 8 patch of the photograph in `channels` numbers, in c, h, w order, as a network sees it
/// that cuts its picture into patches. The patches of neighbouring rows overlap.
pub(crate) fn features(channels: usize, height: usize, width: usize) -> Vec<f32> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/cat.png");
    let photo = picture::read(&path).expect("the photograph is among the examples' data");
    let (rows, columns) = ((photo.height - 8) / height, (photo.width - 8) / width);
    let mut values = Vec::with_capacity(channels * height * width);
    for c in 0..channels {
        for h in 0..height {
            for w in 0..width {
                let (y, x) = (h * rows + c / 8 % 8, w * columns + c % 8);
                let pixel = &photo.pixels[3 * (y * photo.width + x)..][..3];
                let light = pixel.iter().map(|&byte| f32::from(byte)).sum::<f32>();
                values.push(light / 382.5 - 1.0);
            }
        }
    }
    values
}

/// Numbers between -`scale` and `scale`, the same each time.
pub(crate) fn numbers(len: usize, scale: f32) -> Vec<f32> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..len).map(|_| scale * next()).collect()
}
