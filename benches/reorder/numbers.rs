//! Elements one at a time, for the types that Rust has none for: of 4 bits, two of which share a byte, 8-bit floats, booleans.
//! The oracle of the cases that have one; called by `entrants::naive` and `element`.

use crate::cases::Scaling;
use crate::problem::Problem;
use half::{bf16, f16};
use layout_core::descriptor::DType;
use layout_core::kernels::convert::{
    f8_e4m3_to_f32, f8_e5m2_to_f32, f64_to_f8_e4m3, f64_to_f8_e5m2, f64_to_f16,
};

/// The number at offset `at`, in elements.
///
/// # Panics
/// Where no case of the benchmark reads such a type.
pub(crate) fn get(dtype: DType, memory: &[u8], at: usize) -> f64 {
    let word = |size: usize| &memory[at * size..(at + 1) * size];
    let nibble = || memory[at / 2] >> (4 * (at % 2)) & 15;
    match dtype {
        DType::F32 => f64::from(bytemuck::pod_read_unaligned::<f32>(word(4))),
        DType::Bf16 => bytemuck::pod_read_unaligned::<bf16>(word(2)).to_f64(),
        DType::F16 => bytemuck::pod_read_unaligned::<f16>(word(2)).to_f64(),
        DType::S8 => f64::from(memory[at].cast_signed()),
        DType::U8 => f64::from(memory[at]),
        DType::Boolean => f64::from(u8::from(memory[at] != 0)),
        DType::F8E5M2 => f64::from(f8_e5m2_to_f32(memory[at])),
        DType::F8E4M3 => f64::from(f8_e4m3_to_f32(memory[at])),
        DType::S4 => f64::from((nibble() << 4).cast_signed() >> 4),
        DType::U4 => f64::from(nibble()),
        dtype => panic!("the benchmark reads no {dtype}"),
    }
}

/// Makes the number nearest to `value` the element at offset `at`.
///
/// # Panics
/// Where no case of the benchmark writes such a type.
pub(crate) fn put(dtype: DType, memory: &mut [u8], at: usize, value: f64) {
    let even = value.round_ties_even();
    let mut word = |bytes: &[u8]| memory[at * bytes.len()..(at + 1) * bytes.len()].copy_from_slice(bytes);
    let nibble = match dtype {
        DType::F32 => return word(&(value as f32).to_ne_bytes()),
        // An f32 holds all values here, and `from_f64` does not look at the last bits.
        DType::Bf16 => return word(&bf16::from_f32(value as f32).to_ne_bytes()),
        DType::F16 => return word(&f64_to_f16(value).to_ne_bytes()),
        DType::S8 => return word(&(even as i8).to_ne_bytes()),
        DType::U8 => return word(&[even as u8]),
        DType::Boolean => return word(&[u8::from(value != 0.0)]),
        DType::F8E5M2 => return word(&[f64_to_f8_e5m2(value)]),
        DType::F8E4M3 => return word(&[f64_to_f8_e4m3(value)]),
        DType::S4 => even.clamp(-8.0, 7.0) as i8 as u8 & 15,
        DType::U4 => even.clamp(0.0, 15.0) as u8,
        dtype => panic!("the benchmark writes no {dtype}"),
    };
    let shift = 4 * (at % 2);
    memory[at / 2] = memory[at / 2] & (0xF0 >> shift) | nibble << shift;
}

/// Writes what `problem` is to leave in the destination, whose padding is zero.
pub(crate) fn oracle(problem: &Problem, src: &[u8], dst: &mut [u8]) {
    let (from, to) = problem.dtypes();
    let mut index = vec![0; problem.axes.len()];
    loop {
        let (mut at, mut inside) = ((problem.src.base(), problem.dst.base()), true);
        for (axis, &i) in problem.axes.iter().zip(&index) {
            inside &= i < axis.dim;
            at = (at.0 + axis.src.get(i).copied().unwrap_or(0), at.1 + axis.dst[i]);
        }
        let value = if inside { get(from, src, at.0) } else { 0.0 };
        let value = match problem.case.scaling {
            Scaling::Grouped(group) => {
                let scale = problem.scales.src_scale
                    [index[0] / group * problem.axes[1].dim + index[1].min(problem.axes[1].dim - 1)];
                f64::from(value as f32 * scale)
            }
            _ => value,
        };
        put(to, dst, at.1, value);
        let Some(moved) = (0..index.len()).rev().find(|&a| index[a] + 1 < problem.axes[a].dst.len()) else {
            return;
        };
        index[moved] += 1;
        index[moved + 1..].fill(0);
    }
}
