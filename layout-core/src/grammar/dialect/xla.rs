//! XLA's layouts, `{1,0:T(8,128)(2,1)}`: the dimensions, innermost first, and tiles over the innermost ones.
//! Source: XLA's "Tiled layout" and `xla/layout.cc`.

use super::super::{MAX_RANK, ParseError, ParseErrorKind, Spec};
use super::Dialect;

/// More digits than a layout has, with those of one value that tiles of 1 leave.
const MAX_ENTRIES: usize = 96;

/// One digit, while tiles split it. `size` is 0 for the top digit of the axis.
#[derive(Clone, Copy)]
struct Entry {
    axis: usize,
    divisor: u64,
    size: u64,
}

/// The digits in physical order.
struct Entries {
    at: [Entry; MAX_ENTRIES],
    len: usize,
}

/// Whether something follows the dimensions.
pub(super) const fn has_tiles(text: &[u8]) -> bool {
    let mut i = 0;
    while i < text.len() && text[i] != b':' {
        i += 1;
    }
    i < text.len()
}

/// `start..end` of `text` as a layout; `None` where it has not the form of one. The axes are a, b, c, ….
pub(super) const fn parse(text: &[u8], start: usize, end: usize) -> Option<Result<Spec, ParseError>> {
    if text[start] != b'{' {
        return None;
    }
    Some(layout(text, start, end))
}

const fn layout(text: &[u8], start: usize, end: usize) -> Result<Spec, ParseError> {
    let mut at = start + 1;
    let mut dims = [0usize; MAX_RANK];
    let mut rank = 0;
    while at < end && text[at] != b'}' && text[at] != b':' {
        let (dim, next) = tri!(number(text, at, end));
        if rank == MAX_RANK {
            return Err(Dialect::Xla.refuses("a layout has at most 12 dimensions here", at, next - at));
        }
        dims[rank] = dim as usize;
        rank += 1;
        at = tri!(separator(text, next, end, b'}'));
    }
    tri!(check_permutation(&dims, rank, start, end));
    let mut entries = Entries { at: [Entry { axis: 0, divisor: 1, size: 0 }; MAX_ENTRIES], len: rank };
    let mut i = 0;
    while i < rank {
        entries.at[i].axis = dims[rank - 1 - i];
        i += 1;
    }
    if at < end && text[at] == b':' {
        at += 1;
        if at < end && text[at] == b'T' {
            at += 1;
        }
        if at >= end || text[at] != b'(' {
            let reason = "what follows `:` other than tiles is no part of where the elements are";
            return Err(Dialect::Xla.refuses(reason, at - 1, end - at + 1));
        }
        while at < end && text[at] == b'(' {
            at = tri!(tile(text, at, end, &mut entries));
        }
    }
    if at < end && text[at] != b'}' {
        let reason = "what follows the tiles is no part of where the elements are";
        return Err(Dialect::Xla.refuses(reason, at, end - at));
    }
    if at + 1 != end {
        let at = if at < end { at } else { end - 1 };
        return Err(Dialect::Xla.refuses("a layout ends with its only `}`", at, end - at));
    }
    build(&entries, rank, start, end)
}

/// The number at `at` and what follows it.
const fn number(text: &[u8], at: usize, end: usize) -> Result<(u64, usize), ParseError> {
    let mut value = 0u64;
    let mut to = at;
    while to < end && text[to].is_ascii_digit() {
        value = value * 10 + (text[to] - b'0') as u64;
        if value > u32::MAX as u64 {
            return Err(ParseError::new(ParseErrorKind::NumberTooLarge, at, to + 1 - at));
        }
        to += 1;
    }
    if to == at {
        let (at, len) = if at < end { (at, 1) } else { (end - 1, 1) };
        if text[at] == b'*' {
            let reason = "`*` joins dimensions, which is not a layout of one axis each";
            return Err(Dialect::Xla.refuses(reason, at, len));
        }
        return Err(Dialect::Xla.refuses("a number is expected", mark(text, at), len_at(text, at)));
    }
    Ok((value, to))
}

/// Behind a number: `,` and more, or the end of the list, which stays.
const fn separator(text: &[u8], at: usize, end: usize, close: u8) -> Result<usize, ParseError> {
    if at < end && text[at] == b',' && at + 1 < end && text[at + 1].is_ascii_digit() | (text[at + 1] == b'*')
    {
        return Ok(at + 1);
    }
    if at < end && (text[at] == close || (close == b'}' && text[at] == b':')) {
        return Ok(at);
    }
    let at = if at < end { at } else { end - 1 };
    Err(Dialect::Xla.refuses("numbers are separated by `,`", mark(text, at), len_at(text, at)))
}

