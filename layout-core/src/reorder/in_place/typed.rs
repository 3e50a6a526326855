//! Tensors that take another layout in their own allocation: [`Tensor::into_layout`] and [`Tensor::try_into_layout`].

use super::error::InPlaceError;
use super::plan::ReorderInPlace;
use crate::descriptor::{Descriptor, Element};
use crate::layout::{Layout, Mapping, SameAxes, assert_not_filled};
use crate::reorder::ReorderError;
use crate::shape::{Shape, SizeError};
use crate::view::Tensor;
use core::fmt;

/// A tensor that cannot take another layout in its own memory, and why.
pub struct NotInPlace<T, L: Layout, S: Shape<L::Index> = <L as Layout>::Index> {
    tensor: Tensor<T, L, S>,
    reason: InPlaceError,
}

impl<T, L: Layout, S: Shape<L::Index>> NotInPlace<T, L, S> {
    /// Why.
    pub fn reason(&self) -> InPlaceError {
        self.reason
    }

    /// The tensor as it was.
    pub fn into_tensor(self) -> Tensor<T, L, S> {
        self.tensor
    }
}

impl<T, L: Layout, S: Shape<L::Index>> fmt::Debug for NotInPlace<T, L, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotInPlace").field("layout", &L::default()).field("reason", &self.reason).finish()
    }
}

impl<T, L: Layout, S: Shape<L::Index>> fmt::Display for NotInPlace<T, L, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl<T, L: Layout, S: Shape<L::Index>> core::error::Error for NotInPlace<T, L, S> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        // Its text is this error's own.
        self.reason.source()
    }
}

/// The plan from layout `L` to layout `To` over extents `dims`.
fn plan<T: Element, L: Layout, To: SameAxes<L>>(dims: L::Index) -> Result<ReorderInPlace, InPlaceError> {
    let describe =
        |spec| -> Result<Descriptor, SizeError> { Descriptor::from_spec(T::DTYPE, dims.as_ref(), spec) };
    let from = describe(L::SPEC).map_err(ReorderError::Size)?;
    let to = describe(To::SPEC).map_err(ReorderError::Size)?;
    ReorderInPlace::new(&from, &to)
}

impl<T: Element, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    /// The same elements in layout `To`, padding zero: in the tensor's own memory where both layouts take the same bytes,
    /// and otherwise in new memory.
    ///
    /// # Panics
    /// Where new memory is needed and cannot be had, as [`to_layout`](Self::to_layout) does.
    ///
    /// ```
    /// use layout_core::layout::{Nchw16c, Nhwc};
    /// use layout_core::view::Tensor;
    /// let image = Tensor::<f32, Nhwc>::from_fn([1, 32, 2, 2], |[_, c, h, w]| (c * 4 + h * 2 + w) as f32)?;
    /// let memory = image.as_ptr();
    /// let blocked: Tensor<f32, Nchw16c> = image.into_layout();
    /// assert_eq!((blocked[[0, 17, 1, 0]], blocked.as_ptr()), (70.0, memory));
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn into_layout<To: SameAxes<L>>(self) -> Tensor<T, To, S> {
        match self.try_into_layout() {
            Ok(tensor) => tensor,
            Err(refused) => refused.tensor.to_layout(),
        }
    }

    /// The same elements in layout `To`, padding zero, in the tensor's own memory.
    ///
    /// # Errors
    /// [`NotInPlace`] with the tensor and the reason: [`InPlaceError::Size`] with both sizes, or
    /// [`InPlaceError::Padding`] where an axis is padded to different extents of the same size together.
    ///
    /// ```
    /// use layout_core::layout::{Nchw, Nchw16c};
    /// use layout_core::reorder::InPlaceError;
    /// use layout_core::view::Tensor;
    /// let plain = Tensor::<f32, Nchw>::filled([1, 3, 4, 4], 1.0)?;
    /// let refused = plain.try_into_layout::<Nchw16c>().unwrap_err();
    /// assert_eq!(refused.reason(), InPlaceError::Size { src: 192, dst: 1024 }); // 3 channels are padded to 16
    /// let blocked: Tensor<f32, Nchw16c> = refused.into_tensor().to_layout();
    /// assert_eq!(blocked[[0, 2, 3, 3]], 1.0);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn try_into_layout<To: SameAxes<L>>(mut self) -> Result<Tensor<T, To, S>, NotInPlace<T, L, S>> {
        const { assert_not_filled::<To>() }
        let plan = match plan::<T, L, To>(self.dims()) {
            Ok(plan) => plan,
            Err(reason) => return Err(NotInPlace { tensor: self, reason }),
        };
        // SAFETY: the tensor has all places that its descriptor says, and all are initialised; both layouts take the same.
        unsafe { plan.run_ptr(self.as_mut_ptr().cast()) };
        // SAFETY: the descriptor of these extents was made, so that their sizes are within bounds.
        let mapping: Mapping<To, S> = unsafe { Mapping::new_unchecked(self.shape()) };
        // SAFETY: the plan is one for the same padded extents.
        Ok(unsafe { self.with_mapping(mapping) })
    }
}
