//! Every way to round against its definition: the two neighbours among all numbers of the type, in f64, where their distance is
//! exact. All pairs of types, values around every rounding; chance in every layout, by the positions of elements.

use crate::attributes::Given;
use crate::oracle::{SENTINEL, convert, dense, fill, get, read, reorder_by};
use crate::small;
use layout_core::descriptor::{DType, Descriptor, E8M0, F8E4M3};
use layout_core::kernels::convert::Rounding;
use layout_core::layout::{Nchw16c, Nhwc};
use layout_core::reorder::{
    Attributes, PerAxis, PlanCache, Reorder, ReorderError, TypedAttributes, Values, convert_slice_with,
};
use layout_core::view::Tensor;
use std::sync::OnceLock;

pub(crate) const FIXED: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero, Rounding::Down, Rounding::Up];

/// The finite numbers of a float from 0 up.
fn magnitudes(dtype: DType) -> &'static [f64] {
    static ALL: [OnceLock<Vec<f64>>; DType::ALL.len()] = [const { OnceLock::new() }; DType::ALL.len()];
    ALL[dtype as usize].get_or_init(|| {
        let values: Vec<f64> = match dtype {
            DType::F32 | DType::S32 | DType::S8 | DType::U8 | DType::S4 | DType::U4 => Vec::new(),
            DType::F16 => (0..0x7C00).map(|bits| half::f16::from_bits(bits).to_f64()).collect(),
            DType::Bf16 => (0..0x7F80).map(|bits| half::bf16::from_bits(bits).to_f64()).collect(),
            _ => (0..=255u32 >> (8 - dtype.bits())).map(|bits| small::decode(dtype, bits as u8)).collect(),
        };
        let mut values: Vec<f64> =
            values.into_iter().filter(|value| value.is_finite()).map(f64::abs).chain([0.0]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    })
}

/// The largest number of the type that is not above `magnitude`, and the smallest above that; infinity if there is none, and how
/// far the two would be apart if the type went on.
fn neighbours(dtype: DType, magnitude: f64) -> (f64, f64, f64) {
    match dtype {
        DType::S32 | DType::S8 | DType::U8 | DType::S4 | DType::U4 => {
            (magnitude.floor(), magnitude.floor() + 1.0, 1.0)
        }
        DType::F32 => {
            let near = (magnitude as f32).min(f32::MAX);
            let lower = if f64::from(near) > magnitude { near.next_down() } else { near };
            let upper = f64::from(lower.next_up());
            let place = f64::from(lower) - f64::from(lower.next_down());
            let place = if upper.is_finite() { upper - f64::from(lower) } else { place };
            (lower.into(), upper, place)
        }
        _ => {
            let all = magnitudes(dtype);
            let above = all.partition_point(|&value| value <= magnitude);
            let (lower, upper) = (all[above - 1], all.get(above).copied().unwrap_or(f64::INFINITY));
            let place = match dtype {
                _ if upper.is_finite() => upper - lower,
                // Powers of two.
                DType::E8M0 | DType::F4E3M0 => lower,
                _ => lower - all[above - 2],
            };
            (lower, upper, place)
        }
    }
}

/// The numbers of SplitMix64 with a seed, as fractions of their upper halves.
pub(crate) struct Chance {
    seed: u64,
    at: u64,
    state: u64,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance { seed, at: 0, state: seed }
    }

    /// Number `position`.
    pub(crate) fn number(&mut self, position: u64) -> f64 {
        if position < self.at {
            *self = Chance::new(self.seed);
        }
        let mut last = 0;
        while self.at <= position {
            self.state = self.state.wrapping_add(0x9E3779B97F4A7C15);
            last = self.state;
            last = (last ^ (last >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
            last = (last ^ (last >> 27)).wrapping_mul(0x94D049BB133111EB);
            last ^= last >> 31;
            self.at += 1;
        }
        (last >> 32) as f64 / 2f64.powi(32)
    }
}

/// `value` rounded to a number of the type, or to infinity; `chance` for what is rounded by it.
fn rounded(dtype: DType, rounding: Rounding, value: f64, chance: f64) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let magnitude = value.abs();
    let negative = value.is_sign_negative() && dtype != DType::E8M0;
    let (lower, upper, place) = neighbours(dtype, magnitude);
    // e8m0's powers of two reach down to the smallest only.
    let (lower, upper, place) =
        if dtype == DType::E8M0 && lower == 0.0 { (0.0, upper, upper) } else { (lower, upper, place) };
    let distance = (magnitude - lower) / place;
    let is_beyond = upper.is_infinite();
    let goes_up = match rounding {
        Rounding::NearestAway => distance >= 0.5,
        Rounding::TowardZero => false,
        Rounding::Down => negative && distance > 0.0,
        Rounding::Up => !negative && distance > 0.0,
        Rounding::Stochastic { .. } => !is_beyond && distance > chance,
        _ => unreachable!("{rounding:?}"),
    };
    let magnitude = if goes_up { upper } else { lower };
    if value.is_sign_negative() { -magnitude } else { magnitude }
}

