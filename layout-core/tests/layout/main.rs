//! Layout types: the guides' formulas to the number, the inverse by brute force, what the markers admit, and what must
//! hold of the types.

mod brute_force;
mod guides;
mod markers;
mod types;
