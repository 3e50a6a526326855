use tensor_layout::{Nchw, TensorViewMut};

fn share(mut t: TensorViewMut<'_, *const f32, Nchw>) {
    println!("{:?}", t.par_tiles_mut([1, 1, 2, 2]));
}

fn main() {
    let memory = &mut [core::ptr::null()];
    share(TensorViewMut::<_, Nchw>::from_slice_dirty([1, 1, 1, 1], memory).unwrap().assume_zeroed());
}
