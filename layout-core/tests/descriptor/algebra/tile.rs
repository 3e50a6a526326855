//! Axes divided into tiles.

use crate::oracle::{dense, indices};
use layout_core::descriptor::{AlgebraError, DType, Descriptor};

/// `post:` `tile(tiles).offset(t, i) == offset(j)` where `j[a] = t[a] * size + i[k]` for the `k`-th pair, else `t[a]`
#[test]
fn tile() {
    for format in ["abc", "cab", "aBc4b", "ABc2a4b", "aBc2b2b", "BAc4b2a2b"] {
        let d = dense(&[4, 8, 3], format);
        let pairs: [&[(usize, usize)]; 9] = [
            &[],
            &[(0, 2)],
            &[(1, 4)],
            &[(1, 2), (0, 4)],
            &[(2, 3)],
            &[(0, 1), (2, 1)],
            &[(2, 3), (1, 8), (0, 4)],
            &[(1, 1)],
            &[(0, 2), (1, 4), (2, 3)],
        ];
        for tiles in pairs {
            let tiled = d.tile(tiles).unwrap();
            assert_eq!(tiled.rank(), 3 + tiles.len());
            for index in indices(tiled.dims()) {
                let mut old = index[..3].to_vec();
                for (k, &(a, size)) in tiles.iter().enumerate() {
                    old[a] = index[a] * size + index[3 + k];
                }
                assert_eq!(tiled.offset(&index), d.offset(&old), "{tiled} {index:?}");
            }
            assert_eq!(tiled.logical_len(), d.logical_len());
        }
    }
}

#[test]
fn names() {
    let d = Descriptor::new(DType::F32, &[2, 32, 6, 8], "nChw16c").unwrap();
    let tiled = d.tile(&[(1, 16), (3, 4)]).unwrap();
    assert_eq!(tiled.to_string(), "f32:nchwab => nchwba:2x2x6x2x16x4");
    assert!(tiled.is_dense() && tiled.is_plain());
    // A whole axis as one tile takes its padding along.
    let padded = Descriptor::new(DType::F32, &[2, 17, 6, 8], "nChw16c").unwrap().tile(&[(1, 17)]).unwrap();
    assert_eq!((padded.dims(), padded.padded_dims()), (&[2, 1, 6, 8, 17][..], &[2, 1, 6, 8, 32][..]));
}

#[test]
fn tiles_that_do_not_fill() {
    let d = dense(&[4, 17], "aB16b");
    assert_eq!(d.tile(&[(0, 3)]).unwrap_err().to_string(), "tiles of 3 do not fill axis `a` with extent 4");
    assert_eq!(d.tile(&[(0, 0)]), Err(AlgebraError::Tile { axis: 'a', extent: 4, tile: 0 }));
    assert_eq!(d.tile(&[(0, 2), (0, 2)]), Err(AlgebraError::RepeatedAxis { axis: 'a', position: 0 }));
    assert_eq!(d.tile(&[(2, 2)]), Err(AlgebraError::NoSuchAxis { position: 2, rank: 2 }));
    let padded = dense(&[4, 18], "aB16b");
    assert_eq!(padded.tile(&[(1, 2)]), Err(AlgebraError::Padding { axis: 'b', extent: 18, padded: 32 }));
    assert_eq!(d.tile(&[(0, 2); 11]), Err(AlgebraError::TooManyAxes { found: 13 }));
}
