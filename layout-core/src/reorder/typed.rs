//! Reorders between typed views: [`reorder`], and the methods that make a new tensor in another layout. They describe
//! their operands and run the same plan that descriptors get: made while compiling, found in the thread's cache, or made now.

use super::cache::{Key, Operands, Typed, with_new_plan, with_plan};
use super::{Attributes, Reorder, ReorderError, ReorderOptions};
use crate::descriptor::{DType, Descriptor, Element};
use crate::grammar::{MAX_RANK, Spec};
use crate::kernels::convert::Rounding;
use crate::layout::{Layout, SameAxes, assert_not_filled};
use crate::shape::Shape;
use crate::view::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut, View, ViewMut, describe};
use core::any::TypeId;
use core::marker::PhantomData;

/// Moves the elements of `src` into `dst`, from any layout to any other over the same logical axes, dense or strided, and
/// converts the element type. The destination's padding is set to zero in the same pass.
///
/// What the conversions mean stands in [`crate::kernels::convert`]: nearest even, saturating, NaN to 0 for integers.
///
/// Between dense operands of which one or the other has each extent [`Fixed`](crate::shape::Fixed), the plan is made while
/// compiling. Otherwise it comes from the thread's [`PlanCache`](super::PlanCache), where there is one: the strides of a
/// strided view are known at run time alone, whatever its extents.
///
/// # Errors
/// [`ReorderError::Extent`] where the extents differ; nothing is written then. Layouts with other axes do not compile.
///
/// ```
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::reorder::reorder;
/// use layout_core::view::Tensor;
///
/// let image = Tensor::<u8, Nhwc>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (c * 100 + h * 10 + w) as u8)?;
/// let mut act = Tensor::<f32, Nchw16c>::zeroed([1, 3, 4, 5])?;
/// reorder(&image, &mut act)?;
/// assert_eq!(act[[0, 2, 3, 4]], 234.0);
/// assert_eq!(act.blocks()[0], [0., 100., 200., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reorder<Src, Dst>(src: Src, dst: Dst) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
{
    ReorderOptions::new().reorder(src, dst)
}

impl ReorderOptions {
    /// [`reorder`] with these options.
    ///
    /// # Errors
    /// As for [`reorder`].
    ///
    /// ```
    /// use layout_core::layout::{Nchw16c, Nhwc};
    /// use layout_core::reorder::{ReorderOptions, Stores};
    /// use layout_core::view::Tensor;
    ///
    /// let image = Tensor::<u8, Nhwc>::filled([1, 3, 4, 5], 9)?;
    /// let mut act = Tensor::<f32, Nchw16c>::zeroed([1, 3, 4, 5])?;
    /// ReorderOptions::new().with_stores(Stores::Temporal).reorder(&image, &mut act)?;
    /// assert_eq!(act[[0, 2, 3, 4]], 9.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reorder<Src, Dst>(&self, src: Src, mut dst: Dst) -> Result<(), ReorderError>
    where
        Src: View<Elem: Element>,
        Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
    {
        const { assert_not_filled::<Dst::Layout>() }
        let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
        let strides = (!Dst::IS_DENSE).then(|| dst.digit_strides());
        let target = Target {
            dims: dst.dims(),
            strides: strides.as_ref().map(|strides| strides.as_ref()),
            describe: &|| Ok(describe(&dst, <Dst::Elem as Element>::DTYPE)?),
        };
        plan_between::<Src, Dst>(*self, &src, &target, &mut |plan| {
            // SAFETY: the views cover what their descriptors say: `src` can be read, and `dst`, borrowed exclusively, can be
            // written without touching what `src` reads. Both element types have no invalid values.
            unsafe { plan.run_ptr(from.cast(), to.cast()) }
        })
    }

