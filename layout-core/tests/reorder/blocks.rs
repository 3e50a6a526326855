//! Blocks that differ on the two sides, where lines are put together from several places: every pair of a few formats, with axes that
//! end inside of the blocks of one side or both, and with types and numbers that change on the way.

use crate::attributes::{Given, check_with};
use crate::oracle::{KEPT, check, dense, fill};
use layout_core::descriptor::DType;
use layout_core::kernels::Cpu;
use layout_core::reorder::{Reorder, Stores};

/// Formats of tensors of one kind, and extents.
type Kind = (&'static [&'static str], &'static [&'static [usize]]);

const KINDS: [Kind; 3] = [
    (
        &[
            "oihw",
            "hwio",
            "ohwi",
            "Oihw16o",
            "OIhw16i16o",
            "OIhw8i8o",
            "OIhw8o8i",
            "OIhw4i16o4i",
            "OIhw8i16o2i",
            "OIhw2i8o4i",
            "OIhw12i4o",
        ],
        &[&[32, 48, 3, 3], &[67, 35, 2, 3], &[67, 1, 3, 5], &[5, 67, 3, 2], &[130, 9, 1, 1]],
    ),
    (
        &["nchw", "nhwc", "chwn", "nChw4c", "nChw8c", "nChw16c", "NChw16n16c", "NChw4n2c"],
        &[&[2, 3, 9, 31], &[2, 67, 3, 5], &[18, 12, 4, 4], &[1, 1, 40, 40]],
    ),
    (
        &["ab", "ba", "aB16b", "AB8b8a", "BA16a16b", "BA16a64b2a", "BA16a64b4a"],
        &[&[1, 3000], &[67, 93], &[40, 64]],
    ),
];

/// Calls `visit` for every pair of formats and their extents, with a number that differs from call to call.
fn each(mut visit: impl FnMut(&str, &str, &[usize], u64)) {
    let mut seed = 0u64;
    for (formats, all_dims) in KINDS {
        for (from, to) in formats.iter().flat_map(|from| formats.iter().map(move |to| (from, to))) {
            for dims in all_dims {
                seed += 1;
                // By chance, as the lists' lengths have every divisor.
                if (seed.wrapping_mul(0x9E37_79B9) >> 16).is_multiple_of(KEPT as u64) {
                    visit(from, to, dims, seed);
                }
            }
        }
    }
}

#[test]
fn elements_of_every_width() {
    for dtype in [DType::U8, DType::Bf16, DType::F32, DType::F64] {
        each(|from, to, dims, seed| check(&dense(dtype, dims, from), &dense(dtype, dims, to), seed));
    }
}

/// Narrower, wider and as wide; as they are, with one scale, and with attributes of all kinds.
#[test]
fn elements_that_change() {
    const TYPES: [(DType, DType); 11] = [
        (DType::S8, DType::F32),
        (DType::F32, DType::S8),
        (DType::Bf16, DType::F32),
        (DType::U8, DType::S8),
        (DType::F32, DType::Bf16),
        (DType::S8, DType::Bf16),
        (DType::F8E4M3, DType::F16),
        (DType::E8M0, DType::F32),
        (DType::F64, DType::Bf16),
        (DType::S32, DType::S8),
        (DType::U8, DType::S32),
    ];
    each(|from, to, dims, seed| {
        for turn in 0..2 {
            let types = TYPES[(seed as usize * 2 + turn) % TYPES.len()];
            let (src, dst) = (dense(types.0, dims, from), dense(types.1, dims, to));
            match (seed / 3 + turn as u64) % 3 {
                0 => check(&src, &dst, seed),
                // Extents of one axis, so that what is random is common.
                1 => check_with(&src, &dst, &Given::random(&[], types, seed), seed),
                _ => check_with(&src, &dst, &Given::random(dims, types, seed), seed),
            }
        }
    });
}

/// Short rows of which the next loop goes on in the source, and another one in the destination; no more than a part of one of the two is
/// taken into a tile.
#[test]
fn rows_that_go_on_on_both_sides() {
    let mut seed = 0;
    for (a, b) in [4, 5, 8, 12].iter().flat_map(|a| [4, 6, 8, 9].map(|b| (*a, b))) {
        for (c, d) in [(100, 100), (66, 70), (130, 34)] {
            for dtype in [DType::U8, DType::Bf16] {
                seed += 1;
                if !usize::is_multiple_of(seed, KEPT) && (a, b, c, dtype) != (4, 8, 100, DType::U8) {
                    continue;
                }
                check(
                    &dense(dtype, &[a, b, c, d], "acdb"),
                    &dense(dtype, &[a, b, c, d], "bdca"),
                    seed as u64,
                );
            }
        }
    }
}

