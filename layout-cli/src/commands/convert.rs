//! `layout convert`: tensors of a file in another layout and another type. Both files are mapped, so that they may be larger
//! than the memory; the new one appears when it is whole.

use crate::args::Convert;
use crate::failure::Failure;
use crate::files::atomic::NewFile;
use crate::files::layouts::{Wanted, resolve, shape};
use crate::files::moving::{progress, reorder};
use crate::files::{Input, Kind, NewType, Planned, Stored, header};
use crate::input;
use crate::output::Output;
use layout_core::descriptor::Descriptor;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Instant;

/// What safetensors files say of a tensor's layout, before its name; the value is the text form of its descriptor.
const NOTE: &str = "layout.";

/// What happens to one tensor.
struct Job<'a> {
    stored: &'a Stored,
    /// The tensor before and after; `None` for one that is copied as it is.
    reorder: Option<(Descriptor, Descriptor)>,
    planned: Planned,
}

pub(crate) fn run(args: &Convert, output: &mut Output) -> Result<(), Failure> {
    let start = Instant::now();
    let kind = Kind::of(&args.output)?;
    let dims = args.dims.as_deref().map(input::extents).transpose()?;
    let wanted = Wanted { from: args.from.as_deref(), to: &args.to, dims: dims.as_deref() };
    if !args.force && args.output.exists() {
        let hint = "it exists: --force replaces it";
        return Err(Failure::file("write", &args.output, hint));
    }
    let input = Input::open(&args.input)?;
    let jobs = jobs(args, &input, kind, &wanted)?;
    let metadata = match kind {
        Kind::SafeTensors => metadata(&input, &jobs),
        Kind::Npy => HashMap::new(),
    };
    let planned: Vec<Planned> = jobs.iter().map(|job| job.planned.clone()).collect();
    let head = header(kind, &planned, metadata)?;
    let data: usize = planned.iter().map(|planned| planned.bytes).sum();
    let mut file = NewFile::create(&args.output, head.len() + data)?;
    let (front, mut rest) = file.bytes().split_at_mut(head.len());
    front.copy_from_slice(&head);
    let bar = progress(data, args.quiet || output.is_json());
    for job in &jobs {
        let (to, behind) = rest.split_at_mut(job.planned.bytes);
        rest = behind;
        let from = &input.bytes()[job.stored.bytes.clone()];
        match &job.reorder {
            Some((src, dst)) => reorder((src, from), (dst, to), &bar)?,
            None => {
                to.copy_from_slice(from);
                bar.inc(from.len() as u64);
            }
        }
    }
    bar.finish_and_clear();
    file.finish(args.force)?;
    let seconds = start.elapsed().as_secs_f64();
    output.print(
        || {
            let lines: Vec<String> = jobs.iter().map(text).collect();
            format!(
                "{}\n{}: {} bytes in {seconds:.2} s",
                lines.join("\n"),
                args.output.display(),
                head.len() + data
            )
        },
        || {
            json!({
                "file": args.output,
                "bytes": head.len() + data,
                "seconds": seconds,
                "tensors": jobs.iter().map(as_json).collect::<Vec<_>>(),
            })
        },
    )
}

/// What to do with each tensor of the new file.
fn jobs<'a>(
    args: &Convert,
    input: &'a Input,
    kind: Kind,
    wanted: &Wanted<'_>,
) -> Result<Vec<Job<'a>>, Failure> {
    let name = |stored: &Stored| stored.name.clone().unwrap_or_default();
    // In a .npy file there is one tensor, which --tensor gives a name.
    let chosen = |stored: &Stored| match input.kind {
        Kind::Npy => true,
        Kind::SafeTensors => args.tensor.is_empty() || args.tensor.contains(&name(stored)),
    };
    if input.kind == Kind::SafeTensors
        && let Some(missing) =
            args.tensor.iter().find(|wanted| !input.tensors.iter().any(|t| name(t) == **wanted))
    {
        let names: Vec<String> = input.tensors.iter().map(name).collect();
        return Err(Failure::failed(format!(
            "there is no tensor `{missing}`; the file has {}",
            names.join(", ")
        )));
    }
    let mut jobs = Vec::new();
    for stored in &input.tensors {
        let noted = input.metadata.get(&format!("{NOTE}{}", name(stored))).and_then(|text| text.parse().ok());
        let resolved = chosen(stored).then(|| resolve(stored, wanted, noted));
        let new_name = match input.kind {
            Kind::Npy => args.tensor.first().cloned(),
            Kind::SafeTensors => stored.name.clone(),
        };
        let reorder = match resolved {
            Some(Ok(pair)) => Some(pair),
            // Of a whole file, what is no such tensor stays as it is.
            Some(Err(Failure::Failed(_))) if args.tensor.is_empty() && input.tensors.len() > 1 => None,
            Some(Err(error)) => return Err(error),
            None => None,
        };
        // A .npy file takes what was chosen.
        if kind == Kind::Npy && reorder.is_none() {
            continue;
        }
        let planned = match &reorder {
            Some((_, dst)) => Planned {
                name: new_name,
                dtype: NewType::Ours(dst.dtype()),
                shape: shape(dst),
                bytes: dst.size_bytes(),
            },
            None => Planned {
                name: new_name,
                dtype: match &stored.dtype {
                    Ok(dtype) => NewType::Ours(*dtype),
                    Err(word) => NewType::Copied(word.clone()),
                },
                shape: stored.shape.clone(),
                bytes: stored.bytes.len(),
            },
        };
        jobs.push(Job { stored, reorder, planned });
    }
    if jobs.iter().all(|job| job.reorder.is_none()) {
        return Err(Failure::failed(format!("{} has no tensor of that layout", args.input.display())));
    }
    Ok(jobs)
}

/// What the file said, and the layouts of the tensors that are new.
fn metadata(input: &Input, jobs: &[Job<'_>]) -> HashMap<String, String> {
    let mut out = input.metadata.clone();
    for job in jobs {
        if let Some((_, dst)) = &job.reorder {
            let name = job.planned.name.as_deref().unwrap_or("tensor");
            out.insert(format!("{NOTE}{name}"), dst.to_string());
        }
    }
    out
}

fn text(job: &Job<'_>) -> String {
    let name = job.planned.name.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
    match &job.reorder {
        Some((src, dst)) => {
            let padding = 100.0 * dst.padding_share();
            let extra = if padding > 0.0 { format!(", {padding:.0}% padding") } else { String::new() };
            format!("{name}{src} -> {dst}, an array of shape {:?}{extra}", job.planned.shape)
        }
        None => format!("{name}copied, an array of shape {:?}", job.planned.shape),
    }
}

fn as_json(job: &Job<'_>) -> Value {
    json!({
        "name": job.planned.name,
        "source": job.reorder.as_ref().map(|(src, _)| src.to_string()),
        "destination": job.reorder.as_ref().map(|(_, dst)| dst.to_string()),
        "shape": job.planned.shape,
        "bytes": job.planned.bytes,
    })
}
