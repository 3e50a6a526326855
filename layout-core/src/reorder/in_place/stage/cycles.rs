//! [`Cycles`]: a permutation of stretches of memory, moved along its cycles: one stretch is saved, then each place takes what
//! belongs there, and the last one the one that was saved.
//!
//! Which stretches have moved is noted in a set of bits for a window of places. A cycle is done when its lowest place is
//! passed; beyond the first window, a place that is not noted is followed until it turns out which window its cycle began in.

use super::Outer;
use crate::reorder::in_place::loops::{List, Loops, Places};
use crate::reorder::in_place::moves::Piece;
use core::mem::MaybeUninit;

/// Places in a window.
const WINDOW: usize = 1 << 17;
/// Bytes of a stretch that are moved in one go.
const STRETCH: usize = 16 << 10;

/// A permutation of stretches of memory.
#[derive(Clone)]
pub(in super::super) struct Cycles {
    outer: Outer,
    /// Bytes of a stretch.
    unit: usize,
    /// Number of stretches.
    count: usize,
    /// Where they are: number of steps and bytes of each, the widest first.
    places: List<(usize, usize)>,
    map: Map,
}

/// From the number of a stretch's new place to that of its old one.
#[derive(Clone, Copy)]
struct Map {
    /// Digits of the new number, the most significant first.
    digits: List<Digit>,
    /// The old number of new number 0, segments apart.
    start: isize,
    /// By loop over segments, its value there.
    starts: [isize; MAX_SEGMENTS],
    /// Digits of the old number that values of loops over segments make.
    pieces: List<(Piece, usize)>,
}

/// A digit of a number in the new order.
#[derive(Clone, Copy)]
struct Digit {
    weight: usize,
    /// What a step of the digit adds to the old number, or to the value of loop `segments`.
    step: isize,
    segments: u8,
}

/// Where a digit belongs to no loop over segments.
const PLAIN: u8 = u8::MAX;

/// Loops over segments that a map holds.
const MAX_SEGMENTS: usize = 12;

impl Cycles {
    /// The permutation by `loops` and by the digits of loops over segments; `None` where there are too many.
    pub(in super::super) fn new(
        loops: &Loops,
        src_pieces: &[Piece],
        dst_pieces: &[Piece],
        element: usize,
    ) -> Option<Cycles> {
        let (mut shared, others) = loops.shared_and_others();
        let run = shared.iter().position(|node| node.src == 1);
        let unit = run.map_or(1, |run| shared.remove(run).n);
        // By side: the digits of the numbers, the least significant first.
        let side = |in_src: bool, pieces: &[Piece]| -> Option<List<(isize, usize, usize)>> {
            let mut digits = List::new((0, 0, 0));
            for (i, node) in others.iter().enumerate() {
                digits.push((if in_src { node.src } else { node.dst }, node.n, i))?;
            }
            for (i, piece) in pieces.iter().enumerate() {
                digits.push((piece.stride, piece.n, others.len() + i))?;
            }
            digits.sort_unstable_by_key(|&(stride, ..)| stride.unsigned_abs());
            Some(digits)
        };
        let mut src_weights = List::new(0);
        for _ in 0..others.len() + src_pieces.len() {
            src_weights.push(0)?;
        }
        let mut count = 1;
        for &(_, n, which) in side(true, src_pieces)?.iter() {
            src_weights[which] = count;
            count *= n;
        }
        let piece = Piece { segments: 0, weight: 1, n: 1, stride: 0 };
        let mut map = Map {
            digits: List::new(Digit { weight: 1, step: 0, segments: PLAIN }),
            start: 0,
            starts: [0; MAX_SEGMENTS],
            pieces: List::new((piece, 0)),
        };
        let mut weight = 1;
        for &(stride, n, which) in side(false, dst_pieces)?.iter() {
            let (step, segments) = match dst_pieces.get(which.wrapping_sub(others.len())) {
                Some(piece) => (piece.weight as isize, u8::try_from(piece.segments).ok()?),
                None => (src_weights[which] as isize, PLAIN),
            };
            // Where the destination runs down, its first value is the last of the loop.
            let down = stride < 0;
            let start = match segments {
                PLAIN => &mut map.start,
                _ => map.starts.get_mut(segments as usize)?,
            };
            *start += if down { (n as isize - 1) * step } else { 0 };
            map.digits.push(Digit { weight, step: if down { -step } else { step }, segments })?;
            weight *= n;
        }
        map.digits.reverse();
        for (i, &piece) in src_pieces.iter().enumerate() {
            if piece.segments >= MAX_SEGMENTS {
                return None;
            }
            map.pieces.push((piece, src_weights[others.len() + i]))?;
        }
        let of_src = others.iter().map(|node| (node.n, node.src));
        let mut places = List::new((1, 0));
        let of_pieces = src_pieces.iter().map(|piece| (piece.n, piece.stride));
        for &(n, width) in Places::of(of_src.chain(of_pieces)).steps().iter().rev() {
            places.push((n, width * element))?;
        }
        Some(Cycles { outer: Outer::new(&shared, element), unit: unit * element, count, places, map })
    }

    /// Bytes that move together.
    pub(in super::super) fn unit(&self) -> usize {
        self.unit
    }

    /// How many such stretches there are in one permutation.
    pub(in super::super) fn count(&self) -> usize {
        self.count
    }

    /// How often the permutation is repeated.
    pub(in super::super) fn repeats(&self) -> usize {
        self.outer.count()
    }

