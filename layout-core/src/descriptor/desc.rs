//! [`Descriptor`]: the run-time description of a tensor in memory, like oneDNN's `dnnl_memory_desc_t`.
//! Built from a [`Spec`] and extents; every size is checked here once, so that later arithmetic cannot overflow.
//! Reorders and views read it digit by digit (`digits.rs`); it never touches memory.

use super::{DType, DescriptorError};
use crate::grammar::{MAX_RANK, Spec};
use crate::shape::{SizeError, checked_len, round_up};
use core::hash::{Hash, Hasher};

/// The largest number of digits up to the innermost top digit. Their strides depend on the tensor and are stored;
/// the strides of the dense blocks behind them are constants of the format.
pub const MAX_OUTER: usize = 2 * MAX_RANK;

/// The run-time description of a tensor in memory: data type, extents, and where every element is.
///
/// It owns no heap memory and describes memory without holding any. Offsets count elements, not bytes, from the
/// start of the memory that holds the tensor.
///
/// `==` compares everything: data type, axis names, digits, extents, every stride and the base.
/// [`Descriptor::same_bytes`] asks whether the elements lie alike.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// // The oneDNN guide's example "What if channels are not multiples of 8": C = 17 in nChw8c.
/// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?;
/// assert_eq!(d.padded_dims(), [2, 24, 5, 4]);
/// assert_eq!(*d.strides(), [24 * 5 * 4, 5 * 4 * 8, 4 * 8, 8]);
/// assert_eq!(d.offset(&[1, 16, 4, 3])?, 24 * 20 + 2 * 160 + 4 * 32 + 3 * 8);
/// assert_eq!(d.size_bytes(), 2 * 24 * 5 * 4 * 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Invariants, checked when it is made:
// 1. `spec` is valid, its outer digits are at most `MAX_OUTER`, and its blocks multiply to at most `isize::MAX` bytes.
// 2. `padded[a]` is 0 where `dims[a]` is, else at least `dims[a]`, and at least `origin[a] + dims[a]` where `halo` has
//    bit `a`. All three are at most `isize::MAX`, and so is where the owned positions end (see `window.rs`). Without
//    bit `a`, `origin[a]` is below the product of the axis' blocks; with it, it is not 0.
// 3. With an extent of 0 taken as 1: `base + Σ (extent - 1) * stride` over the digits of negative stride is not below
//    0; the same over those of positive stride, plus one, times the element size, is at most `isize::MAX`.
// 4. The padded extents, zeros left out, multiply to at most `isize::MAX` bytes.
// 5. Unless an extent is 0: every digit of extent above 1 has a stride, taken absolutely, larger than the sum of
//    `(extent - 1) * |stride|` over the digits inside it; the digit of an axis without blocks may have stride 0 instead
//    (broadcast). So no two positions share an offset but for those that differ along broadcast axes alone, and
//    dividing by the other strides from the outside finds the position of an offset.
// 6. `stored` is `spec.outer_len()` where the digits behind it are dense, else the number of all digits; at most
//    `MAX_OUTER`. Strides from there on are 0.
#[derive(Clone, Copy)]
pub struct Descriptor {
    pub(super) spec: Spec,
    pub(super) dtype: DType,
    pub(super) dims: [usize; MAX_RANK],
    pub(super) padded: [usize; MAX_RANK],
    /// Position of index 0: digits pick from `index + origin`.
    pub(super) origin: [usize; MAX_RANK],
    /// One bit an axis: the positions before its origin are padding of this tensor.
    pub(super) halo: u16,
    /// The number of digits, from the outside, whose strides are stored.
    pub(super) stored: u8,
    /// Strides of the first `stored` digits, by physical position, in elements.
    pub(super) strides: [isize; MAX_OUTER],
    /// Offset of position 0, in elements.
    pub(super) base: usize,
}

