//! Memory descriptors of oneDNN and what can be asked of them. Called by comparisons.

use super::interface::*;
use super::{MAX_NDIMS, OneDnn, Status, to_dims};
use std::ffi::{c_int, c_void};
use std::ptr;

/// `dnnl_memory_desc_t`.
pub struct MemoryDesc<'a> {
    pub(super) library: &'a OneDnn,
    pub(super) handle: Handle,
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

    /// What is kept behind the data: flags (1 for s8s8, 2 for adjusted scales, 8 for an asymmetric source), the axes along which
    /// the sums of each differ, and the factor of adjusted scales.
    ///
    /// There is no query for it. It is read from where it stands in the structure of version 3.2, and of 3.6 and 3.13.
    pub fn extra(&self) -> (u64, i32, f32, i32) {
        let at = if self.library.version() == "3.2" { 616 } else { 640 };
        let at = self.handle.cast::<u8>().wrapping_add(at);
        // SAFETY: the structure has its extra there: after rank, extents, data type, padded extents and offsets, the base, the
        // kind of format, and the description of blocks or other formats.
        unsafe { at.cast::<(u64, i32, f32, i32)>().read_unaligned() }
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

    /// Bits an element.
    fn element_bits(&self) -> usize {
        match self.number(QUERY_DATA_TYPE) {
            1 | 2 => 16,
            5 | 6 | 8 | 9 | 10 | 13 => 8,
            7 => 64,
            11 | 12 | 14 | 15 => 4,
            _ => 32,
        }
    }

    /// An upper bound of the bytes that an execution touches: one past the last padded element. Offset included.
    pub(super) fn end_bytes(&self) -> usize {
        let blocks = self.inner_blocks();
        let mut last = self.offset0();
        for (axis, (&padded, &stride)) in self.padded_dims().iter().zip(&self.strides()).enumerate() {
            let block: usize = blocks.iter().filter(|b| b.0 == axis).map(|b| b.1).product();
            last += (padded / block).saturating_sub(1) * stride;
        }
        let inner: usize = blocks.iter().map(|b| b.1).product();
        ((last + inner) * self.element_bits()).div_ceil(8)
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
