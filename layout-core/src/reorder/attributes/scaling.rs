//! [`Scaling`]: the values of one run, as the kernels take them. Made by `Reorder::run_with` and asked by `run` for each box
//! and tile.

use super::super::ReorderError;
use super::super::plan::{MAX_LOOPS, Reorder};
use super::roles::{Along, Role};
use super::{Attribute, Attributes};
use crate::grammar::MAX_RANK;
use crate::kernels::convert::Rounding;
use crate::kernels::{self, Epilogue, PARAMETERS, Parameter, Rounded, ValueFormat};
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// Where the values of each attribute are, and how they follow the loops of the plan. Filled where it lies: a small tensor would feel
/// it if this was copied.
pub(in super::super) struct Scaling<'a> {
    values: [Option<kernels::Values>; PARAMETERS],
    /// How each of them follows the loops; last, how the position of an element in logical order does.
    following: [Following; PARAMETERS + 1],
    /// Loops in which a group's border lies: for each of these one at most for each axis.
    uneven: [MaybeUninit<Uneven>; (PARAMETERS + 1) * MAX_RANK],
    uneven_len: usize,
    beta: f32,
    /// How the last conversion rounds, and whether chance does, by the position.
    rounding: Rounding,
    has_position: bool,
    /// Whether numbers are as they were converted.
    is_neutral: bool,
    /// Whether the values are what a kernel writes.
    is_written: bool,
    /// The element that padding is filled with, again and again; `None` for zero.
    pub(in super::super) fill: Option<[u8; 16]>,
    given: PhantomData<&'a f32>,
}

// SAFETY: it reads the values that its pointers lead to, and nobody writes them: they are borrowed as long as it lives.
unsafe impl Sync for Scaling<'_> {}

/// By how many values each loop goes on.
#[derive(Clone, Copy)]
struct Following {
    steps: [usize; MAX_LOOPS],
    /// The value for place 0 of all loops: negative, wrapped, where data begins further on.
    first: usize,
}

/// A loop whose groups do not begin with every value, or every so many. No tile holds it, unless it is cut at the groups.
#[derive(Clone, Copy)]
struct Uneven {
    /// Which of the parameters follows it so, or the position.
    of: usize,
    node: usize,
    /// Indices from one value of the loop to the next, and in a group; index 0 is so many before value 0 of the loop.
    unit: i64,
    group: i64,
    data: i64,
    /// Values from one group to the next.
    step: usize,
}

impl Uneven {
    /// The values that value `value` of the loop is from index 0.
    fn at(&self, value: u64) -> usize {
        // Places before the data wrap, as those of other loops.
        let index = (value as i64).wrapping_mul(self.unit).wrapping_sub(self.data);
        (index.div_euclid(self.group) as usize).wrapping_mul(self.step)
    }
}

/// The values for the tiles of a box.
pub(in super::super) struct Placed<'a> {
    scaling: &'a Scaling<'a>,
    /// For the tile at hand.
    pub(in super::super) epilogue: Epilogue,
    /// The value of the box's first element; last, its position.
    first: [usize; PARAMETERS + 1],
    /// First value of each loop.
    start: &'a [u64; MAX_LOOPS],
}

