//! [`preferred_layout`]: the layouts in which an operation's operands suit a processor, each by its name and with the
//! reason. A table of facts; it looks at no memory and at no processor but the one it is given.

mod table;

use crate::descriptor::{DType, Descriptor, DescriptorError};
use crate::grammar::Spec;
use crate::kernels::Cpu;
use core::fmt;
use table::{Row, row};

/// An operation, as far as layouts depend on it. `spatial` is the number of spatial axes, 1 to 3; other numbers count
/// as the nearest of these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Op {
    /// A convolution with many input and output channels.
    Convolution {
        /// Number of spatial axes.
        spatial: usize,
    },
    /// A convolution of an image: up to four input channels, many output channels.
    FirstConvolution {
        /// Number of spatial axes.
        spatial: usize,
    },
    /// A convolution whose channels fall into groups with many channels each.
    GroupedConvolution {
        /// Number of spatial axes.
        spatial: usize,
    },
    /// A convolution with a group for each channel.
    DepthwiseConvolution {
        /// Number of spatial axes.
        spatial: usize,
    },
    /// Pooling, and anything else that works on each channel by itself, between convolutions.
    Pooling {
        /// Number of spatial axes.
        spatial: usize,
    },
    /// A product of matrices, of which the right one is used many times. Its axes are `a` (summed over) and `b`.
    MatMul,
}

impl Op {
    /// Its name, as printed.
    pub const fn name(self) -> &'static str {
        match self {
            Op::Convolution { .. } => "convolution",
            Op::FirstConvolution { .. } => "first convolution",
            Op::GroupedConvolution { .. } => "grouped convolution",
            Op::DepthwiseConvolution { .. } => "depthwise convolution",
            Op::Pooling { .. } => "pooling",
            Op::MatMul => "matrix product",
        }
    }

    const fn spatial(self) -> usize {
        match self {
            Op::Convolution { spatial }
            | Op::FirstConvolution { spatial }
            | Op::GroupedConvolution { spatial }
            | Op::DepthwiseConvolution { spatial }
            | Op::Pooling { spatial } => spatial,
            Op::MatMul => 1,
        }
    }
}

/// A layout that was chosen, and why.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    format: &'static str,
    reason: &'static str,
}

impl Choice {
    /// The format string, for [`Descriptor::new`] and, written into the program, for `layout!`.
    pub const fn format(self) -> &'static str {
        self.format
    }

    /// Why this one, in a phrase.
    pub const fn reason(self) -> &'static str {
        self.reason
    }

    /// The parsed format.
    pub fn spec(self) -> Spec {
        match Spec::parse(self.format) {
            Ok(spec) => spec,
            // The test of the table parses every format.
            Err(error) => unreachable!("{}: {error}", self.format),
        }
    }

    /// The descriptor of a tensor of these extents, in logical order.
    ///
    /// # Errors
    /// As for [`Descriptor::new`].
    pub fn descriptor(self, dtype: DType, dims: &[usize]) -> Result<Descriptor, DescriptorError> {
        Descriptor::new(dtype, dims, self.format)
    }
}

/// As in `nChw16c (a block of channels is one vector)`.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.format, self.reason)
    }
}
impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The layouts of an operation's operands. They belong together: what one kernel reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preferred {
    /// The operation.
    pub op: Op,
    /// The data type of the source.
    pub dtype: DType,
    /// The processor family.
    pub cpu: Cpu,
    /// The source: activations, or the left matrix.
    pub src: Choice,
    /// The weights, or the right matrix; `None` for an operation without.
    pub weights: Option<Choice>,
    /// The destination.
    pub dst: Choice,
}

/// Four lines: the operation, and a line for each operand.
impl fmt::Display for Preferred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} of {} on {}", self.op.name(), self.dtype, self.cpu)?;
        writeln!(f, "  src      {}", self.src)?;
        if let Some(weights) = self.weights {
            writeln!(f, "  weights  {weights}")?;
        }
        write!(f, "  dst      {}", self.dst)
    }
}

/// The layouts in which the operands of `op` suit processors of family `cpu`: never an opaque one, always a name that can
/// be written, stored and compared. `dtype` is that of the source; where it is an 8-bit integer, the weights are `s8`.
///
/// It is what direct kernels take, those that go over blocks: the names are those that oneDNN 3 chooses for its own (`jit`,
/// `jit_dw`, `jit_int8`, `jit_bf16`, and `brg` for products of matrices) where it is asked for `any` format, and those of
/// ncnn for NEON. Kernels that multiply packed panels (oneDNN's `brgconv`) take channels-last activations instead. Measure
/// your own.
///
/// ```
/// use layout_core::choose::{Op, preferred_layout};
/// use layout_core::descriptor::DType;
/// use layout_core::kernels::Cpu;
///
/// let conv = Op::Convolution { spatial: 2 };
/// assert_eq!(preferred_layout(conv, DType::F32, Cpu::Avx512).src.format(), "nChw16c");
/// assert_eq!(preferred_layout(conv, DType::F32, Cpu::Avx2).src.format(), "nChw8c");
///
/// let int8 = preferred_layout(conv, DType::U8, Cpu::Avx512);
/// assert_eq!(int8.weights.map(|weights| weights.format()), Some("OIhw4i16o4i"));
/// println!("{int8}");
/// ```
///
/// ```text
/// convolution of u8 on avx512
///   src      nhwc (4 channels that follow each other are one 32-bit lane of a dot product)
///   weights  OIhw4i16o4i (16 output channels are the lanes, 4 input channels in each: one VNNI instruction)
///   dst      nhwc (what the next int8 kernel reads)
/// ```
pub fn preferred_layout(op: Op, dtype: DType, cpu: Cpu) -> Preferred {
    let Row { src, weights, dst } = row(op, dtype, cpu);
    let rank = op.spatial().clamp(1, 3) - 1;
    let choice =
        |(formats, reason): (&[&'static str; 3], &'static str)| Choice { format: formats[rank], reason };
    Preferred { op, dtype, cpu, src: choice(src), weights: weights.map(choice), dst: choice(dst) }
}
