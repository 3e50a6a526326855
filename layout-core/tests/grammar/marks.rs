//! Our marks beyond oneDNN's grammar, `^` `.` `_` `..`: what they mean, what they print as, and every mistake in them.

use crate::oracle::digits;
use layout_core::grammar::ParseErrorKind::*;
use layout_core::grammar::{Dialect, ParseErrorKind, Spec};
use std::collections::BTreeSet;

/// Text, digits, canonical name.
const CASES: &[(&str, &str, &str)] = &[
    ("nhwc^8", "n h w c^8", "nhwc^8"),
    ("n^2h^3w^4c^5", "n^2 h^3 w^4 c^5", "n^2h^3w^4c^5"),
    ("nC^64hw16c", "n c/16^64 h w c%16", "nC^64hw16c"),
    ("nchw^32", "n c h w^32", "nchw^32"),
    ("nChw^8_16c", "n c/16 h w^8 c%16", "nChw^8_16c"),
    ("ab^8", "a b^8", "ab^8"),
    ("A^4_B2a2b", "a/2^4 b/2 a%2 b%2", "A^4_B2a2b"),
    ("A^4b2a", "a/2^4 b a%2", "A^4b2a"),
    ("n_c_h_w", "n c h w", "nchw"),
    ("OIhw_4i_16o_4i", "o/16 i/16 h w i/4%4 o%16 i%4", "OIhw4i16o4i"),
    ("nC16c_hw", "n c/16 c%16 h w", "nC16c_hw"),
    ("nC4c_h4c_w", "n c/16 c/4%4 h c%4 w", "nC4c_h4c_w"),
    ("2c_nChw", "c%2 n c/2 h w", "2c_nChw"),
    ("OIhw4o.0_8i_8o.1_4i", "o/32 i/32 h w o%4 i/4%8 o/4%8 i%4", "OIhw4o.0_8i8o.1_4i"),
    ("Oihw4o.0_8o.1", "o/32 i h w o%4 o/4%8", "Oihw4o.0_8o.1"),
    ("Oihw4o.1_8o.0", "o/32 i h w o/8%4 o%8", "Oihw4o8o"),
    ("Oihw4o.0", "o/4 i h w o%4", "Oihw4o"),
    ("bshd => bh^8Sd_16s", "b h^8 s/16 d s%16", "bshd => bh^8Sd16s"),
    ("goihw => gIOhw2i8o16i2o", "g i/32 o/16 h w i/16%2 o/2%8 i%16 o%2", "goihw => gIOhw2i8o16i2o"),
];

#[test]
fn marks_mean_digits() {
    for &(text, expected, name) in CASES {
        let spec = Spec::parse(text).unwrap_or_else(|error| panic!("{}", error.report(text)));
        assert_eq!(digits(&spec, false), expected, "{text}");
        assert_eq!(spec.to_string(), name);
        assert_eq!(Spec::parse(name), Ok(spec));
        assert_eq!(spec.validate(), Ok(()));
        assert_eq!(Spec::parse_for(text, spec.rank(), 4), Ok(spec));
    }
}

/// Text with `..`, and what it is at ranks from 1 on; `-` where it has no such rank.
const OF_SEVERAL_RANKS: &[(&str, &[&str])] = &[
    ("a..", &["a", "ab", "abc", "abcd", "abcde"]),
    ("..", &["a", "ab", "abc", "abcd", "abcde"]),
    ("..a", &["a", "ba", "bca", "bcda", "bcdea"]),
    ("a..b", &["-", "ab", "acb", "acdb", "acdeb"]),
    ("aB..16b", &["-", "aB16b", "aBc16b", "aBcd16b", "aBcde16b"]),
    ("ABc..4a4b", &["-", "-", "ABc4a4b", "ABcd4a4b", "ABcde4a4b"]),
    ("n..c", &["-", "nc", "nwc", "nhwc", "ndhwc", "-"]),
    ("nC..8c", &["-", "nC8c", "nCw8c", "nChw8c", "nCdhw8c", "-"]),
    ("nw..c", &["-", "-", "nwc", "nwhc", "nwdhc", "-"]),
    ("OI..16i16o", &["-", "OI16i16o", "OIw16i16o", "OIhw16i16o", "OIdhw16i16o", "-"]),
    ("..io", &["-", "io", "wio", "hwio", "dhwio"]),
    ("gO..i8o", &["-", "-", "gOi8o", "gOwi8o", "gOhwi8o", "gOdhwi8o", "-"]),
];

