//! What a word before the colon of a format may have been meant for, where it is neither a data type nor the prefix of a
//! system. Called by `input`.

use crate::output::shown;
use layout_core::descriptor::DType;
use layout_core::grammar::Dialect;

/// What other libraries call our data types.
const ALIASES: &[(&str, DType)] = &[
    ("double", DType::F64),
    ("float64", DType::F64),
    ("float", DType::F32),
    ("float32", DType::F32),
    ("single", DType::F32),
    ("half", DType::F16),
    ("float16", DType::F16),
    ("bfloat16", DType::Bf16),
    ("i32", DType::S32),
    ("int32", DType::S32),
    ("int", DType::S32),
    ("i8", DType::S8),
    ("int8", DType::S8),
    ("uint8", DType::U8),
    ("byte", DType::U8),
    ("e5m2", DType::F8E5M2),
    ("float8e5m2", DType::F8E5M2),
    ("e4m3", DType::F8E4M3),
    ("e4m3fn", DType::F8E4M3),
    ("float8e4m3fn", DType::F8E4M3),
    ("float8e8m0fnu", DType::E8M0),
    ("bool", DType::Boolean),
    ("i4", DType::S4),
    ("int4", DType::S4),
    ("uint4", DType::U4),
    ("e2m1", DType::F4E2M1),
    ("float4e2m1fn", DType::F4E2M1),
    ("fp4", DType::F4E2M1),
];

/// Types that are not ours and mean nothing near.
const STRANGERS: &[&str] = &[
    "i64", "s64", "u64", "int64", "uint64", "long", "i16", "s16", "u16", "int16", "uint16", "short", "u32",
    "uint32",
];

/// The names of all data types.
pub(crate) fn dtypes() -> String {
    DType::ALL.map(DType::name).join(", ")
}

/// What stands before the first colon, where it is a word.
pub(super) fn before_colon(text: &str) -> Option<&str> {
    let (word, _) = text.split_once(':')?;
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word.then_some(word)
}

/// The error for a word that is not known, which `text` begins with.
pub(super) fn unknown(word: &str, text: &str) -> String {
    let carets = "^".repeat(word.len());
    let help = match nearest(word) {
        Some(near) => format!("help: write \"{near}{}\"\n", &text[word.len()..]),
        None => String::new(),
    };
    let systems: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.prefix()).collect();
    format!(
        "`{word}` is neither a data type nor the prefix of a system\n  {text}\n  {carets}\n{help}\
         help: the data types are {}; the systems are {}",
        dtypes(),
        systems.join(", ")
    )
}

/// The data type or prefix that was most likely meant.
fn nearest(word: &str) -> Option<&'static str> {
    let plain = |word: &str| word.to_ascii_lowercase().replace('_', "");
    let word = plain(word);
    if STRANGERS.contains(&word.as_str()) {
        return None;
    }
    if let Some((_, dtype)) = ALIASES.iter().find(|(alias, _)| *alias == word) {
        return Some(dtype.name());
    }
    let names = DType::ALL.iter().map(|dtype| dtype.name());
    names
        .chain(Dialect::ALL.iter().map(|dialect| dialect.prefix()))
        .map(|name| (strsim::damerau_levenshtein(&plain(name), &word), name))
        // Half of a short word is another word.
        .filter(|(distance, name)| *distance <= 2 && distance * 2 < name.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Names to choose from: all where they are few, otherwise those nearest to `wanted`, or else the first.
pub(crate) fn choice(names: &[&str], wanted: Option<&str>) -> String {
    const MOST: usize = 8;
    let listed = |names: &[&str]| names.iter().map(|name| shown(name)).collect::<Vec<_>>().join(", ");
    if names.len() <= MOST {
        return listed(names);
    }
    let mut near = names.to_vec();
    if let Some(wanted) = wanted {
        let likeness = |name: &str| strsim::jaro_winkler(name, wanted);
        near.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    }
    near.truncate(MOST);
    format!("{} and {} others", listed(&near), names.len() - MOST)
}

#[cfg(test)]
mod tests {
    use super::{choice, nearest};

    #[test]
    fn few_names_of_many() {
        assert_eq!(choice(&["b", "a"], Some("q")), "b, a");
        let names: Vec<String> = (0..300).map(|i| format!("layers.{i}.weight")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let text = choice(&names, Some("layers.217.weights"));
        assert!(text.starts_with("layers.217.weight, ") && text.ends_with(" and 292 others"), "{text}");
        assert!(choice(&names, None).starts_with("layers.0.weight, layers.1.weight, "));
    }

    #[test]
    fn words_that_are_near() {
        for (word, meant) in [
            ("f33", Some("f32")),
            ("F32", Some("f32")),
            ("fp16", Some("f16")),
            ("bfloat16", Some("bf16")),
            ("int8", Some("s8")),
            ("uint8", Some("u8")),
            ("f8e4m3", Some("f8_e4m3")),
            ("fp8_e4m3", Some("f8_e4m3")),
            ("float8_e5m2", Some("f8_e5m2")),
            ("bool", Some("boolean")),
            ("onednnn", Some("onednn")),
            ("int64", None),
            ("i64", None),
            ("nonsense", None),
            ("q", None),
        ] {
            assert_eq!(nearest(word), meant, "{word}");
        }
    }
}
