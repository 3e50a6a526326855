//! The table of preferences: names that parse, blocks that are vectors, operands that fit each other, and oneDNN's answers.

use layout_core::choose::{Op, preferred_layout};
use layout_core::descriptor::DType;
use layout_core::grammar::Spec;
use layout_core::kernels::Cpu;

const CPUS: [Cpu; 5] = [Cpu::Generic, Cpu::Neon, Cpu::Sse41, Cpu::Avx2, Cpu::Avx512];

fn ops() -> impl Iterator<Item = Op> {
    (1..=3)
        .flat_map(|spatial| {
            [
                Op::Convolution { spatial },
                Op::FirstConvolution { spatial },
                Op::GroupedConvolution { spatial },
                Op::DepthwiseConvolution { spatial },
                Op::Pooling { spatial },
            ]
        })
        .chain([Op::MatMul])
}

/// What oneDNN 3 answers to `any` (`ONEDNN_VERBOSE=2`), for its kernels that go over blocks.
#[test]
fn the_names_are_those_of_onednn() {
    let conv = Op::Convolution { spatial: 2 };
    let first = Op::FirstConvolution { spatial: 2 };
    let grouped = Op::GroupedConvolution { spatial: 2 };
    let depthwise = Op::DepthwiseConvolution { spatial: 2 };
    let conv3d = Op::Convolution { spatial: 3 };
    for (op, dtype, cpu, src, weights, dst) in [
        // jit:avx512_core, jit:sse41
        (conv, DType::F32, Cpu::Avx512, "nChw16c", "OIhw16i16o", "nChw16c"),
        (conv, DType::F32, Cpu::Avx2, "nChw8c", "OIhw8i8o", "nChw8c"),
        (conv, DType::F32, Cpu::Sse41, "nChw8c", "OIhw8i8o", "nChw8c"),
        (grouped, DType::F32, Cpu::Sse41, "nChw8c", "gOIhw8i8o", "nChw8c"),
        // jit: first layers
        (first, DType::F32, Cpu::Avx512, "nchw", "Ohwi16o", "nChw16c"),
        (first, DType::F32, Cpu::Avx2, "nchw", "Ohwi8o", "nChw8c"),
        (first, DType::F32, Cpu::Sse41, "nchw", "Ohwi8o", "nChw8c"),
        (first, DType::Bf16, Cpu::Avx512, "nchw", "OhwI16o2i", "nChw16c"),
        // jit_bf16:avx512_core
        (conv, DType::Bf16, Cpu::Avx512, "nChw16c", "OIhw8i16o2i", "nChw16c"),
        (grouped, DType::Bf16, Cpu::Avx512, "nChw16c", "gOIhw8i16o2i", "nChw16c"),
        (conv3d, DType::Bf16, Cpu::Avx512, "nCdhw16c", "OIdhw8i16o2i", "nCdhw16c"),
        // jit_int8, jit_uni_int8
        (conv, DType::U8, Cpu::Avx512, "nhwc", "OIhw4i16o4i", "nhwc"),
        (conv, DType::U8, Cpu::Avx2, "nhwc", "OIhw2i8o4i", "nhwc"),
        (conv, DType::U8, Cpu::Sse41, "nhwc", "OIhw4o4i", "nhwc"),
        (first, DType::U8, Cpu::Avx512, "nhwc", "OIhw4i16o4i", "nhwc"),
        (grouped, DType::S8, Cpu::Avx2, "nhwc", "gOIhw2i8o4i", "nhwc"),
        (conv3d, DType::S8, Cpu::Avx512, "ndhwc", "OIdhw4i16o4i", "ndhwc"),
        // jit_dw, jit_int8
        (depthwise, DType::F32, Cpu::Avx512, "nChw16c", "Goihw16g", "nChw16c"),
        (depthwise, DType::F32, Cpu::Sse41, "nChw8c", "Goihw8g", "nChw8c"),
        (depthwise, DType::U8, Cpu::Avx2, "nhwc", "Goihw8g", "nhwc"),
        // brg: matrices
        (Op::MatMul, DType::F32, Cpu::Avx512, "ab", "BA16a64b", "ab"),
        (Op::MatMul, DType::Bf16, Cpu::Avx512, "ab", "BA16a64b2a", "ab"),
        (Op::MatMul, DType::S8, Cpu::Avx512, "ab", "BA16a64b4a", "ab"),
        (Op::MatMul, DType::F32, Cpu::Avx2, "ab", "ab", "ab"),
    ] {
        let preferred = preferred_layout(op, dtype, cpu);
        let found = (preferred.src.format(), preferred.weights.unwrap().format(), preferred.dst.format());
        assert_eq!(found, (src, weights, dst), "{preferred}");
    }
}

