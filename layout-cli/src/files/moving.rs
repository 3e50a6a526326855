//! Moves a tensor between two mapped files, a slab at a time, so that a progress bar has something to show and that the
//! pages in use are those of a few slabs.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use layout_core::descriptor::Descriptor;
use layout_core::reorder::Reorder;

/// About as many bytes of the destination make a slab.
const SLAB: usize = 32 << 20;

/// A bar that counts bytes on standard error; nothing where that is no terminal or nobody reads it.
pub(crate) fn progress(bytes: usize, hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes}, {binary_bytes_per_sec}, {eta} left");
    let bar = ProgressBar::new(bytes as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Reorders the whole tensor. The progress counts bytes of the destination.
pub(crate) fn reorder(
    (src, src_bytes): (&Descriptor, &[u8]),
    (dst, dst_bytes): (&Descriptor, &mut [u8]),
    bar: &ProgressBar,
) -> Result<(), Failure> {
    for (start, dims) in slabs(src, dst) {
        let src = src.submemory(&start, &dims).map_err(Failure::failed)?;
        let dst = dst.submemory(&start, &dims).map_err(Failure::failed)?;
        let plan = Reorder::new(&src, &dst).map_err(Failure::failed)?;
        plan.par_run(src_bytes, dst_bytes).map_err(Failure::failed)?;
        bar.inc(plan.bytes_written() as u64);
    }
    Ok(())
}

/// Start and extents of the slabs: parts along the outermost axis of the destination that both sides cut between blocks.
fn slabs(src: &Descriptor, dst: &Descriptor) -> Vec<(Vec<usize>, Vec<usize>)> {
    let whole = || vec![(vec![0; dst.rank()], dst.dims().to_vec())];
    let digits = dst.digits();
    let Some(axis) = digits.iter().find(|digit| digit.top && digit.extent > 1).map(|digit| digit.axis) else {
        return whole();
    };
    let dim = dst.dims()[axis];
    let multiple = |d: &Descriptor| d.spec().padding_multiple(axis) as usize;
    let (a, b) = (multiple(src), multiple(dst));
    let Some(step) = (a / gcd(a, b)).checked_mul(b) else { return whole() };
    let steps = dim.div_ceil(step);
    let bytes = dst.size_bytes() / steps.max(1);
    let slab = step * (SLAB / bytes.max(1)).max(1);
    if dst.is_empty() || slab >= dim {
        return whole();
    }
    let part = |start: usize| {
        let (mut starts, mut dims) = (vec![0; dst.rank()], dst.dims().to_vec());
        starts[axis] = start;
        dims[axis] = slab.min(dim - start);
        (starts, dims)
    };
    (0..dim).step_by(slab).map(part).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::{progress, reorder, slabs};
    use layout_core::descriptor::Descriptor;
    use layout_core::reorder::Reorder;

    #[test]
    fn slabs_give_what_the_whole_gives() {
        for (src, dst) in [
            ("u8:nhwc:5x40x3x2", "u8:nChw16c:5x40x3x2"),
            ("u8:NChw4n8c:13x17x5x4", "u8:nchw:13x17x5x4"),
            ("u8:ab:1000x3", "u8:AB32a2b:1000x3"),
            ("u8:scalar", "u8:scalar"),
        ] {
            let (src, dst): (Descriptor, Descriptor) = (src.parse().unwrap(), dst.parse().unwrap());
            let bytes: Vec<u8> = (0..src.size_bytes()).map(|i| (i * 7 % 251) as u8).collect();
            let (mut one, mut other) = (vec![9; dst.size_bytes()], vec![9; dst.size_bytes()]);
            Reorder::new(&src, &dst).unwrap().run(&bytes, &mut one).unwrap();
            reorder((&src, &bytes), (&dst, &mut other), &progress(0, true)).unwrap();
            assert_eq!(one, other);
        }
    }

    #[test]
    fn slabs_cover_the_axis_once() {
        let (src, dst): (Descriptor, Descriptor) =
            ("f32:nhwc:300x48x300x200".parse().unwrap(), "f32:NChw6n16c:300x48x300x200".parse().unwrap());
        let slabs = slabs(&src, &dst);
        assert!(slabs.len() > 10);
        let mut next = 0;
        for (start, dims) in slabs {
            assert_eq!((start[0], start[0] % 6), (next, 0));
            next += dims[0];
        }
        assert_eq!(next, 300);
    }
}
