//! Random reorders of every kind at once: layouts of libraries and such that nobody uses, parts, gaps, strides that run
//! backwards, broadcasts; pairs of types; attributes, sums, ways to round; stores; threads; memory that begins or ends where
//! there is no more. Against the oracle, byte for byte.
//!
//! A few small cases in every run; `STRESS_CASES=100000 cargo test --release -p layout-core --test reorder stress` takes minutes,
//! with larger ones among them, and `TENSOR_LAYOUT_CPU` chooses the family. `STRESS_SEED` is the number of the first: with that of
//! a case that failed, `STRESS_CASES=1` repeats it. With `STRESS_SAY=1` each says its number before it begins.

use crate::attributes::{Given, Random, groups};
use crate::guarded::{Guarded, Place};
use crate::oracle::{dense, fill, read, reorder_by};
use crate::properties::part;
use crate::rounding::{Chance, FIXED, element};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::Spec;
use layout_core::kernels::convert::Rounding;
use layout_core::reorder::{Attributes, Reorder, Stores};

/// Bytes of a side at most.
const ROOM: usize = 4 << 20;
/// Cases below this number are small.
const SMALL: u64 = 1000;

const FORMATS: [&[&str]; 5] = [
    &["a", "A16a", "A3a4a", "A64a"],
    &[
        "ab",
        "ba",
        "AB16b16a",
        "BA16a4b",
        "BA8a64b2a",
        "BA16a64b4a",
        "BA16a16b2a",
        "aB32b",
        "BA4a8b4a",
        "AB4b16a4b",
        "BA16a32b4a",
        "BA16a48b2a",
        "aB16b",
        "bA4a",
        "aB2b",
        "ab^3",
        "ba^64B",
    ],
    &[
        "abc",
        "acb",
        "cba",
        "bac",
        "aBc16b",
        "aBc8b",
        "aBc4b",
        "ABc16a16b",
        "ABc4b16a4b",
        "ABc8b16a2b",
        "acB32b",
        "AcB16b64a4b",
        "bcA24a",
        "aBC8b3c2b",
        "ABc2b8a4b",
        "aCB16b16c2b",
        "aBC16b16c",
        "aCB16b64c4b",
    ],
    &[
        "abcd",
        "acdb",
        "bcda",
        "cdba",
        "cdab",
        "aBcd16b",
        "aBcd8b",
        "aBcd4b",
        "aBcd32b",
        "aBcd64b",
        "aBcd48b",
        "aBcd3b",
        "ABcd16b16a",
        "ABcd16a16b",
        "ABcd8b8a",
        "ABcd4b16a4b",
        "ABcd2b8a4b",
        "ABcd8b16a2b",
        "ABcd16b64a4b",
        "AcdB16b32a4b",
        "AcdB4b16a4b",
        "AcdB16b16a2b",
        "ABcd16a4b",
        "Acdb16a",
        "Acdb32a",
        "acdB8b",
        "acdB4b",
        "ABcd16a16b2a",
        "ABcd8a16b2a",
        "ABcd32a32b",
    ],
    &[
        "abcde",
        "acdeb",
        "aBcde16b",
        "ABcde4b16a4b",
        "aBCde16c16b",
        "aBCde4c16b4c",
        "decba",
        "decab",
        "aBCde2c8b4c",
        "aBcde8b",
    ],
];

/// Extents around what kernels take at a time.
const EXTENTS: [usize; 32] = [
    1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 12, 14, 15, 16, 16, 17, 19, 24, 28, 31, 32, 33, 47, 48, 49, 63, 64, 65,
    96, 128, 130,
];

/// Makes zero of every NaN: of the sum of two, which of them it is depends on the processor.
fn without_nan(dtype: DType, memory: &mut [u8]) {
    for number in memory.chunks_exact_mut(dtype.size()) {
        if !dtype.is_packed() && read(dtype, number).is_nan() {
            number.fill(0);
        }
    }
}

fn pick<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[random.below(all.len())]
}

/// Extents whose product is at most `most`.
fn dims(random: &mut Random, rank: usize, most: usize) -> Vec<usize> {
    let mut dims: Vec<usize> = (0..rank)
        .map(|_| match random.below(8) {
            0 => 1 + random.below(40),
            1 => 1 + random.below(300),
            _ => pick(random, &EXTENTS),
        })
        .collect();
    if random.below(150) == 0 {
        dims[random.below(rank)] = 0;
    }
    while dims.iter().product::<usize>() > most {
        let axis = random.below(rank);
        dims[axis] = if random.below(3) == 0 { dims[axis].div_ceil(2) } else { pick(random, &EXTENTS) };
    }
    dims
}

