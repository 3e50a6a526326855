//! Names of layouts in frameworks and inference engines. Read by `named`; no code.
//! Sources: PyTorch's `c10/core/MemoryFormat.h`, TensorFlow's `tensor_format.h`, NumPy's manual, MNN's
//! `TensorUtils`, MegEngine's `tensor_format.h`, ncnn's `mat.h`.

use super::Row;

/// `torch.memory_format`. The contiguous format has the axes of activations where the rank is 4 or 5, as the others do.
pub(super) const PYTORCH: &[Row] = &[
    ("contiguous_format", "|scalar|nchw|ncdhw|a.."),
    ("channels_last", "nhwc"),
    ("channels_last_3d", "ndhwc"),
    ("preserve_format", "!the format of another tensor: ask that for its strides"),
    ("torch.contiguous_format", "|scalar|nchw|ncdhw|a.."),
    ("torch.channels_last", "nhwc"),
    ("torch.channels_last_3d", "ndhwc"),
    ("torch.preserve_format", "!the format of another tensor: ask that for its strides"),
];

/// `TensorFormat` and `FilterTensorFormat`.
pub(super) const TENSORFLOW: &[Row] = &[
    ("NHWC", "nhwc"),
    ("NCHW", "nchw"),
    ("NDHWC", "ndhwc"),
    ("NCDHW", "ncdhw"),
    ("HWNC", "hwnc"),
    ("HWCN", "hwcn"),
    ("HWIO", "hwio"),
    ("OIHW", "oihw"),
    ("OHWI", "ohwi"),
    ("NCHW_VECT_C", "nChw4c"),
    ("NHWC_VECT_W", "nhWc4w"),
];

/// The argument `order` of NumPy's functions.
pub(super) const NUMPY: &[Row] = &[
    ("C", "|scalar|a.."),
    ("F", "|~"),
    ("A", "!the order of another array: ask that for its strides"),
    ("K", "!the order of another array: ask that for its strides"),
];

/// `MNN_DATA_FORMAT`. In current releases the batch of `NC4HW4` lies inside the channels.
pub(super) const MNN: &[Row] =
    &[("NCHW", "nchw"), ("NHWC", "nhwc"), ("NC4HW4", "Cnhw4c"), ("C4NHW4", "Cnhw4c")];

/// `TensorFormat` of activations.
pub(super) const MEGENGINE: &[Row] = &[
    ("NCHW", "nchw"),
    ("NHWC", "nhwc"),
    ("NCHW4", "nChw4c"),
    ("NCHW8", "nChw8c"),
    ("NCHW32", "nChw32c"),
    ("NCHW64", "nChw64c"),
    ("NCHW88", "nChw8c"),
    ("NCHW44", "nChw4c"),
    ("NCHW44_DOT", "nChw4c"),
    ("CHWN4", "Chwn4c"),
    ("NHWCD4", "nhCw4c"),
];

/// `ncnn::Mat`: its outermost axis is packed. The channels of rank 3 start at multiples of 16 bytes.
pub(super) const NCNN: &[Row] = &[
    ("dims=1,elempack=1", "a"),
    ("dims=1,elempack=#", "a"),
    ("dims=2,elempack=1", "ab"),
    ("dims=2,elempack=#", "Ab#a"),
    ("dims=3,elempack=1", "!planes are padded as a whole to a multiple of 16 bytes"),
    ("dims=3,elempack=#", "&Abc#a"),
];
