//! Scales and zero points against the same loop, with the formula in plain Rust: every pair of types, axes that run along
//! rows, across them, through blocks and tails, and parts of tensors.

mod blocks;
mod compensation;
mod errors;
mod four_bits;
pub(crate) mod groups;
mod steps;
mod typed;
mod values;

use crate::oracle::{KEPT, SENTINEL, convert, dense, fill, reorder_by};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::{Attributes, Reorder, Values};

/// The values of an attribute: one for all, or one for each index of the axis at a logical position.
#[derive(Clone, Debug)]
pub(crate) struct Owned<T> {
    axis: Option<usize>,
    values: Vec<T>,
}

impl<T: Copy> Owned<T> {
    fn at(&self, index: &[usize]) -> T {
        self.values[self.axis.map_or(0, |axis| index[axis])]
    }

    fn borrowed(&self, names: &Descriptor) -> Values<'_, T> {
        match self.axis {
            None => Values::common(self.values[0]),
            Some(axis) => Values::per_axis(names.spec().axis_name(axis).unwrap(), &self.values),
        }
    }
}

/// A zero point, or a shift.
#[derive(Clone, Debug)]
pub(crate) enum Zero {
    Integer(Owned<i32>),
    Shift(Owned<f32>),
}

impl Zero {
    fn at(&self, index: &[usize]) -> f32 {
        match self {
            Zero::Integer(owned) => owned.at(index) as f32,
            Zero::Shift(owned) => owned.at(index),
        }
    }
}

/// The four attributes, with their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    src_zero: Option<Zero>,
    src_scale: Option<Owned<f32>>,
    dst_scale: Option<Owned<f32>>,
    dst_zero: Option<Zero>,
}

/// A sequence of numbers that is the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

impl Given {
    /// Attributes for tensors of these extents and types: each absent, common, or along some axis, mostly the same.
    pub(crate) fn random(dims: &[usize], (src, dst): (DType, DType), seed: u64) -> Given {
        let mut random = Random(seed);
        let usual = random.below(dims.len() + 1).checked_sub(1);
        fn owned<T>(
            random: &mut Random,
            usual: Option<usize>,
            dims: &[usize],
            value: impl Fn(&mut Random) -> T,
        ) -> Owned<T> {
            let axis = match random.below(6) {
                0 => None,
                1 => random.below(dims.len() + 1).checked_sub(1),
                _ => usual,
            };
            let count = axis.map_or(1, |axis| dims[axis]);
            Owned { axis, values: (0..count).map(|_| value(random)).collect() }
        }
        let scale = |random: &mut Random| (1 + random.below(3000)) as f32 / 700.0;
        let zero = |random: &mut Random, dtype| {
            let is_float = !matches!(dtype, DType::S32 | DType::S8 | DType::U8);
            if is_float || random.below(3) == 0 {
                Zero::Shift(owned(random, usual, dims, |random| random.below(4000) as f32 / 16.0 - 100.0))
            } else {
                Zero::Integer(owned(random, usual, dims, |random| random.below(300) as i32 - 150))
            }
        };
        Given {
            src_zero: (random.below(3) > 0).then(|| zero(&mut random, src)),
            src_scale: (random.below(3) > 0).then(|| owned(&mut random, usual, dims, scale)),
            dst_scale: (random.below(3) > 0).then(|| owned(&mut random, usual, dims, scale)),
            dst_zero: (random.below(3) > 0).then(|| zero(&mut random, dst)),
        }
    }

    pub(crate) fn borrowed(&self, names: &Descriptor) -> Attributes<'_> {
        let mut attributes = Attributes::new();
        attributes = match &self.src_zero {
            None => attributes,
            Some(Zero::Integer(owned)) => attributes.src_zero_point(owned.borrowed(names)),
            Some(Zero::Shift(owned)) => attributes.src_shift(owned.borrowed(names)),
        };
        if let Some(owned) = &self.src_scale {
            attributes = attributes.src_scale(owned.borrowed(names));
        }
        if let Some(owned) = &self.dst_scale {
            attributes = attributes.dst_scale(owned.borrowed(names));
        }
        match &self.dst_zero {
            None => attributes,
            Some(Zero::Integer(owned)) => attributes.dst_zero_point(owned.borrowed(names)),
            Some(Zero::Shift(owned)) => attributes.dst_shift(owned.borrowed(names)),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.src_zero.is_none()
            && self.src_scale.is_none()
            && self.dst_scale.is_none()
            && self.dst_zero.is_none()
    }

    /// One number, by the formula.
    fn convert(&self, src: DType, dst: DType, index: &[usize], from: &[u8], to: &mut [u8]) {
        if self.is_empty() {
            return convert(src, dst, from, to);
        }
        let x = self.sum((src, dst), index, from, to, None);
        convert(DType::F32, dst, &x.to_ne_bytes(), to);
    }

