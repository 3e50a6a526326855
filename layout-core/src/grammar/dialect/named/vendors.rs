//! Names of layouts in AMD's, Arm's and Huawei's libraries. Read by `named`; no code.
//! Sources: `miopen.h`, the Arm Compute Library's `CoreTypes.h`, CANN's reference of data formats.

use super::Row;

/// `miopenTensorLayout_t`. Its numbers stand behind the letter.
pub(super) const MIOPEN: &[Row] = &[
    ("miopenTensorNCHW", "nchw"),
    ("miopenTensorNHWC", "nhwc"),
    ("miopenTensorCHWN", "chwn"),
    ("miopenTensorNCHWc4", "nChw4c"),
    ("miopenTensorNCHWc8", "nChw8c"),
    ("miopenTensorCHWNc4", "Chwn4c"),
    ("miopenTensorCHWNc8", "Chwn8c"),
    ("miopenTensorNCDHW", "ncdhw"),
    ("miopenTensorNDHWC", "ndhwc"),
    ("NCHWc4", "nChw4c"),
    ("NCHWc8", "nChw8c"),
    ("CHWNc4", "Chwn4c"),
    ("CHWNc8", "Chwn8c"),
];

/// `WeightFormat`. Its numbers stand behind the letter; `_bf16` says what the elements are rounded to.
pub(super) const ACL: &[Row] = &[
    ("OHWI", "ohwi"),
    ("OHWIo#", "Ohwi#o"),
    ("OHWIo#i%", "OhwI#o%i"),
    ("OHWIo#i%_bf16", "OhwI#o%i"),
    ("UNSPECIFIED", "!leaves the layout open"),
    ("ANY", "!leaves the layout to the library"),
];

/// `ge::Format`. C0 is as many elements as have 32 bytes.
pub(super) const ASCEND: &[Row] = &[
    ("ND", "|scalar|a.."),
    ("NCHW", "nchw"),
    ("NHWC", "nhwc"),
    ("HWCN", "hwcn"),
    ("NC1HWC0", "nChw$c"),
    ("NC1HWC0_C04", "nChw4c"),
    ("NDC1HWC0", "ndChw$c"),
    ("FRACTAL_NZ", "BA16a$b"),
];
