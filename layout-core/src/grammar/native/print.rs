//! From a [`Spec`] back to its name, and to the digits in words. Never allocates.

use super::super::Spec;
use super::super::template::{Fit, bit, fit};
use super::super::text::Text;
use super::SCALAR;
use super::scan::Logical;
use core::fmt::{self, Write};

/// Longer than any name: 12 axes, an arrow, 12 outer letters with a multiple, and blocks whose product fits in
/// 63 bits (62 blocks of one digit, a letter, a significance of three characters and a separator).
const NAME: usize = 12 + 4 + 12 * 12 + 62 * 6;

/// The canonical name, which parses to the same spec: the tag alone where its letters imply the logical order,
/// else `axes => tag`. `scalar` for rank 0.
///
/// What [`Spec::parse`] does not make is written with the marks of the extended grammar: `w^32` for an axis padded
/// to a multiple, `8o.1` for a block whose significance does not follow from its place, blocks before outer letters.
///
/// ```
/// use layout_core::grammar::Spec;
/// assert_eq!(Spec::parse("nchw=>nhWc4w").unwrap().to_string(), "nhWc4w");
/// assert_eq!(Spec::parse("bsd=>Bds2b").unwrap().to_string(), "bsd => Bds2b");
/// ```
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rank() == 0 {
            return f.pad(SCALAR);
        }
        let mut name = Text::<NAME>::new();
        if !order_is_implied(self) {
            for axis in 0..self.rank() {
                name.write_char(letter(self, axis))?;
            }
            name.write_str(" => ")?;
        }
        write_tag(self, &mut name)?;
        f.pad(name.as_str())
    }
}

/// The name, and each digit as the part of the index that it holds: `c/16` is the index along `c` divided by 16,
/// `c%16` its remainder, `i/4%2` the division and then the remainder; `w^32` is padded to a multiple of 32.
///
/// ```
/// use layout_core::grammar::Spec;
/// let spec = Spec::parse("OIhw4i16o4i").unwrap();
/// assert_eq!(format!("{spec:?}"), "Spec(OIhw4i16o4i: o/16 i/16 h w i/4%4 o%16 i%4)");
/// ```
impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spec({self}")?;
        for (i, digit) in (0..self.len()).filter_map(|i| self.digit(i)).enumerate() {
            write!(f, "{}{}", if i == 0 { ": " } else { " " }, letter(self, digit.axis))?;
            if digit.divisor > 1 {
                write!(f, "/{}", digit.divisor)?;
            }
            match digit.size {
                Some(size) => write!(f, "%{size}")?,
                None if self.stated_multiple(digit.axis) > 1 => {
                    write!(f, "^{}", self.stated_multiple(digit.axis))?
                }
                None => {}
            }
        }
        f.write_str(")")
    }
}

fn letter(spec: &Spec, axis: usize) -> char {
    spec.axis_name(axis).unwrap_or('?')
}

/// Whether the letters alone give the logical order.
fn order_is_implied(spec: &Spec) -> bool {
    let axes = || (0..spec.rank()).map(|axis| letter(spec, axis) as u8);
    let set = axes().fold(0, |set, letter| set | bit(letter));
    match fit(set) {
        Fit::Exact(template) => {
            let implied = Logical::of_template(template, set);
            implied.rank() == spec.rank() && axes().enumerate().all(|(i, letter)| letter == implied.letter(i))
        }
        _ => false,
    }
}

/// Whether some block of the axis is less significant than one to its right.
fn is_swizzled(spec: &Spec, axis: usize) -> bool {
    let blocks = (0..spec.len()).filter(|&at| spec.digit(at).is_some_and(|digit| digit.axis == axis));
    !blocks.filter_map(|at| spec.significance(at)).is_sorted_by(|left, right| left > right)
}

/// The tag without the logical order.
fn write_tag(spec: &Spec, out: &mut impl Write) -> fmt::Result {
    let mut separate = false;
    for position in 0..spec.len() {
        let Some(digit) = spec.digit(position) else { continue };
        let name = letter(spec, digit.axis);
        match digit.size {
            None => {
                let blocked = spec.block_of(digit.axis) > 1;
                out.write_char(if blocked { name.to_ascii_uppercase() } else { name })?;
                if spec.stated_multiple(digit.axis) > 1 {
                    write!(out, "^{}", spec.stated_multiple(digit.axis))?;
                    separate = true;
                    continue;
                }
            }
            Some(size) => {
                // A number behind a number needs something between.
                write!(out, "{}{size}{name}", if separate { "_" } else { "" })?;
                if is_swizzled(spec, digit.axis)
                    && let Some(significance) = spec.significance(position)
                {
                    write!(out, ".{significance}")?;
                    separate = true;
                    continue;
                }
            }
        }
        separate = false;
    }
    Ok(())
}
