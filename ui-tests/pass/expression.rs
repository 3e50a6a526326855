//! `layout!` as a value: constants, statics, arguments, patterns, fields, array elements, without further imports.

#![deny(warnings, unused_qualifications, missing_debug_implementations, single_use_lifetimes)]

use tensor_layout::{Layout, layout};

const CONST: layout!("nChw16c") = layout!("nChw16c");
static STATIC: layout!("nhwc") = layout!("nhwc");

struct Pair {
    from: layout!("nhwc"),
    to: layout!("nChw16c"),
}

fn rank<L: Layout>(_: L) -> usize {
    L::RANK
}

pub(crate) fn main() {
    assert_eq!(rank(layout!("nChw16c")), 4);
    assert_eq!(rank(CONST) + rank(STATIC), 8);
    assert_eq!(layout!("nChw16c"), CONST);
    let pair = Pair { from: layout!("nhwc"), to: layout!("nChw16c") };
    let Pair { from: layout!("nhwc"), to: layout!("nChw16c") } = pair;
    assert_eq!(size_of_val(&pair), 0);
    let both = (layout!("nchw"), layout!("nhwc")); // twice on a line
    assert_ne!(both.0.to_string(), both.1.to_string());
    let three = [layout!("nchw"); 3];
    assert_eq!(three.len(), 3);
    match three[0] {
        layout!("nchw") => {}
    }
    let default: layout!("nchw") = Default::default();
    assert_eq!(default, layout!("nchw"));
    assert_eq!(if true { layout!("nchw") } else { default }, three[1]);
}
