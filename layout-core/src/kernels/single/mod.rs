//! Kernels that move or convert elements that lie apart: tiles of a few elements are sooner done so than turned in registers. The same loops
//! on every processor, compiled again for AVX2, where a register is filled element by element. Called through `reorder` for plans that ask
//! for it.
//!
//! `eight` says how eight elements are moved at a time, `loops` goes over three loops of them.

mod eight;
mod loops;

use super::convert::{Bf16, F16, Format};
#[cfg(target_arch = "x86_64")]
use super::cpu::Token;
use super::generic::{step, step_mut, zero_run};
#[cfg(target_arch = "x86_64")]
use super::parts::loops::{AnyBf16, Integer, OddS32};
use super::tile::{Kernel, Step, Tile};
#[cfg(target_arch = "x86_64")]
use super::x86_64::avx2::{Copies, Registers};
pub(super) use eight::Eight;
#[cfg(target_arch = "x86_64")]
use eight::Rows;
use eight::{Becomes, Numbers, OneByOne, Same};
#[cfg(target_arch = "x86_64")]
pub(super) use eight::{Row, Strides};
use loops::data;

/// How eight elements are moved by the family that has registers for it.
#[cfg(target_arch = "x86_64")]
macro_rules! wide {
    ($wide:ty) => {
        $wide
    };
}
#[cfg(not(target_arch = "x86_64"))]
macro_rules! wide {
    (Rows<Copies, Same>) => { OneByOne<Same> };
    ($($wide:tt)*) => { OneByOne<Numbers> };
}

/// Bytes of a first-level cache that a part of the loops may take.
const SPAN: usize = 16 * 1024;

/// The kernel that moves elements of `bytes` bytes one by one; `None` where there is none.
pub(crate) const fn copies_singly(bytes: usize) -> Option<Kernel> {
    match bytes {
        1 => Some(here!(elements::<u8, u8, Same, wide!(Rows<Copies, Same>)>)),
        2 => Some(here!(elements::<u16, u16, Same, wide!(Rows<Copies, Same>)>)),
        4 => Some(here!(elements::<u32, u32, Same, wide!(Rows<Copies, Same>)>)),
        8 => Some(here!(elements::<u64, u64, Same, OneByOne<Same>>)),
        16 => Some(here!(elements::<[u64; 2], [u64; 2], Same, OneByOne<Same>>)),
        _ => None,
    }
}

/// The kernel that converts elements from `src` to `dst` one by one, without parameters; `None` where there is none.
pub(crate) const fn converts_singly(src: Format, dst: Format) -> Option<Kernel> {
    use Format as F;
    /// By registers: the type that is loaded into them, and the type that is stored.
    macro_rules! by {
        ($src:ty, $dst:ty, $load:ty, $store:ty) => {
            Some(here!(elements::<$src, $dst, Numbers, wide!(Registers<$load, $store>)>))
        };
        ($src:ty, $dst:ty, $load:ty, $store:ty, rows) => {
            Some(here!(elements::<$src, $dst, Numbers, wide!(Rows<Registers<$load, $store>, Numbers>)>))
        };
        ($src:ty, $dst:ty) => {
            Some(here!(elements::<$src, $dst, Numbers, OneByOne<Numbers>>))
        };
    }
    match (src, dst) {
        (F::F32, F::F16) => by!(f32, F16, f32, F16),
        (F::F32, F::Bf16) => by!(f32, Bf16, f32, Bf16),
        (F::F32, F::S32) => by!(f32, i32, f32, i32),
        (F::F32, F::S8) => by!(f32, i8, f32, i8),
        (F::F32, F::U8) => by!(f32, u8, f32, u8),
        (F::Bf16, F::F32) => by!(Bf16, f32, Bf16, f32),
        (F::Bf16, F::F16) => by!(Bf16, F16, AnyBf16, F16),
        (F::Bf16, F::S32) => by!(Bf16, i32, AnyBf16, i32),
        (F::Bf16, F::S8) => by!(Bf16, i8, AnyBf16, i8),
        (F::Bf16, F::U8) => by!(Bf16, u8, AnyBf16, u8),
        (F::S32, F::F32) => by!(i32, f32, i32, f32),
        (F::S32, F::F16) => by!(i32, F16),
        (F::S32, F::Bf16) => by!(i32, Bf16, OddS32, Bf16),
        (F::S32, F::S8) => by!(i32, i8, Integer<i32>, Integer<i8>),
        (F::S32, F::U8) => by!(i32, u8, Integer<i32>, Integer<u8>),
        (F::S8, F::F32) => by!(i8, f32, i8, f32),
        (F::S8, F::F16) => by!(i8, F16, i8, F16),
        (F::S8, F::Bf16) => by!(i8, Bf16, i8, Bf16),
        (F::S8, F::S32) => by!(i8, i32, Integer<i8>, Integer<i32>, rows),
        (F::S8, F::U8) => by!(i8, u8, Integer<i8>, Integer<u8>, rows),
        (F::U8, F::F32) => by!(u8, f32, u8, f32),
        (F::U8, F::F16) => by!(u8, F16, u8, F16),
        (F::U8, F::Bf16) => by!(u8, Bf16, u8, Bf16),
        (F::U8, F::S32) => by!(u8, i32, Integer<u8>, Integer<i32>, rows),
        (F::U8, F::S8) => by!(u8, i8, Integer<u8>, Integer<i8>, rows),
        _ => None,
    }
}