/// One number as `rounding` says.
pub(crate) fn element(types: (DType, DType), rounding: Rounding, from: &[u8], to: &mut [u8], chance: f64) {
    let (src, dst) = types;
    let value = read(src, from);
    let is_default = matches!(dst, DType::F64 | DType::Boolean) || rounding == Rounding::NearestEven;
    if src == dst || is_default || value.is_nan() {
        return convert(src, dst, from, to);
    }
    let value = rounded(dst, rounding, value, chance);
    if dst == DType::F32 || !value.is_finite() || magnitudes(dst).len() < 3 {
        return convert(DType::F64, dst, &value.to_ne_bytes(), to);
    }
    // Patterns count magnitudes.
    let pattern = magnitudes(dst).partition_point(|&other| other < value.abs());
    if dst == DType::E8M0 {
        // Which has no zero: it becomes the smallest.
        return to[0] = pattern.saturating_sub(1) as u8;
    }
    let pattern = pattern | usize::from(value.is_sign_negative()) << (dst.bits() - 1);
    to.copy_from_slice(&pattern.to_ne_bytes()[..to.len()]);
}

/// Converts a row of numbers by a plan and compares each with the definition.
#[track_caller]
fn row(src: DType, dst: DType, from: &[u8], rounding: Rounding) {
    let len = if src.is_packed() { 2 * from.len() } else { from.len() / src.size() };
    let attributes = Attributes::new().rounding(rounding);
    let plan =
        Reorder::with_attributes(&dense(src, &[len], "a"), &dense(dst, &[len], "a"), &attributes).unwrap();
    let mut found = vec![0; plan.dst_len()];
    plan.run_with(from, &mut found, &attributes).unwrap();
    let mut expected = vec![0; dst.size()];
    let mut chance = match rounding {
        Rounding::Stochastic { seed } => Some(Chance::new(seed)),
        _ => None,
    };
    for i in 0..len {
        let (from, found) = (get(src, from, i), get(dst, &found, i));
        let chance = chance.as_mut().map_or(0.0, |chance| chance.number(i as u64));
        element((src, dst), rounding, &from, &mut expected, chance);
        assert_eq!(found, expected, "{src} -> {dst} {rounding}, number {i}: {from:02x?}");
    }
}

/// All but the default, of which all the other tests are.
fn every_way(src: DType, from: &[u8]) {
    let is_rounded = |&dst: &DType| dst != src && !matches!(dst, DType::F64 | DType::Boolean);
    for dst in DType::ALL.into_iter().filter(is_rounded) {
        for rounding in FIXED[1..].iter().copied().chain([Rounding::Stochastic { seed: 0x5EED }]) {
            row(src, dst, from, rounding);
        }
    }
}

#[test]
fn all_16_bit_floats() {
    let all: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
    every_way(DType::F16, &all);
    every_way(DType::Bf16, &all);
}

#[test]
fn all_bytes() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    DType::ALL.into_iter().filter(|src| src.bits() <= 8).for_each(|src| every_way(src, &all));
}

