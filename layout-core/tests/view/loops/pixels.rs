//! Strips of channels-last layouts against loops over all columns and channels with a look at the borders, and one kernel
//! over them for any such layout.

use layout_core::kernels::Isa;
use layout_core::layout::{Block, ChannelsLast, Dim, Format, HasAxis, Layout, Nhwc};
use layout_core::shape::IndexError;
use layout_core::view::{
    KernelLoops, KernelLoopsMut, Tensor, TensorView, View, ViewError, Window, WindowError,
};
use layout_core::{dispatch, unroll};

type Logical = (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>);
/// Columns below one another, and pictures side by side: the strips' axis lies anywhere but innermost.
type Nwhc = Format<(Dim<'n'>, Dim<'w'>, Dim<'h'>, Dim<'c'>), Logical>;
type Hwnc = Format<(Dim<'h'>, Dim<'w'>, Dim<'n'>, Dim<'c'>), Logical>;
/// For each input channel 16 outputs side by side.
type Ohwi16o = Format<
    (Dim<'o'>, Dim<'h'>, Dim<'w'>, Dim<'i'>, Block<'o', 16>),
    (Dim<'o'>, Dim<'i'>, Dim<'h'>, Dim<'w'>),
>;

/// The element at `[n, c, h, w]`, small and whole, so that sums of products are exact.
fn number([n, c, h, w]: [usize; 4]) -> f32 {
    ((31 * n + 7 * c + 13 * h + 5 * w) % 17) as f32 - 8.0
}

fn strips_match<L: Layout<Index = [usize; 4]> + ChannelsLast + HasAxis<'w'>>(
    view: &impl View<Elem = f32, Layout = L>,
    expected: impl Fn([usize; 4]) -> f32,
) {
    const FILL: f32 = 99.0;
    let [batch, channels, height, width] = view.dims();
    for (stride, before, after) in (0..48).map(|k| (1 + k % 3, k / 3 % 4, k / 12)) {
        let window = Window::new(3).stride(stride).padding(before, after);
        let Ok(outputs) = window.outputs(width) else { continue };
        let strips = view.pixel_strips::<'w'>(window, FILL).unwrap();
        assert_eq!(strips.outputs(), outputs);
        let mut halo = [[0.0; 8]; 5];
        for (output, first) in (0..outputs).flat_map(|x| (0..channels).map(move |c| (x, c))) {
            let (n, h) = (output % batch, first % height);
            let columns = strips.at([n, first, h, output], &mut halo).unwrap();
            for (k, column) in columns.iter().enumerate() {
                let w = (output * stride + k).checked_sub(before).filter(|&w| w < width);
                let in_view = |c| w.filter(|_| c < channels).map_or(FILL, |w| expected([n, c, h, w]));
                let wanted: [f32; 8] = std::array::from_fn(|c| in_view(first + c));
                assert_eq!(**column, wanted, "{window:?}: output {output}, column {k}, channel {first}");
            }
        }
        let out = |axis, position, index, extent| IndexError::OutOfRange { axis, position, index, extent };
        for (start, error) in [
            ([0, 0, 0, outputs], out('w', 3, outputs, outputs)),
            ([0, channels, 0, 0], out('c', 1, channels, channels)),
            ([batch, 0, 0, 0], out('n', 0, batch, batch)),
        ] {
            assert_eq!(strips.at(start, &mut halo).unwrap_err(), error);
        }
    }
}

#[test]
fn strips_of_pixels_hold_the_columns_the_halo_and_the_tail() {
    fn with<L: Layout<Index = [usize; 4]> + ChannelsLast + HasAxis<'h'> + HasAxis<'w'>>() {
        for width in [0, 1, 4, 5, 9] {
            let t = Tensor::<f32, L>::from_fn([2, 19, 3, width], number).unwrap();
            strips_match(&t, number);
        }
        // Of a part the strips end at its borders, and what lies behind them is not seen.
        let t = Tensor::<f32, L>::from_fn([2, 19, 4, 12], number).unwrap();
        let part = t.slice::<'w'>(2..9).unwrap();
        let part = part.slice::<'h'>(1..4).unwrap();
        strips_match(&part, |[n, c, h, w]| number([n, c, h + 1, w + 2]));
    }
    with::<Nhwc>();
    with::<Nwhc>();
    with::<Hwnc>();
    // Some of the channels of each pixel.
    let t = Tensor::<f32, Nhwc>::from_fn([1, 19, 2, 8], number).unwrap();
    strips_match(&t.slice::<'c'>(3..14).unwrap(), |[n, c, h, w]| number([n, c + 3, h, w]));
}

#[test]
fn columns_within_the_view_are_its_own_memory() {
    let t = Tensor::<f32, Nhwc>::from_fn([1, 16, 2, 8], number).unwrap();
    let strips = t.pixel_strips::<'w'>(Window::new(3).padding(1, 1), 0.0).unwrap();
    let mut halo = [[0.0; 8]; 4];
    let columns = strips.at([0, 8, 1, 3], &mut halo).unwrap();
    for (k, column) in columns.iter().enumerate() {
        assert!(core::ptr::eq(&raw const column[0], &raw const t[[0, 8, 1, 2 + k]]));
    }
    // The strips may go down as well.
    let strips = t.pixel_strips::<'h'>(Window::new(2), 0.0).unwrap();
    let columns = strips.at([0, 8, 0, 5], &mut halo).unwrap();
    assert_eq!([0, 1].map(|k| columns[k][0]), [0, 1].map(|h| number([0, 8, h, 5])));
}

