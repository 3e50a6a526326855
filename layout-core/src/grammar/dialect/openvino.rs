//! OpenVINO's GPU formats, `os_is_yx_osa4_isa8_osv8_isv4`: outer axes, sliced ones followed by `s`, then the slices.
//! The names are read as the device kernels do; the tables of the plugin contradict them in places.
//! Source: `src/plugins/intel_gpu/src/runtime/format.cpp` and `include/batch_headers/fetch_data.cl`.

use super::super::native::Known;
use super::super::{ParseError, Spec};
use super::Dialect;
use super::named::{self, Row};

/// Names that follow no rule, and names that are no layouts of elements.
const IRREGULAR: &[Row] = &[
    ("os_is_yx_osa4_isa8_osv8_isv4_swizzled_by_4", "OIhw4o.0_8i8o.1_4i"),
    ("os_is_zyx_osa4_isa8_osv8_isv4_swizzled_by_4", "OIdhw4o.0_8i8o.1_4i"),
    ("os_is_yx_osv32_isv4_swizzled_by_2", "OIhw2o.0_16o.1_4i"),
    ("is_o32_yx_isv32_swizzled_by_4", "IO4o.0_8o.1_hw32i"),
    ("os_is_y_x8_osv8_isv4_swizzled_by_4", "O4o.0_Ihw^8_8o.1_4i"),
    ("os_is_yx_isa8_osv8_isv4_swizzled_by_4", "O4o.0_Ihw8i8o.1_4i"),
    ("os_is_osv32_isv32_swizzled_by_4", "OI4o.0_8i8o.1_4i"),
    ("byxf_af32", "nhwc^32"),
    ("bf8_xy16", "!pads the product of spatial axes, which is not a layout of one axis each"),
    ("os_iyx_osv16_rotate_180", "!reverses the spatial axes: give a descriptor negative strides"),
    ("g_os_iyx_osv16_rotate_180", "!reverses the spatial axes: give a descriptor negative strides"),
    ("winograd_*", "!holds Winograd-transformed values, not the elements themselves"),
    ("image_2d_*", "!is an OpenCL image, whose order in memory the device decides"),
    ("nv12", "!holds two planes of different resolution"),
    ("b_fs_yx_32fp", "!packs 32 features of one bit into a word"),
    ("os_is_yx_osv32_isv32p", "!packs 32 inputs of one bit into a word"),
    ("iy_xs_os_xsv2_*", "!stores the last column of an odd width in slices of another size"),
    ("giy_xs_os_xsv2_*", "!stores the last column of an odd width in slices of another size"),
    ("lstm_weights_dio", "!uses the axes of a convolution for the directions and gates of an LSTM"),
    ("os_is_yx_osv32_isv2", "!is for elements of 4 bits, two of which share a byte"),
    ("os_is_yx_osv64_isv2", "!is for elements of 4 bits, two of which share a byte"),
];

/// Logical orders, and our letters for the axes. The spatial axes beyond x, y, z have none.
const ACTIVATIONS: [&[u8]; 2] = [b"bfvuwzyx", b"nc???dhw"];
const WEIGHTS: [&[u8]; 2] = [b"goizyx", b"goidhw"];

/// More slices than any name has.
const MAX_SLICES: usize = 8;

/// The parts of a name.
struct Name {
    outer: [u8; 8],
    pad: [u32; 8],
    outer_len: usize,
    slices: [(u8, u32); MAX_SLICES],
    slice_len: usize,
    /// Letters as bits: the outer ones, those marked as sliced, those that have slices.
    set: u32,
    marked: u32,
    sliced: u32,
}

/// One part of a name between two `_`.
enum Part {
    Outer,
    Fused,
    Slice(u8, u32),
    /// `ai8`, the alignment of an axis, behind two `_`.
    Align(u8, u32),
    Other,
}

