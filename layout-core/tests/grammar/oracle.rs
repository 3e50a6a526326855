//! What a parsed format must be, written as oneDNN's table writes it, without a word of the parser's code.

use layout_core::grammar::{Digit, Spec};

/// Axis letters in logical order, outer axes and blocks in physical order, both as logical positions.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) axes: String,
    pub(crate) outer: Vec<usize>,
    pub(crate) blocks: Vec<(usize, u64)>,
}

impl Expected {
    /// The digits: the tops, then the blocks; a divisor is the product of the axis' blocks to the right.
    pub(crate) fn digits(&self) -> Vec<Digit> {
        let product = |axis: usize, blocks: &[(usize, u64)]| -> u64 {
            blocks.iter().filter(|(a, _)| *a == axis).map(|(_, size)| size).product()
        };
        let tops =
            self.outer.iter().map(|&axis| Digit { axis, divisor: product(axis, &self.blocks), size: None });
        let blocks = self.blocks.iter().enumerate().map(|(i, &(axis, size))| Digit {
            axis,
            divisor: product(axis, &self.blocks[i + 1..]),
            size: Some(size),
        });
        tops.chain(blocks).collect()
    }

    pub(crate) fn check(&self, text: &str, spec: &Spec) {
        let axes: String = (0..spec.rank()).filter_map(|a| spec.axis_name(a)).collect();
        assert_eq!(axes, self.axes, "logical order of {text}");
        let digits: Vec<Digit> = (0..spec.len()).filter_map(|i| spec.digit(i)).collect();
        assert_eq!(digits, self.digits(), "digits of {text}");
        for axis in 0..spec.rank() {
            let block: u64 = self.blocks.iter().filter(|b| b.0 == axis).map(|b| b.1).product();
            assert_eq!(spec.padding_multiple(axis), block, "multiple of axis {axis} of {text}");
        }
        assert_eq!(spec.validate(), Ok(()), "{text}");
    }
}

/// The digits as tables write them: `c/16` is a quotient, `c%16` a remainder, `i/4%8` both, `w^32` a padded extent.
/// With the letters of the spec, or with a, b, c, … for comparing specs whose axes are called otherwise.
pub(crate) fn digits(spec: &Spec, anonymous: bool) -> String {
    let digit = |position: usize| {
        let digit = spec.digit(position).unwrap();
        let letter =
            if anonymous { (b'a' + digit.axis as u8) as char } else { spec.axis_name(digit.axis).unwrap() };
        let mut text = letter.to_string();
        if digit.divisor > 1 {
            text += &format!("/{}", digit.divisor);
        }
        match digit.size {
            Some(size) => text += &format!("%{size}"),
            None if spec.stated_multiple(digit.axis) > 1 => {
                text += &format!("^{}", spec.stated_multiple(digit.axis));
            }
            None => {}
        }
        text
    };
    (0..spec.len()).map(digit).collect::<Vec<_>>().join(" ")
}

/// Offset of an element by the mixed-radix rule, and the padded length, both from the digits alone.
pub(crate) fn offset(spec: &Spec, dims: &[u64], index: &[u64]) -> (u64, u64) {
    let (mut offset, mut len) = (0, 1);
    for digit in (0..spec.len()).filter_map(|position| spec.digit(position)) {
        let padded = dims[digit.axis].next_multiple_of(spec.padding_multiple(digit.axis));
        let extent = digit.size.unwrap_or(padded / digit.divisor);
        offset = offset * extent + index[digit.axis] / digit.divisor % extent;
        len *= extent;
    }
    (offset, len)
}
