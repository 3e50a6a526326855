//! Element types of the entrants that are generic over them, and the values that sources are filled with.
//! Conversions are Rust's own and those of `half`.

use crate::numbers::put as put_number;
use crate::problem::Problem;
use bytemuck::Pod;
use half::{bf16, f16};
use layout_core::descriptor::DType;

/// How one element becomes another: round to nearest even, saturate.
pub(crate) trait Convert<D>: Pod {
    fn convert(self) -> D;
}

macro_rules! conversions {
    ($($from:ty => $to:ty: |$x:ident| $value:expr;)*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                let $x = self;
                $value
            }
        }
    )*};
}
conversions! {
    u8 => u8: |x| x;
    u16 => u16: |x| x;
    u32 => u32: |x| x;
    u64 => u64: |x| x;
    f32 => bf16: |x| bf16::from_f32(x);
    bf16 => f32: |x| x.to_f32();
    f32 => f16: |x| f16::from_f32(x);
    f16 => f32: |x| x.to_f32();
    u8 => f32: |x| f32::from(x);
    i8 => f32: |x| f32::from(x);
    f32 => u8: |x| x.round_ties_even() as u8;
    f32 => i8: |x| x.round_ties_even() as i8;
}

/// A number that scales are applied to, by way of f32.
pub(crate) trait Number: Pod {
    fn to_f32(self) -> f32;
    fn from_f32(value: f32) -> Self;
}

macro_rules! numbers {
    ($($ty:ty: |$x:ident| $to:expr, |$value:ident| $from:expr;)*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn to_f32(self) -> f32 {
                let $x = self;
                $to
            }

            #[inline(always)]
            fn from_f32($value: f32) -> $ty {
                $from
            }
        }
    )*};
}
numbers! {
    f32: |x| x, |value| value;
    bf16: |x| x.to_f32(), |value| bf16::from_f32(value);
    i8: |x| f32::from(x), |value| value.round_ties_even() as i8;
    u8: |x| f32::from(x), |value| value.round_ties_even() as u8;
}

/// Whether Rust has types for a case: whole bytes, and a conversion that is one of those above.
pub(crate) const fn knows((src, dst): (DType, DType)) -> bool {
    use DType::{Bf16, F16, F32, S8, U8};
    match (src, dst) {
        _ if src.is_packed() || dst.is_packed() => false,
        (F32, Bf16 | F16 | U8 | S8) | (Bf16 | F16 | U8 | S8, F32) => true,
        _ => src as u8 == dst as u8,
    }
}

/// What is to be done with the types of a case.
pub(crate) trait Visitor {
    type Out;
    fn visit<S: Convert<D>, D: Pod>(self) -> Self::Out;
}

/// Calls `visitor` with Rust's types for two data types; elements that keep their type are integers of their size.
///
/// # Panics
/// Where no case of the benchmark converts so.
pub(crate) fn with_types<V: Visitor>((src, dst): (DType, DType), visitor: V) -> V::Out {
    match (src, dst) {
        _ if src == dst => match src.size() {
            1 => visitor.visit::<u8, u8>(),
            2 => visitor.visit::<u16, u16>(),
            4 => visitor.visit::<u32, u32>(),
            _ => visitor.visit::<u64, u64>(),
        },
        (DType::F32, DType::Bf16) => visitor.visit::<f32, bf16>(),
        (DType::Bf16, DType::F32) => visitor.visit::<bf16, f32>(),
        (DType::F32, DType::F16) => visitor.visit::<f32, f16>(),
        (DType::F16, DType::F32) => visitor.visit::<f16, f32>(),
        (DType::U8, DType::F32) => visitor.visit::<u8, f32>(),
        (DType::S8, DType::F32) => visitor.visit::<i8, f32>(),
        (DType::F32, DType::U8) => visitor.visit::<f32, u8>(),
        (DType::F32, DType::S8) => visitor.visit::<f32, i8>(),
        _ => panic!("the benchmark has no conversion from {src} to {dst}"),
    }
}

