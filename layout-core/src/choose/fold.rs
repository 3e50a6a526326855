//! Chains of reorders with the needless ones folded away: A -> B -> A is nothing, A -> B -> C is A -> C, and what has the
//! same bytes is read as the other. Pure arithmetic on descriptors.

use crate::descriptor::{DType, Descriptor};
use alloc::vec::Vec;
use core::fmt;

/// A reorder that is left of a chain, by the positions of its descriptors in the chain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The source: the destination of the move before, or the start of the chain.
    pub from: usize,
    /// The destination.
    pub to: usize,
}

/// Why descriptors are no chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChainError {
    /// Two neighbours have different ranks.
    Rank {
        /// Position of the second of them.
        position: usize,
        /// Rank of the first.
        before: usize,
        /// Rank of the second.
        here: usize,
    },
    /// Two neighbours have different extents.
    Extent {
        /// Position of the second of them.
        position: usize,
        /// Name of the axis in the second.
        axis: char,
        /// Extent in the first.
        before: usize,
        /// Extent in the second.
        here: usize,
    },
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ChainError::Rank { position, before, here } => write!(
                f,
                "descriptor {position} of the chain has rank {here}, but the one before it has rank {before}: a reorder \
                 keeps the axes"
            ),
            ChainError::Extent { position, axis, before, here } => write!(
                f,
                "axis `{axis}` has extent {here} in descriptor {position} of the chain, but {before} in the one before it"
            ),
        }
    }
}
impl core::error::Error for ChainError {}

/// Whether `wide` holds every value of `narrow`.
const fn holds(wide: DType, narrow: DType) -> bool {
    use DType::{Bf16, F16, F32, F64, S8, S32, U8};
    matches!(
        (narrow, wide),
        (F64, F64)
            | (F32, F32 | F64)
            | (F16, F16 | F32 | F64)
            | (Bf16, Bf16 | F32 | F64)
            | (S32, S32 | F64)
            | (S8, S8 | S32 | F16 | Bf16 | F32 | F64)
            | (U8, U8 | S32 | F16 | Bf16 | F32 | F64)
    )
}

/// The reorders that are left of a chain: of a tensor that takes the layouts of `chain` one after another, and that is
/// wanted in the last one alone. Each begins where the one before ends, the first at `chain[0]`, and running them leaves
/// what running all of the chain would have left. Where none are left, memory of the first reads as the last. Reorders write
/// zeros to the padding of what they leave, so that this holds where the padding of `chain[0]` is zero too.
///
/// A layout in between that somebody reads ends a chain: fold before it and behind it. A conversion that loses something
/// (`f32` to `u8`) is kept where its result is converted further.
///
/// # Errors
/// [`ChainError`] where neighbours are not the same tensor.
///
/// ```
/// use layout_core::choose::{Move, fold_reorders};
/// use layout_core::descriptor::{DType, Descriptor};
///
/// let of = |dtype, format| Descriptor::new(dtype, &[1, 64, 56, 56], format);
/// let (plain, blocked) = (of(DType::F32, "nchw")?, of(DType::F32, "nChw16c")?);
/// assert_eq!(fold_reorders(&[plain, blocked, plain])?, []);
///
/// let (pixels, last) = (of(DType::U8, "nhwc")?, of(DType::F32, "nhwc")?);
/// assert_eq!(fold_reorders(&[pixels, last, plain, blocked])?, [Move { from: 0, to: 3 }]);
/// // Through bytes, values are rounded, and have to be.
/// let left = fold_reorders(&[plain, pixels, blocked])?;
/// assert_eq!(left, [Move { from: 0, to: 1 }, Move { from: 1, to: 2 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fold_reorders(chain: &[Descriptor]) -> Result<Vec<Move>, ChainError> {
    let mut left: Vec<Move> = Vec::new();
    for (before, pair) in chain.windows(2).enumerate() {
        check(before + 1, &pair[0], &pair[1])?;
        // Memory that was left there reads as `pair[0]`.
        let mut next = Move { from: left.last().map_or(0, |last| last.to), to: before + 1 };
        // What ends where the next move begins and loses nothing on the way goes straight to where that one ends.
        while let Some(last) = left.last().copied()
            && (holds(chain[last.to].dtype(), chain[last.from].dtype())
                || chain[next.from].dtype() == chain[next.to].dtype())
        {
            left.pop();
            next.from = last.from;
        }
        if !chain[next.from].same_memory(&chain[next.to]) {
            left.push(next);
        }
    }
    Ok(left)
}

fn check(position: usize, before: &Descriptor, here: &Descriptor) -> Result<(), ChainError> {
    if before.rank() != here.rank() {
        return Err(ChainError::Rank { position, before: before.rank(), here: here.rank() });
    }
    for (axis, (&before, &extent)) in before.dims().iter().zip(here.dims()).enumerate() {
        if before != extent {
            let axis = here.spec().axis_name(axis).unwrap_or('?');
            return Err(ChainError::Extent { position, axis, before, here: extent });
        }
    }
    Ok(())
}
