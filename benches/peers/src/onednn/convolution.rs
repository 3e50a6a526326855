//! Convolutions of oneDNN, and the descriptors that they want for their weights: with compensation behind the data, where
//! the source is signed or has a zero point. Called by comparisons.

use super::interface::*;
use super::{Attributes, DataType, MAX_NDIMS, MemoryDesc, OneDnn, Status, Values, to_dims};
use std::ffi::c_int;
use std::ptr;

impl OneDnn {
    /// What a convolution of `src` (batch, channels, space) with s8 weights of extents `weights` (with groups, if there is one
    /// more) wants these to be: the source is s8 or u8, and may have a zero point. Steps of 1, no padding.
    ///
    /// # Errors
    /// The library's status, 3 where it has no such convolution.
    pub fn convolution_weights(
        &self,
        src: &[usize],
        src_type: DataType,
        weights: &[usize],
        zero_point: bool,
    ) -> Result<MemoryDesc<'_>, Status> {
        let grouped = weights.len() > src.len();
        let groups = if grouped { weights[0] } else { 1 };
        let (outputs, kernel) = (weights[usize::from(grouped)], &weights[usize::from(grouped) + 2..]);
        let mut dst = vec![src[0], groups * outputs];
        dst.extend(src[2..].iter().zip(kernel).map(|(size, kernel)| size - kernel + 1));
        let any = |dims: &[usize], dtype: DataType| {
            let (mut handle, array) = (ptr::null_mut(), to_dims(dims));
            call!(
                self,
                dnnl_memory_desc_create_with_tag(
                    &mut handle,
                    dims.len() as c_int,
                    array.as_ptr(),
                    dtype as c_int,
                    TAG_ANY
                )
            )?;
            Ok(MemoryDesc { library: self, handle })
        };
        let (src_md, weights_md, dst_md) =
            (any(src, src_type)?, any(weights, DataType::S8)?, any(&dst, DataType::F32)?);
        let attributes = Attributes {
            src_zero_point: zero_point.then(|| Values { axes: vec![], groups: vec![], values: vec![1] }),
            ..Attributes::default()
        };
        let attribute = attributes.primitive_attribute(self)?;
        let description = self.convolution_description(&src_md, &weights_md, &dst_md, 0, attribute.handle)?;
        // SAFETY: the description is alive; what is returned belongs to it.
        let wanted = unsafe { (self.functions.query_md)(description, QUERY_WEIGHTS_MD, 0) };
        let mut handle = ptr::null_mut();
        let cloned = call!(self, dnnl_memory_desc_clone(&mut handle, wanted));
        call!(self, dnnl_primitive_desc_destroy(description))?;
        cloned.map(|()| MemoryDesc { library: self, handle })
    }

    /// The description of a convolution in steps of 1 with `padding` zeros at every border, to be destroyed by the caller.
    fn convolution_description(
        &self,
        src: &MemoryDesc<'_>,
        weights: &MemoryDesc<'_>,
        dst: &MemoryDesc<'_>,
        padding: usize,
        attribute: Handle,
    ) -> Result<Handle, Status> {
        let (ones, zeros, border) = (to_dims(&[1; 3]), to_dims(&[]), [padding as i64; MAX_NDIMS]);
        let mut description = ptr::null_mut();
        call!(
            self,
            dnnl_convolution_forward_primitive_desc_create(
                &mut description,
                self.engine,
                FORWARD_INFERENCE,
                CONVOLUTION_DIRECT,
                src.handle,
                weights.handle,
                ptr::null_mut(),
                dst.handle,
                ones.as_ptr(),
                zeros.as_ptr(),
                border.as_ptr(),
                border.as_ptr(),
                attribute
            )
        )?;
        Ok(description)
    }

    /// A convolution in steps of 1, with `padding` zeros at every border, on memory of these descriptors.
    ///
    /// # Errors
    /// The library's status, 3 where it has no such convolution.
    pub fn convolution(
        &self,
        src: &MemoryDesc<'_>,
        weights: &MemoryDesc<'_>,
        dst: &MemoryDesc<'_>,
        padding: usize,
    ) -> Result<Convolution<'_>, Status> {
        let description = self.convolution_description(src, weights, dst, padding, ptr::null_mut())?;
        let mut primitive = ptr::null_mut();
        let created = call!(self, dnnl_primitive_create(&mut primitive, description));
        call!(self, dnnl_primitive_desc_destroy(description))?;
        created?;
        let mut out = Convolution { library: self, primitive, memories: [ptr::null_mut(); 3], bytes: [0; 3] };
        for (i, md) in [src, weights, dst].into_iter().enumerate() {
            call!(self, dnnl_memory_create(&mut out.memories[i], md.handle, self.engine, ptr::null_mut()))?;
            out.bytes[i] = md.size_bytes();
        }
        Ok(out)
    }
}

/// A convolution primitive with its memory objects: source, weights and destination.
pub struct Convolution<'a> {
    library: &'a OneDnn,
    primitive: Handle,
    memories: [Handle; 3],
    bytes: [usize; 3],
}

impl Convolution<'_> {
    /// Computes it and waits for it.
    ///
    /// # Errors
    /// The library's status.
    ///
    /// # Panics
    /// Where a buffer is too short.
    pub fn run(&self, src: &[f32], weights: &[f32], dst: &mut [f32]) -> Result<(), Status> {
        let found = [size_of_val(src), size_of_val(weights), size_of_val(dst)];
        assert!(
            found.iter().zip(self.bytes).all(|(&found, needed)| found >= needed),
            "source, weights and destination hold {found:?} bytes, {:?} are needed",
            self.bytes
        );
        let buffers = [src.as_ptr().cast_mut(), weights.as_ptr().cast_mut(), dst.as_mut_ptr()];
        for (memory, buffer) in self.memories.into_iter().zip(buffers) {
            call!(self.library, dnnl_memory_set_data_handle(memory, buffer.cast()))?;
        }
        let [src, weights, dst] = self.memories;
        let arguments = [
            Argument { arg: ARG_SRC, memory: src },
            Argument { arg: ARG_WEIGHTS, memory: weights },
            Argument { arg: ARG_DST, memory: dst },
        ];
        call!(
            self.library,
            dnnl_primitive_execute(self.primitive, self.library.stream, 3, arguments.as_ptr())
        )?;
        call!(self.library, dnnl_stream_wait(self.library.stream))
    }
}

impl Drop for Convolution<'_> {
    fn drop(&mut self) {
        let _ = call!(self.library, dnnl_primitive_destroy(self.primitive));
        for memory in self.memories {
            let _ = call!(self.library, dnnl_memory_destroy(memory));
        }
    }
}
