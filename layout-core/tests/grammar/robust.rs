//! Texts that mean nothing: no panic, a mistake inside the text, and suggestions that are formats.

use layout_core::grammar::{Dialect, ParseError, Spec, known_names};
use proptest::prelude::*;

/// Texts to be damaged.
const SEEDS: &[&str] = &[
    "nchw",
    "nChw16c",
    "OIhw4i16o4i",
    "gOIdhw2i8o16i2o",
    "ldgoi",
    "bshd => bhSd16s",
    "abcdefghijkl",
    "aBcd16b",
    "NChw16n16c",
    "NC/32HW32",
    "b_fs_yx_fsv16",
    "{3,2,1,0:T(8,128)}",
    "NCHW16c",
    "channels_last",
    "scalar",
    "OIhw4o.0_8i_8o.1_4i",
    "nC^64hw^32B_16c",
    "aB..16b",
    "nC16c_hw",
    "tvm:OIHW[4i16o]",
];

const PIECES: &[&str] = &[
    "n",
    "c",
    "h",
    "w",
    "o",
    "i",
    "a",
    "b",
    "q",
    "N",
    "C",
    "X",
    "0",
    "1",
    "2",
    "16",
    "4294967296",
    "=>",
    "=",
    ">",
    " ",
    "\t",
    "\n",
    "_",
    "\0",
    "\\",
    "\"",
    "é",
    "ｎ",
    "\u{a0}",
    "\u{301}",
    "😀",
    "99999999999999999999",
];

/// What is parsed is whole and prints as a format; a mistake is in the text.
fn place(text: &str, parsed: Result<Spec, ParseError>) {
    match parsed {
        Ok(spec) => {
            assert_eq!(Spec::parse(&spec.to_string()), Ok(spec), "{text:?}");
            assert_eq!(spec.validate(), Ok(()), "{text:?}");
        }
        Err(error) => {
            let end = error.position() + error.len();
            assert!(text.get(error.position()..end).is_some(), "{error} of {text:?} is not in the text");
            assert_eq!(error.len() == 0, text.is_empty(), "{error} of {text:?}");
        }
    }
}

/// Everything that holds of parsing `text`.
fn check(text: &str, draw: bool) {
    let parsed = Spec::parse(text);
    place(text, parsed);
    place(text, Spec::parse_for(text, 4, 2));
    if let Err(error) = parsed
        && draw
    {
        let report = error.report(text).to_string();
        assert!(report.lines().count() >= 4, "{report}");
        let helps = report.lines().skip(3).flat_map(|line| line.split('"').skip(1).step_by(2));
        for format in helps {
            assert!(Spec::parse(format).is_ok(), "help for {text:?} is no format: {report}");
        }
    }
}

/// A generator with a fixed seed (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }
}

/// How many random texts: 200,000, a fourth of them where nothing is optimised, or as many as `$LAYOUT_FUZZ_ROUNDS` says.
fn rounds() -> usize {
    let usual = if cfg!(debug_assertions) { 50_000 } else { 200_000 };
    std::env::var("LAYOUT_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

/// Names of every dialect, damaged, and read by the dialect and by every other now and then.
#[test]
fn random_and_damaged_names_of_dialects() {
    let mut random = Random(0xd1a1_ec75);
    let seeds: Vec<_> = known_names().filter(|known| known.dialect() != Dialect::OneDnn).collect();
    let pieces = [
        "_", "s", "sv4", ":", "T(2,1)", "{", "}", ",", "<", "/", "[", "]", "__ai8", "^8B", "..", ".1", "é",
        "0", "#", "$",
    ];
    for round in 0..rounds() {
        let known = seeds[random.below(seeds.len())];
        let mut text = known.name().to_owned();
        for _ in 0..=random.below(3) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let at = places[random.below(places.len())];
            match random.below(4) {
                0 => text.insert_str(at, pieces[random.below(pieces.len())]),
                1 => text.insert_str(at, PIECES[random.below(PIECES.len())]),
                2 if at < text.len() => drop(text.remove(at)),
                _ => text.truncate(at),
            }
        }
        let dialect =
            if round % 4 == 0 { Dialect::ALL[random.below(Dialect::ALL.len())] } else { known.dialect() };
        place(&text, Spec::parse_in(dialect, &text));
        let (rank, bytes) = (random.below(14), random.below(9));
        let parsed = Spec::parse_in_for(dialect, &text, rank, bytes);
        place(&text, parsed);
        if let Ok(spec) = parsed
            && round % 50 == 0
        {
            for dialect in Dialect::ALL {
                if let Some(name) = spec.name_in(dialect) {
                    let again = Spec::parse_in_for(dialect, name.as_str(), spec.rank(), bytes).unwrap();
                    assert!(again.same_digits(&spec), "{name} for {spec} in {dialect}");
                }
            }
        }
        check(&format!("{}:{text}", dialect.prefix()), round % 2000 == 0);
        check(&text, round % 2000 == 1);
    }
}

#[test]
fn random_and_damaged_texts() {
    let mut random = Random(0x5eed_1a70);
    for round in 0..rounds() {
        let mut text = String::new();
        if round % 2 == 0 {
            for _ in 0..random.below(16) {
                text += PIECES[random.below(PIECES.len())];
            }
        } else {
            text += SEEDS[random.below(SEEDS.len())];
            for _ in 0..=random.below(3) {
                let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                let at = places[random.below(places.len())];
                match random.below(3) {
                    0 => text.insert_str(at, PIECES[random.below(PIECES.len())]),
                    1 if at < text.len() => drop(text.remove(at)),
                    _ => text.truncate(at),
                }
            }
        }
        check(&text, round % 200 < 2);
    }
}

#[test]
fn long_texts() {
    for piece in PIECES {
        check(&piece.repeat(20_000), true);
        check(&format!("nChw16c{}", piece.repeat(2_000)), true);
        check(&format!("{}nChw", piece.repeat(100)), true);
    }
}

/// The report of another text than the parsed one is useless but no panic.
#[test]
fn reports_of_another_text() {
    for text in SEEDS {
        for parsed in ["", "nchw16c", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "nchwéé", "q => ", "a=>b=>c"]
        {
            let error = Spec::parse(parsed).unwrap_err();
            assert!(!error.report(text).to_string().is_empty());
            assert!(!error.report("ｎé😀").to_string().is_empty());
        }
    }
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        check(&text, true);
    }

    #[test]
    fn texts_of_marks(text in "[nchwOIo0-9^._BA]{0,16}") {
        check(&text, false);
    }

    #[test]
    fn texts_of_tiles(text in "[{][0-3,]{0,8}:T[(][0-9,*]{0,6}[)][(),0-9}]{0,6}") {
        check(&text, false);
    }

    #[test]
    fn texts_of_formats(text in "[a-dnchwNCOI0-9=> ]{0,20}") {
        check(&text, true);
    }
}
