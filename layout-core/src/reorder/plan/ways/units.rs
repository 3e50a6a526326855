//! What a plan moves at a time on each family of processors, as [`forest`](super::forest) says when it is made, or whoever asks for a
//! [`Way`](super::Way).

use super::super::arrange::format;
use super::super::{Class, Reorder};
use super::facts::Facts;
use super::forest::{Family, Instead, LONG, SHORT};
use crate::kernels::{Cpu, Kernel, Token, converts_singly, copies_singly, gather_lines};

/// What is moved at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in super::super) enum Unit {
    /// Tiles of the innermost loops.
    Tiles,
    /// Lines of the destination, put together from the places of the source that they come from.
    Lines,
    /// The same of elements that become shorter, and are converted before.
    Narrowed,
    /// Single elements, along the longest loops.
    Elements,
}

/// What each family of processors moves at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super::super) struct Units {
    /// With registers of 32 bytes.
    pub(super) short: Unit,
    /// With those of a whole line; or with shorter ones there too.
    pub(super) long: Unit,
    by_halves: bool,
    others: Unit,
}

/// Bytes, read and written, beyond which nothing was measured with registers of 32 bytes. With longer ones up to ten times as many were,
/// and what holds there is taken to hold beyond: of lines, tiles can be a twentieth as fast.
const FAR: usize = 8 << 20;

impl Units {
    pub(in super::super) const TILES: Units =
        Units { short: Unit::Tiles, long: Unit::Tiles, by_halves: false, others: Unit::Tiles };

    /// What this processor moves at a time.
    #[inline]
    pub(super) fn unit(&self) -> Unit {
        match Token::current().cpu() {
            Cpu::Avx512 => self.long,
            Cpu::Avx2 => self.short,
            _ => self.others,
        }
    }

    /// The same, of which this processor moves `unit` at a time, with shorter registers than it has where it is `by_halves`.
    pub(super) fn with(self, unit: Unit, by_halves: bool) -> Units {
        match Token::current().cpu() {
            Cpu::Avx512 => Units { long: unit, by_halves, ..self },
            Cpu::Avx2 => Units { short: unit, by_halves, ..self },
            _ => Units { others: unit, by_halves, ..self },
        }
    }

    /// Whether longer registers than those of 32 bytes are left.
    #[inline]
    pub(super) const fn by_halves(&self) -> bool {
        self.by_halves
    }
}

impl Reorder {
    /// The instructions that it is moved with.
    #[inline]
    pub(in super::super::super) fn token(&self) -> Token {
        let token = Token::current();
        if self.units.by_halves { token.by_halves() } else { token }
    }

    /// What is moved at a time, on this processor.
    #[inline]
    pub(super) fn unit(&self) -> Unit {
        match self.units.unit() {
            Unit::Lines | Unit::Narrowed if gather_lines(self.token()).is_none() => Unit::Tiles,
            unit => unit,
        }
    }

    /// Whether elements are moved one by one, on this processor.
    #[inline]
    pub(in super::super::super) fn is_single(&self) -> bool {
        self.unit() == Unit::Elements
    }

    /// Whether lines are put together, on this processor.
    #[inline]
    pub(in super::super::super) fn gathers(&self) -> bool {
        matches!(self.unit(), Unit::Lines | Unit::Narrowed)
    }

    /// Whether elements are converted before lines are put together, on this processor.
    #[inline]
    pub(in super::super::super) fn narrows(&self) -> bool {
        self.unit() == Unit::Narrowed
    }

    /// The kernel that moves elements one by one, if there is one for them.
    pub(in super::super::super) const fn moves_singly(&self) -> Option<Kernel> {
        if self.roles.any() || !self.packing.is_none() {
            None
        } else if self.moves_bytes() {
            copies_singly(self.dst_element as usize)
        } else {
            converts_singly(format(self.src_dtype), format(self.dst_dtype))
        }
    }

