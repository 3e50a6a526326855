//! Sums of 8-bit integers, for the compensation of quantised weights. Called once a tile like every kernel, but what it
//! writes are the values of the epilogue's first factor.

#[cfg(target_arch = "x86_64")]
use super::cpu::Token;
use super::epilogue::Parameter;
use super::generic::step;
use super::tile::Tile;
use core::mem::MaybeUninit;

/// The kernel for elements of type `i8`, and of `u8` where they have no sign.
pub(crate) const fn sum_kernel(signed: bool) -> super::Kernel {
    match signed {
        true => here!(sum::<i8>),
        false => here!(sum::<u8>),
    }
}

/// Adds every element of the tile to the value that it has as its first factor, an `i32` that may be written at any address.
/// The destination is not touched.
///
/// # Safety
/// 1., 4. and 6. of the contract of [`Kernel`](super::Kernel); there is an epilogue with a first factor, and its values can be
/// written.
unsafe fn sum<T: Copy + Into<i32> + Into<i16>>(src: *const u8, _: *mut u8, tile: &Tile<'_>) {
    match tile.token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => {
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
            unsafe fn wide<T: Copy + Into<i32> + Into<i16>>(src: *const u8, tile: &Tile<'_>) {
                // SAFETY: the caller's promise.
                unsafe { sum_tile::<T>(src, tile) }
            }
            // SAFETY: the caller's promise, and the token proves the features.
            unsafe { wide::<T>(src, tile) }
        }
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => {
            #[target_feature(enable = "avx2")]
            unsafe fn wide<T: Copy + Into<i32> + Into<i16>>(src: *const u8, tile: &Tile<'_>) {
                // SAFETY: the caller's promise.
                unsafe { sum_tile::<T>(src, tile) }
            }
            // SAFETY: the caller's promise, and the token proves the features.
            unsafe { wide::<T>(src, tile) }
        }
        // SAFETY: the caller's promise.
        _ => unsafe { sum_tile::<T>(src, tile) },
    }
}

/// [`sum`] with the instructions of the function that it is inlined into.
///
/// # Safety
/// That of [`sum`].
#[inline(always)]
unsafe fn sum_tile<T: Copy + Into<i32> + Into<i16>>(src: *const u8, tile: &Tile<'_>) {
    let Some(Some(parameter)) = tile.epilogue.map(|epilogue| &epilogue.parameters[1]) else { return };
    // Where there is padding alone, the place of the values may be before the first of them.
    let valid_y = tile.valid_y;
    if tile.valid_x == 0 || valid_y == 0 {
        return;
    }
    let first = parameter.values.first.cast::<i32>().cast_mut();
    let rows = tile.x.src == 1;
    let is_fours = rows && parameter.x == 0 && parameter.y == 1 && tile.valid_x == 4 && tile.y.src == 4;
    if is_fours && parameter.z == 0 {
        let at = first.wrapping_add(parameter.at.get());
        // SAFETY: the caller's promise: four elements for each of some values that follow one another, in every repetition.
        unsafe { add_columns::<T, 4>((src, tile.z.src), tile.z.len, at, valid_y) };
        return;
    }
    for z in 0..tile.z.len {
        let src = step(src, z, tile.z.src);
        let at = first.wrapping_add(parameter.at.get() + z * parameter.z);
        if is_fours {
            // SAFETY: the caller's promise: four elements for each of some values that follow one another.
            unsafe { add_rows::<T, 4>(src, at, valid_y) };
        } else if rows
            && parameter.x == 1
            && parameter.y == 0
            && tile.y.src == tile.valid_x as isize
            && matches!(tile.valid_x, 2 | 4 | 8 | 16 | 32)
        {
            // SAFETY: the caller's promise: an element for each of some values, in rows that follow one another.
            unsafe { add_dense::<T>(src, valid_y, at, tile.valid_x) };
        } else if rows && parameter.x == 1 && parameter.y == 0 {
            // SAFETY: the caller's promise: an element for each of some values that follow one another, in every row.
            unsafe { add_columns::<T, 1>((src, tile.y.src), valid_y, at, tile.valid_x) };
        } else {
            for y in 0..valid_y {
                // SAFETY: the caller's promise, for a row.
                unsafe {
                    row::<T>(step(src, y, tile.y.src), at.wrapping_add(y * parameter.y), tile, parameter)
                };
            }
        }
    }
}

