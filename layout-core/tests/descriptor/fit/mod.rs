//! How descriptors fit names, PyTorch's rules, other layouts and the machine.

mod common_run;
mod footprint;
mod formats;
mod pytorch;
