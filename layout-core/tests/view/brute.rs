//! Access and iteration over whole tensors, against the oracle, for every layout and tail.

use crate::layouts::for_layouts;
use crate::oracle::{Oracle, at, indices};
use layout_core::layout::{Layout, Position};
use layout_core::view::{Tensor, TensorView, TensorViewMut};

/// The number of each logical element in row-major order, from 1, so that padding (0) is none of them.
fn numbered<L: Layout>(dims: &[usize]) -> Tensor<u32, L> {
    let mut next = 0;
    Tensor::from_fn(at::<L>(dims), |_| {
        next += 1;
        next
    })
    .unwrap()
}

/// Memory in physical order as the oracle places the numbered elements.
fn expected_memory(oracle: &Oracle, dims: &[usize]) -> Vec<u32> {
    let mut memory = vec![0; oracle.required_len(dims)];
    for (i, index) in indices(dims).iter().enumerate() {
        let place = &mut memory[oracle.offset(dims, index)];
        assert_eq!(*place, 0, "the oracle itself has to be injective");
        *place = i as u32 + 1;
    }
    memory
}

fn check_access<L: Layout>(oracle: &Oracle, dims: &[usize]) {
    let t = numbered::<L>(dims);
    let expected = expected_memory(oracle, dims);
    assert_eq!(t.as_slice(), expected, "{t:?}");
    assert_eq!(t.dims().as_ref(), dims);
    assert_eq!(t.padded_dims().as_ref(), oracle.padded(dims));
    assert_eq!((t.len(), t.required_len()), (indices(dims).len(), expected.len()));
    assert_eq!(t.is_empty(), dims.contains(&0));
    assert_eq!(t.size_bytes(), 4 * expected.len());
    for (i, index) in indices(dims).iter().enumerate() {
        let index_of = at::<L>(index);
        let offset = oracle.offset(dims, index);
        assert_eq!(t.offset(index_of), Ok(offset));
        assert_eq!(t.as_strided().offset(index_of), Ok(offset));
        assert_eq!((t[index_of], t.as_strided()[index_of]), (i as u32 + 1, i as u32 + 1));
        // SAFETY: the index is in the extents.
        assert_eq!(unsafe { *t.get_unchecked(index_of) }, i as u32 + 1);
    }
    for axis in 0..dims.len() {
        let mut outside = at::<L>(&vec![0; dims.len()]);
        outside.as_mut()[axis] = dims[axis];
        assert_eq!(t.get(outside), None);
        assert_eq!(t.as_strided().get(outside), None);
    }
    let logical: Vec<u32> = (1..=t.len() as u32).collect();
    assert_eq!(Tensor::<u32, L>::from_logical(t.dims(), &logical).unwrap().as_slice(), expected);
    assert_eq!(Tensor::<u32, L>::from_vec(t.dims(), expected.clone()).unwrap().as_slice(), expected);
    assert_eq!(t.as_strided().try_dense().unwrap().as_slice(), expected);
}

/// That an iterator gives `expected` by `next`, by `fold`, by `nth` and by one after the other, says how many are left at each
/// step, and gives nothing more at its end.
fn check_steps<I: ExactSizeIterator<Item: PartialEq + core::fmt::Debug> + Clone>(
    all: I,
    expected: &[I::Item],
) {
    let count = expected.len();
    let mut stepped = all.clone();
    for (at, item) in expected.iter().enumerate() {
        assert_eq!((stepped.len(), stepped.size_hint()), (count - at, (count - at, Some(count - at))));
        if [0, 1, count / 2].contains(&at) {
            let mut folded = vec![];
            stepped.clone().for_each(|item| folded.push(item));
            assert_eq!(folded, expected[at..]);
            for n in [0, 3, usize::MAX] {
                let mut rest = stepped.clone();
                assert_eq!(rest.nth(n).as_ref(), at.checked_add(n).and_then(|at| expected.get(at)));
                assert_eq!(rest.len(), (count - at - 1).saturating_sub(n));
            }
        }
        assert_eq!(stepped.next().as_ref(), Some(item));
    }
    for _ in 0..3 {
        assert_eq!((stepped.next(), stepped.len()), (None, 0));
    }
    assert_eq!(stepped.count(), 0, "behind the end");
}

