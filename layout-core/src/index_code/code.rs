//! [`IndexCode`]: what is to be written, and the writing: heads, bodies and comments in each language. The arithmetic comes
//! from `model` and `inverse`.

use super::expr::{Expr, Spelling};
use super::inverse::{REST, Step};
use super::model::Model;
use super::{IndexCodeError, Language};
use crate::descriptor::Descriptor;
use crate::grammar::Spec;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

/// Source text that computes offsets of a format in another language, made by [`Descriptor::index_code`] with all extents
/// folded into constants, or by [`Spec::index_code`] with extents as parameters.
///
/// The offset function is called `NAME_offset`. Its parameters are the index, in logical order, and behind it the extents
/// that are not known, as `dim_c`, in the same order and only those that the offset needs. It gives the offset in elements.
/// An index in the padding has an offset too; other indices are not checked.
///
/// The inverse is `NAME_index`. From an offset it gives the index of the element there and a word on what it found: 1 for
/// an element; 0 for padding, whose index is outside the extents; -1, and no index, where the offset is not the tensor's.
/// In the C family the index goes to an array and the word is returned; WGSL returns a structure of both.
///
/// ```
/// use layout_core::grammar::Spec;
/// use layout_core::index_code::Language;
/// let code = Spec::parse("nChw8c")?.index_code(Language::C).with_extent('h', 5).with_extent('w', 4);
/// assert_eq!(
///     code.offset()?,
///     "\
/// static inline size_t nChw8c_offset(size_t n, size_t c, size_t h, size_t w, size_t dim_c)
/// {
///     return (((n * ((dim_c + 7) / 8) + c / 8) * 5 + h) * 4 + w) * 8 + c % 8;
/// }
/// "
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct IndexCode {
    layout: Layout,
    language: Language,
    name: String,
    bits: u32,
    as_macro: bool,
}

/// Where the digits come from.
#[derive(Clone, Debug)]
enum Layout {
    Placed(Box<Descriptor>),
    Format { spec: Box<Spec>, dims: Vec<Option<u64>>, refused: Option<char> },
}

impl Descriptor {
    /// Source text that computes offsets of this very tensor: extents, strides and the base are constants in it.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::index_code::Language;
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?;
    /// assert_eq!(
    ///     d.index_code(Language::C).named("act").as_macro().offset()?,
    ///     "#define act_offset(n, c, h, w) ((n) * 480 + ((c) / 8) * 160 + (h) * 32 + (w) * 8 + (c) % 8)\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn index_code(&self, language: Language) -> IndexCode {
        IndexCode::new(Layout::Placed(Box::new(*self)), self.spec(), language)
    }
}

impl Spec {
    /// Source text that computes offsets of dense tensors of this format, with the extents as parameters.
    ///
    /// ```
    /// use layout_core::grammar::Spec;
    /// use layout_core::index_code::Language;
    /// let code = Spec::parse("nhwc")?.index_code(Language::OpenCl).with_bits_32();
    /// assert_eq!(
    ///     code.as_macro().offset()?,
    ///     "#define nhwc_offset(n, c, h, w, dim_c, dim_h, dim_w) \
    ///      ((((n) * (dim_h) + (h)) * (dim_w) + (w)) * (dim_c) + (c))\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn index_code(&self, language: Language) -> IndexCode {
        let dims = [None].repeat(self.rank());
        let layout = Layout::Format { spec: Box::new(*self), dims, refused: None };
        IndexCode::new(layout, self, language)
    }
}

impl IndexCode {
    fn new(layout: Layout, spec: &Spec, language: Language) -> IndexCode {
        let bits = if language == Language::Wgsl { 32 } else { 64 };
        IndexCode { layout, language, name: identifier(&spec.to_string()), bits, as_macro: false }
    }

    /// The same code with functions called `NAME_offset` and `NAME_index`. The default is the format, with `_` for what no
    /// name can hold.
    pub fn named(mut self, name: &str) -> IndexCode {
        self.name = name.into();
        self
    }

    /// The same code with indices of 32 bits, which GPUs divide several times as fast. WGSL has no others.
    pub fn with_bits_32(mut self) -> IndexCode {
        self.bits = 32;
        self
    }

    /// The same code with the offset as a macro of the C preprocessor, which evaluates its arguments more than once. The
    /// inverse stays a function.
    pub fn as_macro(mut self) -> IndexCode {
        self.as_macro = true;
        self
    }

    /// The same code with the extent of one axis folded into it. Without effect where all extents are known.
    pub fn with_extent(mut self, axis: char, extent: usize) -> IndexCode {
        if let Layout::Format { spec, dims, refused } = &mut self.layout {
            match spec.axis_named(axis) {
                Some(a) => dims[a] = Some(extent as u64),
                None => *refused = refused.or(Some(axis)),
            }
        }
        self
    }

