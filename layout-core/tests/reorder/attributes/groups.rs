//! Values along several axes and in groups, of all types of values: against the formula over one element at a time, for random
//! layouts, groups that fit blocks and such that do not, and parts of tensors that begin anywhere.

use super::Random;
use crate::oracle::{KEPT, convert, dense, fill, for_each_index, reorder_by};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::kernels::convert::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use layout_core::reorder::{Attributes, Bf16Bits, E8M0Bits, F16Bits, Padding, Reorder, ReorderError, Values};

/// Numbers of an attribute, of any type that it may have.
#[derive(Clone, Debug)]
enum Numbers {
    F32(Vec<f32>),
    F16(Vec<F16Bits>),
    Bf16(Vec<Bf16Bits>),
    E8M0(Vec<E8M0Bits>),
    S32(Vec<i32>),
    S8(Vec<i8>),
    U8(Vec<u8>),
}

/// An attribute: its numbers lie along some axes, each with the size of its groups; along none it is common.
#[derive(Clone, Debug)]
struct Along {
    axes: Vec<(usize, usize)>,
    named: Vec<(char, usize)>,
    names: Vec<char>,
    counts: Vec<usize>,
    numbers: Numbers,
}

/// What an attribute is for.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Role {
    Scale,
    Zero { of_integers: bool },
}

impl Along {
    fn random(random: &mut Random, role: Role, axes: &[(usize, usize)], tensor: &Descriptor) -> Along {
        let counts: Vec<_> = axes.iter().map(|&(axis, group)| tensor.dims()[axis].div_ceil(group)).collect();
        let count = counts.iter().product::<usize>();
        let name = |axis| tensor.spec().axis_name(axis).unwrap();
        let mut floats = || -> Vec<f32> {
            (0..count)
                .map(|_| match role {
                    Role::Scale => (1 + random.below(3000)) as f32 / 700.0,
                    Role::Zero { .. } => random.below(300) as f32 / 2.0 - 60.0,
                })
                .collect()
        };
        let values = floats();
        let numbers = match (role, random.below(4)) {
            (Role::Zero { of_integers: true }, 0) => Numbers::S8(values.iter().map(|&x| x as i8).collect()),
            (Role::Zero { of_integers: true }, 1) => Numbers::U8(values.iter().map(|&x| x as u8).collect()),
            (Role::Zero { of_integers: true }, _) => Numbers::S32(values.iter().map(|&x| x as i32).collect()),
            (_, 0) => Numbers::F16(values.iter().map(|&x| F16Bits(f32_to_f16(x))).collect()),
            (_, 1) => Numbers::Bf16(values.iter().map(|&x| Bf16Bits(f32_to_bf16(x))).collect()),
            (_, 2) => Numbers::E8M0(values.iter().map(|&x| E8M0Bits(123 + x.abs() as u8 % 9)).collect()),
            _ => Numbers::F32(values),
        };
        Along {
            axes: axes.to_vec(),
            named: axes.iter().map(|&(axis, group)| (name(axis), group)).collect(),
            names: axes.iter().map(|&(axis, _)| name(axis)).collect(),
            counts,
            numbers,
        }
    }

    /// The number for an element.
    fn at(&self, index: &[usize]) -> f32 {
        let mut at = 0;
        for (&(axis, group), count) in self.axes.iter().zip(&self.counts) {
            at = at * count + index[axis] / group;
        }
        match &self.numbers {
            Numbers::F32(values) => values[at],
            Numbers::F16(values) => f16_to_f32(values[at].0),
            Numbers::Bf16(values) => bf16_to_f32(values[at].0),
            Numbers::E8M0(values) => 2f32.powi(values[at].0 as i32 - 127),
            Numbers::S32(values) => values[at] as f32,
            Numbers::S8(values) => values[at].into(),
            Numbers::U8(values) => values[at].into(),
        }
    }

