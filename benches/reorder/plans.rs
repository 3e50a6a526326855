//! What it costs to describe a tensor and to make a plan, beside oneDNN's primitives.

use crate::cases::Case;
use crate::entrants::{Libraries, memory_descs};
use crate::measure::median_of;
use crate::problem::Problem;
use layout_core::descriptor::DType::{F32, S8, U8};
use layout_core::reorder::Reorder;
use std::hint::black_box;

/// One line of the table of plans: seconds, by the name of what was done.
pub(crate) struct PlanRow {
    pub(crate) name: String,
    pub(crate) seconds: Vec<(String, f64)>,
}

/// Measures every kind of plan once.
pub(crate) fn measure(libraries: &Libraries) -> Vec<PlanRow> {
    let class = "plans";
    let cases = [
        Case::new(class, F32, "nchw", "nchw", &[8, 64, 56, 56]),
        Case::new(class, F32, "nchw", "nChw16c", &[8, 64, 56, 56]),
        Case::new(class, F32, "nChw16c", "nhwc", &[8, 67, 56, 56]),
        Case::converting(class, (U8, F32), "nhwc", "nChw16c", &[1, 3, 224, 224]),
        Case::new(class, S8, "oihw", "OIhw4i16o4i", &[512, 512, 3, 3]),
        Case::new(class, F32, "nChw48c", "nChw32c", &[8, 96, 56, 56]),
        Case::new(class, F32, "abcdef", "fedcba", &[16; 6]),
    ];
    cases.into_iter().map(|case| row(&Problem::new(case), libraries)).collect()
}

fn row(problem: &Problem, libraries: &Libraries) -> PlanRow {
    let case = &problem.case;
    let mut seconds = vec![
        ("descriptor".to_owned(), median_of(|| _ = black_box(case.dst.descriptor(black_box(&case.dims))))),
        (
            "plan".to_owned(),
            median_of(|| _ = black_box(Reorder::new(black_box(&problem.src), black_box(&problem.dst)))),
        ),
    ];
    for library in &libraries.onednn {
        let Ok((src, dst)) = memory_descs(library, problem) else { continue };
        let mut make = || drop(black_box(library.reorder(&src, &dst)));
        let name = format!("oneDNN {}", library.version());
        if library.set_cache_capacity(0).is_ok() {
            seconds.push((name.clone(), median_of(&mut make)));
        }
        if library.set_cache_capacity(1024).is_ok() {
            seconds.push((format!("{name} cached"), median_of(make)));
        }
    }
    PlanRow { name: case.name(), seconds }
}
