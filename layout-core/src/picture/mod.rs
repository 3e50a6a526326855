//! A layout for the eye: in words ([`Description`]).
mod describe;
mod formula;

pub use describe::Description;
