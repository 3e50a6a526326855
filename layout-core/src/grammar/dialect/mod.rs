//! [`Dialect`]: the systems whose names of layouts are read and written, and which of them reads a text without prefix.
//! Called by the entry points in `parse`. A file for each grammar, `named` for systems that have tables of names.

mod known;
mod list;
mod named;
mod onednn;
mod openvino;
mod print;
mod tvm;
mod xla;

pub use self::known::{KnownName, known_names};
pub use self::print::FormatName;
use super::native::Known;
use super::text::{same, starts_with};
use super::{ParseError, ParseErrorKind, Spec};
use core::fmt;

/// A system whose names of layouts are read and written. They are spelled differently but give the same [`Spec`] as
/// the name in our grammar, and so the same type.
///
/// ```
/// use layout_core::grammar::{Dialect, Spec};
/// let spec = Spec::parse("nChw32c").unwrap();
/// assert_eq!(Spec::parse("cudnn:NC/32HW32"), Ok(spec));
/// assert_eq!(spec.name_in(Dialect::OpenVino).unwrap().as_str(), "b_fs_yx_fsv32");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Dialect {
    /// oneDNN's format tags, `nChw16c`, and the enumerators `dnnl_nChw16c` and `mkldnn_nChw16c`.
    OneDnn,
    /// benchdnn's tags: oneDNN's, and `x` for the remaining axes, `aBx16b`.
    Benchdnn,
    /// OpenVINO's GPU formats, `b_fs_yx_fsv16`, for elements of at least 8 bits.
    OpenVino,
    /// cuDNN's tensor formats, `CUDNN_TENSOR_NHWC`, `NC/32HW32`.
    CuDnn,
    /// cuBLASLt's matrix orders, `CUBLASLT_ORDER_COL32`.
    CublasLt,
    /// CUTLASS' tensor layouts, `TensorNCxHWx<32>`.
    Cutlass,
    /// PyTorch's memory formats, `channels_last`.
    PyTorch,
    /// TensorRT's tensor formats, `kCHW32`.
    TensorRt,
    /// TensorFlow's data and filter formats, `NHWC`.
    TensorFlow,
    /// TVM's layouts, `NCHW16c`.
    Tvm,
    /// XLA's layouts, `{1,0:T(8,128)}`. Its axes have no names: they are a, b, c, ….
    Xla,
    /// NumPy's memory orders `C` and `F`. Its axes have no names: they are a, b, c, ….
    NumPy,
    /// MIOpen's tensor layouts, `miopenTensorNCHWc4`.
    MiOpen,
    /// The weight formats of the Arm Compute Library, `OHWIo8i4`.
    Acl,
    /// MNN's dimension formats, `NC4HW4` with the batch inside the channels.
    Mnn,
    /// MegEngine's tensor formats, `NCHW88`.
    MegEngine,
    /// ncnn's packed matrices, `dims=2,elempack=4`.
    Ncnn,
    /// Ascend CANN's formats, `NC1HWC0`.
    Ascend,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 18] = [
        Dialect::OneDnn,
        Dialect::Benchdnn,
        Dialect::OpenVino,
        Dialect::CuDnn,
        Dialect::CublasLt,
        Dialect::Cutlass,
        Dialect::PyTorch,
        Dialect::TensorRt,
        Dialect::TensorFlow,
        Dialect::Tvm,
        Dialect::Xla,
        Dialect::NumPy,
        Dialect::MiOpen,
        Dialect::Acl,
        Dialect::Mnn,
        Dialect::MegEngine,
        Dialect::Ncnn,
        Dialect::Ascend,
    ];

    /// The name of the system.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// What stands before `:` where the dialect is stated.
    ///
    /// ```
    /// assert_eq!(layout_core::grammar::Dialect::OpenVino.prefix(), "ov");
    /// ```
    pub const fn prefix(self) -> &'static str {
        self.names().1
    }

    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Dialect::OneDnn => ("oneDNN", "onednn"),
            Dialect::Benchdnn => ("benchdnn", "benchdnn"),
            Dialect::OpenVino => ("OpenVINO", "ov"),
            Dialect::CuDnn => ("cuDNN", "cudnn"),
            Dialect::CublasLt => ("cuBLASLt", "cublaslt"),
            Dialect::Cutlass => ("CUTLASS", "cutlass"),
            Dialect::PyTorch => ("PyTorch", "torch"),
            Dialect::TensorRt => ("TensorRT", "trt"),
            Dialect::TensorFlow => ("TensorFlow", "tf"),
            Dialect::Tvm => ("TVM", "tvm"),
            Dialect::Xla => ("XLA", "xla"),
            Dialect::NumPy => ("NumPy", "numpy"),
            Dialect::MiOpen => ("MIOpen", "miopen"),
            Dialect::Acl => ("Arm Compute Library", "acl"),
            Dialect::Mnn => ("MNN", "mnn"),
            Dialect::MegEngine => ("MegEngine", "megengine"),
            Dialect::Ncnn => ("ncnn", "ncnn"),
            Dialect::Ascend => ("Ascend", "ascend"),
        }
    }

    /// The dialect with this prefix.
    ///
    /// ```
    /// use layout_core::grammar::Dialect;
    /// assert_eq!(Dialect::from_prefix("trt"), Some(Dialect::TensorRt));
    /// ```
    pub const fn from_prefix(prefix: &str) -> Option<Dialect> {
        with_prefix(prefix.as_bytes(), 0, prefix.len())
    }

    /// Whether the names of the dialect name the axes. Where they do not, the axes are a, b, c, …, or those that
    /// tensors of the rank mostly have, and a name is found for the digits whatever the axes are called.
    pub const fn names_axes(self) -> bool {
        !matches!(
            self,
            Dialect::Xla
                | Dialect::NumPy
                | Dialect::CublasLt
                | Dialect::PyTorch
                | Dialect::TensorRt
                | Dialect::Ncnn
        )
    }

    /// Where the name begins, behind the dialect's own prefix if it is there.
    pub(super) const fn start(self, text: &[u8]) -> usize {
        let len = self.prefix().len();
        if starts_with(text, 0, text.len(), self.prefix()) && text.len() > len && text[len] == b':' {
            len + 1
        } else {
            0
        }
    }

    /// Reads `start..end` of `text` as a name of the dialect.
    pub(super) const fn parse(
        self,
        text: &[u8],
        start: usize,
        end: usize,
        known: Known,
    ) -> Result<Spec, ParseError> {
        if start >= end {
            return Err(ParseError::new(ParseErrorKind::Empty, 0, start));
        }
        let found = match self {
            Dialect::OneDnn => return onednn::parse(text, start, end, known),
            Dialect::Benchdnn => return onednn::parse_meta(text, start, end, known),
            Dialect::OpenVino => openvino::parse(text, start, end, known),
            Dialect::Tvm => return tvm::parse(text, start, end),
            Dialect::Xla => xla::parse(text, start, end),
            _ => named::parse(self, named::rows(self), text, start, end, known),
        };
        match found {
            Some(found) => found,
            None => Err(self.has_not(start, end)),
        }
    }

    const fn has_not(self, start: usize, end: usize) -> ParseError {
        ParseError::new(ParseErrorKind::NotInDialect { dialect: self }, start, end - start)
    }

    const fn refuses(self, reason: &'static str, start: usize, len: usize) -> ParseError {
        ParseError::new(ParseErrorKind::Refused { dialect: self, reason }, start, len)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

const fn with_prefix(text: &[u8], start: usize, end: usize) -> Option<Dialect> {
    let mut i = 0;
    while i < Dialect::ALL.len() {
        if same(text, start, end, Dialect::ALL[i].prefix()) {
            return Some(Dialect::ALL[i]);
        }
        i += 1;
    }
    None
}

/// The dialect that a prefix of `text` states, and where what is behind it begins.
pub(super) const fn body(text: &[u8]) -> Result<(Option<Dialect>, usize), ParseError> {
    let mut end = 0;
    while end < text.len() && text[end].is_ascii_alphanumeric() {
        end += 1;
    }
    if end == 0 || end == text.len() || text[end] != b':' {
        return Ok((None, 0));
    }
    match with_prefix(text, 0, end) {
        Some(dialect) => Ok((Some(dialect), end + 1)),
        None => Err(ParseError::new(ParseErrorKind::UnknownDialect, 0, end)),
    }
}

/// The meaning of a text without prefix that our grammar refused with `native`: that of the dialects that have it.
pub(super) const fn unprefixed(text: &[u8], known: Known, native: ParseError) -> Result<Spec, ParseError> {
    if !may_be_foreign(text, native.kind()) {
        return Err(native);
    }
    let mut found: Option<(Dialect, Spec)> = None;
    let mut refusal: Option<(Dialect, ParseError)> = None;
    let mut i = 0;
    while i < Dialect::ALL.len() {
        let dialect = Dialect::ALL[i];
        i += 1;
        let needs_prefix = match dialect {
            // Their names differ from ours by case alone, or by an `x` that is easily a slip.
            Dialect::Tvm | Dialect::Benchdnn => true,
            // Its formats have at least two spatial axes, or slices; `bx` and `giox` are slips.
            Dialect::OpenVino => !has_one_of(text, [b'y', b'_']) && !same(text, 0, text.len(), "nv12"),
            _ => false,
        };
        if needs_prefix {
            continue;
        }
        match dialect.parse(text, 0, text.len(), known) {
            Ok(spec) => match found {
                None => found = Some((dialect, spec)),
                Some((first, other)) => {
                    if !equal(&spec, &other) {
                        let kind = ParseErrorKind::Ambiguous { first, second: dialect };
                        return Err(ParseError::new(kind, 0, text.len()));
                    }
                }
            },
            Err(error) => {
                let claimed = !matches!(error.kind(), ParseErrorKind::NotInDialect { .. });
                if claimed && refusal.is_none() && !matches!(dialect, Dialect::OneDnn) {
                    refusal = Some((dialect, error));
                }
            }
        }
    }
    match (found, refusal) {
        (Some((first, _)), Some((second, _))) => {
            Err(ParseError::new(ParseErrorKind::Ambiguous { first, second }, 0, text.len()))
        }
        (Some((dialect, spec)), None) => match read_elsewhere(dialect, text) {
            Some(other) => {
                let kind = ParseErrorKind::NeedsPrefix { dialect, other };
                Err(ParseError::new(kind, 0, text.len()))
            }
            None => Ok(spec),
        },
        (None, Some((_, refusal))) => Err(refusal),
        (None, None) => Err(native),
    }
}

/// Whether a text that our grammar refuses is no slip in our grammar. One in upper case alone (`NCHW`) is.
const fn may_be_foreign(text: &[u8], native: ParseErrorKind) -> bool {
    let ours = matches!(
        native,
        ParseErrorKind::RankUnknown
            | ParseErrorKind::RankOutside { .. }
            | ParseErrorKind::BytesUnknown { .. }
            | ParseErrorKind::Misnamed { .. }
            | ParseErrorKind::BadSignificance { .. }
    );
    let mut upper = true;
    let mut i = 0;
    while i < text.len() {
        upper &= text[i].is_ascii_uppercase();
        i += 1;
    }
    !ours && !upper
}

const fn has_one_of(text: &[u8], bytes: [u8; 2]) -> bool {
    let mut i = 0;
    while i < text.len() && text[i] != bytes[0] && text[i] != bytes[1] {
        i += 1;
    }
    i < text.len()
}

/// What else a name of `dialect` means, to those who do not use the dialect.
const fn read_elsewhere(dialect: Dialect, text: &[u8]) -> Option<&'static str> {
    let end = text.len();
    match dialect {
        Dialect::OpenVino if same(text, 0, end, "os_iyx_osv32") || same(text, 0, end, "os_iyx_osv64") => {
            Some("elements of 4 bits of which two that lie 16 apart share a byte")
        }
        Dialect::TensorRt if same(text, 0, end, "NHWC8") => Some("channels in blocks of 8, as in `NCHW8`"),
        Dialect::Xla if !xla::has_tiles(text) => Some("a permutation whose first axis is the outermost"),
        _ => None,
    }
}

/// Equality, which `==` is not while compiling.
const fn equal(a: &Spec, b: &Spec) -> bool {
    let mut axis = 0;
    while axis < a.rank() && axis < b.rank() {
        match (a.axis_name(axis), b.axis_name(axis)) {
            (Some(one), Some(other)) if one == other => {}
            _ => return false,
        }
        axis += 1;
    }
    a.same_digits(b)
}
