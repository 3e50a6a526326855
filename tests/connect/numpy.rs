//! NumPy itself, where `python3` has it: reads what we write, and shares memory with us through the example `dlpack`. The
//! interpreter is `PYTHON`, or `python3`; without it these tests say that they did nothing.

use crate::{narrow, wide};
use std::path::{Path, PathBuf};
use std::process::Command;
use tensor_layout::{Element, Rows, Tensor, TensorBytes, layout};

type Blocked = layout!("aBc4b");

fn python() -> Option<Command> {
    let name = std::env::var_os("PYTHON").unwrap_or("python3".into());
    let found = Command::new(&name).args(["-c", "import numpy"]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(Command::new(name));
    }
    println!("note: {} has no NumPy; skipped", name.display());
    None
}

fn run(mut command: Command) {
    let output = command.output().expect("the interpreter was there a moment ago");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn numpy_reads_our_files() {
    let Some(mut command) = python() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npy");
    std::fs::create_dir_all(&folder).unwrap();
    fn write<T: Element + Default>(folder: &Path, name: &str, value: impl FnMut([usize; 3]) -> T) {
        let tensor = Tensor::<T, Blocked>::from_fn([2, 3, 4], value).unwrap();
        let file = |name: String| std::fs::File::create(folder.join(name)).unwrap();
        Rows::of(&tensor).unwrap().write_npy(file(format!("{name}.npy"))).unwrap();
        let columns = tensor.to_layout::<layout!("cba")>();
        TensorBytes::of(&columns.view()).unwrap().write_npy(file(format!("{name}_fortran.npy"))).unwrap();
    }
    write(&folder, "f8", |i| f64::from(wide(i)));
    write(&folder, "f4", |i| wide(i) as f32);
    write(&folder, "f2", |i| half::f16::from_f32(wide(i) as f32));
    write(&folder, "i4", wide);
    write(&folder, "i1", |i| narrow(i) as i8);
    write(&folder, "u1", |i| (narrow(i) + 37) as u8);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    command.arg("-c").arg(
        "import sys, numpy as np\n\
         for name in ['f8', 'f4', 'f2', 'i4', 'i1', 'u1']:\n\
         \x20   expected = np.load(f'{sys.argv[1]}/{name}.npy')\n\
         \x20   for order in ['', '_fortran']:\n\
         \x20       found = np.load(f'{sys.argv[2]}/{name}{order}.npy')\n\
         \x20       assert found.dtype == expected.dtype and np.array_equal(found, expected), (name, order)\n\
         \x20       assert found.flags.f_contiguous == bool(order), (name, order)\n",
    );
    command.arg(data).arg(folder);
    run(command);
}

/// The example as a library, which `cargo test` builds beside the tests.
fn library() -> Option<PathBuf> {
    let tests = std::env::current_exe().ok()?;
    let examples = tests.parent()?.parent()?.join("examples");
    ["libdlpack.so", "libdlpack.dylib", "dlpack.dll"]
        .iter()
        .map(|name| examples.join(name))
        .find(|path| path.exists())
}

#[test]
fn numpy_shares_memory_with_us() {
    let Some(mut command) = python() else { return };
    let library = library().expect("cargo builds the examples with the tests");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/dlpack.py")).arg(library);
    run(command);
}
