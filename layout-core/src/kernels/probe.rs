//! Whether a user's own kernel was compiled for the family that `dispatch!` picked: [`Probe`], a token that counts what ran
//! elsewhere, and [`outside_dispatch!`](crate::outside_dispatch). For the tests of kernels; holds no kernel.

use super::cpu::{Cpu, Token};
use super::isa::{Isa, Real, private};
use core::sync::atomic::{AtomicUsize, Ordering};

/// A token that counts the steps of a kernel which ran outside of what [`dispatch!`](crate::dispatch) compiled, because
/// something on the way to them was not inlined: what [`outside_dispatch!`](crate::outside_dispatch) passes to the kernel.
///
/// Each of the [`Isa`]'s operations is a step; a kernel that never asks for any can call [`look`](Self::look) itself.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a, I> {
    cpu: I,
    /// Where the stack of the compiled function ends.
    frame: usize,
    outside: &'a AtomicUsize,
}

impl<'a, I: Isa> Probe<'a, I> {
    /// A token like `cpu` for the function that this is inlined into; `outside` counts.
    #[inline(always)]
    pub fn new(cpu: I, outside: &'a AtomicUsize) -> Self {
        Probe { cpu, frame: frame(), outside }
    }

    /// Counts a step, unless it is in the function that the probe was made in.
    #[inline(always)]
    pub fn look(self) {
        if frame() != self.frame {
            self.outside.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Where the stack of the function ends that this is inlined into: the same in all of it, and lower in what it calls.
#[inline(always)]
fn frame() -> usize {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let frame: usize;
        let local = 0u8;
        // SAFETY: reads a register. The address of a local variable is there so that the function has its stack by then.
        unsafe {
            core::arch::asm!(
                "mov {frame}, rsp /* {local} */",
                frame = lateout(reg) frame,
                local = in(reg) &raw const local,
                options(readonly, nostack, preserves_flags)
            )
        };
        frame
    }
    // The other families are what the target of the build has anyway, so that nothing is lost outside.
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        0
    }
}

impl<I: Isa> private::Sealed for Probe<'_, I> {}
impl<I: Isa> Isa for Probe<'_, I> {
    const CPU: Cpu = I::CPU;
    const VECTOR_BYTES: usize = I::VECTOR_BYTES;
    const REGISTERS: usize = I::REGISTERS;
    const FUSED: bool = I::FUSED;

    #[inline(always)]
    fn token(self) -> Token {
        self.cpu.token()
    }
    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        self.cpu.run(f)
    }
    #[inline(always)]
    fn mul_add<T: Real>(self, a: T, b: T, c: T) -> T {
        self.look();
        self.cpu.mul_add(a, b, c)
    }
    #[inline(always)]
    fn axpy<T: Real, const N: usize>(self, a: T, x: &[T; N], y: [T; N]) -> [T; N] {
        self.look();
        self.cpu.axpy(a, x, y)
    }
    #[inline(always)]
    fn mul_add_each<T: Real, const N: usize>(self, a: &[T; N], b: &[T; N], y: [T; N]) -> [T; N] {
        self.look();
        self.cpu.mul_add_each(a, b, y)
    }
}

/// Runs a kernel as [`dispatch!`](crate::dispatch) does and returns how many of its steps ran outside of what that compiled
/// for the family: 0 where all that the kernel calls was inlined. A step is one of the operations of
/// [`Isa`](crate::kernels::Isa). For a test of the kernel, because what is left outside computes the same, slowly, and
/// nothing else says so.
///
/// Run that test in a release build (`cargo test --release`), where the compiler inlines short functions and closures as it
/// does in the program; without optimisation only what is `#[inline(always)]` counts as inside. The counting itself makes a
/// kernel longer, so that the compiler may leave outside what it inlines in the program, seldom the other way round.
/// x86-64 alone is looked at, and 0 elsewhere: there the family is what the target of the build has.
///
/// ```
/// use layout_core::kernels::Isa;
/// use layout_core::outside_dispatch;
///
/// #[inline(always)]
/// fn scale(cpu: impl Isa, block: &mut [f32; 16]) {
///     for x in block {
///         *x = cpu.mul_add(*x, 2.0, 1.0);
///     }
/// }
/// #[inline(never)] // as a function may be that is not marked at all
/// fn scale_slowly(cpu: impl Isa, block: &mut [f32; 16]) {
///     scale(cpu, block);
/// }
///
/// let mut block = [3.0; 16];
/// assert_eq!(outside_dispatch!(|cpu| scale(cpu, &mut block)), 0);
/// let outside = outside_dispatch!(|cpu| scale_slowly(cpu, &mut block));
/// assert_eq!(outside, if cfg!(target_arch = "x86_64") { 16 } else { 0 });
/// ```
#[macro_export]
macro_rules! outside_dispatch {
    (|$cpu:ident| $body:expr $(,)?) => {
        $crate::outside_dispatch!($crate::kernels::Token::current(), |$cpu| $body)
    };
    ($token:expr, |$cpu:ident| $body:expr $(,)?) => {{
        let outside = ::core::sync::atomic::AtomicUsize::new(0);
        #[allow(unused_braces, reason = "the body may be a block")]
        let _ = $crate::dispatch!($token, |$cpu| {
            let $cpu = $crate::kernels::Probe::new($cpu, &outside);
            $body
        });
        outside.into_inner()
    }};
}

#[cfg(test)]
mod tests {
    use super::super::cpu::{ALL, Token};
    use super::Isa;

    #[inline(always)]
    fn step(cpu: impl Isa, block: &mut [f32; 16]) {
        *block = cpu.axpy(2.0, block, [1.0; 16]);
        *block = cpu.mul_add_each(block, block, [0.5; 16]);
        for x in block {
            *x = cpu.mul_add(*x, 0.5, 1.0);
        }
    }

    #[inline(never)]
    fn left_out(cpu: impl Isa, block: &mut [f32; 16]) {
        step(cpu, block);
    }

    #[test]
    fn what_was_not_inlined_is_counted() {
        let seen = |steps| if cfg!(all(target_arch = "x86_64", not(miri))) { steps } else { 0 };
        for token in ALL.into_iter().filter_map(Token::detect) {
            let (mut blocks, mut plain) = ([[3.0; 16]; 5], [[3.0; 16]; 5]);
            let outside = outside_dispatch!(token, |cpu| {
                for block in &mut blocks {
                    step(cpu, block);
                }
            });
            assert_eq!(outside, 0, "{token:?}");
            let outside = outside_dispatch!(token, |cpu| {
                for (k, block) in blocks.iter_mut().enumerate() {
                    if k < 2 { step(cpu, block) } else { left_out(cpu, block) }
                }
            });
            assert_eq!(outside, seen(3 * 18), "{token:?}");
            // A probe computes what the token does.
            crate::dispatch!(token, |cpu| plain.iter_mut().for_each(|block| {
                step(cpu, block);
                step(cpu, block);
            }));
            assert_eq!(blocks, plain, "{token:?}");
        }
    }
}
