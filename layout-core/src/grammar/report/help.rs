//! What to write instead: from the kind of the error where it says so, else from the search, else in general.
//! Called by the report.

use super::super::{MAX_RANK, ParseError, ParseErrorKind, Spec};
use super::dialect::{as_tvm, outside, says_more};
use super::mend::{Suggestion, as_format, mend, with_order};
use super::search::nearest;
use core::fmt;

/// Writes one or two lines that begin with `help: `, without a line feed at the end.
pub(super) fn help(f: &mut fmt::Formatter<'_>, error: &ParseError, text: &str) -> fmt::Result {
    f.write_str("help: ")?;
    if let Some(done) = says_more(f, error, text) {
        return done;
    }
    match error.kind() {
        ParseErrorKind::Empty => return f.write_str("write the axes, outermost first, as in \"nchw\""),
        ParseErrorKind::NumberTooLarge | ParseErrorKind::BlocksTooLarge { .. } => {
            return write!(
                f,
                "write smaller blocks: each at most {}, and their product at most {}",
                u32::MAX,
                i64::MAX
            );
        }
        ParseErrorKind::MultipleTooSmall { .. } => {
            return f.write_str("leave the padding out, or pad to a multiple of 2 or more");
        }
        ParseErrorKind::PaddingTooLarge { .. } => return f.write_str("pad to a smaller multiple"),
        ParseErrorKind::RankTooLarge { .. } => {
            return write!(f, "merge axes that lie side by side in memory: a format has at most {MAX_RANK}");
        }
        ParseErrorKind::BlockBeforeOuter { .. } => {
            f.write_str("write the blocks behind all outer letters, ")?;
            match mend(text) {
                Some(moved) => write!(f, "\"{}\", which is another order in memory", moved.as_str())?,
                None => f.write_str("as in \"nChw16c\"")?,
            }
            outside(f, text)?;
            return as_tvm(f, text);
        }
        ParseErrorKind::TwoTemplates { .. } => {
            f.write_str("complete the axes of one of them, or state the logical order")?;
            return match with_order(text) {
                Some(stated) => write!(f, ": \"{}\"", stated.as_str()),
                None => f.write_str(", as in \"bshd => bhsd\""),
            };
        }
        _ => {}
    }
    if let Some(found) = by_kind(error, text).or_else(|| mend(text)) {
        write!(f, "write \"{}\"", found.as_str())?;
        return alternative(f, error, text);
    }
    if let Some(found) = nearest(error, text) {
        write!(f, "did you mean \"{}\"?", found.as_str())?;
        return match stated_order(error, text) {
            Some(stated) => write!(f, "\nhelp: or state the logical order: \"{}\"", stated.as_str()),
            None => Ok(()),
        };
    }
    match stated_order(error, text) {
        Some(stated) => write!(f, "state the logical order of the axes: \"{}\"", stated.as_str()),
        None => f.write_str(in_general(error.kind())),
    }
}

/// What the kind itself implies, where that is more than form.
fn by_kind(error: &ParseError, text: &str) -> Option<Suggestion> {
    match error.kind() {
        ParseErrorKind::EmptyOrder | ParseErrorKind::EmptyTag => {
            let (order, tag) = text.split_once("=>")?;
            let side = if order.trim().is_empty() { tag.trim() } else { order.trim() };
            Some(as_format(side)?.0)
        }
        ParseErrorKind::RepeatedArrow => Some(as_format(text.get(..error.position())?.trim())?.0),
        ParseErrorKind::AxisNotPlaced { axis } => {
            let tag = text.find("=>")? + 2;
            let blocks = text.get(tag..)?.find(|letter: char| letter.is_ascii_digit());
            with_letter(text, blocks.map_or(text.len(), |at| tag + at), axis)
        }
        ParseErrorKind::AxisNotListed { axis } => {
            with_letter(text, text.split_once("=>")?.0.trim_end().len(), axis)
        }
        _ => None,
    }
}

/// `text` with the letter of an axis put in at `at`, where that makes it a format.
fn with_letter(text: &str, at: usize, axis: char) -> Option<Suggestion> {
    let mut out = Suggestion::new();
    out.push(text.get(..at)?)?;
    out.push_char(axis)?;
    out.push(text.get(at..)?)?;
    Some(as_format(out.as_str())?.0)
}

