//! [`Values`]: the values of one attribute, and along which axes they differ.

/// One value for the whole tensor, or one for each index of some axes, or for each group of indices. Held by reference,
/// and read when a plan runs.
///
/// Axes are named. The names are those of the source's format; where that has anonymous axes (`abc…`), those of the
/// destination's.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Values<'a, T> {
    /// One for all elements.
    Common(T),
    /// One for each index of an axis.
    PerAxis {
        /// Name of the axis.
        axis: char,
        /// As many as the extent of the axis.
        values: &'a [T],
    },
    /// One for each combination of indices of some axes.
    PerAxes {
        /// Names of the axes, in the order in which the values lie: the last one fastest.
        axes: &'a [char],
        /// As many as the product of the extents.
        values: &'a [T],
    },
    /// One for each combination of groups of indices of some axes.
    Grouped {
        /// Names of the axes, in the order in which the values lie, the last one fastest; each with the number of indices that
        /// share a value.
        axes: &'a [(char, usize)],
        /// As many as the product of the numbers of groups.
        values: &'a [T],
    },
}

impl<'a, T: Copy> Values<'a, T> {
    /// The same value for all elements.
    pub const fn common(value: T) -> Values<'a, T> {
        Values::Common(value)
    }

    /// One value for each index of the axis named `axis`.
    pub const fn per_axis(axis: char, values: &'a [T]) -> Values<'a, T> {
        Values::PerAxis { axis, values }
    }

    /// One value for each combination of indices of the axes named `axes`, as rows of a tensor of these axes: the last one
    /// fastest. In oneDNN that is a mask of several bits, whose axes come in logical order.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Attributes, Reorder, Values};
    ///
    /// // Grouped weights with a scale for each output channel of each group.
    /// let src = Descriptor::new(DType::F32, &[2, 2, 3, 1], "goiw")?;
    /// let dst = Descriptor::new(DType::S8, &[2, 2, 3, 1], "goiw")?;
    /// let scales = [1.0, 2.0, 4.0, 8.0];
    /// let attributes = Attributes::new().dst_scale(Values::per_axes(&['g', 'o'], &scales));
    /// let plan = Reorder::with_attributes(&src, &dst, &attributes)?;
    /// let weights: Vec<u8> = [16.0f32; 12].iter().flat_map(|x| x.to_ne_bytes()).collect();
    /// let mut out = [0; 12];
    /// plan.run_with(&weights, &mut out, &attributes)?;
    /// assert_eq!(out, [16, 16, 16, 8, 8, 8, 4, 4, 4, 2, 2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn per_axes(axes: &'a [char], values: &'a [T]) -> Values<'a, T> {
        Values::PerAxes { axes, values }
    }

    /// One value for each combination of groups: `('k', 32)` is an axis of which each 32 indices share a value (the last group
    /// may be smaller), `('n', 1)` one with a value for each index. They lie as rows of a tensor of these axes, the last one
    /// fastest. This is how weights are compressed to 8 and 4 bits; in oneDNN, a mask with groups.
    ///
    /// Groups need not fit the blocks of a layout. Where a group's border lies inside a block, loops are cut there; it is
    /// fastest where groups divide blocks, or are made of whole ones.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Attributes, Reorder, Values};
    ///
    /// // 5 rows in groups of 2, each with a scale for each of 2 columns.
    /// let src = Descriptor::new(DType::S8, &[5, 2], "ab")?;
    /// let dst = Descriptor::new(DType::F32, &[5, 2], "ab")?;
    /// let scales = [1.0, 10.0, 2.0, 20.0, 3.0, 30.0];
    /// let attributes = Attributes::new().src_scale(Values::grouped(&[('a', 2), ('b', 1)], &scales));
    /// let plan = Reorder::with_attributes(&src, &dst, &attributes)?;
    /// let mut out = [0; 40];
    /// plan.run_with(&[1; 10], &mut out, &attributes)?;
    /// let out: Vec<f32> = out.chunks(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().unwrap())).collect();
    /// assert_eq!(out, [1.0, 10.0, 1.0, 10.0, 2.0, 20.0, 2.0, 20.0, 3.0, 30.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn grouped(axes: &'a [(char, usize)], values: &'a [T]) -> Values<'a, T> {
        Values::Grouped { axes, values }
    }

    /// The number of axes that they follow; `None` for a common value.
    pub(super) const fn axes(&self) -> Option<usize> {
        match self {
            Values::Common(_) => None,
            Values::PerAxis { .. } => Some(1),
            Values::PerAxes { axes, .. } => Some(axes.len()),
            Values::Grouped { axes, .. } => Some(axes.len()),
        }
    }

    /// The axis at place `i` in the order of the values, and how many of its indices share one.
    pub(super) const fn axis(&self, i: usize) -> (char, usize) {
        match self {
            Values::Common(_) => (' ', 1),
            Values::PerAxis { axis, .. } => (*axis, 1),
            Values::PerAxes { axes, .. } => (axes[i], 1),
            Values::Grouped { axes, .. } => axes[i],
        }
    }

    /// How many values there are.
    pub(super) const fn len(&self) -> usize {
        match self {
            Values::Common(_) => 1,
            Values::PerAxis { values, .. }
            | Values::PerAxes { values, .. }
            | Values::Grouped { values, .. } => values.len(),
        }
    }

    /// Where the values begin; a common one lies in `self`.
    pub(super) const fn first(&self) -> *const T {
        match self {
            Values::Common(value) => value,
            Values::PerAxis { values, .. }
            | Values::PerAxes { values, .. }
            | Values::Grouped { values, .. } => values.as_ptr(),
        }
    }
}
