//! The plot: for each class, throughput against one memcpy that moves as many bytes, of ours, of oneDNN's fastest version
//! and of the fastest of all peers in each case. Plain SVG without scripts or fonts of its own.

use super::Report;
use super::figures::geomean;
use std::fmt::Write;

const WIDTH: f64 = 900.0;
/// Where the bars begin, and how long one is that reaches memcpy.
const LEFT: f64 = 250.0;
const TOP: f64 = 84.0;
const BAR: f64 = 9.0;
const GAP: f64 = 9.0;
const SERIES: [(&str, &str); 3] =
    [("ours", "#1f6feb"), ("oneDNN, fastest version", "#8c959f"), ("fastest of all peers", "#d4a72c")];

/// The plot as a document.
pub(super) fn picture(report: &Report) -> String {
    let mut groups: Vec<(String, [Option<f64>; 3])> =
        vec![("all cases".to_owned(), shares(report, |_| true))];
    for class in report.classes() {
        groups.push((class.to_owned(), shares(report, |row| row.class == class)));
    }
    let largest = groups.iter().flat_map(|group| group.1).flatten().fold(1.0, f64::max);
    let scale = (WIDTH - LEFT - 50.0) / (largest * 10.0).ceil() * 10.0;
    let step = SERIES.len() as f64 * BAR + GAP;
    let bottom = TOP + groups.len() as f64 * step;
    let height = bottom + 40.0;

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#24292f\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"16\" y=\"26\" font-size=\"16\" font-weight=\"bold\">Reorders: throughput against memcpy</text>\n\
         <text x=\"16\" y=\"44\">geometric means by class; memcpy moving as many bytes is 1; {} thread(s)</text>\n",
        report.options.threads
    );
    for (i, (name, colour)) in SERIES.iter().enumerate() {
        let x = 16.0 + i as f64 * 190.0;
        put(
            &mut out,
            format_args!("<rect x=\"{x}\" y=\"56\" width=\"12\" height=\"12\" fill=\"{colour}\"/>"),
        );
        put(&mut out, format_args!("<text x=\"{}\" y=\"66\">{name}</text>", x + 18.0));
    }
    let mut tick = 0.0;
    while tick <= largest + 0.01 {
        let x = LEFT + tick * scale;
        let colour = if (tick - 1.0).abs() < 0.01 { "#cf222e" } else { "#d0d7de" };
        put(
            &mut out,
            format_args!(
                "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"{colour}\"/>",
                TOP - 4.0
            ),
        );
        put(
            &mut out,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:.1}</text>",
                bottom + 18.0
            ),
        );
        tick += 0.2;
    }
    for (g, (name, values)) in groups.iter().enumerate() {
        let y = TOP + g as f64 * step;
        let middle = y + SERIES.len() as f64 * BAR / 2.0 + 4.0;
        let weight = if g == 0 { " font-weight=\"bold\"" } else { "" };
        put(
            &mut out,
            format_args!(
                "<text x=\"{}\" y=\"{middle:.1}\" text-anchor=\"end\"{weight}>{}</text>",
                LEFT - 8.0,
                escaped(name)
            ),
        );
        for (i, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let (y, length) = (y + i as f64 * BAR, value * scale);
            put(
                &mut out,
                format_args!(
                    "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{}\" fill=\"{}\"/>",
                    BAR - 1.0,
                    SERIES[i].1
                ),
            );
            put(
                &mut out,
                format_args!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\">{value:.2}</text>",
                    LEFT + length + 4.0,
                    y + BAR - 1.5
                ),
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("a string takes all");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The shares of memcpy of the three series.
fn shares(report: &Report, take: impl Fn(&super::Row) -> bool) -> [Option<f64>; 3] {
    let rows = || report.rows.iter().filter(|row| take(row));
    [
        geomean(rows().map(|row| row.share("ours"))),
        geomean(rows().map(|row| row.share(report.best_onednn(row)?))),
        geomean(rows().map(|row| row.share(report.best_peer(row)?))),
    ]
    .map(|mean| mean.map(|mean| mean.mean))
}