/// A format that nobody uses: digits in any order.
fn any_spec(random: &mut Random, rank: usize) -> Spec {
    let mut digits: Vec<_> = (0..rank).map(|axis| (axis, None)).collect();
    for _ in 0..random.below(5) {
        digits.push((random.below(rank), Some(pick(random, &[2, 2, 3, 4, 4, 5, 8, 16, 16, 32, 64]))));
    }
    let mut spec = Spec::SCALAR;
    for axis in 0..rank {
        spec.push_axis(b'a' + axis as u8).unwrap();
    }
    while !digits.is_empty() {
        match digits.swap_remove(random.below(digits.len())) {
            (axis, None) => spec.push_top(axis, pick(random, &[1, 1, 1, 1, 2, 3, 8])).unwrap(),
            (axis, Some(size)) => spec.push_block(axis, size).unwrap(),
        }
    }
    spec
}

/// `tensor` with gaps, and some strides negative; as it is where its format does not allow them.
fn with_gaps(random: &mut Random, tensor: Descriptor) -> Descriptor {
    let (spec, mut base) = (*tensor.spec(), random.below(9) as isize);
    let outer = spec.outer_len();
    let (mut strides, mut extra, mut room) = (vec![0; spec.rank()], Vec::new(), 1);
    let digits = tensor.digits();
    for (i, digit) in digits.iter().enumerate().rev() {
        if i >= outer {
            room *= digit.extent as isize;
            continue;
        }
        let gap = pick(random, &[0, 0, 0, 1, 3, 16, 40]);
        // Sometimes to whole lines.
        let stride = if random.below(4) == 0 { (room + gap + 63) / 64 * 64 } else { room + gap };
        let span = stride * (digit.extent as isize - 1).max(0);
        room = stride * digit.extent.max(1) as isize;
        let stride = if random.below(5) == 0 {
            base += span;
            -stride
        } else {
            stride
        };
        if digit.top { strides[digit.axis] = stride } else { extra.insert(0, stride) }
    }
    strides.extend(extra);
    Descriptor::from_parts(tensor.dtype(), tensor.dims(), spec, &strides, base as usize).unwrap_or(tensor)
}

/// A tensor in some layout; `None` where it would be large.
fn tensor(random: &mut Random, dtype: DType, dims: &[usize], is_src: bool) -> Option<Descriptor> {
    let rank = dims.len();
    let spec = match random.below(4) {
        0 => any_spec(random, rank),
        _ => *dense(dtype, dims, pick(random, FORMATS[rank - 1])).spec(),
    };
    let fits = |one: &Descriptor| one.size_bytes() <= ROOM - 256;
    let whole = Descriptor::from_spec(dtype, dims, spec).ok().filter(fits)?;
    let made = match random.below(8) {
        0 => with_gaps(random, whole),
        1 => {
            let mut few = |most| if random.below(2) == 0 { 0 } else { random.below(most) };
            let margins = (0..rank).map(|_| [few(30), few(30), few(9), few(9)]).collect();
            part(dtype, dims, spec, &margins, 0)?
        }
        2 if is_src => {
            let axis = random.below(rank);
            let mut one = dims.to_vec();
            one[axis] = 1;
            let one = Descriptor::from_spec(dtype, &one, spec).ok()?;
            one.broadcast(axis, dims[axis]).unwrap_or(whole)
        }
        _ => whole,
    };
    Some(made).filter(fits)
}

/// What is done to the numbers.
enum Task {
    Plain,
    /// Arithmetic of one axis, a way to round, and a sum.
    Rounded(Given, Rounding, Option<f32>),
    /// Arithmetic by groups, and padding.
    Grouped(Box<groups::Given>),
}

impl Task {
    fn random(random: &mut Random, src: &Descriptor, dst: &Descriptor, seed: u64) -> Task {
        match random.below(4) {
            0 => {
                let rounding = match random.below(8) {
                    way @ 0..5 => FIXED[way],
                    _ => Rounding::Stochastic { seed },
                };
                let given = match random.below(2) {
                    0 => Given::default(),
                    _ => Given::random(src.dims(), (src.dtype(), dst.dtype()), seed),
                };
                let beta = (random.below(3) == 0).then(|| pick(random, &[1.0, 0.75]));
                Task::Rounded(given, rounding, beta)
            }
            1 if !dst.dtype().is_packed() => Task::Grouped(Box::new(groups::Given::random(random, src, dst))),
            _ => Task::Plain,
        }
    }

    fn attributes(&self, names: &Descriptor) -> Attributes<'_> {
        match self {
            Task::Plain => Attributes::new(),
            Task::Rounded(given, rounding, beta) => {
                let attributes = given.borrowed(names).rounding(*rounding);
                beta.map_or(attributes, |beta| attributes.accumulate(beta))
            }
            Task::Grouped(given) => given.attributes(),
        }
    }

    fn says(&self) -> String {
        match self {
            Task::Plain => String::new(),
            Task::Rounded(given, rounding, beta) => format!("{given:?} {rounding:?} {beta:?}"),
            Task::Grouped(given) => format!("{given:?}"),
        }
    }

    /// What [`Reorder`] shall do.
    fn expected(&self, src: &Descriptor, dst: &Descriptor, from: &[u8], to: &mut [u8]) {
        let types = (src.dtype(), dst.dtype());
        match self {
            Task::Plain => crate::oracle::reorder(src, dst, from, to),
            Task::Rounded(given, rounding, beta) => {
                let seed = if let Rounding::Stochastic { seed } = rounding { *seed } else { 0 };
                let mut chance = Chance::new(seed);
                let chances: Vec<_> = (0..dst.logical_len()).map(|at| chance.number(at as u64)).collect();
                let is_plain = given.is_empty() && beta.is_none();
                reorder_by(src, dst, from, to, |index, from, to| {
                    let at = index.iter().zip(dst.dims()).fold(0, |at, (index, dim)| at * dim + index);
                    if is_plain {
                        return element(types, *rounding, from, to, chances[at]);
                    }
                    let sum = given.sum(types, index, from, to, *beta);
                    element((DType::F32, types.1), *rounding, &sum.to_ne_bytes(), to, chances[at]);
                });
            }
            Task::Grouped(given) => given.expected(src, dst, from, to),
        }
    }
}

