//! Kernels that move or convert elements one by one: tiles of a few elements are sooner done so than turned in registers. The same loops on
//! every processor, compiled again for AVX2. Called through `reorder` for plans that ask for it.

use core::hint::black_box;

use super::convert::{Bf16, Convert, F16, Format, Number};
#[cfg(target_arch = "x86_64")]
use super::cpu::Token;
use super::generic::{step, step_mut, zero_run};
use super::tile::{Kernel, Step, Tile};

/// Bytes that a loop spans on both sides before it is cut, where others repeat it.
const SPAN: usize = 16 * 1024;

/// Elements that are moved at a time.
const MANY: usize = 4;

/// The kernel that moves elements of `bytes` bytes one by one; `None` where there is none.
pub(crate) const fn copies_singly(bytes: usize) -> Option<Kernel> {
    match bytes {
        1 => Some(here!(elements::<u8, u8, Same>)),
        2 => Some(here!(elements::<u16, u16, Same>)),
        4 => Some(here!(elements::<u32, u32, Same>)),
        8 => Some(here!(elements::<u64, u64, Same>)),
        16 => Some(here!(elements::<[u64; 2], [u64; 2], Same>)),
        _ => None,
    }
}

/// The kernel that converts elements from `src` to `dst` one by one, without parameters; `None` where there is none.
pub(crate) const fn converts_singly(src: Format, dst: Format) -> Option<Kernel> {
    macro_rules! to {
        ($src:ty) => {
            match dst {
                Format::F32 => Some(here!(elements::<$src, f32, Numbers>)),
                Format::F16 => Some(here!(elements::<$src, F16, Numbers>)),
                Format::Bf16 => Some(here!(elements::<$src, Bf16, Numbers>)),
                Format::S32 => Some(here!(elements::<$src, i32, Numbers>)),
                Format::S8 => Some(here!(elements::<$src, i8, Numbers>)),
                Format::U8 => Some(here!(elements::<$src, u8, Numbers>)),
                _ => None,
            }
        };
    }
    match src {
        Format::F32 => to!(f32),
        Format::Bf16 => to!(Bf16),
        Format::S32 => to!(i32),
        Format::S8 => to!(i8),
        Format::U8 => to!(u8),
        _ => None,
    }
}

/// What an element becomes.
trait Becomes<S, D> {
    fn of(value: S) -> D;
}

/// The element itself.
struct Same;

impl<T> Becomes<T, T> for Same {
    #[inline(always)]
    fn of(value: T) -> T {
        value
    }
}

/// Its number in another type.
struct Numbers;

impl<S: Number + Convert<D>, D: Number> Becomes<S, D> for Numbers {
    #[inline(always)]
    fn of(value: S) -> D {
        value.convert()
    }
}

/// Moves the elements of `tile` with the instructions that it asks for.
///
/// # Safety
/// The contract of [`Kernel`]; the tile has neither tables nor an epilogue.
#[inline(always)]
unsafe fn elements<S: Copy, D: Copy, B: Becomes<S, D>>(src: *const u8, dst: *mut u8, tile: &Tile<'_>) {
    match tile.token {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise, and the token proves the features.
        Token::Avx2(_) | Token::Avx512(_) => unsafe { elements_avx2::<S, D, B>(src, dst, tile) },
        // SAFETY: the caller's promise.
        _ => unsafe { all::<S, D, B>(src, dst, tile) },
    }
}

/// [`all`], compiled for 32-byte registers.
///
/// # Safety
/// As there; the processor has the features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
unsafe fn elements_avx2<S: Copy, D: Copy, B: Becomes<S, D>>(src: *const u8, dst: *mut u8, tile: &Tile<'_>) {
    // SAFETY: the caller's promise.
    unsafe { all::<S, D, B>(src, dst, tile) }
}

