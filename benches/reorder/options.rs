//! The command line of the benchmark.

use crate::memory::DST_SHIFT;

/// What to run and for how long.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Only small cases, and less time for each.
    pub(crate) quick: bool,
    /// Only print the cases.
    pub(crate) list: bool,
    /// Cases whose class and name hold one of these texts; all where there is none.
    pub(crate) filters: Vec<String>,
    /// Milliseconds of samples for each entrant of a case.
    pub(crate) budget_ms: u64,
    /// Threads of those that can use several.
    pub(crate) threads: usize,
    /// Whether the calling thread is none of the pool's.
    pub(crate) outside: bool,
    /// Where the source and the destination begin in their arenas.
    pub(crate) starts: [usize; 2],
    /// Whether buffers ask for pages of 2 MiB.
    pub(crate) huge_pages: bool,
    /// Names of entrants to leave out.
    pub(crate) without: Vec<String>,
    /// Whether our plans look for their fastest way.
    pub(crate) tuned: bool,
}

const HELP: &str = "\
cargo bench --bench reorder -- [options]

  --quick               small cases only, with less time for each: some three minutes
  --filter TEXT         cases whose class and name hold TEXT (may be repeated)
  --case-list           print the cases and stop
  --budget MS           milliseconds of samples for each entrant of a case (40; quick 6)
  --threads N           threads for those that can use several (1)
  --outside             with several threads: calls them from outside their pool, where they may be asleep
  --starts SRC,DST      where in a page the buffers begin (0,2112); 16,16 is where glibc puts those of a large Vec
  --huge-pages          buffers ask for pages of 2 MiB
  --tuned               our plans look for their fastest way before (`Reorder::tune`)
  --without TEXT        leave out the entrants whose names hold TEXT (may be repeated)

Writes target/bench/reorder.csv, reorder.md and reorder.svg.";

impl Options {
    /// Reads the arguments of the process; prints the help and ends it where they ask for it or are wrong.
    pub(crate) fn from_args() -> Options {
        let mut options = Options {
            quick: false,
            list: false,
            filters: Vec::new(),
            budget_ms: 0,
            threads: 1,
            outside: false,
            starts: [0, DST_SHIFT],
            huge_pages: false,
            without: Vec::new(),
            tuned: false,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().unwrap_or_else(|| refuse(&format!("{arg} needs a value")));
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--case-list" | "--list" => options.list = true,
                "--filter" => options.filters.push(value()),
                "--budget" => options.budget_ms = number(&value()),
                "--outside" => options.outside = true,
                "--threads" => options.threads = number(&value()).max(1) as usize,
                "--starts" => options.starts = pair(&value()),
                "--huge-pages" => options.huge_pages = true,
                "--tuned" => options.tuned = true,
                "--without" => options.without.push(value()),
                "--help" | "-h" => {
                    println!("{HELP}");
                    std::process::exit(0);
                }
                // Cargo's own.
                "--bench" => {}
                _ if !arg.starts_with('-') => options.filters.push(arg),
                _ => refuse(&format!("unknown option {arg}")),
            }
        }
        if options.budget_ms == 0 {
            options.budget_ms = if options.quick { 6 } else { 40 };
        }
        options
    }
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| refuse(&format!("{text} is not a number")))
}

fn pair(text: &str) -> [usize; 2] {
    let [src, dst] = text.split_once(',').map_or_else(
        || refuse(&format!("{text} is not two numbers with a comma between")),
        |(src, dst)| [src, dst].map(|one| number(one) as usize),
    );
    // The elements of the widest type stay aligned.
    if !src.is_multiple_of(8) || !dst.is_multiple_of(8) {
        refuse(&format!("{text}: buffers begin at multiples of 8 bytes"));
    }
    [src, dst]
}

fn refuse(message: &str) -> ! {
    eprintln!("{message}\n\n{HELP}");
    std::process::exit(2)
}
