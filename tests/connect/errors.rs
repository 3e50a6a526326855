//! Our errors in the hands of others: `anyhow` and `thiserror`, and what every one of them is.

use std::error::Error;
use tensor_layout::connect::ConnectError;
use tensor_layout::descriptor::{AlgebraError, ParseDescriptorError};
use tensor_layout::grammar::SpecError;
use tensor_layout::{
    DType, Descriptor, DescriptorError, InPlaceError, IndexError, Nchw, Nhwc, NotInPlace, OffsetError,
    ParseError, Reorder, ReorderError, SizeError, Spec, Tensor, TensorBytes, TensorView, ViewError,
};

/// What `anyhow`, `thiserror`, `?` into boxes, and threads ask for.
fn is_an_error<E: Error + Send + Sync + 'static>() {
    fn boxed<E: Error + Send + Sync + 'static>(error: E) -> Box<dyn Error + Send + Sync> {
        error.into()
    }
    let _ = boxed::<E>;
    let _ = anyhow::Error::new::<E>;
}

#[test]
fn every_error_is_one() {
    is_an_error::<ParseError>();
    is_an_error::<SpecError>();
    is_an_error::<SizeError>();
    is_an_error::<IndexError>();
    is_an_error::<DescriptorError>();
    is_an_error::<ParseDescriptorError>();
    is_an_error::<AlgebraError>();
    is_an_error::<OffsetError>();
    is_an_error::<ViewError>();
    is_an_error::<ReorderError>();
    is_an_error::<InPlaceError>();
    is_an_error::<NotInPlace<f32, Nchw>>();
    is_an_error::<ConnectError>();
}

fn with_anyhow(format: &str) -> anyhow::Result<usize> {
    use anyhow::Context;
    let spec = Spec::parse(format).with_context(|| format!("reading the layout `{format}`"))?;
    let descriptor = Descriptor::from_spec(DType::F32, &[1, 3, 4, 5], spec)?;
    let act = Descriptor::new(DType::F32, &[1, 3, 4, 5], "nchw")?;
    let plan = Reorder::new(&act, &descriptor)?;
    let tensor = Tensor::<f32, Nchw>::zeroed([1, 3, 4, 5])?;
    let mut out = vec![0; plan.dst_len()];
    plan.run(TensorBytes::of(&tensor.view())?.bytes(), &mut out)?;
    Ok(out.len())
}

#[test]
fn anyhow_takes_them_and_gives_them_back() {
    assert_eq!(with_anyhow("nChw8c").unwrap(), 8 * 20 * 4);
    let error = with_anyhow("nchw8c").unwrap_err();
    assert_eq!(error.to_string(), "reading the layout `nchw8c`");
    assert!(error.downcast_ref::<ParseError>().is_some());
    assert!(format!("{error:#}").contains("lower case"), "{error:#}");
    let error = with_anyhow("nc").unwrap_err();
    assert!(
        matches!(error.downcast_ref::<SizeError>(), Some(SizeError::Rank { expected: 2, found: 4 })),
        "{error:?}"
    );
}

#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error("the weights cannot be read")]
    Weights(#[from] ConnectError),
    #[error("the input does not fit")]
    Input(#[from] ViewError),
    #[error(transparent)]
    Reorder(#[from] ReorderError),
}

fn with_thiserror(file: &[u8]) -> Result<f32, LoadError> {
    let input: TensorView<'_, f32, Nhwc> = TensorView::from_slice([1, 1, 1, 1], &[1.0])?;
    let weights = Tensor::<f32, Nhwc>::from_npy(file)?;
    let mut out = Tensor::<f32, Nhwc>::zeroed([1, 1, 1, 2])?;
    tensor_layout::reorder(&weights, &mut out)?;
    Ok(out[[0, 0, 0, 0]] + input[[0, 0, 0, 0]])
}

#[test]
fn thiserror_takes_them_as_sources() {
    let error = with_thiserror(b"no file").unwrap_err();
    assert!(matches!(error, LoadError::Weights(ConnectError::Library { library: "npy", .. })), "{error:?}");
    assert_eq!(error.to_string(), "the weights cannot be read");
    let source = error.source().expect("the error that it was made from");
    assert_eq!(source.to_string(), "npy: the file does not begin with \\x93NUMPY");
    let mut file = Vec::new();
    let weights = Tensor::<f32, Nhwc>::filled([1, 1, 2, 2], 0.5).unwrap();
    tensor_layout::Rows::of(&weights).unwrap().write_npy(&mut file).unwrap();
    let error = with_thiserror(&file).unwrap_err();
    assert!(matches!(error, LoadError::Reorder(ReorderError::Extent { axis: 'h', .. })), "{error:?}");
}

#[test]
fn no_text_is_said_twice() {
    // A chain of sources, as `anyhow` prints it, never repeats what stands before it.
    let errors: [Box<dyn Error>; 4] = [
        Box::new(Descriptor::new(DType::F32, &[1], "nchw8c").unwrap_err()),
        Box::new(ConnectError::from(Descriptor::new(DType::F32, &[1], "nchw8c").unwrap_err())),
        Box::new(ConnectError::from(ViewError::NotWhole)),
        Box::new(TensorBytes::from_npy(b"").unwrap_err()),
    ];
    for error in errors {
        let mut texts = vec![error.to_string()];
        let mut source = error.source();
        while let Some(next) = source {
            assert!(!texts.contains(&next.to_string()), "{texts:?} then {next}");
            texts.push(next.to_string());
            source = next.source();
        }
    }
}
