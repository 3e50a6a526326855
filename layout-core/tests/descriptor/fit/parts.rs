//! Formats of parts of tensors and of tensors with extra padding: none is named that does not fit, none that fits is
//! denied.

use crate::oracle::{dense, indices};
use layout_core::descriptor::{Descriptor, Location};

/// Distance from the first element of every place, and whether it is an element.
fn places(d: &Descriptor) -> Vec<(isize, bool)> {
    let first = d.offset(&[0, 0]).unwrap() as isize;
    let place = |offset: usize| match d.locate(offset).unwrap() {
        Location::Element(_) => Some((offset as isize - first, true)),
        Location::Padding => Some((offset as isize - first, false)),
        _ => None,
    };
    (0..d.required_len()).filter_map(place).collect()
}

fn fits(part: &Descriptor, whole: &Descriptor) -> bool {
    let distance = |d: &Descriptor, index: &[usize]| {
        d.offset(index).unwrap() as isize - d.offset(&[0, 0]).unwrap() as isize
    };
    part.padded_dims() == whole.padded_dims()
        && places(part) == places(whole)
        && indices(part.dims()).iter().all(|index| distance(part, index) == distance(whole, index))
}

#[test]
fn formats_of_parts() {
    let formats = ["ab", "ba", "aB4b", "aB2b2b", "bA3a", "AB2a4b", "aB8b"];
    for of in formats {
        for halo in 0..3 {
            let whole = dense(&[3, 11], of).with_halo(&[halo % 2, halo], &[0, halo]).unwrap();
            for start in indices(&[3, 11]) {
                for less in indices(&[3 - start[0], 11 - start[1]]) {
                    let dims = [3 - start[0] - less[0], 11 - start[1] - less[1]];
                    let part = whole.submemory(&start, &dims).unwrap();
                    for format in formats {
                        let expected = fits(&part, &dense(&dims, format));
                        assert_eq!(part.is_in_format(format).unwrap(), expected, "{part} in {format}");
                    }
                    for spec in part.formats() {
                        assert!(part.is_in_format(&spec.to_string()).unwrap(), "{part} in {spec}");
                    }
                }
            }
        }
    }
}