/// `start..end` of `text` as a name; `None` where it has not the form of one.
pub(super) const fn parse(
    text: &[u8],
    start: usize,
    end: usize,
    known: Known,
) -> Option<Result<Spec, ParseError>> {
    if let Some(found) = named::parse(Dialect::OpenVino, IRREGULAR, text, start, end, known) {
        return Some(found);
    }
    let mut name = Name {
        outer: [0; 8],
        pad: [1; 8],
        outer_len: 0,
        slices: [(0, 0); MAX_SLICES],
        slice_len: 0,
        set: 0,
        marked: 0,
        sliced: 0,
    };
    let mut fused = false;
    let mut at = start;
    while at < end {
        let aligned = at > start && text[at] == b'_';
        at += aligned as usize;
        let mut to = at;
        while to < end && text[to] != b'_' {
            to += 1;
        }
        match part(text, at, to, aligned) {
            Part::Outer if name.slice_len == 0 => {
                if name.push_outer(text, at, to).is_none() {
                    return None;
                }
            }
            Part::Fused => fused = true,
            Part::Slice(axis, size) if name.slice_len < MAX_SLICES => {
                name.slices[name.slice_len] = (axis, size);
                name.slice_len += 1;
                name.sliced |= bit(axis);
            }
            Part::Align(axis, multiple) => {
                if name.align(axis, multiple).is_none() {
                    return None;
                }
            }
            _ => return None,
        }
        if to + 1 == end {
            // A `_` at the end.
            return None;
        }
        at = to + 1;
    }
    if fused {
        let reason = "slices the product of spatial axes, which is not a layout of one axis each";
        return Some(Err(Dialect::OpenVino.refuses(reason, start, end - start)));
    }
    let [letters, ours] = match name.logical() {
        Some(logical) => logical,
        None => return None,
    };
    if name.marked != name.sliced {
        let reason = "an axis has `s` behind its letter exactly where it has slices";
        return Some(Err(Dialect::OpenVino.refuses(reason, start, end - start)));
    }
    match name.build(letters, ours) {
        Some(spec) => Some(Ok(spec)),
        None => Some(Err(Dialect::OpenVino.refuses("the slices multiply to too much", start, end - start))),
    }
}

/// What `at..to` is. Fusion is told first, for nothing that has it is a layout.
const fn part(text: &[u8], at: usize, to: usize, aligned: bool) -> Part {
    if aligned {
        return match (to > at + 2 && text[at] == b'a', number(text, at + 2, to)) {
            (true, Some(multiple)) => Part::Align(text[at + 1], multiple),
            _ => Part::Other,
        };
    }
    let mut letters = at;
    while letters < to && text[letters].is_ascii_lowercase() {
        letters += 1;
    }
    // `fsv16`, `isa8`
    let slice = letters >= at + 3
        && letters < to
        && text[letters - 2] == b's'
        && matches!(text[letters - 1], b'v' | b'a');
    if slice {
        return match number(text, letters, to) {
            Some(_) if letters > at + 3 && is_spatial(text, at, letters - 2) => Part::Fused,
            Some(_) if letters > at + 3 => Part::Other,
            Some(size) => Part::Slice(text[at], size),
            None => Part::Other,
        };
    }
    let fused = to > at + 2 && letters == to && text[to - 1] == b's' && is_spatial(text, at, to - 1);
    if fused { Part::Fused } else { Part::Outer }
}

/// Whether `at..to` are letters of spatial axes, which alone are fused.
const fn is_spatial(text: &[u8], at: usize, to: usize) -> bool {
    let mut i = at;
    while i < to && matches!(text[i], b'x' | b'y' | b'z') {
        i += 1;
    }
    i == to
}

/// The number in `at..to`, from 2 on.
const fn number(text: &[u8], at: usize, to: usize) -> Option<u32> {
    if at >= to || text[at] == b'0' {
        return None;
    }
    let mut value = 0u32;
    let mut i = at;
    while i < to {
        if !text[i].is_ascii_digit() {
            return None;
        }
        value = match value.checked_mul(10) {
            Some(tens) => match tens.checked_add((text[i] - b'0') as u32) {
                Some(value) => value,
                None => return None,
            },
            None => return None,
        };
        i += 1;
    }
    if value < 2 { None } else { Some(value) }
}

const fn bit(letter: u8) -> u32 {
    if letter.is_ascii_lowercase() { 1 << (letter - b'a') } else { 0 }
}

const fn set_of(letters: &[u8]) -> u32 {
    let mut set = 0;
    let mut i = 0;
    while i < letters.len() {
        set |= bit(letters[i]);
        i += 1;
    }
    set
}

