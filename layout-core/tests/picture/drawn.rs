//! What pictures show, counted: every element once on each side, in its place and in one colour; large tensors elided.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::known_names;
use layout_core::index_code::Language;
use layout_core::picture::{Anchor, Fill, Shape, TerminalColours};
use proptest::prelude::*;
use std::collections::HashMap;

/// The cells of a picture: element number and colour, in the order in which they are drawn, which is the logical side and
/// then the memory.
fn cells(d: &Descriptor) -> Vec<(usize, [u8; 3])> {
    let picture = d.picture();
    let shapes = picture.shapes();
    let pairs = shapes.iter().zip(&shapes[1..]);
    pairs
        .filter_map(|pair| match pair {
            (
                Shape::Rect { x, width, fill: Fill::Solid(colour), .. },
                Shape::Text { x: at, anchor: Anchor::Middle, text, .. },
            ) if *at == x + width / 2 => Some((text.parse().ok()?, *colour)),
            _ => None,
        })
        .collect()
}

fn count(d: &Descriptor, fill: Fill) -> usize {
    let same = |shape: &&Shape| matches!(shape, Shape::Rect { fill: own, .. } if *own == fill);
    d.picture().shapes().iter().filter(same).count()
}

/// Small tensors of every kind.
fn small() -> Vec<Descriptor> {
    let mut all: Vec<Descriptor> = [
        "f32:scalar",
        "f32:a:7",
        "f32:A4a:7",
        "f32:ab:3x4",
        "f32:ba:3x4",
        "f32:aB4b:3x6",
        "f32:nchw:2x3x3x4",
        "f32:nhwc:2x3x3x4",
        "f32:chwn:2x3x3x4",
        "f32:nChw8c:1x17x2x3",
        "f32:OIhw4i16o4i:16x16x1x1",
        "f32:NChw4n8c:5x9x1x2",
        "f32:nhwc^8:1x3x2x2",
        "f32:ab:3x4:strides=8x1",
        "f32:ab:3x4:strides=-8x1:base=16",
        "f32:bshd => bhSd16s:1x20x2x3",
    ]
    .iter()
    .map(|text| text.parse().expect(text))
    .collect();
    let blocked: Descriptor = "f32:nChw8c:1x24x2x2".parse().unwrap();
    all.push(blocked.submemory(&[0, 3, 0, 0], &[1, 10, 2, 2]).unwrap());
    all.push(all[3].with_halo(&[1, 0], &[0, 2]).unwrap());
    all
}

#[test]
fn every_element_is_on_both_sides() {
    for d in small() {
        let (cells, len) = (cells(&d), d.logical_len());
        assert_eq!(cells.len(), 2 * len, "{d}");
        let (logical, memory) = cells.split_at(len);
        let colours: HashMap<usize, [u8; 3]> = logical.iter().copied().collect();
        assert_eq!(colours.len(), len, "{d}: numbers differ");
        // The memory side is in the order of the offsets.
        let mut offsets: Vec<(usize, usize)> = (0..len)
            .map(|number| {
                let mut rest = number;
                let mut index = vec![0; d.rank()];
                for a in (0..d.rank()).rev() {
                    (index[a], rest) = (rest % d.dims()[a], rest / d.dims()[a]);
                }
                (d.offset(&index).unwrap(), number)
            })
            .collect();
        offsets.sort_unstable();
        let expected: Vec<usize> = offsets.into_iter().map(|(_, number)| number).collect();
        assert_eq!(memory.iter().map(|(number, _)| *number).collect::<Vec<_>>(), expected, "{d}");
        assert!(memory.iter().all(|(number, colour)| colours[number] == *colour), "{d}");
    }
}

#[test]
fn padding_is_hatched_on_both_sides() {
    for d in small() {
        let padding = d.padded_len() - d.logical_len();
        let legend = usize::from(padding > 0);
        assert_eq!(count(&d, Fill::Hatched), 2 * padding + legend, "{d}");
        let unused = d.required_len() - d.first_offset() - d.padded_len();
        assert_eq!(count(&d, Fill::Empty), unused + usize::from(unused > 0), "{d}");
    }
}

