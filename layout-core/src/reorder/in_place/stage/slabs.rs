//! [`Slabs`]: whatever fits the scratch is permuted through it: one reorder takes it out as it lies, a second one puts it back
//! in its new order, and converts it on the way.

use super::{Outer, SCRATCH, Scratch, Side, strided};
use crate::descriptor::DType;
use crate::reorder::Reorder;
use crate::reorder::in_place::loops::{Loop, Loops};

/// Bytes of a line of the caches.
pub(super) const LINE: usize = 64;

/// Bytes of a slab that is made of several: with what it is moved to it should stay in the cache next to the processor.
const SLAB: usize = 16 << 10;

/// Bytes of a small slab.
const SMALL: usize = 4 << 10;

/// A permutation of stretches that fit the scratch.
#[derive(Clone)]
pub(in super::super) struct Slabs {
    /// The loops around a slab.
    outer: Outer,
    /// The loops of a slab, for the shorter one at the end of `chunks`.
    inside: Loops,
    /// Which of these loops is cut into so many slabs, so many bytes apart, with so many values left over.
    cut: usize,
    chunks: usize,
    chunk_width: isize,
    left_over: usize,
    types: (DType, DType),
    out: Reorder,
    back: Reorder,
}

/// The reorders out of memory into the scratch, and back. What making them takes of the stack is given back.
#[inline(never)]
fn plans(inside: &Loops, types: (DType, DType)) -> Option<(Reorder, Reorder)> {
    let (from, to) = (strided(types.0, inside, Side::Src)?, strided(types.1, inside, Side::Dst)?);
    let between = strided(types.0, inside, Side::Dense)?;
    Some((Reorder::new(&from, &between).ok()?, Reorder::new(&between, &to).ok()?))
}

impl Slabs {
    /// `loops` in slabs; `None` where those that are not shared do not fit the scratch, or a stride is negative. Where types
    /// are converted the scratch is smaller, since reorders that convert take more of the stack.
    #[inline(never)]
    pub(in super::super) fn new(loops: &Loops, types: (DType, DType)) -> Option<Slabs> {
        let element = types.0.size();
        let (most, aim) = if types.0 == types.1 { (SCRATCH, SLAB) } else { (SMALL, SMALL) };
        let (mut shared, mut inside) = loops.shared_and_others();
        let mut bytes = element.checked_mul(inside.count())?;
        if bytes > most {
            return None;
        }
        // Small steps first, so that a slab is one stretch of memory where that is possible.
        shared.sort();
        let (mut chunks, mut cut_width, mut left_over) = (1, 0, 0);
        while let Some(&Loop { n, src, .. }) = shared.first() {
            let mut fits = (aim / bytes).min(n);
            // Of what moves together there has to be a line, or it is moved whole by `cycles`.
            if src == 1 && fits < n && fits * element < LINE {
                fits = (most / bytes).min(n);
                if fits < n && fits * element < LINE {
                    return None;
                }
            }
            if fits < 2 {
                break;
            }
            shared.remove(0);
            // Nearly equal slabs.
            let pieces = n.div_ceil(fits);
            let size = n.div_ceil(pieces);
            inside.push(Loop { n: size, src, dst: src })?;
            bytes *= size;
            if pieces > 1 {
                (chunks, left_over, cut_width) = (n / size, n % size, src);
                break;
            }
        }
        inside.sort();
        let cut = inside.iter().position(|node| node.src == cut_width).unwrap_or(0);
        let chunk_width = if cut_width == 0 { 0 } else { cut_width * inside[cut].n as isize };
        let (out, back) = plans(&inside, types)?;
        let chunk_width = chunk_width * element as isize;
        Some(Slabs {
            outer: Outer::new(&shared, element),
            inside,
            cut,
            chunks,
            chunk_width,
            left_over,
            types,
            out,
            back,
        })
    }

    /// Bytes of a slab.
    pub(in super::super) fn bytes(&self) -> usize {
        self.inside.count() * self.types.0.size()
    }

    /// How many slabs there are.
    pub(in super::super) fn count(&self) -> usize {
        self.outer.count() * (self.chunks + usize::from(self.left_over > 0))
    }

    /// Permutes the elements from `first` on.
    ///
    /// # Safety
    /// The places of both sides of the loops can be read and written, from `first` as the lowest.
    #[inline(never)]
    pub(in super::super) unsafe fn run(&self, first: *mut u8) {
        let rest = if self.left_over > 0 {
            let mut inside = self.inside;
            inside[self.cut].n = self.left_over;
            plans(&inside, self.types)
        } else {
            None
        };
        if self.bytes() <= SMALL {
            // SAFETY: the caller's promise.
            unsafe { self.run_with::<SMALL>(first, rest.as_ref()) };
        } else {
            // SAFETY: the caller's promise.
            unsafe { self.run_with::<SCRATCH>(first, rest.as_ref()) };
        }
    }

    /// [`Slabs::run`] with a scratch of so many bytes, at least a slab's, and the plans for what is left over. Apart from it, so that the scratch is not on the stack while
    /// plans are made.
    ///
    /// # Safety
    /// That of [`Slabs::run`].
    #[inline(never)]
    unsafe fn run_with<const BYTES: usize>(&self, first: *mut u8, rest: Option<&(Reorder, Reorder)>) {
        let mut scratch = Scratch::<BYTES>::new();
        let scratch = scratch.ptr();
        self.outer.for_each(|distance| {
            let mut at = first.wrapping_offset(distance);
            for _ in 0..self.chunks {
                // SAFETY: the slab's places are among those of the loops, and its other side's are the same; the scratch
                // is as large as a slab and no part of it.
                unsafe { through(&self.out, &self.back, at, scratch) };
                at = at.wrapping_offset(self.chunk_width);
            }
            if let Some((out, back)) = rest {
                // SAFETY: as above, with a smaller slab.
                unsafe { through(out, back, at, scratch) };
            }
        });
    }
}

/// Permutes one slab.
///
/// # Safety
/// `at` is the lowest of places that both plans reach, and `scratch` has room for as many elements.
#[inline(always)]
unsafe fn through(out: &Reorder, back: &Reorder, at: *mut u8, scratch: *mut u8) {
    // SAFETY: the caller's promise; the scratch lies apart.
    unsafe { out.run_ptr(at, scratch) };
    // SAFETY: as above; what is read was written by the first reorder.
    unsafe { back.run_ptr(scratch, at) };
}
