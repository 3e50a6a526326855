//! Times random reorders in every unit in which they can be moved: `cargo bench --bench ways`. What rules choose between tiles, lines and
//! single elements by is fitted to what this prints: `scripts/ways.py`.
//!
//! Writes a line for each reorder to `target/bench/ways.csv`: its class, what the rules may ask for, and the nanoseconds of each unit.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;
use tensor_layout::{DType, Descriptor, Reorder};

const HELP: &str = "\
cargo bench --bench ways -- [options]

  --count N    so many reorders (140000)
  --seed N     other ones (1)
  --least N    sides of so many bytes at least (400; 24 of 25 have no more than 400000)
  --most N     and at most so many (30000000); with either of these, as many between 1 and 2 MB as between 10 and 20
  --help       this

TENSOR_LAYOUT_CPU=avx2 and the like ask another family of instructions.";

/// Layouts that tensors of one kind have.
const KINDS: [&[&str]; 4] = [
    &["nchw", "nhwc", "chwn", "nChw4c", "nChw8c", "nChw16c", "nChw32c", "NChw16n16c"],
    &["ncdhw", "ndhwc", "nCdhw4c", "nCdhw8c", "nCdhw16c"],
    &[
        "oihw",
        "hwio",
        "ohwi",
        "Oihw16o",
        "OIhw16i16o",
        "OIhw16o16i",
        "OIhw8i8o",
        "OIhw8o8i",
        "OIhw4i16o4i",
        "OIhw8i16o2i",
    ],
    &["ab", "ba", "aB16b", "AB8b8a", "BA16a16b", "AB16b64a", "BA16a64b", "BA16a64b2a", "BA16a64b4a"],
];

const PAIRS: [(DType, DType); 24] = [
    (DType::U8, DType::U8),
    (DType::U8, DType::U8),
    (DType::Bf16, DType::Bf16),
    (DType::F32, DType::F32),
    (DType::F32, DType::F32),
    (DType::F64, DType::F64),
    (DType::F32, DType::S8),
    (DType::F32, DType::U8),
    (DType::S8, DType::F32),
    (DType::U8, DType::F32),
    (DType::S32, DType::S8),
    (DType::S32, DType::U8),
    (DType::S8, DType::S32),
    (DType::U8, DType::S32),
    (DType::U8, DType::S8),
    (DType::S8, DType::U8),
    (DType::F32, DType::Bf16),
    (DType::F32, DType::F16),
    (DType::Bf16, DType::F32),
    (DType::Bf16, DType::S8),
    (DType::S8, DType::Bf16),
    (DType::S8, DType::F16),
    (DType::S32, DType::F32),
    (DType::F32, DType::S32),
];

/// Extents that real tensors have, and those at which axes end inside of blocks.
const CHANNELS: [usize; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 24, 32, 33, 48, 64, 67, 96, 128];

/// What most channels are, and most other extents.
const USUAL_CHANNELS: [usize; 8] = [3, 16, 32, 64, 64, 128, 256, 512];
const USUAL: [usize; 24] = [
    1, 2, 3, 4, 7, 8, 14, 16, 28, 32, 56, 64, 100, 112, 128, 224, 256, 512, 1000, 1024, 2000, 2048, 4096,
    8192,
];

/// What may be moved at a time, and with which registers; a processor has some of them.
const UNITS: [&str; 5] = ["tiles", "lines", "narrowed", "elements", "tiles+halves"];

/// Rounds in which each unit has a turn, and how long a turn takes at least, in seconds.
const ROUNDS: usize = 7;
const TURN: f64 = 8e-6;

/// Rounds for what takes longer than so many seconds.
const FEW: usize = 3;
const LONG: f64 = 5e-4;

/// Bytes of the largest side.
const MOST: usize = 48 << 20;

/// Memory begins with a page, or so many bytes behind one.
const PAGE: usize = 4096;
const BEHIND: usize = 16;

/// A sequence of numbers that is the same in every run (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Between two numbers, as likely between 1 and 2 as between 100 and 200.
    fn scale(&mut self, least: f64, most: f64) -> f64 {
        least * (most / least).powf(self.below(1 << 20) as f64 / f64::from(1 << 20))
    }
}