    /// A new dense tensor with the elements of `view` converted to `U`, in layout `L`, padding zero: `view.try_convert()`
    /// with these options.
    ///
    /// # Errors
    /// [`ReorderError::Size`] where the padded result would be larger than `isize::MAX` bytes;
    /// [`ReorderError::Allocation`] where there is no memory for it.
    ///
    /// ```
    /// use layout_core::layout::{ColumnMajor, RowMajor};
    /// use layout_core::reorder::{ReorderOptions, Stores};
    /// use layout_core::view::Tensor;
    ///
    /// let rows = Tensor::<u8, RowMajor>::from_vec([2, 2], vec![1, 2, 3, 4])?;
    /// let columns: Tensor<f32, ColumnMajor> = ReorderOptions::new().with_stores(Stores::Streaming).convert(&rows)?;
    /// assert_eq!(columns.as_slice(), [1.0, 3.0, 2.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convert<V, U, L>(&self, view: V) -> Result<Tensor<U, L, V::Shape>, ReorderError>
    where
        V: View<Elem: Element>,
        U: Element,
        L: SameAxes<V::Layout>,
    {
        const { assert_not_filled::<L>() }
        let shape = view.shape();
        let target = Target {
            dims: shape.dims(),
            strides: None,
            describe: &|| Ok(Descriptor::from_spec(U::DTYPE, shape.dims().as_ref(), L::SPEC)?),
        };
        let mut out = Err(ReorderError::Allocation { bytes: 0 });
        plan_between::<V, Tensor<U, L, V::Shape>>(*self, &view, &target, &mut |plan| {
            out = match Tensor::<U, L, V::Shape>::uninit(shape) {
                Ok(mut made) => {
                    // SAFETY: as in `reorder`; `made` is new memory of the size that the target's descriptor says.
                    unsafe { plan.run_ptr(view.as_ptr().cast(), made.as_mut_ptr().cast()) };
                    Ok(made)
                }
                Err(_) => Err(ReorderError::Allocation { bytes: plan.dst_len() }),
            };
        })?;
        // SAFETY: the plan wrote every element of the padded extents, which is all of a dense tensor.
        out.map(|made| unsafe { made.assume_init() })
    }
}

/// A new dense tensor with the elements of `view` converted to `U` and rounded as `rounding` says, in the same layout,
/// padding zero.
fn cast<V: View<Elem: Element>, U: Element>(
    view: &V,
    rounding: Rounding,
) -> Result<Tensor<U, V::Layout, V::Shape>, ReorderError> {
    let shape = view.shape();
    let from = describe(view, <V::Elem as Element>::DTYPE)?;
    let to = Descriptor::from_spec(U::DTYPE, shape.dims().as_ref(), V::Layout::SPEC)?;
    let mut out = Tensor::uninit(shape).map_err(|_| ReorderError::Allocation { bytes: to.size_bytes() })?;
    let attributes = Attributes::new().rounding(rounding);
    let operands = Operands::Described { src: &from, dst: &to };
    // Of the default, `reorder_bytes` has the same plan.
    let named = (rounding != Rounding::NearestEven).then_some(&attributes);
    let key = Key { operands, options: ReorderOptions::new(), attributes: named };
    let mut result = Ok(());
    with_plan(key, &mut || Reorder::with_attributes(&from, &to, &attributes), &mut |plan| {
        // SAFETY: `view` covers what its descriptor says, and `out` is new memory of the size that the other one says.
        result = unsafe { plan.run_ptr_with(view.as_ptr().cast(), out.as_mut_ptr().cast(), &attributes) };
    })?;
    result?;
    // SAFETY: the plan wrote every element of the padded extents, which is all of a dense tensor.
    Ok(unsafe { out.assume_init() })
}

/// The destination, which need not exist yet.
struct Target<'a, Index> {
    dims: Index,
    /// By digit; `None` where it is dense.
    strides: Option<&'a [isize]>,
    describe: &'a dyn Fn() -> Result<Descriptor, ReorderError>,
}

