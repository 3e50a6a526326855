//! [`ReorderError`]: why two descriptors cannot be reordered into one another, or why a plan cannot run.

use super::{Attribute, AxisNames};
use crate::descriptor::{AlgebraError, DType, DescriptorError};
use crate::kernels::convert::Rounding;
use crate::shape::SizeError;
use core::fmt;

/// Why there is no reorder between two descriptors, or why a plan cannot run on two buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReorderError {
    /// The descriptors have different ranks.
    Rank {
        /// Rank of the source.
        src: usize,
        /// Rank of the destination.
        dst: usize,
    },
    /// Axes at the same logical position have different names. Anonymous axes (`abc…`) match any name.
    AxisName {
        /// Logical position.
        position: usize,
        /// Name in the source.
        src: char,
        /// Name in the destination.
        dst: char,
    },
    /// An axis has different extents.
    Extent {
        /// Name of the axis in the destination.
        axis: char,
        /// Logical position of the axis.
        position: usize,
        /// Extent in the source.
        src: usize,
        /// Extent in the destination.
        dst: usize,
    },
    /// Several elements of the destination share one place, because an axis of it is broadcast.
    Broadcast {
        /// Name of the axis.
        axis: char,
        /// Logical position of the axis.
        position: usize,
    },
    /// The layouts need more nested loops than a plan holds.
    TooManyLoops {
        /// Loops, and segments of blocks that do not nest, that are needed at least.
        needed: usize,
        /// What a plan holds.
        limit: usize,
    },
    /// The source's buffer is shorter than its descriptor says.
    SourceTooSmall {
        /// Bytes that the descriptor covers, padding included.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The destination's buffer is shorter than its descriptor says.
    DestinationTooSmall {
        /// Bytes that the descriptor covers, padding included.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// An attribute follows an axis that the tensor has not.
    AttributeAxis {
        /// The attribute.
        attribute: Attribute,
        /// Name of the axis.
        axis: char,
    },
    /// An attribute has more or fewer values than the axis that it follows has indices.
    AttributeCount {
        /// The attribute.
        attribute: Attribute,
        /// Name of the axis.
        axis: char,
        /// Extent of the axis.
        extent: usize,
        /// Number of values given.
        found: usize,
    },
    /// An attribute along several axes, or in groups, has more or fewer values than these take.
    AttributeValues {
        /// The attribute.
        attribute: Attribute,
        /// Names of the axes.
        axes: AxisNames,
        /// The product of the numbers of groups along the axes.
        expected: usize,
        /// Number of values given.
        found: usize,
    },
    /// The attributes follow more axes than a plan notes; those that follow the same ones in the same groups share them.
    AttributeAxesTogether {
        /// What a plan notes.
        limit: usize,
    },
    /// An attribute follows an axis twice.
    AttributeAxisTwice {
        /// The attribute.
        attribute: Attribute,
        /// Name of the axis.
        axis: char,
    },
    /// An attribute has groups of no indices.
    AttributeEmptyGroup {
        /// The attribute.
        attribute: Attribute,
        /// Name of the axis.
        axis: char,
    },
    /// A plan was run with an attribute in other groups than it was made for.
    AttributeGroup {
        /// The attribute.
        attribute: Attribute,
        /// Name of the axis.
        axis: char,
        /// Indices that share a value in the plan.
        planned: usize,
        /// Indices that share a value as given.
        found: usize,
    },
    /// An attribute follows more axes than the tensor has, or more or fewer than in the plan.
    AttributeAxes {
        /// The attribute.
        attribute: Attribute,
        /// Axes of the tensor, or of the attribute in the plan.
        expected: usize,
        /// Axes given.
        found: usize,
    },
    /// A zero point, which is an integer, for a side that holds none.
    AttributeType {
        /// The attribute.
        attribute: Attribute,
        /// Data type of the side.
        dtype: DType,
    },
    /// There is room for more or fewer scales than an axis has indices.
    ScaleCount {
        /// Name of the axis.
        axis: char,
        /// Extent of the axis.
        extent: usize,
        /// Scales that there is room for.
        found: usize,
    },
    /// A plan was run with another way to round than it was made for.
    Rounding {
        /// The plan's.
        planned: Rounding,
        /// That of the run.
        found: Rounding,
    },
    /// Compensation of weights that are not s8 or u8.
    CompensationType {
        /// Data type of the weights.
        dtype: DType,
    },
    /// Padding is to hold the zero point of the destination, of which there is not one.
    PaddingZeroPoint {
        /// The axis along which it differs; `None` where there is no zero point.
        axis: Option<char>,
    },
    /// A plan with an attribute was run without its values.
    AttributeMissing {
        /// The attribute.
        attribute: Attribute,
    },
    /// A plan was run with an attribute that it does not have, or not along this axis.
    AttributeChanged {
        /// The attribute.
        attribute: Attribute,
        /// What the plan has: the axis, `None` within for a common value; nothing where it has no such attribute.
        planned: Option<Option<char>>,
        /// The axis that the values given follow; `None` for a common one.
        found: Option<char>,
    },
    /// Two slices have different lengths.
    SliceLength {
        /// Elements of the source.
        src: usize,
        /// Elements of the destination.
        dst: usize,
    },
    /// A tensor that is to be made would be larger than the address space.
    Size(SizeError),
    /// A view whose strides make no descriptor.
    Descriptor(DescriptorError),
    /// A view that was broadcast to more elements than the address space has.
    Algebra(AlgebraError),
    /// There is no memory for a tensor that is to be made.
    Allocation {
        /// Bytes asked for.
        bytes: usize,
    },
}

impl From<AlgebraError> for ReorderError {
    fn from(error: AlgebraError) -> Self {
        ReorderError::Algebra(error)
    }
}

impl From<SizeError> for ReorderError {
    fn from(error: SizeError) -> Self {
        ReorderError::Size(error)
    }
}

impl From<DescriptorError> for ReorderError {
    fn from(error: DescriptorError) -> Self {
        ReorderError::Descriptor(error)
    }
}

impl fmt::Display for ReorderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ReorderError::Rank { src, dst } => {
                write!(f, "the source has rank {src}, but the destination has rank {dst}")
            }
            ReorderError::AxisName { position, src, dst } => {
                write!(f, "axis {position} is `{src}` in the source, but `{dst}` in the destination")
            }
            ReorderError::Extent { axis, position, src, dst } => {
                write!(
                    f,
                    "axis `{axis}` (position {position}) has extent {src} in the source, but {dst} in the destination"
                )
            }
            ReorderError::Broadcast { axis, position } => {
                write!(
                    f,
                    "axis `{axis}` (position {position}) of the destination is broadcast: its elements share one place"
                )
            }
            ReorderError::TooManyLoops { needed, limit } => {
                write!(
                    f,
                    "the two layouts need at least {needed} nested loops and segments, but a plan holds {limit}"
                )
            }
            ReorderError::SourceTooSmall { expected, found } => {
                write!(f, "the source needs {expected} bytes, but its buffer has {found}")
            }
            ReorderError::DestinationTooSmall { expected, found } => {
                write!(f, "the destination needs {expected} bytes, but its buffer has {found}")
            }
            ReorderError::AttributeAxis { attribute, axis } => {
                write!(f, "the {attribute} is per axis `{axis}`, but the tensor has no such axis")
            }
            ReorderError::AttributeCount { attribute, axis, extent, found } => {
                write!(f, "the {attribute} has {found} values, but axis `{axis}` has extent {extent}")
            }
            ReorderError::AttributeValues { attribute, axes, expected, found } => {
                write!(f, "the {attribute} has {found} values, but its groups along ")?;
                for (i, axis) in axes.iter().enumerate() {
                    write!(f, "{}`{axis}`", if i == 0 { "" } else { ", " })?;
                }
                write!(f, " are {expected}")
            }
            ReorderError::AttributeAxesTogether { limit } => write!(
                f,
                "scales, zero points and rounding by chance follow more than {limit} axes altogether: let them follow the same \
                 axes in the same groups, or do the reorder in two"
            ),
            ReorderError::AttributeAxisTwice { attribute, axis } => {
                write!(f, "the {attribute} follows axis `{axis}` twice")
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
                    "the {attribute} has groups of {found} along axis `{axis}`, but in the plan they are of {planned}"
                )
            }
            ReorderError::AttributeAxes { attribute, expected, found } => {
                write!(f, "the {attribute} follows {found} axes, but there are {expected} of them")
            }
            ReorderError::AttributeType { attribute, dtype } => {
                let side = attribute.side();
                write!(
                    f,
                    "the {attribute} is an integer, but the {side} holds {dtype}; a shift may be any number"
                )
            }
            ReorderError::ScaleCount { axis, extent, found } => {
                write!(f, "there is room for {found} scales, but axis `{axis}` has extent {extent}")
            }
            ReorderError::Rounding { planned, found } => {
                write!(f, "the plan rounds {planned}, but is run with rounding {found}")
            }
            ReorderError::CompensationType { dtype } => {
                write!(f, "compensation is for weights of s8 or u8, but these hold {dtype}")
            }
            ReorderError::PaddingZeroPoint { axis: None } => {
                f.write_str("padding is to hold the destination zero point, but there is none")
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
                write!(f, "the plan has a {attribute}, of which no values are given")
            }
            ReorderError::AttributeChanged { attribute, planned, found } => {
                if attribute == Attribute::Accumulation {
                    return f.write_str("the destination is to be added to, but the plan overwrites it");
                }
                let along = |f: &mut fmt::Formatter<'_>, axis: Option<char>| match axis {
                    Some(axis) => write!(f, "per axis `{axis}`"),
                    None => f.write_str("common"),
                };
                write!(f, "the {attribute} is ")?;
                along(f, found)?;
                match planned {
                    Some(axis) => {
                        f.write_str(", but in the plan it is ")?;
                        along(f, axis)
                    }
                    None => f.write_str(", but the plan has none"),
                }
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

impl core::error::Error for ReorderError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // Their texts are this error's own: what comes next is what made them.
            ReorderError::Size(error) => error.source(),
            ReorderError::Descriptor(error) => error.source(),
            ReorderError::Algebra(error) => error.source(),
            _ => None,
        }
    }
}
