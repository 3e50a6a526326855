//! Every tag of oneDNN's enumeration, from a table beside the repository; skipped where that is absent.

use crate::oracle::Expected;
use crate::shared;
use layout_core::grammar::{Dialect, ParseErrorKind, Spec};

struct Row {
    tag: String,
    alias: bool,
    follows_grammar: bool,
    expected: Expected,
    multiples: Vec<(usize, u64)>,
}

fn pairs(field: &str) -> Vec<(usize, u64)> {
    let pair = |text: &str| {
        let (axis, size) = text.split_once(':').unwrap();
        (axis.parse().unwrap(), size.parse().unwrap())
    };
    if field == "-" { Vec::new() } else { field.split(',').map(pair).collect() }
}

fn rows() -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    for line in shared::rows("onednn_tags.tsv")? {
        let fields: Vec<&str> = line.iter().map(String::as_str).collect();
        let [tag, _, kind, _, order, rank, outer, blocks, multiples, _, _, follows, ..] = fields[..] else {
            panic!("short row: {line:?}");
        };
        if kind == "special" {
            continue;
        }
        let outer: Vec<usize> = outer.split(',').map(|axis| axis.parse().unwrap()).collect();
        assert_eq!(outer.len(), rank.parse::<usize>().unwrap());
        // The table gives the letters of aliases and of canonical tags alike.
        rows.push(Row {
            tag: tag.to_owned(),
            alias: kind != "canonical",
            follows_grammar: follows == "yes",
            expected: Expected { axes: order.to_owned(), outer, blocks: pairs(blocks) },
            multiples: pairs(multiples),
        });
    }
    Some(rows)
}

#[test]
fn every_tag_of_onednn() {
    let Some(rows) = rows() else { return };
    let (mut canonical, mut aliases, mut misspelt, mut misnamed) = (0, 0, 0, 0);
    for row in &rows {
        if !row.follows_grammar {
            // Refused while compiling, with what to write instead; at run time it is what the table says.
            let error = Spec::parse(&row.tag).unwrap_err();
            let ParseErrorKind::Misnamed { meaning } = error.kind() else { panic!("{}: {error}", row.tag) };
            row.expected.check(meaning, &Spec::parse(meaning).unwrap());
            let report = error.report(&row.tag).to_string();
            assert!(report.contains(&format!("help: write \"{meaning}\", which is")), "{report}");
            let rank = row.expected.axes.len();
            row.expected.check(&row.tag, &Spec::parse_rank(&row.tag, rank).unwrap());
            row.expected.check(&row.tag, &Spec::parse_in(Dialect::OneDnn, &row.tag).unwrap());
            // The last two name their outer axes in another order, the first four have an upper-case letter too many.
            let literal = Spec::parse(&format!("{} => {}", row.expected.axes, row.tag));
            match literal {
                Ok(spec) => {
                    assert_ne!(Ok(spec), Spec::parse(meaning));
                    assert_eq!(spec.to_string(), format!("{} => {}", row.expected.axes, row.tag));
                    assert!(report.contains("for what the name says"), "{report}");
                    misnamed += 1;
                }
                Err(error) => {
                    assert_eq!(error.kind(), ParseErrorKind::UpperWithoutBlock { axis: 'i' });
                    misspelt += 1;
                }
            }
            continue;
        }
        let spec = Spec::parse(&row.tag).unwrap_or_else(|error| panic!("{}: {error}", row.tag));
        row.expected.check(&row.tag, &spec);
        for &(axis, multiple) in &row.multiples {
            assert_eq!(spec.block_of(axis), multiple, "{}", row.tag);
        }
        for text in [row.tag.clone(), format!("onednn:{}", row.tag), format!("dnnl_{}", row.tag)] {
            assert_eq!(Spec::parse(&text), Ok(spec), "{text}");
        }
        assert_eq!(spec.name_in(Dialect::OneDnn).unwrap().as_str(), row.tag);
        *if row.alias { &mut aliases } else { &mut canonical } += 1;
    }
    assert_eq!((canonical, aliases, misspelt, misnamed), (873, 792, 4, 2));
}

#[test]
fn every_tag_prints_as_it_is_named() {
    let Some(rows) = rows() else { return };
    for row in rows {
        if let Ok(spec) = Spec::parse(&row.tag) {
            assert_eq!(spec.to_string(), row.tag);
        }
    }
}
