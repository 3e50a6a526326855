//! [`Roles`]: which attributes a plan has and which axes each follows, with the axes in notes of its list of loops. Holds no values.
//! [`Wanted`] is what attributes ask of the loops before there are any.

mod wanted;

pub(in super::super) use wanted::Wanted;

use super::super::ReorderError;
use super::super::problem::{Node, Nodes};
use super::{Attribute, Attributes};
use crate::descriptor::DType;
use crate::grammar::{MAX_RANK, Spec};
use crate::kernels::convert::Rounding;

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
        // Numbers of indices, as extents: of an empty tensor perhaps more than isize holds, so that they wrap, and back.
        Node { n: self.group, src: self.count as isize, dst: (self.axis as isize) << 8 | self.name as isize }
    }

    const fn of_note(note: Node) -> Along {
        Along {
            axis: (note.dst >> 8) as u8,
            name: note.dst as u8,
            group: note.n,
            count: note.src as usize as u64,
        }
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
    /// How the last conversion rounds, as its [code](Rounding::code); nearest even where nothing can be lost.
    rounding: u8,
    /// All axes, for rounding by chance.
    position: Role,
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

/// `rounding`, or the default where the conversion from `src` to `dst`, with arithmetic in f32 or without, loses nothing that
/// could be rounded.
pub(in super::super) const fn that_matters(
    rounding: Rounding,
    [src, dst]: [DType; 2],
    is_arithmetic: bool,
) -> Rounding {
    let loses = match dst {
        DType::F64 | DType::Boolean => false,
        DType::F32 => !is_arithmetic && matches!(src, DType::F64 | DType::S32),
        _ => is_arithmetic || src as u8 != dst as u8 && !(is_integer(src) && is_integer(dst)),
    };
    if loses { rounding } else { Rounding::NearestEven }
}

const fn is_integer(dtype: DType) -> bool {
    matches!(dtype, DType::S32 | DType::S8 | DType::U8 | DType::S4 | DType::U4)
}

impl Roles {
    /// No attribute.
    pub(in super::super) const NONE: Roles = Roles {
        roles: [Role::Absent; 4],
        accumulates: false,
        rounding: Rounding::NearestEven.code() as u8,
        position: Role::Absent,
    };

    /// Whether there is any attribute.
    pub(in super::super) const fn any(&self) -> bool {
        let mut k = 0;
        while k < 4 {
            if !matches!(self.roles[k], Role::Absent) {
                return true;
            }
            k += 1;
        }
        self.accumulates || self.rounding != 0
    }

    /// Whether any attribute has values along axes.
    pub(in super::super) fn follow_axes(&self) -> bool {
        self.roles.iter().any(|role| matches!(role, Role::Axes { .. }))
    }

    /// How the last conversion rounds, with seed 0.
    pub(in super::super) const fn rounding(&self) -> Rounding {
        Rounding::of_code(self.rounding)
    }

    /// What the position of an element in logical order follows, where chance does.
    pub(super) const fn position(&self) -> Role {
        self.position
    }

    /// Refuses to round otherwise than planned in a run from `src` to `dst`.
    pub(super) fn check_rounding(&self, found: Rounding, [src, dst]: [DType; 2]) -> Result<(), ReorderError> {
        let planned = self.rounding();
        let is_arithmetic = Roles { rounding: 0, ..*self }.any();
        match u64::from(self.rounding) == that_matters(found, [src, dst], is_arithmetic).code() {
            true => Ok(()),
            false => Err(ReorderError::Rounding { planned, found }),
        }
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
            let mut planned = AxisNames { names: [0; MAX_RANK], len };
            for (name, along) in planned.names.iter_mut().zip(self.axes(nodes)) {
                *name = along.name;
            }
            return Err(ReorderError::AttributeAxesChanged { attribute, planned, found: axes });
        }
        let mut expected = 1usize;
        let mut all = [Along { axis: 0, name: 0, group: 1, count: 0 }; MAX_RANK];
        for (i, along) in self.axes(nodes).enumerate() {
            let (axis, group) = given.axis(i);
            if axis != along.name() {
                let (planned, found) = (Some(Some(along.name())), Some(axis));
                return Err(ReorderError::AttributeChanged { attribute, planned, found });
            }
            // Of one value all groups are the same that hold the whole axis.
            let is_same = match along.count {
                0 | 1 => group as u64 >= along.group,
                _ => group as u64 == along.group,
            };
            if !is_same {
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

/// The names of some axes: in the order in which the values of an attribute lie, or in logical order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AxisNames {
    names: [u8; MAX_RANK],
    len: u8,
}

impl AxisNames {
    /// All axes of a layout.
    pub(super) const fn of(spec: &Spec) -> AxisNames {
        let mut axes = AxisNames { names: [0; MAX_RANK], len: spec.rank() as u8 };
        let mut position = 0;
        while position < spec.rank() {
            if let Some(name) = spec.axis_name(position) {
                axes.names[position] = name as u8;
            }
            position += 1;
        }
        axes
    }

    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = char> {
        self.names.into_iter().take(self.len.into()).map(char::from)
    }
}

impl core::fmt::Display for AxisNames {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.len == 0 {
            return f.write_str("no axes");
        }
        for (i, axis) in self.iter().enumerate() {
            write!(f, "{}`{axis}`", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::fmt::Debug for AxisNames {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
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
