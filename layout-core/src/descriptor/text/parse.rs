//! From text to a descriptor. The text may come from anywhere: every number, product and stride is checked, nothing is
//! allocated, and whatever is wrong is an error with its position.

use super::super::strided::Broadcast;
use super::super::{DType, Descriptor, DescriptorError, MAX_OUTER, ParseDescriptorError, PerAxis};
use super::{BASE, HALO, ORIGIN, PADDED, PARTS, SCALAR, STRIDES};
use crate::grammar::{MAX_RANK, Spec};
use core::str::FromStr;

impl FromStr for Descriptor {
    type Err = ParseDescriptorError;

    /// ```
    /// use layout_core::descriptor::Descriptor;
    /// let d: Descriptor = "f32:nChw16c:2x17x5x4".parse()?;
    /// assert_eq!(d.padded_dims(), [2, 32, 5, 4]);
    /// let strided: Descriptor = "u8:nhwc:1x3x2x2:strides=40x1x8x3:base=5".parse()?;
    /// assert_eq!(strided.to_string(), "u8:nhwc:1x3x2x2:strides=40x1x8x3:base=5");
    /// assert_eq!("f32:nchw:2x17x5y4".parse::<Descriptor>().unwrap_err().position(), 15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_str(text: &str) -> Result<Descriptor, ParseDescriptorError> {
        let (dtype, start) = text
            .split_once(':')
            .and_then(|(name, _)| Some((DType::from_name(name)?, name.len() + 1)))
            .ok_or(ParseDescriptorError::DType { position: 0 })?;
        let shape = &text[start..];
        let shape =
            PARTS.into_iter().filter_map(|part| shape.find(part)).min().map_or(shape, |end| &shape[..end]);
        let shape_end = start + shape.len();
        let mut cursor = Cursor { text, at: shape_end };
        let [padded, origin, halo] = [
            cursor.part::<usize, MAX_RANK>(PADDED)?,
            cursor.part::<usize, MAX_RANK>(ORIGIN)?,
            cursor.part::<usize, MAX_RANK>(HALO)?,
        ];
        let strides = cursor.part::<isize, MAX_OUTER>(STRIDES)?;
        let base_at = cursor.at + BASE.len();
        let base = if cursor.skip(BASE) { Some(cursor.number()?) } else { None };
        if cursor.at < text.len() {
            return Err(ParseDescriptorError::Part { position: cursor.at });
        }

        let (spec, dims_at, dims) = if shape == SCALAR {
            (Spec::SCALAR, start, PerAxis::filled(0, 0))
        } else {
            // A format may contain a colon, extents cannot.
            let (format, _) =
                shape.rsplit_once(':').ok_or(ParseDescriptorError::MissingExtents { position: shape_end })?;
            let dims_at = start + format.len() + 1;
            if text[dims_at..shape_end].contains('=') {
                // No extents, but a part whose name is none.
                return Err(ParseDescriptorError::Part { position: dims_at - 1 });
            }
            let mut cursor = Cursor { text: &text[..shape_end], at: dims_at };
            let (dims, rank) = cursor.numbers::<usize, MAX_RANK>()?;
            if cursor.at < shape_end {
                return Err(ParseDescriptorError::Number { position: cursor.at });
            }
            let spec = Spec::parse_for_bits(format, rank, dtype.bits()).map_err(|error| {
                ParseDescriptorError::Descriptor {
                    position: start + error.position(),
                    error: DescriptorError::Format(error),
                }
            })?;
            (spec, dims_at, PerAxis::new(rank, dims))
        };

