//! Which vector instructions the kernels use: [`Cpu`] for people, and zero-sized tokens for kernels, the crate's own and
//! its users'. Whoever holds a token has the proof that the processor has the instructions; only this file makes tokens.
//! It runs no kernel.

use core::fmt;

/// A family of vector instructions that kernels are written for.
///
/// The best one of the processor is found once and kept. With the feature `std`, the environment variable
/// `TENSOR_LAYOUT_CPU` (`generic`, `neon`, `sse4.1`, `avx2` or `avx512`) picks another one, provided the processor has it; a name that
/// is none of these is ignored. Without `std` the target features of the build decide.
///
/// ```
/// use layout_core::kernels::Cpu;
/// println!("kernels for {}", Cpu::current());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Cpu {
    /// Plain Rust for every processor.
    Generic,
    /// 64-bit Arm with Advanced SIMD, in little-endian order: 16-byte vectors.
    Neon,
    /// x86-64 with SSE4.1: 16-byte vectors.
    Sse41,
    /// x86-64 with AVX2, FMA and F16C (Haswell, Excavator and later): 32-byte vectors.
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL, DQ and VBMI (Ice Lake, Zen 4 and later): 64-byte vectors.
    Avx512,
}

impl Cpu {
    /// The family that [`dispatch!`](crate::dispatch) and reorders run on; of these, some of tiles of a few elements take AVX2 where it is
    /// AVX-512, as the printed plan says.
    pub fn current() -> Cpu {
        Token::current().cpu()
    }

    /// Its name in the environment variable and in printed plans.
    pub const fn name(self) -> &'static str {
        match self {
            Cpu::Generic => "generic",
            Cpu::Neon => "neon",
            Cpu::Sse41 => "sse4.1",
            Cpu::Avx2 => "avx2",
            Cpu::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether the processor has all the features named.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! has {
    ($($feature:tt)*) => {{
        #[cfg(all(feature = "std", target_arch = "aarch64"))]
        let has = $(std::arch::is_aarch64_feature_detected!($feature))&&*;
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        let has = $(std::arch::is_x86_feature_detected!($feature))&&*;
        #[cfg(not(feature = "std"))]
        let has = $(cfg!(target_feature = $feature))&&*;
        has
    }};
}

/// Proof that the processor has AVX-512 F, BW, VL, DQ and VBMI, and what [`Avx2`] proves.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The token, where the processor has the instructions.
    pub fn detect() -> Option<Avx512> {
        let own = has!("avx512f" "avx512bw" "avx512vl" "avx512dq" "avx512vbmi");
        (own && Avx2::detect().is_some()).then_some(Avx512(()))
    }

    /// What it proves of AVX2: for moves that are faster with registers of half a line.
    pub(super) fn halves(self) -> Avx2 {
        Avx2(())
    }

    /// Whether the processor has AVX512_BF16 besides.
    pub(super) fn has_bf16(self) -> bool {
        has!("avx512bf16")
    }

    /// Whether the processor has AVX512_FP16 besides.
    pub(super) fn has_fp16(self) -> bool {
        has!("avx512fp16")
    }
}

/// Proof that the processor has AVX2, FMA and F16C.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The token, where the processor has the instructions.
    pub fn detect() -> Option<Avx2> {
        has!("avx2" "fma" "f16c").then_some(Avx2(()))
    }
}

/// Proof that the processor has SSE4.1.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sse41(());

#[cfg(target_arch = "x86_64")]
impl Sse41 {
    /// The token, where the processor has the instructions.
    pub fn detect() -> Option<Sse41> {
        has!("sse4.1").then_some(Sse41(()))
    }
}

/// Proof that the processor has NEON, which is also known as Advanced SIMD.
#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neon(());

#[cfg(target_arch = "aarch64")]
impl Neon {
    /// The token, where the processor has the instructions and the order of bytes is the one that the kernels assume.
    pub fn detect() -> Option<Neon> {
        (cfg!(target_endian = "little") && has!("neon")).then_some(Neon(()))
    }
}

/// One of the tokens: what [`dispatch!`](crate::dispatch) chooses by.
///
/// ```
/// use layout_core::kernels::{Cpu, Token};
/// assert_eq!(Token::current().cpu(), Cpu::current());
/// assert!(Token::detect(Cpu::Generic).is_some());
/// assert!(Token::detect(Cpu::Neon).is_none() || cfg!(target_arch = "aarch64"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Token {
    /// Nothing to prove.
    Generic,
    /// Advanced SIMD.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    /// SSE4.1.
    #[cfg(target_arch = "x86_64")]
    Sse41(Sse41),
    /// AVX2, FMA and F16C.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512, and what AVX2's token proves.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Token {
    /// The token for `cpu`, where the processor has it.
    pub fn detect(cpu: Cpu) -> Option<Token> {
        match cpu {
            Cpu::Generic => Some(Token::Generic),
            #[cfg(target_arch = "aarch64")]
            Cpu::Neon => Neon::detect().map(Token::Neon),
            #[cfg(target_arch = "x86_64")]
            Cpu::Sse41 => Sse41::detect().map(Token::Sse41),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => Avx2::detect().map(Token::Avx2),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => Avx512::detect().map(Token::Avx512),
            // Families of other processors.
            _ => None,
        }
    }

    /// The family that it proves.
    pub fn cpu(self) -> Cpu {
        match self {
            Token::Generic => Cpu::Generic,
            #[cfg(target_arch = "aarch64")]
            Token::Neon(_) => Cpu::Neon,
            #[cfg(target_arch = "x86_64")]
            Token::Sse41(_) => Cpu::Sse41,
            #[cfg(target_arch = "x86_64")]
            Token::Avx2(_) => Cpu::Avx2,
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(_) => Cpu::Avx512,
        }
    }

    /// The same, or where registers are whole lines the proof for those of half a line.
    #[inline]
    pub(crate) fn by_halves(self) -> Token {
        match self {
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(avx512) => Token::Avx2(avx512.halves()),
            token => token,
        }
    }

    /// The best there is, or the one that the environment variable `TENSOR_LAYOUT_CPU` asks for: see [`Cpu`].
    #[cfg(feature = "std")]
    #[inline]
    pub fn current() -> Token {
        use std::sync::OnceLock;
        static CURRENT: OnceLock<Token> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            let wanted = std::env::var_os("TENSOR_LAYOUT_CPU");
            let named = ALL.into_iter().find(|cpu| wanted.as_deref().is_some_and(|name| name == cpu.name()));
            named.and_then(Token::detect).unwrap_or_else(best)
        })
    }

    /// The best there is.
    #[cfg(not(feature = "std"))]
    #[inline]
    pub fn current() -> Token {
        best()
    }
}

/// All families, the best one first.
pub(super) const ALL: [Cpu; 5] = [Cpu::Avx512, Cpu::Avx2, Cpu::Sse41, Cpu::Neon, Cpu::Generic];

fn best() -> Token {
    ALL.into_iter().find_map(Token::detect).unwrap_or(Token::Generic)
}
