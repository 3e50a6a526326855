//! The text on one line and the carets under it on the next. Knows columns, nothing of formats.

use core::fmt::{self, Write};

/// How many characters are shown on each side of the mistake, and of a long mistake.
const WINDOW: usize = 48;

/// Writes the two lines, indented by two. Characters that do not print are shown as Rust escapes.
/// A long text is cut on both sides.
pub(super) fn draw(f: &mut fmt::Formatter<'_>, text: &str, position: usize, len: usize) -> fmt::Result {
    let marked = |at: usize| position <= at && at < position.saturating_add(len);
    let before = text.char_indices().filter(|&(at, _)| at < position).count();
    let inside = text.char_indices().filter(|&(at, _)| marked(at)).count();
    let skip = before.saturating_sub(WINDOW);
    let take = before - skip + inside.min(WINDOW) + WINDOW;
    let shown = || text.char_indices().skip(skip).take(take);

    f.write_str(if skip > 0 { "  …" } else { "  " })?;
    for (_, letter) in shown() {
        write_visible(f, letter)?;
    }
    let cut = text.chars().nth(skip + take).is_some();
    f.write_str(if cut { "…\n  " } else { "\n  " })?;

    spaces(f, usize::from(skip > 0))?;
    spaces(f, shown().filter(|&(at, _)| at < position).map(|(_, letter)| width(letter)).sum())?;
    let carets: usize = shown().filter(|&(at, _)| marked(at)).map(|(_, letter)| width(letter)).sum();
    for _ in 0..carets.max(1) {
        f.write_char('^')?;
    }
    f.write_char('\n')
}

fn spaces(f: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
    (0..count).try_for_each(|_| f.write_char(' '))
}

/// Whether the character is shown as it is. The ASCII quotes and the backslash are, unlike in a Rust literal;
/// white space other than the space is not, for it would move the carets.
fn is_visible(letter: char) -> bool {
    letter.is_ascii_graphic()
        || letter == ' '
        || (!letter.is_ascii() && !letter.is_whitespace() && letter.escape_debug().len() == 1)
}

fn write_visible(f: &mut fmt::Formatter<'_>, letter: char) -> fmt::Result {
    if is_visible(letter) {
        return f.write_char(letter);
    }
    if letter.escape_debug().len() > 1 {
        return write!(f, "{}", letter.escape_debug());
    }
    write!(f, "{}", letter.escape_unicode())
}

/// Columns of a character as it is shown.
fn width(letter: char) -> usize {
    if !is_visible(letter) {
        let short = letter.escape_debug().len();
        return if short > 1 { short } else { letter.escape_unicode().len() };
    }
    // East Asian wide and full-width characters, as a Japanese or Chinese keyboard produces them.
    match letter as u32 {
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
