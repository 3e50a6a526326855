//! [`Error`]: one mistake in a `layout!`, and the type that reports it. Made by `input` and `expand`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// What is wrong and where; the message ends with what to write instead.
#[derive(Debug)]
pub(crate) struct Error {
    span: Span,
    message: String,
}

impl Error {
    /// A mistake at `span`. `message` may have several lines.
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Error { span, message: message.into() }
    }

    /// A layout type that holds the error in a const argument.
    ///
    /// In type position a bare `compile_error!` becomes `()`, and every use of the layout then reports that `()` is
    /// none. A type with an erroneous constant in it is erroneous itself, and the compiler reports nothing further
    /// about those. It is a value just as well, so that the same holds for expressions.
    pub(crate) fn into_format(self, root: &TokenStream) -> TokenStream {
        let Error { span, message } = self;
        // Through `core` rather than `root`: every token then carries the user's span, so that the compiler points at
        // the literal and not at the macro call.
        let report = quote_spanned!(span=> ::core::compile_error!(#message));
        quote!(#root::__private::Format::<(), (#root::__private::Dim<{ #report }>,)>)
    }
}