/// The memory of both sides, and who moves.
struct Memory {
    src: Guarded,
    dst: Guarded,
    #[cfg(all(feature = "rayon", not(miri)))]
    pool: rayon::ThreadPool,
}

impl Memory {
    fn new() -> Memory {
        Memory {
            src: Guarded::new(ROOM),
            dst: Guarded::new(ROOM),
            #[cfg(all(feature = "rayon", not(miri)))]
            pool: rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap(),
        }
    }

    /// Case `seed`.
    fn case(&mut self, seed: u64) {
        let random = &mut Random(seed);
        let rank = pick(random, &[1, 2, 2, 2, 3, 3, 4, 4, 4, 4, 5]);
        let most = match random.below(if seed < SMALL { 160 } else { 200 }) {
            0..120 => 600,
            120..160 => 3_000,
            160..199 => 20_000,
            // Cut for threads.
            _ => 400_000,
        };
        let dims = dims(random, rank, most);
        let some = [DType::F32, DType::F32, DType::F16, DType::Bf16, DType::S8, DType::U8, DType::S4];
        let mut dtype = || if random.below(2) == 0 { pick(random, &some) } else { pick(random, &DType::ALL) };
        let types = (dtype(), dtype());
        let types = if random.below(2) == 0 { (types.0, types.0) } else { types };
        let src = tensor(random, types.0, &dims, true);
        let (Some(src), Some(dst)) = (src, tensor(random, types.1, &dims, false)) else { return };
        let task = Task::random(random, &src, &dst, seed);
        let attributes = task.attributes(&dst);
        let says = || format!("case {seed}: {src:?}\n-> {dst:?}\n{}", task.says());
        let plan = match Reorder::with_attributes(&src, &dst, &attributes) {
            Ok(plan) => plan,
            Err(error) => panic!("{}: {error}", says()),
        };
        let (mut from, mut before) = (vec![0; src.size_bytes()], vec![0; dst.size_bytes()]);
        fill(types.0, &mut from, seed);
        fill(types.1, &mut before, seed + 1);
        without_nan(types.1, &mut before);
        let mut expected = before.clone();
        task.expected(&src, &dst, &from, &mut expected);
        for run in 0..3 {
            let mut place = || match random.below(4) {
                0 => Place::First,
                1 => Place::Last,
                2 => Place::At(0),
                _ => Place::At(random.below(64)),
            };
            let places = (place(), place());
            let stores =
                pick(random, &[Stores::Auto, Stores::Temporal, Stores::Streaming, Stores::Streaming]);
            let plan = plan.clone().with_stores(stores);
            let in_parts = cfg!(all(feature = "rayon", not(miri))) && run == 2;
            let (dst, mut is_kept) = (&mut self.dst, true);
            #[cfg(all(feature = "rayon", not(miri)))]
            let pool = &self.pool;
            let (read, is_src_kept) = self.src.with(&from, places.0, |from| {
                let (found, kept) = dst.with(&before, places.1, |to| {
                    #[cfg(all(feature = "rayon", not(miri)))]
                    if in_parts {
                        return pool.install(|| plan.par_run_with(from, to, &attributes)).unwrap();
                    }
                    plan.run_with(from, to, &attributes).unwrap();
                });
                is_kept = kept;
                if let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at]) {
                    panic!(
                        "{}\n{plan}\n{stores} {places:?}, in parts: {in_parts}\nbyte {at}: found {:#04x}, expected {:#04x}",
                        says(), found[at], expected[at]
                    );
                }
            });
            assert!(is_kept && is_src_kept && read == from, "{}\n{plan}\n{stores} {places:?}", says());
        }
    }
}

fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

#[test]
fn random_reorders() {
    let usual = if cfg!(debug_assertions) { 100 } else { 300 };
    let (first, cases) = (number("STRESS_SEED").unwrap_or(1), number("STRESS_CASES").unwrap_or(usual));
    let says = number("STRESS_SAY").is_some();
    let mut memory = Memory::new();
    for seed in first..first.saturating_add(cases) {
        if says {
            eprintln!("case {seed}");
        }
        memory.case(seed);
    }
}
