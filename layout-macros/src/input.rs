//! Tokens to a format string: takes `{ $crate } "format"` and refuses everything else, naming what to write.
//! Called by `expand`. Of the grammar it asks only whether a text is a format, for its suggestions.

use layout_core::grammar::Spec;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Lit, LitStr, Token};

use crate::error::Error;

/// What `layout!` was called with.
pub(crate) struct Input {
    /// `$crate`: the path of the facade, whose `__private` module the expansion uses.
    pub(crate) root: TokenStream,
    /// The format string, or the first thing that is wrong with the tokens.
    pub(crate) format: Result<LitStr, Error>,
}

/// Splits the facade's path from what the user wrote, and takes the format string from that.
///
/// # Errors
/// Where the path is missing: only in a call that goes past the facade's `layout!`.
pub(crate) fn parse(tokens: TokenStream) -> syn::Result<Input> {
    let parser = |stream: ParseStream<'_>| {
        let path;
        syn::braced!(path in stream);
        let root = path.parse()?;
        let format = format(stream);
        // What is left after a mistake is part of that mistake.
        stream.parse::<TokenStream>()?;
        Ok(Input { root, format })
    };
    parser.parse2(tokens)
}

/// The one string literal, with nothing behind it.
fn format(stream: ParseStream<'_>) -> Result<LitStr, Error> {
    if stream.is_empty() {
        return Err(Error::new(Span::call_site(), format!("a layout needs a format string\n{}", help(None))));
    }
    let Ok(literal) = stream.parse::<Lit>() else {
        return Err(not_a_literal(stream));
    };
    let Lit::Str(format) = literal else {
        return Err(not_a_string(&literal));
    };
    if !format.suffix().is_empty() {
        let message = format!("a format string takes no suffix, found `{}`", format.suffix());
        return Err(Error::new(format.span(), format!("{message}\n{}", help(Some(&format.value())))));
    }
    if !stream.is_empty() {
        return Err(behind(stream, &format));
    }
    Ok(format)
}

/// A literal of another kind.
fn not_a_string(literal: &Lit) -> Error {
    let (kind, text) = match literal {
        Lit::ByteStr(bytes) => ("byte string", String::from_utf8(bytes.value()).ok()),
        Lit::CStr(text) => ("C string", text.value().into_string().ok()),
        Lit::Byte(byte) => ("byte", Some(char::from(byte.value()).to_string())),
        Lit::Char(letter) => ("character", Some(letter.value().to_string())),
        Lit::Int(_) => ("integer", None),
        Lit::Float(_) => ("float", None),
        Lit::Bool(_) => ("boolean", None),
        _ => ("literal of another kind", None),
    };
    let article = if kind == "integer" { "an" } else { "a" };
    let message = format!("a format is a string literal, found {article} {kind}");
    Error::new(literal.span(), format!("{message}\n{}", help(text.as_deref())))
}

/// A macro call, a constant, a format without its quotes, or anything else that is no literal.
fn not_a_literal(stream: ParseStream<'_>) -> Error {
    let Ok(name) = stream.parse::<Ident>() else {
        let (span, found) = match stream.parse::<TokenTree>() {
            Ok(token) => (token.span(), format!(", found `{token}`")),
            Err(_) => (Span::call_site(), String::new()),
        };
        return Error::new(span, format!("a format is a string literal{found}\n{}", help(None)));
    };
    let text = name.to_string();
    let message = if stream.peek(Token![!]) {
        format!("`{text}!` is not expanded before `layout!` reads its format\n{}", help(None))
    } else if Spec::parse(&text).is_ok() {
        format!("a format is a string literal, found the name `{text}`\n{}", help(Some(&text)))
    } else {
        format!(
            "`layout!` cannot read the value of `{text}`: a format is a string literal\n{}\n\
             help: a format known only at run time is for `Descriptor::new`",
            help(None)
        )
    };
    Error::new(name.span(), message)
}

/// Tokens behind the format string.
fn behind(stream: ParseStream<'_>, format: &LitStr) -> Error {
    let span = stream.span();
    let format = format.value();
    if stream.peek(Token![,]) {
        let lone = stream.parse::<Token![,]>().is_ok() && stream.is_empty();
        let found = if lone { "a comma" } else { "a comma and more" };
        let message = format!("`layout!` takes one format string and nothing else, found {found} behind it");
        return Error::new(span, format!("{message}\n{}", help(Some(&format))));
    }
    if stream.parse::<Token![=>]>().is_ok() {
        let joined =
            stream.parse::<LitStr>().map(|physical| format!("{format} => {}", physical.value())).ok();
        let message = "the arrow between logical and physical order belongs inside the string";
        return Error::new(span, format!("{message}\n{}", help(joined.as_deref())));
    }
    let message = match stream.parse::<TokenTree>() {
        Ok(TokenTree::Literal(_)) => "`layout!` takes one format string, found a second literal".to_owned(),
        Ok(token) => format!("`layout!` takes one format string and nothing else, found `{token}` behind it"),
        Err(_) => "`layout!` takes one format string and nothing else".to_owned(),
    };
    Error::new(span, format!("{message}\n{}", help(Some(&format))))
}

/// What to write: `text` where it is a format, an example where it is none.
fn help(text: Option<&str>) -> String {
    match text.filter(|text| Spec::parse(text).is_ok()) {
        Some(text) => format!("help: write `layout!({text:?})`"),
        None => "help: write the format between quotes, as in `layout!(\"nChw16c\")`".to_owned(),
    }
}
