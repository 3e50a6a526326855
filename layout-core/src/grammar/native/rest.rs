//! `..`: the axes that a format of several ranks does not name, from the rank.
//! Called by the native parser; knows sets of letters alone.

use super::super::template::{Template, bit, first_axes};
use super::super::{MAX_RANK, ParseError, ParseErrorKind};
use super::Known;
use super::scan::{Letters, Logical};

/// The templates whose optional letters are spatial axes, so that the rank says which are there.
const SPATIAL: [Template; 3] = [Template::Activations, Template::Weights, Template::GroupedWeights];

/// The logical order of a format with `..` at byte `at`: that of the named axes and the remaining ones.
pub(super) const fn complete(letters: &Letters, at: usize, known: Known) -> Result<Logical, ParseError> {
    let named = letters.set();
    let (template, least, most) = tri!(template_of(letters, named, at));
    let Some(rank) = known.rank else {
        return Err(ParseError::new(ParseErrorKind::RankUnknown, at, 2));
    };
    let all = if least <= rank && rank <= most { axes(template, rank) } else { 0 };
    if all & named != named || all == 0 {
        let least = if matches!(template, Template::Alphabet) { last(named) } else { least };
        return Err(ParseError::new(ParseErrorKind::RankOutside { rank, least, most }, at, 2));
    }
    Ok(Logical::of_template(template, all))
}

/// The template of the named letters, and the ranks that it has.
const fn template_of(
    letters: &Letters,
    named: u32,
    at: usize,
) -> Result<(Template, usize, usize), ParseError> {
    if named == 0 || named & bit(b'a') != 0 {
        let surplus = named & !first_axes(MAX_RANK);
        if surplus != 0 {
            let (letter, at) = letters.leftmost(surplus);
            let kind = ParseErrorKind::OutsideTemplate { letter, template: Template::Alphabet };
            return Err(ParseError::new(kind, at, 1));
        }
        return Ok((Template::Alphabet, 1, MAX_RANK));
    }
    let mut i = 0;
    while i < SPATIAL.len() {
        let (all, mandatory) = SPATIAL[i].masks();
        if named & !all == 0 && mandatory & !named == 0 {
            let least = mandatory.count_ones() as usize;
            return Ok((SPATIAL[i], least, all.count_ones() as usize));
        }
        i += 1;
    }
    Err(ParseError::new(ParseErrorKind::NoRest, at, 2))
}

/// The letters of a tensor of `rank`, which the template has: of the spatial axes the innermost are there first.
const fn axes(template: Template, rank: usize) -> u32 {
    if matches!(template, Template::Alphabet) {
        return first_axes(rank);
    }
    let (_, mandatory) = template.masks();
    let spatial = [bit(b'w'), bit(b'h'), bit(b'd')];
    let mut set = mandatory;
    let mut i = 0;
    while i < spatial.len() && (set.count_ones() as usize) < rank {
        set |= spatial[i];
        i += 1;
    }
    set
}

/// The rank at which the last of a set of anonymous axes is there.
const fn last(named: u32) -> usize {
    if named == 0 { 1 } else { 32 - named.leading_zeros() as usize }
}