/// Mantissas at and beside every place where a narrower float may round.
fn mantissas(bits: u32) -> Vec<u64> {
    let mut out = vec![0, 1, (1 << bits) - 1];
    // Where nothing is optimised, a few of them.
    for place in (0..bits).step_by(if cfg!(debug_assertions) { 3 } else { 1 }) {
        let unit = 1u64 << place;
        for high in [0, unit << 1, !0u64 << (place + 1)] {
            out.extend(
                [unit.wrapping_sub(1), unit, unit + 1].map(|low| high.wrapping_add(low) & ((1 << bits) - 1)),
            );
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

#[test]
fn f32_at_every_exponent() {
    let mantissas = mantissas(23);
    let all = (0..512u32).flat_map(|top| mantissas.iter().map(move |&low| top << 23 | low as u32));
    every_way(DType::F32, &all.flat_map(u32::to_ne_bytes).collect::<Vec<u8>>());
}

#[test]
fn f64_at_every_exponent_that_matters() {
    let (mantissas, mut all) = (mantissas(52), Vec::new());
    let exponents = (1023 - 170..1023 + 135).step_by(5).chain([0, 1, 2, 1023 - 127, 1023 - 126, 1023, 1024]);
    for exponent in exponents.chain([1023 + 31, 1023 + 127, 1023 + 128, 2045, 2046, 2047]) {
        for &mantissa in &mantissas {
            for sign in [0, 1 << 63] {
                all.extend(f64::from_bits(sign | exponent << 52 | mantissa).to_ne_bytes());
            }
        }
    }
    every_way(DType::F64, &all);
}

#[test]
fn s32_near_every_power_of_two() {
    let mut all = Vec::new();
    for place in 0..32 {
        for offset in -40..=40i32 {
            all.extend((1i32 << place).wrapping_add(offset).to_ne_bytes());
            all.extend((1i32 << place).wrapping_neg().wrapping_add(offset).to_ne_bytes());
        }
        all.extend((0..32).flat_map(|other| (1u32 << place | 1 << other).to_ne_bytes()));
    }
    every_way(DType::S32, &all);
}

/// Every number of a small type and every tie between two of them, and what lies next to these and beyond all.
#[test]
fn wide_floats_near_small_ones() {
    for dst in [DType::F8E5M2, DType::F8E4M3, DType::E8M0, DType::F4E2M1, DType::F4E3M0] {
        let all = magnitudes(dst);
        let largest = all[all.len() - 1];
        let ties = all.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
        let beyond = (1..40).map(|step| largest * (1.0 + f64::from(step) / 32.0));
        let near = all.iter().copied().chain(ties).chain(beyond);
        let near: Vec<f64> =
            near.flat_map(|x| [x, x.next_up(), x.next_down(), x * 1.001]).flat_map(|x| [x, -x]).collect();
        let wide: Vec<u8> = near.iter().flat_map(|x| x.to_ne_bytes()).collect();
        let narrow = near.iter().map(|&x| x as f32).flat_map(|x| [x, x.next_up(), x.next_down()]);
        let narrow: Vec<u8> = narrow.flat_map(f32::to_ne_bytes).collect();
        for rounding in FIXED[1..].iter().copied().chain([Rounding::Stochastic { seed: 3 }]) {
            row(DType::F64, dst, &wide, rounding);
            row(DType::F32, dst, &narrow, rounding);
        }
    }
}

/// Worked by hand.
#[test]
fn as_their_names_say() {
    let numbers = [2.5f32, -2.5, 2.4, -2.6, -0.5, 0.5, 1.5, 300.0, -300.0, f32::NAN];
    let of = |rounding| {
        let mut out = [0i8; 10];
        convert_slice_with(&numbers, &mut out, rounding).unwrap();
        out
    };
    assert_eq!(of(Rounding::NearestEven), [2, -2, 2, -3, 0, 0, 2, 127, -128, 0]);
    assert_eq!(of(Rounding::NearestAway), [3, -3, 2, -3, -1, 1, 2, 127, -128, 0]);
    assert_eq!(of(Rounding::TowardZero), [2, -2, 2, -2, 0, 0, 1, 127, -128, 0]);
    assert_eq!(of(Rounding::Down), [2, -3, 2, -3, -1, 0, 1, 127, -128, 0]);
    assert_eq!(of(Rounding::Up), [3, -2, 3, -2, 0, 1, 2, 127, -128, 0]);
    let bounds = |rounding| {
        let mut out = [F8E4M3::default(); 4];
        convert_slice_with(&[1e9f32, -1e9, 463.9, f32::INFINITY], &mut out, rounding).unwrap();
        out.map(F8E4M3::to_bits)
    };
    assert_eq!(bounds(Rounding::TowardZero), [0x7E, 0xFE, 0x7E, 0x7F]);
    assert_eq!(bounds(Rounding::Down), [0x7E, 0xFF, 0x7E, 0x7F]);
    assert_eq!(bounds(Rounding::Up), [0x7F, 0xFE, 0x7F, 0x7F]);
    assert_eq!(bounds(Rounding::NearestAway), [0x7F, 0xFF, 0x7E, 0x7F]);
    assert_eq!(bounds(Rounding::Stochastic { seed: 1 }), [0x7E, 0xFE, 0x7E, 0x7F]);
}

/// The mean of many roundings of one number is that number, and what is exact is left alone.
#[test]
fn chance_is_fair() {
    for (value, lower, place) in [(0.3f32, 0.0, 1.0), (-41.875, -41.0, 1.0), (5.0, 5.0, 1.0), (7.5, 7.0, 1.0)]
    {
        let mut ups = [0u32; 3];
        for (seed, ups) in ups.iter_mut().enumerate() {
            let mut out = vec![0i8; 100_000];
            let way = Rounding::Stochastic { seed: seed as u64 * 0x1_0000_0001 };
            convert_slice_with(&vec![value; 100_000], &mut out, way).unwrap();
            *ups = out.iter().map(|&x| (f32::from(x) - lower).abs() as u32).sum();
        }
        let expected = (value - lower).abs() / place * 100_000.0;
        for ups in ups {
            // Five standard deviations of the fair coin, which has the largest.
            assert!((ups as f32 - expected).abs() <= 800.0, "{value}: {ups} of 100000");
        }
        assert_eq!(ups[0] == ups[1], expected == 0.0, "other seeds, other numbers");
    }
}

const GROUPS: &[(&[&str], &[&[usize]])] = &[
    (&["a", "A16a", "A3a4a"], &[&[1], &[17], &[2500]]),
    (&["ab", "ba", "AB16b16a", "BA4a8b4a", "aB3b", "aB2b"], &[&[1, 5], &[17, 33], &[70, 3], &[3, 1100]]),
    (&["abcd", "acdb", "aBcd16b", "cdba", "aBcd5b"], &[&[2, 19, 3, 5], &[1, 3, 7, 6]]),
];

const TYPES: [(DType, DType); 9] = [
    (DType::F32, DType::S8),
    (DType::F32, DType::F16),
    (DType::F16, DType::F8E4M3),
    (DType::F32, DType::F4E2M1),
    (DType::F32, DType::S4),
    (DType::F64, DType::F32),
    (DType::S32, DType::Bf16),
    (DType::F4E3M0, DType::U4),
    (DType::Bf16, DType::E8M0),
];

fn check(
    src: &Descriptor,
    dst: &Descriptor,
    rounding: Rounding,
    given: &Given,
    beta: Option<f32>,
    seed: u64,
) {
    let mut attributes = given.borrowed(dst).rounding(rounding);
    if let Some(beta) = beta {
        attributes = attributes.accumulate(beta);
    }
    let plan = Reorder::with_attributes(src, dst, &attributes).unwrap();
    let mut memory = vec![0; src.size_bytes() + 1];
    fill(src.dtype(), &mut memory[1..], seed);
    let mut before = vec![SENTINEL; dst.size_bytes() + 9];
    if beta.is_some() {
        fill(dst.dtype(), &mut before[1..dst.size_bytes()], seed + 1);
    }
    let (mut found, mut expected) = (before.clone(), before.clone());
    plan.run_with(&memory[1..], &mut found[1..], &attributes).unwrap();
    let chance = std::cell::RefCell::new(Chance::new(match rounding {
        Rounding::Stochastic { seed } => seed,
        _ => 0,
    }));
    let numbers: Vec<f64> = (0..dst.logical_len() as u64).map(|at| chance.borrow_mut().number(at)).collect();
    reorder_by(src, dst, &memory[1..], &mut expected[1..], |index, from, to| {
        let position = index.iter().zip(dst.dims()).fold(0, |at, (index, dim)| at * dim + index);
        let types = (src.dtype(), dst.dtype());
        if given.is_empty() && beta.is_none() {
            return element(types, rounding, from, to, numbers[position]);
        }
        let x = given.sum(types, index, from, to, beta);
        element((DType::F32, dst.dtype()), rounding, &x.to_ne_bytes(), to, numbers[position]);
    });
    if let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at]) {
        panic!(
            "{src:?}\n-> {dst:?} {rounding} {given:?} {beta:?}\n{plan}\nbyte {at}: found {:#04x}, expected {:#04x}",
            found[at], expected[at]
        );
    }
    #[cfg(feature = "rayon")]
    {
        let mut parallel = before;
        plan.par_run_with(&memory[1..], &mut parallel[1..], &attributes).unwrap();
        assert!(parallel == found, "{plan}");
    }
}

/// Chance follows the element, wherever it lies; and the arithmetic of attributes and sums comes before.
#[test]
fn every_layout() {
    let mut seed = 1;
    for &(formats, all_dims) in GROUPS {
        for dims in all_dims {
            for from in formats {
                for to in formats {
                    seed += 1;
                    let types = TYPES[seed as usize % TYPES.len()];
                    let rounding = match seed / 9 % 3 {
                        0 => FIXED[seed as usize / 27 % 5],
                        _ => Rounding::Stochastic { seed },
                    };
                    let (src, dst) = (dense(types.0, dims, from), dense(types.1, dims, to));
                    check(&src, &dst, rounding, &Given::default(), None, seed);
                    let given = Given::random(dims, types, seed);
                    check(&src, &dst, rounding, &given, None, seed);
                    check(&src, &dst, rounding, &given, Some(0.75), seed);
                }
            }
        }
    }
}

/// Rows of a few elements with gaps between them, which are converted together.
#[test]
fn short_rows_with_gaps() {
    const FORMATS: [&str; 4] = ["nhwc", "nChw4c", "nChw8c", "nChw16c"];
    let mut seed = 3000;
    for (from, to) in FORMATS.iter().flat_map(|from| FORMATS.map(|to| (from, to))) {
        for dims in [[1, 12, 8, 9], [2, 3, 9, 10], [1, 68, 5, 7]] {
            for types in
                [(DType::F16, DType::F8E4M3), (DType::F32, DType::S8), (DType::F8E5M2, DType::F4E2M1)]
            {
                seed += 1;
                let (src, dst) = (dense(types.0, &dims, from), dense(types.1, &dims, to));
                check(&src, &dst, Rounding::Stochastic { seed }, &Given::default(), None, seed);
            }
        }
    }
}

/// Parts of blocked tensors on both sides, off their blocks, and destinations with padding in front: positions are those of the
/// part.
#[test]
fn parts_and_halos() {
    let part = |dtype, format, start: [usize; 2]| {
        dense(dtype, &[40, 35], format).submemory(&start, &[30, 17]).unwrap()
    };
    let mut seed = 7;
    for types in TYPES {
        for (from, to) in [("ab", "AB16b4a"), ("BA4a8b4a", "ba"), ("aB3b", "Ab5a"), ("AB4a8b", "BA8b4a")] {
            seed += 1;
            let src = part(types.0, from, [4, 9]);
            let dsts = [
                part(types.1, to, [3, 5]),
                dense(types.1, &[30, 17], "ab").with_halo(&[1, 3], &[2, 0]).unwrap(),
            ];
            for dst in dsts {
                let rounding = Rounding::Stochastic { seed };
                check(&src, &dst, rounding, &Given::default(), None, seed);
                let given = Given::random(&[30, 17], types, seed);
                check(&src, &dst, rounding, &given, Some(0.75), seed);
                check(&src, &dst, FIXED[seed as usize % 5], &given, None, seed);
            }
        }
    }
}

/// Large enough to be cut for threads, whatever their number.
#[cfg(feature = "rayon")]
#[test]
fn every_number_of_threads() {
    let dims = [3, 67, 90, 41];
    let (src, dst) = (dense(DType::F32, &dims, "nchw"), dense(DType::S8, &dims, "nChw16c"));
    let mut memory = vec![0; src.size_bytes()];
    fill(DType::F32, &mut memory, 5);
    let attributes = Attributes::new().rounding(Rounding::Stochastic { seed: 99 });
    let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
    let mut expected = vec![0; dst.size_bytes()];
    plan.run_with(&memory, &mut expected, &attributes).unwrap();
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut found = vec![1; dst.size_bytes()];
        pool.install(|| plan.par_run_with(&memory, &mut found, &attributes)).unwrap();
        assert!(found == expected, "{threads} threads");
    }
}

