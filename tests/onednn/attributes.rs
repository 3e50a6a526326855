//! Reorders with scales and zero points, byte for byte, padding included. oneDNN's kernels multiply by the reciprocal of the
//! destination's scale, as we do; its guide divides. Where a version divides, results may be one apart, and that is counted.

use super::random::{Random, dims, tag};
use super::reorders::{TYPES, filled};
use layout_peers::onednn::{Attributes as Theirs, DataType, Values as TheirValues};
use tensor_layout::{Attributes, DType, Descriptor, Reorder, Values};

/// The axes of a rank by name.
const NAMES: &str = "abcdefghijkl";

/// Values of an attribute: one, or one for each index of an axis, where `axis` allows that.
fn values<T>(
    random: &mut Random,
    axis: Option<usize>,
    dims: &[usize],
    value: impl Fn(&mut Random) -> T,
) -> TheirValues<T> {
    let count = axis.map_or(1, |axis| dims[axis]);
    TheirValues { axis, values: (0..count).map(|_| value(random)).collect() }
}

/// The same as ours take them.
fn ours<T: Copy>(values: &TheirValues<T>) -> Values<'_, T> {
    match values.axis {
        None => Values::common(values.values[0]),
        Some(axis) => Values::per_axis(NAMES.as_bytes()[axis] as char, &values.values),
    }
}

fn is_integer(dtype: DataType) -> bool {
    matches!(dtype, DataType::S8 | DataType::U8)
}

#[test]
fn random_attributes() {
    let Some(onednn) = super::library("random_attributes") else { return };
    let mut random = Random(11);
    let (mut compared, mut refused, mut differing) = (0, 0, Vec::new());
    let mut by_implementation = std::collections::BTreeMap::<String, usize>::new();
    for _ in 0..4000 {
        let rank = 1 + random.below(4);
        let (from, to) = (tag(&mut random, rank, 2), tag(&mut random, rank, 2));
        let dims = dims(&mut random, rank, 20);
        let ((src_type, src_theirs), (dst_type, dst_theirs)) = (random.pick(&TYPES), random.pick(&TYPES));
        if [src_type, dst_type].contains(&DType::S32) {
            // Numbers beyond 2^24 are rounded by some of its kernels and not by others.
            continue;
        }
        let src = Descriptor::new(src_type, &dims, &from).unwrap();
        let dst = Descriptor::new(dst_type, &dims, &to).unwrap();
        if src.required_len().max(dst.required_len()) > 1 << 16 {
            continue;
        }
        // One axis for all scales: its kernels take no others.
        let axis = (random.below(2) == 0).then(|| random.below(rank));
        let any = |random: &mut Random| random.below(3) > 0;
        let scale = |random: &mut Random| (1 + random.below(4000)) as f32 / 1000.0;
        let zero_point = |random: &mut Random| random.below(100) as i32 - 50;
        let theirs = Theirs {
            src_scale: any(&mut random).then(|| values(&mut random, axis, &dims, scale)),
            dst_scale: any(&mut random).then(|| values(&mut random, axis, &dims, scale)),
            src_zero_point: (is_integer(src_theirs) && any(&mut random))
                .then(|| values(&mut random, None, &dims, zero_point)),
            dst_zero_point: (is_integer(dst_theirs) && any(&mut random))
                .then(|| values(&mut random, None, &dims, zero_point)),
        };
        let mut attributes = Attributes::new();
        if let Some(scale) = &theirs.src_scale {
            attributes = attributes.src_scale(ours(scale));
        }
        if let Some(scale) = &theirs.dst_scale {
            attributes = attributes.dst_scale(ours(scale));
        }
        if let Some(zero_point) = &theirs.src_zero_point {
            attributes = attributes.src_zero_point(ours(zero_point));
        }
        if let Some(zero_point) = &theirs.dst_zero_point {
            attributes = attributes.dst_zero_point(ours(zero_point));
        }
        let src_md = onednn.with_tag(&dims, src_theirs, &from).unwrap();
        let dst_md = onednn.with_tag(&dims, dst_theirs, &to).unwrap();
        let Ok(reorder) = onednn.reorder_with(&src_md, &dst_md, theirs.clone()) else {
            refused += 1;
            continue;
        };
        let input = filled(&mut random, &src);
        let mut expected = vec![0xa5; dst.required_len() * 8 + 64];
        reorder.run(&input, &mut expected).unwrap();
        let mut found = vec![0xa5; dst.size_bytes()];
        let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
        plan.run_with(&input[..src.size_bytes()], &mut found, &attributes).unwrap();
        *by_implementation.entry(reorder.implementation().to_owned()).or_default() += 1;
        compared += 1;
        if let Some(at) = found.iter().zip(&expected).position(|(a, b)| a != b) {
            differing.push(format!(
                "{src} -> {dst} {theirs:?}: {} differs at byte {at}: {} {}",
                reorder.implementation(),
                found[at],
                expected[at]
            ));
        }
    }
    println!("{compared} compared, {} differ, {refused} refused; {by_implementation:?}", differing.len());
    for d in differing.iter().take(12) {
        println!("{d}");
    }
    assert!(differing.is_empty());
}
