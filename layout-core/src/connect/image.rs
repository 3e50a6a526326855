//! image (feature `image`): image buffers as views without a copy, whatever their pixels are, and batches, other layouts and
//! other element types by a reorder. Members of the view types; users call them.

use super::ConnectError;
use crate::descriptor::Element;
use crate::layout::{DigitTuple, Dim, Format, HasAxis, Hwc, Layout, Nhwc, SameAxes};
use crate::reorder::{ReorderError, ReorderOptions, reorder};
use crate::shape::Shape;
use crate::view::{StridedView, Tensor, TensorView, TensorViewMut, View, ViewError};
use ::image::{ImageBuffer, Pixel};
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// The layouts in which an image buffer lies: [`Hwc`], and [`Nhwc`] as a batch of one.
#[diagnostic::on_unimplemented(
    message = "an image buffer does not lie in layout `{Self}`",
    label = "neither `Nhwc` nor `Hwc`",
    note = "view it as `Nhwc` or `Hwc`; `Tensor::from_image` moves it into any layout of the same axes"
)]
pub trait PixelOrder: Layout {
    #[doc(hidden)]
    fn extents(channels: usize, height: usize, width: usize) -> Self::Index;
    #[doc(hidden)]
    fn from_extents(dims: Self::Index) -> [usize; 4];
}

impl PixelOrder for Nhwc {
    fn extents(channels: usize, height: usize, width: usize) -> [usize; 4] {
        [1, channels, height, width]
    }
    fn from_extents(dims: [usize; 4]) -> [usize; 4] {
        dims
    }
}
impl PixelOrder for Hwc {
    fn extents(channels: usize, height: usize, width: usize) -> [usize; 3] {
        [channels, height, width]
    }
    fn from_extents([channels, height, width]: [usize; 3]) -> [usize; 4] {
        [1, channels, height, width]
    }
}

/// The layouts whose logical axes are those of an image, c, h, w, or of a batch of images, n, c, h, w.
#[diagnostic::on_unimplemented(
    message = "the logical axes of layout `{Self}` are not those of an image",
    label = "neither n, c, h, w nor c, h, w",
    note = "rename the axes with `relabel` or change their order with `permute_axes`; neither moves anything"
)]
pub trait ImageAxes: Layout {
    /// The layout of image buffers with these axes.
    type Pixels: PixelOrder<Index = Self::Index>;
    #[doc(hidden)]
    fn load<T: Element, U: Element>(
        pixels: TensorView<'_, U, Self::Pixels>,
    ) -> Result<Tensor<T, Self>, ReorderError>;
    #[doc(hidden)]
    fn store<T: Element, U: Element>(
        view: StridedView<'_, T, Self>,
    ) -> Result<Tensor<U, Self::Pixels>, ReorderError>;
}

macro_rules! image_axes {
    ($pixels:ident: $($axis:literal)*) => {
        #[diagnostic::do_not_recommend]
        impl<Digits: DigitTuple> ImageAxes for Format<Digits, ($(Dim<$axis>,)*)> {
            type Pixels = $pixels;

            fn load<T: Element, U: Element>(
                pixels: TensorView<'_, U, $pixels>,
            ) -> Result<Tensor<T, Self>, ReorderError> {
                ReorderOptions::new().convert(pixels)
            }
            fn store<T: Element, U: Element>(
                view: StridedView<'_, T, Self>,
            ) -> Result<Tensor<U, $pixels>, ReorderError> {
                ReorderOptions::new().convert(view)
            }
        }
    };
}
image_axes!(Nhwc: 'n' 'c' 'h' 'w');
image_axes!(Hwc: 'c' 'h' 'w');

/// An image that owns its pixels.
type OwnedImage<P> = ImageBuffer<P, Vec<<P as Pixel>::Subpixel>>;

/// Channels, height and width of `image`, and its elements. The buffer may be longer.
fn extents<P: Pixel, C: Deref<Target = [P::Subpixel]>>(image: &ImageBuffer<P, C>) -> ([usize; 3], usize) {
    let dims = [usize::from(P::CHANNEL_COUNT), image.height() as usize, image.width() as usize];
    // The buffer holds them.
    (dims, dims.iter().product())
}