#[test]
fn the_rank_says_what_remains() {
    for &(text, formats) in OF_SEVERAL_RANKS {
        assert_eq!(Spec::parse(text).unwrap_err().kind(), RankUnknown, "{text}");
        for (rank, &format) in (1..).zip(formats) {
            let spec = Spec::parse_rank(text, rank);
            if format == "-" {
                assert!(
                    matches!(spec.unwrap_err().kind(), RankOutside { rank: r, .. } if r == rank),
                    "{text}"
                );
            } else {
                assert_eq!(spec, Spec::parse(format), "{text} at rank {rank}");
            }
        }
        for rank in [0, 13, usize::MAX] {
            assert!(matches!(Spec::parse_rank(text, rank).unwrap_err().kind(), RankOutside { .. }), "{text}");
        }
    }
    assert_eq!(Spec::parse_rank("nchw", 7), Spec::parse("nchw"), "the caller compares");
}

/// A row of that many elements has a multiple of so many bytes, and no smaller one has.
#[test]
fn bytes_are_counted_in_elements() {
    for bytes in 2..=130 {
        let text = format!("nchw^{bytes}B");
        for size in [1, 2, 4, 8, 16] {
            let spec = Spec::parse_for(&text, 4, size).unwrap();
            let least = (1..).find(|n| (n * size as u64).is_multiple_of(bytes)).unwrap();
            assert_eq!(spec.stated_multiple(3), least, "{text} of {size}");
        }
        assert_eq!(Spec::parse(&text).unwrap_err().kind(), BytesUnknown { axis: 'w' });
        assert_eq!(Spec::parse_rank(&text, 4).unwrap_err().kind(), BytesUnknown { axis: 'w' });
        assert_eq!(Spec::parse_for(&text, 4, 0).unwrap_err().kind(), BytesUnknown { axis: 'w' });
    }
}

