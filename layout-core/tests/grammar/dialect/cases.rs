//! At least one name of every form of every dialect, with the format in our grammar that it is.

use crate::oracle::digits;
use layout_core::grammar::Dialect::{self, *};
use layout_core::grammar::{ParseErrorKind, Spec};
use std::collections::HashSet;

/// Dialect, name, the same in our grammar, and whether the name is read without prefix.
const CASES: &[(Dialect, &str, &str, bool)] = &[
    (OneDnn, "nChw16c", "nChw16c", true),
    (OneDnn, "dnnl_nhwc", "nhwc", true),
    (OneDnn, "mkldnn_OIhw16i16o", "OIhw16i16o", true),
    (OneDnn, "OhwI24o", "Ohwi24o", false),
    (OneDnn, "gIOhw2i8o16i2o", "gOIhw2i8o16i2o", false),
    (OneDnn, "dnnl_gIOdhw2i8o16i2o", "gOIdhw2i8o16i2o", true),
    (Benchdnn, "aBcd16b", "aBcd16b", true),
    (OpenVino, "bfyx", "nchw", true),
    (OpenVino, "byxf", "nhwc", true),
    (OpenVino, "bzyxf", "ndhwc", true),
    (OpenVino, "bfwzyx", "abcdef", true),
    (OpenVino, "bfvuwzyx", "abcdefgh", true),
    (OpenVino, "b_fs_yx_fsv16", "nChw16c", true),
    (OpenVino, "fs_b_yx_fsv32", "Cnhw32c", true),
    (OpenVino, "bs_fs_zyx_bsv16_fsv32", "NCdhw16n32c", true),
    (OpenVino, "bs_fs_fsv8_bsv8", "NC8c8n", true),
    (OpenVino, "bs_x_bsv16", "nw => Nw16n", true),
    (OpenVino, "yxio", "hwio", true),
    (OpenVino, "gyxio", "ghwio", true),
    (OpenVino, "os_is_yx_osa4_isa8_osv8_isv4", "OIhw4o8i8o4i", true),
    (OpenVino, "g_os_zyx_is_osv16_isv4", "gOdhwI16o4i", true),
    (OpenVino, "gs_oiyx_gsv16", "Goihw16g", true),
    (OpenVino, "os_iyx_osv16", "Oihw16o", true),
    (OpenVino, "os_iyx_osv32", "Oihw32o", false),
    (OpenVino, "os_iyx_osv32__ai32", "Oi^32hw32o", true),
    (OpenVino, "os_i_osv8__ai8", "Oi^8_8o", true),
    (OpenVino, "os_is_y_x8_osv8_isv4", "OIhw^8_8o4i", true),
    (OpenVino, "os_is_yx_osv32_isv4_swizzled_by_2", "OIhw2o.0_16o.1_4i", true),
    (OpenVino, "is_o32_yx_isv32_swizzled_by_4", "IO4o.0_8o.1_hw32i", true),
    (CuDnn, "NCHW", "nchw", false),
    (CuDnn, "CHWN", "chwn", false),
    (CuDnn, "CDHWN", "cdhwn", false),
    (CuDnn, "CUDNN_TENSOR_NHWC", "nhwc", true),
    (CuDnn, "NCHW_VECT_C_x4", "nChw4c", true),
    (CuDnn, "NCHW_VECT_C_x32", "nChw32c", true),
    (CuDnn, "NC/1HW1", "nchw", true),
    (CuDnn, "NC/32HW32", "nChw32c", true),
    (CuDnn, "NC/5HW5", "nChw5c", true),
    (CuDnn, "NC4HW4", "nChw4c", false),
    (CuDnn, "CUDNN_TENSOR_REORDERING_INT8x32(filter)", "IhwO2o.0_8i4o.1_4i", true),
    (CublasLt, "CUBLASLT_ORDER_COL", "ba", true),
    (CublasLt, "ORDER_COL32_2R_4R4", "BA4a.1_4a.2_2a.0_32b", true),
    (Cutlass, "TensorNCxHWx<64>", "nChw64c", true),
    (Cutlass, "TensorCxRSKx<4>", "Ihwo4i", true),
    (PyTorch, "channels_last", "nhwc", true),
    (PyTorch, "torch.channels_last_3d", "ndhwc", true),
    (TensorRt, "kCHW2", "nChw2c", true),
    (TensorRt, "kCDHW32", "nCdhw32c", true),
    (TensorRt, "kHWC", "nhwc", true),
    (TensorRt, "kHWC8", "nhwc^8", true),
    (TensorRt, "kDHWC8", "ndhwc^8", true),
    (TensorRt, "NHWC8", "nhwc^8", false),
    (TensorFlow, "NHWC", "nhwc", false),
    (TensorFlow, "HWIO", "hwio", false),
    (TensorFlow, "NHWC_VECT_W", "nhWc4w", true),
    (Tvm, "NCHW", "nchw", false),
    (Tvm, "NCHW16c", "nChw16c", false),
    (Tvm, "NC16cHW", "nC16c_hw", false),
    (Tvm, "16cNCHW", "16c_nChw", false),
    (Tvm, "OIHW4i16o4i", "OIhw4i16o4i", false),
    (Tvm, "OIHW[4i16o]", "OIhw4i16o", false),
    (Tvm, "KN8n", "kn => kN8n", false),
    (Xla, "{3,2,1,0}", "abcd", false),
    (Xla, "{1,0}", "ab", false),
    (Xla, "{}", "scalar", false),
    (Xla, "{0,1:T(8,128)}", "BA8b128a", true),
    (Xla, "{3,2,1,0:T(8,128)(2,1)}", "abCD4c128d2c", true),
    (Xla, "{1,0:T(32,128)(32,1)}", "AB128b32a", true),
    (Xla, "{1,0:T(8,128)(2,1,1,1)}", "AB8a.0_128b2a.1", true),
    (Xla, "{0:T(128)}", "A128a", true),
    (MiOpen, "miopenTensorCHWNc8", "Chwn8c", true),
    (MiOpen, "NCHWc4", "nChw4c", true),
    (Acl, "OHWIo4", "Ohwi4o", true),
    (Acl, "OHWIo8i4", "OhwI8o4i", true),
    (Acl, "OHWIo16i2_bf16", "OhwI16o2i", true),
    (Mnn, "NC4HW4", "Cnhw4c", false),
    (MegEngine, "NCHW88", "nChw8c", true),
    (MegEngine, "NCHW44_DOT", "nChw4c", true),
    (MegEngine, "NHWCD4", "nhCw4c", true),
    (MegEngine, "CHWN4", "Chwn4c", true),
    (Ncnn, "dims=2,elempack=4", "Ab4a", true),
    (Ascend, "NC1HWC0_C04", "nChw4c", true),
    (Ascend, "HWCN", "hwcn", false),
];

