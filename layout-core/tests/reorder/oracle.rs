//! The oracle: one element at a time, through the descriptors' own offsets, numbers through exact f64 arithmetic.
//! And [`check`], which holds a reorder against it, byte for byte over the whole of both buffers.

use crate::small;
use layout_core::descriptor::{DType, Descriptor, PerAxis};
use layout_core::reorder::Reorder;

/// What memory holds before a reorder, so that a byte that must not be touched can be told.
pub(crate) const SENTINEL: u8 = 0xA5;

/// The longest tests take one case in so many: all of them where the loops are optimised.
pub(crate) const KEPT: usize = if cfg!(debug_assertions) { 19 } else { 1 };

/// A descriptor in the format `format`.
pub(crate) fn dense(dtype: DType, dims: &[usize], format: &str) -> Descriptor {
    Descriptor::new(dtype, dims, format).unwrap_or_else(|error| panic!("{format} {dims:?}: {error}"))
}

/// Runs the reorder from `src` to `dst` on memory filled from `seed` and compares the destination with the oracle's.
#[track_caller]
pub(crate) fn check(src: &Descriptor, dst: &Descriptor, seed: u64) {
    let plan = Reorder::new(src, dst).unwrap_or_else(|error| panic!("{src:?} -> {dst:?}: {error}"));
    // One byte in front: nothing may rely on alignment.
    let mut memory = vec![0; src.size_bytes() + 1];
    fill(src.dtype(), &mut memory[1..], seed);
    let from = &memory[1..];
    let mut found = vec![SENTINEL; dst.size_bytes() + 9];
    let mut expected = found.clone();
    plan.run(from, &mut found[1..]).unwrap();
    reorder(src, dst, from, &mut expected[1..]);
    let compare = |plan: &Reorder, found: &[u8]| {
        if let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at]) {
            panic!(
                "{src:?}\n-> {dst:?}\n{plan}\n{}, byte {at}: found {:#04x}, expected {:#04x}",
                plan.way(),
                found[at],
                expected[at]
            );
        }
    };
    compare(&plan, &found);
    // All other ways of a part of them: most cases are there to be many.
    for way in plan.ways().filter(|&way| seed.is_multiple_of(4) && way != plan.way()) {
        let other = plan.with_way(way).unwrap();
        found.fill(SENTINEL);
        other.run(from, &mut found[1..]).unwrap();
        compare(&other, &found);
    }
}

/// Where elements are: what each position along each axis adds, found once, since a test asks for thousands of places.
pub(crate) struct Places {
    base: usize,
    origin: PerAxis<usize>,
    axes: Vec<Vec<usize>>,
}

impl Places {
    pub(crate) fn of(descriptor: &Descriptor) -> Places {
        let (digits, origin) = (descriptor.digits(), descriptor.origin());
        let axes = (0..descriptor.rank()).map(|axis| {
            // Elements, and positions that are padding.
            let elements = origin[axis] + descriptor.dims()[axis];
            let owned = descriptor.owned(axis).start + descriptor.padded_dims()[axis];
            let of_axis = digits.as_slice().iter().filter(|digit| digit.axis == axis);
            let mut adds = vec![0usize; elements.max(owned)];
            for d in of_axis {
                for (position, add) in adds.iter_mut().enumerate() {
                    let quotient = position / d.divisor;
                    let value = if d.top { quotient } else { quotient % d.extent };
                    *add = add.wrapping_add(value.wrapping_mul(d.stride as usize));
                }
            }
            adds
        });
        Places { base: descriptor.base(), origin, axes: axes.collect() }
    }

    /// As [`Descriptor::offset_unchecked`]; a test compares them.
    pub(crate) fn offset(&self, index: &[usize]) -> usize {
        let mut offset = self.base;
        for (axis, adds) in self.axes.iter().enumerate() {
            offset = offset.wrapping_add(adds[index[axis].wrapping_add(self.origin[axis])]);
        }
        offset
    }
}

/// The reorder itself: every position that the destination owns, an element or zero.
pub(crate) fn reorder(src: &Descriptor, dst: &Descriptor, from: &[u8], to: &mut [u8]) {
    reorder_by(src, dst, from, to, |_, from, to| convert(src.dtype(), dst.dtype(), from, to));
}

