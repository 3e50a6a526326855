//! The columns under a strip of outputs on raw pointers, as the raw twins of all convolutions and of pooling need them.

/// `N` columns from `first` on, which wraps around before 0, of a row of `width` blocks at `row`. Where some lie outside they
/// are copied to `halo`, with `fill` in the others.
///
/// # Safety
/// The row has `width` blocks.
#[inline(always)]
pub(crate) unsafe fn columns<T: Copy, const N: usize>(
    (row, width): (*const [T; 16], usize),
    first: usize,
    fill: T,
    halo: &mut [[T; 16]; N],
) -> *const [T; 16] {
    if first < width && first + N <= width {
        // SAFETY: the columns lie in the row.
        return unsafe { row.add(first) };
    }
    for (k, column) in halo.iter_mut().enumerate() {
        *column = [fill; 16];
        let at = first.wrapping_add(k);
        if at < width {
            // SAFETY: the column lies in the row.
            *column = unsafe { *row.add(at) };
        }
    }
    halo.as_ptr()
}
