//! From a [`Spec`] to its name in a dialect. A candidate is written and parsed again, so that what is returned
//! always means the spec. Never allocates; searches, and so is not for inner loops.

use super::super::Spec;
use super::super::native::NAME;
use super::super::text::Text;
use super::known::names;
use super::{Dialect, named, openvino};
use core::fmt::{self, Write};

/// The name of a layout in a dialect, without the dialect's prefix.
#[derive(Clone, Copy)]
pub struct FormatName(Text<NAME>);

impl FormatName {
    /// The name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Spec {
    /// The name of this layout in `dialect`, without the prefix; `None` where the dialect has none.
    ///
    /// [`Spec::parse_in_for`] with the rank of the layout makes of the name this layout again. Where
    /// [`Dialect::names_axes`] is false, the axes may be called otherwise then. A name whose meaning depends on the
    /// size of the elements is never found: see [`Spec::name_in_for`].
    ///
    /// ```
    /// use layout_core::grammar::{Dialect, Spec};
    /// let name = |dialect| Spec::parse("nhwc").unwrap().name_in(dialect).map(|name| name.to_string());
    /// assert_eq!(name(Dialect::PyTorch).as_deref(), Some("channels_last"));
    /// assert_eq!(name(Dialect::Xla).as_deref(), Some("{1,3,2,0}"));
    /// assert_eq!(name(Dialect::CublasLt), None);
    /// ```
    pub fn name_in(&self, dialect: Dialect) -> Option<FormatName> {
        // No type has 0 bytes: names that depend on the size have no meaning.
        self.name_in_for(dialect, 0)
    }

    /// As [`Spec::name_in`], for elements of a known size in bytes.
    ///
    /// ```
    /// use layout_core::grammar::{Dialect, Spec};
    /// let spec = Spec::parse("nChw16c").unwrap();
    /// assert_eq!(spec.name_in_for(Dialect::Ascend, 2).unwrap().as_str(), "NC1HWC0");
    /// assert!(spec.name_in_for(Dialect::Ascend, 4).is_none());
    /// ```
    pub fn name_in_for(&self, dialect: Dialect, element_bytes: usize) -> Option<FormatName> {
        self.name_in_for_bits(dialect, element_bytes.saturating_mul(8))
    }

    /// [`Spec::name_in_for`], where the size of the elements is given in bits.
    pub fn name_in_for_bits(&self, dialect: Dialect, element_bits: usize) -> Option<FormatName> {
        let check = |name: &str| self.check(dialect, name, element_bits);
        match dialect {
            Dialect::OneDnn | Dialect::Benchdnn => {
                let mut name = Text::<NAME>::new();
                write!(name, "{self}").ok()?;
                check(name.as_str())
            }
            Dialect::OpenVino => names(dialect).find_map(check).or_else(|| {
                let mut name = Text::<NAME>::new();
                openvino(self, &mut name)?;
                check(name.as_str())
            }),
            Dialect::Tvm => {
                let mut name = Text::<NAME>::new();
                tvm(self, &mut name)?;
                check(name.as_str())
            }
            Dialect::Xla => xla(self, check),
            _ => {
                let mut blocks = (0..self.len()).filter_map(|at| self.digit(at)?.size?.try_into().ok());
                let numbers = [blocks.next().unwrap_or(0), blocks.next().unwrap_or(0)];
                named::rows(dialect).iter().find_map(|row| check(named::fill(row.0, numbers)?.as_str()))
            }
        }
    }

    /// `name`, where it means this layout.
    fn check(&self, dialect: Dialect, name: &str, element_bits: usize) -> Option<FormatName> {
        let spec = Spec::parse_in_for_bits(dialect, name, self.rank(), element_bits).ok()?;
        let same = spec == *self || (!dialect.names_axes() && spec.same_digits(self));
        let mut out = Text::new();
        out.push(name)?;
        if same { Some(FormatName(out)) } else { None }
    }
}

/// Axes as TVM writes them: upper case outside, and lower case with a size.
fn tvm(spec: &Spec, out: &mut Text<NAME>) -> Option<()> {
    for digit in (0..spec.len()).filter_map(|at| spec.digit(at)) {
        let letter = spec.axis_name(digit.axis)?;
        match digit.size {
            Some(size) => {
                out.push_number(size)?;
                out.push_char(letter)?;
            }
            None => out.push_char(letter.to_ascii_uppercase())?,
        }
    }
    Some(())
}

