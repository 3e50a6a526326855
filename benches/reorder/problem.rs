//! A case made ready for the entrants: descriptors, the offset of every index, and the loops that other systems take.
//!
//! Nothing here goes through the reorder that is measured: offsets come from the descriptors' digits, which the tests
//! compare with oneDNN's.

use crate::cases::{Case, Scaling};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::{Attributes, Values};
use layout_peers::mkl::Matrices;

/// Offsets along one axis, in elements. The offset of an element is the sum over the axes.
pub(crate) struct Axis {
    /// Logical extent.
    pub(crate) dim: usize,
    /// Offset in the source of every logical index.
    pub(crate) src: Vec<usize>,
    /// Offset in the destination of every padded index.
    pub(crate) dst: Vec<usize>,
}

/// A loop with constant distances, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Loop {
    pub(crate) n: usize,
    pub(crate) src: usize,
    pub(crate) dst: usize,
}

/// A nest of loops from a start; the destination's strides fall.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    pub(crate) src: usize,
    pub(crate) dst: usize,
    pub(crate) loops: Vec<Loop>,
}

/// What is done to the numbers of a case, by index of axis 1 or one for all. What is empty is not done.
#[derive(Default)]
pub(crate) struct Scales {
    /// Subtracted from the source.
    pub(crate) src_shift: Vec<f32>,
    /// What the source is multiplied by.
    pub(crate) src_scale: Vec<f32>,
    /// What the result is divided by.
    pub(crate) dst_scale: Vec<f32>,
    /// Which indices share a value of the source scale, where it is for groups.
    pub(crate) groups: Option<[(char, usize); 2]>,
}

impl Scales {
    fn of(case: &Case) -> Scales {
        let channels = case.dims.get(1).copied().unwrap_or(1);
        let scales = |count: usize| (0..count).map(|c| 0.75 + c as f32 * 0.013).collect();
        let from_float = matches!(case.src.dtype, DType::F32);
        let of = |count| match from_float {
            true => Scales { dst_scale: scales(count), ..Scales::default() },
            false => Scales { src_scale: scales(count), ..Scales::default() },
        };
        match case.scaling {
            Scaling::None => Scales::default(),
            Scaling::Common => of(1),
            Scaling::PerChannel => of(channels),
            Scaling::Grouped(group) => of(case.dims[0].div_ceil(group) * channels),
            Scaling::Normalised => Scales {
                src_shift: [123.675, 116.28, 103.53][..channels].to_vec(),
                dst_scale: [58.395, 57.12, 57.375][..channels].to_vec(),
                ..Scales::default()
            },
        }
    }

    /// The value for index `c` of axis 1.
    pub(crate) fn at(values: &[f32], c: usize) -> Option<f32> {
        if values.len() == 1 { Some(values[0]) } else { values.get(c).copied() }
    }

    /// As ours take them.
    pub(crate) fn attributes(&self) -> Attributes<'_> {
        let mut attributes = Attributes::new();
        if !self.src_shift.is_empty() {
            attributes = attributes.src_shift(values(&self.src_shift));
        }
        if !self.src_scale.is_empty() {
            attributes = attributes.src_scale(match &self.groups {
                Some(groups) => Values::grouped(groups, &self.src_scale),
                None => values(&self.src_scale),
            });
        }
        if !self.dst_scale.is_empty() {
            attributes = attributes.dst_scale(values(&self.dst_scale));
        }
        attributes
    }
}

/// Values of an attribute: one for all, or one for each channel.
fn values(values: &[f32]) -> Values<'_, f32> {
    match values {
        &[value] => Values::common(value),
        values => Values::per_axis('c', values),
    }
}

/// A case with everything that the entrants need to know of it.
pub(crate) struct Problem {
    pub(crate) case: Case,
    pub(crate) src: Descriptor,
    pub(crate) dst: Descriptor,
    pub(crate) axes: Vec<Axis>,
    pub(crate) scales: Scales,
    /// The nests that together reach every logical element; `None` where blocks do not nest.
    pub(crate) nests: Option<Vec<Nest>>,
}

impl Problem {
    pub(crate) fn new(case: Case) -> Problem {
        let (src, dst) = (case.src.descriptor(&case.dims), case.dst.descriptor(&case.dims));
        let axes: Vec<Axis> = (0..src.rank())
            .map(|axis| {
                let (dim, padded) = (src.dims()[axis], dst.padded_dims()[axis]);
                let along = |d: &Descriptor, len| (0..len).map(|index| offset(d, axis, index)).collect();
                Axis { dim, src: along(&src, dim), dst: along(&dst, padded) }
            })
            .collect();
        let nests = nests(&src, &dst, &axes);
        let mut scales = Scales::of(&case);
        if let Scaling::Grouped(group) = case.scaling {
            scales.groups = Some([('a', group), ('b', 1)]);
        }
        Problem { case, src, dst, axes, scales, nests }
    }

    /// Source and destination types.
    pub(crate) fn dtypes(&self) -> (DType, DType) {
        (self.src.dtype(), self.dst.dtype())
    }

    /// Whether the type stays the same.
    pub(crate) fn keeps_type(&self) -> bool {
        self.src.dtype() == self.dst.dtype()
    }

    /// Whether numbers are scaled besides.
    pub(crate) fn is_scaled(&self) -> bool {
        self.case.scaling != Scaling::None
    }

    /// Whether the destination has padding, which a reorder fills with zeros.
    pub(crate) fn pads(&self) -> bool {
        self.dst.padded_len() != self.dst.logical_len()
    }

