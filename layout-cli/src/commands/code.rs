//! `layout code`: the offset of a format in another language.

use crate::args::{Code, Part};
use crate::failure::Failure;
use crate::input::{self, Format, open_extents};
use crate::output::Output;
use layout_core::descriptor::{DType, Descriptor, ParseDescriptorError};
use layout_core::index_code::IndexCode;
use serde_json::json;

pub(crate) fn run(args: &Code, output: &mut Output) -> Result<(), Failure> {
    let mut code = layout(args)?;
    if let Some(name) = &args.name {
        code = code.named(name);
    }
    if args.bits == "32" {
        code = code.with_bits_32();
    }
    if args.as_macro {
        code = code.as_macro();
    }
    let text = match args.part {
        Part::All => code.source(),
        Part::Offset => code.offset(),
        Part::Inverse => code.inverse(),
    };
    let text = text.map_err(Failure::usage)?;
    output.print(|| &text, || json!({ "language": args.language.language().name(), "code": text }))
}

fn layout(args: &Code) -> Result<IndexCode, Failure> {
    let language = args.language.language();
    let Some(dims) = &args.dims else {
        // A format whose extents are all parameters, or a whole tensor.
        return match Format::new(&args.format).spec(None, None) {
            Ok(spec) => Ok(spec.index_code(language)),
            Err(error) => match args.format.parse::<Descriptor>() {
                Ok(tensor) => Ok(tensor.index_code(language)),
                Err(ParseDescriptorError::DType { .. } | ParseDescriptorError::MissingExtents { .. }) => {
                    Err(error)
                }
                // A whole tensor with a mistake in it.
                Err(_) => Ok(input::tensor(&args.format, None)?.index_code(language)),
            },
        };
    };
    let dims = open_extents(dims)?;
    if dims.iter().all(Option::is_some) {
        return Ok(input::tensor(&args.format, args.dims.as_deref())?.index_code(language));
    }
    let spec = Format::new(&args.format).spec(Some(dims.len()), Some(DType::F32))?;
    if spec.rank() != dims.len() {
        return Err(Failure::Usage(format!(
            "the layout has rank {}, but {} extents were given",
            spec.rank(),
            dims.len()
        )));
    }
    let mut code = spec.index_code(language);
    for (axis, dim) in dims.iter().enumerate() {
        if let (Some(letter), Some(dim)) = (spec.axis_name(axis), dim) {
            code = code.with_extent(letter, *dim);
        }
    }
    Ok(code)
}
