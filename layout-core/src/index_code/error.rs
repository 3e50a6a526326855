//! Why index code cannot be written: [`IndexCodeError`].

use super::Language;
use alloc::string::String;
use core::fmt;

/// Why index code cannot be written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexCodeError {
    /// The name that the functions should have is not one that every language takes.
    Name {
        /// The name.
        name: String,
    },
    /// An extent was given for an axis that the format does not have.
    NoSuchAxis {
        /// Name of the axis.
        axis: char,
    },
    /// Offsets do not fit the integer type.
    TooLarge {
        /// The name of the axis at which they leave it, from the inside.
        axis: char,
        /// The extent of the axis.
        extent: u64,
        /// Bits of the integer type.
        bits: u32,
    },
    /// The language has no macros.
    NoMacros {
        /// The language.
        language: Language,
    },
}

impl fmt::Display for IndexCodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexCodeError::Name { name } => write!(
                f,
                "`{name}` cannot be the name of functions: write a letter, then letters, digits and single underscores"
            ),
            IndexCodeError::NoSuchAxis { axis } => {
                write!(f, "an extent was given for axis `{axis}`, which the format does not have")
            }
            IndexCodeError::TooLarge { axis, extent, bits } => {
                write!(
                    f,
                    "axis `{axis}` with extent {extent} takes offsets past the {bits} bits of an index"
                )?;
                f.write_str(if *bits == 32 { ": write code with indices of 64 bits" } else { "" })
            }
            IndexCodeError::NoMacros { language } => {
                write!(f, "{language} has no macros: ask for functions")
            }
        }
    }
}

impl core::error::Error for IndexCodeError {}
