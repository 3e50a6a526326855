//! Conversions by instructions that not all processors of the family have: AVX512_BF16 and AVX512_FP16. Called by the module around
//! it, which asks for them.

pub(super) mod bf16;
mod integers;

use super::super::super::super::convert::Format;
use super::super::super::super::cpu::Avx512;
use super::super::super::super::drive::ConvertRows;

/// The loop from `src` to `dst` without parameters, where this processor has such instructions for it.
#[inline]
pub(super) fn convert_rows(token: Avx512, src: Format, dst: Format) -> Option<ConvertRows> {
    match (src, dst) {
        (Format::F32, Format::Bf16) if token.has_bf16() => Some(bf16::rows),
        (Format::S8, Format::Bf16) if token.has_bf16() => Some(integers::to_bf16::<true>),
        (Format::U8, Format::Bf16) if token.has_bf16() => Some(integers::to_bf16::<false>),
        (Format::S8, Format::F16) if token.has_fp16() => Some(integers::to_f16::<true>),
        (Format::U8, Format::F16) if token.has_fp16() => Some(integers::to_f16::<false>),
        (Format::F16, Format::S8) if token.has_fp16() => Some(integers::from_f16::<true>),
        (Format::F16, Format::U8) if token.has_fp16() => Some(integers::from_f16::<false>),
        _ => None,
    }
}

/// Whether there is one.
#[inline]
pub(in super::super::super::super) fn is_native(token: Avx512, src: Format, dst: Format) -> bool {
    convert_rows(token, src, dst).is_some()
}
