//! Makes the plan of a simplified problem: picks the kernel, and puts the loops in the order that `order` finds. Called by `Reorder::new`.

use super::order::{By, is_long_run, outer_loops, share_lines, share_source_lines, tile};
use super::ways::Units;
use super::{Class, MAX_LOOPS, Reorder, TILE_LOOPS, Tails};
use crate::descriptor::{DType, Descriptor};
use crate::grammar::MAX_RANK;
use crate::kernels::{Format, Nibble, Packing, convert_kernel, copy_kernel};
use crate::reorder::problem::{Axis, MAX_NODES, Node, Nodes, Problem};
use crate::reorder::{ReorderError, Stores};

/// The plan for `problem`, which `simplify` has gone through.
pub(super) const fn arrange(
    problem: &Problem,
    src: &Descriptor,
    dst: &Descriptor,
    pairs: bool,
) -> Result<Reorder, ReorderError> {
    let (src_bytes, dst_bytes) = (src.dtype().size(), dst.dtype().size());
    let converts = src.dtype() as u8 != dst.dtype() as u8 || problem.wanted.any();
    let all = &problem.nodes;
    let packing = match (src.dtype(), dst.dtype()) {
        _ if pairs => Packing::NONE,
        (src, dst) => Packing { src: nibble(src), dst: nibble(dst) },
    };
    let promoted = if converts || !packing.is_none() { None } else { short_run(problem, src_bytes) };
    let run = match promoted {
        Some(i) => all.get(i).n as usize,
        None => 1,
    };
    let (src_element, dst_element) = (src_bytes * run, dst_bytes * run);
    let (x, y) = tile(all, promoted, run);
    let mut order = [0u8; MAX_NODES];
    let by = if is_long_run(all, x, src_bytes) { By::Both } else { By::Dst };
    let mut outer = outer_loops(all, [promoted, x, y], by, &mut order);
    if let (Some(x), Some(y)) = (x, y)
        && !converts
        && packing.is_none()
    {
        share_lines(all, (x, y), src_bytes, &mut order, outer);
        share_source_lines(all, (x, y), problem.logical, src_bytes, &mut order, outer);
    }
    // The kernel takes the innermost of these too, unless that is one over segments.
    let mut z = None;
    if outer > 0 && all.fits_tile(order[outer - 1] as usize) {
        outer -= 1;
        z = Some(order[outer] as usize);
    }

    let mut nodes = Nodes::EMPTY;
    let mut place = [0u8; MAX_NODES];
    let mut i = 0;
    while i < outer {
        place[order[i] as usize] = nodes.len() as u8;
        if !nodes.push_from(all, order[i] as usize, src_bytes as isize, dst_bytes as isize) {
            return Err(too_many(all));
        }
        i += 1;
    }
    let tile = [z, y, x];
    let mut i = 0;
    while i < TILE_LOOPS {
        let room = match tile[i] {
            Some(loop_) => {
                place[loop_] = nodes.len() as u8;
                nodes.push_from(all, loop_, src_bytes as isize, dst_bytes as isize)
            }
            None => nodes.push(Node::UNIT),
        };
        if !room {
            return Err(too_many(all));
        }
        i += 1;
    }

    let skewed = nodes.is_skewed(nodes.len() - 1);
    let (x, y) = (nodes.get(nodes.len() - 1), nodes.get(nodes.len() - 2));
    let class = if nodes.len() == TILE_LOOPS && x.n == 1 {
        Class::Stream
    } else if x.dst == dst_element as isize && x.src == src_element as isize {
        let alone = nodes.len() == TILE_LOOPS && y.n == 1 && nodes.get(0).n == 1;
        if alone && !skewed { Class::Stream } else { Class::Rows }
    } else if x.dst == dst_element as isize && y.src == src_element as isize {
        Class::Transpose
    } else {
        Class::Strided
    };
    let Some(tails) = tails(problem, &place, &mut nodes) else { return Err(too_many(all)) };
    let Some(roles) = problem.wanted.keep(&problem.positions, problem.axes_len, &mut nodes) else {
        return Err(too_many(all));
    };
    let kernel = match copy_kernel(dst_element) {
        Some(kernel) if !converts => kernel,
        _ => {
            let (from, to) = (format(src.dtype()), format(dst.dtype()));
            match copy_kernel(1) {
                // Of 4 and of 8 bits: what there is to convert is done where elements are packed.
                Some(kernel) if from as u8 == to as u8 && !problem.wanted.any() => kernel,
                _ => convert_kernel(from, to),
            }
        }
    };
    let mut plan = Reorder {
        nodes,
        tails,
        class,
        one_tile: false,
        units: Units::TILES,
        src_dtype: src.dtype(),
        dst_dtype: dst.dtype(),
        src_element: src_element as u8,
        dst_element: dst_element as u8,
        kernel,
        roles,
        packing,
        pairs,
        src_base: base(src, problem.src_base, pairs).wrapping_mul(src_bytes as isize),
        dst_base: base(dst, problem.dst_base, pairs).wrapping_mul(dst_bytes as isize),
        src_len: src.size_bytes(),
        dst_len: dst.size_bytes(),
        logical: problem.logical,
        padded: problem.padded,
        stores: Stores::Auto,
        asked: None,
        inner: 0,
    };
    plan.one_tile = plan.is_one_tile();
    let (innermost, longer) = (plan.nodes.len() - TILE_LOOPS, plan.longer_loop());
    plan.put(innermost - longer, innermost);
    plan.units = plan.fastest_units();
    Ok(plan)
}

