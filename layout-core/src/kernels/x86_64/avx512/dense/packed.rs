//! Lines of the destination that follow one another, and whose length is no power of two: pixels of 5, 6, 7, 13 or 24 elements.
//! They are turned as if each were as long as the next power of two, and then moved together: a register is written where its
//! first pixel belongs, and what it has behind its last one is overwritten by the next.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Strips, fetches};
use super::super::super::super::generic::step;
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::super::parts::{CLAIMED, prefetch, prefetch_write};
use super::super::memory::{load64, store64, store64_first};
use super::super::transpose::turn64;
use super::{AHEAD, turn_lanes, turned};

/// Transposes `job` to lines that have room in `G` groups of `R` elements.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::dense`], with `R * B` bytes that are 8 or 16.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn packed<const B: usize, const R: usize, const G: usize>(job: &Strips) {
    let (side, lane) = (LINE / B, LINE / B / 4);
    let (room, len) = (R * G * B, job.width * B);
    // SAFETY: a table has 64 bytes.
    let together = unsafe { load64(TOGETHER[len].0.as_ptr()) };
    let fetches = fetches(job.src_step, job.valid);
    let end = job.height * len;
    let mut y = 0;
    loop {
        // Lane l of register i holds a part of the values of y from l times `lane` on; the parts of a line follow one another.
        let mut parts = [[_mm512_setzero_si512(); G]; R];
        unrolled!(G of 4, g => {
            let turned = turned!(job, g, y, fetches);
            unrolled!(R, i => {
                parts[i][g] = turned[i];
            });
        });
        let parts = parts.as_flattened_mut();
        let quarters = R * G / 4;
        unrolled!(quarters of 4, m => {
            let [a, b, c, d] = [parts[4 * m], parts[4 * m + 1], parts[4 * m + 2], parts[4 * m + 3]];
            let lines = turn_lanes([a, b, c, d]);
            unrolled!(4, k => {
                parts[4 * m + k] = if room == LINE {
                    lines[k]
                } else {
                    _mm512_permutexvar_epi8(together, lines[k])
                };
            });
        });
        // Several lines fit in a register.
        let step = LINE / room * len;
        let first = y * len;
        let whole = first + side * len - step + LINE <= end;
        unrolled!(4, k => {
            unrolled!(quarters of 4, m => {
                let at = first + k * lane * len + m * step;
                let (to, line) = (job.dst.wrapping_add(at), parts[4 * m + k]);
                if job.claims {
                    prefetch_write(to.wrapping_add(CLAIMED * LINE));
                }
                if whole {
                    // SAFETY: the lines of these values of y and those behind them are in the job.
                    unsafe { store64(to, line) };
                } else {
                    // SAFETY: this stops at the last line.
                    unsafe { store64_first(to, line, end - at) };
                }
            });
        });
        match next(y, side, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}

/// For each length of a line in bytes: where the bytes of the lines of a register lie, each of which has room for as many as are
/// the next power of two.
static TOGETHER: [Table; LINE] = {
    let mut tables = [const { Table([0; LINE]) }; LINE];
    let mut len = 1;
    while len < LINE {
        let room = if len < 8 { 8 } else { len.next_power_of_two() };
        let mut i = 0;
        while i < LINE / room * len {
            tables[len].0[i] = (i / len * room + i % len) as u8;
            i += 1;
        }
        len += 1;
    }
    tables
};

/// Indices of bytes in a register.
#[repr(align(64))]
struct Table([u8; LINE]);
