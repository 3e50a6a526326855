//! The oracle of this folder: a tensor as a table of offsets over its elements and its padding. Knows no digits.

use crate::oracle::{indices, laid_out};
use layout_core::descriptor::{Descriptor, Location};
use std::collections::{BTreeSet, HashMap};

/// Offsets of the elements and the padding around them, row by row. Along axis `a` the elements stand at `before[a]`
/// and on.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) dims: Vec<usize>,
    pub(crate) before: Vec<usize>,
    pub(crate) padded: Vec<usize>,
    pub(crate) offsets: Vec<usize>,
}

/// The place of `index` in a table of extents `extents`, row by row.
pub(crate) fn row_by_row(extents: &[usize], index: &[usize]) -> usize {
    extents.iter().zip(index).fold(0, |place, (n, i)| place * n + i)
}

/// The product of the blocks of each axis, from the text of the format.
fn blocks(letters: &str, format: &str) -> Vec<usize> {
    let mut blocks = vec![1; letters.len()];
    let mut number = String::new();
    for c in format.chars() {
        if c.is_ascii_digit() {
            number.push(c);
        } else if let Ok(size) = std::mem::take(&mut number).parse::<usize>() {
            blocks[letters.find(c).expect("a letter of the axes")] *= size;
        }
    }
    blocks
}

impl Model {
    /// A dense tensor with `before` and `after` positions around it, rounded up to its blocks.
    pub(crate) fn with_halo(
        letters: &str,
        format: &str,
        dims: &[usize],
        before: &[usize],
        after: &[usize],
    ) -> Model {
        let total: Vec<usize> = (0..dims.len()).map(|a| before[a] + dims[a] + after[a]).collect();
        let memory = laid_out(letters, format, &total);
        let padded: Vec<usize> =
            total.iter().zip(blocks(letters, format)).map(|(n, block)| n.next_multiple_of(block)).collect();
        let mut offsets = vec![0; memory.len()];
        for (offset, index) in memory.iter().enumerate() {
            offsets[row_by_row(&padded, index)] = offset;
        }
        Model { dims: dims.to_vec(), before: before.to_vec(), padded, offsets }
    }

    pub(crate) fn dense(format: &str, dims: &[usize]) -> Model {
        let none = vec![0; dims.len()];
        Model::with_halo(&"abcdefghijkl"[..dims.len()], format, dims, &none, &none)
    }

    /// The table of extents `padded` that takes each offset from where `from` says.
    fn gather(
        &self,
        dims: Vec<usize>,
        before: Vec<usize>,
        padded: Vec<usize>,
        from: impl Fn(&[usize]) -> Vec<usize>,
    ) -> Model {
        let offset = |index: Vec<usize>| self.offsets[row_by_row(&self.padded, &from(&index))];
        let offsets = indices(&padded).into_iter().map(offset).collect();
        Model { dims, before, padded, offsets }
    }

    pub(crate) fn submemory(&self, start: &[usize], dims: &[usize]) -> Model {
        let axes = 0..dims.len();
        // Padding goes with the border.
        let before: Vec<usize> =
            axes.clone().map(|a| if start[a] == 0 && dims[a] > 0 { self.before[a] } else { 0 }).collect();
        let padded = axes
            .clone()
            .map(|a| {
                let after = self.padded[a] - self.before[a] - self.dims[a];
                let at_end = start[a] + dims[a] == self.dims[a] && dims[a] > 0;
                before[a] + dims[a] + if at_end { after } else { 0 }
            })
            .collect();
        let first: Vec<usize> = axes.map(|a| self.before[a] + start[a] - before[a]).collect();
        self.gather(dims.to_vec(), before, padded, |index| {
            index.iter().zip(&first).map(|(i, f)| i + f).collect()
        })
    }

    pub(crate) fn permute_axes(&self, axes: &[usize]) -> Model {
        let of = |values: &[usize]| axes.iter().map(|&a| values[a]).collect::<Vec<_>>();
        self.gather(of(&self.dims), of(&self.before), of(&self.padded), |index| {
            let mut old = vec![0; axes.len()];
            axes.iter().zip(index).for_each(|(&a, &i)| old[a] = i);
            old
        })
    }

    pub(crate) fn select(&self, axis: usize, at: usize) -> Model {
        let without = |values: &[usize]| [&values[..axis], &values[axis + 1..]].concat();
        let at = self.before[axis] + at;
        self.gather(without(&self.dims), without(&self.before), without(&self.padded), |index| {
            [&index[..axis], &[at], &index[axis..]].concat()
        })
    }

