//! [`Format`], the zero-sized type behind `layout!`, and the sealed trait [`Layout`] that it implements.

use super::digits::digit::DigitDef;
use super::digits::search::InnerBlock;
use super::digits::tuple::{AxisTuple, DigitTuple, StrideArray};
use super::mapping::{Mapping, Position};
use super::padding::{PaddingState, ZeroPadding};
use super::walk::to_usize;
use crate::descriptor::{DType, Descriptor};
use crate::grammar::{MAX_BLOCKS, MAX_RANK, Spec, SpecError};
use crate::shape::{IndexArray, IndexError, Shape, SizeError};

mod def {
    use core::marker::PhantomData;

    /// No value has this type.
    #[derive(Clone, Copy)]
    pub enum Never {}

    /// A memory layout as a zero-sized type: the digits in physical order, outermost first, and the logical axes.
    ///
    /// It is what `layout!` expands to, the same type wherever it is written:
    /// `layout!("nChw16c")` is
    /// `Format<(Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>, Block<'c', 16>), (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>)>`.
    /// The type's only value is written like the type, `Format::<…>`, so that `layout!` works as an expression too.
    ///
    /// A `Format` written by hand whose digits make no layout (an axis without a top digit, say) fails to compile
    /// where it is used as a [`Layout`](super::Layout).
    #[derive(Default)]
    pub enum Format<Digits, Axes> {
        /// The value.
        #[default]
        Format,
        #[doc(hidden)]
        __Phantom(Never, PhantomData<fn() -> (Axes, Digits)>),
    }
}
// The glob brings the unit variant into the value namespace; the explicit re-export wins in the type namespace.
pub use def::Format;
#[doc(hidden)]
pub use def::Format::*;

impl<Axes, Digits> Clone for Format<Digits, Axes> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<Axes, Digits> Copy for Format<Digits, Axes> {}
impl<Axes, Digits> PartialEq for Format<Digits, Axes> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl<Axes, Digits> Eq for Format<Digits, Axes> {}
impl<Axes, Digits> core::hash::Hash for Format<Digits, Axes> {
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}
impl<Axes: AxisTuple, Digits: DigitTuple> core::fmt::Debug for Format<Digits, Axes> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "layout!(\"{}\")", Self::SPEC)
    }
}
/// The canonical format string.
impl<Axes: AxisTuple, Digits: DigitTuple> core::fmt::Display for Format<Digits, Axes> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&Self::SPEC, f)
    }
}

pub(super) mod private {
    pub trait Sealed {}
}
impl<Axes, Digits> private::Sealed for Format<Digits, Axes> {}

