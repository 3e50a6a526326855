//! The tables for people: a summary, the classes, the worst cases, every case, and the plans.

use super::figures::{Mean, geomean};
use super::{Report, Row};
use crate::entrants::Role;
use std::fmt::Write;

/// Cases in the lists of the worst.
const WORST: usize = 10;

/// The whole document.
pub(super) fn document(report: &Report) -> String {
    let mut out = summary(report);
    out.push_str("\n## Plans, microseconds\n\n");
    out.push_str(&plans(report));
    out.push_str("\n## Every case\n\n");
    out.push_str(&cases(report));
    out
}

/// What is printed at the end of a run, too.
pub(super) fn summary(report: &Report) -> String {
    let mut out = format!("# Reorders\n\n{}\n\n", conditions(report));
    let all: Vec<&Row> = report.rows.iter().collect();
    for (what, mean) in [
        ("share of memcpy", geomean(all.iter().map(|row| row.share("ours")))),
        (
            "share of a memcpy of the lines that are touched",
            geomean(all.iter().map(|row| row.share_of_lines("ours"))),
        ),
        (
            "against oneDNN, its fastest version in each case",
            geomean(all.iter().map(|row| row.ratio(report.best_onednn(row)?))),
        ),
        (
            "against oneDNN where its fastest version has compiled a kernel and does not run a reference loop",
            geomean(all.iter().map(|row| {
                let name = report.best_onednn(row)?;
                row.kernel(name).starts_with("jit").then(|| row.ratio(name))?
            })),
        ),
        (
            "against the fastest of all peers in each case",
            geomean(all.iter().map(|row| row.ratio(report.best_peer(row)?))),
        ),
    ] {
        if let Some(Mean { mean, least, count }) = mean {
            writeln!(out, "- {what}: geometric mean {mean:.3}, least {least:.3} ({count} cases)")
                .expect(TAKES);
        }
    }
    for (name, role) in report.names.iter().filter(|n| !matches!(n.1, Role::Ours | Role::Yardstick)) {
        let (ours, theirs) =
            (geomean(all.iter().map(|r| r.ratio(name))), geomean(all.iter().map(|r| r.share(name))));
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            let Mean { mean, least, count } = ours;
            let what = if *role == Role::Copy { "no reorder; " } else { "" };
            writeln!(
                out,
                "- {name} ({what}{count} cases): share of memcpy {:.3}; ours is {mean:.2} times as fast, at least {least:.2}",
                theirs.mean
            )
            .expect(TAKES);
        }
    }
    let groups: Vec<(String, Vec<&Row>)> = report
        .classes()
        .into_iter()
        .map(|class| (class.to_owned(), report.rows.iter().filter(|row| row.class == class).collect()))
        .collect();
    writeln!(out, "\n## By class\n\n{}", group_table(report, &groups)).expect(TAKES);
    let groups: Vec<(String, Vec<&Row>)> = ["L1", "L2", "L3", "memory"]
        .into_iter()
        .map(|cache| (format!("in {cache}"), report.rows.iter().filter(|row| row.held_by == cache).collect()))
        .collect();
    writeln!(out, "## By size\n\n{}", group_table(report, &groups)).expect(TAKES);
    for (title, figure) in [
        (
            "Slowest against memcpy",
            Box::new(|row: &Row| row.share("ours")) as Box<dyn Fn(&Row) -> Option<f64>>,
        ),
        (
            "Slowest against a memcpy of the lines that are touched",
            Box::new(|row| row.share_of_lines("ours")),
        ),
        ("Slowest against oneDNN", Box::new(|row: &Row| row.ratio(report.best_onednn(row)?))),
        ("Slowest against the fastest peer", Box::new(|row: &Row| row.ratio(report.best_peer(row)?))),
    ] {
        writeln!(out, "## {title}\n\n{}", worst(report, &figure)).expect(TAKES);
    }
    let wrong: Vec<String> = report
        .rows
        .iter()
        .flat_map(|row| row.wrong.iter().map(move |name| format!("- {name}: {}", row.name)))
        .collect();
    if !wrong.is_empty() {
        writeln!(out, "## Left out because the result was wrong\n\n{}\n", wrong.join("\n")).expect(TAKES);
    }
    out
}

const TAKES: &str = "a string takes all";

fn conditions(report: &Report) -> String {
    let processor = std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let caches = report.caches;
    format!(
        "{processor}, {} KB L1, {} KB L2, {} MB L3; {} thread(s) for those that can use several; {}; medians, entrants in \
         turn on the same buffers. The yardstick is one memcpy that moves as many bytes as the case reads and writes, \
         padding included; its share of lines is against one of all cache lines that hold any of these. Ratios say how many times as fast ours is.",
        caches.l1 >> 10,
        caches.l2 >> 10,
        caches.l3 >> 20,
        report.options.threads,
        if report.options.huge_pages { "pages of 2 MiB" } else { "pages as the system gives them" },
    )
}

