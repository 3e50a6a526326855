//! oneDNN's C interface (v3), as far as memory descriptors and reorders need it. Signatures and values are those of
//! `dnnl.h` and `dnnl_types.h` of version 3.2 (the C interface is stable within a major version).

use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

/// `DNNL_MAX_NDIMS`.
pub const MAX_NDIMS: usize = 12;

type Dims = [i64; MAX_NDIMS];
type Handle = *mut c_void;

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

macro_rules! interface {
    ($($name:ident: fn($($arg:ty),*);)*) => {
        /// The functions, as loaded.
        struct Functions {
            $($name: unsafe extern "C" fn($($arg),*) -> c_int,)*
            size: unsafe extern "C" fn(Handle) -> usize,
        }
        impl Functions {
            fn load(library: &Library) -> Result<Functions, libloading::Error> {
                Ok(Functions {
                    // SAFETY: the signatures are those of oneDNN's public header.
                    $($name: *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }?,)*
                    // SAFETY: as above.
                    size: *unsafe { library.get(b"dnnl_memory_desc_get_size\0") }?,
                })
            }
        }
    };
}
interface! {
    dnnl_engine_create: fn(*mut Handle, c_int, usize);
    dnnl_stream_create: fn(*mut Handle, Handle, c_uint);
    dnnl_stream_wait: fn(Handle);
    dnnl_memory_desc_create_with_string_tag: fn(*mut Handle, c_int, *const i64, c_int, *const c_char);
    dnnl_memory_desc_create_with_strides: fn(*mut Handle, c_int, *const i64, c_int, *const i64);
    dnnl_memory_desc_create_submemory: fn(*mut Handle, Handle, *const i64, *const i64);
    dnnl_memory_desc_permute_axes: fn(*mut Handle, Handle, *const c_int);
    dnnl_memory_desc_reshape: fn(*mut Handle, Handle, c_int, *const i64);
    dnnl_memory_desc_query: fn(Handle, c_int, *mut c_void);
    dnnl_memory_desc_destroy: fn(Handle);
    dnnl_memory_create: fn(*mut Handle, Handle, Handle, *mut c_void);
    dnnl_memory_set_data_handle: fn(Handle, *mut c_void);
    dnnl_memory_destroy: fn(Handle);
    dnnl_reorder_primitive_desc_create: fn(*mut Handle, Handle, Handle, Handle, Handle, Handle);
    dnnl_primitive_create: fn(*mut Handle, Handle);
    dnnl_primitive_desc_destroy: fn(Handle);
    dnnl_primitive_desc_query: fn(Handle, c_int, c_int, *mut c_void);
    dnnl_primitive_execute: fn(Handle, Handle, c_int, *const Argument);
    dnnl_primitive_destroy: fn(Handle);
}

#[repr(C)]
struct Argument {
    arg: c_int,
    memory: Handle,
}

/// `DNNL_ARG_FROM` and `DNNL_ARG_TO`.
const ARG_SRC: c_int = 1;
const ARG_DST: c_int = 17;

/// `dnnl_query_t`.
const QUERY_IMPL_INFO: c_int = 8;
const QUERY_STRIDES: c_int = 14;
const QUERY_NDIMS: c_int = 256;
const QUERY_DIMS: c_int = 257;
const QUERY_OFFSET: c_int = 259;
const QUERY_PADDED_DIMS: c_int = 260;
const QUERY_PADDED_OFFSETS: c_int = 261;
const QUERY_INNER_NBLKS: c_int = 263;
const QUERY_INNER_BLKS: c_int = 264;
const QUERY_INNER_IDXS: c_int = 265;

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

/// Calls a function of the interface and turns its status into a `Result`.
macro_rules! call {
    ($self:expr, $name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: handles come from the library and are alive; pointers are to arrays of the documented length.
        check(stringify!($name), unsafe { ($self.functions.$name)($($arg),*) })
    };
}

