//! Files of tensors: NumPy's `.npy` and safetensors. Reads what they hold without reading the data, lays out new ones, and
//! moves the data from one mapped file to another. Called by `convert`; `atomic` by everyone who writes a file.

pub(crate) mod atomic;
pub(crate) mod layouts;
pub(crate) mod moving;
mod npy;
pub(crate) mod progress;
mod safetensors;

use crate::failure::Failure;
use crate::input::choice;
use layout_core::descriptor::DType;
use memmap2::Mmap;
use std::collections::HashMap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// A kind of file, by the ending of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Npy,
    SafeTensors,
}

impl Kind {
    pub(crate) fn of(path: &Path) -> Result<Kind, Failure> {
        let ends_in = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        match () {
            () if ends_in("npy") => Ok(Kind::Npy),
            () if ends_in("safetensors") => Ok(Kind::SafeTensors),
            () => Err(Failure::usage(format!(
                "{}: the name ends neither in .npy nor in .safetensors",
                path.display()
            ))),
        }
    }
}

/// A tensor in a file: an array of numbers, without a word on what its axes mean.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// Its name, in files of several.
    pub(crate) name: Option<String>,
    /// The type of its elements; the file's word for it where it is none of ours.
    pub(crate) dtype: Result<DType, String>,
    /// Its extents, outermost first, or innermost first where `is_fortran` says so.
    pub(crate) shape: Vec<usize>,
    pub(crate) is_fortran: bool,
    /// Whether the bytes of each element are in the opposite order of this machine's.
    pub(crate) is_swapped: bool,
    /// Its bytes in the file.
    pub(crate) bytes: Range<usize>,
}

/// A tensor of a new file.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) name: Option<String>,
    pub(crate) dtype: NewType,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: usize,
}

/// The type of the elements of a planned tensor.
#[derive(Clone, Debug)]
pub(crate) enum NewType {
    Ours(DType),
    /// That of a tensor that is copied as it is, in safetensors' words.
    Copied(String),
}

/// The error for sizes whose sum is no number.
pub(crate) fn too_large() -> Failure {
    Failure::failed("the new file would be larger than any file")
}

/// The error for a type of our own that a kind of file does not have, and what to do `instead`.
fn no_type(file: &str, dtype: DType, instead: &str, has: impl Fn(DType) -> bool) -> Failure {
    let known: Vec<&str> = DType::ALL.into_iter().filter(|&dtype| has(dtype)).map(DType::name).collect();
    Failure::usage(format!(
        "{file} has no {dtype}\nhelp: {instead}, as in --to f32:nchw; it has {}",
        known.join(", ")
    ))
}

/// A file that is read.
pub(crate) struct Input {
    pub(crate) kind: Kind,
    pub(crate) tensors: Vec<Stored>,
    /// What safetensors files say of themselves.
    pub(crate) metadata: HashMap<String, String>,
    map: Option<Mmap>,
}

impl Input {
    /// Maps the file and reads its header.
    pub(crate) fn open(path: &Path) -> Result<Input, Failure> {
        let kind = Kind::of(path)?;
        let failed = |error: std::io::Error| Failure::file("read", path, error);
        let file = File::open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if about.is_dir() {
            return Err(Failure::file("read", path, "it is a folder"));
        }
        // A file without bytes cannot be mapped.
        let map = match about.len() {
            0 => None,
            // SAFETY: the bytes are read as numbers of types for which every pattern is a value. Nobody can keep another
            // program from changing the file meanwhile; as with every mapped file, the user must not let it.
            _ => Some(unsafe { Mmap::map(&file) }.map_err(failed)?),
        };
        let bytes = map.as_deref().unwrap_or(&[]);
        let wrong = |error: String| Failure::file("read", path, error);
        let (tensors, metadata) = match kind {
            Kind::Npy => (vec![npy::read(bytes).map_err(wrong)?], HashMap::new()),
            Kind::SafeTensors => safetensors::read(bytes).map_err(wrong)?,
        };
        Ok(Input { kind, tensors, metadata, map })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.map.as_deref().unwrap_or(&[])
    }
}

/// The first bytes of a file with these tensors, up to their data.
pub(crate) fn header(
    kind: Kind,
    tensors: &[Planned],
    metadata: HashMap<String, String>,
) -> Result<Vec<u8>, Failure> {
    match (kind, tensors) {
        (Kind::Npy, [tensor]) => npy::header(tensor),
        (Kind::Npy, several) => {
            let names: Vec<&str> = several.iter().filter_map(|tensor| tensor.name.as_deref()).collect();
            Err(Failure::usage(format!(
                "a .npy file holds one tensor, not {}: choose with --tensor from {}",
                several.len(),
                choice(&names, None)
            )))
        }
        (Kind::SafeTensors, _) => safetensors::header(tensors, metadata),
    }
}
