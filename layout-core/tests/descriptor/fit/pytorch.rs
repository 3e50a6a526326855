//! PyTorch's rules against what PyTorch and NumPy printed: `tests/data/strides.tsv`, made by `strides.py` beside it.

use layout_core::descriptor::{DType, Descriptor, MemoryFormat};

const RECORDED: &str = include_str!("../../data/strides.tsv");

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    let number = |part: &str| part.parse().unwrap_or_else(|_| panic!("`{part}` is no number"));
    text.split(',').filter(|part| !part.is_empty()).map(number).collect()
}

#[test]
fn recorded_strides() {
    let mut compared = 0;
    for line in RECORDED.lines().skip(2) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [dims, strides, contiguous, suggested, preserved] = columns[..] else { panic!("`{line}`") };
        let (dims, strides) = (numbers::<usize>(dims), numbers::<isize>(strides));
        let d = Descriptor::from_broadcast_strides(DType::F32, &dims, &strides)
            .unwrap_or_else(|error| panic!("{dims:?} {strides:?}: {error}"));
        let formats = [MemoryFormat::Contiguous, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d];
        for (format, expected) in formats.into_iter().zip(contiguous.chars()) {
            // What PyTorch refuses to answer is not so.
            assert_eq!(d.is_contiguous(format), expected == '1', "{d} {format:?}");
        }
        let expected = match suggested {
            "contiguous_format" => MemoryFormat::Contiguous,
            "channels_last" => MemoryFormat::ChannelsLast,
            "channels_last_3d" => MemoryFormat::ChannelsLast3d,
            other => panic!("`{other}`"),
        };
        assert_eq!(d.suggest_memory_format(), expected, "{d}");
        let like = d.preserve_format().unwrap();
        assert_eq!(like.strides()[..], numbers::<isize>(preserved), "{d}");
        assert!(like.is_unique() && like.dims() == d.dims());
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

/// What PyTorch's formats are called here.
#[test]
fn formats_by_name() {
    for (format, name, dims) in [
        (MemoryFormat::Contiguous, "nchw", &[2, 3, 4, 5][..]),
        (MemoryFormat::ChannelsLast, "nhwc", &[2, 3, 4, 5]),
        (MemoryFormat::ChannelsLast3d, "ndhwc", &[2, 3, 4, 5, 6]),
    ] {
        let d = Descriptor::new(DType::F32, dims, name).unwrap();
        assert!(d.is_contiguous(format) && d.suggest_memory_format() == format);
        assert_eq!(d.preserve_format(), Ok(d));
    }
    // Blocks are not PyTorch's.
    let blocked = Descriptor::new(DType::F32, &[2, 16, 4, 5], "nChw16c").unwrap();
    assert!(!blocked.is_contiguous(MemoryFormat::ChannelsLast));
    assert_eq!(blocked.suggest_memory_format(), MemoryFormat::Contiguous);
    let part = blocked.submemory(&[0, 3, 0, 0], &[2, 10, 4, 5]).unwrap();
    assert_eq!(part.preserve_format(), Descriptor::new(DType::F32, &[2, 10, 4, 5], "nChw16c").map_err(|e| e));
}