/// Bytes of a line of memory.
const LINE: usize = 64;

/// So many numbers of 8 bits add up to one of 16.
const SHORT: usize = 128;

/// Adds `N` elements of each of `rows` rows, which begin at `src.0` and so many bytes apart, to each of `count` values that follow
/// one another: sums of some columns at a time, so that they stay in registers.
///
/// # Safety
/// As [`add_rows`], for each row.
#[inline(always)]
unsafe fn add_columns<T: Copy + Into<i32> + Into<i16>, const N: usize>(
    src: (*const u8, isize),
    rows: usize,
    at: *mut i32,
    count: usize,
) {
    // Whole lines of rows, where there are that many.
    let lines = if N == 1 { count - count % LINE } else { 0 };
    // SAFETY: the caller's promise.
    unsafe { add_some_columns::<T, N, LINE>(src, rows, at, lines) };
    let (src, at, count) = ((src.0.wrapping_add(lines * N), src.1), at.wrapping_add(lines), count - lines);
    let whole = count - count % 16;
    // SAFETY: as above.
    unsafe { add_some_columns::<T, N, 16>(src, rows, at, whole) };
    for y in 0..rows {
        let row = step(src.0.wrapping_add(whole * N), y, src.1);
        // SAFETY: the caller's promise.
        unsafe { add_rows::<T, N>(row, at.wrapping_add(whole), count - whole) };
    }
}

/// The same for a multiple of `SIDE` values, so many at a time.
///
/// # Safety
/// As [`add_columns`].
#[inline(always)]
unsafe fn add_some_columns<T: Copy + Into<i32> + Into<i16>, const N: usize, const SIDE: usize>(
    src: (*const u8, isize),
    rows: usize,
    at: *mut i32,
    count: usize,
) {
    for column in (0..count).step_by(SIDE) {
        let mut sums = [0i32; SIDE];
        let mut y = 0;
        while y < rows {
            let end = rows.min(y + SHORT / N);
            let mut short = [0i16; SIDE];
            while y < end {
                let row = step(src.0.wrapping_add(column * N), y, src.1);
                // SAFETY: the caller's promise; an array of bytes needs no alignment.
                let row = unsafe { row.cast::<[[T; N]; SIDE]>().read() };
                for (short, elements) in short.iter_mut().zip(&row) {
                    for &element in elements {
                        *short += Into::<i16>::into(element);
                    }
                }
                y += 1;
            }
            for (sum, short) in sums.iter_mut().zip(short) {
                *sum = sum.wrapping_add(short.into());
            }
        }
        for (i, more) in sums.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { add(at.wrapping_add(column + i), more) };
        }
    }
}

/// Adds the elements of all rows of `N` to `N` values.
///
/// # Safety
/// The values at `at` can be read and written.
#[inline(always)]
unsafe fn add_few<T: Copy + Into<i32>, const N: usize>(all: &[T], at: *mut i32) {
    let mut sums = [0i32; N];
    for row in all.as_chunks::<N>().0 {
        for (sum, &element) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(element.into());
        }
    }
    for (i, more) in sums.into_iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { add(at.wrapping_add(i), more) };
    }
}

