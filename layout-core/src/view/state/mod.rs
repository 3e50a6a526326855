//! What the type says of padding, on views and tensors: changing it, checking it, and functions over all of memory.
//!
//! The table of what keeps the type true stands in [`ZeroPadding`](crate::layout::ZeroPadding).

mod cast;
mod change;
mod check;
mod map;
