//! Random operations one after another, the result of each being the tensor of the next, and the text form of all.

use super::model::Model;
use crate::oracle::dense;
use crate::properties::format_and_dims;
use layout_core::descriptor::{AlgebraError, Descriptor};
use proptest::prelude::*;

/// One operation, chosen by numbers that mean something for any shape; `None` where it does not apply.
fn step(d: &Descriptor, model: &Model, [kind, x, y, z]: [usize; 4]) -> Option<(Descriptor, Model)> {
    let rank = d.rank();
    let axis = x.checked_rem(rank);
    match kind % 7 {
        0 | 1 => {
            let axis = axis?;
            let (mut start, mut dims) = (vec![0; rank], d.dims().to_vec());
            start[axis] = y % (dims[axis] + 1);
            dims[axis] = z % (dims[axis] - start[axis] + 1);
            Some((d.submemory(&start, &dims).unwrap(), model.submemory(&start, &dims)))
        }
        2 => {
            let mut axes: Vec<usize> = (0..rank).collect();
            axes.rotate_left(x.checked_rem(rank)?);
            axes.swap(y % rank, z % rank);
            Some((d.permute_axes(&axes).unwrap(), model.permute_axes(&axes)))
        }
        3 => {
            let axis = axis?;
            let at = y.checked_rem(d.dims()[axis])?;
            Some((d.select(axis, at).unwrap(), model.select(axis, at)))
        }
        4 if rank < 6 => Some((d.unsqueeze(x % (rank + 1)).unwrap(), model.unsqueeze(x % (rank + 1)))),
        5 => {
            let axis = (0..rank).find(|&a| d.dims()[a] == 1)?;
            Some((d.broadcast(axis, y % 4).unwrap(), model.broadcast(axis, y % 4)))
        }
        6 if model.dims == model.padded && rank > 0 => {
            // Two neighbours as one, or one as two.
            let mut dims = model.dims.clone();
            let axis = axis?;
            if y % 2 == 0 && axis + 1 < rank {
                dims[axis] *= dims.remove(axis + 1);
            } else {
                let divisor = (2..=dims[axis]).find(|n| dims[axis].is_multiple_of(*n))?;
                dims[axis] /= divisor;
                dims.insert(axis + z % 2, divisor);
            }
            match d.reshape(&dims) {
                Ok(reshaped) => Some((reshaped, model.reshape(&dims))),
                Err(
                    AlgebraError::Cut { .. } | AlgebraError::Ragged { .. } | AlgebraError::Broadcast { .. },
                ) => None,
                Err(error) => panic!("{d} {dims:?}: {error}"),
            }
        }
        _ => None,
    }
}

proptest! {
    #[test]
    fn chains(
        (format, dims) in format_and_dims(),
        halo in prop::collection::vec((0usize..3, 0usize..3), 4),
        steps in prop::collection::vec(any::<[u8; 4]>(), 0..8),
    ) {
        let (before, after): (Vec<_>, Vec<_>) = halo.into_iter().take(dims.len()).unzip();
        let mut d = dense(&dims, &format);
        let mut model = Model::dense(&format, &dims);
        if dims.iter().all(|&n| n > 0) && steps.len() % 2 == 0 {
            d = d.with_halo(&before, &after).unwrap();
            model = Model::with_halo(&"abcd"[..dims.len()], &format, &dims, &before, &after);
        }
        for numbers in steps {
            let Some((next, model_of_next)) = step(&d, &model, numbers.map(usize::from)) else { continue };
            model_of_next.check(&next);
            if next.rank() == 0 || layout_core::grammar::Spec::parse(&next.spec().to_string()) == Ok(*next.spec()) {
                prop_assert_eq!(next.to_string().parse(), Ok(next), "{}", next);
            }
            (d, model) = (next, model_of_next);
        }
    }
}
