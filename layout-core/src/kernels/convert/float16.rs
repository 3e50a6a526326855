//! The two 16-bit floats as bit patterns: f16 (IEEE 754 binary16) and bf16 (the upper half of an f32).
//! Called by `number` and by users without the `half` crate; never branches on a value.

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;

/// The value of the f16 with the bits `bits`; exact, NaN becomes quiet.
///
/// ```
/// use layout_core::kernels::convert::f16_to_f32;
/// assert_eq!(f16_to_f32(0x3C01), 1.0009765625);
/// assert_eq!(f16_to_f32(0x8001), -1.0 / 16_777_216.0);
/// ```
#[inline(always)]
pub const fn f16_to_f32(bits: u16) -> f32 {
    let magnitude = ((bits & 0x7FFF) as u32) << 13;
    // The exponent's bias is 15 here and 127 there.
    let normal = magnitude + (112 << 23);
    let quiet = if magnitude > 0x0F80_0000 { 0x0040_0000 } else { 0 };
    let special = (normal + (112 << 23)) | quiet;
    // A subnormal m * 2^-24 becomes (1 + m * 2^-10) * 2^-14 in `normal` with one exponent more; subtract 2^-14.
    let subnormal = (f32::from_bits(normal + (1 << 23)) - f32::from_bits(113 << 23)).to_bits();
    let value = if magnitude >= 0x0F80_0000 {
        special
    } else if magnitude < 0x0080_0000 {
        subnormal
    } else {
        normal
    };
    f32::from_bits(value | ((bits & 0x8000) as u32) << 16)
}

/// The f16 nearest to `value`, ties to even.
///
/// ```
/// use layout_core::kernels::convert::f32_to_f16;
/// assert_eq!(f32_to_f16(65519.0), 0x7BFF);
/// assert_eq!(f32_to_f16(65520.0), 0x7C00);
/// assert_eq!(f32_to_f16(-0.0), 0x8000);
/// ```
#[inline(always)]
pub const fn f32_to_f16(value: f32) -> u16 {
    let magnitude = value.to_bits() & !SIGN;
    let sign = (value.to_bits() & SIGN) >> 16;
    // Half of the last place that is kept, minus one, plus the last place: ties go to even. A carry out of the
    // mantissa is right too: it goes to the next exponent, and from the largest number to infinity.
    let rounded = magnitude.wrapping_add(0x0FFF + ((magnitude >> 13) & 1));
    let normal = rounded.wrapping_sub(112 << 23) >> 13;
    // 0.5 has its last place at 2^-24, that of f16's subnormals, so that the addition rounds there.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3F00_0000);
    let nan = 0x7E00 | (magnitude >> 13) & 0x01FF;
    let bits = if magnitude > INFINITY {
        nan
    } else if magnitude >= 0x4780_0000 {
        0x7C00
    } else if magnitude < 0x3880_0000 {
        subnormal
    } else {
        normal
    };
    (bits | sign) as u16
}

/// The value of the bf16 with the bits `bits`; exact, NaN becomes quiet.
///
/// ```
/// assert_eq!(layout_core::kernels::convert::bf16_to_f32(0x3F80), 1.0);
/// ```
#[inline(always)]
pub const fn bf16_to_f32(bits: u16) -> f32 {
    let wide = (bits as u32) << 16;
    f32::from_bits(wide | if wide & !SIGN > INFINITY { 0x0040_0000 } else { 0 })
}

/// The bf16 nearest to `value`, ties to even.
///
/// ```
/// assert_eq!(layout_core::kernels::convert::f32_to_bf16(1.0), 0x3F80);
/// ```
#[inline(always)]
pub const fn f32_to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) >> 16;
    let nan = bits >> 16 | 0x0040;
    (if bits & !SIGN > INFINITY { nan } else { rounded }) as u16
}

/// The f16 nearest to `value`, ties to even, rounded once.
///
/// ```
/// use layout_core::kernels::convert::{f32_to_f16, f64_to_f16};
/// let above_tie = 1.0 + 1.0 / 2048.0 + 1e-12;
/// assert_eq!(f64_to_f16(above_tie), 0x3C01);
/// assert_eq!(f32_to_f16(above_tie as f32), 0x3C00); // twice rounded is wrong
/// ```
#[inline(always)]
pub const fn f64_to_f16(value: f64) -> u16 {
    f32_to_f16(round_to_odd(value))
}

/// The bf16 nearest to `value`, ties to even, rounded once.
///
/// ```
/// assert_eq!(layout_core::kernels::convert::f64_to_bf16(1.0), 0x3F80);
/// ```
#[inline(always)]
pub const fn f64_to_bf16(value: f64) -> u16 {
    f32_to_bf16(round_to_odd(value))
}

/// `value` in f32 where that is exact, else that of its two neighbours whose last bit is 1.
///
/// Rounding that to a float with at least two bits less gives what rounding `value` at once would give: the odd bit
/// keeps it off every tie (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
#[inline(always)]
pub(super) const fn round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let bits = nearest.to_bits();
    let back = nearest as f64;
    // Compare magnitudes by their bits; NaN equals itself or differs in payload bits that are lost anyway.
    let (found, wanted) = (back.to_bits() & !(1 << 63), value.to_bits() & !(1 << 63));
    let inexact = found != wanted && !value.is_nan();
    let other = if found > wanted { bits.wrapping_sub(1) } else { bits.wrapping_add(1) };
    f32::from_bits(if inexact && bits & 1 == 0 { other } else { bits })
}
