//! The oracle: digits from a text such as `n c/16 h w c%16`, and offsets by the definition of a mixed-radix number.

use layout_core::layout::Layout;
use layout_core::shape::IndexArray;

pub(crate) struct Oracle {
    axes: Vec<char>,
    /// Axis, divisor, number of values (0 for a top digit).
    digits: Vec<(usize, usize, usize)>,
    multiple: Vec<usize>,
}

impl Oracle {
    /// `axes` is the logical order. A digit is `c`, `c/16`, `c/4%8` or `c%16`; `c^32` is a top digit padded to 32.
    pub(crate) fn new(axes: &str, text: &str) -> Oracle {
        let axes: Vec<char> = axes.chars().collect();
        let mut multiple = vec![1; axes.len()];
        let mut digits = Vec::new();
        for word in text.split_whitespace() {
            let (rest, size) = word.split_once('%').map_or((word, 0), |(a, b)| (a, b.parse().unwrap()));
            let (rest, stated) = rest.split_once('^').map_or((rest, 1), |(a, b)| (a, b.parse().unwrap()));
            let (rest, divisor) = rest.split_once('/').map_or((rest, 1), |(a, b)| (a, b.parse().unwrap()));
            let axis = axes.iter().position(|&letter| rest == letter.to_string()).unwrap();
            digits.push((axis, divisor, size));
            if size == 0 {
                // The divisor of a top digit is the product of the axis' blocks.
                multiple[axis] = (1..).map(|k| k * divisor).find(|m| m % stated == 0).unwrap();
            }
        }
        Oracle { axes, digits, multiple }
    }

    pub(crate) fn multiple(&self, axis: usize) -> usize {
        self.multiple[axis]
    }

    pub(crate) fn axis(&self, letter: char) -> usize {
        self.axes.iter().position(|&l| l == letter).unwrap()
    }

    pub(crate) fn padded(&self, dims: &[usize]) -> Vec<usize> {
        dims.iter().zip(&self.multiple).map(|(dim, multiple)| dim.div_ceil(*multiple) * multiple).collect()
    }

    pub(crate) fn required_len(&self, dims: &[usize]) -> usize {
        self.padded(dims).iter().product()
    }

    pub(crate) fn offset(&self, dims: &[usize], index: &[usize]) -> usize {
        let padded = self.padded(dims);
        self.digits.iter().fold(0, |offset, &(axis, divisor, size)| {
            let (value, extent) = match size {
                0 => (index[axis] / divisor, padded[axis] / divisor),
                size => (index[axis] / divisor % size, size),
            };
            offset * extent + value
        })
    }

    /// Extents to try: tails below, at and above each block border, ones, and a zero.
    pub(crate) fn shapes(&self) -> Vec<Vec<usize>> {
        let choices: Vec<Vec<usize>> = self
            .multiple
            .iter()
            .enumerate()
            .map(
                |(axis, &m)| {
                    if m == 1 { vec![2, 3, 1, 2 + axis % 2] } else { vec![m + 1, m, m - 1, 2 * m, 1] }
                },
            )
            .collect();
        let mut shapes = Vec::new();
        for round in 0..5 {
            shapes.push(choices.iter().enumerate().map(|(axis, c)| c[(round + axis) % c.len()]).collect());
        }
        for axis in 0..self.axes.len().min(2) {
            let mut shape: Vec<usize> = choices.iter().map(|c| c[0]).collect();
            shape[axis] = 0;
            shapes.push(shape);
        }
        // Nothing is above this, so that the whole stays quick.
        shapes.retain(|shape| self.required_len(shape) <= 1 << 15);
        assert!(shapes.len() >= 2 || self.axes.is_empty());
        shapes
    }
}

/// All indices below `dims`, the last axis running fastest.
pub(crate) fn indices(dims: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &dim in dims {
        all = all.iter().flat_map(|index| (0..dim).map(move |i| [index.as_slice(), &[i]].concat())).collect();
    }
    all
}

/// An index (or extents) of `L`.
pub(crate) fn at<L: Layout>(index: &[usize]) -> L::Index {
    let mut out = L::Index::ZERO;
    out.as_mut().copy_from_slice(index);
    out
}
