//! Reorders between random layouts and types, byte for byte, padding included.

use super::random::{Random, dims, tag};
use layout_peers::onednn::DataType;
use tensor_layout::{DType, Descriptor, Reorder};

pub(crate) const TYPES: [(DType, DataType); 6] = [
    (DType::F32, DataType::F32),
    (DType::S8, DataType::S8),
    (DType::U8, DataType::U8),
    (DType::S32, DataType::S32),
    (DType::Bf16, DataType::Bf16),
    (DType::F16, DataType::F16),
];

/// Bytes of a tensor in `descriptor`, with values that every type holds well and padding zero.
pub(crate) fn filled(random: &mut Random, descriptor: &Descriptor) -> Vec<u8> {
    // oneDNN's wrapper wants 8 bytes an element whatever the type.
    let mut bytes = vec![0u8; descriptor.required_len() * 8 + 64];
    let mut index = vec![0; descriptor.rank()];
    for _ in 0..descriptor.logical_len() {
        let at = descriptor.offset(&index).unwrap() * descriptor.dtype().size();
        let value = random.below(1 << 20) as f32 / 4096.0 - 128.0;
        let unit: &[u8] = match descriptor.dtype() {
            DType::F32 => &value.to_le_bytes(),
            DType::S32 => &((value * 1e5) as i32).to_le_bytes(),
            DType::S8 => &(value as i8).to_le_bytes(),
            DType::U8 => &(value.abs() as u8).to_le_bytes(),
            DType::Bf16 => &half::bf16::from_f32(value).to_le_bytes(),
            _ => &half::f16::from_f32(value).to_le_bytes(),
        };
        bytes[at..at + unit.len()].copy_from_slice(unit);
        for axis in (0..index.len()).rev() {
            index[axis] += 1;
            if index[axis] < descriptor.dims()[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
    bytes
}

#[test]
fn random_reorders() {
    let Some(onednn) = super::library("random_reorders") else { return };
    let mut random = Random(2);
    let (mut compared, mut refused) = (0, 0);
    for _ in 0..2500 {
        let rank = 1 + random.below(5);
        let (from, to) = (tag(&mut random, rank, 3), tag(&mut random, rank, 3));
        let dims = dims(&mut random, rank, 20);
        let (src_type, src_theirs) = random.pick(&TYPES);
        let (dst_type, dst_theirs) =
            if random.below(2) == 0 { (src_type, src_theirs) } else { random.pick(&TYPES) };
        let src = Descriptor::new(src_type, &dims, &from).unwrap();
        let dst = Descriptor::new(dst_type, &dims, &to).unwrap();
        if src.required_len().max(dst.required_len()) > 1 << 18 {
            continue;
        }
        let src_md = onednn.with_tag(&dims, src_theirs, &from).unwrap();
        let dst_md = onednn.with_tag(&dims, dst_theirs, &to).unwrap();
        let input = filled(&mut random, &src);
        let mut expected = vec![0xa5; dst.required_len() * 8 + 64];
        let Ok(reorder) = onednn.reorder(&src_md, &dst_md) else {
            // oneDNN has no bf16 or f16 <-> s32 on the CPU.
            refused += 1;
            continue;
        };
        reorder.run(&input, &mut expected).unwrap();
        let mut ours = vec![0xa5; dst.size_bytes()];
        Reorder::new(&src, &dst).unwrap().run(&input[..src.size_bytes()], &mut ours).unwrap();
        assert!(
            ours == expected[..ours.len()],
            "{src} -> {dst} differs from oneDNN ({}) at byte {:?}",
            reorder.implementation(),
            ours.iter().zip(&expected).position(|(a, b)| a != b)
        );
        compared += 1;
    }
    assert!(compared > 1000);
    println!("{compared} reorders equal those of oneDNN, {refused} it cannot do");
}
