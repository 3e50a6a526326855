//! Reorders with scales, zero points and sums, byte for byte, padding included, against every version that is installed.
//! oneDNN's kernels multiply by the reciprocal of the destination's scale, as we do; its guide divides. Its reference code, which
//! runs for what the kernels do not know, fuses or orders steps otherwise now and then; `check` says what may differ there.

use super::random::{Random, dims, tag};
use super::reorders::{TYPES, filled};
use layout_peers::onednn::{Attributes as Theirs, DataType, OneDnn, Values as TheirValues};
use std::collections::BTreeMap;
use tensor_layout::{Attributes, DType, Descriptor, Reorder, Values};

/// The axes of a rank by name.
const NAMES: &str = "abcdefghijkl";

/// Values of an attribute: one, or one for each combination of (groups of) indices of `axes`.
fn values<T>(
    random: &mut Random,
    (axes, groups): (&[usize], &[usize]),
    dims: &[usize],
    value: impl Fn(&mut Random) -> T,
) -> TheirValues<T> {
    let count =
        axes.iter().map(|&axis| dims[axis].div_ceil(groups.get(axis).copied().unwrap_or(1))).product();
    TheirValues {
        axes: axes.to_vec(),
        groups: groups.to_vec(),
        values: (0..count).map(|_| value(random)).collect(),
    }
}

/// The axes of values by name, with the size of their groups.
fn named<T>(values: &Option<TheirValues<T>>) -> Vec<(char, usize)> {
    let name = |axis: usize| NAMES.as_bytes()[axis] as char;
    values
        .iter()
        .flat_map(|values| {
            values.axes.iter().map(|&axis| (name(axis), values.groups.get(axis).copied().unwrap_or(1)))
        })
        .collect()
}

/// The same as ours take them.
fn ours<'a, T: Copy>(values: &'a TheirValues<T>, named: &'a [(char, usize)]) -> Values<'a, T> {
    match *named {
        [] => Values::common(values.values[0]),
        [(axis, 1)] => Values::per_axis(axis, &values.values),
        _ => Values::grouped(named, &values.values),
    }
}

fn is_integer(dtype: DataType) -> bool {
    matches!(dtype, DataType::S8 | DataType::U8)
}

/// A reorder with attributes.
struct Case {
    dims: Vec<usize>,
    from: String,
    to: String,
    src: (DType, DataType),
    dst: (DType, DataType),
    theirs: Theirs,
}

/// Whether there are values along axes that do not follow one another.
fn has_gaps(attributes: &Theirs) -> bool {
    let scales = [&attributes.src_scale, &attributes.dst_scale];
    scales.into_iter().flatten().any(|values| values.axes.windows(2).any(|axes| axes[1] != axes[0] + 1))
}

/// Whether the numbers in two buffers are neighbours or the same.
fn within_one(dtype: DType, found: &[u8], expected: &[u8]) -> bool {
    let bits = |bytes: &[u8]| match (dtype, bytes) {
        (DType::S8, &[byte]) => i64::from(byte as i8),
        _ => bytes.iter().rev().fold(0i64, |bits, &byte| bits << 8 | i64::from(byte)),
    };
    let each = |bytes: &[u8]| -> Vec<i64> { bytes.chunks(dtype.size()).map(bits).collect() };
    each(found).iter().zip(each(expected)).all(|(a, b)| (a - b).abs() <= 1)
}

/// What came of some cases.
#[derive(Default)]
struct Count {
    passed: usize,
    failed: Vec<String>,
    refused: usize,
    /// Cases in which its kernels take the values of other elements: they count those of axes that do not follow one another as if
    /// they did.
    mistaken: usize,
    /// Cases in which some numbers of its reference code are neighbours of ours: from 3.13 on that divides by the destination's
    /// scale, and older ones multiply the two scales by one another first now and then.
    last_bit: usize,
    by_implementation: BTreeMap<String, usize>,
}

impl Count {
    /// Runs `case` with both and compares; what the library does not implement is skipped.
    fn check(&mut self, onednn: &OneDnn, random: &mut Random, case: &Case) {
        let Case { dims, from, to, theirs, .. } = case;
        let src = Descriptor::new(case.src.0, dims, from).unwrap();
        let dst = Descriptor::new(case.dst.0, dims, to).unwrap();
        if src.required_len().max(dst.required_len()) > 1 << 16 {
            return;
        }
        let src_md = onednn.with_tag(dims, case.src.1, from).unwrap();
        let dst_md = onednn.with_tag(dims, case.dst.1, to).unwrap();
        let Ok(reorder) = onednn.reorder_with(&src_md, &dst_md, theirs.clone()) else {
            self.refused += 1;
            return;
        };
        let names = (
            named(&theirs.src_scale),
            named(&theirs.dst_scale),
            named(&theirs.src_zero_point),
            named(&theirs.dst_zero_point),
        );
        let mut attributes = Attributes::new();
        if let Some(scale) = &theirs.src_scale {
            attributes = attributes.src_scale(ours(scale, &names.0));
        }
        if let Some(scale) = &theirs.dst_scale {
            attributes = attributes.dst_scale(ours(scale, &names.1));
        }
        if let Some(zero_point) = &theirs.src_zero_point {
            attributes = attributes.src_zero_point(ours(zero_point, &names.2));
        }
        if let Some(zero_point) = &theirs.dst_zero_point {
            attributes = attributes.dst_zero_point(ours(zero_point, &names.3));
        }
        if let Some(beta) = theirs.sum {
            attributes = attributes.accumulate(beta);
        }
        let input = filled(random, &src);
        let mut expected = filled(random, &dst);
        let mut found = expected[..dst.size_bytes()].to_vec();
        reorder.run(&input, &mut expected).unwrap();
        let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
        plan.run_with(&input[..src.size_bytes()], &mut found, &attributes).unwrap();
        *self.by_implementation.entry(reorder.implementation().to_owned()).or_default() += 1;
        match found.iter().zip(&expected).position(|(a, b)| a != b) {
            None => self.passed += 1,
            Some(_)
                if reorder.implementation() == "simple:any" && within_one(case.dst.0, &found, &expected) =>
            {
                self.last_bit += 1;
            }
            Some(_) if has_gaps(theirs) && reorder.implementation() == "jit:uni" => self.mistaken += 1,
            Some(at) => self.failed.push(format!(
                "{src} -> {dst} {theirs:?}: {} differs at byte {at}: {} {}",
                reorder.implementation(),
                found[at],
                expected[at]
            )),
        }
    }

