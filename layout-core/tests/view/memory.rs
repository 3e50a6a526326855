//! What a tensor owns and what a view is over: alignment, physical order, elements of every kind, panics in closures.

use layout_core::layout::{Dirty, Nchw, Nchw8c, Nchw16c, Nhwc, OIhw16i16o, RowMajor};
use layout_core::view::{ALIGNMENT, Tensor, TensorView, TensorViewMut};

#[test]
fn owned_memory_is_aligned() {
    for extent in 0..40 {
        let t: Tensor<u8, Nhwc> = Tensor::filled([1, 3, extent, 5], 1).unwrap();
        assert_eq!(t.as_ptr().addr() % ALIGNMENT, 0);
        let copy = t.clone();
        assert_eq!(copy.as_ptr().addr() % ALIGNMENT, 0);
        assert_eq!(copy.as_slice(), t.as_slice());
        let mapped = t.map(f64::from);
        assert_eq!(mapped.as_ptr().addr() % ALIGNMENT, 0);
    }
    #[repr(align(256))]
    #[derive(Clone, Copy, Default, PartialEq, Debug)]
    struct Wide(u8);
    let t: Tensor<Wide, RowMajor> = Tensor::filled([3, 3], Wide(7)).unwrap();
    assert_eq!(t.as_ptr().addr() % 256, 0);
    let none: Tensor<Wide, RowMajor> = Tensor::zeroed([0, 3]).unwrap();
    assert_eq!(none.as_ptr().addr() % 256, 0);
    assert_eq!(none.iter().next(), None);
}

#[test]
fn from_vec_is_physical_and_from_logical_is_logical() {
    // One pixel after the other: r, g, b.
    let pixels: Vec<u8> = (0..12).collect();
    let image: Tensor<u8, Nhwc> = Tensor::from_vec([1, 3, 2, 2], pixels.clone()).unwrap();
    assert_eq!((image[[0, 0, 0, 1]], image[[0, 1, 0, 0]]), (3, 1));
    assert_eq!(image.as_slice(), pixels);
    // One plane after the other, as in an `nchw` file.
    let image: Tensor<u8, Nhwc> = Tensor::from_logical([1, 3, 2, 2], &pixels).unwrap();
    assert_eq!((image[[0, 0, 0, 1]], image[[0, 1, 0, 0]]), (1, 4));
    assert_eq!(image.iter().copied().collect::<Vec<_>>(), pixels);
}

/// Guide: "Understanding memory formats", the four formulas over a 2x16x5x4 tensor.
#[test]
fn physical_order_is_that_of_the_guide() {
    let value = |[n, c, h, w]: [usize; 4]| (n * 1000 + c * 50 + h * 7 + w) as u32;
    let dims = [2, 16, 5, 4];
    let (nchw, nhwc) = (
        Tensor::<u32, Nchw>::from_fn(dims, value).unwrap(),
        Tensor::<u32, Nhwc>::from_fn(dims, value).unwrap(),
    );
    let blocked = Tensor::<u32, Nchw8c>::from_fn(dims, value).unwrap();
    for [n, c, h, w] in nchw.indices() {
        let x = value([n, c, h, w]);
        assert_eq!(nchw.as_slice()[((n * 16 + c) * 5 + h) * 4 + w], x);
        assert_eq!(nhwc.as_slice()[((n * 5 + h) * 4 + w) * 16 + c], x);
        assert_eq!(blocked.as_slice()[(((n * 2 + c / 8) * 5 + h) * 4 + w) * 8 + c % 8], x);
    }
}

