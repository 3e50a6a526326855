//! The layouts whose code is compiled: every kind of digit list, placement and window.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::{Spec, known_names};

/// A layout, and what of it is a number in the code.
pub(crate) struct Case {
    pub(crate) tensor: Descriptor,
    /// By axis, whether the extent is a parameter of the functions. Placed tensors have none.
    pub(crate) open: Vec<bool>,
    pub(crate) from_spec: bool,
}

/// Formats with extents, each compiled as a placed tensor and, where it is dense, with every extent a parameter, with
/// every second one and with the first alone.
const DENSE: &[(&str, &[usize])] = &[
    ("scalar", &[]),
    ("a", &[7]),
    ("A4a", &[7]),
    ("nchw", &[2, 3, 4, 5]),
    ("nhwc", &[2, 3, 4, 5]),
    ("chwn", &[2, 3, 4, 5]),
    ("nhwc", &[1, 1, 4, 1]),
    ("nChw8c", &[2, 17, 3, 2]),
    ("nChw16c", &[1, 3, 3, 2]),
    ("nChw8c", &[2, 16, 1, 2]),
    ("NChw4n8c", &[5, 9, 2, 2]),
    ("OIhw4i16o4i", &[20, 17, 1, 2]),
    ("OIhw4i16o4i", &[3, 2, 2, 1]),
    ("ABcd16a16b", &[17, 1, 2, 1]),
    ("gOIhw2i8o4i", &[2, 9, 9, 1, 2]),
    ("OIhw4o.0_8i8o.1_4i", &[33, 33, 1, 1]),
    ("o => O2o.1_4o.2_4o.0", &[40]),
    ("mk => MK32m.0_4m.1_4k", &[130, 6]),
    ("nC16c_hw", &[2, 17, 3, 2]),
    ("nhwc^8", &[2, 3, 4, 5]),
    ("nChw^8_16c", &[1, 17, 2, 5]),
    ("nCh^4w16c", &[1, 17, 3, 2]),
    ("nC^3hw2c", &[1, 3, 2, 2]),
    ("bshd => bhSd16s", &[2, 20, 2, 3]),
    ("abcdefghijkl", &[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]),
    ("ndhwc", &[2, 3, 2, 3, 2]),
    ("ldigO3o", &[1, 1, 2, 2, 4]),
    ("nchw", &[2, 0, 4, 5]),
    ("nChw8c", &[0, 3, 4, 5]),
];

fn closed(tensor: Descriptor) -> Case {
    Case { tensor, open: vec![false; tensor.rank()], from_spec: false }
}

fn dense() -> impl Iterator<Item = Case> {
    DENSE.iter().flat_map(|&(format, dims)| {
        let tensor = Descriptor::new(DType::F32, dims, format).expect(format);
        let opened = |open: fn(usize) -> bool| {
            let open = (0..tensor.rank()).map(open).collect();
            Case { tensor, open, from_spec: true }
        };
        [
            closed(tensor),
            opened(|_| true),
            opened(|_| false),
            opened(|a| a % 2 == 1),
            opened(|a| a % 2 == 0),
            opened(|a| a == 0),
        ]
    })
}

/// One tensor of each name that the systems list, with extents that no block divides.
fn listed() -> Vec<Case> {
    let mut seen: Vec<Spec> = Vec::new();
    for spec in known_names().filter_map(|known| known.spec().ok()) {
        // The digits of the name are what the code is made of; a few hundred different ones will do.
        let blocked = spec.len() > spec.rank();
        if blocked && !seen.iter().any(|other| other.same_digits(&spec)) {
            seen.push(spec);
        }
    }
    let small = |spec: &Spec| spec.inner_len() <= 512;
    let cases: Vec<Case> = seen
        .iter()
        .filter(|spec| small(spec))
        .step_by(5)
        .map(|spec| {
            let dims: Vec<usize> = (0..spec.rank())
                .map(|a| if spec.block_of(a) > 1 { spec.block_of(a) as usize + 1 } else { 1 + a % 2 })
                .collect();
            let tensor = Descriptor::from_spec(DType::F32, &dims, *spec).expect("small");
            Case { tensor, open: vec![spec.rank().is_multiple_of(2); spec.rank()], from_spec: true }
        })
        .collect();
    assert!(cases.len() > 50, "{} formats", cases.len());
    cases
}

fn placed() -> Vec<Case> {
    let new = |dims: &[usize], format| Descriptor::new(DType::F32, dims, format).expect(format);
    let text = |text: &str| text.parse::<Descriptor>().expect(text);
    let blocked = new(&[2, 40, 3, 4], "nChw16c");
    let twice = new(&[40, 40], "AB4b8a2b");
    [
        text("f32:ab:3x4:strides=8x1"),
        text("f32:ab:3x4:strides=-8x1:base=16"),
        text("f32:ab:3x4:strides=-8x-2:base=30"),
        text("f32:nChw8c:2x17x3x2:strides=200x64x20x10:base=5"),
        text("f32:nChw8c:2x17x3x2:strides=-200x64x-20x10:base=260"),
        text("f32:abc:2x1x3:strides=3x100x1"),
        new(&[2, 3, 5, 4], "nhwc").submemory(&[0, 1, 1, 1], &[2, 1, 3, 2]).unwrap(),
        blocked.submemory(&[0, 3, 1, 0], &[2, 20, 2, 4]).unwrap(),
        blocked.submemory(&[1, 20, 0, 1], &[1, 20, 3, 2]).unwrap(),
        blocked.submemory(&[1, 17, 0, 1], &[1, 2, 3, 2]).unwrap(),
        twice.submemory(&[5, 3], &[20, 30]).unwrap(),
        new(&[1, 17, 3, 4], "nChw8c").with_halo(&[0, 0, 1, 2], &[0, 0, 1, 1]).unwrap(),
        new(&[3, 4], "ab").with_halo(&[1, 0], &[0, 3]).unwrap(),
        new(&[1, 4], "ab").broadcast(0, 3).unwrap(),
        new(&[3, 1, 2], "abc").broadcast(1, 5).unwrap(),
        new(&[2, 17, 3, 2], "nChw8c").permute_axes(&[2, 0, 3, 1]).unwrap(),
        Descriptor::scalar(DType::U8).with_base(9).unwrap(),
    ]
    .into_iter()
    .map(closed)
    .collect()
}

pub(crate) fn all() -> Vec<Case> {
    let mut all: Vec<Case> = dense().collect();
    all.extend(placed());
    all.extend(listed());
    all
}