#[test]
fn shapes_lie_in_the_picture() {
    for d in small() {
        let picture = d.picture();
        for shape in picture.shapes() {
            let (right, bottom) = match shape {
                Shape::Rect { x, y, width, height, .. } => (x + width, y + height),
                Shape::Text { x, y, .. } => (*x, *y),
                _ => (0, 0),
            };
            assert!(right <= picture.width() && bottom <= picture.height(), "{d}: {shape:?}");
        }
    }
}

#[test]
fn large_tensors_are_elided() {
    for text in [
        "f32:nchw:32x64x224x224",
        "f32:nhwc:32x3x224x224",
        "f32:nChw16c:8x256x56x56",
        "f32:nChw16c:1x1001x1x1",
        "s8:OIhw4i16o4i:512x512x3x3",
        "f32:ab:4096x4096",
        "f32:ba:1021x1019",
        "f32:a:1000000",
        "f32:abcdefghijkl:2x2x2x2x2x2x2x2x2x2x2x2",
        "f32:ncdhw:2x16x20x20x20",
        "f32:ab:1000x1000:strides=1024x1",
        "bf16:AB32a128b2a:1024x4096",
    ] {
        let d: Descriptor = text.parse().expect(text);
        let picture = d.picture();
        let shapes = picture.shapes().len();
        assert!(shapes < 8000, "{text}: {shapes} shapes");
        assert!(
            picture.width() < 2000 && picture.height() < 2400,
            "{text}: {} x {}",
            picture.width(),
            picture.height()
        );
        let svg = d.to_svg();
        assert!(svg.contains('\u{2026}') || svg.contains('\u{22ee}'), "{text}: nothing is left out");
        assert!(d.to_terminal(100, TerminalColours::None).lines().count() < 300, "{text}");
    }
}

#[test]
fn tensors_without_elements_have_a_picture() {
    let d = Descriptor::new(DType::F32, &[2, 0, 3], "abc").unwrap();
    assert!(d.to_svg().contains("a = 2, b = 0, c = 3"));
    assert!(d.to_terminal(80, TerminalColours::True).contains("abc"));
}

#[test]
fn terminals() {
    let d: Descriptor = "f32:aB4b:3x6".parse().unwrap();
    let plain = d.to_terminal(80, TerminalColours::None);
    assert!(!plain.contains('\x1b'));
    for line in [
        "\n 0   1   2   3    4   5  /// ///\n",
        "\n12  13  14  15   16  17  /// ///\n",
        "\n 0   0   1   2   3    4   5  /// ///  (0, 0)\n",
        "\n 8   6   7   8   9   10  11  /// ///  (1, 0)\n",
    ] {
        assert!(plain.contains(line), "no {line:?} in\n{plain}");
    }
    assert!(d.to_terminal(80, TerminalColours::Indexed).contains("\x1b[30;48;5;"));
    assert!(d.to_terminal(80, TerminalColours::True).contains("\x1b[30;48;2;"));
    // A narrow terminal has the grids below one another.
    let d: Descriptor = "f32:nchw:1x4x2x3".parse().unwrap();
    let width = |columns| {
        let text = d.to_terminal(columns, TerminalColours::None);
        let logical = text.split("Memory").next().unwrap().lines().skip(3).map(|line| line.chars().count());
        logical.max().unwrap()
    };
    assert!(width(40) <= 40 && width(120) > 40, "{} {}", width(40), width(120));
    // Nothing is wider than the terminal but for the headings, whatever the tensor.
    for text in ["f32:nChw8c:1x17x2x3", "f32:OIhw4i16o4i:32x32x3x3", "f32:nhwc:8x3x224x224", "f32:ab:40x50"] {
        let d: Descriptor = text.parse().unwrap();
        for columns in [80, 120] {
            let text = d.to_terminal(columns, TerminalColours::None);
            let cells =
                |line: &&str| line.chars().any(|c| c.is_ascii_digit()) && !line.contains(char::is_alphabetic);
            let widest = text.lines().filter(cells).max_by_key(|line| line.chars().count()).unwrap();
            assert!(widest.chars().count() <= columns, "{columns}:\n{widest}");
        }
    }
}

