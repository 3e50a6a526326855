//! oneDNN's own convolution, where `scripts/peers` has fetched its library.

use super::convolution::Extents;
use layout_peers::onednn::{DataType, OneDnn};

/// Computes a convolution 3 x 3 with zeros around it on `nChw16c` and `OIhw16i16o`, on one thread; `None` without the library.
pub(crate) fn convolution<'a>(
    src: &'a [f32],
    weights: &'a [f32],
    dst: &'a mut [f32],
    Extents { i, o, h, w }: Extents,
) -> Option<Box<dyn FnMut() + 'a>> {
    // SAFETY: the examples start no threads.
    unsafe { layout_peers::set_environment(1) };
    // Until the program ends, because the convolution refers to it.
    let library: &'static OneDnn = Box::leak(Box::new(OneDnn::load()?));
    let of = |dims: &[usize], tag| library.with_tag(dims, DataType::F32, tag).ok();
    let (from, to) = (of(&[1, i, h, w], "aBcd16b")?, of(&[1, o, h, w], "aBcd16b")?);
    let primitive = library.convolution(&from, &of(&[o, i, 3, 3], "ABcd16b16a")?, &to, 1).ok()?;
    Some(Box::new(move || primitive.run(src, weights, dst).expect("oneDNN computes it")))
}
