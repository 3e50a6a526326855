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

/// Where the values of each attribute are, and how they follow the loops of the plan.
pub(in super::super) struct Scaling<'a> {
    parameters: [Option<Following>; PARAMETERS],
    beta: f32,
    /// How the last conversion rounds, and what the position of an element in logical order follows, where chance does.
    rounding: Rounding,
    position: Option<Following>,
    /// Whether numbers are as they were converted.
    is_neutral: bool,
    /// The element that padding is filled with, again and again; `None` for zero.
    pub(in super::super) fill: Option<[u8; 16]>,
    values: PhantomData<&'a f32>,
}

// SAFETY: it reads the values that its pointers lead to, and nobody writes them: they are borrowed as long as it lives.
unsafe impl Sync for Scaling<'_> {}

/// An attribute's values, and by how many of them each loop goes on.
struct Following {
    values: kernels::Values,
    steps: [usize; MAX_LOOPS],
    /// The value for place 0 of all loops: negative, wrapped, where data begins further on.
    first: usize,
    /// Loops in which a group's border lies: one at most for each axis.
    uneven: [Uneven; MAX_RANK],
    uneven_len: usize,
}

/// A loop whose groups do not begin with every value, or every so many. No tile holds it, unless it is cut at the groups.
#[derive(Clone, Copy)]
struct Uneven {
    node: usize,
    /// Indices from one value of the loop to the next, and in a group; index 0 is so many before value 0 of the loop.
    unit: i64,
    group: i64,
    data: i64,
    /// Values from one group to the next.
    step: usize,
}

impl Uneven {
    const NONE: Uneven = Uneven { node: 0, unit: 0, group: 1, data: 0, step: 0 };

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
    /// The values of `attributes` for `plan`; `None` where there are no attributes.
    pub(super) fn new(
        plan: &Reorder,
        attributes: &'v Attributes<'_>,
    ) -> Result<Option<Scaling<'v>>, ReorderError> {
        let mut parameters = [const { None }; PARAMETERS];
        for (k, parameter) in parameters.iter_mut().enumerate() {
            let (attribute, role) = (Attribute::ALL[k], plan.roles.get(k));
            role.check(attribute, attributes, &plan.nodes)?;
            if let Some(given) = &attributes.given[k] {
                let values = given.values(attribute == Attribute::DstScale);
                *parameter = Some(Following::new(values, plan, role));
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
        let rounding = if plan.roles.rounding() == Rounding::NearestEven {
            Rounding::NearestEven
        } else {
            attributes.rounding
        };
        let position = match plan.roles.position() {
            Role::Absent => None,
            role => Some(Following::new(kernels::Values::NONE, plan, role)),
        };
        let beta = attributes.beta.unwrap_or(0.0);
        // A factor of 0 leaves the sum out, and with it the way through f32.
        let is_neutral =
            beta == 0.0 && rounding == Rounding::NearestEven && parameters.iter().all(Option::is_none);
        let fill = attributes.fill(plan)?;
        let scaling = Scaling { parameters, beta, rounding, position, is_neutral, fill, values: PhantomData };
        Ok((!is_neutral || fill.is_some()).then_some(scaling))
    }

    /// The sums at `first`, for a plan of [`Wanted::of_sums`](super::Wanted::of_sums).
    pub(in super::super) fn of_sums(plan: &Reorder, first: *mut u8) -> Scaling<'v> {
        let mut parameters = [const { None }; PARAMETERS];
        let values = kernels::Values { first: first.cast_const(), format: ValueFormat::S32, inverse: false };
        let k = Attribute::SrcScale as usize;
        parameters[k] = Some(Following::new(values, plan, plan.roles.get(k)));
        Scaling {
            parameters,
            beta: 0.0,
            rounding: Rounding::NearestEven,
            position: None,
            is_neutral: false,
            fill: None,
            values: PhantomData,
        }
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
        let of = |following: &Following| {
            let terms =
                start.iter().zip(following.steps).map(|(&start, step)| (start as usize).wrapping_mul(step));
            let uneven = following.uneven().iter().map(|one| one.at(start[one.node]));
            terms.chain(uneven).fold(following.first, usize::wrapping_add)
        };
        let mut first = [0; PARAMETERS + 1];
        for (first, following) in first.iter_mut().zip(self.followed()) {
            *first = following.map_or(0, of);
        }
        let parameter = |Following { values, steps, .. }: &Following| Parameter {
            values: *values,
            at: Cell::new(0),
            x: steps[tile[0]],
            y: steps[tile[1]],
            z: steps[tile[2]],
        };
        let parameters = self.parameters.each_ref().map(|following| following.as_ref().map(parameter));
        let rounding = (self.rounding != Rounding::NearestEven)
            .then(|| Rounded { how: self.rounding, position: self.position.as_ref().map(parameter) });
        Some(Placed {
            scaling: self,
            epilogue: Epilogue { beta: self.beta, parameters, rounding },
            first,
            start,
        })
    }

