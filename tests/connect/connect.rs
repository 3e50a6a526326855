//! The integrations, each with the real crate of the other side: run by `scripts/check connect`, apart from the tests of the
//! workspace, which build none of these crates.

mod bytemuck;
mod dlpack;
mod errors;
mod image;
mod ndarray;
mod npy;
mod numpy;
mod safetensors;
mod serde;

/// What `data/make.py` puts at an index: the numbers of three axes side by side.
fn wide([i, j, k]: [usize; 3]) -> i32 {
    100 * i as i32 + 10 * j as i32 + k as i32 - 37
}

/// The same for bytes.
fn narrow([i, j, k]: [usize; 3]) -> i32 {
    10 * j as i32 + k as i32 - 37 + i as i32
}

/// All indices of `dims` in row-major order.
fn indices<const RANK: usize>(dims: [usize; RANK]) -> impl Iterator<Item = [usize; RANK]> {
    (0..dims.iter().product()).map(move |mut rest: usize| {
        let mut index = [0; RANK];
        for (at, extent) in index.iter_mut().zip(dims).rev() {
            *at = rest % extent;
            rest /= extent;
        }
        index
    })
}