#[test]
fn every_choice_is_a_layout_with_a_reason() {
    for (op, dtype, cpu) in ops()
        .flat_map(|op| DType::ALL.map(|dtype| (op, dtype)))
        .flat_map(|(op, dtype)| CPUS.map(|cpu| (op, dtype, cpu)))
    {
        let preferred = preferred_layout(op, dtype, cpu);
        let text = preferred.to_string();
        for choice in [Some(preferred.src), preferred.weights, Some(preferred.dst)].into_iter().flatten() {
            let spec = Spec::parse(choice.format()).unwrap_or_else(|error| panic!("{text}\n{error}"));
            assert_eq!(spec, choice.spec());
            assert_eq!(spec.to_string(), choice.format(), "not the canonical name");
            assert!(choice.reason().len() > 10 && text.contains(&choice.to_string()), "{text}");
            // A tensor with a tail on every axis can be described.
            let dims = vec![5; spec.rank()];
            assert_eq!(choice.descriptor(dtype, &dims).unwrap().dims(), dims);
        }
        assert_eq!(preferred.weights.is_none(), matches!(op, Op::Pooling { .. }), "{text}");
        let vector = match cpu {
            Cpu::Avx512 => 64,
            Cpu::Avx2 => 32,
            _ => 16,
        };
        // Blocks of activations are whole vectors of what is computed with, which is 4 bytes at least.
        if let Some(c) = preferred.dst.spec().axis_named('c') {
            let block = preferred.dst.spec().block_of(c) as usize * dtype.size().max(4);
            let blocked = preferred.dst.spec().block_of(c) > 1;
            assert!(!blocked || block.is_multiple_of(vector), "{text}");
            // The weights' output channels, or groups, are in the same blocks.
            if let (true, Some(weights)) = (blocked, preferred.weights) {
                let spec = weights.spec();
                let letter = if matches!(op, Op::DepthwiseConvolution { .. }) { 'g' } else { 'o' };
                let axis = spec.axis_named(letter).unwrap();
                assert_eq!(spec.block_of(axis), preferred.dst.spec().block_of(c), "{text}");
            }
        }
    }
}

#[test]
fn spatial_axes_are_as_many_as_asked_for() {
    for (spatial, format) in [(0, "nCw16c"), (1, "nCw16c"), (2, "nChw16c"), (3, "nCdhw16c"), (9, "nCdhw16c")]
    {
        let op = Op::Pooling { spatial };
        assert_eq!(preferred_layout(op, DType::F32, Cpu::Avx512).src.format(), format);
    }
}

#[test]
fn a_choice_prints_itself() {
    let preferred = preferred_layout(Op::DepthwiseConvolution { spatial: 2 }, DType::F32, Cpu::Avx2);
    assert_eq!(
        preferred.to_string(),
        "depthwise convolution of f32 on avx2\n  \
           src      nChw8c (a block of channels is one vector)\n  \
           weights  Goihw8g (a block of groups is multiplied with a block of channels, lane by lane)\n  \
           dst      nChw8c (a block of channels is one vector)"
    );
}