    fn values<'a, T: Copy>(&'a self, numbers: &'a [T]) -> Values<'a, T> {
        let single = self.axes.iter().all(|&(_, group)| group == 1);
        match self.axes.len() {
            0 => Values::common(numbers[0]),
            1 if single && numbers.len().is_multiple_of(2) => Values::per_axis(self.names[0], numbers),
            _ if single => Values::per_axes(&self.names, numbers),
            _ => Values::grouped(&self.named, numbers),
        }
    }
}

/// The attributes of a reorder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    src_zero: Option<Along>,
    src_scale: Option<Along>,
    dst_scale: Option<Along>,
    dst_zero: Option<Along>,
    beta: Option<f32>,
    padding: Option<f64>,
}

/// `attributes` with the values of `$along` by one of two methods.
macro_rules! give {
    ($attributes:expr, $along:expr, $floats:ident $(, $integers:ident)?) => {
        match &$along {
            None => $attributes,
            Some(along) => match &along.numbers {
                Numbers::F32(values) => $attributes.$floats(along.values(values)),
                Numbers::F16(values) => $attributes.$floats(along.values(values)),
                Numbers::Bf16(values) => $attributes.$floats(along.values(values)),
                Numbers::E8M0(values) => $attributes.$floats(along.values(values)),
                $(
                    Numbers::S32(values) => $attributes.$integers(along.values(values)),
                    Numbers::S8(values) => $attributes.$integers(along.values(values)),
                    Numbers::U8(values) => $attributes.$integers(along.values(values)),
                )?
                #[allow(unreachable_patterns, reason = "of attributes that are no integers")]
                _ => unreachable!(),
            },
        }
    };
}

impl Given {
    pub(crate) fn random(random: &mut Random, src: &Descriptor, dst: &Descriptor) -> Given {
        const GROUPS: [usize; 12] = [1, 1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 100];
        fn axes(random: &mut Random, rank: usize) -> Vec<(usize, usize)> {
            let mut free: Vec<usize> = (0..rank).collect();
            let len = [0, 1, 1, 2, 2, 3][random.below(6)].min(rank);
            (0..len).map(|_| (free.swap_remove(random.below(free.len())), GROUPS[random.below(12)])).collect()
        }
        let usual = axes(random, src.rank());
        let one = |random: &mut Random, role: Role| {
            let axes = match random.below(3) {
                0 => axes(random, src.rank()),
                _ => usual.clone(),
            };
            (random.below(3) > 0).then(|| Along::random(random, role, &axes, src))
        };
        let zero = |dtype| Role::Zero { of_integers: matches!(dtype, DType::S32 | DType::S8 | DType::U8) };
        Given {
            src_zero: one(random, zero(src.dtype())),
            src_scale: one(random, Role::Scale),
            dst_scale: one(random, Role::Scale),
            dst_zero: one(random, zero(dst.dtype())),
            beta: (random.below(2) == 0).then(|| [1.0, 0.0, 0.75, -1.3][random.below(4)]),
            padding: (random.below(3) == 0).then(|| random.below(200) as f64 - 60.0),
        }
    }

