//! The ways in which a plan can be moved: which there are, and how they are written. That each writes
//! what the oracle does is tested wherever `oracle` and `attributes` check a reorder, of a part of the cases.

use crate::oracle::{SENTINEL, dense, fill, reorder};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::kernels::Cpu;
use layout_core::reorder::{Reorder, ReorderError, Stores, Way, WayError};
use std::collections::BTreeSet;

pub(crate) fn plan(
    types: [DType; 2],
    dims: &[usize],
    formats: [&str; 2],
) -> (Descriptor, Descriptor, Reorder) {
    let [src, dst] = [0, 1].map(|i| dense(types[i], dims, formats[i]));
    let plan = Reorder::new(&src, &dst).unwrap();
    (src, dst, plan)
}

pub(crate) fn weights() -> (Descriptor, Descriptor, Reorder) {
    plan([DType::F32, DType::S8], &[64, 43, 3, 3], ["Oihw8o", "OIhw8i8o"])
}

#[test]
fn which_there_are() {
    let (_, _, plan) = weights();
    let names: BTreeSet<String> = plan.ways().map(|way| way.to_string()).collect();
    assert_eq!(names.len(), plan.ways().count(), "each once");
    assert!(names.contains(&plan.way().to_string()), "its own: {names:?}");
    assert!(names.contains("tiles") && names.contains("tiles+inner1"), "{names:?}");
    let expected: &[(&str, bool)] = match Cpu::current() {
        Cpu::Avx512 => &[("lines", true), ("narrowed", true), ("tiles+halves", true), ("lines+halves", true)],
        Cpu::Avx2 => &[("lines", true), ("narrowed", false), ("tiles+halves", false)],
        _ => &[("lines", false), ("narrowed", false), ("tiles+halves", false)],
    };
    for &(name, is) in expected {
        assert_eq!(names.contains(name), is, "{name}: {names:?}");
    }
    // One stream has no loops around it.
    let one = dense(DType::U8, &[4096], "a");
    let plan = Reorder::new(&one, &one).unwrap();
    assert!(plan.ways().all(|way| !way.to_string().contains("inner")));
}

#[test]
fn one_way_after_the_other() {
    let (src, dst, plan) = weights();
    let mut from = vec![0; src.size_bytes()];
    fill(src.dtype(), &mut from, 5);
    let mut expected = vec![SENTINEL; dst.size_bytes()];
    reorder(&src, &dst, &from, &mut expected);
    let own = plan.way();
    let mut other = plan.clone();
    let ways: Vec<Way> = plan.ways().collect();
    let mut loops = BTreeSet::new();
    for way in ways.iter().chain(ways.iter().rev()) {
        other = other.with_way(*way).unwrap();
        assert_eq!(other.way(), *way);
        let text = other.to_string();
        loops.insert(text[text.find("loops").unwrap()..].lines().next().unwrap().to_owned());
        let mut found = vec![SENTINEL; dst.size_bytes()];
        other.run(&from, &mut found).unwrap();
        assert!(found == expected, "{way}: {other}");
    }
    assert!(loops.len() > 1, "the order of the loops changes: {loops:?}");
    assert_eq!(other.with_way(own).unwrap().to_string(), plan.to_string(), "and back");
}

#[test]
fn what_no_processor_has() {
    let (_, _, plan) = weights();
    let way: Way = "tiles+inner9".parse().unwrap();
    assert_eq!(plan.with_way(way).unwrap_err(), ReorderError::NoWay { way });
    // Elements that do not become shorter are not converted before.
    let (_, _, wide) = self::plan([DType::S8, DType::F32], &[64, 43, 3, 3], ["Oihw8o", "OIhw8i8o"]);
    assert!(wide.with_way("narrowed".parse().unwrap()).is_err());
    // There are no lines of elements of 4 bits.
    let (_, _, packed) = self::plan([DType::S4, DType::S8], &[128, 64], ["ab", "BA16a64b"]);
    assert!(packed.with_way("lines".parse().unwrap()).is_err());
}

#[test]
fn written_and_read() {
    let (_, _, plan) = weights();
    for way in plan.ways() {
        assert_eq!(way.to_string().parse(), Ok(way));
    }
    for text in
        ["tiles", "lines+halves+asked", "narrowed+unasked+temporal", "tiles+halves+inner3+asked+streaming"]
    {
        let way: Way = text.parse().unwrap();
        assert_eq!(way.to_string(), text);
    }
    for (text, position) in [
        ("", 0),
        ("halves", 0),
        ("Tiles", 0),
        ("tiles+", 6),
        ("tiles+inner0", 6),
        ("tiles+inner10", 6),
        ("tiles+halves+halves", 13),
        ("tiles+asked+halves", 12),
        ("lines+temporal+asked", 15),
        ("tiles+auto", 6),
    ] {
        assert_eq!(text.parse::<Way>(), Err(WayError { position }), "{text}");
    }
    assert_eq!(
        WayError { position: 0 }.to_string(),
        "the word at position 0 belongs to no way; write `tiles`, `lines`, `narrowed` or `elements`"
    );
    assert_eq!(
        WayError { position: 6 }.to_string(),
        "the word at position 6 belongs to no way; write `halves`, `inner1` to `inner9`, `asked` or `unasked`, `temporal` or \
         `streaming`, in this order, each once at most"
    );
}

#[test]
fn stores_are_a_part_of_it() {
    let (_, _, plan) = weights();
    let streaming = plan.with_way("tiles+streaming".parse().unwrap()).unwrap();
    assert_eq!(streaming.stores(), Stores::Streaming);
    assert!(streaming.to_string().contains("streaming stores"));
    assert!(streaming.ways().all(|way| way.to_string().ends_with("+streaming")));
}
