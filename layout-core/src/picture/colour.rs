//! The colours of a picture: a hue for each block, or for each channel of a plain layout, and a shade for the place inside.
//! Called by `choose`; knows digits, no shapes.

use super::formula::letter;
use crate::descriptor::{Descriptor, DigitAt};
use crate::grammar::MAX_RANK;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The colour of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Paint {
    /// With its shade.
    pub(super) colour: Rgb,
    /// Without, for who has few colours.
    pub(super) flat: Rgb,
}

/// Okabe and Ito's palette, which people with any colour vision tell apart.
const PALETTE: [Rgb; 7] = [
    [86, 180, 233],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [240, 228, 66],
    [213, 94, 0],
    [0, 114, 178],
];

/// Which digits an element's colour comes from.
pub(super) struct Key {
    hue: Vec<DigitAt>,
    shade: Option<DigitAt>,
}

impl Key {
    /// Blocked axes give the colour where there are any: their outer digits the hue, the outermost block the shade.
    /// Otherwise the channels give the hue, or what stands in their place, and the first axis the shade.
    pub(super) fn new(d: &Descriptor) -> Key {
        let digits = d.digits();
        let several = |digit: &&DigitAt| digit.extent > 1;
        let top_of = |axis| digits.iter().find(move |digit| digit.top && digit.axis == axis);
        let is_blocked = |axis| d.spec().block_of(axis) > 1;
        let mut inner = digits.iter().filter(|digit| !digit.top).filter(several).copied();
        let tops: Vec<DigitAt> = digits
            .iter()
            .filter(|digit| digit.top && is_blocked(digit.axis))
            .filter(several)
            .copied()
            .collect();
        if !tops.is_empty() {
            return Key { hue: tops, shade: inner.next() };
        }
        if let Some(first) = inner.next() {
            return Key { hue: [first].into(), shade: inner.next() };
        }
        let channels = d.spec().axis_named('c').unwrap_or(if d.rank() > 2 { 1 } else { 0 });
        let axes = core::iter::once(channels).chain(0..d.rank());
        let mut tops = axes.filter_map(top_of).filter(several);
        let hue = tops.next().copied();
        // The channels come up again.
        let shade = hue.and_then(|hue| tops.find(|digit| digit.axis != hue.axis && digit.axis == 0)).copied();
        Key { hue: hue.into_iter().collect(), shade }
    }

    /// The colour of the element whose positions along the axes are these.
    pub(super) fn paint(&self, position: &[usize; MAX_RANK]) -> Paint {
        let hue = self.hue.iter().fold(0, |outer, digit| outer * digit.extent + value(digit, position));
        let shade = self.shade.as_ref().map_or((0, 1), |digit| (value(digit, position), digit.extent));
        Paint { colour: colour(hue, shade), flat: colour(hue, (0, 1)) }
    }

    /// The first hues with what they stand for, `c / 8 = 0`; whether there are more; and what the shades stand for.
    pub(super) fn legend(&self, d: &Descriptor) -> (Vec<(Rgb, String)>, bool, Option<String>) {
        let count: usize = self.hue.iter().map(|digit| digit.extent).product();
        let entry = |hue: usize| {
            let mut rest = hue;
            let mut values = Vec::new();
            for digit in self.hue.iter().rev() {
                values.push(format!("{} = {}", part(d, digit), rest % digit.extent));
                rest /= digit.extent;
            }
            values.reverse();
            (colour(hue, (0, 1)), values.join(", "))
        };
        let listed = if self.hue.is_empty() { 0 } else { count.min(PALETTE.len()) };
        let shade = self.shade.as_ref().map(|digit| part(d, digit));
        ((0..listed).map(entry).collect(), count > listed && listed > 0, shade)
    }
}

/// What a digit picks from the index: `c`, `c / 8`, `c % 8`, `i / 4 % 4`.
fn part(d: &Descriptor, digit: &DigitAt) -> String {
    let letter = letter(d, digit.axis);
    match (digit.divisor, digit.top) {
        (1, true) => letter.to_string(),
        (divisor, true) => format!("{letter} / {divisor}"),
        (1, false) => format!("{letter} % {}", digit.extent),
        (divisor, false) => format!("{letter} / {divisor} % {}", digit.extent),
    }
}

fn value(digit: &DigitAt, position: &[usize; MAX_RANK]) -> usize {
    let quotient = position[digit.axis] / digit.divisor;
    if digit.top { quotient } else { quotient % digit.extent }
}

/// A hue of the palette, mixed with white: the more, the larger the shade.
fn colour(hue: usize, (shade, shades): (usize, usize)) -> Rgb {
    let white = 25 + 50 * shade / shades.saturating_sub(1).max(1);
    PALETTE[hue % PALETTE.len()].map(|part| (part as usize * (100 - white) / 100 + 255 * white / 100) as u8)
}
