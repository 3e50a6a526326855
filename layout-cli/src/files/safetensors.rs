//! Files of the `safetensors` format: the header read and written with the crate of that name. The data behind it is one
//! row-major array after the other.

use super::{NewType, Planned, Stored};
use crate::failure::Failure;
use layout_core::descriptor::DType;
use safetensors::tensor::{Dtype, Metadata, SafeTensors, TensorInfo};
use std::collections::HashMap;

/// Bytes of the number in front, which is the length of the header.
const LENGTH: usize = 8;

/// The tensors of a file and what it says of itself, or what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<(Vec<Stored>, HashMap<String, String>), String> {
    let (len, metadata) = SafeTensors::read_metadata(bytes)
        .map_err(|error| format!("it is no whole safetensors file: {error}"))?;
    let start = LENGTH + len;
    let tensors = metadata.offset_keys().into_iter().filter_map(|name| {
        let info = metadata.info(&name)?;
        let (from, to) = info.data_offsets;
        Some(Stored {
            name: Some(name),
            dtype: ours(info.dtype).ok_or_else(|| word(info.dtype)),
            shape: info.shape.clone(),
            fortran: false,
            bytes: start + from..start + to,
        })
    });
    Ok((tensors.collect(), metadata.metadata().clone().unwrap_or_default()))
}

fn ours(dtype: Dtype) -> Option<DType> {
    match dtype {
        Dtype::F64 => Some(DType::F64),
        Dtype::F32 => Some(DType::F32),
        Dtype::F16 => Some(DType::F16),
        Dtype::BF16 => Some(DType::Bf16),
        Dtype::I32 => Some(DType::S32),
        Dtype::I8 => Some(DType::S8),
        Dtype::U8 => Some(DType::U8),
        _ => None,
    }
}

/// The name of a type in a header.
fn word(dtype: Dtype) -> String {
    serde_json::to_value(dtype).ok().and_then(|value| Some(value.as_str()?.to_owned())).unwrap_or_default()
}

fn theirs(dtype: &NewType) -> Option<Dtype> {
    let name = match dtype {
        NewType::Ours(DType::F64) => "F64",
        NewType::Ours(DType::F32) => "F32",
        NewType::Ours(DType::F16) => "F16",
        NewType::Ours(DType::Bf16) => "BF16",
        NewType::Ours(DType::S32) => "I32",
        NewType::Ours(DType::S8) => "I8",
        NewType::Ours(DType::U8) => "U8",
        NewType::Ours(_) => return None,
        NewType::Copied(name) => name,
    };
    serde_json::from_value(name.into()).ok()
}

/// The length and the header of a file with these tensors, one after the other.
pub(super) fn header(tensors: &[Planned], metadata: HashMap<String, String>) -> Result<Vec<u8>, Failure> {
    let mut at = 0;
    let mut infos = Vec::new();
    for tensor in tensors {
        let dtype = theirs(&tensor.dtype)
            .ok_or_else(|| Failure::failed(format!("safetensors has no type for {:?}", tensor.dtype)))?;
        let data_offsets = (at, at + tensor.bytes);
        at += tensor.bytes;
        let name = tensor.name.clone().unwrap_or_else(|| "tensor".to_owned());
        infos.push((name, TensorInfo { dtype, shape: tensor.shape.clone(), data_offsets }));
    }
    let metadata =
        Metadata::new((!metadata.is_empty()).then_some(metadata), infos).map_err(Failure::failed)?;
    let mut text = serde_json::to_vec(&metadata).map_err(Failure::failed)?;
    // The data begins at a multiple of 64 bytes, so that vectors can be loaded from a mapped file.
    while !(text.len() + LENGTH).is_multiple_of(64) {
        text.push(b' ');
    }
    let mut out = (text.len() as u64).to_le_bytes().to_vec();
    out.append(&mut text);
    Ok(out)
}
