//! Parsing while compiling: the same function, and errors that a macro can hold.

use layout_core::grammar::{ParseError, ParseErrorKind, Spec};

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
    ] {
        assert_eq!(Spec::parse(text), Ok(constant));
    }
    assert_eq!(Spec::parse("nchw16c"), Err(CASE));
    assert_eq!(UNICODE.kind(), ParseErrorKind::NonAscii { found: '\u{1f600}' });
    assert_eq!((UNICODE.position(), UNICODE.len()), (3, 4));
    assert_eq!(BIG.kind(), ParseErrorKind::NumberTooLarge);
}