/// An e8m0 of zero bytes is 2^-127: padding is zero all the same, whatever it is written with.
#[test]
fn padding_of_exponents() {
    let formats = ["ab", "ba", "aB4b", "Ab8a", "AB8b8a", "BA8a8b", "AB16b16a", "BA16a16b", "AB16b64a"];
    let pairs = formats.iter().flat_map(|from| formats.iter().map(move |to| (from, to)));
    for (seed, (from, to)) in pairs.enumerate() {
        // The pair that was once wrong is always there.
        if !seed.is_multiple_of(KEPT) && (*from, *to) != ("BA16a16b", "AB16b16a") {
            continue;
        }
        for dims in [[1, 3000], [3000, 1], [7, 700], [61, 67]] {
            for to_type in [DType::F32, DType::Bf16, DType::F64] {
                check(&dense(DType::E8M0, &dims, from), &dense(to_type, &dims, to), seed as u64);
            }
        }
    }
}

/// Rows of the source are converted before lines are put together from them: whole, in part, and by one scale.
#[test]
fn elements_that_become_shorter() {
    const TYPES: [(DType, DType); 7] = [
        (DType::F32, DType::S8),
        (DType::F32, DType::Bf16),
        (DType::Bf16, DType::S8),
        (DType::F64, DType::F32),
        (DType::S32, DType::U8),
        (DType::F32, DType::F16),
        (DType::F64, DType::F8E5M2),
    ];
    let (mut before, mut turn) = ([0; TYPES.len()], 0);
    each(|from, to, dims, seed| {
        turn += 1;
        let types = TYPES[turn % TYPES.len()];
        let (src, dst) = (dense(types.0, dims, from), dense(types.1, dims, to));
        match turn % 3 {
            0 => check(&src, &dst, seed),
            1 => check_with(&src, &dst, &Given::random(&[], types, seed), seed),
            _ => {
                let whole: Vec<usize> = dims.iter().map(|dim| dim + 5).collect();
                let start: Vec<usize> = dims.iter().enumerate().map(|(i, _)| (turn + i) % 6).collect();
                if let Ok(src) = dense(types.0, &whole, from).submemory(&start, dims) {
                    check(&src, &dst, seed);
                }
            }
        }
        let plan = Reorder::new(&src, &dst).unwrap().to_string();
        before[turn % TYPES.len()] += usize::from(plan.contains("converted before"));
    });
    let enough = before.iter().filter(|&&plans| plans > 0).count() * KEPT >= TYPES.len();
    assert!(enough || Cpu::current() != Cpu::Avx512, "{before:?}");
    // So many that no buffer holds them all: parts of whole lines.
    for (i, (from, to, dims)) in [
        ("ohwi", "oihw", [925, 3, 3, 3]),
        ("OIhw8i8o", "OIhw8o8i", [130, 67, 3, 3]),
        ("oihw", "OIhw8i8o", [900, 3, 3, 3]),
        ("oihw", "OIhw16o16i", [900, 7, 3, 3]),
        // Tiles of a few elements, which registers of half a line turn.
        ("oihw", "OIhw8o8i", [67, 131, 3, 3]),
        ("oihw", "OIhw8o8i", [256, 40, 3, 3]),
        ("oihw", "OIhw8i8o", [131, 61, 3, 3]),
    ]
    .into_iter()
    .enumerate()
    {
        for types in [TYPES[0], TYPES[1], TYPES[4]] {
            let (src, dst) = (dense(types.0, &dims, from), dense(types.1, &dims, to));
            let plan = Reorder::new(&src, &dst).unwrap();
            let before = i >= 4 || plan.with_way("narrowed".parse().unwrap()).is_ok();
            assert!(before || Cpu::current() != Cpu::Avx512, "{plan}");
            // In all ways.
            check(&src, &dst, 4 * i as u64);
        }
    }
}

