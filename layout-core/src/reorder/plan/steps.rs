//! Which plans are moved in several steps, by way of a buffer in the order of one side. Asked by `run` for each box.

use super::{Class, Reorder, format};
use crate::kernels::convert::Rounding;
use crate::kernels::{Format, LINE, converts_blocks, takes_pieces};

/// Elements from which several steps pay.
const LEAST: u64 = 4096;

/// Elements along a side of a tile that are few.
const NARROW: u64 = 4;

/// The most elements along the other side of tiles that are operands of dot products.
const LARGE: u64 = 64;

/// Elements of 4 bits from which parts of bytes pay.
const LEAST_BY_BYTES: usize = 1024;

/// Whether tiles have no more than a few registers: what is done for each of them outweighs the elements. `z` tiles are moved at a
/// time.
fn is_small([x, y, z]: [u64; 3]) -> bool {
    let elements = x.saturating_mul(y);
    x >= 8 && y >= 8 && elements <= 256 || x.max(y) <= 16 && x.min(y) >= 2 && takes_longer(elements, z)
}

/// Whether to begin with `z` tiles of so many elements takes longer than their elements do.
const fn takes_longer(elements: u64, z: u64) -> bool {
    elements.saturating_mul(z) <= 2048
}

impl Reorder {
    /// Whether tiles of so many values of x and y, repeated for z, of as many elements as `all` says, are better converted in rows
    /// through a buffer, and moved as they are on its other side, than each for itself: those of a few elements, as kernels for dot
    /// products take.
    pub(in super::super) fn takes_two_steps(&self, [x, y, z]: [u64; 3], all: impl FnOnce() -> u64) -> bool {
        let mut least = LEAST;
        let fits = match self.class {
            Class::Transpose => {
                let groups = self.is_of_groups([x, y]) || self.is_of_bytes([x, y]);
                let apart = || {
                    self.are_planes_apart([x, y]) || self.have_no_gaps([x, y]) || self.are_operands([x, y])
                };
                groups
                    || Reorder::are_windows([x, y])
                    || is_small([x, y, z])
                    || takes_pieces(self.token()) && apart()
            }
            Class::Rows
                if x <= 2 && self.src_element == 4 && self.dst_element < 4 && !self.tails.cut_any() =>
            {
                true
            }
            Class::Rows if self.has_blocks_as_they_are(x) => false,
            Class::Rows if self.has_lines_in_part([x, y]) => true,
            Class::Rows if self.has_few_rows([x, y]) => true,
            Class::Rows => {
                least = 2 * LEAST;
                x <= 16 && takes_longer(x.saturating_mul(y), z)
                    || takes_pieces(self.token()) && self.are_rows_of_blocks([x, y, z])
            }
            _ => false,
        };
        // The rest takes longer to look at.
        fits && self.may_take_two_steps() && all() >= least
    }

    /// Whether elements can be converted by themselves, and moved by themselves. Chance needs the places of all elements.
    pub(in super::super) fn may_take_two_steps(&self) -> bool {
        let nearest = self.roles.rounding() == Rounding::NearestEven;
        self.packing.is_none() && self.converts() && nearest && self.is_even()
    }

    /// The same for tiles whose elements have parameters, where these are of a few elements at a time: narrow ones, and short rows that lie
    /// apart. `alike` says whether parameters are the same along x, and along y.
    pub(in super::super) fn parts_parameters(
        &self,
        [x, y]: [u64; 2],
        alike: [bool; 2],
        all: impl FnOnce() -> u64,
    ) -> bool {
        const SHORT: u64 = 16;
        let fits = match self.class {
            // Three are the channels of images, for which there are kernels.
            Class::Transpose => matches!(x.min(y), 2 | 4) && x.max(y) <= LARGE && alike != [true; 2],
            Class::Rows => {
                let row = self.nodes.get(self.nodes.len() - 2);
                let apart = row.src.unsigned_abs().max(row.dst.unsigned_abs()) > LINE;
                x < SHORT && apart && !alike[0]
            }
            Class::Stream | Class::Strided => false,
        };
        fits && self.may_take_two_steps() && all() >= LEAST
    }

