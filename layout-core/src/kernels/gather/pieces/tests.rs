//! Every way of putting a line together gives the same bytes, and reads no byte that is none of an element with data.

use super::super::{GatherStep, MOST_PLACES};
use super::copies::{Copies, Width};
use super::windows::{Reads, Windows};
use super::{Elements, Pieces};
use proptest::prelude::*;
use std::{vec, vec::Vec};

/// Bytes of the source, whose first element is in the middle.
const MEMORY: usize = 1 << 14;
const MIDDLE: isize = MEMORY as isize / 2;

fn byte_at(at: isize) -> u8 {
    (at.wrapping_mul(193) >> 2) as u8
}

/// The steps of a line of elements of `element` bytes that lie at `places`, of which those with bits in `data` are read; none where
/// there are too many.
fn steps_of(data: u64, element: usize, places: &[isize]) -> Option<Vec<GatherStep>> {
    let mut order: Vec<usize> = (0..places.len()).filter(|&i| data >> (i * element) & 1 != 0).collect();
    order.sort_by_key(|&i| places[i]);
    let mut steps: Vec<GatherStep> = Vec::new();
    for i in order {
        let end = places[i] + element as isize;
        if steps.last().is_none_or(|step| end > step.at + 64) {
            steps.push(GatherStep { at: places[i], ..GatherStep::NONE });
        }
        let step = steps.last_mut().unwrap();
        for k in 0..element {
            let byte = (places[i] - step.at) as usize + k;
            step.index[i * element + k] = byte as u8;
            step.taken |= 1 << (i * element + k);
            step.read |= 1 << byte;
        }
    }
    (steps.len() <= MOST_PLACES).then_some(steps)
}

/// A line, and what may be read for it.
struct Memory {
    may_be_read: Vec<bool>,
}

impl Memory {
    fn read(&self, at: isize) -> u8 {
        assert!(self.may_be_read[(MIDDLE + at) as usize], "byte {at} is none of an element's");
        byte_at(at)
    }
}

fn by_windows(windows: &Windows, memory: &Memory) -> [u8; 64] {
    let mut line = [0; 64];
    for half in 0..2 {
        for pair in windows.of_half(half) {
            for side in 0..2 {
                let (at, len) = match pair.reads {
                    Reads::Once => (pair.at[0], 16),
                    Reads::Along => (pair.at[0] + 16 * side as isize, 16),
                    Reads::Whole => (pair.at[side], 16),
                    Reads::Eight => (pair.at[side], 8),
                    Reads::Four => (pair.at[side], 4),
                    Reads::Few => (pair.at[side], pair.len[side].into()),
                };
                let window: Vec<u8> = (0..len).map(|k| memory.read(at + k)).collect();
                for b in 0..16 {
                    let index = pair.index[16 * side + b];
                    if index < 0x80 {
                        line[32 * half + 16 * side + b] |= window[usize::from(index)];
                    }
                }
            }
        }
    }
    line
}

fn by_copies(copies: &Copies, memory: &Memory) -> [u8; 64] {
    let mut line = [0; 64];
    for copied in copies.all() {
        let len = match copied.width {
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
            Width::Eight => 8,
            Width::Sixteen => 16,
        };
        for k in 0..len {
            line[usize::from(copied.to) + k] = memory.read(copied.from + k as isize);
        }
    }
    line
}

proptest! {
    #[test]
    fn all_ways_give_the_same_bytes(
        log_element in 0..5u32,
        // The loops of a line, from the innermost out: values, and elements between two of them in the source.
        loops in prop::collection::vec((1..9usize, 0..5isize, 0..7isize), 1..4),
        kept in any::<u64>(),
        ends in any::<bool>(),
    ) {
        let element = 1usize << log_element;
        let (mut places, mut span) = (vec![0isize], 1isize);
        for (values, gap, far) in loops {
            let stride = span + gap + if far == 6 { 40 } else { 0 };
            let values = values.min(64 / element / places.len()).max(1);
            let inner = places.clone();
            places = (0..values).flat_map(|v| inner.iter().map(move |at| at + v as isize * stride)).collect();
            span = stride * values as isize;
        }
        // In another order than in the source.
        if kept & 1 != 0 {
            places.reverse();
        }
        let places: Vec<isize> = places.iter().map(|at| at * element as isize).collect();
        let bits = u64::MAX >> (64 - element);
        let (mut data, mut expected) = (0u64, [0; 64]);
        let mut memory = Memory { may_be_read: vec![false; MEMORY] };
        for (i, &place) in places.iter().enumerate() {
            if ends && kept >> (i % 64) & 1 != 0 {
                continue;
            }
            data |= bits << (i * element);
            for k in 0..element {
                expected[i * element + k] = byte_at(place + k as isize);
                memory.may_be_read[(MIDDLE + place) as usize + k] = true;
            }
        }
        let steps = steps_of(data, element, &places);
        let pieces = Pieces::new(steps.as_deref(), (data, u64::MAX), element, &places);
        if let Some(steps) = &steps {
            prop_assert_eq!(by_windows(&Windows::new(steps), &memory), expected);
        }
        if data == 0 || steps.is_none() {
            prop_assert_eq!(data == 0, matches!(pieces, Pieces::Windows(_)));
        }
        if data == 0 {
            return Ok(());
        }
        prop_assert_eq!(by_copies(&Copies::new(data, element, &places), &memory), expected);
        let elements = Elements::new(data, element, &places);
        for (i, &place) in elements.from[..64 / element].iter().enumerate() {
            for k in 0..element {
                let byte = memory.read(place + k as isize) & elements.mask[i * element + k];
                prop_assert_eq!(byte, expected[i * element + k]);
            }
        }
    }
}
