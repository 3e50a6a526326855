//! PNG files as bytes in n, h, w, c order, 8 bits a channel.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

/// An RGB picture, row by row.
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<u8>,
}

/// Reads an 8-bit RGB file.
pub(crate) fn read(path: &Path) -> Result<Picture, Box<dyn Error>> {
    let file = File::open(path).map_err(|error| format!("cannot open {}: {error}", path.display()))?;
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
    let info = reader.next_frame(&mut pixels)?;
    if (info.color_type, info.bit_depth) != (png::ColorType::Rgb, png::BitDepth::Eight) {
        let (color, depth) = (info.color_type, info.bit_depth);
        return Err(format!("{} is {color:?} of depth {depth:?}, not 8-bit RGB", path.display()).into());
    }
    pixels.truncate(info.buffer_size());
    Ok(Picture { width: info.width as usize, height: info.height as usize, pixels })
}

/// Writes an 8-bit RGB file, and the folders that lead to it.
pub(crate) fn write(path: &Path, width: usize, height: usize, pixels: &[u8]) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let file = File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), width.try_into()?, height.try_into()?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(())
}