    /// Bytes read and written: the logical elements of the source, the padded ones of the destination.
    pub(crate) fn bytes(&self) -> (usize, usize) {
        let of = |dtype: DType, len| dtype.bytes_of(len).expect("a case fits in memory");
        (of(self.src.dtype(), self.src.logical_len()), of(self.dst.dtype(), self.dst.padded_len()))
    }

    /// Half of what is read and written: the length of the memcpy that moves as many bytes.
    pub(crate) fn copy_len(&self) -> usize {
        let (read, written) = self.bytes();
        (read + written).div_ceil(2)
    }

    /// Bytes that each buffer needs.
    pub(crate) fn buffer_len(&self) -> usize {
        // As many lines as the two sides have are copied half and half.
        self.src.size_bytes().max(self.dst.size_bytes()).max(self.copy_len()).next_multiple_of(64)
    }

    /// The one nest that reaches everything, where no tail and no padding needs another.
    pub(crate) fn single_nest(&self) -> Option<&Nest> {
        match self.nests.as_deref() {
            Some([nest]) if !self.pads() => Some(nest),
            _ => None,
        }
    }

    /// The case as a batch of two-dimensional transpositions.
    pub(crate) fn matrices(&self) -> Option<Matrices> {
        let nest = self.single_nest()?;
        let column = nest.loops.iter().position(|l| l.src == 1 && l.dst != 1)?;
        let row = nest.loops.iter().position(|l| l.dst == 1 && l.src != 1)?;
        let (cols, rows) = (nest.loops[column], nest.loops[row]);
        let mut starts = vec![(nest.src, nest.dst)];
        for (_, l) in nest.loops.iter().enumerate().filter(|&(i, _)| i != column && i != row) {
            starts = starts
                .iter()
                .flat_map(|&(s, d)| (0..l.n).map(move |i| (s + i * l.src, d + i * l.dst)))
                .collect();
        }
        let (src_leading, dst_leading) = (rows.src, cols.dst);
        let fits = src_leading >= cols.n && dst_leading >= rows.n;
        fits.then_some(Matrices { rows: rows.n, cols: cols.n, src_leading, dst_leading, starts })
    }
}

/// The part of an element's offset that `index` of `axis` adds.
fn offset(descriptor: &Descriptor, axis: usize, index: usize) -> usize {
    let digits = descriptor.digits();
    let of_axis = digits.iter().filter(|digit| digit.axis == axis);
    of_axis
        .map(|digit| {
            let value = index / digit.divisor;
            let value = if digit.top { value } else { value % digit.extent };
            value * digit.stride as usize
        })
        .sum()
}

/// The nests that reach every logical element, tails in nests of their own.
fn nests(src: &Descriptor, dst: &Descriptor, axes: &[Axis]) -> Option<Vec<Nest>> {
    let mut nests = vec![Nest { src: src.base(), dst: dst.base(), loops: Vec::new() }];
    for (number, axis) in axes.iter().enumerate() {
        let mut divisors: Vec<usize> = src
            .digits()
            .iter()
            .chain(dst.digits().iter())
            .filter(|digit| digit.axis == number && digit.divisor < axis.dim.max(2))
            .map(|digit| digit.divisor)
            .collect();
        divisors.sort_unstable();
        divisors.dedup();
        if divisors.windows(2).any(|pair| pair[1] % pair[0] != 0) {
            return None;
        }
        let pieces = pieces(axis, &divisors);
        nests = nests
            .iter()
            .flat_map(|nest| {
                pieces.iter().map(|piece| Nest {
                    src: nest.src + piece.src,
                    dst: nest.dst + piece.dst,
                    loops: nest.loops.iter().chain(&piece.loops).copied().collect(),
                })
            })
            .collect();
    }
    for nest in &mut nests {
        merge(&mut nest.loops);
    }
    Some(nests)
}

/// The indices of one axis as nests: as many whole blocks as there are, then what is left within the last one.
fn pieces(axis: &Axis, divisors: &[usize]) -> Vec<Nest> {
    let mut pieces = Vec::new();
    let (mut start, mut inner) = (0, divisors);
    while let Some((&top, below)) = inner.split_last() {
        let count = (axis.dim - start) / top;
        if count > 0 {
            let mut loops = Vec::new();
            let mut span = count * top;
            for &divisor in inner.iter().rev() {
                loops.push(Loop {
                    n: span / divisor,
                    src: axis.src.get(divisor).copied().unwrap_or(0),
                    dst: axis.dst.get(divisor).copied().unwrap_or(0),
                });
                span = divisor;
            }
            pieces.push(Nest { src: axis.src[start], dst: axis.dst[start], loops });
            start += count * top;
        }
        inner = below;
    }
    pieces
}

/// Drops loops of one turn, merges what continues one another on both sides, and sorts by the destination's strides.
fn merge(loops: &mut Vec<Loop>) {
    loops.retain(|l| l.n != 1);
    loops.sort_by_key(|one| std::cmp::Reverse(one.dst));
    'again: loop {
        for outer in 0..loops.len() {
            for inner in 0..loops.len() {
                let (o, i) = (loops[outer], loops[inner]);
                if outer != inner && o.src == i.src * i.n && o.dst == i.dst * i.n {
                    loops[inner] = Loop { n: o.n * i.n, ..i };
                    loops.remove(outer);
                    continue 'again;
                }
            }
        }
        break;
    }
    if loops.is_empty() {
        loops.push(Loop { n: 1, src: 1, dst: 1 });
    }
}
