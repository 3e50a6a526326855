//! [`Gather`]: how a line of the destination is put together from places of the source that lie near one another, each of a line, or
//! from smaller [`pieces`]. Made by the plan's runner, for layouts whose blocks differ so that no tile has rows of more than a few
//! elements; [`gather_lines`] says whether the processor has a kernel for it.

#[cfg(target_arch = "x86_64")]
mod pieces;

use super::cpu::{Cpu, Token};
use super::tile::Step;
#[cfg(target_arch = "x86_64")]
use super::x86_64;
#[cfg(target_arch = "x86_64")]
pub(super) use pieces::{Copies, Elements, Pair, Pieces, Reads, Width, Windows};

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
    /// A bit for each byte that is written.
    pub(crate) written: u64,
    /// A bit for each byte that is data.
    pub(crate) data: u64,
    way: Way,
}

/// How a line is put together. A run keeps a few of these on the stack.
#[derive(Clone, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
#[allow(clippy::large_enum_variant, reason = "no heap memory is needed")]
enum Way {
    Steps {
        steps: [GatherStep; MOST_PLACES],
        len: usize,
    },
    #[cfg(target_arch = "x86_64")]
    Pieces(Pieces),
}

impl Gather {
    /// A line of nothing. Others are made in its place: copies would take a part of the time that a small tensor takes.
    pub(crate) const NONE: Gather =
        Gather { written: 0, data: 0, way: Way::Steps { steps: [GatherStep::NONE; MOST_PLACES], len: 0 } };

    /// Makes it the line whose elements, of `element` bytes, lie in the source at `places` from its first one on: by the steps that `put`
    /// makes of the first ones, as many as it says, unless it comes from too many places for these.
    #[inline]
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(unused_variables, reason = "x86-64 alone has pieces so far")
    )]
    pub(crate) fn set(
        &mut self,
        token: Token,
        (data, written): (u64, u64),
        element: usize,
        places: &[isize],
        put: impl FnOnce(&mut [GatherStep; MOST_PLACES]) -> Option<usize>,
    ) {
        (self.data, self.written) = (data, written);
        #[cfg(target_arch = "x86_64")]
        if takes_pieces(token) {
            let mut steps = [GatherStep::NONE; MOST_PLACES];
            let steps = put(&mut steps).map(|len| &steps[..len]);
            self.way = Way::Pieces(Pieces::new(steps, (data, written), element, places));
            return;
        }
        #[cfg(target_arch = "x86_64")]
        let Way::Steps { steps, len } = &mut self.way else { return };
        #[cfg(not(target_arch = "x86_64"))]
        let Way::Steps { steps, len } = &mut self.way;
        *len = put(steps).unwrap_or(0);
    }

    /// Its steps, where it is put together by these.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
    pub(super) fn steps(&self) -> &[GatherStep] {
        match &self.way {
            Way::Steps { steps, len } => &steps[..*len],
            #[cfg(target_arch = "x86_64")]
            Way::Pieces(_) => &[],
        }
    }

    /// Its pieces, where it is put together from these.
    #[inline]
    #[cfg(target_arch = "x86_64")]
    pub(super) fn pieces(&self) -> Option<&Pieces> {
        match &self.way {
            Way::Pieces(pieces) => Some(pieces),
            Way::Steps { .. } => None,
        }
    }
}

impl GatherStep {
    pub(crate) const NONE: GatherStep = GatherStep { index: [0; 64], taken: 0, read: 0, at: 0 };
}

/// Puts lines together.
///
/// # Safety
/// For every line, of which there are as many as the two loops say and that far apart: the elements that the bits of `data` are of can
/// be read, the `written` bytes can be written, and the two do not overlap. `stream` asks for lines that are whole and aligned.
pub(crate) type GatherLines =
    unsafe fn(gather: &Gather, src: *const u8, dst: *mut u8, lines: [Step; 2], stream: bool);

/// What does so with the instructions that `token` proves, if there is a kernel for it.
#[inline]
pub(crate) fn gather_lines(token: Token) -> Option<GatherLines> {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => Some(x86_64::avx512::gather_lines),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => Some(x86_64::avx2::gather_lines),
        _ => None,
    }
}

/// Whether [`gather_lines`] puts lines together from pieces, of any number of places.
#[inline]
pub(crate) fn takes_pieces(token: Token) -> bool {
    token.cpu() == Cpu::Avx2
}
