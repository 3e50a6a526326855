//! Folded chains against the chains themselves, run reorder by reorder, byte for byte.

use layout_core::choose::{ChainError, Move, fold_reorders};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::reorder_bytes;
use proptest::prelude::*;

const FORMATS: [&str; 8] =
    ["nchw", "nhwc", "chwn", "nChw4c", "nChw8c", "nChw16c", "nchw => hwnC4c", "NChw4n4c"];

fn of(dtype: DType, dims: &[usize], format: &str) -> Descriptor {
    Descriptor::new(dtype, dims, format).unwrap()
}

/// Runs one reorder into new memory, which holds something else before.
fn run(src: &Descriptor, memory: &[u8], dst: &Descriptor) -> Vec<u8> {
    let mut out = vec![0xA5; dst.size_bytes()];
    reorder_bytes(src, memory, dst, &mut out).unwrap();
    out
}

/// Memory that the first descriptor describes, with numbers that every conversion changes.
fn memory(descriptor: &Descriptor, dims: &[usize]) -> Vec<u8> {
    let plain = of(DType::F64, dims, "nchw");
    let values: Vec<u8> = (0..plain.required_len())
        .flat_map(|i| ((i as f64 * 7.3 - 40.0) * 1.000_000_1).to_ne_bytes())
        .collect();
    run(&plain, &values, descriptor)
}

fn check(dims: &[usize], chain: &[Descriptor]) -> Vec<Move> {
    let start = memory(&chain[0], dims);
    let all = chain.windows(2).fold(start.clone(), |memory, pair| run(&pair[0], &memory, &pair[1]));
    let left = fold_reorders(chain).unwrap();
    let folded = left.iter().fold(start, |memory, step| run(&chain[step.from], &memory, &chain[step.to]));
    assert_eq!(folded, all, "{left:?} of {chain:?}");
    let ends = left.iter().map(|step| step.to);
    assert!(left.iter().map(|step| step.from).eq([0].into_iter().chain(ends).take(left.len())), "{left:?}");
    assert!(left.last().is_none_or(|step| step.to == chain.len() - 1), "{left:?}");
    // Nothing is left that could be folded: no move for nothing, and no two that lose nothing in between.
    for step in &left {
        assert!(step.from < step.to && !chain[step.from].same_memory(&chain[step.to]), "{left:?}");
    }
    if chain.iter().all(|descriptor| descriptor.dtype() == chain[0].dtype()) {
        assert!(left.len() <= 1, "{left:?}");
    }
    left
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn a_folded_chain_leaves_the_same_bytes(
        dims in prop::array::uniform4(1usize..5).prop_flat_map(|dims| (Just(dims), prop::sample::select(vec![1usize, 3, 4, 8, 16])))
            .prop_map(|(dims, channels)| [dims[0], channels, dims[2], dims[3]]),
        steps in prop::collection::vec(
            (prop::sample::select(&FORMATS[..]), prop::sample::select(&DType::ALL[..])), 1..6),
        of_one_type in any::<bool>(),
    ) {
        let chain: Vec<Descriptor> = steps
            .iter()
            .map(|&(format, dtype)| of(if of_one_type { steps[0].1 } else { dtype }, &dims, format))
            .collect();
        check(&dims, &chain);
    }
}

#[test]
fn there_and_back_is_nothing() {
    let dims = [2, 3, 4, 5];
    let (a, b) = (of(DType::F32, &dims, "nchw"), of(DType::F32, &dims, "nChw16c"));
    assert_eq!(check(&dims, &[a, b, a]), []);
    assert_eq!(check(&dims, &[a, b, a, b]), [Move { from: 0, to: 3 }]);
    assert_eq!(check(&dims, &[a]), []);
    assert_eq!(fold_reorders(&[]).unwrap(), []);
    // Through a wider type as well.
    assert_eq!(check(&dims, &[a, of(DType::F64, &dims, "nhwc"), a]), []);
}

#[test]
fn the_same_bytes_are_a_cast() {
    let dims = [8, 1, 5, 4];
    let (planes, pixels) = (of(DType::U8, &dims, "nchw"), of(DType::U8, &dims, "nhwc"));
    assert_eq!(check(&dims, &[planes, pixels]), []);
    // What is read as the next may stand between two moves.
    let float = of(DType::F32, &dims, "chwn");
    let left = check(&dims, &[float, planes, pixels, float]);
    assert_eq!(left.len(), 2, "rounded to bytes, and back: {left:?}");
    // Blocks that hold more than the elements are no cast.
    let dims = [1, 3, 1, 1];
    assert_eq!(check(&dims, &[of(DType::F32, &dims, "nhwc"), of(DType::F32, &dims, "nChw16c")]).len(), 1);
}

#[test]
fn what_loses_values_is_kept() {
    let dims = [2, 3, 4, 5];
    let of = |dtype| of(dtype, &dims, "nchw");
    for (through, kept) in
        [(DType::F64, 0), (DType::F16, 2), (DType::Bf16, 2), (DType::S32, 2), (DType::U8, 2), (DType::S8, 2)]
    {
        assert_eq!(check(&dims, &[of(DType::F32), of(through), of(DType::F32)]).len(), kept, "{through}");
    }
    // The last conversion decides where both go to the same type.
    let chain = [of(DType::F64), of(DType::F32), Descriptor::new(DType::F32, &dims, "nhwc").unwrap()];
    assert_eq!(check(&dims, &chain), [Move { from: 0, to: 2 }]);
}

#[test]
fn another_tensor_is_no_link_of_a_chain() {
    let a = of(DType::F32, &[1, 3, 4, 4], "nchw");
    let error = fold_reorders(&[a, a, of(DType::F32, &[1, 3, 5, 4], "nhwc")]).unwrap_err();
    assert_eq!(error, ChainError::Extent { position: 2, axis: 'h', before: 4, here: 5 });
    assert_eq!(
        error.to_string(),
        "axis `h` has extent 5 in descriptor 2 of the chain, but 4 in the one before it"
    );
    let error = fold_reorders(&[a, of(DType::F32, &[1, 3], "nc")]).unwrap_err();
    assert_eq!(error, ChainError::Rank { position: 1, before: 4, here: 2 });
    assert!(error.to_string().starts_with("descriptor 1 of the chain has rank 2"));
}