    /// What is fastest as far as trees tell, and from how many places lines of the destination come then.
    pub(in super::super) const fn fastest_units(&self) -> (Units, u8) {
        let (mut units, mut places) = (Units::TILES, 0);
        let bytes = self.bytes_read().saturating_add(self.bytes_written());
        let strided = matches!(self.class, Class::Strided) && !self.moves_bytes();
        if bytes > FAR && strided && self.moves_singly().is_some() {
            // Their conversions have no other kernels.
            units.short = Unit::Elements;
        }
        let Some(facts) = self.facts() else { return (units, 0) };
        if bytes <= FAR
            && let Some((instead, _)) = self.fastest(&facts, &SHORT, false)
        {
            units.short = instead.unit();
        }
        if let Some((instead, from)) = self.fastest(&facts, &LONG, true) {
            (units.long, places) = (instead.unit(), from);
            units.by_halves = matches!(instead, Instead::Halves);
        }
        (units, places)
    }

    /// What is faster than tiles, of all that the plan can be moved by, and from how many places lines come then, where registers hold
    /// one.
    const fn fastest<const DEPTH: usize>(
        &self,
        facts: &Facts,
        family: &Family<DEPTH>,
        by_places: bool,
    ) -> Option<(Instead, u8)> {
        let mut sums = self.sums(facts, family);
        while let Some(instead) = sums.fastest() {
            let (mut places, shorter) = (0, self.dst_element < self.src_element);
            let can = match instead {
                Instead::Lines if !by_places => self.has_pieces(),
                Instead::Lines => {
                    places = self.places(self.src_element);
                    places > 0
                }
                Instead::Narrowed => {
                    places = if shorter { self.places(self.dst_element) } else { 0 };
                    places > 0
                }
                Instead::Elements => self.moves_singly().is_some(),
                Instead::Halves => !self.roles.any(),
            };
            if can {
                return Some((instead, places));
            }
            sums.leave(instead);
        }
        None
    }
}

