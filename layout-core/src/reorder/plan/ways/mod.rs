//! [`Way`]: how a plan is moved, where there is more than one way. Every way writes the same bytes; which is fastest depends on the
//! processor, and a plan is made with what was fastest on those that were measured. `tune` tries them.

mod facts;
mod forest;
mod units;

use super::{Class, Reorder, TILE_LOOPS};
use crate::kernels::Token;
use crate::reorder::{ReorderError, Stores};
use core::fmt;
use core::str::FromStr;
use facts::FACTS;
pub(in super::super) use units::Units;
use units::{Moved, Unit};

const UNITS: [(Unit, &str); 4] = [
    (Unit::Tiles, "tiles"),
    (Unit::Lines, "lines"),
    (Unit::Narrowed, "narrowed"),
    (Unit::Elements, "elements"),
];

/// Facts by their names.
type Named = [(&'static str, u32); FACTS.len()];

/// How a plan is moved, where there is more than one way: see [`Reorder::ways`].
///
/// It is printed and read as words with `+` between them, so that a program can keep the [fastest](Reorder::tune) one:
///
/// | word | meaning |
/// |---|---|
/// | `tiles` | tiles of the innermost loops are moved |
/// | `lines` | lines of the destination are put together from the places of the source that they come from |
/// | `narrowed` | the same where elements become shorter, which are converted before |
/// | `elements` | elements are moved one by one, along the longest loops |
/// | `halves` | with registers of half a cache line, where the processor has longer ones |
/// | `inner1` to `inner9` | tiles are repeated along the loop that is so much further out than the planned one; without, registers of 32 bytes repeat a few rows along a longer loop by themselves |
/// | `asked`, `unasked` | lines of the destination are asked for before they are written, or never; else a rule decides |
/// | `temporal`, `streaming` | [`Stores`] |
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::{Reorder, Way};
///
/// let src = Descriptor::new(DType::F32, &[64, 32, 3, 3], "oihw")?;
/// let dst = Descriptor::new(DType::F32, &[64, 32, 3, 3], "OIhw16i16o")?;
/// let plan = Reorder::new(&src, &dst)?;
/// let way: Way = "tiles+inner1".parse()?;
/// let other = plan.with_way(way)?;
/// assert_eq!(other.way().to_string(), "tiles+inner1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Way {
    unit: Unit,
    by_halves: bool,
    /// How much further out than planned the loop is that the kernel has besides its tile.
    inner: u8,
    /// Whether lines are asked for before they are written; `None` where a rule decides.
    asked: Option<bool>,
    stores: Stores,
}

impl Way {
    /// The same, asking for lines before they are written.
    #[cfg(feature = "std")]
    pub(in super::super) fn asking(self) -> Way {
        Way { asked: Some(true), ..self }
    }

    /// The same without asking for lines.
    #[cfg(feature = "std")]
    pub(in super::super) fn not_asking(self) -> Way {
        Way { asked: Some(false), ..self }
    }

    /// The same through the caches.
    #[cfg(feature = "std")]
    pub(in super::super) fn through_caches(self) -> Way {
        Way { stores: Stores::Temporal, ..self }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (_, name) in UNITS.iter().filter(|(unit, _)| *unit == self.unit) {
            f.write_str(name)?;
        }
        if self.by_halves {
            f.write_str("+halves")?;
        }
        if self.inner > 0 {
            write!(f, "+inner{}", self.inner)?;
        }
        match self.asked {
            Some(true) => f.write_str("+asked")?,
            Some(false) => f.write_str("+unasked")?,
            None => {}
        }
        match self.stores {
            Stores::Auto => Ok(()),
            stores => write!(f, "+{stores}"),
        }
    }
}

/// Text that is no [`Way`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WayError {
    /// Where the word begins that is none of those that may stand there, in bytes.
    pub position: usize,
}

impl fmt::Display for WayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.position {
            0 => "`tiles`, `lines`, `narrowed` or `elements`",
            _ => {
                "`halves`, `inner1` to `inner9`, `asked` or `unasked`, `temporal` or `streaming`, in this order, each once \
                 at most"
            }
        };
        write!(f, "the word at position {} belongs to no way; write {words}", self.position)
    }
}

impl core::error::Error for WayError {}

impl FromStr for Way {
    type Err = WayError;

    fn from_str(text: &str) -> Result<Way, WayError> {
        let (first, mut rest) =
            text.split_once('+').map_or((text, None), |(first, rest)| (first, Some(rest)));
        let Some(&(unit, _)) = UNITS.iter().find(|(_, name)| *name == first) else {
            return Err(WayError { position: 0 });
        };
        let mut way = Way { unit, by_halves: false, inner: 0, asked: None, stores: Stores::Auto };
        // Words stand in the order in which they are printed.
        let mut done = 0;
        while let Some(words) = rest {
            let (word, others) =
                words.split_once('+').map_or((words, None), |(word, others)| (word, Some(others)));
            let at = match word {
                "halves" => {
                    way.by_halves = true;
                    1
                }
                "asked" | "unasked" => {
                    way.asked = Some(word == "asked");
                    3
                }
                "temporal" | "streaming" => {
                    way.stores = if word == "temporal" { Stores::Temporal } else { Stores::Streaming };
                    4
                }
                _ => match word.strip_prefix("inner").map(str::as_bytes) {
                    Some(&[digit @ b'1'..=b'9']) => {
                        way.inner = digit - b'0';
                        2
                    }
                    _ => 0,
                },
            };
            if at <= done {
                return Err(WayError { position: text.len() - words.len() });
            }
            (done, rest) = (at, others);
        }
        Ok(way)
    }
}

