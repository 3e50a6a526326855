//! Other systems, called through their shared libraries for comparison in tests and benchmarks. Nothing of the
//! libraries is linked or shipped: `scripts/peers` installs them into `target/peers`, and where one is absent the
//! callers say that they skipped it.

pub mod ipp;
pub mod mkl;
pub mod onednn;
mod threads;
pub mod torch;

pub use threads::{set_environment, set_openmp_threads, set_tbb_threads};

use std::path::{Path, PathBuf};

/// The library `name` that `scripts/peers` installed in `folder` of `target/peers`.
fn library(folder: &str, name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?.join("target/peers");
    let path = root.join(folder).join(name);
    path.exists().then_some(path)
}

/// Loads the library `name` from the folder of `beside`, where it is there, and keeps it: what is loaded later finds its
/// dependency by name.
#[cfg(unix)]
fn preload(beside: &Path, name: &str) -> Result<(), libloading::Error> {
    use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

    let path = beside.with_file_name(name);
    if path.exists() {
        // SAFETY: the initialisers of these run-time libraries have no preconditions.
        let library = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_GLOBAL) }?;
        std::mem::forget(library);
    }
    Ok(())
}

/// Does nothing: `scripts/peers` installs libraries for Linux.
#[cfg(not(unix))]
fn preload(_beside: &Path, _name: &str) -> Result<(), libloading::Error> {
    Ok(())
}