/// A random reorder whose wider side has about `bytes` bytes without padding.
fn reorder(random: &mut Random, bytes: f64) -> Option<Reorder> {
    let &(from, to) = random.of(&PAIRS);
    let all = (bytes / from.size().max(to.size()) as f64) as usize;
    let usual = random.below(5) < 2;
    let channels = match random.below(4) {
        _ if usual => *random.of(&USUAL_CHANNELS),
        0 => random.scale(1.0, 600.0) as usize,
        _ => *random.of(&CHANNELS),
    };
    let (kind, dims) = match random.below(12) {
        0..=3 => {
            let n = *random.of(&[1, 1, 2, 2, 3, 4, 8, 16, 32]);
            let plane = all / n / channels;
            let h = (plane as f64).sqrt() * random.scale(0.6, 1.6);
            (KINDS[0], vec![n, channels, h as usize, (plane as f64 / h) as usize])
        }
        4 => {
            let side = ((all / channels) as f64).cbrt() as usize;
            (KINDS[1], vec![1 + random.below(2), channels, side, side, side])
        }
        5..=8 => {
            let side = *random.of(&[3, 3, 3, 1, 5, 7]);
            let mut dims = vec![all / channels / side / side, channels, side, side];
            if random.below(5) < 2 {
                dims.swap(0, 1);
            }
            (KINDS[2], dims)
        }
        9 | 10 => {
            let x = if random.below(2) == 0 { (all as f64).sqrt() as usize } else { channels };
            let mut dims = vec![x, all / x.max(1)];
            if random.below(3) == 0 {
                dims.swap(0, 1);
            }
            (KINDS[3], dims)
        }
        _ => return permutation(random, all, (from, to)),
    };
    let mut dims = dims;
    if usual {
        for dim in dims.iter_mut().filter(|dim| **dim > 0) {
            *dim = *USUAL.iter().rfind(|usual| *usual <= dim).expect("1 is usual");
        }
    } else if random.below(6) == 0 {
        dims.iter_mut().filter(|dim| **dim > 7).for_each(|dim| *dim = 1 << dim.ilog2());
    }
    let formats = [*random.of(kind), *random.of(kind)];
    plan(formats, &dims, (from, to))
}

/// A permutation of three to five axes.
fn permutation(random: &mut Random, all: usize, types: (DType, DType)) -> Option<Reorder> {
    let rank = 3 + random.below(3);
    let mut names: Vec<u8> = (b'a'..).take(rank).collect();
    let mut shuffled = || {
        for i in (1..rank).rev() {
            names.swap(i, random.below(i + 1));
        }
        String::from_utf8_lossy(&names).into_owned()
    };
    let formats = [shuffled(), shuffled()];
    let mean = (all as f64).powf(1.0 / rank as f64);
    let mut dims: Vec<usize> = (1..rank).map(|_| (mean * random.scale(0.2, 4.0)) as usize).collect();
    dims.push(all / dims.iter().product::<usize>().max(1));
    plan([&formats[0], &formats[1]], &dims, types)
}

fn plan([from, to]: [&str; 2], dims: &[usize], types: (DType, DType)) -> Option<Reorder> {
    if dims.contains(&0) {
        return None;
    }
    let src = Descriptor::new(types.0, dims, from).expect("a layout of as many axes");
    let dst = Descriptor::new(types.1, dims, to).expect("a layout of as many axes");
    Some(Reorder::new(&src, &dst).expect("a reorder between any two layouts"))
}

/// Nanoseconds of the plan in each unit, none where it cannot be moved so: the least of some rounds.
fn times(plan: &Reorder, read: &[u8], written: &mut [u8]) -> [Option<f64>; UNITS.len() + 1] {
    let own = Some(plan.clone());
    let plans: Vec<_> =
        UNITS.iter().map(|unit| plan.with_way(unit.parse().expect("a way")).ok()).chain([own]).collect();
    let mut least = [f64::INFINITY; UNITS.len() + 1];
    for round in 0..ROUNDS {
        for (plan, least) in plans.iter().zip(&mut least) {
            let Some(plan) = plan else { continue };
            if round >= FEW && *least > LONG {
                continue;
            }
            let mut run =
                || plan.run(&read[..plan.src_len()], &mut written[..plan.dst_len()]).expect("memory");
            let calls = if round == 0 { 1 } else { (TURN / *least).clamp(1.0, 200.0) as u32 };
            run();
            let start = Instant::now();
            for _ in 0..calls {
                run();
            }
            *least = least.min(start.elapsed().as_secs_f64() / f64::from(calls));
        }
    }
    least.map(|least| least.is_finite().then_some(least * 1e9))
}

