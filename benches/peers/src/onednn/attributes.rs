//! Attributes of reorders: which scales and zero points there are, and the memory objects that hold their values.

use super::interface::*;
use super::{DataType, OneDnn, Status};
use std::ffi::c_int;
use std::ptr;

/// Values of an attribute: one, or one for each combination of indices of the axes at some logical positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Values<T> {
    /// The axes, ascending; empty for a single value.
    pub axes: Vec<usize>,
    /// Indices of each axis of the tensor that share a value, from the axis on that the tensor's last ones are counted to; empty
    /// where none do. Version 3.2 knows no groups.
    pub groups: Vec<usize>,
    /// The values.
    pub values: Vec<T>,
}

/// Scales and zero points of both sides, and a sum.
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
    /// What the destination is multiplied by before it is added.
    pub sum: Option<f32>,
}

/// Argument, mask, groups, data type, number of values and where they are.
struct One<'a> {
    argument: c_int,
    mask: c_int,
    groups: &'a [usize],
    dtype: DataType,
    count: usize,
    values: *const u8,
}

impl Attributes {
    /// Each attribute with values that is there.
    fn arguments(&self) -> Vec<One<'_>> {
        fn one<T>(argument: c_int, values: &Option<Values<T>>, dtype: DataType) -> Option<One<'_>> {
            let Values { axes, groups, values } = values.as_ref()?;
            let mask = axes.iter().map(|axis| 1 << axis).sum();
            Some(One { argument, mask, groups, dtype, count: values.len(), values: values.as_ptr().cast() })
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
        if let Some(beta) = self.sum {
            let mut post_ops = ptr::null_mut();
            call!(library, dnnl_post_ops_create(&mut post_ops))?;
            let set = call!(library, dnnl_post_ops_append_sum(post_ops, beta, 0, 0))
                .and_then(|()| call!(library, dnnl_primitive_attr_set_post_ops(handle, post_ops)));
            call!(library, dnnl_post_ops_destroy(post_ops))?;
            set?;
        }
        for One { argument, mask, groups, dtype, .. } in self.arguments() {
            let side = argument & !(ARG_SCALES | ARG_ZERO_POINTS);
            if !groups.is_empty() {
                let set = match argument & ARG_SCALES {
                    0 => library.functions.set_zero_points,
                    _ => library.functions.set_scales,
                };
                let set = set.ok_or(Status { call: "groups", code: 3 })?;
                let (count, groups) = (groups.len() as c_int, super::to_dims(groups));
                // SAFETY: the handle is alive, and there are as many groups as it says.
                let code = unsafe { set(handle, side, mask, count, groups.as_ptr(), dtype as c_int) };
                super::check("dnnl_primitive_attr_set_scales", code)?;
            } else if argument & ARG_SCALES != 0 {
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
        for One { argument, dtype, count, values, .. } in self.arguments() {
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
