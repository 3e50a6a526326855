//! Random tags of oneDNN's grammar in `abc` letters, and extents for them. Deterministic.

/// A small generator (SplitMix64), so that a failing case can be repeated.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// One of `values`.
    pub(crate) fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// A tag of `rank` axes with up to `blocks` inner blocks.
pub(crate) fn tag(random: &mut Random, rank: usize, blocks: usize) -> String {
    let mut order: Vec<usize> = (0..rank).collect();
    for i in (1..rank).rev() {
        order.swap(i, random.below(i + 1));
    }
    let mut inner = String::new();
    let mut blocked = vec![false; rank];
    // oneDNN's own limits: it takes at most 12 blocks; small ones keep the tensors small.
    for _ in 0..random.below(blocks + 1) {
        let axis = random.below(rank);
        blocked[axis] = true;
        inner += &format!("{}{}", random.pick(&[2, 3, 4, 5, 7, 8, 12, 16]), letter(axis, false));
    }
    order.iter().map(|&axis| letter(axis, blocked[axis])).collect::<String>() + &inner
}

fn letter(axis: usize, upper: bool) -> char {
    let letter = (b'a' + axis as u8) as char;
    if upper { letter.to_ascii_uppercase() } else { letter }
}

/// Extents of at most `largest`, now and then 1.
pub(crate) fn dims(random: &mut Random, rank: usize, largest: usize) -> Vec<usize> {
    (0..rank).map(|_| if random.below(6) == 0 { 1 } else { 1 + random.below(largest) }).collect()
}
