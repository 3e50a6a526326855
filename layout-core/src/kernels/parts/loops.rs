//! The types that a family converts between: how they are loaded and stored, and which pairs have a loop. Written once for
//! all families; `convert` has the loops. And the rows that these go through.

use super::super::convert::{Bf16, Boolean, E8M0, F4E2M1, F4E3M0, F8E4M3, F8E5M2, F16};
use super::super::drive::{LINE, Rows};
use super::super::epilogue::{Affine, NONE};
use super::super::generic::{step, step_mut, zero_run};
#[cfg(target_arch = "x86_64")]
use super::super::single::Strides;
use super::{CLAIMED, prefetch_write};

/// A bf16 on the way to a type that says itself what becomes of a NaN, quiet or not.
pub(in super::super) type AnyBf16 = [Bf16; 1];

/// An f64 and an s32 on the way to a type that tells less than an f32 does: rounded to odd between them, so that the result is
/// rounded once.
#[cfg(target_arch = "x86_64")]
mod odd {
    pub(in super::super::super) type OddF64 = [f64; 1];
    pub(in super::super::super) type OddS32 = [i32; 1];
}
#[cfg(target_arch = "x86_64")]
pub(in super::super) use odd::{OddF64, OddS32};

/// What decides which loops are made: what has none of its own is done by one that does more.
pub(in super::super) trait Kind {
    /// Whether the numbers often have a zero point, which is subtracted before or added after they are multiplied.
    const SHIFTED: bool;
    /// Whether they are converted often enough to have loops for more than long rows with a factor or none.
    const FREQUENT: bool;
}
macro_rules! kinds {
    ($(shifted: $shifted:literal, frequent: $frequent:literal, $($ty:ty)*;)*) => {$($(
        impl Kind for $ty {
            const SHIFTED: bool = $shifted;
            const FREQUENT: bool = $frequent;
        }
    )*)*};
}
kinds! {
    shifted: true, frequent: true, i8 u8;
    shifted: false, frequent: true, i32 f32 F16 Bf16 AnyBf16 F8E5M2 F8E4M3;
    shifted: false, frequent: false, f64 E8M0 F4E2M1 F4E3M0 Boolean;
}
#[cfg(target_arch = "x86_64")]
kinds! { shifted: false, frequent: false, OddF64 OddS32; }
#[cfg(target_arch = "x86_64")]
kinds! { shifted: false, frequent: true, Integer<i32> Integer<i8> Integer<u8>; }

/// Integers that become others, without f32 between them: a type of its own, as wide.
#[cfg(target_arch = "x86_64")]
pub(in super::super) type Integer<T> = core::num::Wrapping<T>;

/// Which elements of a row of `len` at `dst`, of `bytes` bytes each, make up whole lines: from where to where. None where
/// they are too few, or lie across lines.
#[inline]
pub(in super::super) fn lines(dst: *const u8, len: usize, bytes: usize) -> (usize, usize) {
    /// Lines that are worth it.
    const LEAST: usize = 4;
    let head = dst.addr().wrapping_neg() % LINE;
    let (first, side) = (head / bytes, LINE / bytes);
    if !head.is_multiple_of(bytes) || len < first + LEAST * side {
        return (0, 0);
    }
    (first, len - (len - first) % side)
}

/// Sets `len` bytes at `dst` to zero: the padding of a row, which most have not.
///
/// # Safety
/// They can be written.
#[cold]
pub(in super::super) unsafe fn zero(dst: *mut u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { zero_run(dst, len) }
}

/// Where a row begins, and the parameters of its elements.
pub(in super::super) struct Row {
    pub(in super::super) src: *const u8,
    pub(in super::super) dst: *mut u8,
    pub(in super::super) map: Affine,
    claims: bool,
}

impl Row {
    /// Row `y` of `job`.
    #[inline(always)]
    pub(in super::super) fn new<const STEPS: u8>(job: &Rows, map: &Affine, y: usize) -> Row {
        Row {
            src: step(job.src, y, job.src_y),
            dst: step_mut(job.dst, y, job.dst_y),
            map: if STEPS == NONE { *map } else { map.skip(0, y) },
            claims: job.claims,
        }
    }

    /// [`claim`] of the `len` bytes at `at`, where lines are claimed.
    #[inline(always)]
    pub(in super::super) fn claim(&self, at: usize, len: usize) {
        if self.claims {
            claim(self.dst.wrapping_add(at), len);
        }
    }
}

