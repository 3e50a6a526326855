//! Sums over weights against a loop over indices, for formats with blocks of all kinds, tails, and parts; and what is refused.

use super::Random;
use crate::oracle::{dense, for_each_index};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::{Compensation, OneDnnExtra};

/// The sum for each combination of indices of `axes`, the last one fastest; of `counts` places each.
fn sums(weights: &Descriptor, bytes: &[u8], axes: &[usize], counts: &[usize]) -> Vec<i32> {
    let mut sums = vec![0; counts.iter().product()];
    for_each_index(weights.dims(), |index| {
        let byte = bytes[weights.offset(index).unwrap()];
        let at = axes.iter().zip(counts).fold(0, |at, (&axis, count)| at * count + index[axis]);
        sums[at] += if weights.dtype() == DType::S8 { i32::from(byte as i8) } else { i32::from(byte) };
    });
    sums
}

fn check(weights: &Descriptor, axes: &[usize], random: &mut Random) {
    // Padding holds numbers too: it does not count.
    let bytes: Vec<u8> = (0..weights.size_bytes()).map(|_| random.below(256) as u8).collect();
    let names: Vec<char> = axes.iter().map(|&axis| weights.spec().axis_name(axis).unwrap()).collect();
    let counts: Vec<usize> = axes.iter().map(|&axis| weights.dims()[axis]).collect();
    let expected = sums(weights, &bytes, axes, &counts);
    let compensation = Compensation::new(weights, &names).unwrap();
    assert_eq!(compensation.count(), expected.len());
    let mut found = vec![77; expected.len()];
    compensation.sums(&bytes, &mut found).unwrap();
    assert_eq!(found, expected, "{weights:?} {names:?}");
    compensation.s8s8(&bytes, &mut found).unwrap();
    assert!(found.iter().zip(&expected).all(|(found, expected)| *found == -128 * expected));
    // In oneDNN's form, with room for padding.
    let counts: Vec<usize> = axes.iter().map(|&axis| weights.padded_dims()[axis]).collect();
    let expected = sums(weights, &bytes, axes, &counts);
    for (s8s8, asymmetric_src) in [(true, false), (false, true), (true, true)] {
        let extra = OneDnnExtra { s8s8, asymmetric_src };
        let len = Compensation::onednn_bytes(weights, &names, extra).unwrap();
        let mut memory = bytes.clone();
        memory.resize(len + 1, 9);
        Compensation::write_onednn(weights, &names, extra, &mut memory).unwrap();
        assert_eq!(memory[..bytes.len()], bytes);
        assert_eq!(memory[len], 9);
        let behind =
            memory[bytes.len()..len].chunks(4).map(|sum| i32::from_ne_bytes(sum.try_into().unwrap()));
        let first = expected.iter().filter(|_| s8s8).map(|sum| -128 * sum);
        let second = expected.iter().filter(|_| asymmetric_src).map(|sum| -sum);
        assert!(behind.eq(first.chain(second)), "{weights:?} {names:?} {extra:?}");
    }
}

#[test]
fn random_weights() {
    const FORMATS: [&str; 9] = [
        "oihw",
        "hwio",
        "OIhw4i16o4i",
        "OIhw16i16o",
        "OIhw16o16i",
        "Ohwi8o",
        "ohwI3i",
        "OhwI16o4i",
        "OIhw2i8o4i",
    ];
    let mut random = Random(91);
    for case in 0..150 {
        let dtype = if random.below(4) == 0 { DType::U8 } else { DType::S8 };
        let mut dims: Vec<usize> =
            vec![1 + random.below(40), 1 + random.below(40), 1 + random.below(3), 1 + random.below(3)];
        let mut format = FORMATS[random.below(FORMATS.len())].to_owned();
        let axes: &[usize] = if case % 3 == 0 {
            dims.insert(0, 1 + random.below(4));
            format.insert(0, 'g');
            [&[0, 1][..], &[1, 0], &[0]][random.below(3)]
        } else {
            [&[0][..], &[0, 1], &[3, 0], &[]][random.below(4)]
        };
        check(&dense(dtype, &dims, &format), axes, &mut random);
    }
}

#[test]
fn parts_and_empty_tensors() {
    let mut random = Random(92);
    let whole = dense(DType::S8, &[40, 40, 3, 3], "OIhw16i16o");
    for start in [[0, 0, 0, 0], [16, 3, 0, 1], [5, 16, 1, 0]] {
        let part = whole.submemory(&start, &[17, 9, 2, 2]).unwrap();
        let bytes: Vec<u8> = (0..part.size_bytes()).map(|_| random.below(256) as u8).collect();
        let mut found = [0; 17];
        Compensation::new(&part, &['o']).unwrap().sums(&bytes, &mut found).unwrap();
        assert_eq!(found[..], sums(&part, &bytes, &[0], &[17]));
    }
    // Padding before the first weight.
    let halo = Descriptor::new(DType::S8, &[5, 3, 7], "abc").unwrap().with_halo(&[0, 2, 0], &[0; 3]).unwrap();
    let bytes: Vec<u8> = (0..halo.size_bytes()).map(|_| random.below(256) as u8).collect();
    let mut found = [0; 15];
    Compensation::new(&halo, &['a', 'b']).unwrap().sums(&bytes, &mut found).unwrap();
    assert_eq!(found[..], sums(&halo, &bytes, &[0, 1], &[5, 3]));
    let empty = dense(DType::S8, &[3, 0, 1, 1], "oihw");
    let mut found = [5; 3];
    Compensation::new(&empty, &['o']).unwrap().sums(&[], &mut found).unwrap();
    assert_eq!(found, [0; 3]);
}

#[test]
fn refused() {
    let weights = dense(DType::S8, &[4, 3, 1, 1], "oihw");
    let error =
        |weights: &Descriptor, axes: &[char]| Compensation::new(weights, axes).unwrap_err().to_string();
    assert_eq!(
        error(&weights, &['x']),
        "the compensation is per axis `x`, but the tensor has `o`, `i`, `h`, `w`"
    );
    assert_eq!(error(&weights, &['o', 'o']), "the compensation follows axis `o` twice; name it once");
    let floats = dense(DType::F32, &[4, 3, 1, 1], "oihw");
    assert_eq!(error(&floats, &['o']), "compensation is for weights of s8 or u8, but these hold f32");
    let one = Compensation::new(&weights, &['o']).unwrap();
    let mut sums = [1; 12];
    assert_eq!(
        one.sums(&[0; 12], &mut sums[..3]).unwrap_err().to_string(),
        "the compensation has 3 values, but axis `o` has extent 4"
    );
    assert_eq!(
        one.sums(&[0; 11], &mut sums[..4]).unwrap_err().to_string(),
        "the source needs 12 bytes, but its buffer has 11"
    );
    let two = Compensation::new(&weights, &['o', 'i']).unwrap();
    assert_eq!(
        two.sums(&[0; 12], &mut sums[..11]).unwrap_err().to_string(),
        "the compensation has 11 values, but its groups along `o`, `i` are 12"
    );
    assert_eq!(sums, [1; 12]);
    let extra = OneDnnExtra { s8s8: true, asymmetric_src: false };
    assert_eq!(
        Compensation::write_onednn(&weights, &['o'], extra, &mut [0; 27]).unwrap_err().to_string(),
        "the destination needs 28 bytes, but its buffer has 27"
    );
}