/// Equal where every element is, whatever padding holds, and to nothing of other extents.
fn check_equality<L: Layout>(oracle: &Oracle, dims: &[usize]) {
    let (one, mut other) = (numbered::<L>(dims), numbered::<L>(dims));
    let all = indices(dims);
    let mut is_logical = vec![false; one.required_len()];
    all.iter().for_each(|index| is_logical[oracle.offset(dims, index)] = true);
    for offset in (0..is_logical.len()).step_by(is_logical.len() / 40 + 1) {
        other.as_mut_slice()[offset] += 1;
        let expected = !is_logical[offset];
        assert_eq!(
            (one == other, one.view() == other, other == one.as_strided()),
            (expected, expected, expected)
        );
        assert_eq!(one.as_strided() == other.as_strided_mut(), expected);
        other.as_mut_slice()[offset] -= 1;
    }
    assert!(one == other && other.view_mut() == one.view());
    for axis in 0..dims.len() {
        let mut longer = dims.to_vec();
        longer[axis] += 1;
        assert!(one != numbered::<L>(&longer) && numbered::<L>(&longer).as_strided() != one);
    }
}

fn check_iterators<L: Layout>(oracle: &Oracle, dims: &[usize]) {
    let t = numbered::<L>(dims);
    check_equality::<L>(oracle, dims);
    check_steps(t.indexed_iter(), &t.indices().map(|index| (index, &t[index])).collect::<Vec<_>>());
    let places = t.as_slice().iter().enumerate();
    check_steps(
        t.physical_iter(),
        &places.map(|(at, x)| (t.mapping().position(at).unwrap(), x)).collect::<Vec<_>>(),
    );
    let firsts = (0..t.blocks().len()).map(|k| &t.as_slice()[k * L::BLOCK_LEN] as *const u32);
    let blocks = t.as_strided().blocks().map(|block| core::ptr::from_ref(block).cast::<u32>());
    check_steps(blocks, &firsts.collect::<Vec<_>>());
    check_steps(t.runs(), &t.runs().collect::<Vec<_>>());
    let expected = expected_memory(oracle, dims);
    let all = indices(dims);
    let numbers: Vec<u32> = (1..=all.len() as u32).collect();

    // By `next`, by `fold`, and by one after the other.
    assert_eq!(t.iter().len(), all.len());
    assert_eq!(t.iter().copied().collect::<Vec<_>>(), numbers);
    let mut folded = vec![];
    t.iter().for_each(|&x| folded.push(x));
    assert_eq!(folded, numbers);
    for skip in [1, 2, 5] {
        let mut iter = t.iter();
        let mut mixed: Vec<u32> = iter.by_ref().take(skip).copied().collect();
        assert_eq!(iter.len(), all.len().saturating_sub(skip));
        iter.for_each(|&x| mixed.push(x));
        assert_eq!(mixed, numbers);
    }
    let mut indexed = t.indexed_iter();
    for (i, index) in all.iter().enumerate() {
        assert_eq!(indexed.next(), Some((at::<L>(index), &(i as u32 + 1))));
    }
    assert_eq!((indexed.next(), indexed.next()), (None, None));

    assert_eq!(t.physical_iter().len(), expected.len());
    let mut offset = 0;
    for (position, &x) in t.physical_iter() {
        assert_eq!(x, expected[offset]);
        assert_eq!(t.mapping().position(offset), Ok(position));
        match position {
            Position::Element(index) => assert_eq!(oracle.offset(dims, index.as_ref()), offset),
            Position::Padding(index) => {
                assert_eq!((oracle.offset(dims, index.as_ref()), x), (offset, 0));
                assert!(index.as_ref().iter().zip(dims).any(|(i, d)| i >= d));
            }
        }
        offset += 1;
    }
    assert_eq!(offset, expected.len());

    let blocks = t.blocks();
    assert_eq!(blocks.len() * L::BLOCK_LEN, expected.len());
    assert_eq!(t.as_strided().blocks().len(), blocks.len());
    assert!(t.as_strided().blocks().map(|b| b as *const _).eq(blocks.iter().map(|b| b as *const _)));
    let mut count = 0;
    for (k, (index, block)) in t.indexed_blocks().enumerate() {
        assert_eq!(oracle.offset(dims, index.as_ref()), k * L::BLOCK_LEN);
        assert!(core::ptr::eq(block, &blocks[k]));
        count += 1;
    }
    assert_eq!(count, blocks.len());

    let mut seen = vec![0u32; expected.len()];
    let mut last = None;
    let runs = t.runs();
    let mut count = runs.len();
    for run in runs {
        count -= 1;
        assert!(!run.elements.is_empty());
        for (k, x) in run.elements.iter().enumerate() {
            let index = run.index(k);
            let mut by_hand = run.start;
            if k > 0 {
                by_hand.as_mut()[run.axis] += k * run.step;
            }
            assert_eq!(index, by_hand);
            let offset = oracle.offset(dims, index.as_ref());
            assert!(core::ptr::eq(x, &t.as_slice()[offset]));
            assert!(last < Some(offset), "runs are in physical order");
            last = Some(offset);
            seen[offset] = *x;
        }
    }
    assert_eq!((count, seen), (0, expected));
}

