//! [`Reorder`]: a plan, ready to run as often as wanted. Made from two descriptors; `run` walks it.
//! Everything up to the finished plan is `const fn`; nothing here touches memory.

mod arrange;
mod display;
mod halve;
mod lines;
mod order;
mod steps;
mod ways;

use super::attributes::{Attributes, Roles};
use super::problem::{Nodes, Problem};
use super::simplify::simplify;
use super::{ReorderError, Stores};
use crate::descriptor::{DType, Descriptor};
use crate::grammar::MAX_RANK;
use crate::kernels::{Kernel, Packing, sum_kernel};
use arrange::arrange;
pub(super) use arrange::format;
pub(super) use halve::halve;
pub(super) use lines::{CUT, LEVELS, Line, NO_AXIS, OfAxis};
use ways::Units;
pub use ways::{Way, WayError};

/// Loops and pieces of segment tables that a plan holds.
pub(super) const MAX_LOOPS: usize = 26;

/// The three innermost loops, which belong to the kernel: `z`, `y`, `x`.
pub(super) const TILE_LOOPS: usize = 3;

/// Which loops the kernel runs on a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// One contiguous run on both sides.
    Stream,
    /// Runs that are contiguous on both sides.
    Rows,
    /// The contiguous loops of the two sides cross.
    Transpose,
    /// At least one side is contiguous along no loop of the tile.
    Strided,
}

/// The axes that some box covers in part, because they have padding or loops that count further than the axis.
/// An array for each field: this is half of what a plan weighs.
#[derive(Clone, Copy)]
pub(super) struct Tails {
    pub(super) len: u8,
    /// The loops of all these axes, one axis after the other, lowest first.
    pub(super) levels: [u8; MAX_LOOPS],
    /// Where the loops of an axis end in `levels`.
    pub(super) end: [u8; MAX_RANK],
    /// The note of an axis whose places do not simply start with data, or whose first loop is skewed: where its places
    /// (`n`) and its data (`src`) begin.
    pub(super) window: [u8; MAX_RANK],
    /// Places below this hold data, from 0 or where the window's data begins.
    pub(super) dim: [u64; MAX_RANK],
    /// Places from `dim` up to this are padding, written with zero.
    pub(super) padded: [u64; MAX_RANK],
}

impl Tails {
    /// Where an axis has no note.
    pub(super) const NO_WINDOW: u8 = u8::MAX;

    /// The loops of tail axis `t`, lowest first.
    pub(super) fn levels(&self, t: usize) -> &[u8] {
        let first = if t == 0 { 0 } else { self.end[t - 1] };
        &self.levels[first as usize..self.end[t] as usize]
    }

    /// Whether an axis ends inside of what is moved, or begins there: others are kept for their attributes alone.
    pub(super) const fn cut_any(&self) -> bool {
        let mut t = 0;
        while t < self.len as usize {
            if self.dim[t] != self.padded[t] || self.window[t] != Tails::NO_WINDOW {
                return true;
            }
            t += 1;
        }
        false
    }

    /// How many loops all tail axes have.
    pub(super) const fn len_of_levels(&self) -> usize {
        if self.len == 0 { 0 } else { self.end[self.len as usize - 1] as usize }
    }

    /// The loops of all tail axes.
    pub(super) fn all_levels(&self) -> &[u8] {
        &self.levels[..self.len_of_levels()]
    }
}