/// Calls `run` with the plan from `src` to the destination, which is of type `Dst`.
///
/// # Errors
/// Where there is no such plan; `run` is not called then.
fn plan_between<Src, Dst>(
    options: ReorderOptions,
    src: &Src,
    target: &Target<'_, <Dst::Layout as Layout>::Index>,
    run: &mut dyn FnMut(&Reorder),
) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: View<Elem: Element, Layout: SameAxes<Src::Layout>>,
{
    let mut make = || {
        let from = describe(src, <Src::Elem as Element>::DTYPE)?;
        options.tuned_plan(&from, &(target.describe)()?)
    };
    let dims = src.dims();
    if dims != target.dims {
        // There is none, and the planner says why.
        return with_new_plan(&mut make, run);
    }
    if Src::IS_DENSE
        && Dst::IS_DENSE
        && !options.tunes()
        && let Some(plan) =
            Between::<Src::Layout, Src::Elem, Src::Shape, Dst::Layout, Dst::Elem, Dst::Shape>::PLAN
    {
        if options != ReorderOptions::new() {
            return with_new_plan(&mut || Ok(options.apply(plan.clone())), run);
        }
        run(plan);
        return Ok(());
    }
    let strides = (!Src::IS_DENSE).then(|| src.digit_strides());
    let operands = Operands::Typed(Typed {
        types: TypeId::of::<(Src::Layout, Src::Elem, Dst::Layout, Dst::Elem)>(),
        dims: dims.as_ref(),
        src: strides.as_ref().map(|strides| strides.as_ref()),
        dst: target.strides,
    });
    with_plan(Key { operands, options, attributes: None }, &mut make, run)
}

/// Dense tensors of these layouts, elements and shapes.
struct Between<L, T, S, ToL, ToT, ToS>(PhantomData<(L, T, S, ToL, ToT, ToS)>);

impl<L, T, S, ToL, ToT, ToS> Between<L, T, S, ToL, ToT, ToS>
where
    L: Layout,
    T: Element,
    S: Shape<L::Index>,
    ToL: Layout,
    ToT: Element,
    ToS: Shape<ToL::Index>,
{
    const MADE: Option<Reorder> =
        plan_of((T::DTYPE, L::SPEC, S::STATIC), (ToT::DTYPE, ToL::SPEC, ToS::STATIC));

    /// The plan, made while compiling, where each extent is known from one of the two types; it is right where the
    /// extents are equal. A reference, so that there is no room for a plan in the program where there is none.
    const PLAN: Option<&'static Reorder> = match &Self::MADE {
        Some(plan) => Some(plan),
        None => None,
    };
}

/// One side: data type, format, and the extents that are known.
type Known<'a> = (DType, Spec, &'a [Option<usize>]);

/// The plan between dense tensors, where the extents are known and there is one.
const fn plan_of(src: Known<'_>, dst: Known<'_>) -> Option<Reorder> {
    let rank = src.2.len();
    if dst.2.len() != rank || rank > MAX_RANK {
        return None;
    }
    let mut dims = [0; MAX_RANK];
    let mut axis = 0;
    while axis < rank {
        dims[axis] = match (src.2[axis], dst.2[axis]) {
            (Some(src), Some(dst)) if src != dst => return None,
            (Some(extent), _) | (None, Some(extent)) => extent,
            (None, None) => return None,
        };
        axis += 1;
    }
    let dims = dims.split_at(rank).0;
    match (Descriptor::from_spec(src.0, dims, src.1), Descriptor::from_spec(dst.0, dims, dst.1)) {
        (Ok(src), Ok(dst)) => match Reorder::new(&src, &dst) {
            Ok(plan) => Some(plan),
            Err(_) => None,
        },
        _ => None,
    }
}

