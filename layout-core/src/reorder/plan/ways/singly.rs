//! Plans that move elements one by one: with registers of 32 bytes where [`forest`](super::forest) says so, mostly small tensors and tiles of
//! a few elements, of which each would take a call or a turn in registers that are mostly empty.

use super::super::Reorder;
use super::super::arrange::format;
use super::forest::Faster;
use crate::kernels::{Kernel, Token, converts_singly, copies_singly, takes_pieces};

/// Whether elements are moved one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super::super) enum Singly {
    Never,
    /// By processors with registers of 32 bytes.
    ByShortRegisters,
    Always,
}

impl Reorder {
    /// Whether elements are moved one by one, on this processor.
    #[inline]
    pub(in super::super::super) fn is_single(&self) -> bool {
        match self.singly {
            Singly::Never => false,
            Singly::ByShortRegisters => takes_pieces(Token::current()),
            Singly::Always => true,
        }
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

    /// Where that is faster than tiles and lines, of which `faster` tells.
    pub(in super::super) const fn singly(&self, faster: Faster) -> Singly {
        match self.moves_singly() {
            Some(_) if faster.elements(self.pieces) => Singly::ByShortRegisters,
            _ => Singly::Never,
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
            // Three inputs of a block of sixteen, two images, and a small tensor.
            (WIDER, [925, 3, 3, 3], ["OIhw16o16i", "hwio"], true),
            (WIDER, [2, 3, 64, 65], ["chwn", "nhwc"], true),
            (NARROWER, [64, 3, 3, 3], ["OIhw4i16o4i", "Oihw16o"], true),
            // Lines of which most are padding, and those that few images leave.
            (WIDER, [2, 3, 32, 33], ["nhwc", "NChw16n16c"], true),
            (U8, [2, 64, 27, 28], ["nhwc", "NChw16n16c"], true),
            // The same layout with padding, which is copied.
            (U8, [2, 64, 27, 28], ["NChw16n16c", "NChw16n16c"], false),
            // Tiles that fill registers.
            (F32, [2, 64, 28, 28], ["nchw", "nChw16c"], false),
            (NARROWER, [2, 64, 28, 28], ["nchw", "nhwc"], false),
            (WIDER, [64, 64, 3, 3], ["OIhw16i16o", "oihw"], false),
        ] {
            let plan = plan(types, &dims, formats, &none);
            let asked = if expected { Singly::ByShortRegisters } else { Singly::Never };
            assert_eq!(plan.singly, asked, "{plan}");
            assert_eq!(plan.is_single(), expected && takes_pieces(Token::current()));
        }
        let scale = Attributes::new().src_scale(Values::common(0.5));
        assert_eq!(plan(WIDER, &[925, 3, 3, 3], ["OIhw16o16i", "hwio"], &scale).singly, Singly::Never);
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
