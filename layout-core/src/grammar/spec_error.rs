//! [`SpecError`]: what the building functions of `Spec` refuse. Held by nothing; knows no text.

/// Why a digit or an axis cannot be added to a [`Spec`](super::Spec).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SpecError {
    /// More than [`MAX_RANK`](super::MAX_RANK) axes.
    TooManyAxes,
    /// The axis letter is there already.
    RepeatedAxis,
    /// A digit names an axis that does not exist.
    NoSuchAxis,
    /// A second top digit for one axis.
    RepeatedTop,
    /// An axis without a top digit.
    MissingTop,
    /// A block smaller than 2, or a padding multiple of 0.
    BlockTooSmall,
    /// The product of the blocks (or of the padding multiples) does not fit in 63 bits.
    TooLarge,
    /// The explicit significances of an axis' blocks are not 0, 1, 2, … each once.
    BadSignificance,
}

impl SpecError {
    /// What is wrong, in one line.
    pub const fn message(self) -> &'static str {
        match self {
            SpecError::TooManyAxes => "a layout has at most 12 axes",
            SpecError::RepeatedAxis => "a logical axis is named twice",
            SpecError::NoSuchAxis => "a digit belongs to none of the logical axes",
            SpecError::RepeatedTop => "an axis has two top digits",
            SpecError::MissingTop => "an axis has no top digit",
            SpecError::BlockTooSmall => "a block is smaller than 2, or a padding multiple is 0",
            SpecError::TooLarge => "the blocks multiply to more than 63 bits hold",
            SpecError::BadSignificance => "the significances of an axis' blocks are not 0, 1, 2, … each once",
        }
    }
}

impl core::fmt::Display for SpecError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for SpecError {}
