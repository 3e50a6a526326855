//! [`Compensation`]: sums over quantised weights, as values of their own or behind the weights where oneDNN keeps them. A second
//! pass over the weights, with a plan whose kernel adds.

use super::super::attributes::Scaling;
use super::super::{Reorder, ReorderError};
use crate::descriptor::Descriptor;

/// What a product of 8-bit tensors needs to know of its weights, as an output of its own: sums over all weights that
/// contribute to one result.
///
/// Where u8 x s8 instructions multiply an s8 source, 128 is added to the source before; the results are then too large by
/// 128 times the sum of their weights ([`s8s8`](Self::s8s8) is what to add). Where the source has a zero point z, they are too
/// large by z times that sum ([`sums`](Self::sums)).
///
/// The sums are those of the quantised weights, the numbers that are in memory, in any layout. `axes` are what sums differ along:
/// `['o']` for a convolution, `['g', 'o']` for one with groups, `['n']` for a matrix k x n. They lie as rows of a tensor of
/// these axes, the last one fastest. Sums wrap beyond i32, which takes more than 2^23 weights for one.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::Compensation;
///
/// let weights = Descriptor::new(DType::S8, &[2, 3, 1, 1], "OIhw4i2o4i")?;
/// let mut bytes = vec![0; weights.size_bytes()];
/// for (at, weight) in [(0, 1), (1, 2), (2, 3), (4, 10), (5, 20), (6, 30)] {
///     bytes[at] = weight;
/// }
/// let compensation = Compensation::new(&weights, &['o'])?;
/// let mut sums = [0; 2];
/// compensation.sums(&bytes, &mut sums)?;
/// assert_eq!(sums, [6, 60]);
/// compensation.s8s8(&bytes, &mut sums)?;
/// assert_eq!(sums, [-128 * 6, -128 * 60]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Compensation {
    plan: Reorder,
}

/// What oneDNN keeps behind weights: the flags `extra` of its memory descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OneDnnExtra {
    /// `compensation_conv_s8s8` (1): -128 times each sum.
    pub s8s8: bool,
    /// `compensation_conv_asymmetric_src` (8): each sum negated, which oneDNN multiplies by the zero point.
    pub asymmetric_src: bool,
}

impl OneDnnExtra {
    /// What weights are multiplied by before they are quantised, on processors without VNNI and for s8 sources: their products
    /// of pairs saturate otherwise (`scale_adjust`, 2). Give it as a source scale to the reorder that quantises the weights.
    pub const SCALE_ADJUST: f32 = 0.5;
}

impl Compensation {
    /// Sums for each combination of indices of the axes of `weights` that are named `axes`, in this order.
    ///
    /// # Errors
    /// [`ReorderError::CompensationType`] for weights that are not s8 or u8, [`ReorderError::AttributeAxis`] for an axis that they
    /// have not, [`ReorderError::AttributeAxisTwice`] for one that is named twice, [`ReorderError::TooManyLoops`] as for
    /// [`Reorder::new`].
    pub const fn new(weights: &Descriptor, axes: &[char]) -> Result<Compensation, ReorderError> {
        match Reorder::of_sums(weights, axes, false) {
            Ok(plan) => Ok(Compensation { plan }),
            Err(error) => Err(error),
        }
    }

