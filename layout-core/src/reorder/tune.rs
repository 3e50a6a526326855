//! [`Reorder::tune`]: tries the ways in which a plan can be moved, on this processor. Called by whoever runs a plan often; runs plans
//! through `run_with` alone.

use super::{Attributes, Reorder, ReorderError, Stores, Way};
use crate::layout::RowMajor;
use crate::view::Tensor;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;
use std::time::Instant;

/// Rounds in which each way that is left has a turn, at least and at most.
const ROUNDS: (u32, u32) = (5, 40);

/// How long a turn takes at least, in nanoseconds.
const TURN: u128 = 20_000;

/// Calls before those that are timed: stores past the caches slow down the next writers of the same memory.
const WARM_UP: usize = 2;

/// A way that takes so many times as long as the fastest one so far, by round, has no further turn.
const LEFT_BEHIND: [f64; 4] = [2.0, 1.5, 1.3, 1.15];

/// Another way than the plan's is taken where it needs less than this part of the time: less is no difference.
const GAIN: f64 = 0.97;
const CHANCE: Duration = Duration::from_nanos(3);

/// Rounds in which both have a turn in the end; three fourths of them decide.
const DUELS: usize = 8;

/// What each way of a plan took: see [`Reorder::tune`]. Printed, it is a list of them.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The fastest one.
    plan: Reorder,
    /// The fastest first.
    tried: Vec<(Way, Duration)>,
    own: Way,
}

impl Tuning {
    /// The plan, moved in the way that was fastest; as it was where none is faster by 3 %, and again by turns with it.
    pub fn plan(&self) -> &Reorder {
        &self.plan
    }

    /// The ways that were tried, each with the least time that a run took; the fastest first.
    pub fn ways(&self) -> impl ExactSizeIterator<Item = (Way, Duration)> + '_ {
        self.tried.iter().copied()
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way_of_plan = self.plan.way();
        for (i, (way, time)) in self.ways().enumerate() {
            let note = match (way == self.own, way == way_of_plan) {
                (true, true) => "  <- as planned, kept",
                (true, false) => "  <- as planned",
                (false, true) => "  <- taken",
                (false, false) => "",
            };
            let nanoseconds = time.as_secs_f64() * 1e9;
            write!(f, "{}{nanoseconds:12.0} ns  {way}{note}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl Reorder {
    /// Runs the plan in each way in which it can be moved, for about `budget` in all, and finds the fastest one on this processor.
    ///
    /// A plan is made in a microsecond by rules that were measured on a few processors. Where it runs often, a measurement is worth
    /// more: of random reorders between common layouts, of 8 to 400 KB, the fastest way is 1.1 times as fast in the mean, and up to
    /// several times. Each way writes the same bytes.
    ///
    /// Both sides are memory of its own, which is in the caches as far as these hold it, and as aligned as that of a `Tensor`. Where
    /// the plan writes past the caches by itself, writing through them is tried as well; never the other way round, since the next
    /// reader pays for it. A few milliseconds are enough for a tensor that the caches hold; each way gets five turns in any case,
    /// unless others are far ahead of it after the first.
    ///
    /// # Errors
    /// [`ReorderError::AttributeMissing`] for a plan with attributes, which [`Reorder::tune_on`] tries;
    /// [`ReorderError::Allocation`] where there is no memory for the two sides.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::Reorder;
    /// use std::time::Duration;
    ///
    /// let src = Descriptor::new(DType::F32, &[64, 35, 3, 3], "oihw")?;
    /// let dst = Descriptor::new(DType::F32, &[64, 35, 3, 3], "OIhw8o8i")?;
    /// let tuning = Reorder::new(&src, &dst)?.tune(Duration::from_millis(5))?;
    /// println!("{tuning}");
    /// let plan = tuning.plan();
    /// // Keep `plan`, or what `plan.way().to_string()` says: `with_way` takes it again in the next process.
    /// assert_eq!(plan.dst_len(), dst.size_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tune(&self, budget: Duration) -> Result<Tuning, ReorderError> {
        // Numbers of usual size in most types: 0.7 in f32, 63 in 8 bits. Memory that was never written would be read from one page.
        let (src, mut dst) = (filled(self.src_len(), 0x3f)?, filled(self.dst_len(), 0)?);
        self.tune_on(src.as_slice(), dst.as_mut_slice(), &Attributes::new(), budget)
    }

    /// The same on memory of the caller's, aligned as it will be and in the pages that it will have, with attributes that the plan was
    /// made for. `dst` holds the reordered tensor afterwards, to which it is added many times where the plan adds.
    ///
    /// # Errors
    /// Those of [`Reorder::run_with`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Attributes, Reorder, Values};
    /// use std::time::Duration;
    ///
    /// let src = Descriptor::new(DType::U8, &[1, 30, 40, 3], "nhwc")?;
    /// let dst = Descriptor::new(DType::F32, &[1, 30, 40, 3], "nchw")?;
    /// let scale = Attributes::new().src_scale(Values::common(0.5));
    /// let plan = Reorder::with_attributes(&src, &dst, &scale)?;
    /// let (from, mut to) = (vec![6; src.size_bytes()], vec![0; dst.size_bytes()]);
    /// let tuning = plan.tune_on(&from, &mut to, &scale, Duration::from_millis(1))?;
    /// assert_eq!(to[..4], 3.0f32.to_ne_bytes());
    /// assert!(tuning.ways().len() >= 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tune_on(
        &self,
        src: &[u8],
        dst: &mut [u8],
        attributes: &Attributes<'_>,
        budget: Duration,
    ) -> Result<Tuning, ReorderError> {
        let own = self.way();
        let mut run = |plan: &Reorder| plan.run_with(src, dst, attributes);
        run(self)?;
        let ways: Vec<Way> = core::iter::once(own).chain(self.ways().filter(|&way| way != own)).collect();
        let mut tried = self.race(&ways, &mut run, budget.mul_f64(0.75))?;
        let (best, _) = tried[0];
        let mut ways = vec![best, best.asking(), best.not_asking()];
        if self.stores() == Stores::Auto && self.streams() {
            ways.push(best.through_caches());
        }
        for (way, time) in self.race(&ways, &mut run, budget.mul_f64(0.25))? {
            match tried.iter_mut().find(|(other, _)| *other == way) {
                Some((_, least)) => *least = time.min(*least),
                None => tried.push((way, time)),
            }
        }
        tried.sort_by_key(|&(_, time)| time);
        // What differs from it has to be faster by more than chance, and once more, by turns with it.
        let time_of = |wanted: Way| {
            tried.iter().find(|(way, _)| *way == wanted).map_or(Duration::MAX, |&(_, time)| time)
        };
        let is_less = |time: Duration, than: Duration| time + CHANCE < than.mul_f64(GAIN);
        let mut taken = own;
        for way in [best, tried[0].0] {
            if is_less(time_of(way), time_of(taken)) {
                taken = way;
            }
        }
        let mut plan = self.with_way(taken)?;
        if taken != own {
            let mut wins = 0;
            for round in 0..DUELS {
                let mut times = [Duration::ZERO; 2];
                for turn in [round % 2, 1 - round % 2] {
                    times[turn] = one_turn(if turn == 0 { self } else { &plan }, &mut run)?;
                }
                wins += usize::from(is_less(times[1], times[0]));
            }
            if 4 * wins < 3 * DUELS {
                plan = self.clone();
            }
        }
        Ok(Tuning { plan, tried, own })
    }