impl Name {
    /// Letters in `at..to`, one of them followed by `s` or a multiple if it is alone.
    const fn push_outer(&mut self, text: &[u8], at: usize, to: usize) -> Option<()> {
        let sliced = to == at + 2 && text[at + 1] == b's';
        let padded = if to > at + 1 { number(text, at + 1, to) } else { None };
        let letters = if sliced || padded.is_some() { at + 1 } else { to };
        if at == to {
            return None;
        }
        let mut i = at;
        while i < letters {
            let mark = bit(text[i]);
            if mark == 0 || self.set & mark != 0 || self.outer_len == self.outer.len() {
                return None;
            }
            self.set |= mark;
            self.outer[self.outer_len] = text[i];
            if let Some(multiple) = padded {
                self.pad[self.outer_len] = multiple;
            }
            self.outer_len += 1;
            i += 1;
        }
        if sliced {
            self.marked |= bit(text[at]);
        }
        Some(())
    }

    const fn align(&mut self, axis: u8, multiple: u32) -> Option<()> {
        let mut i = 0;
        while i < self.outer_len {
            if self.outer[i] == axis && self.pad[i] == 1 {
                self.pad[i] = multiple;
                return Some(());
            }
            i += 1;
        }
        None
    }

    /// The letters in logical order and ours for them; `None` where they are not those of a tensor.
    const fn logical(&self) -> Option<[&'static [u8]; 2]> {
        let (found, mandatory) =
            if self.set & bit(b'b') != 0 { (ACTIVATIONS, "bf") } else { (WEIGHTS, "oi") };
        if self.set & !set_of(found[0]) != 0 || self.sliced & !self.set != 0 {
            return None;
        }
        // Before oneDNN's formats came in there were activations without features.
        if self.set == set_of(b"bx") {
            return Some(found);
        }
        let mandatory = set_of(mandatory.as_bytes());
        // Of the spatial axes the innermost are there first: z needs y, and y needs x.
        let mut inner = true;
        let mut i = found[0].len();
        while i > 0 {
            i -= 1;
            let mark = bit(found[0][i]);
            if mark & (mandatory | bit(b'g')) != 0 {
                break;
            }
            if self.set & mark == 0 {
                inner = false;
            } else if !inner {
                return None;
            }
        }
        if self.set & mandatory == mandatory { Some(found) } else { None }
    }

    const fn build(&self, letters: &[u8], ours: &[u8]) -> Option<Spec> {
        let mut spec = Spec::SCALAR;
        let anonymous = self.set & (bit(b'v') | bit(b'u') | bit(b'w')) != 0;
        let mut axis_of = [0; 26];
        let mut i = 0;
        while i < letters.len() {
            if self.set & bit(letters[i]) != 0 {
                let rank = spec.rank();
                axis_of[(letters[i] - b'a') as usize] = rank;
                let letter = if anonymous { b'a' + rank as u8 } else { ours[i] };
                if spec.push_axis(letter).is_err() {
                    return None;
                }
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.outer_len {
            if spec.push_top(axis_of[(self.outer[i] - b'a') as usize], self.pad[i]).is_err() {
                return None;
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.slice_len {
            let (axis, size) = self.slices[i];
            if spec.push_block(axis_of[(axis - b'a') as usize], size).is_err() {
                return None;
            }
            i += 1;
        }
        if spec.validate().is_ok() { Some(spec) } else { None }
    }
}

/// OpenVINO's letters and ours for them, for the printer: those of the axes of `spec`.
pub(super) fn letters(spec: &Spec) -> Option<[&'static [u8]; 2]> {
    let anonymous: [&[u8]; 2] = match spec.rank() {
        6 => [b"bfwzyx", b"abcdef"],
        7 => [b"bfuwzyx", b"abcdefg"],
        8 => [b"bfvuwzyx", b"abcdefgh"],
        _ => [b"", b""],
    };
    let all = |ours: &[u8]| {
        (0..spec.rank()).all(|axis| ours.iter().any(|&letter| spec.axis_name(axis) == Some(letter as char)))
    };
    [ACTIVATIONS, WEIGHTS, anonymous].into_iter().find(|[_, ours]| all(ours))
}
