//! A format string to the type of the layout. Called by the macro's entry point; the grammar decides what is valid.

use layout_core::grammar::Spec;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::error::Error;
use crate::input::{self, Input};

/// The layout that `tokens` (`{ $crate } "format"`) name: a path to a type that is its own value, so that one
/// expansion serves in type, expression and pattern position.
pub(crate) fn layout(tokens: TokenStream) -> TokenStream {
    let Input { root, format } = match input::parse(tokens) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let spec = format.and_then(|literal| {
        let text = literal.value();
        Spec::parse(&text).map_err(|error| Error::new(literal.span(), error.report(&text).to_string()))
    });
    match spec {
        Ok(spec) => format_of(&spec, &root),
        Err(error) => error.into_format(&root),
    }
}

/// `Format<(digits, outermost first), (axes in logical order)>`.
fn format_of(spec: &Spec, root: &TokenStream) -> TokenStream {
    let axes = (0..spec.rank())
        .filter_map(|axis| spec.axis_name(axis))
        .map(|name| quote!(#root::__private::Dim<#name>));
    let digits = (0..spec.len()).filter_map(|position| digit(spec, position, root));
    quote!(#root::__private::Format::<(#(#digits,)*), (#(#axes,)*)>)
}

/// The digit at physical position `position` as a type.
fn digit(spec: &Spec, position: usize, root: &TokenStream) -> Option<TokenStream> {
    let digit = spec.digit(position)?;
    let name = spec.axis_name(digit.axis)?;
    Some(match digit.size.map(Literal::u64_unsuffixed) {
        None if spec.stated_multiple(digit.axis) == 1 => quote!(#root::__private::Dim<#name>),
        None => {
            let multiple = Literal::u64_unsuffixed(spec.stated_multiple(digit.axis));
            quote!(#root::__private::PaddedDim<#name, #multiple>)
        }
        Some(size) if is_in_order(spec, digit.axis) => quote!(#root::__private::Block<#name, #size>),
        Some(size) => {
            let divisor = Literal::u64_unsuffixed(digit.divisor);
            quote!(#root::__private::Digit<#name, #divisor, #size>)
        }
    })
}

/// Whether the blocks of `axis` fall in significance from left to right. Asked axis by axis, so that swizzling one
/// axis does not change how the others are written.
fn is_in_order(spec: &Spec, axis: usize) -> bool {
    (0..spec.len())
        .filter(|&position| spec.digit(position).is_some_and(|digit| digit.axis == axis))
        .filter_map(|position| spec.significance(position))
        .is_sorted_by(|outer, inner| outer > inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tokens` as source, with the path of the types cut off.
    fn source(tokens: &TokenStream) -> String {
        tokens.to_string().replace("tl :: __private :: ", "").replace(' ', "")
    }

    fn expanded(text: &str) -> String {
        source(&layout(quote!({ tl } #text)))
    }

    #[test]
    fn blocked() {
        let axes = "(Dim<'n'>,Dim<'c'>,Dim<'h'>,Dim<'w'>,)";
        let digits = "(Dim<'n'>,Dim<'c'>,Dim<'h'>,Dim<'w'>,Block<'c',16>,)";
        assert_eq!(expanded("nChw16c"), format!("Format::<{digits},{axes}>"));
    }

    #[test]
    fn logical_order_comes_first() {
        assert_eq!(
            expanded("nhwc"),
            "Format::<(Dim<'n'>,Dim<'h'>,Dim<'w'>,Dim<'c'>,),(Dim<'n'>,Dim<'c'>,Dim<'h'>,Dim<'w'>,)>"
        );
    }

    #[test]
    fn one_axis_is_a_tuple() {
        assert_eq!(expanded("a"), "Format::<(Dim<'a'>,),(Dim<'a'>,)>");
    }

    /// A padding multiple, an axis in order, and a swizzled axis.
    #[test]
    fn every_digit_is_a_type() {
        let digits = "(Dim<'a'>,PaddedDim<'b',32>,Digit<'a',1,4>,Block<'b',8>,Digit<'a',4,2>,)";
        assert_eq!(expanded("AB^32_4a.0_8b2a.1"), format!("Format::<{digits},(Dim<'a'>,Dim<'b'>,)>"));
    }

    #[test]
    fn a_mistake_is_held_in_a_constant() {
        let tokens = expanded("nchw16c");
        assert!(tokens.starts_with("Format::<(),(Dim<{::core::compile_error!("), "{tokens}");
        assert!(tokens.ends_with(")}>,)>"), "{tokens}");
        assert_eq!(tokens.matches("compile_error!").count(), 1, "{tokens}");
    }

    #[test]
    fn a_call_without_the_path_is_refused() {
        let tokens = layout(quote!("nchw")).to_string();
        assert!(tokens.contains("compile_error"), "{tokens}");
    }
}