#[test]
fn channels_that_are_no_neighbours_are_refused() {
    let t = Tensor::<f32, Hwnc>::zeroed([4, 3, 2, 2]).unwrap();
    let planes = t.select::<'c'>(1).unwrap();
    let renamed = planes.relabel::<Format<(Dim<'h'>, Dim<'w'>, Dim<'c'>), (Dim<'c'>, Dim<'h'>, Dim<'w'>)>>();
    let error = ViewError::Stride { axis: 'c', position: 2, expected: 1, found: 3 };
    assert_eq!(renamed.pixel_strips::<'w'>(Window::new(1), 0.0).unwrap_err(), WindowError::View(error));
    assert_eq!(
        t.pixel_strips::<'w'>(Window::new(5), 0.0).unwrap_err(),
        WindowError::Short { extent: 2, before: 0, after: 0, reach: 5 }
    );
}

const WINDOW: Window = Window::new(3).stride(2).padding(1, 1);

/// A 3 x 3 convolution with stride 2 for any channels-last layout: four outputs and 16 of their channels at a time.
#[inline(always)]
fn convolve<L>(
    cpu: impl Isa,
    src: &impl View<Elem = f32, Layout = L>,
    weights: TensorView<'_, f32, Ohwi16o>,
    dst: &mut Tensor<f32, L>,
) -> Result<(), Box<dyn core::error::Error>>
where
    L: Layout<Index = [usize; 4], Block<f32> = f32> + ChannelsLast + HasAxis<'w'> + HasAxis<'c'>,
{
    let [_, channels, height, _] = src.dims();
    let (strips, mut halo) = (src.pixel_strips::<'w'>(WINDOW, 0.0)?, [[0.0; 8]; 9]);
    for ([n, o, y, x], mut tile) in dst.indexed_tiles_mut([1, 16, 1, 4])? {
        let mut sums = [[0.0; 16]; 4];
        for c in (0..channels).step_by(8) {
            for (ky, sy) in WINDOW.taps(height, y) {
                let columns = strips.at([n, c, sy, x], &mut halo)?;
                for (kx, i) in (0..3).flat_map(|kx| (0..(channels - c).min(8)).map(move |i| (kx, i))) {
                    let taps =
                        weights.block_at([o, c + i, ky, kx]).ok_or("the weights have other extents")?;
                    unroll!(4, |p| sums[p] = cpu.axpy(columns[2 * p + kx][i], taps, sums[p]));
                }
            }
        }
        for ((_, pixel), sums) in tile.block_rows_mut::<'c'>()?.zip(&sums) {
            pixel.copy_from_slice(&sums[..pixel.len()]); // the last channels may be fewer than 16
        }
    }
    Ok(())
}

#[test]
fn one_kernel_serves_every_channels_last_layout() {
    let [channels, outputs, height, width] = [21, 20, 5, 15];
    let weights = Tensor::<f32, Ohwi16o>::from_fn([outputs, channels, 3, 3], number).unwrap();
    let out = [height, width].map(|extent| WINDOW.outputs(extent).unwrap());
    // All of `source` from row and column 0 on, or a part of it that begins later.
    let expected = |source: &dyn Fn([usize; 4]) -> f32, [n, o, y, x]: [usize; 4]| -> f32 {
        let mut sum = 0.0;
        for (ky, kx) in (0..9).map(|k| (k / 3, k % 3)) {
            let place = ((2 * y + ky).checked_sub(1), (2 * x + kx).checked_sub(1));
            let (Some(h), Some(w)) = place else { continue };
            if h < height && w < width {
                let product = |c| source([n, c, h, w]) * number([o, c, ky, kx]);
                sum += (0..channels).map(product).sum::<f32>();
            }
        }
        sum
    };
    fn run<L>(
        src: &impl View<Elem = f32, Layout = L>,
        weights: &Tensor<f32, Ohwi16o>,
        dims: [usize; 4],
    ) -> Tensor<f32, L>
    where
        L: Layout<Index = [usize; 4], Block<f32> = f32> + ChannelsLast + HasAxis<'w'> + HasAxis<'c'>,
    {
        let mut dst = Tensor::<f32, L>::filled(dims, f32::NAN).unwrap();
        dispatch!(|cpu| convolve(cpu, src, weights.view(), &mut dst)).unwrap();
        dst
    }
    let dims = [2, outputs, out[0], out[1]];
    let image = Tensor::<f32, Nhwc>::from_fn([2, channels, height, width], number).unwrap();
    let nwhc = run(&image.to_layout::<Nwhc>(), &weights, dims);
    let hwnc = run(&image.to_layout::<Hwnc>(), &weights, dims);
    let nhwc = run(&image, &weights, dims);
    let large = Tensor::<f32, Nhwc>::from_fn([2, channels + 4, height + 3, width + 6], number).unwrap();
    let part = large.slice::<'c'>(1..channels + 1).unwrap();
    let part = part.slice::<'h'>(2..height + 2).unwrap();
    let part = run(&part.slice::<'w'>(3..width + 3).unwrap(), &weights, dims);
    for (index, &found) in nhwc.indexed_iter() {
        let wanted = expected(&number, index);
        assert_eq!([found, nwhc[index], hwnc[index]], [wanted; 3], "at {index:?}");
        let of_part = |[n, c, h, w]: [usize; 4]| number([n, c + 1, h + 2, w + 3]);
        assert_eq!(part[index], expected(&of_part, index), "of the part, at {index:?}");
    }
}
