//! What `layout!` costs its users while compiling: `cargo bench --bench compile_time`.
//!
//! Writes small crates below the target directory, times cargo on them and prints a table: the clean build of a user
//! crate, crate by crate, and the check of 1,000 different layouts, by macro and with the same types written by hand.
//! Works offline; takes about a minute. Not a criterion benchmark, since one sample here is one run of the compiler.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use tensor_layout::Spec;

/// Layouts in the generated crates.
const LAYOUTS: usize = 1_000;
/// Pairs of layouts in the program that reorders.
const PAIRS: usize = 50;
/// Runs of each check; the table shows the fastest.
const RUNS: usize = 5;

/// Names the file in which this program notes times when cargo calls it in place of the compiler.
const LOG: &str = "COMPILE_TIME_LOG";

fn main() -> ExitCode {
    if let Some(log) = std::env::var_os(LOG) {
        return time_compiler(Path::new(&log));
    }
    // `cargo test --benches` runs this too, with `--test` or without `--bench`; it has nothing to check then.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    // `-- pairs` prints the last table alone.
    if !std::env::args().any(|argument| argument == "pairs") {
        println!("clean build of a user crate with one layout, `cargo build`");
        clean_build("dev");
        clean_build("release");
        println!("\n`cargo check` of {LAYOUTS} different layouts, dependencies built, fastest of {RUNS}");
        expansions();
    }
    println!(
        "\na program with {PAIRS} reorders between pairs of layouts, `cargo build --release`, dependencies built"
    );
    reorders();
    ExitCode::SUCCESS
}

/// Runs the compiler for cargo (`RUSTC_WRAPPER`) and notes in `log` what it compiled and for how long.
fn time_compiler(log: &Path) -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let start = Instant::now();
    let status = Command::new(&arguments[0]).args(&arguments[1..]).status();
    let time = start.elapsed();
    let text: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let name = text.iter().skip_while(|&argument| argument != "--crate-name").nth(1);
    // Cargo asks the compiler about itself as `___`.
    if let Some(name) = name.filter(|&name| name != "___") {
        // Cargo tells the compiler which package it builds.
        let [package, version] =
            ["CARGO_PKG_NAME", "CARGO_PKG_VERSION"].map(|name| std::env::var(name).unwrap_or_default());
        let script = if name.starts_with("build_script") { ", build script" } else { "" };
        let std = text.iter().any(|argument| argument == "feature=\"std\"");
        let macros = if package == "layout-core" && !std { ", for the macro" } else { "" };
        let mut file = fs::File::options().create(true).append(true).open(log).expect("the log opens");
        let line = format!("{package} {version}{script}{macros}\t{}\n", time.as_secs_f64());
        file.write_all(line.as_bytes()).expect("the log is written");
    }
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Times the clean build of a small user crate: as cargo does it, then crate by crate, one at a time.
fn clean_build(profile: &str) {
    const SOURCE: &str = "pub type Act = tensor_layout::layout!(\"nChw16c\");\n";
    let user = Crate::new("user", "", SOURCE);
    let lean = Crate::new("lean", "default-features = false", SOURCE);
    let empty = Crate::empty();
    row(&format!("{profile}: a crate without dependencies"), empty.clean_build(profile));
    row(&format!("{profile}: with one layout, no features"), lean.clean_build(profile));
    row(&format!("{profile}: with one layout, default features"), user.clean_build(profile));
    user.clean();
    let log = user.root.join("times.tsv");
    // Absent on the first run.
    let _ = fs::remove_file(&log);
    user.cargo_with(&["build", "--profile", profile, "--jobs", "1"], Some(&log));
    for line in fs::read_to_string(&log).expect("the log is there").lines() {
        if let Some((package, seconds)) = line.split_once('\t') {
            let seconds = seconds.parse().expect("the log holds seconds");
            row(&format!("{profile}:   {package}"), Duration::from_secs_f64(seconds));
        }
    }
}

