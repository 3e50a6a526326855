//! What a plan moves at a time on each family of processors, as [`forest`](super::forest) says when it is made, or whoever asks for a
//! [`Way`](super::Way).

use super::super::arrange::format;
use super::super::{Class, Reorder};
use super::facts::{Fact, Facts};
use super::forest::{Instead, LONG, SHORT, Sums};
use crate::kernels::{
    Cpu, Kernel, LINE, Token, converts_singly, copies_singly, gather_lines, is_intels, takes_pieces,
};

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

/// What is moved at a time, and with which registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Moved {
    pub(super) unit: Unit,
    /// Whether longer registers than those of 32 bytes are left.
    pub(super) by_halves: bool,
}

impl Moved {
    const TILES: Moved = Moved { unit: Unit::Tiles, by_halves: false };
}

/// What each family of processors moves at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super::super) struct Units {
    /// With registers of 32 bytes.
    pub(super) short: Moved,
    /// With those of a whole line; or with shorter ones there too.
    pub(super) long: Moved,
    /// Whether Intel's processors take whole registers all the same where `long` takes shorter ones.
    pub(super) whole: bool,
    others: Moved,
}

/// Bytes, read and written, beyond which nothing was measured with registers of 32 bytes. With longer ones up to ten times as many were,
/// and what holds there is taken to hold beyond: of lines, tiles can be a twentieth as fast.
const FAR: usize = 8 << 20;

/// Bytes that are written, beyond which a tensor is large.
const LARGE: usize = 512 << 10;

/// Bytes of data in a row of a large tensor that is copied as such: few like these were measured, and trees are wrong about some by a
/// factor of seven. There is nothing to put together.
const ROW: u64 = 256;

impl Units {
    pub(in super::super) const TILES: Units =
        Units { short: Moved::TILES, long: Moved::TILES, whole: false, others: Moved::TILES };

    /// What this processor moves at a time.
    #[inline]
    pub(super) fn now(&self) -> Moved {
        self.on(Token::current().cpu(), is_intels)
    }

    #[inline]
    fn on(&self, cpu: Cpu, is_intels: impl FnOnce() -> bool) -> Moved {
        match cpu {
            Cpu::Avx512 if self.whole && is_intels() => Moved { by_halves: false, ..self.long },
            Cpu::Avx512 => self.long,
            Cpu::Avx2 => self.short,
            _ => self.others,
        }
    }

    /// The same, of which this processor moves `moved` at a time.
    pub(super) fn with(self, moved: Moved) -> Units {
        match Token::current().cpu() {
            Cpu::Avx512 => Units { long: moved, whole: false, ..self },
            Cpu::Avx2 => Units { short: moved, ..self },
            _ => Units { others: moved, ..self },
        }
    }
}

impl Reorder {
    /// The instructions that it is moved with.
    #[inline]
    pub(in super::super::super) fn token(&self) -> Token {
        let token = Token::current();
        let Units { long, whole, .. } = self.units;
        // Others have no longer registers. Each run of a small tensor asks, and would feel more questions.
        if long.by_halves && !(whole && is_intels()) { token.by_halves() } else { token }
    }

