//! What a plan is like, in numbers: what [`forest`](super::forest) asks for.

use super::super::{Class, Reorder, Tails, percent};
use crate::kernels::LINE;

/// Numbers by which plans differ in what is faster. Strides are in elements; loops that run once do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Fact {
    /// Bytes of an element.
    SrcBytes,
    DstBytes,
    /// Elements that hold data, and bytes that are written.
    Logical,
    Written,
    /// Data on each side, of 100 elements and places of padding.
    DstFilled,
    SrcFilled,
    /// The two innermost loops, x and y: how often each runs, how often for data, and strides.
    X,
    HeldX,
    SrcX,
    Y,
    HeldY,
    SrcY,
    DstY,
    /// The loop around them.
    Z,
    DstZ,
    /// Elements of x and y that hold data, and how many times there are so many.
    Tile,
    Tiles,
    /// How often the longest loop runs.
    Most,
    /// Data for each line that is written.
    OfLine,
}

/// All of them, by their names.
pub(super) const FACTS: [(Fact, &str); 19] = {
    use Fact::*;
    [
        (SrcBytes, "SrcBytes"),
        (DstBytes, "DstBytes"),
        (Logical, "Logical"),
        (Written, "Written"),
        (DstFilled, "DstFilled"),
        (SrcFilled, "SrcFilled"),
        (X, "X"),
        (HeldX, "HeldX"),
        (SrcX, "SrcX"),
        (Y, "Y"),
        (HeldY, "HeldY"),
        (SrcY, "SrcY"),
        (DstY, "DstY"),
        (Z, "Z"),
        (DstZ, "DstZ"),
        (Tile, "Tile"),
        (Tiles, "Tiles"),
        (Most, "Most"),
        (OfLine, "OfLine"),
    ]
};

/// A number for each [`Fact`], as far as 32 bits hold it.
pub(super) struct Facts([u32; FACTS.len()]);

impl Facts {
    const fn set(&mut self, fact: Fact, value: u64) {
        self.0[fact as usize] = if value < u32::MAX as u64 { value as u32 } else { u32::MAX };
    }

    pub(super) const fn get(&self, fact: Fact) -> u32 {
        self.0[fact as usize]
    }
}

impl Reorder {
    /// What it is like; `None` for streams, and for loops that are not what was measured: with more than one stride, windows, or
    /// elements of 4 bits that are not moved in pairs.
    pub(super) const fn facts(&self) -> Option<Facts> {
        let mut t = 0;
        while t < self.tails.len as usize {
            if self.tails.window[t] != Tails::NO_WINDOW {
                return None;
            }
            t += 1;
        }
        if !self.packing.is_none() || matches!(self.class, Class::Stream) {
            return None;
        }
        let (src, dst) = (self.src_dtype.size(), self.dst_dtype.size());
        // x, y and z. A run of elements that is moved as one is x.
        let run = (self.dst_element as usize / dst) as u64;
        let (mut n, mut held, mut most) = ([run, 1, 1], [run, 1, 1], run);
        let (mut from, mut to) = ([(run > 1) as u64, 0, 0], [0; 3]);
        let (mut i, mut k) = (self.nodes.len(), (run > 1) as usize);
        while i > 0 {
            i -= 1;
            if !self.nodes.is_strided(i) {
                return None;
            }
            let node = self.nodes.get(i);
            if node.n == 1 {
                continue;
            }
            let values = match self.valid_of(i) {
                Some(valid) => valid,
                None => node.n,
            };
            if k < n.len() {
                (n[k], held[k]) = (node.n, values);
                from[k] = (node.src.unsigned_abs() / src) as u64;
                to[k] = (node.dst.unsigned_abs() / dst) as u64;
            }
            if values > most {
                most = values;
            }
            k += 1;
        }
        let tile = held[0].saturating_mul(held[1]);
        let logical = if self.pairs { self.logical / 2 } else { self.logical } as u64;
        let written = self.bytes_written() as u64;
        let mut facts = Facts([0; FACTS.len()]);
        facts.set(Fact::SrcBytes, src as u64);
        facts.set(Fact::DstBytes, dst as u64);
        facts.set(Fact::Logical, logical);
        facts.set(Fact::Written, written);
        facts.set(Fact::DstFilled, percent(self.logical, self.padded) as u64);
        let read = percent(self.bytes_read(), self.src_len) as u64;
        facts.set(Fact::SrcFilled, if read < 100 { read } else { 100 });
        facts.set(Fact::X, n[0]);
        facts.set(Fact::HeldX, held[0]);
        facts.set(Fact::SrcX, from[0]);
        facts.set(Fact::Y, n[1]);
        facts.set(Fact::HeldY, held[1]);
        facts.set(Fact::SrcY, from[1]);
        facts.set(Fact::DstY, to[1]);
        facts.set(Fact::Z, n[2]);
        facts.set(Fact::DstZ, to[2]);
        facts.set(Fact::Tile, tile);
        let Some(tiles) = logical.checked_div(tile) else { return None };
        facts.set(Fact::Tiles, tiles);
        facts.set(Fact::Most, most);
        facts.set(Fact::OfLine, logical.saturating_mul(LINE as u64) / (written + 1));
        Some(facts)
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::descriptor::{DType, Descriptor};
    use alloc::format;

    fn facts(types: [DType; 2], dims: &[usize], formats: [&str; 2]) -> Option<[u32; FACTS.len()]> {
        let [src, dst] = [0, 1].map(|i| Descriptor::new(types[i], dims, formats[i]).expect("a layout"));
        let plan = Reorder::new(&src, &dst).expect("a plan");
        plan.facts().map(|facts| FACTS.map(|(fact, _)| facts.get(fact)))
    }

    #[test]
    fn facts_are_those_of_the_loops() {
        // Loops (4,27,16), 27 inputs and pixels together: the outputs end in the fourth block.
        let expected =
            [1, 4, 63 * 27, 64 * 27 * 4, 98, 100, 16, 16, 27, 27, 27, 1, 16, 4, 432, 432, 3, 27, 15];
        assert_eq!(facts([DType::S8, DType::F32], &[63, 3, 3, 3], ["oihw", "Oihw16o"]), Some(expected));
        // A stream; elements of 4 bits.
        assert_eq!(facts([DType::F32; 2], &[64, 64], ["ab", "ab"]), None);
        assert_eq!(facts([DType::S4, DType::S8], &[64, 64], ["ab", "ba"]), None);
        assert_eq!(FACTS.map(|(fact, _)| fact as usize), core::array::from_fn(|i| i));
    }

    #[test]
    fn names_are_those_of_the_facts() {
        for (fact, name) in FACTS {
            assert_eq!(format!("{fact:?}"), name);
        }
    }
}
