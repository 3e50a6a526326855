//! [`Jobs`]: what happens to each tensor of the file that is converted, decided before anything is written. Called by
//! `convert`.

use super::NOTE;
use crate::args::Convert;
use crate::failure::Failure;
use crate::files::layouts::{Wanted, resolve, shape};
use crate::files::{Input, Kind, NewType, Planned, Stored};
use crate::input::choice;
use layout_core::descriptor::Descriptor;

/// The tensors of the new file, in their order.
pub(super) struct Jobs<'a> {
    pub(super) list: Vec<Job<'a>>,
    /// Names of tensors that the new file has no room for, being a `.npy` file.
    pub(super) left_out: Vec<&'a str>,
}

/// What happens to one tensor.
pub(super) struct Job<'a> {
    pub(super) stored: &'a Stored,
    pub(super) what: What,
    pub(super) planned: Planned,
}

pub(super) enum What {
    /// The tensor before and after.
    Reorder(Box<(Descriptor, Descriptor)>),
    /// It is copied as it is; `why` where it was not told to be.
    Copy { why: Option<String> },
}

impl<'a> Jobs<'a> {
    /// With `--tensor`, those are converted and all others copied. Without it every tensor is converted that can be of the
    /// layout; the others, as the bias beside the weights, are copied, and there must be one that can.
    pub(super) fn new(
        args: &Convert,
        input: &'a Input,
        kind: Kind,
        wanted: &Wanted<'_>,
    ) -> Result<Jobs<'a>, Failure> {
        check_names(args, input, kind)?;
        let is_whole_file = args.tensor.is_empty() && input.tensors.len() > 1;
        let mut jobs = Jobs { list: Vec::new(), left_out: Vec::new() };
        let mut refused = Vec::new();
        for stored in &input.tensors {
            let name = stored.name.as_deref().unwrap_or_default();
            // In a .npy file there is one tensor, which --tensor gives a name.
            let is_chosen =
                args.tensor.is_empty() || input.kind == Kind::Npy || args.tensor.iter().any(|t| t == name);
            let noted = || input.metadata.get(&format!("{NOTE}{name}"))?.parse().ok();
            let what = match is_chosen.then(|| resolve(stored, wanted, noted())) {
                Some(Ok(pair)) => What::Reorder(Box::new(pair)),
                Some(Err(error)) if is_whole_file => {
                    let why = Some(error.line().to_owned());
                    refused.push(error);
                    What::Copy { why }
                }
                Some(Err(error)) => return Err(error.about(stored.name.as_deref())),
                None => What::Copy { why: None },
            };
            // A .npy file takes what was chosen.
            if kind == Kind::Npy && matches!(what, What::Copy { .. }) {
                jobs.left_out.push(name);
                continue;
            }
            let new_name = match input.kind {
                Kind::Npy => args.tensor.first().cloned(),
                Kind::SafeTensors => stored.name.clone(),
            };
            let planned = planned(new_name, stored, &what);
            jobs.list.push(Job { stored, what, planned });
        }
        if !jobs.list.iter().any(|job| matches!(job.what, What::Reorder(..))) {
            return Err(none(args, refused));
        }
        Ok(jobs)
    }
}

/// Whether `--tensor` names what there is.
fn check_names(args: &Convert, input: &Input, kind: Kind) -> Result<(), Failure> {
    let names = || input.tensors.iter().filter_map(|tensor| tensor.name.as_deref());
    match (input.kind, kind, args.tensor.as_slice()) {
        (Kind::SafeTensors, _, wanted) => {
            let Some(missing) = wanted.iter().find(|wanted| !names().any(|name| name == **wanted)) else {
                return Ok(());
            };
            let names: Vec<&str> = names().collect();
            Err(Failure::failed(format!(
                "there is no tensor `{missing}`; the file has {}",
                choice(&names, Some(missing))
            )))
        }
        (Kind::Npy, Kind::SafeTensors, [_, _, ..]) => {
            Err(Failure::usage("a .npy file holds one tensor: --tensor gives it one name, not several"))
        }
        (Kind::Npy, Kind::SafeTensors, [name]) if name == "__metadata__" => {
            Err(Failure::usage("no tensor of a safetensors file can be called `__metadata__`"))
        }
        (Kind::Npy, Kind::Npy, [_, ..]) => {
            Err(Failure::usage("--tensor is for safetensors files: the tensors of .npy files have no names"))
        }
        _ => Ok(()),
    }
}

/// The error where nothing can be converted: the mistake of the command line, or else what is true of the first tensor.
fn none(args: &Convert, refused: Vec<Failure>) -> Failure {
    let file = args.input.display();
    let mut refused = refused.into_iter();
    let Some(first) = refused.next() else {
        return Failure::failed(format!("{file} has no tensors"));
    };
    let count = refused.len() + 1;
    let failed = Failure::failed(format!(
        "none of the {count} tensors of {file} can be of that layout; of the first: {}",
        first.line()
    ));
    [first].into_iter().chain(refused).find(|error| matches!(error, Failure::Usage(_))).unwrap_or(failed)
}

fn planned(name: Option<String>, stored: &Stored, what: &What) -> Planned {
    match what {
        What::Reorder(pair) => {
            let dst = &pair.1;
            Planned { name, dtype: NewType::Ours(dst.dtype()), shape: shape(dst), bytes: dst.size_bytes() }
        }
        What::Copy { .. } => Planned {
            name,
            dtype: match &stored.dtype {
                Ok(dtype) => NewType::Ours(*dtype),
                Err(word) => NewType::Copied(word.clone()),
            },
            shape: stored.shape.clone(),
            bytes: stored.bytes.len(),
        },
    }
}
