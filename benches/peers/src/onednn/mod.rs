//! oneDNN's C interface (v3), as far as memory descriptors and reorders need it. Signatures and values are those of
//! `dnnl.h` and `dnnl_types.h` of version 3.2 (the C interface is stable within a major version).

mod attributes;
mod convolution;
mod interface;
mod memory;
mod reorder;

pub use attributes::{Attributes, Values};
pub use convolution::Convolution;
pub use memory::MemoryDesc;
pub use reorder::Reorder;

use interface::{Functions, Handle, call};
use libloading::Library;
use std::ffi::{CString, c_int};
use std::path::{Path, PathBuf};
use std::ptr;

/// `DNNL_MAX_NDIMS`.
pub const MAX_NDIMS: usize = 12;

type Dims = [i64; MAX_NDIMS];

/// `dnnl_data_type_t`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum DataType {
    /// IEEE 754 binary16.
    F16 = 1,
    /// bfloat16.
    Bf16 = 2,
    /// IEEE 754 binary32.
    F32 = 3,
    /// Signed 32-bit integer.
    S32 = 4,
    /// Signed 8-bit integer.
    S8 = 5,
    /// Unsigned 8-bit integer.
    U8 = 6,
    /// IEEE 754 binary64.
    F64 = 7,
    /// True or false, a byte.
    Boolean = 8,
    /// 8-bit float with 5 bits of exponent.
    F8E5M2 = 9,
    /// 8-bit float with 4 bits of exponent.
    F8E4M3 = 10,
    /// Signed 4-bit integer.
    S4 = 11,
    /// Unsigned 4-bit integer.
    U4 = 12,
    /// 8 bits of exponent.
    E8M0 = 13,
    /// 4-bit float with 2 bits of exponent.
    F4E2M1 = 14,
    /// 4-bit float with 3 bits of exponent.
    F4E3M0 = 15,
}

/// A status other than success, with the call that returned it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Name of the C function.
    pub call: &'static str,
    /// `dnnl_status_t`: 1 out of memory, 2 invalid arguments, 3 unimplemented, ….
    pub code: i32,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} returned status {}", self.call, self.code)
    }
}

impl std::error::Error for Status {}

/// Libraries that the wheel with a SYCL runtime depends on, in this order; the others bring none of them.
const RUNTIMES: [&str; 10] = [
    "libintlc.so.5",
    "libimf.so",
    "libsvml.so",
    "libirng.so",
    "libhwloc.so.15",
    "libtbb.so.12",
    "libumf.so.1",
    "libur_loader.so.0",
    "libOpenCL.so.1",
    "libsycl.so.9",
];

/// The loaded library with a CPU engine and a stream.
pub struct OneDnn {
    functions: Functions,
    engine: Handle,
    stream: Handle,
    path: PathBuf,
    _library: Library,
}

fn check(call: &'static str, code: c_int) -> Result<(), Status> {
    if code == 0 { Ok(()) } else { Err(Status { call, code }) }
}

impl OneDnn {
    /// Loads the library named by the environment variable `TENSOR_LAYOUT_ONEDNN`, or else the one that
    /// `scripts/peers` installed below `target/peers` of the workspace. `None` where there is none; the reason is
    /// printed where one is there and does not load.
    pub fn load() -> Option<OneDnn> {
        open_or_say(&std::env::var_os("TENSOR_LAYOUT_ONEDNN").map(PathBuf::from).or_else(installed)?)
    }

    /// Loads every version that `scripts/peers` installed, the oldest first. Says why where one does not load.
    pub fn load_all() -> Vec<OneDnn> {
        ["onednn", "onednn-3.6", "onednn-3.13"]
            .into_iter()
            .filter_map(|folder| open_or_say(&crate::library(folder, "libdnnl.so.3")?))
            .collect()
    }

    /// Loads the library at `path`.
    ///
    /// # Errors
    /// The loader's, or a status of the library.
    pub fn open(path: &Path) -> Result<OneDnn, Box<dyn std::error::Error>> {
        for name in RUNTIMES {
            crate::preload(path, name)?;
        }
        // SAFETY: oneDNN's initialisers have no preconditions.
        let library = unsafe { Library::new(path) }?;
        let functions = Functions::load(&library)?;
        let mut out = OneDnn {
            functions,
            engine: ptr::null_mut(),
            stream: ptr::null_mut(),
            path: path.to_owned(),
            _library: library,
        };
        let (mut engine, mut stream) = (ptr::null_mut(), ptr::null_mut());
        call!(out, dnnl_engine_create(&mut engine, 1, 0))?;
        call!(out, dnnl_stream_create(&mut stream, engine, 1))?;
        (out.engine, out.stream) = (engine, stream);
        Ok(out)
    }

    /// Where the library was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Major and minor version, as in `3.2`.
    pub fn version(&self) -> String {
        // SAFETY: the function takes nothing and returns a pointer to a constant, or null.
        let version = unsafe { (self.functions.version)() };
        // SAFETY: as above; the fields read are the first of the structure in every version.
        match unsafe { version.as_ref() } {
            Some(version) => format!("{}.{}", version.major, version.minor),
            None => String::from("?"),
        }
    }

    /// Primitives that the library keeps to hand out again; 0 turns its cache off.
    ///
    /// # Errors
    /// The library's status.
    pub fn set_cache_capacity(&self, primitives: usize) -> Result<(), Status> {
        call!(self, dnnl_set_primitive_cache_capacity(primitives as c_int))
    }

    /// A descriptor from a tag by name; any blocked tag of oneDNN's grammar in `abc` letters works.
    ///
    /// # Errors
    /// The library's status.
    pub fn with_tag(&self, dims: &[usize], dtype: DataType, tag: &str) -> Result<MemoryDesc<'_>, Status> {
        let tag = CString::new(tag).map_err(|_| Status { call: "tag", code: 2 })?;
        let mut md = ptr::null_mut();
        let padded = to_dims(dims);
        call!(
            self,
            dnnl_memory_desc_create_with_string_tag(
                &mut md,
                dims.len() as c_int,
                padded.as_ptr(),
                dtype as c_int,
                tag.as_ptr()
            )
        )?;
        Ok(MemoryDesc { library: self, handle: md })
    }

    /// A plain descriptor from strides in elements.
    ///
    /// # Errors
    /// The library's status.
    pub fn with_strides(
        &self,
        dims: &[usize],
        dtype: DataType,
        strides: &[usize],
    ) -> Result<MemoryDesc<'_>, Status> {
        let mut md = ptr::null_mut();
        let (dims_array, strides) = (to_dims(dims), to_dims(strides));
        call!(
            self,
            dnnl_memory_desc_create_with_strides(
                &mut md,
                dims.len() as c_int,
                dims_array.as_ptr(),
                dtype as c_int,
                strides.as_ptr()
            )
        )?;
        Ok(MemoryDesc { library: self, handle: md })
    }
}

fn open_or_say(path: &Path) -> Option<OneDnn> {
    match OneDnn::open(path) {
        Ok(library) => Some(library),
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            None
        }
    }
}

/// The library that the tests compare with, below `target/peers`.
fn installed() -> Option<PathBuf> {
    crate::library("onednn", "libdnnl.so.3")
}

fn to_dims(values: &[usize]) -> Dims {
    let mut out = [0; MAX_NDIMS];
    for (out, &value) in out.iter_mut().zip(values) {
        *out = value as i64;
    }
    out
}
