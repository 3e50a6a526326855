//! What a call costs beside the move that it makes: `cargo bench --bench calls`. And what huge pages save.
//!
//! Small tensors, on one thread. All ways in take turns in one process; the figures are medians of many batches, in
//! nanoseconds a call. "move" is `Reorder::run_ptr` of a plan that is there already: what the others take beyond it goes
//! into looking up, describing and planning. Not a criterion benchmark, since differences of a few nanoseconds between
//! functions matter here, and these want interleaved batches.

use std::hint::black_box;
use std::time::Instant;
use tensor_layout::{
    ALIGNMENT, ColumnMajor, DType, Descriptor, Element, Fixed, Layout, Nchw, Nchw16c, Nhwc, PlanCache,
    Reorder, RowMajor, SameAxes, Shape, Tensor, TensorView, TensorViewMut, fixed, layout, reorder,
    reorder_bytes,
};

/// Calls of one batch, which is one sample.
const BATCH: u32 = 100;
/// Batches of each way in.
const ROUNDS: usize = 801;

fn main() {
    // `cargo test --benches` runs this too, without `--bench`; it has nothing to check then.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    type Extents = (Fixed<1>, Fixed<16>, Fixed<8>, Fixed<12>);
    let shape: Extents = (fixed(), fixed(), fixed(), fixed());
    calls::<f32, Nchw, f32, Nhwc, _>("f32 nchw -> nhwc, 1x16x8x12, 6 KB", shape);
    calls::<f32, Nchw, f32, Nchw16c, _>("f32 nchw -> nChw16c, 1x16x8x12, 6 KB", shape);
    type Image = (Fixed<1>, Fixed<3>, Fixed<20>, Fixed<25>);
    let image: Image = (fixed(), fixed(), fixed(), fixed());
    calls::<u8, Nhwc, f32, Nchw, _>("u8 nhwc -> f32 nchw, 1x3x20x25, 1.5 KB -> 6 KB", image);
    type Weights = (Fixed<32>, Fixed<64>, Fixed<1>, Fixed<3>);
    let weights: Weights = (fixed(), fixed(), fixed(), fixed());
    calls::<i8, layout!("oihw"), i8, layout!("OIhw4i16o4i"), _>(
        "s8 oihw -> OIhw4i16o4i, 32x64x1x3, 6 KB",
        weights,
    );
    type Empty = (Fixed<0>, Fixed<16>, Fixed<8>, Fixed<12>);
    let empty: Empty = (fixed(), fixed(), fixed(), fixed());
    calls::<f32, Nchw, f32, Nhwc, _>("nothing to move", empty);
    plans();
    pages();
}

/// Something to time, and its name.
type Way<'a> = (&'a str, Box<dyn FnMut() + 'a>);

/// Prints the median time of each.
fn table(title: &str, ways: &mut [Way<'_>]) {
    table_of(title, (BATCH, ROUNDS), ways);
}

/// Prints the median time of each, over so many calls a batch and batches.
fn table_of(title: &str, (batch, rounds): (u32, usize), ways: &mut [Way<'_>]) {
    let mut samples = vec![Vec::with_capacity(rounds); ways.len()];
    for _ in 0..rounds {
        for ((_, call), samples) in ways.iter_mut().zip(&mut samples) {
            // The one before has left its own code and data in the caches.
            for _ in 0..batch.div_ceil(5) {
                call();
            }
            let start = Instant::now();
            for _ in 0..batch {
                call();
            }
            samples.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(batch));
        }
    }
    println!("\n{title}");
    for ((name, _), samples) in ways.iter().zip(&mut samples) {
        samples.sort_by(f64::total_cmp);
        println!("  {name:<32} {:>10.1} ns", samples[samples.len() / 2]);
    }
}

/// Memory that begins at the same place of a page in each of them: where stores and loads are a multiple of 4 KiB apart,
/// processors take them for one another, and ways with luckier memory would look faster.
struct Placed<T> {
    memory: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Copy + Default> Placed<T> {
    const PAGE: usize = 4096;

    /// `len` elements, `lines` lines behind the start of a page.
    fn new(len: usize, lines: usize) -> Placed<T> {
        let memory = vec![T::default(); len + 2 * Self::PAGE / size_of::<T>()];
        let first = memory.as_ptr().align_offset(Self::PAGE) + lines * ALIGNMENT / size_of::<T>();
        Placed { memory, first, len }
    }

    fn get(&self) -> &[T] {
        &self.memory[self.first..][..self.len]
    }

    fn get_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.first..][..self.len]
    }
}

