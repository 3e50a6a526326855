//! Rows of elements of 4 bits to floats, straight out of memory: there are 16 results for all elements with the same parameters.
//! Called by `packed`, which takes another way where this has none.

use core::mem::MaybeUninit;

use super::super::super::convert::{Format, f4_e2m1_to_f32, f4_e3m0_to_f32};
use super::super::super::cpu::Token;
use super::super::super::epilogue::{Affine, LANES, PARAMETERS, Parameter};
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::Tile;
#[cfg(target_arch = "x86_64")]
use super::super::super::x86_64;
use super::smaller;

/// Numbers of 4 bits.
const NUMBERS: usize = 16;

/// Values of a parameter that are kept at hand, for as many elements or rows.
const WIDTH: usize = 1024;

/// Rows of elements of 4 bits, two to a byte, that become floats without gaps.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super::super) struct Nibbles<'a> {
    pub(in super::super::super) src: *const u8,
    /// Bytes between two rows in the source, each of which begins with a whole byte.
    pub(in super::super::super) src_y: isize,
    pub(in super::super::super) dst: *mut u8,
    /// Bytes between two rows in the destination.
    pub(in super::super::super) dst_y: isize,
    /// Elements of a row.
    pub(in super::super::super) len: usize,
    /// Rows.
    pub(in super::super::super) count: usize,
    /// What the elements stand for.
    pub(in super::super::super) numbers: &'a [f32; NUMBERS],
    /// Whether whole lines of the destination go past the caches.
    pub(in super::super::super) stream: bool,
}

/// A family's loop. Parameter k of element x of row y is `map.at[k] + (x & map.mask[k]) + y * map.row[k]`, one value.
///
/// # Safety
/// The rows can be read and written, and do not overlap; the values of the map that its steps ask for can be read, and
/// [`SLACK`] more behind those of a row. The processor has the family's instructions.
type Way = unsafe fn(job: &Nibbles<'_>, map: Option<&Affine>);

/// What may be read behind the values of a row.
const SLACK: usize = 2 * LANES;

/// The family's loop to `dst`, if it has one.
fn way(token: Token, dst: Format) -> Option<Way> {
    match (token, dst) {
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::F32) => Some(x86_64::avx512::nibbles_to_f32),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::F16) => Some(x86_64::avx512::nibbles_to_f16),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::Bf16) => Some(x86_64::avx512::nibbles_to_bf16),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::F32) => Some(x86_64::avx2::nibbles_to_f32),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::F16) => Some(x86_64::avx2::nibbles_to_f16),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::Bf16) => Some(x86_64::avx2::nibbles_to_bf16),
        _ => {
            let _ = (token, dst);
            None
        }
    }
}

/// What each of the 16 values of `format` stands for; integers are those of 4 bits.
pub(in super::super) const fn numbers(format: Format) -> Option<&'static [f32; NUMBERS]> {
    macro_rules! table {
        ($of:expr) => {{
            const ALL: [f32; NUMBERS] = {
                let mut all = [0.0; NUMBERS];
                let mut i = 0;
                while i < NUMBERS as u8 {
                    all[i as usize] = $of(i);
                    i += 1;
                }
                all
            };
            Some(&ALL)
        }};
    }
    const fn signed(bits: u8) -> f32 {
        ((bits << 4) as i8 >> 4) as f32
    }
    const fn unsigned(bits: u8) -> f32 {
        bits as f32
    }
    match format {
        Format::S8 => table!(signed),
        Format::U8 => table!(unsigned),
        Format::F4E2M1 => table!(f4_e2m1_to_f32),
        Format::F4E3M0 => table!(f4_e3m0_to_f32),
        _ => None,
    }
}

