//! DLPack: tensors through the C structures, of both versions, by dlpark's own accessors; and structures made by hand.

use crate::indices;
use dlpark::ffi::{DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic;
use dlpark::{Managed, ManagedTensorBase};
use half::{bf16, f16};
use std::sync::Arc;
use tensor_layout::connect::ConnectError;
use tensor_layout::{
    Boolean, Chwn, DType, E8M0, Element, F8E4M3, F8E5M2, Nchw, Nchw16c, Nhwc, RowMajor, Scalar, Tensor,
    TensorBytes, TensorView, ViewError, layout,
};

fn number([n, c, h, w]: [usize; 4]) -> u8 {
    (60 * n + 20 * c + 5 * h + w) as u8
}

fn round_trip<M: ManagedTensorBase>() {
    macro_rules! layouts {
        ($($layout:ty)*) => {$({
            let tensor = Tensor::<f32, $layout>::from_fn([2, 3, 4, 5], |index| f32::from(number(index))).unwrap();
            let (memory, strides) = (tensor.as_slice().as_ptr(), tensor.strides());
            let managed: Managed<M> = tensor.into_dlpack().unwrap();
            // Through a bare pointer, as C code hands it on.
            // SAFETY: the pointer was `managed` a moment ago.
            let managed = unsafe { Managed::<M>::from_raw(managed.into_raw()) }.unwrap();
            let found = managed.validate().unwrap();
            assert_eq!(found.shape(), [2, 3, 4, 5]);
            assert!(found.strides().unwrap().iter().zip(strides).all(|(&found, made)| found == made as i64));
            // SAFETY: the structure is one of ours.
            let bytes = unsafe { TensorBytes::from_dlpack(&managed) }.unwrap();
            let view = bytes.view::<f32, $layout>().unwrap();
            assert_eq!(view.as_ptr(), memory);
            let moved = bytes.to_tensor::<u8, Nchw16c>().unwrap();
            assert!(indices([2, 3, 4, 5]).all(|i| view[i] == f32::from(number(i)) && moved[i] == number(i)));
        })*};
    }
    layouts!(Nchw Nhwc Chwn);
}

#[test]
fn both_structures_there_and_back() {
    round_trip::<DLManagedTensor>();
    round_trip::<DLManagedTensorVersioned>();
}

#[test]
fn every_data_type() {
    fn check<T: Element + PartialEq + std::fmt::Debug + Default>(expected: DLDataType, value: T) {
        let tensor = Tensor::<T, RowMajor>::filled([2, 3], value).unwrap();
        let managed = tensor.into_dlpack::<DLManagedTensorVersioned>().unwrap();
        assert_eq!(managed.validate().unwrap().dtype(), expected);
        // SAFETY: the structure is one of ours.
        let bytes = unsafe { TensorBytes::from_dlpack(&managed) }.unwrap();
        assert_eq!(bytes.view::<T, RowMajor>().unwrap()[[1, 2]], value);
    }
    check(DLDataType::F64, 2.5f64);
    check(DLDataType::F32, 2.5f32);
    check(DLDataType::F16, f16::from_f32(2.5));
    check(DLDataType::BF16, bf16::from_f32(2.5));
    check(DLDataType::I32, -5i32);
    check(DLDataType::I8, -5i8);
    check(DLDataType::U8, 250u8);

    // By the bits, because NaN is among them; the codes are those of DLPack's header.
    fn small<T: Element + Default>(code: u8, of: impl Fn(u8) -> T, bits: impl Fn(T) -> u8) {
        let tensor = Tensor::<T, RowMajor>::from_vec([16, 16], (0..=255).map(of).collect()).unwrap();
        let managed = tensor.into_dlpack::<DLManagedTensorVersioned>().unwrap();
        let found = managed.validate().unwrap().dtype();
        assert_eq!((found.code.0, found.bits, found.lanes), (code, 8, 1));
        // SAFETY: the structure is one of ours.
        let bytes = unsafe { TensorBytes::from_dlpack(&managed) }.unwrap();
        assert!(bytes.view::<T, RowMajor>().unwrap().iter().map(|&x| bits(x)).eq(0..=255));
    }
    small(12, F8E5M2::from_bits, F8E5M2::to_bits);
    small(10, F8E4M3::from_bits, F8E4M3::to_bits);
    small(14, E8M0::from_bits, E8M0::to_bits);
}

#[test]
fn booleans_come_in_and_do_not_go_out() {
    let memory = Arc::new(vec![f32::from_bits(0x0001_0100); 1]);
    let managed = foreign(&memory, 0, &[4], &[1], |tensor| {
        tensor.dtype = DLDataType::scalar(dlpark::ffi::DLDataTypeCode::BOOL, 8);
    });
    // SAFETY: 4 bytes lie within `memory`.
    let bytes = unsafe { TensorBytes::from_dlpack(&managed) }.unwrap();
    assert_eq!(bytes.dtype(), DType::Boolean);
    let numbers = bytes.to_tensor::<u8, layout!("a")>().unwrap();
    assert_eq!(numbers.as_slice(), f32::from_bits(0x0001_0100).to_ne_bytes());

    // Other libraries take every byte that is not 0 or 1 for a broken one.
    let truths = Tensor::<Boolean, RowMajor>::filled([2, 3], Boolean::from_bits(7)).unwrap();
    let error = truths.into_dlpack::<DLManagedTensor>().map(|_| ()).unwrap_err();
    assert!(matches!(error, ConnectError::Unsupported { dtype: DType::Boolean, by: "DLPack" }), "{error:?}");
    assert_eq!(error.to_string(), "elements boolean cannot be handed to DLPack: convert them first, to u8");
}

#[test]
fn scalars_padding_and_empty_tensors() {
    let scalar = Tensor::<f32, Scalar>::filled([], 2.5).unwrap().into_dlpack::<DLManagedTensor>().unwrap();
    // SAFETY: the structure is one of ours.
    let bytes = unsafe { TensorBytes::from_dlpack(&scalar) }.unwrap();
    assert_eq!(bytes.view::<f32, Scalar>().unwrap()[[]], 2.5);
    // Rows of 3 in memory of 4.
    let padded = Tensor::<f32, layout!("ab^4")>::from_fn([2, 3], |[a, b]| (10 * a + b) as f32).unwrap();
    let padded = padded.into_dlpack::<DLManagedTensor>().unwrap();
    assert_eq!(padded.validate().unwrap().strides(), Some(&[4, 1][..]));
    // SAFETY: the structure is one of ours.
    let bytes = unsafe { TensorBytes::from_dlpack(&padded) }.unwrap();
    assert_eq!(bytes.strided_view::<f32, RowMajor>().unwrap()[[1, 2]], 12.0);
    assert!(matches!(
        bytes.view::<f32, RowMajor>(),
        Err(ConnectError::View(ViewError::Stride { axis: 'a', .. }))
    ));
    let empty =
        Tensor::<f32, RowMajor>::zeroed([0, 3]).unwrap().into_dlpack::<DLManagedTensorVersioned>().unwrap();
    // SAFETY: the structure is one of ours.
    assert_eq!(unsafe { TensorBytes::from_dlpack(&empty) }.unwrap().dims(), [0, 3]);
}

/// A structure over `memory`, which it shares, as another library would make one: the first element is `first`.
fn foreign(
    memory: &Arc<Vec<f32>>,
    first: usize,
    dims: &[i64],
    strides: &[i64],
    change: impl FnOnce(&mut dlpark::ffi::DLTensor),
) -> Managed<DLManagedTensorVersioned> {
    let mut made = Dynamic::new(dims, strides)
        .prepare_as::<DLManagedTensorVersioned>()
        .unwrap()
        .initialize(Arc::clone(memory));
    made.set_data(memory.as_ptr().cast_mut().cast())
        .set_byte_offset(4 * first as u64)
        .set_dtype(DLDataType::F32)
        .set_device(DLDevice::CPU);
    change(made.tensor_mut());
    // SAFETY: the memory is kept by the `Arc`, and nobody writes it.
    unsafe { made.finish() }
}

#[test]
fn strides_of_any_size_and_sign() {
    let memory = Arc::new((0..24).map(|i| i as f32).collect::<Vec<_>>());
    // Rows from the last to the first, every second column: `a[::-1, 1::2]` of a 4 x 6 array.
    let part = foreign(&memory, 19, &[4, 3], &[-6, 2], |_| {});
    // SAFETY: the elements are within `memory`.
    let bytes = unsafe { TensorBytes::from_dlpack(&part) }.unwrap();
    let tensor = bytes.to_tensor::<f32, layout!("Ab4a")>().unwrap();
    assert!(indices([4, 3]).all(|[a, b]| tensor[[a, b]] == (6 * (3 - a) + 1 + 2 * b) as f32));
    // One row, seen four times.
    let row = foreign(&memory, 6, &[4, 3], &[0, 1], |_| {});
    // SAFETY: as above.
    let bytes = unsafe { TensorBytes::from_dlpack(&row) }.unwrap();
    assert_eq!(bytes.to_tensor::<f32, RowMajor>().unwrap().as_slice(), [6., 7., 8.].repeat(4));
    // Without strides in older structures: rows.
    let compact = foreign(&memory, 0, &[4, 6], &[6, 1], |_| {});
    // SAFETY: as above.
    let view = unsafe { TensorBytes::from_dlpack(&compact) }.unwrap();
    assert_eq!(view.view::<f32, RowMajor>().unwrap()[[3, 5]], 23.0);
    drop((part, row, compact));
    assert_eq!(Arc::strong_count(&memory), 1, "every deleter was called");
}

#[test]
fn what_cannot_be_taken() {
    let memory = Arc::new(vec![0.0; 24]);
    let refused = |dims: &[i64], strides: &[i64], change: fn(&mut dlpark::ffi::DLTensor)| {
        let managed = foreign(&memory, 0, dims, strides, change);
        // SAFETY: what is taken lies within `memory`.
        unsafe { TensorBytes::from_dlpack(&managed) }.unwrap_err()
    };
    let error = refused(&[4, 6], &[6, 1], |tensor| tensor.device = DLDevice::cuda(1));
    assert_eq!(
        error.to_string(),
        "the tensor is in the memory of device 1 of DLPack type 2: copy it to the host first"
    );
    let error = refused(&[4, 6], &[6, 1], |tensor| tensor.dtype = DLDataType::I64);
    assert!(
        matches!(&error, ConnectError::ElementType { found } if found == "DLPack code 0 of 64 bits x 1"),
        "{error:?}"
    );
    let error = refused(&[4, 6], &[6, 1], |tensor| tensor.dtype.lanes = 2);
    assert!(matches!(&error, ConnectError::ElementType { .. }), "{error:?}");
    // Windows that overlap.
    assert!(matches!(refused(&[4, 3], &[1, 2], |_| {}), ConnectError::Descriptor(_)));
    assert!(matches!(refused(&[-4, 3], &[3, 1], |_| {}), ConnectError::Library { library: "dlpack", .. }));
    let error = refused(&[i64::MAX, 3], &[3, 1], |_| {});
    assert!(matches!(error, ConnectError::Library { .. } | ConnectError::Descriptor(_)), "{error:?}");
}

#[test]
fn the_memory_outlives_the_tensor_on_another_thread() {
    let managed =
        Tensor::<u8, Nhwc>::from_fn([2, 3, 4, 5], number).unwrap().into_dlpack::<DLManagedTensor>().unwrap();
    let sum = std::thread::spawn(move || {
        // SAFETY: the structure is one of ours.
        let bytes = unsafe { TensorBytes::from_dlpack(&managed) }.unwrap();
        let view: TensorView<'_, u8, Nhwc> = bytes.view().unwrap();
        view.iter().map(|&x| u32::from(x)).sum::<u32>()
    });
    let expected: u32 = indices([2, 3, 4, 5]).map(|i| u32::from(number(i))).sum();
    assert_eq!(sum.join().unwrap(), expected);
}
