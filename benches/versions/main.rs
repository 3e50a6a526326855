//! Times the reorders of this version (`new`) against those of another (`base`) by turns, in one process, on the same buffers, whose
//! bytes must be equal first: `scripts/versions`. Compare nothing else with the times that it prints.

use std::hint::black_box;
use std::time::{Duration, Instant};

const HELP: &str = "\
scripts/versions COMMIT [options] [FROM TO SHAPE TYPE[:TYPE] [common|axes]]

  --cases FILE    cases, one a line, as above (benches/versions/cases.txt)
  --filter TEXT   those whose line holds TEXT
  --rounds N      rounds in which each version has a turn (15)
  --at BYTES      how far behind a cache line the memory of both sides begins (0)
  --sorted        slowest against the old version first
  --help          this

The last word of a case gives scales of the source: `common` one, an axis such as `c` one for each of its places,
`a32,b` one for each 32 places of `a` and each of `b`.
Shapes may be a list: 1x3x7x7,1x3x14x14. Each line shows the median and the least of the old version's time over the
new one's, the new one's time, and its share of a memcpy of as many bytes.";

/// What to move.
#[derive(Clone, Debug)]
struct Case {
    from: String,
    to: String,
    shape: Vec<usize>,
    types: (String, String),
    scale: Option<String>,
}

impl Case {
    /// The cases of a line: one for each shape.
    fn read(line: &str) -> Result<Vec<Case>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (&[from, to, shapes, types], scale) = words.split_at(words.len().min(4)) else {
            return Err(format!("`{line}` is not FROM TO SHAPE TYPE[:TYPE] [common|axes]"));
        };
        let (src, dst) = types.split_once(':').unwrap_or((types, types));
        let case = |shape: &str| {
            let extents: Result<Vec<usize>, _> = shape.split('x').map(str::parse).collect();
            Ok(Case {
                from: from.to_owned(),
                to: to.to_owned(),
                shape: extents.map_err(|error| format!("`{shape}` in `{line}`: {error}"))?,
                types: (src.to_owned(), dst.to_owned()),
                scale: scale.first().map(|&word| word.to_owned()),
            })
        };
        shapes.split(',').map(case).collect()
    }
}

/// The axes that scales follow, and how many places of each share one; none for `common`.
fn axes(word: &str) -> Result<Vec<(char, usize)>, String> {
    let axis = |part: &str| {
        let mut chars = part.chars();
        let name = chars.next().ok_or_else(|| format!("`{word}` names no axis between its commas"))?;
        let group = chars.as_str();
        let size = if group.is_empty() { Ok(1) } else { group.parse() };
        match size {
            Ok(size @ 1..) => Ok((name, size)),
            _ => Err(format!("`{group}` in `{word}` is no number of places")),
        }
    };
    if word == "common" { Ok(Vec::new()) } else { word.split(',').map(axis).collect() }
}

/// Moves from the source to the destination.
type Move = Box<dyn Fn(&[u8], &mut [u8])>;

/// Writes numbers of every size as elements of the source.
type Fill = Box<dyn Fn(&mut [u8])>;

/// A reorder of one version.
struct Side {
    run: Move,
    /// Bytes of the source and of the destination.
    bytes: (usize, usize),
    fill: Fill,
}

macro_rules! side {
    ($name:ident, $krate:ident) => {
        fn $name(case: &Case) -> Result<Side, String> {
            use $krate::descriptor::{DType, Descriptor};
            use $krate::reorder::{Attributes, Reorder, Values};
            let dtype = |name: &str| DType::from_name(name).ok_or_else(|| format!("no type `{name}`"));
            let describe = |dtype, format: &str| {
                Descriptor::new(dtype, &case.shape, format).map_err(|error| error.to_string())
            };
            let src = describe(dtype(&case.types.0)?, &case.from)?;
            let dst = describe(dtype(&case.types.1)?, &case.to)?;
            let bytes = (src.size_bytes(), dst.size_bytes());
            let axes = case.scale.as_deref().map(axes).transpose()?;
            let mut count = 1;
            for &(axis, group) in axes.iter().flatten() {
                let at = src.spec().axis_named(axis).ok_or_else(|| format!("no axis `{axis}` to scale along"))?;
                count *= case.shape[at].div_ceil(group);
            }
            let values: Vec<f32> = (0..count).map(|i| 0.5 + 0.25 * (i % 5) as f32).collect();
            fn scales<'a>(axes: &'a [(char, usize)], values: &'a [f32]) -> Attributes<'a> {
                let scales = if axes.is_empty() { Values::common(0.5) } else { Values::grouped(axes, values) };
                Attributes::new().src_scale(scales)
            }
            let run: Move = if let Some(axes) = axes {
                let plan = Reorder::with_attributes(&src, &dst, &scales(&axes, &values))
                    .map_err(|error| error.to_string())?;
                Box::new(move |from, to| {
                    plan.run_with(from, to, &scales(&axes, &values)).expect("buffers fit")
                })
            } else {
                let plan = Reorder::new(&src, &dst).map_err(|error| error.to_string())?;
                Box::new(move |from, to| plan.run(from, to).expect("buffers fit"))
            };
            let count = src.size_bytes() * 8 / src.dtype().bits();
            let whole = Descriptor::new(DType::F32, &[count], "a").map_err(|error| error.to_string())?;
            let list = Descriptor::new(src.dtype(), &[count], "a").map_err(|error| error.to_string())?;
            let numbers = Reorder::new(&whole, &list).map_err(|error| error.to_string())?;
            let fill = move |to: &mut [u8]| {
                let number = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) as u16 as f32 / 300.0 - 100.0;
                let values: Vec<u8> = (0..count).flat_map(|i| number(i).to_ne_bytes()).collect();
                numbers.run(&values, to).expect("buffers fit");
            };
            Ok(Side { run, bytes, fill: Box::new(fill) })
        }
    };
}

