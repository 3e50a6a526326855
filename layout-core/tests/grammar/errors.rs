//! One mistake a case, at least one case for every kind of error: kind, place, and the whole report.

use layout_core::grammar::ParseErrorKind::*;
use layout_core::grammar::{ParseErrorKind, Spec, Template};
use std::collections::BTreeSet;

/// Text, kind, position, length, and the report without the line of the text and its indent: message, carets, help.
type Case = (&'static str, ParseErrorKind, usize, usize, &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    ("", Empty, 0, 0, "the format is empty", "^", "write the axes, outermost first, as in \"nchw\""),
    // White space.
    ("n chw", WhiteSpace, 1, 1, "white space inside a format", " ^", "write \"nchw\""),
    (" nchw", WhiteSpace, 0, 1, "white space inside a format", "^", "write \"nchw\""),
    ("nChw16c  ", WhiteSpace, 7, 2, "white space inside a format", "       ^^", "write \"nChw16c\""),
    ("nchw 16 c", WhiteSpace, 4, 1, "white space inside a format", "    ^", "write \"nChw16c\""),
    (
        "bshd =>  bh sd",
        WhiteSpace,
        11,
        1,
        "white space inside a format",
        "           ^",
        "write \"bshd => bhsd\"",
    ),
    (
        "nchw -> nhwc",
        WhiteSpace,
        4,
        1,
        "white space inside a format",
        "    ^",
        "did you mean \"nchw => nhwc\"?",
    ),
    (
        "qq q",
        RepeatedAxis { axis: 'q', first: 0 },
        1,
        1,
        "axis `q` has a second outer letter (the first is at byte 0)",
        " ^",
        "write each outer letter once, and what is split off it as a block behind, as in \"nChw16c\"",
    ),
    // Characters.
    ("nchwé", NonAscii { found: 'é' }, 4, 2, "character `é` is not ASCII", "    ^", "did you mean \"nchw\"?"),
    ("nｃhw", NonAscii { found: 'ｃ' }, 1, 3, "character `ｃ` is not ASCII", " ^^", "write \"nchw\""),
    (
        "布局",
        NonAscii { found: '布' },
        0,
        3,
        "character `布` is not ASCII",
        "^^",
        "a format has letters from a to z, numbers and `=>`, as in \"nChw16c\"",
    ),
    (
        "n,c,h,w",
        UnexpectedChar { found: ',' },
        1,
        1,
        "character `,` has no meaning in a format",
        " ^",
        "write \"nchw\"",
    ),
    (
        "nch;w",
        UnexpectedChar { found: ';' },
        3,
        1,
        "character `;` has no meaning in a format",
        "   ^",
        "did you mean \"nchw\"?",
    ),
    (
        "NC|32HW32",
        UnexpectedChar { found: '|' },
        2,
        1,
        "character `|` has no meaning in a format",
        "  ^",
        "did you mean \"NC32HW32\"?",
    ),
    (
        "\"nchw\"",
        UnexpectedChar { found: '"' },
        0,
        1,
        "character `\"` has no meaning in a format",
        "^",
        "a format has letters from a to z, numbers and `=>`, as in \"nChw16c\"",
    ),
    // Letters and templates.
    (
        "nchv",
        UnknownLetter { letter: 'v' },
        3,
        1,
        "letter `v` is an axis of no template",
        "   ^",
        "did you mean \"nchw\"?\nhelp: or state the logical order: \"nchv => nchv\"",
    ),
    (
        "bzSd16s",
        UnknownLetter { letter: 'z' },
        1,
        1,
        "letter `z` is an axis of no template",
        " ^",
        "state the logical order of the axes: \"bzsd => bzSd16s\"",
    ),
    (
        "nchwo",
        OutsideTemplate { letter: 'o', template: Template::Activations },
        4,
        1,
        "axis `o` is not one of activations `NCdhw`",
        "    ^",
        "did you mean \"nchw\"?\nhelp: or state the logical order: \"nchwo => nchwo\"",
    ),
    (
        "abzc",
        OutsideTemplate { letter: 'z', template: Template::Alphabet },
        2,
        1,
        "axis `z` is not one of the anonymous axes `a` to `l`",
        "  ^",
        "did you mean \"abc\"?\nhelp: or state the logical order: \"abzc => abzc\"",
    ),
    (
        "nhw",
        MissingAxis { axis: 'c', template: Template::Activations },
        0,
        3,
        "axis `c` of activations `NCdhw` is missing",
        "^^^",
        "did you mean \"nchw\"?\nhelp: or state the logical order: \"nhw => nhw\"",
    ),
    (
        "goh",
        MissingAxis { axis: 'i', template: Template::GroupedWeights },
        0,
        3,
        "axis `i` of grouped weights `GOIdhw` is missing",
        "^^^",
        "did you mean \"goih\"?\nhelp: or state the logical order: \"goh => goh\"",
    ),
    (
        "abd",
        MissingAxis { axis: 'c', template: Template::Alphabet },
        0,
        3,
        "axis `c` of the anonymous axes `a` to `l` is missing",
        "^^^",
        "did you mean \"abcd\"?\nhelp: or state the logical order: \"abd => abd\"",
    ),
    (
        "hw",
        NoTemplate,
        0,
        2,
        "the axes are those of no template",
        "^^",
        "state the logical order of the axes: \"hw => hw\"",
    ),
    (
        "n",
        TwoTemplates { first: Template::Activations, second: Template::RnnData },
        0,
        1,
        "the axes could be those of activations `NCdhw` or of RNN data `TNc`",
        "^",
        "complete the axes of one of them, or state the logical order: \"n => n\"",
    ),
    (
        "ncchw",
        RepeatedAxis { axis: 'c', first: 1 },
        2,
        1,
        "axis `c` has a second outer letter (the first is at byte 1)",
        "  ^",
        "did you mean \"nchw\"?",
    ),
    (
        "nChwc16c",
        RepeatedAxis { axis: 'c', first: 1 },
        4,
        1,
        "axis `c` has a second outer letter (the first is at byte 1)",
        "    ^",
        "did you mean \"nChw16c\"?",
    ),
    (
        "abcdefghijklm",
        RankTooLarge { axis: 'm' },
        12,
        1,
        "axis `m` is one too many: the largest rank is 12",
        "            ^",
        "merge axes that lie side by side in memory: a format has at most 12",
    ),
    // Blocks.
    (
        "nchw16k",
        BlockWithoutAxis { axis: 'k', size: 16 },
        6,
        1,
        "block `16k` of axis `k`, which has no outer letter",
        "      ^",
        "did you mean \"nChw16c\"?",
    ),
    (
        "16c",
        BlockWithoutAxis { axis: 'c', size: 16 },
        2,
        1,
        "block `16c` of axis `c`, which has no outer letter",
        "  ^",
        "write the axis among the outer letters too, in upper case, as in \"nChw16c\"",
    ),
    (
        "nchw1c",
        BlockTooSmall { axis: 'c', size: 1 },
        4,
        1,
        "axis `c` has a block of 1: the smallest block is 2",
        "    ^",
        "write \"nchw\"",
    ),
    (
        "nChw16c0n",
        BlockTooSmall { axis: 'n', size: 0 },
        7,
        1,
        "axis `n` has a block of 0: the smallest block is 2",
        "       ^",
        "write \"nChw16c\"",
    ),
    ("nchw016c", LeadingZero, 4, 3, "number with a leading zero", "    ^^^", "write \"nChw16c\""),
    (
        "nchw16",
        NumberWithoutLetter,
        4,
        2,
        "number without a letter behind it",
        "    ^^",
        "did you mean \"nChw16c\"?",
    ),
    (
        "16",
        NumberWithoutLetter,
        0,
        2,
        "number without a letter behind it",
        "^^",
        "write the axis of the block behind its size, as in \"nChw16c\"",
    ),
    (
        "nChw4294967296c",
        NumberTooLarge,
        4,
        10,
        "number too large: a block is at most 4294967295",
        "    ^^^^^^^^^^",
        "write smaller blocks: each at most 4294967295, and their product at most 9223372036854775807",
    ),
    (
        "NC4294967295n2147483648c2c",
        BlocksTooLarge { axis: 'c', size: 2 },
        24,
        2,
        "block `2c` of axis `c`: the blocks multiply to more than 9223372036854775807",
        "                        ^^",
        "write smaller blocks: each at most 4294967295, and their product at most 9223372036854775807",
    ),
    (
        "NC16cHW",
        BlockBeforeOuter { axis: 'c', size: 16, outer: 'h' },
        2,
        3,
        "block `16c` of axis `c` stands before the outer letter of axis `h`",
        "  ^^^",
        "write the blocks behind all outer letters, \"nChw16c\", which is another order in memory\n\
         help: or say that they lie outside: \"nC16c_hw\"\nhelp: or, as TVM writes nC16c_hw: \"tvm:NC16cHW\"",
    ),
    // Case.
    (
        "nchw16c",
        LowerWithBlock { axis: 'c' },
        1,
        1,
        "axis `c` has a block but its outer letter is lower case",
        " ^",
        "write \"nChw16c\"",
    ),
    (
        "NCHW",
        UpperWithoutBlock { axis: 'n' },
        0,
        1,
        "axis `n` has no block but its outer letter is upper case",
        "^",
        "write \"nchw\"",
    ),
    (
        "OIhw16i",
        UpperWithoutBlock { axis: 'o' },
        0,
        1,
        "axis `o` has no block but its outer letter is upper case",
        "^",
        "write \"oIhw16i\", or give axis `o` a block: \"OIhw16i16o\"",
    ),
    (
        "NCHW16c",
        UpperWithoutBlock { axis: 'n' },
        0,
        1,
        "axis `n` has no block but its outer letter is upper case",
        "^",
        "write \"nChw16c\"\nhelp: or, as TVM writes nChw16c: \"tvm:NCHW16c\"",
    ),
    (
        "gOhwI24o",
        Misnamed { meaning: "gOhwi24o" },
        0,
        8,
        "oneDNN has this name for `gOhwi24o`, which is not what it says",
        "^^^^^^^^",
        "write \"gOhwi24o\", which is what oneDNN means by this name",
    ),
    (
        "NCHW16C",
        UpperInBlock { axis: 'c', size: 16 },
        6,
        1,
        "block of 16 of axis `c` has an upper-case letter",
        "      ^",
        "write \"nChw16c\"",
    ),
    // The logical order.
    (
        "=> nchw",
        EmptyOrder,
        0,
        2,
        "no logical order before `=>`",
        "^^",
        "write \"nchw\", or axes on both sides, as in \"bshd => bhsd\"",
    ),
    (
        "nchw  =>  ",
        EmptyTag,
        6,
        2,
        "no format behind `=>`",
        "      ^^",
        "write \"nchw\", or axes on both sides, as in \"bshd => bhsd\"",
    ),
    ("nchw => nhwc=>chwn", RepeatedArrow, 12, 2, "second `=>`", "            ^^", "write \"nchw => nhwc\""),
    (
        "bshd => bhs",
        AxisNotPlaced { axis: 'd' },
        3,
        1,
        "axis `d` of the logical order has no outer letter behind `=>`",
        "   ^",
        "write \"bshd => bhsd\"",
    ),
    (
        "bsh => bhSd16s",
        AxisNotListed { axis: 'd' },
        10,
        1,
        "axis `d` is not in the logical order before `=>`",
        "          ^",
        "write \"bshd => bhSd16s\"",
    ),
    (
        "bSHd => bhsd",
        UpperInOrder { axis: 's' },
        1,
        1,
        "axis `s` is upper case in the logical order before `=>`",
        " ^",
        "write \"bshd => bhsd\"",
    ),
    (
        "bs16hd => bhsd",
        BlockInOrder,
        2,
        2,
        "number in the logical order before `=>`",
        "  ^^",
        "write the axes in logical order, `=>`, and the format of the same axes, as in \"bshd => bhSd16s\"",
    ),
    (
        "bshd16s => bhSd16s",
        BlockInOrder,
        4,
        2,
        "number in the logical order before `=>`",
        "    ^^",
        "write \"bshd => bhSd16s\"",
    ),
];

