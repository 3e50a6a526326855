//! Reorders within one piece of memory against the same reorder into other memory, byte for byte, with what lies around it.

mod plans;
mod properties;
mod refused;
mod resources;
mod typed;

use crate::oracle::{SENTINEL, fill};
use layout_core::descriptor::Descriptor;
use layout_core::reorder::{Reorder, ReorderInPlace};

/// Runs the plan on memory filled from `seed` and compares it with what `Reorder` writes to other memory; returns the plan.
#[track_caller]
fn check(src: &Descriptor, dst: &Descriptor, seed: u64) -> ReorderInPlace {
    let plan = ReorderInPlace::new(src, dst).unwrap_or_else(|error| panic!("{src:?} -> {dst:?}: {error}"));
    run(&plan, src, dst, seed);
    plan
}

#[track_caller]
fn run(plan: &ReorderInPlace, src: &Descriptor, dst: &Descriptor, seed: u64) {
    assert_eq!((plan.required_len(), plan.required_len()), (src.size_bytes(), dst.size_bytes()));
    // One byte in front: nothing may rely on alignment. What belongs to nobody, gaps among it, has to stay.
    let mut memory = vec![SENTINEL; src.size_bytes() + 9];
    let len = src.size_bytes();
    fill(src.dtype(), &mut memory[1..1 + len], seed);
    let before = memory.clone();
    let mut expected = before.clone();
    Reorder::new(src, dst).unwrap().run(&before[1..], &mut expected[1..]).unwrap();
    plan.run(&mut memory[1..]).unwrap();
    if let Some(at) = (0..memory.len()).find(|&at| memory[at] != expected[at]) {
        panic!(
            "{src:?}\n-> {dst:?}\n{plan}\nbyte {at}: found {:#04x}, expected {:#04x}, was {:#04x}",
            memory[at], expected[at], before[at]
        );
    }
}
