//! The table behind [`preferred_layout`](super::preferred_layout). The rows for x86-64 are what oneDNN 3 answers to `any`
//! (`ONEDNN_VERBOSE=2`, one process for each `ONEDNN_MAX_CPU_ISA`); f64, f16 and bf16 without own instructions are
//! computed as f32 or f64, so that their blocks are vectors of those. The rows for NEON follow ncnn's packing.

use super::Op;
use crate::descriptor::DType;
use crate::kernels::Cpu;

/// Format strings for 1, 2 and 3 spatial axes, and the reason.
pub(super) type Entry = (&'static [&'static str; 3], &'static str);

pub(super) struct Row {
    pub(super) src: Entry,
    pub(super) weights: Option<Entry>,
    pub(super) dst: Entry,
}

/// The three format strings around the spatial axes.
macro_rules! formats {
    ($before:literal, $after:literal) => {
        &[concat!($before, "w", $after), concat!($before, "hw", $after), concat!($before, "dhw", $after)]
    };
}

const PLAIN: Entry = (formats!("nc", ""), "rows of pixels are long, and the channels too few for a vector");
const LAST: Entry = (
    formats!("n", "c"),
    "channels innermost, for which compilers find the vectors: no block fits a processor that is not known",
);
const LAST_INT8: Entry =
    (formats!("n", "c"), "4 channels that follow each other are one 32-bit lane of a dot product");
const LAST_NEXT: Entry = (formats!("n", "c"), "what the next int8 kernel reads");
const BLOCKS_4: Entry = (formats!("nC", "4c"), "a block of channels is one vector");
const BLOCKS_4_OF_TWO: Entry =
    (formats!("nC", "4c"), "a block of channels is two vectors, which one broadcast weight serves");
const BLOCKS_8: Entry = (formats!("nC", "8c"), "a block of channels is one vector");
const BLOCKS_8_OF_TWO: Entry =
    (formats!("nC", "8c"), "a block of channels is two vectors, which one broadcast weight serves");
const BLOCKS_16: Entry = (formats!("nC", "16c"), "a block of channels is one vector");

/// What the activations of a layer lie in, by lanes of a vector.
#[derive(Clone, Copy)]
enum Lanes {
    /// No vector is known.
    Any,
    /// Two vectors of two.
    TwiceTwo,
    Four,
    /// Two vectors of four.
    TwiceFour,
    Eight,
    Sixteen,
}

fn lanes(dtype: DType, cpu: Cpu) -> Lanes {
    match (cpu, dtype) {
        (Cpu::Avx512, DType::F64) => Lanes::Eight,
        (Cpu::Avx512, _) => Lanes::Sixteen,
        (Cpu::Avx2, DType::F64) => Lanes::Four,
        (Cpu::Avx2, _) => Lanes::Eight,
        (Cpu::Sse41 | Cpu::Neon, DType::F64) => Lanes::TwiceTwo,
        (Cpu::Sse41, _) => Lanes::TwiceFour,
        (Cpu::Neon, _) => Lanes::Four,
        (Cpu::Generic, _) => Lanes::Any,
    }
}

fn blocks(lanes: Lanes) -> Entry {
    match lanes {
        Lanes::Any => LAST,
        Lanes::TwiceTwo => BLOCKS_4_OF_TWO,
        Lanes::Four => BLOCKS_4,
        Lanes::TwiceFour => BLOCKS_8_OF_TWO,
        Lanes::Eight => BLOCKS_8,
        Lanes::Sixteen => BLOCKS_16,
    }
}

const SQUARE: &str =
    "blocks of both channels: a vector of output channels for each input channel of a block of the source";
const PAIRS: &str = "16 output channels are the lanes, 2 input channels in each: one bf16 dot product";
const QUADS_16: &str = "16 output channels are the lanes, 4 input channels in each: one VNNI instruction";
const QUADS_8: &str =
    "8 output channels are the lanes, 4 input channels in each, which multiply and add in pairs";
const QUADS_4: &str = "4 output channels are the lanes, 4 input channels in each";
const VECTOR_OUT: &str =
    "a vector of output channels for each of the few input channels, which are broadcast";
const VECTOR_GROUP: &str = "a block of groups is multiplied with a block of channels, lane by lane";
const OUT_LAST: &str = "output channels innermost, which run along with those of the destination";
const GROUP_LAST: &str = "groups innermost, which run along with the channels";