#[test]
fn each_mistake_is_told() {
    for &(text, kind, position, len, message, carets, help) in CASES {
        let error = Spec::parse(text).expect_err(text);
        assert_eq!((error.kind(), error.position(), error.len()), (kind, position, len), "{text:?}");
        assert_eq!(error.to_string(), format!("{message}, at byte {position}"));
        let report = error.report(text).to_string();
        assert_eq!(report, format!("{message}\n  {text}\n  {carets}\nhelp: {help}"));
    }
}

/// Every variant of the enumeration, by name, has a case above.
#[test]
fn every_kind_has_a_case() {
    let name = |kind: ParseErrorKind| format!("{kind:?}").split(' ').next().map(str::to_owned);
    let kinds: BTreeSet<_> = CASES.iter().filter_map(|case| name(case.1)).collect();
    assert_eq!(kinds.len(), 29, "{kinds:?}");
}

/// A text that would move the carets is shown by escapes, and a long one is cut.
#[test]
fn carets_stay_under_the_mistake() {
    let tab = Spec::parse("nc\thw\n").unwrap_err().report("nc\thw\n").to_string();
    assert_eq!(tab, "white space inside a format\n  nc\\thw\\n\n    ^^\nhelp: write \"nchw\"");

    let space = Spec::parse("nc\u{2003}hw").unwrap_err().report("nc\u{2003}hw").to_string();
    let lines: Vec<&str> = space.lines().collect();
    assert_eq!(lines[..3], ["character `\\u{2003}` is not ASCII", "  nc\\u{2003}hw", "    ^^^^^^^^"]);

    let text = format!("nChw{}?{}", "2c".repeat(50), "2c".repeat(50));
    let long = Spec::parse(&text).unwrap_err().report(&text).to_string();
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[1], format!("  …{}?{}…", "2c".repeat(24), "2c".repeat(24)));
    assert_eq!(lines[2], format!("   {}^", " ".repeat(48)));
}