#[test]
fn blocks_are_arrays_of_the_layouts_size() {
    let t: Tensor<f32, Nchw16c> = Tensor::filled([1, 20, 1, 2], 1.0).unwrap();
    let sums: Vec<f32> = t.blocks().iter().map(|block: &[f32; 16]| block.iter().sum()).collect();
    assert_eq!(sums, [16.0, 16.0, 4.0, 4.0]);
    let mut w: Tensor<f32, OIhw16i16o> = Tensor::zeroed([16, 16, 1, 1]).unwrap();
    for tile in w.blocks_mut() {
        let tile: &mut [[f32; 16]; 16] = tile;
        for (i, row) in tile.iter_mut().enumerate() {
            row[i] = 1.0;
        }
    }
    assert!(w.indexed_iter().all(|([o, i, ..], &x)| x == if o == i { 1.0 } else { 0.0 }));
    let plain: Tensor<f32, Nhwc> = Tensor::zeroed([1, 1, 1, 3]).unwrap();
    let elements: &[f32] = plain.blocks();
    assert_eq!(elements.len(), 3);
}

#[test]
fn runs_of_the_everyday_layouts() {
    let t: Tensor<u8, Nchw> = Tensor::zeroed([1, 2, 2, 5]).unwrap();
    let rows: Vec<_> = t.runs().map(|run| (run.start, run.axis, run.elements.len())).collect();
    assert_eq!(
        rows,
        [([0, 0, 0, 0], 3, 5), ([0, 0, 1, 0], 3, 5), ([0, 1, 0, 0], 3, 5), ([0, 1, 1, 0], 3, 5)]
    );
    let t: Tensor<u8, Nhwc> = Tensor::zeroed([1, 3, 1, 2]).unwrap();
    let pixels: Vec<_> = t.runs().map(|run| (run.start, run.axis, run.elements.len())).collect();
    assert_eq!(pixels, [([0, 0, 0, 0], 1, 3), ([0, 0, 0, 1], 1, 3)]);
    let t: Tensor<u8, Nchw16c> = Tensor::zeroed([1, 20, 1, 2]).unwrap();
    let blocks: Vec<_> = t.runs().map(|run| (run.start, run.axis, run.elements.len())).collect();
    assert_eq!(
        blocks,
        [([0, 0, 0, 0], 1, 16), ([0, 0, 0, 1], 1, 16), ([0, 16, 0, 0], 1, 4), ([0, 16, 0, 1], 1, 4)]
    );
    // Seen through one channel, every element is alone.
    let channel = t.select::<'c'>(17).unwrap();
    assert_eq!(channel.strides(), [64, 32, 16]);
    assert_eq!(
        channel.runs().map(|run| (run.start, run.elements.len())).collect::<Vec<_>>(),
        [([0, 0, 0], 1), ([0, 0, 1], 1)]
    );
}

#[test]
fn any_copy_type_is_an_element() {
    #[derive(Clone, Copy, PartialEq, Debug)]
    struct NoDefault(i16, u8);
    let memory = [NoDefault(1, 2), NoDefault(3, 4)];
    let v: TensorView<'_, NoDefault, RowMajor> = TensorView::from_slice([1, 2], &memory).unwrap();
    assert_eq!(v[[0, 1]], NoDefault(3, 4));
    assert_eq!(v.to_tensor().unwrap().as_slice(), memory);
    let names: Tensor<&str, Nchw8c> = Tensor::from_logical([1, 2, 1, 1], &["a", "b"]).unwrap();
    assert_eq!(names.as_slice(), ["a", "b", "", "", "", "", "", ""]);
}

#[test]
fn elements_of_no_size_take_no_memory() {
    let mut t: Tensor<(), Nchw16c> = Tensor::filled([3, 17, 2, 2], ()).unwrap();
    assert_eq!((t.size_bytes(), t.len(), t.required_len()), (0, 204, 384));
    assert_eq!((t.iter().count(), t.as_slice().len(), t.blocks().len()), (204, 384, 24));
    assert_eq!(t.runs().map(|run| run.elements.len()).sum::<usize>(), 204);
    assert_eq!(t.iter_mut().count() + t.physical_iter().count(), 588);
    assert!(t.padding_is_zero());
    let mapped = t.map(|()| 1u8);
    assert_eq!(mapped.as_slice().iter().map(|&x| usize::from(x)).sum::<usize>(), 204);
    assert_eq!(t.clone().slice::<'n'>(1..).unwrap().iter().count(), 136);
}