    /// Runs the plan in each of the `ways`, in turn, for about `budget`; what a call of each takes at least, the fastest first.
    fn race(
        &self,
        ways: &[Way],
        run: &mut dyn FnMut(&Reorder) -> Result<(), ReorderError>,
        budget: Duration,
    ) -> Result<Vec<(Way, Duration)>, ReorderError> {
        let mut racing = Vec::new();
        for &way in ways {
            racing.push((self.with_way(way)?, way, Duration::MAX));
        }
        let mut left = Vec::new();
        let start = Instant::now();
        for round in 0..ROUNDS.1 {
            if round >= ROUNDS.0 && start.elapsed() >= budget {
                break;
            }
            for (plan, _, least) in &mut racing {
                *least = (*least).min(one_turn(plan, run)?);
            }
            let best = racing.iter().map(|&(_, _, least)| least).min().unwrap_or_default();
            let limit = LEFT_BEHIND[LEFT_BEHIND.len().min(round as usize + 1) - 1];
            // The first one is what the others are held against.
            let mut i = 1;
            while i < racing.len() {
                if racing[i].2 > best.mul_f64(limit) { left.push(racing.swap_remove(i)) } else { i += 1 }
            }
        }
        let mut tried: Vec<_> = racing.into_iter().chain(left).map(|(_, way, least)| (way, least)).collect();
        tried.sort_by_key(|&(_, time)| time);
        Ok(tried)
    }
}

/// What a call takes in one turn of `plan`.
fn one_turn(
    plan: &Reorder,
    run: &mut dyn FnMut(&Reorder) -> Result<(), ReorderError>,
) -> Result<Duration, ReorderError> {
    for _ in 0..WARM_UP {
        run(plan)?;
    }
    let (mut calls, start) = (0, Instant::now());
    loop {
        run(plan)?;
        calls += 1;
        let took = start.elapsed();
        if took.as_nanos() >= TURN {
            return Ok(took / calls);
        }
    }
}

/// Memory as owned tensors have it.
fn filled(bytes: usize, value: u8) -> Result<Tensor<u8, RowMajor>, ReorderError> {
    Tensor::filled([1, bytes], value).map_err(|_| ReorderError::Allocation { bytes })
}