impl Descriptor {
    /// The dense descriptor of extents `dims` (in logical order) in the format written as `format`, in any dialect.
    /// Formats of several ranks, and paddings in bytes, get their meaning from `dims` and `dtype`:
    /// [`Spec::parse_for`].
    ///
    /// # Errors
    /// [`DescriptorError::Format`] where the text is not a format, [`DescriptorError::Size`] where the extents do
    /// not fit it.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let image = Descriptor::new(DType::U8, &[1, 3, 300, 451], "nhwc")?;
    /// assert_eq!(*image.strides(), [405900, 1, 1353, 3]);
    /// assert_eq!(Descriptor::new(DType::U8, &[1, 3, 300, 451], "channels_last")?, image);
    /// assert_eq!(*Descriptor::new(DType::F32, &[3, 300, 451], "abc^64B")?.padded_dims(), [3, 300, 464]);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn new(dtype: DType, dims: &[usize], format: &str) -> Result<Descriptor, DescriptorError> {
        match Spec::parse_for_bits(format, dims.len(), dtype.bits()) {
            Ok(spec) => match Descriptor::from_spec(dtype, dims, spec) {
                Ok(descriptor) => Ok(descriptor),
                Err(error) => Err(DescriptorError::Size(error)),
            },
            Err(error) => Err(DescriptorError::Format(error)),
        }
    }

    /// The descriptor of a single element without axes (rank 0).
    pub const fn scalar(dtype: DType) -> Descriptor {
        Descriptor {
            spec: Spec::SCALAR,
            dtype,
            dims: [0; MAX_RANK],
            padded: [0; MAX_RANK],
            origin: [0; MAX_RANK],
            halo: 0,
            stored: 0,
            strides: [0; MAX_OUTER],
            base: 0,
        }
    }

    /// The dense descriptor of extents `dims` (in logical order) in the format `spec`.
    ///
    /// An extent of 0 counts as 1 in the strides of the digits outside it, as in NumPy.
    ///
    /// # Errors
    /// [`SizeError`] where the number of extents is not the rank, a size leaves `isize`, or `spec` is incomplete.
    pub const fn from_spec(dtype: DType, dims: &[usize], spec: Spec) -> Result<Descriptor, SizeError> {
        let mut out = match Descriptor::unplaced(dtype, dims, spec) {
            Ok(out) => out,
            Err(error) => return Err(error),
        };
        match out.lay_densely() {
            Ok(()) => Ok(out),
            Err(error) => Err(error),
        }
    }

    /// Fills in the strides of dense memory.
    pub(super) const fn lay_densely(&mut self) -> Result<(), SizeError> {
        // In bytes, so that invariant 3 holds; the blocks of an axis of extent 0 count here, not in invariant 4.
        let limit = isize::MAX as u128 / self.dtype.size() as u128;
        let mut stride = self.spec.dense_block_len() as u128;
        let mut i = self.spec.outer_len();
        while i > 0 && stride <= limit {
            i -= 1;
            if let Some(d) = self.spec.digit(i) {
                let extent = match d.size {
                    Some(size) => size as u128,
                    None => (self.owned_end(d.axis) as u64).div_ceil(d.divisor) as u128,
                };
                self.strides[i] = stride as isize;
                // Both factors are below 2^63.
                stride *= if extent == 0 { 1 } else { extent };
            }
        }
        if stride > limit {
            let axis = match self.spec.axis_and_size(i) {
                Some((axis, _)) => axis,
                None => 0,
            };
            return Err(self.too_large(axis));
        }
        Ok(())
    }

    /// Extents checked and padded, strides not yet filled in.
    pub(super) const fn unplaced(dtype: DType, dims: &[usize], spec: Spec) -> Result<Descriptor, SizeError> {
        let rank = spec.rank();
        if dims.len() != rank {
            return Err(SizeError::Rank { expected: rank, found: dims.len() });
        }
        if let Err(axis) = check_placed(&spec) {
            return Err(SizeError::Unplaced { axis: axis_char(&spec, axis) });
        }
        if spec.outer_len() > MAX_OUTER {
            return Err(SizeError::OuterDigits { found: spec.outer_len(), limit: MAX_OUTER });
        }
        let mut out = Descriptor::scalar(dtype);
        out.spec = spec;
        out.stored = spec.outer_len() as u8;
        if spec.inner_len() > isize::MAX as u64 / dtype.size() as u64 {
            return Err(out.too_large(0));
        }
        let mut a = 0;
        while a < rank {
            let multiple = spec.padding_multiple(a);
            out.dims[a] = dims[a];
            out.padded[a] = match round_up(dims[a], multiple) {
                Some(n) => n,
                None => {
                    return Err(SizeError::Padding { axis: axis_char(&spec, a), extent: dims[a], multiple });
                }
            };
            a += 1;
        }
        match checked_len(out.padded_dims(), dtype.size()) {
            Ok(_) => Ok(out),
            Err(axis) => Err(out.too_large(axis)),
        }
    }

    /// The error that the tensor passes `isize::MAX` bytes at `axis`.
    pub(super) const fn too_large(&self, axis: usize) -> SizeError {
        let extent = if axis < MAX_RANK { self.dims[axis] } else { 0 };
        SizeError::TooLarge { axis: self.axis_char(axis), extent, element_bytes: self.dtype.size() }
    }

    /// The letter of `axis`, for messages.
    pub(super) const fn axis_char(&self, axis: usize) -> char {
        axis_char(&self.spec, axis)
    }

    /// The format: axis names and digits.
    pub const fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The data type of the elements.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of logical axes.
    pub const fn rank(&self) -> usize {
        self.spec.rank()
    }

    /// The extents in logical order.
    pub const fn dims(&self) -> &[usize] {
        self.dims.split_at(self.spec.rank()).0
    }

    /// The extents in memory, padding of this tensor included, in logical order.
    ///
    /// They are multiples of the blocks, except in a view that ends inside a block without reaching the end of the
    /// tensor that it was taken from: the rest of that block is not its padding. Where padding lies before the
    /// elements too, or a view starts inside a block, see [`Descriptor::owned`].
    pub const fn padded_dims(&self) -> &[usize] {
        self.padded.split_at(self.spec.rank()).0
    }

    /// What the digits are added to, in elements (oneDNN: `offset0`): the offset of the element with index 0, unless
    /// [`Descriptor::origin`] is not 0, that is unless there is padding before it or it lies inside a block.
    pub const fn base(&self) -> usize {
        self.base
    }
}

