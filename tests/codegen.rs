//! What typed offsets and blocks cost in machine code. Compiles the crate in `tests/codegen/` with optimisation and reads
//! the assembly: offsets hold no division, no call and no loop, and no more instructions than the formula written by
//! hand; loops over a block are vectors; the inner loops of kernels are those of the same kernels on raw pointers. For x86-64 alone: elsewhere each test prints that it was skipped.

#[path = "codegen/assembly.rs"]
mod assembly;

use assembly::{Assembly, Function};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

/// layout-core, compiled for optimised programs.
static CORE: LazyLock<Library> = LazyLock::new(build);

/// The assembly of the compiled crate; `None` on other processors.
static COMPILED: LazyLock<Option<Assembly>> = LazyLock::new(|| {
    if cfg!(target_arch = "x86_64") {
        Some(Assembly::parse(&compile()))
    } else {
        println!("skipped: machine code is read for x86-64 alone");
        None
    }
});

const MANIFEST: &str = r#"[package]
name = "machine-code"
version = "0.0.0"
edition = "2024"

[lib]
path = "lib.rs"

[dependencies]
layout-core = { path = "CORE", default-features = false, features = ["std", "tensors"] }

[profile.release]
opt-level = 0
codegen-units = 16

[workspace]
"#;

/// A library, and the folder with those that it depends on.
struct Library {
    file: PathBuf,
    dependencies: PathBuf,
}

/// Compiles layout-core beside the other test output.
fn build() -> Library {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("codegen");
    std::fs::create_dir_all(folder.join("target")).expect("the folder of test output can be written");
    let core = repository.join("layout-core").display().to_string().replace('\\', "/");
    std::fs::write(folder.join("Cargo.toml"), MANIFEST.replace("CORE", &core))
        .expect("the manifest can be written");
    std::fs::write(folder.join("lib.rs"), "").expect("the source can be written");
    // The dependencies are those of the workspace, which are there already: nothing is fetched.
    std::fs::copy(repository.join("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the lock file can be copied");

    let start = Instant::now();
    // What is measured is inlined into the crate; what stays behind in layout-core is never run, so that nobody need improve it.
    let built = output(
        Command::new(env!("CARGO"))
            .args([
                "build",
                "--offline",
                "--release",
                "--package",
                "layout-core",
                "--message-format=json-render-diagnostics",
            ])
            .arg("--target-dir")
            .arg(folder.join("target"))
            .current_dir(&folder)
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET"),
    );
    let file = built
        .split('"')
        .rfind(|path| path.contains("layout_core") && path.ends_with(".rlib"))
        .expect("cargo names the library that it has built");
    println!("layout-core was compiled in {:.1} s", start.elapsed().as_secs_f32());
    Library { file: file.into(), dependencies: folder.join("target/release/deps") }
}

/// The command that compiles `tests/codegen/<name>.rs` to `<name>.s`, and that file.
fn compiler(name: &str) -> (Command, PathBuf) {
    let assembly = CORE.dependencies.join(name).with_extension("s");
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command
        .args(["--edition=2024", "--crate-name=machine_code", "--crate-type=lib"])
        .args(["-Copt-level=3", "-Ccodegen-units=1", "--extern"])
        .arg(format!("layout_core={}", CORE.file.display()))
        .arg("-L")
        .arg(format!("dependency={}", CORE.dependencies.display()))
        .arg(format!("--emit=asm={}", assembly.display()))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/codegen/{name}.rs")));
    (command, assembly)
}

/// Compiles `tests/codegen/offsets.rs` and returns its assembly.
fn compile() -> String {
    let (mut command, assembly) = compiler("offsets");
    output(&mut command);
    std::fs::read_to_string(&assembly).expect("the compiler wrote the assembly")
}

/// A mistake that the compiler sees where it makes code for a function, and `tests/ui.rs`, which makes none, does not.
#[test]
fn zeros_into_other_padding_are_refused() {
    let (mut command, _) = compiler("zeros_into_filled");
    let refused = command.output().expect("the compiler can be started");
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success(), "this compiles");
    for part in [
        "error[E0080]: evaluation panicked: this function writes zeros to the padding, but the layout is `Filled`",
        "make the tensor in the layout without `Filled` and call `into_filled`, or write through `with_dirty`",
    ] {
        assert!(errors.contains(part), "not in the error: {part}\n{errors}");
    }
    assert_eq!(errors.lines().filter(|line| line.starts_with("error[")).count(), 1, "{errors}");
}

/// Runs `command`, which has to succeed, and returns what it prints.
fn output(command: &mut Command) -> String {
    let output = command.output().expect("the compiler can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the crate in tests/codegen does not compile:\n{errors}");
    String::from_utf8(output.stdout).expect("the compiler prints text")
}

fn function<'a>(assembly: &'a Assembly, name: &str) -> &'a Function {
    assembly.function(name).unwrap_or_else(|| panic!("`{name}` is not in the assembly"))
}

