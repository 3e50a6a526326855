//! The layouts of the brute-force tests: predeclared names, and types by hand with odd blocks, blocks that are not
//! innermost, padding beside blocks and swizzled digits.

use layout_core::layout::{Block, Digit, Dim, Format, PaddedDim};

type N = Dim<'n'>;
type C = Dim<'c'>;
type H = Dim<'h'>;
type W = Dim<'w'>;
type Nchw = (N, C, H, W);

pub(crate) type Nchw3c = Format<(N, C, H, W, Block<'c', 3>), Nchw>;
pub(crate) type Nchw12c = Format<(N, C, H, W, Block<'c', 12>), Nchw>;
#[cfg(not(debug_assertions))]
pub(crate) type Nchw24c = Format<(N, C, H, W, Block<'c', 24>), Nchw>;
#[cfg(not(debug_assertions))]
pub(crate) type Nc4cHw = Format<(N, C, Block<'c', 4>, H, W), Nchw>;
pub(crate) type BlockFirst = Format<(Block<'c', 4>, N, C, H, W), Nchw>;
pub(crate) type BlockBeforeTop = Format<(N, Block<'w', 4>, C, H, W), Nchw>;
pub(crate) type NhwCn = Format<(N, H, W, C, Block<'n', 2>, Block<'c', 4>, Block<'n', 3>), Nchw>;
pub(crate) type Swizzled = Format<(N, C, H, W, Digit<'c', 1, 4>, Digit<'c', 4, 3>), Nchw>;
pub(crate) type SwizzledApart =
    Format<(Digit<'c', 1, 2>, N, C, Digit<'c', 6, 2>, H, W, Digit<'c', 2, 3>), Nchw>;
pub(crate) type PaddedW = Format<(N, C, H, PaddedDim<'w', 8>), Nchw>;
pub(crate) type PaddedBlock = Format<(N, PaddedDim<'c', 6>, PaddedDim<'h', 3>, W, Block<'c', 4>), Nchw>;
pub(crate) type Cache =
    Format<(Dim<'b'>, Dim<'h'>, Dim<'s'>, Dim<'d'>, Block<'s', 4>), (Dim<'b'>, Dim<'s'>, Dim<'h'>, Dim<'d'>)>;
pub(crate) type Blocked1 = Format<(Dim<'a'>, Block<'a', 4>), (Dim<'a'>,)>;
pub(crate) type Degenerate = Format<(N, H, W, C, Block<'c', 8>), Nchw>;
pub(crate) type Twelve = Format<
    (
        Dim<'b'>,
        Dim<'a'>,
        Dim<'c'>,
        Dim<'d'>,
        Dim<'e'>,
        Dim<'f'>,
        Dim<'g'>,
        Dim<'h'>,
        Dim<'i'>,
        Dim<'j'>,
        Dim<'l'>,
        Dim<'k'>,
        Block<'l', 2>,
    ),
    (
        Dim<'a'>,
        Dim<'b'>,
        Dim<'c'>,
        Dim<'d'>,
        Dim<'e'>,
        Dim<'f'>,
        Dim<'g'>,
        Dim<'h'>,
        Dim<'i'>,
        Dim<'j'>,
        Dim<'k'>,
        Dim<'l'>,
    ),
>;

/// As `for_layouts!`, with one layout of each kind.
macro_rules! for_few_layouts {
    ($check:ident) => {{
        #[allow(unused_imports, reason = "not every check uses every name")]
        use crate::layouts::*;
        #[allow(unused_imports, reason = "not every check uses every name")]
        use layout_core::layout::{self, Scalar, Vector};
        $check!(Scalar, "", "", [], []);
        $check!(Vector, "a", "a", ['a'], ['a']);
        $check!(layout::Nhwc, "nchw", "n h w c", ['n', 'c', 'h', 'w'], ['n', 'c', 'w']);
        $check!(layout::Nchw16c, "nchw", "n c/16 h w c%16", ['n', 'c', 'h', 'w'], ['n', 'c', 'h', 'w']);
        $check!(layout::OIhw8i16o2i, "oihw", "o/16 i/16 h w i/2%8 o%16 i%2", ['o', 'i', 'w'], ['h', 'w']);
        $check!(PaddedBlock, "nchw", "n c/4^6 h^3 w c%4", ['c', 'h', 'w'], ['n', 'c', 'h']);
    }};
}
pub(crate) use for_few_layouts;