#[test]
fn a_panic_in_a_closure_frees_the_memory() {
    // valgrind and Miri look for the leak.
    let result = std::panic::catch_unwind(|| {
        Tensor::<f32, Nchw16c>::from_fn([2, 17, 3, 3], |index| {
            assert!(index != [1, 3, 0, 0], "on purpose");
            1.0
        })
    });
    assert!(result.is_err());
    let t: Tensor<f32, Nchw16c> = Tensor::zeroed([2, 17, 3, 3]).unwrap();
    let mut calls = 0;
    let result = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
        t.map(|x| {
            calls += 1;
            assert!(calls < 100, "on purpose");
            x
        })
    }));
    assert!(result.is_err());
    assert_eq!(t.iter().count(), 2 * 17 * 9);
}

#[test]
fn memory_from_elsewhere_is_used_in_place() {
    let mut memory = vec![3.0f32; 64];
    let address = memory.as_ptr();
    let mut v: TensorViewMut<'_, f32, Nchw16c> =
        TensorViewMut::from_slice([1, 3, 2, 2], &mut memory).unwrap();
    assert_eq!(v.as_ptr(), address);
    assert_eq!((v.padding_is_zero(), v.view().iter().sum::<f32>()), (true, 36.0));
    v.blocks_mut()[0][0] = 7.0;
    assert_eq!(memory[..4], [7.0, 3.0, 3.0, 0.0]);
    let dirty: TensorViewMut<'_, f32, Dirty<Nchw16c>> =
        TensorViewMut::<f32, Nchw16c>::from_slice_dirty([1, 3, 2, 2], &mut memory).unwrap();
    let shared = dirty.into_shared();
    assert_eq!(shared.as_slice().len(), 64);
}

#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
mod huge_pages {
    use layout_core::layout::Vector;
    use layout_core::view::{ALIGNMENT, Tensor};

    const VARIABLE: &str = "TENSOR_LAYOUT_HUGE_PAGES";

    /// Whether the system was asked for huge pages at `address`; `None` where it does not say.
    fn are_asked_for(address: usize) -> Option<bool> {
        let maps = std::fs::read_to_string("/proc/self/smaps").ok()?;
        let mut here = false;
        for line in maps.lines() {
            let range = line.split_whitespace().next()?.split_once('-');
            if let Some((start, end)) = range.filter(|_| !line.contains("VmFlags")) {
                let address_of = |text| usize::from_str_radix(text, 16).ok();
                here = address_of(start)? <= address && address < address_of(end)?;
            }
            if let Some(flags) = line.strip_prefix("VmFlags:").filter(|_| here) {
                return Some(flags.split_whitespace().any(|flag| flag == "hg"));
            }
        }
        None
    }

    /// Of a tensor of `bytes` bytes, in the middle; memory as large as that comes anew from the system.
    fn asked_for(bytes: usize) -> Option<bool> {
        let mut t = Tensor::<u8, Vector>::filled([bytes], 7).unwrap();
        assert!(t.as_ptr().addr().is_multiple_of(ALIGNMENT));
        t.as_mut_slice()[bytes - 1] = 8;
        assert!(t.as_slice()[..bytes - 1].iter().all(|&x| x == 7) && t.as_slice()[bytes - 1] == 8);
        are_asked_for(t.as_ptr().addr() + bytes / 2)
    }

    #[test]
    fn for_large_tensors() {
        if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            println!("skipped: the system has no huge pages");
            return;
        }
        let off = std::env::var_os(VARIABLE).is_some_and(|value| value == "off");
        for bytes in [4 << 20, (4 << 20) + 64, (9 << 20) - 1, 64 << 20] {
            assert_ne!(asked_for(bytes), Some(off), "{bytes}");
        }
        if !off {
            // The variable is read once, so that another process is needed.
            let name = "memory::huge_pages::for_large_tensors";
            let child = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", name, "--nocapture"])
                .env(VARIABLE, "off")
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&child.stdout);
            assert!(child.status.success() && said.contains("1 passed"), "{said}");
        }
    }
}
