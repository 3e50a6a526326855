//! A plan in parts that can run at the same time, each a range of one loop's values. Cut here; each part goes through
//! `boxes` like the whole. Called by this folder.

use super::super::super::Reorder;
use super::super::super::plan::Class;
use crate::kernels::LINE;
use core::ops::Range;

/// Bytes of the source that follow one another and that a crossed tile reads at a time.
const RUN: usize = 256;

/// The values of one loop that belong to a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Part {
    /// Index of the loop.
    pub(in super::super) node: usize,
    pub(in super::super) values: Range<u64>,
}

/// The loop along which a plan is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    node: usize,
    /// Values of the loop.
    n: u64,
    /// Values that are not parted, so that no line of the destination is.
    grain: u64,
    /// Number of parts.
    pub(super) parts: u64,
}

impl Cut {
    /// Part `i` of [`Cut::parts`]. They differ by a grain at most.
    pub(super) fn part(&self, i: u64) -> Part {
        let grains = self.n.div_ceil(self.grain);
        let at = |i: u64| {
            let grain = (u128::from(grains) * u128::from(i) / u128::from(self.parts)) as u64;
            (grain * self.grain).min(self.n)
        };
        Part { node: self.node, values: at(i)..at(i + 1) }
    }
}

/// Grains of a part that weigh so little that one more or less is not worth a look.
const MANY: u64 = 16;

/// In how many parts, `most` at most, the last of so many threads is done first with so many grains: 8 of them in 6 parts are 5 for
/// one of two threads.
fn balanced(grains: u64, most: u64, threads: u64) -> u64 {
    if grains >= MANY * most {
        return most;
    }
    let last = |parts: u64| parts.div_ceil(threads) * grains.div_ceil(parts);
    (threads.clamp(2, most)..=most).rev().min_by_key(|&parts| last(parts)).unwrap_or(most)
}

impl Reorder {
    /// How to cut the plan into `wanted` parts for so many `threads`, or fewer where it has no loop of so many lines or where these
    /// would have more to do one after the other; `None` where it is one part.
    pub(super) fn cut(&self, wanted: u64, threads: usize) -> Option<Cut> {
        if wanted < 2 {
            return None;
        }
        let len = self.nodes.len();
        let mut best: Option<Cut> = None;
        let mut stride = 0;
        for node in 0..len {
            let of_tile = node + 2 >= len || node + 3 == len && self.weaves();
            let is_tail_of_tile = of_tile && self.is_lowest_of_tail(node);
            if self.nodes.is_skewed(node) || is_tail_of_tile || !self.keeps_bytes(node) {
                continue;
            }
            let one = self.nodes.get(node);
            let bytes = one.dst.unsigned_abs().max(1);
            // What a crossed tile reads and writes in turn is not parted either, nor are loops that go on with it.
            let crossed = self.class == Class::Transpose;
            let along_src = if crossed { RUN.div_ceil(one.src.unsigned_abs().max(1)) } else { 1 };
            let grain = along_src.next_multiple_of(LINE.div_ceil(bytes)) as u64;
            let parts = one.n.div_ceil(grain).min(wanted);
            // As many parts as are wanted, of a loop as far out as can be.
            let better = best.is_none_or(|best| (parts, bytes) > (best.parts, stride));
            if parts > 1 && better {
                best = Some(Cut { node, n: one.n, grain, parts });
                stride = bytes;
            }
        }
        best.map(|best| Cut {
            parts: balanced(best.n.div_ceil(best.grain), best.parts, threads as u64),
            ..best
        })
    }

    /// Whether no two values of loop `node` write to one byte, as far as strides can tell.
    ///
    /// Of elements of 4 bits the smaller strides reach less far than that of the loop, and the larger ones go further: where
    /// it and all of these are whole bytes, so is what a value of the loop writes.
    fn keeps_bytes(&self, node: usize) -> bool {
        let stride = self.nodes.get(node).dst;
        let is_whole = |i: usize| {
            let one = self.nodes.get(i);
            self.nodes.is_strided(i) && one.dst >= 0 && (one.dst < stride || one.dst % 2 == 0)
        };
        self.packing.dst.is_none() || self.dst_base % 2 == 0 && (0..self.nodes.len()).all(is_whole)
    }