/// Dialect, name, rank, bytes of an element, the same in our grammar.
const OF_A_TENSOR: &[(Dialect, &str, usize, usize, &str)] = &[
    (Benchdnn, "abx", 4, 4, "abcd"),
    (Benchdnn, "axb", 5, 4, "acdeb"),
    (Benchdnn, "xba", 3, 4, "cba"),
    (Benchdnn, "aBx16b", 3, 4, "aBc16b"),
    (Benchdnn, "abx", 2, 4, "ab"),
    (Benchdnn, "abxc", 5, 4, "abdec"),
    (PyTorch, "contiguous_format", 4, 4, "nchw"),
    (PyTorch, "contiguous_format", 2, 4, "ab"),
    (PyTorch, "contiguous_format", 0, 4, "scalar"),
    (TensorRt, "kLINEAR", 5, 4, "ncdhw"),
    (TensorRt, "kLINEAR", 7, 4, "abcdefg"),
    (TensorRt, "kCHW32", 3, 1, "chw => Chw32c"),
    (TensorRt, "kDLA_LINEAR", 4, 2, "nchw^32"),
    (TensorRt, "kDLA_LINEAR", 4, 1, "nchw^64"),
    (TensorRt, "kDLA_HWC4", 4, 2, "nhw^8c^4"),
    (NumPy, "C", 4, 4, "abcd"),
    (NumPy, "F", 4, 4, "dcba"),
    (NumPy, "F", 0, 4, "scalar"),
    (Ncnn, "dims=3,elempack=4", 3, 4, "Abc4a"),
    (Ascend, "NC1HWC0", 4, 2, "nChw16c"),
    (Ascend, "NDC1HWC0", 5, 1, "ndChw32c"),
    (Ascend, "FRACTAL_NZ", 2, 2, "BA16a16b"),
    (Ascend, "ND", 3, 4, "abc"),
];

