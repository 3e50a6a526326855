//! [`ParseError`]: what is wrong with a format string, where, and the numbers.
//! Made by the parsers; drawn with the text by `report`. Never holds the text.

use super::{Dialect, MAX_RANK, Template};
use core::fmt;

/// Why a text is not a format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Nothing there.
    Empty,
    /// White space, which is allowed around `=>` alone (as the space character).
    WhiteSpace,
    /// A character outside ASCII.
    NonAscii {
        /// The character.
        found: char,
    },
    /// An ASCII character that is no letter, no digit and no part of `=>`.
    UnexpectedChar {
        /// The character.
        found: char,
    },
    /// A letter that is an axis of no template.
    UnknownLetter {
        /// The letter, lower case.
        letter: char,
    },
    /// A letter that is no axis of the template that the other letters select.
    OutsideTemplate {
        /// The letter, lower case.
        letter: char,
        /// The template of the other letters.
        template: Template,
    },
    /// A second outer letter for one axis.
    RepeatedAxis {
        /// The axis.
        axis: char,
        /// Byte offset of its first letter.
        first: usize,
    },
    /// A letter that the template requires is not there.
    MissingAxis {
        /// The axis.
        axis: char,
        /// The template that all other letters fit.
        template: Template,
    },
    /// The letters are those of no template.
    NoTemplate,
    /// Two templates could match: each lacks one letter.
    TwoTemplates {
        /// One of them.
        first: Template,
        /// The other.
        second: Template,
    },
    /// An axis of the logical order before `=>` has no outer letter behind it.
    AxisNotPlaced {
        /// The axis.
        axis: char,
    },
    /// An outer letter behind `=>` is not in the logical order before it.
    AxisNotListed {
        /// The axis.
        axis: char,
    },
    /// A block of an axis that has no outer letter.
    BlockWithoutAxis {
        /// The axis of the block.
        axis: char,
        /// The size of the block.
        size: u32,
    },
    /// A block of 0 or 1 elements.
    BlockTooSmall {
        /// The axis of the block.
        axis: char,
        /// The size, 0 or 1.
        size: u32,
    },
    /// A number that starts with 0.
    LeadingZero,
    /// A number that no letter follows.
    NumberWithoutLetter,
    /// A number above `u32::MAX`.
    NumberTooLarge,
    /// The blocks multiply to more than `i64::MAX` elements.
    BlocksTooLarge {
        /// The axis of the block that passes the limit.
        axis: char,
        /// Its size.
        size: u32,
    },
    /// An upper-case outer letter whose axis has no block.
    UpperWithoutBlock {
        /// The axis.
        axis: char,
    },
    /// A lower-case outer letter whose axis has a block.
    LowerWithBlock {
        /// The axis.
        axis: char,
    },
    /// An upper-case letter behind a number.
    UpperInBlock {
        /// The axis.
        axis: char,
        /// The size of the block.
        size: u32,
    },
    /// A block that stands before an outer letter.
    BlockBeforeOuter {
        /// The axis of the block.
        axis: char,
        /// The size of the block.
        size: u32,
        /// The axis of the outer letter behind it.
        outer: char,
    },
    /// More axes than [`MAX_RANK`].
    RankTooLarge {
        /// The first axis that is too many.
        axis: char,
    },
    /// No axes before `=>`.
    EmptyOrder,
    /// No format behind `=>`.
    EmptyTag,
    /// A second `=>`.
    RepeatedArrow,
    /// An upper-case letter before `=>`.
    UpperInOrder {
        /// The axis.
        axis: char,
    },
    /// A number before `=>`.
    BlockInOrder,
    /// `^` or `.` without a number behind it.
    NumberExpected {
        /// The mark.
        mark: char,
    },
    /// An extent padded to a multiple of 0 or 1.
    MultipleTooSmall {
        /// The axis.
        axis: char,
        /// The multiple.
        multiple: u32,
    },
    /// The least common multiple of an axis' blocks and its padding is more than `i64::MAX`.
    PaddingTooLarge {
        /// The axis.
        axis: char,
    },
    /// A padding in bytes, where the size of the elements is not known (as in `layout!`).
    BytesUnknown {
        /// The axis.
        axis: char,
    },
    /// The stated significances of an axis' blocks are not 0, 1, 2, … each once, or not all are stated.
    BadSignificance {
        /// The axis.
        axis: char,
    },
    /// A format of any rank (`aB..16b`), where the rank is not known (as in `layout!`).
    RankUnknown,
    /// A rank that a format of several ranks does not have.
    RankOutside {
        /// The rank asked for.
        rank: usize,
        /// The smallest rank of the format.
        least: usize,
        /// The largest.
        most: usize,
    },
    /// A second `..`.
    RepeatedRest,
    /// `..` among axes of which it is not known what remains.
    NoRest,
    /// A name in oneDNN's enumeration that does not say what it means.
    Misnamed {
        /// What it means, in a name that says so.
        meaning: &'static str,
    },
    /// A prefix before `:` that is the prefix of no dialect.
    UnknownDialect,
    /// No format of the dialect.
    NotInDialect {
        /// The dialect.
        dialect: Dialect,
    },
    /// A format of the dialect that is no layout of elements, or breaks one of its rules.
    Refused {
        /// The dialect.
        dialect: Dialect,
        /// Why.
        reason: &'static str,
    },
    /// Two dialects give the text different meanings.
    Ambiguous {
        /// One of them.
        first: Dialect,
        /// The other.
        second: Dialect,
    },
    /// Text of a dialect that is read differently elsewhere.
    NeedsPrefix {
        /// The dialect.
        dialect: Dialect,
        /// The other meaning.
        other: &'static str,
    },
}