        let refused = |position| move |error| ParseDescriptorError::Descriptor { position, error };
        let mut out = Descriptor::unplaced(dtype, &dims, spec)
            .map_err(|error| refused(dims_at)(DescriptorError::Size(error)))?;
        let mut window = out.window();
        for part in [&padded, &origin, &halo].into_iter().flatten() {
            if part.len != out.rank() {
                let error = DescriptorError::PaddingCount { expected: out.rank(), found: part.len };
                return Err(refused(part.position)(error));
            }
        }
        if let Some(part) = &padded {
            window.padded = part.numbers;
        }
        if let Some(part) = &origin {
            window.origin = part.numbers;
        }
        for (a, &size) in halo.iter().flat_map(|part| part.numbers.iter().enumerate()) {
            // Together with an origin of its own the axis would have two.
            if size > 0 && window.origin[a] == 0 {
                (window.origin[a], window.halo) = (size, window.halo | 1 << a);
            } else if size > 0 {
                let (axis, extent, padded) = (out.axis_char(a), out.dims[a], window.padded[a]);
                let error = DescriptorError::Padding { axis, extent, padded, origin: size };
                return Err(refused(halo.as_ref().map_or(dims_at, |part| part.position))(error));
            }
        }
        let window_at = [&padded, &origin, &halo].into_iter().flatten().map(|part| part.position).next();
        out.set_window(&window).map_err(refused(window_at.unwrap_or(dims_at)))?;
        match &strides {
            Some(part) => out.set_strides(&part.numbers[..part.len], Broadcast::Allowed),
            None => out.lay_densely().map_err(DescriptorError::Size),
        }
        .map_err(refused(strides.as_ref().map_or(dims_at, |part| part.position)))?;
        let strides_at = strides.as_ref().map_or(dims_at, |part| part.position);
        out.with_base(base.unwrap_or(0)).map_err(|error| {
            let position = match error {
                DescriptorError::BaseTooSmall { .. } | DescriptorError::BaseTooLarge { .. }
                    if base.is_some() =>
                {
                    base_at
                }
                DescriptorError::Size(_) => dims_at,
                _ => strides_at,
            };
            refused(position)(error)
        })
    }
}

/// The numbers of a part such as `:strides=8x1`.
struct Part<T, const MOST: usize> {
    /// Byte of the text at which they begin.
    position: usize,
    numbers: [T; MOST],
    len: usize,
}

/// Reads numbers from `text` on from byte `at`.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    /// Steps over `part` where it is next.
    fn skip(&mut self, part: &str) -> bool {
        let found = self.text[self.at..].starts_with(part);
        self.at += if found { part.len() } else { 0 };
        found
    }

    /// The numbers behind `name` where it is next.
    fn part<T: TryFrom<i128> + Copy + Default, const MOST: usize>(
        &mut self,
        name: &str,
    ) -> Result<Option<Part<T, MOST>>, ParseDescriptorError> {
        if !self.skip(name) {
            return Ok(None);
        }
        let position = self.at;
        let (numbers, len) = self.numbers()?;
        Ok(Some(Part { position, numbers, len }))
    }

    /// A decimal number without leading zeros, with a sign only if it is negative.
    fn number<T: TryFrom<i128>>(&mut self) -> Result<T, ParseDescriptorError> {
        let start = self.at;
        let negative = T::try_from(-1).is_ok() && self.skip("-");
        let digits = self.text[self.at..].bytes().take_while(u8::is_ascii_digit).count();
        let leading_zero = self.text[self.at..].starts_with('0') && (digits > 1 || negative);
        if digits == 0 || leading_zero {
            return Err(ParseDescriptorError::Number { position: self.at });
        }
        let number =
            self.text[start..self.at + digits].parse::<i128>().ok().and_then(|n| T::try_from(n).ok());
        self.at += digits;
        number.ok_or(ParseDescriptorError::NumberTooLarge { position: start })
    }

    /// Numbers with `x` between them, and how many they are.
    fn numbers<T: TryFrom<i128> + Copy + Default, const MOST: usize>(
        &mut self,
    ) -> Result<([T; MOST], usize), ParseDescriptorError> {
        let mut out = [T::default(); MOST];
        let mut len = 0;
        loop {
            let position = self.at;
            let number = self.number()?;
            *out.get_mut(len).ok_or(ParseDescriptorError::TooManyNumbers { position })? = number;
            len += 1;
            if !self.skip("x") {
                return Ok((out, len));
            }
        }
    }
}