/// Converts the data of `tile`, rows along x of elements of 4 bits; strides of the source are in bytes. `false` where the
/// family that `token` proves has no way, and then nothing was done.
///
/// # Safety
/// The contract of [`Kernel`](super::super::super::tile::Kernel) for the data, with an element of 4 bits for one of a byte.
pub(in super::super::super) unsafe fn nibbles(
    token: Token,
    formats: (Format, Format),
    src: *const u8,
    dst: *mut u8,
    tile: &Tile<'_>,
) -> bool {
    let (Some(way), Some(numbers)) = (way(token, formats.1), numbers(formats.0)) else { return false };
    let joined = tile.joined();
    let tile = joined.as_ref().unwrap_or(tile);
    let job = Nibbles {
        src,
        src_y: tile.y.src,
        dst,
        dst_y: tile.y.dst,
        len: tile.valid_x,
        count: tile.valid_y,
        numbers,
        stream: tile.stream,
    };
    let Some(epilogue) = tile.epilogue else {
        for z in 0..tile.z.len {
            let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
            // SAFETY: the caller's promise.
            unsafe { way(&Nibbles { src, dst, ..job }, None) };
        }
        return true;
    };
    let own = |one: &Parameter| one.x > 0 && one.y > 0;
    if epilogue.beta != 0.0 || epilogue.rounding.is_some() || epilogue.parameters.iter().flatten().any(own) {
        return false;
    }
    // SAFETY: the caller's promise, and the parameters were just looked at.
    unsafe { scaled(way, &job, tile, &epilogue.parameters, formats.1.bytes()) };
    true
}

/// [`nibbles`] with parameters, each of which differs along x or along y, but not both.
///
/// # Safety
/// As there, for `job`, which is the first repetition.
#[inline(never)]
unsafe fn scaled(
    way: Way,
    job: &Nibbles<'_>,
    tile: &Tile<'_>,
    parameters: &[Option<Parameter>; PARAMETERS],
    bytes: usize,
) {
    let mut lanes = [[MaybeUninit::<f32>::uninit(); WIDTH + SLACK]; PARAMETERS];
    let lanes: *mut [MaybeUninit<f32>; WIDTH + SLACK] = lanes.as_mut_ptr();
    let differs = |along: fn(&Parameter) -> usize| parameters.iter().flatten().any(|one| along(one) > 0);
    // An even number of elements, so that each part begins with a whole byte.
    let width = if differs(|one| one.x) { WIDTH } else { job.len };
    let height = if differs(|one| one.y) { WIDTH } else { job.count };
    let mut map = Affine::neutral();
    for z in 0..tile.z.len {
        let mut x = 0;
        while x < job.len {
            let len = smaller(job.len - x, width);
            let mut y = 0;
            while y < job.count {
                let count = smaller(job.count - y, height);
                for (k, parameter) in parameters.iter().enumerate() {
                    let Some(one) = parameter else { continue };
                    let at = one.at.get() + x * one.x + y * one.y + z * one.z;
                    let (values, by) = match (one.x, one.y) {
                        (0, 0) => (1, 1),
                        (0, across) => (count, across),
                        (along, _) => (len, along),
                    };
                    let first = lanes.wrapping_add(k).cast::<MaybeUninit<f32>>();
                    if one.x == 0 || y == 0 {
                        // SAFETY: there are so many, and nobody refers to them now.
                        let values = unsafe { core::slice::from_raw_parts_mut(first, values + SLACK) };
                        let (values, slack) = values.split_at_mut(values.len() - SLACK);
                        // SAFETY: the caller's promise: 6. of the kernel's contract.
                        unsafe { one.values.write(at, by, values) };
                        slack.fill(MaybeUninit::new(0.0));
                    }
                    map.at[k] = first.cast_const().cast();
                    (map.mask[k], map.row[k]) =
                        (if one.x > 0 { usize::MAX } else { 0 }, usize::from(one.x == 0 && one.y > 0));
                }
                let src = step(step(job.src, z, tile.z.src), y, job.src_y).wrapping_add(x / 2);
                let dst = step_mut(step_mut(job.dst, z, tile.z.dst), y, job.dst_y).wrapping_add(x * bytes);
                // SAFETY: the caller's promise, for a part of the rows, whose parameters were just written.
                unsafe { way(&Nibbles { src, dst, len, count, ..*job }, Some(&map)) };
                y += count;
            }
            x += len;
        }
    }
}