side!(new_side, new);
side!(old_side, base);

/// The time of a call, of as many as take a while.
fn time(calls: u32, mut call: impl FnMut()) -> Duration {
    for _ in 0..3 {
        call();
    }
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed() / calls
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The part of a buffer that begins at a page, `shift` bytes behind it.
fn aligned(buffer: &mut [u8], shift: usize, len: usize) -> &mut [u8] {
    let start = buffer.as_ptr().align_offset(4096) + shift;
    &mut buffer[start..start + len]
}

/// Old over new (median, least times), nanoseconds of the new one, and its share of memcpy, for memory `at` bytes behind lines.
fn measure(case: &Case, rounds: usize, at: usize) -> Result<(f64, f64, f64, f64), String> {
    let (new, old) = (new_side(case)?, old_side(case)?);
    let (from, to) = new.bytes;
    let mut from_buffer = vec![1; from + 16384];
    let mut to_buffer = vec![1; to + 16384];
    let mut copy_buffer = vec![1; (from + to) / 2 + 16384];
    let src = aligned(&mut from_buffer, at, from);
    (new.fill)(src);
    let src = &*src;
    // Source and destination at the same offset of a page would collide in the check of the lower address bits.
    let dst = aligned(&mut to_buffer, 2048 + 64 + at, to);
    (old.run)(src, dst);
    let expected = dst.to_vec();
    dst.fill(0x5a);
    (new.run)(src, dst);
    if *dst != *expected {
        return Err("the two versions write different bytes".to_owned());
    }
    let middle = (from + to) / 2;
    let part = middle.min(from);
    let copy = aligned(&mut copy_buffer, 2048 + 64 + at, middle);
    let once = time(3, || (new.run)(src, dst));
    let calls = (400_000 / once.as_nanos().max(1)).clamp(1, 10_000) as u32;
    let (mut ratios, mut news, mut olds, mut shares) = (vec![], vec![], vec![], vec![]);
    for round in 0..rounds {
        let (mut t_new, mut t_old) = (Duration::ZERO, Duration::ZERO);
        for turn in 0..2 {
            if (turn == 0) == (round % 2 == 0) {
                t_new = time(calls, || (new.run)(black_box(src), black_box(&mut *dst)));
            } else {
                t_old = time(calls, || (old.run)(black_box(src), black_box(&mut *dst)));
            }
        }
        // Sources shorter than the yardstick are copied more than once.
        let t_copy = time(calls, || {
            for at in (0..middle).step_by(part.max(1)) {
                let len = part.min(middle - at);
                copy[at..at + len].copy_from_slice(&black_box(src)[..len]);
            }
            black_box(&mut *copy);
        });
        let ns = |t: Duration| t.as_secs_f64() * 1e9;
        ratios.push(ns(t_old) / ns(t_new));
        news.push(ns(t_new));
        olds.push(ns(t_old));
        shares.push(ns(t_copy) / ns(t_new));
    }
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let least = least(&olds) / least(&news);
    Ok((median(&mut ratios), least, median(&mut news), median(&mut shares)))
}

fn main() -> Result<(), String> {
    let mut words = Vec::new();
    let mut file = std::env::var("CASES").unwrap_or_else(|_| "benches/versions/cases.txt".to_owned());
    let (mut filter, mut rounds, mut at, mut sorted) = (String::new(), 15, 0, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--cases" => file = value()?,
            "--filter" => filter = value()?,
            "--rounds" => rounds = value()?.parse::<usize>().map_err(|error| error.to_string())?.max(1),
            "--at" => at = value()?.parse::<usize>().map_err(|error| error.to_string())? % 64,
            "--sorted" => sorted = true,
            "--help" => {
                println!("{HELP}");
                return Ok(());
            }
            word if word.starts_with("--") => return Err(format!("no option {word}; --help lists them")),
            word => words.push(word.to_owned()),
        }
    }
    let text = match words.is_empty() {
        true => std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?,
        false => words.join(" "),
    };
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let mut results = Vec::new();
    for line in lines.filter(|line| !line.is_empty() && line.contains(&filter)) {
        for case in Case::read(line)? {
            let (ratio, least, ns, share) =
                measure(&case, rounds, at).map_err(|error| format!("{line}: {error}"))?;
            let shape: Vec<String> = case.shape.iter().map(usize::to_string).collect();
            let (src, dst) = &case.types;
            let scale = case.scale.as_deref().unwrap_or("");
            let shown = format!(
                "{ratio:6.3} {least:6.3} {ns:12.0} ns {share:6.3}  {} {} {} {src}:{dst} {scale}",
                case.from,
                case.to,
                shape.join("x"),
            );
            if !sorted {
                println!("{shown}");
            }
            results.push((ratio, least, shown));
        }
    }
    if sorted {
        results.sort_by(|a, b| a.0.total_cmp(&b.0));
        results.iter().for_each(|(_, _, shown)| println!("{shown}"));
    }
    let count = |test: fn(f64) -> bool| results.iter().filter(|&&(ratio, ..)| test(ratio)).count();
    let mean = results.iter().map(|(ratio, ..)| ratio.ln()).sum::<f64>() / results.len().max(1) as f64;
    println!(
        "{} cases: {:.3} times as fast on average; {} faster by more than 3 %, {} slower",
        results.len(),
        mean.exp(),
        count(|ratio| ratio > 1.03),
        count(|ratio| ratio < 0.97),
    );
    Ok(())
}
