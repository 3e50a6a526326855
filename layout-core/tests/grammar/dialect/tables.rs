//! Every name of the tables of other systems beside the repository; skipped where these are absent.

use crate::oracle::{Expected, digits, offset};
use crate::shared::rows;
use layout_core::grammar::{Dialect, ParseErrorKind, Spec};

fn numbers(field: &str, separator: char) -> Vec<(usize, u64)> {
    let pair = |text: &str| match text.split_once(separator) {
        Some((axis, size)) => (axis.parse().unwrap(), size.parse().unwrap()),
        None => (text.parse().unwrap(), 0),
    };
    if field == "-" { Vec::new() } else { field.split(',').map(pair).collect() }
}

/// OpenVINO's letters of digits as ours.
fn ours(digits: &str) -> String {
    digits.replace('x', "w").replace('y', "h").replace('z', "d")
}

/// Names whose bare text is read differently for elements of 4 bits.
const OF_4_BITS: [&str; 2] = ["os_iyx_osv32", "os_iyx_osv64"];

#[test]
fn every_format_of_openvino() {
    let Some(rows) = rows("openvino_formats.tsv") else { return };
    let (mut plain, mut aligned, mut swizzled, mut refused) = (0, 0, 0, 0);
    for row in &rows {
        let [name, _, _, _, _, _, _, _, class, style, outer, blocks, ..] = &row[..] else {
            panic!("{row:?}")
        };
        if class == "-" || name == "format" {
            continue;
        }
        let spec = Spec::parse_in(Dialect::OpenVino, name);
        if matches!(spec, Err(error) if matches!(error.kind(), ParseErrorKind::Refused { .. })) {
            assert!(!["yes", "yes+align", "digit-permuted"].contains(&&class[..]), "{name}");
            assert_eq!(Spec::parse(name), spec, "{name} without prefix");
            refused += 1;
            continue;
        }
        let spec = spec.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(Spec::parse(&format!("ov:{name}")), Ok(spec));
        if !OF_4_BITS.contains(&&name[..]) {
            assert_eq!(Spec::parse(name), Ok(spec), "{name} without prefix");
        }
        if class == "digit-permuted" {
            assert_eq!(digits(&spec, false), ours(style), "{name}");
            swizzled += 1;
            continue;
        }
        let axes: String = if style.starts_with('a') {
            ('a'..='h').take(style.len()).collect()
        } else {
            "gncoidhw".chars().filter(|axis| style.to_lowercase().contains(*axis)).collect()
        };
        let outer = numbers(outer, ':').into_iter().map(|(axis, _)| axis).collect();
        let expected = Expected { axes, outer, blocks: numbers(blocks, ':') };
        if class == "yes+align" {
            assert_eq!(digits(&spec, false).replace("^8", "").replace("^32", ""), {
                let without = Spec::parse(style).or_else(|_| Spec::parse(&format!("oi => {style}")));
                digits(&without.unwrap(), false)
            });
            let multiple: Vec<u64> = (0..spec.rank()).map(|axis| spec.stated_multiple(axis)).collect();
            let stated = [("__ai32", [1, 32, 1, 1]), ("__ai8", [1, 8, 1, 1]), ("_x8_", [1, 1, 1, 8])];
            let (_, stated) = stated.iter().find(|(part, _)| name.contains(part)).unwrap();
            assert_eq!(multiple, stated[..spec.rank()], "{name}");
            aligned += 1;
        } else {
            expected.check(name, &spec);
            plain += 1;
        }
    }
    assert_eq!((plain, aligned, swizzled, refused), (179, 4, 7, 25));
}

#[test]
fn what_openvino_cannot_express_is_expressed_or_refused() {
    let Some(rows) = rows("openvino_not_expressible.tsv") else { return };
    for row in &rows {
        let [name, _, class, digits_or_style, ..] = &row[..] else { panic!("{row:?}") };
        let spec = Spec::parse(&format!("ov:{name}"));
        match &class[..] {
            "digit-permuted" => assert_eq!(digits(&spec.unwrap(), false), ours(digits_or_style), "{name}"),
            "yes+align" => assert!(spec.is_ok(), "{name}"),
            _ => assert!(matches!(spec.unwrap_err().kind(), ParseErrorKind::Refused { .. }), "{name}"),
        }
    }
}

