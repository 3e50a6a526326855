//! The ways to permute the places of one piece of memory, most of which read and write it once:
//!
//! * `slabs`: stretches that fit the scratch are moved out of the way and back in their new order, by two ordinary reorders.
//! * `square`: tiles of a square matrix change places with those beyond the diagonal.
//! * `cycles`: stretches that stay together are moved one after the other to where the next one comes from.
//! * `shuffle`: matrices whose extents have no divisors are transposed row by row and column by column.
//!
//! All of them repeat themselves over the loops that take the same steps on both sides.

mod cycles;
mod permutation;
mod shuffle;
mod slabs;
mod square;

pub(super) use cycles::Cycles;
pub(super) use shuffle::Shuffle;
pub(super) use slabs::Slabs;
pub(super) use square::Square;

use super::loops::{List, Loops};
use crate::descriptor::{DType, Descriptor};
use crate::grammar::MAX_RANK;
use core::mem::MaybeUninit;

/// Bytes on the stack that a slab may take; what reorders need themselves comes on top.
pub(super) const SCRATCH: usize = 28 << 10;

/// Memory on the stack, for data on its way.
#[repr(C, align(64))]
struct Scratch<const BYTES: usize>([MaybeUninit<u8>; BYTES]);

impl<const BYTES: usize> Scratch<BYTES> {
    const fn new() -> Scratch<BYTES> {
        Scratch([MaybeUninit::uninit(); BYTES])
    }

    fn ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Loops that take the same steps on both sides: number and bytes of the steps, the widest first.
#[derive(Clone, Copy)]
pub(super) struct Outer(List<(usize, isize)>);

impl Outer {
    /// The given loops, which are shared.
    fn new(loops: &Loops, element: usize) -> Outer {
        let mut steps = List::new((1, 0));
        for node in loops.iter() {
            // As many as there are loops.
            let _ = steps.push((node.n, node.src * element as isize));
        }
        steps.sort_unstable_by_key(|&(_, width)| core::cmp::Reverse(width));
        Outer(steps)
    }

    /// Number of combinations.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|&(n, _)| n).product()
    }

    /// Calls `visit` with the distance of every combination, in bytes.
    #[inline(always)]
    fn for_each(&self, mut visit: impl FnMut(isize)) {
        let mut values = [0; super::loops::MAX_LOOPS];
        let mut at = 0;
        loop {
            visit(at);
            // The next combination, the narrowest steps first.
            let mut i = self.0.len();
            loop {
                if i == 0 {
                    return;
                }
                i -= 1;
                let (n, width) = self.0[i];
                values[i] += 1;
                at += width;
                if values[i] < n {
                    break;
                }
                at -= width * n as isize;
                values[i] = 0;
            }
        }
    }
}

/// Which strides of loops a descriptor takes.
#[derive(Clone, Copy)]
enum Side {
    Src,
    Dst,
    /// Densely, in the order of the source.
    Dense,
}

/// The descriptor of elements of type `dtype` at the places of one side of `loops`, an axis a loop, which are sorted; `None`
/// where no descriptor has as many axes, or a stride is negative.
fn strided(dtype: DType, loops: &Loops, side: Side) -> Option<Descriptor> {
    let mut dims: List<usize, MAX_RANK> = List::new(0);
    let mut strides: List<isize, MAX_RANK> = List::new(0);
    let mut dense = 1;
    for node in loops.iter() {
        dims.push(node.n)?;
        strides.push(match side {
            Side::Src => node.src,
            Side::Dst => node.dst,
            Side::Dense => dense,
        })?;
        dense *= node.n as isize;
    }
    Descriptor::from_strides(dtype, &dims, &strides).ok()
}
