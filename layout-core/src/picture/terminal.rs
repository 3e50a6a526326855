//! The picture as text for terminals: cells with a coloured ground.

use super::choose::{Cell, Choice, Grid, ROW, Row};
use super::colour::Paint;
use super::formula::{formula, letter};
use crate::descriptor::Descriptor;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

/// What colours a terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum TerminalColours {
    /// None: plain text, for files and pipes.
    #[default]
    None,
    /// The 256 colours that almost every terminal has.
    Indexed,
    /// Red, green and blue of 8 bits each.
    True,
}

impl Descriptor {
    /// The picture of the layout for a terminal that is `columns` wide: the logical grids, and below them the memory.
    /// See [`Descriptor::picture`] for what it shows. The 256 colours have hues without shades.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::picture::TerminalColours;
    /// let text = Descriptor::new(DType::F32, &[3, 6], "aB4b")?.to_terminal(80, TerminalColours::None);
    /// assert!(text.contains("8   6   7   8   9   10  11  /// ///"), "{text}");
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn to_terminal(&self, columns: usize, colours: TerminalColours) -> String {
        let digits = self.logical_len().saturating_sub(1).to_string().len();
        let label = self.required_len().to_string().len();
        // Beside the cells of a row there is its offset, its index, and a gap for each group of cells.
        let index: usize = self.dims().iter().map(|dim| dim.to_string().len() + 2).sum();
        let room = columns.saturating_sub(label + index + 8) / (digits.max(2) + 2);
        let choice = Choice::new(self, room.clamp(4, ROW));
        let pen = Pen { width: digits.max(2) + 1, colours };
        let mut out = format!("{self}\n\nLogical order: {}\n", choice.caption);
        for line in &choice.grids {
            pen.grids(&mut out, line, &choice, columns);
        }
        let letters: Vec<String> = (0..self.rank()).map(|a| letter(self, a).to_string()).collect();
        let _ = writeln!(
            out,
            "\nMemory order: offset of the row, elements, index ({}) of the first",
            letters.join(", ")
        );
        for row in &choice.rows {
            pen.row(&mut out, row.as_ref(), &choice, label);
        }
        out.push('\n');
        pen.legend(&mut out, &choice, self);
        let _ = write!(out, "\n{}", formula(self));
        out
    }
}

struct Pen {
    /// Columns of a cell.
    width: usize,
    colours: TerminalColours,
}

impl Pen {
    /// A cell and the space behind it.
    fn cell(&self, out: &mut String, cell: Option<&Cell>) {
        let width = self.width;
        let text = match cell {
            Some(Cell::Element(number, _)) => format!("{number:^width$}"),
            Some(Cell::Padding) => "/".repeat(width),
            Some(Cell::Unused) => format!("{:^width$}", "."),
            None => format!("{:^width$}", "\u{2026}"),
        };
        match cell {
            Some(Cell::Element(_, paint)) => self.coloured(out, *paint, &text),
            Some(Cell::Padding) if self.colours != TerminalColours::None => {
                let _ = write!(out, "\x1b[90m{text}\x1b[0m");
            }
            _ => out.push_str(&text),
        }
    }

    fn coloured(&self, out: &mut String, paint: Paint, text: &str) {
        let [r, g, b] = if self.colours == TerminalColours::Indexed { paint.flat } else { paint.colour };
        let _ = match self.colours {
            TerminalColours::None => write!(out, "{text}"),
            TerminalColours::True => write!(out, "\x1b[30;48;2;{r};{g};{b}m{text}\x1b[0m"),
            TerminalColours::Indexed => {
                // The cube of 6 x 6 x 6 colours.
                let [r, g, b] = [r, g, b].map(|part| (u32::from(part) * 5 + 127) / 255);
                write!(out, "\x1b[30;48;5;{}m{text}\x1b[0m", 16 + 36 * r + 6 * g + b)
            }
        };
    }

