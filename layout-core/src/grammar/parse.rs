//! The entry points of parsing, all on [`Spec`]: by what is known of the tensor, and by the dialect.
//! Called by the macro, by the layout types and by descriptors. Decides which grammar reads a text; reads none itself.

use super::dialect::{Dialect, body, unprefixed};
use super::native::{self, Known};
use super::{ParseError, Spec};
use core::str::FromStr;

impl Spec {
    /// Parses a format of rank 1 to [`MAX_RANK`](super::MAX_RANK): oneDNN's name of a layout, with our marks, or
    /// another system's.
    ///
    /// - Outer letters stand once each, outermost first, upper case exactly where the axis has blocks:
    ///   `nhwc`, `nChw16c`, `OIhw4i16o4i`.
    /// - Behind them come the blocks, a size from 2 to `u32::MAX` and a lower-case letter, outermost to innermost.
    ///   Of several blocks of an axis the rightmost is the least significant.
    /// - The letters select the [`Template`](super::Template) that gives the logical order: `hwio` has the logical
    ///   axes o, i, h, w.
    /// - For other letters the logical order is stated, in lower case: `bshd => bhSd16s`. Spaces are allowed
    ///   around the arrow and nowhere else. Such a format may use any letters from a to z.
    /// - `scalar` is the format of rank 0.
    ///
    /// Beyond oneDNN:
    /// - `^` pads an extent to a multiple: `nhwc^8` has room for 8, 16, 24, … channels. That is also how a row pitch or
    ///   a distance between blocks is said: `nChw^8_16c` has rows of 8, 16, 24, … blocks of 16 channels, and `nCh^4w16c`
    ///   planes of 4, 8, 12, … rows. A stride that is no multiple of the extents inside it is no property of a format
    ///   but of one tensor: give its strides to a descriptor.
    ///   `w^64B` counts in bytes and so needs the size of the elements: [`Spec::parse_for`].
    /// - `_` between two tokens is ignored, but behind a block it says that an outer axis may follow, which lies
    ///   inside the block: `nC16c_hw`. Behind `^8` an outer letter B is written `_B`.
    /// - `.` and a number behind each block of an axis states their significance, 0 being the lowest:
    ///   `OIhw4o.0_8i8o.1_4i` has the low digit of o outside the high one.
    /// - `..` is the axes that are not named: `aB..16b` is `aBcd16b` at rank 4, `nC..8c` is `nCdhw8c` at
    ///   rank 5. It needs the rank: [`Spec::parse_rank`].
    ///
    /// Names of other systems are the [`Dialect`]s, with the prefix (`ov:b_fs_yx_fsv16`, `tvm:NCHW16c`) or without it
    /// where the text has one meaning (`channels_last`, `kCHW32`).
    ///
    /// Works in `const` context and panics for no text.
    ///
    /// # Errors
    /// [`ParseError`] with the first mistake, its place, and through [`ParseError::report`] a way out.
    ///
    /// ```
    /// use layout_core::grammar::Spec;
    /// const ACTIVATIONS: Spec = match Spec::parse("nChw16c") {
    ///     Ok(spec) => spec,
    ///     Err(_) => panic!(),
    /// };
    /// assert_eq!(ACTIVATIONS.rank(), 4);
    /// assert_eq!(ACTIVATIONS.block_of(1), 16);
    ///
    /// let cache = Spec::parse("bshd => bhSd16s").unwrap();
    /// assert_eq!(cache.axis_named('s'), Some(1));
    /// assert_eq!(Spec::parse("b_fs_yx_fsv16"), Ok(ACTIVATIONS));
    /// ```
    pub const fn parse(text: &str) -> Result<Spec, ParseError> {
        parse(text, Known::NOTHING)
    }

    /// Parses a format for a tensor of a known rank, so that formats of several ranks have a meaning: `..`,
    /// `contiguous_format`, `numpy:F`. The names that oneDNN misnames (`OhwI24o`) have oneDNN's meaning.
    ///
    /// A format of one rank is returned whatever its rank is: the caller compares.
    ///
    /// # Errors
    /// As for [`Spec::parse`].
    ///
    /// ```
    /// use layout_core::grammar::Spec;
    /// assert_eq!(Spec::parse_rank("aB..16b", 5), Spec::parse("aBcde16b"));
    /// assert_eq!(Spec::parse_rank("n..c", 4), Spec::parse("nhwc"));
    /// ```
    pub const fn parse_rank(text: &str, rank: usize) -> Result<Spec, ParseError> {
        parse(text, Known { rank: Some(rank), element_bits: None, misnamed: true })
    }