    /// Whether loop `node` is the lowest of an axis of which some values are padding.
    fn is_lowest_of_tail(&self, node: usize) -> bool {
        (0..self.tails.len as usize).any(|t| self.tails.levels(t).first() == Some(&(node as u8)))
    }
}

#[cfg(test)]
mod tests {
    use crate::descriptor::{DType, Descriptor};
    use crate::reorder::Reorder;
    use alloc::vec;
    use alloc::vec::Vec;

    const FORMATS: [&str; 8] =
        ["nchw", "nhwc", "nChw16c", "nChw8c", "chwn", "nChw48c", "NChw16n16c", "nChw4c"];

    /// post: the parts make up the loop, and together do what the whole plan does.
    fn check(dims: &[usize], from: &str, to: &str, types: (DType, DType), all_wanted: &[u64]) {
        let src = Descriptor::new(types.0, dims, from).unwrap();
        let dst = Descriptor::new(types.1, dims, to).unwrap();
        let plan = Reorder::new(&src, &dst).unwrap();
        let bytes: Vec<u8> = (0..plan.src_len()).map(|i| (i % 251) as u8).collect();
        let (mut whole, mut parted) = (vec![1; plan.dst_len()], vec![1; plan.dst_len()]);
        plan.run(&bytes, &mut whole).unwrap();
        for &wanted in all_wanted {
            let cut = plan.cut(wanted, 2).unwrap();
            assert!(cut.parts > 1, "{from} -> {to}");
            let mut end = 0;
            parted.fill(1);
            for i in 0..cut.parts {
                let part = cut.part(i);
                assert_eq!(part.values.start, end);
                end = part.values.end;
                // SAFETY: both buffers are as long as the plan says.
                unsafe { plan.run_part(bytes.as_ptr(), parted.as_mut_ptr(), part, None) };
            }
            assert_eq!(end, cut.n);
            assert!(parted == whole, "{from} -> {to} in {} parts", cut.parts);
        }
    }

    #[test]
    fn parts_make_up_the_whole() {
        for (i, from) in FORMATS.into_iter().enumerate() {
            for (j, to) in FORMATS.into_iter().enumerate() {
                // Where nothing is optimised, every format on either side with some others.
                if cfg!(debug_assertions) && (i + 2 * j) % 3 != 0 {
                    continue;
                }
                check(&[3, 67, 40, 41], from, to, (DType::F32, DType::F32), &[2, 3, 8, 100]);
            }
        }
    }

    #[test]
    fn parts_of_lines_that_are_converted() {
        let formats = ["oihw", "hwio", "OIhw8o8i", "OIhw8i8o", "OIhw16i16o"];
        for from in formats {
            for to in formats {
                for (types, wanted) in [
                    ((DType::F32, DType::S8), [2, 5]),
                    ((DType::F32, DType::Bf16), [3, 8]),
                    ((DType::S8, DType::F32), [2, 7]),
                ] {
                    check(&[67, 83, 3, 3], from, to, types, &wanted);
                }
            }
        }
    }

    #[test]
    fn threads_have_as_much_to_do() {
        use super::balanced;
        for (grains, most, threads, expected) in [
            (8, 6, 2, 4),
            (8, 8, 2, 8),
            (9, 6, 2, 2),
            (7, 6, 3, 3),
            (100, 6, 2, 6),
            (3, 3, 8, 3),
            (1000, 8, 2, 8),
            (5, 2, 1, 2),
        ] {
            assert_eq!(balanced(grains, most, threads), expected, "{grains} {most} {threads}");
        }
    }

    /// Short runs of the source are not cut: the tile would lose its vectors.
    #[test]
    fn tiles_stay_whole() {
        for (dims, from, to) in [(&[8; 6][..], "abcdef", "fedcba"), (&[100_000, 48], "ab", "ba")] {
            let src = Descriptor::new(DType::S8, dims, from).unwrap();
            let plan = Reorder::new(&src, &Descriptor::new(DType::S8, dims, to).unwrap()).unwrap();
            if let Some(cut) = plan.cut(8, 2) {
                assert!(cut.node + 2 != plan.nodes.len(), "{plan}");
            }
        }
    }
}