/// Dialect, name, and what the refusal says.
const REFUSED: &[(Dialect, &str, &str)] = &[
    (OneDnn, "dnnl_any", "leaves the layout open"),
    (OpenVino, "winograd_2x3_s1_data", "Winograd"),
    (OpenVino, "image_2d_weights_c4_fyx_b", "image"),
    (OpenVino, "nv12", "planes"),
    (OpenVino, "os_is_yx_osv32_isv32p", "one bit"),
    (OpenVino, "iy_xs_os_xsv2_osv8__ao32", "last column"),
    (OpenVino, "os_is_yx_osv64_isv2", "4 bits"),
    (OpenVino, "i_yxs_os_yxsv2_osv16", "product of spatial axes"),
    (OpenVino, "os_i_yxs_osv4_yxsv4", "product of spatial axes"),
    (OpenVino, "b_f_yx_fsv16", "exactly where it has slices"),
    (OpenVino, "b_fs_yx", "exactly where it has slices"),
    (CuDnn, "CUDNN_TENSOR_NCHW_VECT_C", "data type"),
    (CuDnn, "CUDNN_TENSOR_REORDERING_F16x16", "not published"),
    (PyTorch, "preserve_format", "another tensor"),
    (NumPy, "K", "another array"),
    (Ncnn, "dims=3,elempack=1", "16 bytes"),
    (Tvm, "NCHW8w16k", "not there"),
    (Tvm, "NCHWc", "needs a size"),
    (Tvm, "NNHW", "twice"),
    (Tvm, "NCHW[4c]", "brackets"),
    (Xla, "{4,3,2,1,0:T(*,*,2,*,3)}", "joins dimensions"),
    (Xla, "{1,0:T(8,128)(3,1)}", "does not divide"),
    (Xla, "{1,0:T(2,2,2)}", "more extents"),
    (Xla, "{1,0:T(8,128)S(1)}", "no part of where"),
    (Xla, "{1,1}", "each once"),
    (Xla, "{1,0:T(8,128)", "its only"),
    (Xla, "{1,0:E(4)}", "no part of where"),
];

fn parsed(text: &str) -> Spec {
    Spec::parse(text).unwrap_or_else(|error| panic!("{}", error.report(text)))
}

#[test]
fn names_of_one_meaning() {
    for &(dialect, name, native, bare) in CASES {
        let spec = parsed(native);
        assert_eq!(Spec::parse_in(dialect, name), Ok(spec), "{name}");
        let prefixed = format!("{}:{name}", dialect.prefix());
        assert_eq!(parsed(&prefixed), spec, "{prefixed}");
        assert_eq!(Spec::parse_in(dialect, &prefixed), Ok(spec), "{prefixed}");
        assert_eq!(Spec::parse(name).ok(), bare.then_some(spec), "{name} without prefix");
        assert_eq!(Spec::parse_rank(&prefixed, spec.rank()), Ok(spec), "{prefixed}");
    }
}

#[test]
fn names_of_a_rank_or_an_element_size() {
    for &(dialect, name, rank, bytes, native) in OF_A_TENSOR {
        let spec = parsed(native);
        assert_eq!(Spec::parse_in_for(dialect, name, rank, bytes), Ok(spec), "{name}");
        let prefixed = format!("{}:{name}", dialect.prefix());
        assert_eq!(Spec::parse_for(&prefixed, rank, bytes), Ok(spec), "{prefixed}");
        // While compiling it is said what is missing; the rank of the first alternative is taken where there is one.
        match Spec::parse(&prefixed) {
            Ok(_) => assert_eq!(name, "kCHW32"),
            Err(error) => assert!(
                matches!(error.kind(), ParseErrorKind::RankUnknown | ParseErrorKind::BytesUnknown { .. }),
                "{error} of {name}"
            ),
        }
    }
}

