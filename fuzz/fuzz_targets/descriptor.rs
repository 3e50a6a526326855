//! Any text as a descriptor in its text form. What parses prints as what it is.
#![no_main]

use layout_core::descriptor::Descriptor;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Descriptor>() {
        Ok(descriptor) => assert_eq!(descriptor.to_string().parse(), Ok(descriptor)),
        Err(error) => assert!(error.position() <= text.len()),
    }
});
