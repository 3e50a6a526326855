//! Tables beside the repository, of which tests say that they were skipped where they are absent.

use std::path::PathBuf;

/// The rows of a table in `formats` of `$LAYOUT_SHARED` or of `shared` beside the repository, without comments and the
/// heading.
pub(crate) fn rows(table: &str) -> Option<Vec<Vec<String>>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("LAYOUT_SHARED").map_or(beside, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(shared.join("formats").join(table)) else {
        println!("skipped: no formats/{table} beside the repository or in $LAYOUT_SHARED");
        return None;
    };
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    Some(rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}
