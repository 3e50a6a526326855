//! Which family of instructions a plan is moved with: the processor's best one, or that of half as long registers, which has more ways for
//! tiles of a few elements. Where these are faster was measured with 50,000 reorders of 8 to 400 KB between all layouts of
//! `benches/cliffs.rs` and 17 pairs of types, both families by turns in one process (Zen 4).

use super::super::lines::Shape;
use super::super::{Class, Reorder, percent};
use crate::kernels::Token;

/// Bytes, read and written, below which a few tiles are all that there is.
const LEAST: usize = 16 * 1024;

/// The same, above which rows are as fast with longer registers.
const MANY: usize = 600 * 1000;

impl Reorder {
    /// The instructions that it is moved with.
    #[inline]
    pub(in super::super::super) fn token(&self) -> Token {
        let token = Token::current();
        if self.by_halves { token.by_halves() } else { token }
    }

    /// Whether registers of 32 bytes are faster than those of a whole line.
    pub(in super::super) const fn goes_by_halves(&self, shape: &Shape) -> bool {
        if !shape.is_near || self.bytes_read() + self.bytes_written() < LEAST || self.roles.any() {
            return false;
        }
        let z = self.nodes.get(self.nodes.len() - 3);
        let few = Few {
            row: shape.y.saturating_mul(self.src_element as u64),
            line: shape.x.saturating_mul(self.dst_element as u64),
            all: shape.x.saturating_mul(shape.y),
            z: z.n,
            z_dst: z.dst.unsigned_abs(),
            written: percent(self.logical, self.padded),
            shape,
        };
        if self.places > 0 { self.puts_halves_together(&few) } else { self.turns_by_halves(&few) }
    }

    /// The same for lines that are put together, from pieces of 16 bytes then, or else moved as tiles: 1.2 to 1.6 times as fast in the
    /// mean of each rule.
    const fn puts_halves_together(&self, few: &Few<'_>) -> bool {
        let &Few { row, line, z, z_dst, written, shape, .. } = few;
        let (places, (less, more)) = (self.places, shape.sides());
        let (src, dst) = (self.src_element, self.dst_element);
        match self.class {
            Class::Transpose if row <= 6 && dst <= src => false,
            Class::Transpose if self.moves_bytes() => {
                places > 5 && written > 42 || places > 3 && src >= 4 && written > 70 || more > 32
            }
            Class::Transpose if dst < src => z > 2 && (places > 6 && written > 48 || shape.x > 16),
            Class::Transpose if dst > src => shape.y > 3 && places > 10 && written > 41,
            Class::Transpose => places > 13,
            Class::Rows if self.moves_bytes() => places > 7 && z_dst > 128,
            Class::Rows if dst < src => line > 2 && (less > 4 || places > 4),
            Class::Rows => written > 93 && z_dst > 64,
            Class::Strided => self.moves_bytes() && places > 3 && src >= 4,
            Class::Stream => false,
        }
    }

    /// The same for tiles: 1.1 to 1.8 times as fast in the mean of each rule.
    const fn turns_by_halves(&self, few: &Few<'_>) -> bool {
        let &Few { row, all, z, z_dst, written, shape, .. } = few;
        let (less, more) = shape.sides();
        let (src, dst) = (self.src_element, self.dst_element);
        let y = self.nodes.get(self.nodes.len() - 2);
        // Rows that follow one another in the source, or are many.
        let goes_on = y.src.unsigned_abs() as u64 == shape.x.saturating_mul(src as u64);
        let many = self.bytes_read() + self.bytes_written() > MANY;
        let x_src = self.nodes.get(self.nodes.len() - 1).src.unsigned_abs();
        match self.class {
            Class::Transpose if self.moves_bytes() => {
                src <= 4 && less > 3 && row > 4 && 4 < shape.x && shape.x <= 64 && shape.y < 32 && all <= 1568
            }
            Class::Transpose if dst < src && more <= 8 => z_dst > 4,
            Class::Transpose if dst < src => {
                let turned = shape.y <= 3 || shape.y >= 8 && !(shape.y == 16 && dst == 2);
                src == 4 && shape.x > 4 && more <= 49 && all <= 400 && z_dst > 4 && turned
            }
            Class::Transpose if dst > src && all <= 196 => z_dst > 16 && x_src > 4,
            Class::Transpose if dst > src => more <= 49 && dst == src + 3 && x_src <= 48,
            Class::Transpose => all <= 392 && row <= 25 && x_src <= 256 && (shape.x > 8 || shape.y > 3),
            Class::Rows if self.moves_bytes() || goes_on || many => false,
            Class::Rows if dst < src && shape.loops == 4 => {
                dst + 3 == src && more <= 64 && z <= 43 && matches!(shape.x, 8 | 16)
            }
            Class::Rows if dst < src => {
                let fits = dst + 3 == src && shape.x != 4 || shape.y == 8;
                shape.loops > 4 && shape.y <= 32 && row > 10 && fits
            }
            Class::Rows if dst > src && shape.loops > 4 => dst == 4 && written > 82 && row <= 64,
            Class::Rows if dst > src => dst == 4 && more <= 48 && z <= 20 && z_dst > 68,
            Class::Rows => more <= 16 && shape.y > 3 && (shape.loops > 5 || shape.x > 8),
            Class::Stream | Class::Strided => false,
        }
    }
}

