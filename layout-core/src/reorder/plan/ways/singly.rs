//! Which plans move elements one by one with registers of 32 bytes: small tensors, and tiles of a few elements, of which each would take a
//! call or a turn in registers that are mostly empty. Where that is faster was measured over 33,600 reorders of 0.4 to 400 KB: random ones,
//! and the pairs of `benches/cliffs.rs` (Zen 3). Of 7,064 others it takes 405, which are 1.34 times as fast in the mean.

use super::super::arrange::format;
use super::super::{Class, Reorder, Tails, percent};
use crate::kernels::{Kernel, LINE, Token, converts_singly, copies_singly, takes_pieces};

/// Whether elements are moved one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super::super) enum Singly {
    Never,
    /// By processors with registers of 32 bytes.
    ByShortRegisters,
    Always,
}

/// What a plan's loops are like, those that run once left out.
struct Few {
    /// Values of x and y, and how many of them hold data.
    x: u64,
    y: u64,
    held_x: u64,
    held_y: u64,
    /// Values of the loop around them, and elements between two of these in the destination.
    z: u64,
    z_dst: usize,
    /// Values of the next loop that hold data, and of the loop that has most.
    next: u64,
    most: u64,
    /// Elements between two values of x in the source.
    x_src: usize,
    /// Tiles.
    tiles: u64,
    elements: usize,
    /// Data on each side, of 100 elements and places of padding.
    read: usize,
    written: usize,
    /// Data for each line of the destination.
    of_line: usize,
    /// Whether rows follow one another on both sides.
    is_dense: bool,
}

impl Few {
    const fn tile(&self) -> u64 {
        self.held_x.saturating_mul(self.held_y)
    }
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

    /// Where that is faster than tiles and lines.
    pub(in super::super) const fn singly(&self) -> Singly {
        if self.moves_singly().is_none() {
            return Singly::Never;
        }
        match self.few() {
            Some(few) if self.pays_singly(&few) => Singly::ByShortRegisters,
            _ => Singly::Never,
        }
    }

    /// What the loops are like; `None` for other loops than those that were measured.
    const fn few(&self) -> Option<Few> {
        let mut t = 0;
        while t < self.tails.len as usize {
            if self.tails.window[t] != Tails::NO_WINDOW {
                return None;
            }
            t += 1;
        }
        if self.pairs {
            return None;
        }
        let (src, dst) = (self.src_dtype.size(), self.dst_dtype.size());
        // x, y, z and the next loop. A run of elements that is moved as one is x.
        let run = self.dst_element as u64 / dst as u64;
        let (mut n, mut held) = ([run, 1, 1, 1], [run, 1, 1, 1]);
        let (mut x_src, mut z_dst, mut most, mut is_dense) = (1, 0, run, false);
        let (mut i, mut k) = (self.nodes.len(), (run > 1) as usize);
        while i > 0 {
            i -= 1;
            let node = self.nodes.get(i);
            if !self.nodes.is_strided(i) {
                return None;
            }
            if node.n == 1 {
                continue;
            }
            let values = match self.valid_of(i) {
                Some(valid) => valid,
                None => node.n,
            };
            if k < n.len() {
                (n[k], held[k]) = (node.n, values);
            }
            match k {
                0 => x_src = node.src.unsigned_abs() / src,
                1 => {
                    let row = n[0] as isize;
                    is_dense = node.src == row.wrapping_mul(src as isize)
                        && node.dst == row.wrapping_mul(dst as isize);
                }
                2 => z_dst = node.dst.unsigned_abs() / dst,
                _ => {}
            }
            if values > most {
                most = values;
            }
            k += 1;
        }
        let tile = held[0].saturating_mul(held[1]);
        Some(Few {
            x: n[0],
            y: n[1],
            held_x: held[0],
            held_y: held[1],
            z: n[2],
            z_dst,
            next: held[3],
            most,
            x_src,
            tiles: match (self.logical as u64).checked_div(tile) {
                Some(tiles) => tiles,
                None => 0,
            },
            elements: self.logical,
            read: percent(self.bytes_read(), self.src_len),
            written: percent(self.logical, self.padded),
            is_dense,
            of_line: self.logical.saturating_mul(LINE) / (self.bytes_written() + 1),
        })
    }

