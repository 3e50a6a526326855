//! Floats of 8 and 4 bits by their definition: sign, exponent, mantissa and a search among all patterns, in f64, where the middle
//! of two neighbours is exact. What `oracle` knows of them, and checks of every pattern.

use layout_core::descriptor::DType;

/// Stored bits of exponent and mantissa, and the exponent's bias.
fn shape(dtype: DType) -> (u32, u32, i32) {
    match dtype {
        DType::F8E5M2 => (5, 2, 15),
        DType::F8E4M3 => (4, 3, 7),
        DType::E8M0 => (8, 0, 127),
        DType::F4E2M1 => (2, 1, 1),
        DType::F4E3M0 => (3, 0, 3),
        _ => unreachable!("{dtype}"),
    }
}

/// Whether the type is one of these.
pub(crate) fn is_float(dtype: DType) -> bool {
    matches!(dtype, DType::F8E5M2 | DType::F8E4M3 | DType::E8M0 | DType::F4E2M1 | DType::F4E3M0)
}

/// The value of a pattern.
pub(crate) fn decode(dtype: DType, bits: u8) -> f64 {
    let (exponent_bits, mantissa_bits, bias) = shape(dtype);
    let mantissa = bits & ((1 << mantissa_bits) - 1);
    let exponent = bits as u32 >> mantissa_bits & ((1 << exponent_bits) - 1);
    let magnitude = match dtype {
        DType::E8M0 if bits == 0xFF => return f64::NAN,
        DType::E8M0 => return 2f64.powi(bits as i32 - bias),
        DType::F8E5M2 if exponent == 31 && mantissa == 0 => f64::INFINITY,
        DType::F8E5M2 if exponent == 31 => f64::NAN,
        DType::F8E4M3 if bits & 0x7F == 0x7F => f64::NAN,
        _ => {
            let fraction = mantissa as f64 / (1 << mantissa_bits) as f64;
            match exponent {
                0 => fraction * 2f64.powi(1 - bias),
                _ => (1.0 + fraction) * 2f64.powi(exponent as i32 - bias),
            }
        }
    };
    if bits >> (exponent_bits + mantissa_bits) == 1 { -magnitude } else { magnitude }
}

/// Sign and payload of a pattern that is NaN, the payload's first bit the highest of 52.
pub(crate) fn nan(dtype: DType, bits: u8) -> (u64, u64) {
    match dtype {
        DType::F8E5M2 => (u64::from(bits >> 7), u64::from(bits & 3) << 50),
        DType::F8E4M3 => (u64::from(bits >> 7), 1 << 51),
        _ => (0, 1 << 51),
    }
}

/// The pattern for a value; `nan` are the sign and the payload of one that is not a number.
pub(crate) fn encode(dtype: DType, value: f64, nan: Option<(u64, u64)>) -> u8 {
    let negative = nan.map_or(value.is_sign_negative(), |(sign, _)| sign == 1);
    let sign = |bits: u8| if negative { 0x80 | bits } else { bits };
    let sign_of_4 = |bits: u8| if negative { 8 | bits } else { bits };
    let magnitude = value.abs();
    // The tie after the largest number is to the even one of it and the pattern behind.
    let (largest, first_beyond) = match dtype {
        DType::E8M0 if !magnitude.is_finite() || magnitude >= 2f64.powi(128) => return 0xFF,
        // The power of two below.
        DType::E8M0 => return (0..=0xFE).rev().find(|&bits| decode(dtype, bits) <= magnitude).unwrap_or(0),
        DType::F8E5M2 => match nan {
            Some((_, payload)) => return sign(0x7E | (payload >> 50 & 1) as u8),
            None if magnitude >= 61440.0 => return sign(0x7C),
            None => (0x7B, None),
        },
        DType::F8E4M3 if magnitude <= 464.0 => (0x7E, None),
        DType::F8E4M3 => return sign(0x7F),
        _ if nan.is_some() => return sign_of_4(7),
        _ => (7, Some(decode(dtype, 7))),
    };
    let magnitude = first_beyond.map_or(magnitude, |most| magnitude.min(most));
    let reached = |bits: u8| {
        let middle = (decode(dtype, bits - 1) + decode(dtype, bits)) / 2.0;
        // The smaller of two powers of two has the significand 1, which is odd.
        let tie_up = if dtype == DType::F4E3M0 { bits > 1 } else { bits.is_multiple_of(2) };
        magnitude > middle || magnitude == middle && tie_up
    };
    // The last that is reached: patterns rise as their numbers do.
    let (mut best, mut end) = (0, largest + 1);
    while end - best > 1 {
        let bits = best + (end - best) / 2;
        if reached(bits) {
            best = bits;
        } else {
            end = bits;
        }
    }
    if dtype.bits() == 4 { sign_of_4(best) } else { sign(best) }
}

