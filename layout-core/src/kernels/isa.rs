//! A user's own kernel, compiled once for each family of vector instructions: [`Isa`], the token as a type parameter of
//! the kernel, and [`dispatch!`](crate::dispatch), which picks one at run time. Holds no kernel.

#[cfg(target_arch = "aarch64")]
use super::cpu::Neon;
#[cfg(target_arch = "x86_64")]
use super::cpu::{Avx2, Avx512, Sse41};
use super::cpu::{Cpu, Token};
use core::ops::{Add, Mul};

pub(super) mod private {
    pub trait Sealed {}
}

/// A family of vector instructions, as what a kernel is generic over: what [`dispatch!`](crate::dispatch) passes to it.
/// Sealed: the tokens.
///
/// A kernel asks for it where it multiplies and adds, or chooses its sizes by the registers there are:
///
/// ```
/// use layout_core::dispatch;
/// use layout_core::kernels::Isa;
///
/// #[inline(always)]
/// fn dot(cpu: impl Isa, a: &[[f32; 16]], b: &[[f32; 16]]) -> f32 {
///     let sums = a.iter().zip(b).fold([0.0; 16], |sums, (a, b)| cpu.mul_add_each(a, b, sums));
///     sums.iter().sum()
/// }
/// assert_eq!(dispatch!(|cpu| dot(cpu, &[[2.0; 16]; 3], &[[0.5; 16]; 3])), 48.0);
/// ```
pub trait Isa: Copy + Send + Sync + core::fmt::Debug + private::Sealed {
    /// The family.
    const CPU: Cpu;
    /// Bytes of a vector register.
    const VECTOR_BYTES: usize;
    /// Vector registers that a program can name. A kernel keeps its sums in them, and leaves a few for its operands.
    const REGISTERS: usize;
    /// Whether [`mul_add`](Isa::mul_add) is one instruction and rounds once. Never without the feature `std`, because the
    /// core library has no such function.
    const FUSED: bool;

    /// The token again, for a kernel that was handed a family in another way.
    fn token(self) -> Token;

    /// Runs `f` compiled for this family, provided that the compiler can inline it and what it calls: mark the kernel
    /// `#[inline(always)]`. Safe, because the token proves that the processor has the instructions.
    /// [`dispatch!`](crate::dispatch) is the way to call it.
    fn run<R>(self, f: impl FnOnce() -> R) -> R;

    /// `a * b + c`: fused, with one rounding, where the family has an instruction for it, and in two steps elsewhere
    /// (`f32::mul_add` would call a slow function there).
    #[inline(always)]
    fn mul_add<T: Real>(self, a: T, b: T, c: T) -> T {
        if Self::FUSED { a.fused_mul_add(b, c) } else { a * b + c }
    }

    /// `y` with `a * x` added, a block at a time: vectors by one number. `y` stays in registers where it is a local
    /// variable and every index of it is a constant, for which there is [`unroll!`](crate::unroll).
    #[inline(always)]
    fn axpy<T: Real, const N: usize>(self, a: T, x: &[T; N], y: [T; N]) -> [T; N] {
        core::array::from_fn(|k| self.mul_add(a, x[k], y[k]))
    }

    /// `y` with the products of `a` and `b` added, element by element.
    #[inline(always)]
    fn mul_add_each<T: Real, const N: usize>(self, a: &[T; N], b: &[T; N], y: [T; N]) -> [T; N] {
        core::array::from_fn(|k| self.mul_add(a[k], b[k], y[k]))
    }
}

/// `f32` and `f64`: what [`Isa::mul_add`] works on. Sealed.
pub trait Real: Copy + Add<Output = Self> + Mul<Output = Self> + private::Sealed {
    #[doc(hidden)]
    fn fused_mul_add(self, b: Self, c: Self) -> Self;
}

macro_rules! real {
    ($($number:ident)*) => {$(
        impl private::Sealed for $number {}
        impl Real for $number {
            #[inline(always)]
            fn fused_mul_add(self, b: $number, c: $number) -> $number {
                #[cfg(feature = "std")]
                return std::primitive::$number::mul_add(self, b, c);
                #[cfg(not(feature = "std"))]
                return self * b + c;
            }
        }
    )*};
}
real!(f32 f64);

/// The portable family, which every processor has: what the target of the build has, and no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Generic;

