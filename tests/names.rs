//! Every name of every system through `layout!`: a crate is generated in which each known name, with its prefix, has to
//! be the same type as the canonical spelling of what it means, and then compiled. The names are those of
//! `grammar::known_names`, which the grammar's own tests hold against the systems' tables.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tensor_layout::grammar::{ParseErrorKind, Spec, known_names};

const MANIFEST: &str = r#"[package]
name = "NAME"
version = "0.0.0"
edition = "2024"

[lib]
path = "lib.rs"

[dependencies]
tensor-layout = { path = "ROOT", default-features = false }

[workspace]
"#;

/// Compiles `source` as a crate called `name`.
fn check(name: &str, source: &str) -> Result<(), String> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder of test output can be written");
    let root = repository.display().to_string().replace('\\', "/");
    std::fs::write(folder.join("Cargo.toml"), MANIFEST.replace("ROOT", &root).replace("NAME", name))
        .expect("the manifest can be written");
    std::fs::write(folder.join("lib.rs"), source).expect("the source can be written");
    // The dependencies are those of the workspace, which are there already: nothing is fetched.
    std::fs::copy(repository.join("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the lock file can be copied");
    let output = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("names-target"))
        .current_dir(&folder)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .output()
        .expect("cargo can be started");
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn every_known_name_is_the_type_of_its_canonical_spelling() {
    let mut source = String::from(
        "#![no_std]\n#![recursion_limit = \"512\"]\nuse tensor_layout::layout;\nfn same<T>(_: T, _: T) {}\n",
    );
    let (mut compared, mut unknown_rank) = (0, 0);
    for chunk in known_names().collect::<Vec<_>>().chunks(100) {
        writeln!(source, "pub fn names_{compared}_{unknown_rank}() {{").unwrap();
        for name in chunk {
            let text = format!("{}:{}", name.dialect().prefix(), name.name());
            match Spec::parse(&text) {
                Ok(spec) => {
                    writeln!(source, "    same(layout!(\"{text}\"), layout!(\"{spec}\"));").unwrap();
                    compared += 1;
                }
                // Nothing else may keep a known name from being a type.
                Err(error) => {
                    let kind = error.kind();
                    assert!(
                        matches!(kind, ParseErrorKind::RankUnknown | ParseErrorKind::BytesUnknown { .. }),
                        "{text}: {error}"
                    );
                    unknown_rank += 1;
                }
            }
        }
        source.push_str("}\n");
    }
    assert!(compared > 1900, "{compared} names are known");
    if let Err(errors) = check("all-names", &source) {
        panic!("{errors}");
    }
    println!("{compared} names are types; {unknown_rank} depend on the rank or the element size");
}

/// The generated crate can fail: two layouts that differ do not compile.
#[test]
fn a_wrong_pair_does_not_compile() {
    let source = "#![no_std]\nuse tensor_layout::layout;\nfn same<T>(_: T, _: T) {}\n\
                  pub fn f() { same(layout!(\"ov:bfyx\"), layout!(\"nhwc\")); }\n";
    let errors = check("wrong-pair", source).expect_err("`bfyx` is not `nhwc`");
    assert!(errors.contains("mismatched types"), "{errors}");
}
