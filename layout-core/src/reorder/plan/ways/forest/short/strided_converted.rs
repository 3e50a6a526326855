//! Elements of any stride, which are converted. Written by `scripts/ways.py`.

use super::super::super::facts::Fact::*;
use super::super::Instead::*;
use super::super::{Forest, Tree};
use super::DEPTH;

#[rustfmt::skip]
pub(super) const FORESTS: &[Forest<DEPTH>] = &[
    Forest { of: &[Lines], trees: &[
        Tree { asks: [(Logical, 8068), (SrcY, 48), (Tile, 3586), (Logical, 21043), (SrcBytes, 1)],
            says: &[22, 16, 18, -5, 16, 7, 14, 3, 9, 12, 9, -10, 9, -3, 9, -8,
                21, 17, 11, -3, 14, 7, 1, -7, 9, 17, 9, -7, 9, 1, 9, -3] },
        Tree { asks: [(Logical, 6260), (X, 20), (Tiles, 22), (Logical, 12432), (SrcX, 6)],
            says: &[1, -9, 6, 0, 0, -9, 0, 0, 0, -14, 0, -10, 0, -13, 0, 0,
                8, -2, 7, 2, -6, -5, 0, 7, 0, -7, 0, -4, 0, -9, 0, 10] },
        Tree { asks: [(Logical, 6260), (X, 20), (Tile, 2864), (DstY, 3), (Logical, 28020)],
            says: &[6, 0, 5, 0, 3, 11, 2, 0, 3, -6, 6, 6, -3, -7, 1, -3,
                0, 0, 0, 0, 0, 2, 0, -4, 0, -7, 0, 5, 0, -8, 0, -4] },
        Tree { asks: [(Logical, 3028), (SrcX, 6), (SrcBytes, 3), (Logical, 12700), (SrcFilled, 3)],
            says: &[4, 4, 3, -4, 5, 0, 3, 0, 0, -2, 0, -1, 0, -1, 0, -1,
                6, 3, 4, 3, -1, -8, 3, 1, 0, -4, 0, -2, 0, -8, 0, 1] },
        Tree { asks: [(Logical, 2032), (Tile, 108), (SrcY, 48), (Tile, 11528), (SrcFilled, 4)],
            says: &[0, 0, 3, -2, 0, 0, 4, 1, 0, 0, 0, -1, 0, 0, 0, 0,
                2, -6, 3, 2, -3, -7, 4, -3, 0, 0, 0, -2, 0, 0, 0, -3] },
        Tree { asks: [(Written, 22453), (SrcFilled, 18), (SrcX, 922112), (Y, 2566), (SrcBytes, 3)],
            says: &[1, -1, 2, -1, 0, 0, 0, 0, 7, -4, 0, -8, 0, 12, 0, -7,
                0, 0, -2, -5, 0, 0, 0, 0, 5, -1, 0, 0, 0, 0, 0, 0] },
        Tree { asks: [(Logical, 1665), (Tile, 108), (SrcX, 3), (DstZ, 108), (X, 32)],
            says: &[0, 0, 3, -4, 1, -5, 3, -1, 0, 0, 0, -2, 0, 0, 0, 3,
                0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1] },
        Tree { asks: [(Written, 283616), (SrcX, 922112), (DstY, 179), (Tile, 34288), (SrcBytes, 1)],
            says: &[1, 0, 0, 0, -3, -3, 0, 0, -2, -3, 9, -5, 0, -1, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0] },
    ] },
    Forest { of: &[Elements], trees: &[
        Tree { asks: [(Most, 1008), (SrcFilled, 3), (SrcBytes, 3), (SrcX, 12), (X, 11605)],
            says: &[-43, -42, -43, -43, -43, -39, -43, -43, -43, -40, -43, -43, -43, -34, -43, -39,
                -42, -42, -42, -43, -42, -42, -42, -41, -42, -38, -42, -42, -42, -34, -42, -34] },
        Tree { asks: [(Most, 1370), (SrcFilled, 3), (SrcBytes, 3), (SrcFilled, 7), (DstY, 8)],
            says: &[-1, 3, 0, 0, 0, 5, 0, 4, 0, 0, -1, 0, 0, 0, 0, 0,
                0, -2, -1, -1, -1, 3, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0] },
        Tree { asks: [(SrcFilled, 0), (X, 1711), (DstY, 31), (SrcBytes, 1), (SrcX, 12)],
            says: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                1, 0, 6, 0, 0, 0, -1, -1, 2, 0, 5, 3, -1, 1, 1, -1] },
        Tree { asks: [(Most, 24361), (SrcFilled, 0), (Y, 1), (SrcFilled, 2), (Tile, 547)],
            says: &[1, 0, -1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                3, 5, 3, 5, 1, -1, 0, -1, 0, 0, 0, 1, 0, 0, 0, 1] },
        Tree { asks: [(Written, 1088568), (Tile, 547), (SrcBytes, 3), (SrcX, 6), (HeldX, 14913)],
            says: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0,
                0, 0, -1, 2, 0, 0, -2, 0, 0, 0, 0, 4, 0, 0, 2, 0] },
        Tree { asks: [(DstFilled, 37), (SrcFilled, 1), (Y, 1), (Most, 14027), (SrcBytes, 1)],
            says: &[0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, -1, 0, 1,
                0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 1, 0, -1, 0, 0] },
        Tree { asks: [(Written, 1088568), (DstFilled, 37), (SrcX, 12), (Tile, 582), (SrcBytes, 1)],
            says: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3,
                3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1] },
        Tree { asks: [(X, 74209), (SrcFilled, 0), (Most, 1775), (SrcX, 6760), (SrcFilled, 3)],
            says: &[0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 0, -1, 0,
                0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0] },
    ] },
];
