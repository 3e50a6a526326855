//! New files that appear whole or not at all: written under another name in the same folder, then renamed. `interrupted`
//! removes what is there of one when the user gives up.

mod interrupted;

use crate::failure::Failure;
use memmap2::MmapMut;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What is said of a file that must not be replaced.
pub(crate) const EXISTS: &str = "it exists: --force replaces it";

/// A file of a known size that is being written.
pub(crate) struct NewFile {
    path: PathBuf,
    file: NamedTempFile,
    map: MmapMut,
}

impl NewFile {
    /// Takes the room on the disk and maps it.
    pub(crate) fn create(path: &Path, len: usize) -> Result<NewFile, Failure> {
        let failed = |error: io::Error| Failure::file("write", path, error);
        if is_special(path) {
            return Err(Failure::file(
                "write",
                path,
                "it is a device, a pipe or a socket, which cannot be mapped: name a file",
            ));
        }
        let path = &behind_links(path);
        let file = temporary(path)?;
        interrupted::removes(file.path());
        file.as_file().set_len(len as u64).map_err(failed)?;
        reserve(file.as_file(), len).map_err(failed)?;
        // SAFETY: nobody else knows the name of the new file; any bytes in it are values of what is written to it.
        let map = unsafe { MmapMut::map_mut(file.as_file()) }.map_err(failed)?;
        Ok(NewFile { path: path.to_owned(), file, map })
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.map
    }

    /// Gives the file its name. One that exists is replaced if `replace` says so.
    pub(crate) fn finish(self, replace: bool) -> Result<(), Failure> {
        let NewFile { path, file, map } = self;
        map.flush().map_err(|error| Failure::file("write", &path, error))?;
        drop(map);
        settle(&path, file, replace)
    }
}

/// Writes a small file. One that exists is replaced; devices and pipes are written to.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_special(path) {
        return std::fs::write(path, bytes).map_err(|error| Failure::file("write", path, error));
    }
    let path = &behind_links(path);
    let mut file = temporary(path)?;
    file.write_all(bytes).map_err(|error| Failure::file("write", path, error))?;
    settle(path, file, true)
}

/// Gives a file its name once its bytes are on the disk: the name must not outlive them when the power fails.
fn settle(path: &Path, file: NamedTempFile, replace: bool) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::file("write", path, error);
    file.as_file().sync_all().map_err(failed)?;
    let named = match replace {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    named.map(drop).map_err(|error| match error.error.kind() {
        ErrorKind::AlreadyExists => Failure::file("write", path, EXISTS),
        _ => failed(error.error),
    })
}

/// Whether there is something that no new file may take the place of: `/dev/null`, `/dev/stdout`, a pipe.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// The file that a link leads to: the link itself must stay.
fn behind_links(path: &Path) -> PathBuf {
    let link = path.symlink_metadata().is_ok_and(|there| there.is_symlink());
    let target = if link { path.canonicalize().ok() } else { None };
    target.unwrap_or_else(|| path.to_owned())
}

/// A new file in the folder of `path`, with the permissions of any new file.
fn temporary(path: &Path) -> Result<NamedTempFile, Failure> {
    if path.is_dir() {
        return Err(Failure::file("write", path, "it is a folder"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.exists() {
        return Err(Failure::file("write", path, format_args!("there is no folder {}", folder.display())));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".layout-");
    #[cfg(unix)]
    let permissions = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    builder.tempfile_in(folder).map_err(|error| {
        // Without the name that the file has for now, which the error ends with.
        let text = error.to_string();
        Failure::file("write", path, text.rsplit_once(" at path ").map_or(text.as_str(), |(why, _)| why))
    })
}

/// Takes the room on the disk now: a mapped file for which there is none ends the program where it is written.
#[cfg(target_os = "linux")]
fn reserve(file: &File, len: usize) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    match fallocate(file, FallocateFlags::empty(), 0, len as u64) {
        // Some file systems cannot.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        result => Ok(result?),
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: usize) -> io::Result<()> {
    Ok(())
}
