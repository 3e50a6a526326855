//! Every spelling of a string literal names the same type.

#![deny(warnings, unused_qualifications, missing_debug_implementations, single_use_lifetimes)]

use tensor_layout::layout;

pub(crate) fn main() {
    let plain: layout!("nChw16c") = layout!(r"nChw16c");
    let hashes: layout!(r#"nChw16c"#) = plain;
    let many: layout!(r###"nChw16c"###) = hashes;
    let escaped: layout!("\x6eChw\u{31}6c") = many;
    let continued: layout!(
        "nChw\
         16c"
    ) = escaped;
    assert_eq!(continued, layout! { "nChw16c" });
    assert_eq!(continued, layout!["nChw16c"]);
}
