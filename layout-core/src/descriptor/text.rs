//! The text form of a descriptor, `f32:nChw16c:2x17x5x4[:strides=…][:base=…]`: printed, parsed, and a longer one for
//! `{:?}`. Used for logs, errors and files; the arithmetic is elsewhere.

use super::{DType, Descriptor, DescriptorError, MAX_OUTER, ParseDescriptorError, PerAxis};
use crate::grammar::{MAX_RANK, Spec};
use core::fmt;
use core::str::FromStr;

/// The format of rank 0, which no extents follow.
const SCALAR: &str = "scalar";
/// What stands before the strides.
const STRIDES: &str = ":strides=";
/// What stands before the base offset.
const BASE: &str = ":base=";

/// `TYPE:FORMAT:EXTENTS`, extents in logical order; then `:strides=…` where the strides are not those of dense memory
/// (as [`Descriptor::with_strides`] takes them) and `:base=…` where it is not 0. Rank 0 is `TYPE:scalar`. Parsing the
/// text gives an equal descriptor for every format that [`Spec::parse`] can make.
impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.dtype(), self.spec())?;
        if self.rank() > 0 {
            write!(f, ":{}", Joined(self.dims()))?;
        }
        if !self.has_default_strides() {
            let (mut strides, mut len) = ([0; MAX_OUTER], self.rank());
            strides[..len].copy_from_slice(&self.strides());
            for digit in self.digits().iter().take(self.spec().outer_len()).filter(|digit| !digit.top) {
                strides[len] = digit.stride;
                len += 1;
            }
            write!(f, "{STRIDES}{}", Joined(&strides[..len]))?;
        }
        if self.base() != 0 {
            write!(f, "{BASE}{}", self.base())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Descriptor")
            .field("dtype", &format_args!("{}", self.dtype()))
            .field("format", &format_args!("{}", self.spec()))
            .field("dims", &self.dims())
            .field("padded_dims", &self.padded_dims())
            .field("strides", &self.strides())
            .field("inner_blocks", &Blocks(self))
            .field("base", &self.base())
            .field("size_bytes", &self.size_bytes())
            .finish()
    }
}

impl Descriptor {
    /// Whether every stride is the one that [`Descriptor::from_spec`] gives, those of single values too.
    fn has_default_strides(&self) -> bool {
        Descriptor::from_spec(self.dtype, self.dims(), self.spec)
            .is_ok_and(|dense| dense.strides == self.strides)
    }
}

/// Numbers with `x` between them.
struct Joined<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Joined<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .enumerate()
            .try_for_each(|(i, n)| if i == 0 { write!(f, "{n}") } else { write!(f, "x{n}") })
    }
}

/// The inner blocks as the format writes them: `[4i, 16o, 4i]`.
struct Blocks<'a>(&'a Descriptor);

impl fmt::Debug for Blocks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for (axis, size) in self.0.inner_blocks() {
            list.entry(&format_args!("{size}{}", self.0.axis_char(axis)));
        }
        list.finish()
    }
}

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
        let shape = [STRIDES, BASE]
            .into_iter()
            .filter_map(|part| shape.find(part))
            .min()
            .map_or(shape, |end| &shape[..end]);
        let shape_end = start + shape.len();
        let mut cursor = Cursor { text, at: shape_end };
        let strides_at = cursor.at + STRIDES.len();
        let strides = if cursor.skip(STRIDES) { Some(cursor.numbers::<isize, MAX_OUTER>()?) } else { None };
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
            let mut cursor = Cursor { text: &text[..shape_end], at: dims_at };
            let (dims, rank) = cursor.numbers::<usize, MAX_RANK>()?;
            if cursor.at < shape_end {
                return Err(ParseDescriptorError::Number { position: cursor.at });
            }
            let spec = Spec::parse_for(format, rank, dtype.size()).map_err(|error| {
                ParseDescriptorError::Descriptor {
                    position: start + error.position(),
                    error: DescriptorError::Format(error),
                }
            })?;
            (spec, dims_at, PerAxis::new(rank, dims))
        };

        let base_or_zero = base.unwrap_or(0);
        let made = match &strides {
            Some((strides, len)) => {
                Descriptor::from_parts(dtype, &dims, spec, &strides[..*len], base_or_zero)
            }
            None => Descriptor::from_spec(dtype, &dims, spec)
                .map_err(DescriptorError::Size)
                .and_then(|dense| dense.with_base(base_or_zero)),
        };
        made.map_err(|error| {
            let position = match error {
                DescriptorError::BaseTooSmall { .. } | DescriptorError::BaseTooLarge { .. }
                    if base.is_some() =>
                {
                    base_at
                }
                DescriptorError::Size(_) => dims_at,
                _ => strides_at,
            };
            ParseDescriptorError::Descriptor { position, error }
        })
    }
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
