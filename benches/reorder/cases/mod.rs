//! What is measured: the classes of reorders that inference engines meet, each at sizes within the caches and past them.

mod activations;
mod conversions;
mod general;
mod images;
mod matrices;
mod small;
mod weights;

use layout_core::descriptor::{DType, Descriptor};

/// One side of a case.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) dtype: DType,
    /// A format string.
    pub(crate) format: String,
    /// Extents of the tensor of which this is the part that begins at its origin; dense where there is none.
    pub(crate) parent: Option<Vec<usize>>,
}

impl Side {
    /// The descriptor for logical extents `dims`.
    ///
    /// # Panics
    /// Where the case is not one: formats and extents stand in this folder.
    pub(crate) fn descriptor(&self, dims: &[usize]) -> Descriptor {
        let of = |dims: &[usize]| {
            Descriptor::new(self.dtype, dims, &self.format)
                .unwrap_or_else(|error| panic!("{} {dims:?}: {error}", self.format))
        };
        let Some(parent) = &self.parent else { return of(dims) };
        let strides = of(parent).strides();
        Descriptor::with_strides(self.dtype, dims, &self.format, &strides)
            .unwrap_or_else(|error| panic!("{} {dims:?} of {parent:?}: {error}", self.format))
    }

    /// The format with axes named `a`, `b`, `c`, … by their logical position, as every oneDNN version takes it.
    pub(crate) fn anonymous(&self, descriptor: &Descriptor) -> String {
        let order = self.format.split(" => ").last().unwrap_or(&self.format);
        let rename = |c: char| match descriptor.spec().axis_named(c.to_ascii_lowercase()) {
            Some(axis) if c.is_ascii_uppercase() => (b'A' + axis as u8) as char,
            Some(axis) => (b'a' + axis as u8) as char,
            None => c,
        };
        order.chars().map(rename).collect()
    }
}

/// What is done to the numbers on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scaling {
    /// Nothing but a conversion.
    None,
    /// Integers stand for multiples of one scale.
    Common,
    /// The same, with a scale for each index of axis 1.
    PerChannel,
    /// A mean for each channel is subtracted, and the result divided by a standard deviation.
    Normalised,
    /// A scale for each index of axis 1 and so many indices of axis 0, of two.
    Grouped(usize),
}

/// A reorder to measure.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) class: &'static str,
    pub(crate) dims: Vec<usize>,
    pub(crate) src: Side,
    pub(crate) dst: Side,
    pub(crate) scaling: Scaling,
}

impl Case {
    /// A case with dense sides of one type.
    pub(crate) fn new(class: &'static str, dtype: DType, from: &str, to: &str, dims: &[usize]) -> Case {
        Case::converting(class, (dtype, dtype), from, to, dims)
    }

    /// A case with dense sides of two types.
    pub(crate) fn converting(
        class: &'static str,
        (from_type, to_type): (DType, DType),
        from: &str,
        to: &str,
        dims: &[usize],
    ) -> Case {
        let side = |dtype, format: &str| Side { dtype, format: format.to_owned(), parent: None };
        Case {
            class,
            dims: dims.to_vec(),
            src: side(from_type, from),
            dst: side(to_type, to),
            scaling: Scaling::None,
        }
    }

    /// The same case with the source in the corner of a larger tensor.
    pub(crate) fn reading_part_of(mut self, parent: &[usize]) -> Case {
        self.src.parent = Some(parent.to_vec());
        self
    }

    /// The same case with the destination in the corner of a larger tensor.
    pub(crate) fn writing_part_of(mut self, parent: &[usize]) -> Case {
        self.dst.parent = Some(parent.to_vec());
        self
    }

    /// The same case with scales.
    pub(crate) fn scaled(mut self, scaling: Scaling) -> Case {
        self.scaling = scaling;
        self
    }

    /// What distinguishes the case within its class.
    pub(crate) fn name(&self) -> String {
        let (src, dst) = (&self.src, &self.dst);
        let types = if src.dtype == dst.dtype {
            src.dtype.to_string()
        } else {
            format!("{}->{}", src.dtype, dst.dtype)
        };
        let part = |side: &Side| match &side.parent {
            Some(parent) => format!(" of {}", times(parent)),
            None => String::new(),
        };
        let scaling = match self.scaling {
            Scaling::None => "",
            Scaling::Common => " scaled",
            Scaling::PerChannel => " scaled per channel",
            Scaling::Normalised => " normalised",
            Scaling::Grouped(_) => " in groups",
        };
        let dims = times(&self.dims);
        format!("{types} {}{}->{}{} {dims}{scaling}", src.format, part(src), dst.format, part(dst))
    }
}

/// Extents as in `8x64x56x56`.
pub(crate) fn times(dims: &[usize]) -> String {
    dims.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
}

/// Every case.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    matrices::push(&mut cases);
    activations::push(&mut cases);
    images::push(&mut cases);
    weights::push(&mut cases);
    conversions::push(&mut cases);
    small::push(&mut cases);
    general::push(&mut cases);
    cases
}
