//! Which rooms a module imports, and whether it may. Called by `tests/rooms.rs` with source text that holds no comments
//! and no literals; it never reads a file.

/// The rooms of `layout-core` in the direction of data. A room imports only from those before it.
pub(crate) const ROOMS: [&str; 10] = [
    "grammar",
    "shape",
    "descriptor",
    "index_code",
    "picture",
    "layout",
    "view",
    "reorder",
    "choose",
    "connect",
];
/// Rooms that show a layout and that no other room stands on: only [`CALLERS_OF_SHOWS`] import them.
const SHOWS: [&str; 2] = ["index_code", "picture"];
const CALLERS_OF_SHOWS: [&str; 1] = ["picture"];
/// The leaf: it imports none of the rooms, and only [`CALLERS_OF_LEAF`] import it.
pub(crate) const LEAF: &str = "kernels";
const CALLERS_OF_LEAF: [&str; 3] = ["view", "reorder", "choose"];
/// Rooms that stand on nothing of ours, not even on each other.
const FOUNDATIONS: [&str; 2] = ["grammar", "shape"];

/// A path that leaves its room.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// Line of the path, from 1.
    pub(crate) line: usize,
    /// First segment behind the crate root: a room, or an item of `lib.rs`.
    pub(crate) room: String,
}

/// Whether `room` may import `imported`, or what to do instead.
pub(crate) fn judge(room: &str, imported: &str) -> Result<(), String> {
    if room == imported {
        return Ok(());
    }
    let place = |name: &str| ROOMS.iter().position(|other| *other == name);
    if room == LEAF {
        return Err(format!(
            "`{LEAF}` imports `{imported}`: it knows tiles, not tensors; pass it slices and sizes"
        ));
    }
    let Some(own) = place(room) else {
        return Err(format!("`{room}` is no room: add it to the list in tests/rooms/checker.rs"));
    };
    if imported == LEAF {
        return match CALLERS_OF_LEAF.contains(&room) {
            true => Ok(()),
            false => {
                Err(format!("`{room}` imports `{LEAF}`: only {} call it", CALLERS_OF_LEAF.join(" and ")))
            }
        };
    }
    if SHOWS.contains(&imported) && !CALLERS_OF_SHOWS.contains(&room) {
        return Err(format!("`{room}` imports `{imported}`, which is for people: nothing is built on it"));
    }
    let Some(other) = place(imported) else {
        return Err(format!(
            "`{room}` imports `crate::{imported}`: import from the room that defines the name, not from the crate root"
        ));
    };
    if FOUNDATIONS.contains(&room) {
        return Err(format!("`{room}` imports `{imported}`: it imports nothing of ours"));
    }
    match other < own {
        true => Ok(()),
        false => Err(format!("`{room}` imports `{imported}`, which lies below it")),
    }
}

/// The paths in `code` that reach the crate root, for a file that is module `module` of the crate.
pub(crate) fn imports(code: &str, module: &[String]) -> Vec<Import> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    // The module at each brace depth of the file: inline modules lengthen what `super` starts from.
    let mut modules = vec![module.to_vec()];
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text.as_str() {
            "{" => {
                let mut inner = modules.last().cloned().unwrap_or_default();
                if at >= 2 && tokens[at - 2].text == "mod" {
                    inner.push(tokens[at - 1].text.clone());
                }
                modules.push(inner);
                at += 1;
            }
            "}" => {
                modules.pop();
                at += 1;
            }
            "crate" | "self" | "super" if leads_a_path(&tokens, at) => {
                let base = modules.last().cloned().unwrap_or_default();
                at = path(&tokens, at, base, &mut found);
            }
            _ => at += 1,
        }
    }
    found
}

struct Token {
    line: usize,
    text: String,
}

/// Names, `::`, and every other character by itself.
fn tokens(code: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut line = 1;
    let mut glued = false;
    for c in code.chars() {
        let name = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if glued && name && last.text != "::" => last.text.push(c),
            Some(last) if glued && c == ':' && last.text == ":" => last.text.push(c),
            _ if !c.is_whitespace() => tokens.push(Token { line, text: c.to_string() }),
            _ => {}
        }
        glued = name || (c == ':' && tokens.last().is_some_and(|last| last.text == ":"));
        line += usize::from(c == '\n');
    }
    tokens
}

fn text(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| &token.text)
}

/// Whether the `crate`, `self` or `super` at `at` begins a path, unlike that of `pub(crate)`.
fn leads_a_path(tokens: &[Token], at: usize) -> bool {
    text(tokens, at + 1) == "::" && (at == 0 || text(tokens, at - 1) != "::")
}

/// Reads the path at `at`, which is relative to module `base`, and returns where the caller goes on. Only the part that
/// says which room is meant is read.
fn path(tokens: &[Token], mut at: usize, mut base: Vec<String>, found: &mut Vec<Import>) -> usize {
    loop {
        match text(tokens, at) {
            "crate" => base.clear(),
            "super" => {
                base.pop();
            }
            "self" if text(tokens, at + 1) == "::" => {}
            "{" => return group(tokens, at, &base, found),
            first => {
                // Exported macros live at the crate root, whichever room defines them.
                if base.is_empty() && text(tokens, at + 1) != "!" {
                    found.push(Import { line: tokens[at].line, room: first.to_owned() });
                }
                return at + 1;
            }
        }
        if text(tokens, at + 1) != "::" {
            return at + 1;
        }
        at += 2;
    }
}

