//! Checked products and roundings; every size in the crate passes through here once.

/// `extent` rounded up to a multiple of `multiple`, or `None` where rounding leaves `isize` (or `multiple` is 0).
///
/// ```
/// assert_eq!(layout_core::shape::round_up(17, 8), Some(24));
/// assert_eq!(layout_core::shape::round_up(0, 8), Some(0));
/// assert_eq!(layout_core::shape::round_up(usize::MAX, 8), None);
/// ```
pub const fn round_up(extent: usize, multiple: u64) -> Option<usize> {
    if multiple <= 1 {
        return if multiple == 1 { Some(extent) } else { None };
    }
    let blocks = (extent as u64).div_ceil(multiple);
    match blocks.checked_mul(multiple) {
        Some(n) if n <= isize::MAX as u64 => Some(n as usize),
        _ => None,
    }
}

/// Product of `extents`, in elements, where an extent of 0 makes it 0; the position of the extent at which the
/// product times `element_bytes` leaves `isize` otherwise.
///
/// Extents of 0 do not hide the others: strides are products of what lies inside, so the product without the
/// zeros has to fit as well.
///
/// # Errors
/// The position of the first extent that passes the limit.
///
/// ```
/// use layout_core::shape::checked_len;
/// assert_eq!(checked_len(&[2, 3, 4], 4), Ok(24));
/// assert_eq!(checked_len(&[2, 0, 4], 4), Ok(0));
/// assert_eq!(checked_len(&[usize::MAX, 0, 4], 4), Err(0));
/// ```
pub const fn checked_len(extents: &[usize], element_bytes: usize) -> Result<usize, usize> {
    let limit = isize::MAX as usize / if element_bytes == 0 { 1 } else { element_bytes };
    let mut product = 1usize;
    let mut zero = false;
    let mut i = 0;
    while i < extents.len() {
        if extents[i] == 0 {
            zero = true;
        } else {
            match product.checked_mul(extents[i]) {
                Some(n) if n <= limit => product = n,
                _ => return Err(i),
            }
        }
        i += 1;
    }
    Ok(if zero { 0 } else { product })
}
