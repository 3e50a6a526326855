//! [`Roles`]: what a plan keeps of its attributes, which of them there are and which axis each follows. Made from
//! descriptors and attributes before the problem is simplified; holds no values.

use super::super::ReorderError;
use super::{Attribute, Attributes, Given};
use crate::descriptor::{DType, Descriptor};
use crate::grammar::{MAX_RANK, Spec};

/// The role of each attribute, in the order of [`Attribute`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Roles([Role; 4]);

/// What an attribute does in a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Absent,
    /// One value for all elements.
    Common,
    /// A value for each index of the axis called `name`: `axis` is its logical position, and in a plan the tail axis.
    Axis {
        axis: u8,
        name: u8,
    },
    /// The same for an axis of which the plan has no loop: its only index is 0, or the tensor is empty.
    Nowhere {
        name: u8,
    },
}

impl Roles {
    /// No attribute.
    pub(in super::super) const NONE: Roles = Roles([Role::Absent; 4]);

    /// What `attributes` mean for a reorder from `src` to `dst`, which describe the same tensor.
    pub(in super::super) const fn new(
        attributes: &Attributes<'_>,
        src: &Descriptor,
        dst: &Descriptor,
    ) -> Result<Roles, ReorderError> {
        let names = if is_anonymous(src.spec()) { dst.spec() } else { src.spec() };
        let mut roles = Roles::NONE;
        let mut k = 0;
        while k < 4 {
            let attribute = Attribute::ALL[k];
            let dtype = match attribute {
                Attribute::SrcZeroPoint | Attribute::SrcScale => src.dtype(),
                _ => dst.dtype(),
            };
            let along = match attributes.given[k] {
                None => {
                    k += 1;
                    continue;
                }
                Some(Given::S32(_)) if !is_integer(dtype) => {
                    return Err(ReorderError::AttributeType { attribute, dtype });
                }
                Some(Given::S32(values)) => values.axis(),
                Some(Given::F32(values)) => values.axis(),
            };
            roles.0[k] = match along {
                None => Role::Common,
                Some((name, found)) => {
                    let Some(position) = names.axis_named(name) else {
                        return Err(ReorderError::AttributeAxis { attribute, axis: name });
                    };
                    let extent = src.dims()[position];
                    if extent != found {
                        return Err(ReorderError::AttributeCount { attribute, axis: name, extent, found });
                    }
                    // Names of axes are ASCII letters, and there are no more axes than a byte counts.
                    Role::Axis { axis: position as u8, name: name as u8 }
                }
            };
            k += 1;
        }
        Ok(roles)
    }

    /// Whether there is any attribute.
    pub(in super::super) const fn any(&self) -> bool {
        let mut k = 0;
        while k < 4 {
            if !matches!(self.0[k], Role::Absent) {
                return true;
            }
            k += 1;
        }
        false
    }

    /// Whether some attribute follows the axis at logical position `position`.
    pub(in super::super) const fn follow(&self, position: usize) -> bool {
        let mut k = 0;
        while k < 4 {
            if let Role::Axis { axis, .. } = self.0[k]
                && axis as usize == position
            {
                return true;
            }
            k += 1;
        }
        false
    }

    /// The same with tail axes in place of logical positions: those at `positions`, of which the first `len` count.
    pub(in super::super) const fn among(mut self, positions: &[u8; MAX_RANK], len: usize) -> Roles {
        let mut k = 0;
        while k < 4 {
            if let Role::Axis { axis, name } = self.0[k] {
                // An axis with loops that is followed is a tail axis.
                self.0[k] = Role::Nowhere { name };
                let mut t = 0;
                while t < len {
                    if positions[t] == axis {
                        self.0[k] = Role::Axis { axis: t as u8, name };
                    }
                    t += 1;
                }
            }
            k += 1;
        }
        self
    }

    /// What there is: each attribute, and the axis that it follows if it does.
    pub(in super::super) fn iter(&self) -> impl Iterator<Item = (Attribute, Option<char>)> {
        let present = |(attribute, role): (Attribute, Role)| match role {
            Role::Absent => None,
            _ => Some((attribute, role.name())),
        };
        Attribute::ALL.into_iter().zip(self.0).filter_map(present)
    }

    pub(super) const fn get(&self, k: usize) -> Role {
        self.0[k]
    }
}

impl Role {
    /// The axis, where there is a value for each of its indices.
    pub(super) const fn name(self) -> Option<char> {
        match self {
            Role::Absent | Role::Common => None,
            Role::Axis { name, .. } | Role::Nowhere { name } => Some(name as char),
        }
    }
}

const fn is_integer(dtype: DType) -> bool {
    matches!(dtype, DType::S32 | DType::S8 | DType::U8 | DType::S4 | DType::U4)
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
