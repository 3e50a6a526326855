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
