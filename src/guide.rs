//! [a page from oneDNN]: from_onednn
//! [one from PyTorch and NumPy]: from_pytorch
//! [one from mdspan and CuTe]: from_mdspan
//! [`Tensor`]: crate::Tensor
//! [`dispatch!`]: crate::dispatch
//! [`Aligned`]: crate::Aligned
//! [`Window`]: crate::Window
//! [`Descriptor`]: crate::Descriptor
//! [`match_layout!`]: crate::match_layout
//! [`preferred_layout`]: crate::preferred_layout
//! [`ZeroPadding`]: crate::ZeroPadding
//! [`outside_dispatch!`]: crate::outside_dispatch
//!

// Of two definitions of a link the first one holds. Those above and below are for rustdoc; the files of `docs` end with
// their own, which lead to other files of the repository.
#![doc = include_str!("../docs/guide.md")]

/// [`Descriptor`]: crate::Descriptor
/// [`Reorder`]: crate::Reorder
/// [`reorder(src, dst)`]: crate::reorder
/// [`reorder_bytes`]: crate::reorder_bytes
/// [`Attributes`]: crate::Attributes
/// [`Attributes::rounding`]: crate::Attributes::rounding
/// [`Rounding`]: crate::Rounding
/// [`PlanCache`]: crate::PlanCache
/// [`preferred_layout`]: crate::preferred_layout
/// [`Dirty`]: crate::Dirty
/// [`ReorderInPlace`]: crate::ReorderInPlace
///
#[doc = include_str!("../docs/from_onednn.md")]
pub mod from_onednn {}

#[doc = include_str!("../docs/from_pytorch.md")]
pub mod from_pytorch {}

/// [`reorder`]: crate::reorder
///
#[doc = include_str!("../docs/from_mdspan.md")]
pub mod from_mdspan {}

#[doc = include_str!("../docs/performance.md")]
pub mod performance {}
