//! Floats of 8 and of 4 bits as bit patterns: f8_e5m2, f8_e4m3, e8m0, f4_e2m1 and f4_e3m0.
//! Called by `small` and by users; never branches on a value.

use super::float16::round_to_odd;

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;
const QUIET: u32 = 0x0040_0000;

/// The magnitude `bits` of a float with `mantissa` stored bits and the exponent bias `bias`, as the bits of an f32. Exact;
/// for finite numbers.
#[inline(always)]
const fn widen(bits: u8, mantissa: u32, bias: u32) -> u32 {
    let magnitude = (bits as u32) << (23 - mantissa);
    let normal = magnitude + ((127 - bias) << 23);
    // A subnormal number becomes 1.m of the smallest exponent with one exponent more; subtract the one.
    let subnormal = f32::from_bits(normal + (1 << 23)) - f32::from_bits((128 - bias) << 23);
    if magnitude < 1 << 23 { subnormal.to_bits() } else { normal }
}

/// The float with `mantissa` stored bits and the exponent bias `bias` that is nearest to the f32 of the bits `magnitude`,
/// ties to even; of numbers that are too large, the pattern of as large a number in a format with more exponents.
#[inline(always)]
const fn narrow(magnitude: u32, mantissa: u32, bias: u32) -> u32 {
    let shift = 23 - mantissa;
    // Half of the last place that is kept, minus one, plus the last place: ties go to even. Without a mantissa that is the
    // leading 1, which is not stored.
    let last = if mantissa == 0 { 1 } else { (magnitude >> shift) & 1 };
    let rounded = magnitude.wrapping_add((1 << (shift - 1)) - 1 + last);
    let normal = rounded.wrapping_sub((127 - bias) << 23) >> shift;
    // A number whose last place is that of the subnormal ones, so that the addition rounds there.
    let place = (127 + 24 - bias - mantissa) << 23;
    let subnormal = (f32::from_bits(magnitude) + f32::from_bits(place)).to_bits().wrapping_sub(place);
    if magnitude < (128 - bias) << 23 { subnormal } else { normal }
}

/// The value of the f8_e5m2 with the bits `bits`: an f16 without its lower byte. Exact; NaN becomes quiet.
///
/// ```
/// use layout_core::kernels::convert::f8_e5m2_to_f32;
/// assert_eq!(f8_e5m2_to_f32(0x7B), 57344.0);
/// assert_eq!(f8_e5m2_to_f32(0x81), -1.0 / 65536.0);
/// ```
#[inline(always)]
pub const fn f8_e5m2_to_f32(bits: u8) -> f32 {
    super::f16_to_f32((bits as u16) << 8)
}

/// The f8_e5m2 nearest to `value`, ties to even; too large becomes infinity.
///
/// ```
/// use layout_core::kernels::convert::f32_to_f8_e5m2;
/// assert_eq!(f32_to_f8_e5m2(61439.0), 0x7B);
/// assert_eq!(f32_to_f8_e5m2(-61440.0), 0xFC);
/// ```
#[inline(always)]
pub const fn f32_to_f8_e5m2(value: f32) -> u8 {
    let magnitude = value.to_bits() & !SIGN;
    let sign = (value.to_bits() & SIGN) >> 24;
    let number = narrow(magnitude, 2, 15);
    let number = if magnitude >= 0x4770_0000 { 0x7C } else { number };
    let bits = if magnitude > INFINITY { 0x7E | (magnitude >> 21) & 1 } else { number };
    (bits | sign) as u8
}

/// The value of the f8_e4m3 with the bits `bits`. Exact; there is no infinity, and one NaN of each sign.
///
/// ```
/// use layout_core::kernels::convert::f8_e4m3_to_f32;
/// assert_eq!(f8_e4m3_to_f32(0x7E), 448.0);
/// assert_eq!(f8_e4m3_to_f32(0x01), 1.0 / 512.0);
/// assert!(f8_e4m3_to_f32(0x7F).is_nan());
/// ```
#[inline(always)]
pub const fn f8_e4m3_to_f32(bits: u8) -> f32 {
    let magnitude = bits & 0x7F;
    let number = widen(magnitude, 3, 7);
    let value = if magnitude == 0x7F { INFINITY | QUIET } else { number };
    f32::from_bits(value | ((bits & 0x80) as u32) << 24)
}

/// The f8_e4m3 nearest to `value`, ties to even; too large becomes NaN, as does infinity.
///
/// ```
/// use layout_core::kernels::convert::f32_to_f8_e4m3;
/// assert_eq!(f32_to_f8_e4m3(464.0), 0x7E);
/// assert_eq!(f32_to_f8_e4m3(-464.1), 0xFF);
/// ```
#[inline(always)]
pub const fn f32_to_f8_e4m3(value: f32) -> u8 {
    let magnitude = value.to_bits() & !SIGN;
    let sign = (value.to_bits() & SIGN) >> 24;
    let number = narrow(magnitude, 3, 7);
    // 464 is the tie between the largest number, which is even, and the next.
    let bits = if magnitude > 0x43E8_0000 { 0x7F } else { number };
    (bits | sign) as u8
}

