//! Formats, extents and tensors as the command line writes them. Called by the commands; every mistake is an error of the
//! command line, with a caret where it is in a format. `words` knows what an unknown word may have been meant for.

mod words;

use crate::failure::Failure;
use layout_core::descriptor::{DType, Descriptor, DescriptorError, ParseDescriptorError};
use layout_core::grammar::{Dialect, ParseError, ParseErrorKind, Spec};
use std::num::IntErrorKind;

pub(crate) use words::{choice, dtypes};

/// A format with an optional data type before it: `nChw16c`, `u8:nhwc`, `f16:ov:b_fs_yx_fsv16`.
#[derive(Clone, Copy)]
pub(crate) struct Format<'a> {
    pub(crate) dtype: Option<DType>,
    pub(crate) text: &'a str,
}

impl<'a> Format<'a> {
    pub(crate) fn new(text: &'a str) -> Format<'a> {
        let stated = text.split_once(':').and_then(|(name, rest)| Some((DType::from_name(name)?, rest)));
        match stated {
            Some((dtype, text)) => Format { dtype: Some(dtype), text },
            None => Format { dtype: None, text },
        }
    }

    /// The tensor of these extents; `dtype` where the format states none.
    pub(crate) fn tensor(&self, dims: &[usize], dtype: DType) -> Result<Descriptor, Failure> {
        Descriptor::new(self.dtype.unwrap_or(dtype), dims, self.text).map_err(|error| match error {
            DescriptorError::Format(error) => bad_format(&error, self.text),
            error => Failure::usage(error),
        })
    }

    /// The format without a tensor, of any rank or of one, for elements of `dtype` where the format states none. Without
    /// either, padding that is counted in bytes is an error.
    pub(crate) fn parse(&self, rank: Option<usize>, dtype: Option<DType>) -> Result<Spec, ParseError> {
        match (rank, self.dtype.or(dtype)) {
            (Some(rank), Some(dtype)) => Spec::parse_for_bits(self.text, rank, dtype.bits()),
            (Some(rank), None) => Spec::parse_rank(self.text, rank),
            (None, _) => Spec::parse(self.text),
        }
    }

    /// [`Format::parse`] where a mistake is one of the command line.
    pub(crate) fn spec(&self, rank: Option<usize>, dtype: Option<DType>) -> Result<Spec, Failure> {
        self.parse(rank, dtype).map_err(|error| bad_format(&error, self.text))
    }
}

/// The error of a format, drawn with carets, and what to write instead.
pub(crate) fn report(error: &ParseError, text: &str) -> String {
    match (error.kind(), words::before_colon(text)) {
        (ParseErrorKind::UnknownDialect, Some(word)) if Spec::parse(word).is_ok() => {
            let (gap, rest) = (" ".repeat(word.len()), &text[word.len()..]);
            let carets = "^".repeat(rest.chars().count());
            format!("there is more than a format\n  {text}\n  {gap}{carets}\nhelp: leave out \"{rest}\"")
        }
        (ParseErrorKind::UnknownDialect, Some(word)) if DType::from_name(word).is_some() => {
            let carets = "^".repeat(word.len() + 1);
            format!("the data type is stated twice\n  {text}\n  {carets}\nhelp: leave out \"{word}:\"")
        }
        (ParseErrorKind::UnknownDialect, Some(word)) => words::unknown(word, text),
        _ => error.report(text).to_string(),
    }
}

fn bad_format(error: &ParseError, text: &str) -> Failure {
    Failure::usage(report(error, text))
}

/// A tensor from `FORMAT DIMS`, or from its text form `f32:nChw8c:2x17x5x4:strides=…` where there is no second argument.
pub(crate) fn tensor(format: &str, dims: Option<&str>) -> Result<Descriptor, Failure> {
    if let Some(dims) = dims {
        return Format::new(format).tensor(&extents(dims)?, DType::F32);
    }
    let error = match format.parse::<Descriptor>() {
        Ok(tensor) => return Ok(tensor),
        Err(error) => error,
    };
    Err(match error {
        ParseDescriptorError::MissingExtents { .. } => no_extents(format),
        ParseDescriptorError::DType { .. } => no_dtype(format),
        error => {
            let caret = " ".repeat(format.get(..error.position()).map_or(0, |before| before.chars().count()));
            Failure::usage(format!("{error}\n  {format}\n  {caret}^"))
        }
    })
}

/// The error for a text that is no whole tensor because it does not begin with a data type.
fn no_dtype(text: &str) -> Failure {
    let (rest, last) = text.rsplit_once(':').unwrap_or((text, ""));
    let is_tensor = !last.is_empty() && extents(last).is_ok();
    match words::before_colon(text) {
        Some(word) if Dialect::from_prefix(word).is_none() && Spec::parse(word).is_err() => {
            Failure::usage(words::unknown(word, text))
        }
        _ if is_tensor => Failure::usage(format!(
            "a whole tensor begins with its data type: write `f32:{text}`, or `{rest} {last}`"
        )),
        _ => no_extents(text),
    }
}

fn no_extents(format: &str) -> Failure {
    Failure::usage(format!(
        "the extents are missing: write them behind the format, as in `{format} 1x3x224x224`"
    ))
}

/// Extents: numbers with `x` or `,` between them.
pub(crate) fn extents(text: &str) -> Result<Vec<usize>, Failure> {
    let known = |extent: Option<usize>| {
        extent.ok_or_else(|| Failure::usage("`?` leaves an extent open, which only `layout code` can do"))
    };
    open_extents(text)?.into_iter().map(known).collect()
}

/// Extents of which some are `?`.
pub(crate) fn open_extents(text: &str) -> Result<Vec<Option<usize>>, Failure> {
    let number = |part: &str| match part.trim() {
        "?" => Ok(None),
        part => part.parse::<usize>().map(Some).map_err(|error| {
            let what = match error.kind() {
                IntErrorKind::PosOverflow => "is larger than any memory",
                _ => "is no number: write them as in `2x17x5x4` or `2,17,5,4`",
            };
            Failure::usage(format!("`{part}` in the extents `{text}` {what}"))
        }),
    };
    match text.trim() {
        "" => Err(Failure::usage(
            "the extents are empty: write them as in `2x17x5x4`, or `scalar` for a single number",
        )),
        "scalar" => Ok(Vec::new()),
        text => text.split(['x', ',']).map(number).collect(),
    }
}
