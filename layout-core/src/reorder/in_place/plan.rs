//! [`ReorderInPlace`]: a plan to reorder a tensor within its own memory, and how it runs.

use super::choose::{Steps, choose};
use super::error::InPlaceError;
use super::loops::{Loop, Loops, MAX_LOOPS, Places};
use super::moves::Moves;
use super::stage::{Cycles, Shuffle, Slabs, Square};
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
/// Elements of 4 bits move where those that share a byte stay together, as blocks of channels do; where they part, the plan is
/// refused.
///
/// Running a plan allocates nothing and needs at most 64 KiB of stack. It takes about twice as long as a reorder into other
/// memory, up to ten times as long where the extents have no divisors (1021 x 1031), and longer yet where their rows are
/// longer than the scratch as well, so that elements have to move one by one. A plan that is printed says how it moves.
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
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Invariants:
// 1. The places of the loops of `way`, from the lowest of `dst` on, are those of `dst`, and the same on both sides.
#[derive(Clone)]
pub struct ReorderInPlace {
    pub(super) way: Way,
    pub(super) src_dtype: DType,
    dst: Descriptor,
}

/// How places are permuted.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "a plan lives on the stack")]
pub(super) enum Way {
    /// Everything lies where it belongs.
    Nothing,
    /// In slabs that fit the scratch, which also convert.
    Slabs(Slabs),
    /// By exchange of tiles.
    Square(Square),
    /// Row by row and column by column.
    Shuffle(Shuffle),
    /// Along cycles.
    Cycles(Moves),
    /// In several steps.
    Steps(Steps),
}

impl ReorderInPlace {
    /// The plan that moves the elements of `src` to their places in `dst`, in the same memory.
    ///
    /// Axes correspond by logical position; where both sides name them, the names must agree.
    ///
    /// # Errors
    /// [`InPlaceError::Reorder`] where the two describe no tensors of the same axes and extents;
    /// [`InPlaceError::ElementSize`], [`InPlaceError::SharedBytes`], [`InPlaceError::Size`], [`InPlaceError::Padding`], [`InPlaceError::Window`],
    /// [`InPlaceError::Broadcast`], [`InPlaceError::Place`] and [`InPlaceError::Gaps`] where they do not take the same
    /// bytes in a way that keeps all data.
    pub fn new(src: &Descriptor, dst: &Descriptor) -> Result<ReorderInPlace, InPlaceError> {
        let moves = Moves::new(src, dst)?;
        let too_many = ReorderError::TooManyLoops { needed: MAX_LOOPS + 1, limit: MAX_LOOPS };
        let way = Way::new(&moves, (unit(src.dtype()), unit(dst.dtype()))).ok_or(too_many)?;
        let plan = ReorderInPlace { way, src_dtype: src.dtype(), dst: *dst };
        if plan.converts_where_they_lie() {
            let still = standing_still(dst).and_then(|loops| Slabs::new(&loops, (src.dtype(), dst.dtype())));
            still.ok_or(too_many)?;
        }
        Ok(plan)
    }

    /// The data type of the source.
    pub const fn src_dtype(&self) -> DType {
        self.src_dtype
    }

    /// The data type of the destination.
    pub const fn dst_dtype(&self) -> DType {
        self.dst.dtype()
    }

