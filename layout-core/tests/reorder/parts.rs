//! Descriptors of parts, broadcasts and extra padding: moved rightly or refused.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::{Reorder, ReorderError};

fn dense(dims: &[usize], format: &str) -> Descriptor {
    Descriptor::new(DType::U8, dims, format).unwrap()
}

/// Moves numbered elements and compares each; what is not the destination's stays 255.
fn check(src: &Descriptor, dst: &Descriptor) {
    let bytes: Vec<u8> = (0..src.size_bytes()).map(|i| i as u8 % 199 + 1).collect();
    let mut out = vec![255; dst.size_bytes()];
    Reorder::new(src, dst).unwrap().run(&bytes, &mut out).unwrap();
    for (offset, &found) in out.iter().enumerate() {
        let expected = match dst.locate(offset).unwrap() {
            layout_core::descriptor::Location::Element(index) => bytes[src.offset(&index).unwrap()],
            layout_core::descriptor::Location::Padding => 0,
            layout_core::descriptor::Location::Unused => 255,
        };
        assert_eq!(found, expected, "{src} to {dst} at {offset}");
    }
}

#[test]
fn parts_on_blocks_are_moved() {
    let d = dense(&[2, 40, 3, 5], "nChw8c");
    let part = d.submemory(&[1, 8, 1, 0], &[1, 24, 2, 5]).unwrap();
    let border = d.submemory(&[0, 16, 0, 2], &[2, 24, 3, 3]).unwrap();
    let tail = d.submemory(&[0, 0, 0, 0], &[2, 13, 3, 5]).unwrap();
    for part in [part, border] {
        for format in ["nchw", "nhwc", "nChw16c", "nChw8c"] {
            check(&part, &dense(part.dims(), format));
            check(&dense(part.dims(), format), &part);
        }
    }
    // A source may end inside a block: the rest of it is not read.
    check(&tail, &dense(tail.dims(), "nchw"));
    check(&tail, &dense(tail.dims(), "nChw16c"));
}

#[test]
fn padding_behind_is_filled() {
    let d = dense(&[2, 5, 3, 4], "nhwc").with_halo(&[0; 4], &[1, 3, 0, 2]).unwrap();
    check(&dense(d.dims(), "nchw"), &d);
    check(&d, &dense(d.dims(), "nChw8c"));
    let d = dense(&[2, 5, 3, 4], "nChw4c").with_halo(&[0; 4], &[0, 5, 1, 2]).unwrap();
    check(&dense(d.dims(), "nchw"), &d);
}

#[test]
fn broadcast_sources_are_read() {
    let row = dense(&[1, 20, 1, 1], "nchw").broadcast_to(&[2, 20, 3, 4]).unwrap();
    for format in ["nchw", "nhwc", "nChw16c"] {
        check(&row, &dense(row.dims(), format));
    }
    let column = dense(&[3, 1], "ab").broadcast(1, 50).unwrap();
    check(&column, &dense(&[3, 50], "ab"));
    check(&column, &dense(&[3, 50], "ba"));
}

#[test]
fn parts_of_blocks_are_moved() {
    let d = dense(&[2, 40, 3, 5], "nChw8c");
    let plain = dense(&[2, 16, 3, 5], "nchw");
    let inside = d.submemory(&[0, 3, 0, 0], &[2, 16, 3, 5]).unwrap();
    let tail = d.submemory(&[0, 0, 0, 0], &[2, 13, 3, 5]).unwrap();
    let halo = plain.with_halo(&[0, 0, 1, 0], &[0; 4]).unwrap();
    for part in [inside, tail, halo] {
        for format in ["nchw", "nhwc", "nChw16c", "nChw8c"] {
            check(&part, &dense(part.dims(), format));
            check(&dense(part.dims(), format), &part);
        }
    }
}

#[test]
fn a_broadcast_destination_is_refused() {
    let row = dense(&[1, 3], "ab").broadcast(0, 4).unwrap();
    let error = Reorder::new(&dense(&[4, 3], "ab"), &row).unwrap_err();
    assert_eq!(error, ReorderError::Broadcast { axis: 'a', position: 0 });
    assert_eq!(
        error.to_string(),
        "axis `a` (position 0) of the destination is broadcast: its elements share one place; give each its own"
    );
    // One value, or none, has its place to itself.
    let one = dense(&[2, 1], "nc").broadcast(1, 1).unwrap();
    check(&dense(&[2, 1], "nc"), &one);
    let none = dense(&[0, 1], "nc").broadcast(1, 7).unwrap();
    assert!(Reorder::new(&dense(&[0, 7], "nc"), &none).is_ok());
}
