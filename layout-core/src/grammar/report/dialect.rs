//! Help that needs the dialects: what a text means in them, and what it would mean if more were known.
//! Called by the help.

use super::super::text::Text;
use super::super::{Dialect, ParseError, ParseErrorKind, Spec};
use core::fmt;

/// The rank and the element size in bytes that examples are for.
const EXAMPLE: (usize, usize) = (4, 4);

/// The whole help for kinds that need it; `None` for others.
pub(super) fn says_more(f: &mut fmt::Formatter<'_>, error: &ParseError, text: &str) -> Option<fmt::Result> {
    let done = match error.kind() {
        ParseErrorKind::Misnamed { meaning } => misnamed(f, meaning, text),
        ParseErrorKind::BytesUnknown { .. } => {
            let example = example(text);
            let example = example.as_ref().map_or("nhwc^8", |name| name.as_str());
            write!(f, "count in elements: \"{example}\" is that for elements of {} bytes", EXAMPLE.1)
        }
        ParseErrorKind::RankUnknown => {
            let example = example(text);
            let example = example.as_ref().map_or("nchw", |name| name.as_str());
            write!(f, "write all axes: \"{example}\" is that for rank {}", EXAMPLE.0)
        }
        ParseErrorKind::Ambiguous { first, second } => {
            let one = f.write_str("state which is meant: ").and_then(|()| reading(f, first, text));
            one.and_then(|()| f.write_str(", or ")).and_then(|()| reading(f, second, text))
        }
        ParseErrorKind::NeedsPrefix { dialect, .. } => {
            f.write_str("state that it is meant so: ").and_then(|()| reading(f, dialect, text))
        }
        _ => return None,
    };
    Some(done)
}

/// Name and meaning of oneDNN's, and how to say what the name says where it is a format.
fn misnamed(f: &mut fmt::Formatter<'_>, meaning: &str, text: &str) -> fmt::Result {
    write!(f, "write \"{meaning}\", which is what oneDNN means by this name")?;
    let Ok(spec) = Spec::parse(meaning) else { return Ok(()) };
    let mut literal = Text::<64>::new();
    let mut axes = (0..spec.rank()).filter_map(|axis| spec.axis_name(axis));
    let fits =
        axes.try_for_each(|axis| literal.push_char(axis)).and(literal.push(" => ")).and(literal.push(text));
    if fits.is_some() && Spec::parse(literal.as_str()).is_ok() {
        write!(f, ", or \"{}\" for what the name says", literal.as_str())?;
    }
    Ok(())
}

/// The canonical name of what the text means for a tensor that is as in the examples.
fn example(text: &str) -> Option<Text<96>> {
    let spec = Spec::parse_for(text, EXAMPLE.0, EXAMPLE.1).ok()?;
    let mut name = Text::new();
    fmt::write(&mut name, format_args!("{spec}")).ok()?;
    Some(name)
}

/// The text with the prefix of a dialect, and what it means there.
fn reading(f: &mut fmt::Formatter<'_>, dialect: Dialect, text: &str) -> fmt::Result {
    match Spec::parse_in(dialect, text) {
        Ok(spec) => write!(f, "\"{}:{text}\" for {spec}", dialect.prefix()),
        Err(error) => write!(f, "{}:{text} ({})", dialect.prefix(), error.kind()),
    }
}

/// One more line where the text is a layout of TVM with blocks.
pub(super) fn as_tvm(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    match Spec::parse_in(Dialect::Tvm, text) {
        Ok(spec) if text.contains(|letter: char| letter.is_ascii_digit()) => {
            write!(f, "\nhelp: or, as TVM writes {spec}: \"tvm:{text}\"")
        }
        _ => Ok(()),
    }
}

/// One more line with the blocks where they stand, and the mark that says so.
pub(super) fn outside(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut upper = Text::<96>::new();
    let mut number = false;
    for letter in text.chars() {
        let written = if number { letter } else { letter.to_ascii_uppercase() };
        number = letter.is_ascii_digit();
        if upper.push_char(written).is_none() {
            return Ok(());
        }
    }
    match Spec::parse_in(Dialect::Tvm, upper.as_str()) {
        Ok(spec) => write!(f, "\nhelp: or say that they lie outside: \"{spec}\""),
        Err(_) => Ok(()),
    }
}
