//! Operations on descriptors, each compared over all coordinates with the same operation on a table of offsets.

mod axes;
mod chains;
mod compose;
mod halo;
mod model;
mod refused;
mod reshape;
mod submemory;
mod tile;
