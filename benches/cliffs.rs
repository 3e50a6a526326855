//! Looks for reorders that fall far behind the others: `cargo bench --bench cliffs`. Goes over all pairs of the common layouts,
//! for elements of all widths, the commonest conversions and awkward numbers of channels, some 60 000 cases of 100 KB, and lists
//! those that are slowest against a memcpy of as many bytes.
//!
//! `-- --help` lists the options. `--peers` times the versions of oneDNN that `scripts/peers --all` installed as well, as far as they do
//! better than a fourth of our throughput in one call, and lists where the fastest of them is ahead; a second measurement confirms each.
//! Figures are the least of a few calls: what stands at the end of the list needs no better ones.

use layout_peers::onednn::{DataType, OneDnn, Reorder as Theirs};
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tensor_layout::{Attributes, DType, Descriptor, Reorder, Values};

const HELP: &str = "\
cargo bench --bench cliffs -- [options]

  --with scale|scales|sums   all have a factor, or one for each index of the second axis, or add what the destination holds
  --types f32,s8             only pairs of these types
  --filter TEXT              only cases whose line holds TEXT, such as `u8 -> f32` or `nchw -> nhwc`
  --below SHARE              list what reaches less of a memcpy than this (0.05)
  --most N                   list so many at most (40)
  --all                      print every case
  --peers                    time oneDNN as well: scripts/peers --all
  --round                    extents are powers of two, where awkward ones are usual
  --tuned                    time the fastest way of each plan (`Reorder::tune_on`)
  --help                     this

TENSOR_LAYOUT_CPU=avx2 and the like ask another family of instructions.";

/// Layouts that tensors of one kind have, and the extents for a number of channels and of elements in all.
type Kind = (&'static [&'static str], fn(usize, usize) -> Vec<usize>);

const KINDS: [Kind; 4] = [
    (&["nchw", "nhwc", "chwn", "nChw4c", "nChw8c", "nChw16c", "nChw32c", "NChw16n16c"], |c, all| {
        let side = (all / c / 2).isqrt().max(1);
        vec![2, c, side, (all / c / 2 / side).max(1)]
    }),
    (&["ncdhw", "ndhwc", "nCdhw4c", "nCdhw8c", "nCdhw16c"], |c, all| {
        let side = ((all / c) as f64).cbrt().max(1.0) as usize;
        vec![1, c, side, side, (all / c / side / side).max(1)]
    }),
    (
        &[
            "oihw",
            "hwio",
            "ohwi",
            "Oihw16o",
            "OIhw16i16o",
            "OIhw16o16i",
            "OIhw8i8o",
            "OIhw8o8i",
            "OIhw4i16o4i",
            "OIhw8i16o2i",
        ],
        |c, all| {
            let other = (all / c / 9).max(1);
            if c < 64 { vec![other, c, 3, 3] } else { vec![c, other, 3, 3] }
        },
    ),
    (
        &["ab", "ba", "aB16b", "AB8b8a", "BA16a16b", "AB16b64a", "BA16a64b", "BA16a64b2a", "BA16a64b4a"],
        |c, all| vec![c, (all / c).max(1)],
    ),
];

/// The types of both sides.
const TYPES: [(DType, DType); 30] = [
    (DType::U8, DType::U8),
    (DType::Bf16, DType::Bf16),
    (DType::F32, DType::F32),
    (DType::F64, DType::F64),
    (DType::F32, DType::Bf16),
    (DType::Bf16, DType::F32),
    (DType::F32, DType::F16),
    (DType::F16, DType::F32),
    (DType::F32, DType::S8),
    (DType::S8, DType::F32),
    (DType::F32, DType::U8),
    (DType::U8, DType::F32),
    (DType::Bf16, DType::S8),
    (DType::S8, DType::Bf16),
    (DType::F32, DType::F8E4M3),
    (DType::F8E4M3, DType::F32),
    (DType::S32, DType::S8),
    (DType::S8, DType::S32),
    (DType::U8, DType::S8),
    (DType::Bf16, DType::F16),
    (DType::S4, DType::S4),
    (DType::S4, DType::U4),
    (DType::S4, DType::S8),
    (DType::U8, DType::U4),
    (DType::S4, DType::Bf16),
    (DType::F32, DType::S4),
    (DType::F4E2M1, DType::F32),
    (DType::F64, DType::Bf16),
    (DType::S32, DType::Bf16),
    (DType::Boolean, DType::F32),
];

