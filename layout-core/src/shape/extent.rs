//! Extents that are part of the type ([`Fixed`]) or known at run time (`usize`), and shapes made of them.

use super::IndexArray;

mod private {
    pub trait Sealed {}
}

/// An extent known while compiling; holds no memory.
///
/// ```
/// use layout_core::shape::{Fixed, Shape, fixed};
/// let shape = (2usize, fixed::<3>(), fixed::<224>(), fixed::<224>());
/// assert_eq!(shape.dims(), [2, 3, 224, 224]);
/// assert_eq!(size_of_val(&shape), size_of::<usize>());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fixed<const EXTENT: usize>;

/// The extent `EXTENT` as a value of the zero-sized [`Fixed`].
pub const fn fixed<const EXTENT: usize>() -> Fixed<EXTENT> {
    Fixed
}

/// One extent: `usize` or [`Fixed`]. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an extent",
    label = "not an extent",
    note = "an extent is a `usize`, or `Fixed<N>`, which is written `fixed::<N>()`"
)]
pub trait Extent:
    private::Sealed + Copy + Eq + core::hash::Hash + core::fmt::Debug + Send + Sync + 'static
{
    /// The extent where it is known while compiling.
    const STATIC: Option<usize>;
    /// The extent.
    fn get(self) -> usize;
    /// This kind of extent with the value `extent`; `None` where the type fixes another one.
    fn from_extent(extent: usize) -> Option<Self>;
}

impl private::Sealed for usize {}
#[diagnostic::do_not_recommend]
impl Extent for usize {
    const STATIC: Option<usize> = None;
    #[inline(always)]
    fn get(self) -> usize {
        self
    }
    #[inline]
    fn from_extent(extent: usize) -> Option<usize> {
        Some(extent)
    }
}

impl<const EXTENT: usize> private::Sealed for Fixed<EXTENT> {}
#[diagnostic::do_not_recommend]
impl<const EXTENT: usize> Extent for Fixed<EXTENT> {
    const STATIC: Option<usize> = Some(EXTENT);
    #[inline(always)]
    fn get(self) -> usize {
        EXTENT
    }
    #[inline]
    fn from_extent(extent: usize) -> Option<Self> {
        if extent == EXTENT { Some(Fixed) } else { None }
    }
}

/// The type of the indices into a shape: `[usize; RANK]` for every shape of that rank. It lets a closure's argument be
/// inferred from the shape that was given before it. Sealed.
pub trait ShapeIndex: private::Sealed {
    /// `[usize; RANK]`.
    type Index: IndexArray;
}

/// The extents of a tensor in logical order: `[usize; RANK]` where none is known while compiling, or a tuple of
/// `usize` and [`Fixed`]. A shape of `Fixed` alone is zero-sized. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape for a layout whose indices are `{Index}`",
    label = "not a shape for this layout",
    note = "write an extent for each axis in logical order, as `{Index}` or as a tuple of `usize` and `Fixed<N>` extents"
)]
pub trait Shape<Index: IndexArray>:
    ShapeIndex<Index = Index>
    + private::Sealed
    + Copy
    + Eq
    + core::hash::Hash
    + core::fmt::Debug
    + Send
    + Sync
    + 'static
{
    /// The extents that the type fixes, in logical order; `None` for one that is known at run time.
    ///
    /// ```
    /// use layout_core::shape::{Fixed, Shape};
    /// assert_eq!(<(usize, Fixed<3>)>::STATIC, [None, Some(3)]);
    /// assert_eq!(<[usize; 2]>::STATIC, [None, None]);
    /// ```
    const STATIC: &'static [Option<usize>];

    /// The extents as an array.
    fn dims(self) -> Index;
    /// This kind of shape with the extents `dims`.
    ///
    /// # Errors
    /// The logical position and the fixed extent of the first axis for which the type fixes another extent.
    fn from_dims(dims: Index) -> Result<Self, (usize, usize)>;
}

macro_rules! shapes {
    ($($rank:literal: $($name:ident $at:tt)*;)*) => {$(
        impl private::Sealed for [usize; $rank] {}
        impl ShapeIndex for [usize; $rank] {
            type Index = [usize; $rank];
        }
        #[diagnostic::do_not_recommend]
        impl Shape<[usize; $rank]> for [usize; $rank] {
            const STATIC: &'static [Option<usize>] = &[None; $rank];

            #[inline(always)]
            fn dims(self) -> [usize; $rank] {
                self
            }
            #[inline]
            fn from_dims(dims: [usize; $rank]) -> Result<Self, (usize, usize)> {
                Ok(dims)
            }
        }
        impl<$($name: Extent),*> private::Sealed for ($($name,)*) {}
        impl<$($name: Extent),*> ShapeIndex for ($($name,)*) {
            type Index = [usize; $rank];
        }
        #[diagnostic::do_not_recommend]
        impl<$($name: Extent),*> Shape<[usize; $rank]> for ($($name,)*) {
            const STATIC: &'static [Option<usize>] = &[$($name::STATIC),*];

            #[inline(always)]
            fn dims(self) -> [usize; $rank] {
                [$(self.$at.get()),*]
            }
            #[inline]
            fn from_dims(_dims: [usize; $rank]) -> Result<Self, (usize, usize)> {
                Ok(($(
                    match $name::from_extent(_dims[$at]) {
                        Some(extent) => extent,
                        // `STATIC` is there, or `from_extent` would have taken any value.
                        None => return Err(($at, $name::STATIC.unwrap_or(0))),
                    },
                )*))
            }
        }
    )*};
}
shapes! {
    0: ;
    1: A 0;
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
    7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    9: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    10: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    11: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    12: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}
