//! C, C++ and CUDA with the compilers `cc` and `c++`, warnings being errors. CUDA's own words are defined away.

use crate::cases::{self, Case};
use crate::program::{Style, compare, source};
use layout_core::index_code::Language;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("index_code").join(name);
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    folder
}

/// Runs the code of all cases, compiled by `compiler`; says that it was skipped where there is none.
fn run(name: &str, compiler: &str, file: &str, flags: &[&str], style: Style) {
    if Command::new(compiler).arg("--version").output().is_err() {
        println!("note: there is no compiler `{compiler}`; {name} was skipped");
        return;
    }
    let cases = cases::all();
    let folder = folder(name);
    let (source, program) = (folder.join(file), folder.join("program"));
    std::fs::write(&source, text(&cases, style)).expect("the source can be written");
    let built = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-O1"])
        // A remainder of an unsigned number that is known to be 0 or more, a loop that ends at once.
        .args(["-Wno-type-limits", "-Wno-unused-function"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("the compiler runs");
    let words = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{name}: {}", words.lines().take(20).collect::<Vec<_>>().join("\n"));
    let out = Command::new(&program).output().expect("the program runs");
    assert!(out.status.success(), "{name}: {}", out.status);
    let text = String::from_utf8(out.stdout).expect("numbers");
    let numbers = |line: &str| line.split_ascii_whitespace().map(|n| n.parse().expect("a number")).collect();
    compare(&cases, &text.lines().map(numbers).collect::<Vec<_>>(), name);
}

fn text(cases: &[Case], style: Style) -> String {
    let (mut functions, mut main) = (String::new(), String::new());
    for (i, case) in cases.iter().enumerate() {
        let (code, body) = source(case, style, &format!("t{i}"));
        functions.push_str(&code);
        let _ = writeln!(main, "static void case{i}(void) {{\n{body}printf(\"\\n\");\n}}");
    }
    let calls: String = (0..cases.len()).map(|i| format!("    case{i}();\n")).collect();
    let include = match style.language {
        Language::Cpp => "#include <cstddef>\n#include <cstdint>\n#include <cstdio>\n",
        _ => "#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n",
    };
    format!(
        "{include}#define PUT(value) printf(\"%lld \", (long long)(value))\n{functions}{main}\
         int main(void) {{\n{calls}    return 0;\n}}\n"
    )
}

#[test]
fn c() {
    let style = Style { language: Language::C, bits: 64, as_macro: false };
    run("c", "cc", "code.c", &["-std=c99", "-pedantic"], style);
}

#[test]
fn c_macros_of_32_bits() {
    let style = Style { language: Language::C, bits: 32, as_macro: true };
    run("c_macros", "cc", "code.c", &["-std=c99", "-pedantic", "-O0"], style);
}

#[test]
fn cpp() {
    let style = Style { language: Language::Cpp, bits: 64, as_macro: false };
    run("cpp", "c++", "code.cpp", &["-std=c++14", "-pedantic"], style);
}

#[test]
fn cpp_of_32_bits() {
    let style = Style { language: Language::Cpp, bits: 32, as_macro: false };
    run("cpp32", "c++", "code.cpp", &["-std=c++20", "-pedantic", "-O0"], style);
}

#[test]
fn cuda_by_a_compiler_of_cpp() {
    let style = Style { language: Language::Cuda, bits: 32, as_macro: false };
    let flags = ["-D__host__=", "-D__device__=", "-D__forceinline__=inline", "-std=c++17", "-O0"];
    run("cuda", "c++", "code.cpp", &flags, style);
}
