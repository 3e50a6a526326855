//! NumPy's `.npy`: the header as the library reads and writes it. The data behind it is the array in its order.

use super::{NewType, Planned, Stored};
use crate::failure::Failure;
use layout_core::connect::{ConnectError, NpyHeader};
use safetensors::Dtype;

/// The array of a file, or what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<Stored, String> {
    let header = NpyHeader::read(bytes).map_err(|error| match error {
        ConnectError::Library { source, .. } => format!("it is no .npy file: {source}"),
        error => format!("it is no .npy file: {error}"),
    })?;
    let (start, shape) = (header.data_start(), header.dims().to_vec());
    let mut end = bytes.len();
    if let Ok(dtype) = header.dtype() {
        let len = shape.iter().try_fold(1, |len: usize, &extent| len.checked_mul(extent));
        let len = len.and_then(|len| dtype.bytes_of(len)).ok_or("its size does not fit this machine")?;
        let have = end - start;
        if have < len {
            return Err(format!(
                "it is truncated: {len} bytes of data for shape {shape:?}, but {have} are there"
            ));
        }
        end = start + len;
    }
    Ok(Stored {
        name: None,
        dtype: header.dtype().map_err(|_| header.element().to_owned()),
        is_swapped: header.is_swapped(),
        is_fortran: header.is_fortran(),
        shape,
        bytes: start..end,
    })
}

/// The header of a file with this tensor.
pub(super) fn header(tensor: &Planned) -> Result<Vec<u8>, Failure> {
    let dtype = match &tensor.dtype {
        NewType::Ours(dtype) => *dtype,
        NewType::Copied(other) => {
            return Err(Failure::usage(format!("elements {other} cannot be written to .npy")));
        }
    };
    NpyHeader::bytes(dtype, &tensor.shape, false).map_err(|error| match error {
        ConnectError::Unsupported { .. } => {
            let instead = match Dtype::try_from(dtype) {
                Ok(_) => "write a .safetensors file, or state another type",
                Err(_) => "state another type",
            };
            super::no_type("NumPy", dtype, instead, |dtype| NpyHeader::bytes(dtype, &[], false).is_ok())
        }
        error => Failure::failed(error),
    })
}

#[cfg(test)]
mod tests {
    use super::{NewType, Planned, header, read};
    use layout_core::descriptor::DType;

    #[test]
    fn broken_headers_are_errors() {
        let tensor = Planned { name: None, dtype: NewType::Ours(DType::F32), shape: vec![2, 3], bytes: 24 };
        let mut whole = header(&tensor).unwrap();
        whole.extend([0; 24]);
        assert_eq!(read(&whole).unwrap().shape, [2, 3]);
        // One byte after the other is something else; the file ends early. No panic, and no bytes that are not there.
        for at in 0..whole.len() - 24 {
            for byte in [0, b' ', b'9', b'(', b'\'', b'{', b'-', b'<', b'V', 0x80, 0xff] {
                let mut broken = whole.clone();
                broken[at] = byte;
                if let Ok(stored) = read(&broken) {
                    assert!(stored.bytes.end <= broken.len() && stored.bytes.start <= stored.bytes.end);
                }
            }
            assert!(read(&whole[..at]).is_err());
        }
    }
}
