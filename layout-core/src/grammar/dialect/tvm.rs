//! TVM's layouts: an upper-case letter is an axis, a number and a lower-case letter a part split off it, anywhere.
//! An axis may have several parts, as in TVM up to 0.2x; the rightmost is the least significant.
//! Source: `src/tir/ir/data_layout.cc`.

use super::super::native::Logical;
use super::super::template::{Fit, bit, fit};
use super::super::{MAX_RANK, ParseError, ParseErrorKind, Spec};
use super::Dialect;

/// One element of a layout.
enum Item {
    Axis(u8),
    Part(u32, u8),
    Open,
    Close,
}

/// `start..end` of `text` as a layout.
pub(super) const fn parse(text: &[u8], start: usize, end: usize) -> Result<Spec, ParseError> {
    let (letters, rank, split) = tri!(axes(text, start, end));
    let set = set_of(&letters, rank);
    if split & !set != 0 {
        let reason = "a part is split off an axis that is not there";
        return Err(Dialect::Tvm.refuses(reason, start, end - start));
    }
    let mut spec = Spec::SCALAR;
    // TVM has no logical order. Where our templates have none either, the axes are in the order of the layout.
    let template = match fit(set) {
        Fit::Exact(template) => Some(Logical::of_template(template, set)),
        _ => None,
    };
    let mut i = 0;
    while i < rank {
        let letter = match &template {
            Some(logical) => logical.letter(i),
            None => letters[i],
        };
        if spec.push_axis(letter).is_err() {
            return Err(Dialect::Tvm.has_not(start, end));
        }
        i += 1;
    }
    let mut at = start;
    while at < end {
        let (item, next) = tri!(item(text, at, start, end));
        let pushed = match item {
            Item::Axis(letter) => match spec.axis_named(letter as char) {
                Some(axis) => spec.push_top(axis, 1).is_ok(),
                None => false,
            },
            Item::Part(size, letter) => match spec.axis_named(letter as char) {
                Some(axis) => spec.push_block(axis, size).is_ok(),
                None => false,
            },
            Item::Open | Item::Close => true,
        };
        if !pushed {
            return Err(Dialect::Tvm.refuses("the parts multiply to too much", at, next - at));
        }
        at = next;
    }
    Ok(spec)
}

/// The letters of the axes in physical order, how many, and the letters of which something is split off as bits.
const fn axes(text: &[u8], start: usize, end: usize) -> Result<([u8; MAX_RANK], usize, u32), ParseError> {
    let mut letters = [0; MAX_RANK];
    let (mut rank, mut split) = (0, 0);
    // How many parts the open bracket holds.
    let mut bracket: Option<usize> = None;
    let mut at = start;
    while at < end {
        let (item, next) = tri!(item(text, at, start, end));
        match (item, bracket) {
            (Item::Axis(letter), None) => {
                if set_of(&letters, rank) & bit(letter) != 0 || rank == MAX_RANK {
                    return Err(Dialect::Tvm.refuses("an axis is there twice, or there are too many", at, 1));
                }
                letters[rank] = letter;
                rank += 1;
            }
            (Item::Part(_, letter), _) => {
                split |= bit(letter);
                if let Some(parts) = bracket {
                    bracket = Some(parts + 1);
                }
            }
            (Item::Open, None) => bracket = Some(0),
            (Item::Close, Some(parts)) if parts >= 2 => bracket = None,
            _ => return Err(Dialect::Tvm.refuses("brackets hold two or more parts", at, next - at)),
        }
        at = next;
    }
    if bracket.is_some() || rank == 0 {
        return Err(Dialect::Tvm.has_not(start, end));
    }
    Ok((letters, rank, split))
}

const fn item(text: &[u8], at: usize, start: usize, end: usize) -> Result<(Item, usize), ParseError> {
    match text[at] {
        letter if letter.is_ascii_uppercase() => {
            return Ok((Item::Axis(letter.to_ascii_lowercase()), at + 1));
        }
        b'[' => return Ok((Item::Open, at + 1)),
        b']' => return Ok((Item::Close, at + 1)),
        digit if digit.is_ascii_digit() => {}
        letter if letter.is_ascii_lowercase() => {
            return Err(Dialect::Tvm.refuses(
                "a lower-case letter is a part and needs a size before it",
                at,
                1,
            ));
        }
        _ => return Err(Dialect::Tvm.has_not(start, end)),
    }
    let mut to = at;
    let mut size = Some(0u32);
    while to < end && text[to].is_ascii_digit() {
        size = match size {
            Some(n) => match n.checked_mul(10) {
                Some(n) => n.checked_add((text[to] - b'0') as u32),
                None => None,
            },
            None => None,
        };
        to += 1;
    }
    let Some(size) = size else { return Err(ParseError::new(ParseErrorKind::NumberTooLarge, at, to - at)) };
    if text[at] == b'0' && to - at > 1 {
        return Err(ParseError::new(ParseErrorKind::LeadingZero, at, to - at));
    }
    if to == end || !text[to].is_ascii_lowercase() {
        return Err(ParseError::new(ParseErrorKind::NumberWithoutLetter, at, to - at));
    }
    if size < 2 {
        let kind = ParseErrorKind::BlockTooSmall { axis: text[to] as char, size };
        return Err(ParseError::new(kind, at, to - at));
    }
    Ok((Item::Part(size, text[to]), to + 1))
}

const fn set_of(letters: &[u8; MAX_RANK], rank: usize) -> u32 {
    let mut set = 0;
    let mut i = 0;
    while i < rank {
        set |= bit(letters[i]);
        i += 1;
    }
    set
}
