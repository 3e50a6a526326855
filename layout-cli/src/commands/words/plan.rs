//! `layout plan`: what a reorder will do.

use crate::args::Plan;
use crate::failure::Failure;
use crate::input::{Format, extents};
use crate::output::Output;
use layout_core::descriptor::DType;
use layout_core::reorder::Reorder;
use serde_json::json;

pub(crate) fn run(args: &Plan, output: &mut Output) -> Result<(), Failure> {
    let dims = extents(&args.dims)?;
    let src = Format::new(&args.from).tensor(&dims, DType::F32)?;
    let dst = Format::new(&args.to).tensor(&dims, src.dtype())?;
    let plan = Reorder::new(&src, &dst).map_err(Failure::usage)?;
    output.print(
        || format!("{src} -> {dst}\n{plan}"),
        || {
            json!({
                "source": src.to_string(),
                "destination": dst.to_string(),
                "bytes_read": plan.bytes_read(),
                "bytes_written": plan.bytes_written(),
                "elements_zeroed": plan.elements_zeroed(),
                "source_bytes": plan.src_len(),
                "destination_bytes": plan.dst_len(),
                "stores": plan.stores().name(),
                "plan": plan.to_string(),
            })
        },
    )
}
