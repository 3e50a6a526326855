//! Elements of 4 bits, two to a byte: sizes of odd counts, text, paddings in bytes; and the names of all types.

use layout_core::descriptor::{DType, Descriptor};

#[test]
fn bytes_are_halves_rounded_up() {
    for dtype in DType::ALL {
        for len in 0..20 {
            let bits = len * dtype.bits();
            assert_eq!(dtype.bytes_of(len), Some(bits.div_ceil(8)), "{dtype} {len}");
            if len > 0 {
                let row = Descriptor::new(dtype, &[len], "a").unwrap();
                assert_eq!(row.size_bytes(), bits.div_ceil(8), "{dtype} {len}");
                assert_eq!(row.footprint().padded_bytes, bits.div_ceil(8));
                assert_eq!(row.footprint().span_bytes, bits.div_ceil(8));
            }
        }
        assert_eq!(dtype.is_packed(), dtype.bits() == 4);
        assert_eq!(dtype.bytes_of(usize::MAX).is_some(), dtype.bits() <= 8);
    }
}

#[test]
fn parts_may_begin_in_the_middle_of_a_byte() {
    let whole = Descriptor::new(DType::S4, &[3, 5], "ab").unwrap();
    assert_eq!(whole.size_bytes(), 8);
    let part = whole.submemory(&[1, 2], &[2, 2]).unwrap();
    assert_eq!((part.base(), part.required_len(), part.size_bytes()), (7, 14, 7));
    // Elements 7, 8, 12 and 13 lie in the bytes 3, 4 and 6.
    assert_eq!((part.footprint().logical_bytes, part.footprint().span_bytes), (2, 4));
}

#[test]
fn paddings_in_bytes_count_two_elements_each() {
    let rows = |dtype| *Descriptor::new(dtype, &[3, 100], "ab^64B").unwrap().padded_dims().last().unwrap();
    assert_eq!([DType::F32, DType::F8E4M3, DType::U4].map(rows), [112, 128, 128]);
    assert_eq!(rows(DType::F4E2M1), 128);
    let rows = |dtype| *Descriptor::new(dtype, &[3, 130], "ab^64B").unwrap().padded_dims().last().unwrap();
    assert_eq!([DType::S8, DType::S4].map(rows), [192, 256]);
}

#[test]
fn every_type_has_a_text_of_its_own() {
    let mut fingerprints = Vec::new();
    for dtype in DType::ALL {
        assert_eq!(DType::from_name(dtype.name()), Some(dtype));
        let descriptor = Descriptor::new(dtype, &[2, 17, 5, 3], "nChw16c").unwrap();
        let text = descriptor.to_string();
        assert_eq!(text, format!("{dtype}:nChw16c:2x17x5x3"));
        assert_eq!(text.parse::<Descriptor>().unwrap(), descriptor);
        fingerprints.push(descriptor.fingerprint());
    }
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), DType::ALL.len());
    // oneDNN's names.
    let names: Vec<_> = DType::ALL.iter().map(|dtype| dtype.name()).collect();
    assert_eq!(
        names.join(" "),
        "f64 f32 f16 bf16 s32 s8 u8 f8_e5m2 f8_e4m3 e8m0 boolean s4 u4 f4_e2m1 f4_e3m0"
    );
}
