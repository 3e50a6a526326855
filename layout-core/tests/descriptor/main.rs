//! Descriptors against the guides' worked examples, oneDNN's golden table, and brute force over every offset.
//! One binary; `oracle` holds what the other modules compare with.

mod algebra;
mod equality;
mod fit;
mod golden;
mod guides;
mod hand_made;
mod oracle;
mod packed;
mod properties;
mod same;
mod strided;
mod text;
