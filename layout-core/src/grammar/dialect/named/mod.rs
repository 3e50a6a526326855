//! Dialects that are tables of names: a [`Row`] gives a name and what it means in our grammar.
//! Called by the dialects; the tables are in the files beside this one.

mod frameworks;
mod nvidia;
mod vendors;

use super::super::native::{self, Known};
use super::super::text::Text;
use super::super::{ParseError, ParseErrorKind, Spec};
use super::Dialect;

/// A name and its meaning.
///
/// In the name `#` and `%` stand for a number from 2 on, the same wherever they occur, and `*` at the end for any
/// text. In the meaning, which is a format in our grammar,
/// - `#` and `%` are the numbers of the name, `$` is as many elements as have 32 bytes,
/// - `|` separates formats of different ranks, of which that of the rank is taken, or the first where the rank is not
///   known; at the beginning it says that the rank must be known,
/// - `~` alone is all axes with the first innermost,
/// - `&` at the beginning asks that elements times `#` have a multiple of 16 bytes,
/// - `!` at the beginning is no format but the reason why the name is none.
pub(super) type Row = (&'static str, &'static str);

/// The names of a dialect; none for one that has a grammar.
pub(super) const fn rows(dialect: Dialect) -> &'static [Row] {
    match dialect {
        Dialect::CuDnn => nvidia::CUDNN,
        Dialect::CublasLt => nvidia::CUBLASLT,
        Dialect::Cutlass => nvidia::CUTLASS,
        Dialect::TensorRt => nvidia::TENSOR_RT,
        Dialect::PyTorch => frameworks::PYTORCH,
        Dialect::TensorFlow => frameworks::TENSORFLOW,
        Dialect::NumPy => frameworks::NUMPY,
        Dialect::Mnn => frameworks::MNN,
        Dialect::MegEngine => frameworks::MEGENGINE,
        Dialect::Ncnn => frameworks::NCNN,
        Dialect::MiOpen => vendors::MIOPEN,
        Dialect::Acl => vendors::ACL,
        Dialect::Ascend => vendors::ASCEND,
        _ => &[],
    }
}

/// Longer than any name and any meaning in a table.
pub(super) const LONGEST: usize = 96;

/// What `start..end` of `text` means by the table; `None` where it is not in it.
pub(super) const fn parse(
    dialect: Dialect,
    rows: &[Row],
    text: &[u8],
    start: usize,
    end: usize,
    known: Known,
) -> Option<Result<Spec, ParseError>> {
    let mut i = 0;
    while i < rows.len() {
        let (name, meaning) = rows[i];
        if let Some(numbers) = capture(name, text, start, end) {
            return Some(match mean(dialect, meaning, numbers, known) {
                Ok(spec) => Ok(spec),
                // The mistake is in the name as a whole.
                Err(error) => Err(ParseError::new(error.kind(), start, end - start)),
            });
        }
        i += 1;
    }
    None
}

/// The numbers of `start..end` of `text`, where it is `name`.
const fn capture(name: &str, text: &[u8], start: usize, end: usize) -> Option<[u32; 2]> {
    let name = name.as_bytes();
    let mut numbers = [0; 2];
    let mut at = start;
    let mut i = 0;
    while i < name.len() {
        if name[i] == b'*' {
            return Some(numbers);
        }
        let Some(which) = slot(name[i]) else {
            if at >= end || text[at] != name[i] {
                return None;
            }
            at += 1;
            i += 1;
            continue;
        };
        if at >= end || text[at] == b'0' {
            return None;
        }
        let mut number = 0u32;
        while at < end && text[at].is_ascii_digit() {
            number = match number.checked_mul(10) {
                Some(tens) => match tens.checked_add((text[at] - b'0') as u32) {
                    Some(number) => number,
                    None => return None,
                },
                None => return None,
            };
            at += 1;
        }
        if number < 2 || (numbers[which] != 0 && numbers[which] != number) {
            return None;
        }
        numbers[which] = number;
        i += 1;
    }
    if at == end { Some(numbers) } else { None }
}

/// Which number a character of a pattern stands for.
const fn slot(byte: u8) -> Option<usize> {
    match byte {
        b'#' => Some(0),
        b'%' => Some(1),
        _ => None,
    }
}