/// What a row of the table of other systems is for us: the dialect and the texts, with the bytes of an element.
fn names(system: &str, name: &str, dtype: &str) -> Option<(Dialect, Vec<String>, usize)> {
    let bytes = match dtype {
        "FP16" => 2,
        "INT8" => 1,
        _ if name.contains("(int8") => 1,
        _ if name.contains("(C0=16)") || name.contains("(fp16)") || name == "NDC1HWC0" => 2,
        _ => 4,
    };
    let first = || name.split(' ').next().unwrap_or_default().to_owned();
    let (dialect, text) = match system {
        "TensorRT" if name.contains(" / ") => return None,
        "TensorRT" => (Dialect::TensorRt, first()),
        "cuDNN" => (
            Dialect::CuDnn,
            match name {
                "CUDNN_TENSOR_NCHW_VECT_C + INT8x4/UINT8x4" => "NCHW_VECT_C_x4".to_owned(),
                "CUDNN_TENSOR_NCHW_VECT_C + INT8x32" => "NCHW_VECT_C_x32".to_owned(),
                "filter NCHW_VECT_C + INT8x4" => "NCHW_VECT_C_x4(filter)".to_owned(),
                "filter NCHW_VECT_C + INT8x32" => "NCHW_VECT_C_x32(filter)".to_owned(),
                _ => name.replace(' ', ""),
            },
        ),
        "cuBLASLt (a=row,b=col)" => (Dialect::CublasLt, first()),
        "CUTLASS" => (Dialect::Cutlass, first()),
        "TVM" if name.contains(" / ") || name.contains("__undef__") => return None,
        "TVM" => (Dialect::Tvm, first()),
        "PyTorch" if name.contains(' ') => return None,
        "PyTorch" => (Dialect::PyTorch, first()),
        "TensorFlow" => (Dialect::TensorFlow, first()),
        "MNN" if !name.contains("current") => return None,
        "MNN" => (Dialect::Mnn, first()),
        "NCNN" if name.contains("=p") || name.contains("dims=3 elempack=1") && name.len() < 18 => {
            return None;
        }
        "NCNN" => (Dialect::Ncnn, name.replace(' ', ",")),
        "MegEngine" => (Dialect::MegEngine, first()),
        "MIOpen" => (Dialect::MiOpen, first()),
        "ArmComputeLibrary" if !name.starts_with("WeightFormat OHWI") => return None,
        "ArmComputeLibrary" => (Dialect::Acl, name.split(' ').nth(1)?.to_owned()),
        "Ascend CANN" if name.starts_with("FRACTAL_Z") => return None,
        "Ascend CANN" => (Dialect::Ascend, first()),
        "XLA" => return Some((Dialect::Xla, name.split(" / ").map(str::to_owned).collect(), bytes)),
        "OpenVINO GPU legacy/kernel_selector" if name.contains(' ') => return None,
        "OpenVINO GPU legacy/kernel_selector" => (Dialect::OpenVino, name.to_owned()),
        "benchdnn meta" => (Dialect::Benchdnn, first()),
        _ => return None,
    };
    Some((dialect, vec![text], bytes))
}

/// All axes 5 or more and no multiple of a block, so that every padding shows.
const DIMS: [u64; 12] = [5, 37, 11, 67, 7, 1, 1, 1, 1, 1, 1, 1];

#[test]
fn every_name_of_the_other_systems() {
    let Some(rows) = rows("other_formats.tsv") else { return };
    let (mut checked, mut refused) = (0, 0);
    for row in &rows {
        let [system, name, style, _, _, exact, class, dtype, _, verified, ..] = &row[..] else {
            panic!("{row:?}")
        };
        if verified.contains("recalled") {
            continue;
        }
        let Some((dialect, texts, bytes)) = names(system, name, dtype) else { continue };
        for (which, text) in texts.iter().enumerate() {
            let style = style.split(" / ").nth(which).unwrap_or(style);
            let style = style.split(' ').next().unwrap();
            // The only row of two names and one meaning, which is that of the first.
            let style = &if text == "{0:T(1024)}" { style.replace("128", "1024") } else { style.to_owned() };
            let spec = (1..=6).find_map(|rank| {
                let spec = Spec::parse_in_for(dialect, text, rank, bytes).ok()?;
                let fits =
                    spec.rank() == rank && Spec::parse_rank(style, rank).is_ok_and(|s| s.rank() == rank);
                (fits || style == "-" || style.contains('x')).then_some(spec)
            });
            let Some(spec) = spec else {
                assert!(
                    ["query", "opaque", "attribute", "fused-axis", "negative-stride", "align/fused"]
                        .contains(&&class[..]),
                    "{system} {text}: {class}, {:?}",
                    Spec::parse_in_for(dialect, text, 4, bytes)
                );
                refused += 1;
                continue;
            };
            if exact != "-" {
                // ncnn's axes have no names; the table has those of images.
                let exact = match dialect {
                    Dialect::Ncnn => exact.replace('c', "a").replace('h', "b").replace('w', "c"),
                    _ => exact.clone(),
                };
                assert_eq!(digits(&spec, false), exact, "{system} {text}");
            } else if let Ok(style) = Spec::parse_rank(style, spec.rank())
                && class != "meta"
            {
                // A degenerate block only pads: every element is where it was.
                let index: Vec<u64> = DIMS[..spec.rank()].iter().map(|&extent| extent - 1).collect();
                let place = |spec: &Spec| offset(spec, &DIMS[..spec.rank()], &index);
                assert_eq!(place(&spec), place(&style), "{system} {text}");
                assert!(class == "degenerate-block" || spec.same_digits(&style), "{system} {text}");
            } else {
                assert!(
                    ["meta", "blocked-not-innermost", "blocked+packed-dim"].contains(&&class[..]),
                    "{text}"
                );
            }
            checked += 1;
        }
    }
    assert_eq!((checked, refused), (163, 7));
}