    /// Parses a format for a tensor of a known rank and a known size of its elements in bytes. As
    /// [`Spec::parse_rank`], and paddings in bytes have a meaning too: a [`Spec`] holds them in elements, as the
    /// least number whose bytes are a multiple of those stated.
    ///
    /// # Errors
    /// As for [`Spec::parse`].
    ///
    /// ```
    /// use layout_core::grammar::Spec;
    /// assert_eq!(Spec::parse_for("nchw^64B", 4, 2), Spec::parse("nchw^32"));
    /// assert_eq!(Spec::parse_for("kDLA_LINEAR", 4, 1), Spec::parse("nchw^64"));
    /// ```
    pub const fn parse_for(text: &str, rank: usize, element_bytes: usize) -> Result<Spec, ParseError> {
        Spec::parse_for_bits(text, rank, element_bytes.saturating_mul(8))
    }

    /// [`Spec::parse_for`], where the size of the elements is given in bits.
    ///
    /// # Errors
    /// As for [`Spec::parse`].
    ///
    /// ```
    /// use layout_core::grammar::Spec;
    /// assert_eq!(Spec::parse_for_bits("nchw^64B", 4, 4), Spec::parse("nchw^128"));
    /// ```
    pub const fn parse_for_bits(text: &str, rank: usize, element_bits: usize) -> Result<Spec, ParseError> {
        parse(text, Known { rank: Some(rank), element_bits: Some(element_bits), misnamed: true })
    }

    /// Parses a name of `dialect`, with its prefix or without.
    ///
    /// # Errors
    /// As for [`Spec::parse`]; [`ParseErrorKind::NotInDialect`](super::ParseErrorKind::NotInDialect) where the
    /// dialect has no such format.
    ///
    /// ```
    /// use layout_core::grammar::{Dialect, Spec};
    /// assert_eq!(Spec::parse_in(Dialect::Tvm, "NCHW16c"), Spec::parse("nChw16c"));
    /// assert_eq!(Spec::parse_in(Dialect::Xla, "{2,3,1,0}"), Spec::parse("abdc"));
    /// ```
    pub const fn parse_in(dialect: Dialect, text: &str) -> Result<Spec, ParseError> {
        let text = text.as_bytes();
        dialect.parse(text, dialect.start(text), text.len(), Known::NOTHING)
    }

    /// Parses a name of `dialect` for a tensor of a known rank and a known size of its elements in bytes.
    ///
    /// # Errors
    /// As for [`Spec::parse_in`].
    ///
    /// ```
    /// use layout_core::grammar::{Dialect, Spec};
    /// assert_eq!(Spec::parse_in_for(Dialect::NumPy, "F", 3, 4), Spec::parse("cba"));
    /// ```
    pub const fn parse_in_for(
        dialect: Dialect,
        text: &str,
        rank: usize,
        element_bytes: usize,
    ) -> Result<Spec, ParseError> {
        Spec::parse_in_for_bits(dialect, text, rank, element_bytes.saturating_mul(8))
    }

    /// [`Spec::parse_in_for`], where the size of the elements is given in bits.
    pub(super) const fn parse_in_for_bits(
        dialect: Dialect,
        text: &str,
        rank: usize,
        element_bits: usize,
    ) -> Result<Spec, ParseError> {
        let known = Known { rank: Some(rank), element_bits: Some(element_bits), misnamed: true };
        let text = text.as_bytes();
        dialect.parse(text, dialect.start(text), text.len(), known)
    }

    /// Parses our own grammar alone.
    pub(super) const fn parse_native(text: &str) -> Result<Spec, ParseError> {
        native::parse(text.as_bytes(), 0, text.len(), Known::NOTHING)
    }
}

const fn parse(text: &str, known: Known) -> Result<Spec, ParseError> {
    let text = text.as_bytes();
    let (dialect, start) = tri!(body(text));
    if let Some(dialect) = dialect {
        return dialect.parse(text, start, text.len(), known);
    }
    match native::parse(text, start, text.len(), known) {
        Ok(spec) => Ok(spec),
        Err(error) => unprefixed(text, known, error),
    }
}

impl FromStr for Spec {
    type Err = ParseError;

    /// [`Spec::parse`].
    fn from_str(text: &str) -> Result<Spec, ParseError> {
        Spec::parse(text)
    }
}
