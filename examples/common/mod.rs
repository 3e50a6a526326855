//! What both photograph examples share: reading and writing pictures, the filters, the same work done by plain loops,
//! and the clock. None of it knows of layouts.

pub(crate) mod filters;
pub(crate) mod naive;
pub(crate) mod picture;

use std::time::{Duration, Instant};

/// What one step took here and in plain loops.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) here: Duration,
    pub(crate) naive: Duration,
}

/// How long `work` takes: the shortest of a few runs, so that the first touch of memory does not count. It leaves its
/// result where it writes it, and the same result each time.
pub(crate) fn try_timed<E>(mut work: impl FnMut() -> Result<(), E>) -> Result<Duration, E> {
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        work()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

/// [`try_timed`] of work that cannot fail.
pub(crate) fn timed(mut work: impl FnMut()) -> Duration {
    let Ok(time) = try_timed(|| {
        work();
        Ok::<(), std::convert::Infallible>(())
    });
    time
}

/// Prints the steps as a table with their sum.
pub(crate) fn print_steps(steps: &[Step]) {
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

/// Fails where the results differ by more than the order of additions explains, which is a rounding step of a byte.
pub(crate) fn assert_same(
    colors: impl Iterator<Item = f32>,
    plain_colors: &[f32],
    bytes: &[u8],
    plain_bytes: &[u8],
) -> Result<(), String> {
    let colors: Vec<f32> = colors.collect();
    if (colors.len(), bytes.len()) != (plain_colors.len(), plain_bytes.len()) {
        return Err(format!("{} colours, but {} from plain loops", colors.len(), plain_colors.len()));
    }
    let far = |(a, b): (&f32, &f32)| (a - b).abs() > 1e-5 * b.abs().max(255.0);
    let floats = colors.iter().zip(plain_colors).filter(|&pair| far(pair)).count();
    let steps = bytes.iter().zip(plain_bytes).filter(|(a, b)| a.abs_diff(**b) > 1).count();
    match floats + steps {
        0 => Ok(()),
        _ => Err(format!("{floats} colours and {steps} bytes differ from those of plain loops")),
    }
}
