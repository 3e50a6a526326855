//! One wrong format behind an alias that everything else uses: one error, at the literal.

use tensor_layout::{Layout, layout};

type Act = layout!("nchw16c");

struct Holder<L: Layout>(L);

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
struct Field {
    layout: Act,
}

trait Kernel {
    type Source: Layout;
}

struct Convolution;
impl Kernel for Convolution {
    type Source = Act;
}

trait Named {}
impl Named for Holder<Act> {}
impl Named for Holder<layout!("nhwc")> {}

enum Shape {
    Extents([usize; <Act as Layout>::RANK]),
    Index(<Act as Layout>::Index),
}

const RANK: usize = Act::RANK;

fn rank<L: Layout>(_: &Holder<L>) -> usize {
    L::RANK
}

fn takes(layout: Act, index: <Act as Layout>::Index) -> usize {
    let [n, c, h, w] = index;
    Act::offset([1, 16, 4, 4], [n, c, h, w]).unwrap() + rank(&Holder(layout))
}

fn main() {
    let field = Field { layout: Act::default() };
    let source = <Convolution as Kernel>::Source::default();
    takes(field.layout, [0, 0, 0, 0]);
    rank(&Holder(source));
    for extent in Act::padded_dims([1, 3, 4, 4]).unwrap() {
        println!("{extent} {RANK}");
    }
    let _ = (Shape::Extents([1, 2, 3, 4]), Shape::Index([0; 4]));
}