/// The format that a meaning is.
const fn mean(
    dialect: Dialect,
    meaning: &'static str,
    numbers: [u32; 2],
    known: Known,
) -> Result<Spec, ParseError> {
    let (mark, rest) = match meaning.as_bytes() {
        [] => return Err(dialect.has_not(0, 0)),
        [mark, ..] => (*mark, meaning.split_at(1).1),
    };
    let text = meaning.as_bytes();
    let mut from = 0;
    match mark {
        b'!' => return Err(dialect.refuses(rest, 0, 0)),
        b'&' => {
            let bits = match known.element_bits {
                Some(bits) if bits > 0 => bits,
                _ => return Err(ParseError::new(ParseErrorKind::BytesUnknown { axis: 'a' }, 0, 0)),
            };
            if !(bits as u64 % 128 * numbers[0] as u64).is_multiple_of(128) {
                return Err(dialect.refuses(
                    "planes that are no multiple of 16 bytes are padded as a whole",
                    0,
                    0,
                ));
            }
            from = 1;
        }
        b'|' => {
            if known.rank.is_none() {
                return Err(ParseError::new(ParseErrorKind::RankUnknown, 0, 0));
            }
            from = 1;
        }
        _ => {}
    }
    loop {
        let mut to = from;
        while to < text.len() && text[to] != b'|' {
            to += 1;
        }
        let found = if text[from] == b'~' { reversed(known) } else { format(text, from, to, numbers, known) };
        let fits = match (&found, known.rank) {
            (Ok(spec), Some(rank)) => spec.rank() == rank,
            (_, rank) => rank.is_none(),
        };
        if fits || to + 1 >= text.len() {
            return found;
        }
        from = to + 1;
    }
}

/// The format in `from..to` of a meaning.
const fn format(
    meaning: &[u8],
    from: usize,
    to: usize,
    numbers: [u32; 2],
    known: Known,
) -> Result<Spec, ParseError> {
    let mut out = Text::<LONGEST>::new();
    let mut i = from;
    while i < to {
        let pushed = match (slot(meaning[i]), meaning[i]) {
            (Some(which), _) => out.push_number(numbers[which] as u64),
            (None, b'$') => match known.element_bits {
                Some(bits) if bits > 0 => out.push_number((256 / bits) as u64),
                _ => {
                    let axis = if i + 1 < to { meaning[i + 1] as char } else { '?' };
                    return Err(ParseError::new(ParseErrorKind::BytesUnknown { axis }, 0, 0));
                }
            },
            (None, byte) => out.push_byte(byte),
        };
        if pushed.is_none() {
            return Err(ParseError::new(ParseErrorKind::Empty, 0, 0));
        }
        i += 1;
    }
    native::parse(out.bytes(), 0, out.len(), known)
}

/// All axes of the rank, with the first innermost.
const fn reversed(known: Known) -> Result<Spec, ParseError> {
    let mut spec = Spec::SCALAR;
    let rank = match known.rank {
        Some(rank) => rank,
        None => return Err(ParseError::new(ParseErrorKind::RankUnknown, 0, 0)),
    };
    let mut axis = 0;
    while axis < rank {
        if spec.push_axis(b'a' + (axis % 26) as u8).is_err() {
            let kind = ParseErrorKind::RankOutside { rank, least: 0, most: super::super::MAX_RANK };
            return Err(ParseError::new(kind, 0, 0));
        }
        axis += 1;
    }
    while axis > 0 {
        axis -= 1;
        if spec.push_top(axis, 1).is_err() {
            return Err(ParseError::new(ParseErrorKind::RankUnknown, 0, 0));
        }
    }
    Ok(spec)
}

/// A name with its numbers written in; `None` for one that ends in any text or does not fit.
pub(super) fn fill(name: &str, numbers: [u32; 2]) -> Option<Text<LONGEST>> {
    let mut out = Text::new();
    for byte in name.bytes() {
        match (slot(byte), byte) {
            (Some(which), _) if numbers[which] >= 2 => out.push_number(numbers[which].into())?,
            (Some(_), _) | (None, b'*') => return None,
            (None, byte) => out.push_byte(byte)?,
        }
    }
    Some(out)
}