/// The weights of an ordinary convolution, or with `g` before the blocked channels, of a grouped one.
macro_rules! weights {
    ($name:ident, $channels:literal, $last:expr) => {
        fn $name(dtype: DType, lanes: Lanes) -> Entry {
            match (dtype, lanes) {
                (DType::S8 | DType::U8, Lanes::Sixteen) => (formats!($channels, "4i16o4i"), QUADS_16),
                (DType::S8 | DType::U8, Lanes::Eight) => (formats!($channels, "2i8o4i"), QUADS_8),
                (DType::S8 | DType::U8, Lanes::TwiceTwo | Lanes::Four | Lanes::TwiceFour) => {
                    (formats!($channels, "4o4i"), QUADS_4)
                }
                (DType::Bf16, Lanes::Sixteen) => (formats!($channels, "8i16o2i"), PAIRS),
                (_, Lanes::Sixteen) => (formats!($channels, "16i16o"), SQUARE),
                (_, Lanes::Eight | Lanes::TwiceFour) => (formats!($channels, "8i8o"), SQUARE),
                (_, Lanes::Four | Lanes::TwiceTwo) => (formats!($channels, "4i4o"), SQUARE),
                (_, Lanes::Any) => ($last, OUT_LAST),
            }
        }
    };
}
weights!(weights, "OI", &["wio", "hwio", "dhwio"]);
weights!(grouped_weights, "gOI", &["wigo", "hwigo", "dhwigo"]);

fn first_weights(dtype: DType, lanes: Lanes) -> Entry {
    match (dtype, lanes) {
        // The input channels are padded to 4 for a dot product, as in the other layers.
        (DType::S8 | DType::U8, _) => weights(dtype, lanes),
        (DType::Bf16, Lanes::Sixteen) => (&["OwI16o2i", "OhwI16o2i", "OdhwI16o2i"], PAIRS),
        (_, Lanes::Sixteen) => (&["Owi16o", "Ohwi16o", "Odhwi16o"], VECTOR_OUT),
        (_, Lanes::Eight | Lanes::TwiceFour) => (&["Owi8o", "Ohwi8o", "Odhwi8o"], VECTOR_OUT),
        (_, Lanes::Four | Lanes::TwiceTwo) => (&["Owi4o", "Ohwi4o", "Odhwi4o"], VECTOR_OUT),
        (_, Lanes::Any) => weights(dtype, lanes),
    }
}

fn depthwise_weights(lanes: Lanes) -> Entry {
    match lanes {
        Lanes::Sixteen => (formats!("Goi", "16g"), VECTOR_GROUP),
        Lanes::Eight | Lanes::TwiceFour => (formats!("Goi", "8g"), VECTOR_GROUP),
        Lanes::Four | Lanes::TwiceTwo => (formats!("Goi", "4g"), VECTOR_GROUP),
        Lanes::Any => (&["wigo", "hwigo", "dhwigo"], GROUP_LAST),
    }
}

const MATRIX: Entry = (&["ab", "ab", "ab"], "rows, of which a kernel broadcasts one element at a time");
const MATRIX_OUT: Entry = (&["ab", "ab", "ab"], "rows, of which a kernel writes a stretch at a time");

fn right_matrix(dtype: DType, lanes: Lanes) -> Entry {
    match (dtype, lanes) {
        (DType::S8 | DType::U8, Lanes::Sixteen) => (
            &["BA16a64b4a"; 3],
            "panels of 64 columns, which are 4 vectors; 4 rows in each lane: one VNNI instruction",
        ),
        (DType::Bf16, Lanes::Sixteen) => (
            &["BA16a64b2a"; 3],
            "panels of 64 columns, which are 4 vectors; 2 rows in each lane: one bf16 dot product",
        ),
        (DType::F64, Lanes::Eight) => {
            (&["BA16a32b"; 3], "panels of 32 columns, which are 4 vectors, read from first to last")
        }
        (_, Lanes::Sixteen) => {
            (&["BA16a64b"; 3], "panels of 64 columns, which are 4 vectors, read from first to last")
        }
        _ => (&["ab"; 3], "rows: with few registers, kernels pack panels that suit the cache as they go"),
    }
}

pub(super) fn row(op: Op, dtype: DType, cpu: Cpu) -> Row {
    let lanes = lanes(dtype, cpu);
    let int8 = matches!(dtype, DType::S8 | DType::U8);
    let (src, dst) = match lanes {
        Lanes::Any => (LAST, LAST),
        _ if int8 => (LAST_INT8, LAST_NEXT),
        _ => (blocks(lanes), blocks(lanes)),
    };
    match op {
        Op::Convolution { .. } => Row { src, weights: Some(weights(dtype, lanes)), dst },
        Op::GroupedConvolution { .. } => Row { src, weights: Some(grouped_weights(dtype, lanes)), dst },
        Op::DepthwiseConvolution { .. } => Row { src, weights: Some(depthwise_weights(lanes)), dst },
        Op::FirstConvolution { .. } => {
            let planes = !int8 && !matches!(lanes, Lanes::Any);
            Row { src: if planes { PLAIN } else { src }, weights: Some(first_weights(dtype, lanes)), dst }
        }
        Op::Pooling { .. } => Row { src, weights: None, dst },
        Op::MatMul => Row { src: MATRIX, weights: Some(right_matrix(dtype, lanes)), dst: MATRIX_OUT },
    }
}
