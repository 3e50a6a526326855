//! `layout!` wherever a type may stand: arguments, bounds, associated types, impls, aliases, nested in itself.

#![deny(warnings, unused_qualifications, missing_debug_implementations, single_use_lifetimes)]

use std::marker::PhantomData;
use tensor_layout::{Layout, layout};

type Act = layout!("nChw16c");
type Pair = (layout!("nchw"), layout!("nhwc")); // twice on a line

struct View<T, L: Layout>(PhantomData<(T, L)>);

trait Kernel {
    type Source: Layout;
    type Weights: Layout;
    const RANK: usize = <Self::Source as Layout>::RANK;
}

struct Convolution;
impl Kernel for Convolution {
    type Source = layout!("nChw16c");
    type Weights = layout!("OIhw16i16o");
}

impl View<f32, layout!("nChw16c")> {
    const BLOCK: usize = <layout!("nChw16c") as Layout>::BLOCK_LEN;
}

trait Converts<To> {}
impl Converts<layout!("nhwc")> for View<f32, layout!("nchw")> {}
impl<T> Converts<layout!("nchw")> for View<T, layout!("nhwc")> where T: Copy {}

fn convert<T, L>(_: &View<T, L>)
where
    L: Layout,
    View<T, L>: Converts<layout!("nhwc")>,
{
}

fn weights<K: Kernel<Source = Act, Weights = layout!("OIhw16i16o")>>() -> usize {
    K::Weights::RANK
}

#[allow(clippy::type_complexity, reason = "as long as it is on purpose")]
fn boxed() -> Box<dyn Fn(View<u8, layout!("nhwc")>) -> View<f32, layout!("nChw16c")>> {
    Box::new(|_| View(PhantomData))
}

fn array(_: [u8; <layout!("nChw16c") as Layout>::RANK]) {}

pub(crate) fn main() {
    convert(&View::<f32, layout!("nchw")>(PhantomData));
    convert::<f32, layout!("nchw")>(&View(PhantomData));
    let blocked = boxed()(View(PhantomData));
    let _: View<f32, Act> = blocked;
    assert_eq!(<View<f32, Act>>::BLOCK, 16);
    assert_eq!(Convolution::RANK + weights::<Convolution>(), 8);
    array([0; 4]);
    assert_eq!(size_of::<Pair>(), 0);
}
