//! Crossed tiles of elements of 4 bits that become floats, with a factor for each row of the source, or for each group of its
//! elements. Called by the folder's `turned`.

use core::mem::MaybeUninit;

use super::super::super::convert::Format;
#[cfg(target_arch = "x86_64")]
use super::super::super::convert::{Bf16, F16};
use super::super::super::cpu::Token;
use super::super::super::epilogue::{Epilogue, Parameter};
use super::super::super::tile::{Step, Tile};
#[cfg(target_arch = "x86_64")]
use super::super::super::x86_64;
use super::{LINES, Plan, ROWS, Squares, Way};

/// Lines that have the same factors.
const PART: usize = 32;

/// The factors of the rows of a square.
#[repr(align(64))]
struct Factors(
    #[allow(dead_code, reason = "written and read by address")] [MaybeUninit<f32>; LINES / PART * 2 * ROWS],
);

/// The family's loop to `to` for squares of 64 rows, each of which has a factor of its own in every 32 lines, if it has one. The
/// first table is these factors, those of 32 lines so many bytes behind the ones before as one line's table is behind another's
/// elsewhere; the second is what the 16 numbers stand for.
pub(super) fn by_rows(token: Token, to: Format) -> Option<Way> {
    match (token, to) {
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::F32) => Some(x86_64::avx512::nibbles_by_rows::<f32>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::F16) => Some(x86_64::avx512::nibbles_by_rows::<F16>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(token), Format::Bf16) if token.has_bf16() => {
            Some(x86_64::avx512::nibbles_by_rows_native)
        }
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::Bf16) => Some(x86_64::avx512::nibbles_by_rows::<Bf16>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::F32) => Some(x86_64::avx2::nibbles_by_rows::<f32>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::F16) => Some(x86_64::avx2::nibbles_by_rows::<F16>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::Bf16) => Some(x86_64::avx2::nibbles_by_rows::<Bf16>),
        _ => {
            let _ = (token, to);
            None
        }
    }
}

/// The one parameter of `epilogue`, where that is a factor which differs along x and not along y.
pub(super) fn factor_of_rows(epilogue: &Epilogue) -> Option<&Parameter> {
    let [a, b, c, d] = epilogue.parameters.each_ref().map(Option::as_ref);
    let alone = a.or(d).is_none() && epilogue.beta == 0.0 && epilogue.rounding.is_none();
    let factor = if b.is_none() { c } else { b.filter(|_| c.is_none()) };
    factor.filter(|one| alone && one.x > 0 && one.y == 0)
}

/// [`super::turned`] to elements of `bits` bits, where each row is multiplied by a factor of its own, which may differ along z as
/// well.
///
/// # Safety
/// As there.
#[inline(never)]
pub(super) unsafe fn scaled_rows(
    (way, token): (Way, Token),
    one: &Parameter,
    numbers: &[f32; 16],
    bits: usize,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile<'_>,
) -> (usize, usize) {
    let Tile { y, z, valid_y, .. } = *tile;
    // Groups of columns that follow one another are one row of several groups.
    let follows = y.len as isize == z.src && y.dst.wrapping_mul(y.len as isize) == z.dst;
    let joined = z.len > 1 && valid_y == y.len && y.len.is_multiple_of(PART) && follows;
    let (len, z_len) = if joined { (y.len * z.len, 1) } else { (valid_y / 2 * 2, z.len) };
    let plan = Plan { way, fetching: way, side: [2 * ROWS, LINES], is_split: false, bits: [4, bits] };
    let whole = Tile { z: Step { len: z_len, ..z }, stream: false, ..*tile };
    let len = [tile.valid_x, len];
    if len[0] < plan.side[0] || len[1] < plan.side[1] {
        return (0, 0);
    }
    let squares = Squares { plan, token, src, dst, tile: &whole, len };
    let mut factors = Factors([MaybeUninit::uninit(); LINES / PART * 2 * ROWS]);
    let factors: *mut Factors = &raw mut factors;
    let each = |at_y: usize, [[x, at_z], _]: [[usize; 2]; 2]| {
        let group = |line: usize| if joined { line / y.len } else { at_z };
        let is_one = group(at_y) == group(at_y + LINES - 1);
        for part in 0..if is_one { 1 } else { LINES / PART } {
            let first = one.at.get() + x * one.x + group(at_y + part * PART) * one.z;
            let to = factors.cast::<MaybeUninit<f32>>().wrapping_add(part * 2 * ROWS);
            // SAFETY: the factors of so many parts have room, and nobody refers to them now.
            let values = unsafe { core::slice::from_raw_parts_mut(to, 2 * ROWS) };
            // SAFETY: the caller's promise: 6. of the kernel's contract.
            unsafe { one.values.write(first, one.x, values) };
        }
        let by = if is_one { 0 } else { 2 * ROWS * size_of::<f32>() };
        ([factors.cast_const().cast(), numbers.as_ptr().cast()], by)
    };
    // SAFETY: the caller's promise; the factors were written.
    unsafe { squares.each(true, each) };
    (len[0], if joined { valid_y } else { len[1] })
}