/// Moves the elements of `tile` with the instructions that it asks for.
///
/// # Safety
/// The contract of [`Kernel`]; the tile has neither tables nor an epilogue.
#[inline(always)]
unsafe fn elements<S: Copy, D: Copy, B: Becomes<S, D>, W: Eight<S, D>>(
    src: *const u8,
    dst: *mut u8,
    tile: &Tile<'_>,
) {
    match tile.token {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise, and the token proves the features.
        Token::Avx2(_) | Token::Avx512(_) => unsafe { elements_avx2::<S, D, B, W>(src, dst, tile) },
        // SAFETY: the caller's promise.
        _ => unsafe { all::<S, D, B, OneByOne<B>>(src, dst, tile) },
    }
}

/// [`all`], compiled for 32-byte registers.
///
/// # Safety
/// As there; the processor has the features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
unsafe fn elements_avx2<S: Copy, D: Copy, B: Becomes<S, D>, W: Eight<S, D>>(
    src: *const u8,
    dst: *mut u8,
    tile: &Tile<'_>,
) {
    // SAFETY: the caller's promise.
    unsafe { all::<S, D, B, W>(src, dst, tile) }
}

/// Moves the elements of `tile`, along its longest loop, and writes zero to its padding.
///
/// # Safety
/// As [`elements`].
#[inline(always)]
unsafe fn all<S: Copy, D: Copy, B: Becomes<S, D>, W: Eight<S, D>>(
    src: *const u8,
    dst: *mut u8,
    tile: &Tile<'_>,
) {
    let Tile { x, y, z, .. } = *tile;
    let (nx, ny) = if tile.valid_x == 0 { (0, 0) } else { (tile.valid_x, tile.valid_y) };
    let whole = (nx, ny) == (x.len, y.len);
    // All of some repetitions is zero before, in long runs: less than the pieces of padding would take, and then in the first-level cache.
    let most = if whole { z.len } else { 1 + SPAN / (1 + z.dst.unsigned_abs()) };
    let mut at = 0;
    while at < z.len {
        let part = Step { len: most.min(z.len - at), ..z };
        let (src, dst) = (step(src, at, z.src), step_mut(dst, at, z.dst));
        if !whole {
            // SAFETY: 2. of the contract.
            unsafe { zero(dst, [x, y, part], size_of::<D>()) };
        }
        if nx > 0 && ny > 0 {
            let loops = ordered([Step { len: nx, ..x }, Step { len: ny, ..y }, part]);
            // SAFETY: the caller's promise: these hold data.
            unsafe { data::<S, D, B, W>(src, dst, loops) };
        }
        at += part.len;
    }
}

/// Writes zero to all elements of `bytes` bytes, in runs as long as there are.
///
/// # Safety
/// They can be written.
#[inline(never)]
unsafe fn zero(dst: *mut u8, mut loops: [Step; 3], bytes: usize) {
    let mut run = bytes;
    for _ in 0..loops.len() {
        for one in &mut loops {
            if one.len > 1 && one.dst == run as isize {
                run *= one.len;
                one.len = 1;
            }
        }
    }
    let [x, y, z] = loops;
    for k in 0..z.len {
        for j in 0..y.len {
            let dst = step_mut(step_mut(dst, k, z.dst), j, y.dst);
            for i in 0..x.len {
                // SAFETY: the caller's promise; what was taken into the run follows.
                unsafe { zero_run(step_mut(dst, i, x.dst), run) };
            }
        }
    }
}

/// The loops with the one first along which elements are moved: that of the destination, or the longest where it is short.
#[inline(always)]
fn ordered([x, y, z]: [Step; 3]) -> [Step; 3] {
    const LONG: usize = 8;
    match (x, y, z) {
        _ if x.len >= LONG || x.len >= y.len && x.len >= z.len => [x, y, z],
        _ if y.len >= z.len => [y, x, z],
        _ => [z, x, y],
    }
}
