//! What the padding of memory holds, as part of the layout's type. A layout by itself says that it is zero; [`Dirty`]
//! around it says nothing, and [`Filled`] names a value. The views ask here; nothing here touches memory.

mod forward;
mod value;

pub use value::{Constant, Highest, Lowest, One, PadValue};

use super::format::{Layout, private};
use crate::grammar::Spec;
use core::marker::PhantomData;

/// What a layout's type says of padding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PaddingState {
    /// The default value of the element type, which is zero for numbers.
    Zero,
    /// Anything.
    Dirty,
    /// The value that [`Filled`] names.
    Filled,
}

/// Layout `L` over memory whose padding may hold anything.
///
/// Digits, extents and offsets are those of `L`, and everything that takes a layout takes this one; but it is another
/// type, so that a kernel that reads whole blocks and relies on zeros does not accept it. `zero_padding`, `into_zeroed` and
/// a reorder lead back.
///
/// ```
/// use layout_core::layout::{Dirty, Layout, Nchw8c};
/// use layout_core::view::{Tensor, TensorView};
///
/// /// Sums whole blocks, which is right where the padding is zero.
/// fn total(x: TensorView<'_, f32, Nchw8c>) -> f32 {
///     x.as_slice().iter().sum()
/// }
///
/// let x = Tensor::<f32, Nchw8c>::zeroed([1, 3, 2, 2])?;
/// let y: Tensor<f32, Dirty<Nchw8c>> = x.map_all(f32::exp); // exp(0) = 1 in the padding, and the type says so
/// assert_eq!(total(y.into_zeroed().view()), 12.0);
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
///
/// ```compile_fail
/// # use layout_core::layout::{Dirty, Nchw8c};
/// # use layout_core::view::{Tensor, TensorView};
/// # fn total(x: TensorView<'_, f32, Nchw8c>) -> f32 { x.as_slice().iter().sum() }
/// # let x = Tensor::<f32, Nchw8c>::filled([1, 3, 2, 2], 1.0)?;
/// let y: Tensor<f32, Dirty<Nchw8c>> = x.map_all(f32::exp);
/// total(y.view()); // expected `Format<…>`, found `Dirty<Format<…>>`
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
pub struct Dirty<L>(PhantomData<fn() -> L>);

/// Layout `L` over memory whose padding holds value `V`: [`Lowest`] for a maximum over whole blocks, [`One`] for a
/// product, the zero point of quantised numbers as [`Constant`], or a [`PadValue`] of your own.
///
/// ```
/// use layout_core::layout::padding::Lowest;
/// use layout_core::layout::{Filled, Nchw8c};
/// use layout_core::view::{Tensor, TensorView};
///
/// /// The largest channel of each pixel, without a look at where the channels end.
/// fn largest(x: TensorView<'_, f32, Filled<Nchw8c, Lowest>>) -> Vec<f32> {
///     x.blocks().iter().map(|block| block.iter().copied().fold(f32::NEG_INFINITY, f32::max)).collect()
/// }
///
/// let x = Tensor::<f32, Nchw8c>::filled([1, 3, 1, 2], -4.0)?;
/// assert_eq!(largest(x.into_filled::<Lowest>().view()), [-4.0, -4.0]); // 0 with zero padding
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
///
/// What would write zeros to the padding is refused when the program is built:
///
/// ```compile_fail
/// use layout_core::layout::padding::Lowest;
/// use layout_core::layout::{Filled, Nchw8c};
/// use layout_core::view::Tensor;
/// let x = Tensor::<f32, Filled<Nchw8c, Lowest>>::zeroed([1, 3, 1, 2])?;
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
pub struct Filled<L, V>(PhantomData<fn() -> (L, V)>);

