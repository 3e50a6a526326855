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

/// Sets the number of threads of the TBB runtime that the newest oneDNN brings, for the rest of the process; to be called when it
/// is loaded, and says so where that cannot be done. Left alone, it takes a second core in some processes and none in others.
#[cfg(target_os = "linux")]
pub fn set_tbb_threads(threads: usize) {
    use libloading::os::unix::{Library, RTLD_NOW};

    /// `tbb::global_control`, of oneTBB 2021 and later: a value, one pointer for the library, and which parameter it is for.
    #[repr(C)]
    struct GlobalControl {
        value: usize,
        reserved: isize,
        parameter: c_int,
    }
    const MAX_ALLOWED_PARALLELISM: c_int = 0;
    /// What is there already, and nothing else.
    const RTLD_NOLOAD: c_int = 4;

    // SAFETY: nothing is loaded, hence no initialiser runs.
    let Ok(library) = (unsafe { Library::open(Some("libtbb.so.12"), RTLD_NOW | RTLD_NOLOAD) }) else {
        return;
    };
    type Create = unsafe extern "C" fn(*mut GlobalControl);
    type Active = unsafe extern "C" fn(c_int) -> usize;
    // SAFETY: `tbb::detail::r1::create(tbb::detail::d1::global_control&)`.
    let create = unsafe { library.get::<Create>(b"_ZN3tbb6detail2r16createERNS0_2d114global_controlE\0") };
    // SAFETY: `tbb::detail::r1::global_control_active_value(int)`.
    let active = unsafe { library.get::<Active>(b"_ZN3tbb6detail2r127global_control_active_valueEi\0") };
    let (Ok(create), Ok(active)) = (create, active) else {
        eprintln!("TBB cannot be told how many threads to take");
        return;
    };
    let control = GlobalControl { value: threads, reserved: 0, parameter: MAX_ALLOWED_PARALLELISM };
    // SAFETY: it is never destroyed, and never moves.
    unsafe { create(Box::leak(Box::new(control))) };
    // SAFETY: no precondition.
    let found = unsafe { active(MAX_ALLOWED_PARALLELISM) };
    if found != threads {
        eprintln!("TBB takes {found} threads, not {threads}");
    }
    std::mem::forget(library);
}

/// Does nothing: `scripts/peers` installs libraries for Linux.
#[cfg(not(target_os = "linux"))]
pub fn set_tbb_threads(_threads: usize) {}
