//! [`Wanted`] and [`Roles`]: which attributes there are and which axes each follows. `Wanted` is made from descriptors and
//! attributes before there are loops, so that these are cut where a group ends; `Roles` is what the plan keeps, with the axes
//! in notes of its list of loops. Neither holds values.

use super::super::ReorderError;
use super::super::problem::{Node, Nodes};
use super::{Attribute, Attributes};
use crate::descriptor::{DType, Descriptor};
use crate::grammar::{MAX_RANK, Spec};

/// Axes of all attributes together. Those that follow the same axes in the same groups share them.
const MAX_ALONG: usize = 16;

/// An axis that an attribute follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Along {
    /// Its logical position, and in a plan the tail axis, or [`Along::NOWHERE`].
    pub(super) axis: u8,
    name: u8,
    /// Indices that share a value.
    pub(super) group: u64,
    /// Groups along the axis.
    pub(super) count: u64,
}

impl Along {
    /// An axis of which the plan has no loop: its only index is 0, or the tensor is empty.
    pub(super) const NOWHERE: u8 = u8::MAX;

    pub(in super::super) const fn name(&self) -> char {
        self.name as char
    }

    pub(in super::super) const fn group(&self) -> u64 {
        self.group
    }

    const fn is(&self, other: &Along) -> bool {
        self.axis == other.axis && self.name == other.name && self.group == other.group
    }

    /// As an entry in a plan's list of loops.
    const fn to_note(self) -> Node {
        // Numbers of indices, as extents: below 2^63.
        Node { n: self.group, src: self.count as isize, dst: (self.axis as isize) << 8 | self.name as isize }
    }

    const fn of_note(note: Node) -> Along {
        Along { axis: (note.dst >> 8) as u8, name: note.dst as u8, group: note.n, count: note.src as u64 }
    }
}

/// What an attribute does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Absent,
    /// One value for all elements.
    Common,
    /// Values along `len` axes: from the one at `first` on, in the order in which the values lie.
    Axes {
        first: u8,
        len: u8,
    },
}

/// The attributes of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Roles {
    /// In the order of [`Attribute`].
    roles: [Role; 4],
    /// Whether results are added to what the destination holds.
    pub(in super::super) accumulates: bool,
}

/// What attributes ask of the loops.
#[derive(Clone, Copy)]
pub(in super::super) struct Wanted {
    roles: Roles,
    along: [Along; MAX_ALONG],
    len: usize,
}

impl Wanted {
    /// No attribute.
    pub(in super::super) const NONE: Wanted = Wanted {
        roles: Roles { roles: [Role::Absent; 4], accumulates: false },
        along: [Along { axis: 0, name: 0, group: 1, count: 0 }; MAX_ALONG],
        len: 0,
    };

    /// What `attributes` mean for a reorder from `src` to `dst`, which describe the same tensor.
    pub(in super::super) const fn new(
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
        Ok(wanted)
    }

