//! `layout!` through other crates and modules: re-exported, re-exported under another name, and called by a macro of
//! another crate, whose users need not know `tensor-layout`.

#![deny(warnings, unused_qualifications, missing_debug_implementations, single_use_lifetimes)]

use reexport::{Act, format, layout, named_layout, nested};

mod own {
    pub(super) use reexport::nested::deeper::layout as deep;
}

pub(crate) fn main() {
    let act: layout!("nChw16c") = format!("nChw16c");
    let act: Act = act;
    let act: nested::layout!("nChw16c") = act;
    let act: own::deep!("nChw16c") = act;
    let act: named_layout!("nChw16c") = act;
    let _: actual::layout!("nChw16c") = act; // two expansions in different crates are one type
    let _: reexport::Named = named_layout!("nhwc");
}

extern crate tensor_layout as actual;