/// Compares what is in use, not the room for more axes and digits, which is most of the value: caches look descriptors up
/// in nanoseconds.
impl PartialEq for Descriptor {
    fn eq(&self, other: &Descriptor) -> bool {
        let (rank, stored) = (self.rank(), self.stored as usize);
        let scalars = |d: &Descriptor| (d.dtype, d.halo, d.stored, d.base);
        // Equal digits are as many, and of as many axes.
        if scalars(self) != scalars(other) || !self.spec.same_digits(&other.spec) {
            return false;
        }
        let mut differences = 0;
        for a in 0..rank.min(MAX_RANK) {
            differences |= self.dims[a] ^ other.dims[a];
            differences |= self.padded[a] ^ other.padded[a];
            differences |= self.origin[a] ^ other.origin[a];
        }
        for i in 0..stored.min(MAX_OUTER) {
            differences |= (self.strides[i] ^ other.strides[i]) as usize;
        }
        differences == 0 && (0..rank).all(|a| self.spec.axis_name(a) == other.spec.axis_name(a))
    }
}

impl Eq for Descriptor {}

/// Takes a few words for each axis and digit. What is left out follows from the rest but for names and extra padding.
impl Hash for Descriptor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let counts = [self.spec.rank() as u8, self.spec.len() as u8, self.dtype as u8, self.stored];
        state.write_u64(u64::from(u32::from_le_bytes(counts)) | u64::from(self.halo) << 32);
        state.write_usize(self.base);
        for (dim, origin) in self.dims().iter().zip(&self.origin) {
            state.write_usize(dim ^ origin.rotate_left(usize::BITS / 2));
        }
        for &stride in &self.strides[..self.stored as usize] {
            state.write_isize(stride);
        }
        let mut position = 0;
        while let Some((axis, size)) = self.spec.axis_and_size(position) {
            state.write_u64(axis as u64 | size.unwrap_or(0) << 8);
            position += 1;
        }
    }
}

/// Whether every axis has its top digit and unambiguous blocks; the first axis that has not otherwise.
/// [`Spec::validate`] says the same without naming the axis, and a `Spec` can be made by hand.
const fn check_placed(spec: &Spec) -> Result<(), usize> {
    if spec.validate().is_ok() {
        return Ok(());
    }
    let mut axis = 0;
    while axis < spec.rank() && spec.top_of(axis).is_some() {
        axis += 1;
    }
    Err(if axis < spec.rank() { axis } else { 0 })
}

const fn axis_char(spec: &Spec, axis: usize) -> char {
    match spec.axis_name(axis) {
        Some(letter) => letter,
        None => '?',
    }
}
