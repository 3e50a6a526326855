//! Elements of any stride, which are moved. Written by `scripts/ways.py`.

use super::super::super::facts::Fact::*;
use super::super::Instead::*;
use super::super::{Forest, Tree};
use super::DEPTH;

#[rustfmt::skip]
pub(super) const FORESTS: &[Forest<DEPTH>] = &[
    Forest { of: &[Elements], trees: &[
        Tree { asks: [(SrcX, 1), (DstY, 14), (OfLine, 60), (DstY, 3), (Logical, 799)],
            says: &[-7, -13, -9, -9, -10, -12, -9, -9, -3, -8, -9, -15, -17, -18, -6, -17,
                -9, -7, -9, -9, -11, -7, -9, -9, 6, -7, -20, -13, -10, -20, 9, -20] },
        Tree { asks: [(SrcX, 1), (SrcBytes, 3), (DstY, 3), (OfLine, 14), (HeldX, 6)],
            says: &[0, 0, 13, -4, 0, 0, 0, -1, -2, 0, -2, 1, -4, 1, 13, 2,
                0, 0, 0, 0, -9, 0, 0, 0, 0, 0, 0, 0, 5, -7, 0, -3] },
        Tree { asks: [(Tile, 1248), (SrcBytes, 3), (HeldX, 15), (SrcX, 6), (SrcY, 12)],
            says: &[-8, 0, -4, 5, -3, 1, -8, -1, -1, -3, 2, 2, -2, 1, -1, 2,
                -1, 0, 3, 7, -4, 9, -10, -5, -2, -1, 1, 1, -3, -6, 2, 5] },
        Tree { asks: [(Written, 2550), (Z, 48), (SrcX, 3), (SrcY, 200), (DstY, 14)],
            says: &[-2, 2, 3, -7, -2, 1, 0, 1, 2, 1, 0, -1, -1, -7, 0, 0,
                1, 8, 0, 0, 0, 0, 0, 2, 0, -2, 0, -6, -5, -4, 0, -1] },
        Tree { asks: [(Written, 774), (SrcFilled, 49), (SrcBytes, 6), (X, 2), (SrcBytes, 1)],
            says: &[2, 0, 0, 0, 0, 0, 0, 0, -2, 0, -4, 1, 0, 0, 0, 0,
                -3, -2, -5, -3, -3, 9, 0, 7, 0, 0, -2, 9, -2, 0, 0, 0] },
        Tree { asks: [(DstZ, 3153), (Tile, 11503), (Logical, 303000), (Most, 29), (SrcX, 1)],
            says: &[3, 0, 0, 0, 0, 0, 0, 0, -1, -10, 1, -1, 0, 0, 2, 0,
                -1, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 10, 0, 1, 0] },
        Tree { asks: [(DstY, 5392), (Written, 1734), (Tiles, 48), (Tile, 34), (HeldY, 7)],
            says: &[-5, 0, 0, 0, 9, 0, -2, 0, -1, 0, 1, -3, 0, 0, -3, 0,
                0, 0, 6, 0, -3, 0, -2, 0, -1, 0, 0, -2, 0, 0, 1, -4] },
        Tree { asks: [(SrcBytes, 3), (HeldX, 15), (HeldY, 9), (Z, 17), (DstY, 3)],
            says: &[1, 0, 0, 0, 0, 0, 0, 0, -2, 2, 0, 0, -5, -2, 0, 0,
                3, 2, -2, 1, -1, 4, 2, -4, 1, 0, -2, -3, -3, 4, 5, 5] },
    ] },
];
