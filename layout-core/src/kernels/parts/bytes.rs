//! Up to 16 bytes put together from whole smaller loads, and masks to clear the rest of a register. Called by the
//! `memory` of every family.

/// Reads `len` (less than 16) bytes at `src`, as the lower and the upper half of a register; the others are zero.
///
/// # Safety
/// They can be read.
#[inline(always)]
pub(in super::super) unsafe fn first_halves(src: *const u8, len: usize) -> [u64; 2] {
    // Two loads that overlap where the length is no power of two.
    match len {
        9.. => {
            // SAFETY: the caller's promise; no alignment is needed.
            let low = unsafe { src.cast::<u64>().read_unaligned() };
            // SAFETY: as above.
            let end = unsafe { src.wrapping_add(len - 8).cast::<u64>().read_unaligned() };
            [low, end >> (8 * (16 - len))]
        }
        // SAFETY: as above.
        8 => [unsafe { src.cast::<u64>().read_unaligned() }, 0],
        4.. => {
            // SAFETY: as above.
            let low = unsafe { src.cast::<u32>().read_unaligned() };
            // SAFETY: as above.
            let end = unsafe { src.wrapping_add(len - 4).cast::<u32>().read_unaligned() };
            [low as u64 | (end as u64) << (8 * (len - 4)), 0]
        }
        2.. => {
            // SAFETY: as above.
            let low = unsafe { src.cast::<u16>().read_unaligned() };
            // SAFETY: as above.
            let end = unsafe { src.wrapping_add(len - 1).read() };
            [low as u64 | (end as u64) << (8 * (len - 1)), 0]
        }
        // SAFETY: as above.
        1 => [unsafe { src.read() } as u64, 0],
        0 => [0, 0],
    }
}

/// 64 bytes of ones, then 64 of zeros.
static ONES: [u8; 128] = {
    let mut bytes = [0; 128];
    let mut i = 0;
    while i < 64 {
        bytes[i] = 0xFF;
        i += 1;
    }
    bytes
};

/// Where 64 bytes can be read whose first `count` are ones, the others zeros. From memory, because the compiler would fold
/// an AND with what it can tell to be a mask into the load before it.
#[inline(always)]
pub(in super::super) fn ones_at(count: usize) -> *const u8 {
    ONES.as_ptr().wrapping_add(64usize.saturating_sub(count))
}
