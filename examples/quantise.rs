//! Weights of a convolution to 8 bits and back: f32 `oihw` -> s8 `OIhw4i16o4i` with a scale for each output channel, chosen
//! so that its largest weight becomes 127. Timed beside the same work in plain loops, which must give the same bytes.
//!
//! `cargo run --release --example quantise`

use std::error::Error;
use std::time::{Duration, Instant};
use tensor_layout::{Attributes, Oihw, ReorderError, Tensor, Values, layout, reorder_with};

type Packed = layout!("OIhw4i16o4i");

const DIMS: [usize; 4] = [256, 128, 3, 3];

fn main() -> Result<(), Box<dyn Error>> {
    let [outputs, inputs, height, width] = DIMS;
    let weights: Tensor<f32, Oihw> = Tensor::from_fn(DIMS, |[o, i, y, x]| {
        let angle = (o * 131 + i * 31 + y * 7 + x) as f32;
        angle.sin() * (1.0 + o as f32 / 50.0)
    })?;
    let channels = weights.as_slice().chunks_exact(inputs * height * width);
    let scales: Vec<f32> =
        channels.map(|all| all.iter().fold(0.0f32, |most, x| most.max(x.abs())) / 127.0).collect();

    let mut packed: Tensor<i8, Packed> = Tensor::zeroed(DIMS)?;
    let quantised = Attributes::new().dst_scale(Values::per_axis('o', &scales));
    let there = timed(|| reorder_with(&weights, &mut packed, &quantised))?;
    let mut restored: Tensor<f32, Oihw> = Tensor::zeroed(DIMS)?;
    let dequantised = Attributes::new().src_scale(Values::per_axis('o', &scales));
    let back = timed(|| reorder_with(&packed, &mut restored, &dequantised))?;

    let (mut plain, mut plain_back) = (vec![0i8; packed.len()], vec![0.0f32; weights.len()]);
    let plain_there = timed(|| quantise(weights.as_slice(), &scales, &mut plain))?;
    let plain_time = timed(|| dequantise(&plain, &scales, &mut plain_back))?;
    if packed.as_slice() != plain || restored.as_slice() != plain_back {
        return Err("the reorder and the plain loops disagree".into());
    }
    // Rounding moves a weight by half a step at most, and the two products by a little more.
    for (o, scale) in scales.iter().enumerate() {
        let all = o * inputs * height * width..(o + 1) * inputs * height * width;
        let pairs = weights.as_slice()[all.clone()].iter().zip(&restored.as_slice()[all]);
        if pairs.into_iter().any(|(before, after)| (before - after).abs() > scale * 0.501) {
            return Err(format!("output channel {o} lost more than half a step of {scale}").into());
        }
    }
    println!("{:<40}{:>13}{:>15}", "", "here", "plain loops");
    for (name, here, plain) in [
        ("f32 oihw -> s8 OIhw4i16o4i, scaled", there, plain_there),
        ("s8 OIhw4i16o4i -> f32 oihw, scaled", back, plain_time),
    ] {
        println!("{name:<40}{:>10.3} ms{:>12.3} ms", here.as_secs_f64() * 1e3, plain.as_secs_f64() * 1e3);
    }
    println!("{outputs} scales; both ways agree with plain loops");
    Ok(())
}

/// The shortest of a few runs.
fn timed(mut work: impl FnMut() -> Result<(), ReorderError>) -> Result<Duration, ReorderError> {
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        work()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

/// The place of a weight in `OIhw4i16o4i`.
fn place([o, i, y, x]: [usize; 4]) -> usize {
    let [_, inputs, height, width] = DIMS;
    let block = ((o / 16 * (inputs / 16) + i / 16) * height + y) * width + x;
    block * 256 + (i % 16 / 4) * 64 + o % 16 * 4 + i % 4
}

fn quantise(weights: &[f32], scales: &[f32], out: &mut [i8]) -> Result<(), ReorderError> {
    each(|index, at| {
        let scaled = weights[at] * (1.0 / scales[index[0]]);
        out[place(index)] = scaled.round_ties_even() as i8;
    });
    Ok(())
}

fn dequantise(packed: &[i8], scales: &[f32], out: &mut [f32]) -> Result<(), ReorderError> {
    each(|index, at| out[at] = f32::from(packed[place(index)]) * scales[index[0]]);
    Ok(())
}

/// Calls `visit` with every index and its place in `oihw`.
fn each(mut visit: impl FnMut([usize; 4], usize)) {
    let [outputs, inputs, height, width] = DIMS;
    let mut at = 0;
    for o in 0..outputs {
        for i in 0..inputs {
            for y in 0..height {
                for x in 0..width {
                    visit([o, i, y, x], at);
                    at += 1;
                }
            }
        }
    }
}
