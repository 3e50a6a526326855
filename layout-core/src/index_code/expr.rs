//! [`Expr`]: arithmetic of unsigned integers as a tree that folds constants as it grows, and its text. Every language here
//! spells it alike but for the suffix of literals and, in macros, parentheses around the arguments.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// An expression of unsigned integers.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Expr {
    Number(u64),
    Name(String),
    Binary(Node),
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Node {
    op: Op,
    left: Box<Expr>,
    right: Box<Expr>,
}

/// How names and literals are spelled.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    /// Behind a literal.
    pub(super) suffix: &'static str,
    /// Whether names are arguments of a macro.
    pub(super) in_macro: bool,
}

impl Expr {
    pub(super) const ZERO: Expr = Expr::Number(0);

    pub(super) fn name(name: &str) -> Expr {
        Expr::Name(name.into())
    }

    fn node(op: Op, left: Expr, right: Expr) -> Expr {
        Expr::Binary(Node { op, left: Box::new(left), right: Box::new(right) })
    }

    fn number(&self) -> Option<u64> {
        if let Expr::Number(n) = self { Some(*n) } else { None }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.number() == Some(0)
    }

    pub(super) fn plus(self, other: Expr) -> Expr {
        match (self.number(), other.number()) {
            (Some(0), _) => other,
            (_, Some(0)) => self,
            (Some(a), Some(b)) => Expr::Number(a.wrapping_add(b)),
            _ => Expr::node(Op::Add, self, other),
        }
    }

    /// Wraps around below 0, as the unsigned integers of all these languages do.
    pub(super) fn minus(self, other: Expr) -> Expr {
        if other.is_zero() { self } else { Expr::node(Op::Sub, self, other) }
    }

    pub(super) fn times(self, other: Expr) -> Expr {
        match (self.number(), other.number()) {
            (Some(0), _) | (_, Some(0)) => Expr::ZERO,
            (Some(1), _) => other,
            (_, Some(1)) => self,
            (Some(a), Some(b)) => Expr::Number(a.wrapping_mul(b)),
            _ => Expr::node(Op::Mul, self, other),
        }
    }

    pub(super) fn over(self, divisor: u64) -> Expr {
        self.divided_by(Expr::Number(divisor))
    }

    /// `divisor` is not 0.
    pub(super) fn divided_by(self, divisor: Expr) -> Expr {
        match (self.number(), divisor.number()) {
            (_, Some(1)) => self,
            (Some(a), Some(b)) if b > 0 => Expr::Number(a / b),
            _ => Expr::node(Op::Div, self, divisor),
        }
    }

    /// `divisor` is not 0.
    pub(super) fn modulo(self, divisor: Expr) -> Expr {
        match (self.number(), divisor.number()) {
            (_, Some(1)) => Expr::ZERO,
            (Some(a), Some(b)) if b > 0 => Expr::Number(a % b),
            _ => Expr::node(Op::Rem, self, divisor),
        }
    }

    /// Whether `name` occurs.
    pub(super) fn mentions(&self, name: &str) -> bool {
        match self {
            Expr::Number(_) => false,
            Expr::Name(own) => own == name,
            Expr::Binary(node) => node.left.mentions(name) || node.right.mentions(name),
        }
    }

    /// The text. Products whose factors are quotients have parentheses that the languages do not need, as the guides have.
    pub(super) fn text(&self, spelling: Spelling) -> String {
        let mut out = String::new();
        self.write(&mut out, spelling);
        out
    }

    fn write(&self, out: &mut String, spelling: Spelling) {
        // Writing to a string cannot fail.
        let _ = match self {
            Expr::Number(n) => write!(out, "{n}{}", spelling.suffix),
            Expr::Name(name) if spelling.in_macro => write!(out, "({name})"),
            Expr::Name(name) => out.write_str(name),
            Expr::Binary(node) => {
                let Node { op, left, right } = node;
                let sum = matches!(op, Op::Add | Op::Sub);
                let encloses = |operand: &Expr, behind: bool| match operand {
                    Expr::Binary(inner) if sum => behind && matches!(inner.op, Op::Add | Op::Sub),
                    Expr::Binary(inner) => behind || inner.op != Op::Mul || *op != Op::Mul,
                    _ => false,
                };
                left.write_operand(out, spelling, encloses(left, false));
                let sign = match op {
                    Op::Add => " + ",
                    Op::Sub => " - ",
                    Op::Mul => " * ",
                    Op::Div => " / ",
                    Op::Rem => " % ",
                };
                out.push_str(sign);
                right.write_operand(out, spelling, encloses(right, true));
                Ok(())
            }
        };
    }

    fn write_operand(&self, out: &mut String, spelling: Spelling, enclosed: bool) {
        out.push_str(if enclosed { "(" } else { "" });
        self.write(out, spelling);
        out.push_str(if enclosed { ")" } else { "" });
    }
}

#[cfg(test)]
mod tests {
    use super::{Expr, Spelling};

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let plain = Spelling { suffix: "", in_macro: false };
        let x = || Expr::name("x");
        let n = Expr::Number;
        for (expr, text) in [
            (x().over(8).times(n(4)), "(x / 8) * 4"),
            (x().times(n(3)).times(Expr::name("y")), "x * 3 * y"),
            (x().plus(n(7)).over(8), "(x + 7) / 8"),
            (n(9).minus(x().plus(n(1))), "9 - (x + 1)"),
            (n(9).minus(x()).plus(n(1)), "9 - x + 1"),
            (x().over(4).modulo(n(2)), "(x / 4) % 2"),
            (n(3).times(x().over(2)), "3 * (x / 2)"),
            (x().times(n(0)).plus(n(2).times(n(3))), "6"),
            (x().modulo(n(1)).plus(x().over(1)), "x"),
        ] {
            assert_eq!(expr.text(plain), text);
        }
        let quoted = Spelling { suffix: "u", in_macro: true };
        assert_eq!(x().over(8).modulo(n(4)).text(quoted), "((x) / 8u) % 4u");
    }
}
