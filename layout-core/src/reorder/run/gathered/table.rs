//! [`Tables`]: what the kernel is told of the lines at hand, kept for the few ways in which axes end inside of them.

use super::super::super::plan::{LEVELS, Line};
use super::{AXES, Held};
use crate::kernels::{Gather, GatherStep, LINE, Token};

/// Tables that are kept.
const KEPT: usize = 4;

/// What lines of some kinds are put together from.
pub(super) struct Tables {
    token: Token,
    kept: [Option<Gather>; KEPT],
    keys: [[Held; AXES]; KEPT],
    len: usize,
    next: usize,
}

impl Tables {
    /// Of lines that are put together with the instructions that `token` proves.
    pub(super) fn new(token: Token) -> Tables {
        Tables {
            token,
            kept: [const { None }; KEPT],
            keys: [[Held { data: 0, owned: 0 }; AXES]; KEPT],
            len: 0,
            next: 0,
        }
    }

    /// The table for lines that hold so much of each axis.
    pub(super) fn get(&mut self, line: &Line, held: &[Held; AXES]) -> &Gather {
        let mut key = *held;
        if key.iter().any(|held| held.data == 0) {
            key = key.map(|held| Held { data: 0, ..held });
        }
        let found = self.keys[..self.len].iter().position(|kept| *kept == key);
        let at = found.unwrap_or_else(|| {
            let at = self.next;
            self.next = (at + 1) % KEPT;
            self.len = self.len.max(at + 1);
            self.keys[at] = key;
            at
        });
        let table = self.kept[at].get_or_insert(Gather::NONE);
        if found.is_none() {
            set(table, self.token, line, &key);
        }
        table
    }
}

/// Makes `table` that for lines that hold so much of each axis.
fn set(table: &mut Gather, token: Token, line: &Line, held: &[Held; AXES]) {
    let (data, written) = masks(line, held);
    let element = u64::MAX >> (LINE - line.element);
    table.set(token, (data, written), line.element, &line.from[..line.elements], |steps| {
        steps[..line.places_len].fill(GatherStep::NONE);
        if line.places_len == 0 {
            return None;
        }
        for (i, spot) in line.spots[..line.elements].iter().enumerate() {
            let (at, byte) = (i * line.element, spot.byte);
            if data >> at & 1 == 0 {
                continue;
            }
            let step = &mut steps[usize::from(spot.place)];
            step.taken |= element << at;
            step.read |= element << byte;
            for (k, index) in step.index[at..at + line.element].iter_mut().enumerate() {
                *index = byte + k as u8;
            }
        }
        // Places of which nothing is read are left out.
        let mut len = 0;
        for (i, &at) in line.places[..line.places_len].iter().enumerate() {
            if steps[i].taken != 0 {
                steps[i].at = at;
                if len < i {
                    steps[len] = steps[i];
                }
                len += 1;
            }
        }
        Some(len)
    });
}

/// A bit for each byte of a line that is data, and that is written, where lines hold so much of each axis.
fn masks(line: &Line, held: &[Held; AXES]) -> (u64, u64) {
    let levels = &line.levels[..line.len];
    let all = u64::MAX >> (LINE - line.elements * line.element);
    let has_data = held.iter().all(|held| held.data > 0);
    let (mut data, mut written) = (all, all);
    // Of other axes than those of its own loops all of a line has as much.
    for (i, level) in levels.iter().enumerate() {
        let Some(of) = held.get(usize::from(level.axis)) else { continue };
        if levels[..i].iter().any(|below| below.axis == level.axis) {
            continue;
        }
        if u64::from(of.owned) < end_of(line, level.axis) {
            written &= below(line, level.axis, of.owned);
        }
        if has_data && u64::from(of.data) < end_of(line, level.axis) {
            data &= below(line, level.axis, of.data);
        }
    }
    (if has_data { data } else { 0 }, written)
}

/// How many places of `axis` a line has.
fn end_of(line: &Line, axis: u8) -> u64 {
    let of_axis = line.levels[..line.len].iter().filter(|level| level.axis == axis);
    1 + of_axis.map(|level| level.places * (level.taken - 1)).sum::<u64>()
}

/// A bit for each byte of a line whose place of `axis` is less than `end`.
fn below(line: &Line, axis: u8, end: u8) -> u64 {
    let element = u64::MAX >> (LINE - line.element);
    let (mut value, mut place, mut mask) = ([0; LEVELS], 0, 0);
    for i in 0..line.elements {
        if place < u64::from(end) {
            mask |= element << (i * line.element);
        }
        for (value, level) in value.iter_mut().zip(&line.levels[..line.len]) {
            let places = if level.axis == axis { level.places } else { 0 };
            *value += 1;
            place += places;
            if *value < level.taken {
                break;
            }
            place -= places * level.taken;
            *value = 0;
        }
    }
    mask
}
