//! The inverse of the offset, as steps that every language here can say: from an offset to the index of the element there,
//! or to the word that it is padding or not the tensor's. Written out by `code`.

use super::expr::Expr;
use super::model::{Axis, Digit, Model};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One step of the inverse.
pub(super) enum Step {
    /// `rest` takes a value.
    Rest(Expr),
    /// A new variable.
    Let(String, Expr),
    /// There is no place of the tensor if the left side is at least the right one.
    LeaveIfAtLeast(Expr, Expr),
    /// There is none if the left side is below the right one.
    LeaveIfBelow(Expr, Expr),
    /// There is none if they are equal.
    LeaveIfEqual(Expr, Expr),
    /// There is none at all.
    Leave,
    /// The index along an axis.
    Index(usize, Expr),
    /// The end: an element if the index along each of these axes is below its extent, else padding.
    Arrive(Vec<(usize, Expr)>),
}

const OFFSET: &str = "offset";
pub(super) const REST: &str = "rest";

fn rest() -> Expr {
    Expr::name(REST)
}

impl Step {
    /// Whether it reads the variable `name`.
    pub(super) fn mentions(&self, name: &str) -> bool {
        match self {
            Step::Rest(expr) | Step::Let(_, expr) | Step::Index(_, expr) => expr.mentions(name),
            Step::LeaveIfAtLeast(left, right)
            | Step::LeaveIfBelow(left, right)
            | Step::LeaveIfEqual(left, right) => left.mentions(name) || right.mentions(name),
            Step::Arrive(dims) => dims.iter().any(|(_, dim)| dim.mentions(name)),
            Step::Leave => false,
        }
    }
}

impl Digit {
    /// The variable that holds its value: the letter of the axis and what a step of it is worth. Without the `_` some would
    /// be types, as `i32`.
    fn variable(&self, axis: &Axis) -> String {
        format!("{}_{}", axis.letter, self.divisor)
    }
}

impl Model {
    /// The steps from `offset` to an index.
    pub(super) fn inverse(&self) -> Vec<Step> {
        if self.is_empty {
            return [Step::Leave].into();
        }
        let mut steps = Vec::new();
        let known = self.unknown().next().is_none();
        if known {
            self.by_strides(&mut steps)
        } else {
            self.by_extents(&mut steps)
        }
        let mut dims = Vec::new();
        for (a, axis) in self.axes.iter().enumerate() {
            let mut position = Expr::ZERO;
            for digit in self.digits.iter().filter(|digit| digit.axis == a && digit.is_read()) {
                let value = Expr::name(&digit.variable(axis));
                position = position.plus(value.times(Expr::Number(digit.divisor)));
            }
            let Some(known) = &axis.known else {
                steps.push(Step::Index(a, position));
                if axis.multiple > 1 {
                    dims.push((a, Expr::name(&axis.parameter())));
                }
                continue;
            };
            // Blocks of which the tensor owns a part alone.
            if known.owned.start > 0 {
                steps.push(Step::LeaveIfBelow(position.clone(), Expr::Number(known.owned.start)));
            }
            if !known.owned.end.is_multiple_of(axis.block) {
                steps.push(Step::LeaveIfAtLeast(position.clone(), Expr::Number(known.owned.end)));
            }
            steps.push(Step::Index(a, position.minus(Expr::Number(known.origin))));
            // Below the origin the index wraps and is past any extent.
            if known.owned.end - known.owned.start > known.dim {
                dims.push((a, Expr::Number(known.dim)));
            }
        }
        steps.push(Step::Arrive(dims));
        steps
    }

    /// Strides nest, so each digit from the outside takes as many steps as fit.
    fn by_strides(&self, steps: &mut Vec<Step>) {
        let stride_of = |digit: &Digit| digit.stride.unwrap_or(0);
        let reach_below: u64 = self
            .digits
            .iter()
            .filter(|digit| stride_of(digit) < 0 && digit.is_read())
            .map(|digit| (digit.extent.unwrap_or(1) - 1).wrapping_mul(stride_of(digit).unsigned_abs()))
            .fold(0, u64::wrapping_add);
        let first = self.base.wrapping_sub(reach_below);
        if first > 0 {
            steps.push(Step::LeaveIfBelow(Expr::name(OFFSET), Expr::Number(first)));
        }
        steps.push(Step::Rest(Expr::name(OFFSET).minus(Expr::Number(first))));
        // Values that `rest` can still have; none is known at first.
        let mut below: Option<u64> = None;
        for digit in self.digits.iter().filter(|digit| digit.is_read()) {
            let (extent, stride) = (digit.extent.unwrap_or(1), stride_of(digit));
            let step = stride.unsigned_abs();
            let name = digit.variable(&self.axes[digit.axis]);
            let quotient = rest().over(step);
            let all_fit = below.is_some_and(|below| below.div_ceil(step) <= extent);
            if !all_fit {
                steps.push(Step::LeaveIfAtLeast(quotient.clone(), Expr::Number(extent)));
            }
            let value = if stride < 0 { Expr::Number(extent - 1).minus(quotient) } else { quotient };
            steps.push(Step::Let(name, value));
            steps.push(Step::Rest(rest().modulo(Expr::Number(step))));
            below = Some(step);
        }
        if below != Some(1) {
            steps.push(Step::LeaveIfAtLeast(rest(), Expr::Number(1)));
        }
    }

    /// Dense memory: from the inside, each digit is a remainder.
    fn by_extents(&self, steps: &mut Vec<Step>) {
        for axis in self.unknown() {
            steps.push(Step::LeaveIfEqual(Expr::name(&axis.parameter()), Expr::ZERO));
        }
        steps.push(Step::Rest(Expr::name(OFFSET)));
        let outermost = self.digits.iter().find(|digit| digit.is_read());
        for digit in self.digits.iter().rev().filter(|digit| digit.is_read()) {
            let name = digit.variable(&self.axes[digit.axis]);
            let extent = self.extent(digit);
            if outermost.is_some_and(|outermost| core::ptr::eq(outermost, digit)) {
                steps.push(Step::LeaveIfAtLeast(rest(), extent));
                steps.push(Step::Let(name, rest()));
            } else {
                steps.push(Step::Let(name, rest().modulo(extent.clone())));
                steps.push(Step::Rest(rest().divided_by(extent)));
            }
        }
    }
}

impl Digit {
    /// Whether it has more than one place in memory.
    fn is_read(&self) -> bool {
        self.extent != Some(1) && self.stride != Some(0)
    }
}
