//! Pieces that share lines with others, on one side or both: parts of blocks behind whole ones, permuted axes whose runs are
//! shorter than a line, and rows of matrices that begin anywhere in one.

use crate::oracle::{KEPT, check, dense, fill};
use layout_core::descriptor::DType;
use layout_core::reorder::{Attributes, Reorder, Stores, Values};

const DTYPES: [DType; 4] = [DType::U8, DType::Bf16, DType::F32, DType::F64];

/// Every number of channels that a part of a block can hold, behind none, one or several whole ones.
#[test]
fn parts_of_blocks() {
    let mut seed = 0;
    for dtype in DTYPES {
        for (format, block) in [("nChw4c", 4), ("nChw8c", 8), ("nChw16c", 16), ("nChw32c", 32)] {
            for blocks in [0, 1, 2, 4, 5] {
                // A quarter, a half and the whole of a line have a kernel; of the others the shortest, the longest and one between.
                let all = matches!(block * dtype.size(), 16 | 32 | 64);
                for part in (1..block).filter(|&part| all || [1, block / 2, block - 1].contains(&part)) {
                    seed += 1;
                    let (h, w) = [(1, 1), (2, 3), (1, 9), (3, 5), (7, 7)][seed % 5];
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

/// Blocks whose rows are half a line, which lines are put together from: with taps and without, whole and with padding, through
/// the caches and past them, aligned and not.
#[test]
fn blocks_of_half_lines() {
    for (dtype, format, block) in
        [(DType::F32, "OIhw8i8o", 8), (DType::F32, "OIhw8o8i", 8), (DType::Bf16, "OIhw16i16o", 16)]
    {
        for (h, w) in [(1, 1), (1, 2), (3, 3), (2, 5), (7, 7)] {
            for (o, i) in [(2 * block, 3 * block), (block, 9 * block), (2 * block + 3, 2 * block + 1)] {
                let dims = [o, i, h, w];
                let (src, dst) = (dense(dtype, &dims, "oihw"), dense(dtype, &dims, format));
                check(&src, &dst, (h + o) as u64);
                let plan = Reorder::new(&src, &dst).unwrap();
                let bytes: Vec<u8> = (0..plan.src_len()).map(|i| (i * 7 + i / 251) as u8).collect();
                let mut all = vec![1; plan.dst_len()];
                plan.clone().with_stores(Stores::Temporal).run(&bytes, &mut all).unwrap();
                let plan = plan.with_stores(Stores::Streaming);
                let mut past = vec![2; plan.dst_len() + 128];
                let aligned = past.as_ptr().align_offset(64);
                for at in [aligned, aligned + 32, aligned + 4] {
                    past.fill(2);
                    plan.run(&bytes, &mut past[at..at + all.len()]).unwrap();
                    assert_eq!(all, past[at..at + all.len()], "{plan}");
                    assert!(past[..at].iter().chain(&past[at + all.len()..]).all(|&byte| byte == 2));
                }
            }
        }
    }
}

/// Rows that compete for the same places of a cache, of more memory than the nearer caches hold.
#[test]
fn large_transposes_of_competing_rows() {
    for (a, b) in [(1024, 1024), (1040, 1024), (1030, 1024)] {
        let (src, dst) = (dense(DType::F32, &[a, b], "ab"), dense(DType::F32, &[a, b], "ba"));
        let plan = Reorder::new(&src, &dst).unwrap();
        let bytes: Vec<u8> = (0..a * b).flat_map(|i| (i as u32).to_ne_bytes()).collect();
        let mut turned = vec![0; bytes.len()];
        plan.run(&bytes, &mut turned).unwrap();
        for (at, four) in turned.chunks_exact(4).enumerate() {
            assert_eq!(four, ((at % a * b + at / a) as u32).to_ne_bytes());
        }
    }
}

/// Matrices that are turned past the caches: rows that begin anywhere in a line, with parts, and parts of parts, of all lengths at their
/// ends, and windows whose gaps are kept.
#[test]
fn lines_that_begin_anywhere() {
    for dtype in [DType::F64, DType::F32, DType::Bf16] {
        let side = 64 / dtype.size();
        let widths =
            [8 * side, 9 * side + 1, 1024 + 4 * side - 1, 1024 + 4 * side, 1031 + 4 * side, 2051 + 9 * side];
        for (i, width) in widths.into_iter().enumerate() {
            let height = [side, side + 1, 4 * side - 1, 16 * side + 5][i % 4];
            past_the_caches(dtype, [width, height], [width, height]);
            // Gaps behind the rows of both sides, of less than a line and of more.
            past_the_caches(dtype, [width, height], [width + 3, height + 1]);
            past_the_caches(dtype, [width, height], [width + 2 * side + 1, height]);
        }
    }
    // Bytes, of which there have to be more: the second kind has whole lines, and rows of the source near a page apart.
    past_the_caches(DType::U8, [4099, 3071], [4099, 3071]);
    past_the_caches(DType::U8, [3136, 4097], [3136, 4097]);
}

/// The same for what is converted on the way, with a scale and without: as through the caches. Of 21 MB and more, several matrices one behind
/// the other.
#[test]
fn converted_lines_that_begin_anywhere() {
    let pairs = [
        (DType::F32, DType::Bf16),
        (DType::F32, DType::F8E4M3),
        (DType::U8, DType::Bf16),
        (DType::F32, DType::S8),
        (DType::F16, DType::Bf16),
        (DType::Bf16, DType::S8),
        (DType::Bf16, DType::F32),
        (DType::S8, DType::F32),
        (DType::F8E5M2, DType::F32),
        (DType::S32, DType::S8),
        (DType::F64, DType::F32),
    ];
    // Where nothing is optimised, one of those that are converted in registers, and one of others.
    let kept = if cfg!(debug_assertions) { 2 } else { pairs.len() };
    for (i, (from, to)) in pairs.into_iter().take(kept).enumerate() {
        let (line, side) = (64 / to.size(), 64 / from.size());
        // Parts and chunks of all lengths at the ends of rows; long ones, which some processors ask for, of both sides.
        let widths = [9 * line + 1, 1024 + 5 * line - 1, 1031 + 4 * line, 2051 + 9 * line];
        let long = [16_000 / to.size() + 5 * line - 1, 2048 / from.size()];
        for k in 0..if cfg!(debug_assertions) { 1 } else { 3 } {
            let is_long = k == 2 || cfg!(debug_assertions);
            let (n, a) = if is_long { (1, long[0]) } else { (1 + 2 * k, widths[(i + 2 * k) % 4]) };
            let b = (22 << 20) / (n * a * (from.size() + to.size()));
            let b = if is_long { b.max(long[1]) } else { b } / side * side + [side - 1, 5, side - 1][k];
            // Gaps behind the rows of each side.
            let part = |dtype, format, room: [usize; 3]| {
                dense(dtype, &room, format).submemory(&[0; 3], &[n, a, b]).unwrap()
            };
            let src = part(from, "abc", [n, a, b + 3 * (i % 2)]);
            let dst = part(to, "acb", [n, a + i % 3, b]);
            let mut memory = vec![0; Reorder::new(&src, &dst).unwrap().src_len()];
            fill(from, &mut memory, i as u64);
            let scales: Vec<f32> = (0..a).map(|i| 0.25 + (i % 7) as f32 / 16.0).collect();
            let each = [
                Attributes::new(),
                Attributes::new().src_scale(Values::common(0.375)),
                Attributes::new().src_scale(Values::per_axis('b', &scales)),
            ];
            for (scale, attributes) in each.into_iter().enumerate() {
                let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
                let mut expected = vec![1; plan.dst_len()];
                plan.clone()
                    .with_stores(Stores::Temporal)
                    .run_with(&memory, &mut expected, &attributes)
                    .unwrap();
                let plan = plan.with_stores(Stores::Streaming);
                let mut found = vec![1; plan.dst_len() + 128];
                let at = found.as_ptr().align_offset(64) + scale % 2 * to.size();
                plan.run_with(&memory, &mut found[at..at + expected.len()], &attributes).unwrap();
                let is_same = found[at..at + expected.len()] == expected;
                assert!(is_same, "{from} to {to}, {n} x {a} x {b}, scale {scale}, {plan}");
                assert!(found[..at].iter().chain(&found[at + expected.len()..]).all(|&byte| byte == 1));
            }
        }
    }
}

/// Turns a matrix of `a` by `b` elements that is a part of one of as many as `room` says, on both sides.
fn past_the_caches(dtype: DType, [a, b]: [usize; 2], room: [usize; 2]) {
    let part = |format| dense(dtype, &room, format).submemory(&[0, 0], &[a, b]).unwrap();
    let (src, dst) = (part("ab"), part("ba"));
    let plan = Reorder::new(&src, &dst).unwrap().with_stores(Stores::Streaming);
    let bytes = dtype.size();
    let value = |i: usize, k: usize| (i.wrapping_mul(2_654_435_761) >> (8 * (k % 3) + 3)) as u8;
    let memory: Vec<u8> = (0..plan.src_len()).map(|at| value(at / bytes, at % bytes)).collect();
    let mut found = vec![1; plan.dst_len() + 64 + bytes];
    // The last one of these is no place of an element.
    for at in [0, bytes, 1] {
        let at = found.as_ptr().align_offset(64) + at;
        found.fill(1);
        plan.run(&memory, &mut found[at..at + plan.dst_len()]).unwrap();
        assert!(found[..at].iter().chain(&found[at + plan.dst_len()..]).all(|&byte| byte == 1));
        for (y, row) in found[at..at + plan.dst_len()].chunks(room[0] * bytes).enumerate() {
            for (x, element) in row.chunks(bytes).enumerate() {
                let from = (x * room[1] + y) * bytes;
                let expected = if x < a { &memory[from..from + bytes] } else { &[1; 8][..bytes] };
                assert!(element == expected, "{dtype} {a} x {b} in {room:?}: row {y}, element {x}");
            }
        }
    }
}

/// Matrices in blocks of both axes, large enough for bands of rows: for all columns of a band before the next, in parts as well.
#[test]
fn matrices_in_bands() {
    let cases = [
        (DType::Bf16, "BA16a64b2a", [1003, 801]),
        (DType::S8, "BA16a64b4a", [1290, 1290]),
        (DType::S4, "BA16a64b4a", [1806, 1750]),
        (DType::U8, "BA4b32a", [1290, 1310]),
    ];
    // Of the longest tests, a part is enough where nothing is optimised.
    let first = if KEPT > 1 { cases.len() - 1 } else { 0 };
    for (seed, (dtype, format, dims)) in cases.into_iter().enumerate().skip(first) {
        let (plain, blocked) = (dense(dtype, &dims, "ab"), dense(dtype, &dims, format));
        assert!(plain.size_bytes() + blocked.size_bytes() >= 3 << 20, "{dtype:?} {format} has no bands");
        check(&plain, &blocked, seed as u64);
        #[cfg(feature = "rayon")]
        {
            let plan = Reorder::new(&plain, &blocked).unwrap();
            let bytes: Vec<u8> = (0..plan.src_len()).map(|i| (i * 7 + i / 251) as u8).collect();
            let (mut one, mut several) = (vec![1; plan.dst_len()], vec![2; plan.dst_len()]);
            plan.run(&bytes, &mut one).unwrap();
            plan.par_run(&bytes, &mut several).unwrap();
            assert!(one == several, "{dtype:?} {format}");
        }
    }
}

/// Parts of lines of a source that no cache holds: what reads the other parts comes next.
#[test]
fn parts_of_lines_of_a_large_source() {
    let large: [(DType, &[usize], _, _); 3] = [
        (DType::Bf16, &[272, 261, 3, 3], "hwio", "OIhw8i16o2i"),
        (DType::F32, &[521, 509], "ab", "BA8b8a"),
        (DType::U8, &[1040, 1013], "ab", "BA4b16a"),
    ];
    for (dtype, dims, from, to) in large {
        check(&dense(dtype, dims, from), &dense(dtype, dims, to), dims[0] as u64);
    }
}

/// Lines of blocks that lie at multiples of 4096 bytes, of which a line of the source holds a part each.
#[test]
fn blocks_whose_lines_compete() {
    for (seed, (dtype, block, inputs)) in [
        (DType::S8, "OIhw4i16o4i", 256),
        (DType::Bf16, "OIhw8i16o2i", 128),
        (DType::Bf16, "OIhw8i16o2i", 256),
    ]
    .into_iter()
    .enumerate()
    {
        // The numbers of outputs leave a part of a block, and of as many blocks as share a line.
        for outputs in [288, 290] {
            let dims = [outputs, inputs, 1, 3];
            check(&dense(dtype, &dims, "hwio"), &dense(dtype, &dims, block), seed as u64);
            check(&dense(dtype, &dims, block), &dense(dtype, &dims, "hwio"), seed as u64);
        }
    }
}

/// Numbers of blocks that no number of blocks of a tile divides, and groups of 4 bytes of which some are padding, on either axis.
#[test]
fn blocks_that_no_tile_divides() {
    for (seed, (outputs, inputs)) in
        [(112, 32), (107, 37), (499, 48), (60, 60), (30, 29), (7, 64)].into_iter().enumerate()
    {
        let dims = [outputs, inputs, 1, 3];
        for (dtype, block) in [
            (DType::S8, "OIhw4i16o4i"),
            (DType::Bf16, "OIhw8i16o2i"),
            (DType::U8, "OhwI16o4i"),
            (DType::F16, "OIhw16i16o2i"),
        ] {
            for plain in ["hwio", "ohwi", "oihw"] {
                check(&dense(dtype, &dims, plain), &dense(dtype, &dims, block), seed as u64);
                check(&dense(dtype, &dims, block), &dense(dtype, &dims, plain), seed as u64);
            }
        }
    }
}

/// The same in parts of several threads.
#[cfg(feature = "rayon")]
#[test]
fn parallel_parts_of_blocks_whose_lines_compete() {
    let dims = [512, 512, 3, 3];
    let (src, dst) = (dense(DType::Bf16, &dims, "hwio"), dense(DType::Bf16, &dims, "OIhw8i16o2i"));
    let plan = Reorder::new(&src, &dst).unwrap();
    let from: Vec<u8> = (0..plan.src_len()).map(|i| (i % 251) as u8).collect();
    let (mut alone, mut together) = (vec![0; plan.dst_len()], vec![0; plan.dst_len()]);
    plan.run(&from, &mut alone).unwrap();
    plan.par_run(&from, &mut together).unwrap();
    assert!(alone == together);
}

/// Blocks of fewer channels than a register holds, of which each group of a dot product's operands has 2, 4 or 8, and tensors of few
/// pixels, with whole blocks and ends in one.
#[test]
fn short_groups() {
    let formats =
        ["OIhw4i16o4i", "OIhw2i8o4i", "OIhw4i8o2i", "OIhw2o8i8o", "OIhw2i12o4i", "OIhw8i24o2i", "OIhw8o8i"];
    for dtype in [DType::U8, DType::Bf16, DType::F32] {
        for format in formats {
            for (seed, dims) in
                [[32, 32, 3, 3], [48, 16, 2, 1], [24, 64, 1, 3], [35, 21, 3, 2]].iter().enumerate()
            {
                for plain in ["hwio", "oihw", "ohwi"] {
                    check(&dense(dtype, dims, plain), &dense(dtype, dims, format), seed as u64);
                    check(&dense(dtype, dims, format), &dense(dtype, dims, plain), seed as u64);
                }
            }
        }
        for (seed, (from, to)) in [
            ("OIhw4o4i", "OIhw8i8o"),
            ("OIhw4o4i", "OIhw16i16o"),
            ("OIhw2i8o4i", "OIhw16i16o"),
            ("OIhw4i8o2i", "Ohwi8o"),
            ("OIhw8i8o", "OIhw8i16o2i"),
            ("OIhw8i16o2i", "OIhw2i8o4i"),
        ]
        .into_iter()
        .enumerate()
        {
            for dims in [[64, 32, 3, 2], [37, 29, 1, 3]] {
                check(&dense(dtype, &dims, from), &dense(dtype, &dims, to), seed as u64);
                check(&dense(dtype, &dims, to), &dense(dtype, &dims, from), seed as u64);
            }
        }
        for channels in [2, 4, 8] {
            for pixels in 4..34 {
                let dims = [5, channels, 1, pixels];
                check(&dense(dtype, &dims, "nchw"), &dense(dtype, &dims, "nhwc"), pixels as u64);
                check(&dense(dtype, &dims, "nhwc"), &dense(dtype, &dims, "nchw"), pixels as u64);
            }
        }
    }
}

/// Conversions of pixels, planes and matrices that are larger than what is gone through before the next rows, in each loop of the order,
/// with ends in all of them.
#[test]
fn conversions_along_rows() {
    let types = [
        (DType::F32, DType::Bf16),
        (DType::F32, DType::F16),
        (DType::F32, DType::S8),
        (DType::F32, DType::U8),
        (DType::Bf16, DType::F32),
        (DType::F16, DType::F32),
        (DType::S8, DType::F32),
        (DType::U8, DType::F32),
    ];
    for (turn, (src, dst)) in types.into_iter().enumerate() {
        for (seed, (dims, a, b)) in [
            ([1, 64, 37, 31], "nchw", "nhwc"),
            ([2, 37, 29, 43], "nchw", "nhwc"),
            ([1, 16, 97, 41], "nchw", "nhwc"),
            ([1, 64, 27, 41], "nchw", "nChw32c"),
        ]
        .into_iter()
        .enumerate()
        {
            // Each size with two of the types where nothing is optimised.
            if KEPT > 1 && turn % 4 != seed {
                continue;
            }
            check(&dense(src, &dims, a), &dense(dst, &dims, b), seed as u64);
            check(&dense(src, &dims, b), &dense(dst, &dims, a), seed as u64);
        }
        check(&dense(src, &[171, 403], "ab"), &dense(dst, &[171, 403], "ba"), 5);
        check(&dense(src, &[18, 3001], "ab"), &dense(dst, &[18, 3001], "ba"), 6);
    }
}

/// Tiles of 2 or 4 by 2 or 4 elements, in which neither side has whole lines, with whole blocks and ends in one; moved as they are, and
/// converted, in several steps.
#[test]
fn tiny_squares() {
    let types = [
        (DType::U8, DType::U8),
        (DType::Bf16, DType::Bf16),
        (DType::F32, DType::F32),
        (DType::F32, DType::S8),
        (DType::S8, DType::F32),
        (DType::F32, DType::Bf16),
    ];
    let pairs = [
        ("OIhw4o4i", "OIhw8i8o"),
        ("OIhw4o4i", "hwio"),
        ("OIhw4o4i", "Ohwi16o"),
        ("OIhw4o2i", "OIhw8i8o"),
        ("OIhw4o2i", "hwio"),
        ("OIhw2o4i", "OIhw8i8o"),
        ("OIhw2o4i", "hwio"),
        ("OIhw2o2i", "OIhw4i4o"),
        ("OIhw2o2i", "hwio"),
        ("OIhw4i8o2i", "OIhw4o4i"),
        ("OIhw2i8o4i", "OIhw8i8o2i"),
        ("OIhw4o4i", "oihw"),
    ];
    for (src, dst) in types {
        for (seed, (a, b)) in pairs.into_iter().enumerate() {
            for dims in [[40, 24, 3, 3], [24, 16, 1, 5], [37, 29, 2, 3]] {
                check(&dense(src, &dims, a), &dense(dst, &dims, b), seed as u64);
                check(&dense(src, &dims, b), &dense(dst, &dims, a), seed as u64);
            }
        }
    }
}

/// Small tiles whose parts are rows without gaps on both sides, in several steps: no loop may be taken into these by a table.
#[test]
fn rows_of_small_tiles() {
    for (src, dst) in [(DType::S4, DType::F16), (DType::S4, DType::S8), (DType::U8, DType::U4)] {
        for dims in [[47, 64, 6], [47, 64, 7], [33, 10, 5]] {
            let (from, to) = (dense(src, &dims, "5c2c_C16a_b^8A"), dense(dst, &dims, "ABc8b16a2b"));
            check(&from, &to, 9);
        }
    }
}
