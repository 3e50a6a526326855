//! `.npy`: files that NumPy wrote (`data/make.py`), files of our own read by `npyz` itself, and what is no file.

use crate::{indices, narrow, wide};
use half::f16;
use npyz::NpyFile;
use std::io::Write;
use std::time::{Duration, Instant};
use tensor_layout::connect::{ConnectError, NpyHeader};
use tensor_layout::descriptor::DescriptorError;
use tensor_layout::{
    Boolean, ColumnMajor, DType, DynView, Element, Rows, Scalar, Tensor, TensorBytes, ViewError, layout,
};

type Abc = layout!("abc");
type Cba = layout!("cba");
type Blocked = layout!("aBc4b");

macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("data/", $name)).as_slice()
    };
}

/// Memory in which a file begins at a multiple of 64 bytes, as a mapped one does.
#[repr(align(64))]
struct Mapped([u8; 512]);

fn mapped(file: &[u8]) -> Mapped {
    let mut memory = Mapped([0; 512]);
    memory.0[..file.len()].copy_from_slice(file);
    memory
}

#[test]
fn files_of_numpy() {
    fn check<T: Element + PartialEq + std::fmt::Debug>(file: &[u8], value: impl Fn([usize; 3]) -> T) {
        let memory = mapped(file);
        let found = TensorBytes::from_npy(&memory.0[..file.len()]).unwrap();
        assert_eq!((found.dtype(), found.dims()), (T::DTYPE, &[2, 3, 4][..]));
        let view = found.view::<T, Abc>().unwrap();
        let moved = found.to_tensor::<f64, Blocked>().unwrap();
        let read = Tensor::<T, Cba>::from_npy(file).unwrap();
        let exact = Tensor::<f64, Abc>::from_npy(file).unwrap();
        for index in indices([2, 3, 4]) {
            assert_eq!(view[index], value(index), "{index:?}");
            assert_eq!(read[index], value(index), "{index:?}");
            assert_eq!(moved[index], exact[index]);
        }
    }
    check(file!("f8.npy"), |i| f64::from(wide(i)));
    check(file!("f4.npy"), |i| wide(i) as f32);
    check(file!("f2.npy"), |i| f16::from_f32(wide(i) as f32));
    check(file!("i4.npy"), wide);
    check(file!("version2.npy"), wide);
    check(file!("i1.npy"), |i| narrow(i) as i8);
    check(file!("u1.npy"), |i| (narrow(i) + 37) as u8);
}

#[test]
fn fortran_order_is_a_layout() {
    let memory = mapped(file!("f4_fortran.npy"));
    let found = TensorBytes::from_npy(&memory.0).unwrap();
    assert_eq!(found.descriptor().strides()[..], [1, 2, 6]);
    let view = found.view::<f32, Cba>().unwrap();
    assert!(indices([2, 3, 4]).all(|i| view[i] == wide(i) as f32));
    let error = found.view::<f32, Abc>().unwrap_err();
    assert!(matches!(error, ConnectError::Descriptor(DescriptorError::Order { .. })), "{error:?}");
    let rows = found.to_tensor::<f32, Abc>().unwrap();
    assert!(indices([2, 3, 4]).all(|i| rows[i] == wide(i) as f32));
}

#[test]
fn the_other_byte_order_is_copied() {
    for file in [file!("f4_big.npy"), file!("f2_big_fortran.npy")] {
        let tensor = Tensor::<f32, Blocked>::from_npy(file).unwrap();
        assert!(indices([2, 3, 4]).all(|i| tensor[i] == wide(i) as f32));
        let error = TensorBytes::from_npy(file).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the elements are big-endian and this machine is not: copy them into a tensor instead of viewing them"
        );
    }
}

#[test]
fn scalars_and_empty_arrays() {
    assert_eq!(Tensor::<f64, Scalar>::from_npy(file!("scalar.npy")).unwrap()[[]], 2.5);
    assert_eq!(Tensor::<f32, ColumnMajor>::from_npy(file!("empty.npy")).unwrap().dims(), [0, 3]);
    let found = TensorBytes::from_npy(file!("empty.npy")).unwrap();
    assert_eq!(DynView::<f32>::new(found.descriptor(), &[]).unwrap().iter().count(), 0);
}

#[test]
fn truths_are_ones() {
    let found = TensorBytes::from_npy(file!("bool.npy")).unwrap();
    assert_eq!((found.descriptor().dtype(), found.descriptor().dims()), (DType::Boolean, &[2, 3, 4][..]));
    let read = Tensor::<Boolean, Abc>::from_npy(file!("bool.npy")).unwrap();
    // `data/make.py`: wide > 0.
    assert!(read.indexed_iter().all(|(index, x)| x.get() == (wide(index) > 0)));
    // Bytes that are true but not 1.
    let loose = read.map(|x| Boolean::from_bits(7 * u8::from(x.get())));
    let mut file = Vec::new();
    Rows::of(&loose).unwrap().write_npy(&mut file).unwrap();
    assert_eq!(file[file.len() - 24..], *found.bytes());
}

