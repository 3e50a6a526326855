//! [`Gather`]: how a line of the destination is put together from places of the source that lie near one another, each of a line. Made by
//! the plan's runner, for layouts whose blocks differ so that no tile has rows of more than a few elements; [`gather_lines`] says
//! whether the processor has a kernel for it.

use super::cpu::Token;
use super::tile::Step;
#[cfg(target_arch = "x86_64")]
use super::x86_64;

/// Places of the source that a line is put together from at most.
pub(crate) const MOST_PLACES: usize = 16;

/// What is read at one place, and where in the line it goes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(crate) struct GatherStep {
    /// The byte of the place for each byte of the line.
    pub(crate) index: [u8; 64],
    /// A bit for each byte of the line that comes from here.
    pub(crate) taken: u64,
    /// A bit for each byte of the place that is an element's.
    pub(crate) read: u64,
    /// Bytes from the line's first element in the source to this place.
    pub(crate) at: isize,
}

/// A line: all bytes of it that are written and come from no place are zero.
#[derive(Clone, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(crate) struct Gather {
    pub(crate) steps: [GatherStep; MOST_PLACES],
    /// How many there are.
    pub(crate) len: usize,
    /// A bit for each byte that is written.
    pub(crate) written: u64,
}

impl GatherStep {
    pub(crate) const NONE: GatherStep = GatherStep { index: [0; 64], taken: 0, read: 0, at: 0 };
}

/// Puts lines together.
///
/// # Safety
/// For every line, of which there are as many as the two loops say and that far apart: the bytes that each step reads can be read, the
/// `written` ones can be written, and the two do not overlap. `stream` asks for lines that are whole and aligned.
pub(crate) type GatherLines =
    unsafe fn(gather: &Gather, src: *const u8, dst: *mut u8, lines: [Step; 2], stream: bool);

/// What does so on this processor, if it has a kernel for it.
#[inline]
pub(crate) fn gather_lines() -> Option<GatherLines> {
    match Token::current() {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => Some(x86_64::avx512::gather_lines),
        _ => None,
    }
}
