//! [`NpyHeader`]: what stands in front of the data of an `.npy` file, read without the data and written without any, by the
//! crate `npyz`. `npy` stands on it, and so do tools that map files larger than the memory.

use crate::connect::ConnectError;
use crate::descriptor::DType;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use npyz::{Endianness, Order, TypeChar, TypeStr, WriteOptions, WriterBuilder};
use std::io::{Error, ErrorKind};

/// The longest header that is read. NumPy's own limit is 10000.
const LONGEST: usize = 1 << 16;
/// The deepest nesting of brackets that is read: records of arrays have 4, and are refused later for their element type. The
/// parser reads what ends in a bracket twice a level.
const DEEPEST: usize = 4;

/// What an `.npy` file says of its array: the element type, the extents and their order in memory.
///
/// [`TensorBytes::from_npy`](crate::connect::TensorBytes::from_npy) is the way to a tensor. This is for arrays that are none,
/// because they have more axes than a layout, as those that hold a blocked tensor digit by digit may, or because only a part
/// of a mapped file is to be read.
///
/// ```
/// use layout_core::connect::NpyHeader;
/// use layout_core::descriptor::DType;
///
/// let mut file = NpyHeader::bytes(DType::F32, &[2, 3], false)?;
/// assert_eq!(file.len() % 64, 0);
/// file.extend([0; 24]);
/// let header = NpyHeader::read(&file)?;
/// assert_eq!((header.dtype()?, header.dims(), header.is_fortran()), (DType::F32, &[2, 3][..], false));
/// assert_eq!(file.len() - header.data_start(), 24);
/// # Ok::<(), layout_core::connect::ConnectError>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "npy")))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NpyHeader {
    element: String,
    dtype: Option<DType>,
    swapped: bool,
    dims: Vec<usize>,
    fortran: bool,
    data_start: usize,
}

impl NpyHeader {
    /// The header of a file, of which nothing behind the header need be there. Whatever the bytes are, no more memory is
    /// taken than in proportion to the header, of which at most 65536 bytes are read.
    ///
    /// # Errors
    /// [`ConnectError::Library`] where the file is none, or its extents have a product that no memory holds.
    pub fn read(file: &[u8]) -> Result<NpyHeader, ConnectError> {
        let data_start = data_start(file)?;
        let header = npyz::NpyHeader::from_reader(&file[..data_start])
            .map_err(|error| ConnectError::library("npy", error))?;
        let mut dims = Vec::new();
        for (axis, &extent) in header.shape().iter().enumerate() {
            dims.push(usize::try_from(extent).map_err(|_| ConnectError::Extent {
                axis,
                extent,
                limit: usize::MAX as u64,
            })?);
        }
        let (element, dtype, swapped) = match header.dtype() {
            npyz::DType::Plain(element) => {
                let dtype = dtype(&element);
                let other = match element.endianness() {
                    Endianness::Little => cfg!(target_endian = "big"),
                    Endianness::Big => cfg!(target_endian = "little"),
                    Endianness::Irrelevant => false,
                };
                (element.to_string(), dtype, other && dtype.is_some_and(|dtype| dtype.size() > 1))
            }
            records => (records.descr(), None, false),
        };
        Ok(NpyHeader { element, dtype, swapped, dims, fortran: header.order() == Order::Fortran, data_start })
    }

    /// The header of a new file for elements in this machine's byte order, with spaces at its end so that the data behind it
    /// begins at a multiple of 64 bytes.
    ///
    /// # Errors
    /// [`ConnectError::Unsupported`] for a type that NumPy does not have, such as bf16.
    pub fn bytes(dtype: DType, dims: &[usize], is_fortran: bool) -> Result<Vec<u8>, ConnectError> {
        let letter = match dtype {
            DType::F64 => "f8",
            DType::F32 => "f4",
            DType::F16 => "f2",
            DType::S32 => "i4",
            DType::S8 => "i1",
            DType::U8 => "u1",
            DType::Boolean => "b1",
            other => return Err(ConnectError::Unsupported { dtype: other, by: "NumPy" }),
        };
        let endianness = match dtype.size() {
            1 => Endianness::Irrelevant,
            _ => Endianness::of_machine(),
        };
        let element: TypeStr = (endianness.to_str().to_string() + letter)
            .parse()
            .map_err(|error: npyz::ParseTypeStrError| ConnectError::library("npy", error.to_string()))?;
        let shape: Vec<u64> = dims.iter().map(|&extent| extent as u64).collect();
        WriteOptions::new_header_only()
            .dtype(npyz::DType::new_scalar(element))
            .shape(&shape)
            .order(if is_fortran { Order::Fortran } else { Order::C })
            .writer(Vec::new())
            .write_header_only()
            .map_err(|error| ConnectError::library("npy", error))
    }

