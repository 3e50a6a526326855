//! Any text as a format, while compiling and for a tensor. What parses prints as what it is, and what does not is
//! explained with formats that parse.
#![no_main]

use layout_core::grammar::Spec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for parsed in [Spec::parse(text), Spec::parse_for(text, 4, 2)] {
        match parsed {
            Ok(spec) => {
                assert_eq!(spec.validate(), Ok(()));
                assert_eq!(Spec::parse(&spec.to_string()), Ok(spec));
            }
            Err(error) => {
                assert!(text.get(error.position()..error.position() + error.len()).is_some());
                assert!(!error.report(text).to_string().is_empty());
            }
        }
    }
});