fn group_table(report: &Report, groups: &[(String, Vec<&Row>)]) -> String {
    let peers: Vec<&str> = report
        .names
        .iter()
        .filter(|n| matches!(n.1, Role::OneDnn | Role::Peer | Role::Naive))
        .map(|n| n.0.as_str())
        .collect();
    let mut out = format!(
        "| | cases | ours, GB/s | memcpy, GB/s | share, mean | share, least | / oneDNN | least | / best peer | least | / {} |\n",
        peers.join(" | / ")
    );
    out.push_str(&format!("|---{}|\n", "|---".repeat(9 + peers.len())));
    for (name, rows) in groups.iter().filter(|group| !group.1.is_empty()) {
        let throughput = |name: &str| {
            geomean(rows.iter().map(|row| row.seconds(name).map(|seconds| row.throughput(seconds))))
        };
        let share = geomean(rows.iter().map(|row| row.share("ours")));
        let onednn = geomean(rows.iter().map(|row| row.ratio(report.best_onednn(row)?)));
        let peer = geomean(rows.iter().map(|row| row.ratio(report.best_peer(row)?)));
        let mut fields = vec![
            name.clone(),
            rows.len().to_string(),
            show(throughput("ours").map(|m| m.mean), 1),
            show(throughput("memcpy").map(|m| m.mean), 1),
        ];
        for mean in [share, onednn, peer] {
            fields.extend([show(mean.map(|m| m.mean), 2), show(mean.map(|m| m.least), 2)]);
        }
        fields.extend(
            peers.iter().map(|name| show(geomean(rows.iter().map(|row| row.ratio(name))).map(|m| m.mean), 2)),
        );
        writeln!(out, "| {} |", fields.join(" | ")).expect(TAKES);
    }
    out
}

fn worst(report: &Report, figure: &dyn Fn(&Row) -> Option<f64>) -> String {
    let mut rows: Vec<(f64, &Row)> = report.rows.iter().filter_map(|row| Some((figure(row)?, row))).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = String::from(
        "| | class | case | kernel | share of memcpy | fastest peer |\n|---|---|---|---|---|---|\n",
    );
    for (value, row) in rows.into_iter().take(WORST) {
        writeln!(
            out,
            "| {value:.3} | {} | {} | {} | {} | {} |",
            row.class,
            row.name,
            row.kernel("ours"),
            show(row.share("ours"), 3),
            report.best_peer(row).unwrap_or("")
        )
        .expect(TAKES);
    }
    out
}

fn cases(report: &Report) -> String {
    let others: Vec<&str> = report.names.iter().filter(|n| n.1 != Role::Ours).map(|n| n.0.as_str()).collect();
    let mut out = format!(
        "| class | case | in | kernel | ours, ns | GB/s | share of memcpy | of lines | / {} |\n|---{}|\n",
        others.join(" | / "),
        "|---".repeat(7 + others.len())
    );
    for row in &report.rows {
        let ours = row.seconds("ours");
        let mut fields = vec![
            row.class.to_owned(),
            row.name.clone(),
            row.held_by.to_owned(),
            row.kernel("ours").to_owned(),
            show(ours.map(|seconds| seconds * 1e9), 0),
            show(ours.map(|seconds| row.throughput(seconds)), 1),
            show(row.share("ours"), 2),
            show(row.share_of_lines("ours"), 2),
        ];
        fields.extend(others.iter().map(|name| show(row.ratio(name), 2)));
        writeln!(out, "| {} |", fields.join(" | ")).expect(TAKES);
    }
    out
}

fn plans(report: &Report) -> String {
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in report.plans.iter().flat_map(|plan| &plan.seconds) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let mut out = format!("| case | {} |\n|---{}|\n", columns.join(" | "), "|---".repeat(columns.len()));
    for plan in &report.plans {
        let field = |column: &&str| {
            let found = plan.seconds.iter().find(|(name, _)| name == column);
            show(found.map(|(_, seconds)| seconds * 1e6), 3)
        };
        let fields: Vec<String> = columns.iter().map(field).collect();
        writeln!(out, "| {} | {} |", plan.name, fields.join(" | ")).expect(TAKES);
    }
    out
}

fn show(value: Option<f64>, digits: usize) -> String {
    value.map_or(String::new(), |value| format!("{value:.digits$}"))
}