/// A memory layout known while compiling. Sealed: every [`Format`] is one, and `layout!` writes them.
///
/// ```
/// use layout_core::layout::{Layout, Nchw16c, Position};
/// assert_eq!(Nchw16c::RANK, 4);
/// assert_eq!(Nchw16c::AXES, ['n', 'c', 'h', 'w']);
/// assert_eq!(Nchw16c::OUTER_ORDER, [0, 1, 2, 3]);
/// assert_eq!(Nchw16c::INNER_BLOCKS, [(1, 16)]);
/// assert_eq!(Nchw16c::PADDING, [1, 16, 1, 1]);
/// assert_eq!(Nchw16c::offset([1, 17, 2, 2], [0, 16, 1, 1]), Ok(112));
/// assert_eq!(Nchw16c::position([1, 17, 2, 2], 112), Ok(Position::Element([0, 16, 1, 1])));
/// assert_eq!(Nchw16c::position([1, 17, 2, 2], 113), Ok(Position::Padding([0, 17, 1, 1])));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layout",
    label = "not a layout",
    note = "name a layout with `layout!(\"nChw16c\")` or a predeclared name such as `Nhwc`"
)]
pub trait Layout:
    private::Sealed
    + Copy
    + Default
    + Eq
    + core::hash::Hash
    + core::fmt::Debug
    + core::fmt::Display
    + Send
    + Sync
    + Unpin
    + 'static
{
    /// The layout as a value: axes and digits.
    const SPEC: Spec;
    /// Number of logical axes.
    const RANK: usize;
    /// Names of the logical axes, in logical order.
    const AXES: &'static [char];
    /// Logical positions of the axes in the physical order of their top digits, outermost first.
    const OUTER_ORDER: &'static [usize];
    /// The inner blocks as (logical position of the axis, size), outermost first (oneDNN: `inner_idxs`, `inner_blks`).
    const INNER_BLOCKS: &'static [(usize, usize)];
    /// What each extent is rounded up to in memory, in logical order; 1 for no padding.
    const PADDING: &'static [usize];
    /// Elements of the dense inner block: the product of the blocks behind the innermost top digit, 1 for none.
    const BLOCK_LEN: usize;
    /// What the type says of padding: zero, unless the layout is [`Dirty`](super::Dirty) or [`Filled`](super::Filled).
    const PADDING_STATE: PaddingState;

    /// A logical index: `[usize; RANK]`. Also the shape type with no extent known while compiling.
    type Index: IndexArray + Shape<Self::Index>;
    /// One stride for each digit.
    type Strides: StrideArray;
    /// The dense inner block as nested arrays, outermost block first: `[T; 16]` for `nChw16c`,
    /// `[[[T; 4]; 16]; 4]` for `OIhw4i16o4i`, `T` for plain layouts.
    type Block<T>;
    /// The same layout with padding zero: itself, or what [`Dirty`](super::Dirty) and [`Filled`](super::Filled) are around.
    type Zeroed: ZeroPadding<Index = Self::Index, Strides = Self::Strides>;
    #[doc(hidden)]
    type Axes: AxisTuple;
    #[doc(hidden)]
    type Digits: DigitTuple;

    /// The layout with extents, from which offsets are asked many times.
    ///
    /// # Errors
    /// [`SizeError`] where the padded extents multiply to more than `isize::MAX` elements.
    fn mapping<S: Shape<Self::Index>>(shape: S) -> Result<Mapping<Self, S>, SizeError> {
        Mapping::new(shape)
    }

    /// Offset of the element at `index` in a tensor of extents `dims`, in elements.
    ///
    /// # Errors
    /// [`OffsetError`] for extents that no memory holds, or an index outside them.
    fn offset(dims: Self::Index, index: Self::Index) -> Result<usize, OffsetError> {
        Ok(Mapping::<Self>::new(dims)?.offset(index)?)
    }

    /// What is at `offset` of a tensor of extents `dims`: the element with some index, or padding. The inverse of
    /// [`Layout::offset`].
    ///
    /// # Errors
    /// [`OffsetError`] for extents that no memory holds, or an offset outside them.
    fn position(dims: Self::Index, offset: usize) -> Result<Position<Self::Index>, OffsetError> {
        Ok(Mapping::<Self>::new(dims)?.position(offset)?)
    }

    /// The extents in memory, rounded up to [`Layout::PADDING`], in logical order.
    ///
    /// # Errors
    /// [`SizeError`] as for [`Layout::mapping`].
    fn padded_dims(dims: Self::Index) -> Result<Self::Index, SizeError> {
        Ok(Mapping::<Self>::new(dims)?.padded_dims())
    }

    /// Stride of each axis' top digit in dense memory, in elements, in logical order (oneDNN: `strides`).
    ///
    /// # Errors
    /// [`SizeError`] as for [`Layout::mapping`].
    fn strides(dims: Self::Index) -> Result<<Self::Index as IndexArray>::Signed, SizeError> {
        Ok(Mapping::<Self>::new(dims)?.strides())
    }

    /// Elements that a dense tensor of extents `dims` takes in memory, padding included.
    ///
    /// # Errors
    /// [`SizeError`] as for [`Layout::mapping`].
    fn required_len(dims: Self::Index) -> Result<usize, SizeError> {
        Ok(Mapping::<Self>::new(dims)?.required_len())
    }

    /// The dense run-time descriptor of a tensor of extents `dims`.
    ///
    /// # Errors
    /// [`SizeError`] where the tensor is larger than `isize::MAX` bytes.
    fn descriptor(dtype: DType, dims: Self::Index) -> Result<Descriptor, SizeError> {
        Descriptor::from_spec(dtype, dims.as_ref(), Self::SPEC)
    }
}

/// Why [`Layout::offset`] has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OffsetError {
    /// The extents.
    Size(SizeError),
    /// The index.
    Index(IndexError),
}
impl core::fmt::Display for OffsetError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            OffsetError::Size(error) => error.fmt(f),
            OffsetError::Index(error) => error.fmt(f),
        }
    }
}
impl core::error::Error for OffsetError {}
impl From<SizeError> for OffsetError {
    fn from(error: SizeError) -> Self {
        OffsetError::Size(error)
    }
}
impl From<IndexError> for OffsetError {
    fn from(error: IndexError) -> Self {
        OffsetError::Index(error)
    }
}

