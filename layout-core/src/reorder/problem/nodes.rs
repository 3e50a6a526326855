//! [`Nodes`]: the loops of a reorder, each with its stride on both sides. Shared by problem, simplify and plan.

/// One loop: `n` values, and how far apart two of them are on each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) n: u64,
    pub(crate) src: isize,
    pub(crate) dst: isize,
}

impl Node {
    /// The loop that runs once.
    pub(crate) const UNIT: Node = Node { n: 1, src: 0, dst: 0 };
}

/// Up to `N` loops, without heap memory.
///
/// Where blocks do not nest (48 <-> 32) the loop over their segments has no single stride: its offsets are a small
/// mixed-radix number on each side. The table of its segments is kept as those digits, its *pieces*, in the entries
/// behind the loops: piece i holds the extents of the i-th digits (source low, destination high 32 bits of `n`; 0 for
/// the last digit of a side, which takes what is left) and their strides. `src` and `dst` of such a loop are those
/// of its lowest digits.
///
/// A *skewed* loop is one over single places of an axis whose blocks never begin together on the two sides. It has such
/// pieces as well, and one in front of them whose `n` is what is added to a value on the source's side. Between two
/// of its [cuts](Nodes::next_cut) it has the strides `src` and `dst`, so that it may lie in a tile when it is cut there. It
/// may be cut in groups besides: that piece's `src` is the size of a group, 0 for none, and `dst` a value at which one begins.
#[derive(Clone, Copy)]
pub(crate) struct Nodes<const N: usize> {
    entries: [Node; N],
    /// Number of pieces of a loop; 0 where it has single strides. `SKEWED` is added for a skewed loop.
    pieces: [u8; N],
    /// Index of the first piece counted from the end of `entries`.
    first_piece: [u8; N],
    len: u8,
    pieces_len: u8,
}

/// The bit in the number of pieces that says that a loop is skewed.
const SKEWED: u8 = 0x80;

impl<const N: usize> Nodes<N> {
    pub(crate) const EMPTY: Nodes<N> =
        Nodes { entries: [Node::UNIT; N], pieces: [0; N], first_piece: [0; N], len: 0, pieces_len: 0 };

    pub(crate) const fn len(&self) -> usize {
        self.len as usize
    }

    /// Entries taken, pieces included.
    pub(crate) const fn used(&self) -> usize {
        self.len as usize + self.pieces_len as usize
    }

    pub(crate) const fn get(&self, i: usize) -> Node {
        self.entries[i]
    }

    pub(crate) const fn set(&mut self, i: usize, node: Node) {
        self.entries[i] = node;
    }

    /// Whether the loop has one stride on each side.
    pub(crate) const fn is_strided(&self, i: usize) -> bool {
        self.pieces[i] == 0
    }

    /// Whether the loop is skewed.
    pub(crate) const fn is_skewed(&self, i: usize) -> bool {
        self.pieces[i] & SKEWED != 0
    }

    /// Whether a tile can take the loop: it has one stride on each side, at least between its cuts.
    pub(crate) const fn fits_tile(&self, i: usize) -> bool {
        self.is_strided(i) || self.is_skewed(i)
    }

    /// The least value above `value` of the skewed loop `i` where a block of either side or a group begins; `u64::MAX`
    /// without one.
    pub(crate) const fn next_cut(&self, i: usize, value: u64) -> u64 {
        let (skew, lowest) = (self.piece(i, 0).n, self.piece(i, 1).n);
        let (src_n, dst_n) = (lowest as u32 as u64, lowest >> 32);
        let src = if src_n == 0 { u64::MAX } else { value.saturating_add(src_n - (value + skew) % src_n) };
        let dst = if dst_n == 0 { u64::MAX } else { value.saturating_add(dst_n - value % dst_n) };
        let cut = if src < dst { src } else { dst };
        let (group, begin) = (self.piece(i, 0).src as u64, self.piece(i, 0).dst as u64);
        if group == 0 {
            return cut;
        }
        let next = value.saturating_add(group - (value + (group - begin)) % group);
        if next < cut { next } else { cut }
    }

    /// Adds a loop with single strides; `false` where there is no room.
    #[must_use]
    pub(crate) const fn push(&mut self, node: Node) -> bool {
        if self.used() == N {
            return false;
        }
        self.entries[self.len as usize] = node;
        self.pieces[self.len as usize] = 0;
        self.len += 1;
        true
    }

    /// Adds a skewed loop, whose pieces follow, cut in groups of `group` values, of which one begins at `begin`, which is below
    /// that; `false` where there is no room.
    #[must_use]
    pub(crate) const fn push_skewed(&mut self, node: Node, skew: u64, [group, begin]: [u64; 2]) -> bool {
        if !self.push(node)
            || !self.push_piece(skew as u32, (skew >> 32) as u32, group as isize, begin as isize)
        {
            return false;
        }
        self.pieces[self.len as usize - 1] |= SKEWED;
        true
    }

