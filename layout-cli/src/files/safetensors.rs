//! Files of the `safetensors` format: the header read and written with the crate of that name. The data behind it is one
//! row-major array after the other.

use super::{NewType, Planned, Stored};
use crate::failure::Failure;
use crate::output::shown;
use layout_core::descriptor::DType;
use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Bytes of the number in front, which is the length of the header.
const LENGTH: usize = 8;
/// The longest header of the format.
const LONGEST: usize = 100_000_000;

/// The tensors of a file and what it says of itself, or what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<(Vec<Stored>, HashMap<String, String>), String> {
    let wrong = |what: String| format!("it is no whole safetensors file: {what}");
    let Some((len, rest)) = bytes.split_first_chunk::<LENGTH>() else {
        return Err(wrong(format!("it has {} bytes", bytes.len())));
    };
    let len = u64::from_le_bytes(*len);
    let header = usize::try_from(len).ok().filter(|&len| len <= LONGEST);
    let Some((text, data)) = header.and_then(|len| rest.split_at_checked(len)) else {
        return Err(wrong(format!("a header of {len} bytes, but {} are there", rest.len())));
    };
    let metadata: Metadata = serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
    // Of two tensors of one name the parser keeps the last.
    let mut names = serde_json::Deserializer::from_slice(text);
    names.deserialize_map(Names).map_err(|error| wrong(error.to_string()))?;
    // Compared without a sum, which may be larger than any number: the header states what it likes.
    if metadata.data_len() != data.len() {
        let (need, have) = (metadata.data_len(), data.len());
        return Err(wrong(format!("{need} bytes of data, but {have} are there")));
    }
    let start = bytes.len() - data.len();
    let tensors = metadata.offset_keys().into_iter().filter_map(|name| {
        let info = metadata.info(&name)?;
        // One after the other up to the end, which was checked by `Metadata` and above.
        let (from, to) = info.data_offsets;
        Some(Stored {
            name: Some(name),
            dtype: DType::try_from(info.dtype).map_err(|_| info.dtype.to_string()),
            is_swapped: cfg!(target_endian = "big") && info.dtype.bitsize() > 8,
            is_fortran: false,
            shape: info.shape.clone(),
            bytes: start + from..start + to,
        })
    });
    Ok((tensors.collect(), metadata.metadata().clone().unwrap_or_default()))
}

/// Goes through the names of a header, which the format wants to differ.
struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tensors of the file by their names")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            map.next_value::<IgnoredAny>()?;
            if let Some(name) = names.replace(name) {
                return Err(Error::custom(format_args!("it has two tensors `{}`", shown(&name))));
            }
        }
        Ok(())
    }
}

/// The type of a new tensor in the file's words.
fn theirs(dtype: &NewType) -> Result<Dtype, Failure> {
    let dtype = match dtype {
        NewType::Ours(dtype) => *dtype,
        // As `read` wrote it.
        NewType::Copied(word) => {
            return serde_json::from_value(word.as_str().into()).map_err(Failure::failed);
        }
    };
    Dtype::try_from(dtype).map_err(|_| {
        super::no_type("safetensors", dtype, "state another type", |dtype| Dtype::try_from(dtype).is_ok())
    })
}

/// The length and the header of a file with these tensors, one after the other.
pub(super) fn header(tensors: &[Planned], metadata: HashMap<String, String>) -> Result<Vec<u8>, Failure> {
    let mut at = 0usize;
    let mut infos = Vec::new();
    for tensor in tensors {
        let dtype = theirs(&tensor.dtype)?;
        let name = tensor.name.clone().unwrap_or_else(|| "tensor".to_owned());
        // The format counts in bits.
        let end = tensor.bytes.checked_mul(8).and_then(|_| at.checked_add(tensor.bytes));
        let end = end.ok_or_else(super::too_large)?;
        // Elements of 4 bits: their number modulo 8 says whether they fill whole bytes.
        let bits = tensor.shape.iter().fold(dtype.bitsize() % 8, |bits, extent| bits * (extent % 8) % 8);
        if bits != 0 {
            return Err(Failure::usage(format!(
                "`{}` of shape {:?} has an odd number of elements of {} bits, which ends within a byte: \
                 safetensors cannot say that",
                shown(&name),
                tensor.shape,
                dtype.bitsize()
            )));
        }
        infos.push((name, TensorInfo { dtype, shape: tensor.shape.clone(), data_offsets: (at, end) }));
        at = end;
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

#[cfg(test)]
mod tests {
    use super::read;

    fn file(header: &str, data: usize) -> Vec<u8> {
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.bytes());
        file.resize(file.len() + data, 7);
        file
    }

    /// Offsets whose sum with what stands before them is larger than a number.
    #[test]
    fn offsets_beyond_every_number_are_errors() {
        // 2^61 - 1 elements of 8 bytes fill all but 8 of the addresses, and one more tensor fills those.
        let header = r#"{"a":{"dtype":"F64","shape":[2305843009213693951],"data_offsets":[0,18446744073709551608]},"b":{"dtype":"U8","shape":[7],"data_offsets":[18446744073709551608,18446744073709551615]}}"#;
        let error = read(&file(header, 0)).unwrap_err();
        assert!(error.contains("no whole safetensors file"), "{error}");
        // What wraps around to the length of the file.
        for data in 0..300 {
            assert!(read(&file(header, data)).is_err(), "{data}");
        }
    }

    #[test]
    fn broken_headers_are_errors() {
        let whole = file(r#"{"w":{"dtype":"F32","shape":[1,3],"data_offsets":[0,12]}}"#, 12);
        assert_eq!(read(&whole).unwrap().0[0].shape, [1, 3]);
        for at in 0..whole.len() - 12 {
            for byte in [0, b' ', b'9', b'[', b'"', b'{', b'-', b'e', 0x80, 0xff] {
                let mut broken = whole.clone();
                broken[at] = byte;
                for stored in read(&broken).map(|(tensors, _)| tensors).unwrap_or_default() {
                    assert!(stored.bytes.end <= broken.len() && stored.bytes.start <= stored.bytes.end);
                }
            }
            assert!(read(&whole[..at]).is_err());
        }
    }
}
