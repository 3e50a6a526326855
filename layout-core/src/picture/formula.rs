//! The offset of a descriptor as a formula, as the format guides write it: `n * CHW + (c / 8) * HW*8 + …`. Called by
//! `describe`.

use crate::descriptor::{Descriptor, DigitAt};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// `offset_nChw8c(n, c, h, w) = …`, one line a term, and in a last line the extents that are padded.
///
/// A capital letter is the extent of its axis, with a prime where the extent in memory is larger. Strides of memory that
/// is not dense are written as numbers, because no extents say them.
pub(super) fn formula(d: &Descriptor) -> String {
    let digits = d.digits();
    let spec = d.spec().to_string();
    let is_name = spec.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let letters: Vec<String> = (0..d.rank()).map(|a| letter(d, a).to_string()).collect();
    let name = if is_name { format!("_{spec}") } else { String::new() };
    let head = format!("offset{name}({}) =", letters.join(", "));
    let dense = d.is_dense() && !d.is_empty();
    let mut terms = Vec::new();
    if d.base() > 0 {
        terms.push((false, d.base().to_string()));
    }
    for (i, digit) in digits.iter().enumerate() {
        let value = value(d, digit);
        let stride =
            if dense { by_extents(d, &digits[i + 1..]) } else { digit.stride.unsigned_abs().to_string() };
        let negative = !dense && digit.stride < 0;
        match (stride.as_str(), value.starts_with('(')) {
            ("0", _) => {}
            ("1", _) => terms.push((negative, value)),
            _ => terms.push((negative, format!("{value} * {stride}"))),
        }
    }
    if terms.is_empty() {
        terms.push((false, "0".to_string()));
    }
    let mut out = head.clone();
    for (i, (negative, term)) in terms.iter().enumerate() {
        let sign = match (i, negative) {
            (0, false) => "",
            (_, true) => "- ",
            (_, false) => "+ ",
        };
        if i > 0 {
            out.push('\n');
            out.extend(core::iter::repeat_n(' ', head.len() - 2));
        }
        out.push_str(&format!(" {sign}{term}"));
    }
    if dense {
        let padded = padded_extents(d, &digits);
        if !padded.is_empty() {
            out.push_str(&format!("\nwhere {}", padded.join(", ")));
        }
    }
    out
}

/// The letter of an axis.
pub(super) fn letter(d: &Descriptor, axis: usize) -> char {
    d.spec().axis_name(axis).unwrap_or('?')
}

/// What a digit picks from the index: `n`, `(c / 8)`, `(i / 4 % 4)`, `(c % 8)`.
fn value(d: &Descriptor, digit: &DigitAt) -> String {
    let origin = d.origin()[digit.axis];
    let letter = letter(d, digit.axis);
    let index = match origin {
        0 => letter.to_string(),
        _ => format!("({letter} + {origin})"),
    };
    match (digit.divisor, digit.top) {
        (1, true) => index,
        (divisor, true) => format!("({index} / {divisor})"),
        (1, false) => format!("({index} % {})", digit.extent),
        (divisor, false) => format!("({index} / {divisor} % {})", digit.extent),
    }
}

/// The extent of an axis as the formula writes it.
fn extent(d: &Descriptor, axis: usize) -> String {
    let letter = letter(d, axis).to_ascii_uppercase();
    let prime = if d.owned(axis).end == d.dims()[axis] { "" } else { "'" };
    format!("{letter}{prime}")
}

/// The product of the extents of the digits inside: `HW*8`. The blocks of an axis that is inside as a whole are part of
/// its extent.
fn by_extents(d: &Descriptor, inside: &[DigitAt]) -> String {
    let mut blocks: usize = inside.iter().filter(|digit| !digit.top).map(|digit| digit.extent).product();
    let (mut letters, mut divided) = (String::new(), String::new());
    for digit in inside.iter().filter(|digit| digit.top) {
        let extent = extent(d, digit.axis);
        // The divisor of a top digit is the product of its axis' blocks.
        if blocks.is_multiple_of(digit.divisor) {
            blocks /= digit.divisor;
            letters.push_str(&extent);
        } else {
            divided.push_str(&format!("*({extent}/{})", digit.divisor));
        }
    }
    let mut out = letters + &divided;
    if blocks > 1 || out.is_empty() {
        out.push_str(&format!("*{blocks}"));
    }
    match out.strip_prefix('*') {
        Some(rest) => rest.to_string(),
        None => out,
    }
}

/// `C' = 24, C = 17 padded` for each axis that some stride counts.
fn padded_extents(d: &Descriptor, digits: &[DigitAt]) -> Vec<String> {
    let mut out = Vec::new();
    for axis in 0..d.rank() {
        let (dim, end) = (d.dims()[axis], d.owned(axis).end);
        let counted = digits.iter().skip(1).any(|digit| digit.top && digit.axis == axis);
        if end != dim && counted {
            let name = letter(d, axis).to_ascii_uppercase();
            out.push(format!("{name}' = {end} is {name} = {dim} with padding"));
        }
    }
    out
}
