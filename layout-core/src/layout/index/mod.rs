//! Indices that name their axis, so that swapping two does not compile: [`At`], one index, [`NamedIndex`], a tuple with
//! one for each axis in any order, and the functions of [`axis`] that write them. The views read them.

use super::digits::digit::Dim;
use super::digits::search::{Cons, Find, Letter};
use super::digits::tuple::AxisTuple;
use super::format::Layout;
use crate::grammar::MAX_RANK;
use crate::shape::IndexArray;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, Range, Sub, SubAssign};

/// An index along axis `AXIS`, as large as a `usize`.
///
/// Two indices of one axis subtract to a distance, and a distance can be added; what belongs to different axes does not mix.
///
/// ```
/// use layout_core::layout::At;
/// use layout_core::layout::axis::{h, w};
/// let below: At<'h'> = h(2) + 1;
/// assert_eq!(below - h(0), 3);
/// assert_eq!((h(2).get(), format!("{below}")), (2, "h = 3".to_owned()));
/// ```
///
/// ```compile_fail
/// use layout_core::layout::axis::{h, w};
/// let distance = h(2) - w(0); // cannot subtract `At<'w'>` from `At<'h'>`
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct At<const AXIS: char>(pub usize);

impl<const AXIS: char> At<AXIS> {
    /// The index without its axis.
    #[inline(always)]
    pub const fn get(self) -> usize {
        self.0
    }
}

/// As in `h = 3`.
impl<const AXIS: char> fmt::Display for At<AXIS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{AXIS} = {}", self.0)
    }
}
impl<const AXIS: char> Add<usize> for At<AXIS> {
    type Output = Self;
    #[inline(always)]
    fn add(self, distance: usize) -> Self {
        At(self.0 + distance)
    }
}
impl<const AXIS: char> AddAssign<usize> for At<AXIS> {
    #[inline(always)]
    fn add_assign(&mut self, distance: usize) {
        self.0 += distance;
    }
}
impl<const AXIS: char> Sub<usize> for At<AXIS> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, distance: usize) -> Self {
        At(self.0 - distance)
    }
}
impl<const AXIS: char> SubAssign<usize> for At<AXIS> {
    #[inline(always)]
    fn sub_assign(&mut self, distance: usize) {
        self.0 -= distance;
    }
}
impl<const AXIS: char> Sub for At<AXIS> {
    type Output = usize;
    #[inline(always)]
    fn sub(self, other: Self) -> usize {
        self.0 - other.0
    }
}
/// For strided windows: `h * stride + r`.
impl<const AXIS: char> Mul<usize> for At<AXIS> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, step: usize) -> Self {
        At(self.0 * step)
    }
}

/// The indices along one axis, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Along<const AXIS: char>(Range<usize>);

impl<const AXIS: char> Along<AXIS> {
    /// The indices in `range`.
    #[inline(always)]
    pub const fn new(range: Range<usize>) -> Self {
        Along(range)
    }
}
impl<const AXIS: char> Iterator for Along<AXIS> {
    type Item = At<AXIS>;

    #[inline(always)]
    fn next(&mut self) -> Option<At<AXIS>> {
        self.0.next().map(At)
    }
    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<At<AXIS>> {
        self.0.nth(n).map(At)
    }
    #[inline(always)]
    fn fold<A, F: FnMut(A, At<AXIS>) -> A>(self, acc: A, mut f: F) -> A {
        self.0.fold(acc, |acc, index| f(acc, At(index)))
    }
}
impl<const AXIS: char> DoubleEndedIterator for Along<AXIS> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<At<AXIS>> {
        self.0.next_back().map(At)
    }
}
impl<const AXIS: char> ExactSizeIterator for Along<AXIS> {}
impl<const AXIS: char> FusedIterator for Along<AXIS> {}

/// A function for each letter that names the axis of an index: `h(3)` is `At::<'h'>(3)`.
///
/// Import the ones that a kernel needs: `use tensor_layout::axis::{n, c, h, w};`.
pub mod axis {
    use super::At;

    macro_rules! letters {
        ($($name:ident $letter:literal)*) => {$(
            #[doc = concat!("An index along axis `", stringify!($name), "`.")]
            #[inline(always)]
            pub const fn $name(index: usize) -> At<$letter> {
                At(index)
            }
        )*};
    }
    letters! {
        a 'a' b 'b' c 'c' d 'd' e 'e' f 'f' g 'g' h 'h' i 'i' j 'j' k 'k' l 'l' m 'm'
        n 'n' o 'o' p 'p' q 'q' r 'r' s 's' t 't' u 'u' v 'v' w 'w' x 'x' y 'y' z 'z'
    }
}

/// A tuple of [`At`] with one index for each axis of layout `L`, in any order.
///
/// ```
/// use layout_core::layout::axis::{c, h, n, w};
/// use layout_core::layout::{NamedIndex, Nhwc};
/// let index = (h(1), w(2), c(0), n(3));
/// assert_eq!(NamedIndex::<Nhwc>::in_order(index), [3, 0, 1, 2]); // the logical order is n, c, h, w
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index into `{L}`",
    label = "not one index for each axis of the layout",
    note = "name each axis of the layout once, in any order: `(n(0), c(3), h(1), w(2))` with the functions of module `axis`, \
            or `At::<'c'>(3)`"
)]
pub trait NamedIndex<L: Layout>: Copy {
    /// The indices in logical order.
    fn in_order(self) -> L::Index;
}

/// Of the axes of layout `L` in logical order, where each stands among the names.
struct Places<L, Names>(PhantomData<(L, Names)>);
impl<L: Layout, Names: AxisTuple> Places<L, Names> {
    const TABLE: [usize; MAX_RANK] = {
        let mut table = [0; MAX_RANK];
        let mut axis = 0;
        while axis < L::RANK {
            let mut at = 0;
            // `AllIn` found the axis; past the last name this stops the build.
            while Names::LETTERS[at] as u32 != L::AXES[axis] as u32 {
                at += 1;
            }
            table[axis] = at;
            axis += 1;
        }
        table
    };
}

/// `given`, which is in the order of the names, in logical order. The table is a constant, so that nothing is left to do
/// once this is inlined.
#[inline(always)]
fn in_order<L: Layout, Names: AxisTuple>(given: L::Index) -> L::Index {
    let mut index = L::Index::ZERO;
    let mut axis = 0;
    while axis < L::RANK {
        index.as_mut()[axis] = given.as_ref()[Places::<L, Names>::TABLE[axis]];
        axis += 1;
    }
    index
}

/// Every axis of the list is in the list of axes `Names`.
pub trait AllIn<Names> {}
impl<Names> AllIn<Names> for () {}
impl<const AXIS: char, Rest: AllIn<Names>, Names: Find<Dim<AXIS>>> AllIn<Names> for Cons<Dim<AXIS>, Rest> where
    Dim<AXIS>: Letter
{
}

macro_rules! list {
    () => { () };
    ($head:ident $($tail:ident)*) => { Cons<Dim<$head>, list!($($tail)*)> };
}
macro_rules! named {
    ($($rank:literal: $($axis:ident $at:tt)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L, $(const $axis: char),*> NamedIndex<L> for ($(At<$axis>,)*)
        where
            L: Layout<Index = [usize; $rank]>,
            // As many names as axes, and all axes among them.
            <L::Axes as AxisTuple>::List: AllIn<list!($($axis)*)>,
        {
            #[inline(always)]
            fn in_order(self) -> L::Index {
                in_order::<L, ($(Dim<$axis>,)*)>([$(self.$at.0),*])
            }
        }
    )*};
}
named! {
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
    12: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 M 11;
}