    /// The text of the offset function, or macro.
    ///
    /// # Errors
    /// [`IndexCodeError::Name`], [`IndexCodeError::NoSuchAxis`], [`IndexCodeError::NoMacros`], and
    /// [`IndexCodeError::TooLarge`] where an offset does not fit. Where extents are parameters, that is up to the caller.
    pub fn offset(&self) -> Result<String, IndexCodeError> {
        let model = self.model()?;
        let spelling = Spelling { suffix: self.language.suffix(), in_macro: self.as_macro };
        let expr = model.offset();
        let text = expr.text(spelling);
        let letters = || model.axes.iter().map(|axis| String::from(axis.letter));
        let extents = model.unknown().map(|axis| axis.parameter()).filter(|name| expr.mentions(name));
        let parameters: Vec<String> = letters().chain(extents).collect();
        let mut out = String::new();
        if self.as_macro {
            let _ = writeln!(out, "#define {}_offset({}) ({text})", self.name, parameters.join(", "));
            return Ok(out);
        }
        self.open(&mut out, "offset", &parameters, self.integer());
        if self.language != Language::Wgsl {
            for letter in letters().filter(|letter| !expr.mentions(letter)) {
                let _ = writeln!(out, "    (void){letter};");
            }
        }
        let _ = writeln!(out, "    return {text};\n}}");
        Ok(out)
    }

    /// The text of the inverse: from an offset to the index there.
    ///
    /// # Errors
    /// As for [`IndexCode::offset`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::index_code::Language;
    /// let d = Descriptor::new(DType::F32, &[3, 10], "aB8b")?;
    /// assert_eq!(
    ///     d.index_code(Language::C).inverse()?,
    ///     "\
    /// static inline int aB8b_index(size_t offset, size_t index[2])
    /// {
    ///     size_t rest = offset;
    ///     if (rest / 16 >= 3) return -1;
    ///     size_t a_1 = rest / 16;
    ///     rest = rest % 16;
    ///     size_t b_8 = rest / 8;
    ///     rest = rest % 8;
    ///     size_t b_1 = rest;
    ///     index[0] = a_1;
    ///     index[1] = b_8 * 8 + b_1;
    ///     return index[1] < 10;
    /// }
    /// "
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inverse(&self) -> Result<String, IndexCodeError> {
        let model = self.model()?;
        let (name, integer, rank) = (&self.name, self.integer(), model.axes.len());
        let mut parameters: Vec<String> = ["offset".to_string()].into();
        parameters.extend(model.unknown().map(|axis| axis.parameter()));
        let names = parameters.clone();
        let mut out = String::new();
        // No array has length 0.
        let slots = rank.max(1);
        let mut result = "int".to_string();
        match self.language {
            Language::Wgsl => {
                result = format!("{name}_place");
                let _ = writeln!(out, "struct {result} {{ index: array<u32, {slots}>, found: i32 }}\n");
            }
            Language::Cpp => parameters.insert(1, format!("{integer} (&index)[{slots}]")),
            Language::OpenCl => parameters.insert(1, format!("__private {integer} *index")),
            _ => parameters.insert(1, format!("{integer} index[{slots}]")),
        }
        self.open(&mut out, "index", &parameters, &result);
        if self.language == Language::Wgsl {
            let _ = writeln!(out, "    var place: {result};\n    place.found = -1;");
        }
        let steps = model.inverse();
        self.say_unused(&mut out, &steps, &names);
        for (i, step) in steps.iter().enumerate() {
            self.write_step(&mut out, step, &steps[i + 1..]);
        }
        out.push_str("}\n");
        Ok(out)
    }

    /// A whole file: a comment with the layout, what has to be included, the offset and the inverse.
    ///
    /// # Errors
    /// As for [`IndexCode::offset`].
    pub fn source(&self) -> Result<String, IndexCodeError> {
        let (offset, inverse) = (self.offset()?, self.inverse()?);
        let mut out = String::new();
        let layout = match &self.layout {
            Layout::Placed(d) => d.to_string(),
            Layout::Format { spec, .. } => spec.to_string(),
        };
        let name = &self.name;
        let _ = writeln!(out, "// Index code of {layout}.");
        let _ = writeln!(out, "// {name}_offset gives the offset of an element from its index, in elements.");
        let _ = writeln!(
            out,
            "// {name}_index is its inverse and says what it found: 1 an element, 0 padding, whose index\n\
             // is outside the extents, -1 memory that is not the tensor's, without an index."
        );
        out.push_str(match self.language {
            // What the CUDA compiler knows without.
            Language::C | Language::Cpp => self.language.include(self.bits),
            _ => "",
        });
        let _ = write!(out, "\n{offset}\n{inverse}");
        Ok(out)
    }

    fn model(&self) -> Result<Model, IndexCodeError> {
        if !is_identifier(&self.name) {
            return Err(IndexCodeError::Name { name: self.name.clone() });
        }
        if self.as_macro && !self.language.has_macros() {
            return Err(IndexCodeError::NoMacros { language: self.language });
        }
        let model = match &self.layout {
            Layout::Placed(d) => Model::of_descriptor(d),
            Layout::Format { refused: Some(axis), .. } => {
                return Err(IndexCodeError::NoSuchAxis { axis: *axis });
            }
            Layout::Format { spec, dims, .. } => Model::of_spec(spec, dims)?,
        };
        model.check_bits(self.bits)?;
        Ok(model)
    }

