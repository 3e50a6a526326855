//! From the array in a file to the tensor that it is: its axes are the digits of a format, from the outermost in memory to
//! the innermost, so that `nChw8c` is an array of five axes.

use super::Stored;
use crate::failure::Failure;
use crate::input::{Format, dtypes};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::Spec;
use layout_core::reorder::Reorder;

/// What the command line says of layouts.
pub(crate) struct Wanted<'a> {
    pub(crate) from: Option<&'a str>,
    pub(crate) to: &'a str,
    pub(crate) dims: Option<&'a [usize]>,
}

/// The tensor that is stored, and the one that it is to become. `noted` is what the file says of its layout.
pub(crate) fn resolve(
    stored: &Stored,
    wanted: &Wanted<'_>,
    noted: Option<Descriptor>,
) -> Result<(Descriptor, Descriptor), Failure> {
    let dtype = stored.dtype.clone().map_err(|found| {
        Failure::failed(format!(
            "the elements are {found}, which is no data type here\n\
             help: save them as another type first, as in NumPy's a.astype('int32')\n\
             help: the data types are {}",
            dtypes()
        ))
    })?;
    let to = Format::new(wanted.to);
    let to_dtype = to.dtype.unwrap_or(dtype);
    let rank = wanted.dims.map_or(stored.shape.len(), <[usize]>::len);
    let from = wanted.from.map(Format::new);
    let spec = match &from {
        Some(from) => Some(from.spec(Some(rank), Some(dtype))?),
        None => None,
    };
    let noted = noted.filter(|noted| {
        // What a note says of strides and padding may be anything; the array is dense.
        let dense = Descriptor::from_spec(dtype, noted.dims(), *noted.spec());
        from.is_none() && wanted.dims.is_none() && shape(noted) == stored.shape && dense.as_ref() == Ok(noted)
    });
    let rank = spec.as_ref().or(noted.as_ref().map(Descriptor::spec)).map_or(rank, Spec::rank);
    // Mistakes on the command line come before those about the file.
    let to_spec = to.spec(Some(rank), Some(to_dtype))?;
    if let Some(stated) = from.and_then(|from| from.dtype).filter(|&stated| stated != dtype) {
        return Err(Failure::usage(format!("the elements in the file are {dtype}, not {stated}")));
    }
    let src = match noted {
        Some(noted) => noted,
        None => place(stored, dtype, spec.unwrap_or_else(|| plain(&to_spec)), wanted.dims)?,
    };
    if to_spec.rank() != src.rank() {
        let (ours, theirs) = (to_spec.rank(), src.rank());
        return Err(Failure::usage(format!("{to_spec} has {ours} axes, but the tensor {src} has {theirs}")));
    }
    let dst = Descriptor::from_spec(to_dtype, src.dims(), to_spec).map_err(Failure::usage)?;
    // Axes of other names are a mistake on the command line.
    Reorder::new(&src, &dst).map_err(Failure::usage)?;
    Ok((src, dst))
}

/// The array of a dense tensor: the extents of its digits.
pub(crate) fn shape(d: &Descriptor) -> Vec<usize> {
    d.digits().iter().map(|digit| digit.extent).collect()
}

/// The axes of `spec` in logical order, row-major.
fn plain(spec: &Spec) -> Spec {
    rebuilt(spec, (0..spec.rank()).filter_map(|axis| spec.top_of(axis)))
}

/// The digits of `spec` from the innermost to the outermost: the order in memory of NumPy's Fortran arrays.
fn reversed(spec: &Spec) -> Spec {
    rebuilt(spec, (0..spec.len()).rev())
}

/// Some digits of `spec` in another order; their axes stay what they are. Nothing here is refused, because `spec` has it.
fn rebuilt(spec: &Spec, positions: impl Iterator<Item = usize>) -> Spec {
    let mut out = Spec::SCALAR;
    for axis in 0..spec.rank() {
        let _ = out.push_axis(spec.axis_name(axis).unwrap_or('a') as u8);
    }
    let mut significances = Vec::new();
    for position in positions {
        let Some(digit) = spec.digit(position) else { continue };
        let _ = match digit.size {
            None => out.push_top(digit.axis, 1),
            Some(size) => out.push_block(digit.axis, size as u32),
        };
        significances.push(spec.significance(position));
    }
    for (position, significance) in significances.into_iter().enumerate() {
        if let Some(significance) = significance {
            out.set_significance(position, significance as u8);
        }
    }
    out
}

/// The tensor of format `spec` that the array is.
fn place(stored: &Stored, dtype: DType, spec: Spec, given: Option<&[usize]>) -> Result<Descriptor, Failure> {
    let digits: Vec<_> = (0..spec.len()).filter_map(|position| spec.digit(position)).collect();
    let name = |axis: usize| spec.axis_name(axis).unwrap_or('?');
    if let Some(given) = given
        && given.len() != spec.rank()
    {
        return Err(Failure::usage(format!(
            "--dims has {} extents, but {spec} has {} axes",
            given.len(),
            spec.rank()
        )));
    }
    let memory = if stored.is_fortran { reversed(&spec) } else { spec };
    // All elements in one row, as raw buffers are saved.
    if let (Some(given), [len]) = (given, stored.shape.as_slice())
        && digits.len() > 1
    {
        let d = Descriptor::from_spec(dtype, given, spec).map_err(Failure::usage)?;
        return match d.required_len() {
            needed if needed == *len => Ok(d),
            needed => Err(Failure::failed(format!(
                "the array has {len} elements, but {d} has {needed} with padding"
            ))),
        };
    }
    if digits.len() != stored.shape.len() {
        let parts = format!("{spec:?}");
        let parts =
            parts.split_once(": ").map_or("", |(_, parts)| parts.trim_end_matches(')')).replace(' ', ", ");
        return Err(Failure::failed(format!(
            "the array has shape {:?}, but {spec} is an array of {} axes ({parts})",
            stored.shape,
            digits.len()
        )));
    }
    let mut dims = vec![1; spec.rank()];
    for (at, (digit, &extent)) in digits.iter().zip(&stored.shape).enumerate() {
        let (letter, block) = (name(digit.axis), spec.block_of(digit.axis) as usize);
        match digit.size {
            Some(size) if size as usize != extent => {
                return Err(Failure::failed(format!(
                    "axis {at} of the array has {extent} values, but in {spec} it is the block {size}{letter}"
                )));
            }
            Some(_) => continue,
            None => {}
        }
        let padded = extent.checked_mul(block).ok_or_else(|| Failure::failed("the array is too large"))?;
        let multiple = spec.padding_multiple(digit.axis) as usize;
        let dim = given.map_or(padded, |given| given[digit.axis]);
        if dim.div_ceil(multiple).checked_mul(multiple) != Some(padded) {
            return Err(Failure::failed(format!(
                "axis `{letter}` with extent {dim} takes {} values in memory, but the array has {padded}",
                dim.div_ceil(multiple).saturating_mul(multiple)
            )));
        }
        dims[digit.axis] = dim;
    }
    Descriptor::from_spec(dtype, &dims, memory).map_err(Failure::usage)
}
