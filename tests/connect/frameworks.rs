//! candle and burn, whose crates take minutes to build: run by `scripts/check frameworks`.

use burn_std::TensorData;
use candle_core::{Device, IndexOp};
use half::{bf16, f16};
use tensor_layout::connect::ConnectError;
use tensor_layout::{
    Chwn, Element, Layout, Nchw, Nchw8c, Nchw16c, Nhwc, Tensor, TensorBytes, ViewError, layout,
};

const DIMS: [usize; 4] = [2, 3, 4, 5];

fn number([n, c, h, w]: [usize; 4]) -> u8 {
    (60 * n + 20 * c + 5 * h + w) as u8
}

/// All indices of [`DIMS`] in row-major order.
fn indices() -> impl Iterator<Item = [usize; 4]> {
    (0..120).map(|at| [at / 60, at / 20 % 3, at / 5 % 4, at % 5])
}

fn candle() -> candle_core::Tensor {
    candle_core::Tensor::from_iter(indices().map(|i| f32::from(number(i))), &Device::Cpu)
        .and_then(|flat| flat.reshape(&DIMS))
        .unwrap()
}

#[test]
fn candle_tensors_of_any_strides() {
    fn check<L: Layout<Index = [usize; 4]>>(tensor: &candle_core::Tensor) {
        let ours = Tensor::<f32, L>::from_candle(tensor).unwrap();
        assert_eq!(ours.dims(), tensor.dims());
        for index in ours.indices() {
            let [n, c, h, w] = index;
            assert_eq!(ours[index], tensor.i((n, c, h, w)).unwrap().to_scalar::<f32>().unwrap(), "{index:?}");
        }
        assert!(ours.padding_is_zero());
        let back = ours.to_candle(&Device::Cpu).unwrap();
        assert!(back.is_contiguous());
        let flat = |tensor: &candle_core::Tensor| tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert_eq!((back.dims(), flat(&back)), (tensor.dims(), flat(tensor)));
    }
    let whole = candle();
    let permuted = whole.permute((0, 3, 1, 2)).unwrap();
    let narrowed = whole.narrow(3, 1, 3).unwrap().narrow(1, 1, 2).unwrap();
    let repeated = whole.i((1.., .., 2..3, ..)).unwrap().broadcast_as((1, 3, 4, 5)).unwrap();
    for tensor in [&whole, &permuted, &narrowed, &repeated] {
        check::<Nchw>(tensor);
        check::<Nhwc>(tensor);
        check::<Chwn>(tensor);
        check::<Nchw16c>(tensor);
    }
}

#[test]
fn candle_data_types() {
    fn check<T: Element + candle_core::WithDType + Default + std::fmt::Debug>(value: impl Fn(u8) -> T) {
        let blocked = Tensor::<T, Nchw8c>::from_fn(DIMS, |index| value(number(index))).unwrap();
        let theirs = blocked.to_candle(&Device::Cpu).unwrap();
        assert_eq!(theirs.dtype(), <T as candle_core::WithDType>::DTYPE);
        let expected: Vec<T> = indices().map(|i| value(number(i))).collect();
        assert_eq!(theirs.flatten_all().unwrap().to_vec1::<T>().unwrap(), expected);
        assert_eq!(Tensor::<T, Nchw8c>::from_candle(&theirs).unwrap().as_slice(), blocked.as_slice());
    }
    check(f64::from);
    check(f32::from);
    check(|x| f16::from_f32(f32::from(x)));
    check(|x| bf16::from_f32(f32::from(x)));
    check(i32::from);
    check(|x| x);
    let error = Tensor::<i8, Nchw>::zeroed(DIMS).unwrap().to_candle(&Device::Cpu).unwrap_err();
    assert_eq!(
        error.to_string(),
        "elements s8 cannot be handed to candle: convert them first, to s32 or f32"
    );
    let long = candle_core::Tensor::zeros(&DIMS, candle_core::DType::I64, &Device::Cpu).unwrap();
    let error = Tensor::<f32, Nchw>::from_candle(&long).unwrap_err();
    assert!(matches!(&error, ConnectError::ElementType { found } if found == "I64"), "{error:?}");
    let error = Tensor::<f32, layout!("nc")>::from_candle(&candle()).unwrap_err();
    assert!(matches!(error, ConnectError::View(ViewError::Rank { expected: 2, found: 4 })), "{error:?}");
}

#[test]
fn burn_data() {
    fn check<T: Element + burn_std::Element + Default + PartialEq>(value: impl Fn(u8) -> T) {
        let data = TensorData::new(indices().map(|i| value(number(i))).collect::<Vec<T>>(), DIMS);
        let blocked = Tensor::<T, Nchw16c>::from_burn(&data).unwrap();
        assert!(blocked.indexed_iter().all(|(index, &x)| x == value(number(index))));
        assert!(blocked.padding_is_zero());
        assert_eq!(blocked.to_burn().unwrap(), data);
        assert_eq!(
            blocked.slice::<'n'>(1..).unwrap().to_burn().unwrap().as_slice::<T>().unwrap(),
            &data.as_slice::<T>().unwrap()[60..]
        );
        let view = TensorBytes::try_from(&data).unwrap();
        assert_eq!(view.bytes().as_ptr(), data.as_bytes().as_ptr());
        assert!(view.view::<T, Nchw>().unwrap().indexed_iter().all(|(index, &x)| x == value(number(index))));
    }
    check(f64::from);
    check(f32::from);
    check(|x| f16::from_f32(f32::from(x)));
    check(|x| bf16::from_f32(f32::from(x)));
    check(i32::from);
    check(|x| x as i8);
    check(|x| x);
    let error = Tensor::<f32, Nchw>::from_burn(&TensorData::new(vec![1i64], [1, 1, 1, 1])).unwrap_err();
    assert!(matches!(&error, ConnectError::ElementType { found } if found == "I64"), "{error:?}");
    let error = Tensor::<f32, Nchw>::from_burn(&TensorData::new(vec![1f32], [1])).unwrap_err();
    assert!(matches!(error, ConnectError::View(ViewError::Rank { expected: 4, found: 1 })), "{error:?}");
}
