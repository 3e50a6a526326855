//! Index code in WGSL: naga validates it, and an interpreter of naga's intermediate representation runs it; every offset
//! and every inverse is compared with the descriptor's. The cases are those of layout-core's tests, where C and its family
//! are compiled.

#[path = "../../layout-core/tests/index_code/cases.rs"]
mod cases;
#[path = "wgsl/interpreter.rs"]
mod interpreter;

use cases::Case;
use interpreter::{Value, call};
use layout_core::descriptor::Location;
use layout_core::index_code::{IndexCode, Language};
use naga::Module;
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn code(case: &Case) -> IndexCode {
    let d = &case.tensor;
    let code = if case.from_spec {
        let closed = (0..d.rank()).filter(|&a| !case.open[a]);
        closed.fold(d.spec().index_code(Language::Wgsl), |code, a| {
            code.with_extent(d.spec().axis_name(a).unwrap(), d.dims()[a])
        })
    } else {
        d.index_code(Language::Wgsl)
    };
    code.named("layout")
}

fn module(source: &str) -> Module {
    let module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).unwrap_or_else(|e| panic!("{}\n{source}", e.emit_to_string(source)));
    module
}

/// The extents that a function takes behind `given` other parameters.
fn extents(module: &Module, function: &str, given: usize, case: &Case) -> Vec<Value> {
    let (_, function) = module.functions.iter().find(|(_, f)| f.name.as_deref() == Some(function)).unwrap();
    let names = function.arguments[given..].iter().map(|argument| argument.name.as_deref().unwrap());
    names
        .map(|name| {
            let axis =
                case.tensor.spec().axis_named(name.strip_prefix("dim_").unwrap().chars().next().unwrap());
            Value::Unsigned(case.tensor.dims()[axis.unwrap()] as u32)
        })
        .collect()
}

#[test]
fn every_offset_and_every_inverse() {
    // A fifth of them: interpreted, all take a minute. Five is no divisor of the variants of a format.
    let cases: Vec<Case> = cases::all().into_iter().step_by(5).collect();
    assert!(cases.len() > 60);
    for case in &cases {
        let d = &case.tensor;
        let source = code(case).source().expect("small");
        let module = module(&source);
        let dims = extents(&module, "layout_offset", d.rank(), case);
        let mut index = vec![0; d.rank()];
        // With the padding behind the elements, whose positions have an offset too.
        let ends: Vec<usize> = (0..d.rank()).map(|a| d.owned(a).end - d.origin()[a]).collect();
        for _ in 0..ends.iter().product() {
            let arguments = index.iter().map(|&i| Value::Unsigned(i as u32)).chain(dims.iter().cloned());
            let found = call(&module, "layout_offset", &arguments.collect::<Vec<_>>());
            assert_eq!(
                found,
                Value::Unsigned(d.offset_unchecked(&index) as u32),
                "{d} at {index:?}\n{source}"
            );
            for a in (0..d.rank()).rev() {
                index[a] = (index[a] + 1) % ends[a];
                if index[a] > 0 {
                    break;
                }
            }
        }
        let dims = extents(&module, "layout_index", 1, case);
        for at in 0..d.required_len() + 3 {
            let arguments: Vec<Value> =
                [Value::Unsigned(at as u32)].into_iter().chain(dims.iter().cloned()).collect();
            let Value::Composite(parts) = call(&module, "layout_index", &arguments) else {
                panic!("a structure")
            };
            let [Value::Composite(index), Value::Signed(word)] = parts.as_slice() else {
                panic!("{parts:?}")
            };
            let index: Vec<usize> = index.iter().take(d.rank()).map(Value::to_index).collect();
            match d.locate(at) {
                Ok(Location::Element(expected)) => {
                    assert_eq!((*word, &index[..]), (1, &expected[..]), "{d} at {at}")
                }
                Ok(Location::Padding) => {
                    assert_eq!(*word, 0, "{d} at {at}");
                    assert!(index.iter().zip(d.dims()).any(|(i, dim)| i >= dim), "{d} at {at}: {index:?}");
                }
                _ => assert_eq!(*word, -1, "{d} at {at}\n{source}"),
            }
        }
    }
    println!("{} layouts", cases.len());
}