impl<'v> Scaling<'v> {
    /// No attributes.
    #[inline(always)]
    pub(super) fn none() -> Scaling<'v> {
        Scaling {
            values: [None; PARAMETERS],
            following: [Following { steps: [0; MAX_LOOPS], first: 0 }; PARAMETERS + 1],
            uneven: [const { MaybeUninit::uninit() }; (PARAMETERS + 1) * MAX_RANK],
            uneven_len: 0,
            beta: 0.0,
            rounding: Rounding::NearestEven,
            has_position: false,
            is_neutral: true,
            is_written: false,
            fill: None,
            given: PhantomData,
        }
    }

    /// Takes the values of `attributes` for `plan`; whether they change anything.
    pub(super) fn take(
        &mut self,
        plan: &Reorder,
        attributes: &'v Attributes<'_>,
    ) -> Result<bool, ReorderError> {
        for (k, attribute) in Attribute::ALL.into_iter().enumerate().take(PARAMETERS) {
            let role = plan.roles.get(k);
            role.check(attribute, attributes, &plan.nodes)?;
            if let Some(given) = &attributes.given[k] {
                self.values[k] = Some(given.values(attribute == Attribute::DstScale));
                self.follow_role(k, plan, role);
            }
        }
        let attribute = Attribute::Accumulation;
        match (plan.roles.accumulates, attributes.beta) {
            (true, None) => return Err(ReorderError::AttributeMissing { attribute }),
            (false, Some(_)) => {
                return Err(ReorderError::AttributeChanged { attribute, planned: None, found: None });
            }
            _ => {}
        }
        plan.roles.check_rounding(attributes.rounding, [plan.src_dtype(), plan.dst_dtype()])?;
        if plan.roles.rounding() != Rounding::NearestEven {
            self.rounding = attributes.rounding;
        }
        let position = plan.roles.position();
        self.has_position = position != Role::Absent;
        self.follow_role(PARAMETERS, plan, position);
        self.beta = attributes.beta.unwrap_or(0.0);
        // A factor of 0 leaves the sum out, and with it the way through f32.
        self.is_neutral = self.beta == 0.0
            && self.rounding == Rounding::NearestEven
            && self.values.iter().all(Option::is_none);
        self.fill = attributes.fill(plan)?;
        Ok(!self.is_neutral || self.fill.is_some())
    }

    /// The sums at `first`, for a plan of [`Wanted::of_sums`](super::Wanted::of_sums).
    pub(in super::super) fn of_sums(plan: &Reorder, first: *mut u8) -> Scaling<'v> {
        let values = kernels::Values { first: first.cast_const(), format: ValueFormat::S32, inverse: false };
        let k = Attribute::SrcScale as usize;
        let mut scaling = Scaling::none();
        scaling.values[k] = Some(values);
        scaling.follow_role(k, plan, plan.roles.get(k));
        (scaling.is_neutral, scaling.is_written) = (false, true);
        scaling
    }

    /// The values for a box whose loops begin with `start`, and whose tile's x, y and z are the plan's loops `tile`; `None`
    /// where numbers are as they were converted.
    pub(in super::super) fn place<'a>(
        &'a self,
        start: &'a [u64; MAX_LOOPS],
        tile: [usize; 3],
    ) -> Option<Placed<'a>> {
        if self.is_neutral {
            return None;
        }
        let mut first = [0; PARAMETERS + 1];
        for ((k, first), following) in first.iter_mut().enumerate().zip(&self.following) {
            if !self.has(k) {
                continue;
            }
            let terms = start.iter().zip(following.steps);
            let at = terms.fold(following.first, |at, (&start, step)| {
                at.wrapping_add((start as usize).wrapping_mul(step))
            });
            *first = self.uneven(k).fold(at, |at, one| at.wrapping_add(one.at(start[one.node])));
        }
        let parameter = |values, k: usize| {
            let [x, y, z] = tile.map(|node| self.following[k].steps[node]);
            Parameter { values, at: Cell::new(first[k]), x, y, z }
        };
        let mut parameters = [const { None }; PARAMETERS];
        for (k, (to, values)) in parameters.iter_mut().zip(self.values).enumerate() {
            *to = values.map(|values| parameter(values, k));
        }
        let position = self.has_position.then(|| parameter(kernels::Values::NONE, PARAMETERS));
        let rounding =
            (self.rounding != Rounding::NearestEven).then_some(Rounded { how: self.rounding, position });
        Some(Placed {
            scaling: self,
            epilogue: Epilogue { beta: self.beta, parameters, rounding },
            first,
            start,
        })
    }

    /// Whether there is no more than parameters, and no group ends inside of a loop.
    pub(in super::super) fn is_plain(&self) -> bool {
        self.uneven_len == 0 && self.beta == 0.0 && self.rounding == Rounding::NearestEven
    }

    /// Whether elements can be converted in any order: parameters follow all loops by steps, chance does not round, and the values are
    /// read alone.
    pub(in super::super) fn is_even(&self) -> bool {
        self.uneven_len == 0 && self.rounding == Rounding::NearestEven && !self.is_written
    }

    /// Whether there is no more than parameters, each of which is one for all elements.
    pub(in super::super) fn is_common(&self) -> bool {
        let follows = |k: usize| self.following[k].steps.iter().any(|&step| step != 0);
        self.is_plain() && !self.is_written && (0..=PARAMETERS).all(|k| !self.has(k) || !follows(k))
    }

    /// Parameters that there are.
    pub(in super::super) fn parameters(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// By how many values parameter `k` goes on with loop `node`.
    pub(in super::super) fn step(&self, k: usize, node: usize) -> usize {
        self.following[k].steps[node]
    }

    /// Whether all values of loop `node` have the same parameters.
    pub(in super::super) fn ignores(&self, node: usize) -> bool {
        self.following.iter().all(|following| following.steps[node] == 0)
    }

    /// Whether `len` values of loop `inner` are followed by the next value of loop `outer` in all parameters.
    pub(in super::super) fn goes_on(&self, inner: usize, len: usize, outer: usize) -> bool {
        self.following.iter().all(|Following { steps, .. }| steps[inner].wrapping_mul(len) == steps[outer])
    }

    /// Whether there is parameter `k`, or last the position.
    fn has(&self, k: usize) -> bool {
        self.values.get(k).map_or(self.has_position, Option::is_some)
    }

    /// The loops in which a border of the groups of parameter `k` lies.
    fn uneven(&self, k: usize) -> impl Iterator<Item = &Uneven> {
        let all = &self.uneven[..self.uneven_len];
        // SAFETY: the first `uneven_len` were written.
        all.iter().map(|one| unsafe { one.assume_init_ref() }).filter(move |one| one.of == k)
    }

    /// Lets parameter `k` follow the axes of `role`.
    fn follow_role(&mut self, k: usize, plan: &Reorder, role: Role) {
        // Values from one group of an axis to the next.
        let mut step = 1usize;
        for along in role.axes(&plan.nodes).rev() {
            if along.axis != Along::NOWHERE {
                self.follow(k, plan, along.axis as usize, along.group, step);
            }
            step = step.wrapping_mul(along.count as usize);
        }
    }

    /// Lets it follow tail axis `axis` of `plan`, where each `group` indices have a value, and that of the next group is `step` on.
    fn follow(&mut self, k: usize, plan: &Reorder, axis: usize, group: u64, step: usize) {
        let following = &mut self.following[k];
        let data = plan.window(axis).map_or(0, |(_, data)| data);
        // Loops of single places of a window are cut where groups end; others begin with a group.
        let is_cut = !data.is_multiple_of(group);
        if !is_cut {
            following.first = following.first.wrapping_sub(((data / group) as usize).wrapping_mul(step));
        }
        // Indices from one value of a loop to the next.
        let mut unit = 1u64;
        for &level in plan.tails.levels(axis) {
            let end = unit.wrapping_mul(plan.nodes.get(level as usize).n);
            if unit.is_multiple_of(group) {
                following.steps[level as usize] = ((unit / group) as usize).wrapping_mul(step);
            } else if end > group || is_cut {
                let data = if is_cut { data as i64 } else { 0 };
                let (of, node, unit, group) = (k, level as usize, unit as i64, group as i64);
                self.uneven[self.uneven_len].write(Uneven { of, node, unit, group, data, step });
                self.uneven_len += 1;
            }
            unit = end;
        }
    }
}

impl Placed<'_> {
    /// Goes to the tile at which the loops around it have `values`, counted from the box's first ones.
    pub(in super::super) fn locate(&self, values: impl Iterator<Item = (usize, u64)> + Clone) {
        let scaling = self.scaling;
        let position = self.epilogue.rounding.as_ref().and_then(|rounded| rounded.position.as_ref());
        let parameters = self.epilogue.parameters.iter().map(Option::as_ref).chain([position]);
        for (k, parameter) in parameters.enumerate() {
            let Some(parameter) = parameter else { continue };
            let steps = &scaling.following[k].steps;
            let terms = values.clone().map(|(node, value)| steps[node].wrapping_mul(value as usize));
            let mut at = terms.fold(self.first[k], usize::wrapping_add);
            for uneven in scaling.uneven(k) {
                let start = self.start[uneven.node];
                for (_, value) in values.clone().filter(|(node, _)| *node == uneven.node) {
                    at = at.wrapping_add(uneven.at(start + value)).wrapping_sub(uneven.at(start));
                }
            }
            parameter.at.set(at);
        }
    }
}
