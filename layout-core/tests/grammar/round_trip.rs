//! Formats made at random from what they mean: parsing gives that meaning, printing and parsing give it again.

use crate::oracle::Expected;
use layout_core::grammar::Spec;
use proptest::prelude::*;

/// Templates by their letters in logical order.
const TEMPLATES: &[&str] =
    &["nchw", "ncdhw", "oihw", "goidhw", "tnc", "ldnc", "ldigo", "abc", "abcdefghijkl", "x"];

/// A tag over the axes `axes`, by letters and sizes, written by other code than the printer's.
fn write(expected: &Expected, arrow: Option<&str>) -> String {
    let axes: Vec<char> = expected.axes.chars().collect();
    let mut text = match arrow {
        Some(arrow) => format!("{}{arrow}", expected.axes),
        None => String::new(),
    };
    for &axis in &expected.outer {
        let blocked = expected.blocks.iter().any(|&(a, _)| a == axis);
        text.push(if blocked { axes[axis].to_ascii_uppercase() } else { axes[axis] });
    }
    for &(axis, size) in &expected.blocks {
        text += &format!("{size}{}", axes[axis]);
    }
    text
}

/// Blocks whose product stays within the limit.
fn blocks(rank: usize) -> impl Strategy<Value = Vec<(usize, u64)>> {
    let size = prop_oneof![4 => 2u64..65, 1 => 2u64..=u64::from(u32::MAX)];
    prop::collection::vec((0..rank, size), 0..12).prop_map(|blocks| {
        let mut product = 1u64;
        let fits = |&(_, size): &(usize, u64)| {
            let next = product.checked_mul(size).filter(|&n| i64::try_from(n).is_ok());
            next.map(|n| product = n).is_some()
        };
        blocks.into_iter().filter(fits).collect()
    })
}

fn over(axes: String) -> impl Strategy<Value = Expected> {
    let rank = axes.len();
    let outer = Just((0..rank).collect::<Vec<_>>()).prop_shuffle();
    (Just(axes), outer, blocks(rank)).prop_map(|(axes, outer, blocks)| Expected { axes, outer, blocks })
}

/// Any 1 to 12 letters in any logical order.
fn any_axes() -> impl Strategy<Value = String> {
    (Just(('a'..='z').collect::<Vec<_>>()).prop_shuffle(), 1usize..=12)
        .prop_map(|(letters, rank)| letters[..rank].iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn by_template(expected in prop::sample::select(TEMPLATES).prop_flat_map(|axes| over(axes.to_owned()))) {
        let text = write(&expected, None);
        let spec = Spec::parse(&text).map_err(|error| TestCaseError::fail(error.report(&text).to_string()))?;
        expected.check(&text, &spec);
        prop_assert_eq!(spec.to_string(), text);
    }

    #[test]
    fn by_arrow(
        expected in any_axes().prop_flat_map(over),
        arrow in prop::sample::select(&["=>", " => ", " =>", "=>   "][..]),
    ) {
        let text = write(&expected, Some(arrow));
        let spec = Spec::parse(&text).map_err(|error| TestCaseError::fail(error.report(&text).to_string()))?;
        expected.check(&text, &spec);
        prop_assert_eq!(Spec::parse(&spec.to_string()), Ok(spec));
    }
}