#[test]
fn types_without_a_data_type_are_refused() {
    for (file, name) in [
        (file!("i8.npy"), "<i8"),
        (file!("record.npy"), "[('a', '<f4'), ('b', '<i4', (2,)), ]"),
        (file!("pickled.npy"), "|O"),
    ] {
        let error = TensorBytes::from_npy(file).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "no data type for elements `{name}`: convert them first, to one of f64 f32 f16 bf16 s32 s8 u8 f8_e5m2 f8_e4m3 e8m0 boolean s4 u4 f4_e2m1 f4_e3m0"
            )
        );
    }
}

#[test]
fn what_is_written_is_read_by_others() {
    fn check<T: Element + npyz::Deserialize + PartialEq + std::fmt::Debug + Default>(
        value: impl Fn([usize; 3]) -> T,
    ) {
        let tensor = Tensor::<T, Blocked>::from_fn([2, 3, 4], &value).unwrap();
        let mut file = Vec::new();
        Rows::of(&tensor).unwrap().write_npy(&mut file).unwrap();
        let read = NpyFile::new(&file[..]).unwrap();
        assert_eq!((read.shape(), read.order()), (&[2, 3, 4][..], npyz::Order::C));
        assert!(read.into_vec::<T>().unwrap().into_iter().eq(indices([2, 3, 4]).map(&value)));
        assert_eq!(Tensor::<T, Blocked>::from_npy(&file).unwrap().as_slice(), tensor.as_slice());

        let columns = tensor.to_layout::<Cba>();
        let mut file = Vec::new();
        TensorBytes::of(&columns.view()).unwrap().write_npy(&mut file).unwrap();
        let read = NpyFile::new(&file[..]).unwrap();
        assert_eq!((read.shape(), read.order()), (&[2, 3, 4][..], npyz::Order::Fortran));
        assert_eq!(read.into_vec::<T>().unwrap(), columns.as_slice());
    }
    check(|i| f64::from(wide(i)));
    check(|i| wide(i) as f32);
    check(|i| f16::from_f32(wide(i) as f32));
    check(wide);
    check(|i| narrow(i) as i8);
    check(|i| (narrow(i) + 37) as u8);
}

#[test]
fn what_cannot_be_written() {
    let tensor = Tensor::<half::bf16, Abc>::zeroed([2, 3, 4]).unwrap();
    let error = Rows::of(&tensor).unwrap().write_npy(Vec::new()).unwrap_err();
    assert!(matches!(error, ConnectError::Unsupported { dtype: DType::Bf16, by: "NumPy" }), "{error:?}");
    assert_eq!(error.to_string(), "elements bf16 cannot be handed to NumPy: convert them first, to f32");
    let tensor = Tensor::<f32, Blocked>::zeroed([2, 3, 4]).unwrap();
    let error = TensorBytes::of(&tensor.view()).unwrap().write_npy(Vec::new()).unwrap_err();
    assert!(matches!(error, ConnectError::NotPlain { .. }), "{error:?}");
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = Rows::of(&tensor).unwrap().write_npy(Full).unwrap_err();
    assert_eq!(error.to_string(), "npy: the disk is full");
}

#[test]
fn broken_files_are_errors() {
    let good = file!("i4.npy");
    for len in 0..good.len() {
        assert!(TensorBytes::from_npy(&good[..len]).is_err(), "{len} bytes");
        assert!(Tensor::<i32, Abc>::from_npy(&good[..len]).is_err(), "{len} bytes");
    }
    let big = file!("f4_big.npy");
    let error = Tensor::<f32, Abc>::from_npy(&big[..big.len() - 1]).unwrap_err();
    assert!(
        matches!(error, ConnectError::View(ViewError::ByteLength { expected: 96, found: 95 })),
        "{error:?}"
    );
    // Any byte of the header changed to any other.
    for at in 0..128 {
        for byte in 0..=255 {
            let mut file = good.to_vec();
            file[at] = byte;
            let _ = TensorBytes::from_npy(&file);
        }
    }
    let header = |text: &str| {
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((text.len() as u16).to_le_bytes());
        file.extend(text.as_bytes());
        file
    };
    for text in [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551615,), }".to_owned(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296), }"
            .to_owned(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 0), }".to_owned(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }".to_owned(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999999999,), }".to_owned(),
        "{'descr': '<f4', 'fortran_order': False}".to_owned(),
        format!("{{'descr': '<f4', 'shape': {}1{}", "(".repeat(20000), ")".repeat(20000)),
        format!("{{'descr': '<f4', 'fortran_order': True, 'shape': ({}), }}", "1, ".repeat(30)),
        // Python's other ways to write numbers, whose sums and products the parser computes.
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0xffffffff, 0xffffffff, 0xffffffff), }"
            .to_owned(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0b11, 0o777777777777777777777, 9), }".to_owned(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4_294_967_296, 4_294_967_296, 2), }".to_owned(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1+1, 2), }".to_owned(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1e30, 2), }".to_owned(),
    ] {
        assert!(TensorBytes::from_npy(&header(&text)).is_err(), "{}", &text[..60]);
    }
    let mut long = b"\x93NUMPY\x02\x00".to_vec();
    long.extend(u32::MAX.to_le_bytes());
    assert!(TensorBytes::from_npy(&long).unwrap_err().to_string().contains("65536"));
    // What is no error: numbers as Python 2 wrote them.
    let mut old = header("{'descr': '|u1', 'fortran_order': False, 'shape': (2L, 3L), }");
    old.extend(0..6);
    if let Err(error) = TensorBytes::from_npy(&old) {
        assert!(matches!(error, ConnectError::Library { library: "npy", .. }), "{error:?}");
    }
}

