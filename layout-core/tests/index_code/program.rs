//! A program around the index code of all cases that puts out every offset and every inverse, and what it has to put out.
//! The body is the same text in all languages of the C family; `PUT(value)` is theirs.

use crate::cases::Case;
use layout_core::descriptor::{Descriptor, Location};
use layout_core::grammar::MAX_RANK;
use layout_core::index_code::{IndexCode, Language};
use std::collections::HashMap;
use std::fmt::Write;

/// Offsets behind the last that are asked for too.
const BEYOND: usize = 3;

/// How the code is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) language: Language,
    pub(crate) bits: u32,
    pub(crate) as_macro: bool,
}

impl Style {
    /// The integer type, with which the loops count.
    pub(crate) fn integer(self) -> &'static str {
        match (self.language, self.bits) {
            (Language::OpenCl, 64) => "ulong",
            (Language::OpenCl, _) => "uint",
            (_, 64) => "size_t",
            _ => "uint32_t",
        }
    }

    fn code(self, case: &Case, name: &str) -> IndexCode {
        let d = &case.tensor;
        let mut code = if case.from_spec {
            let closed = (0..d.rank()).filter(|&a| !case.open[a]);
            closed.fold(d.spec().index_code(self.language), |code, a| {
                code.with_extent(d.spec().axis_name(a).unwrap(), d.dims()[a])
            })
        } else {
            d.index_code(self.language)
        };
        code = code.named(name);
        code = if self.bits == 32 { code.with_bits_32() } else { code };
        if self.as_macro { code.as_macro() } else { code }
    }
}

/// The functions of one case, and the statements that put out their values.
pub(crate) fn source(case: &Case, style: Style, name: &str) -> (String, String) {
    let d = &case.tensor;
    let code = style.code(case, name);
    let (offset, inverse) = (code.offset().expect("small"), code.inverse().expect("small"));
    let letter = |a: usize| d.spec().axis_name(a).unwrap();
    let integer = style.integer();
    let mut body = String::new();
    for a in 0..d.rank() {
        let (letter, end) = (letter(a), d.owned(a).end - d.origin()[a]);
        let _ = write!(body, "for ({integer} {letter} = 0; {letter} < {end}; {letter}++) ");
    }
    // The extents that the function takes, as its head says.
    let head = offset.lines().next().unwrap();
    let arguments = |head: &str| -> Vec<String> {
        let extents = (0..d.rank()).filter(|&a| head.contains(&format!("dim_{}", letter(a))));
        extents.map(|a| d.dims()[a].to_string()).collect()
    };
    let index = (0..d.rank()).map(|a| letter(a).to_string());
    let list: Vec<String> = index.chain(arguments(head)).collect();
    let _ = writeln!(body, "PUT({name}_offset({}));", list.join(", "));
    let head = inverse.lines().next().unwrap();
    let list: Vec<String> =
        ["at".to_owned(), "index".to_owned()].into_iter().chain(arguments(head)).collect();
    let (rank, end) = (d.rank(), d.required_len() + BEYOND);
    let _ = writeln!(body, "for ({integer} at = 0; at < {end}; at++) {{");
    let _ = writeln!(body, "  {integer} index[{}] = {{0}};", rank.max(1));
    let _ = writeln!(body, "  int found = {name}_index({});", list.join(", "));
    let _ = writeln!(body, "  PUT(found);");
    let _ =
        writeln!(body, "  if (found >= {}) for (int a = 0; a < {rank}; a++) PUT(index[a]);\n}}", least(d));
    (format!("{offset}{inverse}"), body)
}

/// From which word of the inverse on the index is looked at: that of padding before the first element wraps.
fn least(d: &Descriptor) -> i32 {
    if d.origin().iter().all(|&origin| origin == 0) { 0 } else { 1 }
}

/// What the statements have to put out.
pub(crate) fn expected(d: &Descriptor) -> Vec<i64> {
    let mut out = Vec::new();
    let mut padding = HashMap::new();
    let ends: Vec<usize> = (0..d.rank()).map(|a| d.owned(a).end - d.origin()[a]).collect();
    let mut index = [0; MAX_RANK];
    let mut left: usize = ends.iter().product();
    while left > 0 {
        left -= 1;
        let offset = d.offset_unchecked(&index[..d.rank()]);
        out.push(offset as i64);
        padding.insert(offset, index);
        for a in (0..d.rank()).rev() {
            index[a] += 1;
            if index[a] < ends[a] {
                break;
            }
            index[a] = 0;
        }
    }
    for at in 0..d.required_len() + BEYOND {
        match d.locate(at) {
            Ok(Location::Element(index)) => {
                out.push(1);
                out.extend(index.iter().map(|&i| i as i64));
            }
            Ok(Location::Padding) => {
                out.push(0);
                if least(d) == 0 {
                    out.extend(padding[&at][..d.rank()].iter().map(|&i| i as i64));
                }
            }
            Ok(Location::Unused) | Err(_) => out.push(-1),
        }
    }
    out
}

/// Compares the numbers that a program put out with those expected, case by case.
pub(crate) fn compare(cases: &[Case], found: &[Vec<i64>], style: &str) {
    assert_eq!(found.len(), cases.len(), "{style}: cases that put something out");
    for (case, found) in cases.iter().zip(found) {
        let expected = expected(&case.tensor);
        if *found != expected {
            let at = found.iter().zip(&expected).position(|(a, b)| a != b);
            panic!(
                "{style}, {}, open {:?}: {} numbers for {}, the first wrong at {at:?}: {:?} for {:?}",
                case.tensor,
                case.open,
                found.len(),
                expected.len(),
                at.map(|at| found[at]),
                at.map(|at| expected[at]),
            );
        }
    }
}
