//! Typed kernels for memory that is described at run time, padding in the type, and indices by name, through the facade.
use tensor_layout::axis::{b, d, h, s};
use tensor_layout::padding::Lowest;
use tensor_layout::{
    Cpu, DType, Descriptor, Dirty, Filled, Nchw16c, Tensor, TensorView, choose::Op, layout, match_layout, preferred_layout,
};

type Cache = layout!("bshd => bhSd16s");

fn softmax_scale(x: TensorView<'_, f32, Filled<Nchw16c, Lowest>>) -> f32 {
    x.as_slice().iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

fn channels(descriptor: &Descriptor, bytes: &[u8]) -> Result<usize, Box<dyn std::error::Error>> {
    Ok(match_layout!((descriptor, bytes); u8;
        layout!("nChw16c") => |x| x.blocks()[0].len(),
        Dirty<layout!("nhwc")> => |x| x.extent::<'c'>(),
        else reorder
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cache = Tensor::<u8, Cache, _>::from_fn([1, 20, 2, 4], |[_, s, h, d]| (8 * s + 4 * h + d) as u8)?;
    assert_eq!(*cache.at((h(1), s(17), d(3), b(0))), cache[[0, 17, 1, 3]]);

    let x = Tensor::<f32, Nchw16c>::filled([1, 3, 2, 2], -2.0)?;
    assert_eq!(softmax_scale(x.into_filled().view()), -2.0);

    let preferred = preferred_layout(Op::Convolution { spatial: 2 }, DType::F32, Cpu::Avx512).src;
    let image = preferred.descriptor(DType::U8, &[1, 3, 2, 2])?;
    assert_eq!(channels(&image, &[0; 64])?, 16);
    assert_eq!(channels(&Descriptor::new(DType::U8, &[1, 3, 2, 2], "nchw")?, &[0; 12])?, 3);
    Ok(())
}
