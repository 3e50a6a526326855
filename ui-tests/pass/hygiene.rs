//! Every name that the expansion could trip over is taken by something else.

#![deny(warnings)]
#![allow(
    non_camel_case_types,
    non_upper_case_globals,
    dead_code,
    unused_macros,
    reason = "the names are here to be in the way"
)]

extern crate tensor_layout as actual;

struct Format;
struct Dim;
struct PaddedDim;
struct Block;
struct Digit;
struct Layout;
struct usize;
struct char;
mod core {}
mod std {}
mod alloc {}
mod tensor_layout {}
mod layout_core {}
mod layout_macros {}
mod __private {}
macro_rules! compile_error {
    ($($tokens:tt)*) => {};
}
macro_rules! __layout {
    ($($tokens:tt)*) => {};
}

type Act = actual::layout!("nChw16c");

fn generic<n, c, h, w>(_: n, _: c, _: h, _: w) -> Act {
    const Format: u8 = 0;
    const Dim: u8 = 0;
    const Block: u8 = 0;
    actual::layout!("nChw16c")
}

pub(crate) fn main() {
    let _: Act = generic::<u8, u8, u8, u8>(0, 0, 0, 0);
}
