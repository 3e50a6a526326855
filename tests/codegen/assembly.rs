//! x86-64 assembly text as LLVM prints it, function by function. Called by `tests/codegen.rs`.

use std::collections::HashMap;

/// One function: its instructions, with a label before each target of a jump.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq)]
enum Line {
    Label(String),
    Instruction { name: String, operands: String },
}

/// The functions of an assembly file.
pub(crate) struct Assembly {
    functions: HashMap<String, Function>,
    /// Functions that LLVM found to be the same as another one.
    aliases: HashMap<String, String>,
}

impl Assembly {
    /// Reads `text`: AT&T syntax, for ELF, Mach-O or COFF.
    pub(crate) fn parse(text: &str) -> Assembly {
        let mut assembly = Assembly { functions: HashMap::new(), aliases: HashMap::new() };
        let mut open: Option<String> = None;
        for line in text.lines() {
            let line = line.split(" #").next().unwrap_or(line).split("##").next().unwrap_or(line).trim();
            if let Some(label) = line.strip_suffix(':') {
                let label = plain(label);
                match (is_local(label), &open) {
                    // `.Lfunc_end0:` and the labels of tables behind the code.
                    (true, _) if label.contains("func_end") => open = None,
                    (true, Some(name)) => {
                        assembly.push(name, Line::Label(label.to_owned()));
                    }
                    (true, None) => {}
                    (false, _) => {
                        open = Some(label.to_owned());
                        assembly.functions.insert(label.to_owned(), Function { lines: Vec::new() });
                    }
                }
            } else if line.starts_with(".cfi_endproc") || line.starts_with(".seh_endproc") {
                open = None;
            } else if let Some((alias, target)) = alias(line) {
                assembly.aliases.insert(alias.to_owned(), target.to_owned());
            } else if !line.is_empty()
                && !line.starts_with(['.', '#', ';'])
                && let Some(function) = &open
            {
                let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
                let (name, operands) = (name.to_owned(), operands.trim().to_owned());
                assembly.push(function, Line::Instruction { name, operands });
            }
        }
        assembly
    }

    fn push(&mut self, function: &str, line: Line) {
        if let Some(function) = self.functions.get_mut(function) {
            function.lines.push(line);
        }
    }

    /// The function `name`. Where LLVM merged two equal functions into one, its body.
    pub(crate) fn function(&self, name: &str) -> Option<&Function> {
        let mut name = name;
        // A chain of merged functions is shorter than the list of functions.
        for _ in 0..=self.functions.len() {
            if let Some(target) = self.aliases.get(name) {
                name = target;
                continue;
            }
            let function = self.functions.get(name)?;
            match function.forwards_to() {
                Some(target) => name = target,
                None => return Some(function),
            }
        }
        None
    }
}

impl Assembly {
    /// The functions whose mangled name holds `fragment`.
    pub(crate) fn functions_named_like(&self, fragment: &str) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(move |(name, _)| name.contains(fragment)).map(|(_, function)| function)
    }
}

/// `name` without quotes and without the underscore of Mach-O.
fn plain(name: &str) -> &str {
    let name = name.trim_matches('"');
    name.strip_prefix('_').filter(|rest| !rest.starts_with(['_', 'Z', 'R'])).unwrap_or(name)
}

fn is_local(label: &str) -> bool {
    label.starts_with(".L") || label.starts_with("LBB") || label.starts_with('L') && label.contains("func_")
}

/// `.set name, target` or `name = target`.
fn alias(line: &str) -> Option<(&str, &str)> {
    let (name, target) = match line.strip_prefix(".set") {
        Some(rest) => rest.split_once(',')?,
        None => line.split_once(" = ")?,
    };
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_.$\"".contains(c));
    let (name, target) = (plain(name.trim()), plain(target.trim()));
    (is_name(name) && is_name(target)).then_some((name, target))
}

