//! NumPy's `.npy` files (feature `npy`): arrays of a file, which may be mapped, as views without a copy, in C or Fortran order;
//! and files written without a copy from memory in either order. The header is read and written by the crate `npyz`.

use super::{swapped, truths};
use crate::connect::tensor_bytes::{not_plain, rows};
use crate::connect::{ConnectError, Rows, TensorBytes};
use crate::descriptor::{DType, Descriptor, Element};
use crate::layout::Layout;
use crate::reorder::ReorderError;
use crate::view::{Tensor, ViewError};
use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;
use npyz::{Endianness, NpyHeader, Order, TypeChar, TypeStr, WriteOptions, WriterBuilder};
use std::io::{Error, ErrorKind, Write};

/// The longest header that is read. NumPy's own limit is 10000.
const LONGEST_HEADER: usize = 1 << 16;
/// The deepest nesting of brackets that is read: records of arrays have 4, and are refused later for their element type.
const DEEPEST: usize = 8;

fn invalid(text: &'static str) -> ConnectError {
    ConnectError::library("npy", Error::new(ErrorKind::InvalidData, text))
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
        _ => return Err(invalid("the version of the file is not 1, 2 or 3")),
    };
    if len > LONGEST_HEADER {
        return Err(invalid("the header is longer than 65536 bytes"));
    }
    let Some(header) = file.get(before..before + len) else {
        return Err(invalid("the file ends within the header"));
    };
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in header {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > DEEPEST {
        return Err(invalid("the header nests brackets too deeply"));
    }
    // The parser of the header takes all of Python's ways to write a number, and computes with them without a check.
    if header.iter().any(|byte| matches!(byte, b'+' | b'-')) {
        return Err(invalid("the header holds a sign: extents are plain decimal numbers"));
    }
    for word in header.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_') {
        // Python 2 wrote an `L` behind long ones.
        let digits = word.strip_suffix(b"L").unwrap_or(word);
        if word.first().is_some_and(u8::is_ascii_digit) && !digits.iter().all(u8::is_ascii_digit) {
            return Err(invalid("the header holds a number that is not a plain decimal one"));
        }
    }
    // Every number counts, extent or not: the product of all is below two to the power of `bits`.
    let mut bits = 0;
    for number in header.split(|byte| !byte.is_ascii_digit()) {
        let value = number
            .iter()
            .fold(0u64, |value, digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        bits += u64::BITS - value.saturating_sub(1).leading_zeros();
        if bits >= u64::BITS {
            return Err(invalid("the extents of the header are larger than the address space"));
        }
    }
    Ok(before + len)
}

/// What a header says: the descriptor, and whether the elements are in the other byte order than this machine's.
fn described(header: &NpyHeader) -> Result<(Descriptor, bool), ConnectError> {
    let npyz::DType::Plain(element) = header.dtype() else {
        return Err(ConnectError::ElementType { found: header.dtype().descr() });
    };
    let dtype = match (element.type_char(), element.size_field()) {
        (TypeChar::Float, 8) => DType::F64,
        (TypeChar::Float, 4) => DType::F32,
        (TypeChar::Float, 2) => DType::F16,
        (TypeChar::Int, 4) => DType::S32,
        (TypeChar::Int, 1) => DType::S8,
        (TypeChar::Uint, 1) => DType::U8,
        (TypeChar::Bool, 1) => DType::Boolean,
        _ => return Err(ConnectError::ElementType { found: element.to_string() }),
    };
    let swap = dtype.size() > 1
        && match element.endianness() {
            Endianness::Little => cfg!(target_endian = "big"),
            Endianness::Big => cfg!(target_endian = "little"),
            Endianness::Irrelevant => false,
        };
    let mut dims = Vec::new();
    for (axis, &extent) in header.shape().iter().enumerate() {
        dims.push(usize::try_from(extent).map_err(|_| ConnectError::Extent {
            axis,
            extent,
            limit: usize::MAX as u64,
        })?);
    }
    let descriptor = match header.order() {
        Order::C => rows(dtype, &dims)?,
        Order::Fortran => columns(dtype, &dims)?,
    };
    Ok((descriptor, swap))
}

/// The descriptor of anonymous axes in column-major order.
fn columns(dtype: DType, dims: &[usize]) -> Result<Descriptor, ConnectError> {
    let reversed: Vec<usize> = dims.iter().rev().copied().collect();
    let order: Vec<usize> = (0..dims.len()).rev().collect();
    let transposed = rows(dtype, &reversed)?.permute_axes(&order);
    let names: Vec<char> = (0..dims.len()).map(|axis| char::from(b'a' + axis as u8)).collect();
    let named = transposed.and_then(|d| d.renamed(&names.iter().collect::<alloc::string::String>()));
    Ok(named.map_err(ReorderError::Algebra)?)
}

/// The header's tensor and the data behind it, and whether the elements are in the other byte order.
fn read(file: &[u8]) -> Result<(Descriptor, &[u8], bool), ConnectError> {
    let start = data_start(file)?;
    let header = NpyHeader::from_reader(file).map_err(|error| ConnectError::library("npy", error))?;
    let (descriptor, swap) = described(&header)?;
    Ok((descriptor, &file[start..], swap))
}

