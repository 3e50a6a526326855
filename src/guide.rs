#![doc = include_str!("../docs/guide.md")]

#[doc = include_str!("../docs/from_onednn.md")]
pub mod from_onednn {}

#[doc = include_str!("../docs/from_pytorch.md")]
pub mod from_pytorch {}

#[doc = include_str!("../docs/from_mdspan.md")]
pub mod from_mdspan {}
