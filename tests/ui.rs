//! The compile-fail catalogue: `ui-tests/fail`, one mistake a file, named after it. Run with `TRYBUILD=overwrite` to write the
//! expected errors anew. What must compile is in `tests/pass.rs`: beside programs that run, trybuild would build one file after
//! the other, where these are checked at once.

use std::path::{Path, PathBuf};

/// The compiler whose messages the `.stderr` files hold: the one that `rust-toolchain.toml` pins.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn catalogue() {
    let version = std::process::Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .arg("--version")
        .output()
        .expect("the compiler that runs this test runs");
    let version = String::from_utf8_lossy(&version.stdout);
    if version.starts_with(COMPILER) {
        trybuild::TestCases::new().compile_fail("ui-tests/fail/*/*.rs");
    } else {
        println!("skipped: the compile-fail catalogue holds the messages of {COMPILER}x, this is {version}");
    }
}

#[test]
fn one_mistake_is_one_error() {
    let cases = expected_errors();
    assert!(!cases.is_empty(), "the catalogue is missing");
    for case in cases {
        let text = std::fs::read_to_string(&case).expect("an expected error is readable");
        let errors = text.lines().filter(|line| line.starts_with("error")).count();
        assert_eq!(errors, 1, "{} reports {errors} errors", case.display());
    }
}

/// The `.stderr` files of the catalogue.
fn expected_errors() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui-tests/fail");
    let entries = |folder: PathBuf| std::fs::read_dir(folder).expect("a folder of the catalogue is readable");
    entries(root)
        .flat_map(|folder| entries(folder.expect("an entry is readable").path()))
        .map(|entry| entry.expect("an entry is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "stderr"))
        .collect()
}