/// Runs of axes without slices, sliced axes each for itself, the slices, and an alignment.
fn openvino(spec: &Spec, out: &mut Text<NAME>) -> Option<()> {
    let [letters, ours] = openvino::letters(spec)?;
    let letter = |axis: usize| {
        let ours = ours.iter().position(|&letter| spec.axis_name(axis) == Some(letter as char))?;
        letters.get(ours).map(|&letter| letter as char)
    };
    let mut run = false;
    for (at, digit) in (0..spec.len()).filter_map(|at| Some((at, spec.digit(at)?))) {
        let sliced = spec.block_of(digit.axis) > 1;
        if at > 0 && (sliced || !run) {
            out.push_char('_')?;
        }
        run = digit.size.is_none() && !sliced;
        out.push_char(letter(digit.axis)?)?;
        match digit.size {
            None if sliced => out.push_char('s')?,
            None => {}
            Some(size) => {
                // The innermost slices of an axis are vectors, the others arrays.
                out.push(if spec.significance(at) == Some(0) { "sv" } else { "sa" })?;
                out.push_number(size)?;
            }
        }
    }
    for axis in (0..spec.rank()).filter(|&axis| spec.stated_multiple(axis) > 1) {
        out.push("__a")?;
        out.push_char(letter(axis)?)?;
        out.push_number(spec.stated_multiple(axis))?;
    }
    Some(())
}

/// The dimensions, and none, one or two tiles. Which second tile it is, if any, is found by trying.
fn xla(spec: &Spec, check: impl Fn(&str) -> Option<FormatName>) -> Option<FormatName> {
    let mut order = Text::<NAME>::new();
    order.push_char('{')?;
    let outer = || (0..spec.len()).filter_map(|at| spec.digit(at)).filter(|digit| digit.size.is_none());
    let axis_at = |at: usize| outer().nth(at).map(|digit| digit.axis);
    for at in (0..spec.rank()).rev() {
        order.push_number(axis_at(at)? as u64)?;
        order.push(if at > 0 { "," } else { "" })?;
    }
    let tiled = (0..spec.rank()).find(|&at| axis_at(at).is_some_and(|axis| spec.block_of(axis) > 1));
    let Some(first) = tiled else {
        order.push_char('}')?;
        return check(order.as_str());
    };
    let count = spec.rank() - first;
    // The lowest block of the axis, 1 for none.
    let lowest = |axis: usize| {
        let low = (0..spec.len()).find(|&at| {
            spec.digit(at).is_some_and(|digit| digit.axis == axis) && spec.significance(at) == Some(0)
        });
        low.and_then(|at| spec.digit(at)?.size).unwrap_or(1)
    };
    let whole = |axis: usize| spec.block_of(axis);
    let list = |out: &mut Text<NAME>, extent: &dyn Fn(usize, usize) -> u64, ones: usize| {
        out.push_char('(')?;
        for at in 0..count {
            out.push(if at > 0 { "," } else { "" })?;
            out.push_number(extent(at, axis_at(first + at)?))?;
        }
        for _ in 0..ones {
            out.push(",1")?;
        }
        out.push_char(')')
    };
    order.push(":T")?;
    // Tiles of whole blocks, within which the low digits of some axes are split off again.
    for chosen in 0..1u32 << count.min(4) {
        let mut name = order;
        list(&mut name, &|_, axis| whole(axis), 0)?;
        if chosen > 0 {
            let split = |at: usize, axis| {
                if count - at <= 4 && chosen & (1 << (count - at - 1)) != 0 { lowest(axis) } else { 1 }
            };
            list(&mut name, &split, 0)?;
        }
        name.push_char('}')?;
        if let Some(name) = check(name.as_str()) {
            return Some(name);
        }
    }
    // Tiles of low blocks, several of which make the whole.
    let mut name = order;
    list(&mut name, &|_, axis| lowest(axis), 0)?;
    list(&mut name, &|_, axis| whole(axis) / lowest(axis), count)?;
    name.push_char('}')?;
    check(name.as_str())
}
