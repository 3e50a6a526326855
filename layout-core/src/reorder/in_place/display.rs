//! Prints a plan: what it moves and how.

use super::moves::Moves;
use super::plan::{ReorderInPlace, Way, unit};
use super::stage::{Cycles, Slabs};
use core::fmt;

impl fmt::Display for ReorderInPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = self.src_dtype.size();
        write!(f, "{} -> {} in place: ", self.src_dtype(), self.dst_dtype())?;
        match &self.way {
            Way::Nothing => f.write_str("nothing moves")?,
            Way::Slabs(step) => slabs(f, step)?,
            Way::Square(square) => write!(
                f,
                "{} square transposes of {} x {} in tiles of {} x {}",
                square.count(),
                square.n(),
                square.n(),
                square.tile(),
                square.tile()
            )?,
            Way::Shuffle(shuffle) => {
                let (rows, columns) = shuffle.extents();
                write!(f, "{} transposes of {rows} x {columns} by rows and columns", shuffle.count())?;
            }
            Way::Cycles(moves) => cycles(f, moves, element)?,
            Way::Steps(steps) => {
                let mut between = "";
                if let Some(loops) = steps.first {
                    cycles(f, &Moves::of(loops), element)?;
                    between = "; ";
                }
                if let Some(step) = steps
                    .slabs
                    .and_then(|loops| Slabs::new(&loops, (unit(self.src_dtype), unit(self.src_dtype))))
                {
                    f.write_str(between)?;
                    slabs(f, &step)?;
                    between = "; ";
                }
                if let Some(loops) = steps.last {
                    f.write_str(between)?;
                    cycles(f, &Moves::of(loops), element)?;
                }
            }
        }
        if self.converts_where_they_lie() {
            f.write_str("; then converted where they lie")?;
        }
        Ok(())
    }
}

fn slabs(f: &mut fmt::Formatter<'_>, slabs: &Slabs) -> fmt::Result {
    write!(f, "{} slabs of {} bytes through the scratch", slabs.count(), slabs.bytes())
}

fn cycles(f: &mut fmt::Formatter<'_>, moves: &Moves, element: usize) -> fmt::Result {
    let Some(cycles) = Cycles::new(moves, element) else { return Ok(()) };
    write!(
        f,
        "{} times {} stretches of {} bytes along cycles",
        cycles.repeats(),
        cycles.count(),
        cycles.unit()
    )
}

impl fmt::Debug for ReorderInPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
