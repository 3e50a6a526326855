//! Moves a tensor between two mapped files, a slab at a time, so that a progress bar has something to show and that the
//! pages in use are those of a few slabs. Called by `convert`.

use crate::failure::Failure;
use indicatif::ProgressBar;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::Reorder;

/// About as many bytes of the larger side make a slab.
pub(crate) const SLAB: usize = 32 << 20;

/// A tensor that is read.
pub(crate) struct Source<'a> {
    pub(crate) tensor: &'a Descriptor,
    pub(crate) bytes: &'a [u8],
    /// Whether the bytes of each element are in the opposite order.
    pub(crate) is_swapped: bool,
}

/// Reorders the whole tensor in slabs of about `slab` bytes. The progress counts bytes of the destination.
pub(crate) fn reorder(
    src: &Source<'_>,
    (dst, dst_bytes): (&Descriptor, &mut [u8]),
    slab: usize,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let mut room = Vec::new();
    for (start, dims) in slabs(src.tensor, dst, slab) {
        let from = src.tensor.submemory(&start, &dims).map_err(Failure::failed)?;
        let to = dst.submemory(&start, &dims).map_err(Failure::failed)?;
        let plan = Reorder::new(&from, &to).map_err(Failure::failed)?;
        match src.is_swapped {
            false => plan.par_run(src.bytes, dst_bytes).map_err(Failure::failed)?,
            true => {
                // Moved as it is, with the bytes put right, and converted then: the file itself stays as it is.
                let between =
                    Descriptor::from_spec(from.dtype(), &dims, *dst.spec()).map_err(Failure::failed)?;
                let missing = between.size_bytes().saturating_sub(room.len());
                room.try_reserve_exact(missing).map_err(Failure::failed)?;
                room.resize(between.size_bytes(), 0);
                let one = Reorder::new(&from, &between).map_err(Failure::failed)?;
                one.par_run(src.bytes, &mut room).map_err(Failure::failed)?;
                swap(&mut room, between.dtype());
                let other = Reorder::new(&between, &to).map_err(Failure::failed)?;
                other.par_run(&room, dst_bytes).map_err(Failure::failed)?;
            }
        }
        bar.inc(plan.bytes_written() as u64);
    }
    // A file may call any byte but 0 true.
    if (src.tensor.dtype(), dst.dtype()) == (DType::Boolean, DType::Boolean) {
        dst_bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
    Ok(())
}

/// Start and extents of the slabs: parts along the outermost axes of the destination that both sides cut between blocks.
fn slabs(src: &Descriptor, dst: &Descriptor, slab: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut parts = vec![(vec![0; dst.rank()], dst.dims().to_vec())];
    if dst.is_empty() {
        return parts;
    }
    let mut bytes = src.size_bytes().max(dst.size_bytes());
    for digit in dst.digits().iter().filter(|digit| digit.top) {
        let (axis, dim) = (digit.axis, dst.dims()[digit.axis]);
        let multiple = |d: &Descriptor| d.spec().padding_multiple(axis) as usize;
        let (a, b) = (multiple(src), multiple(dst));
        let Some(step) = (a / gcd(a, b)).checked_mul(b) else { break };
        let steps = dim.div_ceil(step);
        if bytes <= slab || steps == 1 {
            continue;
        }
        let one = (bytes / steps).max(1);
        let length = step.saturating_mul((slab / one).max(1));
        parts = parts.iter().flat_map(|part| cut(part, axis, length)).collect();
        bytes = one.saturating_mul(length / step);
    }
    parts
}

/// The pieces of `part` that are `length` long along `axis`; the last may be shorter.
fn cut(
    (start, dims): &(Vec<usize>, Vec<usize>),
    axis: usize,
    length: usize,
) -> Vec<(Vec<usize>, Vec<usize>)> {
    let piece = |at: usize| {
        let (mut start, mut piece) = (start.clone(), dims.clone());
        start[axis] += at;
        piece[axis] = length.min(dims[axis] - at);
        (start, piece)
    };
    (0..dims[axis]).step_by(length).map(piece).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Turns the bytes of each element round.
pub(crate) fn swap(bytes: &mut [u8], dtype: DType) {
    match dtype.size() {
        1 => {}
        2 => bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|element| element.reverse()),
        4 => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|element| element.reverse()),
        size => bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse),
    }
}

#[cfg(test)]
mod tests {
    use super::{SLAB, Source, reorder, slabs};
    use indicatif::ProgressBar;
    use layout_core::descriptor::Descriptor;
    use layout_core::reorder::Reorder;