/// Moves the elements of `tile`, along its longest loop, and writes zero to its padding.
///
/// # Safety
/// As [`elements`].
#[inline(always)]
unsafe fn all<S: Copy, D: Copy, B: Becomes<S, D>>(src: *const u8, dst: *mut u8, tile: &Tile<'_>) {
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
            unsafe { data::<S, D, B>(src, dst, loops) };
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

/// Multiples of a stride, of which the compiler does not know that they are: each address is one addition away from the first.
#[derive(Clone, Copy)]
struct Strides([isize; MANY + 1]);

impl Strides {
    #[inline(always)]
    fn of(stride: isize) -> Strides {
        let [two, three, four] = [2, 3, 4].map(|by: isize| black_box(stride.wrapping_mul(by)));
        Strides([0, stride, two, three, four])
    }
}

/// Moves the elements of three loops, all of which run, along the first one: so many at a time that the others find their lines in the
/// first-level cache.
///
/// # Safety
/// They can be read, and written, and do not overlap.
#[inline(always)]
unsafe fn data<S: Copy, D: Copy, B: Becomes<S, D>>(
    src: *const u8,
    dst: *mut u8,
    [inner, middle, outer]: [Step; 3],
) {
    let (from, to) = (Strides::of(inner.src), Strides::of(inner.dst));
    let follow = inner.dst == size_of::<D>() as isize;
    let wide = inner.src.unsigned_abs().saturating_add(inner.dst.unsigned_abs());
    let most = if middle.len > 1 { 2 * MANY + SPAN / (wide + 1) } else { inner.len };
    let mut at = 0;
    while at < inner.len {
        let len = most.min(inner.len - at);
        let (src, dst) = (step(src, at, inner.src), step_mut(dst, at, inner.dst));
        for o in 0..outer.len {
            let (src, dst) = (step(src, o, outer.src), step_mut(dst, o, outer.dst));
            for m in 0..middle.len {
                let (src, dst) = (step(src, m, middle.src), step_mut(dst, m, middle.dst));
                if follow {
                    // SAFETY: the caller's promise; the elements follow one another in the destination.
                    unsafe { row::<S, D, B>(src, dst, len, from) };
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { scattered::<S, D, B>(src, dst, len, [from, to]) };
                }
            }
        }
        at += len;
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
    let b = unsafe { src.wrapping_offset(from.0[1]).cast::<S>().read_unaligned() };
    // SAFETY: see above.
    let c = unsafe { src.wrapping_offset(from.0[2]).cast::<S>().read_unaligned() };
    // SAFETY: see above.
    let d = unsafe { src.wrapping_offset(from.0[3]).cast::<S>().read_unaligned() };
    [B::of(a), B::of(b), B::of(c), B::of(d)]
}

/// Moves `len` elements to places that follow one another.
///
/// # Safety
/// They can be read, and written, and do not overlap.
#[inline(always)]
unsafe fn row<S: Copy, D: Copy, B: Becomes<S, D>>(
    mut src: *const u8,
    mut dst: *mut u8,
    len: usize,
    from: Strides,
) {
    let mut left = len;
    while left >= 2 * MANY {
        // SAFETY: the caller's promise; so many are left.
        let first = unsafe { read::<S, D, B>(src, from) };
        // SAFETY: as above.
        let second = unsafe { read::<S, D, B>(src.wrapping_offset(from.0[MANY]), from) };
        // SAFETY: as above; no alignment is needed.
        unsafe { dst.cast::<[[D; MANY]; 2]>().write_unaligned([first, second]) };
        src = src.wrapping_offset(from.0[MANY]).wrapping_offset(from.0[MANY]);
        dst = dst.wrapping_add(2 * MANY * size_of::<D>());
        left -= 2 * MANY;
    }
    // SAFETY: the caller's promise for the rest.
    unsafe { rest::<S, D, B>(src, dst, left, [from.0[1], size_of::<D>() as isize]) };
}

/// Moves `len` elements to places that lie apart.
///
/// # Safety
/// They can be read, and written, and do not overlap; no two have the same place, so that more than one have a stride.
#[inline(always)]
unsafe fn scattered<S: Copy, D: Copy, B: Becomes<S, D>>(
    mut src: *const u8,
    mut dst: *mut u8,
    len: usize,
    [from, to]: [Strides; 2],
) {
    // The compiler cannot count these turns, and has not enough registers for several of them at a time.
    let end = step_mut(dst, len / MANY, to.0[MANY]);
    while dst != end {
        // SAFETY: the caller's promise; so many are left.
        let values = unsafe { read::<S, D, B>(src, from) };
        for (i, value) in values.into_iter().enumerate() {
            // SAFETY: as above; no alignment is needed.
            unsafe { dst.wrapping_offset(to.0[i]).cast::<D>().write_unaligned(value) };
        }
        src = src.wrapping_offset(from.0[MANY]);
        dst = dst.wrapping_offset(to.0[MANY]);
    }
    // SAFETY: the caller's promise for the rest.
    unsafe { rest::<S, D, B>(src, dst, len % MANY, [from.0[1], to.0[1]]) };
}

/// Moves fewer elements, one at a time.
///
/// # Safety
/// They can be read, and written, and do not overlap.
#[inline(always)]
unsafe fn rest<S: Copy, D: Copy, B: Becomes<S, D>>(
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
