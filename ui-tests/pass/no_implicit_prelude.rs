#![no_implicit_prelude]
//! Nothing is in scope: no prelude, no `std`, not even `core`.

type Act = ::tensor_layout::layout!("nChw16c");

mod inner {
    pub(super) fn pair(_: ::tensor_layout::layout!("nhwc")) -> ::tensor_layout::layout!("nchw") {
        ::tensor_layout::layout!("nchw")
    }
}

pub(crate) fn main() {
    let _: Act = ::tensor_layout::layout!("nChw16c");
    inner::pair(::tensor_layout::layout!("nhwc"));
}