fn with_header(text: &str) -> Vec<u8> {
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.as_bytes());
    file
}

/// What would overflow the stack, the arithmetic or the patience of the parser of headers.
#[test]
fn hostile_headers_are_errors() {
    let start = Instant::now();
    let with_shape =
        |shape: &str| with_header(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"));
    assert_eq!(NpyHeader::read(&with_shape("(3, 4)")).unwrap().dims(), [3, 4]);
    for (shape, words) in [
        // Each string with a bracket would take back the level that it stands in.
        ("(')',".repeat(10000), "too deeply"),
        ("[']',".repeat(10000), "too deeply"),
        ("('\\N{'}',\"(\",".repeat(4000), "escape"),
        (format!("{}{}{}", "{".repeat(8), "1,".repeat(20000), "}".repeat(8)), "too deeply"),
        (
            "(0xffffffffffffffff, 0xffffffffffffffff)".to_owned(),
            "where an extent stands: extents are decimal numbers",
        ),
        (
            "(1_0_0_0_0_0_0_0_0_0_0, 1_0_0_0_0_0_0_0_0_0_0)".to_owned(),
            "where an extent stands: extents are decimal numbers",
        ),
        (format!("({})", "1+1,".repeat(70)), "where an extent stands: extents are decimal numbers"),
        ("(-1,)".to_owned(), "where an extent stands: extents are decimal numbers"),
        (format!("({})", "2,".repeat(64)), "address space"),
        ("('ab', 1)".to_owned(), "integer"),
    ] {
        let error = NpyHeader::read(&with_shape(&shape)).unwrap_err().to_string();
        assert!(error.contains(words), "{}: {error}", &shape[..20.min(shape.len())]);
    }
    // As deep as it goes.
    let deep = format!("{}{}{}", "[".repeat(3), "1,".repeat(20000), "]".repeat(3));
    assert!(NpyHeader::read(&with_shape(&deep)).unwrap_err().to_string().contains("integer"));
    let deep = format!("{}{}{}", "[".repeat(7), "1,".repeat(20000), "]".repeat(7));
    assert!(NpyHeader::read(&with_shape(&deep)).unwrap_err().to_string().contains("too deeply"));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn headers_by_themselves() {
    // More axes than a tensor has, as an array of a blocked tensor's digits may have.
    let many = NpyHeader::bytes(DType::S8, &[1; 30], true).unwrap();
    let header = NpyHeader::read(&many).unwrap();
    assert_eq!((header.dims(), header.is_fortran(), header.element()), (&[1; 30][..], true, "|i1"));
    assert_eq!((many.len() % 64, header.data_start()), (0, many.len()));
    assert!(TensorBytes::from_npy(&[many, vec![7]].concat()).is_err());
    let big = NpyHeader::read(file!("f4_big.npy")).unwrap();
    assert_eq!((big.is_swapped(), big.element()), (cfg!(target_endian = "little"), ">f4"));
    let strange = NpyHeader::read(file!("i8.npy")).unwrap();
    assert!(matches!(strange.dtype(), Err(ConnectError::ElementType { found }) if found == "<i8"));
    for dtype in DType::ALL {
        match NpyHeader::bytes(dtype, &[2, 3], false) {
            Ok(bytes) => assert_eq!(NpyHeader::read(&bytes).unwrap().dtype().unwrap(), dtype),
            Err(error) => {
                assert!(matches!(error, ConnectError::Unsupported { by: "NumPy", .. }), "{error:?}")
            }
        }
    }
}
