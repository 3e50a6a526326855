//! [`Descriptor::tile`]: axes divided into tiles, as CuTe's `zipped_divide` does with modes. A reshape and a
//! permutation with a naming rule of its own.

use super::super::Descriptor;
use super::AlgebraError;
use super::axes::identity;
use super::draft::Draft;
use crate::grammar::MAX_RANK;

impl Descriptor {
    /// The tensor in tiles: each pair of `tiles` is an axis and the size of its tiles. In the result the axis counts
    /// tiles, and an axis within the tile is added behind all others, in the order of `tiles`.
    ///
    /// An axis keeps its letter for its tiles; the axes within a tile get the first free letters.
    ///
    /// `pre:`  every size divides the extent of its axis, which has no padding unless the size is 1 or the extent\
    /// `post:` `tile(tiles).offset(t, i) == offset(j)` where `j[a] = t[a] * size + i[k]` for the `k`-th pair
    /// `(a, size)`, and `j[a] = t[a]` for the other axes
    ///
    /// # Errors
    /// [`AlgebraError::NoSuchAxis`], [`AlgebraError::RepeatedAxis`], [`AlgebraError::TooManyAxes`],
    /// [`AlgebraError::Tile`] where tiles do not fill the axis; otherwise as [`Descriptor::reshape`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[64, 96], "ab")?;
    /// let tiled = d.tile(&[(0, 8), (1, 32)])?;
    /// assert_eq!(tiled.dims(), [8, 3, 8, 32]);
    /// assert_eq!(tiled.offset(&[1, 2, 3, 4])?, d.offset(&[8 + 3, 64 + 4])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tile(&self, tiles: &[(usize, usize)]) -> Result<Descriptor, AlgebraError> {
        let rank = self.rank();
        let found = rank + tiles.len();
        if found > MAX_RANK {
            return Err(AlgebraError::TooManyAxes { found });
        }
        for (k, &(a, tile)) in tiles.iter().enumerate() {
            self.check_axis(a)?;
            let (axis, extent) = (self.axis_char(a), self.dims[a]);
            if tiles[..k].iter().any(|earlier| earlier.0 == a) {
                return Err(AlgebraError::RepeatedAxis { axis, position: a });
            }
            if tile == 0 || !extent.is_multiple_of(tile) {
                return Err(AlgebraError::Tile { axis, extent, tile });
            }
        }
        // Each axis becomes tiles and the place within; then the places go behind the tiles.
        let (mut dims, mut order, mut len) = ([0; MAX_RANK], identity(), 0);
        for a in 0..rank {
            order[a] = len;
            let pair = tiles.iter().position(|tile| tile.0 == a);
            dims[len] = pair.map_or(self.dims[a], |k| self.dims[a] / tiles[k].1);
            len += 1;
            if let Some(k) = pair {
                order[rank + k] = len;
                dims[len] = tiles[k].1;
                len += 1;
            }
        }
        let mut draft = Draft::of(&self.reshape(&dims[..found])?);
        draft.reorder_axes(&order[..found]);
        draft.rename_like(self, rank);
        draft.finish()
    }
}
