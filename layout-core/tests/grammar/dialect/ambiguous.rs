//! Text that two systems read differently: the whole report lists both readings.

use layout_core::grammar::{Dialect, ParseErrorKind, Spec};

/// Text, and the report without the line of the text and the carets: message and help.
const CASES: &[(&str, &str, &str)] = &[
    (
        "NC4HW4",
        "cuDNN and MNN have different formats of this name",
        "state which is meant: \"cudnn:NC4HW4\" for nChw4c, or \"mnn:NC4HW4\" for Cnhw4c",
    ),
    (
        "NCHW_VECT_C",
        "TensorFlow and cuDNN have different formats of this name",
        "state which is meant: \"tf:NCHW_VECT_C\" for nChw4c, or cudnn:NCHW_VECT_C (cuDNN: the vector length is part of \
         the data type: write NCHW_VECT_C_x4 or NCHW_VECT_C_x32)",
    ),
    (
        "{1,0}",
        "XLA has a format of this name, but elsewhere it means a permutation whose first axis is the outermost",
        "state that it is meant so: \"xla:{1,0}\" for ab",
    ),
    (
        "NHWC8",
        "TensorRT has a format of this name, but elsewhere it means channels in blocks of 8, as in `NCHW8`",
        "state that it is meant so: \"trt:NHWC8\" for nhwc^8",
    ),
    (
        "os_iyx_osv32",
        "OpenVINO has a format of this name, but elsewhere it means elements of 4 bits of which two that lie 16 apart \
         share a byte",
        "state that it is meant so: \"ov:os_iyx_osv32\" for Oihw32o",
    ),
];

#[test]
fn both_readings_are_listed() {
    for &(text, message, help) in CASES {
        let error = Spec::parse(text).expect_err(text);
        assert!(
            matches!(error.kind(), ParseErrorKind::Ambiguous { .. } | ParseErrorKind::NeedsPrefix { .. }),
            "{error}"
        );
        let carets = "^".repeat(text.len());
        assert_eq!(error.report(text).to_string(), format!("{message}\n  {text}\n  {carets}\nhelp: {help}"));
        // So it is at run time, where more is known.
        assert_eq!(Spec::parse_for(text, 4, 4).map_err(|error| error.kind()), Err(error.kind()));
    }
}

/// `x` is oneDNN's one axis; the other uses of the letter are parts of names.
#[test]
fn a_bare_letter_is_ours() {
    assert_eq!(Spec::parse("x").unwrap().rank(), 1);
    for text in ["w", "b", "bx", "abx", "C", "F"] {
        assert!(Spec::parse(text).is_err(), "{text}");
    }
}

/// Upper case alone is a slip in our grammar, with or without a dialect that writes so.
#[test]
fn upper_case_needs_its_prefix() {
    for text in ["NCHW", "NHWC", "OIHW", "HWCN"] {
        let error = Spec::parse(text).unwrap_err();
        assert!(matches!(error.kind(), ParseErrorKind::UpperWithoutBlock { .. }), "{error}");
        let help = format!("help: write \"{}\"", text.to_lowercase());
        assert!(error.report(text).to_string().ends_with(&help), "{}", error.report(text));
    }
    let report = Spec::parse("NCHW16c").unwrap_err().report("NCHW16c").to_string();
    assert!(
        report.ends_with("help: write \"nChw16c\"\nhelp: or, as TVM writes nChw16c: \"tvm:NCHW16c\""),
        "{report}"
    );
}

/// Where several systems have a name and agree, no prefix is needed.
#[test]
fn agreement_needs_no_prefix() {
    for dialect in [Dialect::CuDnn, Dialect::MegEngine] {
        assert_eq!(Spec::parse_in(dialect, "NCHW4"), Spec::parse("nChw4c"));
    }
    assert_eq!(Spec::parse("NCHW4"), Spec::parse("nChw4c"));
}