    /// The number before it becomes one of the destination's type; `beta` times what is in `to` added, if there is a beta.
    pub(crate) fn sum(
        &self,
        (src, dst): (DType, DType),
        index: &[usize],
        from: &[u8],
        to: &[u8],
        beta: Option<f32>,
    ) -> f32 {
        let mut number = [0; 4];
        if src == DType::F32 {
            number.copy_from_slice(from);
        } else {
            convert(src, DType::F32, from, &mut number);
        }
        let mut x = f32::from_ne_bytes(number);
        if let Some(zero) = &self.src_zero {
            x -= zero.at(index);
        }
        if let Some(scale) = &self.src_scale {
            x *= scale.at(index);
        }
        if let Some(beta) = beta {
            let mut old = [0; 4];
            if dst == DType::F32 {
                old.copy_from_slice(to);
            } else {
                convert(dst, DType::F32, to, &mut old);
            }
            let old = f32::from_ne_bytes(old);
            x += if beta == 1.0 { old } else { old * beta };
        }
        if let Some(scale) = &self.dst_scale {
            x *= 1.0 / scale.at(index);
        }
        if let Some(zero) = &self.dst_zero {
            x += zero.at(index);
        }
        x
    }
}

/// Runs the reorder with `given` and compares all of the destination with the oracle's.
#[track_caller]
pub(crate) fn check_with(src: &Descriptor, dst: &Descriptor, given: &Given, seed: u64) {
    let attributes = given.borrowed(dst);
    let plan = Reorder::with_attributes(src, dst, &attributes)
        .unwrap_or_else(|error| panic!("{src:?} -> {dst:?} {given:?}: {error}"));
    let mut memory = vec![0; src.size_bytes() + 1];
    fill(src.dtype(), &mut memory[1..], seed);
    let from = &memory[1..];
    let mut found = vec![SENTINEL; dst.size_bytes() + 9];
    let mut expected = found.clone();
    plan.run_with(from, &mut found[1..], &attributes).unwrap();
    reorder_by(src, dst, from, &mut expected[1..], |index, from, to| {
        given.convert(src.dtype(), dst.dtype(), index, from, to);
    });
    let compare = |plan: &Reorder, found: &[u8]| {
        if let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at]) {
            panic!(
                "{src:?}\n-> {dst:?}\n{given:?}\n{plan}\n{}, byte {at}: found {:#04x}, expected {:#04x}",
                plan.way(),
                found[at],
                expected[at]
            );
        }
    };
    compare(&plan, &found);
    // All other ways of a part of them, as in `oracle`.
    for way in plan.ways().filter(|&way| seed.is_multiple_of(8) && way != plan.way()) {
        let other = plan.with_way(way).unwrap();
        found.fill(SENTINEL);
        other.run_with(from, &mut found[1..], &attributes).unwrap();
        compare(&other, &found);
    }
}

/// Formats of a rank, and extents to try with every pair of them.
const GROUPS: &[(&[&str], &[&[usize]])] = &[
    (&["a", "A16a", "A3a4a"], &[&[1], &[17], &[3000]]),
    (&["ab", "ba", "AB16b16a", "BA4a8b4a", "aB3b"], &[&[1, 1], &[17, 33], &[70, 3], &[3, 2100]]),
    (
        &[
            "nchw",
            "nhwc",
            "chwn",
            "nChw8c",
            "nChw16c",
            "nChw48c",
            "nChw32c",
            "nhwC8c",
            "nhwC4c",
            "NChw16n16c",
        ],
        &[&[2, 16, 5, 4], &[1, 3, 17, 9], &[3, 67, 3, 5], &[1, 96, 2, 20]],
    ),
    (&["oihw", "OIhw16i16o", "OIhw4i16o4i", "hwio", "OIhw40o48i"], &[&[32, 32, 3, 3], &[17, 19, 1, 1]]),
];

#[test]
fn pairs_of_formats() {
    const PAIRS: [(DType, DType); 5] = [
        (DType::F32, DType::S8),
        (DType::U8, DType::F32),
        (DType::S8, DType::S8),
        (DType::F32, DType::F32),
        (DType::U8, DType::Bf16),
    ];
    let mut seed = 0;
    for (formats, all_dims) in GROUPS {
        for from in *formats {
            for to in *formats {
                for dims in *all_dims {
                    seed += 1;
                    let types = PAIRS[seed as usize % PAIRS.len()];
                    let given = Given::random(dims, types, seed);
                    check_with(&dense(types.0, dims, from), &dense(types.1, dims, to), &given, seed);
                }
            }
        }
    }
}

/// Tiles of a few groups, which are converted in one step and moved in another: each pair of layouts with types that become
/// narrower and wider, with attributes and without.
#[test]
fn operands_of_dot_products() {
    const PAIRS: [(DType, DType); 7] = [
        (DType::F32, DType::Bf16),
        (DType::Bf16, DType::F32),
        (DType::F32, DType::S8),
        (DType::S8, DType::F32),
        (DType::F32, DType::F16),
        (DType::S8, DType::U8),
        (DType::S32, DType::F32),
    ];
    let formats = ["oihw", "hwio", "OIhw8i16o2i", "OIhw4i16o4i", "OIhw16i16o2i"];
    let mut seed = 0;
    for from in formats {
        for to in formats {
            for dims in [[48, 64, 3, 3], [35, 67, 2, 3]] {
                for _ in 0..2 {
                    seed += 1;
                    let types = PAIRS[seed as usize % PAIRS.len()];
                    let given = match seed % 3 {
                        0 => Given::default(),
                        _ => Given::random(&dims, types, seed),
                    };
                    check_with(&dense(types.0, &dims, from), &dense(types.1, &dims, to), &given, seed);
                }
            }
        }
    }
}

