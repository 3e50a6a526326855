//! What `layout!` expands to. Not part of the interface.
//!
//! The tuples of usual formats have names: a type that is written out has so many parts that clippy's `type_complexity` would
//! warn of every signature with a `layout!` in it, and a name counts as one.

pub use layout_core::layout::{Block, Digit, Dim, Format, PaddedDim};
pub use layout_macros::__layout;

/// Axes in order, and blocks of some of them behind these.
macro_rules! tuple {
    ($name:ident: $($axis:ident)* $(, $block:ident $size:ident)*) => {
        pub type $name<$(const $axis: char,)* $(const $block: char, const $size: usize),*> =
            ($(Dim<$axis>,)* $(Block<$block, $size>),*);
    };
}

tuple!(Axes1: A);
tuple!(Axes2: A B);
tuple!(Axes3: A B C);
tuple!(Axes4: A B C D);
tuple!(Axes5: A B C D E);
tuple!(Axes6: A B C D E F);
tuple!(Axes7: A B C D E F G);
tuple!(Axes8: A B C D E F G H);
tuple!(Axes9: A B C D E F G H I);
tuple!(Axes10: A B C D E F G H I J);
tuple!(Axes11: A B C D E F G H I J K);
tuple!(Axes12: A B C D E F G H I J K L);
tuple!(Axes1Blocks1: A, P X);
tuple!(Axes1Blocks2: A, P X, Q Y);
tuple!(Axes1Blocks3: A, P X, Q Y, R Z);
tuple!(Axes2Blocks1: A B, P X);
tuple!(Axes2Blocks2: A B, P X, Q Y);
tuple!(Axes2Blocks3: A B, P X, Q Y, R Z);
tuple!(Axes3Blocks1: A B C, P X);
tuple!(Axes3Blocks2: A B C, P X, Q Y);
tuple!(Axes3Blocks3: A B C, P X, Q Y, R Z);
tuple!(Axes4Blocks1: A B C D, P X);
tuple!(Axes4Blocks2: A B C D, P X, Q Y);
tuple!(Axes4Blocks3: A B C D, P X, Q Y, R Z);
tuple!(Axes5Blocks1: A B C D E, P X);
tuple!(Axes5Blocks2: A B C D E, P X, Q Y);
tuple!(Axes5Blocks3: A B C D E, P X, Q Y, R Z);
tuple!(Axes6Blocks1: A B C D E F, P X);
tuple!(Axes6Blocks2: A B C D E F, P X, Q Y);
tuple!(Axes6Blocks3: A B C D E F, P X, Q Y, R Z);