/// What tiles of a few elements are like.
struct Few<'a> {
    /// Bytes along y in the source, and along x in the destination.
    row: u64,
    line: u64,
    /// Elements.
    all: u64,
    /// How often they are repeated next, and bytes of the destination from one to the next.
    z: u64,
    z_dst: usize,
    /// Data in the destination, of 100 places.
    written: usize,
    shape: &'a Shape,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::{DType, Descriptor};
    use crate::kernels::Cpu;
    use crate::reorder::{Attributes, Values};
    use alloc::vec;
    use alloc::vec::Vec;

    fn plan(types: [DType; 2], dims: &[usize], formats: [&str; 2], attributes: &Attributes) -> Reorder {
        let [src, dst] = [0, 1].map(|i| Descriptor::new(types[i], dims, formats[i]).expect("a layout"));
        Reorder::with_attributes(&src, &dst, attributes).expect("a plan")
    }

    #[test]
    fn tiles_of_a_few_elements_go_by_halves() {
        const U8: [DType; 2] = [DType::U8; 2];
        const F32: [DType; 2] = [DType::F32; 2];
        let (none, weights) = (Attributes::new(), ["OIhw8o8i", "oihw"]);
        for (types, dims, formats, expected) in [
            (U8, [396, 7, 3, 3], weights, true),
            (F32, [396, 7, 3, 3], weights, true),
            // Few tiles, and as many as no second-level cache holds.
            (U8, [16, 7, 3, 3], weights, false),
            (U8, [9999, 70, 3, 3], weights, false),
            // Rows and lines that fill registers.
            (F32, [2, 64, 28, 28], ["nchw", "nChw16c"], false),
            (F32, [2, 64, 28, 28], ["nchw", "nhwc"], false),
        ] {
            let plan = plan(types, &dims, formats, &none);
            assert_eq!(plan.by_halves, expected, "{plan}");
            let best = Token::current();
            assert_eq!(plan.token(), if expected { best.by_halves() } else { best });
        }
        let scale = Attributes::new().src_scale(Values::common(0.5));
        assert!(!plan(F32, &[396, 7, 3, 3], weights, &scale).by_halves);
        assert_ne!(Token::current().by_halves().cpu(), Cpu::Avx512);
    }

    /// Which family moves them does not change a byte, whatever the plan asks for.
    #[test]
    fn both_families_write_the_same() {
        const PAIRS: [[DType; 2]; 6] = [
            [DType::U8, DType::U8],
            [DType::F32, DType::F32],
            [DType::S8, DType::Bf16],
            [DType::S8, DType::F32],
            [DType::F32, DType::S8],
            [DType::F32, DType::Bf16],
        ];
        let formats = ["oihw", "ohwi", "Oihw16o", "OIhw8o8i", "OIhw8i16o2i", "OIhw4i16o4i"];
        let mut halved = 0;
        for types in PAIRS {
            for (from, to) in formats.iter().flat_map(|from| formats.map(|to| (*from, to))) {
                for dims in [[64, 32, 3, 3], [67, 17, 3, 3], [130, 3, 2, 5]] {
                    let plan = plan(types, &dims, [from, to], &Attributes::new());
                    halved += usize::from(plan.by_halves);
                    let src: Vec<u8> =
                        (0..plan.src_len()).map(|i| (i * 31 % 61 + i / 509 % 3) as u8).collect();
                    let [whole, halves] = [false, true].map(|by_halves| {
                        let mut dst = vec![0xA5; plan.dst_len()];
                        Reorder { by_halves, ..plan.clone() }.run(&src, &mut dst).expect("memory that fits");
                        dst
                    });
                    assert!(whole == halves, "{plan}");
                }
            }
        }
        assert!(halved > 50, "{halved}");
    }
}
