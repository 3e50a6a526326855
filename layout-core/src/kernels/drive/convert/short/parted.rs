//! Blocks of 4 and 8 elements that a family takes together in registers, and those of 16, which fill one: where they follow one
//! another in the destination, those of a pixel or those of some pixels. Called by the folder's `short`.

#[cfg(target_arch = "x86_64")]
use super::super::super::super::cpu::Token;
use super::super::super::super::epilogue::{Affine, Epilogue, LANES};
use super::super::super::super::generic::{step, step_mut};
#[cfg(target_arch = "x86_64")]
use super::super::super::super::parts::CLAIMED;
use super::super::super::super::tile::{Step, Tile};
use super::super::super::super::writes_in_turn;
#[cfg(target_arch = "x86_64")]
use super::super::super::super::x86_64;
use super::super::super::LINE;
use super::super::rows::{Loop, Place};
use super::super::table::{Line, Table, WIDTH};
use super::super::tile::at_once;
use super::super::{Conversion, is_crowded, smaller};

/// Registers of [`LANES`] elements to convert, each of which is put together from parts.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "AVX-512 alone has such ways so far"))]
pub(in super::super::super::super) struct Parted {
    pub(in super::super::super::super) src: *const u8,
    pub(in super::super::super::super) dst: *mut u8,
    /// Bytes between two parts of a register in the source, where it has several.
    pub(in super::super::super::super) apart: isize,
    /// From register to register, and from loop to loop of these.
    pub(in super::super::super::super) inner: Step,
    pub(in super::super::super::super) outer: Step,
    /// Values between the parameters of two steps of each.
    pub(in super::super::super::super) own: [usize; 2],
    /// Whether lines of the destination are asked for before they are written.
    pub(in super::super::super::super) claims: bool,
}

#[cfg(target_arch = "x86_64")]
impl Parted {
    /// Bytes from a register to the one whose line is asked for before it is written.
    pub(in super::super::super::super) fn ahead(&self) -> isize {
        let follows = self.outer.dst == (self.inner.dst).wrapping_mul(self.inner.len as isize);
        if follows || self.inner.len >= 2 * CLAIMED {
            return self.inner.dst.wrapping_mul(CLAIMED as isize);
        }
        self.outer.dst.wrapping_mul(CLAIMED.div_ceil(self.inner.len) as isize)
    }
}

/// Converts the registers of a job, with an affine map if there is one.
///
/// # Safety
/// Each element can be read and written, the two sides do not overlap; the values of the map are there for each register. The
/// processor has the family's instructions.
pub(in super::super::super::super) type PartedRows = unsafe fn(job: &Parted, map: Option<&Affine>);

/// How the short rows of a tile are taken together.
#[derive(Clone, Copy)]
struct Way {
    run: PartedRows,
    parts: usize,
    /// The loop along which they follow one another in the destination, and the other one.
    rows: Step,
    others: Step,
    along: Loop,
    across: Loop,
    /// Whether elements have parameters of their own along the first, or along the other.
    own: [bool; 2],
    /// Whether registers follow one another along the first, else along the other.
    goes_on: bool,
}