    /// The data type of the elements.
    ///
    /// # Errors
    /// [`ConnectError::ElementType`] for one that has no [`DType`], such as `<i8`.
    pub fn dtype(&self) -> Result<DType, ConnectError> {
        self.dtype.ok_or_else(|| ConnectError::ElementType { found: self.element.clone() })
    }

    /// NumPy's name of the element type, as in `<f4`; of records the list of their fields.
    pub fn element(&self) -> &str {
        &self.element
    }

    /// Whether the bytes of each element are in the opposite order of this machine's.
    pub fn is_swapped(&self) -> bool {
        self.swapped
    }

    /// The extents.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Whether the first axis is the innermost in memory, and not the last.
    pub fn is_fortran(&self) -> bool {
        self.fortran
    }

    /// The length of the header, behind which the data begins.
    pub fn data_start(&self) -> usize {
        self.data_start
    }
}

fn dtype(element: &TypeStr) -> Option<DType> {
    Some(match (element.type_char(), element.size_field()) {
        (TypeChar::Float, 8) => DType::F64,
        (TypeChar::Float, 4) => DType::F32,
        (TypeChar::Float, 2) => DType::F16,
        (TypeChar::Int, 4) => DType::S32,
        (TypeChar::Int, 1) => DType::S8,
        (TypeChar::Uint, 1) => DType::U8,
        (TypeChar::Bool, 1) => DType::Boolean,
        _ => return None,
    })
}

fn invalid(text: impl Into<String>) -> ConnectError {
    ConnectError::library("npy", Error::new(ErrorKind::InvalidData, text.into()))
}

/// Where the data begins, having checked what the header's parser relies on: that the header is within the file, does not
/// nest deeply, and has extents whose product fits.
fn data_start(file: &[u8]) -> Result<usize, ConnectError> {
    let Some((b"\x93NUMPY", rest)) = file.split_at_checked(6) else {
        return Err(invalid("the file does not begin with \\x93NUMPY"));
    };
    let (before, len) = match *rest {
        [1, _, a, b, ..] => (10, usize::from(u16::from_le_bytes([a, b]))),
        // Longer than any header that is read where it is more than a `usize`.
        [2 | 3, _, a, b, c, d, ..] => {
            (12, usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX))
        }
        [0 | 4.., ..] => return Err(invalid("the version of the file is not 1, 2 or 3")),
        _ => return Err(invalid("the file ends within the header")),
    };
    if len > LONGEST {
        return Err(invalid("the header is longer than 65536 bytes"));
    }
    let Some(header) = file.get(before..before + len) else {
        return Err(invalid("the file ends within the header"));
    };
    check_text(header)?;
    Ok(before + len)
}

/// The error for what stands in the header outside of quotes, of which the beginning is shown.
fn no_number(word: &[u8]) -> ConnectError {
    const SHOWN: usize = 24;
    let word: String = word.iter().take(SHOWN).map(|&byte| char::from(byte)).collect();
    invalid(format!(
        "the header says `{word}` where an extent stands: extents are decimal numbers, as in (2, 3)"
    ))
}

/// Checks the text of a header before the parser of Python's literals sees it, which calls itself for each bracket, reads
/// what is in one more than once, and knows numbers and strings that no header has.
fn check_text(header: &[u8]) -> Result<(), ConnectError> {
    if header.contains(&b'\\') {
        return Err(invalid("the header has an escape sequence, which no name of a type has"));
    }
    let (mut depth, mut braces) = (0usize, 0);
    let mut quote = None;
    let mut outside = Vec::with_capacity(header.len());
    for &byte in header {
        match (quote, byte) {
            (Some(open), _) => {
                if byte == open {
                    quote = None;
                }
                continue;
            }
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => {
                depth += 1;
                braces += usize::from(byte == b'{');
                if depth > DEEPEST || braces > 1 {
                    return Err(invalid("the header nests brackets too deeply"));
                }
            }
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        outside.push(byte);
    }
    // Every number counts, extent or not: the product of all is below two to the power of `bits`.
    let mut bits = 0;
    for word in outside.split(|byte| !byte.is_ascii_alphanumeric() && !b"_+-.".contains(byte)) {
        if !word.iter().all(u8::is_ascii_digit) {
            match word {
                b"True" | b"False" => continue,
                _ => return Err(no_number(word)),
            }
        }
        let value = word
            .iter()
            .fold(0u64, |value, digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        bits += u64::BITS - value.saturating_sub(1).leading_zeros();
        if bits >= u64::BITS {
            return Err(invalid("the extents of the header are larger than the address space"));
        }
    }
    Ok(())
}
