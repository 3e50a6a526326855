//! A crate between `tensor-layout` and its user: `ui-tests/pass/reexported.rs` reaches `layout!` through it alone.
//! `no_std`, so that the facade is also built without its default features.
#![no_std]

pub use tensor_layout::layout;
pub use tensor_layout::layout as format;

/// A layout whose type is written here and compared there.
pub type Act = layout!("nChw16c");

/// A layout written by a macro of this crate.
pub type Named = named_layout!("nhwc");

/// Further from the root.
pub mod nested {
    pub use tensor_layout::layout;
    /// And further.
    pub mod deeper {
        pub use tensor_layout::*;
    }
}

/// Hands its literal on to `layout!`, as other crates' macros do.
#[macro_export]
macro_rules! named_layout {
    ($format:literal) => {
        $crate::layout!($format)
    };
}
