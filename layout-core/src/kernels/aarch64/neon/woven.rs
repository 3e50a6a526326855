//! Blocks of 16 by 4 bytes, the operands of dot products (`16o4i` of 8-bit, `16o2i` of 16-bit elements): on the one side
//! lines of 16 groups of 4 bytes, one line for each of a few taps, on the other side, for each of the 16, a run in which the
//! taps follow one another. Four runs at a time are brought to groups by table lookups, and then there are squares of 4 by 4
//! groups to transpose.

use core::arch::aarch64::*;

use super::super::super::drive::{LINE, Woven};
use super::super::super::generic::{step, step_mut};
use super::super::super::parts::woven::tables;
use super::super::super::parts::zip::unrolled;
use super::memory::*;
use super::zip::turn;

/// Runs, and taps, of a square.
const SIDE: usize = 4;

impl Woven<'_> {
    /// Whether there are 16 runs, and all groups are full: what these loops take.
    pub(super) const fn is_full<const B: usize>(&self) -> bool {
        B <= 2 && self.runs == 16 && self.elements * B == 4
    }
}

/// Runs to lines.
///
/// # Safety
/// As [`super::super::super::drive::Simd::weave`], for one full block.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn weave<const B: usize>(job: &Woven) {
    let to_groups = const { &tables::<B>(false) };
    let to_groups = &to_groups.0[job.taps];
    for quarter in 0..LINE / 16 {
        let mut runs = [uint8x16x4_t(zero16(), zero16(), zero16(), zero16()); SIDE];
        unrolled!(4, i => {
            let from = step(job.src, quarter * SIDE + i, job.run);
            // SAFETY: the run is in the job.
            runs[i] = unsafe { load64_first(from, 4 * job.taps) };
        });
        let dst = job.dst.wrapping_add(quarter * 16);
        for tap in (0..job.taps).step_by(SIDE) {
            // SAFETY: a table has as many bytes as there are for 16 taps.
            let at = unsafe { load16(to_groups.as_ptr().wrapping_add(4 * tap)) };
            let mut rows = [zero16(); SIDE];
            unrolled!(4, i => {
                rows[i] = vqtbl4q_u8(runs[i], at);
            });
            let lines = turn::<4, SIDE>(rows, SIDE);
            unrolled!(4, i => {
                if tap + i < job.taps {
                    // SAFETY: this part of the line is in the job.
                    unsafe { store16(step_mut(dst, tap + i, job.line), lines[i]) };
                }
            });
        }
    }
}

/// Lines to runs.
///
/// # Safety
/// As [`super::super::super::drive::Simd::unweave`], for one full block.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn unweave<const B: usize>(job: &Woven) {
    let from_groups = const { &tables::<B>(true) };
    let from_groups = &from_groups.0[job.taps];
    for quarter in 0..LINE / 16 {
        let src = job.src.wrapping_add(quarter * 16);
        // The groups of each run, four in a register.
        let mut groups = [[zero16(); SIDE]; SIDE];
        unrolled!(4, part => {
            if SIDE * part < job.taps {
                let mut lines = [zero16(); SIDE];
                unrolled!(4, i => {
                    if SIDE * part + i < job.taps {
                        // SAFETY: this part of the line is in the job.
                        lines[i] = unsafe { load16(step(src, SIDE * part + i, job.line)) };
                    }
                });
                let rows = turn::<4, SIDE>(lines, SIDE);
                unrolled!(4, i => {
                    groups[i][part] = rows[i];
                });
            }
        });
        unrolled!(4, i => {
            let [a, b, c, d] = groups[i];
            let to = step_mut(job.dst, quarter * SIDE + i, job.run);
            for done in (0..4 * job.taps).step_by(16) {
                // SAFETY: a table has as many bytes as there are for 16 taps.
                let at = unsafe { load16(from_groups.as_ptr().wrapping_add(done)) };
                let part = vqtbl4q_u8(uint8x16x4_t(a, b, c, d), at);
                // SAFETY: this part of the run is in the job.
                unsafe { store16_first(to.wrapping_add(done), part, 4 * job.taps - done) };
            }
        });
    }
}

/// Reads `len` (at most 64) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn load64_first(src: *const u8, len: usize) -> uint8x16x4_t {
    let mut parts = [zero16(); 4];
    unrolled!(4, i => {
        if 16 * i < len {
            // SAFETY: the caller's promise.
            parts[i] = unsafe { load16_first(src.wrapping_add(16 * i), len - 16 * i) };
        }
    });
    let [a, b, c, d] = parts;
    uint8x16x4_t(a, b, c, d)
}