    pub(crate) fn attributes(&self) -> Attributes<'_> {
        let attributes = Attributes::new();
        let attributes = give!(attributes, self.src_zero, src_shift, src_zero_point);
        let attributes = give!(attributes, self.src_scale, src_scale);
        let attributes = give!(attributes, self.dst_scale, dst_scale);
        let attributes = give!(attributes, self.dst_zero, dst_shift, dst_zero_point);
        let attributes = self.beta.map_or(attributes, |beta| attributes.accumulate(beta));
        self.padding.map_or(attributes, |padding| attributes.padding(Padding::Number(padding)))
    }

    /// One number, by the formula.
    fn convert(&self, src: DType, dst: DType, index: &[usize], from: &[u8], to: &mut [u8]) {
        let all = [&self.src_zero, &self.src_scale, &self.dst_scale, &self.dst_zero];
        // A factor of 0 leaves the sum out, and with it the way through f32.
        if all.iter().all(|one| one.is_none()) && matches!(self.beta, None | Some(0.0)) {
            return convert(src, dst, from, to);
        }
        let f32_of = |dtype, bytes: &[u8]| {
            let mut number = [0; 4];
            convert(dtype, DType::F32, bytes, &mut number);
            f32::from_ne_bytes(number)
        };
        let mut x = f32_of(src, from);
        let [src_zero, src_scale, dst_scale, dst_zero] = all.map(|one| one.as_ref().map(|one| one.at(index)));
        x = src_zero.map_or(x, |zero| x - zero);
        x = src_scale.map_or(x, |scale| x * scale);
        x = match self.beta {
            None | Some(0.0) => x,
            Some(1.0) => x + f32_of(dst, to),
            Some(beta) => x + f32_of(dst, to) * beta,
        };
        x = dst_scale.map_or(x, |scale| x * (1.0 / scale));
        x = dst_zero.map_or(x, |zero| x + zero);
        convert(DType::F32, dst, &x.to_ne_bytes(), to);
    }

    /// The reorder itself, padding included.
    pub(crate) fn expected(&self, src: &Descriptor, dst: &Descriptor, from: &[u8], to: &mut [u8]) {
        reorder_by(src, dst, from, to, |index, from, to| {
            self.convert(src.dtype(), dst.dtype(), index, from, to);
        });
        if let Some(padding) = self.padding {
            pad(dst, to, padding);
        }
    }
}

/// Puts `number` into every place of padding.
fn pad(dst: &Descriptor, bytes: &mut [u8], number: f64) {
    for_each_index(dst.padded_dims(), |at| {
        let index: Vec<_> =
            (0..dst.rank()).map(|a| (at[a] + dst.owned(a).start).wrapping_sub(dst.origin()[a])).collect();
        if index.iter().zip(dst.dims()).any(|(index, dim)| index >= dim) {
            let at = dst.offset_unchecked(&index) * dst.dtype().size();
            convert(DType::F64, dst.dtype(), &number.to_ne_bytes(), &mut bytes[at..at + dst.dtype().size()]);
        }
    });
}

/// Runs the reorder and compares all of the destination with the oracle's.
#[track_caller]
fn check(src: &Descriptor, dst: &Descriptor, given: &Given, seed: u64) {
    let attributes = given.attributes();
    let plan = Reorder::with_attributes(src, dst, &attributes)
        .unwrap_or_else(|error| panic!("{src:?} -> {dst:?} {given:?}: {error}"));
    let mut from = vec![0; src.size_bytes()];
    fill(src.dtype(), &mut from, seed);
    let mut found = vec![0; dst.size_bytes() + 1];
    fill(dst.dtype(), &mut found[1..], seed + 1);
    let mut expected = found.clone();
    let mut in_parts = found.clone();
    plan.run_with(&from, &mut found[1..], &attributes).unwrap();
    #[cfg(feature = "rayon")]
    plan.par_run_with(&from, &mut in_parts[1..], &attributes).unwrap();
    #[cfg(not(feature = "rayon"))]
    plan.run_with(&from, &mut in_parts[1..], &attributes).unwrap();
    given.expected(src, dst, &from, &mut expected[1..]);
    for found in [found, in_parts] {
        if let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at]) {
            panic!(
                "{src:?}\n-> {dst:?}\n{given:?}\n{plan}\nbyte {at}: found {:#04x}, expected {:#04x}",
                found[at], expected[at]
            );
        }
    }
}

const FORMATS: [&[&str]; 3] = [
    &["ab", "ba", "aB16b", "BA16a64b4a", "AB3b5a", "bA12a", "aB48b", "BA4b8a4b"],
    &["abc", "cba", "acB32b", "ABc16a16b", "bcA24a", "aBC8b3c2b"],
    &["nchw", "nhwc", "nChw16c", "nChw48c", "nhwC8c", "NChw16n4c"],
];

