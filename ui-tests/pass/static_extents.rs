//! Extents in the type: all of them, some of them, in statics, through parts of the interface that keep them.

#![deny(warnings, unused_qualifications, missing_debug_implementations, single_use_lifetimes)]

use tensor_layout::{
    Fixed, Layout, Nchw, Nhwc, Shape, Tensor, TensorView, TensorViewMut, ViewError, fixed, layout, reorder,
};

type Rgb = (usize, Fixed<3>, Fixed<4>, Fixed<5>);
type Tile = (Fixed<1>, Fixed<16>, Fixed<2>, Fixed<2>);

fn rgb(v: TensorView<'_, u8, Nhwc, Rgb>) -> usize {
    v.dims()[1]
}

fn tile(mut v: TensorViewMut<'_, f32, layout!("nChw16c"), Tile>) {
    v.blocks_mut()[3][15] = 1.0;
}

/// A kernel that takes any mixture.
fn first<L: Layout<Index = [usize; 4]>, S: Shape<[usize; 4]>>(v: TensorView<'_, u8, L, S>) -> Option<u8> {
    v.get([0; 4]).copied()
}

pub(crate) fn main() -> Result<(), ViewError> {
    assert_eq!(size_of::<TensorView<'_, f32, layout!("nChw16c"), Tile>>(), size_of::<*const f32>());
    assert_eq!(size_of::<TensorView<'_, u8, Nhwc, Rgb>>(), 2 * size_of::<usize>());

    let shape: Rgb = (2, fixed(), fixed(), fixed());
    let image = Tensor::<u8, Nhwc, _>::from_fn(shape, |[n, c, h, w]| (60 * n + 20 * c + 5 * h + w) as u8)?;
    assert_eq!((rgb(image.view()), first(image.view())), (3, Some(0)));
    assert_eq!(first(image.slice::<'w'>(1..2)?.as_strided().map(|x| x).view()), Some(1));

    // They stay where the layout changes, and move with permuted axes.
    let planes: Tensor<f32, Nchw, Rgb> = image.convert();
    assert_eq!((planes.shape(), planes[[1, 2, 3, 4]]), (shape, 119.0));
    let pixels: TensorView<'_, u8, layout!("nhwc => nhwc"), (usize, Fixed<4>, Fixed<5>, Fixed<3>)> =
        image.view().permute_axes();
    assert_eq!(pixels[[1, 3, 4, 2]], 119);

    // From extents known at run time, checked, and back.
    let dynamic: Tensor<u8, Nhwc> = Tensor::zeroed([2, 3, 4, 5])?;
    assert_eq!(rgb(dynamic.view().with_shape(shape)?), 3);
    assert!(dynamic.view().with_shape((2, fixed::<4>(), 4, 5)).is_err());
    let back: Tensor<u8, Nhwc> = image.with_shape([2, 3, 4, 5])?;
    assert_eq!(back[[1, 2, 3, 4]], 119);

    let mut blocked = Tensor::<f32, layout!("nChw16c"), Tile>::zeroed((fixed(), fixed(), fixed(), fixed()))?;
    tile(blocked.view_mut());
    let mut plain: Tensor<u8, Nchw> = Tensor::zeroed([1, 16, 2, 2])?;
    reorder(&blocked, &mut plain).expect("the extents are the same");
    assert_eq!(plain[[0, 15, 1, 1]], 1);
    Ok(())
}
