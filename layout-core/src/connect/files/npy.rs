//! NumPy's `.npy` files (feature `npy`): arrays of a file, which may be mapped, as views without a copy, in C or Fortran order;
//! and files written without a copy from memory in either order. `npy_header` reads and writes what stands before the data.

use super::npy_header::NpyHeader;
use super::{swapped, truths};
use crate::connect::tensor_bytes::{not_plain, rows};
use crate::connect::{ConnectError, Rows, TensorBytes};
use crate::descriptor::{DType, Descriptor, Element};
use crate::layout::Layout;
use crate::reorder::ReorderError;
use crate::view::{Tensor, ViewError};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use std::io::Write;

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
    let header = NpyHeader::read(file)?;
    let dtype = header.dtype()?;
    let descriptor = match header.is_fortran() {
        false => rows(dtype, header.dims())?,
        true => columns(dtype, header.dims())?,
    };
    Ok((descriptor, &file[header.data_start()..], header.is_swapped()))
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
        let is_fortran = if d.same_bytes(&rows(d.dtype(), d.dims())?) {
            false
        } else if d.same_bytes(&columns(d.dtype(), d.dims())?) {
            true
        } else {
            return Err(not_plain(d));
        };
        write(out, d, is_fortran, &self.bytes()[..d.size_bytes()])
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "npy")))]
impl Rows<'_> {
    /// Writes an `.npy` file in C order.
    ///
    /// # Errors
    /// [`ConnectError::Unsupported`] for bf16 and the 8-bit floats, which NumPy does not have; [`ConnectError::Library`] where writing fails.
    pub fn write_npy<W: Write>(&self, out: W) -> Result<(), ConnectError> {
        write(out, self.descriptor(), false, self.bytes())
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

fn write<W: Write>(mut out: W, d: &Descriptor, is_fortran: bool, bytes: &[u8]) -> Result<(), ConnectError> {
    let header = NpyHeader::bytes(d.dtype(), d.dims(), is_fortran)?;
    let bytes = truths(d.dtype(), bytes);
    out.write_all(&header)
        .and_then(|()| out.write_all(&bytes))
        .and_then(|()| out.flush())
        .map_err(|error| ConnectError::library("npy", error))
}
