//! Elements of 4 bits to floats, 32 at a time: all 16 results in a register where elements have the same parameters, else the
//! 16 numbers. Called by `drive::convert` by way of `avx512`.

use super::super::super::super::drive::Nibbles;
use super::*;

/// Elements that are taken at a time.
const MANY: usize = 32;

/// Converts the elements of `job`, with an affine map if there is one.
///
/// # Safety
/// That of the type of such loops in `drive::convert`; `D` is f32 or has 16 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn nibbles<D: Store<__m512>>(job: &Nibbles<'_>, map: Option<&Affine>) {
    let (steps, map) = map.map_or((NONE, Affine::neutral()), Affine::steps);
    match steps {
        // SAFETY: the caller's promise.
        NONE => unsafe { rows::<D, NONE>(job, &map) },
        // SAFETY: as above.
        FACTOR => unsafe { rows::<D, FACTOR>(job, &map) },
        // SAFETY: as above.
        SHIFT_FACTOR => unsafe { rows::<D, SHIFT_FACTOR>(job, &map) },
        // SAFETY: as above.
        FACTOR_SHIFT => unsafe { rows::<D, FACTOR_SHIFT>(job, &map) },
        // SAFETY: as above.
        _ => unsafe { rows::<D, ALL>(job, &map) },
    }
}

/// # Safety
/// That of [`nibbles`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn rows<D: Store<__m512>, const STEPS: u8>(job: &Nibbles<'_>, map: &Affine) {
    if STEPS == NONE || map.mask == [0; PARAMETERS] {
        // SAFETY: the caller's promise.
        unsafe { by_results::<D, STEPS>(job, map) };
    } else {
        // SAFETY: as above.
        unsafe { by_numbers::<D, STEPS>(job, map) };
    }
}

/// Rows whose elements have the same parameters each.
///
/// # Safety
/// That of [`nibbles`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn by_results<D: Store<__m512>, const STEPS: u8>(job: &Nibbles<'_>, map: &Affine) {
    let (to, own) = (size_of::<D>(), STEPS != NONE && map.row != [0; PARAMETERS]);
    // SAFETY: the caller's promise: row 0 is there.
    let mut table = unsafe { results::<D, STEPS>(job, map, 0) };
    let whole = job.len / MANY * MANY;
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        if own {
            // SAFETY: the caller's promise.
            table = unsafe { results::<D, STEPS>(job, map, y) };
        }
        let stream_lines = job.stream && dst.addr().is_multiple_of(64);
        let mut x = 0;
        while x < whole {
            // SAFETY: these elements are in the row.
            let bytes = unsafe { load16(src.wrapping_add(x / 2)) };
            for (i, line) in looked_up(bytes, table, to).into_iter().take(to / 2).enumerate() {
                let at = dst.wrapping_add(x * to + 64 * i);
                if stream_lines {
                    // SAFETY: as above; lines begin with the row.
                    unsafe { stream(at, line) };
                } else {
                    // SAFETY: as above.
                    unsafe { store64(at, line) };
                }
            }
            x += MANY;
        }
        let rest = job.len - x;
        if rest > 0 {
            // SAFETY: these bytes hold the last elements of the row.
            let bytes = unsafe { load16_first(src.wrapping_add(x / 2), rest.div_ceil(2)) };
            for (i, line) in looked_up(bytes, table, to).into_iter().take(to / 2).enumerate() {
                let left = (rest * to).saturating_sub(64 * i).min(64);
                // SAFETY: this stops at the last element.
                unsafe { store64_first(dst.wrapping_add(x * to + 64 * i), line, left) };
            }
        }
    }
}

/// The results of all 16 numbers for row `y`; those of 16 bits twice.
///
/// # Safety
/// The values of the row's parameters can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn results<D: Store<__m512>, const STEPS: u8>(job: &Nibbles<'_>, map: &Affine, y: usize) -> __m512i {
    let mut table = [0u8; 64];
    // SAFETY: the caller's promise; 16 results are a line at most.
    unsafe { results_to::<D, STEPS>(job.numbers, map, y, table.as_mut_ptr()) };
    if size_of::<D>() == 2 {
        // SAFETY: there is a line.
        _mm512_broadcast_i64x4(unsafe { load32(table.as_ptr()) })
    } else {
        // SAFETY: as above.
        unsafe { load64(table.as_ptr()) }
    }
}