#[test]
fn refusals_say_why() {
    for &(dialect, name, why) in REFUSED {
        let prefixed = format!("{}:{name}", dialect.prefix());
        for error in [Spec::parse_in(dialect, name).unwrap_err(), Spec::parse(&prefixed).unwrap_err()] {
            assert!(
                matches!(error.kind(), ParseErrorKind::Refused { dialect: d, .. } if d == dialect),
                "{name}"
            );
            assert!(error.to_string().contains(why), "{error} of {name}");
        }
        assert!(Spec::parse(name).is_err(), "{name}");
    }
}

#[test]
fn names_of_no_dialect_are_refused() {
    for text in
        ["oops:nchw", "OV:bfyx", "cudnn:nchw", "tvm:", "ov:b_fs_yx_fsv", "trt:kCHW", "xla:1,0", "acl:OHWIo1"]
    {
        let error = Spec::parse(text).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ParseErrorKind::UnknownDialect
                    | ParseErrorKind::NotInDialect { .. }
                    | ParseErrorKind::Empty
                    | ParseErrorKind::Refused { .. }
            ),
            "{error} of {text}"
        );
    }
}

/// Each system, each name once, each prefix its own.
#[test]
fn dialects_are_told_apart() {
    let prefixes: HashSet<_> = Dialect::ALL.map(Dialect::prefix).into();
    assert_eq!(prefixes.len(), Dialect::ALL.len());
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::from_prefix(dialect.prefix()), Some(dialect));
        assert!(
            CASES.iter().any(|case| case.0 == dialect) || OF_A_TENSOR.iter().any(|case| case.0 == dialect)
        );
    }
    assert_eq!(Dialect::from_prefix("ov:"), None);
}

/// What a name is printed as means the same, in every dialect; and the names above come back from what they mean.
#[test]
fn names_come_back() {
    let of_one = CASES.iter().map(|&(dialect, _, native, _)| (dialect, native, 4));
    let of_a_tensor = OF_A_TENSOR.iter().map(|&(dialect, _, _, bytes, native)| (dialect, native, bytes));
    for (own, native, bytes) in of_one.chain(of_a_tensor) {
        let spec = parsed(native);
        for dialect in Dialect::ALL {
            let Some(name) = spec.name_in_for(dialect, bytes) else {
                assert_ne!(dialect, own, "{native}");
                continue;
            };
            let again = Spec::parse_in_for(dialect, name.as_str(), spec.rank(), bytes).unwrap();
            assert_eq!(digits(&again, true), digits(&spec, true), "{name} for {native} in {dialect}");
            assert!(again == spec || !dialect.names_axes(), "{name} for {native} in {dialect}");
        }
    }
}

#[test]
fn the_preferred_names() {
    let names = |native: &str| {
        let names =
            Dialect::ALL.into_iter().filter_map(|dialect| Some((dialect, parsed(native).name_in(dialect)?)));
        names.map(|(dialect, name)| format!("{}:{name}", dialect.prefix())).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        names("nchw"),
        "onednn:nchw benchdnn:nchw ov:bfyx cudnn:CUDNN_TENSOR_NCHW torch:contiguous_format trt:kLINEAR tf:NCHW \
         tvm:NCHW xla:{3,2,1,0} numpy:C miopen:miopenTensorNCHW mnn:NCHW megengine:NCHW ascend:NCHW"
    );
    assert_eq!(
        names("nChw32c"),
        "onednn:nChw32c benchdnn:nChw32c ov:b_fs_yx_fsv32 cudnn:NC/32HW32 cutlass:TensorNCxHWx<32> trt:kCHW32 \
         tvm:NCHW32c xla:{3,2,1,0:T(32,1,1)} megengine:NCHW32"
    );
    assert_eq!(names("nC16c_hw"), "tvm:NC16cHW");
    assert_eq!(names("nhwc^8"), "ov:byxf__af8 trt:kHWC8");
    assert_eq!(names("OIhw4o.0_8i8o.1_4i"), "ov:os_is_yx_osa4_isa8_osv8_isv4_swizzled_by_4");
    assert_eq!(
        names("AB4a128b2a"),
        "onednn:AB4a128b2a benchdnn:AB4a128b2a tvm:AB4a128b2a xla:{1,0:T(8,128)(2,1)}"
    );
    assert_eq!(names("bshd => bhSd16s"), "xla:{3,1,2,0:T(16,1)}");
}
