//! Every conversion against `half` and exact arithmetic, through plans and through the public functions on bits.

use crate::oracle::{convert, get};
use crate::small;
use half::{bf16, f16};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::kernels::convert::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use layout_core::reorder::Reorder;

/// Converts a row of numbers by a plan and compares each with the oracle.
#[track_caller]
fn row(src: DType, dst: DType, from: &[u8]) {
    let len = if src.is_packed() { 2 * from.len() } else { from.len() / src.size() };
    let plan = Reorder::new(
        &Descriptor::new(src, &[len], "a").unwrap(),
        &Descriptor::new(dst, &[len], "a").unwrap(),
    )
    .unwrap();
    let mut found = vec![0; plan.dst_len()];
    plan.run(from, &mut found).unwrap();
    let mut expected = vec![0; dst.size()];
    for i in 0..len {
        let (from, found) = (get(src, from, i), get(dst, &found, i));
        convert(src, dst, &from, &mut expected);
        assert_eq!(found, expected, "{src} -> {dst}, number {i}: {from:02x?}");
    }
}

#[test]
fn all_16_bit_floats() {
    let all: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
    for src in [DType::F16, DType::Bf16] {
        for dst in DType::ALL {
            row(src, dst, &all);
        }
    }
    for bits in 0..=u16::MAX {
        assert_eq!(f16_to_f32(bits).to_bits(), f16::from_bits(bits).to_f32().to_bits(), "{bits:#06x}");
        assert_eq!(bf16_to_f32(bits).to_bits(), bf16::from_bits(bits).to_f32().to_bits(), "{bits:#06x}");
    }
}

#[test]
fn all_bytes() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    // Of 4 bits these are all pairs of two.
    for src in DType::ALL.into_iter().filter(|src| src.bits() <= 8) {
        for dst in DType::ALL {
            row(src, dst, &all);
        }
    }
}

/// Mantissas at and beside every place where a narrower float may round.
fn mantissas(bits: u32) -> Vec<u64> {
    let mut out = vec![0, 1, 2, 3, (1 << bits) - 1, (1 << bits) - 2];
    for place in 0..bits {
        let unit = 1u64 << place;
        for high in [0, unit << 1, unit << 2, !0u64 << (place + 1)] {
            for low in [unit.wrapping_sub(1), unit, unit + 1] {
                out.push((high.wrapping_add(low)) & ((1 << bits) - 1));
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

#[test]
fn f32_at_every_exponent() {
    let mantissas = mantissas(23);
    let mut all = Vec::new();
    for exponent in 0..512u32 {
        for &mantissa in &mantissas {
            let value = f32::from_bits(exponent << 23 | mantissa as u32);
            assert_eq!(f32_to_f16(value), f16::from_f32(value).to_bits(), "{value:e} {:#x}", value.to_bits());
            assert_eq!(
                f32_to_bf16(value),
                bf16::from_f32(value).to_bits(),
                "{value:e} {:#x}",
                value.to_bits()
            );
            all.extend(value.to_ne_bytes());
        }
    }
    for dst in DType::ALL {
        row(DType::F32, dst, &all);
    }
}

#[test]
fn f64_at_every_exponent_that_matters() {
    let mantissas = mantissas(52);
    let mut all = Vec::new();
    // From below bf16's subnormals to above its largest number, and the ends of f64.
    let exponents = (1023 - 170..1023 + 135).chain([0, 1, 2, 2045, 2046, 2047]);
    for exponent in exponents {
        for &mantissa in &mantissas {
            for sign in [0, 1 << 63] {
                all.extend(f64::from_bits(sign | exponent << 52 | mantissa).to_ne_bytes());
            }
        }
    }
    for dst in DType::ALL {
        row(DType::F64, dst, &all);
    }
}

#[test]
fn s32_near_every_power_of_two() {
    let mut all = Vec::new();
    for place in 0..32 {
        for offset in -300..=300i64 {
            for sign in [1, -1] {
                all.extend(
                    (sign * ((1i64 << place) + offset)).clamp(i32::MIN as i64, i32::MAX as i64).to_ne_bytes()
                        [..4]
                        .to_vec(),
                );
            }
        }
        for half in 0..32 {
            all.extend(((1u32 << place) | (1u32 << half)).to_ne_bytes());
        }
    }
    for dst in DType::ALL {
        row(DType::S32, dst, &all);
    }
}

/// Where an integer's last place or bound lies between two floats.
#[test]
fn floats_near_integers() {
    let mut values = Vec::new();
    for bound in [-2147483648.0, 2147483647.0, -128.0, 127.0, 255.0, 0.0, 4194304.0, 16777216.0] {
        for step in -20..=20 {
            let value: f64 = bound + step as f64 / 4.0;
            values.extend([value, value.next_up(), value.next_down()]);
        }
    }
    values.extend([f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300, -1e300, 5e-324]);
    let wide: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let narrow: Vec<u8> = values.iter().flat_map(|&v| (v as f32).to_ne_bytes()).collect();
    for dst in [DType::S32, DType::S8, DType::U8] {
        row(DType::F64, dst, &wide);
        row(DType::F32, dst, &narrow);
    }
}

/// Every value of a small float and every tie between two of them, and what lies next to these.
#[test]
fn wide_floats_near_small_ones() {
    for dst in DType::ALL.into_iter().filter(|&dst| small::is_float(dst)) {
        let mut wide = Vec::new();
        let values = (0..1u32 << dst.bits()).map(|bits| small::decode(dst, bits as u8));
        let mut finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        finite.sort_by(f64::total_cmp);
        let ends = [finite[0], finite[finite.len() - 1]];
        let ties = finite.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
        let beyond = (1..40).flat_map(|step| ends.map(|end| end * (1.0 + step as f64 / 32.0)));
        for value in finite.iter().copied().chain(ties).chain(beyond).chain([f64::INFINITY, f64::NAN]) {
            wide.extend([value, value.next_up(), value.next_down(), -value, value * 0.999, value * 1.001]);
        }
        let narrow = wide.iter().map(|&value| value as f32);
        let narrow: Vec<u8> = narrow
            .flat_map(|value| [value, value.next_up(), value.next_down()])
            .flat_map(f32::to_ne_bytes)
            .collect();
        let wide: Vec<u8> = wide.into_iter().flat_map(f64::to_ne_bytes).collect();
        row(DType::F64, dst, &wide);
        row(DType::F32, dst, &narrow);
    }
}
