//! The peers from crates.io: ndarray, `transpose`, `half` and, as a feature, HPTT.

use super::naive::zero;
use super::{Entrant, Move, Role};
use crate::element::{Convert, Visitor, typed, typed_mut, with_types};
use crate::problem::{Loop, Nest, Problem};
use bytemuck::Pod;
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use layout_core::descriptor::DType;
use ndarray::{ArrayView, ArrayViewMut, Dim, Dimension, IntoDimension, ShapeBuilder, Zip};

pub(super) fn entrants(problem: &Problem, threads: usize) -> Vec<Entrant<'_>> {
    let mut out = Vec::new();
    let mut push = |name: &str, run: Option<Move<'static>>| {
        out.extend(run.map(|run| Entrant::new(name, Role::Peer, run)));
    };
    push("transpose", with_types(problem.dtypes(), Transpose(problem)));
    push("half", half(problem));
    #[cfg(feature = "hptt")]
    push("hptt", hptt(problem, threads));
    #[cfg(not(feature = "hptt"))]
    let _ = threads;
    if problem.nests.is_some() {
        let run: Move<'_> = Box::new(move |src, dst| {
            with_types(problem.dtypes(), Assign { problem, src, dst });
        });
        out.push(Entrant::new("ndarray", Role::Peer, run));
    }
    out
}

/// Elements of the case where all of them are one run on both sides.
pub(super) fn run_len(problem: &Problem) -> Option<usize> {
    match problem.single_nest()?.loops.as_slice() {
        [l] if l.src == 1 && l.dst == 1 => Some(l.n),
        _ => None,
    }
}

/// ndarray's `assign`, or `Zip` where the type changes, on views of fixed rank: one for the whole blocks and one for each
/// tail. Padding is zeroed first.
struct Assign<'a> {
    problem: &'a Problem,
    src: &'a [u8],
    dst: &'a mut [u8],
}

impl Visitor for Assign<'_> {
    type Out = ();

    fn visit<S: Convert<D>, D: Pod>(self) {
        let Assign { problem, src, dst } = self;
        let (src, dst) = (typed::<S>(src), typed_mut::<D>(dst));
        if problem.pads() {
            zero(problem, dst);
        }
        for nest in problem.nests.iter().flatten() {
            match nest.loops.len() {
                1 => assign::<S, D, 1>(nest, src, dst),
                2 => assign::<S, D, 2>(nest, src, dst),
                3 => assign::<S, D, 3>(nest, src, dst),
                4 => assign::<S, D, 4>(nest, src, dst),
                5 => assign::<S, D, 5>(nest, src, dst),
                _ => assign::<S, D, 6>(nest, src, dst),
            }
        }
    }
}

fn assign<S: Convert<D>, D: Pod, const N: usize>(nest: &Nest, src: &[S], dst: &mut [D])
where
    [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
    Dim<[usize; N]>: Dimension,
{
    let loops: [Loop; N] = nest.loops.as_slice().try_into().expect("no case has more loops");
    let shape = Dim(loops.map(|l| l.n));
    let from = ArrayView::from_shape(shape.strides(Dim(loops.map(|l| l.src))), &src[nest.src..])
        .expect("the nest lies within the source");
    let mut to = ArrayViewMut::from_shape(shape.strides(Dim(loops.map(|l| l.dst))), &mut dst[nest.dst..])
        .expect("the nest lies within the destination");
    Zip::from(&mut to).and(&from).for_each(|to, &from| *to = from.convert());
}

/// The crate `transpose`: dense matrices only.
struct Transpose<'a>(&'a Problem);

impl Visitor for Transpose<'_> {
    type Out = Option<Move<'static>>;

    fn visit<S: Convert<D>, D: Pod>(self) -> Self::Out {
        if !self.0.keeps_type() {
            return None;
        }
        let matrices = self.0.matrices()?;
        let (rows, cols) = (matrices.rows, matrices.cols);
        if (matrices.src_leading, matrices.dst_leading) != (cols, rows) {
            return None;
        }
        Some(Box::new(move |src, dst| {
            let (src, dst) = (typed::<S>(src), typed_mut::<S>(dst));
            for &(s, d) in &matrices.starts {
                transpose::transpose(&src[s..s + rows * cols], &mut dst[d..d + rows * cols], cols, rows);
            }
        }))
    }
}

/// The slice conversions of `half`: one run only.
fn half(problem: &Problem) -> Option<Move<'static>> {
    let n = run_len(problem)?;
    Some(match problem.dtypes() {
        (DType::F32, DType::Bf16) => Box::new(move |src, dst| {
            typed_mut::<bf16>(dst)[..n].convert_from_f32_slice(&typed::<f32>(src)[..n]);
        }),
        (DType::Bf16, DType::F32) => Box::new(move |src, dst| {
            typed::<bf16>(src)[..n].convert_to_f32_slice(&mut typed_mut::<f32>(dst)[..n]);
        }),
        (DType::F32, DType::F16) => Box::new(move |src, dst| {
            typed_mut::<f16>(dst)[..n].convert_from_f32_slice(&typed::<f32>(src)[..n]);
        }),
        (DType::F16, DType::F32) => Box::new(move |src, dst| {
            typed::<f16>(src)[..n].convert_to_f32_slice(&mut typed_mut::<f32>(dst)[..n]);
        }),
        _ => return None,
    })
}

/// HPTT: permutations of dense tensors of 4-byte elements. Its one-call interface plans anew with every call.
#[cfg(feature = "hptt")]
fn hptt(problem: &Problem, threads: usize) -> Option<Move<'static>> {
    if !problem.keeps_type() || problem.src.dtype() != DType::F32 {
        return None;
    }
    let loops = &problem.single_nest()?.loops;
    // The loops as axes of the source, outermost first, and which of them each axis of the destination is.
    let mut order: Vec<usize> = (0..loops.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(loops[i].src));
    let shape: Vec<usize> = order.iter().map(|&i| loops[i].n).collect();
    let permutation: Vec<usize> =
        (0..loops.len()).map(|i| order.iter().position(|&o| o == i)).collect::<Option<_>>()?;
    let dense = |strides: &mut dyn Iterator<Item = (usize, usize)>| {
        strides.fold(Some(1), |expected, (n, stride)| (expected? == stride).then_some(n * stride))
    };
    let len = dense(&mut order.iter().rev().map(|&i| (loops[i].n, loops[i].src)))?;
    dense(&mut loops.iter().rev().map(|l| (l.n, l.dst)))?;
    Some(Box::new(move |src, dst| {
        let (src, dst) = (&typed::<f32>(src)[..len], &mut typed_mut::<f32>(dst)[..len]);
        let order = hptt::MemoryOrder::RowMajor;
        hptt::transpose_f32(&permutation, 1.0, src, &shape, 0.0, dst, threads, order)
            .expect("the permutation is one");
    }))
}
