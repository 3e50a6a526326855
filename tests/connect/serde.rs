//! serde: tensors through JSON, in the layout they were written in and in others.

use serde_json::{from_str, json, to_string, to_value};
use tensor_layout::{ColumnMajor, Nchw8c, Nhwc, RowMajor, Tensor, layout};

#[test]
fn a_tensor_is_its_text_and_its_elements() {
    let tensor = Tensor::<u8, Nchw8c>::from_logical([1, 3, 1, 2], &[1, 2, 3, 4, 5, 6]).unwrap();
    let expected = json!({ "tensor": "u8:nChw8c:1x3x1x2", "elements": [1, 2, 3, 4, 5, 6] });
    assert_eq!(to_value(&tensor).unwrap(), expected);
    assert_eq!(to_value(tensor.view()).unwrap(), expected);
    let text = to_string(&tensor).unwrap();
    assert_eq!(from_str::<Tensor<u8, Nchw8c>>(&text).unwrap().as_slice(), tensor.as_slice());
    // In another layout, and from a list as formats without names have it.
    assert_eq!(from_str::<Tensor<u8, Nhwc>>(&text).unwrap().as_slice(), [1, 3, 5, 2, 4, 6]);
    let list = r#"["f32:ab:2x2", [1.0, 2.0, 3.0, 4.0]]"#;
    assert_eq!(from_str::<Tensor<f32, ColumnMajor>>(list).unwrap().as_slice(), [1.0, 3.0, 2.0, 4.0]);
    // A part is written as a tensor of its own.
    let matrix = Tensor::<f32, RowMajor>::from_fn([2, 4], |[a, b]| (10 * a + b) as f32).unwrap();
    let part = matrix.slice::<'b'>(1..3).unwrap();
    assert_eq!(
        to_value(part).unwrap(),
        json!({ "tensor": "f32:ab:2x2", "elements": [1.0, 2.0, 11.0, 12.0] })
    );
    let half = Tensor::<half::f16, RowMajor>::filled([1, 2], half::f16::from_f32(0.5)).unwrap();
    let back: Tensor<half::f16, RowMajor> = from_str(&to_string(&half).unwrap()).unwrap();
    assert_eq!(back.as_slice(), half.as_slice());
}

#[test]
fn what_does_not_fit_is_refused() {
    type T = Tensor<f32, layout!("nchw")>;
    for (text, word) in [
        (r#"{"tensor": "f32:nchw:1x1x1x2", "elements": [1.0]}"#, "2"),
        (r#"{"tensor": "u8:nchw:1x1x1x1", "elements": [1]}"#, "another data type"),
        (r#"{"tensor": "f32:oihw:1x1x1x1", "elements": [1.0]}"#, "other axes"),
        (r#"{"tensor": "f32:nc:1x1", "elements": [1.0]}"#, "other axes"),
        (r#"{"tensor": "f32:nChw:1x1x1x1", "elements": [1.0]}"#, "upper case"),
        (r#"{"tensor": "f32:nchw:4294967296x4294967296x4294967296x1", "elements": []}"#, "4294967296"),
        (r#"{"tensor": "f32:nchw:1x1x1x1"}"#, "missing field `elements`"),
        (r#"{"elements": []}"#, "missing field `tensor`"),
        (r#"{"tensor": "f32:nchw:1x1x1x1", "tensor": "f32:nchw:1x1x1x1"}"#, "duplicate field `tensor`"),
        (r#"{"tensor": "f32:nchw:1x1x1x1", "strides": []}"#, "unknown field `strides`"),
        (r#"["f32:nchw:1x1x1x1"]"#, "missing field `elements`"),
        (r#"7"#, "a tensor: its descriptor and its elements"),
    ] {
        let error = from_str::<T>(text).expect_err(text).to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
}