/// One image of `dims` with pixels `P`: width and height.
fn picture<P: Pixel>([n, c, h, w]: [usize; 4]) -> Result<[u32; 2], ConnectError> {
    if n != 1 {
        return Err(ViewError::Extent { axis: 'n', expected: 1, found: n }.into());
    }
    let channels = usize::from(P::CHANNEL_COUNT);
    if c != channels {
        return Err(ConnectError::Channels { expected: channels, found: c });
    }
    let side = |axis: usize, extent: usize| {
        u32::try_from(extent).map_err(|_| ConnectError::Extent {
            axis,
            extent: extent as u64,
            limit: u64::from(u32::MAX),
        })
    };
    Ok([side(3, w)?, side(2, h)?])
}

#[cfg_attr(docsrs, doc(cfg(feature = "image")))]
impl<'a, T, L: PixelOrder> TensorView<'a, T, L> {
    /// The pixels of an image buffer, without a copy: gray, RGB, RGBA or any other, of any subpixel type. Extents are
    /// 1 x channels x height x width, without the 1 for [`Hwc`].
    ///
    /// # Errors
    /// [`ViewError::Size`] for an image that no memory holds.
    ///
    /// ```
    /// use image::{Luma, Rgb};
    /// use layout_core::layout::{Hwc, Nchw, Nhwc};
    /// use layout_core::view::{Tensor, TensorView};
    ///
    /// let picture = image::RgbImage::from_fn(4, 3, |x, y| Rgb([x as u8, y as u8, 7]));
    /// let v: TensorView<'_, u8, Nhwc> = TensorView::from_image(&picture)?;
    /// assert_eq!((v.dims(), v[[0, 1, 2, 3]]), ([1, 3, 3, 4], 2));
    ///
    /// // Subpixels without a data type of their own, such as u16, are mapped before they move.
    /// let scan = image::ImageBuffer::from_fn(4, 3, |x, y| Luma([(1000 * x + y) as u16]));
    /// let v: TensorView<'_, u16, Nhwc> = TensorView::from_image(&scan)?;
    /// let planes: Tensor<f32, Nchw> = v.map(f32::from).to_layout();
    /// assert_eq!(planes[[0, 0, 2, 3]], 3002.0);
    /// # Ok::<(), layout_core::connect::ConnectError>(())
    /// ```
    pub fn from_image<P: Pixel<Subpixel = T>, C: Deref<Target = [T]>>(
        image: &'a ImageBuffer<P, C>,
    ) -> Result<Self, ConnectError> {
        let ([channels, height, width], len) = extents(image);
        let memory = image.as_raw().get(..len).unwrap_or(&[]);
        Ok(TensorView::from_slice(L::extents(channels, height, width), memory)?)
    }

    /// The view as an image buffer of pixels `P`, without a copy.
    ///
    /// # Errors
    /// [`ViewError::Extent`] where there is not one image; [`ConnectError::Channels`] where a pixel has another number of
    /// channels; [`ConnectError::Extent`] for a side that `u32` does not hold.
    ///
    /// ```
    /// use image::Rgb;
    /// use layout_core::layout::Hwc;
    /// use layout_core::view::TensorView;
    ///
    /// let memory: Vec<u16> = (0..12).collect();
    /// let v: TensorView<'_, u16, Hwc> = TensorView::from_slice([3, 2, 2], &memory)?;
    /// assert_eq!(v.as_image::<Rgb<u16>>()?.get_pixel(1, 0), &Rgb([3, 4, 5]));
    /// # Ok::<(), layout_core::connect::ConnectError>(())
    /// ```
    pub fn as_image<P: Pixel<Subpixel = T>>(&self) -> Result<ImageBuffer<P, &'a [T]>, ConnectError> {
        let [width, height] = picture::<P>(L::from_extents(self.dims()))?;
        ImageBuffer::from_raw(width, height, self.as_slice()).ok_or_else(|| too_large(width, height))
    }
}

