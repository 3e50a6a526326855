//! Prints a plan: what it moves, by which loops, and why it is not a plain copy.

use crate::kernels::convert::Rounding;
use crate::kernels::{Cpu, takes_pieces};
use core::fmt;

use super::{Class, Reorder, Stores, TILE_LOOPS};

impl fmt::Display for Reorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}: {}", self.src_dtype, self.dst_dtype, self.kernel_name())?;
        if self.streams() {
            f.write_str(", streaming stores")?;
        } else if self.stores() == Stores::Temporal {
            f.write_str(", temporal stores")?;
        }
        write!(f, ", reads {} bytes, writes {} bytes", self.bytes_read(), self.bytes_written())?;
        if self.elements_zeroed() > 0 {
            write!(f, " of which {} elements are zero padding", self.elements_zeroed())?;
        }
        for (i, (attribute, axes)) in self.roles.iter(&self.nodes).enumerate() {
            write!(f, "{}{attribute} ", if i == 0 { "\n  " } else { ", " })?;
            let Some(axes) = axes else {
                f.write_str("common")?;
                continue;
            };
            f.write_str("per axis")?;
            for (i, along) in axes.enumerate() {
                write!(f, "{} `{}`", if i == 0 { "" } else { " and" }, along.name())?;
                if along.group() > 1 {
                    write!(f, " in groups of {}", along.group())?;
                }
            }
        }
        if self.roles.accumulates {
            f.write_str("\n  added to the destination")?;
        }
        if self.roles.rounding() != Rounding::NearestEven {
            write!(f, "\n  rounded {}", self.roles.rounding())?;
        }
        write!(f, "\n  loops ")?;
        self.list(f, |f, i| write!(f, "{}", self.nodes.get(i).n), self.run_len() as isize)?;
        write!(f, ":")?;
        self.list(f, |f, i| self.stride(f, i, true), 1)?;
        write!(f, ":")?;
        self.list(f, |f, i| self.stride(f, i, false), 1)?;
        for t in 0..self.tails.len as usize {
            let (dim, padded) = (self.tails.dim[t], self.tails.padded[t]);
            match self.window(t) {
                // Kept for its attributes alone.
                None if dim == padded => continue,
                None => write!(f, "\n  tail {dim} of {padded} in loops")?,
                Some((start, data)) => {
                    write!(f, "\n  window {data}..{dim}")?;
                    if (start, padded) != (data, dim) {
                        write!(f, ", padded to {start}..{padded},")?;
                    }
                    f.write_str(" in loops")?;
                }
            }
            let levels = self.tails.levels(t);
            for level in levels.iter().rev() {
                write!(f, " {level}")?;
            }
            if levels.first().is_some_and(|&lowest| self.nodes.is_skewed(lowest as usize)) {
                write!(f, ", cut at the blocks of both sides")?;
            }
        }
        match self.reason() {
            Some(reason) => write!(f, "\n  not a plain copy: {reason}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Reorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Reorder {
    /// The class of the tile, the CPU family of its kernel, and the bytes that it moves at a time.
    fn kernel_name(&self) -> impl fmt::Display {
        let class = match self.class {
            _ if self.is_single() => "single elements",
            _ if self.gathers() => "line gather",
            Class::Stream => "stream copy",
            Class::Rows => "row copy",
            Class::Transpose => "tile transpose",
            Class::Strided => "strided copy",
        };
        KernelName {
            class,
            src: self.src_element,
            dst: self.dst_element,
            converts: self.converts(),
            cpu: self.token().cpu(),
        }
    }

    pub(in super::super) const fn converts(&self) -> bool {
        self.src_dtype as u8 != self.dst_dtype as u8 || self.roles.any()
    }

    /// Whether the kernel moves elements as they are in memory.
    pub(in super::super) const fn moves_bytes(&self) -> bool {
        !self.converts() && self.packing.is_none()
    }

    /// Elements that the kernel moves as one.
    fn run_len(&self) -> usize {
        self.dst_element as usize / self.dst_dtype.size() * if self.pairs { 2 } else { 1 }
    }

    /// Writes `item` of every loop in parentheses, and `run` behind them where the kernel moves several elements as one.
    fn list(
        &self,
        f: &mut fmt::Formatter<'_>,
        item: impl Fn(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
        run: isize,
    ) -> fmt::Result {
        f.write_str("(")?;
        let mut first = true;
        for i in 0..self.nodes.len() {
            if self.nodes.get(i).n > 1 {
                f.write_str(if first { "" } else { "," })?;
                item(f, i)?;
                first = false;
            }
        }
        if self.run_len() > 1 {
            write!(f, "{}{run}", if first { "" } else { "," })?;
        }
        f.write_str(")")
    }

    /// The stride of loop `i` on one side, in elements; the offsets of its segments where it has no single one. Of a skewed
    /// loop the stride within its pieces, and the offset that each piece begins at.
    fn stride(&self, f: &mut fmt::Formatter<'_>, i: usize, in_src: bool) -> fmt::Result {
        /// Segments that are listed before the rest is left out.
        const LISTED: u64 = 12;
        let bytes = if in_src { self.src_dtype.size() } else { self.dst_dtype.size() } as isize;
        let pair = if self.pairs { 2 } else { 1 };
        let at = |value| {
            let (src, dst) = self.nodes.at(i, value);
            (if in_src { src } else { dst }) / bytes * pair
        };
        if self.nodes.is_strided(i) {
            return write!(f, "{}", at(1));
        }
        let node = self.nodes.get(i);
        let skewed = self.nodes.is_skewed(i);
        if skewed {
            write!(f, "{} from ", (if in_src { node.src } else { node.dst }) / bytes)?;
        }
        f.write_str("[")?;
        let (mut value, mut listed) = (0, 0);
        while value < node.n && listed < LISTED {
            write!(f, "{}{}", if listed == 0 { "" } else { " " }, at(value))?;
            value = if skewed { self.nodes.next_cut(i, value) } else { value + 1 };
            listed += 1;
        }
        f.write_str(if value < node.n { " ...]" } else { "]" })
    }

    /// Why the plan is not one contiguous copy, from the loop that weighs most.
    fn reason(&self) -> Option<Reason> {
        let len = self.nodes.len();
        let (x, y) = (self.nodes.get(len - 1), self.nodes.get(len - 2));
        let z = if len > 2 { self.nodes.get(len - 3).n } else { 1 };
        let skewed = (len - TILE_LOOPS..len).any(|i| self.nodes.is_skewed(i));
        let segmented = (0..len - TILE_LOOPS).any(|i| !self.nodes.is_strided(i));
        let side = if self.dst_element < 8 { 8 / self.dst_element as u64 } else { 1 };
        Some(match self.class {
            _ if skewed => Reason::Skewed,
            Class::Stream if self.converts() => Reason::Converts,
            Class::Stream => return None,
            _ if self.is_single() => Reason::Single,
            _ if self.gathers() && takes_pieces(self.token()) => Reason::Pieces,
            _ if self.gathers() => {
                Reason::Gathered { places: self.places(self.narrows()), narrows: self.narrows() }
            }
            Class::Rows if segmented => Reason::Segments(x.n * self.dst_element as u64),
            _ if self.goes_by_bytes() => Reason::Bytes { x: x.n, y: y.n },
            _ if self.takes_two_steps([x.n, y.n, z], || self.logical as u64) => {
                Reason::Small { x: x.n, y: y.n }
            }
            Class::Transpose
                if self.roles.follow_axes()
                    && self.parts_parameters([x.n, y.n], [false; 2], || self.logical as u64) =>
            {
                Reason::Small { x: x.n, y: y.n }
            }
            Class::Rows => Reason::Runs(x.n * self.dst_element as u64),
            Class::Transpose if x.n < side || y.n < side => Reason::Narrow { x: x.n, y: y.n, side },
            Class::Transpose => Reason::Crossed { x: x.n, y: y.n },
            Class::Strided => Reason::Strided,
        })
    }
}

struct KernelName {
    class: &'static str,
    src: u8,
    dst: u8,
    converts: bool,
    cpu: Cpu,
}

impl fmt::Display for KernelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cpu = self.cpu;
        if self.converts {
            write!(f, "{} ({cpu} convert, {} to {} bytes)", self.class, self.src, self.dst)
        } else {
            write!(f, "{} ({cpu} copy, {} bytes)", self.class, self.dst)
        }
    }
}

