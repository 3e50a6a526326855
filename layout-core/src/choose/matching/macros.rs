//! [`match_layout!`](crate::match_layout): a list of layouts and kernels. It expands to a search at run time and one branch a
//! layout, each compiled for its own.

/// Calls the kernel for the layout that memory described at run time has: from a descriptor to a typed view in one step.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::match_layout;
/// use layout_core::view::TensorView;
///
/// fn sum_of_blocks(x: TensorView<'_, f32, Nchw16c>) -> f32 {
///     x.blocks().iter().flatten().sum()
/// }
/// fn sum_of_pixels(x: TensorView<'_, f32, Nhwc>) -> f32 {
///     x.as_slice().iter().sum()
/// }
///
/// fn sum(descriptor: &Descriptor, bytes: &[u8]) -> Result<f32, Box<dyn std::error::Error>> {
///     Ok(match_layout!((descriptor, bytes); f32;
///         Nchw16c => |x| sum_of_blocks(x),
///         Nhwc => |x| sum_of_pixels(x),
///         else reorder
///     )?)
/// }
///
/// let planes = Descriptor::new(DType::F32, &[1, 3, 4, 4], "nchw")?; // neither of the two
/// let ones: Vec<u8> = [1f32; 48].iter().flat_map(|x| x.to_ne_bytes()).collect();
/// assert_eq!(sum(&planes, &ones)?, 48.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What to write
///
/// The memory: `(&descriptor, bytes)`, or a [`DynView`](crate::view::DynView), or anything else that is
/// [`Described`](crate::choose::Described). The element type. Then, for each layout that there is a kernel for, the layout, the
/// name of the view and the code; the first that fits is taken. The code stands where the macro does, so that `?` and
/// `return` leave the function around it; `break` and `continue` of a loop around it need the loop's label. At the end what to do where none fits:
///
/// * `else reorder`: the elements are moved into new memory in the nearest layout of the list
///   ([`nearest_layout`](crate::choose::nearest_layout)) for the time of the call;
/// * `else convert`: so they are, and converted from another element type as well;
/// * nothing: that is an error.
///
/// With `mut` before memory that may be written, `(&descriptor, &mut bytes)` or a
/// [`DynViewMut`](crate::view::DynViewMut), the views are exclusive, their padding is zero when the kernel begins, and what
/// was reordered to the nearest layout is written back when it is done:
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::layout::Nchw8c;
/// use layout_core::match_layout;
/// let planes = Descriptor::new(DType::S32, &[1, 3, 1, 2], "nchw")?;
/// let mut memory = [1, 2, 3, 4, 5, 6];
/// let mut view = layout_core::view::DynViewMut::new(&planes, &mut memory)?;
/// match_layout!(mut view; i32; Nchw8c => |mut x| x.map_in_place(|x| 10 * x), else reorder)?;
/// assert_eq!(memory, [10, 20, 30, 40, 50, 60]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A layout fits where the descriptor is dense and of its digits and the memory is aligned; if none does, one that has the
/// same bytes (`nhwc` of 16 channels is `nChw16c`) is taken. That its padding is zero, where the layout says so, is looked at; a kernel
/// that does not care is listed as [`Dirty`](crate::layout::Dirty).
///
/// # Errors
/// The value is a `Result` with [`MatchError`](crate::choose::MatchError): other axes, another element type, no layout that
/// fits, memory that is too short, or a reorder that cannot be.
#[macro_export]
macro_rules! match_layout {
    (mut $target:expr; $elem:ty; $($layout:ty => |$view:pat_param| $code:expr),+ $(,)?) => {
        $crate::match_layout!(@ resolve_mut view_mut [mut] Nothing; $target; $elem; $($layout => |$view| $code),+)
    };
    (mut $target:expr; $elem:ty; $($layout:ty => |$view:pat_param| $code:expr),+, else reorder $(,)?) => {
        $crate::match_layout!(@ resolve_mut view_mut [mut] Reorder; $target; $elem; $($layout => |$view| $code),+)
    };
    (mut $target:expr; $elem:ty; $($layout:ty => |$view:pat_param| $code:expr),+, else convert $(,)?) => {
        $crate::match_layout!(@ resolve_mut view_mut [mut] Convert; $target; $elem; $($layout => |$view| $code),+)
    };
    (@ $resolve:ident $get:ident [$($mut:tt)*] $fallback:ident; $source:expr; $elem:ty;
        $($layout:ty => |$view:pat_param| $code:expr),+
    ) => {
        'matched: {
            let source = &$($mut)* $source;
            let candidates = [$($crate::choose::__private::Candidate::of::<$elem, $layout>()),+];
            let fallback = $crate::choose::__private::Fallback::$fallback;
            match $crate::choose::__private::$resolve(source, &candidates, fallback) {
                ::core::result::Result::Ok($($mut)* found) => {
                    $(
                        if let ::core::option::Option::Some($view) = found.$get::<$elem, $layout>() {
                            break 'matched ::core::result::Result::Ok($code);
                        }
                    )+
                    ::core::unreachable!("the layout that was found is one of the list")
                }
                ::core::result::Result::Err(error) => ::core::result::Result::Err(error),
            }
        }
    };
    ($source:expr; $elem:ty; $($layout:ty => |$view:pat_param| $code:expr),+ $(,)?) => {
        $crate::match_layout!(@ resolve view [] Nothing; $source; $elem; $($layout => |$view| $code),+)
    };
    ($source:expr; $elem:ty; $($layout:ty => |$view:pat_param| $code:expr),+, else reorder $(,)?) => {
        $crate::match_layout!(@ resolve view [] Reorder; $source; $elem; $($layout => |$view| $code),+)
    };
    ($source:expr; $elem:ty; $($layout:ty => |$view:pat_param| $code:expr),+, else convert $(,)?) => {
        $crate::match_layout!(@ resolve view [] Convert; $source; $elem; $($layout => |$view| $code),+)
    };
}
