//! How many threads the libraries use. Called by benchmarks, before anything is loaded.

use libloading::Library;
use std::ffi::c_int;

/// Tells the libraries through the environment how many threads to use, where OpenCL's drivers are, and not to chatter.
/// They read it when they are loaded.
///
/// # Safety
/// No other thread runs: the environment belongs to all of them.
pub unsafe fn set_environment(threads: usize) {
    let threads = threads.to_string();
    let driver = crate::library("onednn-3.13", "libintelocl.so").unwrap_or_default();
    let variables: [(&str, &str); 6] = [
        ("OMP_NUM_THREADS", &threads),
        ("MKL_NUM_THREADS", &threads),
        // Intel's OpenMP is not installed; GNU's is that of the others.
        ("MKL_THREADING_LAYER", "GNU"),
        ("DPCPP_CPU_NUM_CUS", &threads),
        ("OCL_ICD_FILENAMES", &driver.to_string_lossy()),
        ("ONEDNN_VERBOSE", "0"),
    ];
    for (name, value) in variables {
        // SAFETY: the caller's promise.
        unsafe { std::env::set_var(name, value) };
    }
}

/// Sets the number of threads of the OpenMP runtime that oneDNN, MKL and HPTT share, for calls of this thread. The
/// environment comes too late where the runtime was loaded with the program.
pub fn set_openmp_threads(threads: usize) {
    // SAFETY: the initialisers of the OpenMP runtime have no preconditions.
    let Ok(library) = (unsafe { Library::new("libgomp.so.1") }) else { return };
    // SAFETY: `void omp_set_num_threads(int)`, OpenMP 1.0.
    if let Ok(set) = unsafe { library.get::<unsafe extern "C" fn(c_int)>(b"omp_set_num_threads\0") } {
        // SAFETY: any positive number will do.
        unsafe { set(threads as c_int) };
    }
    // Unloading a runtime that has threads is not safe; the others use it as well.
    std::mem::forget(library);
}
