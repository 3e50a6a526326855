//! [`Wanted`]: which attributes there are and which axes each follows, made from descriptors and attributes before there are loops,
//! so that these are cut where a group ends. Becomes the [`Roles`] of a plan; holds no values.

use super::super::super::ReorderError;
use super::super::super::problem::Nodes;
use super::super::{Attribute, Attributes};
use super::{Along, AxisNames, Role, Roles, count_error, is_anonymous, is_integer, that_matters};
use crate::descriptor::Descriptor;
use crate::grammar::{MAX_RANK, Spec};
use crate::kernels::convert::Rounding;

/// Axes of all attributes together. Those that follow the same axes in the same groups share them.
const MAX_ALONG: usize = 16;

/// What attributes ask of the loops.
#[derive(Clone, Copy)]
pub(in super::super::super) struct Wanted {
    roles: Roles,
    along: [Along; MAX_ALONG + MAX_RANK],
    len: usize,
}

impl Wanted {
    /// No attribute.
    pub(in super::super::super) const NONE: Wanted = Wanted {
        roles: Roles::NONE,
        along: [Along { axis: 0, name: 0, group: 1, count: 0 }; MAX_ALONG + MAX_RANK],
        len: 0,
    };

    /// What `attributes` mean for a reorder from `src` to `dst`, which describe the same tensor.
    pub(in super::super::super) const fn new(
        attributes: &Attributes<'_>,
        src: &Descriptor,
        dst: &Descriptor,
    ) -> Result<Wanted, ReorderError> {
        let names = if is_anonymous(src.spec()) { dst.spec() } else { src.spec() };
        let mut wanted = Wanted::NONE;
        wanted.roles.accumulates = attributes.beta.is_some();
        let mut k = 0;
        while k < 4 {
            let attribute = Attribute::ALL[k];
            if let Some(given) = &attributes.given[k] {
                let dtype = match attribute {
                    Attribute::SrcZeroPoint | Attribute::SrcScale => src.dtype(),
                    _ => dst.dtype(),
                };
                if given.is_integer() && !is_integer(dtype) {
                    return Err(ReorderError::AttributeType { attribute, dtype });
                }
                let role = match given.axes() {
                    None => Ok(Role::Common),
                    Some(axes) => wanted.follow_axes(attribute, attributes, axes, names, src),
                };
                wanted.roles.roles[k] = match role {
                    Ok(role) => role,
                    Err(error) => return Err(error),
                };
            }
            k += 1;
        }
        let dtypes = [src.dtype(), dst.dtype()];
        let rounding = that_matters(attributes.rounding, dtypes, wanted.roles.any());
        wanted.roles.rounding = rounding.code() as u8;
        if let Rounding::Stochastic { .. } = rounding {
            match wanted.follow_all(names, src) {
                Ok(role) => wanted.roles.position = role,
                Err(error) => return Err(error),
            }
        }
        Ok(wanted)
    }

    /// The role of the position in logical order.
    const fn follow_all(&mut self, names: &Spec, tensor: &Descriptor) -> Result<Role, ReorderError> {
        let first = self.len;
        let mut axis = 0;
        while axis < tensor.rank() {
            let name = match names.axis_name(axis) {
                Some(name) => name as u8,
                None => b'?',
            };
            let along = Along { axis: axis as u8, name, group: 1, count: tensor.dims()[axis] as u64 };
            self.push(along);
            axis += 1;
        }
        self.noted_once(first)
    }

    /// Adds an axis. Each attribute has as many as a tensor at most, and those before it no more than are kept.
    const fn push(&mut self, along: Along) {
        self.along[self.len] = along;
        self.len += 1;
    }

    /// The role of the axes from `first` on; where they are those of an attribute before, these are noted once.
    const fn noted_once(&mut self, first: usize) -> Result<Role, ReorderError> {
        let axes = self.len - first;
        let mut at = 0;
        while at < first {
            let mut same = 0;
            while same < axes && at + same < first && self.along[at + same].is(&self.along[first + same]) {
                same += 1;
            }
            if same == axes {
                self.len = first;
                return Ok(Role::Axes { first: at as u8, len: axes as u8 });
            }
            at += 1;
        }
        if self.len > MAX_ALONG {
            return Err(ReorderError::AttributeAxesTogether { needed: self.len, limit: MAX_ALONG });
        }
        Ok(Role::Axes { first: first as u8, len: axes as u8 })
    }

