//! What compute kernels go over: blocks with their tail, rows, windows with their halo, several views in lockstep.

mod along;
mod pixels;
mod valid;
mod windows;
mod zip;
