//! `layout explain`: a tensor in words.

use crate::args::Tensor;
use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use layout_core::descriptor::{Descriptor, PerAxis};
use serde_json::{Value, json};

pub(crate) fn run(args: &Tensor, output: &mut Output) -> Result<(), Failure> {
    let tensor = input::tensor(&args.format, args.dims.as_deref())?;
    let description = tensor.describe();
    output.print(|| &description, || as_json(&tensor))
}

/// What the text says, by name.
pub(crate) fn as_json(d: &Descriptor) -> Value {
    let description = d.describe();
    let footprint = description.footprint();
    let names =
        description.names().into_iter().map(|(dialect, name)| (dialect.prefix().to_owned(), json!(name)));
    let digits = d.digits();
    let digits = digits.iter().map(|digit| {
        json!({
            "axis": d.spec().axis_name(digit.axis).map(String::from),
            "divisor": digit.divisor,
            "extent": digit.extent,
            "stride": digit.stride,
            "outer": digit.top,
        })
    });
    let conflict = footprint.conflict.map(|conflict| {
        json!({
            "axis": conflict.axis.to_string(),
            "stride_bytes": conflict.stride_bytes,
            "steps": conflict.steps,
            "text": description.warning(),
        })
    });
    json!({
        "tensor": d.to_string(),
        "format": d.spec().to_string(),
        "dtype": d.dtype().name(),
        "axes": (0..d.rank()).filter_map(|a| d.spec().axis_name(a)).map(String::from).collect::<Vec<_>>(),
        "dims": d.dims(),
        "padded_dims": d.padded_dims(),
        "strides": list(d.strides()),
        "base": d.base(),
        "inner_blocks": description.blocks(),
        "digits": digits.collect::<Vec<_>>(),
        "formula": description.formula(),
        "formula_in_numbers": description.formula_in_numbers(),
        "names": names.collect::<serde_json::Map<_, _>>(),
        "logical_bytes": footprint.logical_bytes,
        "padded_bytes": footprint.padded_bytes,
        "span_bytes": footprint.span_bytes,
        "size_bytes": d.size_bytes(),
        "padding_share": footprint.padding_share(),
        "cache_conflict": conflict,
    })
}

fn list(values: PerAxis<isize>) -> Vec<isize> {
    values.to_vec()
}
