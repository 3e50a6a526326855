//! Intel MKL's out-of-place transposition, `mkl_?omatcopy`. Called by benchmarks.

use libloading::Library;
use std::ffi::c_char;

type Omatcopy<T> = unsafe extern "C" fn(c_char, c_char, usize, usize, T, *const T, usize, *mut T, usize);

/// The loaded library.
pub struct Mkl {
    f32: Omatcopy<f32>,
    f64: Omatcopy<f64>,
}

/// Many transpositions of one shape: a batch of `rows` x `cols` matrices, distances in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrices {
    /// Rows of a source matrix: elements of a destination row.
    pub rows: usize,
    /// Elements of a source row.
    pub cols: usize,
    /// Distance of two rows of the source.
    pub src_leading: usize,
    /// Distance of two rows of the destination.
    pub dst_leading: usize,
    /// Where each matrix begins, in the source and in the destination.
    pub starts: Vec<(usize, usize)>,
}

impl Matrices {
    /// Elements that the source and the destination must have.
    pub fn required_len(&self) -> (usize, usize) {
        if self.rows == 0 || self.cols == 0 {
            return (0, 0);
        }
        let src = (self.rows - 1) * self.src_leading + self.cols;
        let dst = (self.cols - 1) * self.dst_leading + self.rows;
        self.starts.iter().fold((0, 0), |(s, d), start| (s.max(start.0 + src), d.max(start.1 + dst)))
    }

    /// The same, checked against two slices.
    pub(crate) fn check<T>(&self, src: &[T], dst: &[T]) {
        let (src_len, dst_len) = self.required_len();
        assert!(src.len() >= src_len, "the source holds {} elements, {src_len} are needed", src.len());
        assert!(dst.len() >= dst_len, "the destination holds {} elements, {dst_len} are needed", dst.len());
    }
}

impl Mkl {
    /// The library that `scripts/peers mkl` installed; `None` where there is none or it does not load.
    pub fn load() -> Option<Mkl> {
        let path = crate::library("mkl", "libmkl_rt.so.3")?;
        match Mkl::open(&path) {
            Ok(library) => Some(library),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                None
            }
        }
    }

    fn open(path: &std::path::Path) -> Result<Mkl, libloading::Error> {
        // SAFETY: MKL's initialisers have no preconditions.
        let library = unsafe { Library::new(path) }?;
        // SAFETY: the signatures are those of `mkl_trans.h`.
        let f32 = *unsafe { library.get(b"MKL_Somatcopy\0") }?;
        // SAFETY: as above.
        let f64 = *unsafe { library.get(b"MKL_Domatcopy\0") }?;
        std::mem::forget(library);
        Ok(Mkl { f32, f64 })
    }

    /// Transposes every matrix of 4-byte elements.
    ///
    /// # Panics
    /// Where a slice is too short.
    pub fn transpose_f32(&self, matrices: &Matrices, src: &[f32], dst: &mut [f32]) {
        transpose(self.f32, 1.0, matrices, src, dst);
    }

    /// Transposes every matrix of 8-byte elements.
    ///
    /// # Panics
    /// Where a slice is too short.
    pub fn transpose_f64(&self, matrices: &Matrices, src: &[f64], dst: &mut [f64]) {
        transpose(self.f64, 1.0, matrices, src, dst);
    }
}

fn transpose<T: Copy>(function: Omatcopy<T>, one: T, matrices: &Matrices, src: &[T], dst: &mut [T]) {
    matrices.check(src, dst);
    let Matrices { rows, cols, src_leading, dst_leading, ref starts } = *matrices;
    for &(s, d) in starts {
        let (from, to) = (src[s..].as_ptr(), dst[d..].as_mut_ptr());
        // SAFETY: both matrices lie within the slices, as checked above; 'R' is row-major, 'T' transposes.
        unsafe {
            function(b'R' as c_char, b'T' as c_char, rows, cols, one, from, src_leading, to, dst_leading)
        };
    }
}
