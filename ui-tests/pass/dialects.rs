//! Names of other systems, and our marks, are the types of the names in our grammar.

use static_assertions::assert_type_eq_all;
use tensor_layout::layout;

assert_type_eq_all!(
    layout!("nChw32c"),
    layout!("onednn:nChw32c"),
    layout!("b_fs_yx_fsv32"),
    layout!("NC/32HW32"),
    layout!("kCHW32"),
    layout!("tvm:NCHW32c"),
    layout!("TensorNCxHWx<32>")
);
assert_type_eq_all!(layout!("nhwc"), layout!("channels_last"), layout!("tf:NHWC"), layout!("n_hw_c"));
assert_type_eq_all!(layout!("nhwc^8"), layout!("kHWC8"));
assert_type_eq_all!(layout!("AB4a128b2a"), layout!("{1,0:T(8,128)(2,1)}"));
assert_type_eq_all!(layout!("nC16c_hw"), layout!("tvm:NC16cHW"));
assert_type_eq_all!(
    layout!("OIhw4o.0_8i8o.1_4i"),
    layout!("ov:os_is_yx_osa4_isa8_osv8_isv4_swizzled_by_4")
);
assert_type_eq_all!(layout!("gOIhw2i8o16i2o"), layout!("onednn:gIOhw2i8o16i2o"));

pub(crate) fn main() {
    println!("{} {}", layout!("trt:kHWC8"), layout!("nC16c_hw"));
}
