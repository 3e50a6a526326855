//! Access by the names of axes against access by position, in every order of the names, over layouts of all kinds.

use crate::layouts::{Cache, Twelve};
use layout_core::layout::axis::{a, b, c, d, e, f, g, h, i, j, k, l, n, s, w};
use layout_core::layout::{At, NamedIndex, Nchw16c, Nhwc, OIhw16i16o, RowMajor, Scalar};
use layout_core::view::Tensor;
use static_assertions::{assert_impl_all, assert_not_impl_any};

#[test]
fn every_order_of_the_names_is_the_same_element() {
    let mut x = Tensor::<u32, Nchw16c, _>::from_fn([2, 18, 3, 4], |[n, c, h, w]| {
        (1000 * n + 50 * c + 10 * h + w) as u32
    })
    .unwrap();
    for n in x.along::<'n'>() {
        for c in x.along::<'c'>() {
            for h in x.along::<'h'>() {
                for w in x.along::<'w'>() {
                    let position = [n.get(), c.get(), h.get(), w.get()];
                    let expected = &x[position];
                    assert_eq!(x.at((n, c, h, w)), expected);
                    assert_eq!(x.at((w, h, c, n)), expected);
                    assert_eq!(x.view().at((c, n, w, h)), expected);
                    assert_eq!(x.as_strided().get_at((h, w, n, c)), Some(expected));
                    // SAFETY: the index is in the extents.
                    assert_eq!(unsafe { x.at_unchecked((h, n, w, c)) }, expected);
                }
            }
        }
    }
    assert_eq!(x.get_at((n(0), c(18), h(0), w(0))), None); // in the padding
    *x.at_mut((w(1), h(2), c(17), n(1))) = 7;
    *x.get_at_mut((w(2), h(2), c(17), n(1))).unwrap() += 1;
    let mut strided = x.as_strided_mut();
    // SAFETY: the index is in the extents.
    *unsafe { strided.at_unchecked_mut((w(3), h(2), c(17), n(1))) } = 9;
    assert_eq!((x[[1, 17, 2, 1]], x[[1, 17, 2, 2]], x[[1, 17, 2, 3]]), (7, 1873, 9));
    assert_eq!(x.get_at_mut((n(2), c(0), h(0), w(0))), None);
}

#[test]
fn extents_and_strides_are_asked_by_name() {
    let x = Tensor::<u8, Nchw16c>::zeroed([2, 18, 3, 4]).unwrap();
    assert_eq!([x.extent::<'n'>(), x.extent::<'c'>(), x.extent::<'h'>(), x.extent::<'w'>()], x.dims());
    assert_eq!(x.padded_extent::<'c'>(), 32);
    assert_eq!([x.stride::<'n'>(), x.stride::<'c'>(), x.stride::<'h'>(), x.stride::<'w'>()], x.strides());
    let rows = x.slice::<'h'>(1..).unwrap();
    assert_eq!((rows.extent::<'h'>(), rows.stride::<'n'>()), (2, x.stride::<'n'>()));
    let mut backwards = x.along::<'h'>().rev();
    assert_eq!((backwards.len(), backwards.next()), (3, Some(h(2))));
}

#[test]
fn any_letters_and_any_rank() {
    // Logical order b, s, h, d; in memory b, h, s, d.
    let cache = Tensor::<u32, Cache, _>::from_fn([2, 3, 4, 5], |[b, s, h, d]| {
        (1000 * b + 100 * s + 10 * h + d) as u32
    })
    .unwrap();
    assert_eq!(*cache.at((d(4), h(3), s(2), b(1))), 1234);
    let twelve = Tensor::<u32, Twelve, _>::from_fn([2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3], |index| {
        index.iter().fold(0, |sum, &at| 4 * sum + at as u32)
    })
    .unwrap();
    let index = (l(2), k(1), a(1), c(0), b(0), d(0), e(1), f(0), h(0), g(1), j(0), i(1));
    assert_eq!(*twelve.at(index), twelve[[1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 2]]);
    let weights = Tensor::<f32, OIhw16i16o>::zeroed([16, 16, 3, 3]).unwrap();
    assert_eq!(weights.at((At::<'o'>(1), At::<'i'>(2), h(0), w(0))), &0.0);
    let matrix = Tensor::<f32, RowMajor>::zeroed([2, 3]).unwrap();
    assert_eq!(matrix.at((b(2), a(1))), &0.0);
    let one = Tensor::<f32, Scalar>::filled([], 5.0).unwrap();
    assert_eq!(one.at(()), &5.0);
}

#[test]
fn other_names_are_no_index() {
    type Index<const A: char, const B: char, const C: char, const D: char> = (At<A>, At<B>, At<C>, At<D>);
    assert_impl_all!(Index<'c', 'w', 'n', 'h'>: NamedIndex<Nhwc>, NamedIndex<Nchw16c>);
    assert_not_impl_any!(Index<'n', 'c', 'h', 'h'>: NamedIndex<Nhwc>);
    assert_not_impl_any!(Index<'n', 'c', 'h', 'd'>: NamedIndex<Nhwc>);
    assert_not_impl_any!((At<'n'>, At<'c'>, At<'h'>): NamedIndex<Nhwc>);
    assert_not_impl_any!((At<'n'>, At<'c'>, At<'h'>, At<'w'>, At<'d'>): NamedIndex<Nhwc>);
    assert_not_impl_any!([usize; 4]: NamedIndex<Nhwc>);
}

#[test]
fn indices_of_one_axis_add_and_subtract() {
    let mut index = h(2) * 2 + 3;
    index += 1;
    index -= 2;
    assert_eq!((index, index - h(1), index - 5), (h(6), 5, h(1)));
    assert_eq!(size_of::<At<'h'>>(), size_of::<usize>());
    assert!(h(1) < h(2));
}