/// Asks for the lines that lie [`CLAIMED`] lines behind the `len` bytes at `dst`.
#[inline(always)]
pub(in super::super) fn claim(dst: *mut u8, len: usize) {
    for line in 0..len.div_ceil(LINE) {
        prefetch_write(dst.wrapping_add((CLAIMED + line) * LINE));
    }
}

/// Asks for the row that lies [`CLAIMED`] rows, `apart` bytes each, behind the one at `dst`.
#[inline(always)]
pub(in super::super) fn claim_row(dst: *mut u8, apart: isize) {
    prefetch_write(step_mut(dst, CLAIMED, apart));
}

/// Elements in memory that become a register `V` of as many f32.
pub(in super::super) trait Load<V>: Kind + Sized {
    /// Reads as many elements as the register has.
    ///
    /// # Safety
    /// They can be read at `src`; the processor has the family's instructions.
    unsafe fn load(src: *const u8) -> V;

    /// Reads `len` elements, at most as many as the register has; the other values are those of zero bytes: zero, but for an e8m0,
    /// whose rows have no padding.
    ///
    /// # Safety
    /// They can be read at `src`; the processor has the family's instructions.
    unsafe fn load_first(src: *const u8, len: usize) -> V;
}

/// Elements that lie apart in memory and become a register `V` of as many f32.
#[cfg(target_arch = "x86_64")]
pub(in super::super) trait Apart<V>: Load<V> {
    /// Reads eight elements that are `from` apart, the first and the fifth of which are at `src`.
    ///
    /// # Safety
    /// They can be read; the processor has the family's instructions.
    unsafe fn load_apart(src: [*const u8; 2], from: Strides) -> V;
}

/// Elements in memory that a register `V` of as many f32 becomes.
pub(in super::super) trait Store<V>: Kind + Sized {
    /// Writes as many elements as the register has.
    ///
    /// # Safety
    /// They can be written at `dst`; the processor has the family's instructions.
    unsafe fn store(dst: *mut u8, value: V);

    /// The elements of four registers, one behind the other.
    ///
    /// # Safety
    /// They can be written at `dst`; the processor has the family's instructions.
    unsafe fn store_four(dst: *mut u8, values: [V; 4]);

    /// The elements of one register, past the caches.
    ///
    /// # Safety
    /// They can be written at `dst`, which is a multiple of the bytes of all; the processor has the family's instructions.
    unsafe fn stream(dst: *mut u8, value: V);

    /// Writes the first `len` elements, at most as many as the register has.
    ///
    /// # Safety
    /// They can be written at `dst`; the processor has the family's instructions.
    unsafe fn store_first(dst: *mut u8, value: V, len: usize);
}