    /// Prints the counts; fails where anything differs.
    fn finish(&self, what: &str, onednn: &OneDnn) {
        let Count { passed, failed, refused, mistaken, last_bit, by_implementation } = self;
        println!(
            "{what}, oneDNN {}: {} passed ({last_bit} but for the last bit), {} failed, {} skipped ({mistaken} for its mistakes); {by_implementation:?}",
            onednn.version(),
            passed + last_bit,
            failed.len(),
            refused + mistaken
        );
        for line in failed.iter().take(12) {
            println!("{line}");
        }
        assert!(failed.is_empty());
    }
}

/// A case without groups; `wide` allows scales along several axes, which few of its kernels take.
fn random_case(random: &mut Random, wide: bool, sum: bool) -> Option<Case> {
    let rank = 1 + random.below(4);
    let (from, to) = (tag(random, rank, 2), tag(random, rank, 2));
    let dims = dims(random, rank, 20);
    let (src, dst) = (random.pick(&TYPES), random.pick(&TYPES));
    if [src.0, dst.0].contains(&DType::S32) {
        // Numbers beyond 2^24 are rounded by some of its kernels and not by others.
        return None;
    }
    // The same axes for all scales: its kernels take no others.
    let mut axes: Vec<usize> = match random.below(2) {
        0 => Vec::new(),
        _ if wide => (0..rank).filter(|_| random.below(2) == 0).collect(),
        _ => vec![random.below(rank)],
    };
    axes.sort_unstable();
    let any = |random: &mut Random| random.below(3) > 0;
    let scale = |random: &mut Random| (1 + random.below(4000)) as f32 / 1000.0;
    let zero_point = |random: &mut Random| random.below(100) as i32 - 50;
    let theirs = Theirs {
        src_scale: any(random).then(|| values(random, (&axes, &[]), &dims, scale)),
        dst_scale: any(random).then(|| values(random, (&axes, &[]), &dims, scale)),
        src_zero_point: (is_integer(src.1) && any(random))
            .then(|| values(random, (&[], &[]), &dims, zero_point)),
        dst_zero_point: (is_integer(dst.1) && any(random))
            .then(|| values(random, (&[], &[]), &dims, zero_point)),
        sum: sum.then(|| random.pick(&[1.0, 1.0, 0.0, 0.5, -1.25])),
    };
    Some(Case { dims, from, to, src, dst, theirs })
}

#[test]
fn random_attributes() {
    let Some(onednn) = super::library("random_attributes") else { return };
    let (mut random, mut count) = (Random(11), Count::default());
    for _ in 0..1500 {
        if let Some(case) = random_case(&mut random, false, false) {
            count.check(&onednn, &mut random, &case);
        }
    }
    count.finish("scales and zero points", &onednn);
}

#[test]
fn several_axes() {
    super::library("several_axes");
    for onednn in OneDnn::load_all() {
        let (mut random, mut count) = (Random(12), Count::default());
        for _ in 0..1500 {
            if let Some(case) = random_case(&mut random, true, false) {
                count.check(&onednn, &mut random, &case);
            }
        }
        count.finish("several axes", &onednn);
    }
}

#[test]
fn sums() {
    super::library("sums");
    for onednn in OneDnn::load_all() {
        let (mut random, mut count) = (Random(13), Count::default());
        for _ in 0..1500 {
            if let Some(case) = random_case(&mut random, false, true) {
                count.check(&onednn, &mut random, &case);
            }
        }
        count.finish("sums", &onednn);
    }
}

/// Weights in groups, as versions from 3.4 on know them.
#[test]
fn groups() {
    super::library("groups");
    for onednn in OneDnn::load_all() {
        let (mut random, mut count) = (Random(14), Count::default());
        for _ in 0..2000 {
            let group = random.pick(&[2, 4, 8, 16, 32]);
            let dims = vec![group * (1 + random.below(5)), 1 + random.below(40)];
            let (from, to) = (tag(&mut random, 2, 2), tag(&mut random, 2, 2));
            let (src, dst) = (random.pick(&TYPES), random.pick(&TYPES));
            if [src.0, dst.0].contains(&DType::S32) {
                continue;
            }
            let groups = [group, 1];
            let scale = |random: &mut Random| (1 + random.below(4000)) as f32 / 1000.0;
            let zero_point = |random: &mut Random| random.below(100) as i32 - 50;
            let with_zero_point = is_integer(src.1) && random.below(2) == 0;
            let theirs = Theirs {
                src_scale: Some(values(&mut random, (&[0, 1], &groups), &dims, scale)),
                src_zero_point: with_zero_point
                    .then(|| values(&mut random, (&[0, 1], &groups), &dims, zero_point)),
                ..Theirs::default()
            };
            count.check(&onednn, &mut random, &Case { dims, from, to, src, dst, theirs });
        }
        count.finish("groups", &onednn);
    }
}
