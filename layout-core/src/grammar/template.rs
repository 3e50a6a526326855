//! [`Template`]: which axis a letter means. oneDNN's names have no order of their own; the set of letters
//! selects a template, and the template gives the logical order. Called by the native parser and the printer.

use core::fmt;

/// Where the logical order of the axes comes from when a format does not state it.
///
/// The letters of a template that a format does not use drop out; the upper-case ones must be there.
/// Source: the enumeration of `dnnl_format_tag_t`, whose 798 aliases each fit exactly one template.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Template {
    /// `NCdhw`: batch, channels, depth, height, width.
    Activations,
    /// `OIdhw`: output channels, input channels, kernel depth, height, width.
    Weights,
    /// `GOIdhw`: groups, then as for weights.
    GroupedWeights,
    /// `TNc`: time, batch, channels.
    RnnData,
    /// `LDNC`: layer, direction, batch, channels.
    RnnStates,
    /// `LDigO`: layer, direction, input, gate, output.
    RnnWeights,
    /// `X`: the one axis of a tensor of rank 1.
    Single,
    /// `abc…`: anonymous axes, `a` to `l`, none left out.
    Alphabet,
}

/// What is known about the letters of a format, as one bit a letter.
#[derive(Clone, Copy)]
pub(super) enum Fit {
    /// Exactly this template.
    Exact(Template),
    /// A letter is missing from the only template that it would complete.
    Lacks(Template, u8),
    /// One letter would complete either template.
    Either(Template, Template),
    /// These letters are too many for the only template that is near.
    Extra(Template, u32),
    /// These letters are in no template.
    Unknown(u32),
    /// Nothing is near.
    Nothing,
}

/// The templates with a fixed set of letters, that is all but the alphabet.
const NAMED: [Template; 7] = [
    Template::Activations,
    Template::Weights,
    Template::GroupedWeights,
    Template::RnnData,
    Template::RnnStates,
    Template::RnnWeights,
    Template::Single,
];

/// `a` to `l`.
const ALPHABET: u32 = (1 << 12) - 1;

impl Template {
    /// The template as oneDNN's documentation would write it: mandatory letters in upper case.
    ///
    /// ```
    /// assert_eq!(layout_core::grammar::Template::Activations.pattern(), "NCdhw");
    /// ```
    pub const fn pattern(self) -> &'static str {
        match self {
            Template::Activations => "NCdhw",
            Template::Weights => "OIdhw",
            Template::GroupedWeights => "GOIdhw",
            Template::RnnData => "TNc",
            Template::RnnStates => "LDNC",
            Template::RnnWeights => "LDigO",
            Template::Single => "X",
            Template::Alphabet => "Abcdefghijkl",
        }
    }

    /// What tensors of this template hold.
    ///
    /// ```
    /// assert_eq!(layout_core::grammar::Template::RnnData.name(), "RNN data");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Template::Activations => "activations",
            Template::Weights => "weights",
            Template::GroupedWeights => "grouped weights",
            Template::RnnData => "RNN data",
            Template::RnnStates => "RNN states",
            Template::RnnWeights => "RNN weights",
            Template::Single => "one axis",
            Template::Alphabet => "anonymous axes",
        }
    }

    /// All letters, and the mandatory ones.
    pub(super) const fn masks(self) -> (u32, u32) {
        let pattern = self.pattern().as_bytes();
        let (mut all, mut mandatory) = (0, 0);
        let mut i = 0;
        while i < pattern.len() {
            all |= bit(pattern[i]);
            if pattern[i].is_ascii_uppercase() {
                mandatory |= bit(pattern[i]);
            }
            i += 1;
        }
        (all, mandatory)
    }

    /// Whether the letters are exactly those of a tensor of this template.
    const fn fits(self, letters: u32) -> bool {
        let (all, mandatory) = self.masks();
        match self {
            // Contiguous from `a`.
            Template::Alphabet => letters & 1 != 0 && letters & !all == 0 && letters & (letters + 1) == 0,
            _ => letters & !all == 0 && mandatory & !letters == 0,
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Template::Alphabet => f.write_str("the anonymous axes `a` to `l`"),
            _ => write!(f, "{} `{}`", self.name(), self.pattern()),
        }
    }
}

/// The bit of a letter of either case; 0 for any other byte.
pub(super) const fn bit(letter: u8) -> u32 {
    if letter.is_ascii_alphabetic() { 1 << (letter.to_ascii_lowercase() - b'a') } else { 0 }
}

/// The set of the first `rank` anonymous axes; at most 26.
pub(super) const fn first_axes(rank: usize) -> u32 {
    (1 << if rank < 26 { rank } else { 26 }) - 1
}

/// The first letter of a non-empty set.
const fn first(letters: u32) -> u8 {
    b'a' + letters.trailing_zeros() as u8 % 26
}

/// The template that the set of outer letters selects, or what keeps it from one.
pub(super) const fn fit(letters: u32) -> Fit {
    if Template::Alphabet.fits(letters) {
        return Fit::Exact(Template::Alphabet);
    }
    let mut i = 0;
    while i < NAMED.len() {
        if NAMED[i].fits(letters) {
            return Fit::Exact(NAMED[i]);
        }
        i += 1;
    }
    near(letters)
}

/// What keeps letters that fit no template from one.
const fn near(letters: u32) -> Fit {
    let mut known = 0;
    let mut lacking: Option<(Template, u8)> = None;
    let mut extra: Option<(Template, u32)> = None;
    let mut extras = 0;
    let mut i = 0;
    while i < NAMED.len() {
        let template = NAMED[i];
        let (all, mandatory) = template.masks();
        let missing = mandatory & !letters;
        let surplus = letters & !all;
        if missing == 0 && surplus.count_ones() == 1 {
            extra = Some((template, surplus));
            extras += 1;
        }
        if surplus == 0 && missing.count_ones() == 1 && letters != 0 {
            match lacking {
                None => lacking = Some((template, first(missing))),
                Some((earlier, _)) => return Fit::Either(earlier, template),
            }
        }
        if !matches!(template, Template::Single) {
            known |= all;
        }
        i += 1;
    }
    if let Some((template, letter)) = lacking {
        return Fit::Lacks(template, letter);
    }
    let alphabet = letters & 1 != 0;
    if !alphabet && letters & !(known | ALPHABET) != 0 {
        return Fit::Unknown(letters & !(known | ALPHABET));
    }
    if extras == 1
        && let Some((template, surplus)) = extra
        && !matches!(template, Template::Single)
    {
        return Fit::Extra(template, surplus);
    }
    // `a` is in no other template, nor is `b`: either means the alphabet.
    if letters & 0b11 != 0 && letters & !ALPHABET == 0 {
        return Fit::Lacks(Template::Alphabet, first(!letters));
    }
    if alphabet {
        return Fit::Extra(Template::Alphabet, letters & !ALPHABET);
    }
    if letters & !known != 0 {
        return Fit::Unknown(letters & !known);
    }
    Fit::Nothing
}

/// No set of letters fits two templates, so that a format without an arrow has one meaning.
const _: () = {
    let mut union = 0;
    let mut i = 0;
    while i < NAMED.len() {
        let (all, mandatory) = NAMED[i].masks();
        union |= all;
        let mut j = 0;
        while j < i {
            let (other_all, other_mandatory) = NAMED[j].masks();
            assert!(mandatory & !other_all != 0 || other_mandatory & !all != 0);
            j += 1;
        }
        i += 1;
    }
    assert!(union & 1 == 0, "a letter `a` selects the alphabet");
};
