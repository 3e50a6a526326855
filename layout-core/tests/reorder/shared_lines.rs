//! Pieces that share lines with others, on one side or both: parts of blocks behind whole ones, and permuted axes whose runs are
//! shorter than a line.

use crate::oracle::{check, dense};
use layout_core::descriptor::DType;
use layout_core::reorder::{Reorder, Stores};

const DTYPES: [DType; 4] = [DType::U8, DType::Bf16, DType::F32, DType::F64];

/// Every number of channels that a part of a block can hold, behind none, one or two whole ones.
#[test]
fn parts_of_blocks() {
    let mut seed = 0;
    for dtype in DTYPES {
        for (format, block) in [("nChw4c", 4), ("nChw8c", 8), ("nChw16c", 16), ("nChw32c", 32)] {
            for blocks in [0, 1, 2] {
                // A line of f32 is what has a kernel; of the others the shortest, the longest and one between.
                let all = dtype == DType::F32 && block == 16;
                for part in (1..block).filter(|&part| all || [1, block / 2, block - 1].contains(&part)) {
                    seed += 1;
                    let (h, w) = [(1, 1), (2, 3), (1, 9), (3, 5)][seed % 4];
                    let dims = [1 + seed % 2, blocks * block + part, h, w];
                    let (blocked, plain) = (dense(dtype, &dims, format), dense(dtype, &dims, "nhwc"));
                    check(&blocked, &plain, seed as u64);
                    check(&plain, &blocked, seed as u64);
                }
            }
        }
    }
}

/// The same in parts of larger tensors, where rows are not neighbours.
#[test]
fn parts_of_blocks_in_windows() {
    for dtype in DTYPES {
        for (channels, format) in [(17, "nChw16c"), (11, "nChw8c"), (35, "nChw16c"), (70, "nChw32c")] {
            let whole = dense(dtype, &[3, channels, 9, 11], format);
            let plain = dense(dtype, &[2, channels, 4, 5], "nhwc");
            let window = whole.submemory(&[1, 0, 2, 3], &[2, channels, 4, 5]).unwrap();
            check(&window, &plain, channels as u64);
            let wide = dense(dtype, &[2, channels, 7, 9], "nhwc");
            let window = wide.submemory(&[0, 0, 1, 2], &[2, channels, 4, 5]).unwrap();
            check(&dense(dtype, &[2, channels, 4, 5], format), &window, channels as u64);
            check(&window, &dense(dtype, &[2, channels, 4, 5], format), channels as u64);
        }
    }
}

/// Large enough for bands, through the caches and past them.
#[test]
fn parts_of_blocks_in_bands() {
    for (from, to) in [("nChw16c", "nhwc"), ("nhwc", "nChw16c")] {
        let (src, dst) = (dense(DType::F32, &[3, 19, 61, 63], from), dense(DType::F32, &[3, 19, 61, 63], to));
        check(&src, &dst, 19);
        let plan = Reorder::new(&src, &dst).unwrap();
        let bytes: Vec<u8> = (0..plan.src_len()).map(|i| (i * 7 + i / 251) as u8).collect();
        let (mut all, mut past) = (vec![1; plan.dst_len()], vec![2; plan.dst_len()]);
        plan.run(&bytes, &mut all).unwrap();
        plan.with_stores(Stores::Streaming).run(&bytes, &mut past).unwrap();
        assert_eq!(all, past);
    }
}

/// Runs of a half and a quarter of a line, and of other lengths, that change places with another axis.
#[test]
fn permuted_runs() {
    for dtype in DTYPES {
        for run in [4, 8, 12, 16, 20] {
            for (a, b, c) in [(2, 8, 4), (3, 4, 5), (1, 16, 7)] {
                let dims = [a, b, c, 2, run];
                for to in ["acdbe", "cabde", "dbcae", "cdbae", "adcbe"] {
                    check(&dense(dtype, &dims, "abcde"), &dense(dtype, &dims, to), run as u64);
                }
            }
        }
    }
    let dims = [2, 8, 4, 4, 9, 8];
    for dtype in DTYPES {
        check(&dense(dtype, &dims, "abcdef"), &dense(dtype, &dims, "aecdbf"), 6);
    }
}

/// Convolution weights, whose taps and input channels go on in the source as one run of another length than their places.
#[test]
fn weights() {
    for dtype in DTYPES {
        for (o, i, h, w) in [(16, 3, 5, 5), (18, 19, 3, 3), (17, 33, 1, 2)] {
            for to in ["Ohwi16o", "OIhw16i16o", "OIhw8i8o", "Ohwi32o", "hwio"] {
                check(&dense(dtype, &[o, i, h, w], "oihw"), &dense(dtype, &[o, i, h, w], to), o as u64);
                check(&dense(dtype, &[o, i, h, w], to), &dense(dtype, &[o, i, h, w], "oihw"), o as u64);
            }
        }
    }
}

/// Two axes end inside a block, of which the rows of one are in the other.
#[test]
fn parts_of_blocks_in_blocks() {
    for (o, i) in [(20, 28), (20, 12), (17, 17), (4, 29), (31, 35)] {
        for from in ["OIhw16o16i", "hwio", "ohwi", "Ohwi16o", "hwIo16i"] {
            for to in ["OIhw16o16i", "OIhw16i16o", "hwIo16i", "ohwi"] {
                let dims = [o, i, 3, 1];
                check(&dense(DType::F32, &dims, from), &dense(DType::F32, &dims, to), i as u64);
            }
        }
    }
}

/// Rows with gaps in the destination.
#[test]
fn rows_in_gaps() {
    for dtype in DTYPES {
        for channels in [16, 17, 33, 64, 72, 130] {
            let whole = dense(dtype, &[2, 2 * channels, 5, 7], "nhwc");
            let plain = dense(dtype, &[2, channels, 5, 7], "nhwc");
            let window = whole.submemory(&[0, channels, 0, 0], &[2, channels, 5, 7]).unwrap();
            check(&plain, &window, channels as u64);
            check(&window, &plain, channels as u64);
        }
    }
}
