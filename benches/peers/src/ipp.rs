//! Intel IPP's image transpositions, channel splits and conversions. Called by benchmarks.
//!
//! The library for the processor at hand is called directly: IPP's own dispatcher looks for it in the loader's search path
//! alone.

use crate::mkl::Matrices;
use libloading::Library;
use std::ffi::c_int;
use std::path::Path;

/// `IppiSize`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Size {
    width: c_int,
    height: c_int,
}

type Transpose = unsafe extern "C" fn(*const u8, c_int, *mut u8, c_int, Size) -> c_int;
type Split = unsafe extern "C" fn(*const u8, c_int, *const *mut u8, c_int, Size) -> c_int;
type Join = unsafe extern "C" fn(*const *const u8, c_int, *mut u8, c_int, Size) -> c_int;

/// The functions for one element size.
struct Functions {
    transpose: Transpose,
    split: [Split; 2],
    join: [Join; 2],
}

/// The loaded library.
pub struct Ipp {
    /// For elements of 1, 2 and 4 bytes.
    sizes: [Functions; 3],
    u8_f32: Transpose,
    s8_f32: Transpose,
    f32_s8: unsafe extern "C" fn(*const u8, c_int, *mut u8, c_int, Size, c_int) -> c_int,
}

/// A conversion that IPP has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// u8 to f32.
    U8F32,
    /// s8 to f32.
    S8F32,
    /// f32 to s8, to the nearest even integer, saturating.
    F32S8,
}