/// Reads `{a, b::c}` of a path relative to `base` and returns where it ends.
fn group(tokens: &[Token], open: usize, base: &[String], found: &mut Vec<Import>) -> usize {
    let (mut at, mut depth, mut first) = (open + 1, 1, true);
    while at < tokens.len() {
        match text(tokens, at) {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," => first = depth == 1,
            _ if first => {
                first = false;
                at = path(tokens, at, base.to_vec(), found);
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::source::code_only;
    use super::{imports, judge};

    fn rooms(module: &str, code: &str) -> Vec<String> {
        let module: Vec<String> = module.split("::").map(str::to_owned).collect();
        imports(&code_only(code), &module).into_iter().map(|import| import.room).collect()
    }

    #[test]
    fn paths_from_the_crate_root_are_found() {
        assert_eq!(rooms("view::dense", "use crate::layout::Layout;"), ["layout"]);
        assert_eq!(
            rooms("view", "fn f(x: &crate::shape::Shape<crate::layout::Nchw>) {}"),
            ["shape", "layout"]
        );
        assert_eq!(rooms("view", "macro_rules! m { () => { $crate::reorder::run() } }"), ["reorder"]);
        assert_eq!(
            rooms("view", "use crate::{grammar::{Spec, SpecError}, shape::Shape};"),
            ["grammar", "shape"]
        );
        assert_eq!(rooms("view", "use crate::{self as root, layout};"), ["self", "layout"]);
        assert_eq!(rooms("view", "use crate::*;"), ["*"]);
        assert_eq!(rooms("view", "use crate :: layout ::\n Layout;"), ["layout"]);
    }

    #[test]
    fn super_is_followed_to_the_crate_root() {
        assert_eq!(rooms("view", "use super::layout::Layout;"), ["layout"]);
        assert_eq!(rooms("view::dense", "use super::tile::Tile;"), [""; 0]);
        assert_eq!(rooms("view::dense", "use super::super::reorder::run;"), ["reorder"]);
        assert_eq!(rooms("view::dense", "use super::{tile, super::reorder::{run, Plan}};"), ["reorder"]);
        assert_eq!(rooms("view::dense", "mod def { use super::super::tile; }"), [""; 0]);
        assert_eq!(
            rooms("view::dense", "mod def { use super::super::super::reorder; }\nuse super::x;"),
            ["reorder"]
        );
        assert_eq!(
            rooms("view::dense", "mod def { struct S { x: u8 } } use super::super::shape;"),
            ["shape"]
        );
        assert_eq!(rooms("kernels::x86_64::avx2", "use super::super::generic::copy;"), [""; 0]);
        assert_eq!(rooms("view", "use self::super::layout::Layout;"), ["layout"]);
    }

    #[test]
    fn other_words_are_no_imports() {
        assert_eq!(rooms("view", "pub(crate) fn f() {} pub(in crate::view) fn g() {}"), ["view"]);
        assert_eq!(
            rooms("view", "//! [`crate::reorder`]\n/// crate::reorder::x\n// use crate::reorder;"),
            [""; 0]
        );
        assert_eq!(rooms("view", "const S: &str = \"use crate::reorder;\"; extern crate alloc;"), [""; 0]);
        assert_eq!(rooms("view", "use my_crate::reorder; let a: crates::b;"), [""; 0]);
        assert_eq!(rooms("view", "macro_rules! m { () => { $crate::other!() } }"), [""; 0]);
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let found = imports(
            &code_only("//! x\n\nuse crate::{\n    shape,\n    reorder::Plan,\n};\n"),
            &["view".into()],
        );
        assert_eq!(found.iter().map(|import| import.line).collect::<Vec<_>>(), [4, 5]);
    }

    #[test]
    fn the_direction_is_judged() {
        for (room, imported) in [
            ("layout", "grammar"),
            ("layout", "layout"),
            ("view", "descriptor"),
            ("reorder", "view"),
            ("reorder", "kernels"),
            ("view", "kernels"),
            ("kernels", "kernels"),
            ("index_code", "descriptor"),
            ("picture", "index_code"),
        ] {
            assert_eq!(judge(room, imported), Ok(()), "{room} -> {imported}");
        }
        for (room, imported, word) in [
            ("shape", "grammar", "nothing of ours"),
            ("grammar", "shape", "nothing of ours"),
            ("descriptor", "layout", "below"),
            ("view", "reorder", "below"),
            ("index_code", "picture", "for people"),
            ("view", "picture", "for people"),
            ("picture", "view", "below"),
            ("layout", "kernels", "only view and reorder"),
            ("kernels", "shape", "tiles"),
            ("view", "Tensor", "crate root"),
            ("view", "*", "crate root"),
            ("attic", "grammar", "no room"),
        ] {
            let complaint = judge(room, imported).expect_err("this direction is wrong");
            assert!(complaint.contains(word), "{room} -> {imported}: {complaint}");
        }
    }
}
