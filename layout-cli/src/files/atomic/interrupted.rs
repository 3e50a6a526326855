//! Removes the file that is being written when the program is told to end, by Ctrl-C or by another program: it may take as
//! much room as there is, and nobody knows its name. Called by `atomic`.

use std::fs::remove_file;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, Once, PoisonError};

/// What shells show of a program that Ctrl-C ended.
const EXIT_CODE: i32 = 130;

static WRITTEN: Mutex<Option<PathBuf>> = Mutex::new(None);
static HANDLER: Once = Once::new();

/// From now on, `file` goes where the program is told to end.
pub(super) fn removes(file: &Path) {
    *WRITTEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(file.to_owned());
    // Without a handler the program ends as it would, and leaves the file.
    HANDLER.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if let Some(file) = &*WRITTEN.lock().unwrap_or_else(PoisonError::into_inner) {
                // Once it has its name there is none of this one.
                let _ = remove_file(file);
            }
            exit(EXIT_CODE);
        });
    });
}
