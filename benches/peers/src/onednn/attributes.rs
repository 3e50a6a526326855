//! Attributes of reorders: which scales and zero points there are, and the memory objects that hold their values.

use super::interface::*;
use super::{DataType, OneDnn, Status};
use std::ffi::c_int;
use std::ptr;

/// Values of an attribute: one, or one for each index of the axis at a logical position.
#[derive(Clone, Debug, PartialEq)]
pub struct Values<T> {
    /// The axis; `None` for a single value.
    pub axis: Option<usize>,
    /// The values.
    pub values: Vec<T>,
}

/// Scales and zero points of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes {
    /// What numbers of the source are multiplied by.
    pub src_scale: Option<Values<f32>>,
    /// What is subtracted from numbers of the source.
    pub src_zero_point: Option<Values<i32>>,
    /// What numbers of the destination are divided by.
    pub dst_scale: Option<Values<f32>>,
    /// What is added at last.
    pub dst_zero_point: Option<Values<i32>>,
}

impl Attributes {
    /// Argument, mask, number of values and where they are, of each attribute that is there.
    fn arguments(&self) -> Vec<(c_int, c_int, DataType, usize, *const u8)> {
        fn one<T>(
            argument: c_int,
            values: &Option<Values<T>>,
            dtype: DataType,
        ) -> Option<(c_int, c_int, DataType, usize, *const u8)> {
            let Values { axis, values } = values.as_ref()?;
            let mask = axis.map_or(0, |axis| 1 << axis);
            Some((argument, mask, dtype, values.len(), values.as_ptr().cast()))
        }
        let all = [
            one(ARG_SCALES | ARG_SRC, &self.src_scale, DataType::F32),
            one(ARG_SCALES | ARG_DST, &self.dst_scale, DataType::F32),
            one(ARG_ZERO_POINTS | ARG_SRC, &self.src_zero_point, DataType::S32),
            one(ARG_ZERO_POINTS | ARG_DST, &self.dst_zero_point, DataType::S32),
        ];
        all.into_iter().flatten().collect()
    }

    /// The primitive attribute.
    pub(super) fn primitive_attribute<'a>(
        &self,
        library: &'a OneDnn,
    ) -> Result<PrimitiveAttribute<'a>, Status> {
        let mut handle = ptr::null_mut();
        call!(library, dnnl_primitive_attr_create(&mut handle))?;
        let attribute = PrimitiveAttribute { library, handle };
        for (argument, mask, ..) in self.arguments() {
            let side = argument & !(ARG_SCALES | ARG_ZERO_POINTS);
            if argument & ARG_SCALES != 0 {
                call!(library, dnnl_primitive_attr_set_scales_mask(handle, side, mask))?;
            } else {
                call!(library, dnnl_primitive_attr_set_zero_points_mask(handle, side, mask))?;
            }
        }
        Ok(attribute)
    }

    /// A memory object for each argument, with the values in it.
    pub(super) fn memories(&self, library: &OneDnn) -> Result<Vec<(c_int, Handle)>, Status> {
        let mut out = Vec::new();
        for (argument, _, dtype, count, values) in self.arguments() {
            let md = library.with_tag(&[count], dtype, "a")?;
            let mut memory = ptr::null_mut();
            call!(
                library,
                dnnl_memory_create(&mut memory, md.handle, library.engine, values.cast_mut().cast())
            )?;
            out.push((argument, memory));
        }
        Ok(out)
    }
}

/// `dnnl_primitive_attr_t`.
pub(super) struct PrimitiveAttribute<'a> {
    library: &'a OneDnn,
    pub(super) handle: Handle,
}

impl Drop for PrimitiveAttribute<'_> {
    fn drop(&mut self) {
        let _ = call!(self.library, dnnl_primitive_attr_destroy(self.handle));
    }
}
