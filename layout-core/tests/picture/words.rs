//! Formulas against those that the guides print, and the whole text for tensors of every kind.

use layout_core::descriptor::{DType, Descriptor};

fn tensor(format: &str, dims: &[usize]) -> Descriptor {
    Descriptor::new(DType::F32, dims, format).expect(format)
}

/// The formula with single spaces.
fn formula(d: &Descriptor) -> String {
    d.describe().formula().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// "Understanding Memory Formats" of oneDNN, to the letter but for the white space.
#[test]
fn formulas_of_the_guide() {
    for (format, dims, expected) in [
        ("nchw", &[2, 16, 5, 4], "offset_nchw(n, c, h, w) = n * CHW + c * HW + h * W + w"),
        ("nhwc", &[2, 16, 5, 4], "offset_nhwc(n, c, h, w) = n * HWC + h * WC + w * C + c"),
        ("chwn", &[2, 16, 5, 4], "offset_chwn(n, c, h, w) = c * HWN + h * WN + w * N + n"),
        (
            "nChw8c",
            &[2, 16, 5, 4],
            "offset_nChw8c(n, c, h, w) = n * CHW + (c / 8) * HW*8 + h * W*8 + w * 8 + (c % 8)",
        ),
    ] {
        assert_eq!(formula(&tensor(format, dims)), expected);
    }
}

#[test]
fn terms_stand_below_one_another() {
    assert_eq!(
        tensor("nChw8c", &[2, 16, 5, 4]).describe().formula(),
        "\
offset_nChw8c(n, c, h, w) = n * CHW
                          + (c / 8) * HW*8
                          + h * W*8
                          + w * 8
                          + (c % 8)"
    );
}

#[test]
fn formulas_of_other_kinds() {
    for (text, expected) in [
        ("f32:scalar", "offset_scalar() = 0"),
        ("f32:a:7", "offset_a(a) = a"),
        (
            "f32:nhwc^8:1x3x5x4",
            "offset(n, c, h, w) = n * HWC' + h * WC' + w * C' + c where C' = 8 is C = 3 with padding",
        ),
        ("f32:ab:4x3:strides=-8x1:base=24", "offset_ab(a, b) = 24 - a * 8 + b"),
        (
            "f32:OIhw4i16o4i:20x16x3x3",
            "offset_OIhw4i16o4i(o, i, h, w) = (o / 16) * IHW*16 + (i / 16) * HW*256 + h * W*256 + w * 256 \
             + (i / 4 % 4) * 64 + (o % 16) * 4 + (i % 4)",
        ),
        (
            "f32:bshd => bhSd16s:2x20x2x3",
            "offset(b, s, h, d) = b * HS'D + h * S'D + (s / 16) * D*16 + d * 16 + (s % 16) \
             where S' = 32 is S = 20 with padding",
        ),
        (
            "f32:nC16c_hw:2x17x3x2",
            "offset_nC16c_hw(n, c, h, w) = n * C'HW + (c / 16) * HW*16 + (c % 16) * HW + h * W + w \
             where C' = 32 is C = 17 with padding",
        ),
    ] {
        assert_eq!(formula(&text.parse().expect(text)), expected, "{text}");
    }
    let halo = tensor("ab", &[3, 4]).with_halo(&[1, 0], &[0, 0]).unwrap();
    assert_eq!(formula(&halo), "offset_ab(a, b) = (a + 1) * B + b");
    assert_eq!(formula(&tensor("ab", &[0, 4])), "offset_ab(a, b) = a * 4 + b");
}

#[test]
fn the_text_says_it_all() {
    let text = tensor("nChw8c", &[2, 17, 5, 4]).describe().to_string();
    for part in [
        "f32:nChw8c:2x17x5x4\n",
        "in numbers: n * 480 + (c / 8) * 160 + h * 32 + w * 8 + c % 8\n",
        "c               17          24           160             640   from one block of 8 to the next\n",
        "8c               8                         1               4   inner block\n",
        "2720 bytes of elements, 3840 with padding (29% padding)",
        "OpenVINO b_fs_yx_fsv8",
        "TensorRT",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(!text.contains("warning"), "{text}");
    let text = tensor("abc", &[1024, 1024, 8]).describe().to_string();
    assert!(text.ends_with("a slightly larger stride avoids it"), "{text}");
}

/// Two to a byte: the strides in bytes are half of those in elements.
#[test]
fn strides_of_four_bits_are_halves_of_bytes() {
    let of = |text: &str| text.parse::<Descriptor>().expect(text).describe().to_string();
    let text = of("s4:ab:4x3");
    for part in ["a                4           4             3             1.5\n", "1             0.5\n"] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    let text = of("u4:aB8b:4x16");
    for part in [
        "8               4   from one block of 8",
        "8b               8                         1             0.5",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    let text = of("s4:ab:3x4:strides=-5x1:base=10");
    assert!(text.contains("            -5            -2.5\n"), "{text}");
}

#[test]
fn every_tensor_has_a_text() {
    for text in [
        "f32:scalar",
        "u8:nchw:0x3x5x4",
        "f32:ab:3x4:strides=-8x1:base=16",
        "f32:nChw16c:2x20x5x4:padded=2x20x5x4:origin=0x4x0x0",
        "f64:abcdefghijkl:1x1x1x1x1x1x1x1x1x1x1x1",
    ] {
        let d: Descriptor = text.parse().expect(text);
        assert!(d.describe().to_string().starts_with(text), "{text}");
    }
}
