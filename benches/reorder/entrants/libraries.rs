//! The peers behind C interfaces: every installed version of oneDNN, IPP, MKL and PyTorch.

use super::naive::zero_bytes;
use super::{Entrant, Role};
use crate::cases::Side;
use crate::element::{knows, typed, typed_mut};
use crate::problem::{Loop, Problem, Scales};
use layout_core::descriptor::{DType, Descriptor};
use layout_peers::ipp::{Conversion, Ipp};
use layout_peers::mkl::Mkl;
use layout_peers::onednn::{Attributes, DataType, MemoryDesc, OneDnn, Status, Values};
use layout_peers::torch::{self, Torch};

/// The libraries that are installed.
pub(crate) struct Libraries {
    pub(crate) onednn: Vec<OneDnn>,
    pub(crate) ipp: Option<Ipp>,
    pub(crate) mkl: Option<Mkl>,
    pub(crate) torch: Option<Torch>,
}

impl Libraries {
    /// Loads what `scripts/peers` installed.
    pub(crate) fn load(threads: usize) -> Libraries {
        layout_peers::set_openmp_threads(threads);
        let onednn = OneDnn::load_all();
        layout_peers::set_tbb_threads(threads);
        Libraries { onednn, ipp: Ipp::load(), mkl: Mkl::load(), torch: Torch::load() }
    }

    pub(super) fn entrants<'a>(&'a self, problem: &'a Problem) -> Vec<Entrant<'a>> {
        let mut out: Vec<Entrant> =
            self.onednn.iter().filter_map(|library| onednn(library, problem).ok()).collect();
        if problem.is_scaled() || !knows(problem.dtypes()) {
            return out;
        }
        out.extend(self.ipp.as_ref().and_then(|library| ipp(library, problem)));
        out.extend(self.mkl.as_ref().and_then(|library| mkl(library, problem)));
        out.extend(self.torch.as_ref().and_then(|library| pytorch(library, problem)));
        out
    }
}

/// A oneDNN reorder; an error where the library refuses.
fn onednn<'a>(library: &'a OneDnn, problem: &Problem) -> Result<Entrant<'a>, Status> {
    let (src, dst) = memory_descs(library, problem)?;
    let reorder = library.reorder_with(&src, &dst, attributes(problem)?)?;
    let kernel = reorder.implementation().to_owned();
    let run =
        move |src: &[u8], dst: &mut [u8]| reorder.run(src, dst).expect("the primitive was made for this");
    let name = format!("oneDNN {}", library.version());
    Ok(Entrant { kernel, ..Entrant::new(&name, Role::OneDnn, Box::new(run)) })
}

/// The scales of a case as oneDNN takes them; zero points are integers there.
fn attributes(problem: &Problem) -> Result<Attributes, Status> {
    let Scales { src_shift, src_scale, dst_scale, groups } = &problem.scales;
    if !src_shift.is_empty() {
        return Err(Status { call: "dnnl_primitive_attr_set_zero_points_mask", code: 3 });
    }
    let of = |values: &[f32]| {
        let axes = if values.len() > 1 { vec![1] } else { Vec::new() };
        (!values.is_empty()).then(|| Values { axes, groups: Vec::new(), values: values.to_vec() })
    };
    if let Some(groups) = groups {
        let groups = groups.iter().map(|group| group.1).collect();
        let scale = Values { axes: vec![0, 1], groups, values: src_scale.clone() };
        return Ok(Attributes { src_scale: Some(scale), ..Attributes::default() });
    }
    Ok(Attributes { src_scale: of(src_scale), dst_scale: of(dst_scale), ..Attributes::default() })
}

