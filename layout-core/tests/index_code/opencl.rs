//! OpenCL C on whatever device Python's `pyopencl` finds (PoCL runs on every processor); says that it was skipped where
//! there is none: `pip install "pyopencl[pocl]"`, and `LAYOUT_PYTHON` for another Python than `python3`.

use crate::cases;
use crate::program::{Style, compare, expected, source};
use layout_core::index_code::Language;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// Builds the program, runs each kernel as one work item, and prints what it wrote, a line a kernel.
const DRIVER: &str = "
import sys
try:
    import numpy, pyopencl as cl
    context = cl.create_some_context(interactive=False)
except Exception as error:
    print(f'skipped: {error}'.splitlines()[0])
    sys.exit(0)
queue = cl.CommandQueue(context)
program = cl.Program(context, open(sys.argv[1]).read()).build(options=['-cl-std=CL1.2', '-Werror'])
lengths = [int(length) for length in open(sys.argv[2]).read().split()]
for number, length in enumerate(lengths):
    # One more than there should be, so that too many show.
    out = numpy.full(length + 1, -999, numpy.int64)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=out)
    cl.Kernel(program, f'kernel{number}')(queue, (1,), None, buffer, numpy.int64(length))
    cl.enqueue_copy(queue, out, buffer)
    print(*out)
";

fn run(name: &str, style: Style) {
    let python = std::env::var("LAYOUT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if Command::new(&python)
        .args(["-c", "import pyopencl"])
        .output()
        .map_or(true, |out| !out.status.success())
    {
        println!("note: `{python}` has no pyopencl; {name} was skipped");
        return;
    }
    // A fifth of them, because a kernel takes long to build. Five is no divisor of the variants of a format.
    let cases: Vec<_> = cases::all().into_iter().step_by(5).collect();
    let mut text = "#define PUT(value) if (put++ < length) out[put - 1] = (long)(value)\n".to_owned();
    let mut lengths = String::new();
    for (i, case) in cases.iter().enumerate() {
        let (code, body) = source(case, style, &format!("t{i}"));
        let head = format!("__kernel void kernel{i}(__global long *out, long length)");
        let _ = writeln!(text, "{code}{head} {{\n    long put = 0;\n{body}    out[length] = put;\n}}");
        let _ = writeln!(lengths, "{}", expected(&case.tensor).len());
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("index_code").join(name);
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let (source, list) = (folder.join("code.cl"), folder.join("lengths"));
    std::fs::write(&source, text).expect("the source can be written");
    std::fs::write(&list, lengths).expect("the list can be written");
    let out =
        Command::new(&python).args(["-c", DRIVER]).arg(&source).arg(&list).output().expect("Python runs");
    let words = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{name}: {}", words.lines().rev().take(20).collect::<Vec<_>>().join("\n"));
    let text = String::from_utf8(out.stdout).expect("numbers");
    if text.starts_with("skipped") {
        println!("note: {name}: {text}");
        return;
    }
    let numbers = |line: &str| -> Vec<i64> {
        let mut numbers: Vec<i64> =
            line.split_ascii_whitespace().map(|n| n.parse().expect("a number")).collect();
        let put = numbers.pop().expect("the count stands last");
        assert_eq!(put, numbers.len() as i64, "numbers put out");
        numbers
    };
    compare(&cases, &text.lines().map(numbers).collect::<Vec<_>>(), name);
}

#[test]
fn opencl() {
    run("opencl", Style { language: Language::OpenCl, bits: 64, as_macro: false });
}

#[test]
fn opencl_macros_of_32_bits() {
    run("opencl_macros", Style { language: Language::OpenCl, bits: 32, as_macro: true });
}