/// Tensors that are mostly padding, and elements that lie apart, where registers hold 32 bytes: lines can be put together, by every number
/// of channels that a block can hold.
#[test]
fn lines_from_pieces() {
    let pairs = [
        ("nChw4c", "nChw16c", DType::U8, DType::U8),
        ("nChw4c", "nChw8c", DType::Bf16, DType::Bf16),
        ("OIhw8i16o2i", "OIhw8o8i", DType::S32, DType::S8),
        ("nChw4c", "NChw4n2c", DType::U8, DType::F32),
        ("OIhw8i8o", "OIhw8o8i", DType::S8, DType::Bf16),
        ("OIhw8o8i", "OIhw8i8o", DType::F32, DType::F32),
        ("OIhw8o8i", "OIhw2i8o4i", DType::F8E4M3, DType::F16),
        ("OIhw8i8o", "OIhw8i16o2i", DType::F32, DType::Bf16),
    ];
    let mut pieces = [0; 8];
    for (i, (from, to, src, dst)) in pairs.into_iter().enumerate() {
        for channels in 1..=9 {
            let dims = match from {
                "nChw4c" => vec![2, channels, 17, 19],
                _ => vec![409, channels, 2, 4],
            };
            let (src, dst) = (dense(src, &dims, from), dense(dst, &dims, to));
            // In all ways.
            check(&src, &dst, 4 * channels as u64);
            check_with(&src, &dst, &Given::random(&[], (src.dtype(), dst.dtype()), 7), 8);
            let plan = Reorder::new(&src, &dst).unwrap();
            let lines = plan.with_way("lines".parse().unwrap());
            pieces[i] +=
                usize::from(lines.is_ok_and(|lines| lines.to_string().contains("from pieces of the source")));
        }
    }
    assert_eq!(pieces.iter().all(|&plans| plans > 0), Cpu::current() == Cpu::Avx2, "{pieces:?}");
}

/// Tiles of a few rows and an innermost loop around them that runs a few times, or a few times with data: where registers hold 32 bytes
/// they are repeated along another loop, which may have padding of its own.
#[test]
fn few_rows_along_a_long_loop() {
    let pairs = [
        ("nChw8c", "NChw16n16c", DType::F32, DType::S8, [2, 48, 13, 14]),
        ("nChw4c", "NChw16n16c", DType::S32, DType::S8, [3, 67, 4, 4]),
        ("nChw4c", "nChw8c", DType::Bf16, DType::S8, [3, 128, 4, 4]),
        ("OIhw4i16o4i", "OIhw8i16o2i", DType::U8, DType::S8, [8, 512, 3, 3]),
        ("OIhw8i8o", "OIhw8i16o2i", DType::U8, DType::U8, [256, 16, 5, 5]),
        ("OIhw16o16i", "OIhw8o8i", DType::F32, DType::F32, [19, 100, 3, 3]),
        ("OIhw8i16o2i", "ohwi", DType::S8, DType::Bf16, [8, 64, 3, 3]),
    ];
    for (i, (from, to, src, dst, dims)) in pairs.into_iter().enumerate() {
        for more in [0, 1, 7] {
            let dims = [dims[0] + more, dims[1] + 2 * more, dims[2], dims[3]];
            let (src, dst) = (dense(src, &dims, from), dense(dst, &dims, to));
            check(&src, &dst, (2 * i) as u64);
            check_with(&src, &dst, &Given::random(&[], (src.dtype(), dst.dtype()), 3 + more as u64), 5);
        }
    }
}

/// Tensors of which so little is data that loops of the source seem to begin where others have not ended: the places of what is never
/// read do not count.
#[test]
fn lines_that_are_mostly_padding() {
    for (from, to, src, dst, in_lines) in [
        ("nChw4c", "NChw16n16c", DType::U8, DType::U8, true),
        ("nChw8c", "NChw16n16c", DType::Bf16, DType::Bf16, true),
        ("nChw4c", "NChw16n16c", DType::S8, DType::Bf16, true),
        ("oihw", "OIhw8o8i", DType::U8, DType::U8, true),
        ("oihw", "OIhw16o16i", DType::F32, DType::S8, false),
    ] {
        for channels in [1, 3, 4, 7, 8, 9, 16, 17] {
            let dims = if from == "oihw" { [131, channels, 3, 3] } else { [2, channels, 24, 25] };
            let (src, dst) = (dense(src, &dims, from), dense(dst, &dims, to));
            check(&src, &dst, channels as u64);
            check_with(&src, &dst, &Given::random(&[], (src.dtype(), dst.dtype()), 7), 5);
        }
        let dims = if from == "oihw" { [131, 3, 3, 3] } else { [2, 7, 24, 25] };
        let (src, dst) = (dense(src, &dims, from), dense(dst, &dims, to));
        let plan = Reorder::new(&src, &dst).unwrap().to_string();
        if Cpu::current() == Cpu::Avx512 {
            assert_eq!(plan.contains("each line is put together from"), in_lines, "{plan}");
        }
    }
}

