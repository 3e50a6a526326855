//! A layout with extents: where every element is, and which element is at an offset. The members are the same, in the
//! same order, for dense ([`Mapping`]) and strided ([`StridedMapping`]) memory. Holds no memory.

use super::digits::tuple::DigitTuple;
use super::format::Layout;
use super::walk::{
    BlockOffset, DenseIndex, DenseOffset, DenseStrides, Odometer, RowLen, Step, StridedOffset, padded,
};
use crate::grammar::MAX_RANK;
use crate::shape::{IndexArray, IndexError, Shape, SizeError, checked_len, round_up};

pub use def::{Mapping, StridedMapping};

mod def {
    use super::super::format::Layout;
    use core::marker::PhantomData;

    /// Layout `L` over extents `S`, dense in memory. It is as large as the extents that are not known while compiling.
    ///
    /// Invariants:
    /// 1. The padded extents, zeros left out, multiply to at most `isize::MAX`.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Mapping<L: Layout, S = <L as Layout>::Index> {
        pub(super) shape: S,
        pub(super) layout: PhantomData<L>,
    }

    /// Layout `L` over extents `S`, with a stride for each digit. The dense inner block stays dense: the strides of its
    /// digits are those of the layout.
    ///
    /// Invariants:
    /// 1. The offset of every index within the padded extents lies within `0..=isize::MAX`.
    /// 2. The strides of the dense inner block are those of the layout.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub struct StridedMapping<L: Layout, S = <L as Layout>::Index> {
        pub(super) shape: S,
        pub(super) strides: L::Strides,
    }
}

/// What is at an offset of a tensor's memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Position<Index> {
    /// The element with this logical index.
    Element(Index),
    /// Padding: an index past the extents, within the padded ones.
    Padding(Index),
}

impl<L: Layout, S: Shape<L::Index>> Mapping<L, S> {
    /// The mapping of a tensor of extents `shape`.
    ///
    /// # Errors
    /// [`SizeError`] where the padded extents multiply to more than `isize::MAX` elements.
    pub fn new(shape: S) -> Result<Self, SizeError> {
        Self::for_elements_of(1, shape)
    }

    /// The mapping of a tensor whose elements are `element_bytes` long.
    ///
    /// # Errors
    /// [`SizeError`] where the padded extents multiply to more than `isize::MAX` bytes.
    pub fn for_elements_of(element_bytes: usize, shape: S) -> Result<Self, SizeError> {
        let dims = shape.dims();
        let dims = dims.as_ref();
        let mut padded = [0; MAX_RANK];
        for (axis, (&extent, &multiple)) in dims.iter().zip(L::PADDING).enumerate() {
            padded[axis] = round_up(extent, multiple as u64).ok_or(SizeError::Padding {
                axis: L::AXES[axis],
                extent,
                multiple: multiple as u64,
            })?;
        }
        if let Err(axis) = checked_len(&padded[..L::RANK], element_bytes) {
            return Err(SizeError::TooLarge { axis: L::AXES[axis], extent: dims[axis], element_bytes });
        }
        Ok(Mapping { shape, layout: core::marker::PhantomData })
    }

    /// The mapping of extents `shape`, whose sizes were checked elsewhere.
    ///
    /// # Safety
    /// Invariant 1 holds.
    pub(crate) unsafe fn new_unchecked(shape: S) -> Self {
        Mapping { shape, layout: core::marker::PhantomData }
    }

    /// The same places with the strides stored.
    #[inline]
    pub fn to_strided(&self) -> StridedMapping<L, S> {
        // Invariant 1 of the result is invariant 1 of `self`: every padded index is below the product of the extents.
        StridedMapping { shape: self.shape, strides: self.digit_strides() }
    }

    /// The extents as they are typed.
    #[inline(always)]
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The extents in logical order.
    #[inline(always)]
    pub fn dims(&self) -> L::Index {
        self.shape.dims()
    }

    /// The extents in memory, padding included, in logical order.
    #[inline(always)]
    pub fn padded_dims(&self) -> L::Index {
        pad::<L>(self.dims())
    }

