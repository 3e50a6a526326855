//! Elements of 4 bits to floats, 32 at a time: all 16 results in registers where elements have the same parameters, else the
//! 16 numbers. Called by `drive::convert` by way of `avx2`.

use super::super::super::super::drive::Nibbles;
use super::*;

/// Elements that are taken at a time.
const MANY: usize = 32;

/// Results of 32 bits of so many elements at a time.
const PART: usize = 8;

/// The 16 numbers that elements stand for, by the upper 16 bits, which are all that they have.
#[derive(Clone, Copy)]
pub(in super::super) struct Numbers(Results);

/// 16 results as they are looked up: the lower and the upper bytes of those of 16 bits, twice each; the first and the last eight
/// of those of 32.
#[derive(Clone, Copy)]
pub(in super::super) struct Results([__m256i; 2]);

/// Converts the elements of `job`, with an affine map if there is one.
///
/// # Safety
/// That of the type of such loops in `drive::convert`; `D` is f32 or has 16 bits.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn nibbles<D: Store<__m256>>(job: &Nibbles<'_>, map: Option<&Affine>) {
    let (steps, map) = map.map_or((NONE, Affine::neutral()), Affine::steps);
    if steps == NONE || map.mask == [0; PARAMETERS] {
        // SAFETY: the caller's promise.
        unsafe { by_results::<D>(job, &map, steps) };
    } else if steps == FACTOR {
        // SAFETY: as above.
        unsafe { by_numbers::<D, FACTOR>(job, &map) };
    } else {
        // SAFETY: as above.
        unsafe { by_numbers::<D, ALL>(job, &map) };
    }
}

/// Rows whose elements have the same parameters each.
///
/// # Safety
/// That of [`nibbles`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn by_results<D: Store<__m256>>(job: &Nibbles<'_>, map: &Affine, steps: u8) {
    let (to, own) = (size_of::<D>(), steps != NONE && map.row != [0; PARAMETERS]);
    // SAFETY: the caller's promise: row 0 is there.
    let mut table = unsafe { results::<D>(job.numbers, map, steps, 0) };
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        if own {
            // SAFETY: the caller's promise.
            table = unsafe { results::<D>(job.numbers, map, steps, y) };
        }
        let stream = job.stream && dst.addr().is_multiple_of(size_of::<__m256i>());
        let mut x = 0;
        while x + MANY <= job.len {
            // SAFETY: these elements are in the row.
            let found = looked_up::<D>(unsafe { load16(src.wrapping_add(x / 2)) }, table);
            for (i, register) in found.into_iter().take(to).enumerate() {
                let at = dst.wrapping_add(x * to + size_of::<__m256i>() * i);
                if stream {
                    // SAFETY: as above; registers begin with the row.
                    unsafe { stream32(at, register) };
                } else {
                    // SAFETY: as above.
                    unsafe { store32(at, register) };
                }
            }
            x += MANY;
        }
        let rest = job.len - x;
        if rest > 0 {
            // SAFETY: these bytes hold the last elements of the row.
            let bytes = unsafe { load16_first(src.wrapping_add(x / 2), rest.div_ceil(2)) };
            for (i, register) in looked_up::<D>(bytes, table).into_iter().take(to).enumerate() {
                let at = size_of::<__m256i>() * i;
                let left = (rest * to).saturating_sub(at).min(size_of::<__m256i>());
                // SAFETY: this stops at the last element.
                unsafe { store32_first(dst.wrapping_add(x * to + at), register, left) };
            }
        }
    }
}

/// The results of all 16 numbers for row `y`.
///
/// # Safety
/// The values of the row's parameters can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn results<D: Store<__m256>>(numbers: &[f32; 16], map: &Affine, steps: u8, y: usize) -> Results {
    let mut found = [0u8; 2 * size_of::<__m256i>()];
    // SAFETY: the caller's promise; 16 results are two registers at most.
    unsafe { write_results::<D>(numbers, map, steps, y, found.as_mut_ptr()) };
    // SAFETY of both: these are 16 results.
    match size_of::<D>() {
        // SAFETY: see above.
        2 => unsafe { Results::at::<2>(found.as_ptr()) },
        // SAFETY: see above.
        _ => unsafe { Results::at::<4>(found.as_ptr()) },
    }
}