/// Both sides of a case as oneDNN's descriptors.
pub(crate) fn memory_descs<'a>(
    library: &'a OneDnn,
    problem: &Problem,
) -> Result<(MemoryDesc<'a>, MemoryDesc<'a>), Status> {
    let describe = |side: &Side, descriptor: &Descriptor| {
        let (dims, tag) = (descriptor.dims(), side.anonymous(descriptor));
        let dtype = match side.dtype {
            DType::F64 => DataType::F64,
            DType::F32 => DataType::F32,
            DType::F16 => DataType::F16,
            DType::Bf16 => DataType::Bf16,
            DType::S32 => DataType::S32,
            DType::S8 => DataType::S8,
            DType::U8 => DataType::U8,
            DType::Boolean => DataType::Boolean,
            DType::F8E5M2 => DataType::F8E5M2,
            DType::F8E4M3 => DataType::F8E4M3,
            DType::S4 => DataType::S4,
            DType::U4 => DataType::U4,
            _ => return Err(Status { call: "dnnl_memory_desc_create_with_tag", code: 3 }),
        };
        match &side.parent {
            None => library.with_tag(dims, dtype, &tag),
            Some(parent) => library.with_tag(parent, dtype, &tag)?.submemory(dims, &vec![0; dims.len()]),
        }
    };
    Ok((describe(&problem.case.src, &problem.src)?, describe(&problem.case.dst, &problem.dst)?))
}

/// Transpositions, splits and joins of channels, and conversions of one run.
fn ipp<'a>(library: &'a Ipp, problem: &'a Problem) -> Option<Entrant<'a>> {
    if problem.keeps_type() {
        let bytes = problem.src.dtype().size();
        let matrices = problem.matrices().filter(|matrices| library.takes(matrices, bytes))?;
        let run = move |src: &[u8], dst: &mut [u8]| library.transpose(bytes, &matrices, src, dst);
        return Some(Entrant::new("IPP", Role::Peer, Box::new(run)));
    }
    let conversion = match problem.dtypes() {
        (DType::U8, DType::F32) => Conversion::U8F32,
        (DType::S8, DType::F32) => Conversion::S8F32,
        (DType::F32, DType::S8) => Conversion::F32S8,
        _ => return None,
    };
    let len = super::crates::run_len(problem)?;
    let run = move |src: &[u8], dst: &mut [u8]| library.convert(conversion, len, src, dst);
    Some(Entrant::new("IPP", Role::Peer, Box::new(run)))
}

/// Transpositions of 4-byte elements, one call for each matrix.
fn mkl<'a>(library: &'a Mkl, problem: &'a Problem) -> Option<Entrant<'a>> {
    if !problem.keeps_type() || problem.src.dtype() != DType::F32 {
        return None;
    }
    let matrices = problem.matrices()?;
    let run = move |src: &[u8], dst: &mut [u8]| {
        library.transpose_f32(&matrices, typed(src), typed_mut(dst));
    };
    Some(Entrant::new("MKL", Role::Peer, Box::new(run)))
}

/// PyTorch's `copy_`, one call for the whole blocks and one for each tail; padding is zeroed first. Not to integers: it
/// truncates what is rounded here.
fn pytorch<'a>(library: &'a Torch, problem: &'a Problem) -> Option<Entrant<'a>> {
    use torch::Type;
    let of = |dtype| {
        Some(match dtype {
            DType::F64 => Type::Float64,
            DType::F32 => Type::Float32,
            DType::F16 => Type::Float16,
            DType::Bf16 => Type::Bfloat16,
            DType::S32 => Type::Int32,
            DType::S8 => Type::Int8,
            DType::U8 => Type::Uint8,
            _ => return None,
        })
    };
    let (src, dst) = problem.dtypes();
    if src != dst && matches!(dst, DType::S32 | DType::S8 | DType::U8) {
        return None;
    }
    let (src, dst) = (of(src)?, of(dst)?);
    let mut copies: Vec<_> = (problem.nests.as_ref()?.iter())
        .map(|nest| {
            let strides = |of: fn(&Loop) -> usize| nest.loops.iter().map(of).collect();
            library.prepare(torch::Copy {
                dims: nest.loops.iter().map(|l| l.n).collect(),
                src: torch::Side { start: nest.src, dtype: src, strides: strides(|l| l.src) },
                dst: torch::Side { start: nest.dst, dtype: dst, strides: strides(|l| l.dst) },
            })
        })
        .collect();
    let run = move |src: &[u8], dst: &mut [u8]| {
        if problem.pads() {
            zero_bytes(problem, dst);
        }
        copies.iter_mut().for_each(|copy| copy.run(src, dst));
    };
    Some(Entrant::new("PyTorch", Role::Peer, Box::new(run)))
}
