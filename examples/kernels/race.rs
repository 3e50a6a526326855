//! The clock: entrants take turns, forwards and backwards, so that what disturbs the machine disturbs all of them and none
//! always follows the same other one; medians are printed.

use std::hint::black_box;
use std::time::{Duration, Instant};
use tensor_layout::kernels::Cpu;
use tensor_layout::{Isa, dispatch, unroll};

/// The same work done in several ways.
pub(crate) struct Race<'a> {
    /// What the first entrant is called, and what all do.
    title: &'a str,
    /// Operations of one go, and what they are called: 1e9 of them a second are the unit of the table.
    operations: f64,
    unit: &'a str,
    entrants: Vec<Entrant<'a>>,
}

struct Entrant<'a> {
    name: &'a str,
    work: Box<dyn FnMut() + 'a>,
    times: Vec<Duration>,
}

/// How long all goes of a race take together, at least.
const BUDGET: Duration = Duration::from_millis(2500);

/// A race is run twice: once round, so that the results can be compared before anything is timed, and then with the clock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    Results,
    Times,
}
pub(crate) const PASSES: [Pass; 2] = [Pass::Results, Pass::Times];

impl<'a> Race<'a> {
    pub(crate) fn new(title: &'a str, operations: f64, unit: &'a str) -> Self {
        Race { title, operations, unit, entrants: Vec::new() }
    }

    pub(crate) fn add(mut self, name: &'a str, work: impl FnMut() + 'a) -> Self {
        self.entrants.push(Entrant { name, work: Box::new(work), times: Vec::new() });
        self
    }

    /// The same for an entrant that need not be there.
    pub(crate) fn add_some(mut self, name: &'a str, work: Option<Box<dyn FnMut() + 'a>>) -> Self {
        self.entrants.extend(work.map(|work| Entrant { name, work, times: Vec::new() }));
        self
    }

    /// Runs all once, or many times, and then prints the table; returns the medians in seconds. The first entrant is the one
    /// that the others are compared with; with `peak` operations a second given, the share of it is printed too.
    pub(crate) fn run(mut self, pass: Pass, peak: Option<f64>) -> Vec<f64> {
        for entrant in &mut self.entrants {
            entrant.go();
        }
        if pass == Pass::Results {
            return self.entrants.iter_mut().map(Entrant::median).collect();
        }
        for entrant in &mut self.entrants {
            entrant.times.clear(); // they were to warm up
        }
        let start = Instant::now();
        let mut round = 0;
        while round < 6 || start.elapsed() < BUDGET {
            let forwards = round % 2 == 0;
            for place in 0..self.entrants.len() {
                let place = if forwards { place } else { self.entrants.len() - 1 - place };
                let entrant = &mut self.entrants[place];
                // What is slow takes part in a few rounds, so that the others have many.
                let slow = entrant.times.iter().sum::<Duration>() > BUDGET / 8;
                if !(slow && entrant.times.len() >= 3) {
                    entrant.go();
                }
            }
            round += 1;
        }
        let medians: Vec<f64> = self.entrants.iter_mut().map(Entrant::median).collect();
        println!("{:<44}{:>12}{:>14}{:>10}{:>10}", self.title, "ms", self.unit, "of peak", "time");
        for (entrant, median) in self.entrants.iter().zip(&medians) {
            let rate = self.operations / median;
            let share = peak.map_or(String::from("-"), |peak| format!("{:.0} %", 100.0 * rate / peak));
            println!(
                "  {:<42}{:>12.4}{:>14.2}{share:>10}{:>9.2}x",
                entrant.name,
                median * 1e3,
                rate / 1e9,
                median / medians[0]
            );
        }
        medians
    }
}

impl Entrant<'_> {
    fn go(&mut self) {
        let start = Instant::now();
        (self.work)();
        self.times.push(start.elapsed());
    }

    fn median(&mut self) -> f64 {
        self.times.sort();
        self.times[self.times.len() / 2].as_secs_f64()
    }
}

/// Operations a second of one core that does nothing but multiply and add `f32` in registers: two operations for each
/// element of a vector. The best of several goes, because nothing can be faster than the peak. It is printed.
pub(crate) fn peak_flops() -> f64 {
    const STEPS: usize = 100_000;
    /// Enough sums of `N` numbers in flight to hide how long an addition takes.
    #[inline(always)]
    fn sums<I: Isa, const N: usize, const SUMS: usize>(cpu: I, x: f32) -> f64 {
        let (mut sums, y) = ([[0.0; N]; SUMS], black_box([0.5; N]));
        for _ in 0..STEPS {
            unroll!(SUMS, |k| sums[k] = cpu.axpy(x, &y, sums[k]));
        }
        black_box(sums);
        (2 * N * SUMS * STEPS) as f64
    }
    #[inline(always)]
    fn widest<I: Isa>(cpu: I) -> f64 {
        match I::VECTOR_BYTES {
            64 => sums::<I, 16, 24>(cpu, black_box(1e-6)),
            32 => sums::<I, 8, 12>(cpu, black_box(1e-6)),
            _ => sums::<I, 4, 12>(cpu, black_box(1e-6)),
        }
    }
    let rate = |_| {
        let start = Instant::now();
        dispatch!(|cpu| widest(cpu)) / start.elapsed().as_secs_f64()
    };
    let peak = (0..20).map(rate).fold(0.0, f64::max);
    println!("{} at {:.1} GFLOP/s, one core", Cpu::current(), peak / 1e9);
    peak
}

/// Fails where a number differs from the naive loop's by more than the order of additions explains.
pub(crate) fn assert_close(what: &str, found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len(), "{what}: another number of results");
    let scale = expected.iter().fold(0.0f32, |scale, x| scale.max(x.abs()));
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let far = (found - expected).abs() > tolerance * scale;
        assert!(!far && !found.is_nan(), "{what}: result {at} is {found}, the naive loop's {expected}");
    }
}