    /// Stride of each digit in physical order, in elements.
    #[inline(always)]
    pub fn digit_strides(&self) -> L::Strides {
        let mut walk = DenseStrides::<L> {
            dims: self.dims(),
            next: 1,
            strides: <L::Strides as super::digits::tuple::StrideArray>::ZERO,
        };
        L::Digits::innermost_first(&mut walk);
        walk.strides
    }

    /// Stride of each axis' top digit, in elements, in logical order.
    #[inline]
    pub fn strides(&self) -> <L::Index as IndexArray>::Signed {
        top_strides::<L>(&self.digit_strides())
    }

    /// Number of logical elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.dims().as_ref().iter().product()
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.dims().as_ref().contains(&0)
    }

    /// Elements in memory, padding included.
    #[inline(always)]
    pub fn required_len(&self) -> usize {
        self.padded_dims().as_ref().iter().product()
    }

    /// Offset of the element at `index`, in elements.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an index outside the extents.
    #[inline]
    pub fn offset(&self, index: L::Index) -> Result<usize, IndexError> {
        check::<L>(self.dims(), index)?;
        Ok(self.offset_unchecked(index))
    }

    /// Offset of the element at `index`, in elements, without a look at the extents: straight-line code with no
    /// division. Safe, and meaningless for an index outside the padded extents.
    #[inline(always)]
    pub fn offset_unchecked(&self, index: L::Index) -> usize {
        let mut walk = DenseOffset::<L> { dims: self.dims(), index, offset: 0 };
        L::Digits::outermost_first(&mut walk);
        walk.offset
    }

    /// What is at `offset`, in elements: the inverse of [`Mapping::offset`].
    ///
    /// # Errors
    /// [`IndexError::Offset`] at or past [`Mapping::required_len`].
    #[inline]
    pub fn position(&self, offset: usize) -> Result<Position<L::Index>, IndexError> {
        let required_len = self.required_len();
        if offset >= required_len {
            return Err(IndexError::Offset { offset, required_len });
        }
        let dims = self.dims();
        let mut walk = DenseIndex::<L> { dims, rest: offset, index: L::Index::ZERO };
        L::Digits::innermost_first(&mut walk);
        let inside = walk.index.as_ref().iter().zip(dims.as_ref()).all(|(index, extent)| index < extent);
        Ok(if inside { Position::Element(walk.index) } else { Position::Padding(walk.index) })
    }
}

impl<L: Layout, S: Shape<L::Index>> StridedMapping<L, S> {
    /// The mapping from its parts.
    ///
    /// # Safety
    /// Invariants 1 and 2 hold.
    pub(crate) unsafe fn from_parts(shape: S, strides: L::Strides) -> Self {
        StridedMapping { shape, strides }
    }

    /// The extents as they are typed.
    #[inline(always)]
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The extents in logical order.
    #[inline(always)]
    pub fn dims(&self) -> L::Index {
        self.shape.dims()
    }

    /// The extents in memory, padding included, in logical order.
    #[inline(always)]
    pub fn padded_dims(&self) -> L::Index {
        pad::<L>(self.dims())
    }

    /// Stride of each digit in physical order, in elements.
    #[inline(always)]
    pub fn digit_strides(&self) -> L::Strides {
        self.strides
    }

    /// Stride of each axis' top digit, in elements, in logical order.
    #[inline]
    pub fn strides(&self) -> <L::Index as IndexArray>::Signed {
        top_strides::<L>(&self.strides)
    }

