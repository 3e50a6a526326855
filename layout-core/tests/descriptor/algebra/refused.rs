//! What is refused, and that the message names the axis and the numbers.

use crate::oracle::dense;
use layout_core::descriptor::AlgebraError;

#[test]
fn counts_and_positions() {
    let d = dense(&[2, 17, 5], "nwc=>nwc");
    let line = |error: AlgebraError| error.to_string();
    assert_eq!(
        line(d.submemory(&[0, 0], &[1, 1, 1]).unwrap_err()),
        "the tensor has 3 axes, but 2 values were given"
    );
    assert_eq!(
        line(d.submemory(&[0, 3, 0], &[1, 15, 1]).unwrap_err()),
        "15 indices of axis `w` from 3 on are out of range: its extent is 17"
    );
    for (start, size) in [(18, 0), (usize::MAX, 1), (1, usize::MAX), (0, 18)] {
        assert!(d.submemory(&[0, start, 0], &[2, size, 5]).is_err());
    }
    assert_eq!(line(d.permute_axes(&[0, 1]).unwrap_err()), "the tensor has 3 axes, but 2 values were given");
    assert_eq!(line(d.permute_axes(&[0, 2, 2]).unwrap_err()), "axis `c` (position 2) is named twice");
    assert_eq!(line(d.transpose(0, 3).unwrap_err()), "there is no axis at position 3: the tensor has 3 axes");
    assert_eq!(line(d.squeeze(1).unwrap_err()), "axis `w` has extent 17, but it has to be 1");
    assert_eq!(line(d.broadcast(0, 4).unwrap_err()), "axis `n` has extent 2, but it has to be 1");
    assert!(d.unsqueeze(4).is_err() && d.select(3, 0).is_err());
    assert!(matches!(dense(&[1; 12], "abcdefghijkl").unsqueeze(0), Err(AlgebraError::TooManyAxes { .. })));
    for (names, letter, position) in [("nww", 'w', 2), ("nWc", 'W', 1), ("n1c", '1', 1), ("né~", 'é', 1)] {
        assert_eq!(d.renamed(names), Err(AlgebraError::Name { letter, position }));
    }
    assert_eq!(d.renamed("nc"), Err(AlgebraError::Count { expected: 3, found: 2 }));
}