    /// Adds an entry that belongs to no loop; `None` where there is no room, else what [`Nodes::note`] takes.
    #[must_use]
    pub(crate) const fn push_note(&mut self, note: Node) -> Option<u8> {
        if self.used() == N {
            return None;
        }
        self.entries[N - 1 - self.pieces_len as usize] = note;
        self.pieces_len += 1;
        Some(self.pieces_len - 1)
    }

    /// An entry that belongs to no loop.
    pub(crate) const fn note(&self, at: u8) -> Node {
        self.entries[N - 1 - at as usize]
    }

    /// Adds a piece to the last loop; `false` where there is no room.
    #[must_use]
    pub(crate) const fn push_piece(&mut self, src_n: u32, dst_n: u32, src: isize, dst: isize) -> bool {
        if self.used() == N || self.len == 0 {
            return false;
        }
        let last = self.len as usize - 1;
        if self.pieces[last] == 0 {
            self.first_piece[last] = self.pieces_len;
        }
        self.entries[N - 1 - self.pieces_len as usize] =
            Node { n: src_n as u64 | (dst_n as u64) << 32, src, dst };
        self.pieces[last] += 1;
        self.pieces_len += 1;
        true
    }

    /// Adds a copy of loop `i` of `other`, its strides multiplied to bytes; `false` where there is no room.
    #[must_use]
    pub(crate) const fn push_from<const M: usize>(
        &mut self,
        other: &Nodes<M>,
        i: usize,
        src_bytes: isize,
        dst_bytes: isize,
    ) -> bool {
        let node = other.entries[i];
        // Strides that no element takes wrap: a loop over periods may be longer than the axis.
        let (src, dst) = (node.src.wrapping_mul(src_bytes), node.dst.wrapping_mul(dst_bytes));
        if !self.push(Node { n: node.n, src, dst }) {
            return false;
        }
        let mut p = 0;
        while p < other.pieces_of(i) {
            let piece = other.piece(i, p);
            let (src, dst) = match p {
                // The skew and the groups.
                0 if other.is_skewed(i) => (piece.src, piece.dst),
                _ => (piece.src.wrapping_mul(src_bytes), piece.dst.wrapping_mul(dst_bytes)),
            };
            if !self.push_piece(piece.n as u32, (piece.n >> 32) as u32, src, dst) {
                return false;
            }
            p += 1;
        }
        if other.is_skewed(i) {
            self.pieces[self.len as usize - 1] |= SKEWED;
        }
        true
    }

    /// Number of pieces of loop `i`; 0 where it has single strides.
    pub(crate) const fn pieces_of(&self, i: usize) -> usize {
        (self.pieces[i] & !SKEWED) as usize
    }

    /// Piece `p` of loop `i`.
    pub(crate) const fn piece(&self, i: usize, p: usize) -> Node {
        self.entries[N - 1 - self.first_piece[i] as usize - p]
    }

    /// How far value `value` of loop `i` is from its value 0, on both sides.
    #[inline]
    pub(crate) const fn at(&self, i: usize, value: u64) -> (isize, isize) {
        if self.pieces[i] == 0 {
            let node = self.entries[i];
            return (node.src.wrapping_mul(value as isize), node.dst.wrapping_mul(value as isize));
        }
        let (mut src, mut dst) = (0isize, 0isize);
        let (mut src_rest, mut dst_rest) = (value, value);
        let mut p = 0;
        if self.is_skewed(i) {
            src_rest = value + self.piece(i, 0).n;
            p = 1;
        }
        while p < self.pieces_of(i) {
            let piece = self.piece(i, p);
            let (src_n, dst_n) = (piece.n as u32 as u64, piece.n >> 32);
            let digit;
            (digit, src_rest) = if src_n == 0 { (src_rest, 0) } else { (src_rest % src_n, src_rest / src_n) };
            src = src.wrapping_add(piece.src.wrapping_mul(digit as isize));
            let digit;
            (digit, dst_rest) = if dst_n == 0 { (dst_rest, 0) } else { (dst_rest % dst_n, dst_rest / dst_n) };
            dst = dst.wrapping_add(piece.dst.wrapping_mul(digit as isize));
            p += 1;
        }
        (src, dst)
    }

    /// Exchanges two loops.
    pub(crate) const fn swap(&mut self, i: usize, j: usize) {
        (self.entries[i], self.entries[j]) = (self.entries[j], self.entries[i]);
        (self.pieces[i], self.pieces[j]) = (self.pieces[j], self.pieces[i]);
        (self.first_piece[i], self.first_piece[j]) = (self.first_piece[j], self.first_piece[i]);
    }

    /// Takes loop `i` out; those behind it move up. Its pieces, if any, stay unused.
    pub(crate) const fn remove(&mut self, i: usize) {
        let mut k = i;
        while k + 1 < self.len as usize {
            self.swap(k, k + 1);
            k += 1;
        }
        self.len -= 1;
    }
}
