//! Dot products of bytes: the portable one and VNNI's, and 1 x 1 convolutions of u8 with s8 as they are written without the
//! crate.

use super::columns::columns;
use tensor_layout::{Aligned, dispatch, unroll};

/// Extents: input channels, output channels, height, width.
#[derive(Clone, Copy)]
pub(crate) struct Extents {
    pub(crate) i: usize,
    pub(crate) o: usize,
    pub(crate) h: usize,
    pub(crate) w: usize,
}

/// Adds to each of 16 sums the dot product of four values with four weights of its own.
pub(crate) trait Dot: Copy {
    fn dot(self, values: [u8; 4], weights: &[[i8; 4]; 16], sums: [i32; 16]) -> [i32; 16];
}

#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Dot for Portable {
    #[inline(always)]
    fn dot(self, values: [u8; 4], weights: &[[i8; 4]; 16], sums: [i32; 16]) -> [i32; 16] {
        std::array::from_fn(|k| {
            let products = values.iter().zip(&weights[k]).map(|(&x, &w)| i32::from(x) * i32::from(w));
            sums[k] + products.sum::<i32>()
        })
    }
}

/// Proof that the processor has AVX-512 F and VNNI.
#[derive(Clone, Copy)]
pub(crate) struct Vnni(());

#[cfg(target_arch = "x86_64")]
impl Vnni {
    pub(crate) fn detect() -> Option<Vnni> {
        let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni");
        has.then_some(Vnni(()))
    }

    /// Runs `f` compiled for VNNI, which no token of the crate proves.
    #[inline(always)]
    pub(crate) fn run<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx512f,avx512vnni")]
        fn with_vnni<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: the token proves that the processor has the features.
        unsafe { with_vnni(f) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Dot for Vnni {
    #[inline(always)]
    fn dot(self, values: [u8; 4], weights: &[[i8; 4]; 16], sums: [i32; 16]) -> [i32; 16] {
        use std::arch::x86_64::{__m512i, _mm512_dpbusd_epi32, _mm512_set1_epi32};
        use std::mem::transmute;
        #[inline]
        #[target_feature(enable = "avx512f,avx512vnni")]
        fn dot(values: [u8; 4], weights: &[[i8; 4]; 16], sums: [i32; 16]) -> [i32; 16] {
            // SAFETY: both are 64 bytes of integers.
            let [weights, sums] = unsafe {
                [transmute::<[[i8; 4]; 16], __m512i>(*weights), transmute::<[i32; 16], __m512i>(sums)]
            };
            let sums = _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(i32::from_ne_bytes(values)), weights);
            // SAFETY: as above.
            unsafe { transmute::<__m512i, [i32; 16]>(sums) }
        }
        // SAFETY: the token proves that the processor has the features.
        unsafe { dot(values, weights, sums) }
    }
}

/// Elsewhere there is none.
#[cfg(not(target_arch = "x86_64"))]
impl Vnni {
    pub(crate) fn detect() -> Option<Vnni> {
        None
    }
    pub(crate) fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}
#[cfg(not(target_arch = "x86_64"))]
impl Dot for Vnni {
    fn dot(self, values: [u8; 4], weights: &[[i8; 4]; 16], sums: [i32; 16]) -> [i32; 16] {
        Portable.dot(values, weights, sums)
    }
}

/// Over `nChw16c` and `OIhw4i16o4i` in blocks that divide the channels, 28 or 4 pixels at a time.
pub(crate) fn blocked_raw(vnni: Option<Vnni>, src: &[u8], weights: &[i8], dst: &mut [i32], extents: Extents) {
    let Extents { i, o, h, w } = extents;
    assert!(src.len() == i * h * w && weights.len() == i * o && dst.len() == o * h * w);
    assert!(i % 16 == 0 && o % 16 == 0);
    let (src, weights, dst) = (src.as_ptr().cast(), weights.as_ptr().cast(), dst.as_mut_ptr().cast());
    match vnni {
        Some(vnni) => vnni.run(
            #[inline(always)]
            // SAFETY: the tensors have these extents.
            || unsafe { convolve::<28>(vnni, src, weights, dst, extents) },
        ),
        // SAFETY: as above.
        None => dispatch!(unsafe { convolve::<4>(Portable, src, weights, dst, extents) }),
    }
}

/// # Safety
/// The pointers are to tensors of these extents, which the blocks divide.
#[inline(always)]
unsafe fn convolve<const P: usize>(
    dot: impl Dot,
    src: *const [u8; 16],
    weights: *const [[[i8; 4]; 16]; 4],
    dst: *mut [i32; 16],
    Extents { i, o, h, w }: Extents,
) {
    let mut halo = Aligned([[0; 16]; P]);
    for ob in 0..o / 16 {
        for y in 0..h {
            for x in (0..w).step_by(P) {
                let mut sums = [[0; 16]; P];
                for ib in 0..i / 16 {
                    // SAFETY: the row lies in the picture.
                    let row = unsafe { src.add((ib * h + y) * w) };
                    // SAFETY: it has `w` pixels.
                    let pixels = unsafe { columns((row, w), x, 0, &mut halo) };
                    // SAFETY: the tile of these blocks.
                    let tile = unsafe { &*weights.add(ob * (i / 16) + ib) };
                    for (four, taps) in tile.iter().enumerate() {
                        unroll!(P, |p| {
                            // SAFETY: there are `P` pixels.
                            let pixel = unsafe { &*pixels.add(p) };
                            sums[p] = dot.dot(pixel.as_chunks().0[four], taps, sums[p]);
                        });
                    }
                }
                // SAFETY: the pixels lie in the picture, as many as are left of the row.
                let row = unsafe { dst.add((ob * h + y) * w + x) };
                if x + P <= w {
                    // SAFETY: as above.
                    unroll!(P, |p| unsafe { *row.add(p) = sums[p] });
                } else {
                    unroll!(P, |p| {
                        if x + p < w {
                            // SAFETY: as above.
                            unsafe { *row.add(p) = sums[p] };
                        }
                    });
                }
            }
        }
    }
}

/// Over slices in c, h, w order.
pub(crate) fn naive(src: &[u8], weights: &[i8], dst: &mut [i32], Extents { i, o, h, w }: Extents) {
    for to in 0..o {
        for pixel in 0..h * w {
            let mut sum = 0;
            for from in 0..i {
                sum += i32::from(src[from * h * w + pixel]) * i32::from(weights[to * i + from]);
            }
            dst[to * h * w + pixel] = sum;
        }
    }
}
