//! The procedural half of `tensor_layout::layout!`.
//!
//! Use `layout!` from `tensor-layout`, which passes its own path along so that the expansion resolves wherever it is
//! written; this crate is not meant to be called directly. The stages, a file each: `input` (tokens to a format
//! string), `expand` (format string to a type), `error` (a mistake to a type that reports it once).

mod error;
mod expand;
mod input;

use proc_macro::TokenStream;

/// Expands `{ $crate } "format"` to the type of the layout, which is also its value.
#[doc(hidden)]
#[proc_macro]
pub fn __layout(tokens: TokenStream) -> TokenStream {
    expand::layout(tokens.into()).into()
}