/// Grids of outer axes that are not shown have dots in their place, between grids as well as behind them.
#[test]
fn dots_stand_for_the_grids_that_are_left_out() {
    for (text, expected) in [
        ("f32:nchw:2x2x2x2", &["0", "1"][..]),
        ("f32:nchw:3x2x2x2", &["0", "1", "2"]),
        ("f32:nchw:5x2x2x2", &["0", "\u{2026}", "4"]),
        ("f32:abcde:2x1x3x2x2", &["0", "1"]),
        ("f32:abcdef:2x2x2x2x2x2", &["0", "\u{2026}"]),
        ("f32:abcdefghijkl:2x1x2x1x2x1x2x1x2x1x2x3", &["0", "\u{2026}"]),
    ] {
        let d: Descriptor = text.parse().unwrap();
        let text = d.to_terminal(100, TerminalColours::None);
        let logical = text.split("Memory").next().unwrap();
        let first = |line: &str| line.split(' ').next().unwrap().split('=').nth(1).map(str::to_owned);
        let found: Vec<String> = logical
            .lines()
            .skip(3)
            .filter_map(|line| if line == "\u{2026}" { Some(line.to_owned()) } else { first(line) })
            .collect();
        assert_eq!(found, expected, "{text}");
        let picture = d.picture();
        let dots = picture
            .shapes()
            .iter()
            .filter(|shape| matches!(shape, Shape::Text { text, .. } if text == "\u{2026}"));
        let dotted = expected.iter().filter(|part| **part == "\u{2026}").count();
        assert_eq!(dots.count(), dotted, "{text}");
    }
}

/// Any extent, small ones and those at the edge of a power of two most often.
fn extent() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0..20usize, 2 => (0u32..63).prop_map(|bits| 1 << bits), 1 => 0..(isize::MAX as usize)]
}

proptest! {
    /// Whatever can be a descriptor has a text, a picture of a bearable size, and code, or an error for it.
    #[test]
    fn every_descriptor_can_be_seen(
        name in 0..known_names().count(),
        dims in prop::collection::vec(extent(), 12),
        starts in prop::collection::vec(0..9usize, 12),
        cut in any::<bool>(),
        repeat in any::<bool>(),
    ) {
        let known = known_names().nth(name).unwrap();
        let Ok(spec) = known.spec_for(4, 4) else { return Ok(()) };
        let Ok(mut d) = Descriptor::from_spec(DType::F32, &dims[..spec.rank()], spec) else { return Ok(()) };
        if cut {
            let starts: Vec<usize> = starts.iter().zip(d.dims()).map(|(&start, &dim)| start.min(dim)).collect();
            let rest: Vec<usize> = starts.iter().zip(d.dims()).map(|(start, dim)| (dim - start).div_ceil(2)).collect();
            d = d.submemory(&starts, &rest).unwrap_or(d);
        }
        if repeat && let Some(axis) = d.dims().iter().position(|&dim| dim == 1) {
            d = d.broadcast(axis, 3).unwrap_or(d);
        }
        let picture = d.picture();
        prop_assert!(picture.width() < 4000 && picture.height() < 6000, "{d}: {} x {}", picture.width(), picture.height());
        prop_assert!(d.to_svg().ends_with("</svg>\n"));
        prop_assert!(d.to_terminal(80, TerminalColours::True).contains("Memory order"));
        prop_assert!(d.describe().to_string().contains("offset"));
        for language in Language::ALL {
            let code = d.index_code(language).source();
            prop_assert_eq!(code.is_ok(), language != Language::Wgsl || d.index_code(language).offset().is_ok());
            prop_assert!(spec.index_code(language).source().is_ok());
        }
    }
}