    const fn pays_singly(&self, few: &Few) -> bool {
        /// Bytes of what no second-level cache holds; and beyond those that were measured.
        const NEAR: usize = 4 << 20;
        const FAR: usize = 16 << 20;
        let (src, dst, moves) = (self.src_element, self.dst_element, self.moves_bytes());
        let (wide, narrow) = (src < dst && dst == 4, src == 4 && dst == 1);
        let near = self.bytes_written() <= NEAR;
        // Padding, with elements in it that lie far apart.
        let sparse = near && few.written <= 3;
        match self.class {
            Class::Stream => false,
            _ if moves && src as usize > self.src_dtype.size() => {
                src == 16 && few.written <= 85 && !few.is_dense && self.bytes_written() <= FAR
            }
            Class::Rows if moves => sparse && few.z_dst > 96,
            Class::Transpose if moves => {
                let padded = few.written <= 90 && few.elements <= 1000 && few.x_src <= 72;
                let lines = if few.held_y <= 7 { few.tiles <= 480 } else { few.x > 48 };
                let apart = few.x_src > 3 && few.z_dst as u64 == few.x;
                padded
                    || near && few.written <= 24 && lines
                    || few.written > 90 && few.read < 60 && few.held_y <= 3 && apart
            }
            Class::Strided => !moves && dst != 2,
            Class::Rows if wide || narrow => {
                let few_of_all = few.most <= 16 && few.elements <= 4000;
                few.x <= 4 && !few.is_dense && (few_of_all || few.next >= 7 && few.elements <= 2000)
                    || sparse && few.held_y > 1 && few.tiles >= 180
                    || narrow && near && few.held_x <= 3 && few.of_line <= 6
            }
            Class::Rows => near && few.written <= 4 && few.x.saturating_mul(few.y) > 96,
            Class::Transpose if wide || narrow => {
                sparse && (narrow || few.z_dst > 96) || few.are_crossed_singly(narrow)
            }
            // Those of 16 bits are rounded by more instructions.
            Class::Transpose => {
                few.tile() <= 44 && (few.elements <= 1000 || few.elements <= 4000 && few.written <= 37)
            }
        }
    }
}

impl Few {
    /// The same for crossed tiles between bytes, or 16 bits, and elements of 32.
    const fn are_crossed_singly(&self, narrow: bool) -> bool {
        /// Elements of which both sides are in a second-level cache.
        const NEAR: usize = 30_000;
        let (tile, dense) = (self.tile(), self.x_src as u64 == self.y);
        if self.held_y > 7 {
            let lines = !narrow && self.written <= 35 && self.x > 24 && self.elements < NEAR;
            return lines
                || tile <= 204
                    && (self.elements <= 800 || self.elements <= 1500 && !self.held_x.is_multiple_of(4));
        }
        // There are kernels for pixels of 2 and 4.
        let pixels = dense && matches!(self.held_y, 2 | 4);
        let most = match pixels {
            true if self.held_x.is_multiple_of(4) => 600,
            true => 4000,
            false => 8000,
        };
        if tile <= 256 && self.elements <= most {
            return true;
        }
        if self.elements >= NEAR {
            return false;
        }
        if narrow {
            return self.held_y <= 3 && self.read <= 43
                || !pixels && self.of_line <= 30 && self.read <= 93 && self.written < 60;
        }
        let odd = self.held_y == 3 && self.read <= 75 || self.read <= 81 && self.tiles <= 780;
        let lines = self.written <= 35 && self.x > 24;
        odd || lines || !pixels && self.held_x <= 69 && self.held_y <= 3 && self.z >= 1024
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
