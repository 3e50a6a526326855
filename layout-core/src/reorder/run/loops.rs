//! Loops outside of a plan's: all values of some, and what is padding of them. Called by the files beside it and below.

use super::super::plan::MAX_LOOPS;
use crate::kernels::{Step, Tables, Tile, Token, fill_padding};

/// A loop that runs once.
pub(super) const ONCE: Step = Step { len: 1, src: 0, dst: 0 };

/// Calls `visit` for all values of `loops`, from `src` and `dst` on.
#[inline]
pub(super) fn each(loops: &[Step], (mut src, mut dst): (isize, isize), mut visit: impl FnMut(isize, isize)) {
    if loops.is_empty() {
        return visit(src, dst);
    }
    let mut value = [0; MAX_LOOPS];
    loop {
        visit(src, dst);
        let mut i = loops.len();
        loop {
            if i == 0 {
                return;
            }
            i -= 1;
            let one = &loops[i];
            value[i] += 1;
            if value[i] < one.len {
                (src, dst) = (src.wrapping_add(one.src), dst.wrapping_add(one.dst));
                break;
            }
            let back = value[i] as isize - 1;
            src = src.wrapping_sub(one.src.wrapping_mul(back));
            dst = dst.wrapping_sub(one.dst.wrapping_mul(back));
            value[i] = 0;
        }
    }
}

/// Writes `value`, of `bytes` bytes and as often as there is room for it, to runs of `len` elements at `to` and for all values of
/// `loops`, the one that goes least far in the destination first: runs that follow one another are one.
///
/// # Safety
/// These places can be written.
pub(super) unsafe fn fill(value: &[u8; 16], bytes: usize, mut len: usize, loops: &[Step], to: *mut u8) {
    let follows = |one: &&Step| {
        let follows = one.len == 1 || one.dst == (len * bytes) as isize;
        len *= if follows { one.len } else { 1 };
        follows
    };
    let joined = loops.iter().take_while(follows).count();
    let (tile, outer) = loops[joined..].split_at(2.min(loops.len() - joined));
    let [y, z] = [0, 1].map(|i| tile.get(i).copied().unwrap_or(ONCE));
    let x = Step { len, src: 0, dst: bytes as isize };
    let (claims, tables, epilogue, token) = (false, Tables::NONE, None, Token::Generic);
    let tile = Tile { x, y, z, valid_x: 0, valid_y: 0, stream: false, claims, tables, epilogue, token };
    each(outer, (0, 0), |_, at| {
        // SAFETY: the caller's promise.
        unsafe { fill_padding(value, bytes, to.wrapping_offset(at), &tile) };
    });
}