/// The value of the e8m0 with the bits `bits`: 2 to the power of `bits` - 127, or NaN for 255. Exact.
///
/// ```
/// use layout_core::kernels::convert::e8m0_to_f32;
/// assert_eq!(e8m0_to_f32(130), 8.0);
/// assert_eq!(e8m0_to_f32(0), f32::MIN_POSITIVE / 2.0);
/// ```
#[inline(always)]
pub const fn e8m0_to_f32(bits: u8) -> f32 {
    // 2^-127 is subnormal; the quiet bit of NaN is the same one.
    let low = if bits == 0 || bits == 0xFF { QUIET } else { 0 };
    f32::from_bits((bits as u32) << 23 | low)
}

/// The largest power of two that is not above the magnitude of `value`, as e8m0: the exponent of an f32. The sign is lost;
/// too small becomes 2^-127, infinity NaN.
///
/// ```
/// use layout_core::kernels::convert::f32_to_e8m0;
/// assert_eq!(f32_to_e8m0(15.9), 130);
/// assert_eq!(f32_to_e8m0(-8.0), 130);
/// assert_eq!(f32_to_e8m0(0.0), 0);
/// ```
#[inline(always)]
pub const fn f32_to_e8m0(value: f32) -> u8 {
    (value.to_bits() >> 23) as u8
}

/// As [`f32_to_e8m0`].
///
/// ```
/// use layout_core::kernels::convert::f64_to_e8m0;
/// assert_eq!(f64_to_e8m0(7.999999999), 129);
/// assert_eq!(f64_to_e8m0(1e300), 255);
/// assert_eq!(f64_to_e8m0(1e-300), 0);
/// ```
#[inline(always)]
pub const fn f64_to_e8m0(value: f64) -> u8 {
    // The exponent's bias is 1023 there and 127 here.
    let exponent = ((value.to_bits() >> 52) & 0x7FF) as u32;
    let exponent = if exponent < 896 { 896 } else { exponent };
    (if exponent > 1151 { 1151 } else { exponent } - 896) as u8
}

/// The value of the f4_e2m1 with the four lower bits of `bits`. Exact; there is no infinity and no NaN.
///
/// ```
/// use layout_core::kernels::convert::f4_e2m1_to_f32;
/// let values: Vec<f32> = (0..8).map(f4_e2m1_to_f32).collect();
/// assert_eq!(values, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
/// assert_eq!(f4_e2m1_to_f32(0xF), -6.0);
/// ```
#[inline(always)]
pub const fn f4_e2m1_to_f32(bits: u8) -> f32 {
    f32::from_bits(widen(bits & 7, 1, 1) | ((bits & 8) as u32) << 28)
}

/// The f4_e2m1 nearest to `value`, ties to even, in the four lower bits; too large and NaN become 6, with the sign.
///
/// ```
/// use layout_core::kernels::convert::f32_to_f4_e2m1;
/// assert_eq!(f32_to_f4_e2m1(2.5), 4);
/// assert_eq!(f32_to_f4_e2m1(-1e9), 0xF);
/// ```
#[inline(always)]
pub const fn f32_to_f4_e2m1(value: f32) -> u8 {
    f4(value, 6.0, 1, 1)
}

/// The value of the f4_e3m0 with the four lower bits of `bits`. Exact; there is no infinity and no NaN.
///
/// ```
/// use layout_core::kernels::convert::f4_e3m0_to_f32;
/// let values: Vec<f32> = (0..8).map(f4_e3m0_to_f32).collect();
/// assert_eq!(values, [0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0]);
/// ```
#[inline(always)]
pub const fn f4_e3m0_to_f32(bits: u8) -> f32 {
    f32::from_bits(widen(bits & 7, 0, 3) | ((bits & 8) as u32) << 28)
}

/// The f4_e3m0 nearest to `value`, ties to even, in the four lower bits; too large and NaN become 16, with the sign.
///
/// A tie between two powers of two is 1.5 of the smaller one, and of 1 and 2 the latter is even: such ties go up. That
/// between 0 and 0.25 goes to 0.
///
/// ```
/// use layout_core::kernels::convert::f32_to_f4_e3m0;
/// assert_eq!(f32_to_f4_e3m0(0.75), 3); // 1
/// assert_eq!(f32_to_f4_e3m0(0.125), 0);
/// ```
#[inline(always)]
pub const fn f32_to_f4_e3m0(value: f32) -> u8 {
    f4(value, 16.0, 0, 3)
}

#[inline(always)]
const fn f4(value: f32, largest: f32, mantissa: u32, bias: u32) -> u8 {
    let magnitude = value.to_bits() & !SIGN;
    let sign = (value.to_bits() & SIGN) >> 28;
    let saturated = if magnitude > largest.to_bits() { largest.to_bits() } else { magnitude };
    (narrow(saturated, mantissa, bias) | sign) as u8
}

macro_rules! from_f64 {
    ($($name:ident: $from_f32:ident;)*) => {$(
        #[doc = concat!("As [`", stringify!($from_f32), "`], rounded once.")]
        #[inline(always)]
        pub const fn $name(value: f64) -> u8 {
            $from_f32(round_to_odd(value))
        }
    )*};
}
from_f64! {
    f64_to_f8_e5m2: f32_to_f8_e5m2;
    f64_to_f8_e4m3: f32_to_f8_e4m3;
    f64_to_f4_e2m1: f32_to_f4_e2m1;
    f64_to_f4_e3m0: f32_to_f4_e3m0;
}