/// Blocks that both sides have, in which one axis ends, or two: each is one row with padding, of whatever lengths; in the same order, and
/// between others. Rows of one axis in a block.
#[test]
fn blocks_of_both_sides() {
    let types = [
        (DType::F32, DType::S8),
        (DType::S8, DType::F32),
        (DType::F32, DType::F32),
        (DType::S32, DType::U8),
        (DType::U8, DType::Bf16),
        (DType::F32, DType::Bf16),
        (DType::F16, DType::F32),
        (DType::S8, DType::S32),
        (DType::U8, DType::U8),
        (DType::E8M0, DType::F32),
    ];
    let pairs = [
        ("OIhw8i8o", "OIhw8i8o"),
        ("OIhw8o8i", "hwOI8o8i"),
        ("OIhw4i16o4i", "OIhw4i16o4i"),
        ("OIhw8i16o2i", "IOhw8i16o2i"),
        ("OIhw16o16i", "OIhw16o16i"),
        ("Ohwi8o", "Ohwi8o"),
        ("oIhw8i", "oIhw8i"),
        ("OIhw4o4i", "OIhw4o4i"),
        ("Oihw16o", "OIhw16i16o"),
        ("OIhw16i16o", "Ohwi16o"),
        ("OIhw8i8o", "Oihw8o"),
        ("hwio", "OIhw8i8o"),
    ];
    for (i, (src, dst)) in types.into_iter().enumerate() {
        for (j, (from, to)) in pairs.into_iter().enumerate() {
            for (k, [o, c]) in [[43, 3], [67, 41], [45, 1], [16, 37], [5, 8], [64, 7]].into_iter().enumerate()
            {
                let seed = i + 3 * j + 5 * k;
                if KEPT > 1 && seed % 3 != 0 {
                    continue;
                }
                let dims = [o, c, 3, 3];
                let (src, dst) = (dense(src, &dims, from), dense(dst, &dims, to));
                check(&src, &dst, seed as u64);
                if seed % 2 == 0 && src.dtype() != DType::E8M0 {
                    check_with(&src, &dst, &Given::random(&[], (src.dtype(), dst.dtype()), 7), 5);
                }
            }
        }
    }
}

/// Weights of small windows, which plain layouts keep together and blocks take apart: with all of a block's channels, one, some, and none left.
#[test]
fn windows_of_weights() {
    let layouts =
        ["oihw", "hwio", "OIhw16o16i", "OIhw16i16o", "OIhw8o8i", "OIhw8i8o", "Oihw16o", "OIhw4i16o4i"];
    let types = [
        (DType::U8, DType::U8),
        (DType::Bf16, DType::Bf16),
        (DType::F32, DType::F32),
        (DType::F32, DType::S8),
        (DType::S8, DType::S32),
        (DType::U8, DType::F32),
        (DType::F32, DType::Bf16),
    ];
    let mut turn = 0;
    for from in layouts {
        for to in layouts.into_iter().filter(|&to| to != from) {
            for (h, w) in [(3, 3), (1, 8), (2, 5), (4, 4), (5, 5)] {
                turn += 1;
                let [o, i] = [[33, 16], [16, 35], [20, 1], [48, 19], [7, 40], [32, 32], [3, 11]][turn % 7];
                let (src, dst) = types[turn / 7 % types.len()];
                let (src, dst) = (dense(src, &[o, i, h, w], from), dense(dst, &[o, i, h, w], to));
                check(&src, &dst, turn as u64);
                if turn % 3 == 0 {
                    check_with(&src, &dst, &Given::random(&[], (src.dtype(), dst.dtype()), 7), 5);
                }
            }
        }
    }
}

