//! Leaf: works on tiles of elements, never on tensors, and imports nothing of ours. `reorder` picks a kernel with
//! `copy_kernel` or `convert_kernel` and calls it once a tile.
//!
//! One folder per CPU family, with the same file and function names in each: `generic` is the portable one and
//! the reference for the others.

pub mod convert;
mod generic;
mod tile;

pub(crate) use convert::Format;
pub(crate) use tile::{Kernel, Step, Tile};

/// The kernel that moves elements of `bytes` bytes unchanged; `None` where no kernel has that width.
pub(crate) const fn copy_kernel(bytes: usize) -> Option<Kernel> {
    match bytes {
        1 => Some(generic::copy::<1>),
        2 => Some(generic::copy::<2>),
        4 => Some(generic::copy::<4>),
        8 => Some(generic::copy::<8>),
        16 => Some(generic::copy::<16>),
        _ => None,
    }
}

/// The kernel that converts elements from `src` to `dst`, as the table of [`convert`] says.
pub(crate) const fn convert_kernel(src: Format, dst: Format) -> Kernel {
    use convert::{Bf16, F16};
    macro_rules! to {
        ($src:ty) => {
            match dst {
                Format::F64 => generic::convert::<$src, f64>,
                Format::F32 => generic::convert::<$src, f32>,
                Format::F16 => generic::convert::<$src, F16>,
                Format::Bf16 => generic::convert::<$src, Bf16>,
                Format::S32 => generic::convert::<$src, i32>,
                Format::S8 => generic::convert::<$src, i8>,
                Format::U8 => generic::convert::<$src, u8>,
            }
        };
    }
    match src {
        Format::F64 => to!(f64),
        Format::F32 => to!(f32),
        Format::F16 => to!(F16),
        Format::Bf16 => to!(Bf16),
        Format::S32 => to!(i32),
        Format::S8 => to!(i8),
        Format::U8 => to!(u8),
    }
}
