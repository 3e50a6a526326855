//! What a cached plan is found by: everything that the plan follows from, compared in full, and a hash that says where to
//! look. Made by the ways in (`typed`, `described`, `PlanCache::plan`); `PlanCache` compares and stores it.

use super::super::{Attributes, ReorderOptions};
use crate::descriptor::Descriptor;
use alloc::boxed::Box;
use core::any::TypeId;
use core::hash::{Hash, Hasher};

/// What a plan is asked for.
#[derive(Clone, Copy)]
pub(in crate::reorder) struct Key<'a> {
    pub(in crate::reorder) operands: Operands<'a>,
    pub(in crate::reorder) options: ReorderOptions,
    /// Of which the plan follows from the axes, not from the values.
    pub(in crate::reorder) attributes: Option<&'a Attributes<'a>>,
}

/// The two sides of a reorder.
#[derive(Clone, Copy)]
pub(in crate::reorder) enum Operands<'a> {
    Described { src: &'a Descriptor, dst: &'a Descriptor },
    Typed(Typed<'a>),
}

/// Two views of the same extents. Their descriptors follow from this.
#[derive(Clone, Copy)]
pub(in crate::reorder) struct Typed<'a> {
    /// Layout and element type of both.
    pub(in crate::reorder) types: TypeId,
    pub(in crate::reorder) dims: &'a [usize],
    /// By digit; `None` where the type says that memory is dense.
    pub(in crate::reorder) src: Option<&'a [isize]>,
    pub(in crate::reorder) dst: Option<&'a [isize]>,
}

/// A [`Key`] that is kept.
pub(super) struct Stored {
    operands: StoredOperands,
    options: ReorderOptions,
    attributes: Box<[u64]>,
}

enum StoredOperands {
    Described(Box<[Descriptor; 2]>),
    Typed { types: TypeId, dims: Box<[usize]>, src: Option<Box<[isize]>>, dst: Option<Box<[isize]>> },
}

impl Key<'_> {
    /// Equal for equal keys.
    pub(super) fn hash(&self) -> u64 {
        let mut hash = Turning(0);
        self.options.hash(&mut hash);
        if let Some(attributes) = self.attributes {
            attributes.outline().for_each(|word| hash.write_u64(word));
        }
        match self.operands {
            Operands::Described { src, dst } => {
                src.hash(&mut hash);
                dst.hash(&mut hash);
            }
            Operands::Typed(Typed { types, dims, src, dst }) => {
                types.hash(&mut hash);
                dims.iter().for_each(|&dim| hash.write_usize(dim));
                for strides in [src, dst].into_iter().flatten() {
                    strides.iter().for_each(|&stride| hash.write_isize(stride));
                }
            }
        }
        hash.finish()
    }

    /// Whether `stored` is this key. Plans of the same key are the same.
    pub(super) fn is(&self, stored: &Stored) -> bool {
        self.options == stored.options
            && match self.attributes {
                None => stored.attributes.is_empty(),
                Some(attributes) => attributes.outline().eq(stored.attributes.iter().copied()),
            }
            && match (self.operands, &stored.operands) {
                (Operands::Described { src, dst }, StoredOperands::Described(stored)) => {
                    let [stored_src, stored_dst] = &**stored;
                    src == stored_src && dst == stored_dst
                }
                (Operands::Typed(key), StoredOperands::Typed { types, dims, src, dst }) => {
                    key.types == *types
                        && key.dims == &**dims
                        && key.src == src.as_deref()
                        && key.dst == dst.as_deref()
                }
                _ => false,
            }
    }

    pub(super) fn to_stored(self) -> Stored {
        let operands = match self.operands {
            Operands::Described { src, dst } => StoredOperands::Described(Box::new([*src, *dst])),
            Operands::Typed(Typed { types, dims, src, dst }) => StoredOperands::Typed {
                types,
                dims: dims.into(),
                src: src.map(Box::from),
                dst: dst.map(Box::from),
            },
        };
        let attributes =
            self.attributes.map_or_else(Box::default, |attributes| attributes.outline().collect());
        Stored { operands, options: self.options, attributes }
    }
}

/// A hash for tables alone, of a few dozen words: each is added to the others, turned. Unlike hashes that multiply for each
/// word, none waits long for the one before. Who wants collisions can have them; they cost time, never a wrong plan.
struct Turning(u64);

impl Hasher for Turning {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        // 13 and 64 have no common divisor: 64 words pass before one meets another unturned.
        self.0 = self.0.rotate_left(13).wrapping_add(word);
    }
    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    #[inline]
    fn finish(&self) -> u64 {
        let product = u128::from(self.0) * 0x9E37_79B9_7F4A_7C15;
        (product >> 64) as u64 ^ product as u64
    }
}
