//! `layout bench`: how fast this machine reorders, beside a memcpy that moves as many bytes.

use crate::args::Bench;
use crate::failure::Failure;
use crate::input::{Format, extents};
use crate::output::Output;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::Reorder;
use serde_json::{Value, json};
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// What people move most: activations, images, weights, matrices, and a change of type.
const CASES: &[(&str, &str, &str)] = &[
    ("f32:nchw", "f32:nhwc", "1x64x56x56"),
    ("f32:nhwc", "f32:nchw", "1x64x56x56"),
    ("f32:nchw", "f32:nChw16c", "1x64x56x56"),
    ("f32:nChw16c", "f32:nchw", "1x64x56x56"),
    ("f32:nhwc", "f32:nChw8c", "8x17x56x56"),
    ("u8:nhwc", "f32:nChw16c", "1x3x224x224"),
    ("u8:nhwc", "u8:nchw", "8x3x224x224"),
    ("f16:nchw", "f16:nhwc", "8x64x56x56"),
    ("f32:oihw", "f32:OIhw16i16o", "256x256x3x3"),
    ("s8:oihw", "s8:OIhw4i16o4i", "256x256x3x3"),
    ("f32:ab", "f32:ba", "1024x1024"),
    ("u8:ab", "u8:ba", "2048x2048"),
    ("f32:ab", "bf16:ab", "2048x2048"),
    ("bf16:ab", "bf16:BA16a64b2a", "1024x1024"),
];

/// Times of one case.
struct Figures {
    src: Descriptor,
    dst: Descriptor,
    reorder: Duration,
    memcpy: Duration,
    bytes: usize,
}

pub(crate) fn run(args: &Bench, output: &mut Output) -> Result<(), Failure> {
    let cases: Vec<(&str, &str, &str)> = match (&args.from, &args.to, &args.dims) {
        (Some(from), Some(to), Some(dims)) => vec![(from, to, dims)],
        _ => CASES.to_vec(),
    };
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        return Err(Failure::usage("--seconds takes a number above 0 and up to 3600"));
    }
    let budget = Duration::from_secs_f64(args.seconds);
    let mut all = Vec::new();
    for (from, to, dims) in cases {
        let dims = extents(dims)?;
        let src = Format::new(from).tensor(&dims, DType::F32)?;
        let dst = Format::new(to).tensor(&dims, src.dtype())?;
        all.push(measure(src, dst, budget, args.parallel)?);
    }
    output.print(|| table(&all), || all.iter().map(as_json).collect())
}

/// Medians of runs that take turns, so that what else the machine does meets both alike.
fn measure(src: Descriptor, dst: Descriptor, budget: Duration, parallel: bool) -> Result<Figures, Failure> {
    let plan = Reorder::new(&src, &dst).map_err(Failure::usage)?;
    let bytes = plan.bytes_read() + plan.bytes_written();
    let room = |len: usize| -> Result<Vec<u8>, Failure> {
        let mut memory = Vec::new();
        memory
            .try_reserve_exact(len)
            .map_err(|_| Failure::failed(format!("there is no memory for {len} bytes")))?;
        // Not zero, so that every page is there.
        memory.resize(len, 1u8);
        Ok(memory)
    };
    let (from, mut to) = (room(src.size_bytes())?, room(dst.size_bytes())?);
    let (copied, mut copy) = (room(bytes / 2)?, room(bytes / 2)?);
    let mut once = || -> Result<(Duration, Duration), Failure> {
        let start = Instant::now();
        let done = match parallel {
            true => plan.par_run(&from, black_box(&mut to)),
            false => plan.run(&from, black_box(&mut to)),
        };
        let reorder = start.elapsed();
        done.map_err(Failure::failed)?;
        let start = Instant::now();
        black_box(&mut copy).copy_from_slice(black_box(&copied));
        Ok((reorder, start.elapsed()))
    };
    once()?;
    let (mut reorders, mut copies) = (Vec::new(), Vec::new());
    let start = Instant::now();
    while reorders.len() < 5 || start.elapsed() < budget {
        let (reorder, memcpy) = once()?;
        reorders.push(reorder);
        copies.push(memcpy);
    }
    Ok(Figures { src, dst, reorder: median(reorders), memcpy: median(copies), bytes })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    // A clock may stand still for the smallest tensors.
    times[times.len() / 2].max(Duration::from_nanos(1))
}

impl Figures {
    /// Gigabytes a second, read and written.
    fn speed(&self) -> f64 {
        self.bytes as f64 / self.reorder.as_secs_f64() / 1e9
    }

    fn share(&self) -> f64 {
        self.memcpy.as_secs_f64() / self.reorder.as_secs_f64()
    }
}

fn table(all: &[Figures]) -> String {
    let name = |d: &Descriptor| format!("{}:{}", d.dtype(), d.spec());
    let dims = |d: &Descriptor| d.dims().iter().map(usize::to_string).collect::<Vec<_>>().join("x");
    let rows: Vec<[String; 3]> = all.iter().map(|f| [name(&f.src), name(&f.dst), dims(&f.src)]).collect();
    let width = |column: usize, title: &str| {
        rows.iter().map(|row| row[column].len()).chain([title.len()]).max().unwrap_or(0)
    };
    let (a, b, c) = (width(0, "from"), width(1, "to"), width(2, "extents"));
    let mut out = format!(
        "{:<a$}  {:<b$}  {:<c$}  {:>12}  {:>8}  {:>15}\n",
        "from", "to", "extents", "microseconds", "GB/s", "share of memcpy"
    );
    for ([from, to, dims], figures) in rows.iter().zip(all) {
        let time = figures.reorder.as_secs_f64() * 1e6;
        let _ = writeln!(
            out,
            "{from:<a$}  {to:<b$}  {dims:<c$}  {time:>12.1}  {:>8.1}  {:>15.2}",
            figures.speed(),
            figures.share()
        );
    }
    out.push_str("GB/s: bytes read and written; memcpy: one that moves as many. Medians.");
    out
}

fn as_json(figures: &Figures) -> Value {
    json!({
        "source": figures.src.to_string(),
        "destination": figures.dst.to_string(),
        "seconds": figures.reorder.as_secs_f64(),
        "memcpy_seconds": figures.memcpy.as_secs_f64(),
        "bytes": figures.bytes,
        "share_of_memcpy": figures.share(),
    })
}
