//! Elements that lie apart: registers are filled with eight of them, one by one, and what they become is written as a row, or taken out again.
//! Called through `single`.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::super::super::super::parts::convert::Store;
use super::super::super::super::parts::loops::Apart;
use super::super::super::super::single::{Eight, Row, Strides};
use super::super::memory::{store8, store16, store32};

/// Eight elements that are moved.
pub(in super::super::super::super) struct Copies;

/// Eight elements of one type that become those of another.
pub(in super::super::super::super) struct Registers<S, D>(PhantomData<(S, D)>);

/// A register of which the compiler forgets what it was made of: else it moves the elements one by one after all.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn opaque(value: __m128i) -> __m128i {
    #[cfg(not(miri))]
    let mut value = value;
    #[cfg(not(miri))]
    // SAFETY: no instruction at all.
    unsafe {
        core::arch::asm!("/* {0} */", inout(xmm_reg) value, options(pure, nomem, nostack, preserves_flags))
    };
    value
}

/// `name: element, bytes; the instruction that puts one into a register`.
macro_rules! apart {
    ($($name:ident: $element:ty, $insert:ident;)*) => {$(
        /// Eight elements, the first and the fifth of which are at `src`, `from` apart.
        ///
        /// # Safety
        /// They can be read.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        pub(super) unsafe fn $name([first, fifth]: [*const u8; 2], from: Strides) -> __m128i {
            // SAFETY of all: the caller's promise; no alignment is needed.
            // SAFETY: see above.
            let mut value = _mm_cvtsi32_si128(unsafe { first.cast::<$element>().read_unaligned() }.into());
            macro_rules! next {
                ($place:literal, $base:ident, $i:literal) => {
                    // SAFETY: see above.
                    let element = unsafe { from.of_const($base, $i).cast::<$element>().read_unaligned() };
                    value = $insert::<$place>(value, element.into());
                };
            }
            next!(1, first, 1);
            next!(2, first, 2);
            next!(3, first, 3);
            next!(4, fifth, 0);
            next!(5, fifth, 1);
            next!(6, fifth, 2);
            next!(7, fifth, 3);
            opaque(value)
        }
    )*};
}
apart! {
    apart8: u8, _mm_insert_epi8;
    apart16: u16, _mm_insert_epi16;
}

/// Eight elements of 32 bits, the first and the fifth of which are at `src`, `from` apart.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn apart32([first, fifth]: [*const u8; 2], from: Strides) -> __m256i {
    // SAFETY: the caller's promise.
    let low = unsafe { four32(first, from) };
    // SAFETY: as above.
    let high = unsafe { four32(fifth, from) };
    _mm256_set_m128i(high, low)
}

/// Four of them.
///
/// # Safety
/// As there.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn four32(first: *const u8, from: Strides) -> __m128i {
    // SAFETY of all: the caller's promise; no alignment is needed.
    // SAFETY: see above.
    let mut value = _mm_cvtsi32_si128(unsafe { first.cast::<i32>().read_unaligned() });
    // SAFETY: see above.
    value = _mm_insert_epi32::<1>(value, unsafe { from.of_const(first, 1).cast::<i32>().read_unaligned() });
    // SAFETY: see above.
    value = _mm_insert_epi32::<2>(value, unsafe { from.of_const(first, 2).cast::<i32>().read_unaligned() });
    // SAFETY: see above.
    value = _mm_insert_epi32::<3>(value, unsafe { from.of_const(first, 3).cast::<i32>().read_unaligned() });
    opaque(value)
}

macro_rules! copies {
    ($($element:ty: $load:ident $store:ident;)*) => {$(
        impl Row<$element, $element> for Copies {
            #[inline]
            #[target_feature(enable = "avx2,f16c")]
            unsafe fn row(src: [*const u8; 2], from: Strides, dst: *mut u8) {
                // SAFETY: the caller's promise.
                let value = unsafe { $load(src, from) };
                // SAFETY: as above.
                unsafe { $store(dst, value) }
            }
        }
    )*};
}
copies! {
    u8: apart8 store8;
    u16: apart16 store16;
    u32: apart32 store32;
}

impl<S, D, SL: Apart<__m256>, DL: Store<__m256>> Row<S, D> for Registers<SL, DL> {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn row(src: [*const u8; 2], from: Strides, dst: *mut u8) {
        // SAFETY: the caller's promise.
        let value = unsafe { SL::load_apart(src, from) };
        // SAFETY: as above.
        unsafe { DL::store(dst, value) }
    }
}

impl<S, D, SL: Apart<__m256>, DL: Store<__m256>> Eight<S, D> for Registers<SL, DL> {
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn spread(src: [*const u8; 2], from: Strides, dst: [*mut u8; 2], to: Strides) {
        const { assert!(size_of::<S>() == size_of::<SL>()) };
        const { assert!(size_of::<D>() == size_of::<DL>() && size_of::<D>() <= 4) };
        // SAFETY: the caller's promise.
        let value = unsafe { SL::load_apart(src, from) };
        let mut row = [0; 32];
        // SAFETY: as above; eight elements of 4 bytes at most.
        unsafe { DL::store(row.as_mut_ptr(), value) };
        for i in 0..8 {
            let at = row.as_ptr().wrapping_add(i * size_of::<D>());
            // SAFETY: as above; `D` is `Copy` for all that are moved so.
            let element = unsafe { at.cast::<D>().read_unaligned() };
            // SAFETY: as above.
            unsafe { to.of_mut(dst[i / 4], i % 4).cast::<D>().write_unaligned(element) };
        }
    }
}
