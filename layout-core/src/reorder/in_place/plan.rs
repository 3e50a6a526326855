//! [`ReorderInPlace`]: a plan to reorder a tensor within its own memory, and how it runs.

use super::choose::choose;
use super::error::InPlaceError;
use super::loops::{Loop, Loops, MAX_LOOPS};
use super::moves::Moves;
use super::stage::{Cycles, Slabs, Square};
use crate::descriptor::{DType, Descriptor};
use crate::reorder::ReorderError;
use crate::view::visit_padding_of;
use core::ops::ControlFlow;

/// A plan that gives a tensor another layout within its own memory.
///
/// Both layouts have to take the same bytes: the same padded extents, without gaps or with the same ones. Whatever would
/// lose data is refused when the plan is made, with the reason and the numbers. The result is that of
/// [`Reorder`](crate::reorder::Reorder) into other memory: data converted to a type of the same size, and padding zero.
///
/// Running a plan allocates nothing; it needs at most 64 KiB of stack. It takes longer than a reorder into other memory, by
/// a factor of two or three where blocks, square matrices or long rows move, and much longer where neither extent of a
/// matrix has divisors (4093 x 4099), so that elements have to move one by one.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::{InPlaceError, ReorderInPlace};
///
/// let rows = Descriptor::new(DType::U8, &[2, 3], "ab")?;
/// let columns = Descriptor::new(DType::U8, &[2, 3], "ba")?;
/// let plan = ReorderInPlace::new(&rows, &columns)?;
/// let mut matrix = [1, 2, 3, 4, 5, 6];
/// plan.run(&mut matrix)?;
/// assert_eq!(matrix, [1, 4, 2, 5, 3, 6]);
///
/// let padded = Descriptor::new(DType::U8, &[2, 3], "aB4b")?;
/// let refused = ReorderInPlace::new(&rows, &padded).unwrap_err();
/// assert_eq!(refused, InPlaceError::Size { src: 6, dst: 8 });
/// # Ok::<(), InPlaceError>(())
/// ```
// Invariants:
// 1. The places of the steps' loops, from `first` as the lowest, lie within the first `len` bytes. They are the same on both
//    sides of every step.
// 2. `padding` describes memory of `len` bytes.
#[derive(Clone)]
pub struct ReorderInPlace {
    pub(super) way: Way,
    /// Elements at their new places, where these are still to be converted.
    convert: Option<Loops>,
    pub(super) src_dtype: DType,
    pub(super) dst_dtype: DType,
    /// The destination, where it has padding to be set to zero.
    padding: Option<Descriptor>,
    /// The lowest place, in bytes.
    first: usize,
    len: usize,
}

/// How places are permuted.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "a plan lives on the stack")]
pub(super) enum Way {
    /// Everything lies where it belongs.
    Nothing,
    /// In slabs that fit the scratch.
    Slabs(Slabs),
    /// By exchange of tiles.
    Square(Square),
    /// Along cycles.
    Cycles(Cycles),
    /// Cycles, slabs, and cycles.
    Steps { first: Option<Cycles>, slabs: Option<Slabs>, last: Option<Cycles> },
}

impl ReorderInPlace {
    /// The plan that moves the elements of `src` to their places in `dst`, in the same memory.
    ///
    /// Axes correspond by logical position; where both sides name them, the names must agree.
    ///
    /// # Errors
    /// [`InPlaceError::Reorder`] where the two describe no tensors of the same axes and extents;
    /// [`InPlaceError::ElementSize`], [`InPlaceError::Size`], [`InPlaceError::Padding`], [`InPlaceError::Window`],
    /// [`InPlaceError::Broadcast`], [`InPlaceError::Place`] and [`InPlaceError::Gaps`] where they do not take the same
    /// bytes in a way that keeps all data.
    pub fn new(src: &Descriptor, dst: &Descriptor) -> Result<ReorderInPlace, InPlaceError> {
        let moves = Moves::new(src, dst)?;
        let element = dst.dtype().size();
        let types = (src.dtype(), dst.dtype());
        let mut converts = types.0 != types.1 && !dst.is_empty();
        let way = if is_nothing(&moves) {
            Way::Nothing
        } else if let Some(slabs) = one_pass(&moves, types) {
            converts = false;
            Way::Slabs(slabs)
        } else {
            way(&moves, types.0, element)
                .ok_or(ReorderError::TooManyLoops { needed: MAX_LOOPS + 1, limit: MAX_LOOPS })?
        };
        Ok(ReorderInPlace {
            way,
            convert: if converts { Some(standing_still(&moves)?) } else { None },
            src_dtype: types.0,
            dst_dtype: types.1,
            padding: (dst.padded_len() > dst.logical_len()).then_some(*dst),
            first: moves.first * element,
            len: dst.size_bytes(),
        })
    }

    /// The data type of the source.
    pub const fn src_dtype(&self) -> DType {
        self.src_dtype
    }

    /// The data type of the destination.
    pub const fn dst_dtype(&self) -> DType {
        self.dst_dtype
    }

