//! Rows with padding, and those that gaps separate: spread as bytes before they are converted, or behind it. Called by `tile`.

use core::mem::MaybeUninit;

use super::super::super::super::convert::Format;
use super::super::super::super::copy_bytes;
use super::super::super::super::cpu::Cpu;
use super::super::super::super::epilogue::LANES;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::{Step, Tables, Tile};
use super::super::super::{LINE, Rows};
use super::super::{Conversion, SMALL, SMALLEST, STAGE, Stage, smaller};
use super::Place;

impl Conversion<'_> {
    /// Rows along x: short ones with padding and no gaps are spread in the narrower of the two types, and converted without
    /// gaps; those that gaps of the destination separate are spread in its type.
    ///
    /// # Safety
    /// That of [`ConvertRows`](super::super::super::ConvertRows).
    pub(in super::super) unsafe fn padded(&self, job: &Rows, place: &Place) {
        let gaps = job.dst_y != (job.len * self.dst) as isize;
        let (widens, narrower) = match self.dst > self.src && !gaps {
            true => (true, self.src),
            false => (false, self.dst),
        };
        let follows = job.src_y == (job.valid * self.src) as isize;
        let worth = if gaps { self.is_alike() && self.is_slow(job.len) } else { job.valid < job.len };
        let spreads = follows && worth && !(widens && self.fits_register(job)) && !self.steps.accumulates();
        if !spreads || job.len * narrower > LINE / 2 || job.count < 16 {
            // SAFETY: the caller's promise.
            unsafe { self.rows(job, place) };
            return;
        }
        // More than a packed tile's buffer holds: then that is not on the stack too, and larger parts write their parameters less
        // often.
        let is_packed = job.count * job.len * narrower <= STAGE;
        if self.is_crowded(job.count * job.len) {
            // SAFETY: as above.
            unsafe { self.spread::<SMALLEST>(job, place, widens, narrower) };
        } else if !is_packed {
            // SAFETY: as above.
            unsafe { self.spread::<STAGE>(job, place, widens, narrower) };
        } else {
            // SAFETY: as above.
            unsafe { self.spread::<SMALL>(job, place, widens, narrower) };
        }
    }

    /// Whether a row of `job`, which is padded, is best read as the part of a register that it fills, and written at once with its
    /// padding: where an instruction or two convert that register, full or not.
    fn fits_register(&self, job: &Rows) -> bool {
        let few = matches!(
            self.formats,
            (Format::S8 | Format::U8 | Format::F16 | Format::Bf16, Format::F32)
                | (Format::S8 | Format::U8, Format::F16)
        );
        let fits = job.len == LANES && self.token.cpu() == Cpu::Avx512 && self.steps.second.is_none();
        // Past the caches go rows that follow one another.
        few && fits && !job.stream
    }

    /// [`Conversion::padded`] by way of a buffer of `N` bytes. Apart from it, so that others need no stack for that.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn spread<const N: usize>(&self, job: &Rows, place: &Place, widens: bool, narrower: usize) {
        let mut stage = Stage([MaybeUninit::uninit(); N]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let room = N / (job.len * narrower);
        let mut y = 0;
        while y < job.count {
            let count = smaller(job.count - y, room);
            let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
            let mut spread = Tile {
                x: Step { len: job.len, src: narrower as isize, dst: narrower as isize },
                y: Step {
                    len: count,
                    src: (job.valid * narrower) as isize,
                    dst: if widens { (job.len * narrower) as isize } else { job.dst_y },
                },
                z: Step { len: 1, src: 0, dst: 0 },
                valid_x: job.valid,
                valid_y: count,
                stream: false,
                claims: false,
                tables: Tables::NONE,
                epilogue: None,
                token: self.token,
            };
            let place = place.at_row(y);
            if widens {
                // SAFETY: these rows lie in the job, and the buffer has room for them.
                unsafe { copy_bytes(self.token, narrower, src, stage, &spread) };
                let place = Place { inner: job.len, ..place };
                let (valid, src_y) = (job.len, (job.len * narrower) as isize);
                // SAFETY: what is read was just written.
                unsafe { self.rows(&Rows { src: stage, src_y, dst, valid, count, ..*job }, &place) };
            } else {
                let (len, dst_y) = (job.valid, (job.valid * narrower) as isize);
                let part = Rows { src, dst: stage, dst_y, len, count, stream: false, claims: false, ..*job };
                // SAFETY: these rows lie in the job; the buffer has room for what is longer.
                unsafe { self.rows(&part, &place) };
                spread.stream = job.stream;
                // SAFETY: what is read was just written, and these rows lie in the job.
                unsafe { copy_bytes(self.token, narrower, stage, dst, &spread) };
            }
            y += count;
        }
    }
}
