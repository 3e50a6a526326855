//! The buffers in which every case runs. All entrants of a case share them, so that pages and addresses are the same.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// A page of 2 MiB.
const HUGE: usize = 2 << 20;

/// Memory whose pages are there. Aligned to 2 MiB, so that page offsets are the same in every run.
pub(crate) struct Arena {
    start: *mut u8,
    layout: Layout,
}

impl Arena {
    /// `len` bytes, every page written once.
    pub(crate) fn new(len: usize, huge_pages: bool) -> Arena {
        let layout =
            Layout::from_size_align(len.next_multiple_of(HUGE), HUGE).expect("the arena fits the memory");
        // SAFETY: the size is not 0.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        #[cfg(target_os = "linux")]
        if huge_pages {
            // SAFETY: the range is ours and aligned to pages; the advice changes no content.
            unsafe { libc::madvise(start.cast(), layout.size(), libc::MADV_HUGEPAGE) };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = huge_pages;
        let mut arena = Arena { start, layout };
        // Zeroed memory has no pages before it is written.
        arena.bytes_mut().fill(1);
        arena
    }

    /// All of it.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: `layout.size()` bytes from `start` are initialised and belong to `self`.
        unsafe { std::slice::from_raw_parts(self.start, self.layout.size()) }
    }

    /// All of it.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.layout.size()) }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start, self.layout) };
    }
}

/// Where the destination begins in its arena. Source and destination with the same page offset would collide in the
/// processor's check of the lower 12 address bits, which makes some copies slow by accident of allocation.
pub(crate) const DST_SHIFT: usize = 2048 + 64;

/// Sizes of the data caches of one core, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caches {
    pub(crate) l1: usize,
    pub(crate) l2: usize,
    pub(crate) l3: usize,
}

impl Caches {
    /// As the system tells, or common ones where it does not.
    pub(crate) fn detect() -> Caches {
        let mut caches = Caches { l1: 48 << 10, l2: 1 << 20, l3: 32 << 20 };
        for index in 0..8 {
            let read = |name: &str| {
                let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
                Some(std::fs::read_to_string(path).ok()?.trim().to_owned())
            };
            let (Some(level), Some(kind), Some(size)) = (read("level"), read("type"), read("size")) else {
                continue;
            };
            let Some(size) = size.strip_suffix('K').and_then(|size| size.parse::<usize>().ok()) else {
                continue;
            };
            match (level.as_str(), kind.as_str()) {
                ("1", "Data") => caches.l1 = size << 10,
                ("2", "Unified") => caches.l2 = size << 10,
                ("3", "Unified") => caches.l3 = size << 10,
                _ => {}
            }
        }
        caches
    }

    /// The cache that holds `bytes`, source and destination together.
    pub(crate) fn holding(&self, bytes: usize) -> &'static str {
        match bytes {
            _ if bytes <= self.l1 => "L1",
            _ if bytes <= self.l2 => "L2",
            _ if bytes <= self.l3 => "L3",
            _ => "memory",
        }
    }
}