/// Not reached: the buffer has the length of the extents.
fn too_large(width: u32, height: u32) -> ConnectError {
    let extent = u64::from(width) * u64::from(height);
    ConnectError::Extent { axis: 3, extent, limit: usize::MAX as u64 }
}

#[cfg_attr(docsrs, doc(cfg(feature = "image")))]
impl<'a, T, L: PixelOrder> TensorViewMut<'a, T, L> {
    /// The pixels of an image buffer, to write, without a copy: see [`TensorView::from_image`].
    ///
    /// # Errors
    /// As there.
    pub fn from_image<P: Pixel<Subpixel = T>, C: DerefMut<Target = [T]>>(
        image: &'a mut ImageBuffer<P, C>,
    ) -> Result<Self, ConnectError> {
        let ([channels, height, width], len) = extents(image);
        let memory = (**image).get_mut(..len).unwrap_or(&mut []);
        Ok(TensorViewMut::from_slice_dirty(L::extents(channels, height, width), memory)?)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "image")))]
impl<T: Element, L: ImageAxes> Tensor<T, L> {
    /// An image in any layout of axes n, c, h, w or c, h, w, converted to `T`, in one pass.
    ///
    /// # Errors
    /// [`ConnectError::Reorder`] where the result is too large for the address space or the memory.
    ///
    /// ```
    /// use image::Rgb;
    /// use layout_core::layout::{Nchw, Nchw16c};
    /// use layout_core::view::Tensor;
    ///
    /// let picture = image::RgbImage::from_fn(4, 3, |x, y| Rgb([x as u8, y as u8, 7]));
    /// let planes = Tensor::<f32, Nchw>::from_image(&picture)?;
    /// assert_eq!(planes.as_slice()[..4], [0.0, 1.0, 2.0, 3.0]);
    /// let blocked = Tensor::<f32, Nchw16c>::from_image(&picture)?;
    /// assert_eq!(blocked.blocks()[11][..4], [3.0, 2.0, 7.0, 0.0]);
    /// # Ok::<(), layout_core::connect::ConnectError>(())
    /// ```
    pub fn from_image<P, C>(image: &ImageBuffer<P, C>) -> Result<Self, ConnectError>
    where
        P: Pixel<Subpixel: Element>,
        C: Deref<Target = [P::Subpixel]>,
    {
        let view = TensorView::<P::Subpixel, L::Pixels>::from_image(image)?;
        Ok(L::load(view)?)
    }

    /// Images of one size as a batch, in any layout of axes n, c, h, w, converted to `T`.
    ///
    /// # Errors
    /// [`ConnectError::ImageSize`] for an image of another size than the first; [`ViewError::Size`] and
    /// [`ViewError::Memory`] where the result is too large.
    ///
    /// ```
    /// use image::{Luma, GrayImage};
    /// use layout_core::layout::Nchw;
    /// use layout_core::view::Tensor;
    ///
    /// let images = [GrayImage::from_pixel(2, 1, Luma([1])), GrayImage::from_pixel(2, 1, Luma([2]))];
    /// let batch = Tensor::<f32, Nchw>::from_images(&images)?;
    /// assert_eq!((batch.dims(), batch.as_slice()), ([2, 1, 1, 2], &[1.0, 1.0, 2.0, 2.0][..]));
    /// # Ok::<(), layout_core::connect::ConnectError>(())
    /// ```
    pub fn from_images<P, C>(images: &[ImageBuffer<P, C>]) -> Result<Self, ConnectError>
    where
        L: ImageAxes<Pixels = Nhwc> + SameAxes<Nhwc> + HasAxis<'n'>,
        T: Default,
        P: Pixel<Subpixel: Element>,
        C: Deref<Target = [P::Subpixel]>,
    {
        let [channels, height, width] =
            images.first().map_or([usize::from(P::CHANNEL_COUNT), 0, 0], |i| extents(i).0);
        for (image, other) in images.iter().enumerate() {
            let [_, h, w] = extents(other).0;
            if [w, h] != [width, height] {
                return Err(ConnectError::ImageSize { image, expected: [width, height], found: [w, h] });
            }
        }
        let dims: L::Index = [images.len(), channels, height, width];
        if L::PADDING[0] == 1 {
            let mut batch = Tensor::<T, L>::zeroed(dims)?;
            for (image, part) in images.iter().zip(batch.chunks_mut::<'n'>(1)?) {
                reorder(TensorView::<P::Subpixel, Nhwc>::from_image(image)?, part)?;
            }
            return Ok(batch);
        }
        // The images of a block lie side by side: collect them before they move.
        let mut pixels = Vec::new();
        let len = channels.checked_mul(height * width).and_then(|len| len.checked_mul(images.len()));
        let bytes = len.unwrap_or(usize::MAX).saturating_mul(size_of::<P::Subpixel>());
        pixels.try_reserve_exact(len.unwrap_or(usize::MAX)).map_err(|_| ViewError::Memory { bytes })?;
        for image in images {
            pixels.extend_from_slice(TensorView::<P::Subpixel, Nhwc>::from_image(image)?.as_slice());
        }
        let batch = TensorView::<P::Subpixel, Nhwc>::from_slice(dims, &pixels)?;
        Ok(L::load(batch)?)
    }
}

