//! [`Scaling`]: the values of one run, as the kernels take them. Made by `Reorder::run_with` and asked by `run` for each box
//! and tile.

use super::super::ReorderError;
use super::super::plan::{MAX_LOOPS, Reorder};
use super::roles::Role;
use super::{Attribute, Attributes, Given};
use crate::kernels::{self, Epilogue, PARAMETERS, Parameter};
use core::cell::Cell;
use core::marker::PhantomData;

/// Where the values of each attribute are, and how they follow the loops of the plan.
pub(in super::super) struct Scaling<'a> {
    parameters: [Option<Following>; PARAMETERS],
    values: PhantomData<&'a f32>,
}

// SAFETY: it reads the values that its pointers lead to, and nobody writes them: they are borrowed as long as it lives.
unsafe impl Sync for Scaling<'_> {}

/// An attribute's values, and by how many of them each loop goes on.
struct Following {
    values: kernels::Values,
    steps: [usize; MAX_LOOPS],
    /// The index on the axis that place 0 of all loops stands for: negative, wrapped, where data begins further on.
    first: usize,
}

/// The values for the tiles of a box.
pub(in super::super) struct Placed<'a> {
    scaling: &'a Scaling<'a>,
    /// For the tile at hand.
    pub(in super::super) epilogue: Epilogue,
    /// The value of the box's first element.
    first: [usize; PARAMETERS],
}

impl<'v> Scaling<'v> {
    /// The values of `attributes` for `plan`.
    pub(super) fn new(plan: &Reorder, attributes: &'v Attributes<'_>) -> Result<Scaling<'v>, ReorderError> {
        let mut parameters = [const { None }; PARAMETERS];
        for (k, parameter) in parameters.iter_mut().enumerate() {
            let (attribute, role) = (Attribute::ALL[k], plan.roles.get(k));
            let Some(given) = &attributes.given[k] else {
                match role {
                    Role::Absent => continue,
                    _ => return Err(ReorderError::AttributeMissing { attribute }),
                }
            };
            let (along, values) = match given {
                Given::F32(values) if attribute == Attribute::DstScale => {
                    (values.axis(), kernels::Values::Inverse(values.first()))
                }
                Given::F32(values) => (values.axis(), kernels::Values::F32(values.first())),
                Given::S32(values) => (values.axis(), kernels::Values::S32(values.first())),
            };
            let found = along.map(|(axis, _)| axis);
            if role == Role::Absent || found != role.name() {
                let planned = if role == Role::Absent { None } else { Some(role.name()) };
                return Err(ReorderError::AttributeChanged { attribute, planned, found });
            }
            let mut following = Following { values, steps: [0; MAX_LOOPS], first: 0 };
            if let Some((name, count)) = along {
                let extent = match role {
                    Role::Axis { axis, .. } => following.follow(plan, axis as usize),
                    // Of an empty tensor no value is read.
                    _ if plan.padded == 0 => count,
                    _ => 1,
                };
                if extent != count {
                    return Err(ReorderError::AttributeCount { attribute, axis: name, extent, found: count });
                }
            }
            *parameter = Some(following);
        }
        Ok(Scaling { parameters, values: PhantomData })
    }

    /// The values for a box whose loops begin with `start`, and whose tile's x, y and z are the plan's loops `tile`.
    pub(in super::super) fn place(&self, start: &[u64; MAX_LOOPS], tile: [usize; 3]) -> Placed<'_> {
        let of = |following: &Following| {
            let terms =
                start.iter().zip(following.steps).map(|(&start, step)| (start as usize).wrapping_mul(step));
            terms.fold(following.first, usize::wrapping_add)
        };
        let first = self.parameters.each_ref().map(|following| following.as_ref().map_or(0, of));
        let parameters = self.parameters.each_ref().map(|following| {
            following.as_ref().map(|Following { values, steps, .. }| Parameter {
                values: *values,
                at: Cell::new(0),
                x: steps[tile[0]],
                y: steps[tile[1]],
                z: steps[tile[2]],
            })
        });
        Placed { scaling: self, epilogue: Epilogue { parameters }, first }
    }
}

impl Following {
    /// Follows tail axis `axis` of `plan`; returns its extent.
    fn follow(&mut self, plan: &Reorder, axis: usize) -> usize {
        let mut weight = 1usize;
        for &level in plan.tails.levels(axis) {
            self.steps[level as usize] = weight;
            weight = weight.wrapping_mul(plan.nodes.get(level as usize).n as usize);
        }
        let data = plan.window(axis).map_or(0, |(_, data)| data as usize);
        self.first = data.wrapping_neg();
        plan.tails.dim[axis] as usize - data
    }
}

impl Placed<'_> {
    /// Goes to the tile at which the loops around it have `values`, counted from the box's first ones.
    pub(in super::super) fn locate(&self, values: impl Iterator<Item = (usize, u64)> + Clone) {
        for (k, parameter) in self.epilogue.parameters.iter().enumerate() {
            if let (Some(parameter), Some(following)) = (parameter, &self.scaling.parameters[k]) {
                let terms =
                    values.clone().map(|(node, value)| following.steps[node].wrapping_mul(value as usize));
                parameter.at.set(terms.fold(self.first[k], usize::wrapping_add));
            }
        }
    }
}
