//! The digits of a layout as types: what `layout!` writes and what error messages show.

mod private {
    pub trait Sealed {}
}

/// The top digit of axis `AXIS`: its extent is that of the tensor over the axis' blocks. In the list of logical
/// axes it names the axis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dim<const AXIS: char>;

/// The top digit of axis `AXIS`, with the extent padded to a multiple of `MULTIPLE` elements beside the axis' blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PaddedDim<const AXIS: char, const MULTIPLE: usize>;

/// A block of `SIZE` elements along axis `AXIS`. Of several blocks of one axis the rightmost is the least significant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Block<const AXIS: char, const SIZE: usize>;

/// A block of `SIZE` elements along axis `AXIS` with an explicit divisor: it picks `(index / DIVISOR) % SIZE`.
/// For swizzled layouts alone, in which a less significant block lies outside a more significant one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Digit<const AXIS: char, const DIVISOR: usize, const SIZE: usize>;

/// What a digit type says, as values.
#[derive(Clone, Copy)]
pub struct DigitDef {
    pub(in crate::layout) axis: char,
    /// 0 for a top digit.
    pub(in crate::layout) size: usize,
    /// 0 where the position decides.
    pub(in crate::layout) divisor: usize,
    /// 1 unless the extent is padded to a multiple.
    pub(in crate::layout) multiple: usize,
}

/// A digit type. Sealed.
pub trait DigitType: private::Sealed + 'static {
    /// The digit as values.
    const DEF: DigitDef;
}

impl<const AXIS: char> private::Sealed for Dim<AXIS> {}
impl<const AXIS: char> DigitType for Dim<AXIS> {
    const DEF: DigitDef = DigitDef { axis: AXIS, size: 0, divisor: 0, multiple: 1 };
}

impl<const AXIS: char, const MULTIPLE: usize> private::Sealed for PaddedDim<AXIS, MULTIPLE> {}
impl<const AXIS: char, const MULTIPLE: usize> DigitType for PaddedDim<AXIS, MULTIPLE> {
    const DEF: DigitDef = DigitDef { axis: AXIS, size: 0, divisor: 0, multiple: MULTIPLE };
}

impl<const AXIS: char, const SIZE: usize> private::Sealed for Block<AXIS, SIZE> {}
impl<const AXIS: char, const SIZE: usize> DigitType for Block<AXIS, SIZE> {
    const DEF: DigitDef = DigitDef { axis: AXIS, size: SIZE, divisor: 0, multiple: 1 };
}

impl<const AXIS: char, const DIVISOR: usize, const SIZE: usize> private::Sealed
    for Digit<AXIS, DIVISOR, SIZE>
{
}
impl<const AXIS: char, const DIVISOR: usize, const SIZE: usize> DigitType for Digit<AXIS, DIVISOR, SIZE> {
    const DEF: DigitDef = DigitDef { axis: AXIS, size: SIZE, divisor: DIVISOR, multiple: 1 };
}
