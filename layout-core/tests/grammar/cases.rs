//! Formats by hand: each template, ranks 1 to 12, blocks of every kind, the stated logical order, printing.

use crate::oracle::Expected;
use layout_core::grammar::{MAX_BLOCKS, Spec, SpecError};

/// Text, logical order, outer axes, blocks.
type Case = (&'static str, &'static str, &'static [usize], &'static [(usize, u64)]);

const CASES: &[Case] = &[
    // Activations.
    ("nc", "nc", &[0, 1], &[]),
    ("cn", "nc", &[1, 0], &[]),
    ("nwc", "ncw", &[0, 2, 1], &[]),
    ("nchw", "nchw", &[0, 1, 2, 3], &[]),
    ("nhwc", "nchw", &[0, 2, 3, 1], &[]),
    ("chwn", "nchw", &[1, 2, 3, 0], &[]),
    ("ndhwc", "ncdhw", &[0, 2, 3, 4, 1], &[]),
    ("nChw16c", "nchw", &[0, 1, 2, 3], &[(1, 16)]),
    ("NChw16n32c", "nchw", &[0, 1, 2, 3], &[(0, 16), (1, 32)]),
    ("nhwC8c", "nchw", &[0, 2, 3, 1], &[(1, 8)]),
    ("whcn", "nchw", &[3, 2, 1, 0], &[]),
    // Weights, with groups and without.
    ("oi", "oi", &[0, 1], &[]),
    ("io", "oi", &[1, 0], &[]),
    ("hwio", "oihw", &[2, 3, 1, 0], &[]),
    ("OIhw4i16o4i", "oihw", &[0, 1, 2, 3], &[(1, 4), (0, 16), (1, 4)]),
    ("Ohwi24o", "oihw", &[0, 2, 3, 1], &[(0, 24)]),
    ("IOhw16o16i", "oihw", &[1, 0, 2, 3], &[(0, 16), (1, 16)]),
    ("hwigo", "goihw", &[3, 4, 2, 0, 1], &[]),
    ("Goihw16g", "goihw", &[0, 1, 2, 3, 4], &[(0, 16)]),
    ("gOIdhw2i8o16i2o", "goidhw", &[0, 1, 2, 3, 4, 5], &[(2, 2), (1, 8), (2, 16), (1, 2)]),
    // Recurrent networks.
    ("tn", "tn", &[0, 1], &[]),
    ("ntc", "tnc", &[1, 0, 2], &[]),
    ("ldnc", "ldnc", &[0, 1, 2, 3], &[]),
    ("ldgoi", "ldigo", &[0, 1, 3, 4, 2], &[]),
    ("ldoi", "ldio", &[0, 1, 3, 2], &[]),
    ("ldgo", "ldgo", &[0, 1, 2, 3], &[]),
    // Anonymous axes, and the one of rank 1.
    ("x", "x", &[0], &[]),
    ("X8x", "x", &[0], &[(0, 8)]),
    ("a", "a", &[0], &[]),
    ("ba", "ab", &[1, 0], &[]),
    ("AB8b4a", "ab", &[0, 1], &[(1, 8), (0, 4)]),
    ("lkjihgfedcba", "abcdefghijkl", &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], &[]),
    // Any size from 2 up, not powers of two alone, an axis several times.
    ("nChw2c3c5c7c", "nchw", &[0, 1, 2, 3], &[(1, 2), (1, 3), (1, 5), (1, 7)]),
    ("nChw40c48c", "nchw", &[0, 1, 2, 3], &[(1, 40), (1, 48)]),
    ("nChw4294967295c", "nchw", &[0, 1, 2, 3], &[(1, 4_294_967_295)]),
    ("A4294967295a2147483648a", "a", &[0], &[(0, 4_294_967_295), (0, 2_147_483_648)]),
    // The logical order stated.
    ("bshd => bhSd16s", "bshd", &[0, 2, 1, 3], &[(1, 16)]),
    ("bshd=>bhSd16s", "bshd", &[0, 2, 1, 3], &[(1, 16)]),
    ("bshd   =>   bhsd", "bshd", &[0, 2, 1, 3], &[]),
    ("hwcn => nhwc", "hwcn", &[3, 0, 1, 2], &[]),
    ("x => X2x", "x", &[0], &[(0, 2)]),
    ("a => a", "a", &[0], &[]),
    ("zyxwvutsrqpo => opqrstuvwxyz", "zyxwvutsrqpo", &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], &[]),
];

#[test]
fn formats_mean_what_the_grammar_says() {
    for &(text, axes, outer, blocks) in CASES {
        let spec = Spec::parse(text).unwrap_or_else(|error| panic!("{}", error.report(text)));
        assert_eq!(text.parse(), Ok(spec));
        Expected { axes: axes.to_owned(), outer: outer.to_vec(), blocks: blocks.to_vec() }.check(text, &spec);
        assert_eq!(Spec::parse(&spec.to_string()), Ok(spec), "{text} prints {spec}");
    }
}

