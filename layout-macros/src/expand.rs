//! A format string to the type of the layout. Called by the macro's entry point; the grammar decides what is valid.

use layout_core::grammar::Spec;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

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
    let axes: Vec<_> = (0..spec.rank()).filter_map(|axis| spec.axis_name(axis)).collect();
    let axes = if axes.is_empty() { quote!(()) } else { named_tuple(&axes, &[], root) };
    let digits = usual_digits(spec, root).unwrap_or_else(|| {
        let digits = (0..spec.len()).filter_map(|position| digit(spec, position, root));
        quote!((#(#digits,)*))
    });
    quote!(#root::__private::Format::<#digits, #axes>)
}

/// The facade's name for a tuple of `axes`, and blocks behind them.
fn named_tuple(axes: &[char], blocks: &[(char, u64)], root: &TokenStream) -> TokenStream {
    let name = match blocks.len() {
        0 => format_ident!("Axes{}", axes.len()),
        blocks => format_ident!("Axes{}Blocks{}", axes.len(), blocks),
    };
    let blocks = blocks.iter().map(|&(name, size)| (name, Literal::u64_unsuffixed(size)));
    let (names, sizes): (Vec<_>, Vec<_>) = blocks.unzip();
    quote!(#root::__private::#name<#(#axes,)* #(#names, #sizes),*>)
}

/// The digits of a format whose blocks are behind its axes, where their tuple has a name.
fn usual_digits(spec: &Spec, root: &TokenStream) -> Option<TokenStream> {
    let (rank, len) = (spec.rank(), spec.len());
    if rank == 0 || len > rank && (rank > 6 || len - rank > 3) {
        return None;
    }
    let (mut axes, mut blocks) = (vec![], vec![]);
    for position in 0..len {
        let digit = spec.digit(position)?;
        let name = spec.axis_name(digit.axis)?;
        match digit.size {
            None if blocks.is_empty() && spec.stated_multiple(digit.axis) == 1 => axes.push(name),
            Some(size) if axes.len() == rank && is_in_order(spec, digit.axis) => blocks.push((name, size)),
            _ => return None,
        }
    }
    Some(named_tuple(&axes, &blocks, root))
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
        let axes = "Axes4<'n','c','h','w',>";
        assert_eq!(expanded("nChw16c"), format!("Format::<Axes4Blocks1<'n','c','h','w','c',16>,{axes}>"));
        let axes = "Axes4<'o','i','h','w',>";
        let digits = "Axes4Blocks3<'o','i','h','w','i',4,'o',16,'i',4>";
        assert_eq!(expanded("OIhw4i16o4i"), format!("Format::<{digits},{axes}>"));
    }

    /// Digits that have no name are written out: blocks before an axis, and more of them than there are names for.
    #[test]
    fn other_blocks() {
        let digits = "(Dim<'a'>,Block<'b',8>,Dim<'b'>,)";
        assert_eq!(expanded("a8b_B"), format!("Format::<{digits},Axes2<'a','b',>>"));
        let digits = "(Dim<'a'>,Block<'a',2>,Block<'a',2>,Block<'a',2>,Block<'a',2>,)";
        assert_eq!(expanded("A2a2a2a2a"), format!("Format::<{digits},Axes1<'a',>>"));
        assert_eq!(expanded("scalar"), "Format::<(),()>");
    }

    #[test]
    fn logical_order_comes_first() {
        assert_eq!(expanded("nhwc"), "Format::<Axes4<'n','h','w','c',>,Axes4<'n','c','h','w',>>");
    }

    #[test]
    fn one_axis_is_a_tuple() {
        assert_eq!(expanded("a"), "Format::<Axes1<'a',>,Axes1<'a',>>");
    }

    /// A padding multiple, an axis in order, and a swizzled axis.
    #[test]
    fn every_digit_is_a_type() {
        let digits = "(Dim<'a'>,PaddedDim<'b',32>,Digit<'a',1,4>,Block<'b',8>,Digit<'a',4,2>,)";
        assert_eq!(expanded("AB^32_4a.0_8b2a.1"), format!("Format::<{digits},Axes2<'a','b',>>"));
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
