//! [`Description`]: a descriptor in words, for people who meet its format for the first time. Made by
//! [`Descriptor::describe`]; the command-line tool prints it.

use super::formula::{formula, letter};
use crate::descriptor::{Descriptor, Footprint};
use crate::grammar::Dialect;
use crate::index_code::offset_in_numbers;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A descriptor in words. `Display` is a text of some twenty lines; the parts can be asked for one by one.
#[derive(Clone, Debug)]
pub struct Description {
    descriptor: Descriptor,
}

impl Descriptor {
    /// What a newcomer asks of a layout: the offset formula as the format guides write it, extents with and without
    /// padding, strides, inner blocks, the name in every system that has one, the bytes, the share of padding, and a
    /// warning where strides make caches work badly.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let text = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?.describe().to_string();
    /// assert_eq!(
    ///     text.lines().skip(2).take(6).collect::<Vec<_>>(),
    ///     [
    ///         "offset_nChw8c(n, c, h, w) = n * C'HW",
    ///         "                          + (c / 8) * HW*8",
    ///         "                          + h * W*8",
    ///         "                          + w * 8",
    ///         "                          + (c % 8)",
    ///         "where C' = 24 is C = 17 with padding",
    ///     ]
    /// );
    /// assert!(text.contains("OpenVINO") && text.contains("29% padding"));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn describe(&self) -> Description {
        Description { descriptor: *self }
    }
}

impl Description {
    /// What is described.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// The offset formula, one line a term, as the oneDNN guide "Understanding Memory Formats" writes it: a capital letter
    /// is the extent of its axis, with a prime where it has padding in memory. Strides that no extents say are numbers.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let formula = |d: Descriptor| d.describe().formula();
    /// let d = Descriptor::new(DType::F32, &[2, 16, 5, 4], "chwn")?;
    /// assert_eq!(
    ///     formula(d).split_whitespace().collect::<Vec<_>>().join(" "),
    ///     "offset_chwn(n, c, h, w) = c * HWN + h * WN + w * N + n"
    /// );
    /// let d = Descriptor::with_strides(DType::F32, &[2, 3], "ab", &[8, 1])?;
    /// assert_eq!(formula(d), "offset_ab(a, b) = a * 8\n                + b");
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn formula(&self) -> String {
        formula(&self.descriptor)
    }

    /// The right side of the formula with every stride as a number, in one line.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::S8, &[64, 32, 3, 3], "OIhw4i16o4i")?;
    /// assert_eq!(
    ///     d.describe().formula_in_numbers(),
    ///     "(o / 16) * 4608 + (i / 16) * 2304 + h * 768 + w * 256 + ((i / 4) % 4) * 64 + (o % 16) * 4 + i % 4"
    /// );
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn formula_in_numbers(&self) -> String {
        offset_in_numbers(&self.descriptor)
    }

    /// The name of the format in each system that can say it.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::grammar::Dialect;
    /// let names = Descriptor::new(DType::F32, &[1, 3, 8, 8], "nhwc")?.describe().names();
    /// assert!(names.contains(&(Dialect::PyTorch, "channels_last".into())));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn names(&self) -> Vec<(Dialect, String)> {
        let name = |dialect| Some((dialect, self.descriptor.format_in(dialect)?.to_string()));
        Dialect::ALL.into_iter().filter_map(name).collect()
    }

    /// The bytes, and the warning.
    pub fn footprint(&self) -> Footprint {
        self.descriptor.footprint()
    }

    /// The inner blocks as the format writes them, outermost first: `4i`, `16o`, `4i`.
    pub fn blocks(&self) -> Vec<String> {
        let d = &self.descriptor;
        d.inner_blocks().map(|(axis, size)| format!("{size}{}", letter(d, axis))).collect()
    }

    /// What is wrong with the strides for caches; `None` where nothing is.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[1024, 1024], "ab")?;
    /// assert!(d.describe().warning().unwrap().starts_with("1024 steps along `a` are 4096 bytes apart"));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn warning(&self) -> Option<String> {
        let conflict = self.footprint().conflict?;
        Some(format!(
            "{} steps along `{}` are {} bytes apart, a multiple of 4096: their lines compete for one set of the \
             first-level cache; a slightly larger stride avoids it",
            conflict.steps, conflict.axis, conflict.stride_bytes
        ))
    }

    fn write_axes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.descriptor;
        writeln!(f, "{:<8}{:>10}{:>12}{:>14}{:>16}", "axis", "extent", "padded", "stride", "bytes")?;
        let strides = d.strides();
        for axis in 0..d.rank() {
            let bytes = bytes(d, strides[axis]);
            write!(f, "{:<8}{:>10}{:>12}", letter(d, axis), d.dims()[axis], d.padded_dims()[axis])?;
            write!(f, "{:>14}{bytes:>16}", strides[axis])?;
            match d.spec().block_of(axis) {
                1 => writeln!(f)?,
                block => writeln!(f, "   from one block of {block} to the next")?,
            }
        }
        let digits = d.digits();
        for digit in digits.iter().filter(|digit| !digit.top) {
            let name = format!("{}{}", digit.extent, letter(d, digit.axis));
            let bytes = bytes(d, digit.stride);
            write!(f, "{name:<8}{:>10}{:>12}{:>14}{bytes:>16}", digit.extent, "", digit.stride)?;
            writeln!(f, "   inner block")?;
        }
        Ok(())
    }
}

/// A stride in bytes, with a half where two elements share one.
fn bytes(d: &Descriptor, stride: isize) -> String {
    let bits = stride.unsigned_abs() as u128 * d.dtype().bits() as u128;
    let (sign, half) = (if stride < 0 { "-" } else { "" }, if bits.is_multiple_of(8) { "" } else { ".5" });
    format!("{sign}{}{half}", bits / 8)
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.descriptor;
        writeln!(f, "{d}\n\n{}", self.formula())?;
        writeln!(f, "in numbers: {}\n", self.formula_in_numbers())?;
        if d.rank() > 0 {
            self.write_axes(f)?;
            writeln!(f)?;
        }
        let footprint = self.footprint();
        writeln!(
            f,
            "memory: {} bytes of elements, {} with padding ({:.0}% padding), {} from the first to the last",
            footprint.logical_bytes,
            footprint.padded_bytes,
            100.0 * footprint.padding_share(),
            footprint.span_bytes
        )?;
        f.write_str("names:")?;
        for (i, (dialect, name)) in self.names().iter().enumerate() {
            write!(f, "{}{dialect} {name}", if i == 0 { " " } else { ", " })?;
        }
        if let Some(warning) = self.warning() {
            write!(f, "\nwarning: {warning}")?;
        }
        Ok(())
    }
}