    /// Whether elements of 4 bits in the source that have parameters are better converted along its rows, and moved as what they have
    /// become, than taken out of their bytes first: where tiles hold a few of them along either side.
    pub(in super::super) fn converts_packed_rows(&self) -> bool {
        if self.packing.src.is_none() || self.packing.dst.is_some() {
            return false;
        }
        let last = self.nodes.len() - 1;
        let (x, y) = (self.nodes.get(last).n, self.nodes.get(last - 1).n);
        let fits = match self.class {
            Class::Transpose => x.min(y) <= NARROW,
            Class::Rows => x <= NARROW,
            Class::Stream | Class::Strided => false,
        };
        let plain = !self.roles.accumulates && self.roles.rounding() == Rounding::NearestEven;
        fits && plain && self.logical as u64 >= LEAST && self.converts() && self.is_even()
    }

    /// Whether elements of 4 bits are moved in parts, with a byte for each in a buffer: where tiles have few along either side, or an
    /// axis ends inside of them.
    pub(in super::super) fn goes_by_bytes(&self) -> bool {
        // Sums, and chance, leave no room for another buffer.
        let plain = !self.roles.accumulates && self.roles.rounding() == Rounding::NearestEven;
        if self.packing.is_none() || !plain {
            return false;
        }
        let (x, y) = (self.nodes.get(self.nodes.len() - 1).n, self.nodes.get(self.nodes.len() - 2).n);
        let (less, more) = if x < y { (x, y) } else { (y, x) };
        let has_tails = self.tails.cut_any();
        let fits = match self.class {
            Class::Stream => false,
            Class::Strided => true,
            Class::Rows => x < 32 || x < 64 && (has_tails || self.has_parted_rows(x)),
            Class::Transpose if !has_tails && self.is_of_fours() => false,
            Class::Transpose => self.is_narrow([x, y]) || less < 32 && (more < 32 || has_tails),
        };
        fits && self.logical >= LEAST_BY_BYTES && self.is_even()
    }

    /// Whether all loops have one stride on each side.
    fn is_even(&self) -> bool {
        (0..self.nodes.len()).all(|i| self.nodes.is_strided(i))
    }

    /// Whether tiles of so many values of x and y are groups of a few elements.
    const fn is_of_groups(&self, [x, y]: [u64; 2]) -> bool {
        /// Elements along the longer side of such tiles; those with about as many along the other are as well converted for themselves.
        const LONG: u64 = 32;
        let (less, more) = if x < y { (x, y) } else { (y, x) };
        // Short groups in front of long rows are moved no faster, unless there are kernels for them or the next loop goes on with them.
        let element = if self.src_element < self.dst_element { self.src_element } else { self.dst_element };
        let groups = x >= 16 && y * element as u64 != 4 && !(y == 2 && x == LONG);
        less <= NARROW && 2 * NARROW <= more && more <= LONG && !groups
    }

    /// Whether tiles of so many values of x and y are the places of a window (of 5 by 5, or of 7 by 7) that lie apart in groups of 2 or
    /// 4 elements: 1.6 to 15 times as fast in two steps (Zen 4), with registers of 32 bytes as well.
    const fn are_windows([x, y]: [u64; 2]) -> bool {
        const SIDE: u64 = 16;
        SIDE < x && x < LARGE && !x.is_multiple_of(SIDE) && y <= NARROW
    }

    /// Whether tiles of so many values of x and y are groups of 2 or 4 elements in blocks of 64, the operands of matrix multiplications. On
    /// processors with registers of 32 bytes (Zen 3).
    const fn are_operands(&self, [x, y]: [u64; 2]) -> bool {
        let element = if self.src_element < self.dst_element { self.src_element } else { self.dst_element };
        let groups = y == LARGE && matches!(x, 2 | 4);
        groups || x == LARGE && (y == 2 || y * element as u64 == 4)
    }

