//! Times the entrants of a case in turn, and what making plans costs. Every turn begins with calls that are not counted:
//! a streaming store leaves the destination out of the caches, which slows the next two that write there.

use crate::entrants::Entrant;
use std::time::{Duration, Instant};

/// Rounds in which every entrant has a turn.
const ROUNDS: usize = 7;
/// Calls before those that are counted.
const WARM_UPS: usize = 3;
/// The least time of a sample: a clock reading takes about 25 ns.
const SAMPLE: Duration = Duration::from_micros(20);
/// Samples of an entrant at most and, whatever the budget, at least.
const SAMPLES: (usize, usize) = (400, 5);
/// Calls longer than this are warmed up in full once: they move or compute so much that what the caches held is nothing.
const LONG: Duration = Duration::from_millis(20);
/// Calls longer than this are not worth many repetitions.
const ENDLESS: Duration = Duration::from_millis(200);

/// Seconds that a call takes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    samples: Vec<f64>,
}

impl Times {
    /// The median.
    pub(crate) fn median(&self) -> f64 {
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match sorted.len() {
            0 => f64::NAN,
            len if len % 2 == 0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
            _ => sorted[middle],
        }
    }

    /// The fastest.
    pub(crate) fn fastest(&self) -> f64 {
        self.samples.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// The times of every entrant, interleaved: each has a turn in each round, and each round begins with another one.
pub(crate) fn measure(
    entrants: &mut [Entrant<'_>],
    src: &[u8],
    dst: &mut [u8],
    budget: Duration,
) -> Vec<Times> {
    let mut states: Vec<State> = entrants.iter().map(|_| State::default()).collect();
    for round in 0..ROUNDS {
        for turn in 0..entrants.len() {
            let i = (round + turn) % entrants.len();
            states[i].turn(budget, || (entrants[i].run)(src, dst));
        }
    }
    states.into_iter().map(|state| state.times).collect()
}

#[derive(Default)]
struct State {
    times: Times,
    /// Time of the samples.
    spent: Duration,
    /// What a call took when it was looked at last; zero before the first.
    call: Duration,
}

impl State {
    fn turn(&mut self, budget: Duration, mut run: impl FnMut()) {
        let (most, least) = SAMPLES;
        let least = if self.call > ENDLESS { 2 } else { least };
        let taken = self.times.samples.len();
        if (self.spent >= budget && taken >= least) || taken >= most {
            return;
        }
        let warm_ups = match self.call {
            call if call > ENDLESS => 0,
            call if call > LONG => 1,
            _ => WARM_UPS,
        };
        for _ in 0..warm_ups {
            let start = Instant::now();
            run();
            self.call = start.elapsed();
            if self.call > ENDLESS {
                break;
            }
        }
        let calls = (SAMPLE.as_nanos() / self.call.as_nanos().max(1)).clamp(1, 100_000) as u32;
        let share = budget / ROUNDS as u32;
        let start = Instant::now();
        for _ in 0..most / ROUNDS {
            let sample = Instant::now();
            for _ in 0..calls {
                run();
            }
            self.times.samples.push(sample.elapsed().as_secs_f64() / f64::from(calls));
            if start.elapsed() >= share {
                break;
            }
        }
        self.spent += start.elapsed();
    }
}

/// The median time of `call`, in seconds.
pub(crate) fn median_of(mut call: impl FnMut()) -> f64 {
    let mut state = State::default();
    for _ in 0..ROUNDS {
        state.turn(Duration::from_millis(14), &mut call);
    }
    state.times.median()
}
