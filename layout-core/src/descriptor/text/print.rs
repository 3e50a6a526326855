//! A descriptor as text: the stable form (`Display`) and a longer one for people (`Debug`).

use super::super::{Descriptor, MAX_OUTER};
use super::{BASE, HALO, ORIGIN, PADDED, STRIDES};
use crate::grammar::{Dialect, FormatName, MAX_RANK};
use crate::shape::round_up;
use core::fmt;

impl Descriptor {
    /// The name of the format in another system, where that has one for these axes, blocks, padding and element size.
    /// `None` too where the memory is not dense: a name says nothing of strides, and none is guessed.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::grammar::Dialect;
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw16c")?;
    /// let name = |dialect| d.format_in(dialect).map(|name| name.to_string());
    /// assert_eq!(name(Dialect::OpenVino).as_deref(), Some("b_fs_yx_fsv16"));
    /// assert_eq!(name(Dialect::TensorRt).as_deref(), Some("kCHW16"));
    /// assert_eq!(name(Dialect::PyTorch), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn format_in(&self, dialect: Dialect) -> Option<FormatName> {
        if self.is_dense() { self.spec().name_in_for_bits(dialect, self.dtype().bits()) } else { None }
    }
}

/// `TYPE:FORMAT:EXTENTS`, extents in logical order; then, in this order and each where it differs from what format and
/// extents imply, `:padded=…` ([`Descriptor::padded_dims`]), `:origin=…` (positions of the first block that belong to
/// others), `:halo=…` (positions of extra padding before index 0), `:strides=…` (as [`Descriptor::with_strides`] takes
/// them, where they are not those of dense memory) and `:base=…`. Rank 0 is `TYPE:scalar`.
///
/// Parsing the text gives an equal descriptor for every format whose name
/// [`Spec::parse`](crate::grammar::Spec::parse) reads.
impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.dtype(), self.spec())?;
        if self.rank() > 0 {
            write!(f, ":{}", Joined(self.dims()))?;
        }
        if !self.has_default_padding() {
            write!(f, "{PADDED}{}", Joined(self.padded_dims()))?;
        }
        for (part, halo) in [(ORIGIN, false), (HALO, true)] {
            let origin: [usize; MAX_RANK] =
                core::array::from_fn(|a| if self.has_halo(a) == halo { self.origin[a] } else { 0 });
            if origin != [0; MAX_RANK] {
                write!(f, "{part}{}", Joined(&origin[..self.rank()]))?;
            }
        }
        if !self.has_default_strides() {
            // As many as are stored: at least one an axis, or a stored digit would be missing.
            let (mut strides, mut len) = ([0; MAX_OUTER], self.rank());
            strides[..len].copy_from_slice(&self.strides());
            for digit in self.digits().iter().take(self.stored as usize).filter(|digit| !digit.top) {
                strides[len] = digit.stride;
                len += 1;
            }
            write!(f, "{STRIDES}{}", Joined(&strides[..len]))?;
        }
        if self.base() != 0 {
            write!(f, "{BASE}{}", self.base())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Descriptor");
        out.field("dtype", &format_args!("{}", self.dtype()))
            .field("format", &format_args!("{}", self.spec()))
            .field("dims", &self.dims())
            .field("padded_dims", &self.padded_dims())
            .field("strides", &self.strides())
            .field("inner_blocks", &Blocks(self))
            .field("base", &self.base());
        if self.origin != [0; MAX_RANK] {
            out.field("origin", &self.origin());
        }
        out.field("size_bytes", &self.size_bytes()).finish()
    }
}

impl Descriptor {
    /// Whether the padded extents are those that format and extents imply.
    fn has_default_padding(&self) -> bool {
        (0..self.rank())
            .all(|a| round_up(self.dims[a], self.spec.padding_multiple(a)) == Some(self.padded[a]))
    }

    /// Whether every stride is the one of dense memory with this padding, those of single values too.
    fn has_default_strides(&self) -> bool {
        let mut dense = *self;
        dense.strides = [0; MAX_OUTER];
        dense.stored = self.spec.outer_len() as u8;
        dense.lay_densely().is_ok() && dense.strides == self.strides && dense.stored == self.stored
    }
}

/// Numbers with `x` between them.
struct Joined<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Joined<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .enumerate()
            .try_for_each(|(i, n)| if i == 0 { write!(f, "{n}") } else { write!(f, "x{n}") })
    }
}

/// The inner blocks as the format writes them: `[4i, 16o, 4i]`.
struct Blocks<'a>(&'a Descriptor);

impl fmt::Debug for Blocks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for (axis, size) in self.0.inner_blocks() {
            list.entry(&format_args!("{size}{}", self.0.axis_char(axis)));
        }
        list.finish()
    }
}