/// Text, kind, position, length, message, help. The carets follow from the place.
type Mistake = (&'static str, ParseErrorKind, usize, usize, &'static str, &'static str);

const MISTAKES: &[Mistake] = &[
    ("nchw^", NumberExpected { mark: '^' }, 4, 1, "no number behind `^`", "did you mean \"nchw\"?"),
    ("Oihw4o.", NumberExpected { mark: '.' }, 6, 1, "no number behind `.`", "did you mean \"Oihw4o.0\"?"),
    (
        "nchw^1",
        MultipleTooSmall { axis: 'w', multiple: 1 },
        5,
        1,
        "axis `w` is padded to a multiple of 1: the smallest is 2",
        "leave the padding out, or pad to a multiple of 2 or more",
    ),
    (
        "N^4294967295chw4294967296n",
        NumberTooLarge,
        15,
        10,
        "number too large: a block is at most 4294967295",
        "write smaller blocks: each at most 4294967295, and their product at most 9223372036854775807",
    ),
    (
        "N^4294967295chw4294967294n65536n",
        PaddingTooLarge { axis: 'n' },
        0,
        12,
        "axis `n` is padded to a multiple of more than 9223372036854775807",
        "pad to a smaller multiple",
    ),
    (
        "nchw^64B",
        BytesUnknown { axis: 'w' },
        3,
        5,
        "axis `w` is given in bytes, but the size of the elements is not known here",
        "count in elements: \"nchw^16\" is that for elements of 4 bytes",
    ),
    (
        "Oihw4o.0_8o",
        BadSignificance { axis: 'o' },
        4,
        4,
        "the significances of the blocks of axis `o` are not 0, 1, 2, … each once",
        "number all blocks of the axis, 0 for the least significant, as in \"Oihw4o.0_8o.1\"",
    ),
    (
        "Oihw4o.1_8o.1",
        BadSignificance { axis: 'o' },
        4,
        4,
        "the significances of the blocks of axis `o` are not 0, 1, 2, … each once",
        "did you mean \"Oihw4o.0_8o.1\"?",
    ),
    (
        "Oihw4o.62",
        BadSignificance { axis: 'o' },
        7,
        2,
        "the significances of the blocks of axis `o` are not 0, 1, 2, … each once",
        "number all blocks of the axis, 0 for the least significant, as in \"Oihw4o.0_8o.1\"",
    ),
    (
        "aB..16b",
        RankUnknown,
        2,
        2,
        "a format of several ranks, but the rank is not known here",
        "write all axes: \"aBcd16b\" is that for rank 4",
    ),
    (
        "contiguous_format",
        RankUnknown,
        0,
        17,
        "a format of several ranks, but the rank is not known here",
        "write all axes: \"nchw\" is that for rank 4",
    ),
    (
        "a..b..",
        RepeatedRest,
        4,
        2,
        "second `..`",
        "write the axes out, or `..` once before the blocks, with letters of activations or weights or a, b, c, …",
    ),
    (
        "t..n",
        NoRest,
        1,
        2,
        "`..` where the remaining axes are not known",
        "write the axes out, or `..` once before the blocks, with letters of activations or weights or a, b, c, …",
    ),
    (
        "abc => a..",
        NoRest,
        8,
        2,
        "`..` where the remaining axes are not known",
        "write the axes out, or `..` once before the blocks, with letters of activations or weights or a, b, c, …",
    ),
    (
        "gIOhw2i8o16i2o",
        Misnamed { meaning: "gOIhw2i8o16i2o" },
        0,
        14,
        "oneDNN has this name for `gOIhw2i8o16i2o`, which is not what it says",
        "write \"gOIhw2i8o16i2o\", which is what oneDNN means by this name, or \
         \"goihw => gIOhw2i8o16i2o\" for what the name says",
    ),
    (
        "nchw_",
        UnexpectedChar { found: '_' },
        4,
        1,
        "character `_` has no meaning in a format",
        "write \"nchw\"",
    ),
    (
        "n__chw",
        UnexpectedChar { found: '_' },
        1,
        1,
        "character `_` has no meaning in a format",
        "write \"nchw\"",
    ),
    ("tvn:NCHW", UnknownDialect, 0, 3, "prefix of no dialect", "did you mean \"tvm:NCHW\"?"),
    (
        "trt:kCHW64",
        NotInDialect { dialect: Dialect::TensorRt },
        4,
        6,
        "no format of TensorRT",
        "did you mean \"trt:kCHW4\"?",
    ),
    (
        "ov:nv12",
        Refused { dialect: Dialect::OpenVino, reason: "holds two planes of different resolution" },
        3,
        4,
        "OpenVINO: holds two planes of different resolution",
        "use a format that places each element by itself, as in \"nChw16c\"",
    ),
    (
        "tvm:NCHW1c",
        BlockTooSmall { axis: 'c', size: 1 },
        8,
        1,
        "axis `c` has a block of 1: the smallest block is 2",
        "did you mean",
    ),
];

#[test]
fn each_mistake_is_told() {
    for &(text, kind, position, len, message, help) in MISTAKES {
        let error = Spec::parse(text).expect_err(text);
        assert_eq!((error.kind(), error.position(), error.len()), (kind, position, len), "{text:?}");
        let report = error.report(text).to_string();
        let carets = " ".repeat(position) + &"^".repeat(len);
        let expected = format!("{message}\n  {text}\n  {carets}\nhelp: {help}");
        assert!(
            report == expected || help == "did you mean" && report.starts_with(&expected),
            "{report}\n\n{expected}"
        );
    }
}

#[test]
fn a_rank_that_is_not_there_is_told() {
    let error = Spec::parse_rank("nC..8c", 6).unwrap_err();
    assert_eq!(error.to_string(), "a format of rank 2 to 5 for a tensor of rank 6, at byte 2");
    let error = Spec::parse_rank("a..d", 3).unwrap_err();
    assert_eq!(error.kind(), RankOutside { rank: 3, least: 4, most: 12 });
}

/// With the cases of ambiguity every kind that the marks and the dialects have added is there.
#[test]
fn every_kind_has_a_case() {
    let name = |kind: ParseErrorKind| format!("{kind:?}").split(' ').next().map(str::to_owned);
    let kinds: BTreeSet<_> = MISTAKES.iter().filter_map(|case| name(case.1)).collect();
    assert_eq!(kinds.len(), 15, "{kinds:?}");
}
