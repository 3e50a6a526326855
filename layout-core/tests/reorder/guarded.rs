//! [`Guarded`]: memory between two pages that cannot be touched, so that a byte read or written too far ends the program.
//! Used by `stress`.

use crate::oracle::SENTINEL;

/// Where in the room the bytes lie that are used.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// From the first byte on.
    First,
    /// Up to the last byte.
    Last,
    /// From so many bytes on behind a multiple of 64.
    At(usize),
}

/// Room for bytes; in front of it and behind it is a page that cannot be touched, on Linux.
pub(crate) struct Guarded {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    first: *mut u8,
    #[cfg(not(all(target_os = "linux", feature = "std", not(miri))))]
    bytes: Vec<u8>,
    room: usize,
}

/// Bytes on both sides of [`Place::At`] that are looked at.
const SEEN: usize = 128;

/// At least a page, on every processor.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
const PAGE: usize = 1 << 16;

#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
impl Guarded {
    /// Room for at least as many bytes.
    pub(crate) fn new(room: usize) -> Guarded {
        let room = room.next_multiple_of(PAGE);
        let (none, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: an anonymous mapping at an address that the system chooses.
        let all = unsafe { libc::mmap(core::ptr::null_mut(), room + 2 * PAGE, none, flags, -1, 0) };
        assert_ne!(all, libc::MAP_FAILED);
        let first = all.wrapping_byte_add(PAGE);
        // SAFETY: pages of the mapping, which nothing refers to yet.
        let done = unsafe { libc::mprotect(first, room, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(done, 0);
        Guarded { first: first.cast(), room }
    }

    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: so many bytes of the mapping, zero at first, that nothing else refers to.
        unsafe { core::slice::from_raw_parts_mut(self.first, self.room) }
    }
}

#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
impl Drop for Guarded {
    fn drop(&mut self) {
        let all = self.first.wrapping_byte_sub(PAGE);
        // SAFETY: the mapping that `new` made.
        unsafe { libc::munmap(all.cast(), self.room + 2 * PAGE) };
    }
}

#[cfg(not(all(target_os = "linux", feature = "std", not(miri))))]
impl Guarded {
    /// Room for as many bytes.
    pub(crate) fn new(room: usize) -> Guarded {
        Guarded { bytes: vec![0; room + 64], room: room + 64 }
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl Guarded {
    /// Calls `run` with a copy of `content` at `place`; returns what is there then, and whether all bytes around it, as far as
    /// there is room, are what they were.
    pub(crate) fn with(
        &mut self,
        content: &[u8],
        place: Place,
        run: impl FnOnce(&mut [u8]),
    ) -> (&[u8], bool) {
        let (len, room) = (content.len(), self.room);
        let bytes = self.bytes();
        let aligned = bytes.as_ptr().align_offset(64);
        let at = match place {
            Place::First => 0,
            Place::Last => room - len,
            Place::At(by) => (aligned + SEEN + by).min(room - len),
        };
        let around = at.saturating_sub(SEEN)..room.min(at + len + SEEN);
        bytes[around.clone()].fill(SENTINEL);
        bytes[at..at + len].copy_from_slice(content);
        run(&mut bytes[at..at + len]);
        let kept = bytes[around.start..at].iter().chain(&bytes[at + len..around.end]);
        let is_kept = kept.into_iter().all(|&byte| byte == SENTINEL);
        (&bytes[at..at + len], is_kept)
    }
}

/// A byte behind the room is not written twice.
#[test]
fn bytes_around_are_seen() {
    let mut memory = Guarded::new(1000);
    for place in [Place::First, Place::Last, Place::At(0), Place::At(63)] {
        let (found, is_kept) = memory.with(&[1, 2, 3], place, |bytes| bytes[1] = 7);
        assert_eq!((found, is_kept), (&[1, 7, 3][..], true), "{place:?}");
    }
    let (_, is_kept) = memory.with(&[1; 3], Place::At(1), |bytes| {
        // SAFETY: the byte behind belongs to the same room.
        unsafe { bytes.as_mut_ptr().wrapping_add(3).write(0) };
    });
    assert!(!is_kept);
}
