//! What is faster than tiles, as far as trees tell: what everything else takes against them was measured for random reorders
//! (`benches/ways.rs`) and trees were fitted to it, for each family of registers, each class of loops, moves and conversions
//! (`scripts/ways.py`, which writes the files below this one).

mod long;
mod short;

use super::super::{Class, Reorder};
use super::facts::{Fact, Facts};
pub(super) use long::LONG;
pub(super) use short::SHORT;

/// What may be faster than tiles with the longest registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Instead {
    Lines,
    Narrowed,
    Elements,
    /// Tiles with registers of half a line.
    Halves,
}

const INSTEAD: usize = 4;

/// It asks whether facts are larger than these numbers: the answers, the first one in the lowest bit, say what it adds to each sum.
struct Tree<const DEPTH: usize> {
    asks: [(Fact, u32); DEPTH],
    /// For each combination of answers a number for each sum.
    says: &'static [i8],
}

/// Trees, and the sums that they add to.
pub(super) struct Forest<const DEPTH: usize> {
    of: &'static [Instead],
    trees: &'static [Tree<DEPTH>],
}

/// Those for a family of registers: for what is moved and for what is converted.
pub(super) struct Family<const DEPTH: usize> {
    rows: [&'static [Forest<DEPTH>]; 2],
    crossed: [&'static [Forest<DEPTH>]; 2],
    strided: [&'static [Forest<DEPTH>]; 2],
}

/// What the sums are in: so many are a natural logarithm of 1.
const UNIT: i32 = 64;

/// What is not faster by so much is moved by tiles: 10 %. With 3 % it would win hardly more, and be wrong more often.
const MARGIN: i32 = UNIT * 10 / 100;

/// What each takes against tiles.
pub(super) struct Sums([i32; INSTEAD]);

impl Sums {
    const fn add<const DEPTH: usize>(&mut self, forest: &Forest<DEPTH>, facts: &Facts) {
        match forest.of.len() {
            1 => self.add_to::<DEPTH, 1>(forest, facts),
            2 => self.add_to::<DEPTH, 2>(forest, facts),
            3 => self.add_to::<DEPTH, 3>(forest, facts),
            _ => self.add_to::<DEPTH, INSTEAD>(forest, facts),
        }
    }

    /// The same of trees that add to `N` sums, which are in registers then: in memory each would wait for the one before.
    const fn add_to<const DEPTH: usize, const N: usize>(&mut self, forest: &Forest<DEPTH>, facts: &Facts) {
        let (mut sums, mut i) = ([0; N], 0);
        while i < forest.trees.len() {
            let tree = &forest.trees[i];
            let (mut answers, mut k) = (0, 0);
            while k < DEPTH {
                let (fact, number) = tree.asks[k];
                answers |= ((facts.get(fact) > number) as usize) << k;
                k += 1;
            }
            k = 0;
            while k < N {
                sums[k] += tree.says[answers * N + k] as i32;
                k += 1;
            }
            i += 1;
        }
        i = 0;
        while i < N {
            self.0[forest.of[i] as usize] += sums[i];
            i += 1;
        }
    }

    /// The fastest, unless tiles are.
    pub(super) const fn fastest(&self) -> Option<Instead> {
        let (mut fastest, mut least) = (None, -MARGIN);
        let all = [Instead::Lines, Instead::Narrowed, Instead::Elements, Instead::Halves];
        let mut i = 0;
        while i < all.len() {
            if self.0[i] < least {
                (fastest, least) = (Some(all[i]), self.0[i]);
            }
            i += 1;
        }
        fastest
    }

    /// Leaves out what a plan cannot be moved by.
    pub(super) const fn leave(&mut self, instead: Instead) {
        self.0[instead as usize] = 0;
    }
}

impl Reorder {
    /// What everything else takes against tiles, measured on the processor that `family` names.
    pub(super) const fn sums<const DEPTH: usize>(&self, facts: &Facts, family: &Family<DEPTH>) -> Sums {
        let forests = match self.class {
            Class::Stream => &[],
            Class::Rows => family.rows[!self.moves_bytes() as usize],
            Class::Transpose => family.crossed[!self.moves_bytes() as usize],
            Class::Strided => family.strided[!self.moves_bytes() as usize],
        };
        let (mut sums, mut i) = (Sums([0; INSTEAD]), 0);
        while i < forests.len() {
            sums.add(&forests[i], facts);
            i += 1;
        }
        sums
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::descriptor::{DType, Descriptor};
    use crate::reorder::plan::ways::{Unit, Units};

    fn plan(types: [DType; 2], dims: &[usize], formats: [&str; 2]) -> Reorder {
        let [src, dst] = [0, 1].map(|i| Descriptor::new(types[i], dims, formats[i]).expect("a layout"));
        Reorder::new(&src, &dst).expect("a plan")
    }

    /// What fills tiles is moved by them, whatever trees are fitted to and with whichever registers.
    #[test]
    fn whole_tiles_are_not_left() {
        for types in [[DType::F32; 2], [DType::U8; 2], [DType::F32, DType::S8], [DType::S8, DType::F32]] {
            for (dims, formats) in [
                (&[64_usize, 64][..], ["ab", "ba"]),
                (&[512, 512][..], ["ab", "ba"]),
                (&[1000, 1001][..], ["ab", "ba"]),
                (&[4096, 1024][..], ["ab", "ba"]),
                (&[2, 64, 28, 28][..], ["nchw", "nhwc"]),
                (&[2, 64, 28, 28][..], ["nchw", "nChw16c"]),
                (&[8, 64, 56, 56][..], ["nhwc", "nchw"]),
                (&[1, 3, 224, 224][..], ["nhwc", "nchw"]),
                (&[256, 256, 3, 3][..], ["oihw", "OIhw16i16o"]),
            ] {
                let plan = plan(types, dims, formats);
                let Units { short, long, .. } = plan.units;
                assert_eq!([short, long].map(|moved| moved.unit), [Unit::Tiles; 2], "{plan}");
            }
        }
    }

    #[test]
    fn trees_add_up_what_they_say() {
        const SAYS: [i8; 2 << 3] = {
            let mut says = [0; 2 << 3];
            (says[2], says[2 + 1]) = (5, -40);
            (says[2 * 3], says[2 * 3 + 1]) = (-7, 1);
            says
        };
        const fn tree(number: u32) -> Tree<3> {
            match number {
                16 => Tree { asks: [(Fact::X, 8), (Fact::Y, 16), (Fact::Z, 99)], says: &SAYS },
                _ => Tree { asks: [(Fact::X, 8), (Fact::Y, 17), (Fact::Z, 99)], says: &SAYS },
            }
        }
        const fn forest(trees: &'static [Tree<3>]) -> Forest<3> {
            Forest { of: &[Instead::Elements, Instead::Lines], trees }
        }
        const HIGH: Forest<3> = forest(&[const { tree(17) }]);
        const LOW: Forest<3> = forest(&[const { tree(16) }]);
        let facts = plan([DType::F32; 2], &[9, 17], ["ab", "ba"]).facts().expect("two loops");
        assert_eq!((facts.get(Fact::X), facts.get(Fact::Y), facts.get(Fact::Z)), (9, 17, 1));
        let mut sums = Sums([0; INSTEAD]);
        sums.add(&HIGH, &facts);
        assert_eq!((sums.0, sums.fastest()), ([-40, 0, 5, 0], Some(Instead::Lines)));
        sums.add(&LOW, &facts);
        assert_eq!(sums.0, [-39, 0, -2, 0]);
        sums.leave(Instead::Lines);
        // Not faster by the margin.
        assert_eq!((sums.0, sums.fastest()), ([0, 0, -2, 0], None));
    }

    /// What is larger than anything that was measured is moved by tiles with short registers, but for conversions of any stride; with long
    /// ones as what is somewhat smaller.
    #[test]
    fn large_tensors() {
        let types = [DType::S8, DType::F32];
        assert_eq!(plan(types, &[1 << 24, 3], ["ba", "ab"]).units.short.unit, Unit::Tiles);
        let blocks = |outputs| {
            let units = plan([DType::U8; 2], &[outputs, 1024, 3, 3], ["OIhw8i8o", "OIhw8i16o2i"]).units;
            [units.short, units.long].map(|moved| moved.unit)
        };
        assert_eq!([blocks(512), blocks(8192)], [[Unit::Tiles, Unit::Lines]; 2]);
        let apart = |dtype| Descriptor::with_strides(dtype, &[1 << 24, 2], "ab", &[6, 2]).expect("a layout");
        let plan = Reorder::new(&apart(types[0]), &apart(types[1])).expect("a plan");
        assert_eq!([plan.units.short.unit, plan.units.long.unit], [Unit::Elements; 2], "{plan}");
        // Elements that are moved as they are have tiles of their own.
        let plan = Reorder::new(&apart(types[1]), &apart(types[1])).expect("a plan");
        assert_eq!(plan.units.short.unit, Unit::Tiles, "{plan}");
    }
}