/// The other way to mend it, behind the first.
fn alternative(f: &mut fmt::Formatter<'_>, error: &ParseError, text: &str) -> fmt::Result {
    match error.kind() {
        ParseErrorKind::UpperWithoutBlock { axis } => {
            // Only where this letter is all that is wrong.
            let mut blocked = Suggestion::new();
            let fits = blocked.push(text).and(blocked.push("16")).and(blocked.push_char(axis)).is_some();
            if fits && Spec::parse_native(blocked.as_str()).is_ok() {
                write!(f, ", or give axis `{axis}` a block: \"{}\"", blocked.as_str())?;
            }
            as_tvm(f, text)
        }
        ParseErrorKind::EmptyOrder | ParseErrorKind::EmptyTag => {
            f.write_str(", or axes on both sides, as in \"bshd => bhsd\"")
        }
        _ => Ok(()),
    }
}

/// The text with its logical order stated, where the letters are what is wrong.
fn stated_order(error: &ParseError, text: &str) -> Option<Suggestion> {
    match error.kind() {
        ParseErrorKind::UnknownLetter { .. }
        | ParseErrorKind::OutsideTemplate { .. }
        | ParseErrorKind::MissingAxis { .. }
        | ParseErrorKind::NoTemplate => with_order(text),
        _ => None,
    }
}

/// The rule, where nothing near the text is a format.
fn in_general(kind: ParseErrorKind) -> &'static str {
    match kind {
        ParseErrorKind::WhiteSpace => {
            "leave white space out but for spaces around `=>`, as in \"bshd => bhsd\""
        }
        ParseErrorKind::RepeatedAxis { .. } => {
            "write each outer letter once, and what is split off it as a block behind, as in \"nChw16c\""
        }
        ParseErrorKind::AxisNotPlaced { .. }
        | ParseErrorKind::AxisNotListed { .. }
        | ParseErrorKind::EmptyOrder
        | ParseErrorKind::EmptyTag
        | ParseErrorKind::RepeatedArrow
        | ParseErrorKind::UpperInOrder { .. }
        | ParseErrorKind::BlockInOrder => {
            "write the axes in logical order, `=>`, and the format of the same axes, as in \"bshd => bhSd16s\""
        }
        ParseErrorKind::BlockWithoutAxis { .. } => {
            "write the axis among the outer letters too, in upper case, as in \"nChw16c\""
        }
        ParseErrorKind::BlockTooSmall { .. } => "leave the block out",
        ParseErrorKind::LeadingZero => "write the number without the zero",
        ParseErrorKind::NumberWithoutLetter => {
            "write the axis of the block behind its size, as in \"nChw16c\""
        }
        ParseErrorKind::UpperWithoutBlock { .. }
        | ParseErrorKind::LowerWithBlock { .. }
        | ParseErrorKind::UpperInBlock { .. } => {
            "write an outer letter in upper case exactly where the axis has blocks, as in \"nChw16c\""
        }
        ParseErrorKind::UnknownLetter { .. }
        | ParseErrorKind::OutsideTemplate { .. }
        | ParseErrorKind::MissingAxis { .. }
        | ParseErrorKind::NoTemplate => {
            "the templates are NCdhw, OIdhw, GOIdhw, TNc, LDNC, LDigO and abc…; for other axes state the logical \
             order, as in \"bshd => bhsd\""
        }
        ParseErrorKind::NumberExpected { mark: '^' } => {
            "write what the extent is padded to, as in \"nhwc^8\""
        }
        ParseErrorKind::NumberExpected { .. } | ParseErrorKind::BadSignificance { .. } => {
            "number all blocks of the axis, 0 for the least significant, as in \"Oihw4o.0_8o.1\""
        }
        ParseErrorKind::RankOutside { .. } => "use a format of the rank of the tensor",
        ParseErrorKind::RepeatedRest | ParseErrorKind::NoRest => {
            "write the axes out, or `..` once before the blocks, with letters of activations or weights or a, b, c, …"
        }
        ParseErrorKind::UnknownDialect => {
            "the prefixes are onednn, benchdnn, ov, cudnn, cublaslt, cutlass, torch, trt, tf, tvm, xla, numpy, \
             miopen, acl, mnn, megengine, ncnn, ascend"
        }
        ParseErrorKind::NotInDialect { .. } => {
            "leave the prefix out for a name in our grammar, as in \"nChw16c\""
        }
        ParseErrorKind::Refused { .. } => {
            "use a format that places each element by itself, as in \"nChw16c\""
        }
        _ => "a format has letters from a to z, numbers and `=>`, as in \"nChw16c\"",
    }
}