/// Defines `loop_between` by `format: type` for every type with a loader and a storer: its loops are those from and to f32 and
/// between 8 and 16 bits, with parameters where integers are widened or quantised. `small`: the types of 8 bits that only
/// widen and round. `odd`: types that an f32 does not hold, by what rounds them to odd, and those that they are rounded to behind
/// that; the other pairs of such types have the portable loop. `$unless`: of which pairs the family has none where it runs now.
macro_rules! loops {
    (
        $($format:ident: $number:ty),*; $(small $($small:ident: $small_number:ty),*;)?
        $(odd $wide:ident: $odd:ty => $($narrow:ident: $narrow_number:ty),*;)*
        $(unless |$src:ident, $dst:ident| $unless:expr)?
    ) => {
        /// The loop from `src` to `dst`, where there is one; with parameters, if it is to have them.
        #[inline]
        pub(super) const fn loop_between(src: Format, dst: Format, scaled: bool) -> Option<ConvertRows> {
            $(
                let ($src, $dst) = (src, dst);
                if $unless {
                    return None;
                }
            )?
            Some(match (src, dst) {
                (Format::F32, Format::F32) => convert::<f32, f32>,
                $(
                    (Format::F32, Format::$format) => convert::<f32, $number>,
                    (Format::$format, Format::F32) => convert::<$number, f32>,
                )*
                (Format::U8, Format::F16) => convert::<u8, F16>,
                (Format::U8, Format::Bf16) => convert::<u8, Bf16>,
                (Format::S8, Format::F16) => convert::<i8, F16>,
                (Format::S8, Format::Bf16) => convert::<i8, Bf16>,
                (Format::F16, Format::U8) => convert::<F16, u8>,
                (Format::Bf16, Format::U8) => convert::<AnyBf16, u8>,
                (Format::F16, Format::S8) => convert::<F16, i8>,
                (Format::Bf16, Format::S8) => convert::<AnyBf16, i8>,
                _ if scaled => return None,
                (Format::F16, Format::Bf16) => plain::<F16, Bf16>,
                (Format::Bf16, Format::F16) => plain::<AnyBf16, F16>,
                (Format::U8, Format::S8) => saturate::<true>,
                (Format::S8, Format::U8) => saturate::<false>,
                (Format::S8 | Format::U8, Format::Boolean) => booleans::<0xFF>,
                (Format::F8E5M2 | Format::F8E4M3, Format::Boolean) => booleans::<0x7F>,
                $($(
                    (Format::F16, Format::$small) => plain::<F16, $small_number>,
                    (Format::Bf16, Format::$small) => plain::<AnyBf16, $small_number>,
                    (Format::$small, Format::F16) => plain::<$small_number, F16>,
                    (Format::$small, Format::Bf16) => plain::<$small_number, Bf16>,
                )*)?
                $($((Format::$wide, Format::$narrow) => plain::<$odd, $narrow_number>,)*)*
                (Format::F64, Format::S32) => numbers::<f64, i32>,
                (Format::S32, Format::F64) => numbers::<i32, f64>,
                (Format::F64, Format::E8M0) => numbers::<f64, E8M0>,
                _ => return None,
            })
        }
    };
}
pub(in super::super) use loops;

/// `type, bits in memory => register by load of this width; the function that reads such bits that lie apart, if there is one`.
macro_rules! loads {
    (
        $features:literal, $value:ty;
        $($ty:ty: $load:ident $load_first:ident, |$bits:ident| $widened:expr $(, $load_apart:ident)?;)*
    ) => {$(
        $(
            impl $crate::kernels::parts::loops::Apart<$value> for $ty {
                #[inline]
                #[target_feature(enable = $features)]
                unsafe fn load_apart(src: [*const u8; 2], from: $crate::kernels::single::Strides) -> $value {
                    // SAFETY: the caller's promise.
                    let $bits = unsafe { $load_apart(src, from) };
                    $widened
                }
            }
        )?
        impl Load<$value> for $ty {
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn load(src: *const u8) -> $value {
                // SAFETY: the caller's promise.
                let $bits = unsafe { $load(src) };
                $widened
            }

            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn load_first(src: *const u8, len: usize) -> $value {
                // SAFETY: the caller's promise.
                let $bits = unsafe { $load_first(src, len) };
                $widened
            }
        }
    )*};
}
pub(in super::super) use loads;

/// `type, by store of this width => bits in memory; the function that stores four registers, if there is one`.
macro_rules! stores {
    (@four $four:ident, $ty:ty, $dst:ident, $values:ident) => {
        // SAFETY: the caller's promise.
        unsafe { $four($dst, $values) }
    };
    (@four $ty:ty, $dst:ident, $values:ident) => {
        for (i, value) in $values.into_iter().enumerate() {
            let bytes = size_of_val(&value) / size_of::<f32>() * size_of::<$ty>();
            // SAFETY: the caller's promise.
            unsafe { <$ty as Store<_>>::store($dst.wrapping_add(i * bytes), value) };
        }
    };
    (
        $features:literal, $value:ty;
        $($ty:ty: $store:ident $stream:ident $store_first:ident, |$from:ident| $bits:expr $(, $four:ident)?;)*
    ) => {$(
        impl Store<$value> for $ty {
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn store(dst: *mut u8, $from: $value) {
                // SAFETY: the caller's promise.
                unsafe { $store(dst, $bits) }
            }

            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn store_four(dst: *mut u8, values: [$value; 4]) {
                stores!(@four $($four,)? $ty, dst, values)
            }

            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn stream(dst: *mut u8, $from: $value) {
                // SAFETY: the caller's promise.
                unsafe { $stream(dst.cast(), $bits) }
            }

            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn store_first(dst: *mut u8, $from: $value, len: usize) {
                // SAFETY: the caller's promise.
                unsafe { $store_first(dst, $bits, len) }
            }
        }
    )*};
}
pub(in super::super) use stores;
