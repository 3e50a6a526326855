//! [`ReorderError`]: why two descriptors cannot be reordered into one another, or why a plan cannot run.

mod display;

use super::{Attribute, AxisNames, Way};
use crate::descriptor::{AlgebraError, DType, DescriptorError};
use crate::kernels::convert::Rounding;
use crate::shape::SizeError;

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
        /// Those that the tensor has.
        axes: AxisNames,
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
        /// Axes that are followed at least.
        needed: usize,
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
    /// An attribute follows more axes than the tensor has.
    AttributeAxes {
        /// The attribute.
        attribute: Attribute,
        /// Axes of the tensor.
        expected: usize,
        /// Axes given.
        found: usize,
    },
    /// A plan was run with an attribute along more or fewer axes than it was made for.
    AttributeAxesChanged {
        /// The attribute.
        attribute: Attribute,
        /// Its axes in the plan.
        planned: AxisNames,
        /// Number of axes given.
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
    /// Compensation of weights of which several share one place, because an axis is broadcast.
    CompensationBroadcast {
        /// Name of the axis.
        axis: char,
        /// Logical position of the axis.
        position: usize,
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
    /// The plan cannot be moved in this way on this processor.
    NoWay {
        /// What was asked for.
        way: Way,
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