impl Reorder {
    /// The way in which it is moved on this processor.
    pub fn way(&self) -> Way {
        let by_halves = self.token() != Token::current();
        Way { unit: self.unit(), by_halves, inner: self.inner, asked: self.asked, stores: self.stores }
    }

    /// The ways in which it can be moved on this processor that differ in what is moved at a time, with which registers and along
    /// which loops. Each writes the same bytes.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::Reorder;
    /// let src = Descriptor::new(DType::S8, &[64, 32, 3, 3], "oihw")?;
    /// let dst = Descriptor::new(DType::S8, &[64, 32, 3, 3], "OIhw4i16o4i")?;
    /// let plan = Reorder::new(&src, &dst)?;
    /// assert!(plan.ways().any(|way| way == plan.way()));
    /// let (from, mut first) = ([3; 64 * 32 * 9], [0; 64 * 32 * 9]);
    /// plan.run(&from, &mut first)?;
    /// for way in plan.ways() {
    ///     let mut again = [0; 64 * 32 * 9];
    ///     plan.with_way(way)?.run(&from, &mut again)?;
    ///     assert_eq!(first, again, "{way}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ways(&self) -> impl Iterator<Item = Way> + '_ {
        let (own, most) = (self.way(), 9.min(self.nodes.len() - TILE_LOOPS) as u8);
        let inner = move |unit| 0..=if unit == Unit::Tiles { most } else { 0 };
        let units = UNITS.into_iter().flat_map(move |(unit, _)| inner(unit).map(move |inner| (unit, inner)));
        units
            .flat_map(|(unit, inner)| [false, true].map(|by_halves| (unit, inner, by_halves)))
            .map(move |(unit, inner, by_halves)| Way { unit, inner, by_halves, ..own })
            .filter(|&way| self.with_way(way).is_ok())
    }

    /// The same plan, moved in another way.
    ///
    /// # Errors
    /// [`ReorderError::NoWay`] where the plan cannot be moved so on this processor: lines that come from too many places, loops that
    /// there are not, registers that are no halves of others.
    ///
    /// ```
    /// # use layout_core::{descriptor::{DType, Descriptor}, reorder::Reorder};
    /// let one = Descriptor::new(DType::F32, &[100], "a")?;
    /// let error = Reorder::new(&one, &one)?.with_way("tiles+inner1".parse()?).unwrap_err();
    /// assert_eq!(error.to_string(), "the plan cannot be moved by `tiles+inner1` on this processor; `Reorder::ways` lists how it can");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_way(&self, way: Way) -> Result<Reorder, ReorderError> {
        let units = self.units.with(Moved { unit: way.unit, by_halves: way.by_halves });
        let plan = Reorder { units, asked: way.asked, stores: way.stores, ..self.clone() };
        let halved = !way.by_halves || plan.token() != Token::current();
        let can = halved && plan.can_now();
        can.then_some(plan).and_then(|plan| plan.with_inner(way.inner)).ok_or(ReorderError::NoWay { way })
    }

    /// What the plan is like, as far as trees ask, for the benchmark that these are fitted to.
    #[doc(hidden)]
    pub fn __facts(&self) -> Option<([&'static str; 2], Named)> {
        let facts = self.facts()?;
        let class = match self.class {
            Class::Stream => "stream",
            Class::Rows => "rows",
            Class::Transpose => "crossed",
            Class::Strided => "strided",
        };
        let moves = if self.moves_bytes() { "moved" } else { "converted" };
        Some(([class, moves], FACTS.map(|(fact, name)| (name, facts.get(fact)))))
    }

    /// The same plan, whose kernel has the loop that was `by` further out when it was made.
    fn with_inner(mut self, by: u8) -> Option<Reorder> {
        let innermost = self.nodes.len() - TILE_LOOPS;
        self.put(innermost, innermost - usize::from(self.inner));
        let wanted = innermost.checked_sub(usize::from(by))?;
        if by > 0 && (!self.nodes.fits_tile(wanted) || self.nodes.get(wanted).n == 1) {
            return None;
        }
        self.put(wanted, innermost);
        self.inner = by;
        self.one_tile = self.is_one_tile();
        Some(self)
    }

    /// Puts loop `from` at place `to` of the loops; those between move up or down.
    pub(super) const fn put(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at != to {
            let next = if at < to { at + 1 } else { at - 1 };
            self.nodes.swap(at, next);
            let mut i = 0;
            while i < self.tails.len_of_levels() {
                let level = self.tails.levels[i] as usize;
                if level == at {
                    self.tails.levels[i] = next as u8;
                } else if level == next {
                    self.tails.levels[i] = at as u8;
                }
                i += 1;
            }
            at = next;
        }
    }
}
