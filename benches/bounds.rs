//! What the memory of a machine allows a transposition: `cargo bench --bench bounds`.
//!
//! A reorder that exchanges two axes reads squares of lines that lie far apart and writes squares of lines that lie far
//! apart. Here the same lines are read and written in such squares and nothing else is done: no element moves within a
//! line, so that nothing but loads and stores of whole lines is left. Squares of many shapes are tried in both orders,
//! through the caches and past them, and the fastest is kept: "bound". What a reorder takes beyond it is its own; what
//! the bound takes beyond a memcpy is the machine's.

use std::hint::black_box;
use std::time::Instant;
use tensor_layout::{DType, Descriptor, Reorder, Tensor, layout};

/// Rounds in which each has a turn.
const ROUNDS: usize = 41;
/// Bytes of a line.
const LINE: usize = 64;

fn main() {
    // `cargo test --benches` runs this too, without `--bench`; it has nothing to check then.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    use DType::{Bf16, F32, S8, U8};
    let cases = [
        Case::matrix(F32, F32, 512, 512),
        Case::matrix(F32, F32, 1000, 1001),
        Case::matrix(F32, F32, 1024, 1024),
        Case::matrix(F32, F32, 1040, 1040),
        Case::matrix(F32, F32, 4096, 4096),
        Case::matrix(Bf16, Bf16, 1024, 1024),
        Case::matrix(S8, S8, 1024, 1024),
        Case::activations(F32, "nchw", F32, "nhwc", [2, 64, 28]),
        Case::activations(F32, "nhwc", F32, "nchw", [2, 64, 28]),
        Case::activations(Bf16, "nchw", Bf16, "nhwc", [4, 64, 28]),
        Case::activations(U8, "nhwc", U8, "nchw", [8, 64, 28]),
        Case::activations(F32, "nchw", F32, "nhwc", [8, 64, 56]),
        Case::activations(F32, "nhwc", F32, "nchw", [8, 64, 56]),
        Case::activations(F32, "nchw", F32, "nChw16c", [8, 64, 56]),
        Case::activations(F32, "nChw16c", F32, "nchw", [8, 64, 56]),
        Case::activations(Bf16, "nchw", Bf16, "nhwc", [16, 64, 56]),
        Case::activations(Bf16, "nhwc", Bf16, "nchw", [16, 64, 56]),
        Case::activations(U8, "nchw", U8, "nhwc", [32, 64, 56]),
        Case::activations(U8, "nhwc", U8, "nchw", [32, 64, 56]),
        Case::activations(F32, "nchw", Bf16, "nhwc", [8, 64, 56]),
        Case::activations(F32, "nhwc", Bf16, "nchw", [8, 64, 56]),
        Case::activations(Bf16, "nchw", F32, "nhwc", [8, 64, 56]),
        Case::activations(Bf16, "nhwc", F32, "nchw", [8, 64, 56]),
        Case::activations(F32, "nchw", S8, "nhwc", [8, 64, 56]),
        Case::activations(F32, "nhwc", S8, "nchw", [8, 64, 56]),
        Case::activations(U8, "nchw", F32, "nhwc", [8, 64, 56]),
        Case::activations(U8, "nhwc", F32, "nchw", [8, 64, 56]),
    ];
    println!("{:<44}{:>10}{:>10}{:>10}  fastest squares", "share of memcpy", "bound", "ours", "of bound");
    for case in &cases {
        case.measure();
    }
}

/// Matrices that are transposed: rows of the source become columns of the destination.
struct Case {
    name: String,
    src: Descriptor,
    dst: Descriptor,
    /// How many matrices, rows of the source and elements of a row.
    batch: usize,
    rows: usize,
    cols: usize,
}

/// Which lines are read and written together, and in which order the squares follow one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Squares {
    /// Lines of one row of the source, and of one row of the destination.
    src_lines: usize,
    dst_lines: usize,
    /// Whether the next square is that of the next rows of the source.
    down: bool,
    /// Whether stores go past the caches.
    streaming: bool,
}

