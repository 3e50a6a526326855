//! Names of layouts in NVIDIA's libraries. Read by `named`; no code.
//! Sources: cuDNN's and TensorRT's API references, `cublasLt.h`, `cutlass/layout/tensor.h`.

use super::Row;

/// `cudnnTensorFormat_t`, its names in the developer guide, and `cudnnBackendTensorReordering_t`. The vector length of
/// `NCHW_VECT_C` is part of the data type there, and so is written behind it here, as are filter and bias where they differ.
pub(super) const CUDNN: &[Row] = &[
    ("CUDNN_TENSOR_NCHW", "nchw"),
    ("CUDNN_TENSOR_NHWC", "nhwc"),
    ("NCHW", "nchw"),
    ("NHWC", "nhwc"),
    ("CHWN", "chwn"),
    ("NCDHW", "ncdhw"),
    ("NDHWC", "ndhwc"),
    ("CDHWN", "cdhwn"),
    ("NC/1HW1", "nchw"),
    ("NC/4HW4", "nChw4c"),
    ("NC/32HW32", "nChw32c"),
    ("NC/#HW#", "nChw#c"),
    ("NCHW_VECT_C_x4", "nChw4c"),
    ("NCHW_VECT_C_x32", "nChw32c"),
    ("CUDNN_TENSOR_NCHW_VECT_C_x4", "nChw4c"),
    ("CUDNN_TENSOR_NCHW_VECT_C_x32", "nChw32c"),
    ("NCHW_VECT_C_x4(filter)", "oIhw4i"),
    ("NCHW_VECT_C_x32(filter)", "oIhw32i"),
    ("NCHW_VECT_C", "!the vector length is part of the data type: write NCHW_VECT_C_x4 or NCHW_VECT_C_x32"),
    (
        "CUDNN_TENSOR_NCHW_VECT_C",
        "!the vector length is part of the data type: write NCHW_VECT_C_x4 or NCHW_VECT_C_x32",
    ),
    ("NC4HW4", "nChw4c"),
    ("NC32HW32", "nChw32c"),
    ("NCHW4", "nChw4c"),
    ("NCHW32", "nChw32c"),
    // A filter's K, C, R, S are our o, i, h, w.
    ("KCRS", "oihw"),
    ("KRSC", "ohwi"),
    ("CUDNN_TENSOR_REORDERING_INT8x32(filter)", "IhwO2o.0_8i4o.1_4i"),
    ("CUDNN_TENSOR_REORDERING_INT8x32(bias)", "o => O2o.1_4o.2_4o.0"),
    (
        "CUDNN_TENSOR_REORDERING_INT8x32",
        "!filters and biases are reordered differently: write INT8x32(filter) or INT8x32(bias) at the end",
    ),
    ("CUDNN_TENSOR_REORDERING_F8_128x4", "mk => MK32m.0_4m.1_4k"),
    ("CUDNN_TENSOR_REORDERING_F16x16", "!the order of the elements is not published"),
];

/// `cublasLtOrder_t`; a is the row, b the column.
pub(super) const CUBLASLT: &[Row] = &[
    ("CUBLASLT_ORDER_COL", "ba"),
    ("CUBLASLT_ORDER_ROW", "ab"),
    ("CUBLASLT_ORDER_COL32", "Ba32b"),
    ("CUBLASLT_ORDER_COL4_4R2_8C", "BA2a.0_4b2b4a.1_4b"),
    ("CUBLASLT_ORDER_COL32_2R_4R4", "BA4a.1_4a.2_2a.0_32b"),
    ("ORDER_COL", "ba"),
    ("ORDER_ROW", "ab"),
    ("ORDER_COL32", "Ba32b"),
    ("ORDER_COL4_4R2_8C", "BA2a.0_4b2b4a.1_4b"),
    ("ORDER_COL32_2R_4R4", "BA4a.1_4a.2_2a.0_32b"),
];

/// `cutlass::layout`. C and K of a filter are our i and o.
pub(super) const CUTLASS: &[Row] = &[
    ("TensorNCxHWx<4>", "nChw4c"),
    ("TensorNCxHWx<32>", "nChw32c"),
    ("TensorNCxHWx<64>", "nChw64c"),
    ("TensorNCxHWx<#>", "nChw#c"),
    ("TensorCxRSKx<4>", "Ihwo4i"),
    ("TensorCxRSKx<32>", "Ihwo32i"),
    ("TensorCxRSKx<64>", "Ihwo64i"),
    ("TensorCxRSKx<#>", "Ihwo#i"),
];

/// `nvinfer1::TensorFormat`. The vector axis is counted from the innermost, so that a tensor of rank 3 is c, h, w.
/// DLA's rows are aligned in bytes; `kDLA_HWC4` is that of 3 or 4 channels.
pub(super) const TENSOR_RT: &[Row] = &[
    ("kLINEAR", "|scalar|nchw|ncdhw|a.."),
    ("kCHW2", "nChw2c|chw => Chw2c"),
    ("kCHW4", "nChw4c|chw => Chw4c"),
    ("kCHW16", "nChw16c|chw => Chw16c"),
    ("kCHW32", "nChw32c|chw => Chw32c"),
    ("kCDHW32", "nCdhw32c|cdhw => Cdhw32c"),
    ("kHWC", "nhwc|chw => hwc"),
    ("kDHWC", "ndhwc|cdhw => dhwc"),
    ("kHWC8", "nhwc^8|chw => hwc^8"),
    ("kHWC16", "nhwc^16|chw => hwc^16"),
    ("kDHWC8", "ndhwc^8|cdhw => dhwc^8"),
    ("kDLA_LINEAR", "nchw^64B"),
    ("kDLA_HWC4", "nhw^16Bc^4"),
    ("kNC2HW2", "nChw2c"),
    ("kNHWC8", "nhwc^8"),
    ("NHWC8", "nhwc^8"),
    ("NC4HW4", "nChw4c"),
    ("NC/#HW#", "nChw#c"),
];