/// Times the check of many layouts.
fn expansions() {
    let formats = formats();
    let mut by_macro = String::new();
    let mut by_hand = String::from("use tensor_layout::__private::{Block, Dim, Format};\n");
    for (i, format) in formats.iter().enumerate() {
        // Writing into a `String` cannot fail.
        let _ = writeln!(by_macro, "pub type L{i} = tensor_layout::layout!(\"{format}\");");
        let _ = writeln!(by_hand, "pub type L{i} = {};", written_out(format));
    }
    let uses = (0..formats.len()).fold(String::new(), |mut uses, i| {
        let _ = writeln!(uses, "pub const R{i}: usize = <L{i} as tensor_layout::Layout>::PADDING.len();");
        uses
    });
    let baseline = Crate::new("nothing", "", "").check();
    let by_macro_time = Crate::new("by_macro", "", &by_macro).check();
    let by_hand_time = Crate::new("by_hand", "", &by_hand).check();
    let used_time = Crate::new("used", "", &(by_macro + &uses)).check();
    row("a crate that uses none", baseline);
    row(&format!("{LAYOUTS} types written by hand"), by_hand_time);
    row(&format!("{LAYOUTS} types by `layout!`"), by_macro_time);
    row(&format!("{LAYOUTS} types by `layout!`, constants asked"), used_time);
    let each = |what: &str, more: Duration, less: Duration| {
        let micros = more.saturating_sub(less).as_secs_f64() * 1e6 / LAYOUTS as f64;
        println!("{what:<52}{micros:>8.1} us");
    };
    each("one expansion (by `layout!` less by hand)", by_macro_time, by_hand_time);
    each("one layout (by `layout!` less none)", by_macro_time, baseline);
    each("facts of one layout (constants asked less not)", used_time, by_macro_time);
}

/// Builds programs that reorder between one pair of layouts and between many, and compares times and sizes: kernels
/// belong to classes of problems and stand in the library, so that a pair adds its plan's call and no loops.
fn reorders() {
    let program = |pairs: usize| {
        let mut source = String::from("use tensor_layout::{Tensor, layout};\n");
        let mut main = String::from("fn main() {\n    let mut sum = 0.0;\n");
        let blocks = |i: usize| 2 + i;
        for i in 0..pairs {
            let _ = writeln!(source, "type A{i} = layout!(\"nchw => nhCw{}c\");", blocks(i));
            let _ = writeln!(source, "type B{i} = layout!(\"nChw{}c\");", blocks(i + 1));
            let _ = writeln!(
                source,
                "#[inline(never)]\nfn f{i}(from: &Tensor<f32, A{i}>) -> Tensor<f32, B{i}> {{"
            );
            let _ = writeln!(source, "    from.to_layout()\n}}");
            let _ = writeln!(
                main,
                "    sum += f{i}(&Tensor::from_fn([1, 7, 5, 6], |[_, c, _, _]| c as f32).unwrap())[[0, 3, 2, 1]];"
            );
        }
        main.push_str("    println!(\"{sum}\");\n}\n");
        source + &main
    };
    let (one, many) = (Crate::program("pair", &program(1)), Crate::program("pairs", &program(PAIRS)));
    let (one_time, one_size) = one.release();
    let (many_time, many_size) = many.release();
    row("one pair", one_time);
    row(&format!("{PAIRS} pairs"), many_time);
    println!("{:<52}{:>8} KiB", "one pair, program without symbols", one_size / 1024);
    println!("{:<52}{:>8} KiB", format!("{PAIRS} pairs, program without symbols"), many_size / 1024);
    let more = many_size.saturating_sub(one_size) as f64 / 1024.0 / (PAIRS - 1) as f64;
    println!("{:<52}{more:>8.1} KiB", "each further pair");
}

/// As many different valid formats: orders of the outer axes by sizes of the blocks.
fn formats() -> Vec<String> {
    let orders = ["nChw", "nhwC", "Cnhw", "nhCw", "Chwn", "hwnC", "hnwC", "whCn", "wnhC", "nwCh"];
    let singles = (2..).flat_map(|size| orders.map(|order| format!("{order}{size}c")));
    let doubles = (2..).flat_map(|size| [format!("OIhw{size}i16o"), format!("OIhw4i{size}o4i")]);
    let different: BTreeSet<String> = singles.take(LAYOUTS / 2).chain(doubles.take(LAYOUTS / 2)).collect();
    assert_eq!(different.len(), LAYOUTS, "the formats differ from one another");
    different.into_iter().collect()
}

/// The type that `layout!(format)` expands to, in the shortest spelling.
fn written_out(format: &str) -> String {
    let spec = Spec::parse(format).expect("the generated formats are valid");
    let name = |axis| spec.axis_name(axis).expect("an axis has a name");
    let axes: String = (0..spec.rank()).map(|axis| format!("Dim<{:?}>, ", name(axis))).collect();
    let digits: String = (0..spec.len())
        .filter_map(|position| spec.digit(position))
        .map(|digit| match digit.size {
            None => format!("Dim<{:?}>, ", name(digit.axis)),
            Some(size) => format!("Block<{:?}, {size}>, ", name(digit.axis)),
        })
        .collect();
    format!("Format<({digits}), ({axes})>")
}

