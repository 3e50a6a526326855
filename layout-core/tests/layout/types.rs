//! What must hold of the types: no size, the same type wherever written, consts as documented, sharing between threads.

use layout_core::layout::*;
use static_assertions::{assert_eq_size, assert_impl_all, assert_type_eq_all, const_assert_eq};

assert_eq_size!(Nchw, ());
assert_eq_size!(OIhw4i16o4i, ());
assert_impl_all!(Nchw16c: Send, Sync, Unpin, Copy, Default, Eq, core::hash::Hash, core::fmt::Debug);
assert_eq_size!(Mapping<Nchw>, [usize; 4]);

assert_type_eq_all!(<Nchw16c as Layout>::Block<f32>, [f32; 16]);
assert_type_eq_all!(<OIhw16i16o as Layout>::Block<f32>, [[f32; 16]; 16]);
assert_type_eq_all!(<OIhw4i16o4i as Layout>::Block<i8>, [[[i8; 4]; 16]; 4]);
assert_type_eq_all!(<Nhwc as Layout>::Block<u8>, u8);
// A block outside an outer letter is not part of the dense inner block.
type BlockOutside = Format<(Dim<'c'>, Block<'c', 4>, Dim<'n'>, Block<'c', 2>), (Dim<'n'>, Dim<'c'>)>;
assert_type_eq_all!(<BlockOutside as Layout>::Block<u8>, [u8; 2]);

const_assert_eq!(Nchw16c::BLOCK_LEN, 16);
const_assert_eq!(OIhw4i16o4i::BLOCK_LEN, 256);
const_assert_eq!(Nhwc::BLOCK_LEN, 1);

#[test]
fn consts_describe_the_layout() {
    assert_eq!(OIhw4i16o4i::RANK, 4);
    assert_eq!(OIhw4i16o4i::AXES, ['o', 'i', 'h', 'w']);
    assert_eq!(OIhw4i16o4i::INNER_BLOCKS, [(1, 4), (0, 16), (1, 4)]);
    assert_eq!(OIhw4i16o4i::PADDING, [16, 16, 1, 1]);
    assert_eq!(Nhwc::OUTER_ORDER, [0, 2, 3, 1]);
    assert_eq!(Scalar::RANK, 0);
    assert_eq!(Scalar::required_len([]), Ok(1));
}

#[test]
fn the_value_is_written_like_the_type() {
    let layout = Format::<(Dim<'b'>, Dim<'a'>), (Dim<'a'>, Dim<'b'>)>;
    let same: ColumnMajor = layout;
    assert_eq!(same, ColumnMajor::default());
}

/// Twelve axes and 62 blocks: the longest list that a valid format can have.
#[test]
fn the_longest_list_is_a_layout() {
    macro_rules! twelve_and_blocks {
        (@ $block:tt) => {
            Block<'a', 2>
        };
        ($($block:tt)*) => {
            Format<
                (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>, Dim<'e'>, Dim<'f'>, Dim<'g'>, Dim<'h'>, Dim<'i'>, Dim<'j'>, Dim<'k'>, Dim<'l'>,
                 $(twelve_and_blocks!(@ $block),)*),
                (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>, Dim<'e'>, Dim<'f'>, Dim<'g'>, Dim<'h'>, Dim<'i'>, Dim<'j'>, Dim<'k'>, Dim<'l'>)>
        };
    }
    macro_rules! sixty_two {
        ($macro:ident) => {
            $macro!(0 0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0 0  0 0)
        };
    }
    // A macro in type position must expand to the whole type.
    type Longest = sixty_two!(twelve_and_blocks);
    assert_eq!(Longest::SPEC.len(), 74);
    assert_eq!(Longest::PADDING[0], 1 << 62);
    assert_eq!(Longest::required_len([0; 12]), Ok(0));
}
