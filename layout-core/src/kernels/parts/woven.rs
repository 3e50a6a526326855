//! Where the bytes of a run of [`super::super::drive::Woven`] lie in its groups: what every family's `woven` permutes by.

use super::super::drive::LINE;

/// For each number of taps, where each byte comes from.
pub(in super::super) struct Tables(pub(in super::super) [[u8; LINE]; 17]);

/// Bytes of the groups of 4 bytes from a run of `4 / B` times `taps` elements of `B` bytes; or (`back`) of such a run from
/// the groups. Computed while compiling: a job takes less time than its table would.
pub(in super::super) const fn tables<const B: usize>(back: bool) -> Tables {
    let mut tables = [[0; LINE]; 17];
    let mut taps = 1;
    while taps <= 16 {
        let mut in_group = 0;
        while in_group < 4 * taps {
            let (tap, element, byte) = (in_group / 4, in_group % 4 / B, in_group % B);
            let in_run = (element * taps + tap) * B + byte;
            if back {
                tables[taps][in_run] = in_group as u8;
            } else {
                tables[taps][in_group] = in_run as u8;
            }
            in_group += 1;
        }
        taps += 1;
    }
    Tables(tables)
}