    /// Loops of `tensor` that sums over all but the axes named `axes` need: one role, that of a source scale, with as many
    /// values along an axis as it has indices, or places where it is `padded`.
    pub(in super::super::super) const fn of_sums(
        tensor: &Descriptor,
        axes: &[char],
        padded: bool,
    ) -> Result<Wanted, ReorderError> {
        let attribute = Attribute::Compensation;
        let mut wanted = Wanted::NONE;
        if axes.len() > MAX_RANK {
            return Err(ReorderError::AttributeAxes {
                attribute,
                expected: tensor.rank(),
                found: axes.len(),
            });
        }
        let mut i = 0;
        while i < axes.len() {
            let Some(position) = tensor.spec().axis_named(axes[i]) else {
                let names = AxisNames::of(tensor.spec());
                return Err(ReorderError::AttributeAxis { attribute, axis: axes[i], axes: names });
            };
            if wanted.follow(position) {
                return Err(ReorderError::AttributeAxisTwice { attribute, axis: axes[i] });
            }
            let count = if padded { tensor.padded_dims()[position] } else { tensor.dims()[position] };
            let (axis, name) = (position as u8, axes[i] as u8);
            wanted.along[i] = Along { axis, name, group: 1, count: count as u64 };
            wanted.len += 1;
            i += 1;
        }
        let len = axes.len() as u8;
        wanted.roles.roles[Attribute::SrcScale as usize] = Role::Axes { first: 0, len };
        Ok(wanted)
    }

    /// The role of an attribute along `axes` axes, which are noted.
    const fn follow_axes(
        &mut self,
        attribute: Attribute,
        attributes: &Attributes<'_>,
        axes: usize,
        names: &Spec,
        tensor: &Descriptor,
    ) -> Result<Role, ReorderError> {
        let Some(given) = &attributes.given[attribute as usize] else { return Ok(Role::Absent) };
        if axes > MAX_RANK {
            return Err(ReorderError::AttributeAxes { attribute, expected: tensor.rank(), found: axes });
        }
        let first = self.len;
        let mut expected = 1usize;
        let mut i = 0;
        while i < axes {
            let (name, group) = given.axis(i);
            let Some(position) = names.axis_named(name) else {
                let axes = AxisNames::of(names);
                return Err(ReorderError::AttributeAxis { attribute, axis: name, axes });
            };
            if group == 0 {
                return Err(ReorderError::AttributeEmptyGroup { attribute, axis: name });
            }
            // A group larger than the axis is one of all its indices. Loops count in what is no larger than memory.
            let extent = tensor.dims()[position];
            let group = if group <= extent {
                group
            } else if extent == 0 {
                1
            } else {
                extent
            };
            let count = extent.div_ceil(group);
            expected = expected.saturating_mul(count);
            // Names of axes are ASCII letters, and there are no more axes than a byte counts.
            let one =
                Along { axis: position as u8, name: name as u8, group: group as u64, count: count as u64 };
            let mut j = first;
            while j < self.len {
                if self.along[j].axis == one.axis {
                    return Err(ReorderError::AttributeAxisTwice { attribute, axis: name });
                }
                j += 1;
            }
            self.push(one);
            i += 1;
        }
        if given.len() != expected {
            return Err(count_error(attribute, self.along.split_at(first).1, axes, expected, given.len()));
        }
        self.noted_once(first)
    }

    /// Whether there is any attribute.
    pub(in super::super::super) const fn any(&self) -> bool {
        self.roles.any()
    }

    /// Whether some attribute follows the axis at logical position `position`.
    pub(in super::super::super) const fn follow(&self, position: usize) -> bool {
        let mut i = 0;
        while i < self.len {
            if self.along[i].axis as usize == position {
                return true;
            }
            i += 1;
        }
        false
    }

    /// The least size above `above` of groups of indices of the axis at `position`, or `u64::MAX`.
    pub(in super::super::super) const fn next_group(&self, position: usize, above: u64) -> u64 {
        let mut next = u64::MAX;
        let mut i = 0;
        while i < self.len {
            let Along { axis, group, .. } = self.along[i];
            if axis as usize == position && group > above && group < next {
                next = group;
            }
            i += 1;
        }
        next
    }

    /// What a plan keeps: `nodes` gets notes of the axes, with the tail axes in place of logical positions, those at
    /// `positions`, of which the first `len` count. `None` where there is no room.
    pub(in super::super::super) const fn keep<const N: usize>(
        &self,
        positions: &[u8; MAX_RANK],
        len: usize,
        nodes: &mut Nodes<N>,
    ) -> Option<Roles> {
        let mut first_note = 0;
        let mut i = 0;
        while i < self.len {
            let mut along = Along { axis: Along::NOWHERE, ..self.along[i] };
            // An axis with loops that is followed is a tail axis.
            let mut t = 0;
            while t < len {
                if positions[t] == self.along[i].axis {
                    along.axis = t as u8;
                }
                t += 1;
            }
            let Some(note) = nodes.push_note(along.to_note()) else { return None };
            if i == 0 {
                first_note = note;
            }
            i += 1;
        }
        let mut roles = self.roles;
        let mut k = 0;
        while k < 4 {
            if let Role::Axes { first, len } = roles.roles[k] {
                roles.roles[k] = Role::Axes { first: first + first_note, len };
            }
            k += 1;
        }
        if let Role::Axes { first, len } = roles.position {
            roles.position = Role::Axes { first: first + first_note, len };
        }
        Some(roles)
    }
}