/// Parts of larger tensors: nothing around them is touched.
#[test]
fn windows() {
    each(|from, to, dims, seed| {
        let whole: Vec<usize> = dims.iter().map(|dim| dim + 16).collect();
        let start: Vec<usize> =
            dims.iter().enumerate().map(|(i, _)| [0, 16, 3][(seed as usize + i) % 3]).collect();
        let dtype = [DType::U8, DType::Bf16, DType::F32][seed as usize % 3];
        let window = |format: &str| dense(dtype, &whole, format).submemory(&start, dims);
        if let Ok(src) = window(from) {
            check(&src, &dense(dtype, dims, to), seed);
        }
        if let Ok(dst) = window(to) {
            check(&dense(dtype, dims, from), &dst, seed);
        }
    });
}

/// Past the caches it is the same.
#[test]
fn streamed() {
    for (from, to) in
        [("OIhw8i8o", "OIhw8i16o2i"), ("OIhw16i16o", "OIhw8o8i"), ("OIhw8i16o2i", "OIhw4i16o4i")]
    {
        for types in [(DType::U8, DType::U8), (DType::S8, DType::F32)] {
            let (src, dst) = (dense(types.0, &[67, 64, 3, 3], from), dense(types.1, &[67, 64, 3, 3], to));
            let plan = Reorder::new(&src, &dst).unwrap();
            let mut bytes = vec![0; plan.src_len()];
            fill(types.0, &mut bytes, 5);
            let (mut all, mut past) = (vec![1; plan.dst_len()], vec![2; plan.dst_len()]);
            plan.run(&bytes, &mut all).unwrap();
            plan.with_stores(Stores::Streaming).run(&bytes, &mut past).unwrap();
            assert_eq!(all, past, "{from} -> {to}");
        }
    }
}

/// The plan says so, where the processor has a kernel; and tiles that have kernels of their own are left alone.
#[test]
fn the_plan_says_so() {
    let plan = |from: &str, to: &str, dims: &[usize]| {
        Reorder::new(&dense(DType::U8, dims, from), &dense(DType::U8, dims, to)).unwrap().to_string()
    };
    let text = plan("OIhw8i8o", "OIhw8i16o2i", &[64, 64, 3, 3]);
    let says_so = text.contains("line gather") && text.contains("each line is put together from 2 places");
    assert_eq!(says_so, Cpu::current() == Cpu::Avx512, "{text}");
    for (from, to, dims) in [
        ("nchw", "nChw16c", &[2, 64, 28, 28]),
        ("oihw", "OIhw4i16o4i", &[64, 64, 3, 3]),
        ("nhwc", "nChw16c", &[2, 67, 28, 28]),
    ] {
        let text = plan(from, to, dims);
        assert!(!text.contains("line gather"), "{text}");
    }
}

/// Transposes of a few bytes that follow one another on both sides, moved and converted, with attributes and without.
#[test]
fn batches_of_small_matrices() {
    let types = [
        (DType::U8, DType::U8),
        (DType::Bf16, DType::Bf16),
        (DType::F32, DType::F32),
        (DType::U8, DType::S8),
        (DType::F32, DType::S8),
        (DType::S8, DType::F32),
        (DType::F32, DType::Bf16),
        (DType::S32, DType::U8),
    ];
    let mut turn = 0;
    for (src, dst) in types {
        for dims in [
            [1701, 3, 3],
            [903, 5, 7],
            [702, 3, 4],
            [401, 2, 8],
            [1301, 7, 2],
            [500, 25, 3],
            [601, 7, 9],
            [2311, 2, 3],
        ] {
            turn += 1;
            if KEPT > 1 && turn % 3 != 0 {
                continue;
            }
            let (src, dst) = (dense(src, &dims, "abc"), dense(dst, &dims, "acb"));
            check(&src, &dst, turn);
            check_with(&src, &dst, &Given::random(&dims, (src.dtype(), dst.dtype()), turn), turn);
            let part = [dims[0] - 5, dims[1], dims[2]];
            let (whole, to) = (dense(src.dtype(), &dims, "abc"), dense(dst.dtype(), &part, "acb"));
            check(&whole.submemory(&[5, 0, 0], &part).unwrap(), &to, turn);
        }
    }
}
