//! A matrix multiply on packed operands, of the size of a layer of BERT: weights `BA16a64b` (tiles of 16 rows and 64 columns,
//! as oneDNN packs them), activations `AB6a16b` (six rows that are added up together). Beside it the same on raw pointers,
//! plain loops, and the crate `matrixmultiply`, which packs anew each time.
//!
//! `cargo run --release --example matmul`

#[allow(dead_code, reason = "each example uses a part")]
mod kernels;

use kernels::matmul::{self, Extents};
use kernels::{input, race};
use std::error::Error;
use tensor_layout::*;

type Rows = layout!("AB6a16b");
type Packed = layout!("BA16a64b");

/// Six rows by `Q` vectors of 16 columns at a time, whose sums stay in registers.
#[inline(always)]
fn multiply<const Q: usize>(
    cpu: impl Isa,
    x: TensorView<'_, f32, Rows>,
    weights: TensorView<'_, f32, Packed>,
    mut y: TensorViewMut<'_, f32, RowMajor>,
) -> Result<(), Box<dyn Error>> {
    // The weights of 64 columns stay in the cache while all rows pass by.
    for (panel, columns) in y.chunks_mut::<'b'>(64)?.enumerate() {
        for (strip, mut tile) in columns.into_tiles([6, usize::MAX])?.enumerate() {
            let mut outputs = [[[0.0; 16]; 4]; 6];
            for first in (0..4).step_by(Q) {
                let mut sums = [[[0.0; 16]; Q]; 6];
                for k in (0..x.dims()[1]).step_by(16) {
                    let values = x.block_at([6 * strip, k]).ok_or("the rows have other extents")?;
                    let block = weights.block_at([k, 64 * panel]).ok_or("the weights have other extents")?;
                    for (i, taps) in block.iter().enumerate() {
                        let taps = &taps.as_chunks::<16>().0[first..][..Q];
                        unroll!(6, |r| unroll!(Q, |q| {
                            sums[r][q] = cpu.axpy(values[r][i], &taps[q], sums[r][q]);
                        }));
                    }
                }
                unroll!(6, |r| unroll!(Q, |q| outputs[r][first + q] = sums[r][q]));
            }
            for ((_, row), output) in tile.block_rows_mut::<'b'>()?.zip(&outputs) {
                row.copy_from_slice(&output.as_flattened()[..row.len()]); // the last panel may be narrow
            }
        }
    }
    Ok(())
}

/// As many sums as the registers hold: 24 vectors of AVX-512 and of NEON, 12 of AVX2.
#[inline(always)]
fn multiply_for<I: Isa>(
    cpu: I,
    x: TensorView<'_, f32, Rows>,
    weights: TensorView<'_, f32, Packed>,
    y: TensorViewMut<'_, f32, RowMajor>,
) -> Result<(), Box<dyn Error>> {
    match I::VECTOR_BYTES {
        64 => multiply::<4>(cpu, x, weights, y),
        _ => multiply::<1>(cpu, x, weights, y),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let extents @ Extents { m, k, n } = Extents { m: 384, k: 768, n: 768 };
    let (x, w) = (input::features(k, 16, 24), input::numbers(k * n, 0.05));
    let rows = Tensor::<f32, RowMajor>::from_slice([m, k], &x)?.to_layout::<Rows>();
    let weights = Tensor::<f32, RowMajor>::from_slice([k, n], &w)?.to_layout::<Packed>();
    let mut typed = Tensor::<f32, RowMajor>::zeroed([m, n])?;
    let mut raw = typed.clone();
    let [mut crates, mut naive] = [(); 2].map(|()| vec![0.0; m * n]);

    let peak = race::peak_flops();
    let mut times = Vec::new();
    for pass in race::PASSES {
        times = race::Race::new("matrix multiply, 384 x 768 x 768", (2 * m * k * n) as f64, "GFLOP/s")
            .add("typed views, packed operands", || {
                dispatch!(|cpu| multiply_for(cpu, rows.view(), weights.view(), typed.view_mut()))
                    .expect("extents agree")
            })
            .add("raw pointers, packed operands", || {
                matmul::packed_raw(rows.as_slice(), weights.as_slice(), raw.as_mut_slice(), extents)
            })
            .add("matrixmultiply", || matmul::by_crate(&x, &w, &mut crates, extents))
            .add("plain loops", || matmul::naive(&x, &w, &mut naive, extents))
            .run(pass, Some(peak));
        for (who, found) in [
            ("typed views", typed.as_slice()),
            ("raw pointers", raw.as_slice()),
            ("matrixmultiply", &crates[..]),
        ] {
            race::assert_close(who, found, &naive, 1e-5);
        }
    }
    println!("all agree; {:.1} times as fast as plain loops", times[3] / times[0]);
    Ok(())
}
