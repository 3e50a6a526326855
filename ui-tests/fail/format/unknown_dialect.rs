use tensor_layout::{Layout, layout};

type Act = layout!("openvino:b_fs_yx_fsv16");

fn main() {
    let _ = Act::offset([1, 16, 4, 4], [0, 0, 0, 0]);
}
