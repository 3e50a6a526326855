//! The functions of oneDNN that are called, looked up by name, with the structures and constants that they take.
//! Called by the rest of this folder.

use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};

pub(super) type Handle = *mut c_void;

macro_rules! interface {
    ($($name:ident: fn($($arg:ty),*);)*) => {
        /// The functions, as loaded.
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($arg),*) -> c_int,)*
            pub(super) size: unsafe extern "C" fn(Handle) -> usize,
            pub(super) version: unsafe extern "C" fn() -> *const Version,
            pub(super) query_md: unsafe extern "C" fn(Handle, c_int, c_int) -> Handle,
            pub(super) set_scales: Option<SetValues>,
            pub(super) set_zero_points: Option<SetValues>,
        }
        impl Functions {
            pub(super) fn load(library: &Library) -> Result<Functions, libloading::Error> {
                Ok(Functions {
                    // SAFETY: the signatures are those of oneDNN's public header.
                    $($name: *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }?,)*
                    // SAFETY: as above.
                    size: *unsafe { library.get(b"dnnl_memory_desc_get_size\0") }?,
                    // SAFETY: as above.
                    version: *unsafe { library.get(b"dnnl_version\0") }?,
                    // SAFETY: as above.
                    query_md: *unsafe { library.get(b"dnnl_primitive_desc_query_md\0") }?,
                    // SAFETY: as above.
                    set_scales: unsafe { library.get(b"dnnl_primitive_attr_set_scales\0") }.ok().map(|f| *f),
                    // SAFETY: as above.
                    set_zero_points: unsafe { library.get(b"dnnl_primitive_attr_set_zero_points\0") }
                        .ok()
                        .map(|f| *f),
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
    dnnl_memory_desc_create_with_tag: fn(*mut Handle, c_int, *const i64, c_int, c_int);
    dnnl_memory_desc_create_with_strides: fn(*mut Handle, c_int, *const i64, c_int, *const i64);
    dnnl_memory_desc_create_submemory: fn(*mut Handle, Handle, *const i64, *const i64);
    dnnl_memory_desc_permute_axes: fn(*mut Handle, Handle, *const c_int);
    dnnl_memory_desc_reshape: fn(*mut Handle, Handle, c_int, *const i64);
    dnnl_memory_desc_query: fn(Handle, c_int, *mut c_void);
    dnnl_memory_desc_destroy: fn(Handle);
    dnnl_memory_create: fn(*mut Handle, Handle, Handle, *mut c_void);
    dnnl_memory_set_data_handle: fn(Handle, *mut c_void);
    dnnl_memory_destroy: fn(Handle);
    dnnl_primitive_attr_create: fn(*mut Handle);
    dnnl_primitive_attr_set_scales_mask: fn(Handle, c_int, c_int);
    dnnl_primitive_attr_set_zero_points_mask: fn(Handle, c_int, c_int);
    dnnl_primitive_attr_destroy: fn(Handle);
    dnnl_primitive_attr_set_post_ops: fn(Handle, Handle);
    dnnl_post_ops_create: fn(*mut Handle);
    dnnl_post_ops_append_sum: fn(Handle, f32, i32, c_int);
    dnnl_post_ops_destroy: fn(Handle);
    dnnl_memory_desc_clone: fn(*mut Handle, Handle);
    dnnl_convolution_forward_primitive_desc_create:
        fn(*mut Handle, Handle, c_int, c_int, Handle, Handle, Handle, Handle, *const i64, *const i64, *const i64, *const i64, Handle);
    dnnl_reorder_primitive_desc_create: fn(*mut Handle, Handle, Handle, Handle, Handle, Handle);
    dnnl_primitive_create: fn(*mut Handle, Handle);
    dnnl_primitive_desc_destroy: fn(Handle);
    dnnl_primitive_desc_query: fn(Handle, c_int, c_int, *mut c_void);
    dnnl_primitive_execute: fn(Handle, Handle, c_int, *const Argument);
    dnnl_primitive_destroy: fn(Handle);
    dnnl_set_primitive_cache_capacity: fn(c_int);
}

/// `dnnl_primitive_attr_set_scales` and `dnnl_primitive_attr_set_zero_points`, from version 3.4 on.
pub(super) type SetValues = unsafe extern "C" fn(Handle, c_int, c_int, c_int, *const i64, c_int) -> c_int;

/// `dnnl_exec_arg_t`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Argument {
    pub(super) arg: c_int,
    pub(super) memory: Handle,
}

/// The first fields of `dnnl_version_t`.
#[repr(C)]
pub(super) struct Version {
    pub(super) major: c_int,
    pub(super) minor: c_int,
    pub(super) patch: c_int,
}

/// `DNNL_ARG_FROM` and `DNNL_ARG_TO`.
pub(super) const ARG_SRC: c_int = 1;
pub(super) const ARG_DST: c_int = 17;
/// `DNNL_ARG_WEIGHTS`.
pub(super) const ARG_WEIGHTS: c_int = 33;
/// `DNNL_ARG_ATTR_SCALES` and `DNNL_ARG_ATTR_ZERO_POINTS`, which are added to the former.
pub(super) const ARG_SCALES: c_int = 4096;
pub(super) const ARG_ZERO_POINTS: c_int = 8192;

/// `dnnl_forward_inference` and `dnnl_convolution_direct`.
pub(super) const FORWARD_INFERENCE: c_int = 96;
pub(super) const CONVOLUTION_DIRECT: c_int = 1;
/// `dnnl_format_tag_any`.
pub(super) const TAG_ANY: c_int = 1;

/// `dnnl_query_t`.
pub(super) const QUERY_WEIGHTS_MD: c_int = 131;
pub(super) const QUERY_IMPL_INFO: c_int = 8;
pub(super) const QUERY_STRIDES: c_int = 14;
pub(super) const QUERY_NDIMS: c_int = 256;
pub(super) const QUERY_DIMS: c_int = 257;
pub(super) const QUERY_DATA_TYPE: c_int = 258;
pub(super) const QUERY_OFFSET: c_int = 259;
pub(super) const QUERY_PADDED_DIMS: c_int = 260;
pub(super) const QUERY_PADDED_OFFSETS: c_int = 261;
pub(super) const QUERY_INNER_NBLKS: c_int = 263;
pub(super) const QUERY_INNER_BLKS: c_int = 264;
pub(super) const QUERY_INNER_IDXS: c_int = 265;

/// Calls a function of the interface and turns its status into a `Result`.
macro_rules! call {
    ($self:expr, $name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: handles come from the library and are alive; pointers are to arrays of the documented length.
        $crate::onednn::check(stringify!($name), unsafe { ($self.functions.$name)($($arg),*) })
    };
}
pub(super) use call;