    pub(crate) fn unsqueeze(&self, axis: usize) -> Model {
        let with = |values: &[usize], value| [&values[..axis], &[value], &values[axis..]].concat();
        self.gather(with(&self.dims, 1), with(&self.before, 0), with(&self.padded, 1), |index| {
            [&index[..axis], &index[axis + 1..]].concat()
        })
    }

    pub(crate) fn broadcast(&self, axis: usize, extent: usize) -> Model {
        if extent == 1 {
            return self.clone();
        }
        let (mut dims, mut before, mut padded) =
            (self.dims.clone(), self.before.clone(), self.padded.clone());
        (dims[axis], before[axis], padded[axis]) = (extent, 0, extent);
        self.gather(dims, before, padded, |index| {
            let mut old = index.to_vec();
            old[axis] = self.before[axis];
            old
        })
    }

    /// As `reshape`, for a tensor without padding.
    pub(crate) fn reshape(&self, dims: &[usize]) -> Model {
        assert_eq!(self.dims, self.padded);
        Model {
            dims: dims.to_vec(),
            before: vec![0; dims.len()],
            padded: dims.to_vec(),
            offsets: self.offsets.clone(),
        }
    }

    /// Offsets of the elements, row by row.
    pub(crate) fn elements(&self) -> Vec<usize> {
        let at = |index: &Vec<usize>| {
            let index: Vec<usize> = index.iter().zip(&self.before).map(|(i, b)| i + b).collect();
            self.offsets[row_by_row(&self.padded, &index)]
        };
        indices(&self.dims).iter().map(at).collect()
    }

    /// Offsets of the padding. Elements have a place of their own, so that what remains is padding.
    pub(crate) fn padding(&self) -> BTreeSet<usize> {
        let elements: BTreeSet<usize> = self.elements().into_iter().collect();
        self.offsets.iter().copied().filter(|offset| !elements.contains(offset)).collect()
    }

    /// Asserts that `d` is this tensor.
    pub(crate) fn check(&self, d: &Descriptor) {
        assert_eq!(d.padded_dims(), self.padded, "{d}");
        check_places(d, &self.dims, &self.elements(), &self.padding());
    }
}

/// Asserts that the elements of `d` are at `elements`, row by row, its padding at `padding`, and nothing elsewhere;
/// and that everything that can be asked of it agrees.
pub(crate) fn check_places(d: &Descriptor, dims: &[usize], elements: &[usize], padding: &BTreeSet<usize>) {
    assert_eq!(d.dims(), dims, "{d}");
    let mut first_at = HashMap::new();
    for (index, &offset) in indices(dims).iter().zip(elements) {
        assert_eq!(d.offset(index), Ok(offset), "{d} {index:?}");
        first_at.entry(offset).or_insert_with(|| index.clone());
    }
    let empty = dims.contains(&0);
    assert_eq!(d.is_empty(), empty);
    assert_eq!(d.logical_len(), elements.len(), "{d}");
    assert_eq!(d.is_unique(), first_at.len() == elements.len(), "{d}");
    let places: BTreeSet<usize> = first_at.keys().chain(padding).copied().collect();
    assert_eq!(d.required_len(), places.last().map_or(0, |last| last + 1), "{d}");
    if !empty {
        assert_eq!(Some(&d.first_offset()), places.first(), "{d}");
        assert!(d.padded_len() >= places.len(), "{d}");
        assert_eq!(d.is_unique(), d.padded_len() == places.len(), "{d}");
        assert_eq!(d.is_exhaustive(), places.len() == d.required_len(), "{d}");
        let stretch = d.required_len() - d.first_offset() == places.len();
        let forward = d.digits().iter().all(|digit| digit.extent < 2 || digit.stride > 0);
        assert_eq!(d.is_dense(), stretch && forward, "{d}");
    }
    for offset in 0..d.required_len() {
        let found = d.locate(offset).unwrap();
        match first_at.get(&offset) {
            Some(index) => {
                assert!(matches!(found, Location::Element(i) if i[..] == index[..]), "{d} {offset}")
            }
            None if padding.contains(&offset) => assert_eq!(found, Location::Padding, "{d} {offset}"),
            None => assert_eq!(found, Location::Unused, "{d} {offset}"),
        }
    }
    for a in 0..d.rank() {
        let (owned, origin) = (d.owned(a), d.origin()[a]);
        assert_eq!(owned.len(), d.padded_dims()[a], "{d}");
        assert!(empty || (owned.start <= origin && origin + dims[a] <= owned.end), "{d}");
    }
    let digits = d.digits();
    assert!(digits.iter().enumerate().all(|(i, digit)| d.digit(i) == Some(*digit)), "{d}");
    assert!(d.inner_first().eq(digits.iter().rev().copied()), "{d}");
    assert!(d.same_bytes(d) && d.same_bytes_apart_from_units(d));
}