    /// How many sums there are.
    ///
    /// ```
    /// # use layout_core::{descriptor::{DType, Descriptor}, reorder::Compensation};
    /// let weights = Descriptor::new(DType::S8, &[3, 5, 4, 1, 1], "gOIhw4i16o4i")?;
    /// assert_eq!(Compensation::new(&weights, &['g', 'o'])?.count(), 15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count(&self) -> usize {
        self.plan.roles.check_sums(&self.plan.nodes, None).unwrap_or(0)
    }

    /// The sum of the weights for each combination of indices.
    ///
    /// # Errors
    /// [`ReorderError::SourceTooSmall`] where `weights` is shorter than the descriptor says; [`ReorderError::AttributeCount`] or
    /// [`ReorderError::AttributeValues`] where `sums` has not as many elements as there are sums. Nothing was written then.
    pub fn sums(&self, weights: &[u8], sums: &mut [i32]) -> Result<(), ReorderError> {
        self.plan.roles.check_sums(&self.plan.nodes, Some(sums.len()))?;
        if weights.len() < self.plan.src_len() {
            return Err(ReorderError::SourceTooSmall { expected: self.plan.src_len(), found: weights.len() });
        }
        sums.fill(0);
        // SAFETY: the weights are as long as the plan says, and so are the sums.
        unsafe { self.add(weights.as_ptr(), sums.as_mut_ptr().cast()) };
        Ok(())
    }

    /// -128 times the sum of the weights, for each combination of indices: what is added to a result of which the source was
    /// taken as s8 + 128.
    ///
    /// # Errors
    /// Those of [`Compensation::sums`].
    pub fn s8s8(&self, weights: &[u8], out: &mut [i32]) -> Result<(), ReorderError> {
        self.sums(weights, out)?;
        out.iter_mut().for_each(|sum| *sum = sum.wrapping_mul(-128));
        Ok(())
    }

    /// Adds the weights to the sums at `sums`.
    ///
    /// # Safety
    /// The weights can be read, and as many `i32` as there are sums, at any address, read and written.
    unsafe fn add(&self, weights: *const u8, sums: *mut u8) {
        let scaling = Scaling::of_sums(&self.plan, sums);
        // SAFETY: the caller's promise; the kernel touches no destination, and writes sums alone, whose places follow from the
        // indices of elements.
        unsafe { self.plan.run_boxes(weights, core::ptr::null_mut(), Some(&scaling)) };
    }

    /// Bytes of weights with `extra` behind them: with one i32 for each place of the axes named `axes`, padding included,
    /// for each flag.
    ///
    /// # Errors
    /// Those of [`Compensation::new`].
    pub fn onednn_bytes(
        weights: &Descriptor,
        axes: &[char],
        extra: OneDnnExtra,
    ) -> Result<usize, ReorderError> {
        let plan = Reorder::of_sums(weights, axes, true)?;
        let count = plan.roles.check_sums(&plan.nodes, None)?;
        let flags = usize::from(extra.s8s8) + usize::from(extra.asymmetric_src);
        Ok(plan.src_len().saturating_add(count.saturating_mul(4 * flags)))
    }

    /// Writes the sums behind the weights in `memory`, where oneDNN reads them: s8s8 first, then for an asymmetric source, each
    /// for all places of the axes named `axes` in logical order, zero for padding. With weights in the layout that its primitive
    /// asks for, `memory` is what its own reorder would have made of them.
    ///
    /// oneDNN writes these sums unasked, and reads them from memory that the user reshaped or copied without them
    /// ([oneDNN#2730](https://github.com/uxlfoundation/oneDNN/issues/2730)); here they are written where this is called.
    ///
    /// # Errors
    /// Those of [`Compensation::new`]; [`ReorderError::DestinationTooSmall`] where `memory` has fewer bytes than
    /// [`Compensation::onednn_bytes`]. Nothing was written then.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Compensation, OneDnnExtra};
    ///
    /// let weights = Descriptor::new(DType::S8, &[1, 4], "OI4i4o")?;
    /// let extra = OneDnnExtra { s8s8: true, asymmetric_src: true };
    /// let mut memory = vec![1; Compensation::onednn_bytes(&weights, &['o'], extra)?];
    /// Compensation::write_onednn(&weights, &['o'], extra, &mut memory)?;
    /// let sums: Vec<i32> = memory[16..].chunks(4).map(|sum| i32::from_ne_bytes(sum.try_into().unwrap())).collect();
    /// assert_eq!(sums, [-128 * 4, 0, 0, 0, -4, 0, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_onednn(
        weights: &Descriptor,
        axes: &[char],
        extra: OneDnnExtra,
        memory: &mut [u8],
    ) -> Result<(), ReorderError> {
        let compensation = Compensation { plan: Reorder::of_sums(weights, axes, true)? };
        let expected = Compensation::onednn_bytes(weights, axes, extra)?;
        if memory.len() < expected {
            return Err(ReorderError::DestinationTooSmall { expected, found: memory.len() });
        }
        let (weights, behind) = memory[..expected].split_at_mut(compensation.plan.src_len());
        let factors = [(extra.s8s8, -128i32), (extra.asymmetric_src, -1)];
        let mut sums = behind.chunks_exact_mut((4 * compensation.count()).max(1));
        for (_, factor) in factors.into_iter().filter(|(wanted, _)| *wanted) {
            let Some(sums) = sums.next() else { break };
            sums.fill(0);
            // SAFETY: the weights are as long as the plan says, and there are as many sums.
            unsafe { compensation.add(weights.as_ptr(), sums.as_mut_ptr()) };
            for sum in sums.as_chunks_mut::<4>().0 {
                *sum = i32::from_ne_bytes(*sum).wrapping_mul(factor).to_ne_bytes();
            }
        }
        Ok(())
    }
}

impl core::fmt::Debug for Compensation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Compensation").field("count", &self.count()).finish_non_exhaustive()
    }
}