/// A plan that moves a tensor from one layout and data type to another.
///
/// Making one takes microseconds and no heap memory; it can be printed, copied, sent to other threads and run
/// as often as wanted, also by several threads at a time. Data is converted as [`crate::kernels::convert`] says; the
/// destination's padding is written with zero; the source's padding is not read; memory of the destination that
/// belongs to neither is left alone.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::Reorder;
///
/// let src = Descriptor::new(DType::U8, &[2, 3], "ab")?;
/// let dst = Descriptor::new(DType::F32, &[2, 3], "ba")?;
/// let plan = Reorder::new(&src, &dst)?;
/// let mut out = [0; 24];
/// plan.run(&[1, 2, 3, 4, 5, 6], &mut out)?;
/// let values: Vec<f32> = out.chunks(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().unwrap())).collect();
/// assert_eq!(values, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Invariants, which follow from those of [`Descriptor`]:
// 1. For every combination of loop values that stands for a logical index, the source's offset, in bytes and with
//    the element behind it, lies within `0..src_len`. Sums and products of offsets wrap on the way there.
// 2. For every combination that stands for a position that the destination owns, the same holds of the destination and
//    `dst_len`.
// 3. Each owned position is one combination: the loops of a tail axis count at least up to `padded`, all others are
//    whole. Positions are places from 0 on, or from where the axis' window begins.
// 4. `kernel` moves elements as wide as the strides of the tile's loops suppose: `src_element` and `dst_element` bytes. On a
//    side that `packing` names, offsets are in elements, two to a byte, and the kernel is for elements of a byte.
// 5. There are at least three loops, and the last three have single strides, or are skewed and have them between their
//    cuts; a skewed loop is the lowest of an axis with a window.
#[derive(Clone)]
pub struct Reorder {
    /// Outermost first; strides in bytes.
    pub(super) nodes: Nodes<MAX_LOOPS>,
    pub(super) tails: Tails,
    pub(super) class: Class,
    /// Whether [`Reorder::is_one_tile`]: a small tensor would feel it if each run asked.
    pub(super) one_tile: bool,
    /// What is moved at a time.
    pub(super) units: Units,
    pub(super) src_dtype: DType,
    pub(super) dst_dtype: DType,
    /// Bytes that the kernel takes at a time: an element, or a short run of them that is contiguous on both sides.
    pub(super) src_element: u8,
    pub(super) dst_element: u8,
    pub(super) kernel: Kernel,
    /// Which attributes there are; the tail axes that they follow are noted in `nodes`.
    pub(super) roles: Roles,
    /// The sides on which strides count elements of 4 bits and not bytes.
    pub(super) packing: Packing,
    /// Whether both sides have elements of 4 bits, which are moved in pairs: loops count these.
    pub(super) pairs: bool,
    /// Offset of place 0 of every loop, in bytes. It may lie outside the memory where the first places of an axis are not
    /// the tensor's.
    pub(super) src_base: isize,
    pub(super) dst_base: isize,
    /// Bytes that each buffer has to have.
    pub(super) src_len: usize,
    pub(super) dst_len: usize,
    pub(super) logical: usize,
    pub(super) padded: usize,
    pub(super) stores: Stores,
    /// Whether lines are asked for before they are written; `None` where a rule decides.
    pub(super) asked: Option<bool>,
    /// How much further out than planned the loop was that the kernel has besides its tile.
    pub(super) inner: u8,
}

const _: () = assert!(size_of::<Reorder>() <= 1024);

impl Reorder {
    /// Whether the kernel runs all loops as they are.
    const fn is_one_tile(&self) -> bool {
        let (z, y) = (self.nodes.get(0), self.nodes.get(1));
        let strided = self.nodes.is_strided(0) && self.nodes.is_strided(1) && self.nodes.is_strided(2);
        let as_it_is = match self.class {
            Class::Transpose if self.moves_bytes() => z.n == 1 || !self.joins(0),
            // Perhaps by way of a buffer.
            Class::Transpose => {
                let tile = [self.nodes.get(2).n, y.n];
                !self.are_planes_apart(tile) && !self.have_no_gaps(tile)
            }
            Class::Rows => y.n > 1 || z.n == 1,
            Class::Stream | Class::Strided => true,
        };
        self.nodes.len() == TILE_LOOPS && self.tails.len == 0 && strided && as_it_is
    }

    /// Whether loop `z` could go on where x of the tile ends in the destination or y in the source, or make it blocks of groups of
    /// 4 bytes: the walk looks for these.
    const fn joins(&self, z: usize) -> bool {
        let bytes = self.dst_element as isize;
        let (z, y, x) = (self.nodes.get(z), self.nodes.get(z + 1), self.nodes.get(z + 2));
        let groups = bytes <= 2 && (z.src == 4 || z.dst == 4);
        groups || z.dst == x.n as isize * bytes || z.src == y.n as isize * bytes
    }

    /// Where the places and the data of tail axis `t` begin, if it has a window.
    pub(super) fn window(&self, t: usize) -> Option<(u64, u64)> {
        let note = self.tails.window[t];
        (note != Tails::NO_WINDOW).then(|| {
            let note = self.nodes.note(note);
            (note.n, note.src as u64)
        })
    }

    /// The plan that moves the elements of `src` to their places in `dst`.
    ///
    /// Axes correspond by logical position; where both sides name them, the names must agree.
    ///
    /// Either side may be a part of a tensor, on blocks or off them, and have extra padding around it; the source may
    /// be broadcast. What the destination owns beyond its elements is set to zero, and nothing else is touched: see
    /// [`Descriptor::owned`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::Reorder;
    /// // Channels 3 to 6 of blocks of 4: one of the first block, and two of the second.
    /// let whole = Descriptor::new(DType::U8, &[8], "A4a")?;
    /// let part = whole.submemory(&[3], &[3])?;
    /// let mut bytes = [0, 1, 2, 3, 4, 5, 6, 7];
    /// let plan = Reorder::new(&Descriptor::new(DType::U8, &[3], "a")?, &part)?;
    /// plan.run(&[30, 40, 50], &mut bytes)?;
    /// assert_eq!(bytes, [0, 1, 2, 30, 40, 50, 6, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReorderError::Rank`], [`ReorderError::Extent`], [`ReorderError::AxisName`] where the two do not describe the same
    /// tensor; [`ReorderError::Broadcast`] for a destination whose elements share places;
    /// [`ReorderError::TooManyLoops`] for layouts that need more than about two dozen nested loops. An axis whose parts
    /// start at different places inside blocks takes six of these.
    pub const fn new(src: &Descriptor, dst: &Descriptor) -> Result<Reorder, ReorderError> {
        Reorder::with_attributes(src, dst, &Attributes::new())
    }