/// Where the character begins that the byte at `at` is part of.
const fn mark(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while at > 0 && text[at] & 0xc0 == 0x80 {
        at -= 1;
    }
    at
}

/// How many bytes that character has.
const fn len_at(text: &[u8], at: usize) -> usize {
    let from = mark(text, at);
    let mut to = from + 1;
    while to < text.len() && text[to] & 0xc0 == 0x80 {
        to += 1;
    }
    to - from
}

const fn check_permutation(
    dims: &[usize; MAX_RANK],
    rank: usize,
    start: usize,
    end: usize,
) -> Result<(), ParseError> {
    let mut seen = 0u32;
    let mut i = 0;
    while i < rank {
        if dims[i] >= rank || seen & (1 << dims[i]) != 0 {
            let reason = "the dimensions are 0, 1, 2, … each once, innermost first";
            return Err(Dialect::Xla.refuses(reason, start, end - start));
        }
        seen |= 1 << dims[i];
        i += 1;
    }
    Ok(())
}

/// Splits the innermost digits by the tile at `at`; gives what follows it.
const fn tile(text: &[u8], at: usize, end: usize, entries: &mut Entries) -> Result<usize, ParseError> {
    let start = at;
    let mut sizes = [0u64; MAX_ENTRIES];
    let mut count = 0;
    let mut at = at + 1;
    while at < end && text[at] != b')' {
        let (size, next) = tri!(number(text, at, end));
        if size == 0 {
            return Err(Dialect::Xla.refuses("a tile has no extent of 0", at, next - at));
        }
        if count == entries.len || entries.len + count + 1 > MAX_ENTRIES {
            return Err(Dialect::Xla.refuses(
                "a tile has more extents than there are dimensions",
                at,
                next - at,
            ));
        }
        sizes[count] = size;
        count += 1;
        at = tri!(separator(text, next, end, b')'));
    }
    if at >= end || count == 0 {
        return Err(Dialect::Xla.refuses("a tile is a list of extents in parentheses", start, end - start));
    }
    let first = entries.len - count;
    let mut i = 0;
    while i < count {
        let Entry { axis, divisor, size } = entries.at[first + i];
        let tile = sizes[i];
        let inside = size == 0 || size.is_multiple_of(tile);
        let Some(outer) = divisor.checked_mul(tile) else {
            return Err(Dialect::Xla.refuses("the tiles multiply to too much", start, at - start));
        };
        if !inside {
            let reason = "a tile that does not divide the tile outside it pads inside of that";
            return Err(Dialect::Xla.refuses(reason, start, at - start));
        }
        entries.at[first + i] = Entry { axis, divisor: outer, size: size / tile };
        entries.at[entries.len] = Entry { axis, divisor, size: tile };
        entries.len += 1;
        i += 1;
    }
    Ok(at + 1)
}

const fn build(entries: &Entries, rank: usize, start: usize, end: usize) -> Result<Spec, ParseError> {
    let mut spec = Spec::SCALAR;
    let mut good = true;
    let mut i = 0;
    while i < rank {
        good &= spec.push_axis(b'a' + i as u8).is_ok();
        i += 1;
    }
    let mut i = 0;
    while i < entries.len && good {
        let Entry { axis, size, .. } = entries.at[i];
        good = match size {
            0 => spec.push_top(axis, 1).is_ok(),
            1 => true,
            // A tile is at most `u32::MAX`.
            _ => spec.push_block(axis, size as u32).is_ok(),
        };
        i += 1;
    }
    let (mut i, mut position) = (0, 0);
    while i < entries.len && good {
        let Entry { axis, divisor, size } = entries.at[i];
        i += 1;
        if size == 1 {
            continue;
        }
        let (mut lower, mut j) = (0, 0);
        while j < entries.len {
            let other = entries.at[j];
            if other.axis == axis && other.size > 1 && other.divisor < divisor {
                lower += 1;
            }
            j += 1;
        }
        if size > 1 {
            spec.set_significance(position, lower);
        }
        position += 1;
    }
    if good && spec.validate().is_ok() {
        return Ok(spec);
    }
    Err(Dialect::Xla.refuses("the tiles multiply to too much", start, end - start))
}