/// Writes the results of all 16 numbers for row `y`.
///
/// # Safety
/// The values of the row's parameters can be read, and 16 results written.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn write_results<D: Store<__m256>>(
    numbers: &[f32; 16],
    map: &Affine,
    steps: u8,
    y: usize,
    to: *mut u8,
) {
    let mut parameters = [_mm256_setzero_ps(); PARAMETERS];
    for (k, parameter) in parameters.iter_mut().enumerate() {
        *parameter = if steps >> k & 1 == 1 {
            // SAFETY: the caller's promise.
            _mm256_set1_ps(unsafe { map.at[k].wrapping_add(y * map.row[k]).read() })
        } else {
            _mm256_set1_ps(NEUTRAL[k])
        };
    }
    for half in 0..2 {
        // SAFETY: there are 16 numbers.
        let numbers = unsafe { load32(numbers.as_ptr().wrapping_add(PART * half).cast()) };
        let values = apply::<ALL>(_mm256_castsi256_ps(numbers), &parameters);
        // SAFETY: the caller's promise.
        unsafe { D::store(to.wrapping_add(PART * half * size_of::<D>()), values) };
    }
}

/// Writes the results of 16 numbers for each of `count` rows, one after the other.
///
/// # Safety
/// The values of each row's parameters can be read, and all results written.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn results_of<D: Store<__m256>>(
    numbers: &[f32; 16],
    map: Option<&Affine>,
    count: usize,
    to: *mut u8,
) {
    let (steps, map) = map.map_or((NONE, Affine::neutral()), Affine::steps);
    for y in 0..count {
        // SAFETY: the caller's promise.
        unsafe { write_results::<D>(numbers, &map, steps, y, to.wrapping_add(y * 16 * size_of::<D>())) };
    }
}

impl Results {
    /// 16 results of `W` bytes at `from`, 2 or 4.
    ///
    /// # Safety
    /// They can be read.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(in super::super) unsafe fn at<const W: usize>(from: *const u8) -> Results {
        // SAFETY: the caller's promise.
        let first = unsafe { load32(from) };
        if W == 4 {
            // SAFETY: as above: these results fill two registers.
            return Results([first, unsafe { load32(from.wrapping_add(size_of::<__m256i>())) }]);
        }
        let parts =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
        // The lower bytes of all, then the upper ones.
        let parted = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(first, parts));
        let (low, high) = halves(parted);
        Results([_mm256_broadcastsi128_si256(low), _mm256_broadcastsi128_si256(high)])
    }

    /// The results of 16 bits for the lower halves of these bytes, whose upper halves are zero: of the first eight of both lanes,
    /// and of the last eight.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(in super::super) fn of_16_bits(self, bytes: __m256i) -> [__m256i; 2] {
        let low = _mm256_shuffle_epi8(self.0[0], bytes);
        let high = _mm256_shuffle_epi8(self.0[1], bytes);
        [_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)]
    }

    /// The results of 32 bits for the lower four bits of these numbers.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(in super::super) fn of_32_bits(self, numbers: __m256i) -> __m256i {
        // The index is three bits wide.
        let first = _mm256_permutevar8x32_ps(_mm256_castsi256_ps(self.0[0]), numbers);
        let last = _mm256_permutevar8x32_ps(_mm256_castsi256_ps(self.0[1]), numbers);
        let is_last = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(numbers));
        _mm256_castps_si256(_mm256_blendv_ps(first, last, is_last))
    }
}

impl Numbers {
    /// `numbers`, whose lower 16 bits are zero.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(in super::super) fn new(numbers: &[f32; 16]) -> Numbers {
        let mut upper = [0u16; 16];
        for (upper, number) in upper.iter_mut().zip(numbers) {
            debug_assert!(number.to_bits() << 16 == 0);
            *upper = (number.to_bits() >> 16) as u16;
        }
        // SAFETY: these are 16 of two bytes.
        Numbers(unsafe { Results::at::<2>(upper.as_ptr().cast()) })
    }

    /// The numbers for the lower halves of these bytes, whose upper halves are zero, in an order that is made by [`place`].
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(in super::super) fn of(self, bytes: __m256i) -> [__m256; 4] {
        let (zero, [first, last]) = (_mm256_setzero_si256(), self.0.of_16_bits(bytes));
        [
            _mm256_castsi256_ps(_mm256_unpacklo_epi16(zero, first)),
            _mm256_castsi256_ps(_mm256_unpackhi_epi16(zero, first)),
            _mm256_castsi256_ps(_mm256_unpacklo_epi16(zero, last)),
            _mm256_castsi256_ps(_mm256_unpackhi_epi16(zero, last)),
        ]
    }
}

