//! Parsing while compiling: the same function, and errors that a macro can hold.

use layout_core::grammar::{Dialect, ParseError, ParseErrorKind, Spec};

const fn parsed(text: &str) -> Spec {
    match Spec::parse(text) {
        Ok(spec) => spec,
        Err(_) => panic!("not a format"),
    }
}

const fn refused(text: &str) -> ParseError {
    match Spec::parse(text) {
        Ok(_) => panic!("a format"),
        Err(error) => error,
    }
}

const BLOCKED: Spec = parsed("nChw16c");
const WEIGHTS: Spec = parsed("gOIdhw4i16o4i");
const RECURRENT: Spec = parsed("ldgoi");
const CACHE: Spec = parsed("bshd => bhSd16s");
const TWELVE: Spec = parsed("abcdefghijkL2l3l4l");
const SCALAR: Spec = parsed("scalar");
const PADDED: Spec = parsed("nC^64hw^32_16c");
const SWIZZLED: Spec = parsed("OIhw4o.0_8i_8o.1_4i");
const CASE: ParseError = refused("nchw16c");
const UNICODE: ParseError = refused("nch\u{1f600}");
const BIG: ParseError = refused("nChw99999999999999999999999999999c");

const _: () = assert!(BLOCKED.rank() == 4 && BLOCKED.block_of(1) == 16 && BLOCKED.outer_len() == 4);
const _: () =
    assert!(matches!(CASE.kind(), ParseErrorKind::LowerWithBlock { axis: 'c' }) && CASE.position() == 1);

#[test]
fn constants_are_what_run_time_parses() {
    for (constant, text) in [
        (BLOCKED, "nChw16c"),
        (WEIGHTS, "gOIdhw4i16o4i"),
        (RECURRENT, "ldgoi"),
        (CACHE, "bshd => bhSd16s"),
        (TWELVE, "abcdefghijkL2l3l4l"),
        (SCALAR, "scalar"),
        (PADDED, "nC^64hw^32_16c"),
        (SWIZZLED, "OIhw4o.0_8i_8o.1_4i"),
    ] {
        assert_eq!(Spec::parse(text), Ok(constant));
    }
    assert_eq!(Spec::parse("nchw16c"), Err(CASE));
    assert_eq!(UNICODE.kind(), ParseErrorKind::NonAscii { found: '\u{1f600}' });
    assert_eq!((UNICODE.position(), UNICODE.len()), (3, 4));
    assert_eq!(BIG.kind(), ParseErrorKind::NumberTooLarge);
}

const fn in_dialect(dialect: Dialect, text: &str) -> Spec {
    match Spec::parse_in_for(dialect, text, 4, 2) {
        Ok(spec) => spec,
        Err(_) => panic!("not a format"),
    }
}

/// One name of each dialect.
const NAMES: [(Dialect, &str, Spec); 18] = [
    (Dialect::OneDnn, "gOhwi24o", in_dialect(Dialect::OneDnn, "gOhwI24o")),
    (Dialect::Benchdnn, "aBcd16b", in_dialect(Dialect::Benchdnn, "aBx16b")),
    (Dialect::OpenVino, "nChw16c", parsed("b_fs_yx_fsv16")),
    (Dialect::CuDnn, "nChw32c", parsed("NC/32HW32")),
    (Dialect::CublasLt, "Ba32b", parsed("cublaslt:ORDER_COL32")),
    (Dialect::Cutlass, "nChw8c", parsed("TensorNCxHWx<8>")),
    (Dialect::PyTorch, "nhwc", parsed("channels_last")),
    (Dialect::TensorRt, "nhwc^8", parsed("kHWC8")),
    (Dialect::TensorFlow, "hwio", parsed("tf:HWIO")),
    (Dialect::Tvm, "nChw16c", parsed("tvm:NCHW16c")),
    (Dialect::Xla, "AB4a128b2a", parsed("{1,0:T(8,128)(2,1)}")),
    (Dialect::NumPy, "dcba", in_dialect(Dialect::NumPy, "F")),
    (Dialect::MiOpen, "Chwn4c", parsed("CHWNc4")),
    (Dialect::Acl, "OhwI8o4i", parsed("OHWIo8i4")),
    (Dialect::Mnn, "Cnhw4c", parsed("mnn:NC4HW4")),
    (Dialect::MegEngine, "nChw8c", parsed("NCHW88")),
    (Dialect::Ncnn, "Ab4a", parsed("ncnn:dims=2,elempack=4")),
    (Dialect::Ascend, "nChw16c", in_dialect(Dialect::Ascend, "NC1HWC0")),
];

#[test]
fn dialects_are_read_while_compiling() {
    for (dialect, native, spec) in NAMES {
        assert_eq!(Spec::parse(native), Ok(spec), "{dialect}");
    }
}
