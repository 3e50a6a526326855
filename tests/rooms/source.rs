//! Rust source as plain text: what is left without comments and literals, and how long a file is without its tests.
//! Called by `tests/rooms.rs`.

/// `text` with comments, strings and characters replaced by spaces. Lines stay where they are.
pub(crate) fn code_only(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skipped_until(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
        } else {
            code.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
}

/// The end of the comment or literal that starts at `at`; `at` where none does.
fn skipped_until(chars: &[char], at: usize) -> usize {
    let starts = |text: &str| text.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c));
    if starts("//") {
        return (at..chars.len()).find(|&i| chars[i] == '\n').unwrap_or(chars.len());
    }
    if starts("/*") {
        return block_comment(chars, at);
    }
    match chars[at] {
        '"' => string(chars, at),
        'r' if !follows_a_name(chars, at) => raw_string(chars, at).unwrap_or(at),
        '\'' => character(chars, at).unwrap_or(at),
        _ => at,
    }
}

fn block_comment(chars: &[char], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn string(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

fn raw_string(chars: &[char], start: usize) -> Option<usize> {
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    let open = start + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return None;
    }
    let closes = |&at: &usize| {
        chars[at] == '"' && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
    };
    Some((open + 1..chars.len()).find(closes).map_or(chars.len(), |at| at + 1 + hashes))
}

/// The end of a character literal; `None` for a lifetime.
fn character(chars: &[char], start: usize) -> Option<usize> {
    if chars.get(start + 1) == Some(&'\\') {
        return Some((start + 3..chars.len()).find(|&at| chars[at] == '\'').map_or(chars.len(), |at| at + 1));
    }
    (chars.get(start + 2) == Some(&'\'')).then_some(start + 3)
}

/// `b` of a byte string is part of the literal, any other letter before an `r` is not.
fn follows_a_name(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_') && chars[at - 1] != 'b'
}

/// Lines of `text` that do not belong to a `#[cfg(test)]` module written in the file.
pub(crate) fn lines_without_tests(text: &str) -> usize {
    let (mut count, mut inside) = (0, false);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let opens = |next: &&str| next.starts_with("mod ") && next.trim_end().ends_with('{');
        if line.starts_with("#[cfg(test)]") && lines.peek().is_some_and(opens) {
            inside = true;
        }
        count += usize::from(!inside);
        // rustfmt closes a module of the file in the first column and nothing inside it.
        if line.starts_with('}') {
            inside = false;
        }
    }
    count
}

#[test]
fn comments_and_literals_are_not_code() {
    let code = code_only(
        "a // crate::x\n/* crate::y /* z */ */ b \"crate::\\\"v\" c r#\"\"crate::w\"# '\"' d '\\'' e",
    );
    assert!(!code.contains("crate"), "{code}");
    assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "b", "c", "d", "e"]);
    assert_eq!(code.matches('\n').count(), 1);
    assert_eq!(code_only("&'a str, var\"x\""), "&'a str, var   ");
    assert_eq!(code_only("//! use crate::view;").trim(), "");
}

#[test]
fn tests_do_not_count_as_length() {
    assert_eq!(lines_without_tests("a\nb\n#[cfg(test)]\nmod tests {\n    c\n}\nd\n"), 3);
    assert_eq!(lines_without_tests("a\n#[cfg(test)]\nmod tests;\nb\n"), 4);
    assert_eq!(lines_without_tests("fn f() {\n}\n"), 2);
}
