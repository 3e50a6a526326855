//! `layout convert`: tensors of a file in another layout and another type. Both files are mapped, so that they may be larger
//! than the memory; the new one appears when it is whole. `jobs` says what happens to each tensor.

mod jobs;

use crate::args::Convert;
use crate::failure::Failure;
use crate::files::atomic::{EXISTS, NewFile};
use crate::files::layouts::Wanted;
use crate::files::moving::{SLAB, Source, reorder, swap};
use crate::files::progress::progress;
use crate::files::{Input, Kind, Planned, header, too_large};
use crate::input;
use crate::output::{Output, shown};
use indicatif::ProgressBar;
use jobs::{Job, Jobs, What};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::time::Instant;

/// What safetensors files say of a tensor's layout, before its name; the value is the text form of its descriptor.
const NOTE: &str = "layout.";

pub(crate) fn run(args: &Convert, output: &mut Output) -> Result<(), Failure> {
    let start = Instant::now();
    let kind = Kind::of(&args.output)?;
    let dims = args.dims.as_deref().map(input::extents).transpose()?;
    let wanted = Wanted { from: args.from.as_deref(), to: &args.to, dims: dims.as_deref() };
    if !args.force && args.output.exists() {
        return Err(Failure::file("write", &args.output, EXISTS));
    }
    let input = Input::open(&args.input)?;
    let jobs = Jobs::new(args, &input, kind, &wanted)?;
    let metadata = match kind {
        Kind::SafeTensors => metadata(&input, &jobs.list),
        Kind::Npy => HashMap::new(),
    };
    let planned: Vec<Planned> = jobs.list.iter().map(|job| job.planned.clone()).collect();
    let head = header(kind, &planned, metadata)?;
    let data = planned.iter().try_fold(0usize, |sum, planned| sum.checked_add(planned.bytes));
    let data = data.ok_or_else(too_large)?;
    let size = head.len().checked_add(data).ok_or_else(too_large)?;
    let mut file = NewFile::create(&args.output, size)?;
    let (front, mut rest) = file.bytes().split_at_mut(head.len());
    front.copy_from_slice(&head);
    let bar = progress(data as u64, args.quiet || output.is_json());
    for job in &jobs.list {
        let (to, behind) = rest.split_at_mut(job.planned.bytes);
        rest = behind;
        job.run(&input, kind, to, &bar)?;
    }
    // The bar stays until the bytes are on the disk.
    file.finish(args.force)?;
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    output.print(
        || {
            let mut text = String::new();
            for line in jobs.list.iter().map(line) {
                let _ = writeln!(text, "{line}");
            }
            for name in &jobs.left_out {
                let _ = writeln!(text, "{}: left out, because a .npy file holds one tensor", shown(name));
            }
            let _ = write!(text, "{}: {size} bytes in {seconds:.2} s", args.output.display());
            text
        },
        || {
            json!({
                "file": args.output,
                "bytes": size,
                "seconds": seconds,
                "tensors": jobs.list.iter().map(as_json).collect::<Vec<_>>(),
                "left_out": jobs.left_out,
            })
        },
    )
}

impl Job<'_> {
    /// Writes the bytes of the new tensor.
    fn run(&self, input: &Input, kind: Kind, to: &mut [u8], bar: &ProgressBar) -> Result<(), Failure> {
        let from = &input.bytes()[self.stored.bytes.clone()];
        match &self.what {
            What::Reorder(pair) => {
                let (src, dst) = &**pair;
                let source = Source { tensor: src, bytes: from, is_swapped: self.stored.is_swapped };
                reorder(&source, (dst, to), SLAB, bar)?;
                // A .npy file says the byte order; a safetensors file has the little-endian one.
                if cfg!(target_endian = "big") && kind == Kind::SafeTensors {
                    swap(to, dst.dtype());
                }
            }
            What::Copy { .. } => {
                for (to, from) in to.chunks_mut(SLAB).zip(from.chunks(SLAB)) {
                    to.copy_from_slice(from);
                    bar.inc(from.len() as u64);
                }
            }
        }
        Ok(())
    }
}

/// What the file said, and the layouts of the tensors that are new.
fn metadata(input: &Input, jobs: &[Job<'_>]) -> HashMap<String, String> {
    let mut out = input.metadata.clone();
    for job in jobs {
        if let What::Reorder(pair) = &job.what {
            let name = job.planned.name.as_deref().unwrap_or("tensor");
            out.insert(format!("{NOTE}{name}"), pair.1.to_string());
        }
    }
    out
}

fn line(job: &Job<'_>) -> String {
    let name = job.planned.name.as_deref().map(|name| format!("{}: ", shown(name))).unwrap_or_default();
    match &job.what {
        What::Reorder(pair) => {
            let (src, dst) = &**pair;
            let padding = 100.0 * dst.padding_share();
            let extra = if padding > 0.0 { format!(", {padding:.0}% padding") } else { String::new() };
            format!("{name}{src} -> {dst}, an array of shape {:?}{extra}", job.planned.shape)
        }
        What::Copy { why: None } => format!("{name}copied as it is"),
        What::Copy { why: Some(why) } => format!("{name}copied as it is: {}", shown(why)),
    }
}

fn as_json(job: &Job<'_>) -> Value {
    let (pair, why) = match &job.what {
        What::Reorder(pair) => (Some(pair), None),
        What::Copy { why } => (None, why.as_deref()),
    };
    json!({
        "name": job.planned.name,
        "source": pair.map(|pair| pair.0.to_string()),
        "destination": pair.map(|pair| pair.1.to_string()),
        "copied_because": why,
        "shape": job.planned.shape,
        "bytes": job.planned.bytes,
    })
}
