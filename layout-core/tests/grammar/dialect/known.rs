//! The list of known names: each means something, and is found again.

use layout_core::grammar::{Dialect, known_names};

#[test]
fn every_known_name_means_something() {
    let mut count = 0;
    for known in known_names() {
        // Half precision: the formats of some are for elements of 2 bytes.
        let spec = known.spec().or_else(|_| (1..8).find_map(|rank| known.spec_for(rank, 2).ok()).ok_or(()));
        let spec = spec.unwrap_or_else(|()| panic!("{} of {}", known.name(), known.dialect()));
        assert_eq!(spec.validate(), Ok(()), "{}", known.name());
        count += 1;
    }
    assert!(count > 1671 + 190, "{count}");
}

/// By the list of OpenVINO every name is printed as it is written.
#[test]
fn openvino_prints_as_it_is_named() {
    for known in known_names().filter(|known| known.dialect() == Dialect::OpenVino) {
        let name = known.spec().unwrap().name_in(Dialect::OpenVino).unwrap();
        assert_eq!(name.as_str(), known.name());
    }
}

#[test]
fn no_name_is_listed_twice() {
    for dialect in Dialect::ALL {
        let mut names: Vec<_> =
            known_names().filter(|known| known.dialect() == dialect).map(|known| known.name()).collect();
        let len = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), len, "{dialect}");
        assert!(len > 0, "{dialect}");
    }
}
