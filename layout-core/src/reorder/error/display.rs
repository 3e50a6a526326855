//! What a [`ReorderError`] says: the argument, the axis by its letter, both numbers, and what to write instead. One line each;
//! called by whoever prints the error.

use super::super::Attribute;
use super::ReorderError;
use core::fmt;

impl fmt::Display for ReorderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ReorderError::Rank { src, dst } => {
                write!(
                    f,
                    "the source has rank {src}, but the destination has rank {dst}; `squeeze` or `unsqueeze` one"
                )
            }
            ReorderError::AxisName { position, src, dst } => {
                write!(
                    f,
                    "axis {position} is `{src}` in the source, but `{dst}` in the destination; `permute_axes` or `renamed` makes \
                     them agree"
                )
            }
            ReorderError::Extent { axis, position, src, dst } => {
                write!(
                    f,
                    "axis `{axis}` (position {position}) has extent {src} in the source, but {dst} in the destination; \
                     take a part of the larger one"
                )
            }
            ReorderError::Broadcast { axis, position } => {
                write!(
                    f,
                    "axis `{axis}` (position {position}) of the destination is broadcast: its elements share one place; \
                     give each its own"
                )
            }
            ReorderError::TooManyLoops { needed, limit } => {
                write!(
                    f,
                    "the two layouts need at least {needed} nested loops and segments, but a plan holds {limit}; \
                     reorder by way of a layout without blocks"
                )
            }
            ReorderError::SourceTooSmall { expected, found } => {
                write!(f, "the source needs {expected} bytes, but its buffer has {found}")
            }
            ReorderError::DestinationTooSmall { expected, found } => {
                write!(f, "the destination needs {expected} bytes, but its buffer has {found}")
            }
            ReorderError::NoWay { way } => {
                write!(
                    f,
                    "the plan cannot be moved by `{way}` on this processor; `Reorder::ways` lists how it can"
                )
            }
            ReorderError::AttributeAxis { attribute, axis, axes } => {
                write!(f, "the {attribute} is per axis `{axis}`, but the tensor has {axes}")
            }
            ReorderError::AttributeCount { attribute, axis, extent, found } => {
                write!(f, "the {attribute} has {found} values, but axis `{axis}` has extent {extent}")
            }
            ReorderError::AttributeValues { attribute, axes, expected, found } => {
                write!(f, "the {attribute} has {found} values, but its groups along {axes} are {expected}")
            }
            ReorderError::AttributeAxesTogether { needed, limit } => write!(
                f,
                "scales, zero points and rounding by chance follow at least {needed} axes altogether, but a plan notes {limit}: \
                 let them follow the same axes in the same groups, or do the reorder in two"
            ),
            ReorderError::AttributeAxisTwice { attribute, axis } => {
                write!(f, "the {attribute} follows axis `{axis}` twice; name it once")
            }
            ReorderError::AttributeEmptyGroup { attribute, axis } => {
                write!(
                    f,
                    "the {attribute} has groups of 0 indices along axis `{axis}`; write 1 for a value for each index"
                )
            }
            ReorderError::AttributeGroup { attribute, axis, planned, found } => {
                write!(
                    f,
                    "the {attribute} has groups of {found} along axis `{axis}`, but in the plan they are of {planned}; make a \
                     plan for them"
                )
            }
            ReorderError::AttributeAxes { attribute, expected, found } => {
                write!(
                    f,
                    "the {attribute} follows {found} axes, but the tensor has {expected}; name each once"
                )
            }
            ReorderError::AttributeAxesChanged { attribute, planned, found } => {
                let axes = if found == 1 { "axis" } else { "axes" };
                write!(
                    f,
                    "the {attribute} follows {found} {axes}, but in the plan it follows {planned}; make a plan for it"
                )
            }
            ReorderError::AttributeType { attribute, dtype } => {
                let (side, shift) = match attribute {
                    Attribute::SrcZeroPoint => ("source", "src_shift"),
                    _ => ("destination", "dst_shift"),
                };
                write!(
                    f,
                    "the {attribute} is an integer, but the {side} holds {dtype}; `{shift}` takes any number"
                )
            }
            ReorderError::ScaleCount { axis, extent, found } => {
                write!(f, "there is room for {found} scales, but axis `{axis}` has extent {extent}")
            }
            ReorderError::Rounding { planned, found } => {
                write!(
                    f,
                    "the plan rounds {planned}, but is run with rounding {found}; give `run_with` the rounding of the plan"
                )
            }
            ReorderError::CompensationBroadcast { axis, position } => {
                write!(
                    f,
                    "axis `{axis}` (position {position}) of the weights is broadcast: they share one place; give each its own"
                )
            }
            ReorderError::CompensationType { dtype } => {
                write!(f, "compensation is for weights of s8 or u8, but these hold {dtype}")
            }
            ReorderError::PaddingZeroPoint { axis: None } => {
                f.write_str("padding is to hold the destination zero point, but there is none; give a number")
            }
            ReorderError::PaddingZeroPoint { axis: Some(axis) } => {
                write!(
                    f,
                    "padding is to hold the destination zero point, but that differs along axis `{axis}`; give a number"
                )
            }
            ReorderError::AttributeMissing { attribute: Attribute::Accumulation } => {
                f.write_str("the plan adds to the destination, but no factor is given; 0 leaves that out")
            }
            ReorderError::AttributeMissing { attribute } => {
                write!(f, "the plan has a {attribute}, of which no values are given; `run_with` takes them")
            }
            ReorderError::AttributeChanged { attribute, planned, found } => {
                if attribute == Attribute::Accumulation {
                    return f.write_str(
                        "the destination is to be added to, but the plan overwrites it; make a plan with an accumulation",
                    );
                }
                let along = |f: &mut fmt::Formatter<'_>, axis: Option<char>| match axis {
                    Some(' ') => f.write_str("along no axis"),
                    Some(axis) => write!(f, "per axis `{axis}`"),
                    None => f.write_str("common"),
                };
                write!(f, "the {attribute} is ")?;
                along(f, found)?;
                match planned {
                    Some(axis) => {
                        f.write_str(", but in the plan it is ")?;
                        along(f, axis)?;
                    }
                    None => f.write_str(", but the plan has none")?,
                }
                f.write_str("; make a plan for it")
            }
            ReorderError::SliceLength { src, dst } => {
                write!(f, "the source has {src} elements, but the destination has {dst}")
            }
            ReorderError::Size(ref error) => error.fmt(f),
            ReorderError::Descriptor(ref error) => error.fmt(f),
            ReorderError::Algebra(ref error) => error.fmt(f),
            ReorderError::Allocation { bytes } => {
                write!(f, "there is no memory for a tensor of {bytes} bytes")
            }
        }
    }
}