const PAIRS: [(DType, DType); 8] = [
    (DType::F32, DType::S8),
    (DType::U8, DType::F32),
    (DType::S8, DType::S8),
    (DType::F32, DType::F32),
    (DType::S8, DType::Bf16),
    (DType::F16, DType::U8),
    (DType::S32, DType::F16),
    (DType::F64, DType::S32),
];

#[test]
fn random_tensors() {
    let mut random = Random(77);
    for seed in 0..150 / KEPT as u64 {
        let rank = 2 + random.below(3);
        let formats = FORMATS[rank - 2];
        let (from, to) = (formats[random.below(formats.len())], formats[random.below(formats.len())]);
        let most = [150, 40, 25][rank - 2];
        let dims: Vec<usize> = (0..rank).map(|_| 1 + random.below(most)).collect();
        let types = PAIRS[random.below(PAIRS.len())];
        let (src, dst) = (dense(types.0, &dims, from), dense(types.1, &dims, to));
        let given = Given::random(&mut random, &src, &dst);
        check(&src, &dst, &given, seed);
    }
}

/// Rows with more values than are written to a table at a time: those that lie in memory as loops take them, and others beside them.
#[test]
fn long_rows() {
    // Twice those that differ from row to row as well.
    let axes: [&[(usize, usize)]; 5] =
        [&[(1, 1)], &[(0, 1), (1, 1)], &[(0, 8), (1, 1)], &[(0, 1), (1, 1)], &[(0, 1)]];
    let mut random = Random(79);
    for seed in 0..(240 / KEPT).max(60) as u64 {
        let dims = [1 + random.below(70), [529, 592, 640, 1000, 1001, 1300][random.below(6)]];
        let types = PAIRS[random.below(PAIRS.len())];
        let to = ["ab", "ab", "aB16b", "aB1300b"][random.below(4)];
        let (src, dst) = (dense(types.0, &dims, "ab"), dense(types.1, &dims, to));
        let mut one = |role| {
            let of = axes[random.below(5)];
            (random.below(3) == 0).then(|| Along::random(&mut random, role, of, &src))
        };
        let (src_zero, dst_zero) =
            (one(Role::Zero { of_integers: false }), one(Role::Zero { of_integers: false }));
        let (mut src_scale, dst_scale) = (one(Role::Scale), one(Role::Scale));
        if let Some(Along { numbers: numbers @ Numbers::E8M0(_), counts, .. }) = &mut src_scale {
            // More of those that are taken as they are.
            *numbers = Numbers::F32((0..counts.iter().product()).map(|i| 0.5 + i as f32 / 900.0).collect());
        }
        let beta = (random.below(4) == 0).then_some(0.75);
        check(&src, &dst, &Given { src_zero, src_scale, dst_scale, dst_zero, beta, padding: None }, seed);
    }
}

/// Parts that begin inside blocks, with groups that begin with the part, and extra padding around them.
#[test]
fn random_parts() {
    let mut random = Random(78);
    for seed in 0..150 / KEPT as u64 {
        let rank = 2 + random.below(2);
        let formats = FORMATS[rank - 2];
        let dims: Vec<usize> = (0..rank).map(|_| 1 + random.below(60)).collect();
        let types = PAIRS[random.below(PAIRS.len())];
        let mut part = |dtype| {
            let format = formats[random.below(formats.len())];
            let mut few = |most| -> Vec<usize> {
                (0..rank).map(|_| if random.below(2) == 0 { 0 } else { random.below(most) }).collect()
            };
            let (before, after, low, high) = (few(40), few(20), few(9), few(9));
            let whole: Vec<_> = (0..rank).map(|a| before[a] + dims[a] + after[a]).collect();
            let whole = dense(dtype, &whole, format).with_halo(&low, &high).unwrap();
            whole.submemory(&before, &dims).unwrap()
        };
        let (src, dst) = (part(types.0), part(types.1));
        let given = Given::random(&mut random, &src, &dst);
        check(&src, &dst, &given, seed);
    }
}

