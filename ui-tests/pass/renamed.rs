//! The crate under another name.

#![deny(warnings, unused_qualifications, missing_debug_implementations, single_use_lifetimes)]

extern crate tensor_layout as tl;

mod tensor_layout {
    //! Takes the crate's own name.
}

type Act = tl::layout!("nChw16c");

pub(crate) fn main() {
    let act: Act = tl::layout!("nChw16c");
    assert_eq!(act.to_string(), "nChw16c");
}