fn row(what: &str, time: Duration) {
    println!("{what:<52}{:>8.2} s", time.as_secs_f64());
}

/// A generated crate below the target directory.
struct Crate {
    root: PathBuf,
}

impl Crate {
    /// A crate that depends on `tensor-layout`, at the versions of this workspace's lock file; `options` is what else
    /// its manifest says about that.
    fn new(name: &str, options: &str, source: &str) -> Self {
        let facade = Path::new(env!("CARGO_MANIFEST_DIR"));
        let comma = if options.is_empty() { "" } else { ", " };
        let dependency = format!("tensor-layout = {{ path = {facade:?}{comma}{options} }}\n");
        let this = Crate::write(name, &dependency, source);
        fs::copy(facade.join("Cargo.lock"), this.root.join("Cargo.lock")).expect("the lock file is copied");
        this
    }

    /// A program that depends on `tensor-layout`.
    fn program(name: &str, source: &str) -> Self {
        let this = Crate::new(name, "", "");
        // Absent on the first run.
        let _ = fs::remove_file(this.root.join("src/lib.rs"));
        fs::write(this.root.join("src/main.rs"), source).expect("the source is written");
        this
    }

    /// The fastest build of the program alone, optimised, and its size in bytes without symbols.
    fn release(&self) -> (Duration, u64) {
        let source = self.root.join("src/main.rs");
        let arguments = ["rustc", "--release", "--", "-C", "strip=symbols"];
        self.cargo(&arguments);
        let run = |_| {
            let text = fs::read(&source).expect("the source is there");
            fs::write(&source, text).expect("the source is touched");
            self.cargo(&arguments)
        };
        let time = (0..RUNS).map(run).min().expect("there is a run");
        let name = self.root.file_name().expect("the crate has a name").to_string_lossy();
        let program = self.target().join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        (time, fs::metadata(program).expect("the program is there").len())
    }

    /// A crate without dependencies.
    fn empty() -> Self {
        Crate::write("empty", "", "")
    }

    fn write(name: &str, dependencies: &str, source: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time").join(name);
        fs::create_dir_all(root.join("src")).expect("a folder for the generated crate");
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependencies}\n[workspace]\n"
        );
        fs::write(root.join("Cargo.toml"), manifest).expect("the manifest is written");
        fs::write(root.join("src/lib.rs"), source).expect("the source is written");
        Crate { root }
    }

    /// Where cargo builds: one place for all, so that the dependencies are built once for the checks.
    fn target(&self) -> PathBuf {
        self.root.parent().expect("the crate lies in a folder").join("target")
    }

    fn clean(&self) {
        if self.target().exists() {
            fs::remove_dir_all(self.target()).expect("the generated crates' own target folder is removed");
        }
    }

    fn clean_build(&self, profile: &str) -> Duration {
        self.clean();
        self.cargo(&["build", "--profile", profile])
    }

    /// The fastest check of the crate alone.
    fn check(&self) -> Duration {
        let source = self.root.join("src/lib.rs");
        self.cargo(&["check"]);
        let run = |_| {
            let text = fs::read(&source).expect("the source is there");
            fs::write(&source, text).expect("the source is touched");
            self.cargo(&["check"])
        };
        (0..RUNS).map(run).min().expect("there is a run")
    }

    /// Runs cargo and returns how long it took; stops the benchmark where cargo fails.
    fn cargo(&self, arguments: &[&str]) -> Duration {
        self.cargo_with(arguments, None)
    }

    /// Runs cargo, with the time of each call of the compiler in `log`.
    fn cargo_with(&self, arguments: &[&str], log: Option<&Path>) -> Duration {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.arg("--offline").arg("--quiet").args(arguments).current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", self.target()).env("CARGO_INCREMENTAL", "0").env_remove("RUSTFLAGS");
        if let Some(log) = log {
            command
                .env(LOG, log)
                .env("RUSTC_WRAPPER", std::env::current_exe().expect("this program has a path"));
        }
        let start = Instant::now();
        let status = command.status().expect("cargo starts");
        let time = start.elapsed();
        assert!(status.success(), "cargo {arguments:?} failed in {}", self.root.display());
        time
    }
}