/// Writes the results of all 16 numbers for row `y`.
///
/// # Safety
/// The values of the row's parameters can be read, and 16 results written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn results_to<D: Store<__m512>, const STEPS: u8>(
    numbers: &[f32; 16],
    map: &Affine,
    y: usize,
    to: *mut u8,
) {
    // SAFETY: the caller's promise.
    let values = unsafe { values_of::<STEPS>(numbers, map, y) };
    // SAFETY: as above.
    unsafe { D::store(to, values) };
}

/// The results of all 16 numbers for row `y`, as f32.
///
/// # Safety
/// The values of the row's parameters can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn values_of<const STEPS: u8>(numbers: &[f32; 16], map: &Affine, y: usize) -> __m512 {
    let mut parameters = [_mm512_setzero_ps(); PARAMETERS];
    for (k, parameter) in parameters.iter_mut().enumerate() {
        if STEPS >> k & 1 == 1 {
            // SAFETY: the caller's promise.
            *parameter = _mm512_set1_ps(unsafe { map.at[k].wrapping_add(y * map.row[k]).read() });
        }
    }
    // SAFETY: there are 16 numbers.
    let numbers = unsafe { load64(numbers.as_ptr().cast()) };
    apply::<STEPS>(_mm512_castsi512_ps(numbers), &parameters)
}

/// Writes the results of 16 numbers for each of `count` rows, one after the other.
///
/// # Safety
/// The values of each row's parameters can be read, and all results written.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn results_of<D: Store<__m512>>(
    numbers: &[f32; 16],
    map: Option<&Affine>,
    count: usize,
    to: *mut u8,
) {
    let (steps, map) = map.map_or((NONE, Affine::neutral()), Affine::steps);
    match steps {
        // SAFETY: the caller's promise.
        NONE => unsafe { all_results::<D, NONE>(numbers, &map, count, to) },
        // SAFETY: as above.
        FACTOR => unsafe { all_results::<D, FACTOR>(numbers, &map, count, to) },
        // SAFETY: as above.
        SHIFT_FACTOR => unsafe { all_results::<D, SHIFT_FACTOR>(numbers, &map, count, to) },
        // SAFETY: as above.
        _ => unsafe { all_results::<D, ALL>(numbers, &map, count, to) },
    }
}

/// The same, with these of its steps.
///
/// # Safety
/// That of [`results_of`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn all_results<D: Store<__m512>, const STEPS: u8>(
    numbers: &[f32; 16],
    map: &Affine,
    count: usize,
    to: *mut u8,
) {
    let place = |y: usize| to.wrapping_add(y * 16 * size_of::<D>());
    let mut y = 0;
    // Four rows are packed together.
    while y + 4 <= count {
        let mut values = [_mm512_setzero_ps(); 4];
        for (i, values) in values.iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            *values = unsafe { values_of::<STEPS>(numbers, map, y + i) };
        }
        // SAFETY: as above.
        unsafe { D::store_four(place(y), values) };
        y += 4;
    }
    while y < count {
        // SAFETY: as above.
        unsafe { results_to::<D, STEPS>(numbers, map, y, place(y)) };
        y += 1;
    }
}

/// What `table` has for the elements of 16 bytes: a line of results of two bytes, or two lines of results of four.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn looked_up(bytes: __m128i, table: __m512i, to: usize) -> [__m512i; 2] {
    let wide = _mm512_cvtepu8_epi32(bytes);
    if to == 2 {
        // The lower five bits of each half count, and the fifth changes nothing.
        let at = _mm512_or_si512(wide, _mm512_slli_epi32::<12>(wide));
        return [_mm512_permutexvar_epi16(at, table), table];
    }
    let [low, high] = in_turn(wide, _mm512_castsi512_ps(table));
    [_mm512_castps_si512(low), _mm512_castps_si512(high)]
}