/// Calls `$check!` with each layout: type, logical axes, digits, the axes to slice, the axes that can be selected. Not every axis
/// of every layout, because each is code of its own: those that are blocked, padded or innermost, and all of a few layouts.
/// Without the standard library, which changes nothing here, the few stand for all; where nothing is optimised, one layout of
/// each kind does, because the others take a minute to build.
macro_rules! for_layouts {
    ($check:ident) => {{
        crate::layouts::for_few_layouts!($check);
        #[cfg(feature = "std")]
        {
            use crate::layouts::*;
            use layout_core::layout;
            $check!(Blocked1, "a", "a/4 a%4", ['a'], ['a']);
            $check!(layout::ColumnMajor, "ab", "b a", ['a', 'b'], ['a', 'b']);
            $check!(layout::Goihw8g, "goihw", "g/8 o i h w g%8", ['g', 'w'], ['g', 'h']);
            $check!(Nchw3c, "nchw", "n c/3 h w c%3", ['c', 'w'], ['c']);
            $check!(BlockFirst, "nchw", "c%4 n c/4 h w", ['n', 'c', 'w'], ['n', 'c', 'h']);
            $check!(BlockBeforeTop, "nchw", "n w%4 c h w/4", ['c', 'w'], ['n', 'w']);
            $check!(NhwCn, "nchw", "n/6 h w c/4 n/3%2 c%4 n%3", ['n', 'c', 'h'], ['h', 'w']);
            $check!(SwizzledApart, "nchw", "c%2 n c/12 c/6%2 h w c/2%3", ['n', 'c', 'h', 'w'], ['c', 'w']);
            $check!(PaddedW, "nchw", "n c h w^8", ['h', 'w'], ['c', 'w']);
            $check!(Twelve, "abcdefghijkl", "b a c d e f g h i j l/2 k l%2", ['a', 'l'], ['b', 'k']);
        }
        #[cfg(all(feature = "std", not(debug_assertions)))]
        {
            use crate::layouts::*;
            use layout_core::layout;
            $check!(layout::RowMajor, "ab", "a b", ['a', 'b'], ['a', 'b']);
            $check!(layout::Nchw, "nchw", "n c h w", ['n', 'w'], ['n', 'h', 'w']);
            $check!(layout::Chwn, "nchw", "c h w n", ['n', 'c'], ['n', 'w']);
            $check!(layout::Ndhwc, "ncdhw", "n d h w c", ['c', 'd'], ['d']);
            $check!(layout::Nchw8c, "nchw", "n c/8 h w c%8", ['c'], ['c']);
            $check!(layout::OIhw8i8o, "oihw", "o/8 i/8 h w i%8 o%8", ['o', 'i', 'h'], ['i', 'w']);
            $check!(layout::OIhw16o16i, "oihw", "o/16 i/16 h w o%16 i%16", ['i'], ['o', 'h']);
            $check!(layout::OIhw4i16o4i, "oihw", "o/16 i/16 h w i/4%4 o%16 i%4", ['o', 'i'], ['w']);
            $check!(layout::Ohwi16o, "oihw", "o/16 h w i o%16", ['o', 'i'], ['o', 'i']);
            $check!(Nchw12c, "nchw", "n c/12 h w c%12", ['c'], ['c', 'w']);
            $check!(Nchw24c, "nchw", "n c/24 h w c%24", ['c'], ['c']);
            $check!(Nc4cHw, "nchw", "n c/4 c%4 h w", ['c', 'h'], ['c', 'w']);
            $check!(Swizzled, "nchw", "n c/12 h w c%4 c/4%3", ['n', 'c'], ['c', 'h']);
            $check!(Cache, "bshd", "b h s/4 d s%4", ['s', 'd'], ['b', 's', 'h']);
            $check!(Degenerate, "nchw", "n h w c/8 c%8", ['c', 'w'], ['n', 'c']);
        }
    }};
}
pub(crate) use for_layouts;