/// A layout whose padding is zero: every layout but [`Dirty`] and [`Filled`] ones. A bound for kernels that are generic over
/// the layout and rely on zeros; without it a generic kernel accepts whatever padding there is, dirty too. A kernel that names
/// its layout needs no bound: `TensorView<'_, f32, Nchw16c>` has zeros.
///
/// It is a promise among parts of a program, which the crate keeps in everything it does with elements and with parts
/// of tensors. What is written through `blocks_mut` and the other ways to the padding itself is the writer's
/// responsibility; a broken promise gives wrong numbers, never undefined behaviour.
///
/// What keeps the type true, and what does not by itself:
///
/// | | padding afterwards |
/// |---|---|
/// | constructors, `map`, `to_layout`, reorders | zero, as the type says; whole `Filled` tensors come from `into_filled` |
/// | `map_in_place`, `iter_mut`, `runs_mut`, `[]`, `get_mut` | as it was: they reach elements alone |
/// | `map_padded`, `map_padded_in_place` | as the type says: what `f` made of it is put right, unless `f(0) == 0` |
/// | `with_dirty(…)` | as the type says: it is filled again when the closure is done |
/// | `map_all`, `into_dirty` | anything, and the type says so |
/// | `into_zeroed`, `into_filled` | written, and the type says so |
/// | `blocks_mut`, `indexed_blocks_mut`, `valid_blocks_mut`, `block_rows_mut`, `zip_blocks_mut` and their parallel forms, `as_mut_slice`, `fill_padding`, pointers | what you write: the promise is yours |
/// | `TensorView::from_slice`, `from_descriptor` | what is there: `check_padding` looks |
///
/// ```
/// use layout_core::layout::{BlockDivisibleBy, Layout, Nchw16c, ZeroPadding};
/// use layout_core::view::{Tensor, View};
///
/// fn total<V: View<Elem = f32, Layout: ZeroPadding + BlockDivisibleBy<'c', 8>>>(x: V) -> f32 {
///     x.as_strided_view().physical_iter().map(|(_, x)| x).sum()
/// }
/// let x = Tensor::<f32, Nchw16c>::filled([1, 3, 2, 2], 1.0)?;
/// assert_eq!(total(&x), 12.0);
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a layout whose padding is zero is needed here, but the padding of `{Self}` need not be",
    label = "padding that need not be zero",
    note = "`into_zeroed()` writes zeros to the padding of a tensor or an exclusive view and says so in the type; \
            `try_zeroed()` looks whether a shared view has zeros there"
)]
pub trait ZeroPadding: Layout<Zeroed = Self> {}

/// What the padding of a layout holds where the elements are `T`.
#[diagnostic::on_unimplemented(
    message = "the value that padding of `{Self}` holds is not known for elements `{T}`",
    label = "no padding value for `{T}`",
    note = "zero padding needs `{T}: Default`, and `Filled<_, V>` needs `V: PadValue<{T}>`"
)]
pub trait Pads<T>: Layout {
    /// The value; `None` where the layout says nothing.
    fn padding() -> Option<T>;
}

macro_rules! around {
    ($name:ident<L $(, $value:ident)?>: $state:ident) => {
        impl<L $(, $value)?> Clone for $name<L $(, $value)?> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<L $(, $value)?> Copy for $name<L $(, $value)?> {}
        impl<L $(, $value)?> Default for $name<L $(, $value)?> {
            fn default() -> Self {
                $name(PhantomData)
            }
        }
        impl<L $(, $value)?> PartialEq for $name<L $(, $value)?> {
            fn eq(&self, _: &Self) -> bool {
                true
            }
        }
        impl<L $(, $value)?> Eq for $name<L $(, $value)?> {}
        impl<L $(, $value)?> core::hash::Hash for $name<L $(, $value)?> {
            fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
        }
        impl<L: Layout $(, $value)?> core::fmt::Debug for $name<L $(, $value)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($name), "<{:?}"), L::default())?;
                $(write!(f, ", {}", value::short_name::<$value>())?;)?
                f.write_str(">")
            }
        }
        /// The canonical format string of `L`, which says nothing of padding.
        impl<L: Layout $(, $value)?> core::fmt::Display for $name<L $(, $value)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&L::default(), f)
            }
        }
        impl<L: ZeroPadding $(, $value: 'static)?> private::Sealed for $name<L $(, $value)?> {}
        #[diagnostic::do_not_recommend]
        impl<L: ZeroPadding $(, $value: 'static)?> Layout for $name<L $(, $value)?> {
            const SPEC: Spec = L::SPEC;
            const RANK: usize = L::RANK;
            const AXES: &'static [char] = L::AXES;
            const OUTER_ORDER: &'static [usize] = L::OUTER_ORDER;
            const INNER_BLOCKS: &'static [(usize, usize)] = L::INNER_BLOCKS;
            const PADDING: &'static [usize] = L::PADDING;
            const BLOCK_LEN: usize = L::BLOCK_LEN;
            const PADDING_STATE: PaddingState = PaddingState::$state;
            type Index = L::Index;
            type Strides = L::Strides;
            type Block<T> = L::Block<T>;
            type Zeroed = L;
            type Axes = L::Axes;
            type Digits = L::Digits;
        }
    };
}
around!(Dirty<L>: Dirty);
around!(Filled<L, V>: Filled);

/// Refuses, while compiling, to write default padding under a type that names another value.
pub(crate) const fn assert_not_filled<L: Layout>() {
    assert!(
        !matches!(L::PADDING_STATE, PaddingState::Filled),
        "this function writes zeros to the padding, but the layout is `Filled` with another value: make the tensor in the \
         layout without `Filled` and call `into_filled`, or write through `with_dirty`, which fills the padding afterwards"
    );
}
