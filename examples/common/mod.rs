//! What both photograph examples share: reading and writing pictures, the filters, the same work done by plain loops,
//! and the clock. None of it knows of layouts.

pub mod filters;
pub mod naive;
pub mod picture;

use std::time::{Duration, Instant};

/// What one step took here and in plain loops.
pub struct Step {
    pub name: &'static str,
    pub here: Duration,
    pub naive: Duration,
}

/// Runs `work` and says how long it took: the shortest of a few runs, so that the first touch of memory does not count.
pub fn timed<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
    const RUNS: usize = 5;
    let mut once = || {
        let start = Instant::now();
        let result = std::hint::black_box(work());
        (result, start.elapsed())
    };
    let shortest = (1..RUNS).map(|_| once().1).min().unwrap_or(Duration::MAX);
    let (result, last) = once();
    (result, shortest.min(last))
}

/// Prints the steps as a table with their sum.
pub fn print_steps(steps: &[Step]) {
    let row = |name: &str, here: Duration, naive: Duration| {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name:<40}{:>10.3} ms{:>12.3} ms{:>8.1}x",
            ms(here),
            ms(naive),
            naive.as_secs_f64() / here.as_secs_f64()
        );
    };
    println!("{:<40}{:>13}{:>15}", "step", "here", "plain NCHW");
    for step in steps {
        row(step.name, step.here, step.naive);
    }
    row("sum", steps.iter().map(|step| step.here).sum(), steps.iter().map(|step| step.naive).sum());
}

/// Fails where two pictures differ by more than a rounding step.
pub fn assert_same_picture(here: &[u8], naive: &[u8]) -> Result<(), String> {
    let different = here.iter().zip(naive).filter(|(a, b)| a.abs_diff(**b) > 1).count();
    match here.len() == naive.len() && different == 0 {
        true => Ok(()),
        false => Err(format!("{different} of {} bytes differ from the plain loops' result", naive.len())),
    }
}