    /// Whether tiles of so many values of x and y hold a few elements of each of many lines, which go on in the next tile: those of the
    /// images of a batch that lie beside one another (`chwn`). On processors with registers of 32 bytes (Zen 3); padding of wider elements
    /// is as well written with them, and elements that become shorter are better turned without it, unless there is padding.
    pub(super) const fn are_planes_apart(&self, [x, y]: [u64; 2]) -> bool {
        let (z, row) = (self.nodes.get(self.nodes.len() - 3), self.nodes.get(self.nodes.len() - 2));
        let goes_on = row.src.wrapping_mul(row.n as isize) == z.src && z.n > 1;
        let mostly_padding = self.dst_element > self.src_element && self.logical <= self.padded / 2;
        let turned = self.dst_element < self.src_element && !self.tails.cut_any();
        goes_on && y <= 4 && x <= 32 && !mostly_padding && !turned
    }

    /// Whether tiles of so many values of x and y are a few bytes, and follow one another on both sides: processors with registers of 32
    /// bytes have a kernel that moves these. Rows of the wider elements that fill registers are as well converted for themselves.
    pub(super) const fn have_no_gaps(&self, [x, y]: [u64; 2]) -> bool {
        const LONGEST: u64 = 256;
        const SHORT: u64 = 16;
        let z = self.nodes.get(self.nodes.len() - 3);
        let (src, dst) = (self.src_element as u64, self.dst_element as u64);
        let (less, element) = (if x < y { x } else { y }, if src < dst { src } else { dst });
        let elements = x.saturating_mul(y);
        let follow =
            z.src as u64 == elements.saturating_mul(src) && z.dst as u64 == elements.saturating_mul(dst);
        let fills = src > dst && y.is_multiple_of(8) || dst > src && x.is_multiple_of(8);
        let short = elements.saturating_mul(element) <= LONGEST && less.saturating_mul(element) < SHORT;
        follow && short && !fills
    }

    /// Whether so many rows are those of blocks of 16 by 16 weights, for each place of their window: more of them, those with tails, and
    /// those that become half as wide are as well converted where they are, unless both sides are bytes and most rows whole. On processors
    /// with registers of 32 bytes (Zen 3).
    fn are_rows_of_blocks(&self, [x, y, z]: [u64; 3]) -> bool {
        const BLOCK: u64 = 16;
        let (rows, least) = (y.saturating_mul(z), y.min(z));
        let of_bytes = self.src_element == 1 && self.dst_element == 1;
        let halved = self.src_element == 2 * self.dst_element;
        let few = least > BLOCK / 2 && rows <= BLOCK * BLOCK && !halved && !self.tails.cut_any();
        let bytes = of_bytes && rows <= 4 * BLOCK * BLOCK && self.few_are_short(self.nodes.len() - 1, x);
        x == BLOCK && least <= BLOCK && (few || bytes)
    }

    /// Whether an axis ends inside of no loop `node`, of `n` values, or behind most of them, or in one of many.
    const fn few_are_short(&self, node: usize, n: u64) -> bool {
        const MANY: u64 = 4;
        let (mut t, mut level) = (0, 0);
        while t < self.tails.len as usize {
            while level < self.tails.end[t] as usize {
                let (dim, rest) = (self.tails.dim[t], self.tails.dim[t] % n);
                if self.tails.levels[level] as usize == node && rest > 0 && rest <= n / 2 && dim / n < MANY {
                    return false;
                }
                level += 1;
            }
            t += 1;
        }
        true
    }

    /// Whether tiles of so many values of x and y have a byte on one side for each element of four on the other, and hold few of these.
    const fn is_of_bytes(&self, [x, y]: [u64; 2]) -> bool {
        const NARROW: u64 = 16;
        let (less, more) = if x < y { (x, y) } else { (y, x) };
        let most = match (self.src_element, self.dst_element) {
            (4, 1) if self.tails.cut_any() => 16 * NARROW,
            (4, 1) => 4 * NARROW,
            (2, 1) if self.tails.cut_any() => 4 * NARROW,
            (1, 4) => 2 * NARROW,
            _ => return false,
        };
        NARROW / 2 < less && less <= NARROW && NARROW < more && more <= most
    }