/// Asserts that `typed_<case>` is straight-line code and no longer than `hand_<case>`.
fn assert_as_good_as_by_hand(case: &str) {
    let Some(assembly) = &*COMPILED else { return };
    let typed = function(assembly, &format!("typed_{case}"));
    let hand = function(assembly, &format!("hand_{case}"));
    println!("{case}: {} instructions, {} by hand", typed.len(), hand.len());
    let listings = || format!("typed:\n{}by hand:\n{}", typed.listing(), hand.listing());
    assert_eq!(typed.divisions(), 0, "the offset of {case} divides\n{}", listings());
    assert_eq!(typed.calls(), 0, "the offset of {case} calls a function\n{}", listings());
    assert_eq!(typed.loops(), 0, "the offset of {case} loops\n{}", listings());
    assert!(
        typed.len() >= 3,
        "the offset of {case} is too short to be one: was it read in full?\n{}",
        listings()
    );
    assert!(
        typed.len() <= hand.len(),
        "the offset of {case} takes {} instructions, {} by hand\n{}",
        typed.len(),
        hand.len(),
        listings()
    );
}

#[test]
fn plain_offsets_are_as_good_as_by_hand() {
    assert_as_good_as_by_hand("plain");
    assert_as_good_as_by_hand("plain_static");
}

#[test]
fn blocked_offsets_are_as_good_as_by_hand() {
    assert_as_good_as_by_hand("blocked");
    assert_as_good_as_by_hand("blocked_static");
    assert_as_good_as_by_hand("blocked_mixed");
}

#[test]
fn double_blocked_offsets_are_as_good_as_by_hand() {
    assert_as_good_as_by_hand("double_blocked");
    assert_as_good_as_by_hand("double_blocked_static");
}

#[test]
fn offsets_in_blocks_of_12_are_as_good_as_by_hand() {
    assert_as_good_as_by_hand("block_of_12");
    assert_as_good_as_by_hand("block_of_12_static");
}

#[test]
fn a_loop_over_a_block_is_vectors() {
    let Some(assembly) = &*COMPILED else { return };
    let relu = function(assembly, "block_of_array");
    assert_eq!(relu.named("maxps"), 4, "16 f32 are four vectors of 128 bits\n{}", relu.listing());
    assert_eq!((relu.named("maxss"), relu.loops()), (0, 0), "the block is not unrolled\n{}", relu.listing());
}

#[test]
fn elements_of_views_are_as_good_as_by_hand() {
    assert_as_good_as_by_hand("element");
    assert_as_good_as_by_hand("element_by_names");
}

#[test]
fn loops_over_the_blocks_of_views_are_vectors() {
    let Some(assembly) = &*COMPILED else { return };
    for name in ["block_of_view", "block_of_strided_view", "block_with_index"] {
        let relu = function(assembly, name);
        println!("{name}: {} instructions", relu.len());
        assert!(relu.named("maxps") > 0, "{name} has no packed maximum\n{}", relu.listing());
        assert_eq!(relu.named("maxss"), 0, "{name} goes element by element\n{}", relu.listing());
        assert_eq!(relu.calls(), 0, "{name} calls a function\n{}", relu.listing());
    }
}

/// The names of the vector instructions, sorted. The order of the operands of a sum is the allocator's choice.
fn vectors(names: &[String]) -> Vec<String> {
    let is_vector = |name: &&String| name.starts_with('v');
    let mut vectors: Vec<String> =
        names.iter().filter(is_vector).map(|name| name.replace(['1', '2', '3'], "")).collect();
    vectors.sort();
    vectors
}

/// Asserts that the inner loops of `typed_<case>` have the vector instructions of `hand_<case>`: as many multiplications with
/// addition as there are sums, and loads where those have loads. How a loop counts is the compiler's choice.
fn assert_same_inner_loops(case: &str, sums: usize) {
    let Some(assembly) = &*COMPILED else { return };
    let [typed, hand] = ["typed", "hand"].map(|who| function(assembly, &format!("{who}_{case}")));
    let [typed_loops, hand_loops] = [typed, hand].map(|function| function.inner_loops_with("fmadd"));
    let listings = || format!("typed:\n{}by hand:\n{}", typed.listing(), hand.listing());
    assert!(!typed_loops.is_empty() && !hand_loops.is_empty(), "{case} has no loop of sums\n{}", listings());
    for (typed, hand) in typed_loops.iter().flat_map(|typed| hand_loops.iter().map(move |hand| (typed, hand)))
    {
        let [in_typed, in_hand] = [typed, hand].map(|names| vectors(names));
        println!("{case}: {} instructions in the inner loop, {} by hand", typed.len(), hand.len());
        assert_eq!(in_typed.iter().filter(|name| name.contains("fmadd")).count(), sums, "{}", listings());
        assert_eq!(in_typed, in_hand, "{case}: other vector instructions\n{}", listings());
        assert!(typed.len() <= hand.len() + 2, "{case}: a longer inner loop\n{}", listings());
    }
}

#[test]
fn the_inner_loop_of_a_convolution_is_that_on_raw_pointers() {
    assert_same_inner_loops("convolution", 14);
}

