//! image: every pixel by the crate's own `get_pixel`, for every kind of pixel.

use image::{GrayImage, ImageBuffer, Luma, LumaA, Pixel, Rgb, RgbImage, Rgba};
use tensor_layout::connect::ConnectError;
use tensor_layout::{Chw, Hwc, Nchw, Nchw16c, Nhwc, Tensor, TensorView, TensorViewMut, ViewError, layout};

/// A picture in which every sample is different, of the channels that `P` has.
fn picture<P: Pixel>(
    width: u32,
    height: u32,
    sample: impl Fn(u32) -> P::Subpixel,
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    let channels = u32::from(P::CHANNEL_COUNT);
    ImageBuffer::from_fn(width, height, |x, y| {
        let samples: Vec<_> = (0..channels).map(|c| sample((y * width + x) * channels + c)).collect();
        *P::from_slice(&samples)
    })
}

#[test]
fn every_pixel_is_where_it_was() {
    macro_rules! pixels {
        ($($pixel:ty: $sample:expr;)*) => {$({
            type P = $pixel;
            type T = <P as Pixel>::Subpixel;
            let image = picture::<P>(5, 3, $sample);
            let batch = TensorView::<T, Nhwc>::from_image(&image).unwrap();
            let single = TensorView::<T, Hwc>::from_image(&image).unwrap();
            let channels = usize::from(P::CHANNEL_COUNT);
            assert_eq!((batch.dims(), single.dims()), ([1, channels, 3, 5], [channels, 3, 5]));
            assert_eq!(batch.as_ptr(), image.as_raw().as_ptr());
            for (x, y, pixel) in image.enumerate_pixels() {
                for (c, sample) in pixel.channels().iter().enumerate() {
                    assert_eq!(batch[[0, c, y as usize, x as usize]], *sample);
                    assert_eq!(single[[c, y as usize, x as usize]], *sample);
                }
            }
            let back = single.as_image::<P>().unwrap();
            assert!(back.pixels().eq(image.pixels()));
            assert_eq!(back.as_raw().as_ptr(), image.as_raw().as_ptr());
            assert!(batch.as_image::<P>().unwrap().pixels().eq(image.pixels()));
        })*};
    }
    pixels! {
        Luma<u8>: |i| i as u8;
        LumaA<u8>: |i| i as u8;
        Rgb<u8>: |i| i as u8;
        Rgba<u8>: |i| 3 * i as u8;
        Luma<u16>: |i| 1000 * i as u16;
        Rgb<u16>: |i| 1000 * i as u16;
        Rgba<u16>: |i| 1000 * i as u16;
        Luma<f32>: |i| i as f32 / 7.0;
        Rgb<f32>: |i| i as f32 / 7.0;
        Rgba<f32>: |i| i as f32 / 7.0;
    }
}

#[test]
fn images_move_to_any_layout_and_back() {
    let image = picture::<Rgb<u8>>(5, 3, |i| 5 * i as u8);
    macro_rules! layouts {
        ($($layout:ty;)*) => {$({
            let tensor = Tensor::<f32, $layout>::from_image(&image).unwrap();
            for (x, y, pixel) in image.enumerate_pixels() {
                for c in 0..3 {
                    assert_eq!(tensor[[0, c, y as usize, x as usize]], f32::from(pixel[c]));
                }
            }
            assert!(tensor.padding_is_zero());
            assert_eq!(tensor.to_image::<Rgb<u8>>().unwrap(), image);
            assert_eq!(tensor.view().to_image::<Rgb<u8>>().unwrap(), image);
            // To floats and to bytes again, without a loss.
            let floats = tensor.to_image::<Rgb<f32>>().unwrap();
            assert_eq!(floats.get_pixel(4, 2), &Rgb(image.get_pixel(4, 2).0.map(f32::from)));
            assert_eq!(Tensor::<u8, $layout>::from_image(&floats).unwrap().to_image::<Rgb<u8>>().unwrap(), image);
        })*};
    }
    layouts! { Nchw; Nhwc; Nchw16c; layout!("Nchw4n"); }
    for index in [[0, 0, 0], [2, 2, 4], [1, 0, 3]] {
        let [c, h, w] = index;
        let sample = image.get_pixel(w as u32, h as u32)[c];
        assert_eq!(Tensor::<i32, Chw>::from_image(&image).unwrap()[index], i32::from(sample));
        assert_eq!(Tensor::<u8, Hwc>::from_image(&image).unwrap()[index], sample);
    }
    // Rounded to the nearest even, and saturated.
    let values = [-3.0, 0.5, 1.5, 254.6, 300.0, f32::NAN];
    let tensor = Tensor::<f32, Nchw>::from_logical([1, 1, 2, 3], &values).unwrap();
    assert_eq!(tensor.to_image::<Luma<u8>>().unwrap().as_raw()[..], [0, 0, 2, 255, 255, 0]);
}

