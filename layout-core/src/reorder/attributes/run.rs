//! Runs a plan with the values of its attributes. The checks; `run` does the work.

use super::super::{Reorder, ReorderError};
use super::roles::Role;
use super::{Attribute, Attributes, Padding, Scaling};
use crate::descriptor::{DType, Descriptor};
use crate::kernels::convert::Rounding;

impl Reorder {
    /// [`run`](Reorder::run) for a plan [with attributes](Reorder::with_attributes), with values that may be others than those
    /// the plan was made with, and other ones every time. Needs no heap memory.
    ///
    /// # Errors
    /// Those of [`run`](Reorder::run); [`ReorderError::AttributeChanged`] and [`ReorderError::AttributeMissing`] where there is an
    /// attribute more or less than in the plan, or one follows another axis, [`ReorderError::AttributeAxesChanged`] and
    /// [`ReorderError::AttributeGroup`] where it follows more or fewer, or in other groups; [`ReorderError::AttributeCount`] and
    /// [`ReorderError::AttributeValues`] where there are not as many values as the axes take;
    /// [`ReorderError::PaddingZeroPoint`] where padding is to hold a zero point that there is not, or that differs;
    /// [`ReorderError::Rounding`] where the plan rounds otherwise. Nothing was written then.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Attributes, Reorder, ReorderError, Values};
    /// let bytes = Descriptor::new(DType::U8, &[3], "a")?;
    /// let floats = Descriptor::new(DType::F32, &[3], "a")?;
    /// let asymmetric = |scale, zero_point| {
    ///     Attributes::new().src_scale(Values::common(scale)).src_zero_point(Values::common(zero_point))
    /// };
    /// let plan = Reorder::with_attributes(&bytes, &floats, &asymmetric(0.5, 128))?;
    /// let mut out = [0; 12];
    /// plan.run_with(&[0, 128, 255], &mut out, &asymmetric(0.25, 127))?;
    /// let out: Vec<f32> = out.chunks(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().unwrap())).collect();
    /// assert_eq!(out, [-31.75, 0.25, 32.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_with(
        &self,
        src: &[u8],
        dst: &mut [u8],
        attributes: &Attributes<'_>,
    ) -> Result<(), ReorderError> {
        self.check_len(src.len(), dst.len())?;
        // SAFETY: both are as long as the plan says and, one being borrowed exclusively, do not overlap.
        unsafe { self.run_ptr_with(src.as_ptr(), dst.as_mut_ptr(), attributes) }
    }

    /// [`Reorder::run_with`] for memory that is known by pointers.
    ///
    /// # Errors
    /// Those of [`Reorder::run_with`] that are about attributes.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]. With an [accumulation](Attributes::accumulate), the elements of the destination can be read.
    pub unsafe fn run_ptr_with(
        &self,
        src: *const u8,
        dst: *mut u8,
        attributes: &Attributes<'_>,
    ) -> Result<(), ReorderError> {
        let mut scaling = Scaling::none();
        let changes = scaling.take(self, attributes)?;
        // SAFETY: the caller's promise.
        unsafe { self.run_boxes(src, dst, changes.then_some(&scaling)) };
        Ok(())
    }

    /// [`Reorder::run_with`] on the threads of the current pool of [rayon], as [`par_run`](Reorder::par_run) does.
    ///
    /// # Errors
    /// Those of [`Reorder::run_with`].
    ///
    /// ```
    /// # use layout_core::{descriptor::{DType, Descriptor}, reorder::{Attributes, Reorder, Values}};
    /// let src = Descriptor::new(DType::F32, &[1, 64, 4, 4], "nchw")?;
    /// let dst = Descriptor::new(DType::S8, &[1, 64, 4, 4], "nChw16c")?;
    /// let attributes = Attributes::new().dst_scale(Values::per_axis('c', &[0.25; 64]));
    /// let plan = Reorder::with_attributes(&src, &dst, &attributes)?;
    /// let from: Vec<u8> = [1.0f32; 1024].iter().flat_map(|x| x.to_ne_bytes()).collect();
    /// let mut to = vec![0; plan.dst_len()];
    /// plan.par_run_with(&from, &mut to, &attributes)?;
    /// assert!(to.iter().all(|&x| x == 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_run_with(
        &self,
        src: &[u8],
        dst: &mut [u8],
        attributes: &Attributes<'_>,
    ) -> Result<(), ReorderError> {
        self.check_len(src.len(), dst.len())?;
        let mut scaling = Scaling::none();
        let changes = scaling.take(self, attributes)?;
        // SAFETY: both are as long as the plan says and, one being borrowed exclusively, do not overlap.
        unsafe { self.par_run_boxes(src.as_ptr(), dst.as_mut_ptr(), changes.then_some(&scaling)) };
        Ok(())
    }

    /// Refuses to run without values where the plan has attributes.
    pub(in super::super) fn check_plain(&self) -> Result<(), ReorderError> {
        for (k, attribute) in Attribute::ALL.into_iter().enumerate() {
            if self.roles.get(k) != Role::Absent {
                return Err(ReorderError::AttributeMissing { attribute });
            }
        }
        if self.roles.accumulates {
            return Err(ReorderError::AttributeMissing { attribute: Attribute::Accumulation });
        }
        match self.roles.rounding() {
            Rounding::NearestEven => Ok(()),
            planned => Err(ReorderError::Rounding { planned, found: Rounding::NearestEven }),
        }
    }
}

impl Attributes<'_> {
    /// The element of `plan`'s destination that padding is to hold, as often as it fits; `None` where that is zero, or where
    /// there is no padding.
    pub(super) fn fill(&self, plan: &Reorder) -> Result<Option<[u8; 16]>, ReorderError> {
        let number = match self.padding {
            Padding::Zero => return Ok(None),
            Padding::Number(number) => number,
            Padding::ZeroPoint => match &self.given[Attribute::DstZeroPoint as usize] {
                None => return Err(ReorderError::PaddingZeroPoint { axis: None }),
                Some(given) => match given.common() {
                    Some(number) => number.into(),
                    None => {
                        let axis = given.axes().filter(|&axes| axes > 0).map(|_| given.axis(0).0);
                        return Err(ReorderError::PaddingZeroPoint { axis });
                    }
                },
            },
        };
        if plan.elements_zeroed() == 0 {
            return Ok(None);
        }
        let convert = Reorder::new(&Descriptor::scalar(DType::F64), &Descriptor::scalar(plan.dst_dtype()))?;
        let mut fill = [0; 16];
        let (element, rest) = fill.split_at_mut(plan.dst_dtype().size());
        convert.run(&number.to_ne_bytes(), element)?;
        if plan.dst_dtype().is_packed() {
            // In both halves.
            element[0] |= element[0] << 4;
        }
        rest.chunks_mut(element.len()).for_each(|next| next.copy_from_slice(element));
        Ok((fill != [0; 16]).then_some(fill))
    }
}