    fn integer(&self) -> &'static str {
        self.language.integer(self.bits)
    }

    /// The head of a function up to its brace. A parameter of one word is an integer.
    fn open(&self, out: &mut String, suffix: &str, parameters: &[String], result: &str) {
        let integer = self.integer();
        let typed: Vec<String> = parameters
            .iter()
            .map(|parameter| match (parameter.contains(' '), self.language) {
                (true, _) => parameter.clone(),
                (false, Language::Wgsl) => format!("{parameter}: {integer}"),
                (false, _) => format!("{integer} {parameter}"),
            })
            .collect();
        let (words, name) = (self.language.qualifiers(), &self.name);
        let list =
            if typed.is_empty() && self.language == Language::C { "void".into() } else { typed.join(", ") };
        let _ = match self.language {
            Language::Wgsl => writeln!(out, "{words} {name}_{suffix}({list}) -> {result} {{"),
            _ => writeln!(out, "{words} {result} {name}_{suffix}({list})\n{{"),
        };
    }

    /// Marks as unused the parameters that the steps do not read.
    fn say_unused(&self, out: &mut String, steps: &[Step], names: &[String]) {
        if self.language == Language::Wgsl {
            return;
        }
        for name in names.iter().filter(|name| !steps.iter().any(|step| step.mentions(name))) {
            let _ = writeln!(out, "    (void){name};");
        }
        if !steps.iter().any(|step| matches!(step, Step::Index(..))) {
            out.push_str("    (void)index;\n");
        }
    }

    fn write_step(&self, out: &mut String, step: &Step, behind: &[Step]) {
        let spelling = Spelling { suffix: self.language.suffix(), in_macro: false };
        let wgsl = self.language == Language::Wgsl;
        let text = |expr: &Expr| expr.text(spelling);
        let mut leave_if = |left: &Expr, sign: &str, right: &Expr| {
            let (left, right) = (text(left), text(right));
            let _ = match wgsl {
                true => writeln!(out, "    if ({left} {sign} {right}) {{ return place; }}"),
                false => writeln!(out, "    if ({left} {sign} {right}) return -1;"),
            };
        };
        match step {
            Step::LeaveIfAtLeast(left, right) => return leave_if(left, ">=", right),
            Step::LeaveIfBelow(left, right) => return leave_if(left, "<", right),
            Step::LeaveIfEqual(left, right) => return leave_if(left, "==", right),
            _ => {}
        }
        let _ = match step {
            // The last remainder is never read, nor is the first where there are no digits.
            Step::Rest(_) if !behind.iter().any(|step| step.mentions(REST)) => Ok(()),
            Step::Rest(expr) if !expr.mentions(REST) => match wgsl {
                true => writeln!(out, "    var {REST} = {};", text(expr)),
                false => writeln!(out, "    {} {REST} = {};", self.integer(), text(expr)),
            },
            Step::Rest(expr) => writeln!(out, "    {REST} = {};", text(expr)),
            Step::Let(name, expr) if wgsl => writeln!(out, "    let {name} = {};", text(expr)),
            Step::Let(name, expr) => writeln!(out, "    {} {name} = {};", self.integer(), text(expr)),
            Step::Leave if wgsl => writeln!(out, "    return place;"),
            Step::Leave => writeln!(out, "    return -1;"),
            Step::Index(axis, expr) if wgsl => writeln!(out, "    place.index[{axis}] = {};", text(expr)),
            Step::Index(axis, expr) => writeln!(out, "    index[{axis}] = {};", text(expr)),
            Step::Arrive(dims) => {
                let index = if wgsl { "place.index" } else { "index" };
                let inside: Vec<String> =
                    dims.iter().map(|(axis, dim)| format!("{index}[{axis}] < {}", text(dim))).collect();
                let inside = inside.join(" && ");
                match (wgsl, dims.is_empty()) {
                    (true, true) => writeln!(out, "    place.found = 1;\n    return place;"),
                    (true, false) => {
                        writeln!(out, "    place.found = select(0, 1, {inside});\n    return place;")
                    }
                    (false, true) => writeln!(out, "    return 1;"),
                    (false, false) => writeln!(out, "    return {inside};"),
                }
            }
            Step::LeaveIfAtLeast(..) | Step::LeaveIfBelow(..) | Step::LeaveIfEqual(..) => Ok(()),
        };
    }
}

/// The offset of a descriptor as one expression in which every stride is a number.
pub(crate) fn offset_in_numbers(d: &Descriptor) -> String {
    Model::of_descriptor(d).offset().text(Spelling { suffix: "", in_macro: false })
}

/// `format` with one `_` for each stretch that no identifier can hold.
fn identifier(format: &str) -> String {
    let words: Vec<&str> =
        format.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("_")
}

/// Whether every language here takes it as the beginning of a name: GLSL, to which WGSL may be translated, reserves two
/// underscores in a row, and C reserves one at the start.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.contains("__")
        && !name.ends_with('_')
}
