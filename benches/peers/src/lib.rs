//! Other systems, called through their shared libraries for comparison in tests and benchmarks. Nothing of the
//! libraries is linked or shipped: `scripts/peers` installs them into `target/peers`, and where one is absent the
//! callers say that they skipped it.

pub mod onednn;
