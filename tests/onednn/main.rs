//! Against real oneDNN, through its shared library: descriptors of random formats, and reorders byte for byte with the
//! padding. `scripts/peers` installs the library; without it every test here says that it was skipped.

mod algebra;
mod attributes;
mod compensation;
mod descriptors;
mod elements;
mod random;
mod reorders;
#[cfg(target_arch = "x86_64")]
mod rounding;
mod types;

use layout_peers::onednn::OneDnn;

/// The library, or `None` with a message.
fn library(test: &str) -> Option<OneDnn> {
    let library = OneDnn::load();
    if library.is_none() {
        eprintln!("{test}: skipped, oneDNN is not installed (scripts/peers installs it)");
    }
    library
}
