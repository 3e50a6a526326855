//! [`Footprint`]: what a tensor costs in memory, and a warning where its strides make caches work badly.

use super::super::Descriptor;
use core::fmt;

/// Addresses this many bytes apart fall into one set of a first-level cache: 64 sets of 64-byte lines, as in most
/// processors, whatever the number of ways.
const PERIOD: usize = 4096;

/// The lines that one set of such a cache holds at least.
const WAYS: usize = 8;

/// Steps along one axis that fall into one set of the first-level cache, more often than it has lines there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct CacheConflict {
    /// Name of the axis.
    pub axis: char,
    /// Bytes from one step to the next: a multiple of 4096.
    pub stride_bytes: usize,
    /// The number of steps.
    pub steps: usize,
}

/// What a tensor costs in memory, in bytes; made by [`Descriptor::footprint`]. `Display` is one line for people.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Footprint {
    /// The elements without padding. Those that a broadcast puts on one place count once.
    pub logical_bytes: usize,
    /// The elements with padding.
    pub padded_bytes: usize,
    /// From the first place that the tensor owns to the last: what a copy of it as it is would move.
    pub span_bytes: usize,
    /// The axis with the most steps that fall into one set of the cache, if there is one.
    pub conflict: Option<CacheConflict>,
}

impl Footprint {
    /// The share of padding in the padded bytes, from 0 to 1.
    pub const fn padding_share(&self) -> f64 {
        if self.padded_bytes == 0 {
            0.0
        } else {
            (self.padded_bytes - self.logical_bytes) as f64 / self.padded_bytes as f64
        }
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.padding_share();
        write!(
            f,
            "{} bytes of elements, {} with padding ({share:.0}% padding), over {}",
            self.logical_bytes, self.padded_bytes, self.span_bytes
        )?;
        if let Some(CacheConflict { axis, stride_bytes, steps }) = self.conflict {
            write!(f, "; {steps} steps of {stride_bytes} bytes along `{axis}` share one cache set")?;
        }
        Ok(())
    }
}

impl Descriptor {
    /// What the tensor costs in memory.
    ///
    /// The warning is for loops that walk along the axis: with strides of a multiple of 4096 bytes all their lines
    /// compete for one set of the first-level cache. A stride that is a little larger avoids it, see
    /// [`Descriptor::with_strides`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[1, 3, 64, 64], "nChw16c")?;
    /// assert_eq!(d.footprint().padding_share(), 13.0 / 16.0);
    /// assert_eq!(
    ///     d.footprint().to_string(),
    ///     "49152 bytes of elements, 262144 with padding (81% padding), over 262144; \
    ///      64 steps of 4096 bytes along `h` share one cache set"
    /// );
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn footprint(&self) -> Footprint {
        let dtype = self.dtype;
        let mut out = Footprint { logical_bytes: 0, padded_bytes: 0, span_bytes: 0, conflict: None };
        if self.is_empty() {
            return out;
        }
        out.padded_bytes = dtype.bytes(self.distinct_len());
        // The first of two elements in a byte may be another's.
        let before =
            if dtype.is_packed() { self.first_offset() / 2 } else { dtype.bytes(self.first_offset()) };
        out.span_bytes = dtype.bytes(self.required_len()) - before;
        let mut logical = 1;
        let mut a = 0;
        while a < self.rank() {
            if !self.is_broadcast(a) {
                logical *= self.dims[a];
            }
            a += 1;
        }
        out.logical_bytes = dtype.bytes(logical);
        let mut most = WAYS;
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            if d.extent > most && d.stride != 0 {
                // Within the address space, because the digit has more than one value.
                let stride_bytes = match d.stride.unsigned_abs() {
                    odd if dtype.is_packed() && !odd.is_multiple_of(2) => 1,
                    stride => dtype.bytes(stride),
                };
                if stride_bytes.is_multiple_of(PERIOD) {
                    most = d.extent;
                    let axis = self.axis_char(d.axis);
                    out.conflict = Some(CacheConflict { axis, stride_bytes, steps: d.extent });
                }
            }
        }
        out
    }
}
