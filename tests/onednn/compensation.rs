//! Weights packed for int8 convolutions: the descriptors that oneDNN's convolutions ask for, with sums behind the data. Its own
//! reorder into such a descriptor against ours and [`Compensation::write_onednn`], byte for byte, padding and sums included.

use super::random::Random;
use layout_peers::onednn::{Attributes as Theirs, DataType, OneDnn, Values as TheirValues};
use tensor_layout::{Attributes, Compensation, DType, Descriptor, OneDnnExtra, Reorder, Values};

/// The format of a descriptor of oneDNN in `abc` letters: the outer axes by falling strides, then the inner blocks.
fn format(md: &layout_peers::onednn::MemoryDesc<'_>) -> String {
    let (strides, blocks) = (md.strides(), md.inner_blocks());
    let padded = md.padded_dims();
    let block = |axis: usize| blocks.iter().filter(|b| b.0 == axis).map(|b| b.1).product::<usize>();
    let mut outer: Vec<usize> = (0..strides.len()).collect();
    // Of equal strides, the axis with one block lies further in.
    outer.sort_by_key(|&axis| {
        (std::cmp::Reverse(strides[axis]), std::cmp::Reverse(padded[axis] / block(axis)))
    });
    let letter = |axis: usize| (b'a' + axis as u8) as char;
    let mut format: String = outer
        .into_iter()
        .map(|axis| if block(axis) > 1 { letter(axis).to_ascii_uppercase() } else { letter(axis) })
        .collect();
    for (axis, size) in blocks {
        format += &format!("{size}{}", letter(axis));
    }
    format
}

#[test]
fn convolution_weights() {
    super::library("convolution_weights");
    for onednn in OneDnn::load_all() {
        let mut random = Random(15);
        let (mut passed, mut failed, mut skipped, mut formats) =
            (0, Vec::new(), 0, std::collections::BTreeSet::new());
        for _ in 0..400 {
            let grouped = random.below(3) == 0;
            let space = 1 + random.below(2);
            let groups = if grouped { 2 + random.below(20) } else { 1 };
            let (outputs, inputs) = match random.below(4) {
                0 if grouped => (1, 1),
                _ => (1 + random.below(50), 1 + random.below(50)),
            };
            let mut src = vec![1, groups * inputs];
            src.extend(vec![8; space]);
            let mut dims = if grouped { vec![groups, outputs, inputs] } else { vec![outputs, inputs] };
            dims.extend((0..space).map(|_| 1 + random.below(3)));
            let signed = random.below(2) == 0;
            let zero_point = !signed || random.below(2) == 0;
            let src_type = if signed { DataType::S8 } else { DataType::U8 };
            let Ok(wanted) = onednn.convolution_weights(&src, src_type, &dims, zero_point) else {
                skipped += 1;
                continue;
            };
            let format = format(&wanted);
            let Ok(to) = Descriptor::new(DType::S8, &dims, &format) else {
                failed.push(format!("{dims:?} {format}: no such format"));
                continue;
            };
            let (flags, mask, adjust, asymmetric_mask) = wanted.extra();
            let extra = OneDnnExtra { s8s8: flags & 1 != 0, asymmetric_src: flags & 8 != 0 };
            // Weights with one channel a group have sums along groups alone.
            let mask = if extra.s8s8 { mask } else { asymmetric_mask };
            let axes: &[char] = if mask == 3 { &['a', 'b'] } else { &['a'] };
            let all = (1 << axes.len()) - 1;
            let masks = mask == all && (!extra.asymmetric_src || asymmetric_mask == all);
            let behind = wanted.size_bytes() - to.size_bytes();
            // Some versions leave more room than they use.
            let bytes = Compensation::onednn_bytes(&to, axes, extra).unwrap();
            if flags & 9 != 0 && !masks || wanted.size_bytes() < bytes {
                failed.push(format!("{dims:?} {format}: {behind} bytes behind, {:?}", wanted.extra()));
                continue;
            }
            if flags & 9 == 0 {
                skipped += 1;
                continue;
            }
            let plain = &"abcdefg"[..dims.len()];
            let (from_type, from_theirs) =
                if random.below(2) == 0 { (DType::F32, DataType::F32) } else { (DType::S8, DataType::S8) };
            let from = Descriptor::new(from_type, &dims, plain).unwrap();
            let channels: usize = dims[..axes.len()].iter().product();
            let scaled = random.below(2) == 0;
            let per_channel = random.below(2) == 0;
            let count = if per_channel { channels } else { 1 };
            let scales: Vec<f32> = (0..count).map(|_| (500 + random.below(3000)) as f32 / 1000.0).collect();
            let theirs = Theirs {
                src_scale: scaled.then(|| TheirValues {
                    axes: if per_channel { (0..axes.len()).collect() } else { vec![] },
                    groups: vec![],
                    values: scales.clone(),
                }),
                ..Theirs::default()
            };
            let from_md = onednn.with_tag(&dims, from_theirs, plain).unwrap();
            let Ok(reorder) = onednn.reorder_with(&from_md, &wanted, theirs) else {
                skipped += 1;
                continue;
            };
            let input: Vec<u8> = super::reorders::filled(&mut random, &from);
            let mut expected = vec![0xa5; wanted.size_bytes()];
            reorder.run(&input, &mut expected).unwrap();
            let mut attributes = Attributes::new();
            if scaled {
                attributes = attributes.src_scale(match per_channel {
                    true => Values::per_axes(axes, &scales),
                    false => Values::common(scales[0]),
                });
            }
            if flags & 2 != 0 && adjust != 1.0 {
                attributes = match scaled {
                    true => {
                        skipped += 1;
                        continue;
                    }
                    false => attributes.src_scale(Values::common(adjust)),
                };
            }
            let mut found = vec![0xa5; wanted.size_bytes()];
            let plan = Reorder::with_attributes(&from, &to, &attributes).unwrap();
            plan.run_with(&input, &mut found, &attributes).unwrap();
            Compensation::write_onednn(&to, axes, extra, &mut found).unwrap();
            formats.insert(format.clone());
            match found.iter().zip(&expected).position(|(a, b)| a != b) {
                None => passed += 1,
                Some(at) => failed.push(format!(
                    "{dims:?} {from_type} {plain} -> {format} {extra:?} scales {count} of {scaled} ({}): byte {at} of {} + {behind}: {} {}",
                    reorder.implementation(),
                    to.size_bytes(),
                    found[at],
                    expected[at]
                )),
            }
        }
        println!(
            "packed weights, oneDNN {}: {passed} passed, {} failed, {skipped} skipped; {formats:?}",
            onednn.version(),
            failed.len()
        );
        for line in failed.iter().take(12) {
            println!("{line}");
        }
        assert!(failed.is_empty());
    }
}