/// The images of `view` with the subpixels converted.
fn to_images<V, P>(view: &V) -> Result<Vec<OwnedImage<P>>, ConnectError>
where
    V: View<Elem: Element, Layout: ImageAxes>,
    P: Pixel<Subpixel: Element>,
{
    let view = view.as_strided_view();
    let [n, c, h, w] = <V::Layout as ImageAxes>::Pixels::from_extents(view.dims());
    let [width, height] = picture::<P>([1, c, h, w])?;
    let pixels = V::Layout::store::<_, P::Subpixel>(view)?;
    let len = c * h * w;
    let mut images = Vec::new();
    for at in 0..n {
        let mut samples: Vec<P::Subpixel> = Vec::new();
        samples
            .try_reserve_exact(len)
            .map_err(|_| ViewError::Memory { bytes: len * size_of::<P::Subpixel>() })?;
        samples.extend_from_slice(&pixels.as_slice()[at * len..(at + 1) * len]);
        images.push(ImageBuffer::from_raw(width, height, samples).ok_or_else(|| too_large(width, height))?);
    }
    Ok(images)
}

macro_rules! to_image {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        #[cfg_attr(docsrs, doc(cfg(feature = "image")))]
        impl<$($life,)? T: Element, L: ImageAxes, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// The elements as an image of pixels `P`, converted to its subpixels: rounded to the nearest, and saturated.
            ///
            /// # Errors
            /// [`ViewError::Extent`] where there is not one image; [`ConnectError::Channels`] where a pixel has another
            /// number of channels; [`ConnectError::Extent`] for a side that `u32` does not hold.
            ///
            /// ```
            /// use image::Rgb;
            /// use layout_core::layout::Nchw;
            /// use layout_core::view::Tensor;
            ///
            /// let planes = Tensor::<f32, Nchw>::from_fn([1, 3, 2, 2], |[_, c, h, w]| (100 * c + 30 * h + w) as f32 + 0.6)?;
            /// assert_eq!(planes.to_image::<Rgb<u8>>()?.get_pixel(1, 1), &Rgb([32, 132, 232]));
            /// # Ok::<(), layout_core::connect::ConnectError>(())
            /// ```
            pub fn to_image<P>(&self) -> Result<OwnedImage<P>, ConnectError>
            where
                P: Pixel<Subpixel: Element>,
            {
                picture::<P>(L::Pixels::from_extents(self.dims()))?;
                let mut images = to_images::<_, P>(self)?;
                images.pop().ok_or(ConnectError::View(ViewError::Extent { axis: 'n', expected: 1, found: 0 }))
            }

            /// The images of a batch: see [`to_image`](Self::to_image).
            ///
            /// # Errors
            /// As there, whatever the number of images is.
            pub fn to_images<P>(&self) -> Result<Vec<OwnedImage<P>>, ConnectError>
            where
                P: Pixel<Subpixel: Element>,
            {
                to_images::<_, P>(self)
            }
        }
    )*};
}
to_image! {
    StridedView<'a, T, L, S>;
    TensorView<'a, T, L, S>;
    Tensor<T, L, S>;
}