#[test]
fn sixteen_bits_by_way_of_a_map() {
    let image = picture::<Rgb<u16>>(5, 3, |i| 1000 * i as u16);
    let view = TensorView::<u16, Nhwc>::from_image(&image).unwrap();
    let planes: Tensor<f32, Nchw> = view.map(f32::from).to_layout();
    let back = planes.to_layout::<Nhwc>().map(|x| x as u16);
    assert!(back.view().as_image::<Rgb<u16>>().unwrap().pixels().eq(image.pixels()));
}

#[test]
fn batches() {
    let images: Vec<RgbImage> = (0..5).map(|at| picture(4, 3, |i| (i + 40 * at) as u8)).collect();
    macro_rules! layouts {
        ($($layout:ty;)*) => {$({
            let batch = Tensor::<f32, $layout>::from_images(&images).unwrap();
            assert_eq!(batch.dims(), [5, 3, 3, 4]);
            for (n, image) in images.iter().enumerate() {
                for (x, y, pixel) in image.enumerate_pixels() {
                    assert!((0..3).all(|c| batch[[n, c, y as usize, x as usize]] == f32::from(pixel[c])));
                }
            }
            assert!(batch.padding_is_zero());
            assert_eq!(batch.to_images::<Rgb<u8>>().unwrap(), images);
        })*};
    }
    // In the last two, images lie side by side.
    layouts! { Nchw; Nhwc; Nchw16c; layout!("Nchw4n"); layout!("chwn"); }
    let none: [GrayImage; 0] = [];
    assert_eq!(Tensor::<f32, Nchw>::from_images(&none).unwrap().dims(), [0, 1, 0, 0]);
    let part = Tensor::<u8, Nchw>::from_images(&images).unwrap();
    assert_eq!(part.slice::<'n'>(2..3).unwrap().to_image::<Rgb<u8>>().unwrap(), images[2]);
}

#[test]
fn images_are_written_in_place() {
    let mut image = picture::<Rgb<u8>>(5, 3, |i| i as u8);
    let mut view = TensorViewMut::<u8, Hwc>::from_image(&mut image).unwrap();
    view.map_in_place(|x| 255 - x);
    assert_eq!(image, picture::<Rgb<u8>>(5, 3, |i| 255 - i as u8));
}

#[test]
fn a_buffer_may_be_longer_than_its_image() {
    let image = GrayImage::from_raw(2, 2, (0..9).collect()).unwrap();
    let view = TensorView::<u8, Nhwc>::from_image(&image).unwrap();
    assert_eq!((view.len(), view[[0, 0, 1, 1]]), (4, 3));
}

#[test]
fn errors_name_the_numbers() {
    let images = [GrayImage::new(4, 3), GrayImage::new(4, 3), GrayImage::new(3, 4)];
    let error = Tensor::<f32, Nchw>::from_images(&images).unwrap_err();
    assert!(matches!(error, ConnectError::ImageSize { image: 2, expected: [4, 3], found: [3, 4] }));
    assert_eq!(error.to_string(), "image 2 is 3 x 4 pixels, but the first of the batch is 4 x 3");
    let planes = Tensor::<f32, Nchw>::zeroed([1, 2, 3, 4]).unwrap();
    let error = planes.to_image::<Rgb<u8>>().unwrap_err();
    assert_eq!(error.to_string(), "a pixel has 3 channels, but axis `c` has extent 2");
    let batch = Tensor::<f32, Nchw>::zeroed([2, 3, 3, 4]).unwrap();
    let error = batch.to_image::<Rgb<u8>>().unwrap_err();
    assert!(matches!(error, ConnectError::View(ViewError::Extent { axis: 'n', expected: 1, found: 2 })));
    let error = Tensor::<u8, Nhwc>::zeroed([2, 3, 3, 4]).unwrap().view().as_image::<Rgb<u8>>().unwrap_err();
    assert!(matches!(error, ConnectError::View(ViewError::Extent { axis: 'n', expected: 1, found: 2 })));
    #[cfg(target_pointer_width = "64")]
    {
        let wide = Tensor::<u8, Nhwc>::zeroed([1, 1, 0, 1 << 33]).unwrap();
        let error = wide.to_image::<Luma<u8>>().unwrap_err();
        assert!(matches!(error, ConnectError::Extent { axis: 3, extent: 0x2_0000_0000, .. }));
    }
}
