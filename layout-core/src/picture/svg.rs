//! A [`Picture`] as an SVG document.

use super::scene::{Anchor, Fill, Picture, Shape};
use crate::descriptor::Descriptor;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

impl Descriptor {
    /// The picture of the layout as an SVG document of its own; see [`Descriptor::picture`] for what it shows.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let svg = Descriptor::new(DType::F32, &[1, 17, 2, 3], "nChw8c")?.to_svg();
    /// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn to_svg(&self) -> String {
        self.picture().to_svg()
    }
}

impl Picture {
    /// The picture as an SVG document of its own.
    pub fn to_svg(&self) -> String {
        let (width, height) = (self.width(), self.height());
        // The name makes the pattern of one picture differ from that of another in the same page.
        let hatch = hatch_name(self.shapes());
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" style=\"max-width:100%;height:auto\" font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\">"
        );
        let _ = writeln!(
            out,
            "<defs><pattern id=\"{hatch}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
             <rect width=\"6\" height=\"6\" fill=\"#fff\"/>\
             <path d=\"M-1 1L1 -1M0 6L6 0M5 7L7 5\" stroke=\"#999\" stroke-width=\"1\"/></pattern></defs>"
        );
        let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
        self.write_rects(&mut out, &hatch);
        self.write_texts(&mut out);
        out.push_str("</svg>\n");
        out
    }

    /// One path for all rectangles of one fill.
    fn write_rects(&self, out: &mut String, hatch: &str) {
        let mut fills: Vec<Fill> = Vec::new();
        for shape in self.shapes() {
            if let Shape::Rect { fill, .. } = shape
                && !fills.contains(fill)
            {
                fills.push(*fill);
            }
        }
        out.push_str("<g stroke=\"#666\">\n");
        for fill in fills {
            let _ = match fill {
                Fill::Solid([r, g, b]) => write!(out, "<path fill=\"#{r:02x}{g:02x}{b:02x}\" d=\""),
                Fill::Hatched => write!(out, "<path fill=\"url(#{hatch})\" d=\""),
                Fill::Empty => write!(out, "<path fill=\"#fff\" d=\""),
            };
            for shape in self.shapes() {
                if let Shape::Rect { x, y, width, height, fill: own } = shape
                    && *own == fill
                {
                    let _ = write!(out, "M{x}.5 {y}.5h{width}v{height}h-{width}z");
                }
            }
            out.push_str("\"/>\n");
        }
        out.push_str("</g>\n");
    }

    /// One group for all texts that stand alike.
    fn write_texts(&self, out: &mut String) {
        let mut styles: Vec<(u32, Anchor, bool)> = Vec::new();
        for shape in self.shapes() {
            if let Shape::Text { size, anchor, bold, .. } = shape
                && !styles.contains(&(*size, *anchor, *bold))
            {
                styles.push((*size, *anchor, *bold));
            }
        }
        for style in styles {
            let (size, anchor, bold) = style;
            let _ = write!(out, "<g fill=\"#111\" font-size=\"{size}\"");
            out.push_str(match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            });
            out.push_str(if bold { " font-weight=\"bold\">\n" } else { ">\n" });
            for shape in self.shapes() {
                if let Shape::Text { x, y, size, anchor, bold, text } = shape
                    && (*size, *anchor, *bold) == style
                {
                    // Numbers are most of the texts; words have spaces that count.
                    let space = if text.contains("  ") { " xml:space=\"preserve\"" } else { "" };
                    let _ = write!(out, "<text x=\"{x}\" y=\"{y}\"{space}>");
                    escape(out, text);
                    out.push_str("</text>\n");
                }
            }
            out.push_str("</g>\n");
        }
    }
}

/// A name for the pattern that follows from the shapes.
fn hatch_name(shapes: &[Shape]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for shape in shapes {
        if let Shape::Text { text, .. } = shape {
            hash =
                text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        }
    }
    let mut out = String::new();
    let _ = write!(out, "hatch-{:08x}", hash as u32);
    out
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
}
