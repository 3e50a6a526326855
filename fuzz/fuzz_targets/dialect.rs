//! Any text as a name of a dialect, which the first byte chooses, for a tensor of the rank and the element size that the
//! next two say. What parses has a name in the dialect that is it again.
#![no_main]

use layout_core::grammar::{Dialect, Spec};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (u8, u8, u8, &str)| {
    let (which, rank, bytes, text) = data;
    let dialect = Dialect::ALL[which as usize % Dialect::ALL.len()];
    let (rank, bytes) = (rank as usize % 14, bytes as usize % 17);
    for parsed in [Spec::parse_in(dialect, text), Spec::parse_in_for(dialect, text, rank, bytes)] {
        match parsed {
            Ok(spec) => {
                assert_eq!(spec.validate(), Ok(()));
                if let Some(name) = spec.name_in_for(dialect, bytes) {
                    let again = Spec::parse_in_for(dialect, name.as_str(), spec.rank(), bytes);
                    assert!(again.is_ok_and(|again| again.same_digits(&spec)));
                }
            }
            Err(error) => {
                assert!(text.get(error.position()..error.position() + error.len()).is_some());
            }
        }
    }
});
