//! Reorders against memcpy, oneDNN and other systems: `cargo bench --bench reorder`, options with `-- --help`.
//!
//! All entrants of a case run in this process, in turn, on the same buffers; every result is compared with a naive
//! loop's before it is timed. Figures are medians; compare ratios within one run, not times of two runs.
//! `scripts/peers` installs the libraries that are compared with; what is absent is left out.

mod cases;
mod element;
mod entrants;
mod lines;
mod measure;
mod memory;
mod numbers;
mod options;
mod plans;
mod problem;
mod report;

use entrants::{Entrant, Libraries, Role};
use memory::{Arena, Caches};
use options::Options;
use problem::Problem;
use report::{Report, Row};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What the destination holds before a result is checked.
const UNTOUCHED: u8 = 0xa5;
/// Bytes read and written by the cases of a quick run, at most.
const QUICK: usize = 16 << 20;

fn main() -> ExitCode {
    let options = Options::from_args();
    let problems = problems(&options);
    if options.list {
        for problem in &problems {
            println!("{}: {}", problem.case.class, problem.case.name());
        }
        println!("{} cases", problems.len());
        return ExitCode::SUCCESS;
    }
    if problems.is_empty() {
        eprintln!("no case matches; --case-list prints them");
        return ExitCode::FAILURE;
    }
    // SAFETY: no thread was started yet.
    unsafe { layout_peers::set_environment(options.threads) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build_global()
        .expect("the pool is built for the first time");
    if options.threads == 1 || options.outside {
        return measure_all(&options, &problems);
    }
    // Within the pool, so that what is split over it needs not wait for a sleeping thread to take it up.
    rayon::scope(|_| measure_all(&options, &problems))
}

/// Checks and times all cases, writes the report.
fn measure_all(options: &Options, problems: &[Problem]) -> ExitCode {
    let libraries = Libraries::load(options.threads);
    let names = entrants::names(&libraries, options);
    println!(
        "{} cases; {}",
        problems.len(),
        names.iter().map(|n| n.0.as_str()).collect::<Vec<_>>().join(", ")
    );

    let largest = problems.iter().map(Problem::buffer_len).max().unwrap_or(0);
    let largest = largest + options.starts[0].max(options.starts[1]);
    let mut arenas: [Arena; 3] = std::array::from_fn(|_| Arena::new(largest, options.huge_pages));
    let caches = Caches::detect();
    let mut report = Report::new(names, caches, options);
    let start = Instant::now();
    for (i, problem) in problems.iter().enumerate() {
        progress(i, problems.len(), start.elapsed(), &problem.case.name());
        match run(problem, &libraries, options, &mut arenas, &caches) {
            Ok(row) => report.rows.push(row),
            Err(error) => {
                eprintln!("\n{}: {error}", problem.case.name());
                return ExitCode::FAILURE;
            }
        }
    }
    progress(problems.len(), problems.len(), start.elapsed(), "plans");
    report.plans = plans::measure(&libraries);
    eprintln!();
    println!("measured in {} s", start.elapsed().as_secs());
    match report.write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the report was not written: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The cases that were asked for.
fn problems(options: &Options) -> Vec<Problem> {
    let wanted = |name: &str| {
        options.filters.is_empty() || options.filters.iter().any(|text| name.contains(text.as_str()))
    };
    cases::all()
        .into_iter()
        .filter(|case| wanted(&format!("{}: {}", case.class, case.name())))
        .map(Problem::new)
        .filter(|problem| !options.quick || problem.bytes().0 + problem.bytes().1 <= QUICK)
        .collect()
}

/// Checks and times one case. An error where our own result is wrong.
fn run(
    problem: &Problem,
    libraries: &Libraries,
    options: &Options,
    arenas: &mut [Arena; 3],
    caches: &Caches,
) -> Result<Row, String> {
    let [source, destination, expected] = arenas;
    let [src_start, dst_start] = options.starts;
    element::fill(problem, &mut source.bytes_mut()[src_start..]);
    let src = &source.bytes()[src_start..];
    let dst = &mut destination.bytes_mut()[dst_start..];
    let expected = &mut expected.bytes_mut()[dst_start..];
    let written = problem.dst.size_bytes();
    expected[..written].fill(UNTOUCHED);
    entrants::oracle(problem, src, expected);

    let mut entrants = entrants::entrants(problem, libraries, options);
    let mut wrong = Vec::new();
    let mut checked = Vec::new();
    for entrant in &mut entrants {
        dst[..written].fill(UNTOUCHED);
        let start = Instant::now();
        (entrant.run)(src, dst);
        let time = start.elapsed();
        if !entrant.role.reorders() {
            checked.push(time);
            continue;
        }
        if let Some(at) = first_difference(&dst[..written], &expected[..written]) {
            let message = format!("{} differs from the naive loop at byte {at}", entrant.name);
            if entrant.role == Role::Ours {
                return Err(message);
            }
            eprintln!("\n{}: {message}; left out", problem.case.name());
            wrong.push(entrant.name.clone());
            continue;
        }
        checked.push(time);
    }
    entrants.retain(|entrant| !wrong.contains(&entrant.name));
    let times = measure::measure(&mut entrants, &checked, src, dst, Duration::from_millis(options.budget_ms));
    let (read, written) = problem.bytes();
    let kernel = |entrant: &Entrant| entrant.kernel.clone();
    Ok(Row {
        class: problem.case.class,
        name: problem.case.name(),
        read,
        written,
        lines: lines::bytes(problem),
        held_by: caches.holding(read + written),
        results: entrants.iter().zip(times).map(|(e, times)| (e.name.clone(), kernel(e), times)).collect(),
        wrong,
    })
}

fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    if a == b { None } else { a.iter().zip(b).position(|(a, b)| a != b) }
}

/// One line that is written over; lines of their own where the output is no terminal, and then few.
fn progress(done: usize, all: usize, elapsed: Duration, what: &str) {
    let seconds = elapsed.as_secs();
    let line = format!("[{done:3}/{all}] {}:{:02} {what}", seconds / 60, seconds % 60);
    let mut error = std::io::stderr();
    // A progress line that cannot be written is no reason to stop.
    if error.is_terminal() {
        let _ = write!(error, "\r{line:<100.100}");
        let _ = error.flush();
    } else if done.is_multiple_of(20) || done == all {
        let _ = writeln!(error, "{line}");
    }
}