    /// What is moved at a time, on this processor.
    #[inline]
    pub(super) fn unit(&self) -> Unit {
        match self.units.on(Token::current().cpu(), || false).unit {
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

    /// Whether it can be moved by `unit`, with registers that put lines together from `pieces` or from places.
    const fn can(&self, unit: Unit, pieces: bool) -> bool {
        match unit {
            Unit::Tiles => true,
            Unit::Elements => self.moves_singly().is_some(),
            Unit::Lines if pieces => self.has_pieces(),
            Unit::Lines => self.places(false) > 0,
            Unit::Narrowed => !pieces && self.dst_element < self.src_element && self.places(true) > 0,
        }
    }

    /// Whether this processor can move it as `units` say.
    pub(super) fn can_now(&self) -> bool {
        let Moved { unit, by_halves } = self.units.now();
        match unit {
            // The registers make no difference to them.
            Unit::Elements if by_halves => false,
            Unit::Lines | Unit::Narrowed if gather_lines(self.token()).is_none() => false,
            _ => self.can(unit, takes_pieces(self.token())),
        }
    }

    /// What is fastest as far as trees tell.
    pub(in super::super) const fn fastest_units(&self) -> Units {
        let mut units = Units::TILES;
        let bytes = self.bytes_read().saturating_add(self.bytes_written());
        let strided = matches!(self.class, Class::Strided) && !self.moves_bytes();
        if bytes > FAR && strided && self.moves_singly().is_some() {
            // Their conversions have no other kernels.
            units.short = Instead::Elements.moved();
        }
        let Some(facts) = self.facts() else { return units };
        if bytes <= FAR {
            units.short = self.fastest(self.sums(&facts, &SHORT), true);
        }
        let mut sums = self.sums(&facts, &LONG);
        if self.has_long_rows(&facts) {
            sums.leave(Instead::Lines);
            sums.leave(Instead::Narrowed);
            sums.leave(Instead::Elements);
        }
        units.long = self.fastest(sums, false);
        units.whole = units.long.by_halves && self.fills_lines(&facts);
        units
    }

    /// Whether it copies rows of a large tensor that have [`ROW`] bytes of data.
    const fn has_long_rows(&self, facts: &Facts) -> bool {
        let row = facts.get(Fact::HeldX) as u64 * facts.get(Fact::DstBytes) as u64;
        matches!(self.class, Class::Rows) && row >= ROW && self.bytes_written() > LARGE
    }

    /// Whether rows, or tiles that are moved, have two lines of data along one side; or a large tensor's tiles 16 elements along both, or 32
    /// along one where they are moved. Halved, these take 1.04 times as long on Intel's processors where trees of Zen 4 ask for it, and some
    /// five times as long (1,600 of 284,000 random reorders, Emerald Rapids).
    const fn fills_lines(&self, facts: &Facts) -> bool {
        const LINES: u64 = 2 * LINE as u64;
        let (x, y) = (facts.get(Fact::HeldX) as u64, facts.get(Fact::HeldY) as u64);
        let (bytes, large) = (facts.get(Fact::DstBytes) as u64, self.bytes_written() > LARGE);
        let (short, long) = if x < y { (x, y) } else { (y, x) };
        match self.class {
            Class::Rows => x * bytes >= LINES,
            Class::Transpose if large && short >= 16 => true,
            Class::Transpose => self.moves_bytes() && (long * bytes >= LINES || large && long >= 32),
            Class::Stream | Class::Strided => false,
        }
    }

    /// What is fastest by its `sums`, of all that the plan can be moved by where lines are put together from `pieces` or from places.
    const fn fastest(&self, mut sums: Sums, pieces: bool) -> Moved {
        while let Some(instead) = sums.fastest() {
            let moved = instead.moved();
            if self.can(moved.unit, pieces) && !(moved.by_halves && self.roles.any()) {
                return moved;
            }
            sums.leave(instead);
        }
        Moved::TILES
    }
}

impl Instead {
    const fn moved(self) -> Moved {
        let unit = match self {
            Instead::Lines => Unit::Lines,
            Instead::Narrowed => Unit::Narrowed,
            Instead::Elements => Unit::Elements,
            Instead::Halves => Unit::Tiles,
        };
        Moved { unit, by_halves: matches!(self, Instead::Halves) }
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
            assert_eq!([short, long].map(|moved| moved.unit == Unit::Elements), expected, "{plan}");
        }
        let scale = Attributes::new().src_scale(Values::common(0.5));
        let scaled = plan(WIDER, &[925, 3, 3, 3], ["OIhw16o16i", "hwio"], &scale);
        assert!(!scaled.is_single(), "{scaled}");
    }

    #[test]
    fn units_are_those_of_the_processor() {
        let moved = |unit| Moved { unit, by_halves: false };
        let others = Moved { unit: Unit::Tiles, by_halves: true };
        let [short, long] = [Unit::Lines, Unit::Narrowed].map(moved);
        let units = Units { short, long, whole: false, others };
        let expected = match Token::current().cpu() {
            Cpu::Avx512 => long,
            Cpu::Avx2 => short,
            _ => others,
        };
        assert_eq!(units.now(), expected);
        let whole = Units { short: others, long: others, whole: true, others };
        for intels in [false, true] {
            let by_halves = [Cpu::Avx512, Cpu::Avx2].map(|cpu| whole.on(cpu, || intels).by_halves);
            assert_eq!(by_halves, [!intels, true]);
        }
        assert_eq!(whole.with(others).now(), others);
        for unit in [Unit::Tiles, Unit::Elements] {
            let moved = Moved { unit, by_halves: true };
            assert_eq!(units.with(moved).now(), moved);
        }
        let plan = plan(U8, &[64, 64, 3, 3], ["oihw", "ohwi"], &Attributes::new());
        let units = Units::TILES.with(Moved { unit: Unit::Tiles, by_halves: true });
        let halved = Reorder { units, ..plan };
        assert_eq!(halved.token(), Token::current().by_halves());
        assert_ne!(halved.token().cpu(), Cpu::Avx512);
    }

    /// What fills registers of a line, whatever trees say of it.
    #[test]
    fn what_fills_lines_is_not_halved() {
        const TO_F16: [DType; 2] = [DType::S8, DType::F16];
        let none = Attributes::new();
        let units = |types, dims: &[usize], formats| plan(types, dims, formats, &none).units;
        let rows = units(TO_F16, &[646, 110, 200], ["bac", "abc"]);
        assert_eq!((rows.long.unit, rows.whole), (Unit::Tiles, rows.long.by_halves));
        let tiles = |types, dims: &[usize], formats| {
            let units = units(types, dims, formats);
            assert!(units.long.by_halves, "{dims:?}");
            units.whole
        };
        assert!(tiles(F32, &[16; 6], ["abcdef", "fedcba"]));
        // Of 4 x 48 and of 16 x 9 bytes.
        assert!(tiles(U8, &[1024, 960], ["ab", "BA16a48b4a"]));
        assert!(!tiles(U8, &[400, 9, 16], ["abc", "acb"]));
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
                        let tiles = |by_halves| Units::TILES.with(Moved { by_halves, ..Moved::TILES });
                        let units = by_halves.map_or(plan.units, tiles);
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
