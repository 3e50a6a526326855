//! Mistakes from public threads, as a user of descriptors meets them; those that types catch are in `ui-tests/fail/threads`.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::layout::{Layout, Nchw, Nhwc};
use layout_core::match_layout;
use layout_core::shape::IndexError;
use layout_core::view::{DynView, TensorView, TensorViewMut, ViewError};

/// <https://github.com/huggingface/candle/issues/3404>: a convolution took its input for NHWC where the strides in memory
/// were those of NHWC, which they are for NCHW with as many channels as rows and columns. Here a stride belongs to an axis
/// that has a name, and the kernel is chosen by it.
#[test]
fn as_many_channels_as_rows_and_columns() {
    let dims = [1, 4, 4, 4];
    let values: Vec<f32> = (0..64).map(|i| i as f32).collect();
    for (format, name, second_channel) in [("nchw", "planes", 16.0), ("nhwc", "pixels", 1.0)] {
        let descriptor = Descriptor::new(DType::F32, &dims, format).unwrap();
        let called = match_layout!(DynView::new(&descriptor, &values).unwrap(); f32;
            Nchw => |x| ("planes", x[[0, 1, 0, 0]]),
            Nhwc => |x| ("pixels", x[[0, 1, 0, 0]]),
        );
        assert_eq!(called.unwrap(), (name, second_channel));
    }
    let of = |format| Descriptor::new(DType::F32, &dims, format).unwrap();
    assert!(!of("nchw").same_bytes(&of("nhwc")));
    assert_ne!(of("nchw").strides(), of("nhwc").strides());
}

/// <https://github.com/tracel-ai/cubek/issues/682>: extents as N, C, H, W to a kernel that read them as N, H, W, C; it read
/// past the filter, wrote past the output, and said `Ok`. Extents in the wrong order describe other memory here, and
/// memory is never reached past its end.
#[test]
fn extents_in_the_order_of_another_layout() {
    let memory = vec![1f32; 3 * 227 * 227];
    let advertised = TensorView::<f32, Nhwc>::from_slice([1, 3, 227, 227], &memory).unwrap();
    assert_eq!((advertised.extent::<'c'>(), advertised.extent::<'w'>()), (3, 227));
    // Somebody writes them in the order of memory. There are as many elements, so that this is a tensor; but whatever is
    // read of it, by index or by block, is within it, and an index of the one is refused by the other.
    let executed = TensorView::<f32, Nhwc>::from_slice([1, 227, 227, 3], &memory).unwrap();
    assert_eq!(executed.get([0, 2, 226, 226]), None);
    assert_eq!(
        executed.offset([0, 2, 226, 226]),
        Err(IndexError::OutOfRange { axis: 'w', position: 3, index: 226, extent: 3 })
    );
    // The output, which had another size, is refused at once.
    let mut output = vec![0f32; 96 * 55 * 55];
    let error = TensorViewMut::<f32, Nhwc>::from_slice([1, 3, 225, 225], &mut output).unwrap_err();
    assert_eq!(error, ViewError::Length { expected: 3 * 225 * 225, found: 96 * 55 * 55 });
}

/// <https://github.com/bytecodealliance/wasmtime/issues/10867>: a file of pixels for a model that takes planes. At run time
/// the descriptor says which they are, and the bridge to the kernel's type compares.
#[test]
fn pixels_for_a_model_that_takes_planes() {
    let file = vec![0u8; 3 * 224 * 224];
    let pixels = Nhwc::descriptor(DType::U8, [1, 3, 224, 224]).unwrap();
    let error = TensorView::<u8, Nchw>::from_descriptor(&pixels, &file).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the descriptor's format is another: physical digit 1 is h where the layout has c"
    );
    // And if the kernel is listed as one that may be reordered to, the classes are right.
    let file: Vec<u8> = (0..3 * 224 * 224).map(|i| (i % 3) as u8).collect();
    let blue = match_layout!((&pixels, &file); u8;
        Nchw => |x| x.as_slice()[2 * 224 * 224..].iter().all(|&x| x == 2),
        else reorder
    );
    assert_eq!(blue, Ok(true));
}

/// <https://github.com/anthonytorlucci/rlevo/issues/585>: a frame whose shape reads 96, 96, 3, which a convolution over
/// channels first takes for 96 channels of 96 x 3. With axes in the format, their number and names are compared.
#[test]
fn a_frame_for_a_convolution_that_takes_channels_first() {
    let frame = Descriptor::new(DType::U8, &[96, 96, 3], "hwc => hwc").unwrap();
    let memory = vec![0u8; 96 * 96 * 3];
    let error = match_layout!((&frame, &memory); u8; Nchw => |_| (), else reorder).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("the descriptor `hwc => hwc` has axes h, w, c, but the layouts of the list have others, such as n, c, h, w"),
        "{text}"
    );
}
