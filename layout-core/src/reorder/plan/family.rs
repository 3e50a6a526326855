//! Which family of instructions a plan is moved with: the processor's best one, or that of half as long registers, which has more ways for
//! tiles of a few elements.

use super::lines::Shape;
use super::{Class, Reorder, percent};
use crate::kernels::Token;

impl Reorder {
    /// The instructions that it is moved with.
    #[inline]
    pub(in super::super) fn token(&self) -> Token {
        let token = Token::current();
        if self.by_halves { token.by_halves() } else { token }
    }

    /// Whether registers of 32 bytes are faster than those of a whole line.
    pub(super) const fn goes_by_halves(&self) -> bool {
        match self.shape(&self.counts(), self.tails.len > 0) {
            Some(shape) if !shape.is_near || self.roles.any() => false,
            Some(shape) if self.places > 0 => self.puts_halves_together(&shape),
            Some(shape) => self.turns_by_halves(&shape),
            None => false,
        }
    }

    /// The same for lines that are put together, from pieces of 16 bytes then, or else moved as tiles: 1.2 to 2.2 times as fast in the
    /// mean of each rule.
    const fn puts_halves_together(&self, shape: &Shape) -> bool {
        let (places, written) = (self.places, percent(self.logical, self.padded));
        let ((less, more), all) = (shape.sides(), shape.x.saturating_mul(shape.y));
        let (src, dst) = (self.src_element, self.dst_element);
        let z_dst = self.nodes.get(self.nodes.len() - 3).dst.unsigned_abs();
        match self.class {
            Class::Transpose if self.moves_bytes() => places > 4 && written > 24 || more > 32,
            Class::Transpose if dst < src => places > 6 && written > 48 || shape.x > 16,
            Class::Transpose if dst > src => places > 10 && written > 41,
            Class::Transpose => places > 13,
            Class::Rows if self.moves_bytes() => places > 6 && all > 64,
            Class::Rows if dst < src => less > 4 || places > 4,
            Class::Rows => written > 93 && z_dst > 64,
            Class::Stream | Class::Strided => false,
        }
    }

    /// The same for tiles: 1.1 to 1.3 times as fast in the mean of each rule.
    const fn turns_by_halves(&self, shape: &Shape) -> bool {
        let written = percent(self.logical, self.padded);
        let ((less, more), all) = (shape.sides(), shape.x.saturating_mul(shape.y));
        let (src, dst) = (self.src_element, self.dst_element);
        let last = self.nodes.len() - 1;
        let (y, z) = (self.nodes.get(last - 1), self.nodes.get(last - 2));
        let z_dst = z.dst.unsigned_abs();
        match self.class {
            Class::Transpose if self.moves_bytes() => src <= 4 && less > 3 && shape.x > 4 && all <= 1024,
            Class::Transpose if dst < src => more <= 56 && all <= 400 && z_dst > 6,
            Class::Transpose if dst > src => more <= 49 && all <= 392 && shape.x * dst as u64 > 12,
            Class::Transpose => more <= 32,
            Class::Rows if self.moves_bytes() => false,
            Class::Rows if dst < src => {
                let apart = y.src.unsigned_abs() as u64 != shape.x * src as u64;
                let few = shape.loops == 4 && dst + 3 == src && apart;
                few || shape.loops > 4 && z_dst <= 256 && all > 16
            }
            Class::Rows if dst > src && all > 208 => dst == 4 && more <= 58 && written > 37,
            Class::Rows if dst > src => z.n <= 17 && z_dst > 80,
            Class::Rows => less <= 3 && shape.x <= 8,
            Class::Stream | Class::Strided => false,
        }
    }
}