    /// Whether there are no kernels for tiles of so many elements of 4 bits along x and y: those that are transposed have more.
    fn is_narrow(&self, [x, y]: [u64; 2]) -> bool {
        const SIDE: u64 = 16;
        // Those that stay as they are are transposed two at a time.
        let both = self.packing.src.is_some() && self.packing.dst.is_some() && !self.converts();
        let side = if both && y < x { 2 * SIDE } else { SIDE };
        x.min(y) < side
    }

    /// Whether tiles are groups of four elements of 4 bits and rows of these, which begin with whole bytes: there are kernels for them.
    fn is_of_fours(&self) -> bool {
        let (x, y) = (self.nodes.get(self.nodes.len() - 1), self.nodes.get(self.nodes.len() - 2));
        let spreads = self.packing.dst.is_none() && format(self.src_dtype) == format(self.dst_dtype);
        let even = |values: [isize; 2]| values.iter().all(|value| value & 1 == 0);
        let to_groups = x.n == 4 && y.dst == 4 && even([y.n as isize, x.src]);
        let to_rows = !spreads && y.n == 4 && x.src == 4 && even([x.n as isize, y.dst]);
        (spreads || !self.converts()) && (to_groups || to_rows)
    }

    /// Whether tiles are few and short rows in the middle of many loops, as where both sides have blocks of their own.
    const fn has_few_rows(&self, [x, y]: [u64; 2]) -> bool {
        const MANY_LOOPS: usize = 6;
        self.nodes.len() >= MANY_LOOPS && x <= 8 && y <= 16
    }

    /// Whether rows are blocks of `x` channels, without attributes, of which there is a kernel for many.
    fn has_blocks_as_they_are(&self, x: u64) -> bool {
        let formats = (format(self.src_dtype), format(self.dst_dtype));
        matches!(x, 8 | 16) && !self.roles.any() && converts_blocks(self.token(), formats.0, formats.1)
    }

    /// Whether rows are lines that hold part of a block, of elements that become shorter.
    const fn has_lines_in_part(&self, [x, y]: [u64; 2]) -> bool {
        const MANY: u64 = 256;
        let narrows = self.dst_element < self.src_element;
        narrows && self.tails.cut_any() && x * self.dst_element as u64 == LINE as u64 && y > MANY
    }

    /// Whether rows of `x` elements of 4 bits are short, and follow one another in the destination but not in the source, where what
    /// comes between them is not in the same part of the tile; those that become floats in any case.
    fn has_parted_rows(&self, x: u64) -> bool {
        let y = self.nodes.get(self.nodes.len() - 2);
        let short = (16..64).contains(&x) && self.packing.src.is_some();
        let follows = |stride: isize, element: u8| stride.unsigned_abs() as u64 == x * u64::from(element);
        let parted = follows(y.dst, self.dst_element) && !follows(y.src, 1);
        let floats = matches!(format(self.dst_dtype), Format::F32 | Format::F16 | Format::Bf16);
        let long = y.n.saturating_mul(x) >= LEAST && self.dst_element == 1;
        short && parted && (long || floats && !self.roles.any())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::{DType, Descriptor};

    #[test]
    fn places_of_windows_go_in_two_steps() {
        for (window, expected) in [(7, true), (5, true), (4, false), (8, false)] {
            let dims = [64, 32, window, window];
            let src = Descriptor::new(DType::U8, &dims, "OIhw8i16o2i").expect("a layout");
            let dst = Descriptor::new(DType::S8, &dims, "oihw").expect("a layout");
            let plan = Reorder::new(&src, &dst).expect("a plan");
            let last = plan.nodes.len() - 1;
            let tile = [last, last - 1].map(|i| plan.nodes.get(i).n);
            assert_eq!(Reorder::are_windows(tile), expected, "{plan}");
            if expected {
                assert!(plan.takes_two_steps([tile[0], tile[1], 1], || plan.logical as u64), "{plan}");
            }
        }
    }
}