impl OneDnn {
    /// Loads the library named by the environment variable `TENSOR_LAYOUT_ONEDNN`, or else the one that
    /// `scripts/peers` installed below `target/peers` of the workspace. `None` where there is none; the reason is
    /// printed where one is there and does not load.
    pub fn load() -> Option<OneDnn> {
        let path = std::env::var_os("TENSOR_LAYOUT_ONEDNN").map(PathBuf::from).or_else(installed)?;
        match OneDnn::open(&path) {
            Ok(library) => Some(library),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                None
            }
        }
    }

    /// Loads the library at `path`.
    ///
    /// # Errors
    /// The loader's, or a status of the library.
    pub fn open(path: &Path) -> Result<OneDnn, Box<dyn std::error::Error>> {
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

    /// A reorder without attributes.
    ///
    /// # Errors
    /// The library's status, 3 where it has no implementation.
    pub fn reorder(&self, src: &MemoryDesc<'_>, dst: &MemoryDesc<'_>) -> Result<Reorder<'_>, Status> {
        let (mut description, mut primitive) = (ptr::null_mut(), ptr::null_mut());
        call!(
            self,
            dnnl_reorder_primitive_desc_create(
                &mut description,
                src.handle,
                self.engine,
                dst.handle,
                self.engine,
                ptr::null_mut()
            )
        )?;
        let created = call!(self, dnnl_primitive_create(&mut primitive, description));
        let mut name: *const c_char = ptr::null();
        let queried = call!(
            self,
            dnnl_primitive_desc_query(description, QUERY_IMPL_INFO, 0, (&raw mut name).cast::<c_void>())
        );
        let implementation = if queried.is_ok() && !name.is_null() {
            // SAFETY: the library returns a static string.
            unsafe { std::ffi::CStr::from_ptr(name) }.to_string_lossy().into_owned()
        } else {
            String::new()
        };
        call!(self, dnnl_primitive_desc_destroy(description))?;
        created?;
        let (mut src_memory, mut dst_memory) = (ptr::null_mut(), ptr::null_mut());
        call!(self, dnnl_memory_create(&mut src_memory, src.handle, self.engine, ptr::null_mut()))?;
        call!(self, dnnl_memory_create(&mut dst_memory, dst.handle, self.engine, ptr::null_mut()))?;
        Ok(Reorder {
            library: self,
            primitive,
            src_memory,
            dst_memory,
            src_bytes: src.end_bytes(),
            dst_bytes: dst.end_bytes(),
            implementation,
        })
    }
}

/// The newest library below `target/peers`.
fn installed() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?.join("target/peers/onednn");
    let path = root.join("libdnnl.so.3");
    path.exists().then_some(path)
}

fn to_dims(values: &[usize]) -> Dims {
    let mut out = [0; MAX_NDIMS];
    for (out, &value) in out.iter_mut().zip(values) {
        *out = value as i64;
    }
    out
}

/// `dnnl_memory_desc_t`.
pub struct MemoryDesc<'a> {
    library: &'a OneDnn,
    handle: Handle,
}

