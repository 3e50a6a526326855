//! Prints a plan: what it moves and how.

use super::plan::{ReorderInPlace, Way};
use super::stage::{Cycles, Slabs};
use core::fmt;

impl fmt::Display for ReorderInPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} in place: ", self.src_dtype, self.dst_dtype)?;
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
            Way::Cycles(step) => cycles(f, step)?,
            Way::Steps { first, slabs: middle, last } => {
                let mut before = false;
                for step in [first, last] {
                    if core::ptr::eq(step, last)
                        && let Some(middle) = middle
                    {
                        f.write_str(if before { "; " } else { "" })?;
                        slabs(f, middle)?;
                        before = true;
                    }
                    if let Some(step) = step {
                        f.write_str(if before { "; " } else { "" })?;
                        cycles(f, step)?;
                        before = true;
                    }
                }
            }
        }
        if self.src_dtype != self.dst_dtype && !matches!(self.way, Way::Slabs(_)) {
            f.write_str("; then converted where they lie")?;
        }
        Ok(())
    }
}

fn slabs(f: &mut fmt::Formatter<'_>, slabs: &Slabs) -> fmt::Result {
    write!(f, "{} slabs of {} bytes through the scratch", slabs.count(), slabs.bytes())
}

fn cycles(f: &mut fmt::Formatter<'_>, cycles: &Cycles) -> fmt::Result {
    let (count, unit) = (cycles.count(), cycles.unit());
    write!(f, "{count} stretches of {unit} bytes along cycles, {} times", cycles.repeats())
}

impl fmt::Debug for ReorderInPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
