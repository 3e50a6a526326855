//! What cannot be written, and that it is refused with the numbers.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::Spec;
use layout_core::index_code::{IndexCodeError, Language};

#[test]
fn names_that_no_language_takes() {
    let spec = Spec::parse("nchw").unwrap();
    for name in ["", "1a", "_a", "a__b", "a_", "a-b", "ä", "a b"] {
        let error = spec.index_code(Language::C).named(name).offset().unwrap_err();
        assert_eq!(error, IndexCodeError::Name { name: name.into() });
        assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
    }
}

#[test]
fn every_format_has_a_name() {
    for format in ["nhwc^8", "bshd => bhSd16s", "OIhw4o.0_8i8o.1_4i", "scalar", "nC16c_hw"] {
        let spec = Spec::parse(format).unwrap();
        for language in Language::ALL {
            spec.index_code(language).source().unwrap();
        }
    }
}

#[test]
fn macros_where_there_are_none() {
    let error = Spec::parse("nchw").unwrap().index_code(Language::Wgsl).as_macro().offset().unwrap_err();
    assert_eq!(error.to_string(), "WGSL has no macros: ask for functions");
}

#[test]
fn extents_of_axes_that_are_not_there() {
    let code = Spec::parse("nchw").unwrap().index_code(Language::C).with_extent('q', 3).with_extent('c', 3);
    assert_eq!(code.offset(), Err(IndexCodeError::NoSuchAxis { axis: 'q' }));
}

#[test]
fn offsets_past_32_bits() {
    let fits = Descriptor::new(DType::U8, &[1 << 16, 1 << 16], "ab").unwrap();
    assert!(fits.index_code(Language::Wgsl).offset().is_ok());
    let large = Descriptor::new(DType::U8, &[(1 << 16) + 1, 1 << 16], "ab").unwrap();
    assert!(large.index_code(Language::C).offset().is_ok());
    let error = large.index_code(Language::Wgsl).offset().unwrap_err();
    assert_eq!(error, IndexCodeError::TooLarge { axis: 'a', extent: 65537, bits: 32 });
    assert_eq!(
        error.to_string(),
        "axis `a` with extent 65537 takes offsets past the 32 bits of an index: write code with indices of 64 bits"
    );
    assert_eq!(large.index_code(Language::OpenCl).with_bits_32().inverse(), Err(error));
}

#[test]
fn extents_past_64_bits() {
    let spec = Spec::parse("nChw8c").unwrap();
    let code = spec.index_code(Language::C);
    assert!(matches!(
        code.clone().with_extent('c', usize::MAX).offset(),
        Err(IndexCodeError::TooLarge { axis: 'c', bits: 64, .. })
    ));
    assert!(matches!(
        code.with_extent('w', 1 << 40).with_extent('h', 1 << 40).offset(),
        Err(IndexCodeError::TooLarge { axis: 'h', bits: 64, .. })
    ));
}
