//! How eight elements are moved that lie apart, and where they lie.

use core::hint::black_box;

use super::super::convert::{Convert, Number};
use super::super::generic::opaque;

/// Elements whose addresses are computed together, and those that are moved at a time.
pub(super) const MANY: usize = 4;
pub(super) const EIGHT: usize = 2 * MANY;

/// What an element becomes.
pub(super) trait Becomes<S, D> {
    fn of(value: S) -> D;
}

/// The element itself.
pub(super) struct Same;

impl<T> Becomes<T, T> for Same {
    #[inline(always)]
    fn of(value: T) -> T {
        value
    }
}

/// Its number in another type.
pub(super) struct Numbers;

impl<S: Number + Convert<D>, D: Number> Becomes<S, D> for Numbers {
    #[inline(always)]
    fn of(value: S) -> D {
        value.convert()
    }
}

/// How eight elements are moved that are `from` apart, from two addresses, those of the first and of the fifth, to places that follow one
/// another.
pub(in super::super) trait Row<S, D> {
    /// Moves them.
    ///
    /// # Safety
    /// They can be read, and written, and do not overlap; the processor has the instructions.
    unsafe fn row(src: [*const u8; 2], from: Strides, dst: *mut u8);
}

/// The same to places that lie apart, too.
pub(in super::super) trait Eight<S, D>: Row<S, D> {
    /// Moves them to places that are `to` apart, from two addresses as well.
    ///
    /// # Safety
    /// As of a row.
    unsafe fn spread(src: [*const u8; 2], from: Strides, dst: [*mut u8; 2], to: Strides);
}

/// One after the other.
pub(super) struct OneByOne<B>(B);

/// Rows in `W`'s way, others one after the other: an instruction makes what becomes of an element, as fast as one takes it out of a register.
#[cfg(target_arch = "x86_64")]
pub(super) struct Rows<W, B>(W, B);

#[cfg(target_arch = "x86_64")]
impl<S, D, B, W: Row<S, D>> Row<S, D> for Rows<W, B> {
    #[inline(always)]
    unsafe fn row(src: [*const u8; 2], from: Strides, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { W::row(src, from, dst) }
    }
}

#[cfg(target_arch = "x86_64")]
impl<S: Copy, D: Copy, B: Becomes<S, D>, W: Row<S, D>> Eight<S, D> for Rows<W, B> {
    #[inline(always)]
    unsafe fn spread(src: [*const u8; 2], from: Strides, dst: [*mut u8; 2], to: Strides) {
        // SAFETY: the caller's promise.
        unsafe { OneByOne::<B>::spread(src, from, dst, to) }
    }
}

impl<S: Copy, D: Copy, B: Becomes<S, D>> Row<S, D> for OneByOne<B> {
    #[inline(always)]
    unsafe fn row([first, second]: [*const u8; 2], from: Strides, dst: *mut u8) {
        // SAFETY: the caller's promise.
        let first = unsafe { read::<S, D, B>(first, from) };
        // SAFETY: as above.
        let second = unsafe { read::<S, D, B>(second, from) };
        // SAFETY: as above; no alignment is needed.
        unsafe { dst.cast::<[[D; MANY]; 2]>().write_unaligned([first, second]) };
    }
}

impl<S: Copy, D: Copy, B: Becomes<S, D>> Eight<S, D> for OneByOne<B> {
    #[inline(always)]
    unsafe fn spread(src: [*const u8; 2], from: Strides, dst: [*mut u8; 2], to: Strides) {
        for (src, dst) in src.into_iter().zip(dst) {
            // SAFETY: the caller's promise.
            let values = unsafe { read::<S, D, B>(src, from) };
            for (i, value) in values.into_iter().enumerate() {
                // SAFETY: as above; no alignment is needed.
                unsafe { to.of_mut(dst, i).cast::<D>().write_unaligned(value) };
            }
        }
    }
}

/// Multiples of a stride, of which the compiler does not know that they are, where the processor has no addresses for them.
#[derive(Clone, Copy)]
pub(in super::super) struct Strides {
    pub(super) one: isize,
    three: isize,
}

impl Strides {
    #[inline(always)]
    pub(super) fn of(stride: isize) -> Strides {
        Strides { one: stride, three: black_box(stride.wrapping_mul(3)) }
    }

    /// The address of element `i` of the first four.
    #[inline(always)]
    pub(in super::super) fn of_const(self, first: *const u8, i: usize) -> *const u8 {
        first.wrapping_offset(if i == 3 { self.three } else { self.one.wrapping_mul(i as isize) })
    }

    /// The same, to be written.
    #[inline(always)]
    pub(in super::super) fn of_mut(self, first: *mut u8, i: usize) -> *mut u8 {
        self.of_const(first, i).cast_mut()
    }

    /// The address of the fifth element: as if it had nothing to do with the first, of which the compiler would keep one for each else.
    #[inline(always)]
    pub(super) fn fifth(self, first: *const u8) -> *const u8 {
        opaque(first.wrapping_offset(self.one.wrapping_mul(MANY as isize)).cast_mut()).cast_const()
    }
}

/// Reads elements that lie apart, and what they become.
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn read<S: Copy, D: Copy, B: Becomes<S, D>>(src: *const u8, from: Strides) -> [D; MANY] {
    // SAFETY of all: the caller's promise; no alignment is needed, and any bytes are an element.
    // SAFETY: see above.
    let a = unsafe { src.cast::<S>().read_unaligned() };
    // SAFETY: see above.
    let b = unsafe { from.of_const(src, 1).cast::<S>().read_unaligned() };
    // SAFETY: see above.
    let c = unsafe { from.of_const(src, 2).cast::<S>().read_unaligned() };
    // SAFETY: see above.
    let d = unsafe { from.of_const(src, 3).cast::<S>().read_unaligned() };
    [B::of(a), B::of(b), B::of(c), B::of(d)]
}