    /// Loops of `tensor` that sums over all but the axes named `axes` need: one role, that of a source scale, with as many
    /// values along an axis as it has indices, or places where it is `padded`.
    pub(in super::super) const fn of_sums(
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
                return Err(ReorderError::AttributeAxis { attribute, axis: axes[i] });
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
                return Err(ReorderError::AttributeAxis { attribute, axis: name });
            };
            if group == 0 {
                return Err(ReorderError::AttributeEmptyGroup { attribute, axis: name });
            }
            let count = tensor.dims()[position].div_ceil(group);
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
            if self.len == MAX_ALONG {
                let needed = super::super::plan::MAX_LOOPS + 1;
                return Err(ReorderError::TooManyLoops { needed, limit: super::super::plan::MAX_LOOPS });
            }
            self.along[self.len] = one;
            self.len += 1;
            i += 1;
        }
        if given.len() != expected {
            return Err(count_error(attribute, self.along.split_at(first).1, axes, expected, given.len()));
        }
        // The same axes as those of an attribute before are noted once.
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
        Ok(Role::Axes { first: first as u8, len: axes as u8 })
    }

    /// Whether there is any attribute.
    pub(in super::super) const fn any(&self) -> bool {
        self.roles.any()
    }

    /// Whether some attribute follows the axis at logical position `position`.
    pub(in super::super) const fn follow(&self, position: usize) -> bool {
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
    pub(in super::super) const fn next_group(&self, position: usize, above: u64) -> u64 {
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
    pub(in super::super) const fn keep<const N: usize>(
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
        Some(roles)
    }
}

/// The error for `found` values where the `axes` that are first in `along` take `expected`.
const fn count_error(
    attribute: Attribute,
    along: &[Along],
    axes: usize,
    expected: usize,
    found: usize,
) -> ReorderError {
    if axes == 1 && along[0].group == 1 {
        return ReorderError::AttributeCount { attribute, axis: along[0].name(), extent: expected, found };
    }
    let mut names = AxisNames { names: [0; MAX_RANK], len: axes as u8 };
    let mut i = 0;
    while i < axes {
        names.names[i] = along[i].name;
        i += 1;
    }
    ReorderError::AttributeValues { attribute, axes: names, expected, found }
}

impl Roles {
    /// Whether there is any attribute.
    pub(in super::super) const fn any(&self) -> bool {
        let mut k = 0;
        while k < 4 {
            if !matches!(self.roles[k], Role::Absent) {
                return true;
            }
            k += 1;
        }
        self.accumulates
    }

    /// What there is: each attribute, and the axes that it follows, of which `nodes` has the notes; `None` for a common value.
    pub(in super::super) fn iter<const N: usize>(
        &self,
        nodes: &Nodes<N>,
    ) -> impl Iterator<Item = (Attribute, Option<impl Iterator<Item = Along>>)> {
        let present = |(attribute, role): (Attribute, Role)| match role {
            Role::Absent => None,
            Role::Common => Some((attribute, None)),
            Role::Axes { .. } => Some((attribute, Some(role.axes(nodes)))),
        };
        Attribute::ALL.into_iter().zip(self.roles).filter_map(present)
    }

    /// How many sums there are in a plan of [`Wanted::of_sums`]; refuses to take `found` for them if that is another number.
    pub(in super::super) fn check_sums<const N: usize>(
        &self,
        nodes: &Nodes<N>,
        found: Option<usize>,
    ) -> Result<usize, ReorderError> {
        let role = self.get(Attribute::SrcScale as usize);
        let mut all = [Along { axis: 0, name: 0, group: 1, count: 0 }; MAX_RANK];
        let mut expected = 1usize;
        let axes = role.axes(nodes).len();
        for (one, along) in all.iter_mut().zip(role.axes(nodes)) {
            expected = expected.saturating_mul(along.count as usize);
            *one = along;
        }
        match found {
            Some(found) if found != expected => {
                Err(count_error(Attribute::Compensation, &all, axes, expected, found))
            }
            _ => Ok(expected),
        }
    }

    pub(super) const fn get(&self, k: usize) -> Role {
        self.roles[k]
    }
}

impl Role {
    /// The axes, in the order in which the values lie.
    pub(super) fn axes<const N: usize>(
        self,
        nodes: &Nodes<N>,
    ) -> impl DoubleEndedIterator<Item = Along> + ExactSizeIterator {
        let (first, len) = match self {
            Role::Axes { first, len } => (first, len),
            _ => (0, 0),
        };
        (first..first + len).map(|at| Along::of_note(nodes.note(at)))
    }

    /// Refuses values that do not lie along the axes of the plan.
    pub(super) fn check<const N: usize>(
        self,
        attribute: Attribute,
        attributes: &Attributes<'_>,
        nodes: &Nodes<N>,
    ) -> Result<(), ReorderError> {
        let given = match (&attributes.given[attribute as usize], self) {
            (None, Role::Absent) => return Ok(()),
            (None, _) => return Err(ReorderError::AttributeMissing { attribute }),
            (Some(given), _) => given,
        };
        let name = |axis: usize| given.axis(axis).0;
        let found = given.axes().map(|axes| if axes == 0 { ' ' } else { name(0) });
        let planned = match self {
            Role::Absent => None,
            Role::Common => Some(None),
            Role::Axes { .. } => Some(Some(self.axes(nodes).next().map_or(' ', |along| along.name()))),
        };
        let (Some(axes), Role::Axes { len, .. }) = (given.axes(), self) else {
            return match (found, self) {
                (None, Role::Common) => Ok(()),
                _ => Err(ReorderError::AttributeChanged { attribute, planned, found }),
            };
        };
        if axes != len as usize {
            return Err(ReorderError::AttributeAxes { attribute, expected: len as usize, found: axes });
        }
        let mut expected = 1usize;
        let mut all = [Along { axis: 0, name: 0, group: 1, count: 0 }; MAX_RANK];
        for (i, along) in self.axes(nodes).enumerate() {
            let (axis, group) = given.axis(i);
            if axis != along.name() {
                let (planned, found) = (Some(Some(along.name())), Some(axis));
                return Err(ReorderError::AttributeChanged { attribute, planned, found });
            }
            if group as u64 != along.group {
                let planned = along.group as usize;
                return Err(ReorderError::AttributeGroup { attribute, axis, planned, found: group });
            }
            expected = expected.saturating_mul(along.count as usize);
            all[i] = along;
        }
        match given.len() == expected {
            true => Ok(()),
            false => Err(count_error(attribute, &all, axes, expected, given.len())),
        }
    }
}

/// The names of some axes, in the order in which the values of an attribute lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AxisNames {
    names: [u8; MAX_RANK],
    len: u8,
}

impl AxisNames {
    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = char> {
        self.names.into_iter().take(self.len.into()).map(char::from)
    }
}

impl core::fmt::Debug for AxisNames {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

const fn is_integer(dtype: DType) -> bool {
    matches!(dtype, DType::S32 | DType::S8 | DType::U8)
}

/// Whether the axes are called `a`, `b`, `c`, … in logical order, which says nothing about what they mean.
pub(in super::super) const fn is_anonymous(spec: &Spec) -> bool {
    let mut position = 0;
    while position < spec.rank() {
        match spec.axis_name(position) {
            Some(name) if name as u32 == 'a' as u32 + position as u32 => {}
            _ => return false,
        }
        position += 1;
    }
    true
}