impl Case {
    fn matrix(src: DType, dst: DType, rows: usize, cols: usize) -> Case {
        let descriptor =
            |dtype, format| Descriptor::new(dtype, &[rows, cols], format).expect("fits in memory");
        let name = format!("{src} -> {dst}, ab -> ba, {rows} x {cols}");
        Case { name, src: descriptor(src, "ab"), dst: descriptor(dst, "ba"), batch: 1, rows, cols }
    }

    fn activations(src: DType, from: &str, dst: DType, to: &str, [n, c, side]: [usize; 3]) -> Case {
        let dims = [n, c, side, side];
        let descriptor = |dtype, format| Descriptor::new(dtype, &dims, format).expect("fits in memory");
        let block = if from.ends_with("16c") || to.ends_with("16c") { 16 } else { c };
        let (rows, cols) = if from == "nchw" { (block, side * side) } else { (side * side, block) };
        let name = format!("{src} -> {dst}, {from} -> {to}, {n}x{c}x{side}x{side}");
        Case { name, src: descriptor(src, from), dst: descriptor(dst, to), batch: n * c / block, rows, cols }
    }

    fn measure(&self) {
        let (read, written) = (self.src.size_bytes(), self.dst.size_bytes());
        let longest = read.max(written).next_multiple_of(LINE);
        let buffer = || Tensor::<u8, layout!("a")>::zeroed([longest]).expect("fits in memory");
        let (mut from, mut to) = (buffer(), buffer());
        from.as_mut_slice().iter_mut().enumerate().for_each(|(i, byte)| *byte = (i % 61) as u8);
        let (from, to) = (from.as_slice(), to.as_mut_slice());

        let plan = Reorder::new(&self.src, &self.dst).expect("both have the same extents");
        let best = self.fastest(from, to);
        let mut times = [const { Vec::new() }; 3];
        for round in 0..ROUNDS {
            for turn in 0..times.len() {
                let way = (round + turn) % times.len();
                let mut run = || match way {
                    0 => to[..(read + written) / 2].copy_from_slice(&from[..(read + written) / 2]),
                    1 => self.squares(&best, from, to),
                    _ => plan.run(from, to).expect("the buffers are long enough"),
                };
                times[way].push(time(&mut run));
            }
        }
        let [copy, bound, ours] = times.map(median);
        let Squares { src_lines, dst_lines, down, streaming } = best.squares;
        println!(
            "{:<44}{:>10.2}{:>10.2}{:>10.2}  {src_lines} x {dst_lines} lines, {}{}",
            self.name,
            copy / bound,
            copy / ours,
            bound / ours,
            if down { "along the source's columns" } else { "along its rows" },
            if streaming { ", streaming" } else { "" },
        );
    }

    /// The squares that take the least time.
    fn fastest(&self, from: &[u8], to: &mut [u8]) -> Way {
        let lines = [1, 2, 4, 8, 16];
        let shapes = lines.iter().flat_map(|&s| lines.iter().map(move |&d| (s, d)));
        let ways = shapes.flat_map(|(src_lines, dst_lines)| {
            [(false, false), (false, true), (true, false), (true, true)]
                .map(|(down, streaming)| Way::new(self, Squares { src_lines, dst_lines, down, streaming }))
        });
        let timed = ways.map(|way| {
            let mut run = || self.squares(&way, from, to);
            let mut samples: Vec<f64> = (0..5).map(|_| time(&mut run)).collect();
            samples.sort_by(f64::total_cmp);
            (way, samples[1])
        });
        timed.min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are several").0
    }

