//! A 1 x 1 convolution of u8 pixels with s8 weights in `OIhw4i16o4i`, whose blocks are the operands of VNNI's dot product:
//! four inputs of each of 16 outputs side by side. Beside it the same on raw pointers and in plain NCHW loops.
//!
//! `cargo run --release --example int8`

#[allow(dead_code, reason = "each example uses a part")]
mod kernels;

use kernels::int8::{self, Dot, Extents};
use kernels::{input, race};
use std::error::Error;
use tensor_layout::kernels::Cpu;
use tensor_layout::*;

type Weights = layout!("OIhw4i16o4i");
type Act = layout!("nChw16c");

/// `P` neighbouring pixels at a time; of each, four channels at a time meet four inputs of 16 outputs.
#[inline(always)]
fn convolve<const P: usize>(
    dot: impl Dot,
    src: TensorView<'_, u8, Act>,
    weights: TensorView<'_, i8, Weights>,
    mut dst: TensorViewMut<'_, i32, Act>,
) -> Result<(), Box<dyn Error>> {
    let (strips, mut halo) = (src.strips::<'w'>(Window::new(1), 0)?, Aligned([[0; 16]; P]));
    if weights.extent::<'i'>() != src.extent::<'c'>() {
        return Err("the weights have other extents".into());
    }
    for ([n, o, y, _], row) in dst.block_rows_mut::<'w'>()? {
        for (strip, outputs) in row.chunks_mut(P).enumerate() {
            let mut sums = [[0; 16]; P];
            let rows = strips.rows_along::<'c'>([n, 0, y, 0])?;
            for (row, block) in rows.zip(weights.blocks_along::<'i'>([o, 0, 0, 0])?) {
                let pixels = row.at(strip * P, &mut halo)?;
                for (four, taps) in block.iter().enumerate() {
                    unroll!(P, |p| sums[p] = dot.dot(pixels[p].as_chunks().0[four], taps, sums[p]));
                }
            }
            match outputs.first_chunk_mut::<P>() {
                Some(outputs) => unroll!(P, |p| outputs[p] = sums[p]),
                None => unroll!(P, |p| outputs.get_mut(p).map_or((), |output| *output = sums[p])),
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let extents @ Extents { i, o, h, w } = Extents { i: 64, o: 256, h: 56, w: 56 };
    let image: Vec<u8> = input::features(i, h, w).iter().map(|x| (127.5 * (x + 1.0)) as u8).collect();
    let filters: Vec<i8> = input::numbers(o * i, 127.0).iter().map(|&x| x as i8).collect();
    let src = Tensor::<u8, Nchw>::from_slice([1, i, h, w], &image)?.to_layout::<Act>();
    let weights = Tensor::<i8, Oihw>::from_slice([o, i, 1, 1], &filters)?.to_layout::<Weights>();
    let mut typed = Tensor::<i32, Act>::zeroed([1, o, h, w])?;
    let (mut portable, mut raw) = (typed.clone(), typed.clone());
    let mut naive = vec![0; o * h * w];

    let vnni = int8::Vnni::detect();
    println!("{}, {} VNNI, one core", Cpu::current(), if vnni.is_some() { "with" } else { "without" });
    let mut times = Vec::new();
    for pass in race::PASSES {
        times =
            race::Race::new("s8 weights, 1 x 1, 64 x 56 x 56 -> 256", (2 * i * o * h * w) as f64, "GOP/s")
                .add("typed views, VNNI where there is any", || {
                    let (src, weights, dst) = (src.view(), weights.view(), typed.view_mut());
                    let result = match vnni {
                        Some(vnni) => vnni.run(
                            #[inline(always)]
                            || convolve::<28>(vnni, src, weights, dst),
                        ),
                        None => dispatch!(convolve::<4>(int8::Portable, src, weights, dst)),
                    };
                    result.expect("extents agree")
                })
                .add("raw pointers, VNNI where there is any", || {
                    int8::blocked_raw(vnni, src.as_slice(), weights.as_slice(), raw.as_mut_slice(), extents)
                })
                .add("typed views, portable dot product", || {
                    dispatch!(convolve::<4>(int8::Portable, src.view(), weights.view(), portable.view_mut()))
                        .expect("extents agree")
                })
                .add("plain loops on NCHW", || int8::naive(&image, &filters, &mut naive, extents))
                .run(pass, None);
        for (who, found) in [("typed views", &typed), ("raw pointers", &raw), ("portable", &portable)] {
            assert_eq!(found.to_layout::<Nchw>().as_slice(), naive, "{who} and plain loops differ");
        }
    }
    println!("all agree; {:.1} times as fast as plain loops", times[3] / times[0]);
    Ok(())
}