    /// One line of grids, in as many as the terminal is wide.
    fn grids(&self, out: &mut String, line: &[Option<Grid>], choice: &Choice, columns: usize) {
        let cells = |grid: &Grid| grid.cells.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let steps = |n: usize| n.saturating_sub(1) / choice.steps[1];
        let width = |grid: &Option<Grid>| match grid {
            Some(grid) => (cells(grid) * (self.width + 1) + steps(cells(grid))).max(grid.title.len()) + 2,
            None => 3,
        };
        if let [None] = line {
            out.push_str("\u{2026}\n");
            return;
        }
        let mut rest = line;
        while !rest.is_empty() {
            let mut used = 0;
            let fitting = rest.iter().take_while(|grid| {
                used += width(grid);
                used <= columns
            });
            let (now, later) = rest.split_at(fitting.count().max(1));
            rest = later;
            for grid in now {
                let (title, width) = (grid.as_ref().map_or("", |grid| &grid.title), width(grid));
                let _ = write!(out, "{title:<width$}");
            }
            trim_end(out);
            out.push('\n');
            let height = now.iter().flatten().map(|grid| grid.cells.len()).max().unwrap_or(0);
            for l in 0..height {
                if l > 0 && l.is_multiple_of(choice.steps[0]) {
                    out.push('\n');
                }
                for grid in now {
                    self.line(out, grid.as_ref(), l, width(grid), choice.steps[1]);
                }
                trim_end(out);
                out.push('\n');
            }
        }
    }

    /// Line `l` of a grid in `width` columns.
    fn line(&self, out: &mut String, grid: Option<&Grid>, l: usize, width: usize, step: usize) {
        let mut used = 0;
        match grid.and_then(|grid| grid.cells.get(l)) {
            None if l == 0 => {
                out.push('\u{2026}');
                used = 1;
            }
            None => {}
            Some(None) => {
                let _ = write!(out, "{:^1$}", "\u{22ee}", self.width);
                used = self.width;
            }
            Some(Some(cells)) => {
                for (c, cell) in cells.iter().enumerate() {
                    let gap = c > 0 && c.is_multiple_of(step);
                    out.push_str(if gap { " " } else { "" });
                    self.cell(out, cell.as_ref());
                    out.push(' ');
                    used += self.width + 1 + usize::from(gap);
                }
            }
        }
        out.extend(core::iter::repeat_n(' ', width.saturating_sub(used)));
    }

    fn row(&self, out: &mut String, row: Option<&Row>, choice: &Choice, label: usize) {
        let Some(row) = row else {
            let _ = write!(out, "{:>label$}  {:^2$}", "", "\u{22ee}", self.width);
            trim_end(out);
            out.push('\n');
            return;
        };
        let _ = write!(out, "{:>label$}  ", row.offset);
        for (i, cell) in row.cells.iter().enumerate() {
            out.push_str(if i > 0 && i.is_multiple_of(choice.group) { " " } else { "" });
            self.cell(out, Some(cell));
            out.push(' ');
        }
        let _ = write!(out, " {}", row.index);
        trim_end(out);
        out.push('\n');
    }

    fn legend(&self, out: &mut String, choice: &Choice, d: &Descriptor) {
        let (hues, more, shade) = choice.key.legend(d);
        if self.colours != TerminalColours::None {
            for (colour, text) in &hues {
                self.coloured(out, Paint { colour: *colour, flat: *colour }, "  ");
                let _ = write!(out, " {text}   ");
            }
            out.push_str(if more { "then the colours again   " } else { "" });
            if let Some(shade) = shade.filter(|_| self.colours == TerminalColours::True) {
                let _ = write!(out, "from dark to light: {shade}");
            }
            trim_end(out);
            out.push('\n');
        }
        if choice.has.0 {
            out.push_str("//// padding: zeros   ");
        }
        if choice.has.1 {
            out.push_str(". not of this tensor   ");
        }
        out.push_str("numbers: the elements, counted in logical order\n");
    }
}

/// Drops the spaces at the end.
fn trim_end(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
}
