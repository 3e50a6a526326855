//! Runs functions of naga's intermediate representation, as far as index code needs it: integers, comparisons, structures,
//! arrays, local variables and branches. What is not known here ends the test.

use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, Module, ScalarKind,
    Statement, Type, TypeInner,
};
use std::collections::HashMap;

/// A value of a shader.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Unsigned(u32),
    Signed(i32),
    Truth(bool),
    Composite(Vec<Value>),
}

impl Value {
    pub(crate) fn to_index(&self) -> usize {
        match self {
            Value::Unsigned(n) => *n as usize,
            other => panic!("{other:?} is no index"),
        }
    }

    fn is_true(&self) -> bool {
        match self {
            Value::Truth(truth) => *truth,
            other => panic!("{other:?} is no truth value"),
        }
    }
}

/// The value of the function of this name.
pub(crate) fn call(module: &Module, name: &str, arguments: &[Value]) -> Value {
    let function = module.functions.iter().find(|(_, f)| f.name.as_deref() == Some(name));
    let function = function.unwrap_or_else(|| panic!("no function {name}")).1;
    let mut frame = Frame { module, function, arguments, values: HashMap::new(), locals: HashMap::new() };
    for (handle, local) in function.local_variables.iter() {
        let value = match local.init {
            Some(init) => frame.value(init),
            None => frame.zero(local.ty),
        };
        frame.locals.insert(handle, value);
    }
    frame.block(&function.body).expect("the function returns a value")
}

struct Frame<'a> {
    module: &'a Module,
    function: &'a Function,
    arguments: &'a [Value],
    /// Of the expressions that were emitted.
    values: HashMap<Handle<Expression>, Value>,
    locals: HashMap<Handle<LocalVariable>, Value>,
}

impl Frame<'_> {
    /// Runs the statements; the value that they return, if they do.
    fn block(&mut self, block: &Block) -> Option<Value> {
        for statement in block {
            match statement {
                Statement::Emit(range) => {
                    for handle in range.clone() {
                        // Pointers are followed where they are used.
                        if !self.is_pointer(handle) {
                            let value = self.compute(handle);
                            self.values.insert(handle, value);
                        }
                    }
                }
                Statement::Block(block) => {
                    if let Some(value) = self.block(block) {
                        return Some(value);
                    }
                }
                Statement::If { condition, accept, reject } => {
                    let chosen = if self.value(*condition).is_true() { accept } else { reject };
                    if let Some(value) = self.block(chosen) {
                        return Some(value);
                    }
                }
                Statement::Store { pointer, value } => {
                    let value = self.value(*value);
                    *self.place(*pointer) = value;
                }
                Statement::Return { value } => return value.map(|value| self.value(value)),
                other => panic!("a statement that index code does not need: {other:?}"),
            }
        }
        None
    }

    fn is_pointer(&self, handle: Handle<Expression>) -> bool {
        match &self.function.expressions[handle] {
            Expression::LocalVariable(_) => true,
            Expression::AccessIndex { base, .. } => self.is_pointer(*base),
            _ => false,
        }
    }

    /// What a pointer points at.
    fn place(&mut self, pointer: Handle<Expression>) -> &mut Value {
        match &self.function.expressions[pointer] {
            Expression::LocalVariable(handle) => self.locals.get_mut(handle).expect("a variable"),
            Expression::AccessIndex { base, index } => {
                let (base, index) = (*base, *index as usize);
                match self.place(base) {
                    Value::Composite(parts) => &mut parts[index],
                    other => panic!("{other:?} has no parts"),
                }
            }
            other => panic!("no pointer: {other:?}"),
        }
    }

    fn value(&mut self, handle: Handle<Expression>) -> Value {
        match self.values.get(&handle) {
            Some(value) => value.clone(),
            None => self.compute(handle),
        }
    }

    fn compute(&mut self, handle: Handle<Expression>) -> Value {
        match &self.function.expressions[handle] {
            Expression::Literal(Literal::U32(n)) => Value::Unsigned(*n),
            Expression::Literal(Literal::I32(n)) => Value::Signed(*n),
            Expression::Literal(Literal::Bool(truth)) => Value::Truth(*truth),
            Expression::FunctionArgument(index) => self.arguments[*index as usize].clone(),
            Expression::ZeroValue(ty) => self.zero(*ty),
            Expression::Load { pointer } => self.place(*pointer).clone(),
            Expression::Binary { op, left, right } => {
                let (op, left, right) = (*op, *left, *right);
                binary(op, self.value(left), self.value(right))
            }
            Expression::Select { condition, accept, reject } => {
                let (condition, accept, reject) = (*condition, *accept, *reject);
                if self.value(condition).is_true() { self.value(accept) } else { self.value(reject) }
            }
            other => panic!("an expression that index code does not need: {other:?}"),
        }
    }

    fn zero(&self, ty: Handle<Type>) -> Value {
        match &self.module.types[ty].inner {
            TypeInner::Scalar(scalar) => match scalar.kind {
                ScalarKind::Uint => Value::Unsigned(0),
                ScalarKind::Sint => Value::Signed(0),
                ScalarKind::Bool => Value::Truth(false),
                other => panic!("no zero of {other:?}"),
            },
            TypeInner::Struct { members, .. } => {
                Value::Composite(members.iter().map(|member| self.zero(member.ty)).collect())
            }
            TypeInner::Array { base, size: naga::ArraySize::Constant(len), .. } => {
                Value::Composite((0..len.get()).map(|_| self.zero(*base)).collect())
            }
            other => panic!("no zero of {other:?}"),
        }
    }
}

/// WGSL's arithmetic, which wraps; a division by zero ends the test.
fn binary(op: BinaryOperator, left: Value, right: Value) -> Value {
    use BinaryOperator as Op;
    match (left, right) {
        (Value::Unsigned(a), Value::Unsigned(b)) => match op {
            Op::Add => Value::Unsigned(a.wrapping_add(b)),
            Op::Subtract => Value::Unsigned(a.wrapping_sub(b)),
            Op::Multiply => Value::Unsigned(a.wrapping_mul(b)),
            Op::Divide => Value::Unsigned(a.checked_div(b).expect("no division by zero")),
            Op::Modulo => Value::Unsigned(a.checked_rem(b).expect("no division by zero")),
            Op::Equal => Value::Truth(a == b),
            Op::Less => Value::Truth(a < b),
            Op::GreaterEqual => Value::Truth(a >= b),
            other => panic!("an operator that index code does not need: {other:?}"),
        },
        (Value::Truth(a), Value::Truth(b)) => match op {
            Op::LogicalAnd | Op::And => Value::Truth(a && b),
            other => panic!("an operator that index code does not need: {other:?}"),
        },
        (left, right) => panic!("{op:?} of {left:?} and {right:?}"),
    }
}
