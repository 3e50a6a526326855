//! The crate whose machine code `tests/codegen.rs` reads; it is compiled there, never run. Each `typed_…` function stands
//! beside a `hand_…` one: the same offset as a careful engineer writes it for that layout alone, in Horner form.

#[cfg(target_arch = "x86_64")]
pub mod blocks;
#[cfg(target_arch = "x86_64")]
pub mod kernels;
#[cfg(target_arch = "x86_64")]
pub mod pairs;

use layout_core::layout::{At, Block, Dim, Format, Layout, Mapping, Nchw, Nchw16c, OIhw4i16o4i};
use layout_core::shape::Fixed;
use layout_core::view::{StridedViewMut, TensorView, TensorViewMut};

type Nchw12c = Format<
    (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>, Block<'c', 12>),
    (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>),
>;

type Index = [usize; 4];
type Static = (Fixed<2>, Fixed<67>, Fixed<56>, Fixed<57>);
type Mixed = (usize, Fixed<67>, Fixed<56>, usize);

#[unsafe(no_mangle)]
pub fn typed_plain(map: &Mapping<Nchw>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_plain(dims: &Index, i: Index) -> usize {
    ((i[0] * dims[1] + i[1]) * dims[2] + i[2]) * dims[3] + i[3]
}

#[unsafe(no_mangle)]
pub fn typed_blocked(map: &Mapping<Nchw16c>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_blocked(dims: &Index, i: Index) -> usize {
    let blocks = (dims[1] + 15) / 16;
    (((i[0] * blocks + i[1] / 16) * dims[2] + i[2]) * dims[3] + i[3]) * 16 + i[1] % 16
}

#[unsafe(no_mangle)]
pub fn typed_double_blocked(map: &Mapping<OIhw4i16o4i>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_double_blocked(dims: &Index, i: Index) -> usize {
    let blocks = (dims[1] + 15) / 16;
    let outer = ((i[0] / 16 * blocks + i[1] / 16) * dims[2] + i[2]) * dims[3] + i[3];
    outer * 256 + i[1] / 4 % 4 * 64 + i[0] % 16 * 4 + i[1] % 4
}

#[unsafe(no_mangle)]
pub fn typed_block_of_12(map: &Mapping<Nchw12c>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_block_of_12(dims: &Index, i: Index) -> usize {
    let blocks = (dims[1] + 11) / 12;
    (((i[0] * blocks + i[1] / 12) * dims[2] + i[2]) * dims[3] + i[3]) * 12 + i[1] % 12
}

#[unsafe(no_mangle)]
pub fn typed_plain_static(map: &Mapping<Nchw, Static>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_plain_static(_: &(), i: Index) -> usize {
    ((i[0] * 67 + i[1]) * 56 + i[2]) * 57 + i[3]
}

#[unsafe(no_mangle)]
pub fn typed_blocked_static(map: &Mapping<Nchw16c, Static>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_blocked_static(_: &(), i: Index) -> usize {
    (((i[0] * 5 + i[1] / 16) * 56 + i[2]) * 57 + i[3]) * 16 + i[1] % 16
}

#[unsafe(no_mangle)]
pub fn typed_double_blocked_static(map: &Mapping<OIhw4i16o4i, Static>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_double_blocked_static(_: &(), i: Index) -> usize {
    let outer = ((i[0] / 16 * 5 + i[1] / 16) * 56 + i[2]) * 57 + i[3];
    outer * 256 + i[1] / 4 % 4 * 64 + i[0] % 16 * 4 + i[1] % 4
}

#[unsafe(no_mangle)]
pub fn typed_block_of_12_static(map: &Mapping<Nchw12c, Static>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_block_of_12_static(_: &(), i: Index) -> usize {
    (((i[0] * 6 + i[1] / 12) * 56 + i[2]) * 57 + i[3]) * 12 + i[1] % 12
}

#[unsafe(no_mangle)]
pub fn typed_blocked_mixed(map: &Mapping<Nchw16c, Mixed>, i: Index) -> usize {
    map.offset_unchecked(i)
}
#[unsafe(no_mangle)]
pub fn hand_blocked_mixed(dims: &[usize; 2], i: Index) -> usize {
    (((i[0] * 5 + i[1] / 16) * 56 + i[2]) * dims[1] + i[3]) * 16 + i[1] % 16
}

/// A view is a pointer and the extents.
#[unsafe(no_mangle)]
pub unsafe fn typed_element(view: &TensorView<'_, f32, Nchw16c>, i: Index) -> f32 {
    // SAFETY: never run; the caller's promise.
    unsafe { *view.get_unchecked(i) }
}
#[unsafe(no_mangle)]
pub unsafe fn hand_element((pointer, dims): &(*const f32, Index), i: Index) -> f32 {
    let blocks = (dims[1] + 15) / 16;
    let offset = (((i[0] * blocks + i[1] / 16) * dims[2] + i[2]) * dims[3] + i[3]) * 16 + i[1] % 16;
    // SAFETY: never run; the caller's promise.
    unsafe { *pointer.add(offset) }
}

/// Names in another order than the logical one, which costs nothing.
///
/// # Safety
/// The index lies within the extents.
#[unsafe(no_mangle)]
pub unsafe fn typed_element_by_names(view: &TensorView<'_, f32, Nchw16c>, i: Index) -> f32 {
    let index = (At::<'w'>(i[3]), At::<'c'>(i[1]), At::<'n'>(i[0]), At::<'h'>(i[2]));
    // SAFETY: never run; the caller's promise.
    unsafe { *view.at_unchecked(index) }
}
/// # Safety
/// As for the other.
#[unsafe(no_mangle)]
pub unsafe fn hand_element_by_names((pointer, dims): &(*const f32, Index), i: Index) -> f32 {
    let blocks = (dims[1] + 15) / 16;
    let offset = (((i[0] * blocks + i[1] / 16) * dims[2] + i[2]) * dims[3] + i[3]) * 16 + i[1] % 16;
    // SAFETY: never run; the caller's promise.
    unsafe { *pointer.add(offset) }
}

/// The inner block of a layout is an array, and a loop over an array is vectors.
#[unsafe(no_mangle)]
pub fn block_of_array(block: &mut <Nchw16c as Layout>::Block<f32>) {
    for x in block {
        *x = x.max(0.0);
    }
}

#[unsafe(no_mangle)]
pub fn block_of_view(view: &mut TensorViewMut<'_, f32, Nchw16c>) {
    for block in view.blocks_mut() {
        for x in block {
            *x = x.max(0.0);
        }
    }
}

#[unsafe(no_mangle)]
pub fn block_of_strided_view(view: &mut StridedViewMut<'_, f32, Nchw16c>) {
    for block in view.blocks_mut() {
        for x in block {
            *x = x.max(0.0);
        }
    }
}

#[unsafe(no_mangle)]
pub fn block_with_index(view: &mut TensorViewMut<'_, f32, Nchw16c>) {
    for ([_, _, y, _], block) in view.indexed_blocks_mut() {
        for x in block {
            *x = x.max(y as f32);
        }
    }
}

/// What the reader of the machine code must find in a function that is not straight: a division, a loop, a call.
#[unsafe(no_mangle)]
pub fn sample_not_straight(values: &[u64], by: u64) -> u64 {
    values.iter().fold(1, |sum, value| sum / by ^ value)
}
#[unsafe(no_mangle)]
pub fn sample_scalar_loop(values: &mut [f32], gain: &core::cell::Cell<f32>) {
    for x in values {
        gain.set(x.max(gain.get()));
    }
}