/// The same with `element` in place of a conversion: given an index, the bytes there in the source, and where they go.
pub(crate) fn reorder_by(
    src: &Descriptor,
    dst: &Descriptor,
    from: &[u8],
    to: &mut [u8],
    element: impl Fn(&[usize], &[u8], &mut [u8]),
) {
    let (from_places, to_places) = (Places::of(src), Places::of(dst));
    let (first, origin) = ((0..dst.rank()).map(|a| dst.owned(a).start).collect::<Vec<_>>(), dst.origin());
    let mut index = vec![0; dst.rank()];
    for_each_index(dst.padded_dims(), |at| {
        for a in 0..at.len() {
            // Below the origin the index wraps, and wraps back where the origin is added.
            index[a] = (at[a] + first[a]).wrapping_sub(origin[a]);
        }
        let place = to_places.offset(&index);
        let mut out = [0; 8];
        let out = &mut out[..dst.dtype().size()];
        if index.iter().zip(dst.dims()).all(|(index, dim)| index < dim) {
            // What may be added to.
            out.copy_from_slice(&get(dst.dtype(), to, place));
            element(&index, &get(src.dtype(), from, from_places.offset(&index)), out);
        }
        put(dst.dtype(), to, place, out);
    });
}

/// The bytes of element `at`; of 4 bits, a byte with these as its lower half.
pub(crate) fn get(dtype: DType, memory: &[u8], at: usize) -> Vec<u8> {
    if dtype.bits() == 4 {
        return vec![memory[at / 2] >> (4 * (at % 2)) & 15];
    }
    memory[at * dtype.size()..][..dtype.size()].to_vec()
}

/// Writes what [`get`] reads.
pub(crate) fn put(dtype: DType, memory: &mut [u8], at: usize, bytes: &[u8]) {
    if dtype.bits() == 4 {
        assert!(bytes[0] < 16);
        let shift = 4 * (at % 2);
        memory[at / 2] = memory[at / 2] & !(15 << shift) | bytes[0] << shift;
        return;
    }
    memory[at * dtype.size()..][..dtype.size()].copy_from_slice(bytes);
}

/// Calls `visit` with every index below `dims`, the last axis fastest.
pub(crate) fn for_each_index(dims: &[usize], mut visit: impl FnMut(&[usize])) {
    if dims.contains(&0) {
        return;
    }
    let mut index = vec![0; dims.len()];
    loop {
        visit(&index);
        let Some(axis) = (0..dims.len()).rev().find(|&axis| index[axis] + 1 < dims[axis]) else { return };
        index[axis] += 1;
        index[axis + 1..].fill(0);
    }
}

/// One number, as the table of `kernels::convert` says; NaN to NaN by the bits.
pub(crate) fn convert(src: DType, dst: DType, from: &[u8], to: &mut [u8]) {
    if src == dst {
        to.copy_from_slice(from);
        return;
    }
    let value = read(src, from);
    let is_float = |dtype| matches!(dtype, DType::F64 | DType::F32 | DType::F16 | DType::Bf16);
    if small::is_float(dst) {
        to[0] = small::encode(dst, value, value.is_nan().then(|| nan(src, from)));
        return;
    }
    if value.is_nan() && is_float(dst) {
        // The sign, a quiet bit, and the leading bits of the payload.
        let (sign, payload) = nan(src, from);
        write_nan(dst, sign, payload, to);
        return;
    }
    let integer =
        |low: f64, high: f64| if value.is_nan() { 0.0 } else { value.round_ties_even().clamp(low, high) };
    match dst {
        DType::F64 => to.copy_from_slice(&value.to_ne_bytes()),
        DType::F32 => to.copy_from_slice(&(value as f32).to_ne_bytes()),
        DType::F16 => {
            to.copy_from_slice(&nearest(value, 0x7C00, 65536.0, |b| half::f16::from_bits(b).to_f64()))
        }
        DType::Bf16 => {
            to.copy_from_slice(&nearest(value, 0x7F80, 2f64.powi(128), |b| {
                half::bf16::from_bits(b).to_f64()
            }));
        }
        DType::S32 => to.copy_from_slice(&(integer(-2147483648.0, 2147483647.0) as i64 as i32).to_ne_bytes()),
        DType::S8 => to.copy_from_slice(&(integer(-128.0, 127.0) as i64 as i8).to_ne_bytes()),
        DType::U8 => to.copy_from_slice(&(integer(0.0, 255.0) as i64 as u8).to_ne_bytes()),
        DType::S4 => to[0] = (integer(-8.0, 7.0) as i64 & 15) as u8,
        DType::U4 => to[0] = integer(0.0, 15.0) as u8,
        DType::Boolean => to[0] = u8::from(value != 0.0),
        _ => unreachable!("{dst}"),
    }
}