/// Types that are read.
const SOURCES: [DType; 6] = [DType::U8, DType::S8, DType::Bf16, DType::S32, DType::F32, DType::F64];

/// Memory of usual numbers, none of which leaves the range of a type: what does takes longer to convert.
fn numbers(dtype: DType) -> Vec<u8> {
    let count = (MOST + 2 * PAGE) / dtype.size();
    let values = (0..count).map(|i| (i * 31 % 127) as u8);
    match dtype {
        DType::F64 => values.flat_map(|value| f64::from(value).to_ne_bytes()).collect(),
        DType::F32 => values.flat_map(|value| f32::from(value).to_ne_bytes()).collect(),
        // The upper half of f32.
        DType::Bf16 => {
            values.flat_map(|value| ((f32::from(value).to_bits() >> 16) as u16).to_ne_bytes()).collect()
        }
        DType::S32 => values.flat_map(|value| i32::from(value).to_ne_bytes()).collect(),
        _ => values.collect(),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` runs this too, without `--bench`; it has nothing to check then.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let (mut count, mut seed, mut least, mut most) = (140_000, 1, None, None);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|text| text.parse::<usize>().ok());
        match word.as_str() {
            "--bench" => {}
            "--help" => return println!("{HELP}"),
            "--count" | "--seed" | "--least" | "--most" => match (word.as_str(), number()) {
                ("--count", Some(value)) => count = value,
                ("--seed", Some(value)) => seed = value,
                ("--least", value @ Some(_)) => least = value,
                (_, value @ Some(_)) => most = value,
                _ => fail(&format!("{word} needs a number")),
            },
            _ => fail(&format!("`{word}` is no option; --help lists them")),
        }
    }
    let sizes = least.or(most).map(|_| (least.unwrap_or(400), most.unwrap_or(30_000_000)));
    if let Some((least, most)) = sizes
        && !(1..=most).contains(&least)
    {
        fail(&format!("--least is 1 at least, and --most no less than that: {least} and {most}"));
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench");
    std::fs::create_dir_all(&path).expect("a folder for the results");
    let mut file = BufWriter::new(File::create(path.join("ways.csv")).expect("a file for the results"));
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ seed as u64);
    let sources = SOURCES.map(|dtype| (dtype, numbers(dtype)));
    let mut written = vec![1; MOST + 2 * PAGE];
    let (start, mut done) = (Instant::now(), 0);
    while done < count {
        // Few are far larger.
        let bytes = match (sizes, random.below(200)) {
            (Some((least, most)), _) => random.scale(least as f64, most as f64),
            (_, 0..2) => random.scale(6e6, 3e7),
            (_, 2..10) => random.scale(4e5, 6e6),
            _ => random.scale(400.0, 4e5),
        };
        let Some(plan) = reorder(&mut random, bytes) else { continue };
        let Some((class, facts)) = plan.__facts() else { continue };
        let room = plan.src_len().max(plan.dst_len());
        if room > MOST {
            continue;
        }
        // Every other one as a `Tensor` has its memory, and as a long `Vec` has it.
        let behind = if done % 2 == 0 { 0 } else { BEHIND };
        let (_, read) =
            sources.iter().find(|(dtype, _)| *dtype == plan.src_dtype()).expect("all types of `PAIRS`");
        let [from, to] = [read, &written].map(|memory| memory.as_ptr().align_offset(PAGE) + behind);
        let times = times(&plan, &read[from..], &mut written[to..]);
        if done == 0 {
            let names: Vec<&str> = facts.iter().map(|&(name, _)| name).collect();
            let units = UNITS.join(",");
            writeln!(file, "class,moves,{},{units},planned", names.join(",")).expect("room on the disk");
        }
        let facts: Vec<String> = facts.iter().map(|(_, value)| value.to_string()).collect();
        let times = times.map(|time| time.map_or(String::new(), |time| format!("{time:.1}")));
        writeln!(file, "{},{},{}", class.join(","), facts.join(","), times.join(","))
            .expect("room on the disk");
        done += 1;
        if done % 1000 == 0 {
            eprint!("\r{done} of {count} reorders, {} s ", start.elapsed().as_secs());
        }
    }
    eprintln!("\nwritten: target/bench/ways.csv");
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2);
}
