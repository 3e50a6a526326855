//! Tables of the results for all values of 8 bits, where a family has a fast way to look them up and enough elements have the
//! same parameters. Called by `tile` and `rows`; written by the loops that it would call otherwise, so that no bit differs.

use core::cell::{Cell, UnsafeCell};
use core::mem::MaybeUninit;

use super::super::super::convert::Format;
use super::super::super::cpu::Token;
use super::super::super::epilogue::Affine;
use super::super::super::tile::Tile;
#[cfg(target_arch = "x86_64")]
use super::super::super::x86_64;
use super::super::{LINE, Rows};
use super::{Conversion, FEW};

/// Elements of a tile from which it is worth having a table of results for those with the same parameters.
pub(super) const MANY: usize = 1024;

/// Values of 8 bits.
const VALUES: usize = 256;

/// All of them.
static ALL: [u8; VALUES] = {
    let mut all = [0; VALUES];
    let mut i = 0;
    while i < VALUES {
        all[i] = i as u8;
        i += 1;
    }
    all
};

/// Converts the elements of the rows by a table of the results.
///
/// # Safety
/// That of [`ConvertRows`](super::super::ConvertRows) for elements of 1 byte and results as wide as those of the table.
pub(super) type LookUp = unsafe fn(job: &Rows, table: *const u8);

/// How the family that `token` proves looks up results of `dst` for elements of `src`, if that has 8 bits; `scaled` where these have
/// parameters.
pub(super) fn way(token: Token, src: Format, dst: Format, scaled: bool) -> Option<LookUp> {
    // An f32 is looked up by halves, of which the lower one is zero for all numbers of 8 bits as they are; those that are at hand
    // by an instruction are not looked up.
    let halved = matches!(dst, Format::F32) && !scaled;
    let integer = matches!(src, Format::U8 | Format::S8);
    let at_hand = integer || matches!(src, Format::F8E5M2);
    // Nor is what an instruction or two make of the bytes.
    let is_float8 = |format| matches!(format, Format::F8E5M2 | Format::F8E4M3);
    let by_bytes = match dst {
        Format::U8 | Format::S8 => integer && !scaled,
        Format::Boolean => (integer || is_float8(src)) && !scaled,
        _ => false,
    };
    // By way of f32 these take as long as a table in registers of 32 bytes.
    let is_short = !matches!(src, Format::F8E4M3)
        && matches!(dst, Format::U8 | Format::S8 | Format::E8M0 | Format::Boolean);
    match (token, src.bytes(), dst.bytes()) {
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), 1, 1) if !by_bytes && !is_short => Some(x86_64::avx2::look_up),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), 1, 1) if !by_bytes => Some(x86_64::avx512::look_up::<1>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(token), 1, 2) if scaled || !x86_64::avx512::is_native(token, src, dst) => {
            Some(x86_64::avx512::look_up::<2>)
        }
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), 1, 4) if halved && !at_hand => Some(x86_64::avx512::look_up::<4>),
        _ => {
            let _ = (halved, at_hand, is_short, by_bytes);
            None
        }
    }
}

/// The table for the parameters that all elements of a tile have, once it is written.
#[repr(align(64))]
pub(super) struct Results {
    table: UnsafeCell<[MaybeUninit<u8>; 4 * VALUES]>,
    is_written: Cell<bool>,
}

impl Results {
    #[inline(always)]
    pub(super) const fn new() -> Results {
        Results { table: UnsafeCell::new([MaybeUninit::uninit(); 4 * VALUES]), is_written: Cell::new(false) }
    }

    /// Where the table is.
    fn at(&self) -> *mut u8 {
        self.table.get().cast()
    }
}

impl Conversion<'_> {
    /// Whether there are a few rows, and parameters that differ between these alone.
    pub(super) fn differs_by_few(&self, tile: &Tile) -> bool {
        let Some(epilogue) = self.epilogue.filter(|_| tile.y.len <= FEW && self.common.is_none()) else {
            return false;
        };
        epilogue.parameters.iter().flatten().all(|one| one.x == 0 && one.z == 0)
    }

    /// [`Conversion::run`] with a table for jobs to share. Apart from it, so that others need no stack for that.
    ///
    /// # Safety
    /// As [`Conversion::run`].
    #[inline(never)]
    pub(super) unsafe fn with_results(&self, src: *const u8, dst: *mut u8, tile: &Tile) {
        let results = Results::new();
        // SAFETY: the caller's promise.
        unsafe { Conversion { results: Some(&results), ..*self }.run(src, dst, tile) };
    }

    /// The same with a table for each of the rows of a tile that [differ](Self::differs_by_few).
    ///
    /// # Safety
    /// As [`Conversion::run`].
    #[inline(never)]
    pub(super) unsafe fn with_results_of_rows(&self, src: *const u8, dst: *mut u8, tile: &Tile) {
        let (results, rows) = (Results::new(), [const { Results::new() }; FEW]);
        let conversion = Conversion { results: Some(&results), results_of_rows: Some(&rows), ..*self };
        // SAFETY: the caller's promise.
        unsafe { conversion.run(src, dst, tile) };
    }

    /// Converts the rows of `job` by a table; `false` where that is no faster, and then nothing was done. With `results`, the
    /// table is kept there for the next job, whose `affine` is the same.
    ///
    /// # Safety
    /// That of [`ConvertRows`](super::super::ConvertRows).
    pub(super) unsafe fn looked_up(
        &self,
        job: &Rows,
        affine: Option<&Affine>,
        results: Option<&Results>,
    ) -> bool {
        /// Elements that are converted in the time that it takes to write a table.
        const ENOUGH: usize = 1024;
        let Some(look_up) = self.look_up else { return false };
        let alike =
            affine.is_none_or(|affine| affine.mask == [0; _] && (job.count == 1 || affine.row == [0; _]));
        let enough = results.is_some() || job.valid * job.count >= ENOUGH;
        if job.valid < LINE || !alike || !enough {
            return false;
        }
        match results {
            // SAFETY: the caller's promise.
            Some(results) => unsafe { self.look_up(look_up, job, affine, results) },
            // SAFETY: as above.
            None => unsafe { self.look_up_once(look_up, job, affine) },
        }
        true
    }

    /// [`Conversion::look_up`] with a table for this job alone. Apart from it, so that others need no stack for that.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn look_up_once(&self, look_up: LookUp, job: &Rows, affine: Option<&Affine>) {
        // SAFETY: the caller's promise.
        unsafe { self.look_up(look_up, job, affine, &Results::new()) };
    }

    /// Converts the rows of `job`, whose elements all have the same `affine`, by the table in `results`, which it writes if that
    /// is still to be done.
    ///
    /// # Safety
    /// That of [`ConvertRows`](super::super::ConvertRows); `look_up` is the way of this conversion.
    #[inline]
    unsafe fn look_up(&self, look_up: LookUp, job: &Rows, affine: Option<&Affine>, results: &Results) {
        if !results.is_written.get() {
            let all = Rows {
                src: ALL.as_ptr(),
                src_y: 0,
                dst: results.at(),
                dst_y: 0,
                valid: VALUES,
                len: VALUES,
                count: 1,
                stream: false,
                claims: false,
            };
            // SAFETY: 256 values can be read, and the table has room for as many results.
            unsafe { self.steps.run(&all, affine) };
            results.is_written.set(true);
        }
        let [first, rest] = &job.on_lines([self.src, self.dst]);
        if first.valid > 0 {
            // SAFETY: the caller's promise; the results are written.
            unsafe { look_up(first, results.at()) };
        }
        // SAFETY: as above.
        unsafe { look_up(rest, results.at()) };
    }
}
