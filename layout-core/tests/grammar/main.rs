//! The grammar from outside: every tag of oneDNN, every error, printing, and texts that mean nothing.

mod cases;
mod constant;
mod errors;
mod oracle;
mod robust;
mod round_trip;
mod table;