#[test]
fn the_inner_loop_of_a_matrix_multiply_is_that_on_raw_pointers() {
    assert_same_inner_loops("multiply", 24);
}

/// Asserts that what `typed_<case>` repeats has the vector instructions of `hand_<case>`, `count` of them named like
/// `fragment`, and at most two others more.
fn assert_same_straight_code(case: &str, fragment: &str, count: usize) {
    let Some(assembly) = &*COMPILED else { return };
    let [typed, hand] = ["typed", "hand"].map(|who| function(assembly, &format!("{who}_{case}")));
    let listings = || format!("typed:\n{}by hand:\n{}", typed.listing(), hand.listing());
    let [in_typed, in_hand] = [typed, hand].map(|function| function.straight_with_most(fragment));
    println!("{case}: {} instructions in what is repeated, {} by hand", in_typed.len(), in_hand.len());
    let found = in_typed.iter().filter(|name| name.contains(fragment)).count();
    assert_eq!(found, count, "{case}: another number of `{fragment}`\n{}", listings());
    assert_eq!(vectors(&in_typed), vectors(&in_hand), "{case}: other vector instructions\n{}", listings());
    assert!(in_typed.len() <= in_hand.len() + 2, "{case}: more beside the vectors\n{}", listings());
}

#[test]
fn dot_products_are_as_on_raw_pointers() {
    assert_same_straight_code("dot", "vpdpbusd", 28);
}

#[test]
fn a_depthwise_convolution_is_as_on_raw_pointers() {
    assert_same_straight_code("depthwise", "fmadd", 21);
}

#[test]
fn pooling_is_as_on_raw_pointers() {
    assert_same_straight_code("pooling", "vmaxps", 12);
}

#[test]
fn softmax_is_as_on_raw_pointers() {
    assert_same_straight_code("softmax", "fmadd", 8);
}

#[test]
fn scores_of_attention_are_as_on_raw_pointers() {
    assert_same_straight_code("attention", "fmadd", 4);
}

/// A block is 64 bytes, so that a loop over blocks has one load, or two, one store, and little beside its arithmetic: no
/// look at the index, no count that lies in memory, nothing of the tail but its mask.
#[test]
fn loops_over_blocks_with_a_tail_are_as_on_raw_pointers() {
    let Some(assembly) = &*COMPILED else { return };
    for (name, fragment) in [("blocks_with_tail", "fmadd"), ("blocks_greatest", "maxps")] {
        let found = function(assembly, name);
        let loops = found.inner_loops_with(fragment);
        assert_eq!(loops.len(), 1, "{name} has other inner loops\n{}", found.listing());
        println!("{name}: {} instructions in the inner loop", loops[0].len());
        assert!(loops[0].len() <= 16, "{name} has a long inner loop\n{}", found.listing());
        assert!(loops[0].iter().filter(|name| name.starts_with("vmov")).count() <= 4, "{}", found.listing());
        assert_eq!(found.calls(), 0, "{name} calls\n{}", found.listing());
    }
}

/// LLVM would take several blocks at once, element by element.
#[test]
fn loops_over_blocks_gather_nothing() {
    let Some(assembly) = &*COMPILED else { return };
    for name in ["blocks_for", "blocks_for_each", "blocks_with_tail", "blocks_greatest"] {
        let found = function(assembly, name);
        let scattered = ["gatherqps", "gatherdps", "scatterqps", "scatterdps"].map(|name| found.named(name));
        assert_eq!(scattered, [0; 4], "{name} loads or stores element by element\n{}", found.listing());
    }
    for name in ["blocks_for", "blocks_for_each"] {
        let found = function(assembly, name);
        assert!(found.uses("vdivps", "zmm"), "{name} has no vectors\n{}", found.listing());
    }
}

#[test]
fn dispatch_compiles_for_each_family() {
    let Some(assembly) = &*COMPILED else { return };
    let compiled: Vec<_> = assembly.functions_named_like("with_features").collect();
    for (family, registers, name) in [("AVX-512", "zmm", "vmaxps"), ("AVX2", "ymm", "vmaxps")] {
        let found = compiled.iter().any(|function| function.uses(name, registers));
        assert!(found, "nothing was compiled for {family} in {} functions", compiled.len());
    }
    // SSE4.1 has the instructions of the target of the build for this loop; LLVM may then merge the two.
    let caller = function(assembly, "dispatched");
    assert!(caller.named("maxps") > 0 || caller.calls() > 2, "no portable code\n{}", caller.listing());
}

/// The same reader finds what it looks for in code that has it.
#[test]
fn divisions_and_loops_are_seen_where_they_are() {
    let Some(assembly) = &*COMPILED else { return };
    let sample = function(assembly, "sample_not_straight");
    assert!(sample.divisions() > 0 && sample.loops() > 0, "{}", sample.listing());
    let sample = function(assembly, "sample_scalar_loop");
    assert!(sample.named("maxss") > 0 && sample.loops() > 0, "{}", sample.listing());
}