impl MemoryDesc<'_> {
    fn list(&self, what: c_int, len: usize) -> Vec<usize> {
        let mut array: *const i64 = ptr::null();
        let found =
            call!(self.library, dnnl_memory_desc_query(self.handle, what, (&raw mut array).cast::<c_void>()));
        if found.is_err() || array.is_null() {
            return Vec::new();
        }
        // SAFETY: the library returns a pointer to `DNNL_MAX_NDIMS` values inside the descriptor, which is alive.
        let values = unsafe { std::slice::from_raw_parts(array, len.min(MAX_NDIMS)) };
        values.iter().map(|&value| value as usize).collect()
    }

    fn number(&self, what: c_int) -> i64 {
        let mut value = 0i64;
        // 32-bit results leave the upper half as it is: zero, on the little-endian machines that oneDNN runs on.
        let _ =
            call!(self.library, dnnl_memory_desc_query(self.handle, what, (&raw mut value).cast::<c_void>()));
        value
    }

    /// Number of axes.
    pub fn ndims(&self) -> usize {
        self.number(QUERY_NDIMS) as usize
    }

    /// Logical extents.
    pub fn dims(&self) -> Vec<usize> {
        self.list(QUERY_DIMS, self.ndims())
    }

    /// Extents in memory.
    pub fn padded_dims(&self) -> Vec<usize> {
        self.list(QUERY_PADDED_DIMS, self.ndims())
    }

    /// Offsets of the logical origin within the padded area.
    pub fn padded_offsets(&self) -> Vec<usize> {
        self.list(QUERY_PADDED_OFFSETS, self.ndims())
    }

    /// Outer strides in logical order.
    pub fn strides(&self) -> Vec<usize> {
        self.list(QUERY_STRIDES, self.ndims())
    }

    /// Inner blocks as (axis, size), outermost first.
    pub fn inner_blocks(&self) -> Vec<(usize, usize)> {
        let count = self.number(QUERY_INNER_NBLKS) as usize;
        self.list(QUERY_INNER_IDXS, count).into_iter().zip(self.list(QUERY_INNER_BLKS, count)).collect()
    }

    /// `offset0`, in elements.
    pub fn offset0(&self) -> usize {
        self.number(QUERY_OFFSET) as usize
    }

    /// `dnnl_memory_desc_get_size`, in bytes; 0 for a descriptor with an offset.
    pub fn size_bytes(&self) -> usize {
        // SAFETY: the descriptor is alive.
        unsafe { (self.library.functions.size)(self.handle) }
    }

    /// An upper bound of the bytes that an execution touches: one past the last padded element. Offset included.
    fn end_bytes(&self) -> usize {
        let blocks = self.inner_blocks();
        let mut last = self.offset0();
        for (axis, (&padded, &stride)) in self.padded_dims().iter().zip(&self.strides()).enumerate() {
            let block: usize = blocks.iter().filter(|b| b.0 == axis).map(|b| b.1).product();
            last += (padded / block).saturating_sub(1) * stride;
        }
        let inner: usize = blocks.iter().map(|b| b.1).product();
        (last + inner) * 8
    }

    /// `dnnl_memory_desc_create_submemory`.
    ///
    /// # Errors
    /// The library's status.
    pub fn submemory(&self, dims: &[usize], offsets: &[usize]) -> Result<Self, Status> {
        let mut md = ptr::null_mut();
        let (dims, offsets) = (to_dims(dims), to_dims(offsets));
        call!(
            self.library,
            dnnl_memory_desc_create_submemory(&mut md, self.handle, dims.as_ptr(), offsets.as_ptr())
        )?;
        Ok(MemoryDesc { library: self.library, handle: md })
    }

    /// `dnnl_memory_desc_permute_axes`: axis `a` of this descriptor becomes axis `permutation[a]`.
    ///
    /// # Errors
    /// The library's status.
    pub fn permute_axes(&self, permutation: &[usize]) -> Result<Self, Status> {
        let mut md = ptr::null_mut();
        let mut array = [0 as c_int; MAX_NDIMS];
        for (out, &axis) in array.iter_mut().zip(permutation) {
            *out = axis as c_int;
        }
        call!(self.library, dnnl_memory_desc_permute_axes(&mut md, self.handle, array.as_ptr()))?;
        Ok(MemoryDesc { library: self.library, handle: md })
    }

    /// `dnnl_memory_desc_reshape`.
    ///
    /// # Errors
    /// The library's status.
    pub fn reshape(&self, dims: &[usize]) -> Result<Self, Status> {
        let mut md = ptr::null_mut();
        let array = to_dims(dims);
        call!(
            self.library,
            dnnl_memory_desc_reshape(&mut md, self.handle, dims.len() as c_int, array.as_ptr())
        )?;
        Ok(MemoryDesc { library: self.library, handle: md })
    }
}

impl Drop for MemoryDesc<'_> {
    fn drop(&mut self) {
        let _ = call!(self.library, dnnl_memory_desc_destroy(self.handle));
    }
}

/// A reorder primitive with its memory objects.
pub struct Reorder<'a> {
    library: &'a OneDnn,
    primitive: Handle,
    src_memory: Handle,
    dst_memory: Handle,
    src_bytes: usize,
    dst_bytes: usize,
    implementation: String,
}

impl Reorder<'_> {
    /// The library's name of the implementation, `jit:uni` and the like.
    pub fn implementation(&self) -> &str {
        &self.implementation
    }

    /// Executes the reorder and waits for it.
    ///
    /// # Errors
    /// The library's status.
    ///
    /// # Panics
    /// Where a buffer may be too short: they are to hold 8 bytes an element whatever the type, so that one check does.
    pub fn run(&self, src: &[u8], dst: &mut [u8]) -> Result<(), Status> {
        assert!(
            src.len() >= self.src_bytes,
            "the source holds {} bytes, {} are needed",
            src.len(),
            self.src_bytes
        );
        assert!(
            dst.len() >= self.dst_bytes,
            "the destination holds {} bytes, {} are needed",
            dst.len(),
            self.dst_bytes
        );
        let library = self.library;
        call!(library, dnnl_memory_set_data_handle(self.src_memory, src.as_ptr().cast_mut().cast()))?;
        call!(library, dnnl_memory_set_data_handle(self.dst_memory, dst.as_mut_ptr().cast()))?;
        let arguments = [
            Argument { arg: ARG_SRC, memory: self.src_memory },
            Argument { arg: ARG_DST, memory: self.dst_memory },
        ];
        call!(library, dnnl_primitive_execute(self.primitive, library.stream, 2, arguments.as_ptr()))?;
        call!(library, dnnl_stream_wait(library.stream))
    }
}

impl Drop for Reorder<'_> {
    fn drop(&mut self) {
        let library = self.library;
        let _ = call!(library, dnnl_primitive_destroy(self.primitive));
        let _ = call!(library, dnnl_memory_destroy(self.src_memory));
        let _ = call!(library, dnnl_memory_destroy(self.dst_memory));
    }
}