/// The usual compressed weights: loops are whole rows, and a group is a loop of its own.
#[test]
fn plans_of_groups() {
    let (src, dst) = (dense(DType::F32, &[4096, 512], "ab"), dense(DType::S8, &[4096, 512], "ab"));
    let scales = vec![1.0; 128 * 512];
    let attributes = Attributes::new().dst_scale(Values::grouped(&[('a', 32), ('b', 1)], &scales));
    let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
    assert_eq!(
        crate::plan::portable(&plan),
        "f32 -> s8: row copy (generic convert, 4 to 1 bytes), reads 8388608 bytes, writes 2097152 bytes\n  \
         destination scale per axis `a` in groups of 32 and `b`\n  \
         loops (128,32,512):(16384,512,1):(16384,512,1)\n  \
         not a plain copy: common runs of 512 bytes"
    );
}

/// A group larger than its axis is one of all indices, however large it is, and wherever data begins in a block.
#[test]
fn groups_past_the_end_of_an_axis() {
    let whole = dense(DType::F32, &[16, 2], "Ab4a");
    let src = dense(DType::F32, &[3, 2], "ab");
    let bytes: Vec<u8> = [1f32; 6].iter().flat_map(|x| x.to_ne_bytes()).collect();
    // Values that are not given follow the one that is.
    let values = [2f32, 100.0, 1000.0, 10000.0];
    for group in [3, 4, 1 << 31, 1 << 40, usize::MAX >> 1, usize::MAX - 1, usize::MAX] {
        for start in 0..5 {
            let dst = whole.submemory(&[start, 0], &[3, 2]).unwrap();
            let axes = [('a', group)];
            let attributes = Attributes::new().src_scale(Values::grouped(&axes, &values[..1]));
            let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
            assert!(!plan.to_string().is_empty());
            let mut out = vec![0; plan.dst_len()];
            plan.run_with(&bytes, &mut out, &attributes).unwrap();
            for a in 0..3 {
                for b in 0..2 {
                    let at = 4 * dst.offset(&[a, b]).unwrap();
                    assert_eq!(
                        f32::from_ne_bytes(out[at..at + 4].try_into().unwrap()),
                        2.0,
                        "{group} {start}"
                    );
                }
            }
            // The plan is that of any other group of all indices, and of no smaller one.
            let other = Attributes::new().src_scale(Values::grouped(&[('a', 3)], &values[..1]));
            plan.run_with(&bytes, &mut out, &other).unwrap();
            let smaller = Attributes::new().src_scale(Values::grouped(&[('a', 2)], &values[..2]));
            let error = plan.run_with(&bytes, &mut out, &smaller).unwrap_err();
            assert!(matches!(error, ReorderError::AttributeGroup { planned: 3, found: 2, .. }), "{error:?}");
        }
    }
    // Cut by blocks that begin elsewhere on both sides.
    let block = Descriptor::new(DType::F32, &[16], "A4a").unwrap();
    let (src, dst) = (block.submemory(&[2], &[9]).unwrap(), block.submemory(&[3], &[9]).unwrap());
    for group in [9, 10, usize::MAX - 1, usize::MAX] {
        let axes = [('a', group)];
        let attributes = Attributes::new().src_scale(Values::grouped(&axes, &values[..1]));
        let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
        let bytes: Vec<u8> = (0..plan.src_len() / 4).flat_map(|i| (i as f32).to_ne_bytes()).collect();
        let mut out = vec![0; plan.dst_len()];
        plan.run_with(&bytes, &mut out, &attributes).unwrap();
        for a in 0..9 {
            let at = 4 * dst.offset(&[a]).unwrap();
            let found = f32::from_ne_bytes(out[at..at + 4].try_into().unwrap());
            assert_eq!(found, 2.0 * src.offset(&[a]).unwrap() as f32, "{group}");
        }
    }
}
