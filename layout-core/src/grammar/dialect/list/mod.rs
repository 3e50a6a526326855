//! The names of grammars whose names follow from rules, as far as their systems list them. Data alone.

mod onednn;
mod openvino;

use super::Dialect;

/// What people write in TVM and XLA, which list no names.
const TVM: &str = "NCHW NHWC NCW NWC NCDHW NDHWC NCHW4c NCHW8c NCHW16c NCHW32c NCW16c NCDHW16c NHWC16c NCHW16n4c \
OIHW HWIO OHWI IOHW OIHW16i16o OIHW4i16o OIHW16o OIHW4i16o4i OIHW16i16o2i OHWI16o HWOI4o HWOI16o4i GOIHW16g \
OIDHW16i16o NC16n NC16cHW";
const XLA: &str = "{0} {1,0} {0,1} {2,1,0} {3,2,1,0} {1,0:T(8,128)} {0,1:T(8,128)} {1,0:T(2,128)} {1,0:T(4,128)} \
{1,0:T(8,128)(2,1)} {1,0:T(8,128)(4,1)} {1,0:T(32,128)(32,1)} {1,0:T(8,128)(2,1,1,1)} {3,2,1,0:T(8,128)} \
{3,2,1,0:T(8,128)(2,1)} {0:T(128)} {0:T(1024)}";
const BENCHDNN: &str = "abx axb xba aBx16b ABx16a16b abxc";

/// The names of a dialect that has a grammar, separated by white space; none for one that is a table.
pub(super) const fn of(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OneDnn => onednn::NAMES,
        Dialect::Benchdnn => BENCHDNN,
        Dialect::OpenVino => openvino::NAMES,
        Dialect::Tvm => TVM,
        Dialect::Xla => XLA,
        _ => "",
    }
}