    /// Whether there is no more than parameters, and no group ends inside of a loop.
    pub(in super::super) fn is_plain(&self) -> bool {
        let even = self.followed().flatten().all(|following| following.uneven_len == 0);
        even && self.beta == 0.0 && self.rounding == Rounding::NearestEven
    }

    /// Whether `len` values of loop `inner` are followed by the next value of loop `outer` in all parameters.
    pub(in super::super) fn goes_on(&self, inner: usize, len: usize, outer: usize) -> bool {
        let all = |Following { steps, .. }: &Following| steps[inner].wrapping_mul(len) == steps[outer];
        self.followed().flatten().all(all)
    }

    /// What follows the loops: the parameters, and the position.
    fn followed(&self) -> impl Iterator<Item = Option<&Following>> {
        self.parameters.iter().map(Option::as_ref).chain([self.position.as_ref()])
    }
}

impl Following {
    /// `values` along the axes of `role`.
    fn new(values: kernels::Values, plan: &Reorder, role: Role) -> Following {
        let mut following = Following {
            values,
            steps: [0; MAX_LOOPS],
            first: 0,
            uneven: [Uneven::NONE; MAX_RANK],
            uneven_len: 0,
        };
        // Values from one group of an axis to the next.
        let mut step = 1usize;
        for along in role.axes(&plan.nodes).rev() {
            if along.axis != Along::NOWHERE {
                following.follow(plan, along.axis as usize, along.group, step);
            }
            step = step.wrapping_mul(along.count as usize);
        }
        following
    }

    /// Follows tail axis `axis` of `plan`, where each `group` indices have a value, and that of the next group is `step` on.
    fn follow(&mut self, plan: &Reorder, axis: usize, group: u64, step: usize) {
        let data = plan.window(axis).map_or(0, |(_, data)| data);
        // Loops of single places of a window are cut where groups end; others begin with a group.
        let is_cut = !data.is_multiple_of(group);
        if !is_cut {
            self.first = self.first.wrapping_sub(((data / group) as usize).wrapping_mul(step));
        }
        // Indices from one value of a loop to the next.
        let mut unit = 1u64;
        for &level in plan.tails.levels(axis) {
            let end = unit.wrapping_mul(plan.nodes.get(level as usize).n);
            if unit.is_multiple_of(group) {
                self.steps[level as usize] = ((unit / group) as usize).wrapping_mul(step);
            } else if end > group || is_cut {
                let data = if is_cut { data as i64 } else { 0 };
                let (node, unit, group) = (level as usize, unit as i64, group as i64);
                self.uneven[self.uneven_len] = Uneven { node, unit, group, data, step };
                self.uneven_len += 1;
            }
            unit = end;
        }
    }

    fn uneven(&self) -> &[Uneven] {
        &self.uneven[..self.uneven_len]
    }
}

impl Placed<'_> {
    /// Goes to the tile at which the loops around it have `values`, counted from the box's first ones.
    pub(in super::super) fn locate(&self, values: impl Iterator<Item = (usize, u64)> + Clone) {
        let position = self.epilogue.rounding.as_ref().and_then(|rounded| rounded.position.as_ref());
        let parameters = self.epilogue.parameters.iter().map(Option::as_ref).chain([position]);
        for ((parameter, following), &first) in parameters.zip(self.scaling.followed()).zip(&self.first) {
            if let (Some(parameter), Some(following)) = (parameter, following) {
                let terms =
                    values.clone().map(|(node, value)| following.steps[node].wrapping_mul(value as usize));
                let mut at = terms.fold(first, usize::wrapping_add);
                for uneven in following.uneven() {
                    let start = self.start[uneven.node];
                    for (_, value) in values.clone().filter(|(node, _)| *node == uneven.node) {
                        at = at.wrapping_add(uneven.at(start + value)).wrapping_sub(uneven.at(start));
                    }
                }
                parameter.at.set(at);
            }
        }
    }
}
