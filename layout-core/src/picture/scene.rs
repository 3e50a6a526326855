//! [`Picture`]: the choice laid out as shapes on a plane, for SVG here and for whoever draws them in another way.

use super::choose::{Cell, Choice, Grid, ROW};
use super::colour::Rgb;
use super::formula::{formula, letter};
use crate::descriptor::Descriptor;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How a rectangle is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fill {
    /// One colour.
    Solid(Rgb),
    /// Grey stripes from the lower left to the upper right, on white: padding.
    Hatched,
    /// White: memory that is not the tensor's.
    Empty,
}

/// Where a text stands from its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A shape of a picture, in pixels from the upper left corner.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// A rectangle with a thin grey border.
    Rect {
        /// The left edge.
        x: u32,
        /// The upper edge.
        y: u32,
        /// From left to right.
        width: u32,
        /// From top to bottom.
        height: u32,
        /// What is inside.
        fill: Fill,
    },
    /// A line of text in a font of fixed width.
    Text {
        /// Where it is anchored.
        x: u32,
        /// The base line.
        y: u32,
        /// The height of the font.
        size: u32,
        /// Which part of it is at `x`.
        anchor: Anchor,
        /// Whether it is a heading.
        bold: bool,
        /// The text.
        text: String,
    },
}

/// A picture of a layout: the logical grid beside the memory order, in equal colours. Made by [`Descriptor::picture`].
#[derive(Clone, Debug)]
pub struct Picture {
    width: u32,
    height: u32,
    shapes: Vec<Shape>,
}

impl Picture {
    /// From left to right, in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// From top to bottom, in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The shapes, those behind first, on a white ground.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }
}

const MARGIN: u32 = 16;
const CELL: u32 = 20;
/// Between cells of different blocks.
const STEP: u32 = 4;
/// Between grids.
const GAP: u32 = 14;
/// Between the two sides.
const SIDES: u32 = 48;
/// The widest picture whose sides stand beside one another.
const WIDEST: u32 = 1300;
const SMALL: u32 = 11;
const TEXT: u32 = 13;
const TITLE: u32 = 18;

/// The width of a text: fonts of fixed width are about three fifths as wide as high.
fn width_of(text: &str, size: u32) -> u32 {
    (text.chars().count() as u32 * size * 61).div_ceil(100)
}

/// Collects shapes and how far they reach.
struct Canvas {
    shapes: Vec<Shape>,
    right: u32,
    bottom: u32,
    /// The width of a cell.
    cell: u32,
}

impl Canvas {
    fn text(&mut self, x: u32, y: u32, size: u32, anchor: Anchor, bold: bool, text: impl Into<String>) {
        let text = text.into();
        let width = width_of(&text, size);
        let right = match anchor {
            Anchor::Start => x + width,
            Anchor::Middle => x + width / 2,
            Anchor::End => x,
        };
        self.reach(right, y + size / 3);
        self.shapes.push(Shape::Text { x, y, size, anchor, bold, text });
    }

    fn reach(&mut self, right: u32, bottom: u32) {
        self.right = self.right.max(right);
        self.bottom = self.bottom.max(bottom);
    }

    fn rect(&mut self, x: u32, y: u32, width: u32, height: u32, fill: Fill) {
        self.reach(x + width, y + height);
        self.shapes.push(Shape::Rect { x, y, width, height, fill });
    }

    fn cell(&mut self, x: u32, y: u32, cell: Cell) {
        let width = self.cell;
        match cell {
            Cell::Element(number, paint) => {
                self.rect(x, y, width, CELL, Fill::Solid(paint.colour));
                self.text(x + width / 2, y + 14, SMALL, Anchor::Middle, false, number.to_string());
            }
            Cell::Padding => self.rect(x, y, width, CELL, Fill::Hatched),
            Cell::Unused => self.rect(x, y, width, CELL, Fill::Empty),
        }
    }

    /// Dots for what is left out, centred at a point.
    fn dots(&mut self, x: u32, y: u32, text: &str) {
        self.text(x, y, TEXT, Anchor::Middle, true, text);
    }

