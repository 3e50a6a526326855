//! Who made the processor, where makers differ in which order of the same moves is faster. Nothing that is written depends on
//! it. Called by the `Simd` of AVX-512 and AVX2, which `drive` asks, and by `kernels::claims`.

use core::sync::atomic::{AtomicU8, Ordering};

/// The answer of [`writes_in_turn`], once it is known.
static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;

/// Whether lines of the destination that lie near one another are to be written one after the other, rather than those of the
/// source read on along their rows: so it is on Intel's processors (1.1 to 1.6 times as fast from the second-level cache on,
/// Emerald Rapids), while AMD's foresee rows that go on (Zen 4).
pub(in super::super::super) fn writes_in_turn() -> bool {
    remembered(&KNOWN, || maker() == *b"GenuineIntel")
}

/// The answer in `known`, or that of `ask`: a virtual machine takes microseconds to give one.
#[inline]
fn remembered(known: &AtomicU8, ask: impl FnOnce() -> bool) -> bool {
    match known.load(Ordering::Relaxed) {
        UNKNOWN => {
            let answer = ask();
            known.store(if answer { YES } else { NO }, Ordering::Relaxed);
            answer
        }
        answer => answer == YES,
    }
}

/// The answer of [`shuffles_lines`], once it is known.
static WHOLE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether two registers of a line are shuffled in a cycle, so that a square takes least from whole lines, in more shuffles: AMD's
/// since Zen 5. Earlier ones take such a register in two halves, and Intel's have one port for that.
pub(in super::super::super) fn shuffles_lines() -> bool {
    /// The family of Zen 5.
    const FIRST: u32 = 0x1A;
    remembered(&WHOLE, || maker() == *b"AuthenticAMD" && family() >= FIRST)
}

/// The processor's family.
fn family() -> u32 {
    if cfg!(miri) {
        return 0;
    }
    // SAFETY: all processors of this architecture have the instruction, and leaf 1.
    #[allow(unused_unsafe, reason = "newer compilers know that")]
    let about = unsafe { core::arch::x86_64::__cpuid(1) }.eax;
    let (base, more) = (about >> 8 & 0xF, about >> 20 & 0xFF);
    if base == 0xF { base + more } else { base }
}

/// The name that the processor gives.
fn maker() -> [u8; 12] {
    if cfg!(miri) {
        return [0; 12];
    }
    // SAFETY: all processors of this architecture have the instruction, and leaf 0.
    #[allow(unused_unsafe, reason = "newer compilers know that")]
    let about = unsafe { core::arch::x86_64::__cpuid(0) };
    let mut name = [0; 12];
    for (part, register) in name.as_chunks_mut::<4>().0.iter_mut().zip([about.ebx, about.edx, about.ecx]) {
        *part = register.to_le_bytes();
    }
    name
}

/// Gives the answer of another processor to [`shuffles_lines`] from now on, as [`assume`] does.
#[cfg(test)]
pub(in super::super::super) fn assume_lines(whole: bool) {
    WHOLE.store(if whole { YES } else { NO }, Ordering::Relaxed);
}

/// Gives the answer of another processor from now on; to all threads, whose results do not depend on it.
#[cfg(test)]
pub(in super::super::super) fn assume(in_turn: bool) {
    KNOWN.store(if in_turn { YES } else { NO }, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::maker;

    #[test]
    #[cfg_attr(miri, ignore = "asks the processor")]
    fn the_maker_has_a_name() {
        let name = maker();
        assert!(name.iter().all(u8::is_ascii_graphic) || name.contains(&b' '), "{name:?}");
    }
}
