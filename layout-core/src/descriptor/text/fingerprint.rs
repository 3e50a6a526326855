//! [`Descriptor::fingerprint`]: a short key for caches that outlive the process. Hashes the text form, nothing else.

use super::super::Descriptor;
use core::fmt::{self, Write};

/// FNV-1a with 64 bits (Fowler, Noll and Vo).
struct Fnv1a(u64);

impl Fnv1a {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
}

impl Write for Fnv1a {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(Self::PRIME);
        }
        Ok(())
    }
}

impl Descriptor {
    /// A number for the descriptor that is the same in every process, on every platform and in every version that prints
    /// the same text: the 64-bit FNV-1a hash of the text form's bytes.
    ///
    /// Equal descriptors have equal fingerprints. Different ones almost always differ, but it is no cryptographic hash:
    /// where others choose the descriptors, compare the text as well. In one process `Hash` does.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw16c")?;
    /// assert_eq!(d.fingerprint(), "f32:nChw16c:2x17x5x4".parse::<Descriptor>()?.fingerprint());
    /// assert_eq!(d.fingerprint(), 0x79fc_e0c8_cad9_784f);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fnv1a(Fnv1a::BASIS);
        // Neither the writer nor the text form of a descriptor fails.
        let _ = write!(hash, "{self}");
        hash.0
    }
}
