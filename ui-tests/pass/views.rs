//! Kernels on typed views through the facade alone: construction, indexing, parts, relabelling, reorders.

#![deny(warnings, unused_qualifications, missing_debug_implementations, single_use_lifetimes)]

use tensor_layout::{
    BlockDivisibleBy, Layout, Nhwc, StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut, View,
    ViewMut, layout, reorder,
};

type Act = layout!("nChw16c");
type ImageOrder = layout!("nhwc => nhwc");

fn relu(mut x: TensorViewMut<'_, f32, Act>) {
    for block in x.blocks_mut() {
        for value in block {
            *value = value.max(0.0);
        }
    }
}

fn sum_of_vectors<L: Layout<Index = [usize; 4]> + BlockDivisibleBy<'c', 8>>(
    v: TensorView<'_, f32, L>,
) -> f32 {
    v.as_slice().chunks_exact(8).flatten().sum()
}

fn brighten(mut rows: StridedViewMut<'_, u8, Nhwc>) {
    rows.map_in_place(|x| x.saturating_add(100));
}

fn brightest(rows: StridedView<'_, u8, layout!("nwc")>) -> u8 {
    rows.iter().copied().max().unwrap_or(0)
}

fn elements(v: impl View) -> usize {
    v.as_strided_view().len()
}

fn clear(mut v: impl ViewMut<Elem = f32>) {
    v.as_strided_view_mut().map_in_place(|_| 0.0);
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut image: Tensor<u8, Nhwc> = Tensor::from_vec([1, 2, 2, 3], (0..12).collect())?;
    assert_eq!(image[[0, 1, 1, 2]], 11);
    brighten(image.slice_mut::<'h'>(1..)?);
    assert_eq!(brightest(image.select::<'h'>(1)?), 111);
    let by_pixel: TensorView<'_, u8, ImageOrder> = image.view().permute_axes();
    assert_eq!((by_pixel.dims(), by_pixel[[0, 1, 2, 1]]), ([1, 2, 3, 2], 111));

    let mut act: Tensor<f32, Act> = image.convert();
    act[[0, 0, 0, 0]] = -1.0;
    relu(act.view_mut());
    assert_eq!((act.padded_dims(), act[[0, 0, 0, 0]], act[[0, 1, 1, 2]]), ([1, 16, 2, 3], 0.0, 111.0));
    assert_eq!(sum_of_vectors(act.view()), act.iter().sum::<f32>());
    let anonymous: TensorView<'_, f32, layout!("aBcd16b")> = act.view().relabel();
    assert_eq!(anonymous.get([0, 1, 1, 2]), Some(&111.0));

    let mut half = Tensor::<i32, Act, _>::zeroed([1, 2, 1, 3])?;
    reorder(act.slice::<'h'>(1..)?, &mut half)?;
    reorder(&act.slice::<'h'>(..1)?, half.view_mut())?;
    assert_eq!(half[[0, 1, 0, 0]], 1);

    assert_eq!(elements(&act) + elements(act.view()) + elements(act.slice::<'w'>(..1)?), 12 + 12 + 4);
    clear(&mut act);
    assert!(act.iter().all(|&x| x == 0.0));
    Ok(())
}