    /// Permutes the stretches from `first` on.
    ///
    /// # Safety
    /// The places of the loops can be read and written, from `first` as the lowest.
    pub(in super::super) unsafe fn run(&self, first: *mut u8) {
        let mut seen = Seen { start: 0, bits: [0; WINDOW / 64] };
        let mut saved = [MaybeUninit::<u8>::uninit(); STRETCH];
        self.outer.for_each(|distance| {
            for from in (0..self.unit).step_by(STRETCH) {
                let at = first.wrapping_offset(distance).wrapping_add(from);
                let len = (self.unit - from).min(STRETCH);
                // SAFETY: the caller's promise, of a part of each stretch; `saved` is as long as the part.
                unsafe { self.permute(at, len, &mut seen, saved.as_mut_ptr().cast()) };
            }
        });
    }

    /// Permutes `len` bytes of each stretch.
    ///
    /// # Safety
    /// `len` bytes at all places, from `first` as the lowest, and at `saved`, can be read and written.
    unsafe fn permute(&self, first: *mut u8, len: usize, seen: &mut Seen, saved: *mut u8) {
        let mut left = self.count;
        seen.start = 0;
        while left > 0 && seen.start < self.count {
            seen.bits.fill(0);
            for place in seen.start..self.count.min(seen.start + WINDOW) {
                if seen.holds(place) || !self.leads(place, seen) {
                    continue;
                }
                // SAFETY: the caller's promise.
                left -= unsafe { self.turn(place, first, len, seen, saved) };
                if left == 0 {
                    break;
                }
            }
            seen.start += WINDOW;
        }
    }

    /// Whether the cycle of `place`, which is not noted, has yet to be moved. Notes what it passes.
    #[inline]
    fn leads(&self, place: usize, seen: &mut Seen) -> bool {
        if seen.start == 0 {
            return true;
        }
        let mut at = place;
        loop {
            seen.note(at);
            at = self.map.source(at);
            if at == place || at < seen.start {
                return at == place;
            }
        }
    }

    /// Moves one cycle; returns how many stretches it has.
    ///
    /// # Safety
    /// That of [`Cycles::permute`].
    #[inline]
    unsafe fn turn(&self, lead: usize, first: *mut u8, len: usize, seen: &mut Seen, saved: *mut u8) -> usize {
        let mut source = self.map.source(lead);
        seen.note(lead);
        if source == lead {
            return 1;
        }
        let mut to = first.wrapping_add(self.distance(lead));
        // SAFETY: the caller's promise.
        unsafe { copy(to, saved, len) };
        let mut moved = 1;
        while source != lead {
            seen.note(source);
            let from = first.wrapping_add(self.distance(source));
            // SAFETY: the caller's promise; places do not overlap.
            unsafe { copy(from, to, len) };
            to = from;
            source = self.map.source(source);
            moved += 1;
        }
        // SAFETY: as above.
        unsafe { copy(saved, to, len) };
        moved
    }

    /// Distance of a place from the lowest, in bytes.
    #[inline]
    fn distance(&self, place: usize) -> usize {
        if let [(_, width)] = self.places[..] {
            return place * width;
        }
        let (mut rest, mut distance, mut weight) = (place, 0, self.count);
        for &(n, width) in self.places.iter() {
            weight /= n;
            distance += rest / weight * width;
            rest %= weight;
        }
        distance
    }
}

impl Map {
    /// Where the stretch comes from that belongs to place `number`.
    #[inline]
    fn source(&self, number: usize) -> usize {
        if !self.pieces.is_empty() {
            return self.source_of_segments(number);
        }
        let (mut rest, mut at) = (number, self.start);
        for digit in self.digits.iter() {
            let value = if digit.weight == 1 { rest } else { rest / digit.weight };
            rest -= value * digit.weight;
            at += value as isize * digit.step;
        }
        at as usize
    }

    fn source_of_segments(&self, number: usize) -> usize {
        let mut values = self.starts;
        let (mut rest, mut at) = (number, self.start);
        for digit in self.digits.iter() {
            let value = rest / digit.weight;
            rest -= value * digit.weight;
            match values.get_mut(digit.segments as usize) {
                Some(sum) => *sum += value as isize * digit.step,
                None => at += value as isize * digit.step,
            }
        }
        for (piece, weight) in self.pieces.iter() {
            let value = values[piece.segments] as usize / piece.weight % piece.n;
            at += (if piece.stride < 0 { piece.n - 1 - value } else { value } * weight) as isize;
        }
        at as usize
    }
}

/// The places from `start` on that are in a cycle which has been moved.
struct Seen {
    start: usize,
    bits: [u64; WINDOW / 64],
}

impl Seen {
    #[inline]
    fn note(&mut self, place: usize) {
        let at = place.wrapping_sub(self.start);
        if let Some(word) = self.bits.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    #[inline]
    fn holds(&self, place: usize) -> bool {
        let at = place.wrapping_sub(self.start);
        self.bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

/// Copies `len` bytes; single elements without a call.
///
/// # Safety
/// The bytes can be read and written, and the two do not overlap.
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    match len {
        // SAFETY: the caller's promise.
        1 => unsafe { core::ptr::copy_nonoverlapping(from, to, 1) },
        // SAFETY: the caller's promise.
        2 => unsafe { core::ptr::copy_nonoverlapping(from, to, 2) },
        // SAFETY: the caller's promise.
        4 => unsafe { core::ptr::copy_nonoverlapping(from, to, 4) },
        // SAFETY: the caller's promise.
        8 => unsafe { core::ptr::copy_nonoverlapping(from, to, 8) },
        // SAFETY: the caller's promise.
        _ => unsafe { core::ptr::copy_nonoverlapping(from, to, len) },
    }
}
