//! Every pair of data types, all values or those around every rounding, against every version of oneDNN that is installed; the
//! bytes of each result. What its kernels do otherwise than its own reference, or than a later version, is listed and counted.

use layout_peers::onednn::{DataType, OneDnn};
use std::collections::BTreeMap;
use tensor_layout::{DType, Descriptor, F8E4M3, F8E5M2, Reorder};

/// Its name of a type.
pub(crate) fn theirs(dtype: DType) -> DataType {
    match dtype {
        DType::F64 => DataType::F64,
        DType::F32 => DataType::F32,
        DType::F16 => DataType::F16,
        DType::Bf16 => DataType::Bf16,
        DType::S32 => DataType::S32,
        DType::S8 => DataType::S8,
        DType::U8 => DataType::U8,
        DType::F8E5M2 => DataType::F8E5M2,
        DType::F8E4M3 => DataType::F8E4M3,
        DType::E8M0 => DataType::E8M0,
        DType::Boolean => DataType::Boolean,
        DType::S4 => DataType::S4,
        DType::U4 => DataType::U4,
        DType::F4E2M1 => DataType::F4E2M1,
        DType::F4E3M0 => DataType::F4E3M0,
        _ => unreachable!("{dtype}"),
    }
}

/// Values of a type: all of them where there are few.
pub(crate) fn values(dtype: DType) -> Vec<u8> {
    let f32s = || {
        let mantissas = (0..=22).flat_map(|place| {
            let unit = 1u32 << place;
            [0, unit - 1, unit, unit + 1, 3 * unit, !0 << place].map(|mantissa| mantissa & 0x7F_FFFF)
        });
        let mantissas: Vec<u32> = mantissas.collect();
        (0..512u32)
            .flat_map(move |top| mantissas.clone().into_iter().map(move |mantissa| top << 23 | mantissa))
    };
    match dtype.bits() {
        4 | 8 => (0..=u8::MAX).collect(),
        16 => (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect(),
        64 => f32s().flat_map(|bits| f64::from(f32::from_bits(bits)).to_ne_bytes()).collect(),
        _ if dtype == DType::F32 => f32s().flat_map(u32::to_ne_bytes).collect(),
        // As far as its kernels, which go through f32, hold them.
        _ => (-40_000..40_000i32).flat_map(i32::to_ne_bytes).collect(),
    }
}

/// Element `at` of memory.
pub(crate) fn element(dtype: DType, memory: &[u8], at: usize) -> Vec<u8> {
    match dtype.bits() {
        4 => vec![memory[at / 2] >> (4 * (at % 2)) & 15],
        bits => memory[at * bits / 8..][..bits / 8].to_vec(),
    }
}

/// What a difference is known to come from.
pub(crate) type Cause = &'static str;

/// Why oneDNN's kernels make `other` of `value` where we make `mine`, if that is known.
pub(crate) fn cause(src: DType, dst: DType, value: f64, mine: f64, other: f64) -> Option<Cause> {
    let is_integer = matches!(dst, DType::S32 | DType::S8 | DType::U8 | DType::S4 | DType::U4);
    if value.is_nan() && is_integer {
        Some("NaN to an integer: its kernels give the largest")
    } else if mine.is_nan() && other.is_nan() {
        Some(
            "NaN: equal types keep their bytes here, some of its kernels make it quiet; others do not where types differ",
        )
    } else if mine == 0.0 && other == 0.0 {
        Some("-0.0: some of its kernels lose the sign")
    } else if dst == DType::S32 && value >= 2147483648.0 && other == 2147483520.0 {
        Some("too large for s32: its kernels saturate to an f32 below 2^31")
    // Of f16 only where the processor has AVX512_FP16.
    } else if matches!(src, DType::Bf16 | DType::F16) && is_integer && value >= 2147483648.0 && other <= 0.0 {
        Some("16 bits of 2^31 and more to 8 bits: some of its kernels take the smallest for the largest")
    } else if value.abs() < f64::from(f32::MIN_POSITIVE) && other == 0.0 {
        Some("subnormal: its instructions for bf16 take them for zero")
    } else if [DType::F8E5M2, DType::F8E4M3].contains(&dst) && other == through_f16(dst, value) {
        Some("f32 to f8: versions up to 3.13 round to f16 in between, and again")
    } else {
        None
    }
}

/// The values of the tensor in `memory`, in logical order.
pub(crate) fn numbers(descriptor: &Descriptor, memory: &[u8]) -> Vec<f64> {
    let dims = descriptor.dims();
    let plain = Descriptor::new(DType::F64, dims, if dims.len() == 1 { "a" } else { "ab" }).unwrap();
    let mut out = vec![0; plain.size_bytes()];
    Reorder::new(descriptor, &plain).unwrap().run(memory, &mut out).unwrap();
    out.as_chunks().0.iter().map(|&bytes| f64::from_ne_bytes(bytes)).collect()
}

/// Rounded to f16 and then to `dst`.
fn through_f16(dst: DType, value: f64) -> f64 {
    let half = half::f16::from_f64(value).to_f32();
    match dst {
        DType::F8E5M2 => F8E5M2::from_f32(half).into(),
        _ => F8E4M3::from_f32(half).into(),
    }
}

/// What a comparison found.
#[derive(Default)]
struct Found {
    same: usize,
    known: BTreeMap<Cause, usize>,
    unknown: Vec<String>,
}

/// One pair with one version, from `from` to `to`; `None` where it has no such reorder.
fn compare(library: &OneDnn, src: DType, dst: DType, [from_tag, to_tag]: [&str; 2]) -> Option<Found> {
    let mut from = values(src);
    let len = from.len() * 8 / src.bits();
    let dims = if from_tag.len() == 1 { vec![len] } else { vec![len / 16, 16] };
    let src_md = library.with_tag(&dims, theirs(src), from_tag).ok()?;
    let dst_md = library.with_tag(&dims, theirs(dst), to_tag).ok()?;
    let reorder = library.reorder(&src_md, &dst_md).ok()?;
    let [src_desc, dst_desc] =
        [(src, from_tag), (dst, to_tag)].map(|(dtype, tag)| Descriptor::new(dtype, &dims, tag).unwrap());
    let plan = Reorder::new(&src_desc, &dst_desc).unwrap();
    from.resize(from.len() + 64, 0);
    const UNTOUCHED: u8 = 0xA5;
    let (mut expected, mut found) = (vec![UNTOUCHED; plan.dst_len() + 64], vec![0; plan.dst_len()]);
    reorder.run(&from, &mut expected).ok()?;
    if expected.iter().all(|&byte| byte == UNTOUCHED) {
        // It says that it has this reorder, and then that it ran.
        return None;
    }
    plan.run(&from, &mut found).unwrap();
    let values = numbers(&src_desc, &from);
    let [mine, other] = [&found, &expected].map(|memory| numbers(&dst_desc, memory));
    let mut out = Found::default();
    for i in 0..len {
        let index = if dims.len() == 1 { vec![i] } else { vec![i / 16, i % 16] };
        let [at, to] = [&src_desc, &dst_desc].map(|one| one.offset(&index).unwrap());
        let [ours, theirs] = [&found, &expected].map(|memory| element(dst, memory, to));
        if ours == theirs {
            out.same += 1;
        } else if let Some(cause) = cause(src, dst, values[i], mine[i], other[i]) {
            *out.known.entry(cause).or_default() += 1;
        } else {
            out.unknown.push(format!("{:02x?}: {ours:02x?}, not {theirs:02x?}", element(src, &from, at)));
        }
    }
    Some(out)
}

#[test]
fn every_pair_of_types() {
    let libraries = OneDnn::load_all();
    if libraries.is_empty() {
        eprintln!("every_pair_of_types: skipped, oneDNN is not installed (scripts/peers --all installs it)");
    }
    for library in libraries {
        let (mut all, mut skipped) = (Found::default(), 0);
        let mut refused = Vec::new();
        for src in DType::ALL {
            for dst in DType::ALL {
                let mut has_any = false;
                for tags in [["a", "a"], ["ab", "ab"], ["ab", "ba"]] {
                    let Some(found) = compare(&library, src, dst, tags) else { continue };
                    has_any = true;
                    all.same += found.same;
                    for (cause, count) in found.known {
                        *all.known.entry(cause).or_default() += count;
                    }
                    if let Some(first) = found.unknown.first() {
                        all.unknown.push(format!(
                            "{src} -> {dst} {tags:?}: {} values, {first}",
                            found.unknown.len()
                        ));
                    }
                }
                if !has_any {
                    skipped += 1;
                    refused.extend([src, dst]);
                }
            }
        }
        let version = library.version();
        println!(
            "every pair of types, oneDNN {version}: {} passed, {} failed, {skipped} skipped (pairs that it has not)",
            all.same,
            all.unknown.len()
        );
        for (cause, count) in all.known {
            println!("  {count} known: {cause}");
        }
        let pairs = 2 * DType::ALL.len();
        let without = |&dtype: &DType| refused.iter().filter(|&&other| other == dtype).count() == pairs;
        let without: Vec<_> = DType::ALL.iter().copied().filter(without).map(DType::name).collect();
        println!("  types of which it has no reorder: {}", without.join(" "));
        assert!(all.unknown.is_empty(), "oneDNN {version}:\n{}", all.unknown.join("\n"));
    }
}