#[test]
fn views_and_the_cache() {
    let image =
        Tensor::<f32, Nhwc>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (c * 20 + h * 5 + w) as f32 * 0.3).unwrap();
    let scales = [0.5, 0.25, 0.7];
    let of = |rounding| {
        let mut out = Tensor::<i8, Nchw16c>::zeroed([1, 3, 4, 5]).unwrap();
        let attributes = TypedAttributes::new().dst_scale(PerAxis::<'c'>(&scales)).rounding(rounding);
        attributes.reorder(&image, &mut out).unwrap();
        out
    };
    // One after the other, from one cache.
    for rounding in [Rounding::Down, Rounding::Up, Rounding::Down, Rounding::NearestEven] {
        let out = of(rounding);
        for [c, h, w] in [[0, 0, 1], [1, 2, 3], [2, 3, 4]] {
            let x = image[[0, c, h, w]] * (1.0 / scales[c]);
            let expected = match rounding {
                Rounding::Down => x.floor(),
                Rounding::Up => x.ceil(),
                _ => x.round_ties_even(),
            };
            assert_eq!(f32::from(out[[0, c, h, w]]), expected, "{rounding} {c} {h} {w}");
        }
    }
    // Another seed needs no other plan.
    let (src, dst) = (dense(DType::F32, &[64], "a"), dense(DType::S8, &[64], "a"));
    let (mut cache, memory, mut out) = (PlanCache::default(), [0; 256], [0; 64]);
    for (rounding, made) in [
        (Rounding::Stochastic { seed: 1 }, 1),
        (Rounding::Stochastic { seed: 2 }, 1),
        (Rounding::Up, 2),
        (Rounding::NearestEven, 3),
        (Rounding::Up, 3),
    ] {
        let attributes = Attributes::new().rounding(rounding);
        let plan = cache.plan_with_attributes(&src, &dst, &attributes).unwrap();
        plan.run_with(&memory, &mut out, &attributes).unwrap();
        assert_eq!(cache.len(), made, "{rounding}");
    }
}