#[cfg_attr(docsrs, doc(cfg(feature = "npy")))]
impl<'a> TensorBytes<'a> {
    /// The array of an `.npy` file, which may be mapped, without a copy. The axes have no names; an array in Fortran order is
    /// one whose first axis is innermost.
    ///
    /// The data begins at a multiple of 64 bytes of the file (16 in old files), so that elements are aligned where the file is.
    ///
    /// # Errors
    /// [`ConnectError::Library`] where the file is not one; [`ConnectError::ElementType`] for a type without a [`DType`], such
    /// as `<i8`; [`ConnectError::ByteOrder`] for elements in the other byte order, which [`Tensor::from_npy`] takes;
    /// [`ViewError::ByteLength`] where the file is too short.
    ///
    /// ```
    /// use layout_core::connect::{Rows, TensorBytes};
    /// use layout_core::layout::{Nchw16c, RowMajor};
    /// use layout_core::view::Tensor;
    ///
    /// let act = Tensor::<f32, Nchw16c>::from_fn([1, 3, 2, 2], |[_, c, h, w]| (100 * c + 10 * h + w) as f32)?;
    /// let mut file = Vec::new(); // or a `BufWriter` of a file
    /// Rows::of(&act)?.write_npy(&mut file)?;
    ///
    /// let array = TensorBytes::from_npy(&file)?;
    /// assert_eq!(array.descriptor().to_string(), "f32:abcd:1x3x2x2");
    /// assert_eq!(array.to_tensor::<f32, Nchw16c>()?.as_slice(), act.as_slice());
    ///
    /// // A matrix in Fortran order.
    /// let columns = Tensor::<f32, layout_core::layout::ColumnMajor>::from_logical([2, 3], &[1., 2., 3., 4., 5., 6.])?;
    /// let mut file = Vec::new();
    /// TensorBytes::of(&columns.view())?.write_npy(&mut file)?;
    /// assert_eq!(TensorBytes::from_npy(&file)?.descriptor().strides()[..], [1, 2]);
    /// assert_eq!(Tensor::<f32, RowMajor>::from_npy(&file)?.as_slice(), [1., 2., 3., 4., 5., 6.]);
    /// # Ok::<(), layout_core::connect::ConnectError>(())
    /// ```
    pub fn from_npy(file: &'a [u8]) -> Result<Self, ConnectError> {
        match read(file)? {
            (_, _, true) => Err(ConnectError::ByteOrder { big_endian: cfg!(target_endian = "little") }),
            (descriptor, data, false) => TensorBytes::new(&descriptor, data),
        }
    }

    /// Writes an `.npy` file, in C or in Fortran order as the elements lie.
    ///
    /// # Errors
    /// [`ConnectError::NotPlain`] where they lie in neither order without gaps: [`Rows::of`] the view reorders them;
    /// [`ConnectError::Unsupported`] for bf16 and the 8-bit floats, which NumPy does not have; [`ConnectError::Library`] where writing fails.
    pub fn write_npy<W: Write>(&self, out: W) -> Result<(), ConnectError> {
        let d = self.descriptor();
        let order = if d.same_bytes(&rows(d.dtype(), d.dims())?) {
            Order::C
        } else if d.same_bytes(&columns(d.dtype(), d.dims())?) {
            Order::Fortran
        } else {
            return Err(not_plain(d));
        };
        write(out, d, order, &self.bytes()[..d.size_bytes()])
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "npy")))]
impl Rows<'_> {
    /// Writes an `.npy` file in C order.
    ///
    /// # Errors
    /// [`ConnectError::Unsupported`] for bf16 and the 8-bit floats, which NumPy does not have; [`ConnectError::Library`] where writing fails.
    pub fn write_npy<W: Write>(&self, out: W) -> Result<(), ConnectError> {
        write(out, self.descriptor(), Order::C, self.bytes())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "npy")))]
impl<T: Element, L: Layout> Tensor<T, L> {
    /// The array of an `.npy` file in any layout, converted to `T`, whatever its byte order is.
    ///
    /// # Errors
    /// As for [`TensorBytes::from_npy`], the byte order apart, and [`TensorBytes::to_tensor`].
    pub fn from_npy(file: &[u8]) -> Result<Self, ConnectError> {
        let (descriptor, data, swap) = read(file)?;
        let data = match swap {
            // Before they are swapped: what follows the array in the file is not.
            true => {
                let expected = descriptor.size_bytes();
                let data =
                    data.get(..expected).ok_or(ViewError::ByteLength { expected, found: data.len() })?;
                Cow::Owned(swapped(data, descriptor.dtype().size()))
            }
            false => Cow::Borrowed(data),
        };
        TensorBytes::new(&descriptor, &data)?.to_tensor()
    }
}

fn write<W: Write>(mut out: W, d: &Descriptor, order: Order, bytes: &[u8]) -> Result<(), ConnectError> {
    let letter = match d.dtype() {
        DType::F64 => "f8",
        DType::F32 => "f4",
        DType::F16 => "f2",
        DType::S32 => "i4",
        DType::S8 => "i1",
        DType::U8 => "u1",
        DType::Boolean => "b1",
        other => {
            return Err(ConnectError::Unsupported { dtype: other, by: "NumPy" });
        }
    };
    let endianness = match d.dtype().size() {
        1 => Endianness::Irrelevant,
        _ => Endianness::of_machine(),
    };
    let element: TypeStr = (endianness.to_str().to_string() + letter)
        .parse()
        .map_err(|error: npyz::ParseTypeStrError| ConnectError::library("npy", error.to_string()))?;
    let shape: Vec<u64> = d.dims().iter().map(|&extent| extent as u64).collect();
    let bytes = truths(d.dtype(), bytes);
    let header = WriteOptions::new_header_only()
        .dtype(npyz::DType::new_scalar(element))
        .shape(&shape)
        .order(order)
        .writer(&mut out)
        .write_header_only();
    header
        .and_then(|out| out.write_all(&bytes))
        .and_then(|()| out.flush())
        .map_err(|error| ConnectError::library("npy", error))
}
