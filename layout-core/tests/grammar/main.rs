//! The grammar from outside: every tag of oneDNN, every error, the marks, every dialect, printing, and texts that mean
//! nothing.

mod cases;
mod constant;
mod dialect;
mod errors;
mod marks;
mod oracle;
mod robust;
mod round_trip;
mod shared;
mod table;
