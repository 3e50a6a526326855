//! Arrays indexed by axis, whose length is the rank.

mod private {
    pub trait Sealed {}
}

/// `[usize; RANK]`: a logical index, or extents, in logical order. Sealed; implemented for rank 0 to 12.
pub trait IndexArray:
    private::Sealed
    + Copy
    + Eq
    + core::hash::Hash
    + core::fmt::Debug
    + AsRef<[usize]>
    + AsMut<[usize]>
    + Send
    + Sync
    + 'static
{
    /// The rank.
    const RANK: usize;
    /// `[isize; RANK]`: strides in logical order.
    type Signed: Copy
        + Eq
        + core::hash::Hash
        + core::fmt::Debug
        + AsRef<[isize]>
        + AsMut<[isize]>
        + Send
        + Sync
        + 'static;
    /// All zeros.
    const ZERO: Self;
    /// All zeros, signed.
    const ZERO_SIGNED: Self::Signed;
}

macro_rules! ranks {
    ($($rank:literal)*) => {$(
        impl private::Sealed for [usize; $rank] {}
        impl IndexArray for [usize; $rank] {
            const RANK: usize = $rank;
            type Signed = [isize; $rank];
            const ZERO: Self = [0; $rank];
            const ZERO_SIGNED: [isize; $rank] = [0; $rank];
        }
    )*};
}
ranks!(0 1 2 3 4 5 6 7 8 9 10 11 12);