#[test]
#[allow(clippy::unusual_byte_groupings, reason = "sign, exponent and mantissa")]
fn values_of_the_definitions() {
    // OCP's "8-bit Floating Point Specification", tables 1 and 2, and "Microscaling Formats", tables 5 and 7.
    for (dtype, bits, value) in [
        (DType::F8E5M2, 0b0_11110_11, 57344.0),
        (DType::F8E5M2, 0b0_00001_00, 2f64.powi(-14)),
        (DType::F8E5M2, 0b0_00000_11, 0.75 * 2f64.powi(-14)),
        (DType::F8E5M2, 0b1_00000_01, -2f64.powi(-16)),
        (DType::F8E5M2, 0b1_11111_00, f64::NEG_INFINITY),
        (DType::F8E4M3, 0b0_1111_110, 448.0),
        (DType::F8E4M3, 0b0_0001_000, 2f64.powi(-6)),
        (DType::F8E4M3, 0b0_0000_111, 0.875 * 2f64.powi(-6)),
        (DType::F8E4M3, 0b1_0000_001, -2f64.powi(-9)),
        (DType::E8M0, 0, 2f64.powi(-127)),
        (DType::E8M0, 254, 2f64.powi(127)),
        (DType::F4E2M1, 0b0_11_1, 6.0),
        (DType::F4E2M1, 0b0_01_0, 1.0),
        (DType::F4E2M1, 0b1_00_1, -0.5),
        (DType::F4E3M0, 0b0_111, 16.0),
        (DType::F4E3M0, 0b0_001, 0.25),
    ] {
        assert_eq!(decode(dtype, bits), value, "{dtype} {bits:#x}");
    }
}

#[test]
fn patterns_are_nearest_to_themselves() {
    for dtype in DType::ALL.into_iter().filter(|&dtype| is_float(dtype)) {
        for bits in 0..1u32 << dtype.bits() {
            let value = decode(dtype, bits as u8);
            if !value.is_nan() {
                assert_eq!(encode(dtype, value, None), bits as u8, "{dtype} {bits:#x}");
            }
        }
    }
}

/// Against what another library makes of the same numbers: `scripts/small_floats.py` wrote it down.
#[test]
fn as_ml_dtypes_has_them() {
    for line in include_str!("small_floats.txt").lines() {
        let [name, values, patterns] = line.split('|').collect::<Vec<_>>().try_into().unwrap();
        let dtype = DType::from_name(name).unwrap();
        for (bits, value) in values.split(' ').enumerate() {
            let found = decode(dtype, bits as u8);
            match u32::from_str_radix(value, 16) {
                Ok(value) => assert_eq!((found as f32).to_bits(), value, "{name} {bits:#x}"),
                Err(_) => assert!(found.is_nan(), "{name} {bits:#x}"),
            }
        }
        let numbers =
            (0..1u32 << 16).flat_map(|upper| [0, 1, 0x8000, 0xFFFF].map(|lower| upper << 16 | lower));
        let mut numbers = numbers.map(f32::from_bits).filter(|number| !number.is_nan());
        for run in patterns.split_whitespace() {
            let (pattern, count) = run.split_once('*').unwrap();
            let [pattern, count] = [pattern, count].map(|hex| u32::from_str_radix(hex, 16).unwrap());
            for number in numbers.by_ref().take(count as usize) {
                let found = encode(dtype, f64::from(number), None);
                assert_eq!(u32::from(found), pattern, "{name}: {number:e} ({:#x})", number.to_bits());
            }
        }
        assert!(patterns.is_empty() || numbers.next().is_none(), "{name}");
    }
}
