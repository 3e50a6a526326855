//! Directed rounding against every version of oneDNN that is installed, byte for byte. Its attribute of that name offers the
//! environment, which is the processor's register MXCSR, and chance; chance draws other numbers than ours and is left out. So the
//! register is set around its reorders, on one thread, to each of the three directed ways, for every pair of types.

use super::types::{Cause, cause, element, numbers, theirs, values};
use layout_peers::onednn::{Attributes as Theirs, OneDnn, Values as TheirValues};
use layout_peers::set_openmp_threads;
use std::arch::asm;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use tensor_layout::{Attributes, DType, Descriptor, Reorder, Rounding, Values};

const DIRECTED: [Rounding; 3] = [Rounding::TowardZero, Rounding::Down, Rounding::Up];

/// Left out: its code for these computes with the bits, by way of f16, and knows one way to round.
const IN_INTEGERS: [DType; 5] = [DType::F8E5M2, DType::F8E4M3, DType::E8M0, DType::F4E2M1, DType::F4E3M0];

/// Calls `run`, and tells the processor to round as `rounding` says until it returns.
fn with_mxcsr(rounding: Rounding, mut run: &mut dyn FnMut()) {
    /// All exceptions masked, to nearest even.
    const DEFAULT: u32 = 0x1F80;
    /// Calls the closure that `run` leads to.
    ///
    /// # Safety
    /// It leads to a `&mut dyn FnMut()`.
    unsafe extern "C" fn call(run: *mut c_void) {
        // SAFETY: the caller's promise.
        unsafe { (*run.cast::<&mut dyn FnMut()>())() }
    }
    let default = DEFAULT;
    let wanted = DEFAULT
        | match rounding {
            Rounding::Down => 1 << 13,
            Rounding::Up => 2 << 13,
            Rounding::TowardZero => 3 << 13,
            _ => 0,
        };
    // SAFETY: the register is back at its default when the block ends; what is called keeps r12 and r13, as all functions do, and
    // its argument leads to a closure.
    unsafe {
        asm!(
            "ldmxcsr [r12]",
            "call {call}",
            "ldmxcsr [r13]",
            call = sym call,
            in("rdi") &raw mut run,
            in("r12") &raw const wanted,
            in("r13") &raw const default,
            clobber_abi("C"),
        );
    }
}

/// What a comparison found.
#[derive(Default)]
struct Found {
    same: usize,
    known: BTreeMap<Cause, usize>,
    unknown: Vec<String>,
    follows: BTreeSet<String>,
    nearest: BTreeSet<String>,
}

/// Of f32 to f16, where no kernel is for the processor.
const REFERENCE_F16: Cause =
    "to f16 by its reference code: integers round normal numbers, to nearest whatever MXCSR says";

/// Of f32 to bf16, where the processor has no instruction for that.
const REFERENCE_BF16: Cause =
    "to bf16 by its reference code: integers round normal numbers, to nearest whatever MXCSR says";

/// Subnormals of f16.
const REFERENCE_F16_SUBNORMAL: Cause =
    "subnormal f16 by its reference code: MXCSR rounds the magnitude, and the sign comes behind";

/// Whether `other` is the subnormal f16 whose magnitude `rounding` makes of that of `value`.
fn is_rounded_magnitude(rounding: Rounding, value: f64, other: f64) -> bool {
    let [value, other] = [value, other].map(|x| x.abs() * 2f64.powi(24));
    value < 1024.0 && other == if rounding == Rounding::Up { value.ceil() } else { value.floor() }
}

/// Why oneDNN's kernels make `other` of `value` where we make `mine`, if that is known of directed rounding alone.
fn directed_cause(dst: DType, mine: f64, other: f64) -> Option<Cause> {
    if dst == DType::S32 && mine == 2147483647.0 && other == 2147483520.0 {
        Some("too large for s32: its kernels saturate to an f32 below 2^31")
    } else if mine == 0.0 && other == 0.0 {
        Some("-0.0: some of its kernels lose the sign")
    } else {
        None
    }
}

