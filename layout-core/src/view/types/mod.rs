//! What each of the five types can do: constructors, conversions, and the members that they share.

mod dense;
mod methods;
mod operators;
mod strided;
mod tensor;

pub(super) use operators::no_memory;