    /// Bytes that the buffer must have, from the descriptors' first byte on.
    pub const fn required_len(&self) -> usize {
        self.dst.size_bytes()
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
        if bytes.len() < self.required_len() {
            return Err(InPlaceError::BufferTooSmall { expected: self.required_len(), found: bytes.len() });
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
        if self.dst.is_empty() {
            return;
        }
        let element = self.dst.dtype().size();
        let first = self.dst.first_offset();
        let first = if self.dst.dtype().is_packed() { first / 2 } else { first * element };
        let first = bytes.wrapping_add(first);
        // What each step touches: invariant 1.
        match &self.way {
            Way::Nothing => {}
            // SAFETY: the caller's promise.
            Way::Slabs(slabs) => unsafe { slabs.run(first) },
            // SAFETY: the caller's promise.
            Way::Square(square) => unsafe { square.run(first) },
            // SAFETY: the caller's promise.
            Way::Shuffle(shuffle) => unsafe { shuffle.run(first) },
            // SAFETY: the caller's promise.
            Way::Cycles(moves) => unsafe { along_cycles(moves, element, first) },
            // SAFETY: the caller's promise.
            Way::Steps(steps) => unsafe { steps.run(unit(self.src_dtype), first) },
        }
        if self.converts_where_they_lie() {
            // SAFETY: the caller's promise.
            unsafe { convert(&self.dst, self.src_dtype, first) };
        }
        // SAFETY: the caller's promise.
        unsafe { zero_padding(&self.dst, bytes) };
    }

    /// Whether elements are converted after they have moved.
    pub(super) fn converts_where_they_lie(&self) -> bool {
        self.src_dtype != self.dst.dtype() && !matches!(self.way, Way::Slabs(_)) && !self.dst.is_empty()
    }
}

impl Way {
    /// How to do `moves`; `None` where there are too many loops.
    fn new(moves: &Moves, types: (DType, DType)) -> Option<Way> {
        let element = types.0.size();
        if moves.is_nothing() {
            return Some(Way::Nothing);
        }
        if moves.is_strided() {
            if let Some(slabs) = Slabs::new(&moves.loops, types) {
                return Some(Way::Slabs(slabs));
            }
            if let Some(square) = Square::new(&moves.loops, types.0) {
                return Some(Way::Square(square));
            }
            if let Some((steps, cost)) = choose(&moves.loops, element) {
                if let Some(shuffle) =
                    Shuffle::new(&moves.loops, element).filter(|shuffle| shuffle.cost() < cost)
                {
                    return Some(Way::Shuffle(shuffle));
                }
                if let Some(steps) = steps.filter(|steps| steps.are_possible(types.0)) {
                    return Some(Way::Steps(steps));
                }
            }
        }
        Cycles::new(moves, element).map(|_| Way::Cycles(*moves))
    }
}

impl Steps {
    /// Whether each step can be made when it is run.
    fn are_possible(&self, dtype: DType) -> bool {
        let cycles = |loops: &Option<Loops>| {
            loops.is_none_or(|loops| Cycles::new(&Moves::of(loops), dtype.size()).is_some())
        };
        let slabs =
            |loops: &Option<Loops>| loops.is_none_or(|loops| Slabs::new(&loops, (dtype, dtype)).is_some());
        cycles(&self.first) && slabs(&self.slabs) && cycles(&self.last)
    }
}

// Each of the following has its own place on the stack, which is given back before the next one needs it.

impl Steps {
    /// Takes the steps.
    ///
    /// # Safety
    /// The places of the loops can be read and written, from `first` as the lowest.
    #[inline(never)]
    unsafe fn run(&self, dtype: DType, first: *mut u8) {
        if let Some(loops) = self.first {
            // SAFETY: the caller's promise.
            unsafe { along_cycles(&Moves::of(loops), dtype.size(), first) };
        }
        if let Some(loops) = &self.slabs {
            // SAFETY: the caller's promise.
            unsafe { in_slabs(loops, (dtype, dtype), first) };
        }
        if let Some(loops) = self.last {
            // SAFETY: the caller's promise.
            unsafe { along_cycles(&Moves::of(loops), dtype.size(), first) };
        }
    }
}

/// Moves along cycles what a plan found possible to move so.
///
/// # Safety
/// The places of the moves can be read and written, from `first` as the lowest.
#[inline(never)]
unsafe fn along_cycles(moves: &Moves, element: usize, first: *mut u8) {
    if let Some(cycles) = Cycles::new(moves, element) {
        // SAFETY: the caller's promise.
        unsafe { cycles.run(first) };
    }
}

/// Moves in slabs what a plan found possible to move so.
///
/// # Safety
/// The places of the loops can be read and written, from `first` as the lowest.
#[inline(never)]
unsafe fn in_slabs(loops: &Loops, types: (DType, DType), first: *mut u8) {
    if let Some(slabs) = Slabs::new(loops, types) {
        // SAFETY: the caller's promise.
        unsafe { slabs.run(first) };
    }
}

/// Converts the elements where they lie.
///
/// # Safety
/// The places of the tensor can be read and written, from `first` as the lowest.
#[inline(never)]
unsafe fn convert(dst: &Descriptor, from: DType, first: *mut u8) {
    if let Some(loops) = standing_still(dst) {
        // SAFETY: the caller's promise.
        unsafe { in_slabs(&loops, (from, dst.dtype()), first) };
    }
}

/// The type of what is moved: of 4 bits, two elements as a byte.
pub(super) const fn unit(dtype: DType) -> DType {
    if dtype.is_packed() { DType::U8 } else { dtype }
}

/// Sets the padding to zero.
///
/// # Safety
/// The places of the tensor can be written, of 4 bits read as well, from `bytes` as the descriptor's first byte.
#[inline(never)]
unsafe fn zero_padding(dst: &Descriptor, bytes: *mut u8) {
    let element = dst.dtype().size();
    if dst.dtype().is_packed() {
        let _ = visit_padding_of(dst, &mut |offset, len| {
            for at in offset..offset + len {
                let byte = bytes.wrapping_add(at / 2);
                // SAFETY: the caller's promise, for the byte that holds the element.
                let both = unsafe { byte.read() };
                // SAFETY: as above.
                unsafe { byte.write(both & if at % 2 == 0 { 0xF0 } else { 0x0F }) };
            }
            ControlFlow::Continue(())
        });
        return;
    }
    let _ = visit_padding_of(dst, &mut |offset, len| {
        // SAFETY: the caller's promise.
        unsafe { bytes.wrapping_add(offset * element).write_bytes(0, len * element) };
        ControlFlow::Continue(())
    });
}

/// The places of a tensor as loops that move nothing; `None` where there are too many, which no plan was made for.
fn standing_still(descriptor: &Descriptor) -> Option<Loops> {
    let mut loops = Loops::EMPTY;
    let digits = descriptor.digits();
    let several = digits.iter().filter(|digit| digit.extent > 1);
    for &(n, width) in Places::of(several.map(|digit| (digit.extent, digit.stride))).steps() {
        loops.push(Loop { n, src: width as isize, dst: width as isize })?;
    }
    Some(loops)
}