/// One pair with one version; nothing where it has no such reorder.
fn compare(
    library: &OneDnn,
    [src, dst]: [DType; 2],
    [from_tag, to_tag]: [&str; 2],
    scale: Option<f32>,
    all: &mut Found,
) -> Option<()> {
    let mut from = values(src);
    let len = from.len() * 8 / src.bits();
    let dims = if from_tag.len() == 1 { vec![len] } else { vec![len / 16, 16] };
    let src_md = library.with_tag(&dims, theirs(src), from_tag).ok()?;
    let dst_md = library.with_tag(&dims, theirs(dst), to_tag).ok()?;
    let their_scale = scale.map(|scale| TheirValues { axes: vec![], groups: vec![], values: vec![scale] });
    let attributes = Theirs { dst_scale: their_scale, ..Theirs::default() };
    let reorder = library.reorder_with(&src_md, &dst_md, attributes).ok()?;
    let [src_desc, dst_desc] =
        [(src, from_tag), (dst, to_tag)].map(|(dtype, tag)| Descriptor::new(dtype, &dims, tag).unwrap());
    from.resize(from.len() + 64, 0);
    const UNTOUCHED: u8 = 0xA5;
    let run = |rounding| {
        let mut out = vec![UNTOUCHED; dst_desc.size_bytes() + 64];
        let mut result = Ok(());
        with_mxcsr(rounding, &mut || result = reorder.run(&from, &mut out));
        result.ok().map(|()| out)
    };
    let nearest = run(Rounding::NearestEven)?;
    if nearest.iter().all(|&byte| byte == UNTOUCHED) {
        // It says that it has this reorder, and then that it ran.
        return None;
    }
    let inputs = numbers(&src_desc, &from);
    for rounding in DIRECTED {
        let name = format!("{src} -> {dst}{}", if scale.is_some() { " scaled" } else { "" });
        let mut attributes = Attributes::new().rounding(rounding);
        if let Some(scale) = scale {
            attributes = attributes.dst_scale(Values::common(scale));
        }
        let plan = Reorder::with_attributes(&src_desc, &dst_desc, &attributes).unwrap();
        let mut found = vec![UNTOUCHED; plan.dst_len() + 64];
        plan.run_with(&from, &mut found, &attributes).unwrap();
        let expected = run(rounding)?;
        if found == expected {
            all.same += len;
            if expected != nearest {
                all.follows.insert(name);
            }
            continue;
        }
        if expected == nearest {
            all.nearest.insert(name);
            continue;
        }
        let [mine, other] = [&found, &expected].map(|memory| numbers(&dst_desc, memory));
        let mut first = None;
        for i in 0..len {
            let index = if dims.len() == 1 { vec![i] } else { vec![i / 16, i % 16] };
            let at = dst_desc.offset(&index).unwrap();
            let [ours, theirs] = [&found, &expected].map(|memory| element(dst, memory, at));
            let is_nearest = theirs == element(dst, &nearest, at);
            let is_simple = reorder.implementation() == "simple:any";
            let is_reference = dst == DType::F16 && is_simple;
            let known = || {
                if is_reference && is_nearest {
                    Some(REFERENCE_F16)
                } else if is_reference && is_rounded_magnitude(rounding, inputs[i], other[i]) {
                    Some(REFERENCE_F16_SUBNORMAL)
                } else {
                    directed_cause(dst, mine[i], other[i])
                        .or_else(|| cause(src, dst, inputs[i], mine[i], other[i]))
                        .or_else(|| (dst == DType::Bf16 && is_simple && is_nearest).then_some(REFERENCE_BF16))
                }
            };
            if ours == theirs {
                all.same += 1;
            } else if let Some(cause) = known() {
                *all.known.entry(cause).or_default() += 1;
            } else {
                let (count, _) =
                    first.get_or_insert((0, format!("{:e}: {ours:02x?}, not {theirs:02x?}", inputs[i])));
                *count += 1;
            }
        }
        if let Some((count, first)) = first {
            let implementation = reorder.implementation();
            all.unknown.push(format!(
                "{name} {rounding} {from_tag} -> {to_tag} by {implementation}: {count} of {len} values, {first}"
            ));
        }
        all.follows.insert(name);
    }
    Some(())
}

/// A pair is compared where the register changes anything in oneDNN's results: f32, f16 and bf16 to s8 and u8, and f32 to s32,
/// plain and scaled by a power of two (other factors it rounds as directed too, where ours rounds them to the nearest f32), and of
/// f32 to f16 what its reference code rounds with an addition of floats: subnormals. The others are printed as those that it rounds to
/// nearest whatever the register says: its instructions for bf16 have no other way. Left out are f8, f4 and e8m0, to which it
/// converts with integers, by way of f16. Those that it has not, `types` lists.
#[test]
fn directed_rounding() {
    let libraries = OneDnn::load_all();
    if libraries.is_empty() {
        eprintln!("directed_rounding: skipped, oneDNN is not installed (scripts/peers --all installs it)");
    }
    // The register is one of this thread.
    set_openmp_threads(1);
    for library in libraries {
        let mut all = Found::default();
        for src in DType::ALL {
            for dst in DType::ALL {
                if IN_INTEGERS.contains(&dst) {
                    continue;
                }
                for tags in [["a", "a"], ["ab", "ba"]] {
                    compare(&library, [src, dst], tags, None, &mut all);
                    if matches!(dst, DType::S8 | DType::U8) {
                        compare(&library, [src, dst], tags, Some(0.25), &mut all);
                    }
                }
            }
        }
        let version = library.version();
        println!("directed rounding, oneDNN {version}: {} passed, {} failed", all.same, all.unknown.len());
        for (cause, count) in &all.known {
            println!("  {count} known: {cause}");
        }
        let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
        println!("  follow MXCSR: {}", list(&all.follows));
        println!("  rounded to nearest whatever MXCSR says: {}", list(&all.nearest));
        assert!(all.unknown.is_empty(), "oneDNN {version}:\n{}", all.unknown.join("\n"));
        for name in ["f32 -> s8", "f32 -> u8", "f32 -> s32", "f32 -> s8 scaled", "f32 -> u8 scaled"] {
            assert!(all.follows.contains(name), "oneDNN {version}: {name} was not compared");
        }
    }
}