    /// A grid with its title; returns its lower right corner.
    fn grid(&mut self, x: u32, y: u32, grid: &Grid, steps: [usize; 2]) -> (u32, u32) {
        self.text(x, y + 11, SMALL, Anchor::Start, false, grid.title.clone());
        let (mut top, mut right) = (y + 16, x + width_of(&grid.title, SMALL));
        for (l, line) in grid.cells.iter().enumerate() {
            let Some(line) = line else {
                self.dots(x + self.cell / 2, top + 11, "\u{22ee}");
                top += CELL;
                continue;
            };
            top += if l > 0 && l.is_multiple_of(steps[0]) { STEP } else { 0 };
            let mut left = x;
            for (c, cell) in line.iter().enumerate() {
                left += if c > 0 && c.is_multiple_of(steps[1]) { STEP } else { 0 };
                match cell {
                    Some(cell) => self.cell(left, top, *cell),
                    None => self.dots(left + self.cell / 2, top + 14, "\u{2026}"),
                }
                left += self.cell;
            }
            right = right.max(left);
            top += CELL;
        }
        (right, top)
    }
}

impl Descriptor {
    /// The picture of the layout as shapes: the logical grid, as in the oneDNN guide "Understanding Memory Formats", beside
    /// the memory order. The number of an element is its place in logical order, on both sides, and so is its colour.
    /// Padding is hatched. Of large tensors the beginning, the edges of blocks and the end are shown.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::picture::{Fill, Shape};
    /// let picture = Descriptor::new(DType::F32, &[1, 17, 2, 3], "nChw8c")?.picture();
    /// let hatched = |shape: &&Shape| matches!(shape, Shape::Rect { fill: Fill::Hatched, .. });
    /// // 7 channels of 6 pixels, on both sides, and one in the legend.
    /// assert_eq!(picture.shapes().iter().filter(hatched).count(), 2 * 7 * 6 + 1);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn picture(&self) -> Picture {
        let choice = Choice::new(self, ROW);
        let longest = self.logical_len().saturating_sub(1).to_string();
        let cell = CELL.max(width_of(&longest, SMALL) + 6);
        let mut canvas = Canvas { shapes: Vec::new(), right: 0, bottom: 0, cell };
        let head = MARGIN + TITLE;
        let dims: Vec<String> =
            (0..self.rank()).map(|a| format!("{} = {}", letter(self, a), self.dims()[a])).collect();
        let title = match dims.as_slice() {
            [] => self.spec().to_string(),
            dims => format!("{}   {}", self.spec(), dims.join(", ")),
        };
        canvas.text(MARGIN, head, TITLE, Anchor::Start, true, title);
        let top = head + 28;
        logical(&mut canvas, &choice, MARGIN, top);
        let (left_right, left_bottom) = (canvas.right, canvas.bottom);
        // Beside the first side where there is room, below it otherwise.
        let mut probe = Canvas { shapes: Vec::new(), right: 0, bottom: 0, cell };
        memory(&mut probe, &choice, self, 0, 0);
        if left_right + SIDES + probe.right <= WIDEST {
            memory(&mut canvas, &choice, self, left_right + SIDES, top);
        } else {
            memory(&mut canvas, &choice, self, MARGIN, left_bottom + 40);
        }
        let bottom = canvas.bottom + 18;
        let bottom = legend(&mut canvas, &choice, self, bottom);
        formula_lines(&mut canvas, self, bottom + 26);
        Picture { width: canvas.right + MARGIN, height: canvas.bottom + MARGIN, shapes: canvas.shapes }
    }
}

/// The first side: grids of two axes.
fn logical(canvas: &mut Canvas, choice: &Choice, x: u32, y: u32) {
    canvas.text(x, y, TEXT, Anchor::Start, true, "Logical order");
    canvas.text(x, y + 16, SMALL, Anchor::Start, false, choice.caption.clone());
    let mut top = y + 26;
    for line in &choice.grids {
        let (mut left, mut bottom) = (x, top);
        for grid in line {
            match grid {
                Some(grid) => {
                    let (right, below) = canvas.grid(left, top, grid, choice.steps);
                    left = right + GAP;
                    bottom = bottom.max(below);
                }
                // A whole line, and a grid of one.
                None if line.len() == 1 => {
                    canvas.dots(left + 4, top + 8, "\u{2026}");
                    bottom = top + 14;
                }
                None => {
                    canvas.dots(left + 4, top + 30, "\u{2026}");
                    left += 8 + GAP;
                    bottom = bottom.max(top + 36);
                }
            }
        }
        top = bottom + 6;
    }
}