impl<Axes: AxisTuple, Digits: DigitTuple> Layout for Format<Digits, Axes> {
    const SPEC: Spec = spec_of(Axes::LETTERS, Digits::DEFS);
    const RANK: usize = Axes::LETTERS.len();
    const AXES: &'static [char] = Axes::LETTERS;
    const OUTER_ORDER: &'static [usize] = Facts::<Axes, Digits>::OUTER_ORDER.split_at(Self::RANK).0;
    const INNER_BLOCKS: &'static [(usize, usize)] =
        Facts::<Axes, Digits>::INNER_BLOCKS.split_at(Digits::DEFS.len() - Self::RANK).0;
    const PADDING: &'static [usize] = Facts::<Axes, Digits>::PADDING.split_at(Self::RANK).0;
    const BLOCK_LEN: usize = to_usize(Self::SPEC.dense_block_len());
    const PADDING_STATE: PaddingState = PaddingState::Zero;
    type Index = Axes::Index;
    type Strides = Digits::Strides;
    type Block<T> = <Digits::List as InnerBlock>::Array<T>;
    type Zeroed = Self;
    type Axes = Axes;
    type Digits = Digits;
}

/// Arrays of the greatest length, of which the associated slices of [`Layout`] are the first part.
struct Facts<Axes, Digits>(core::marker::PhantomData<(Axes, Digits)>);
impl<Axes: AxisTuple, Digits: DigitTuple> Facts<Axes, Digits> {
    const OUTER_ORDER: &'static [usize; MAX_RANK] = &outer_order(&<Format<Digits, Axes> as Layout>::SPEC);
    const INNER_BLOCKS: &'static [(usize, usize); MAX_BLOCKS] =
        &inner_blocks(&<Format<Digits, Axes> as Layout>::SPEC);
    const PADDING: &'static [usize; MAX_RANK] = &padding(&<Format<Digits, Axes> as Layout>::SPEC);
}

const fn outer_order(spec: &Spec) -> [usize; MAX_RANK] {
    let mut order = [0; MAX_RANK];
    let mut count = 0;
    let mut i = 0;
    while let Some(digit) = spec.digit(i) {
        if digit.size.is_none() {
            order[count] = digit.axis;
            count += 1;
        }
        i += 1;
    }
    order
}

const fn inner_blocks(spec: &Spec) -> [(usize, usize); MAX_BLOCKS] {
    let mut blocks = [(0, 0); MAX_BLOCKS];
    let mut count = 0;
    let mut i = 0;
    while let Some(digit) = spec.digit(i) {
        if let Some(size) = digit.size {
            blocks[count] = (digit.axis, to_usize(size));
            count += 1;
        }
        i += 1;
    }
    blocks
}

const fn padding(spec: &Spec) -> [usize; MAX_RANK] {
    let mut multiples = [1; MAX_RANK];
    let mut axis = 0;
    while axis < spec.rank() {
        multiples[axis] = to_usize(spec.padding_multiple(axis));
        axis += 1;
    }
    multiples
}

/// The spec of the types; a panic while compiling for types that make no layout.
const fn spec_of(letters: &[char], defs: &[DigitDef]) -> Spec {
    let mut spec = Spec::SCALAR;
    let mut i = 0;
    while i < letters.len() {
        assert!(letters[i].is_ascii_lowercase(), "an axis of a `Format` is not a lower-case ASCII letter");
        must(spec.push_axis(letters[i] as u8));
        i += 1;
    }
    let mut i = 0;
    while i < defs.len() {
        let Some(axis) = spec.axis_named(defs[i].axis) else {
            panic!("a digit of a `Format` belongs to none of its logical axes")
        };
        if defs[i].size == 0 && defs[i].divisor == 0 {
            assert!(
                defs[i].multiple <= u32::MAX as usize,
                "a padding multiple of a `Format` is larger than 32 bits"
            );
            must(spec.push_top(axis, defs[i].multiple as u32));
        } else {
            assert!(defs[i].size <= u32::MAX as usize, "a block of a `Format` is larger than 32 bits");
            must(spec.push_block(axis, defs[i].size as u32));
        }
        i += 1;
    }
    let mut i = 0;
    while i < defs.len() {
        if defs[i].divisor != 0 {
            // Of one axis' blocks, those with a smaller divisor are less significant.
            let mut lower = 0;
            let mut j = 0;
            while j < defs.len() {
                let same = defs[j].axis == defs[i].axis && defs[j].size != 0;
                assert!(
                    !same || defs[j].divisor != 0,
                    "an axis of a `Format` mixes blocks with and without an explicit divisor"
                );
                if same && defs[j].divisor < defs[i].divisor {
                    lower += 1;
                }
                j += 1;
            }
            spec.set_significance(i, lower);
        }
        i += 1;
    }
    must(spec.validate());
    let mut i = 0;
    while let Some(digit) = spec.digit(i) {
        assert!(
            defs[i].divisor == 0 || defs[i].divisor as u64 == digit.divisor,
            "an explicit divisor in a `Format` is not the product of the less significant blocks"
        );
        i += 1;
    }
    spec
}

const fn must(result: Result<(), SpecError>) {
    if let Err(error) = result {
        panic!("{}", error.message());
    }
}
