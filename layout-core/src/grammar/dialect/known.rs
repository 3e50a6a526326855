//! [`known_names`]: every name that a system lists, for search and for tables in tools.
//! Called by the printer too. Holds no names itself.

use super::super::{ParseError, Spec};
use super::{Dialect, list, named};

/// A name of a layout that is in use in a system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KnownName {
    dialect: Dialect,
    name: &'static str,
}

impl KnownName {
    /// The system.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The name as the system writes it, without prefix.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it means.
    ///
    /// # Errors
    /// [`ParseError`] for a name whose meaning depends on the rank or on the size of the elements:
    /// [`KnownName::spec_for`].
    pub const fn spec(&self) -> Result<Spec, ParseError> {
        Spec::parse_in(self.dialect, self.name)
    }

    /// What it means for a tensor of a known rank and a known size of its elements in bytes.
    ///
    /// # Errors
    /// [`ParseError`] where it means nothing for such a tensor.
    pub const fn spec_for(&self, rank: usize, element_bytes: usize) -> Result<Spec, ParseError> {
        Spec::parse_in_for(self.dialect, self.name, rank, element_bytes)
    }
}

/// The names that the systems list: all of oneDNN's tags, OpenVINO's layouts, and the tables of the others. Grammars
/// have more names than these; of names with any number in them none is here.
///
/// ```
/// use layout_core::grammar::{Spec, known_names};
/// let spec = Spec::parse("nChw32c").unwrap();
/// let mut names = known_names().filter(|known| known.spec() == Ok(spec)).map(|known| known.name());
/// assert!(names.any(|name| name == "kCHW32"));
/// ```
pub fn known_names() -> impl Iterator<Item = KnownName> {
    Dialect::ALL.into_iter().flat_map(|dialect| names(dialect).map(move |name| KnownName { dialect, name }))
}

/// The names that a dialect lists.
pub(super) fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    let plain = |row: &&named::Row| !row.0.contains(['#', '%', '*']) && !row.1.starts_with('!');
    let rows = named::rows(dialect).iter().filter(plain).map(|row| row.0);
    list::of(dialect).split_ascii_whitespace().chain(rows)
}