/// The second side: memory from left to right and from top to bottom.
fn memory(canvas: &mut Canvas, choice: &Choice, d: &Descriptor, x: u32, y: u32) {
    let letters: Vec<String> = (0..d.rank()).map(|a| letter(d, a).to_string()).collect();
    canvas.text(x, y, TEXT, Anchor::Start, true, "Memory order");
    let note = "left: offset of the row, in elements; right: index of its first element";
    canvas.text(x, y + 16, SMALL, Anchor::Start, false, note);
    let label = width_of(&d.required_len().to_string(), SMALL);
    let mut top = y + 42;
    let widest = choice.rows.iter().flatten().map(|row| row.cells.len()).max().unwrap_or(0);
    let gaps = widest.saturating_sub(1) / choice.group;
    let right = x + label + 8 + widest as u32 * canvas.cell + gaps as u32 * STEP + 10;
    if widest > 0 && d.rank() > 0 {
        canvas.text(right, top - 6, SMALL, Anchor::Start, false, format!("({})", letters.join(", ")));
    }
    for row in &choice.rows {
        let Some(row) = row else {
            canvas.dots(x + label + 8 + canvas.cell / 2, top + 11, "\u{22ee}");
            top += CELL;
            continue;
        };
        canvas.text(x + label, top + 14, SMALL, Anchor::End, false, row.offset.to_string());
        let mut left = x + label + 8;
        for (i, cell) in row.cells.iter().enumerate() {
            left += if i > 0 && i.is_multiple_of(choice.group) { STEP } else { 0 };
            canvas.cell(left, top, *cell);
            left += canvas.cell;
        }
        canvas.text(right, top + 14, SMALL, Anchor::Start, false, row.index.clone());
        top += CELL + 2;
    }
}

/// What colours and hatching mean; returns the base line of the last text.
fn legend(canvas: &mut Canvas, choice: &Choice, d: &Descriptor, y: u32) -> u32 {
    let edge = canvas.right.max(640);
    let (mut x, mut y) = (MARGIN, y);
    let mut entry = |canvas: &mut Canvas, fill: Option<Fill>, text: &str| {
        let width = width_of(text, SMALL) + if fill.is_some() { 20 } else { 0 };
        if x > MARGIN && x + width > edge {
            (x, y) = (MARGIN, y + 20);
        }
        if let Some(fill) = fill {
            canvas.rect(x, y, 14, 14, fill);
        }
        let indent = if fill.is_some() { 20 } else { 0 };
        canvas.text(x + indent, y + 11, SMALL, Anchor::Start, false, text);
        x += width + 16;
    };
    let (hues, more, shade) = choice.key.legend(d);
    for (colour, text) in &hues {
        entry(canvas, Some(Fill::Solid(*colour)), text);
    }
    if more {
        entry(canvas, None, "then the colours again");
    }
    if let Some(shade) = shade {
        entry(canvas, None, &format!("from dark to light: {shade}"));
    }
    if choice.has.0 {
        entry(canvas, Some(Fill::Hatched), "padding: zeros");
    }
    if choice.has.1 {
        entry(canvas, Some(Fill::Empty), "not of this tensor");
    }
    entry(canvas, None, "numbers: the elements, counted in logical order");
    y + 11
}

/// The formula in as many lines as the width asks for.
fn formula_lines(canvas: &mut Canvas, d: &Descriptor, y: u32) {
    let edge = canvas.right.max(640);
    let mut y = y;
    let mut line = String::new();
    for term in formula(d).lines().map(str::trim) {
        let fresh = term.starts_with("where");
        if !line.is_empty() && (fresh || MARGIN + width_of(&line, TEXT) + width_of(term, TEXT) + 8 > edge) {
            canvas.text(MARGIN, y, TEXT, Anchor::Start, false, core::mem::take(&mut line));
            y += 18;
            line.push_str(if fresh { "" } else { "    " });
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(term);
    }
    canvas.text(MARGIN, y, TEXT, Anchor::Start, false, line);
}
