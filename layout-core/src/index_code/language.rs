//! [`Language`]: the languages that index code is written in, and the words in which they differ.

use core::fmt;

/// A language that index code is written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Language {
    /// C99 and later.
    C,
    /// C++14 and later; the functions are `constexpr`.
    Cpp,
    /// CUDA C++; the functions are for host and device. HIP takes the same text.
    Cuda,
    /// OpenCL C 1.2 and later.
    OpenCl,
    /// The WebGPU shading language, whose only integers have 32 bits.
    Wgsl,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 5] =
        [Language::C, Language::Cpp, Language::Cuda, Language::OpenCl, Language::Wgsl];

    /// The name, as tools write it: `c`, `cpp`, `cuda`, `opencl`, `wgsl`.
    ///
    /// ```
    /// assert_eq!(layout_core::index_code::Language::OpenCl.name(), "opencl");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Cuda => "cuda",
            Language::OpenCl => "opencl",
            Language::Wgsl => "wgsl",
        }
    }

    /// The language of this name; `None` for any other text.
    pub fn from_name(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.name() == name)
    }

    /// Whether it has the preprocessor of C, and so macros.
    pub const fn has_macros(self) -> bool {
        !matches!(self, Language::Wgsl)
    }

    /// The unsigned integer type of indices and offsets.
    pub(super) const fn integer(self, bits: u32) -> &'static str {
        match (self, bits) {
            (Language::C | Language::Cuda, 64) => "size_t",
            (Language::C, _) => "uint32_t",
            (Language::Cpp, 64) => "std::size_t",
            (Language::Cpp, _) => "std::uint32_t",
            (Language::Cuda, _) => "unsigned int",
            (Language::OpenCl, 64) => "ulong",
            (Language::OpenCl, _) => "uint",
            (Language::Wgsl, _) => "u32",
        }
    }

    /// The line that makes the integer type known; empty where none is needed.
    pub(super) const fn include(self, bits: u32) -> &'static str {
        match (self, bits) {
            (Language::C, 64) => "#include <stddef.h>\n",
            (Language::C, _) => "#include <stdint.h>\n",
            (Language::Cpp, 64) => "#include <cstddef>\n",
            (Language::Cpp, _) => "#include <cstdint>\n",
            _ => "",
        }
    }

    /// What stands before the type that a function returns.
    pub(super) const fn qualifiers(self) -> &'static str {
        match self {
            Language::C | Language::OpenCl => "static inline",
            Language::Cpp => "constexpr",
            Language::Cuda => "static __host__ __device__ __forceinline__",
            Language::Wgsl => "fn",
        }
    }

    /// What stands behind an integer literal.
    pub(super) const fn suffix(self) -> &'static str {
        if matches!(self, Language::Wgsl) { "u" } else { "" }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Language::C => "C",
            Language::Cpp => "C++",
            Language::Cuda => "CUDA",
            Language::OpenCl => "OpenCL C",
            Language::Wgsl => "WGSL",
        })
    }
}
