//! [`Tables`]: what the kernel is told of the lines at hand, kept for the few ways in which axes end inside of them.

use super::super::super::plan::{LEVELS, Line};
use super::{AXES, Held};
use crate::kernels::{Gather, GatherStep, MOST_PLACES};

/// Tables that are kept.
const KEPT: usize = 4;

/// What lines of some kinds are put together from.
pub(super) struct Tables {
    kept: [Option<Gather>; KEPT],
    keys: [[Held; AXES]; KEPT],
    len: usize,
    next: usize,
}

impl Tables {
    pub(super) fn new() -> Tables {
        Tables {
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
        if found.is_none() {
            self.kept[at] = None;
        }
        self.kept[at].get_or_insert_with(|| table_of(line, &key))
    }
}

/// The table for lines that hold so much of each axis.
fn table_of(line: &Line, held: &[Held; AXES]) -> Gather {
    let levels = &line.levels[..line.len];
    // What they hold of the axes of their own loops, and how many places each loop counts; of the others all of a line has as much.
    let mut axes = [(0, Held { data: 1, owned: 1 }); LEVELS];
    let (mut axis_of, mut len) = ([LEVELS; LEVELS], 0);
    for (axis_of, level) in axis_of.iter_mut().zip(levels) {
        let Some(&of) = held.get(usize::from(level.axis)) else { continue };
        *axis_of = axes[..len].iter().position(|one| one.0 == level.axis).unwrap_or(len);
        axes[*axis_of] = (level.axis, of);
        len = len.max(*axis_of + 1);
    }
    let has_data = held.iter().all(|held| held.data > 0);
    let (mut value, mut place) = ([0; LEVELS], [0u64; LEVELS + 1]);
    let mut steps = [GatherStep::NONE; MOST_PLACES];
    let element = u64::MAX >> (64 - line.element);
    let (mut written, mut data) = (0, 0);
    for (i, spot) in line.spots[..line.elements].iter().enumerate() {
        let mut places = axes[..len].iter().zip(place);
        let at = i * line.element;
        if places.clone().all(|((_, held), place)| place < u64::from(held.owned)) {
            written |= element << at;
        }
        if has_data && places.all(|((_, held), place)| place < u64::from(held.data)) {
            data |= element << at;
            if line.places_len > 0 {
                let step = &mut steps[usize::from(spot.place)];
                step.taken |= element << at;
                step.read |= element << spot.byte;
                for k in 0..line.element {
                    step.index[at + k] = spot.byte + k as u8;
                }
            }
        }
        for (i, level) in levels.iter().enumerate() {
            value[i] += 1;
            place[axis_of[i]] += level.places;
            if value[i] < level.taken {
                break;
            }
            place[axis_of[i]] -= level.places * level.taken;
            value[i] = 0;
        }
    }
    // Places of which nothing is read are left out.
    let mut len = 0;
    for (i, &at) in line.places[..line.places_len].iter().enumerate() {
        if steps[i].taken != 0 {
            steps[i].at = at;
            steps[len] = steps[i];
            len += 1;
        }
    }
    let len = (line.places_len > 0).then_some(len);
    Gather::new(steps, len, (data, written), line.element, &line.from[..line.elements])
}
