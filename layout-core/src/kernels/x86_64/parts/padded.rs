//! Rows of a few whole registers with padding behind them, such as the pixels of a picture in blocks of channels: what the
//! `run` of families without cheap masked stores is made of.

/// Defines `$rows` for rows of a few registers of `$width` bytes; `$part` loads the first bytes of one, by their number and mask.
macro_rules! padded_rows {
    (
        $features:literal, $rows:ident, $width:literal, $load:ident $part:ident, $store:ident, $zero:ident $ones:ident
    ) => {
        /// Moves rows of a few whole registers, of which the last bytes are padding.
        ///
        /// # Safety
        /// As [`rows`], for rows whose length is a multiple of a register, and longer than what they hold.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn $rows(job: &Rows) {
            let whole = job.valid / $width * $width;
            let left = job.valid - whole;
            let data = $ones(left);
            if whole == 0 && job.len == 2 * $width {
                for y in 0..job.count {
                    let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                    // SAFETY: the caller's promise.
                    let part = unsafe { $part(src, left, data) };
                    // SAFETY: as above; the row is two registers.
                    unsafe { $store(dst, part) };
                    // SAFETY: as above.
                    unsafe { $store(dst.wrapping_add($width), $zero()) };
                }
                return;
            }
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                let mut at = 0;
                while at < whole {
                    // SAFETY: the caller's promise.
                    let part = unsafe { $load(src.wrapping_add(at)) };
                    // SAFETY: as above.
                    unsafe { $store(dst.wrapping_add(at), part) };
                    at += $width;
                }
                // SAFETY: the caller's promise.
                let part = unsafe { $part(src.wrapping_add(whole), left, data) };
                // SAFETY: the caller's promise: behind what is whole there is another register.
                unsafe { $store(dst.wrapping_add(whole), part) };
                at += $width;
                while at < job.len {
                    // SAFETY: as above.
                    unsafe { $store(dst.wrapping_add(at), $zero()) };
                    at += $width;
                }
            }
        }
    };
}
pub(in super::super) use padded_rows;

/// The longest of the rows with padding that have a loop of their own, in bytes.
pub(in super::super) const PADDED: usize = 256;