impl Ipp {
    /// The library that `scripts/peers ipp` installed; `None` where there is none or it does not load.
    pub fn load() -> Option<Ipp> {
        let name = if cfg!(not(target_arch = "x86_64")) {
            return None;
        } else if std::env::var_os("TENSOR_LAYOUT_IPP_AVX2").is_none() && has_avx512() {
            "libippik0.so.12"
        } else {
            "libippil9.so.12"
        };
        let path = crate::library("ipp", name)?;
        match Ipp::open(&path) {
            Ok(library) => Some(library),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                None
            }
        }
    }

    fn open(path: &Path) -> Result<Ipp, libloading::Error> {
        let core = path.with_file_name("libippcore.so.12");
        // SAFETY: IPP's initialisers have no preconditions.
        let core = unsafe { Library::new(core) }?;
        // SAFETY: `IppStatus ippInit(void)`.
        let init = unsafe { core.get::<unsafe extern "C" fn() -> c_int>(b"ippInit\0") }?;
        // SAFETY: it may be called at any time; it learns the sizes of the caches.
        unsafe { init() };
        std::mem::forget(core);
        // SAFETY: as above; its dependency is loaded.
        let library = unsafe { Library::new(path) }?;
        macro_rules! get {
            ($name:expr) => {
                // SAFETY: the signatures are those of `ippi.h`.
                *unsafe { library.get(concat!($name, "\0").as_bytes()) }?
            };
        }
        macro_rules! functions {
            ($ty:literal) => {
                Functions {
                    transpose: get!(concat!("ippiTranspose_", $ty, "_C1R")),
                    split: [
                        get!(concat!("ippiCopy_", $ty, "_C3P3R")),
                        get!(concat!("ippiCopy_", $ty, "_C4P4R")),
                    ],
                    join: [
                        get!(concat!("ippiCopy_", $ty, "_P3C3R")),
                        get!(concat!("ippiCopy_", $ty, "_P4C4R")),
                    ],
                }
            };
        }
        let out = Ipp {
            sizes: [functions!("8u"), functions!("16u"), functions!("32s")],
            u8_f32: get!("ippiConvert_8u32f_C1R"),
            s8_f32: get!("ippiConvert_8s32f_C1R"),
            f32_s8: get!("ippiConvert_32f8s_C1R"),
        };
        std::mem::forget(library);
        Ok(out)
    }

    /// Whether [`Ipp::transpose`] can do `matrices` with elements of `bytes`: the distances are 32-bit integers.
    pub fn takes(&self, matrices: &Matrices, bytes: usize) -> bool {
        let largest = [matrices.rows, matrices.cols, matrices.src_leading, matrices.dst_leading];
        matches!(bytes, 1 | 2 | 4) && largest.iter().all(|&value| value * bytes <= c_int::MAX as usize)
    }

    /// Transposes every matrix of elements of `bytes`. Matrices of 3 or 4 rows or columns are dense images whose channels
    /// are split or joined, for which IPP has functions of their own.
    ///
    /// # Panics
    /// Where a slice is too short, where [`Ipp::takes`] is false, or where IPP refuses.
    pub fn transpose(&self, bytes: usize, matrices: &Matrices, src: &[u8], dst: &mut [u8]) {
        assert!(self.takes(matrices, bytes), "IPP has no such transposition");
        let (src_len, dst_len) = matrices.required_len();
        assert!(src.len() >= src_len * bytes, "the source holds {} bytes", src.len());
        assert!(dst.len() >= dst_len * bytes, "the destination holds {} bytes", dst.len());
        let functions = &self.sizes[bytes.ilog2() as usize];
        let Matrices { rows, cols, src_leading, dst_leading, ref starts } = *matrices;
        for &(s, d) in starts {
            let (from, to) = (src[s * bytes..].as_ptr(), dst[d * bytes..].as_mut_ptr());
            let row = |pixels: usize| Size { width: pixels as c_int, height: 1 };
            // Rows of one image are joined to one long row: no size is too wide for it, as checked above.
            let status = if matches!(cols, 3 | 4) && src_leading == cols {
                // SAFETY: only the first `cols` pointers are read; each is within the destination.
                let planes = std::array::from_fn::<_, 4, _>(|c| {
                    to.wrapping_add(c.min(cols - 1) * dst_leading * bytes)
                });
                let step = (dst_leading * bytes) as c_int;
                // SAFETY: the image of `rows` pixels and its planes lie within the slices, as checked above.
                unsafe {
                    functions.split[cols - 3](
                        from,
                        (rows * cols * bytes) as c_int,
                        planes.as_ptr(),
                        step,
                        row(rows),
                    )
                }
            } else if matches!(rows, 3 | 4) && dst_leading == rows {
                let planes = std::array::from_fn::<_, 4, _>(|c| {
                    from.wrapping_add(c.min(rows - 1) * src_leading * bytes)
                });
                let step = (src_leading * bytes) as c_int;
                // SAFETY: as above, the other way round.
                unsafe {
                    functions.join[rows - 3](
                        planes.as_ptr(),
                        step,
                        to,
                        (rows * cols * bytes) as c_int,
                        row(cols),
                    )
                }
            } else {
                let size = Size { width: cols as c_int, height: rows as c_int };
                let (from_step, to_step) = ((src_leading * bytes) as c_int, (dst_leading * bytes) as c_int);
                // SAFETY: both matrices lie within the slices, as checked above.
                unsafe { (functions.transpose)(from, from_step, to, to_step, size) }
            };
            assert!(status >= 0, "IPP returned status {status}");
        }
    }

    /// Converts `len` elements that lie one behind the other.
    ///
    /// # Panics
    /// Where a slice is too short or IPP refuses.
    pub fn convert(&self, conversion: Conversion, len: usize, src: &[u8], dst: &mut [u8]) {
        let (from, to) = match conversion {
            Conversion::U8F32 | Conversion::S8F32 => (1, 4),
            Conversion::F32S8 => (4, 1),
        };
        assert!(src.len() >= len * from, "the source holds {} bytes", src.len());
        assert!(dst.len() >= len * to, "the destination holds {} bytes", dst.len());
        // In rows, since the distance of two is a 32-bit integer.
        let mut done = 0;
        while done < len {
            let width = (len - done).min(1 << 28);
            let size = Size { width: width as c_int, height: 1 };
            let (steps, at) = (((width * from) as c_int, (width * to) as c_int), (done * from, done * to));
            let (s, d) = (src[at.0..].as_ptr(), dst[at.1..].as_mut_ptr());
            let status = match conversion {
                // SAFETY: `width` elements lie within the slices from here on, as checked above.
                Conversion::U8F32 => unsafe { (self.u8_f32)(s, steps.0, d, steps.1, size) },
                // SAFETY: as above.
                Conversion::S8F32 => unsafe { (self.s8_f32)(s, steps.0, d, steps.1, size) },
                // SAFETY: as above; 1 is `ippRndNear`.
                Conversion::F32S8 => unsafe { (self.f32_s8)(s, steps.0, d, steps.1, size, 1) },
            };
            assert!(status >= 0, "IPP returned status {status}");
            done += width;
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    std::is_x86_feature_detected!("avx512bw") && std::is_x86_feature_detected!("avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}
