//! Stores past the caches and through them: what a plan says of them, and that they write the same.

use crate::oracle::{SENTINEL, dense, fill, reorder};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::layout::{Nchw, Nchw16c, Nhwc, RowMajor};
use layout_core::reorder::{Reorder, ReorderOptions, Stores};
use layout_core::view::Tensor;

const ALL: [Stores; 3] = [Stores::Auto, Stores::Temporal, Stores::Streaming];

#[test]
fn what_plans_say() {
    let says = |dims: &[usize], to, stores| {
        let (src, dst) = (dense(DType::F32, dims, "ab"), dense(DType::F32, dims, to));
        let plan = Reorder::new(&src, &dst).unwrap().with_stores(stores);
        let text = plan.to_string();
        (plan.stores(), text.contains(", streaming stores,"), text.contains(", temporal stores,"))
    };
    // 16 MiB are 2048 x 2048 f32, and half of 16 MiB, of a transpose, a little more than 1448 x 1448; rows of pages compete, and which
    // way is better for them from 16 MiB on depends on the processor.
    for (dims, in_turn, transposed) in [
        ([2048, 2048], true, None),
        ([2064, 2064], true, Some(true)),
        ([2048, 2047], false, Some(false)),
        ([1456, 1456], false, Some(true)),
        ([1024, 1024], false, Some(false)),
        ([1440, 1440], false, Some(false)),
        ([3, 2], false, Some(false)),
    ] {
        if let Some(transposed) = transposed {
            assert_eq!(says(&dims, "ba", Stores::Auto), (Stores::Auto, transposed, false));
        }
        assert_eq!(says(&dims, "ab", Stores::Auto), (Stores::Auto, in_turn, false));
        assert_eq!(says(&dims, "ba", Stores::Temporal), (Stores::Temporal, false, true));
        assert_eq!(says(&dims, "ba", Stores::Streaming), (Stores::Streaming, true, false));
    }
    // Blocks of channels are filled in turn; a few channels are as many streams.
    for (dims, from, to, streams) in [
        ([16, 64, 56, 56], "nchw", "nhwc", true),
        ([16, 64, 56, 56], "nhwc", "nchw", true),
        ([8, 64, 56, 56], "nhwc", "nchw", false),
        ([16, 64, 56, 56], "nchw", "nChw16c", false),
        ([4, 3, 500, 500], "nhwc", "nchw", false),
        ([512, 512, 3, 3], "hwio", "OIhw16i16o", true),
        ([512, 512, 3, 3], "oihw", "OIhw16i16o", true),
        ([16, 64, 56, 56], "nChw16c", "nchw", true),
    ] {
        let plan = Reorder::new(&dense(DType::F32, &dims, from), &dense(DType::F32, &dims, to)).unwrap();
        assert_eq!(plan.to_string().contains(", streaming stores,"), streams, "{from} {to}");
    }
    assert_eq!(ALL.map(|stores| stores.to_string()), ["auto", "temporal", "streaming"]);
}

#[test]
fn constant() {
    const OPTIONS: ReorderOptions = ReorderOptions::new().with_stores(Stores::Streaming);
    const SCALAR: Descriptor = Descriptor::scalar(DType::U8);
    const PLAN: Reorder = match OPTIONS.plan(&SCALAR, &SCALAR) {
        Ok(plan) => plan,
        Err(_) => panic!("one element"),
    };
    assert_eq!((PLAN.stores(), OPTIONS.stores()), (Stores::Streaming, Stores::Streaming));
    assert_eq!(ReorderOptions::new(), ReorderOptions::default());
    assert_eq!(Reorder::new(&SCALAR, &SCALAR).unwrap().stores(), Stores::Auto);
}

/// Every class of plan, with whole lines, with parts of lines, and off them.
#[test]
fn the_same_is_written() {
    let cases: [(&[usize], &str, &str); 9] = [
        (&[2, 67, 9, 13], "nchw", "nchw"),
        (&[2, 67, 9, 13], "nchw", "nhwc"),
        (&[2, 67, 9, 13], "nhwc", "nChw16c"),
        (&[2, 67, 9, 13], "nChw16c", "nchw"),
        (&[1, 3, 19, 33], "nhwc", "nchw"),
        (&[65, 70, 1, 3], "oihw", "OIhw4i16o4i"),
        (&[1, 96, 5, 7], "nChw48c", "nChw32c"),
        (&[129, 131], "ab", "ba"),
        (&[300], "a", "a"),
    ];
    for (dims, from, to) in cases {
        for dtypes in [
            (DType::F32, DType::F32),
            (DType::U8, DType::U8),
            (DType::Bf16, DType::Bf16),
            (DType::U8, DType::F32),
            (DType::F32, DType::S8),
        ] {
            let (src, dst) = (dense(dtypes.0, dims, from), dense(dtypes.1, dims, to));
            let mut memory = vec![0; src.size_bytes()];
            fill(src.dtype(), &mut memory, 5);
            let plan = Reorder::new(&src, &dst).unwrap();
            for shift in [0, 1, 32] {
                let mut expected = vec![SENTINEL; dst.size_bytes() + 128];
                // What is aligned is in the middle of the same memory for all.
                let mut found = expected.clone();
                let at = found.as_ptr().align_offset(64) + shift;
                reorder(&src, &dst, &memory, &mut expected[at..]);
                for stores in ALL {
                    found.fill(SENTINEL);
                    plan.clone().with_stores(stores).run(&memory, &mut found[at..]).unwrap();
                    assert!(
                        found == expected,
                        "{dims:?} {from} -> {to}, {dtypes:?}, {stores}, shift {shift}"
                    );
                }
            }
        }
    }
}

#[test]
fn views() {
    let image =
        Tensor::<u8, Nhwc>::from_fn([2, 3, 9, 7], |[n, c, h, w]| (n * 100 + c * 50 + h * 7 + w) as u8)
            .unwrap();
    let expected: Tensor<f32, Nchw16c> = image.convert();
    for stores in ALL {
        let options = ReorderOptions::new().with_stores(stores);
        for _ in 0..2 {
            let made: Tensor<f32, Nchw16c> = options.convert(&image).unwrap();
            assert_eq!(made.as_slice(), expected.as_slice(), "{stores}");
            let mut filled = Tensor::<f32, Nchw16c>::zeroed([2, 3, 9, 7]).unwrap();
            options.reorder(image.view(), &mut filled).unwrap();
            assert_eq!(filled.as_slice(), expected.as_slice(), "{stores}");
            // A part, made anew.
            let rows: Tensor<u8, Nchw> = options.convert(image.slice::<'h'>(2..5).unwrap()).unwrap();
            assert!(rows.indexed_iter().all(|([n, c, h, w], &x)| x == image[[n, c, h + 2, w]]));
        }
    }
    let empty = Tensor::<u8, RowMajor>::zeroed([0, 3]).unwrap();
    let none: Tensor<f32, RowMajor> = ReorderOptions::new().convert(&empty).unwrap();
    assert!(none.is_empty());
}
