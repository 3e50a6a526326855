//! Plans as values: what they print, weigh and promise.

use crate::oracle::dense;
use layout_core::descriptor::DType;
use layout_core::kernels::Cpu;
use layout_core::reorder::{Attributes, Reorder, Values};
use static_assertions::assert_impl_all;

assert_impl_all!(Reorder: Send, Sync, Clone);

const _: () = assert!(size_of::<Reorder>() <= 1024 && !core::mem::needs_drop::<Reorder>());

/// The plan's text with `generic` for the processor's family, so that it is the same everywhere.
pub(crate) fn portable(plan: &Reorder) -> String {
    plan.to_string().replace(&format!("({} ", Cpu::current()), "(generic ")
}

/// The same of the plan in tiles: which way it takes differs from processor to processor.
fn printed(dtypes: (DType, DType), dims: &[usize], from: &str, to: &str) -> String {
    let plan = Reorder::new(&dense(dtypes.0, dims, from), &dense(dtypes.1, dims, to)).unwrap();
    portable(&plan.with_way("tiles".parse().unwrap()).unwrap())
}

const F32: (DType, DType) = (DType::F32, DType::F32);

#[test]
fn printed_plans() {
    assert_eq!(
        printed(F32, &[8, 64, 56, 56], "nchw", "nChw16c"),
        "f32 -> f32: tile transpose (generic copy, 4 bytes), reads 6422528 bytes, writes 6422528 bytes\n  \
         loops (32,3136,16):(50176,1,3136):(50176,16,1)\n  \
         not a plain copy: the two sides are contiguous along different axes; tile 16 x 3136"
    );
    assert_eq!(
        printed(F32, &[8, 64, 56, 56], "nhwc", "nhwc"),
        "f32 -> f32: stream copy (generic copy, 4 bytes), reads 6422528 bytes, writes 6422528 bytes\n  \
         loops (1605632):(1):(1)"
    );
    assert_eq!(
        printed((DType::U8, DType::F32), &[1, 3, 4, 5], "nhwc", "nChw16c"),
        "u8 -> f32: row copy (generic convert, 1 to 4 bytes), reads 60 bytes, writes 1280 bytes of which 260 elements \
         are zero padding\n  \
         loops (20,16):(3,1):(16,1)\n  \
         tail 3 of 16 in loops 2\n  \
         not a plain copy: common runs of 64 bytes"
    );
    // Blocks that do not nest: six segments of 16 in every 96.
    assert_eq!(
        printed(F32, &[1, 192, 5, 2], "nChw48c", "nChw32c"),
        "f32 -> f32: row copy (generic copy, 4 bytes), reads 7680 bytes, writes 7680 bytes\n  \
         loops (2,6,10,16):(960,[0 16 32 480 496 512],48,1):(960,[0 16 320 336 640 656],32,1)\n  \
         not a plain copy: the blocks do not nest; common runs of 64 bytes"
    );
    // Four values that follow one another on both sides move as one.
    assert_eq!(
        printed(F32, &[32, 32, 1, 1], "oihw", "OIhw4i16o4i"),
        "f32 -> f32: tile transpose (generic copy, 16 bytes), reads 4096 bytes, writes 4096 bytes\n  \
         loops (2,8,16,4):(512,4,32,1):(512,64,4,1)\n  \
         not a plain copy: the two sides are contiguous along different axes; tile 16 x 8"
    );
    // Runs of 32 bytes of a source that no cache holds: those beside them are read next, and the destination's order gives way.
    assert!(
        printed((DType::Bf16, DType::Bf16), &[512, 512, 3, 3], "hwio", "OIhw8i16o2i")
            .contains("\n  loops (32,9,8,32,16,2):(8192,262144,1024,16,1,512):(2304,256,32,73728,2,1)\n")
    );
    assert!(
        printed((DType::Bf16, DType::Bf16), &[64, 64, 3, 3], "hwio", "OIhw8i16o2i")
            .contains("\n  loops (4,4,9,8,16,2):(16,1024,4096,128,1,64):(9216,2304,256,32,2,1)\n")
    );
    // Two of one axis by nine of the others are a tile that many calls would take long for.
    assert!(
        printed((DType::F32, DType::Bf16), &[64, 64, 3, 3], "oihw", "OIhw8i16o2i")
            .ends_with("\n  not a plain copy: the tile of 2 x 9 is small; rows go by way of a buffer")
    );
    // 17 channels end inside of the second block.
    assert!(printed((DType::S4, DType::S4), &[1, 17, 77, 77], "nhwc", "nChw16c").ends_with(
        "\n  not a plain copy: the tile of 16 x 5929 is small or ends inside; its elements have a byte each in a buffer"
    ));
}

/// An axis that a plan keeps for its scales alone does not end inside of anything.
#[test]
fn rows_with_scales_need_no_buffer() {
    let [src, dst] = [DType::F32, DType::S8].map(|dtype| dense(dtype, &[2, 64, 14, 14], "nhwc"));
    let scales = [0.5; 64];
    let attributes = Attributes::new().src_scale(Values::per_axis('c', &scales));
    let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
    assert!(portable(&plan).ends_with("\n  not a plain copy: common runs of 64 bytes"), "{plan}");
}

#[test]
fn bytes_and_padding() {
    let plan =
        Reorder::new(&dense(DType::U8, &[2, 3, 5], "ncw"), &dense(DType::S32, &[2, 3, 5], "nCw8c")).unwrap();
    assert_eq!((plan.bytes_read(), plan.bytes_written(), plan.elements_zeroed()), (30, 320, 50));
    assert_eq!((plan.src_dtype(), plan.dst_dtype()), (DType::U8, DType::S32));
}

/// The planner runs while compiling.
#[test]
fn constant_plan() {
    use layout_core::descriptor::Descriptor;
    const fn descriptor(format: &str) -> Descriptor {
        match Descriptor::new(DType::U8, &[1, 5, 2, 2], format) {
            Ok(descriptor) => descriptor,
            Err(_) => panic!("the format is valid"),
        }
    }
    static PLAN: Reorder = match Reorder::new(&descriptor("nchw"), &descriptor("nChw4c")) {
        Ok(plan) => plan,
        Err(_) => panic!("the descriptors agree"),
    };
    let src: Vec<u8> = (0..20).collect();
    let mut dst = [9; 32];
    PLAN.run(&src, &mut dst).unwrap();
    assert_eq!(dst[..8], [0, 4, 8, 12, 1, 5, 9, 13]);
    assert_eq!(dst[16..24], [16, 0, 0, 0, 17, 0, 0, 0]);
}