    const PAIRS: [(&str, &str); 10] = [
        ("u8:nhwc:5x40x3x2", "u8:nChw16c:5x40x3x2"),
        ("u8:NChw4n8c:13x17x5x4", "u8:nchw:13x17x5x4"),
        ("u8:ab:1000x3", "u8:AB32a2b:1000x3"),
        ("f32:nchw:1x17x9x7", "s8:nhwc:1x17x9x7"),
        ("u8:nChw6c:2x35x3x3", "f16:nChw4c:2x35x3x3"),
        ("u4:abc:7x9x5", "u4:cba:7x9x5"),
        ("u4:ab:31x33", "u8:BA4b4a:31x33"),
        ("f64:ab:9x13", "f32:ba:9x13"),
        ("f16:abc:3x5x7", "f16:cAb4a:3x5x7"),
        ("u8:scalar", "u8:scalar"),
    ];

    fn pair((src, dst): (&str, &str)) -> (Descriptor, Descriptor, Vec<u8>) {
        let (src, dst): (Descriptor, Descriptor) = (src.parse().unwrap(), dst.parse().unwrap());
        // No pattern of these is a NaN of f32, of which there is more than one.
        let bytes = (0..src.size_bytes()).map(|i| (i * 7 % 251 % 120) as u8).collect();
        (src, dst, bytes)
    }

    #[test]
    fn slabs_give_what_the_whole_gives() {
        for names in PAIRS {
            let (src, dst, bytes) = pair(names);
            let mut one = vec![9; dst.size_bytes()];
            Reorder::new(&src, &dst).unwrap().run(&bytes, &mut one).unwrap();
            for slab in [1, 40, 100, SLAB] {
                let cuts = slabs(&src, &dst, slab).len();
                match slab {
                    SLAB => assert_eq!(cuts, 1, "{names:?}"),
                    _ => assert!(cuts > 1 || dst.rank() == 0, "{names:?} in slabs of {slab}: {cuts}"),
                }
                let mut other = vec![9; dst.size_bytes()];
                let bar = ProgressBar::hidden();
                let source = Source { tensor: &src, bytes: &bytes, is_swapped: false };
                reorder(&source, (&dst, &mut other), slab, &bar).unwrap();
                assert_eq!(one, other, "{names:?} in slabs of {slab}");
                // Two elements of 4 bits share a byte, which both count.
                if !dst.dtype().is_packed() {
                    assert_eq!(bar.position(), dst.size_bytes() as u64, "{names:?} in slabs of {slab}");
                }
            }
        }
    }

    #[test]
    fn elements_of_the_other_byte_order() {
        for names in PAIRS {
            let (src, dst, bytes) = pair(names);
            let size = src.dtype().size();
            let swapped: Vec<u8> =
                bytes.chunks(size).flat_map(|element| element.iter().rev().copied()).collect();
            let (mut one, mut other) = (vec![9; dst.size_bytes()], vec![9; dst.size_bytes()]);
            Reorder::new(&src, &dst).unwrap().run(&bytes, &mut one).unwrap();
            for slab in [1, 100, SLAB] {
                let source = Source { tensor: &src, bytes: &swapped, is_swapped: true };
                reorder(&source, (&dst, &mut other), slab, &ProgressBar::hidden()).unwrap();
                assert_eq!(one, other, "{names:?} in slabs of {slab}");
            }
        }
    }

    #[test]
    fn slabs_cover_each_index_once_and_are_small() {
        for (src, dst) in [
            ("f32:nhwc:300x48x300x200", "f32:NChw6n16c:300x48x300x200"),
            // One image: its axes are cut further inside.
            ("u8:nhwc:1x3x40000x30000", "f32:nchw:1x3x40000x30000"),
            ("f32:ab:30000x20001", "f32:ba:30000x20001"),
        ] {
            let (src, dst): (Descriptor, Descriptor) = (src.parse().unwrap(), dst.parse().unwrap());
            let slabs = slabs(&src, &dst, SLAB);
            assert!(slabs.len() > 10);
            let mut elements = 0;
            for (start, dims) in &slabs {
                let part = dst.submemory(start, dims).unwrap();
                elements += part.logical_len();
                assert!(part.logical_len() * 4 <= 2 * SLAB, "{dst}: {dims:?}");
                let multiple = |axis: usize| dst.spec().padding_multiple(axis) as usize;
                assert!((0..4).take(dst.rank()).all(|axis| start[axis] % multiple(axis) == 0));
            }
            // As many as there are, and no two slabs begin alike.
            assert_eq!(elements, dst.logical_len());
            let mut starts: Vec<_> = slabs.iter().map(|(start, _)| start).collect();
            starts.sort();
            starts.dedup();
            assert_eq!(starts.len(), slabs.len());
        }
    }
}