impl Function {
    fn instructions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().filter_map(|line| match line {
            Line::Instruction { name, operands } => Some((name.as_str(), operands.as_str())),
            Line::Label(_) => None,
        })
    }

    /// The function that this one does nothing but jump to.
    fn forwards_to(&self) -> Option<&str> {
        let mut instructions = self.instructions();
        match (instructions.next(), instructions.next()) {
            (Some(("jmp", target)), None) if !is_local(target) => {
                Some(plain(target.trim_end_matches("@PLT")))
            }
            _ => None,
        }
    }

    /// Number of instructions, padding behind the last one left out.
    pub(crate) fn len(&self) -> usize {
        self.instructions().filter(|(name, _)| !name.starts_with("nop") && *name != "int3").count()
    }

    /// Integer divisions.
    pub(crate) fn divisions(&self) -> usize {
        self.count(|name, _| name.starts_with("div") && !is_vector(name) || name.starts_with("idiv"))
    }

    /// Calls, and jumps out of the function.
    pub(crate) fn calls(&self) -> usize {
        self.count(|name, operands| {
            name.starts_with("call") || is_jump(name) && self.position_of(operands).is_none()
        })
    }

    /// Jumps to an earlier place in the function.
    pub(crate) fn loops(&self) -> usize {
        self.lines
            .iter()
            .enumerate()
            .filter(|(at, line)| match line {
                Line::Instruction { name, operands } if is_jump(name) => {
                    self.position_of(operands).is_some_and(|target| target <= *at)
                }
                _ => false,
            })
            .count()
    }

    /// Instructions named `name`, with or without the `v` of AVX.
    pub(crate) fn named(&self, name: &str) -> usize {
        self.count(|found, _| found.strip_prefix('v').unwrap_or(found) == name)
    }

    /// Whether an instruction `name` works on `registers`, such as `zmm`.
    pub(crate) fn uses(&self, name: &str, registers: &str) -> bool {
        self.instructions().any(|(found, operands)| found == name && operands.contains(registers))
    }

    /// The names of the instructions of each loop that holds no other loop and an instruction whose name contains
    /// `fragment`.
    pub(crate) fn inner_loops_with(&self, fragment: &str) -> Vec<Vec<String>> {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            if let Line::Instruction { name, operands } = line
                && is_jump(name)
                && let Some(target) = self.position_of(operands).filter(|target| target <= &at)
            {
                spans.push((target, at));
            }
        }
        let holds_another = |&(from, to): &(usize, usize)| {
            spans.iter().any(|&(a, b)| from <= a && b <= to && (a, b) != (from, to))
        };
        let names = |&(from, to): &(usize, usize)| -> Vec<String> {
            let instructions = self.lines[from..=to].iter().filter_map(|line| match line {
                Line::Instruction { name, .. } => Some(name.clone()),
                Line::Label(_) => None,
            });
            instructions.collect()
        };
        let inner = spans.iter().filter(|&span| !holds_another(span)).map(names);
        inner.filter(|names| names.iter().any(|name| name.contains(fragment))).collect()
    }

    /// The names of the instructions from one jump or target of a jump to the next, where most instructions have a name that
    /// contains `fragment`: what a kernel repeats, whether the compiler made a loop of it or unrolled it in a larger one.
    pub(crate) fn straight_with_most(&self, fragment: &str) -> Vec<String> {
        let ends = |line: &Line| {
            matches!(line, Line::Label(_)) || matches!(line, Line::Instruction { name, .. } if is_jump(name))
        };
        let names = |lines: &[Line]| -> Vec<String> {
            let instructions = lines.iter().filter_map(|line| match line {
                Line::Instruction { name, .. } => Some(name.clone()),
                Line::Label(_) => None,
            });
            instructions.collect()
        };
        let count = |names: &Vec<String>| names.iter().filter(|name| name.contains(fragment)).count();
        self.lines.split(ends).map(names).max_by_key(count).unwrap_or_default()
    }

    fn count(&self, mut is_meant: impl FnMut(&str, &str) -> bool) -> usize {
        self.instructions().filter(|(name, operands)| is_meant(name, operands)).count()
    }

    fn position_of(&self, label: &str) -> Option<usize> {
        let label = plain(label);
        self.lines.iter().position(|line| matches!(line, Line::Label(name) if name == label))
    }

    /// The instructions as text, for messages.
    pub(crate) fn listing(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            match line {
                Line::Label(name) => text += &format!("{name}:\n"),
                Line::Instruction { name, operands } => text += &format!("    {name} {operands}\n"),
            }
        }
        text
    }
}

fn is_jump(name: &str) -> bool {
    name.starts_with('j') || name.starts_with("loop")
}

/// `divps` and its like.
fn is_vector(name: &str) -> bool {
    ["ps", "pd", "ss", "sd"].iter().any(|suffix| name.ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use super::Assembly;

    const SAMPLE: &str = "
\t.text
\t.globl\tbusy
\t.type\tbusy,@function
busy:
\t.cfi_startproc
\tpushq\t%rbx                 # a comment
.LBB0_1:
\tdivq\t%rcx
\tdivps\t%xmm0, %xmm1
\tcallq\t*other@GOTPCREL(%rip)
\tjne\t.LBB0_1
\tje\t.LBB0_3
.LBB0_3:
\tvmaxps\t%xmm0, %xmm1, %xmm0
\tjmp\telsewhere
.Lfunc_end0:
\t.size\tbusy, .Lfunc_end0-busy
\t.cfi_endproc
\t.p2align\t4
_mach:                                  ## @mach
\tretq
\t.cfi_endproc
thunk:
\tjmp\tbusy@PLT
\t.cfi_endproc
\t.set same, mach
.Lanon.table:
\t.long\t.LBB0_1-.Lanon.table
";

    #[test]
    fn functions_are_read_to_the_instruction() {
        let assembly = Assembly::parse(SAMPLE);
        let busy = assembly.function("busy").expect("it is in the sample");
        assert_eq!(busy.len(), 8, "{}", busy.listing());
        assert_eq!((busy.divisions(), busy.calls(), busy.loops()), (1, 2, 1));
        assert_eq!((busy.named("maxps"), busy.named("maxss")), (1, 0));
        assert_eq!(busy.inner_loops_with("divps"), [["divq", "divps", "callq", "jne"]]);
        assert!(busy.inner_loops_with("maxps").is_empty(), "it is behind the loop");
        assert_eq!(busy.straight_with_most("divps"), ["divq", "divps", "callq"]);
        assert_eq!(busy.straight_with_most("maxps"), ["vmaxps"]);
        assert!(busy.uses("vmaxps", "xmm") && !busy.uses("vmaxps", "zmm"));
        assert_eq!(assembly.functions_named_like("us").count(), 1);
    }

    #[test]
    fn merged_functions_are_followed() {
        let assembly = Assembly::parse(SAMPLE);
        assert_eq!(assembly.function("mach").map(|f| f.len()), Some(1));
        assert_eq!(assembly.function("same").map(|f| f.len()), Some(1));
        assert_eq!(assembly.function("thunk").map(|f| f.len()), Some(8));
        assert!(assembly.function("absent").is_none());
    }
}