    /// Number of logical elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.dims().as_ref().iter().product()
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.dims().as_ref().contains(&0)
    }

    /// Elements from the first to the last in memory, padding included: 1 more than the largest offset, 0 for none.
    pub fn required_len(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        let mut last = self.padded_dims();
        for extent in last.as_mut() {
            *extent -= 1;
        }
        self.offset_unchecked(last) + 1
    }

    /// Offset of the element at `index`, in elements.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an index outside the extents.
    #[inline]
    pub fn offset(&self, index: L::Index) -> Result<usize, IndexError> {
        check::<L>(self.dims(), index)?;
        Ok(self.offset_unchecked(index))
    }

    /// Offset of the element at `index`, in elements, without a look at the extents. Safe, and meaningless for an index
    /// outside them.
    #[inline(always)]
    pub fn offset_unchecked(&self, index: L::Index) -> usize {
        let mut walk = StridedOffset::<L> { strides: &self.strides, index, offset: 0 };
        L::Digits::outermost_first(&mut walk);
        walk.offset as usize
    }

    /// Offset of the first element of the dense inner block that holds `index`, without a look at the extents. Safe, and
    /// meaningless for an index outside the padded extents.
    #[inline(always)]
    pub fn block_offset_unchecked(&self, index: L::Index) -> usize {
        let mut walk = BlockOffset::<L> { strides: &self.strides, index, offset: 0 };
        L::Digits::outermost_first(&mut walk);
        walk.offset as usize
    }

    /// Steps to the next combination of the outer `digits` digits in physical order, where every axis stays below
    /// `bounds`; `index` and `offset` are those of the present one, whose other digits are 0. `false` behind the last,
    /// when both are back at 0.
    #[inline(always)]
    pub(crate) fn advance(
        &self,
        digits: usize,
        bounds: L::Index,
        index: &mut L::Index,
        offset: &mut usize,
    ) -> bool {
        let mut walk = Odometer::<L> { strides: &self.strides, digits, bounds, index, offset, done: false };
        L::Digits::innermost_first(&mut walk);
        walk.done
    }

    /// The innermost of the outer `digits` digits one further, whether there is such a place or not.
    #[inline(always)]
    pub(crate) fn step(&self, digits: usize, index: &mut L::Index, offset: &mut usize) {
        L::Digits::innermost_first(&mut Step::<L> {
            strides: &self.strides,
            digits,
            up: true,
            index,
            offset,
        });
    }

    /// [`advance`](Self::advance) from the place behind the last of a row, which [`step`](Self::step) led to.
    #[inline(always)]
    pub(crate) fn carry(
        &self,
        digits: usize,
        bounds: L::Index,
        index: &mut L::Index,
        offset: &mut usize,
    ) -> bool {
        let mut back = Step::<L> { strides: &self.strides, digits, up: false, index, offset };
        L::Digits::innermost_first(&mut back);
        self.advance(digits, bounds, index, offset)
    }
}

impl<L: Layout, S: core::fmt::Debug> core::fmt::Debug for Mapping<L, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Mapping").field("layout", &L::default()).field("shape", &self.shape).finish()
    }
}
impl<L: Layout, S: core::fmt::Debug> core::fmt::Debug for StridedMapping<L, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("StridedMapping")
            .field("layout", &L::default())
            .field("shape", &self.shape)
            .field("digit_strides", &self.strides)
            .finish()
    }
}

/// Places in the row that starts at `index`: values of the innermost of the outer `digits` digits, where every axis stays
/// below `bounds`.
#[inline(always)]
pub(crate) fn row_len<L: Layout>(digits: usize, bounds: L::Index, index: L::Index) -> usize {
    let mut walk = RowLen::<L> { digits, bounds, index, len: 1 };
    L::Digits::innermost_first(&mut walk);
    walk.len
}

#[inline(always)]
fn pad<L: Layout>(mut dims: L::Index) -> L::Index {
    let mut axis = 0;
    while axis < L::RANK {
        let extent = &mut dims.as_mut()[axis];
        *extent = padded(*extent, L::PADDING[axis]);
        axis += 1;
    }
    dims
}

fn top_strides<L: Layout>(digits: &L::Strides) -> <L::Index as IndexArray>::Signed {
    let mut strides = L::Index::ZERO_SIGNED;
    for axis in 0..L::RANK {
        if let Some(at) = L::SPEC.top_of(axis) {
            strides.as_mut()[axis] = digits.as_ref()[at];
        }
    }
    strides
}

/// Whether `index` lies within `dims`.
#[inline(always)]
fn check<L: Layout>(dims: L::Index, index: L::Index) -> Result<(), IndexError> {
    let mut axis = 0;
    while axis < L::RANK {
        let (index, extent) = (index.as_ref()[axis], dims.as_ref()[axis]);
        if index >= extent {
            return Err(IndexError::OutOfRange { axis: L::AXES[axis], position: axis, index, extent });
        }
        axis += 1;
    }
    Ok(())
}