/// The first whole elements of `bytes`, which are aligned.
pub(crate) fn typed<T: Pod>(bytes: &[u8]) -> &[T] {
    bytemuck::cast_slice(&bytes[..bytes.len() / size_of::<T>() * size_of::<T>()])
}

/// The first whole elements of `bytes`, which are aligned.
pub(crate) fn typed_mut<T: Pod>(bytes: &mut [u8]) -> &mut [T] {
    let whole = bytes.len() / size_of::<T>() * size_of::<T>();
    bytemuck::cast_slice_mut(&mut bytes[..whole])
}

/// Fills the source of a case: logical elements with numbers between -150 and 300, so that some saturate, the rest of the
/// memory with zero, as padding has to be.
pub(crate) fn fill(problem: &Problem, src: &mut [u8]) {
    let descriptor = &problem.src;
    let len = descriptor.size_bytes();
    let src = &mut src[..len];
    let size = descriptor.dtype().size();
    let whole = descriptor.logical_len() * size == len;
    if matches!(descriptor.dtype(), DType::F8E4M3 | DType::F8E5M2) {
        // No NaN.
        return (0..len).for_each(|i| put_number(descriptor.dtype(), src, i, f64::from(number(i))));
    }
    if descriptor.dtype().is_packed() || descriptor.dtype() == DType::Boolean {
        assert_eq!(descriptor.padded_len(), descriptor.logical_len(), "sources of small types are dense");
        return src.iter_mut().enumerate().for_each(|(i, byte)| *byte = hash(i) as u8);
    }
    match descriptor.dtype() {
        DType::F32 => put(problem, src, whole, |i| number(i).to_ne_bytes()),
        DType::Bf16 => put(problem, src, whole, |i| bf16::from_f32(number(i)).to_ne_bytes()),
        DType::F16 => put(problem, src, whole, |i| f16::from_f32(number(i)).to_ne_bytes()),
        DType::F64 => put(problem, src, whole, |i| f64::from(number(i)).to_ne_bytes()),
        DType::S32 => put(problem, src, whole, |i| (number(i) as i32).to_ne_bytes()),
        _ => put(problem, src, whole, |i| [hash(i) as u8]),
    }
}

fn put<const N: usize>(problem: &Problem, src: &mut [u8], whole: bool, value: impl Fn(usize) -> [u8; N]) {
    let (units, _) = src.as_chunks_mut::<N>();
    if whole {
        units.iter_mut().enumerate().for_each(|(i, unit)| *unit = value(i));
        return;
    }
    units.fill([0; N]);
    let mut count = 0;
    each_row(problem, |at| {
        let Some(last) = problem.axes.last() else { return };
        for step in &last.src {
            units[at.0 + step] = value(count);
            count += 1;
        }
    });
}

/// Calls `row` with the offsets in source and destination of every index whose last position is 0, in logical order.
pub(crate) fn each_row(problem: &Problem, mut row: impl FnMut((usize, usize))) {
    let outer = &problem.axes[..problem.axes.len().saturating_sub(1)];
    let mut index = vec![0; outer.len()];
    loop {
        let at = outer.iter().zip(&index).fold((problem.src.base(), problem.dst.base()), |at, (axis, &i)| {
            (at.0 + axis.src[i], at.1 + axis.dst[i])
        });
        row(at);
        let Some(moved) = (0..outer.len()).rev().find(|&axis| index[axis] + 1 < outer[axis].dim) else {
            return;
        };
        index[moved] += 1;
        index[moved + 1..].fill(0);
    }
}

fn hash(i: usize) -> u32 {
    let mut x = (i as u32).wrapping_mul(0x9e37_79b1);
    x ^= x >> 15;
    x.wrapping_mul(0x85eb_ca77) >> 8
}

fn number(i: usize) -> f32 {
    hash(i) as f32 * (450.0 / 16_777_216.0) - 150.0
}
