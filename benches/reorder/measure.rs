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
/// Calls longer than this are repeated twice, without warm-ups.
const ENDLESS: Duration = Duration::from_millis(200);
/// The time of calls longer than this is that of the one call that was checked: reference loops of other systems.
const HOPELESS: Duration = Duration::from_millis(600);

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

/// The times of every entrant, interleaved: each has a turn in each round, in an order that differs from round to round, so that
/// nobody always follows the same one, which leaves the caches as only it does. `checked` is what the call took whose result was
/// checked.
pub(crate) fn measure(
    entrants: &mut [Entrant<'_>],
    checked: &[Duration],
    src: &[u8],
    dst: &mut [u8],
    budget: Duration,
) -> Vec<Times> {
    let mut states: Vec<State> = checked.iter().map(|&call| State::after(call)).collect();
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    let mut random = 1;
    for _ in 0..ROUNDS {
        shuffle(&mut order, &mut random);
        for &i in &order {
            states[i].turn(budget, || (entrants[i].run)(src, dst));
        }
    }
    states.into_iter().map(|state| state.times).collect()
}

/// Brings `order` into another one, by the numbers that follow `random`: the same in every run.
fn shuffle(order: &mut [usize], random: &mut u64) {
    for left in (2..=order.len()).rev() {
        // A linear congruential generator, of which the upper bits are good (Knuth, MMIX).
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(left - 1, (*random >> 33) as usize % left);
    }
}

#[derive(Default)]
struct State {
    times: Times,
    /// Samples during which this thread had to wait for another process.
    dropped: usize,
    /// Time of the samples.
    spent: Duration,
    /// What a call took when it was looked at last; zero before the first.
    call: Duration,
}

impl State {
    /// The state after a first call, which was cold: it only counts where it was so long that nothing else does.
    fn after(call: Duration) -> State {
        let mut state = State::default();
        if call > HOPELESS {
            state.times.samples.push(call.as_secs_f64());
        }
        if call > ENDLESS {
            state.call = call;
        }
        state
    }

    fn turn(&mut self, budget: Duration, mut run: impl FnMut()) {
        let (most, least) = SAMPLES;
        let least = match self.call {
            call if call > HOPELESS => 1,
            call if call > ENDLESS => 2,
            _ => least,
        };
        let taken = self.times.samples.len();
        let enough = self.spent >= budget || self.call > ENDLESS;
        if (enough && taken >= least) || taken >= most {
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
            let before = preemptions();
            let sample = Instant::now();
            for _ in 0..calls {
                run();
            }
            let seconds = sample.elapsed().as_secs_f64() / f64::from(calls);
            // Where every sample is disturbed, the median of disturbed ones has to do.
            if preemptions() == before || self.dropped > 2 * self.times.samples.len() + 2 {
                self.times.samples.push(seconds);
            } else {
                self.dropped += 1;
            }
            if start.elapsed() >= share {
                break;
            }
        }
        self.spent += start.elapsed();
    }
}

/// How often this thread lost its processor to another one, on a machine that has other things to do. Samples during which
/// it did say nothing about the entrant.
#[cfg(target_os = "linux")]
fn preemptions() -> i64 {
    // SAFETY: the structure is made of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a structure that is ours.
    unsafe { libc::getrusage(libc::RUSAGE_THREAD, &mut usage) };
    usage.ru_nivcsw
}

#[cfg(not(target_os = "linux"))]
fn preemptions() -> i64 {
    0
}

/// The median time of `call`, in seconds.
pub(crate) fn median_of(mut call: impl FnMut()) -> f64 {
    let mut state = State::default();
    for _ in 0..ROUNDS {
        state.turn(Duration::from_millis(14), &mut call);
    }
    state.times.median()
}
