//! A loop over the logical indices in their order, without tiles: what one writes first, and the oracle of all results.

use super::{Entrant, Role};
use crate::element::{Convert, Number, Visitor, each_row, knows, typed, typed_mut, with_types};
use crate::numbers;
use crate::problem::{Problem, Scales};
use bytemuck::Pod;
use half::bf16;
use layout_core::descriptor::DType;

/// The naive loop as an entrant.
pub(super) fn entrant(problem: &Problem) -> Entrant<'_> {
    Entrant::new("naive", Role::Naive, Box::new(move |src, dst| oracle(problem, src, dst)))
}

/// Writes what the case is to leave in the destination: every logical element, converted, and zero in the padding.
pub(crate) fn oracle(problem: &Problem, src: &[u8], dst: &mut [u8]) {
    if problem.scales.groups.is_some() || !knows(problem.dtypes()) && !problem.is_scaled() {
        return numbers::oracle(problem, src, dst);
    }
    if !problem.is_scaled() {
        return with_types(problem.dtypes(), Naive { problem, src, dst });
    }
    match problem.dtypes() {
        (DType::F32, DType::S8) => scaled::<f32, i8>(problem, src, dst),
        (DType::F32, DType::U8) => scaled::<f32, u8>(problem, src, dst),
        (DType::S8, DType::F32) => scaled::<i8, f32>(problem, src, dst),
        (DType::U8, DType::F32) => scaled::<u8, f32>(problem, src, dst),
        (DType::U8, DType::Bf16) => scaled::<u8, bf16>(problem, src, dst),
        (src, dst) => panic!("the benchmark scales nothing from {src} to {dst}"),
    }
}

/// The same with scales, which follow axis 1 of four.
fn scaled<S: Number, D: Number>(problem: &Problem, src: &[u8], dst: &mut [u8]) {
    let (src, dst) = (typed::<S>(src), typed_mut::<D>(dst));
    if problem.pads() {
        zero(problem, dst);
    }
    let [n, c, h, w] = problem.axes.as_slice() else { panic!("a scaled case has four axes") };
    let Scales { src_shift, src_scale, dst_scale, .. } = &problem.scales;
    for n in 0..n.dim {
        let (from, to) =
            (problem.src.base() + problem.axes[0].src[n], problem.dst.base() + problem.axes[0].dst[n]);
        for i in 0..c.dim {
            let (from, to) = (from + c.src[i], to + c.dst[i]);
            let shift = Scales::at(src_shift, i).unwrap_or(0.0);
            let factor = Scales::at(src_scale, i).unwrap_or(1.0);
            let inverse = 1.0 / Scales::at(dst_scale, i).unwrap_or(1.0);
            for (from_h, to_h) in h.src.iter().zip(&h.dst) {
                let (from, to) = (from + from_h, to + to_h);
                for (from_w, to_w) in w.src.iter().zip(&w.dst) {
                    dst[to + to_w] = D::from_f32((src[from + from_w].to_f32() - shift) * factor * inverse);
                }
            }
        }
    }
}

struct Naive<'a> {
    problem: &'a Problem,
    src: &'a [u8],
    dst: &'a mut [u8],
}

impl Visitor for Naive<'_> {
    type Out = ();

    fn visit<S: Convert<D>, D: Pod>(self) {
        let Naive { problem, src, dst } = self;
        let (src, dst) = (typed::<S>(src), typed_mut::<D>(dst));
        if problem.pads() {
            zero(problem, dst);
        }
        let Some(last) = problem.axes.last() else { return };
        each_row(problem, |at| {
            for (s, d) in last.src.iter().zip(&last.dst) {
                dst[at.1 + d] = src[at.0 + s].convert();
            }
        });
    }
}

/// [`zero`] for elements of any whole number of bytes.
pub(super) fn zero_bytes(problem: &Problem, dst: &mut [u8]) {
    match problem.dst.dtype().size() {
        1 => zero::<u8>(problem, dst),
        2 => zero::<u16>(problem, typed_mut(dst)),
        4 => zero::<u32>(problem, typed_mut(dst)),
        _ => zero::<u64>(problem, typed_mut(dst)),
    }
}

/// Writes zero wherever an index is past its extent.
pub(super) fn zero<D: Pod>(problem: &Problem, dst: &mut [D]) {
    let Some((last, outer)) = problem.axes.split_last() else { return };
    let mut index = vec![0; outer.len()];
    loop {
        let at = outer.iter().zip(&index).fold(problem.dst.base(), |at, (axis, &i)| at + axis.dst[i]);
        let outside = outer.iter().zip(&index).any(|(axis, &i)| i >= axis.dim);
        for d in &last.dst[if outside { 0 } else { last.dim }..] {
            dst[at + d] = D::zeroed();
        }
        let Some(moved) = (0..outer.len()).rev().find(|&a| index[a] + 1 < outer[a].dst.len()) else { return };
        index[moved] += 1;
        index[moved + 1..].fill(0);
    }
}
