//! Who takes part in a case: ours, the yardstick, and every peer that can do it.

mod copies;
mod crates;
mod libraries;
mod naive;

use crate::element::knows;
use crate::options::Options;
use crate::problem::Problem;
use layout_core::reorder::Reorder;
pub(crate) use libraries::{Libraries, memory_descs};
pub(crate) use naive::oracle;
use std::time::Duration;

/// What an entrant is compared as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The reorder that is measured.
    Ours,
    /// One memcpy that moves as many bytes, or as many lines as are touched; makes no reorder.
    Yardstick,
    /// Another way to copy as many bytes, to show what the machine can do; makes no reorder.
    Copy,
    /// A loop nest without tiles.
    Naive,
    /// A version of oneDNN.
    OneDnn,
    /// Any other system.
    Peer,
}

impl Role {
    /// Whether the entrant leaves the result of the case in the destination.
    pub(crate) fn reorders(self) -> bool {
        !matches!(self, Role::Yardstick | Role::Copy)
    }
}

/// Moves from the source to the destination.
pub(crate) type Move<'a> = Box<dyn FnMut(&[u8], &mut [u8]) + 'a>;

/// Someone who takes part in a case.
pub(crate) struct Entrant<'a> {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// The kernel or the implementation that runs, where it has a name.
    pub(crate) kernel: String,
    pub(crate) run: Move<'a>,
}

impl<'a> Entrant<'a> {
    fn new(name: &str, role: Role, run: Move<'a>) -> Entrant<'a> {
        Entrant { name: name.to_owned(), role, kernel: String::new(), run }
    }
}

/// The names of all entrants that there may be, in the order of the tables.
pub(crate) fn names(libraries: &Libraries, options: &Options) -> Vec<(String, Role)> {
    let mut names = vec![
        ("ours".to_owned(), Role::Ours),
        ("memcpy".to_owned(), Role::Yardstick),
        ("memcpy of lines".to_owned(), Role::Yardstick),
        ("streaming copy".to_owned(), Role::Copy),
        ("naive".to_owned(), Role::Naive),
    ];
    names.extend(
        libraries.onednn.iter().map(|library| (format!("oneDNN {}", library.version()), Role::OneDnn)),
    );
    let peers = [
        ("IPP", libraries.ipp.is_some()),
        ("MKL", libraries.mkl.is_some()),
        ("PyTorch", libraries.torch.is_some()),
        ("hptt", cfg!(feature = "hptt")),
        ("ndarray", true),
        ("transpose", true),
        ("half", true),
    ];
    names.extend(peers.iter().filter(|peer| peer.1).map(|peer| (peer.0.to_owned(), Role::Peer)));
    names.retain(|(name, role)| {
        matches!(role, Role::Ours | Role::Yardstick)
            || !options.without.iter().any(|text| name.contains(text))
    });
    names
}

/// The entrants that can do `problem`, ours first.
pub(crate) fn entrants<'a>(
    problem: &'a Problem,
    libraries: &'a Libraries,
    options: &'a Options,
) -> Vec<Entrant<'a>> {
    let mut out = vec![ours(problem, options.threads, options.tuned)];
    out.extend(copies::entrants(problem, options.threads));
    out.push(naive::entrant(problem));
    out.extend(libraries.entrants(problem));
    if !problem.is_scaled() && knows(problem.dtypes()) {
        out.extend(crates::entrants(problem, options.threads));
    }
    let names = names(libraries, options);
    out.retain(|entrant| names.iter().any(|(name, _)| *name == entrant.name));
    out
}

/// What `--tuned` gives to a plan to find its fastest way.
const TUNING: Duration = Duration::from_millis(20);

/// The planned reorder, on the threads of the pool where there are several.
fn ours(problem: &Problem, threads: usize, tuned: bool) -> Entrant<'_> {
    let attributes = problem.scales.attributes();
    let mut plan = Reorder::with_attributes(&problem.src, &problem.dst, &attributes)
        .unwrap_or_else(|error| panic!("{}: {error}", problem.case.name()));
    assert_eq!((plan.bytes_read(), plan.bytes_written()), problem.bytes(), "{}", problem.case.name());
    if tuned {
        let (src, mut dst) = (vec![0x3f; plan.src_len()], vec![0; plan.dst_len()]);
        let tuning = plan.tune_on(&src, &mut dst, &attributes, TUNING);
        plan = tuning.expect("the buffers are long enough").plan().clone();
    }
    let kernel = kernel(&plan.to_string());
    let run = move |src: &[u8], dst: &mut [u8]| {
        let done = match (threads, problem.is_scaled()) {
            (1, false) => plan.run(src, dst),
            (1, true) => plan.run_with(src, dst, &attributes),
            (_, false) => plan.par_run(src, dst),
            (_, true) => plan.par_run_with(src, dst, &attributes),
        };
        done.expect("the buffers are long enough");
    };
    Entrant { kernel, ..Entrant::new("ours", Role::Ours, Box::new(run)) }
}

/// The kernel's name out of the first line of a printed plan: `f32 -> f32: KERNEL, reads …`.
fn kernel(plan: &str) -> String {
    let line = plan.lines().next().unwrap_or_default();
    let behind = line.split_once(": ").map_or(line, |parts| parts.1);
    behind.split(", reads").next().unwrap_or(behind).to_owned()
}
