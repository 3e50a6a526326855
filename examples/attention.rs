//! Attention of one new token to a cache of keys that is blocked by position, `bshd => bhSd16s`: 16 positions side by side, so
//! that a vector holds 16 scores and the cache grows by writing single elements. Beside it raw pointers and plain loops.
//!
//! `cargo run --release --example attention`

#[allow(dead_code, reason = "each example uses a part")]
mod kernels;

use kernels::attention::{self, Extents};
use kernels::{input, race};
use std::error::Error;
use tensor_layout::kernels::Cpu;
use tensor_layout::*;

type Plain = layout!("bshd => bshd"); // as the projection writes them, position by position
type Keys = layout!("bshd => bhSd16s"); // for each element of a head, 16 positions side by side
type Values = layout!("bshd => bhsd"); // a head's positions one after the other

/// `out` = softmax(q k^T / sqrt(d)) v, for the one position of `q`; positions behind the last never count.
#[inline(always)]
fn attend(
    cpu: impl Isa,
    q: TensorView<'_, f32, Plain>,
    keys: TensorView<'_, f32, Keys>,
    values: TensorView<'_, f32, Values>,
    mut out: TensorViewMut<'_, f32, Plain>,
) -> Result<(), Box<dyn Error>> {
    let [_, positions, heads, depth] = keys.dims();
    let scale = (depth as f32).sqrt().recip();
    let mut scores = vec![[0.0f32; 16]; positions.div_ceil(16)];
    let mut rows = keys.block_rows::<'d'>()?; // a row for each head and 16 positions
    for (number, (([b, _, h, _], query), (_, sums))) in
        q.block_rows::<'d'>()?.zip(out.block_rows_mut::<'d'>()?).enumerate()
    {
        debug_assert_eq!(number, b * heads + h);
        for (scores, (_, row)) in scores.iter_mut().zip(rows.by_ref()) {
            let sums = query.iter().zip(row).fold([0.0; 16], |sums, (q, keys)| cpu.axpy(*q, keys, sums));
            *scores = sums.map(|score| score * scale);
        }
        let shares = &mut scores.as_flattened_mut()[..positions]; // behind it: padding
        attention::softmax(shares);
        sums.fill(0.0);
        for (share, (_, value)) in
            shares.iter().zip(values.slice::<'b'>(b..b + 1)?.slice::<'h'>(h..h + 1)?.block_rows::<'d'>()?)
        {
            sums.iter_mut().zip(value).for_each(|(sum, value)| *sum = cpu.mul_add(*share, *value, *sum));
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let extents @ Extents { b, s, h, d } = Extents { b: 2, s: 1000, h: 8, d: 64 };
    let [k, v] = [1.0, 2.0].map(|scale| input::numbers(b * s * h * d, scale));
    let queries = input::numbers(b * h * d, 4.0);
    let q = Tensor::<f32, Plain>::from_slice([b, 1, h, d], &queries)?;
    let mut keys = Tensor::<f32, Plain>::from_slice([b, s, h, d], &k)?.to_layout::<Keys>();
    let values = Tensor::<f32, Plain>::from_slice([b, s, h, d], &v)?.to_layout::<Values>();
    // The newest token's keys go where they belong: position 999 is place 7 of block 62.
    for ([b, s, h, d], &key) in
        Tensor::<f32, Plain>::from_slice([b, s, h, d], &k)?.slice::<'s'>(s - 1..)?.indexed_iter()
    {
        keys[[b, s + extents.s - 1, h, d]] = key;
    }
    let mut typed = Tensor::<f32, Plain>::zeroed([b, 1, h, d])?;
    let (mut raw, mut naive) = (typed.clone(), vec![0.0; b * h * d]);

    println!("{}, one core", Cpu::current());
    let mut times = Vec::new();
    for pass in race::PASSES {
        times = race::Race::new(
            "attention, 2 x 8 heads of 64, 1000 positions",
            (4 * b * s * h * d) as f64,
            "GFLOP/s",
        )
        .add("typed views, keys bhSd16s", || {
            dispatch!(|cpu| attend(cpu, q.view(), keys.view(), values.view(), typed.view_mut()))
                .expect("extents agree")
        })
        .add("raw pointers, keys bhSd16s", || {
            attention::blocked_raw(
                q.as_slice(),
                keys.as_slice(),
                values.as_slice(),
                raw.as_mut_slice(),
                extents,
            )
        })
        .add("plain loops, keys bshd", || attention::naive(&queries, &k, &v, &mut naive, extents))
        .run(pass, None);
        race::assert_close("typed views", typed.as_slice(), &naive, 1e-5);
        race::assert_close("raw pointers", raw.as_slice(), &naive, 1e-5);
    }
    println!("all agree; {:.1} times as fast as plain loops", times[2] / times[0]);
    Ok(())
}
