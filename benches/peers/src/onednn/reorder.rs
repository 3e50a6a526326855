//! Reorder primitives of oneDNN. Called by comparisons.

use super::interface::*;
use super::{Attributes, MemoryDesc, OneDnn, Status};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;

impl OneDnn {
    /// A reorder without attributes.
    ///
    /// # Errors
    /// The library's status, 3 where it has no implementation.
    pub fn reorder(&self, src: &MemoryDesc<'_>, dst: &MemoryDesc<'_>) -> Result<Reorder<'_>, Status> {
        self.reorder_with(src, dst, Attributes::default())
    }

    /// A reorder with scales and zero points.
    ///
    /// # Errors
    /// The library's status, 3 where it has no implementation.
    pub fn reorder_with(
        &self,
        src: &MemoryDesc<'_>,
        dst: &MemoryDesc<'_>,
        attributes: Attributes,
    ) -> Result<Reorder<'_>, Status> {
        let attribute = attributes.primitive_attribute(self)?;
        let (mut description, mut primitive) = (ptr::null_mut(), ptr::null_mut());
        call!(
            self,
            dnnl_reorder_primitive_desc_create(
                &mut description,
                src.handle,
                self.engine,
                dst.handle,
                self.engine,
                attribute.handle
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
        let values = attributes.memories(self)?;
        Ok(Reorder {
            library: self,
            primitive,
            src_memory,
            dst_memory,
            values,
            _attributes: attributes,
            bound: Cell::new((ptr::null(), ptr::null_mut())),
            src_bytes: src.end_bytes(),
            dst_bytes: dst.end_bytes(),
            implementation,
        })
    }
}

/// A reorder primitive with its memory objects.
pub struct Reorder<'a> {
    library: &'a OneDnn,
    primitive: Handle,
    src_memory: Handle,
    dst_memory: Handle,
    /// Further arguments with their memory objects.
    values: Vec<(c_int, Handle)>,
    /// What these hold.
    _attributes: Attributes,
    /// The buffers that the memory objects stand for at present.
    bound: Cell<(*const u8, *mut u8)>,
    src_bytes: usize,
    dst_bytes: usize,
    implementation: String,
}

impl Reorder<'_> {
    /// The library's name of the implementation, `jit:uni` and the like.
    pub fn implementation(&self) -> &str {
        &self.implementation
    }

    /// Executes the reorder and waits for it. The buffers are bound to the primitive once as long as they stay the same.
    ///
    /// # Errors
    /// The library's status.
    ///
    /// # Panics
    /// Where a buffer is too short.
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
        let buffers = (src.as_ptr(), dst.as_mut_ptr());
        if self.bound.get() != buffers {
            call!(library, dnnl_memory_set_data_handle(self.src_memory, buffers.0.cast_mut().cast()))?;
            call!(library, dnnl_memory_set_data_handle(self.dst_memory, buffers.1.cast()))?;
            self.bound.set(buffers);
        }
        let none = Argument { arg: 0, memory: ptr::null_mut() };
        let mut arguments = [none; 6];
        arguments[0] = Argument { arg: ARG_SRC, memory: self.src_memory };
        arguments[1] = Argument { arg: ARG_DST, memory: self.dst_memory };
        for (argument, &(arg, memory)) in arguments[2..].iter_mut().zip(&self.values) {
            *argument = Argument { arg, memory };
        }
        let count = 2 + self.values.len() as c_int;
        call!(library, dnnl_primitive_execute(self.primitive, library.stream, count, arguments.as_ptr()))?;
        call!(library, dnnl_stream_wait(library.stream))
    }
}

impl Drop for Reorder<'_> {
    fn drop(&mut self) {
        let library = self.library;
        let _ = call!(library, dnnl_primitive_destroy(self.primitive));
        let _ = call!(library, dnnl_memory_destroy(self.src_memory));
        let _ = call!(library, dnnl_memory_destroy(self.dst_memory));
        for &(_, memory) in &self.values {
            let _ = call!(library, dnnl_memory_destroy(memory));
        }
    }
}
