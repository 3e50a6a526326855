//! PyTorch's `copy_` between tensors of any strides and types, through the C interface of its compiled models
//! (`torch/csrc/inductor/aoti_torch/c/shim.h`). Called by benchmarks.

use libloading::Library;
use std::ffi::{c_int, c_void};
use std::path::Path;
use std::ptr;

type Handle = *mut c_void;
type FromBlob =
    unsafe extern "C" fn(*mut c_void, i64, *const i64, *const i64, i64, i32, i32, i32, *mut Handle) -> c_int;

/// A data type of PyTorch's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// 64-bit floating point.
    Float64,
    /// 32-bit floating point.
    Float32,
    /// 16-bit floating point with 5 bits of exponent.
    Float16,
    /// 16-bit floating point with 8 bits of exponent.
    Bfloat16,
    /// 32-bit integers.
    Int32,
    /// 8-bit signed integers.
    Int8,
    /// 8-bit unsigned integers.
    Uint8,
}

const TYPES: [(Type, &[u8]); 7] = [
    (Type::Float64, b"aoti_torch_dtype_float64\0"),
    (Type::Float32, b"aoti_torch_dtype_float32\0"),
    (Type::Float16, b"aoti_torch_dtype_float16\0"),
    (Type::Bfloat16, b"aoti_torch_dtype_bfloat16\0"),
    (Type::Int32, b"aoti_torch_dtype_int32\0"),
    (Type::Int8, b"aoti_torch_dtype_int8\0"),
    (Type::Uint8, b"aoti_torch_dtype_uint8\0"),
];

/// The loaded library.
pub struct Torch {
    from_blob: FromBlob,
    delete: unsafe extern "C" fn(Handle) -> c_int,
    copy: unsafe extern "C" fn(Handle, Handle, i32) -> c_int,
    cpu: i32,
    types: [i32; TYPES.len()],
}

/// One side of a copy: where it begins and how far apart its elements lie, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The first element.
    pub start: usize,
    /// The type of the elements.
    pub dtype: Type,
    /// The distance along each axis.
    pub strides: Vec<usize>,
}

/// A copy of tensors with the same extents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Extents, none of which is zero.
    pub dims: Vec<usize>,
    /// What is read.
    pub src: Side,
    /// What is written.
    pub dst: Side,
}

impl Torch {
    /// The library that `scripts/peers torch` installed; `None` where there is none or it does not load.
    pub fn load() -> Option<Torch> {
        let path = crate::library("torch", "libtorch_cpu.so")?;
        match Torch::open(&path) {
            Ok(library) => Some(library),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                None
            }
        }
    }

    fn open(path: &Path) -> Result<Torch, libloading::Error> {
        for dependency in ["libcudart.so.12", "libcupti.so.12", "libc10.so"] {
            crate::preload(path, dependency)?;
        }
        // SAFETY: the library's initialisers have no preconditions.
        let library = unsafe { Library::new(path) }?;
        // SAFETY: the signatures are those of `shim.h`.
        let from_blob = *unsafe { library.get::<FromBlob>(b"aoti_torch_create_tensor_from_blob\0") }?;
        // SAFETY: as above.
        let delete = *unsafe { library.get(b"aoti_torch_delete_tensor_object\0") }?;
        // SAFETY: as above.
        let copy = *unsafe { library.get(b"aoti_torch_copy_\0") }?;
        let number = |name: &[u8]| {
            // SAFETY: as above: `int32_t name()`.
            let function = unsafe { library.get::<unsafe extern "C" fn() -> i32>(name) }?;
            // SAFETY: it returns a constant.
            Ok::<i32, libloading::Error>(unsafe { function() })
        };
        let cpu = number(b"aoti_torch_device_type_cpu\0")?;
        let mut types = [0; TYPES.len()];
        for (out, (_, name)) in types.iter_mut().zip(TYPES) {
            *out = number(name)?;
        }
        std::mem::forget(library);
        Ok(Torch { from_blob, delete, copy, cpu, types })
    }

    /// A copy that can be repeated on the same buffers without making its tensors again.
    pub fn prepare(&self, copy: Copy) -> Prepared<'_> {
        Prepared { torch: self, copy, made: None }
    }

    fn tensor(&self, dims: &[usize], side: &Side, bytes: *mut c_void) -> Handle {
        let signed = |values: &[usize]| values.iter().map(|&value| value as i64).collect::<Vec<_>>();
        let (sizes, strides) = (signed(dims), signed(&side.strides));
        assert_eq!(sizes.len(), strides.len(), "a distance along each axis");
        let of = TYPES.iter().position(|entry| entry.0 == side.dtype).expect("the table has every type");
        let mut handle = ptr::null_mut();
        // SAFETY: sizes and strides have as many entries as axes are announced; nothing is read of the bytes yet.
        let status = unsafe {
            (self.from_blob)(
                bytes,
                sizes.len() as i64,
                sizes.as_ptr(),
                strides.as_ptr(),
                side.start as i64,
                self.types[of],
                self.cpu,
                0,
                &mut handle,
            )
        };
        assert_eq!(status, 0, "PyTorch refuses the tensor {dims:?} {side:?}");
        handle
    }
}

/// See [`Torch::prepare`].
pub struct Prepared<'a> {
    torch: &'a Torch,
    copy: Copy,
    /// The buffers that the tensors were made for, and the tensors.
    made: Option<[(*mut c_void, Handle); 2]>,
}

impl Prepared<'_> {
    /// `dst.copy_(src)`.
    ///
    /// # Panics
    /// Where a slice is too short, or a side has not a distance along each axis.
    pub fn run(&mut self, src: &[u8], dst: &mut [u8]) {
        let last = |side: &Side| {
            let steps = self.copy.dims.iter().zip(&side.strides);
            let last = steps.fold(side.start, |at, (n, stride)| {
                // Saturates for no memory that there is.
                at.saturating_add(n.saturating_sub(1).saturating_mul(*stride))
            });
            last.saturating_add(1).saturating_mul(size(side.dtype))
        };
        assert!(src.len() >= last(&self.copy.src) && dst.len() >= last(&self.copy.dst));
        let buffers = [src.as_ptr() as *mut c_void, dst.as_mut_ptr().cast()];
        if self.made.is_none_or(|made| made.map(|one| one.0) != buffers) {
            self.forget();
            let Copy { dims, src, dst } = &self.copy;
            let handles = [(src, buffers[0]), (dst, buffers[1])]
                .map(|(side, at)| (at, self.torch.tensor(dims, side, at)));
            self.made = Some(handles);
        }
        let [(_, from), (_, to)] = self.made.expect("made above");
        // SAFETY: both tensors lie within the slices, as checked above, and the source is only read.
        let status = unsafe { (self.torch.copy)(to, from, 0) };
        assert_eq!(status, 0, "PyTorch refuses the copy");
    }

    fn forget(&mut self) {
        for (_, handle) in self.made.take().into_iter().flatten() {
            // SAFETY: the handle was made by the library and is not used again.
            unsafe { (self.torch.delete)(handle) };
        }
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        self.forget();
    }
}

const fn size(dtype: Type) -> usize {
    match dtype {
        Type::Float64 => 8,
        Type::Float32 | Type::Int32 => 4,
        Type::Float16 | Type::Bfloat16 => 2,
        Type::Int8 | Type::Uint8 => 1,
    }
}