impl Conversion<'_> {
    /// The family's way with rows of so many `parts`.
    fn parted_rows(&self, parts: usize) -> Option<PartedRows> {
        match self.token {
            _ if self.steps.accumulates() || self.steps.rounds() => None,
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(avx512) => {
                x86_64::avx512::parted_rows(avx512, self.formats.0, self.formats.1, parts)
            }
            _ => {
                let _ = (parts, self.formats);
                None
            }
        }
    }

    /// How to take the rows of `tile` together, of which `valid_y` hold data; none where they are no such rows.
    fn parted_way(&self, tile: &Tile, valid_y: usize) -> Option<Way> {
        let Tile { x, z, .. } = *tile;
        if tile.stream || tile.valid_x < x.len || !matches!(x.len, 4 | 8 | LANES) {
            return None;
        }
        let y = Step { len: valid_y, ..tile.y };
        let (src, dst) = ((x.len * self.src) as isize, (x.len * self.dst) as isize);
        let follows = |one: Step| one.dst == dst && one.src != src;
        let (rows, others, along, across) = match () {
            () if follows(y) => (y, z, Loop::Y, Loop::Z),
            () if follows(z) => (z, y, Loop::Z, Loop::Y),
            () => return None,
        };
        let parts = LANES / x.len;
        let run = self.parted_rows(parts)?;
        let alike = self.is_alike();
        let differ = |one: Loop| {
            let mut places = self.epilogue.iter().flat_map(|epilogue| epilogue.places());
            !alike && places.any(|place| [place.x, place.y, place.z][one as usize] > 0)
        };
        let own = [along, across].map(differ);
        // The last register overlaps the one before, and has its parameters.
        let whole = rows.len.is_multiple_of(parts) || !own[0];
        let many = rows.len / parts * others.len >= LANES;
        // Bytes are faster packed four registers at a time, unless what they come from has parameters to be laid out.
        let packs = alike && self.dst == 1 && parts == 4;
        if !whole || !many || packs || own == [true; 2] {
            return None;
        }
        let goes_on = self.goes_on(Step { src: rows.src * parts as isize, ..rows }, others, alike)?;
        Some(Way { run, parts, rows, others, along, across, own, goes_on })
    }

    /// Whether registers follow one another along `rows`, else along `others`; none where buffers are better than both.
    fn goes_on(&self, rows: Step, others: Step, alike: bool) -> Option<bool> {
        /// Steps of a loop that do not outweigh its beginning, and those that are under way at a time.
        const SHORT: usize = 8;
        const SOME: usize = 32;
        /// Bytes between two lines of the destination.
        const FAR: usize = 1024;
        // What lies near one another is read on, or written in turn, or where more is read than written goes on in both tensors;
        // lines of the destination that are far from one another, or compete, would take each other's place.
        let crowds = is_crowded(others.dst, smaller(others.len, SOME));
        let crowded = is_crowded(rows.src, smaller(rows.len, SOME));
        let far = crowds || self.src < self.dst && others.dst.unsigned_abs() >= FAR;
        let short = self.src < self.dst && others.len < SHORT;
        let apart = |one: Step| one.src.unsigned_abs() + one.dst.unsigned_abs();
        // Elements of 16 bits and more that have no parameters laid out do well in either order, and better in this one (Zen 4).
        let any = (alike || self.src > self.dst) && self.dst > 1 && !crowded;
        match writes_in_turn() || any {
            _ if short || far && !crowded => Some(true),
            _ if alike && crowds => None,
            true if self.src > self.dst => Some(apart(rows) > apart(others)),
            true => Some(rows.dst.unsigned_abs() < others.dst.unsigned_abs()),
            false => Some(rows.src.unsigned_abs() < others.src.unsigned_abs()),
        }
    }

    /// Converts the rows of `tile` that hold data, of which there are `valid_y`, several at a time in registers; `false` where the
    /// family has no way, and then nothing was done.
    ///
    /// # Safety
    /// As [`Conversion::short`](super::Conversion::short).
    pub(super) unsafe fn parted(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) -> bool {
        let Some(way) = self.parted_way(tile, valid_y) else { return false };
        match self.epilogue.filter(|_| self.common.is_none()) {
            // SAFETY: the caller's promise: the same elements.
            None => unsafe { self.registers(src, dst, tile, &way, self.common) },
            // SAFETY: as above.
            Some(epilogue) => unsafe { self.parted_by_table(src, dst, tile, &way, epilogue) },
        }
        true
    }

    /// [`Conversion::parted`] with parameters of their own for the elements of a register. Apart from it, so that others need no
    /// stack for that.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn parted_by_table(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        way: &Way,
        epilogue: &Epilogue,
    ) {
        let table = Table::new();
        // The loop with parameters of its own, and how many of its rows a register has.
        let (one, each, direction) = match way.own[0] {
            true => (way.rows, way.parts, way.along),
            false => (way.others, 1, way.across),
        };
        let mut first = 0;
        while first < one.len {
            let some =
                if way.own == [false; 2] { one.len } else { smaller(one.len - first, WIDTH / LANES * each) };
            let count = some / each;
            let mut place = Place { after: way.along, across: way.across, ..Place::rows([0; 3], tile.x.len) };
            place.first[direction as usize] = first;
            let mut affine = Affine::neutral();
            for (k, parameter) in epilogue.parameters.iter().enumerate() {
                let len = if way.own[0] { count * LANES } else { LANES };
                let line = Line::new(parameter.as_ref(), &place, len);
                if way.own[1] {
                    // SAFETY: the caller's promise: 6. of the kernel's contract, and these elements are moved.
                    unsafe { table.fill_rows(k, &line, [0, count], LANES, &mut affine) };
                } else {
                    // SAFETY: as above.
                    unsafe { table.fill(k, &line, [0, 0], [len, len], &mut affine) };
                }
            }
            let (src, dst) = (step(src, first, one.src), step_mut(dst, first, one.dst));
            let part = Step { len: some, ..one };
            let way = if way.own[0] { Way { rows: part, ..*way } } else { Way { others: part, ..*way } };
            // SAFETY: the caller's promise, for a part of the rows.
            unsafe { self.registers(src, dst, tile, &way, Some(&affine)) };
            first += some;
        }
    }

    /// The registers of a tile, with their parameters if there are any.
    ///
    /// # Safety
    /// As [`Conversion::parted`].
    unsafe fn registers(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        way: &Way,
        parameters: Option<&Affine>,
    ) {
        let Way { rows, others, parts, .. } = *way;
        let by = parts as isize;
        let whole = Step { len: rows.len / parts, src: rows.src * by, dst: rows.dst * by };
        // SAFETY of each call: the caller's promise: these rows lie in the tile.
        // SAFETY: see above.
        unsafe { self.loops(src, dst, tile, way, [whole, others], parameters) };
        if !rows.len.is_multiple_of(parts) {
            let last = rows.len - parts;
            let (src, dst) = (step(src, last, rows.src), step_mut(dst, last, rows.dst));
            // SAFETY: see above.
            unsafe { self.loops(src, dst, tile, way, [Step { len: 1, ..whole }, others], parameters) };
        }
    }

    /// [`Conversion::registers`] for loops over these.
    ///
    /// # Safety
    /// As there.
    unsafe fn loops(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        way: &Way,
        [rows, others]: [Step; 2],
        parameters: Option<&Affine>,
    ) {
        let [along, across] = way.own.map(|own| if own { LANES } else { 0 });
        let (inner, outer, own) =
            if way.goes_on { (rows, others, [along, across]) } else { (others, rows, [across, along]) };
        // Lines that hold parts of the next loop are finished before they leave the cache.
        let at_once = at_once(inner, tile.x.len * self.src, LANES * self.dst);
        let mut first = 0;
        while first < inner.len {
            let len = smaller(inner.len - first, at_once);
            let job = Parted {
                src: step(src, first, inner.src),
                dst: step_mut(dst, first, inner.dst),
                apart: way.rows.src,
                inner: Step { len, ..inner },
                outer,
                own,
                claims: tile.claims && LANES * self.dst == LINE,
            };
            let map = parameters.map(|affine| affine.skip(first * own[0], 0));
            // SAFETY: these rows lie in the tile, and have these parameters.
            unsafe { (way.run)(&job, map.as_ref()) };
            first += len;
        }
    }
}
