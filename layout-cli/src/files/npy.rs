//! NumPy's `.npy`: the header read and written with `npyz`. The data behind it is the array in its order.

use super::{NewType, Planned, Stored};
use crate::failure::Failure;
use layout_core::descriptor::DType;
use npyz::{DType as NpyType, Endianness, NpyHeader, Order, TypeChar, WriteOptions, WriterBuilder};

/// The array of a file, or what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<Stored, String> {
    let mut rest = bytes;
    let header = NpyHeader::from_reader(&mut rest).map_err(|error| format!("it is no .npy file: {error}"))?;
    let start = bytes.len() - rest.len();
    let dtype = dtype(&header.dtype());
    let shape: Option<Vec<usize>> =
        header.shape().iter().map(|&extent| usize::try_from(extent).ok()).collect();
    let shape = shape.ok_or("its extents do not fit this machine")?;
    if let Ok(dtype) = dtype {
        let len = shape.iter().try_fold(dtype.size(), |len: usize, &extent| len.checked_mul(extent));
        let end = len.and_then(|len| len.checked_add(start)).ok_or("its size does not fit this machine")?;
        if bytes.len() < end {
            let (need, have) = (end - start, bytes.len() - start);
            return Err(format!(
                "it is truncated: {need} bytes of data for shape {shape:?}, but {have} are there"
            ));
        }
        let fortran = header.order() == Order::Fortran;
        return Ok(Stored { name: None, dtype: Ok(dtype), shape, fortran, bytes: start..end });
    }
    Ok(Stored { name: None, dtype, shape, fortran: false, bytes: start..bytes.len() })
}

/// Our type for NumPy's, or why there is none.
fn dtype(found: &NpyType) -> Result<DType, String> {
    let NpyType::Plain(scalar) = found else {
        return Err(format!("records ({})", found.descr()));
    };
    if scalar.endianness() == Endianness::Big {
        let text = format!(
            "big-endian numbers ({scalar}); write them with NumPy's .astype('<{}')",
            &scalar.to_string()[1..]
        );
        return Err(text);
    }
    match (scalar.type_char(), scalar.size_field()) {
        (TypeChar::Float, 8) => Ok(DType::F64),
        (TypeChar::Float, 4) => Ok(DType::F32),
        (TypeChar::Float, 2) => Ok(DType::F16),
        (TypeChar::Int, 4) => Ok(DType::S32),
        (TypeChar::Int, 1) => Ok(DType::S8),
        (TypeChar::Uint, 1) => Ok(DType::U8),
        _ => Err(format!("numbers of type {scalar}")),
    }
}

/// The header of a file with this tensor.
pub(super) fn header(tensor: &Planned) -> Result<Vec<u8>, Failure> {
    let name = match &tensor.dtype {
        NewType::Ours(DType::F64) => "<f8",
        NewType::Ours(DType::F32) => "<f4",
        NewType::Ours(DType::F16) => "<f2",
        NewType::Ours(DType::S32) => "<i4",
        NewType::Ours(DType::S8) => "|i1",
        NewType::Ours(DType::U8) => "|u1",
        NewType::Ours(other) => {
            return Err(Failure::usage(format!(
                "NumPy has no {other}: write .safetensors, or another type as in --to f32:nchw"
            )));
        }
        NewType::Copied(other) => {
            return Err(Failure::usage(format!("{other} cannot be written to .npy here")));
        }
    };
    let shape: Vec<u64> = tensor.shape.iter().map(|&extent| extent as u64).collect();
    // The names above are NumPy's; writing to a vector cannot fail.
    let dtype =
        NpyType::new_scalar(name.parse().map_err(|_| Failure::failed(format!("no NumPy type {name}")))?);
    WriteOptions::new_header_only()
        .dtype(dtype)
        .shape(&shape)
        .writer(Vec::new())
        .write_header_only()
        .map_err(Failure::failed)
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