#[test]
fn another_way_than_planned() {
    let (src, dst) = (dense(DType::F32, &[4], "a"), dense(DType::S8, &[4], "a"));
    let down = Attributes::new().rounding(Rounding::Down);
    let plan = Reorder::with_attributes(&src, &dst, &down).unwrap();
    assert!(plan.to_string().contains("\n  rounded down"), "{plan}");
    let (from, mut to) = ([0; 16], [7; 4]);
    let error = plan.run(&from, &mut to).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the plan rounds down, but is run with rounding to nearest even; give `run_with` the rounding of the plan"
    );
    let by_chance = Rounding::Stochastic { seed: 5 };
    let error = plan.run_with(&from, &mut to, &Attributes::new().rounding(by_chance)).unwrap_err();
    assert_eq!(error, ReorderError::Rounding { planned: Rounding::Down, found: by_chance });
    let plain = Reorder::new(&src, &dst).unwrap();
    assert!(plain.run_with(&from, &mut to, &down).is_err());
    assert_eq!(to, [7; 4]);
    // Where nothing can be lost, there is nothing to say.
    for (src, dst) in [(DType::S8, DType::S8), (DType::S32, DType::S8), (DType::F32, DType::F64)] {
        let (src, dst) = (dense(src, &[4], "a"), dense(dst, &[4], "a"));
        let plan = Reorder::with_attributes(&src, &dst, &down).unwrap();
        assert!(!plan.to_string().contains("rounded"), "{plan}");
        plan.run(&[0; 16], &mut [0; 32]).unwrap();
        plan.run_with(&[0; 16], &mut [0; 32], &Attributes::new().rounding(Rounding::Up)).unwrap();
    }
}

/// Scales of microscaling formats, as elements of their own type.
#[test]
fn scales_of_e8m0() {
    let (src, dst) = (dense(DType::S8, &[2, 2], "ab"), dense(DType::F32, &[2, 2], "ba"));
    let scales = [E8M0::from_f32(0.25), E8M0::from_f32(8.0)];
    let attributes = Attributes::new().src_scale(Values::per_axis('a', &scales));
    let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
    let mut out = [0; 16];
    plan.run_with(&[1, 2, 3, 4], &mut out, &attributes).unwrap();
    let out: Vec<f32> = out.chunks(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(out, [0.25, 24.0, 0.5, 32.0]);
}