const CHANNELS: [usize; 8] = [1, 3, 4, 7, 16, 17, 64, 67];

/// The same in `--round`.
const ROUND_CHANNELS: [usize; 8] = [2, 4, 8, 16, 32, 64, 128, 512];

/// One for each index of the second axis, in `--with scales`.
static FACTORS: LazyLock<Vec<f32>> =
    LazyLock::new(|| (0..BYTES).map(|i| 0.5 + (i % 5) as f32 / 4.0).collect());

/// Bytes of the wider side, without padding.
const BYTES: usize = 100_000;

/// Calls of which the fastest counts, behind one that does not.
const CALLS: usize = 6;

/// What finding the fastest way may take; each way that is near it has five turns in any case.
const TUNING: Duration = Duration::from_micros(500);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` runs this too, without `--bench`; it has nothing to check then.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" | "--all" | "--peers" | "--round" | "--tuned" => {}
            "--with" | "--types" | "--filter" | "--below" | "--most" if words.next().is_some() => {}
            "--help" => return println!("{HELP}"),
            _ => {
                eprintln!("`{word}` is no option, or lacks its value; --help lists them");
                std::process::exit(2);
            }
        }
    }
    let value = |name: &str| arguments.iter().skip_while(|one| *one != name).nth(1);
    let number = |name: &str, or: f64| value(name).map_or(or, |text| text.parse().expect(name));
    let (below, most) = (number("--below", 0.05), number("--most", 40.0) as usize);
    let with = value("--with").map(String::as_str);
    let types: Option<Vec<DType>> = value("--types").map(|list| {
        list.split(',').map(|name| name.parse().expect("--types: names of data types")).collect()
    });
    let (filter, all) = (value("--filter"), arguments.iter().any(|one| one == "--all"));
    let peers = if arguments.iter().any(|one| one == "--peers") { load_peers() } else { Vec::new() };
    let [round, tuned] = ["--round", "--tuned"].map(|name| arguments.iter().any(|one| one == name));
    let (mut ahead, mut compared, mut ratios) = (Vec::new(), 0, 0.0);
    let mut memory = (Vec::new(), Vec::new());
    let (mut slow, mut count, mut logarithms) = (Vec::new(), 0, 0.0);
    let is_wanted = |dtype: DType| types.as_ref().is_none_or(|types| types.contains(&dtype));
    for (src, dst) in TYPES.into_iter().filter(|&(src, dst)| is_wanted(src) && is_wanted(dst)) {
        let mut shares = Vec::new();
        for (layouts, extents) in KINDS {
            for channels in if round { ROUND_CHANNELS } else { CHANNELS } {
                let mut dims = extents(channels, BYTES / src.size().max(dst.size()));
                if round {
                    dims.iter_mut().for_each(|dim| *dim = 1 << dim.ilog2());
                }
                for (from, to) in layouts.iter().flat_map(|from| layouts.iter().map(move |to| (from, to))) {
                    let name = format!("{src} -> {dst} {from} -> {to} {dims:?}");
                    if from == to && src == dst && with.is_none()
                        || filter.is_some_and(|text| !name.contains(text.as_str()))
                    {
                        continue;
                    }
                    let mut problem = Problem::new((src, dst), &dims, [from, to], with);
                    let share = problem.share_of_memcpy(&mut memory, tuned);
                    let against = if with.is_none() { problem.against(&peers, &mut memory) } else { None };
                    if let Some((ratio, version)) = &against {
                        (compared, ratios) = (compared + 1, ratios + ratio.ln());
                        if *ratio < 0.97 {
                            ahead.push((*ratio, format!("{share:.3} {version} {name}")));
                        }
                    }
                    if all {
                        let ratio = against
                            .map_or(String::new(), |(ratio, version)| format!(" {ratio:.2} {version}"));
                        println!("{share:.3} {name}{ratio}");
                    }
                    (count, logarithms) = (count + 1, logarithms + share.ln());
                    shares.push(share);
                    if share < below {
                        slow.push((share, name));
                    }
                }
            }
        }
        if !shares.is_empty() {
            shares.sort_by(f64::total_cmp);
            let at = |part: usize| shares[(shares.len() - 1) * part / 100];
            println!(
                "{src} -> {dst}: least {:.3}, 1 of 100 {:.3}, 10 of 100 {:.3}, median {:.3}",
                at(0),
                at(1),
                at(10),
                at(50)
            );
        }
    }
    slow.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("all {count}: geometric mean {:.3}", (logarithms / f64::from(count.max(1))).exp());
    println!("{} of {count} cases are below {below} of memcpy; the slowest:", slow.len());
    for (share, name) in slow.iter().take(most) {
        println!("{share:.4} {name}");
    }
    if !peers.is_empty() {
        let mean = (ratios / f64::from(compared.max(1))).exp();
        ahead.sort_by(|a: &(f64, String), b| a.0.total_cmp(&b.0));
        println!(
            "oneDNN comes within a fourth of us in {compared}, where we are {mean:.2} times as fast in the mean;"
        );
        println!(
            "it is ahead by more than 3 % in {}; the first (ratio, our share of memcpy, version):",
            ahead.len()
        );
        for (ratio, name) in ahead.iter().take(most) {
            println!("{ratio:.2} {name}");
        }
    }
}

/// One case.
struct Problem {
    src: Descriptor,
    dst: Descriptor,
    formats: [String; 2],
    attributes: Attributes<'static>,
    plan: Reorder,
}

/// What is read and what is written.
type Memory = (Vec<u8>, Vec<u8>);

impl Problem {
    fn new((src, dst): (DType, DType), dims: &[usize], [from, to]: [&str; 2], with: Option<&str>) -> Problem {
        let src = Descriptor::new(src, dims, from).expect("a layout of as many axes");
        let dst = Descriptor::new(dst, dims, to).expect("a layout of as many axes");
        let second = src.spec().axis_name(1).expect("layouts of two axes and more");
        let factors = &FACTORS[..dims[1]];
        let attributes = match with {
            None => Attributes::new(),
            Some("scale") => Attributes::new().src_scale(Values::common(0.5)),
            Some("scales") => Attributes::new().src_scale(Values::per_axis(second, factors)),
            Some("sums") => Attributes::new().accumulate(1.0),
            Some(other) => panic!("--with {other}: scale, scales or sums"),
        };
        let plan =
            Reorder::with_attributes(&src, &dst, &attributes).expect("a reorder between any two layouts");
        Problem { formats: [tag(from, &src), tag(to, &dst)], src, dst, attributes, plan }
    }

    /// The throughput as a share of memcpy's; of the fastest way where the plan is to be `tuned`.
    fn share_of_memcpy(&mut self, (read, written): &mut Memory, tuned: bool) -> f64 {
        let plan = &self.plan;
        let bytes = (plan.bytes_read() + plan.bytes_written()) / 2;
        let room = plan.src_len().max(plan.dst_len()).max(bytes);
        if read.len() < room {
            *read = (0..room).map(|i| (i % 119) as u8).collect();
            *written = vec![1; room];
        }
        if tuned {
            let tuning =
                plan.tune_on(read, written, &self.attributes, TUNING).expect("memory of the right size");
            self.plan = tuning.plan().clone();
        }
        let ours = least(&mut || self.run(read, written));
        let copy = least(&mut || black_box(&mut *written)[..bytes].copy_from_slice(&read[..bytes]));
        copy / ours
    }

    fn run(&self, read: &[u8], written: &mut [u8]) {
        self.plan.run_with(read, written, &self.attributes).expect("memory of the right size");
    }

    /// Our throughput against that of the fastest peer, and which this is; none where none comes near. In memory that
    /// [`Problem::share_of_memcpy`] made.
    fn against(&self, peers: &[OneDnn], (read, written): &mut Memory) -> Option<(f64, String)> {
        let theirs: Vec<(Theirs<'_>, String)> = peers.iter().filter_map(|peer| self.theirs(peer)).collect();
        let mut best: Option<(f64, String)> = None;
        for (theirs, version) in &theirs {
            let mut run = || theirs.run(read, written).expect("the primitive was made for this");
            run();
            let (once, ours) = (seconds(&mut run), seconds(&mut || self.run(read, written)));
            if once > 4.0 * ours {
                continue;
            }
            // By turns, and again where the first measurement speaks for the peer.
            let mut ratio = 0.0;
            for _ in 0..3 {
                let theirs =
                    least(&mut || theirs.run(read, written).expect("the primitive was made for this"));
                let again = theirs / least(&mut || self.run(read, written));
                ratio = again.max(ratio);
                if ratio >= 0.97 {
                    break;
                }
            }
            if best.as_ref().is_none_or(|best| ratio < best.0) {
                best = Some((ratio, version.clone()));
            }
        }
        best
    }

    fn theirs<'a>(&self, peer: &'a OneDnn) -> Option<(Theirs<'a>, String)> {
        // 3.6 multiplies by scales there that nobody gave it: it reads from address 0, or from where another call's were.
        let types = (self.src.dtype(), self.dst.dtype());
        if types == (DType::S8, DType::Bf16) && self.formats[1] == "BA16a64b2a" && peer.version() == "3.6" {
            return None;
        }
        let describe =
            |side: &Descriptor, format: &str| peer.with_tag(side.dims(), theirs(side.dtype())?, format).ok();
        let (src, dst) = (describe(&self.src, &self.formats[0])?, describe(&self.dst, &self.formats[1])?);
        Some((peer.reorder(&src, &dst).ok()?, peer.version()))
    }
}

/// The format with axes named `a`, `b`, `c`, … by their logical position, as every version of oneDNN takes it.
fn tag(format: &str, descriptor: &Descriptor) -> String {
    let rename = |c: char| match descriptor.spec().axis_named(c.to_ascii_lowercase()) {
        Some(axis) if c.is_ascii_uppercase() => (b'A' + axis as u8) as char,
        Some(axis) => (b'a' + axis as u8) as char,
        None => c,
    };
    format.chars().map(rename).collect()
}

fn theirs(dtype: DType) -> Option<DataType> {
    Some(match dtype {
        DType::F64 => DataType::F64,
        DType::F32 => DataType::F32,
        DType::F16 => DataType::F16,
        DType::Bf16 => DataType::Bf16,
        DType::S32 => DataType::S32,
        DType::S8 => DataType::S8,
        DType::U8 => DataType::U8,
        DType::F8E4M3 => DataType::F8E4M3,
        DType::S4 => DataType::S4,
        DType::U4 => DataType::U4,
        _ => return None,
    })
}

/// The versions that are installed, on one thread.
fn load_peers() -> Vec<OneDnn> {
    // SAFETY: no thread was started yet.
    unsafe { layout_peers::set_environment(1) };
    layout_peers::set_openmp_threads(1);
    let peers = OneDnn::load_all();
    layout_peers::set_tbb_threads(1);
    assert!(!peers.is_empty(), "--peers: none is installed; scripts/peers --all does it");
    peers
}

/// Seconds that the fastest of a few calls takes.
fn least(call: &mut dyn FnMut()) -> f64 {
    call();
    let mut least = f64::INFINITY;
    for _ in 0..CALLS {
        least = least.min(seconds(call));
    }
    least
}

/// Seconds that one call takes.
fn seconds(call: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    call();
    start.elapsed().as_secs_f64()
}