/// All ways from a dense tensor of `T` in layout `L` to one of `U` in layout `M`.
fn calls<T, L, U, M, S>(title: &str, shape: S)
where
    T: Element + Default,
    L: Layout,
    U: Element + Default,
    M: SameAxes<L>,
    S: Shape<L::Index>,
{
    let dims = shape.dims();
    let (from, to) = (L::descriptor(T::DTYPE, dims), M::descriptor(U::DTYPE, dims));
    let (from, to) = (from.expect("a descriptor"), to.expect("a descriptor"));
    let plan = Reorder::new(&from, &to).expect("a plan");

    let src = Placed::<T>::new(from.required_len(), 0);
    let src_bytes = Placed::<u8>::new(from.size_bytes(), 0);
    let [mut moved, mut in_type, mut dense, mut strided] =
        [(); 4].map(|()| Placed::<U>::new(to.required_len(), 40));
    let [mut run, mut described, mut copy] = [(); 3].map(|()| Placed::<u8>::new(to.size_bytes(), 40));
    let copied = Placed::<u8>::new(to.size_bytes(), 0);

    let src_in_type = TensorView::<T, L, S>::from_slice(shape, src.get()).expect("the length");
    let src_dense = TensorView::<T, L>::from_slice(dims, src.get()).expect("the length");
    let src_strided = src_dense.as_strided();
    let mut in_type = TensorViewMut::<U, M, S>::from_slice(shape, in_type.get_mut()).expect("the length");
    let mut dense = TensorViewMut::<U, M>::from_slice(dims, dense.get_mut()).expect("the length");
    let strided = TensorViewMut::<U, M>::from_slice(dims, strided.get_mut()).expect("the length");
    let mut strided = strided.into_strided();
    let mut cache = PlanCache::new();
    table(
        title,
        &mut [
            ("memcpy", Box::new(|| copy.get_mut().copy_from_slice(black_box(copied.get())))),
            (
                "move",
                // SAFETY: both are as long as the plan says.
                Box::new(|| unsafe {
                    plan.run_ptr(black_box(src.get().as_ptr().cast()), moved.get_mut().as_mut_ptr().cast())
                }),
            ),
            ("plan.run", Box::new(|| plan.run(black_box(src_bytes.get()), run.get_mut()).expect("it fits"))),
            (
                "reorder, extents in the type",
                Box::new(|| reorder(black_box(src_in_type), &mut in_type).expect("it fits")),
            ),
            ("reorder", Box::new(|| reorder(black_box(src_dense), &mut dense).expect("it fits"))),
            (
                "reorder, strided",
                Box::new(|| reorder(black_box(src_strided), &mut strided).expect("it fits")),
            ),
            (
                "reorder_bytes",
                Box::new(|| {
                    reorder_bytes(black_box(&from), src_bytes.get(), black_box(&to), described.get_mut())
                        .expect("it fits");
                }),
            ),
            ("PlanCache::plan", Box::new(|| _ = black_box(cache.plan(black_box(&from), black_box(&to))))),
            ("Layout::descriptor", Box::new(|| _ = black_box(L::descriptor(T::DTYPE, black_box(dims))))),
            ("Descriptor::fingerprint", Box::new(|| _ = black_box(black_box(&from).fingerprint()))),
            ("Reorder::new", Box::new(|| _ = black_box(Reorder::new(black_box(&from), black_box(&to))))),
            ("Tensor::uninit", Box::new(|| drop(black_box(Tensor::<U, M, S>::uninit(black_box(shape)))))),
            ("to_layout and convert", Box::new(|| drop(black_box(src_dense.convert::<U, M>())))),
        ],
    );
}

/// How long planning takes where nothing is cached.
fn plans() {
    let of = |dtype, dims: &[usize], format| Descriptor::new(dtype, dims, format).expect("a descriptor");
    let cases: [(_, &[usize], _, _); 6] = [
        (DType::F32, &[8, 64, 56, 56], "nchw", "nchw"),
        (DType::F32, &[8, 67, 56, 56], "nChw16c", "nhwc"),
        (DType::S8, &[512, 512, 3, 3], "oihw", "OIhw4i16o4i"),
        (DType::F32, &[8, 96, 56, 56], "nChw48c", "nChw32c"),
        (DType::F32, &[16, 16, 16, 16, 16, 16], "abcdef", "fedcba"),
        (DType::F32, &[2; 12], "abcdefghijkl", "lkjihgfedcba"),
    ];
    let names: Vec<_> = cases.map(|(_, _, from, to)| format!("{from} -> {to}")).to_vec();
    let ends = cases.map(|(dtype, dims, from, to)| (of(dtype, dims, from), of(dtype, dims, to)));
    let mut ways: Vec<Way<'_>> = Vec::new();
    for (name, (from, to)) in names.iter().zip(&ends) {
        ways.push((name, Box::new(|| _ = black_box(Reorder::new(black_box(from), black_box(to))))));
    }
    table("Reorder::new", &mut ways);
}

/// Transposes between tensors, which ask for huge pages, and between vectors, which do not; into memory that was used
/// before, and into new memory.
fn pages() {
    for n in [1024, 2048, 4096] {
        let dims = [n, n];
        let tensor = Tensor::<f32, RowMajor>::filled(dims, 1.0).expect("memory");
        let mut to_tensor = Tensor::<f32, ColumnMajor>::filled(dims, 1.0).expect("memory");
        let (vector, mut to_vector) = (vec![1f32; n * n], vec![1f32; n * n]);
        let (from, to) =
            (tensor.descriptor().expect("a descriptor"), to_tensor.descriptor().expect("a descriptor"));
        let plan = Reorder::new(&from, &to).expect("a plan");
        table_of(
            &format!("f32 {n} x {n} transposed, {} MiB", (n * n * 4) >> 20),
            (1, 31),
            &mut [
                ("tensor to tensor", Box::new(|| reorder(&tensor, &mut to_tensor).expect("it fits"))),
                (
                    "vector to vector",
                    // SAFETY: both vectors are as long as the plan says.
                    Box::new(|| unsafe {
                        plan.run_ptr(vector.as_ptr().cast(), to_vector.as_mut_ptr().cast())
                    }),
                ),
                ("tensor to new tensor", Box::new(|| drop(tensor.to_layout::<ColumnMajor>()))),
                (
                    "vector to new vector",
                    Box::new(|| {
                        let mut new = Vec::<f32>::with_capacity(n * n);
                        // SAFETY: the vector has room for as much as the plan says.
                        unsafe { plan.run_ptr(vector.as_ptr().cast(), new.as_mut_ptr().cast()) };
                        drop(black_box(new));
                    }),
                ),
            ],
        );
    }
}