/// Where byte `k` of 32 lies in a register that is looked up, so that results of `W` bytes are in order: zips of their bytes, two of
/// them for 4, leave what is in the middle where the lanes change places with it.
#[inline(always)]
pub(in super::super) const fn place<const W: usize>(k: usize) -> usize {
    match W {
        2 => k & 0b111 | (k & 0b1_0000) >> 1 | (k & 0b1000) << 1,
        _ => k & 0b11 | (k & 0b1_1000) >> 1 | (k & 0b100) << 2,
    }
}

/// What `table` has for the elements of 16 bytes, as many registers as a result has bytes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn looked_up<D>(bytes: __m128i, table: Results) -> [__m256i; 4] {
    if size_of::<D>() == 2 {
        // The bytes of eight elements go to where `place` has them.
        let [first, last] = table.of_16_bits(parted(_mm_shuffle_epi32::<0b11_01_10_00>(bytes)));
        return [first, last, first, last];
    }
    let both = _mm256_broadcastsi128_si256(bytes);
    let upper = _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4);
    let mut found = [both; 4];
    for (i, found) in found.iter_mut().enumerate() {
        // Each of four bytes twice.
        let pairs = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
        let places = _mm256_add_epi32(pairs, _mm256_set1_epi32(4 * i as i32));
        let numbers = _mm256_shuffle_epi8(both, places);
        *found = table.of_32_bits(_mm256_srlv_epi32(numbers, upper));
    }
    found
}

/// The elements of 16 bytes, a byte each.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn parted(bytes: __m128i) -> __m256i {
    let wide = _mm256_cvtepu8_epi16(bytes);
    let both = _mm256_or_si256(wide, _mm256_slli_epi16::<4>(wide));
    _mm256_and_si256(both, _mm256_set1_epi8(0x0F))
}

/// Rows whose elements have parameters of their own, or some of them.
///
/// # Safety
/// That of [`nibbles`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn by_numbers<D: Store<__m256>, const STEPS: u8>(job: &Nibbles<'_>, map: &Affine) {
    let to = size_of::<D>();
    let numbers = Numbers::new(job.numbers);
    // Where the bytes of two elements go: those of `place`.
    let places = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        let map = map.skip(0, y);
        let stream = job.stream && dst.addr().is_multiple_of(size_of::<__m256i>());
        let mut x = 0;
        while x < job.len {
            let len = if job.len - x < MANY { job.len - x } else { MANY };
            let bytes = if len == MANY {
                // SAFETY: these elements are in the row.
                unsafe { load16(src.wrapping_add(x / 2)) }
            } else {
                // SAFETY: these bytes hold the last elements of the row.
                unsafe { load16_first(src.wrapping_add(x / 2), len.div_ceil(2)) }
            };
            let mut values = numbers.of(parted(_mm_shuffle_epi8(bytes, places)));
            for (i, value) in values.iter_mut().enumerate() {
                // SAFETY: the values of these elements can be read, and some more behind those of a row.
                *value = apply::<STEPS>(*value, &unsafe { at_hand::<STEPS>(&map, x + PART * i) });
            }
            let at = |i: usize| dst.wrapping_add((x + PART * i) * to);
            if len < MANY {
                for (i, value) in values.into_iter().enumerate() {
                    let left = len.saturating_sub(PART * i).min(PART);
                    // SAFETY: this stops at the last element.
                    unsafe { D::store_first(at(i), value, left) };
                }
            } else if stream {
                for (i, value) in values.into_iter().enumerate() {
                    // SAFETY: these elements are in the row; registers begin with it.
                    unsafe { D::stream(at(i), value) };
                }
            } else {
                // SAFETY: these elements are in the row.
                unsafe { D::store_four(at(0), values) };
            }
            x += len;
        }
    }
}

/// The parameters of 8 elements from `x` on.
///
/// # Safety
/// Their values can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn at_hand<const STEPS: u8>(map: &Affine, x: usize) -> [__m256; PARAMETERS] {
    let mut parameters = [_mm256_setzero_ps(); PARAMETERS];
    for (k, parameter) in parameters.iter_mut().enumerate() {
        if STEPS >> k & 1 == 1 {
            *parameter = if map.mask[k] == 0 {
                // SAFETY: the caller's promise.
                _mm256_set1_ps(unsafe { map.at[k].read() })
            } else {
                // SAFETY: as above.
                _mm256_castsi256_ps(unsafe { load32(map.at[k].wrapping_add(x).cast()) })
            };
        }
    }
    parameters
}
