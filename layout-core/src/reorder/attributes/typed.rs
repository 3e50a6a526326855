//! [`reorder_with`]: attributes between typed views.

use super::super::cache::{Key, Operands, Typed, with_new_plan, with_plan};
use super::super::{Reorder, ReorderError, ReorderOptions};
use super::Attributes;
use crate::descriptor::Element;
use crate::layout::{SameAxes, assert_not_filled};
use crate::view::{View, ViewMut, describe};
use core::any::TypeId;

/// [`reorder`](crate::reorder::reorder) with scales and zero points: moves the elements of `src` into `dst`, from any layout and
/// element type to any other over the same logical axes, and applies `attributes` on the way. The plan comes from the thread's
/// [`PlanCache`](crate::reorder::PlanCache), where there is one, also for other values along the same axes.
///
/// # Errors
/// Those of [`Reorder::with_attributes`]; nothing is written then. Layouts with other axes do not compile.
///
/// ```
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::reorder::{Attributes, Values, reorder_with};
/// use layout_core::view::Tensor;
///
/// let act = Tensor::<f32, Nhwc>::from_fn([1, 3, 2, 2], |[_, c, h, w]| (c * 4 + h * 2 + w) as f32)?;
/// let mut quantised = Tensor::<u8, Nchw16c>::zeroed([1, 3, 2, 2])?;
/// let scales = [0.1, 0.2, 0.4];
/// let attributes = Attributes::new().dst_scale(Values::per_axis('c', &scales)).dst_zero_point(Values::common(128));
/// reorder_with(&act, &mut quantised, &attributes)?;
/// assert_eq!(quantised[[0, 2, 1, 1]], 156); // 11.0 / 0.4 + 128 is 155.5
/// assert_eq!(quantised.blocks()[0], [128, 148, 148, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reorder_with<Src, Dst>(src: Src, mut dst: Dst, attributes: &Attributes<'_>) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
{
    const { assert_not_filled::<Dst::Layout>() }
    let (from, to) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
    let mut result = Ok(());
    let mut run = |plan: &Reorder| {
        // SAFETY: the views cover what their descriptors say: `src` can be read, and `dst`, borrowed exclusively, can be
        // read, and written without touching what `src` reads. Both element types have no invalid values.
        result = unsafe { plan.run_ptr_with(from, to, attributes) };
    };
    let mut make = || {
        let from = describe(&src, <Src::Elem as Element>::DTYPE)?;
        let to = describe(&dst, <Dst::Elem as Element>::DTYPE)?;
        Reorder::with_attributes(&from, &to, attributes)
    };
    let dims = src.dims();
    if dims != dst.dims() {
        // There is none, and the planner says why.
        with_new_plan(&mut make, &mut run)?;
        return result;
    }
    let src_strides = (!Src::IS_DENSE).then(|| src.digit_strides());
    let dst_strides = (!Dst::IS_DENSE).then(|| dst.digit_strides());
    let operands = Operands::Typed(Typed {
        types: TypeId::of::<(Src::Layout, Src::Elem, Dst::Layout, Dst::Elem)>(),
        dims: dims.as_ref(),
        src: src_strides.as_ref().map(|strides| strides.as_ref()),
        dst: dst_strides.as_ref().map(|strides| strides.as_ref()),
    });
    with_plan(
        Key { operands, options: ReorderOptions::new(), attributes: Some(attributes) },
        &mut make,
        &mut run,
    )?;
    result
}