/// A format string that cannot be parsed: what, and where in the text.
///
/// `Display` is one line; [`ParseError::report`] draws the text with a caret and says what to write instead.
///
/// ```
/// use layout_core::grammar::Spec;
/// let error = Spec::parse("nchw16c").unwrap_err();
/// assert_eq!(error.position(), 1);
/// assert_eq!(error.to_string(), "axis `c` has a block but its outer letter is lower case, at byte 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParseError {
    kind: ParseErrorKind,
    position: usize,
    len: usize,
}

impl ParseError {
    pub(super) const fn new(kind: ParseErrorKind, position: usize, len: usize) -> ParseError {
        ParseError { kind, position, len }
    }

    /// What is wrong.
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Where it is wrong: the byte offset in the parsed text, at most its length.
    pub const fn position(&self) -> usize {
        self.position
    }

    /// How many bytes from [`ParseError::position`] on are wrong; 0 for an empty text.
    // An error is not a collection: `is_empty` would have no meaning.
    #[allow(clippy::len_without_is_empty, reason = "the length of a span, not of a collection")]
    pub const fn len(&self) -> usize {
        self.len
    }
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ParseErrorKind::Empty => f.write_str("the format is empty"),
            ParseErrorKind::WhiteSpace => f.write_str("white space inside a format"),
            ParseErrorKind::NonAscii { found } => {
                write!(f, "character `{}` is not ASCII", found.escape_debug())
            }
            ParseErrorKind::UnexpectedChar { found } => {
                // A quote needs no escape between these.
                match found {
                    '"' | '\'' | '\\' => write!(f, "character `{found}` has no meaning in a format"),
                    _ => write!(f, "character `{}` has no meaning in a format", found.escape_debug()),
                }
            }
            ParseErrorKind::UnknownLetter { letter } => {
                write!(f, "letter `{letter}` is an axis of no template")
            }
            ParseErrorKind::OutsideTemplate { letter, template } => {
                write!(f, "axis `{letter}` is not one of {template}")
            }
            ParseErrorKind::RepeatedAxis { axis, first } => {
                write!(f, "axis `{axis}` has a second outer letter (the first is at byte {first})")
            }
            ParseErrorKind::MissingAxis { axis, template } => {
                write!(f, "axis `{axis}` of {template} is missing")
            }
            ParseErrorKind::NoTemplate => f.write_str("the axes are those of no template"),
            ParseErrorKind::TwoTemplates { first, second } => {
                write!(f, "the axes could be those of {first} or of {second}")
            }
            ParseErrorKind::AxisNotPlaced { axis } => {
                write!(f, "axis `{axis}` of the logical order has no outer letter behind `=>`")
            }
            ParseErrorKind::AxisNotListed { axis } => {
                write!(f, "axis `{axis}` is not in the logical order before `=>`")
            }
            ParseErrorKind::BlockWithoutAxis { axis, size } => {
                write!(f, "block `{size}{axis}` of axis `{axis}`, which has no outer letter")
            }
            ParseErrorKind::BlockTooSmall { axis, size } => {
                write!(f, "axis `{axis}` has a block of {size}: the smallest block is 2")
            }
            ParseErrorKind::LeadingZero => f.write_str("number with a leading zero"),
            ParseErrorKind::NumberWithoutLetter => f.write_str("number without a letter behind it"),
            ParseErrorKind::NumberTooLarge => write!(f, "number too large: a block is at most {}", u32::MAX),
            ParseErrorKind::BlocksTooLarge { axis, size } => {
                write!(
                    f,
                    "block `{size}{axis}` of axis `{axis}`: the blocks multiply to more than {}",
                    i64::MAX
                )
            }
            ParseErrorKind::UpperWithoutBlock { axis } => {
                write!(f, "axis `{axis}` has no block but its outer letter is upper case")
            }
            ParseErrorKind::LowerWithBlock { axis } => {
                write!(f, "axis `{axis}` has a block but its outer letter is lower case")
            }
            ParseErrorKind::UpperInBlock { axis, size } => {
                write!(f, "block of {size} of axis `{axis}` has an upper-case letter")
            }
            ParseErrorKind::BlockBeforeOuter { axis, size, outer } => {
                write!(
                    f,
                    "block `{size}{axis}` of axis `{axis}` stands before the outer letter of axis `{outer}`"
                )
            }
            ParseErrorKind::RankTooLarge { axis } => {
                write!(f, "axis `{axis}` is one too many: the largest rank is {MAX_RANK}")
            }
            ParseErrorKind::EmptyOrder => f.write_str("no logical order before `=>`"),
            ParseErrorKind::EmptyTag => f.write_str("no format behind `=>`"),
            ParseErrorKind::RepeatedArrow => f.write_str("second `=>`"),
            ParseErrorKind::UpperInOrder { axis } => {
                write!(f, "axis `{axis}` is upper case in the logical order before `=>`")
            }
            ParseErrorKind::BlockInOrder => f.write_str("number in the logical order before `=>`"),
            ParseErrorKind::NumberExpected { mark } => write!(f, "no number behind `{mark}`"),
            ParseErrorKind::MultipleTooSmall { axis, multiple } => {
                write!(f, "axis `{axis}` is padded to a multiple of {multiple}: the smallest is 2")
            }
            ParseErrorKind::PaddingTooLarge { axis } => {
                write!(f, "axis `{axis}` is padded to a multiple of more than {}", i64::MAX)
            }
            ParseErrorKind::BytesUnknown { axis } => {
                write!(f, "axis `{axis}` is given in bytes, but the size of the elements is not known here")
            }
            ParseErrorKind::BadSignificance { axis } => {
                write!(f, "the significances of the blocks of axis `{axis}` are not 0, 1, 2, … each once")
            }
            ParseErrorKind::RankUnknown => {
                f.write_str("a format of several ranks, but the rank is not known here")
            }
            ParseErrorKind::RankOutside { rank, least, most } => {
                write!(f, "a format of rank {least} to {most} for a tensor of rank {rank}")
            }
            ParseErrorKind::RepeatedRest => f.write_str("second `..`"),
            ParseErrorKind::NoRest => f.write_str("`..` where the remaining axes are not known"),
            ParseErrorKind::Misnamed { meaning } => {
                write!(f, "oneDNN has this name for `{meaning}`, which is not what it says")
            }
            ParseErrorKind::UnknownDialect => f.write_str("prefix of no dialect"),
            ParseErrorKind::NotInDialect { dialect } => write!(f, "no format of {dialect}"),
            ParseErrorKind::Refused { dialect, reason } => write!(f, "{dialect}: {reason}"),
            ParseErrorKind::Ambiguous { first, second } => {
                write!(f, "{first} and {second} have different formats of this name")
            }
            ParseErrorKind::NeedsPrefix { dialect, other } => {
                write!(f, "{dialect} has a format of this name, but elsewhere it means {other}")
            }
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {}", self.kind, self.position)
    }
}

impl core::error::Error for ParseError {}