    /// Reads and writes every line of the case in squares.
    fn squares(&self, way: &Way, from: &[u8], to: &mut [u8]) {
        assert!(from.len() >= self.src.size_bytes() && to.len() >= self.dst.size_bytes());
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512; the buffers hold both sides.
            return unsafe { avx512(self, way, from.as_ptr(), to.as_mut_ptr()) };
        }
        self.each(way, |src, dst| to[dst..][..LINE].copy_from_slice(&from[src..][..LINE]));
    }

    /// The lines of a square of `rows` rows of the source by `cols` of the destination, as distances in bytes from its
    /// beginnings on both sides: one for every line of the wider side. Pieces shorter than a line are left out, in favour of
    /// the bound.
    fn lines(&self, rows: usize, cols: usize) -> Vec<(usize, usize)> {
        let (s, d) = (self.src.dtype().size(), self.dst.dtype().size());
        let side = |rows: usize, pitch: usize, bytes: usize| {
            let lines = move |row| (0..bytes / LINE).map(move |piece| row * pitch + piece * LINE);
            (0..rows).flat_map(lines).collect::<Vec<_>>()
        };
        let src = side(rows, self.cols * s, cols * s);
        let dst = side(cols, self.rows * d, rows * d);
        if src.is_empty() || dst.is_empty() {
            return Vec::new();
        }
        // The narrower side stays at a line for as many of the wider one as its elements take there.
        let (every_src, every_dst) = ((d / s).max(1), (s / d).max(1));
        let at = |lines: &[usize], i: usize| lines[i.min(lines.len() - 1)];
        (0..src.len().max(dst.len())).map(|i| (at(&src, i / every_src), at(&dst, i / every_dst))).collect()
    }

    /// Calls `copy` with the offsets in bytes of a line of the source and of the destination, square by square.
    #[inline(always)]
    fn each(&self, way: &Way, mut copy: impl FnMut(usize, usize)) {
        let (s, d) = (self.src.dtype().size(), self.dst.dtype().size());
        let (down, across) = (self.rows.div_ceil(way.tall), self.cols.div_ceil(way.wide));
        for square in 0..self.batch * down * across {
            let (matrix, step) = (square / (down * across), square % (down * across));
            let (i, j) =
                if way.squares.down { (step % down, step / down) } else { (step / across, step % across) };
            let (row, col) = (i * way.tall, j * way.wide);
            let (last_row, last_col) = (i + 1 == down, j + 1 == across);
            let base = matrix * self.rows * self.cols;
            let (src, dst) = ((base + row * self.cols + col) * s, (base + col * self.rows + row) * d);
            for &(from, to) in &way.lines[usize::from(last_row)][usize::from(last_col)] {
                copy(src + from, dst + to);
            }
        }
    }
}

/// [`Squares`] of a case, with the lines of one in the middle and of those at both ends.
struct Way {
    squares: Squares,
    /// Rows of the source in a square, and columns.
    tall: usize,
    wide: usize,
    lines: [[Vec<(usize, usize)>; 2]; 2],
}

impl Way {
    fn new(case: &Case, squares: Squares) -> Way {
        let tall = squares.dst_lines * LINE / case.dst.dtype().size();
        let wide = squares.src_lines * LINE / case.src.dtype().size();
        let ends = |len: usize, part: usize| [part, len - (len.div_ceil(part) - 1) * part];
        let lines =
            ends(case.rows, tall).map(|rows| ends(case.cols, wide).map(|cols| case.lines(rows, cols)));
        Way { squares, tall, wide, lines }
    }
}

/// # Safety
/// The processor has AVX-512; the memory holds both sides of the case.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512(case: &Case, way: &Way, from: *const u8, to: *mut u8) {
    use std::arch::x86_64::{_mm_sfence, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512};
    if way.squares.streaming && to.addr().is_multiple_of(LINE) {
        case.each(way, |src, dst| {
            // SAFETY: the line lies within the source.
            let line = unsafe { _mm512_loadu_si512(from.wrapping_add(src).cast()) };
            // SAFETY: the line lies within the destination; down to whole lines it still does.
            unsafe { _mm512_stream_si512(to.wrapping_add(dst / LINE * LINE).cast(), line) };
        });
        return _mm_sfence();
    }
    case.each(way, |src, dst| {
        // SAFETY: as above.
        let line = unsafe { _mm512_loadu_si512(from.wrapping_add(src).cast()) };
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(to.wrapping_add(dst).cast(), line) };
    });
}

fn time(run: &mut impl FnMut()) -> f64 {
    // A streaming store leaves the destination out of the caches, which slows the next that write there.
    run();
    let start = Instant::now();
    run();
    black_box(start.elapsed().as_secs_f64())
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
