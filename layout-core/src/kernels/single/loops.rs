//! Three loops of elements that lie apart.

use super::super::drive::LINE;
use super::super::generic::{opaque, step, step_mut};
use super::super::tile::Step;
use super::SPAN;
use super::eight::{Becomes, EIGHT, Eight, Strides};

/// Moves the elements of three loops, all of which run, along the first one: so many at a time that the others find their lines in the
/// first-level cache.
///
/// # Safety
/// They can be read, and written, and do not overlap.
#[inline(always)]
pub(super) unsafe fn data<S: Copy, D: Copy, B: Becomes<S, D>, W: Eight<S, D>>(
    src: *const u8,
    dst: *mut u8,
    [inner, middle, outer]: [Step; 3],
) {
    let (from, to) = (Strides::of(inner.src), Strides::of(inner.dst));
    let follow = inner.dst == size_of::<D>() as isize;
    let near = near_lines(inner.src).min(near_lines(inner.dst)).max(EIGHT);
    let most = if middle.len > 1 { near } else { inner.len };
    let mut at = 0;
    while at < inner.len {
        let len = most.min(inner.len - at);
        let (src, dst) = (step(src, at, inner.src), step_mut(dst, at, inner.dst));
        for o in 0..outer.len {
            let (mut src, mut dst) = (step(src, o, outer.src), step_mut(dst, o, outer.dst));
            for _ in 0..middle.len {
                if len < EIGHT {
                    // SAFETY: the caller's promise.
                    unsafe { few::<S, D, B>(src, dst, len, [from.one, to.one]) };
                } else if follow {
                    // SAFETY: as above; the elements follow one another in the destination.
                    unsafe { row::<S, D, W>(src, dst, len, from) };
                } else {
                    // SAFETY: as above.
                    unsafe { spread::<S, D, W>(src, dst, len, [from, to]) };
                }
                src = opaque(src.wrapping_offset(middle.src).cast_mut()).cast_const();
                dst = opaque(dst.wrapping_offset(middle.dst));
            }
        }
        at += len;
    }
}

/// How many elements that lie `stride` bytes apart have their lines in half of a first-level cache of eight ways and 32 KB.
#[inline(always)]
fn near_lines(stride: isize) -> usize {
    const PAGE: usize = 4096;
    let stride = stride.unsigned_abs();
    if stride < LINE {
        return SPAN / stride.max(1);
    }
    // Strides that have a large power of two as a factor come back to the same few sets.
    let factor = 1 << stride.trailing_zeros().min(PAGE.trailing_zeros());
    4 * PAGE / LINE.max(factor)
}

/// Moves `len` elements, eight or more, to places that follow one another; the last eight may overlap those before.
///
/// # Safety
/// They can be read, and written, and do not overlap; the processor has the instructions.
#[inline(always)]
unsafe fn row<S, D, W: Eight<S, D>>(mut src: *const u8, mut dst: *mut u8, len: usize, from: Strides) {
    let mut left = len;
    loop {
        let fifth = from.fifth(src);
        // SAFETY: the caller's promise; so many are left.
        unsafe { W::row([src, fifth], from, dst) };
        left -= EIGHT;
        if left < EIGHT {
            if left == 0 {
                return;
            }
            // Back to where eight are left.
            src = step(src, left, from.one);
            dst = step_mut(dst, left, size_of::<D>() as isize);
            left = EIGHT;
        } else {
            src = from.fifth(fifth);
            dst = opaque(dst.wrapping_add(EIGHT * size_of::<D>()));
        }
    }
}

/// Moves `len` elements, eight or more, to places that lie apart; the last eight may overlap those before.
///
/// # Safety
/// They can be read, and written, and do not overlap; the processor has the instructions.
#[inline(always)]
unsafe fn spread<S, D, W: Eight<S, D>>(
    mut src: *const u8,
    mut dst: *mut u8,
    len: usize,
    [from, to]: [Strides; 2],
) {
    let mut left = len;
    loop {
        let fifths = (from.fifth(src), to.fifth(dst).cast_mut());
        // SAFETY: the caller's promise; so many are left.
        unsafe { W::spread([src, fifths.0], from, [dst, fifths.1], to) };
        left -= EIGHT;
        if left < EIGHT {
            if left == 0 {
                return;
            }
            (src, dst) = (step(src, left, from.one), step_mut(dst, left, to.one));
            left = EIGHT;
        } else {
            (src, dst) = (from.fifth(fifths.0), to.fifth(fifths.1).cast_mut());
        }
    }
}

/// Moves fewer elements, one at a time.
///
/// # Safety
/// They can be read, and written, and do not overlap.
#[inline(always)]
unsafe fn few<S: Copy, D: Copy, B: Becomes<S, D>>(
    mut src: *const u8,
    mut dst: *mut u8,
    len: usize,
    [from, to]: [isize; 2],
) {
    let mut left = len;
    while left > 0 {
        // SAFETY: the caller's promise; no alignment is needed, and any bytes are an element.
        let value = unsafe { src.cast::<S>().read_unaligned() };
        // SAFETY: the caller's promise.
        unsafe { dst.cast::<D>().write_unaligned(B::of(value)) };
        (src, dst) = (src.wrapping_offset(from), dst.wrapping_offset(to));
        left -= 1;
    }
}