/// What `table` has for the lower and the upper halves of 16 bytes in turn.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn in_turn(wide: __m512i, table: __m512) -> [__m512; 2] {
    // The lower four bits count.
    let even = _mm512_permutexvar_ps(wide, table);
    let odd = _mm512_permutexvar_ps(_mm512_srli_epi32::<4>(wide), table);
    let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    [_mm512_permutex2var_ps(even, low, odd), _mm512_permutex2var_ps(even, high, odd)]
}

/// What `table` has for the elements of the 8 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn sixteen(src: *const u8, table: __m512) -> __m512 {
    // The bits from which on each element lies in all 8 bytes; the lower four count.
    let places = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    // SAFETY: the caller's promise; no alignment is needed.
    let all = _mm512_set1_epi64(unsafe { src.cast::<i64>().read_unaligned() });
    _mm512_permutexvar_ps(_mm512_multishift_epi64_epi8(places, all), table)
}

/// Rows whose elements have parameters of their own, or some of them.
///
/// # Safety
/// That of [`nibbles`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn by_numbers<D: Store<__m512>, const STEPS: u8>(job: &Nibbles<'_>, map: &Affine) {
    let to = size_of::<D>();
    // SAFETY: there are 16 numbers.
    let numbers = _mm512_castsi512_ps(unsafe { load64(job.numbers.as_ptr().cast()) });
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        let map = map.skip(0, y);
        let stream_lines = job.stream && dst.addr().is_multiple_of(64);
        let mut x = 0;
        while !stream_lines && x + 2 * MANY <= job.len {
            let mut values = [_mm512_setzero_ps(); 4];
            for (i, value) in values.iter_mut().enumerate() {
                // SAFETY: these elements are in the row.
                let number = unsafe { sixteen(src.wrapping_add(x / 2 + 8 * i), numbers) };
                // SAFETY: as above, and their values can be read.
                *value = apply::<STEPS>(number, &unsafe { at_hand::<STEPS>(&map, x + 16 * i) });
            }
            // SAFETY: as above.
            unsafe { D::store_four(dst.wrapping_add(x * to), values) };
            x += 2 * MANY;
        }
        while x + MANY <= job.len {
            for i in 0..2 {
                // SAFETY: these elements are in the row.
                let value = unsafe { sixteen(src.wrapping_add(x / 2 + 8 * i), numbers) };
                // SAFETY: as above, and their values can be read.
                let value = apply::<STEPS>(value, &unsafe { at_hand::<STEPS>(&map, x + 16 * i) });
                let at = dst.wrapping_add((x + 16 * i) * to);
                if stream_lines {
                    // SAFETY: as above; lines begin with the row.
                    unsafe { D::stream(at, value) };
                } else {
                    // SAFETY: as above.
                    unsafe { D::store(at, value) };
                }
            }
            x += MANY;
        }
        let rest = job.len - x;
        if rest > 0 {
            // SAFETY: these bytes hold the last elements of the row.
            let bytes = unsafe { load16_first(src.wrapping_add(x / 2), rest.div_ceil(2)) };
            for (i, value) in in_turn(_mm512_cvtepu8_epi32(bytes), numbers).into_iter().enumerate() {
                // SAFETY: there are some more values behind those of a row.
                let value = apply::<STEPS>(value, &unsafe { at_hand::<STEPS>(&map, x + 16 * i) });
                let left = rest.saturating_sub(16 * i).min(16);
                // SAFETY: this stops at the last element.
                unsafe { D::store_first(dst.wrapping_add((x + 16 * i) * to), value, left) };
            }
        }
    }
}

/// The parameters of 16 elements from `x` on.
///
/// # Safety
/// Their values can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn at_hand<const STEPS: u8>(map: &Affine, x: usize) -> [__m512; PARAMETERS] {
    let mut parameters = [_mm512_setzero_ps(); PARAMETERS];
    for (k, parameter) in parameters.iter_mut().enumerate() {
        if STEPS >> k & 1 == 1 {
            *parameter = if map.mask[k] == 0 {
                // SAFETY: the caller's promise.
                _mm512_set1_ps(unsafe { map.at[k].read() })
            } else {
                // SAFETY: as above.
                _mm512_castsi512_ps(unsafe { load64(map.at[k].wrapping_add(x).cast()) })
            };
        }
    }
    parameters
}