impl private::Sealed for Generic {}
impl Isa for Generic {
    const CPU: Cpu = Cpu::Generic;
    const VECTOR_BYTES: usize = 16;
    const REGISTERS: usize = 16;
    const FUSED: bool = cfg!(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64")));

    #[inline(always)]
    fn token(self) -> Token {
        Token::Generic
    }
    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// [`Isa`] for a token that proves `$features`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! isa {
    ($name:ident: $bytes:literal bytes, $registers:literal registers, fused: $fused:expr, $features:literal) => {
        impl private::Sealed for $name {}
        impl Isa for $name {
            const CPU: Cpu = Cpu::$name;
            const VECTOR_BYTES: usize = $bytes;
            const REGISTERS: usize = $registers;
            const FUSED: bool = $fused;

            #[inline(always)]
            fn token(self) -> Token {
                Token::$name(self)
            }
            #[inline(always)]
            fn run<R>(self, f: impl FnOnce() -> R) -> R {
                #[inline]
                #[target_feature(enable = $features)]
                fn with_features<R>(f: impl FnOnce() -> R) -> R {
                    f()
                }
                // SAFETY: the token proves that the processor has the features.
                unsafe { with_features(f) }
            }
        }
    };
}
#[cfg(target_arch = "aarch64")]
isa!(Neon: 16 bytes, 32 registers, fused: cfg!(feature = "std"), "neon");
#[cfg(target_arch = "x86_64")]
isa!(Sse41: 16 bytes, 16 registers, fused: false, "sse4.1");
#[cfg(target_arch = "x86_64")]
isa!(Avx2: 32 bytes, 16 registers, fused: cfg!(feature = "std"), "avx2,fma,f16c");
#[cfg(target_arch = "x86_64")]
isa!(
    Avx512: 64 bytes, 32 registers, fused: cfg!(feature = "std"),
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c"
);

/// Runs an expression compiled for the best vector instructions that the processor has: one source for AVX-512, AVX2,
/// SSE4.1, NEON and any other processor, chosen at run time, in one line and without `unsafe`.
///
/// `dispatch!(|cpu| kernel(cpu, …))` passes the [`Isa`](crate::kernels::Isa) on; `dispatch!(kernel(…))` does not, for
/// kernels that never ask for it. `TENSOR_LAYOUT_CPU` forces a lower family here too, see
/// [`Cpu`](crate::kernels::Cpu); `dispatch!(token, |cpu| …)` uses the family of a
/// [`Token`](crate::kernels::Token) that the caller chose.
///
/// The kernel has to be `#[inline(always)]`, and so has what it calls (short functions are inlined anyway): what is not
/// inlined is compiled for the target of the build, and nothing says so. Closures are the trap: one that is passed to
/// `array::map`, or to anything else that is too large to be inlined itself, takes the arithmetic in it along, and
/// [`mul_add`](crate::kernels::Isa::mul_add) then calls a slow function of the C library:
///
/// ```
/// use layout_core::dispatch;
/// use layout_core::kernels::Isa;
/// /// A polynomial of 16 numbers.
/// #[inline(always)]
/// fn polynomial(cpu: impl Isa, block: &mut [f32; 16], factors: &[f32]) {
///     // Not `block.map(|x| …)`: where that is not inlined, neither is what it does. A loop is part of the kernel.
///     for x in block {
///         *x = factors.iter().fold(0.0, |sum, &factor| cpu.mul_add(sum, *x, factor));
///     }
/// }
/// let mut block = [2.0; 16];
/// dispatch!(|cpu| polynomial(cpu, &mut block, &[1.0, 0.5, 3.0]));
/// assert_eq!(block, [8.0; 16]);
/// ```
///
/// [`outside_dispatch!`](crate::outside_dispatch) counts in a test what was left outside; a profile shows it as a function of
/// the kernel, or `fmaf`, beside `with_features`. The expression is the body of a closure, once for each family, so that
/// `return` and `?` leave it and nothing else. The choice costs a load and a jump; make it outside the loops.
///
/// ```
/// use layout_core::dispatch;
/// use layout_core::kernels::{Cpu, Isa, Token};
/// use layout_core::layout::{BlockedBy, Layout, Nchw16c};
/// use layout_core::view::{Tensor, TensorViewMut};
///
/// /// One source for every layout with blocks of 16 channels; the compiler makes a copy for each family.
/// #[inline(always)]
/// fn scale<L: Layout<Block<f32> = [f32; 16]> + BlockedBy<'c', 16>>(mut x: TensorViewMut<'_, f32, L>, by: f32) {
///     x.blocks_mut().iter_mut().flatten().for_each(|x| *x *= by);
/// }
///
/// let mut t = Tensor::<f32, Nchw16c>::filled([1, 20, 2, 2], 3.0)?;
/// dispatch!(scale(t.view_mut(), 2.0));
/// assert_eq!(t[[0, 19, 1, 1]], 6.0);
///
/// fn name(cpu: impl Isa) -> &'static str {
///     cpu.token().cpu().name()
/// }
/// assert_eq!(dispatch!(|cpu| name(cpu)), Cpu::current().name());
/// assert_eq!(dispatch!(Token::Generic, |cpu| name(cpu)), "generic");
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
#[macro_export]
macro_rules! dispatch {
    (|$cpu:ident| $body:expr $(,)?) => {
        $crate::dispatch!($crate::kernels::Token::current(), |$cpu| $body)
    };
    ($token:expr, |$cpu:ident| $body:expr $(,)?) => {
        match $token {
            #[cfg(target_arch = "x86_64")]
            $crate::kernels::Token::Avx512($cpu) => $crate::kernels::Isa::run(
                $cpu,
                #[inline(always)]
                || $body,
            ),
            #[cfg(target_arch = "x86_64")]
            $crate::kernels::Token::Avx2($cpu) => $crate::kernels::Isa::run(
                $cpu,
                #[inline(always)]
                || $body,
            ),
            #[cfg(target_arch = "x86_64")]
            $crate::kernels::Token::Sse41($cpu) => $crate::kernels::Isa::run(
                $cpu,
                #[inline(always)]
                || $body,
            ),
            #[cfg(target_arch = "aarch64")]
            $crate::kernels::Token::Neon($cpu) => $crate::kernels::Isa::run(
                $cpu,
                #[inline(always)]
                || $body,
            ),
            _ => {
                let $cpu = $crate::kernels::Generic;
                $crate::kernels::Isa::run(
                    $cpu,
                    #[inline(always)]
                    || $body,
                )
            }
        }
    };
    ($body:expr $(,)?) => {
        $crate::dispatch!(|_cpu| $body)
    };
}

/// `unroll!(N, |k| …)` runs the expression for `k` from 0 to `N - 1` in straight-line code, for `N` up to 32, which may be
/// a const parameter: each index is a constant, so that an array indexed by it can stay in registers. A loop gives no such
/// promise: whether it is unrolled, and when, is the compiler's choice.
///
/// Registers hold an array only where *every* index of it is a constant: write what is in it to memory by `unroll!` too.
///
/// ```
/// use layout_core::unroll;
/// let (values, mut sums) = ([1, 2, 3, 4], [0; 4]);
/// unroll!(4, |k| sums[k] += values[k]);
/// assert_eq!(sums, values);
/// ```
///
/// More than 32 are refused while compiling:
///
/// ```compile_fail
/// layout_core::unroll!(33, |_k| ());
/// ```
#[macro_export]
macro_rules! unroll {
    ($count:expr, |$k:ident| $body:expr $(,)?) => {
        $crate::kernels::__unroll::<{ $count }>(
            #[inline(always)]
            |$k: usize| $body,
        )
    };
}

/// What `unroll!` expands to. Not part of the interface.
#[doc(hidden)]
#[inline(always)]
pub fn __unroll<const N: usize>(mut f: impl FnMut(usize)) {
    const { assert!(N <= 32, "`unroll!` goes up to 32: more sums than that fit in no processor's registers") }
    macro_rules! steps {
        ($($k:literal)*) => {$(
            if N > $k {
                f($k);
            }
        )*};
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
}

#[cfg(test)]
mod tests {
    use super::super::cpu::{ALL, Token};
    use super::Isa;
    use std::vec::Vec;

    #[inline(always)]
    fn sums(cpu: impl Isa, a: &[[f32; 16]], b: &[[f32; 16]]) -> ([f32; 16], Token, bool) {
        let sums = a.iter().zip(b).fold([0.0; 16], |sums, (a, b)| cpu.mul_add_each(a, b, sums));
        let sums = a.iter().fold(sums, |sums, a| cpu.axpy(0.1, a, sums));
        // 1 + 2e-7 + 1e-14 squared: the product of the last bits is lost where it is rounded on the way.
        let x = 1.0 + f32::EPSILON;
        let fused = cpu.mul_add(x, x, -(1.0 + 2.0 * f32::EPSILON)) != 0.0;
        (sums, cpu.token(), fused)
    }

    #[test]
    fn every_family_computes_the_same() {
        let values = |seed: usize| -> Vec<[f32; 16]> {
            let value = |k| ((k * seed) % 251) as f32 / 8.0 - 15.0;
            (0..40).map(|block| core::array::from_fn(|k| value(16 * block + k))).collect()
        };
        let (a, b) = (values(7), values(13));
        for token in ALL.into_iter().filter_map(Token::detect) {
            let (found, used, fused) = dispatch!(token, |cpu| sums(cpu, &a, &b));
            assert_eq!(used, token);
            assert_eq!(fused, dispatch!(token, |cpu| is_fused(cpu)), "{token:?}");
            for (k, found) in found.into_iter().enumerate() {
                let products = a.iter().zip(&b).map(|(a, b)| f64::from(a[k]) * f64::from(b[k]));
                let expected = products.sum::<f64>() + a.iter().map(|a| 0.1 * f64::from(a[k])).sum::<f64>();
                assert!((f64::from(found) - expected).abs() < 1e-2, "{token:?}: {found}, not {expected}");
            }
        }
        assert_eq!(dispatch!(|cpu| sums(cpu, &a, &b)).1, Token::current());
    }

    fn is_fused<I: Isa>(_: I) -> bool {
        I::FUSED
    }

    #[test]
    fn a_closure_may_move_what_it_uses() {
        let words = std::vec![1, 2, 3];
        assert_eq!(dispatch!(words.into_iter().sum::<i32>()), 6);
    }

    #[test]
    fn unroll_counts() {
        let mut seen = Vec::new();
        unroll!(32, |k| seen.push(k));
        unroll!(0, |k| seen.push(k));
        unroll!(3, |k| seen.push(k));
        assert!(seen.into_iter().eq((0..32).chain(0..3)));
    }
}
