//! The tables for other programs.

use super::Report;
use std::fmt::Write;

/// One line a case: what it is, our figures (`lines` is the share of a memcpy of the cache lines that are touched), then of every entrant nanoseconds (median and
/// least), how many times as fast ours is, and the kernel where it has a name.
pub(super) fn table(report: &Report) -> String {
    let mut out = String::from(
        "class,case,bytes_read,bytes_written,held_by,kernel,ours_gb_per_s,share_of_memcpy,line_bytes,lines,best_onednn,best_peer",
    );
    for (name, _) in &report.names {
        write!(out, ",{name} ns,{name} least ns,ours / {name},{name} kernel").expect("a string takes all");
    }
    out.push('\n');
    for row in &report.rows {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
        let fields = [
            quoted(row.class),
            quoted(&row.name),
            row.read.to_string(),
            row.written.to_string(),
            row.held_by.to_owned(),
            quoted(row.kernel("ours")),
            number(row.seconds("ours").map(|seconds| row.throughput(seconds))),
            number(row.share("ours")),
            row.lines.to_string(),
            number(row.share_of_lines("ours")),
            quoted(report.best_onednn(row).unwrap_or("")),
            quoted(report.best_peer(row).unwrap_or("")),
        ];
        out.push_str(&fields.join(","));
        for (name, _) in &report.names {
            let nanoseconds = |seconds: Option<f64>| seconds.map(|seconds| seconds * 1e9);
            let fields = [nanoseconds(row.seconds(name)), nanoseconds(row.fastest(name)), row.ratio(name)];
            for field in fields {
                out.push(',');
                out.push_str(&number(field));
            }
            out.push(',');
            out.push_str(&quoted(row.kernel(name)));
        }
        out.push('\n');
    }
    out
}

/// One line for each plan and way to make it, in nanoseconds.
pub(super) fn plans(report: &Report) -> String {
    let mut out = String::from("case,what,ns\n");
    for plan in &report.plans {
        for (what, seconds) in &plan.seconds {
            writeln!(out, "{},{},{:.1}", quoted(&plan.name), quoted(what), seconds * 1e9)
                .expect("a string takes all");
        }
    }
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
