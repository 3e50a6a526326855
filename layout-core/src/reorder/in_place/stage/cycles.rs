//! [`Cycles`]: the permutation of stretches of memory by loops, or by digits of blocks that do not nest. Where it is repeated,
//! the order of its moves is found once and listed.

use super::Outer;
use super::permutation::{Permutation, STRETCH, Seen, copy};
use crate::reorder::in_place::loops::{List, MAX_LOOPS, Places};
use crate::reorder::in_place::moves::{MAX_PIECES, Moves, Piece};
use core::mem::MaybeUninit;

/// Places of a permutation that is listed.
const LISTED: usize = 6 << 10;
/// What is added to a place in the list with which a cycle begins.
const LEAD: u16 = 1 << 15;

/// A permutation of stretches of memory.
#[derive(Clone)]
pub(in super::super) struct Cycles {
    outer: Outer,
    /// Bytes of a stretch.
    unit: usize,
    /// Number of stretches.
    count: usize,
    /// Where they are: number of steps and bytes of each, the widest first.
    places: List<(usize, usize), DIGITS>,
    map: Map,
}

/// From the number of a stretch's new place to that of its old one.
#[derive(Clone, Copy)]
struct Map {
    /// Digits of the new number, the most significant first.
    digits: List<Digit, DIGITS>,
    /// The old number of new number 0, segments apart.
    start: isize,
    /// By loop over segments, its value there.
    starts: [isize; MAX_SEGMENTS],
    /// Digits of the old number that values of loops over segments make.
    pieces: List<(Piece, usize), MAX_PIECES>,
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

/// Digits of the number of a place.
const DIGITS: usize = MAX_LOOPS + MAX_PIECES;

/// Loops over segments that a map holds.
const MAX_SEGMENTS: usize = MAX_PIECES / 2;

impl Cycles {
    /// The permutation of elements of so many bytes; `None` where it has too many loops.
    #[inline(never)]
    pub(in super::super) fn new(moves: &Moves, element: usize) -> Option<Cycles> {
        let (src_pieces, dst_pieces) = (&moves.src_pieces[..], &moves.dst_pieces[..]);
        let (mut shared, others) = moves.loops.shared_and_others();
        let run = shared.iter().position(|node| node.src == 1);
        let unit = run.map_or(1, |run| shared.remove(run).n);
        // By side: the digits of the numbers, the least significant first.
        let side = |in_src: bool, pieces: &[Piece]| -> Option<List<(isize, usize, usize), DIGITS>> {
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
        let mut src_weights: List<usize, DIGITS> = List::new(0);
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
    #[inline(never)]
    pub(in super::super) unsafe fn run(&self, first: *mut u8) {
        let mut seen = Seen::new();
        let mut saved = [MaybeUninit::<u8>::uninit(); STRETCH];
        let saved = saved.as_mut_ptr().cast();
        let parts = self.unit.div_ceil(STRETCH);
        let permutation = Permutation { count: self.count, source: |place| self.map.source(place) };
        let mut list = [0; LISTED];
        let listed = if self.count <= LISTED && self.outer.count() * parts > 1 {
            Some(self.list(&mut list, &mut seen))
        } else {
            None
        };
        self.outer.for_each(|distance| {
            for part in 0..parts {
                let at = first.wrapping_offset(distance).wrapping_add(part * STRETCH);
                let len = (self.unit - part * STRETCH).min(STRETCH);
                match listed {
                    // SAFETY: the caller's promise, of a part of each stretch; `saved` is as long as the part.
                    Some(list) => unsafe { self.permute_as_listed(list, at, len, saved) },
                    // SAFETY: as above.
                    None => unsafe {
                        permutation.run(|place| at.wrapping_add(self.distance(place)), len, &mut seen, saved)
                    },
                }
            }
        });
    }

    /// Lists the places in the order in which they are filled: each cycle from its lowest place on, which is marked. Places
    /// that stay as they are, are left out.
    fn list<'a>(&self, list: &'a mut [u16; LISTED], seen: &mut Seen) -> &'a [u16] {
        let mut len = 0;
        for lead in 0..self.count {
            let mut source = self.map.source(lead);
            if seen.holds(lead) || source == lead {
                continue;
            }
            list[len] = lead as u16 | LEAD;
            len += 1;
            while source != lead {
                seen.note(source);
                list[len] = source as u16;
                len += 1;
                source = self.map.source(source);
            }
        }
        &list[..len]
    }

    /// Permutes `len` bytes of each stretch, in the order of [`Cycles::list`].
    ///
    /// # Safety
    /// `len` bytes at all places, from `first` as the lowest, and at `saved`, can be read and written.
    unsafe fn permute_as_listed(&self, list: &[u16], first: *mut u8, len: usize, saved: *mut u8) {
        let mut to = core::ptr::null_mut();
        for &entry in list {
            let from = first.wrapping_add(self.distance((entry & !LEAD) as usize));
            if entry & LEAD == 0 {
                // SAFETY: the caller's promise; places do not overlap.
                unsafe { copy(from, to, len) };
            } else {
                if !to.is_null() {
                    // SAFETY: the last place of the cycle before takes what was saved of its first.
                    unsafe { copy(saved, to, len) };
                }
                // SAFETY: the caller's promise.
                unsafe { copy(from, saved, len) };
            }
            to = from;
        }
        if !to.is_null() {
            // SAFETY: as above.
            unsafe { copy(saved, to, len) };
        }
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