enum Reason {
    Skewed,
    Converts,
    Segments(u64),
    Runs(u64),
    Narrow { x: u64, y: u64, side: u64 },
    Small { x: u64, y: u64 },
    Bytes { x: u64, y: u64 },
    Crossed { x: u64, y: u64 },
    Gathered { places: u8, narrows: bool },
    Pieces,
    Single,
    Strided,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::Skewed => write!(f, "blocks of the two sides never begin together"),
            Reason::Converts => write!(f, "the data type changes"),
            Reason::Segments(bytes) => write!(f, "the blocks do not nest; common runs of {bytes} bytes"),
            Reason::Runs(bytes) => write!(f, "common runs of {bytes} bytes"),
            Reason::Narrow { x, y, side } => {
                write!(
                    f,
                    "the tile of {x} x {y} is narrower than the {side} x {side} that is turned in registers"
                )
            }
            Reason::Small { x, y } => {
                write!(f, "the tile of {x} x {y} is small; rows go by way of a buffer")
            }
            Reason::Bytes { x, y } => {
                write!(
                    f,
                    "the tile of {x} x {y} is small or ends inside; its elements have a byte each in a buffer"
                )
            }
            Reason::Crossed { x, y } => {
                write!(f, "the two sides are contiguous along different axes; tile {x} x {y}")
            }
            Reason::Single => f.write_str("elements are moved one by one"),
            Reason::Pieces => f.write_str("each line is put together from pieces of the source"),
            Reason::Gathered { places, narrows } => {
                match places {
                    1 => write!(f, "each line's bytes are put in another order")?,
                    _ => write!(f, "each line is put together from {places} places of the source")?,
                }
                if narrows { write!(f, ", whose rows are converted before") } else { Ok(()) }
            }
            Reason::Strided => write!(f, "one side is not contiguous along any loop of the tile"),
        }
    }
}