/// Writes through each mutable iterator and compares memory, with sentinels around it.
fn check_mutable<L: Layout>(oracle: &Oracle, dims: &[usize]) {
    const MARGIN: usize = 24;
    const SENTINEL: u32 = 0xDEAD_BEEF;
    let len = oracle.required_len(dims);
    let expected = expected_memory(oracle, dims);
    let fresh = || vec![SENTINEL; len + 2 * MARGIN];
    let check = |buffer: &[u32], inside: &[u32]| {
        assert!(buffer[..MARGIN].iter().chain(&buffer[MARGIN + len..]).all(|&x| x == SENTINEL));
        assert_eq!(&buffer[MARGIN..MARGIN + len], inside);
    };

    let mut buffer = fresh();
    let mut v =
        TensorViewMut::<u32, L>::from_slice(at::<L>(dims), &mut buffer[MARGIN..MARGIN + len]).unwrap();
    assert!(v.padding_is_zero());
    v.iter_mut().zip(1..).for_each(|(x, i)| *x = i);
    check(&buffer, &expected);

    let mut buffer = fresh();
    let mut v =
        TensorViewMut::<u32, L>::from_slice(at::<L>(dims), &mut buffer[MARGIN..MARGIN + len]).unwrap();
    let (mut i, all) = (0, indices(dims));
    for (index, x) in v.indexed_iter_mut() {
        assert_eq!(index.as_ref(), all[i]);
        i += 1;
        *x = i as u32;
    }
    check(&buffer, &expected);

    let mut buffer = fresh();
    let numbers = numbered::<L>(dims);
    let mut v =
        TensorViewMut::<u32, L>::from_slice(at::<L>(dims), &mut buffer[MARGIN..MARGIN + len]).unwrap();
    let count = v.runs().len();
    let mut runs = v.runs_mut();
    assert_eq!(runs.len(), count);
    for run in runs.by_ref() {
        for k in 0..run.elements.len() {
            run.elements[k] = numbers[run.index(k)];
        }
    }
    assert!(runs.next().is_none());
    check(&buffer, &expected);

    let mut buffer = fresh();
    let mut v =
        TensorViewMut::<u32, L>::from_slice(at::<L>(dims), &mut buffer[MARGIN..MARGIN + len]).unwrap();
    v.blocks_mut().copy_from_slice_checked(numbers.blocks());
    check(&buffer, &expected);

    let mut buffer = fresh();
    let v = TensorViewMut::<u32, L>::from_slice(at::<L>(dims), &mut buffer[MARGIN..MARGIN + len]).unwrap();
    let mut v = v.into_strided();
    for ((index, to), (other, from)) in v.indexed_blocks_mut().zip(numbers.indexed_blocks()) {
        assert_eq!(index, other);
        // SAFETY: two blocks of the same layout, one of them borrowed exclusively.
        unsafe { core::ptr::copy_nonoverlapping(from, to, 1) };
    }
    check(&buffer, &expected);
    let blocks: Vec<_> =
        TensorView::<u32, L>::from_slice(at::<L>(dims), &expected).unwrap().as_strided().blocks().collect();
    assert_eq!(blocks.len() * L::BLOCK_LEN, len);
}

trait CopyFromSliceChecked {
    fn copy_from_slice_checked(&mut self, from: &Self);
}
impl<B> CopyFromSliceChecked for [B] {
    fn copy_from_slice_checked(&mut self, from: &[B]) {
        assert_eq!(self.len(), from.len());
        // SAFETY: same length; blocks are arrays of `u32`.
        unsafe { core::ptr::copy_nonoverlapping(from.as_ptr(), self.as_mut_ptr(), from.len()) };
    }
}

macro_rules! check {
    ($function:ident, $layout:ty, $axes:literal, $digits:literal) => {{
        let oracle = Oracle::new($axes, $digits);
        for dims in oracle.shapes() {
            $function::<$layout>(&oracle, &dims);
        }
    }};
}

#[test]
fn access_agrees_with_the_oracle() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, $slice:tt, $select:tt) => {
            check!(check_access, $layout, $axes, $digits)
        };
    }
    for_layouts!(one);
}

#[test]
fn iterators_agree_with_the_oracle() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, $slice:tt, $select:tt) => {
            check!(check_iterators, $layout, $axes, $digits)
        };
    }
    for_layouts!(one);
}

#[test]
fn mutable_iterators_agree_with_the_oracle() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, $slice:tt, $select:tt) => {
            check!(check_mutable, $layout, $axes, $digits)
        };
    }
    for_layouts!(one);
}