/// The value of a number of any type: f64 holds them all.
pub(crate) fn read(dtype: DType, bytes: &[u8]) -> f64 {
    match dtype {
        DType::F64 => f64::from_ne_bytes(bytes.try_into().unwrap()),
        DType::F32 => f32::from_ne_bytes(bytes.try_into().unwrap()) as f64,
        DType::F16 => half::f16::from_ne_bytes(bytes.try_into().unwrap()).to_f64(),
        DType::Bf16 => half::bf16::from_ne_bytes(bytes.try_into().unwrap()).to_f64(),
        DType::S32 => i32::from_ne_bytes(bytes.try_into().unwrap()) as f64,
        DType::S8 => bytes[0] as i8 as f64,
        DType::U8 => bytes[0] as f64,
        DType::S4 => (bytes[0] as i8 as f64 + 8.0) % 16.0 - 8.0,
        DType::U4 => bytes[0] as f64,
        DType::Boolean => {
            if bytes[0] == 0 {
                0.0
            } else {
                1.0
            }
        }
        _ => small::decode(dtype, bytes[0]),
    }
}

/// The 16-bit float nearest to `value`, ties to even, by search among all of them: the midpoint of two is exact in f64.
/// `infinity` is its pattern, `after_largest` the number that it stands for when rounding.
fn nearest(value: f64, infinity: u16, after_largest: f64, decode: impl Fn(u16) -> f64) -> [u8; 2] {
    let decode = |bits| if bits == infinity { after_largest } else { decode(bits) };
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let value = value.abs();
    // The largest pattern that is not above `value`.
    let (mut low, mut high) = (0, infinity);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if decode(middle) <= value {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if low < infinity {
        let middle = (decode(low) + decode(low + 1)) / 2.0;
        if value > middle || value == middle && low % 2 == 1 {
            low += 1;
        }
    }
    (low | sign).to_ne_bytes()
}

/// Sign and payload of a NaN, the payload's first bit the highest of 52.
fn nan(dtype: DType, bytes: &[u8]) -> (u64, u64) {
    match dtype {
        DType::F64 => {
            let bits = u64::from_ne_bytes(bytes.try_into().unwrap());
            (bits >> 63, bits & 0xF_FFFF_FFFF_FFFF)
        }
        DType::F32 => {
            let bits = u32::from_ne_bytes(bytes.try_into().unwrap()) as u64;
            (bits >> 31, (bits & 0x7F_FFFF) << 29)
        }
        DType::F16 => {
            let bits = u16::from_ne_bytes(bytes.try_into().unwrap()) as u64;
            (bits >> 15, (bits & 0x3FF) << 42)
        }
        DType::Bf16 => {
            let bits = u16::from_ne_bytes(bytes.try_into().unwrap()) as u64;
            (bits >> 15, (bits & 0x7F) << 45)
        }
        _ => small::nan(dtype, bytes[0]),
    }
}

fn write_nan(dtype: DType, sign: u64, payload: u64, to: &mut [u8]) {
    let payload = payload | 1 << 51;
    match dtype {
        DType::F64 => to.copy_from_slice(&(sign << 63 | 0x7FF << 52 | payload).to_ne_bytes()),
        DType::F32 => to.copy_from_slice(&((sign << 31 | 0xFF << 23 | payload >> 29) as u32).to_ne_bytes()),
        DType::F16 => to.copy_from_slice(&((sign << 15 | 0x1F << 10 | payload >> 42) as u16).to_ne_bytes()),
        _ => to.copy_from_slice(&((sign << 15 | 0xFF << 7 | payload >> 45) as u16).to_ne_bytes()),
    }
}

/// Fills memory with numbers of type `dtype`: small ones, halves, and any bits.
pub(crate) fn fill(dtype: DType, memory: &mut [u8], seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for bytes in memory.chunks_mut(dtype.size()) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let random = state.wrapping_mul(0x2545_F491_4F6C_DD1D);
        let small = ((random >> 32) % 1200) as f64 / 2.0 - 300.0;
        let mut number = random.to_ne_bytes();
        if random & 3 != 0 {
            match dtype {
                DType::F64 => number = small.to_ne_bytes(),
                DType::F32 => number[..4].copy_from_slice(&(small as f32).to_ne_bytes()),
                DType::F16 => number[..2].copy_from_slice(&half::f16::from_f64(small).to_ne_bytes()),
                DType::Bf16 => number[..2].copy_from_slice(&half::bf16::from_f64(small).to_ne_bytes()),
                DType::S32 => number[..4].copy_from_slice(&(small as i32).to_ne_bytes()),
                _ => {}
            }
        }
        let len = bytes.len();
        bytes.copy_from_slice(&number[..len]);
    }
}

#[test]
fn places_are_those_of_descriptors() {
    let blocked = dense(DType::F32, &[3, 20, 5, 4], "NChw4n16c4n");
    let view = blocked.submemory(&[1, 17, 2, 0], &[2, 3, 3, 4]).unwrap();
    for descriptor in [&blocked, &view] {
        let places = Places::of(descriptor);
        for_each_index(descriptor.dims(), |index| {
            assert_eq!(places.offset(index), descriptor.offset(index).unwrap(), "{descriptor:?} {index:?}");
        });
    }
}