impl Instead {
    const fn unit(self) -> Unit {
        match self {
            Instead::Lines => Unit::Lines,
            Instead::Narrowed => Unit::Narrowed,
            Instead::Elements => Unit::Elements,
            Instead::Halves => Unit::Tiles,
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::descriptor::{DType, Descriptor};
    use crate::reorder::{Attributes, Values, Way};
    use alloc::vec;
    use alloc::vec::Vec;

    const U8: [DType; 2] = [DType::U8; 2];
    const F32: [DType; 2] = [DType::F32; 2];
    const WIDER: [DType; 2] = [DType::S8, DType::S32];
    const NARROWER: [DType; 2] = [DType::F32, DType::S8];

    fn plan(types: [DType; 2], dims: &[usize], formats: [&str; 2], attributes: &Attributes) -> Reorder {
        let [src, dst] = [0, 1].map(|i| Descriptor::new(types[i], dims, formats[i]).expect("a layout"));
        Reorder::with_attributes(&src, &dst, attributes).expect("a plan")
    }

    #[test]
    fn a_few_elements_are_moved_singly() {
        let none = Attributes::new();
        for (types, dims, formats, expected) in [
            // Three inputs of a block of sixteen, two images, whose lines come from three places, and a small tensor.
            (WIDER, [925, 3, 3, 3], ["OIhw16o16i", "hwio"], [true; 2]),
            (WIDER, [2, 3, 64, 65], ["chwn", "nhwc"], [true, false]),
            (NARROWER, [64, 3, 3, 3], ["OIhw4i16o4i", "Oihw16o"], [true; 2]),
            // The same layout with padding, which is copied.
            (U8, [2, 64, 27, 28], ["NChw16n16c", "NChw16n16c"], [false; 2]),
            // Tiles that fill registers.
            (F32, [2, 64, 28, 28], ["nchw", "nChw16c"], [false; 2]),
            (NARROWER, [2, 64, 28, 28], ["nchw", "nhwc"], [false; 2]),
            (WIDER, [64, 64, 3, 3], ["OIhw16i16o", "oihw"], [false; 2]),
        ] {
            let plan = plan(types, &dims, formats, &none);
            let Units { short, long, .. } = plan.units;
            assert_eq!([short, long].map(|unit| unit == Unit::Elements), expected, "{plan}");
        }
        let scale = Attributes::new().src_scale(Values::common(0.5));
        let scaled = plan(WIDER, &[925, 3, 3, 3], ["OIhw16o16i", "hwio"], &scale);
        assert!(!scaled.is_single(), "{scaled}");
    }

    #[test]
    fn units_are_those_of_the_processor() {
        let units = Units { short: Unit::Lines, long: Unit::Narrowed, by_halves: false, others: Unit::Tiles };
        let expected = match Token::current().cpu() {
            Cpu::Avx512 => Unit::Narrowed,
            Cpu::Avx2 => Unit::Lines,
            _ => Unit::Tiles,
        };
        assert_eq!(units.unit(), expected);
        for unit in [Unit::Tiles, Unit::Elements] {
            assert_eq!((units.with(unit, true).unit(), units.with(unit, true).by_halves()), (unit, true));
        }
        let plan = plan(U8, &[64, 64, 3, 3], ["oihw", "ohwi"], &Attributes::new());
        let halved = Reorder { units: Units::TILES.with(Unit::Tiles, true), ..plan };
        assert_eq!(halved.token(), Token::current().by_halves());
        assert_ne!(halved.token().cpu(), Cpu::Avx512);
    }

    /// Tiles write the same with shorter registers, whatever the plan asks for.
    #[test]
    fn both_families_write_the_same() {
        const PAIRS: [[DType; 2]; 6] =
            [U8, F32, NARROWER, [DType::S8, DType::Bf16], [DType::S8, DType::F32], [DType::F32, DType::Bf16]];
        let formats = ["oihw", "ohwi", "Oihw16o", "OIhw8o8i", "OIhw8i16o2i", "OIhw4i16o4i"];
        for types in PAIRS {
            for (from, to) in formats.iter().flat_map(|from| formats.map(|to| (*from, to))) {
                for dims in [[64, 32, 3, 3], [67, 17, 3, 3], [130, 3, 2, 5]] {
                    let plan = plan(types, &dims, [from, to], &Attributes::new());
                    let src: Vec<u8> =
                        (0..plan.src_len()).map(|i| (i * 31 % 61 + i / 509 % 3) as u8).collect();
                    let [planned, whole, halves] = [None, Some(false), Some(true)].map(|by_halves| {
                        let mut dst = vec![0xA5; plan.dst_len()];
                        let units = by_halves.map_or(plan.units, |by| Units::TILES.with(Unit::Tiles, by));
                        Reorder { units, ..plan.clone() }.run(&src, &mut dst).expect("memory that fits");
                        dst
                    });
                    assert!(whole == halves && whole == planned, "{plan}");
                }
            }
        }
    }

    /// Elements that are moved one by one write what tiles do, whatever the plan asks for.
    #[test]
    fn elements_write_what_tiles_do() {
        let [elements, tiles] = ["elements", "tiles"].map(|way| way.parse::<Way>().expect("a way"));
        let pairs = [
            U8,
            [DType::Bf16; 2],
            F32,
            [DType::F64; 2],
            WIDER,
            NARROWER,
            [DType::Bf16, DType::F32],
            [DType::F32, DType::F16],
            [DType::S8, DType::Bf16],
            [DType::S32, DType::U8],
            [DType::U8, DType::S8],
        ];
        let run = |plan: &Reorder, way| {
            let src: Vec<u8> = (0..plan.src_len()).map(|i| (i * 31 % 61 + i / 509 % 3) as u8).collect();
            let mut dst = vec![0xA5; plan.dst_len()];
            plan.with_way(way).expect("a way").run(&src, &mut dst).expect("memory that fits");
            dst
        };
        let formats = ["oihw", "hwio", "Oihw16o", "OIhw8o8i", "OIhw8i16o2i", "OIhw4i16o4i"];
        for types in pairs {
            for (from, to) in formats.iter().flat_map(|from| formats.map(|to| (*from, to))) {
                for dims in [[64, 32, 3, 3], [67, 17, 3, 3], [21, 3, 2, 5], [1, 4, 1, 1]] {
                    let plan = plan(types, &dims, [from, to], &Attributes::new());
                    assert!(run(&plan, elements) == run(&plan, tiles), "{plan}");
                }
            }
            // Parts of blocks.
            let whole = Descriptor::new(types[1], &[40, 24], "AB16b4a").expect("a layout");
            let part = whole.submemory(&[3, 5], &[17, 13]).expect("a part");
            for (format, strides) in [("ab", [13, 1]), ("ba", [1, 17]), ("ab", [26, 2])] {
                let src = Descriptor::with_strides(types[0], &[17, 13], format, &strides).expect("a layout");
                let plan = Reorder::new(&src, &part).expect("a plan");
                assert!(run(&plan, elements) == run(&plan, tiles), "{plan}");
            }
        }
    }
}
