//! `layout plan`: what a reorder will do.

use crate::args::Plan;
use crate::failure::Failure;
use crate::input::{Format, extents};
use crate::output::Output;
use layout_core::descriptor::DType;
use layout_core::reorder::{Reorder, Tuning};
use serde_json::{Value, json};
use std::time::Duration;

/// What trying the ways may take, where each is not slower than that.
const TUNING: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &Plan, output: &mut Output) -> Result<(), Failure> {
    let dims = extents(&args.dims)?;
    let src = Format::new(&args.from).tensor(&dims, DType::F32)?;
    let dst = Format::new(&args.to).tensor(&dims, src.dtype())?;
    let mut plan = Reorder::new(&src, &dst).map_err(Failure::usage)?;
    let tuning = if args.tune { Some(plan.tune(TUNING).map_err(Failure::failed)?) } else { None };
    if let Some(tuning) = &tuning {
        plan = tuning.plan().clone();
    }
    let ways: Vec<Value> = tuning
        .iter()
        .flat_map(Tuning::ways)
        .map(|(way, time)| json!({ "way": way.to_string(), "nanoseconds": time.as_secs_f64() * 1e9 }))
        .collect();
    output.print(
        || {
            let tuned = tuning.as_ref().map_or_else(String::new, |tuning| format!("\n\n{tuning}"));
            format!("{src} -> {dst}\n{plan}{tuned}")
        },
        || {
            let mut said = json!({
                "source": src.to_string(),
                "destination": dst.to_string(),
                "bytes_read": plan.bytes_read(),
                "bytes_written": plan.bytes_written(),
                "elements_zeroed": plan.elements_zeroed(),
                "source_bytes": plan.src_len(),
                "destination_bytes": plan.dst_len(),
                "stores": plan.stores().name(),
                "plan": plan.to_string(),
            });
            if !ways.is_empty() {
                said["ways"] = ways.into();
            }
            said
        },
    )
}