/// Adds the elements of `rows` rows, which follow one another, to `count` values: whole lines of rows at a time.
///
/// # Safety
/// As [`add_rows`], for each row; `count` is a power of two from 2 to 32.
#[inline(always)]
unsafe fn add_dense<T: Copy + Into<i32> + Into<i16>>(
    src: *const u8,
    rows: usize,
    at: *mut i32,
    count: usize,
) {
    /// Lines that outweigh the sums of all columns of one.
    const FEW: usize = 8;
    // SAFETY: the caller's promise; elements are bytes.
    let all = unsafe { core::slice::from_raw_parts(src.cast::<T>(), rows * count) };
    if all.len() < FEW * LINE {
        // SAFETY of each: the caller's promise: there are so many values.
        return match count {
            // SAFETY: see above.
            2 => unsafe { add_few::<T, 2>(all, at) },
            // SAFETY: see above.
            4 => unsafe { add_few::<T, 4>(all, at) },
            // SAFETY: see above.
            8 => unsafe { add_few::<T, 8>(all, at) },
            // SAFETY: see above.
            16 => unsafe { add_few::<T, 16>(all, at) },
            // SAFETY: see above.
            _ => unsafe { add_few::<T, 32>(all, at) },
        };
    }
    let (lines, rest) = all.as_chunks::<LINE>();
    let mut sums = [0i32; LINE];
    for lines in lines.chunks(SHORT) {
        let mut short = [0i16; LINE];
        for line in lines {
            for (short, element) in short.iter_mut().zip(line) {
                *short += Into::<i16>::into(*element);
            }
        }
        for (sum, short) in sums.iter_mut().zip(short) {
            *sum = sum.wrapping_add(short.into());
        }
    }
    for (sum, element) in sums.iter_mut().zip(rest) {
        *sum = sum.wrapping_add((*element).into());
    }
    for (i, more) in sums.into_iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { add(at.wrapping_add(i % count), more) };
    }
}

/// One row of the tile.
///
/// # Safety
/// As [`sum`], for a row with data at `src` whose first value is at `at`.
#[inline(always)]
unsafe fn row<T: Copy + Into<i32> + Into<i16>>(
    src: *const u8,
    at: *mut i32,
    tile: &Tile<'_>,
    parameter: &Parameter,
) {
    if tile.x.src == 1 && parameter.x == 1 {
        // SAFETY: the caller's promise: each element has a value of its own.
        unsafe { add_rows::<T, 1>(src, at, tile.valid_x) };
    } else if tile.x.src == 1 && parameter.x == 0 {
        // SAFETY: the caller's promise: all elements have one value.
        let elements = unsafe { core::slice::from_raw_parts(src.cast::<T>(), tile.valid_x) };
        let sum = elements.iter().fold(0i32, |sum, &element| sum.wrapping_add(Into::<i32>::into(element)));
        // SAFETY: the caller's promise.
        unsafe { add(at, sum) };
    } else {
        for x in 0..tile.valid_x {
            // SAFETY: the caller's promise.
            let element = unsafe { step(src, x, tile.x.src).cast::<T>().read() };
            // SAFETY: the caller's promise.
            unsafe { add(at.wrapping_add(x * parameter.x), element.into()) };
        }
    }
}

/// Adds `N` elements to each of `count` values that follow one another.
///
/// # Safety
/// So many elements can be read at `src`, and so many values read and written at `at`.
#[inline(always)]
unsafe fn add_rows<T: Copy + Into<i32> + Into<i16>, const N: usize>(
    src: *const u8,
    at: *mut i32,
    count: usize,
) {
    // SAFETY: the caller's promise; an array of bytes needs no alignment.
    let rows = unsafe { core::slice::from_raw_parts(src.cast::<[T; N]>(), count) };
    // SAFETY: the caller's promise; an array of bytes needs no alignment.
    let sums = unsafe { core::slice::from_raw_parts_mut(at.cast::<[MaybeUninit<u8>; 4]>(), count) };
    for (sum, row) in sums.iter_mut().zip(rows) {
        let more = row.iter().fold(0i32, |sum, &element| sum.wrapping_add(Into::<i32>::into(element)));
        // SAFETY: it is one of the values, which hold numbers.
        unsafe { add((&raw mut *sum).cast(), more) };
    }
}

/// Adds `more` to the value at `at`.
///
/// # Safety
/// It can be read and written; no alignment is needed.
#[inline(always)]
unsafe fn add(at: *mut i32, more: i32) {
    // SAFETY: the caller's promise.
    let value = unsafe { at.read_unaligned() };
    // SAFETY: the caller's promise.
    unsafe { at.write_unaligned(value.wrapping_add(more)) };
}