    /// Bytes that the buffer must have, from the descriptors' first byte on.
    pub const fn required_len(&self) -> usize {
        self.len
    }

    /// Whether every element lies where it belongs already.
    pub const fn moves_nothing(&self) -> bool {
        matches!(self.way, Way::Nothing)
    }

    /// Reorders the tensor in `bytes`, which begin with the first byte that the descriptors cover, may be longer than
    /// needed, and need no alignment.
    ///
    /// # Errors
    /// [`InPlaceError::BufferTooSmall`] with both lengths in bytes; then nothing was written.
    pub fn run(&self, bytes: &mut [u8]) -> Result<(), InPlaceError> {
        if bytes.len() < self.len {
            return Err(InPlaceError::BufferTooSmall { expected: self.len, found: bytes.len() });
        }
        // SAFETY: the bytes are as many as the plan says, and borrowed exclusively.
        unsafe { self.run_ptr(bytes.as_mut_ptr()) };
        Ok(())
    }

    /// [`ReorderInPlace::run`] for memory that is known by a pointer.
    ///
    /// # Safety
    /// The elements and the padding of the tensor can be read and written, from `bytes` as the descriptors' first byte; they
    /// lie within [`ReorderInPlace::required_len`] bytes. All of them are initialised, padding included.
    pub unsafe fn run_ptr(&self, bytes: *mut u8) {
        let first = bytes.wrapping_add(self.first);
        // What each step touches: invariant 1.
        match &self.way {
            Way::Nothing => {}
            // SAFETY: the caller's promise.
            Way::Slabs(slabs) => unsafe { slabs.run(first) },
            // SAFETY: the caller's promise.
            Way::Square(square) => unsafe { square.run(first) },
            // SAFETY: the caller's promise.
            Way::Cycles(cycles) => unsafe { cycles.run(first) },
            Way::Steps { first: cycles, slabs, last } => {
                if let Some(cycles) = cycles {
                    // SAFETY: the caller's promise.
                    unsafe { cycles.run(first) };
                }
                if let Some(slabs) = slabs {
                    // SAFETY: the caller's promise.
                    unsafe { slabs.run(first) };
                }
                if let Some(cycles) = last {
                    // SAFETY: the caller's promise.
                    unsafe { cycles.run(first) };
                }
            }
        }
        if let Some(slabs) = self.conversion() {
            // SAFETY: the caller's promise.
            unsafe { slabs.run(first) };
        }
        if let Some(dst) = &self.padding {
            let element = dst.dtype().size();
            let _ = visit_padding_of(dst, &mut |offset, len| {
                // SAFETY: the caller's promise and invariant 2.
                unsafe { bytes.wrapping_add(offset * element).write_bytes(0, len * element) };
                ControlFlow::Continue(())
            });
        }
    }

    /// The elements converted where they lie; their places were looked at when the plan was made.
    fn conversion(&self) -> Option<Slabs> {
        Slabs::new(self.convert.as_ref()?, (self.src_dtype, self.dst_dtype))
    }
}

fn is_nothing(moves: &Moves) -> bool {
    moves.loops.iter().all(Loop::is_shared) && moves.src_pieces.is_empty() && moves.dst_pieces.is_empty()
}

/// Slabs, where all that moves fits one.
fn one_pass(moves: &Moves, types: (DType, DType)) -> Option<Slabs> {
    if !moves.src_pieces.is_empty() || !moves.dst_pieces.is_empty() {
        return None;
    }
    Slabs::new(&moves.loops, types)
}

/// How to permute what is too large for the scratch; `None` where there are too many loops.
fn way(moves: &Moves, dtype: DType, element: usize) -> Option<Way> {
    let along_cycles = |loops: &Loops| Cycles::new(loops, &[], &[], element);
    if moves.src_pieces.is_empty() && moves.dst_pieces.is_empty() {
        if let Some(square) = Square::new(&moves.loops, dtype) {
            return Some(Way::Square(square));
        }
        if let Some(steps) = choose(&moves.loops, element) {
            let slabs = steps.slabs.as_ref().map(|loops| Slabs::new(loops, (dtype, dtype)));
            let first = steps.first.as_ref().map(along_cycles);
            let last = steps.last.as_ref().map(along_cycles);
            // `None` inside is a step that cannot be had.
            if !matches!(slabs, Some(None)) && !matches!(first, Some(None)) && !matches!(last, Some(None)) {
                return Some(Way::Steps {
                    first: first.flatten(),
                    slabs: slabs.flatten(),
                    last: last.flatten(),
                });
            }
        }
    }
    Cycles::new(&moves.loops, &moves.src_pieces, &moves.dst_pieces, element).map(Way::Cycles)
}

/// The places of the tensor as loops that move nothing.
fn standing_still(moves: &Moves) -> Result<Loops, InPlaceError> {
    let mut loops = Loops::EMPTY;
    for &(n, width) in moves.all_places().steps() {
        let node = Loop { n, src: width as isize, dst: width as isize };
        loops.push(node).ok_or(ReorderError::TooManyLoops { needed: MAX_LOOPS + 1, limit: MAX_LOOPS })?;
    }
    Ok(loops)
}
