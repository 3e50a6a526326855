//! Formats, extents and tensors as the command line writes them. Called by the commands; every mistake is an error of the
//! command line, with a caret where it is in a format.

use crate::failure::Failure;
use layout_core::descriptor::{DType, Descriptor, DescriptorError, ParseDescriptorError};
use layout_core::grammar::{ParseError, Spec};

/// A format with an optional data type before it: `nChw16c`, `u8:nhwc`, `f16:ov:b_fs_yx_fsv16`.
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

    /// The format without a tensor.
    pub(crate) fn spec(&self, rank: Option<usize>) -> Result<Spec, Failure> {
        let dtype = self.dtype.unwrap_or(DType::F32);
        match rank {
            Some(rank) => Spec::parse_for(self.text, rank, dtype.size()),
            None => Spec::parse(self.text),
        }
        .map_err(|error| bad_format(&error, self.text))
    }
}

/// The error of a format, drawn with carets.
pub(crate) fn bad_format(error: &ParseError, text: &str) -> Failure {
    Failure::usage(error.report(text))
}

/// A tensor from `FORMAT DIMS`, or from its text form `f32:nChw8c:2x17x5x4:strides=…` where there is no second argument.
pub(crate) fn tensor(format: &str, dims: Option<&str>) -> Result<Descriptor, Failure> {
    if let Some(dims) = dims {
        return Format::new(format).tensor(&extents(dims)?, DType::F32);
    }
    format.parse::<Descriptor>().map_err(|error| match error {
        ParseDescriptorError::MissingExtents { .. } | ParseDescriptorError::DType { .. } => Failure::usage(
            format!("the extents are missing: write them behind the format, as in `{format} 1x3x224x224`"),
        ),
        error => {
            let caret = " ".repeat(format.get(..error.position()).map_or(0, |before| before.chars().count()));
            Failure::usage(format!("{error}\n  {format}\n  {caret}^"))
        }
    })
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
        part => part.parse().map(Some).map_err(|_| {
            Failure::usage(format!(
                "`{part}` in the extents `{text}` is no number: write them as in `2x17x5x4` or `2,17,5,4`"
            ))
        }),
    };
    match text {
        "scalar" => Ok(Vec::new()),
        _ => text.split(['x', ',']).map(number).collect(),
    }
}