/// Images of a few channels, of more pixels than a buffer takes, to and from blocks that are mostly padding.
#[test]
fn images_of_few_channels() {
    const TYPES: [DType; 6] = [DType::F32, DType::Bf16, DType::F16, DType::S8, DType::U8, DType::E8M0];
    let formats = ["nchw", "nhwc", "nChw4c", "nChw8c", "nChw16c"];
    let mut seed = 0u64;
    for channels in [1, 2, 3, 4, 5, 7, 8, 12] {
        for from in formats {
            for to in formats {
                seed += 1;
                if !seed.is_multiple_of(KEPT as u64) {
                    continue;
                }
                // Each pair of types meets each pair of layouts in turn.
                let types = TYPES.map(|other| (TYPES[seed as usize % TYPES.len()], other));
                let types = types[(seed as usize / TYPES.len() + channels) % TYPES.len()];
                let dims = [1, channels, 67, 85];
                let given = match seed / 5 % 3 {
                    0 => Given::random(&dims, types, seed),
                    _ => Given::default(),
                };
                check_with(&dense(types.0, &dims, from), &dense(types.1, &dims, to), &given, seed);
            }
        }
    }
}

#[test]
fn pairs_of_data_types() {
    let cases: &[(&str, &str, &[usize])] = &[
        ("nchw", "nChw16c", &[1, 19, 5, 7]),
        ("nhwc", "nchw", &[2, 3, 4, 9]),
        ("nhwc", "nhwc", &[1, 5, 6, 7]),
        ("nChw48c", "nChw32c", &[1, 100, 3, 2]),
        ("oihw", "OIhw4i16o4i", &[18, 21, 2, 1]),
    ];
    let mut seed = 1000;
    for (from, to, dims) in cases {
        for src in DType::ALL {
            for dst in DType::ALL {
                seed += 1;
                let given = Given::random(dims, (src, dst), seed);
                check_with(&dense(src, dims, from), &dense(dst, dims, to), &given, seed);
            }
        }
    }
}

/// Every axis alone, so that its values run along rows, across them, and around the tile.
#[test]
fn every_axis() {
    let dims = [3, 19, 4, 5];
    for (case, (from, to)) in
        [("nchw", "nhwc"), ("nhwc", "nChw16c"), ("nChw8c", "nchw"), ("nchw", "nchw"), ("nChw4c", "nChw4c")]
            .into_iter()
            .enumerate()
    {
        for (axis, &extent) in dims.iter().enumerate() {
            let values = (0..extent).map(|i| 0.5 + i as f32 * 0.75).collect();
            let given = Given { src_scale: Some(Owned { axis: Some(axis), values }), ..Given::default() };
            check_with(&dense(DType::S8, &dims, from), &dense(DType::F32, &dims, to), &given, case as u64);
            check_with(&dense(DType::F32, &dims, from), &dense(DType::S8, &dims, to), &given, case as u64);
        }
    }
}

/// Rows of a few elements with gaps on either side or on both, many and few of them, with padding and without.
#[test]
fn short_rows_with_gaps() {
    const FORMATS: [&str; 5] = ["nhwc", "nChw4c", "nChw8c", "nChw16c", "chwn"];
    const DIMS: [[usize; 4]; 5] =
        [[2, 3, 9, 10], [1, 12, 8, 9], [1, 70, 5, 7], [1, 68, 17, 5], [1, 5, 40, 30]];
    const PAIRS: [(DType, DType); 8] = [
        (DType::S8, DType::U8),
        (DType::Bf16, DType::S8),
        (DType::F8E4M3, DType::Bf16),
        (DType::F16, DType::F8E5M2),
        (DType::U8, DType::F32),
        (DType::F32, DType::Bf16),
        (DType::S32, DType::F64),
        (DType::U4, DType::S8),
    ];
    let common = |value| Some(Owned { axis: None, values: vec![value] });
    let all = [
        Given::default(),
        Given { src_scale: common(0.75), ..Given::default() },
        Given {
            src_scale: common(0.5),
            dst_zero: Some(Zero::Shift(Owned { axis: None, values: vec![3.0] })),
            ..Given::default()
        },
    ];
    let mut seed = 2000;
    for (from, to) in FORMATS.iter().flat_map(|from| FORMATS.map(|to| (from, to))) {
        for dims in DIMS {
            for (types, given) in PAIRS.iter().flat_map(|types| all.iter().map(move |given| (types, given))) {
                // A part of all, another one for each pair of formats.
                seed += 1;
                if seed % (4 * KEPT as u64) == 0 {
                    check_with(&dense(types.0, &dims, from), &dense(types.1, &dims, to), given, seed);
                }
            }
        }
    }
}
