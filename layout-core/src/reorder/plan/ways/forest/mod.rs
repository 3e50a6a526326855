//! Which way is faster with registers of 32 bytes, as far as trees tell: what lines, and elements one by one, take against tiles was
//! measured for random reorders (`benches/ways.rs`) and trees were fitted to it, for each class of loops, for moves and conversions
//! (`scripts/ways.py`, which writes the files beside this one).

mod crossed;
mod rows;
mod strided;

use super::super::{Class, Reorder};
use super::facts::{Fact, Facts};

/// Questions of a tree.
const DEPTH: usize = 5;

/// It asks whether facts are larger than these numbers: the answers, the first one in the lowest bit, say what it adds.
struct Tree {
    asks: [(Fact, u32); DEPTH],
    says: [i8; 1 << DEPTH],
}

/// Trees for what lines, and elements one by one, take against tiles.
struct Forest {
    lines: &'static [Tree],
    elements: &'static [Tree],
}

/// What the sum of trees is in: so many are a natural logarithm of 1.
const UNIT: i32 = 64;

/// What is not faster by so much is moved by tiles: 10 %. With 3 % it would win hardly more, and be wrong twice as often.
const MARGIN: i32 = UNIT * 10 / 100;

/// Bytes, read and written, beyond which nothing was measured.
const FAR: usize = 8 << 20;

/// What is faster than tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Faster {
    pub(in super::super) lines: bool,
    /// Elements one by one: where lines can be put together, and where they cannot.
    elements: [bool; 2],
}

impl Faster {
    const NOTHING: Faster = Faster { lines: false, elements: [false; 2] };

    /// Whether elements are moved one by one, where lines are put together else or are not.
    pub(in super::super) const fn elements(self, lines: bool) -> bool {
        self.elements[!lines as usize]
    }
}

const fn sum(trees: &[Tree], facts: &Facts) -> i32 {
    let (mut sum, mut i) = (0, 0);
    while i < trees.len() {
        let tree = &trees[i];
        let (mut answers, mut k) = (0, 0);
        while k < DEPTH {
            let (fact, number) = tree.asks[k];
            answers |= ((facts.get(fact) > number) as usize) << k;
            k += 1;
        }
        sum += tree.says[answers] as i32;
        i += 1;
    }
    sum
}

impl Reorder {
    /// What is faster than tiles, measured on Zen 3; whether the plan can be moved so is asked elsewhere.
    pub(in super::super) const fn faster(&self) -> Faster {
        if self.bytes_read().saturating_add(self.bytes_written()) > FAR {
            // Elements of any stride have no other kernels.
            let elements = matches!(self.class, Class::Strided) && !self.moves_bytes();
            return Faster { lines: false, elements: [elements; 2] };
        }
        let Some(facts) = self.facts() else { return Faster::NOTHING };
        let forest = match (self.class, self.moves_bytes()) {
            (Class::Stream, _) => return Faster::NOTHING,
            (Class::Rows, true) => &rows::MOVED,
            (Class::Rows, false) => &rows::CONVERTED,
            (Class::Transpose, true) => &crossed::MOVED,
            (Class::Transpose, false) => &crossed::CONVERTED,
            (Class::Strided, true) => &strided::MOVED,
            (Class::Strided, false) => &strided::CONVERTED,
        };
        let (lines, elements) = (sum(forest.lines, &facts), sum(forest.elements, &facts));
        let alone = elements < -MARGIN;
        Faster { lines: lines < -MARGIN, elements: [alone && elements < lines, alone] }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::descriptor::{DType, Descriptor};

    fn faster(types: [DType; 2], dims: &[usize], formats: [&str; 2]) -> Faster {
        let [src, dst] = [0, 1].map(|i| Descriptor::new(types[i], dims, formats[i]).expect("a layout"));
        Reorder::new(&src, &dst).expect("a plan").faster()
    }

    /// What fills tiles is moved by them, whatever trees are fitted to.
    #[test]
    fn whole_tiles_are_not_left() {
        for types in [[DType::F32; 2], [DType::U8; 2], [DType::F32, DType::S8], [DType::S8, DType::F32]] {
            for (dims, formats) in [
                (&[64_usize, 64][..], ["ab", "ba"]),
                (&[512, 512][..], ["ab", "ba"]),
                (&[1000, 1001][..], ["ab", "ba"]),
                (&[2, 64, 28, 28][..], ["nchw", "nhwc"]),
                (&[2, 64, 28, 28][..], ["nchw", "nChw16c"]),
                (&[8, 64, 56, 56][..], ["nhwc", "nchw"]),
                (&[1, 3, 224, 224][..], ["nhwc", "nchw"]),
                (&[256, 256, 3, 3][..], ["oihw", "OIhw16i16o"]),
            ] {
                assert_eq!(faster(types, dims, formats), Faster::NOTHING, "{types:?} {dims:?} {formats:?}");
            }
        }
    }

    #[test]
    fn trees_add_up_what_they_say() {
        let mut says = [0; 1 << DEPTH];
        (says[0b00001], says[0b00011]) = (5, -7);
        let tree = |number| Tree {
            asks: [(Fact::X, 8), (Fact::Y, number), (Fact::Z, 99), (Fact::Z, 99), (Fact::Z, 99)],
            says,
        };
        let types = [DType::F32; 2];
        let [src, dst] =
            ["ab", "ba"].map(|format| Descriptor::new(types[0], &[9, 17], format).expect("a layout"));
        let facts = Reorder::new(&src, &dst).expect("a plan").facts().expect("two loops");
        assert_eq!((facts.get(Fact::X), facts.get(Fact::Y), facts.get(Fact::Z)), (9, 17, 1));
        assert_eq!(sum(&[tree(17)], &facts), 5);
        assert_eq!(sum(&[tree(16)], &facts), -7);
        assert_eq!(sum(&[tree(16), tree(17), tree(17)], &facts), 3);
    }

    /// What is larger than anything that was measured is moved by tiles, but for conversions of any stride.
    #[test]
    fn large_tensors_are_not_asked_about() {
        let types = [DType::S8, DType::F32];
        assert_eq!(faster(types, &[1 << 20, 3], ["ba", "ab"]), Faster::NOTHING);
        let apart = |dtype| Descriptor::with_strides(dtype, &[1 << 21, 2], "ab", &[6, 2]).expect("a layout");
        let plan = Reorder::new(&apart(types[0]), &apart(types[1])).expect("a plan");
        assert!(!plan.faster().lines && plan.faster().elements(false));
    }
}