// `T: Element` stands on each method: on the `impl`, other element types would be told that there is no such method.
macro_rules! methods {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        impl<T, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// A new dense tensor with the same elements in layout `To`, padding zero.
            ///
            /// # Panics
            /// Where memory cannot be had, as `Vec` does; [`try_convert`](Self::try_convert) returns an error instead.
            ///
            /// ```
            /// use layout_core::layout::{Nchw, Nchw8c};
            /// use layout_core::view::Tensor;
            /// let plain = Tensor::<f32, Nchw>::from_fn([1, 3, 2, 2], |[_, c, h, w]| (c * 4 + h * 2 + w) as f32)?;
            /// let blocked: Tensor<f32, Nchw8c> = plain.view().to_layout();
            /// assert_eq!(blocked[[0, 2, 1, 1]], 11.0);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn to_layout<To: SameAxes<L>>(&self) -> Tensor<T, To, S>
            where
                T: Element,
            {
                self.convert()
            }

            /// A new dense tensor with the same elements converted to `U`, in layout `To`, padding zero.
            ///
            /// # Panics
            /// Where memory cannot be had, as `Vec` does; [`try_convert`](Self::try_convert) returns an error instead.
            ///
            /// ```
            /// use layout_core::layout::{Nchw, Nhwc};
            /// use layout_core::view::Tensor;
            /// let pixels = Tensor::<u8, Nhwc>::filled([1, 3, 2, 2], 255)?;
            /// let planes: Tensor<f32, Nchw> = pixels.view().convert();
            /// assert_eq!(planes[[0, 2, 1, 1]], 255.0);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn convert<U: Element, To: SameAxes<L>>(&self) -> Tensor<U, To, S>
            where
                T: Element,
            {
                match self.try_convert() {
                    Ok(tensor) => tensor,
                    Err(error) => panic!("{error}"),
                }
            }

            /// A new dense tensor with the same elements converted to `U`, in the same layout, padding zero.
            ///
            /// # Panics
            /// Where memory cannot be had, as `Vec` does; [`try_convert`](Self::try_convert) returns an error instead.
            ///
            /// ```
            /// use layout_core::descriptor::F8E4M3;
            /// use layout_core::layout::Nhwc;
            /// use layout_core::view::Tensor;
            /// let weights = Tensor::<f32, Nhwc>::filled([1, 3, 2, 2], 0.3)?;
            /// assert_eq!(weights.cast::<F8E4M3>()[[0, 2, 1, 1]].to_f32(), 0.3125);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn cast<U: Element>(&self) -> Tensor<U, L, S>
            where
                T: Element,
            {
                self.cast_with(Rounding::NearestEven)
            }

            /// [`cast`](Self::cast) with another way to round; with [`Rounding::Stochastic`], an element's chance follows its index
            /// and not the layout.
            ///
            /// # Panics
            /// As [`cast`](Self::cast).
            ///
            /// ```
            /// use layout_core::descriptor::F8E4M3;
            /// use layout_core::layout::Nhwc;
            /// use layout_core::reorder::Rounding;
            /// use layout_core::view::Tensor;
            /// let weights = Tensor::<f32, Nhwc>::filled([1, 3, 2, 2], 0.3)?;
            /// let of = |rounding| weights.cast_with::<F8E4M3>(rounding)[[0, 2, 1, 1]].to_f32();
            /// assert_eq!([Rounding::Down, Rounding::Up].map(of), [0.28125, 0.3125]);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn cast_with<U: Element>(&self, rounding: Rounding) -> Tensor<U, L, S>
            where
                T: Element,
            {
                match cast(self, rounding) {
                    Ok(tensor) => tensor,
                    Err(error) => panic!("{error}"),
                }
            }

            /// [`convert`](Self::convert), with an error where the result cannot be.
            ///
            /// # Errors
            /// [`ReorderError::Size`] where the padded result would be larger than `isize::MAX` bytes;
            /// [`ReorderError::Allocation`] where there is no memory for it.
            pub fn try_convert<U: Element, To: SameAxes<L>>(&self) -> Result<Tensor<U, To, S>, ReorderError>
            where
                T: Element,
            {
                ReorderOptions::new().convert(self)
            }
        }
    )*};
}
methods! {
    Tensor<T, L, S>;
    TensorView<'_, T, L, S>;
    TensorViewMut<'_, T, L, S>;
    StridedView<'_, T, L, S>;
    StridedViewMut<'_, T, L, S>;
}