#[test]
fn as_many_blocks_as_fit() {
    let text = format!("nChw{}", "2c".repeat(MAX_BLOCKS));
    let spec = Spec::parse(&text).unwrap();
    assert_eq!(spec.block_of(1), 1 << 62);
    assert_eq!(spec.to_string(), text);
    assert!(Spec::parse(&format!("{text}2c")).is_err());
}

#[test]
fn the_longest_name_prints() {
    let mut spec = Spec::SCALAR;
    for letter in *b"zyxwvutsrqpo" {
        spec.push_axis(letter).unwrap();
    }
    for axis in 0..12 {
        spec.push_top(axis, u32::MAX).unwrap();
    }
    for _ in 0..MAX_BLOCKS {
        spec.push_block(0, 2).unwrap();
    }
    for block in 0..MAX_BLOCKS {
        spec.set_significance(12 + block, block as u8);
    }
    assert!(spec.to_string().ends_with("_2z.60_2z.61"));
    assert!(format!("{spec:?}").ends_with("z/1152921504606846976%2 z/2305843009213693952%2)"));
}

#[test]
fn the_canonical_name() {
    for (text, name) in [
        ("nchw => nhwc", "nhwc"),
        ("ab=>ba", "ba"),
        ("ba=>ab", "ba => ab"),
        ("cn=>cn", "cn => cn"),
        ("x => x", "x"),
        ("bshd=>bhSd16s", "bshd => bhSd16s"),
        ("b => B2b", "b => B2b"),
        ("nChw4c4c", "nChw4c4c"),
    ] {
        assert_eq!(Spec::parse(text).unwrap().to_string(), name);
    }
}

#[test]
fn printing_keeps_to_a_width() {
    let spec = Spec::parse("nChw16c").unwrap();
    assert_eq!(format!("[{spec:>10}][{spec:<9}]"), "[   nChw16c][nChw16c  ]");
    assert_eq!(format!("[{:^10}]", Spec::SCALAR), "[  scalar  ]");
}

#[test]
fn rank_0_is_written_scalar() {
    assert_eq!(Spec::parse("scalar"), Ok(Spec::SCALAR));
    assert_eq!(Spec::SCALAR.to_string(), "scalar");
    assert_eq!(format!("{:?}", Spec::SCALAR), "Spec(scalar)");
}

#[test]
fn debug_shows_the_digits() {
    for (text, debug) in [
        ("nhwc", "Spec(nhwc: n h w c)"),
        ("nChw16c", "Spec(nChw16c: n c/16 h w c%16)"),
        ("OIhw4i16o4i", "Spec(OIhw4i16o4i: o/16 i/16 h w i/4%4 o%16 i%4)"),
        ("bshd=>bhSd16s", "Spec(bshd => bhSd16s: b h s/16 d s%16)"),
    ] {
        assert_eq!(format!("{:?}", Spec::parse(text).unwrap()), debug);
    }
}

/// What the building functions can make and this grammar cannot say is printed in the extended notation.
#[test]
fn extended_formats_print() -> Result<(), SpecError> {
    let mut padded = Spec::SCALAR;
    for letter in *b"nchw" {
        padded.push_axis(letter)?;
    }
    let mut early = padded;
    padded.push_top(0, 1)?;
    padded.push_top(1, 64)?;
    padded.push_top(2, 1)?;
    padded.push_top(3, 32)?;
    padded.push_block(1, 16)?;
    assert_eq!(padded.to_string(), "nC^64hw^32_16c");
    assert_eq!(Spec::parse("nC^64hw^32_16c"), Ok(padded));
    assert_eq!(format!("{padded:?}"), "Spec(nC^64hw^32_16c: n c/16^64 h w^32 c%16)");

    early.push_top(0, 1)?;
    early.push_top(1, 1)?;
    early.push_block(1, 16)?;
    early.push_top(2, 1)?;
    early.push_top(3, 1)?;
    assert_eq!(early.to_string(), "nC16c_hw");
    assert_eq!(Spec::parse("nC16c_hw"), Ok(early));

    let mut swizzled = Spec::SCALAR;
    for (axis, letter) in (*b"oi").into_iter().enumerate() {
        swizzled.push_axis(letter)?;
        swizzled.push_top(axis, 1)?;
    }
    for (axis, size) in [(0, 4), (1, 8), (0, 8), (1, 4)] {
        swizzled.push_block(axis, size)?;
    }
    swizzled.set_significance(2, 0);
    swizzled.set_significance(4, 1);
    swizzled.validate()?;
    assert_eq!(swizzled.to_string(), "OI4o.0_8i8o.1_4i");
    assert_eq!(Spec::parse("OI4o.0_8i8o.1_4i"), Ok(swizzled));
    assert_eq!(format!("{swizzled:?}"), "Spec(OI4o.0_8i8o.1_4i: o/32 i/32 o%4 i/4%8 o/4%8 i%4)");
    Ok(())
}