/// The axes of `problem`, whose loop i became loop `place[i]` of the plan; `None` where `nodes` has no room for what the
/// windows need.
const fn tails(problem: &Problem, place: &[u8; MAX_NODES], nodes: &mut Nodes<MAX_LOOPS>) -> Option<Tails> {
    let mut tails = Tails {
        len: problem.axes_len as u8,
        levels: [0; MAX_LOOPS],
        end: [0; MAX_RANK],
        window: [Tails::NO_WINDOW; MAX_RANK],
        dim: [0; MAX_RANK],
        padded: [0; MAX_RANK],
    };
    let mut end = 0;
    let mut a = 0;
    while a < problem.axes_len {
        let Axis { first, len, start, data, dim, padded } = problem.axes[a];
        let mut i = 0;
        while i < len {
            tails.levels[end + i] = place[first + i];
            i += 1;
        }
        end += len;
        tails.end[a] = end as u8;
        (tails.dim[a], tails.padded[a]) = (dim, padded);
        let skewed = len > 0 && problem.nodes.is_skewed(first);
        if skewed || !problem.axes[a].starts_with_data() {
            // Both are positions or less than a period, below 2^63.
            match nodes.push_note(Node { n: start, src: data as isize, dst: 0 }) {
                Some(note) => tails.window[a] = note,
                None => return None,
            }
        }
        a += 1;
    }
    Some(tails)
}

const fn too_many(all: &Nodes<MAX_NODES>) -> ReorderError {
    // With windows, or a tile of fewer loops than it holds, the loops alone would have had room.
    let needed = if all.used() > MAX_LOOPS { all.used() } else { MAX_LOOPS + 1 };
    ReorderError::TooManyLoops { needed, limit: MAX_LOOPS }
}

/// A loop whose values follow one another on both sides and fill 2, 4, 8 or 16 bytes: it is moved as one element.
/// Loops of axes with a tail are not taken: part of such an element would be padding.
const fn short_run(problem: &Problem, bytes: usize) -> Option<usize> {
    let mut first_free = 0;
    let mut a = 0;
    while a < problem.axes_len {
        first_free += problem.axes[a].len;
        a += 1;
    }
    let mut i = first_free;
    while i < problem.nodes.len() {
        let node = problem.nodes.get(i);
        let fits = node.n <= 16 && matches!(node.n as usize * bytes, 2 | 4 | 8 | 16);
        if problem.nodes.is_strided(i) && node.src == 1 && node.dst == 1 && fits {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// The format that kernels know, of elements of 4 bits that which they have in bytes of their own.
pub(in crate::reorder) const fn format(dtype: DType) -> Format {
    match dtype {
        DType::F64 => Format::F64,
        DType::F32 => Format::F32,
        DType::F16 => Format::F16,
        DType::Bf16 => Format::Bf16,
        DType::S32 => Format::S32,
        DType::S8 | DType::S4 => Format::S8,
        DType::U8 | DType::U4 => Format::U8,
        DType::F8E5M2 => Format::F8E5M2,
        DType::F8E4M3 => Format::F8E4M3,
        DType::E8M0 => Format::E8M0,
        DType::F4E2M1 => Format::F4E2M1,
        DType::F4E3M0 => Format::F4E3M0,
        DType::Boolean => Format::Boolean,
    }
}

/// How an element of 4 bits stands in a byte of its own.
const fn nibble(dtype: DType) -> Option<Nibble> {
    match dtype {
        DType::S4 => Some(Nibble::Signed),
        DType::U4 => Some(Nibble::Unsigned),
        DType::F4E2M1 | DType::F4E3M0 => Some(Nibble::Bits),
        _ => None,
    }
}

/// The offset of place 0 of all loops, in elements or pairs of them.
const fn base(side: &Descriptor, beyond: isize, pairs: bool) -> isize {
    let base = (side.base() as isize).wrapping_add(beyond);
    if pairs { base / 2 } else { base }
}
