//! From a [`Spec`] back to its name, and to the digits in words. Never allocates.

use super::super::Spec;
use super::super::template::{Fit, bit, fit};
use super::super::text::Text;
use super::SCALAR;
use super::misnamed;
use super::scan::Logical;
use core::fmt::{self, Write};

/// Longer than any name: 12 axes, an arrow, 12 outer letters with a multiple and separators, and blocks whose product
/// fits in 63 bits (62 blocks of one digit, a letter, a significance of three characters and a separator).
pub(in super::super) const NAME: usize = 12 + 4 + 12 * 14 + 62 * 6;

/// The canonical name, which parses to the same spec: the tag alone where its letters imply the logical order,
/// else `axes => tag`. `scalar` for rank 0.
///
/// What oneDNN's names cannot say is written with our marks: `w^32` for an axis padded to a multiple, `8o.1` for a
/// block whose significance does not follow from its place, `nC16c_hw` for blocks outside an outer axis.
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
        let mut tag = Text::<NAME>::new();
        write_tag(self, &mut tag)?;
        // oneDNN means something else by two names; with the order stated they mean what they say.
        let implied =
            order_is_implied(self) && misnamed(tag.as_str().as_bytes(), 0, tag.as_str().len()).is_none();
        if implied {
            return f.pad(tag.as_str());
        }
        let mut name = Text::<NAME>::new();
        for axis in 0..self.rank() {
            name.write_char(letter(self, axis))?;
        }
        name.write_str(" => ")?;
        name.write_str(tag.as_str())?;
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
    /// What the last token ends with.
    #[derive(PartialEq)]
    enum End {
        Letter,
        Multiple,
        Block,
        Significance,
    }
    let mut end = End::Letter;
    for position in 0..spec.len() {
        let Some(digit) = spec.digit(position) else { continue };
        let name = letter(spec, digit.axis);
        end = match digit.size {
            None => {
                let name = if spec.block_of(digit.axis) > 1 { name.to_ascii_uppercase() } else { name };
                // Behind a block `_` says that the axis lies inside it, and `^8B` would be bytes.
                let separate = match end {
                    End::Block | End::Significance => true,
                    End::Multiple => name == 'B',
                    End::Letter => false,
                };
                write!(out, "{}{name}", if separate { "_" } else { "" })?;
                match spec.stated_multiple(digit.axis) {
                    1 => End::Letter,
                    multiple => {
                        write!(out, "^{multiple}")?;
                        End::Multiple
                    }
                }
            }
            Some(size) => {
                // A number behind a number needs something between.
                let separate = matches!(end, End::Multiple | End::Significance);
                write!(out, "{}{size}{name}", if separate { "_" } else { "" })?;
                match spec.significance(position) {
                    Some(significance) if is_swizzled(spec, digit.axis) => {
                        write!(out, ".{significance}")?;
                        End::Significance
                    }
                    _ => End::Block,
                }
            }
        };
    }
    Ok(())
}
