//! Attention of one position to many, as it is written without the crate.

use tensor_layout::{Isa, dispatch};

/// Extents: batch, positions, heads, elements of a head.
#[derive(Clone, Copy)]
pub(crate) struct Extents {
    pub(crate) b: usize,
    pub(crate) s: usize,
    pub(crate) h: usize,
    pub(crate) d: usize,
}

/// Makes scores shares of 1.
#[inline(always)]
pub(crate) fn softmax(scores: &mut [f32]) {
    let greatest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in &mut *scores {
        *score = (*score - greatest).exp();
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// Keys in b, h, s / 16, d, s % 16 order, values in b, h, s, d order.
pub(crate) fn blocked_raw(q: &[f32], keys: &[f32], values: &[f32], out: &mut [f32], extents: Extents) {
    let Extents { b, s, h, d } = extents;
    assert!(q.len() == b * h * d && keys.len() == b * h * s.div_ceil(16) * 16 * d);
    assert!(values.len() == b * h * s * d && out.len() == b * h * d);
    let (q, keys, values, out) = (q.as_ptr(), keys.as_ptr().cast(), values.as_ptr(), out.as_mut_ptr());
    // SAFETY: the tensors have these extents.
    dispatch!(|cpu| unsafe { attend(cpu, q, keys, values, out, extents) });
}

/// # Safety
/// The pointers are to tensors of these extents.
#[inline(always)]
unsafe fn attend(
    cpu: impl Isa,
    q: *const f32,
    keys: *const [f32; 16],
    values: *const f32,
    out: *mut f32,
    Extents { b, s, h, d }: Extents,
) {
    let (blocks, scale) = (s.div_ceil(16), (d as f32).sqrt().recip());
    let mut scores = vec![[0.0f32; 16]; blocks];
    for head in 0..b * h {
        for block in 0..blocks {
            let mut sums = [0.0; 16];
            for k in 0..d {
                // SAFETY: a query has `d` elements.
                let query = unsafe { *q.add(head * d + k) };
                // SAFETY: a head has `blocks * d` blocks of keys.
                let keys = unsafe { &*keys.add((head * blocks + block) * d + k) };
                sums = cpu.axpy(query, keys, sums);
            }
            scores[block] = sums.map(|score| score * scale);
        }
        let shares = &mut scores.as_flattened_mut()[..s];
        softmax(shares);
        // SAFETY: a head of the result has `d` elements.
        let sums = unsafe { std::slice::from_raw_parts_mut(out.add(head * d), d) };
        sums.fill(0.0);
        for (position, share) in shares.iter().enumerate() {
            // SAFETY: a position has `d` values.
            let value = unsafe { std::slice::from_raw_parts(values.add((head * s + position) * d), d) };
            sums.iter_mut().zip(value).for_each(|(sum, value)| *sum = cpu.mul_add(*share, *value, *sum));
        }
    }
}

/// Keys and values in b, s, h, d order.
pub(crate) fn naive(q: &[f32], k: &[f32], v: &[f32], out: &mut [f32], Extents { b, s, h, d }: Extents) {
    let scale = (d as f32).sqrt().recip();
    for batch in 0..b {
        for head in 0..h {
            let query = &q[(batch * h + head) * d..][..d];
            let mut scores = vec![0.0; s];
            for position in 0..s {
                let mut sum = 0.0;
                for i in 0..d {
                    sum += query[i] * k[((batch * s + position) * h + head) * d + i];
                }
                scores[position] = sum * scale;
            }
            softmax(&mut scores);
            for i in 0..d {
                let mut sum = 0.0;
                for position in 0..s {
                    sum += scores[position] * v[((batch * s + position) * h + head) * d + i];
                }
                out[(batch * h + head) * d + i] = sum;
            }
        }
    }
}