    /// The same with scales and zero points, which [`Reorder::run_with`] applies to the numbers on the way. The plan takes from
    /// `attributes` which there are and which axes they follow; values may change from run to run.
    ///
    /// # Errors
    /// Those of [`Reorder::new`]; [`ReorderError::AttributeAxis`] for an axis that the tensor has not,
    /// [`ReorderError::AttributeAxisTwice`] for one that is named twice, [`ReorderError::AttributeEmptyGroup`] for groups of 0;
    /// [`ReorderError::AttributeCount`] where an axis has more or fewer indices than there are values, and
    /// [`ReorderError::AttributeValues`] of several axes or groups; [`ReorderError::AttributeType`] for the zero point of a side that
    /// holds no integers.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Attributes, Reorder, Values};
    /// let src = Descriptor::new(DType::F32, &[1, 64, 56, 56], "nchw")?;
    /// let dst = Descriptor::new(DType::S8, &[1, 64, 56, 56], "nChw16c")?;
    /// let plan = Reorder::with_attributes(&src, &dst, &Attributes::new().dst_scale(Values::per_axis('c', &[0.5; 64])))?;
    /// println!("{plan}");
    ///
    /// let error = Reorder::with_attributes(&src, &dst, &Attributes::new().dst_scale(Values::per_axis('c', &[0.5; 63])));
    /// assert_eq!(error.unwrap_err().to_string(), "the destination scale has 63 values, but axis `c` has extent 64");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_attributes(
        src: &Descriptor,
        dst: &Descriptor,
        attributes: &Attributes<'_>,
    ) -> Result<Reorder, ReorderError> {
        let mut problem = match Problem::with_attributes(src, dst, attributes) {
            Ok(problem) => problem,
            Err(error) => return Err(error),
        };
        simplify(&mut problem);
        let pairs = halve(&mut problem, src, dst);
        arrange(&problem, src, dst, pairs)
    }

    /// A plan whose kernel adds up what is in `tensor`, which holds s8 or u8, for each index of the axes named `axes`; with room
    /// for sums of padding where it is `padded`. [`Compensation`](super::Compensation) alone runs it.
    pub(super) const fn of_sums(
        tensor: &Descriptor,
        axes: &[char],
        padded: bool,
    ) -> Result<Reorder, ReorderError> {
        let signed = match tensor.dtype() {
            DType::S8 => true,
            DType::U8 => false,
            dtype => return Err(ReorderError::CompensationType { dtype }),
        };
        let mut problem = match Problem::of_sums(tensor, axes, padded) {
            Ok(problem) => problem,
            Err(error) => return Err(error),
        };
        simplify(&mut problem);
        match arrange(&problem, tensor, tensor, false) {
            // Nothing is written to a destination.
            Ok(plan) => Ok(Reorder { kernel: sum_kernel(signed), units: Units::TILES, ..plan }),
            Err(error) => Err(error),
        }
    }

    /// The same plan, which writes through the caches or past them as `stores` says. A plan is made with [`Stores::Auto`].
    #[must_use]
    pub const fn with_stores(mut self, stores: Stores) -> Reorder {
        self.stores = stores;
        self
    }

    /// Whether the destination is written through the caches or past them.
    pub const fn stores(&self) -> Stores {
        self.stores
    }

    /// The data type of the source.
    pub const fn src_dtype(&self) -> DType {
        self.src_dtype
    }

    /// The data type of the destination.
    pub const fn dst_dtype(&self) -> DType {
        self.dst_dtype
    }

    /// Bytes that the source's buffer must have, from the descriptor's first byte on.
    pub const fn src_len(&self) -> usize {
        self.src_len
    }

    /// Bytes that the destination's buffer must have, from the descriptor's first byte on.
    pub const fn dst_len(&self) -> usize {
        self.dst_len
    }

    /// Bytes that a run reads: the logical elements of the source; of 4 bits, half as many, rounded up.
    pub const fn bytes_read(&self) -> usize {
        self.src_dtype.bytes(self.logical)
    }

    /// Bytes that a run writes: the elements of the destination, its padding included.
    pub const fn bytes_written(&self) -> usize {
        self.dst_dtype.bytes(self.padded)
    }

    /// Elements of padding that a run sets to zero.
    pub const fn elements_zeroed(&self) -> usize {
        self.padded - self.logical
    }
}

/// What `part` is of `whole`, in percent. A broadcast source has less bytes than are read.
const fn percent(part: usize, whole: usize) -> usize {
    match part.checked_mul(100) {
        _ if whole == 0 => 100,
        Some(all) => all / whole,
        // Not by u128, whose divisions take as long as the rest of a plan's facts.
        None if whole < 100 => usize::MAX,
        None => part / (whole / 100),
    }
}
