//! A picture as pixels, for PNG: rectangles, stripes and a font of fixed width are all that it has. Called by `draw`.

use layout_core::picture::{Anchor, Fill, Picture, Rgb, Shape};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

/// Pixels for each pixel of the picture, so that it is sharp on today's screens.
const SCALE: u32 = 2;
/// The width of a letter in hundredths of its height, for which a picture leaves room.
const ADVANCE: u32 = 61;
const WHITE: Rgb = [255; 3];
const BORDER: Rgb = [0x66; 3];
const STRIPE: Rgb = [0x99; 3];
const INK: Rgb = [0x11; 3];

/// Pixels, row by row.
struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// The picture as a PNG file.
pub(crate) fn png(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let image = Image::of(picture);
    let Image { width, height, .. } = image;
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.pixels)?;
    writer.finish()?;
    Ok(out)
}

impl Image {
    fn of(picture: &Picture) -> Image {
        let (width, height) = (picture.width() * SCALE, picture.height() * SCALE);
        let pixels = vec![255; width as usize * height as usize * 3];
        let mut image = Image { width, height, pixels };
        for shape in picture.shapes() {
            match shape {
                Shape::Rect { x, y, width, height, fill } => {
                    image.rect([x, y, width, height].map(|n| n * SCALE), *fill);
                }
                Shape::Text { x, y, size, anchor, bold, text } => {
                    image.text(x * SCALE, y * SCALE, size * SCALE, *anchor, *bold, text);
                }
                _ => {}
            }
        }
        image
    }

    /// Mixes `colour` into a pixel; outside the image nothing happens.
    fn mix(&mut self, x: u32, y: u32, colour: Rgb, share: u8) {
        if x >= self.width || y >= self.height {
            return;
        }
        let at = (y as usize * self.width as usize + x as usize) * 3;
        for (pixel, new) in self.pixels[at..at + 3].iter_mut().zip(colour) {
            let (old, new, share) = (u32::from(*pixel), u32::from(new), u32::from(share));
            *pixel = ((old * (255 - share) + new * share) / 255) as u8;
        }
    }

    fn rect(&mut self, [left, top, width, height]: [u32; 4], fill: Fill) {
        for y in top..=top + height {
            for x in left..=left + width {
                let edge = y == top || y == top + height || x == left || x == left + width;
                let colour = match fill {
                    _ if edge => BORDER,
                    Fill::Solid(colour) => colour,
                    // From the lower left to the upper right.
                    Fill::Hatched if (x + y) % (6 * SCALE) < SCALE => STRIPE,
                    _ => WHITE,
                };
                self.mix(x, y, colour, 255);
            }
        }
    }

    fn text(&mut self, x: u32, y: u32, size: u32, anchor: Anchor, bold: bool, text: &str) {
        let weight = if bold { FontWeight::Bold } else { FontWeight::Regular };
        let raster = if size >= 22 { RasterHeight::Size32 } else { RasterHeight::Size16 };
        let glyph = get_raster_width(weight, raster) as u32;
        // The place of letter `n`, in hundredths of a pixel so that a line of many is no wider than the picture has for it.
        let step = (glyph * 100).min(size * ADVANCE);
        let at = |n: u32| (u64::from(n) * u64::from(step) / 100) as u32;
        let width = at(text.chars().count() as u32);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::End => x.saturating_sub(width),
            _ => x.saturating_sub(width / 2),
        };
        // The base line of this font is at four fifths of its height.
        let top = y.saturating_sub(raster.val() as u32 * 4 / 5);
        for (n, letter) in (0..).zip(text.chars()) {
            let left = left + at(n);
            match letter {
                '\u{2026}' => (0..3).for_each(|i| self.dot(left + glyph * (2 * i + 1) / 6, y - SCALE)),
                '\u{22ee}' => (0..3).for_each(|i| self.dot(left + glyph / 2, y - SCALE * (1 + 4 * i))),
                _ => self.glyph(left, top, letter, weight, raster),
            }
        }
    }

    fn glyph(&mut self, left: u32, top: u32, letter: char, weight: FontWeight, raster: RasterHeight) {
        let Some(glyph) = get_raster(letter, weight, raster).or_else(|| get_raster('?', weight, raster))
        else {
            return;
        };
        for (y, row) in (top..).zip(glyph.rows()) {
            for (x, share) in (left..).zip(row) {
                self.mix(x, y, INK, *share);
            }
        }
    }

    fn dot(&mut self, x: u32, y: u32) {
        (0..SCALE).for_each(|dy| (0..SCALE).for_each(|dx| self.mix(x + dx, y + dy, INK, 255)));
    }
}

#[cfg(test)]
mod tests {
    use super::Image;
    use layout_core::descriptor::Descriptor;

    /// Nothing is cut off: the margin is as white on the right and at the bottom as it is on the left and at the top.
    #[test]
    fn margins_are_white() {
        for tensor in [
            "f32:nChw8c:1x17x2x2",
            "f32:nChw8c:1x3x2x2",
            "f32:OIhw4i16o4i:16x16x1x1",
            "f32:OIdhw8i16o2i:20x18x2x1x3",
            "f32:nChw16c:1x20x2x3",
            "u8:abcdefghijkl:2x1x2x1x2x1x2x1x2x1x2x3",
            "f32:BA2a.0_4b2b4a.1_4b:40x40",
            "f32:ab:1000000x1000000",
            "f32:ab:3x4:strides=-8x1:base=16",
            "f32:nchw:0x2x3x4",
            "f32:scalar",
        ] {
            let image = Image::of(&tensor.parse::<Descriptor>().unwrap().picture());
            let rows: Vec<&[u8]> = image.pixels.chunks(image.width as usize * 3).collect();
            let is_white = |pixels: &[u8]| pixels.iter().all(|&part| part == 255);
            const MARGIN: usize = 24;
            for (y, row) in rows.iter().enumerate() {
                let (left, right) = (&row[..MARGIN * 3], &row[row.len() - MARGIN * 3..]);
                assert!(is_white(left) && is_white(right), "{tensor}: ink beside line {y}");
                let is_inside = (MARGIN..rows.len() - MARGIN).contains(&y);
                assert!(is_inside || is_white(row), "{tensor}: ink in line {y} of {}", rows.len());
            }
        }
    }
}