/// For every set of letters that templates use: a format where exactly one template fits, else an error whose
/// suggestions are formats. The templates are written out once more.
#[test]
fn every_set_of_letters() {
    let templates =
        [("nc", "dhw"), ("oi", "dhw"), ("goi", "dhw"), ("tn", "c"), ("ldnc", ""), ("ldo", "ig"), ("x", "")];
    let letters = b"abcdeghilnotwx";
    let mut formats = 0;
    for set in 1u32..1 << letters.len() {
        let text: String =
            (0..letters.len()).filter(|i| set & (1 << i) != 0).map(|i| letters[i] as char).collect();
        let named = templates.iter().filter(|(mandatory, optional)| {
            mandatory.chars().all(|m| text.contains(m))
                && text.chars().all(|l| mandatory.contains(l) || optional.contains(l))
        });
        let fits = named.count() + usize::from("abcdefghijkl".starts_with(&text));
        assert!(fits <= 1, "{text}");
        match Spec::parse(&text) {
            Ok(spec) => {
                assert_eq!(fits, 1, "{text}");
                assert_eq!(Spec::parse(&spec.to_string()), Ok(spec));
                formats += 1;
            }
            Err(_) => assert!(fits == 0 || text.len() > 12, "{text}"),
        }
    }
    // 8 of n c with some of d h w, as many of o i and of g o i, 2 of t n, 1 of l d n c, 4 of l d o, x, and a to e.
    assert_eq!(formats, 8 + 8 + 8 + 2 + 1 + 4 + 1 + 5);
}
