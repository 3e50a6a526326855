//! safetensors: a file that the Python package wrote (`data/make.py`), and files of our own read by the crate.

use crate::{indices, narrow, wide};
use half::{bf16, f16};
use safetensors::{Dtype, SafeTensors};
use std::collections::HashMap;
use tensor_layout::connect::ConnectError;
use tensor_layout::{
    Boolean, E8M0, Element, F8E4M3, F8E5M2, Nchw16c, OIhw8i8o, Oihw, Rows, Tensor, TensorBytes, ViewError,
    layout,
};

type Abc = layout!("abc");

#[repr(align(8))]
struct Mapped<const N: usize>([u8; N]);

const FILE: &Mapped<{ include_bytes!("data/weights.safetensors").len() }> =
    &Mapped(*include_bytes!("data/weights.safetensors"));

#[test]
fn a_file_of_the_python_package() {
    let file = SafeTensors::deserialize(&FILE.0).unwrap();
    let found = TensorBytes::from_safetensors(&file, "wide").unwrap();
    let view = found.view::<f32, Abc>().unwrap();
    assert!(FILE.0.as_ptr_range().contains(&view.as_ptr().cast()));
    assert!(indices([2, 3, 4]).all(|i| view[i] == wide(i) as f32));
    let half: TensorBytes<'_> = file.tensor("half").unwrap().try_into().unwrap();
    let moved = half.to_tensor::<f32, layout!("aBc4b")>().unwrap();
    assert!(indices([2, 3, 4]).all(|i| moved[i] == wide(i) as f32 && view[i] == moved[i]));
    let bytes = Tensor::<u8, layout!("cab")>::from_safetensors(&file, "bytes").unwrap();
    assert!(indices([2, 3, 4]).all(|i| i32::from(bytes[i]) == narrow(i) + 37));
}

#[test]
fn what_is_not_there_or_has_no_type() {
    let file = SafeTensors::deserialize(&FILE.0).unwrap();
    let error = TensorBytes::from_safetensors(&file, "long").unwrap_err();
    assert!(matches!(&error, ConnectError::ElementType { found } if found == "I64"), "{error:?}");
    let error = TensorBytes::from_safetensors(&file, "bias").unwrap_err();
    assert!(matches!(&error, ConnectError::Library { library: "safetensors", .. }), "{error:?}");
    assert!(error.to_string().contains("bias"), "{error}");
    let error = TensorBytes::from_safetensors(&file, "wide").unwrap().view::<f32, Oihw>().unwrap_err();
    assert!(matches!(error, ConnectError::View(ViewError::Rank { expected: 4, found: 3 })), "{error:?}");
    let error = TensorBytes::from_safetensors(&file, "wide").unwrap().view::<i32, Abc>().unwrap_err();
    assert!(matches!(error, ConnectError::View(ViewError::DType { .. })), "{error:?}");
}

#[test]
fn elements_off_their_alignment_are_copied() {
    let mut memory = Mapped([0; FILE.0.len() + 1]);
    memory.0[1..].copy_from_slice(&FILE.0);
    let file = SafeTensors::deserialize(&memory.0[1..]).unwrap();
    let found = TensorBytes::from_safetensors(&file, "wide").unwrap();
    let error = found.view::<f32, Abc>().unwrap_err();
    assert!(matches!(error, ConnectError::View(ViewError::Alignment { required: 4, past: 1 })), "{error:?}");
    let tensor = found.to_tensor::<f32, Abc>().unwrap();
    assert!(indices([2, 3, 4]).all(|i| tensor[i] == wide(i) as f32));
}

#[test]
fn what_is_written_is_read_by_the_crate() {
    fn check<T: Element + Default>(dtype: Dtype, value: impl Fn([usize; 4]) -> T) {
        let weights = Tensor::<T, OIhw8i8o>::from_fn([4, 3, 2, 5], &value).unwrap();
        let bytes = safetensors::serialize([("w", Rows::of(&weights).unwrap())], None).unwrap();
        let file = SafeTensors::deserialize(&bytes).unwrap();
        let read = file.tensor("w").unwrap();
        assert_eq!((read.dtype(), read.shape()), (dtype, &[4, 3, 2, 5][..]));
        let expected: Vec<T> = indices([4, 3, 2, 5]).map(&value).collect();
        // SAFETY: elements are plain numbers.
        let expected: &[u8] =
            unsafe { std::slice::from_raw_parts(expected.as_ptr().cast(), size_of_val(&expected[..])) };
        assert_eq!(read.data(), expected);
        let back = Tensor::<T, OIhw8i8o>::from_safetensors(&file, "w").unwrap();
        assert_eq!(Rows::of(&back).unwrap().bytes(), expected);
    }
    let value = |[o, i, h, w]: [usize; 4]| (30 * o + 10 * i + 5 * h + w) as u8;
    check::<f64>(Dtype::F64, |i| f64::from(value(i)));
    check::<f32>(Dtype::F32, |i| f32::from(value(i)));
    check::<f16>(Dtype::F16, |i| f16::from_f32(f32::from(value(i))));
    check::<bf16>(Dtype::BF16, |i| bf16::from_f32(f32::from(value(i))));
    check::<i32>(Dtype::I32, |i| i32::from(value(i)));
    check::<i8>(Dtype::I8, |i| value(i) as i8);
    check::<u8>(Dtype::U8, value);
    check::<F8E5M2>(Dtype::F8_E5M2, |i| F8E5M2::from_bits(value(i)));
    check::<F8E4M3>(Dtype::F8_E4M3, |i| F8E4M3::from_bits(value(i)));
    check::<E8M0>(Dtype::F8_E8M0, |i| E8M0::from_bits(value(i)));
    check::<Boolean>(Dtype::BOOL, |i| Boolean::from_bits(value(i) % 2));
}

/// Every byte that is not 0 is true in memory; in files it is 1.
#[test]
fn truths_are_written_as_one() {
    let memory: Vec<Boolean> = [0, 1, 7, 255].into_iter().map(Boolean::from_bits).collect();
    let tensor = Tensor::<Boolean, layout!("a")>::from_vec([4], memory).unwrap();
    let bytes = safetensors::serialize([("t", Rows::of(&tensor).unwrap())], None).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.tensor("t").unwrap().data(), [0, 1, 1, 1]);
}

#[test]
fn several_tensors_and_metadata() {
    let act =
        Tensor::<f32, Nchw16c>::from_fn([1, 3, 2, 2], |[_, c, h, w]| (4 * c + 2 * h + w) as f32).unwrap();
    let plain = act.to_layout::<tensor_layout::Nchw>();
    let (blocked, rows) = (Rows::of(&act).unwrap(), Rows::of(&plain).unwrap());
    assert!(rows.is_borrowed() && !blocked.is_borrowed());
    assert_eq!(rows.bytes(), blocked.bytes());
    let metadata = HashMap::from([("made by".to_owned(), "tensor-layout".to_owned())]);
    let bytes =
        safetensors::serialize([("blocked", blocked), ("plain", rows)], Some(metadata.clone())).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.tensor("blocked").unwrap().data(), file.tensor("plain").unwrap().data());
    let (_, read) = SafeTensors::read_metadata(&bytes).unwrap();
    assert_eq!(read.metadata(), &Some(metadata));
}
