//! The table of `kernels::convert` on every path: special numbers of every type to every type, plain, blocked, transposed, in
//! place, from slice to slice, scaled, shifted, added to what is there, and looked up; on every CPU family that runs here, each in a
//! process of its own, since a family is chosen once.

use crate::oracle::{SENTINEL, convert, dense, get, put, read, reorder_by};
use layout_core::descriptor::{Boolean, DType, E8M0, Element, F8E4M3, F8E5M2};
use layout_core::kernels::{Cpu, Token};
use layout_core::reorder::{Attributes, Padding, Reorder, ReorderInPlace, Values, convert_slice};
use std::process::Stdio;

/// Extents: rows and columns with tails of every vector, long enough for tables of results.
const DIMS: [usize; 2] = [33, 67];
const LEN: usize = DIMS[0] * DIMS[1];

/// NaNs of both signs, quiet and signalling, with payloads; infinities; zeros; the ends of every type and their neighbours;
/// subnormals; ties between numbers of every type.
fn wide() -> Vec<f64> {
    let powers = [
        -1074, -1073, -1023, -1022, -151, -150, -149, -148, -135, -134, -133, -132, -128, -127, -126, -125,
        -26, -25, -24, -23, -18, -17, -16, -15, -14, -13, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1,
        2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 23, 24, 25, 30, 31, 32, 62, 63, 64, 126, 127, 128, 129, 1022,
        1023,
    ];
    let mut all = vec![0.0, f64::INFINITY, f64::MAX];
    for power in powers {
        // By way of two powers: subnormals are exact, too.
        let one = 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
        // Numbers of each type's bits and one more: ties, below which the even number lies, and above which.
        for places in [2, 3, 4, 8, 11, 24] {
            let place = 2f64.powi(-places);
            all.extend([1.0 + place, 1.0 + 3.0 * place].map(|x| x * one));
        }
        all.extend([one, one.next_up()]);
    }
    // Integers and halves near the ends of integers, and ends of small floats.
    for end in [
        0.5, 1.5, 2.5, 6.0, 7.0, 7.5, 8.0, 8.5, 12.0, 15.5, 16.0, 20.0, 24.0, 126.5, 127.5, 128.5, 254.5,
        255.5,
    ] {
        all.extend([end, f64::from(end as f32).next_up(), f64::from((end as f32).next_down())]);
    }
    all.extend([
        448.0,
        464.0,
        464.1,
        480.0,
        57344.0,
        61440.0,
        65504.0,
        65520.0,
        2147483647.0,
        2147483647.5,
        2147483648.5,
    ]);
    let negative: Vec<f64> = all.iter().map(|x| -x).collect();
    all.extend(negative);
    let nan = |payload: u64| [0, 1 << 63].map(|sign| f64::from_bits(sign | 0x7FF << 52 | payload));
    // Payloads whose leading bits each smaller type has, or loses.
    for payload in
        [1 << 51, 1 << 51 | 1, 1, 1 << 50, 1 << 49, 1 << 44, 1 << 29, 0x7_FFFF_FFFF_FFFF, 0xF_FFFF_FFFF_FFFF]
    {
        all.extend(nan(payload));
    }
    all
}

/// Special numbers of a type as bytes, as many as the tensor has, in another order for another `turn`.
fn specials(dtype: DType, turn: usize) -> Vec<u8> {
    let wide = wide();
    let nan = |bits: u64| {
        let payload = (bits >> 29) as u32 & 0x7F_FFFF;
        ((bits >> 63) as u32) << 31 | 0x7F80_0000 | payload.max(1)
    };
    let mut patterns: Vec<Vec<u8>> = match dtype {
        DType::F64 => wide.iter().map(|x| x.to_ne_bytes().to_vec()).collect(),
        DType::F32 => wide
            .iter()
            .map(|&x| if x.is_nan() { nan(x.to_bits()) } else { (x as f32).to_bits() })
            .map(|bits| bits.to_ne_bytes().to_vec())
            .collect(),
        // Every sign and exponent with the mantissas at the ends and around the middle.
        DType::F16 => mantissas(5, 10, &[0, 1, 2, 511, 512, 513, 1022, 1023]),
        DType::Bf16 => mantissas(8, 7, &[0, 1, 64, 127]),
        DType::S32 => wide
            .iter()
            .filter(|x| x.abs() <= 2147483648.0)
            .flat_map(|&x| [x as i32, (x as i32).wrapping_add(1), (x as i32).wrapping_sub(1)])
            .map(|x| x.to_ne_bytes().to_vec())
            .collect(),
        _ if dtype.bits() == 4 => (0..16).map(|bits| vec![bits]).collect(),
        _ => (0..=255).map(|bits| vec![bits]).collect(),
    };
    patterns.sort();
    patterns.dedup();
    // A step that shares no divisor with their number takes each in turn.
    let step = (1..).map(|i| 2 * i * turn + 1).find(|step| gcd(*step, patterns.len()) == 1).unwrap();
    let mut out = vec![0; (LEN * dtype.bits()).div_ceil(8)];
    assert!(patterns.len() <= LEN, "{dtype}: {}", patterns.len());
    for at in 0..LEN {
        put(dtype, &mut out, at, &patterns[at * step % patterns.len()]);
    }
    out
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn mantissas(exponent: u32, mantissa: u32, lows: &[u16]) -> Vec<Vec<u8>> {
    let number = |high: u16| lows.iter().map(move |low| (high << mantissa | low).to_ne_bytes().to_vec());
    (0..2u16 << exponent).flat_map(number).collect()
}

/// What is done on the way.
#[derive(Clone, Copy, Debug)]
struct Steps {
    shift: Option<f32>,
    scale: Option<f32>,
    beta: Option<f32>,
    dst_scale: Option<f32>,
    dst_shift: Option<f32>,
}

const NONE: Steps = Steps { shift: None, scale: None, beta: None, dst_scale: None, dst_shift: None };

impl Steps {
    /// Whether numbers go through f32.
    fn are_any(&self) -> bool {
        let Steps { shift, scale, beta, dst_scale, dst_shift } = *self;
        // A factor of 0 leaves the sum out.
        [shift, scale, beta.filter(|&beta| beta != 0.0), dst_scale, dst_shift].iter().any(Option::is_some)
    }

    fn attributes(&self) -> Attributes<'static> {
        let mut attributes = Attributes::new();
        if let Some(shift) = self.shift {
            attributes = attributes.src_shift(Values::common(shift));
        }
        if let Some(scale) = self.scale {
            attributes = attributes.src_scale(Values::common(scale));
        }
        if let Some(beta) = self.beta {
            attributes = attributes.accumulate(beta);
        }
        if let Some(scale) = self.dst_scale {
            attributes = attributes.dst_scale(Values::common(scale));
        }
        match self.dst_shift {
            Some(shift) => attributes.dst_shift(Values::common(shift)),
            None => attributes,
        }
    }

    /// The formula.
    fn of(&self, x: f32, old: f32) -> f32 {
        let mut y = x;
        if let Some(shift) = self.shift {
            y -= shift;
        }
        if let Some(scale) = self.scale {
            y *= scale;
        }
        if let Some(beta) = self.beta.filter(|&beta| beta != 0.0) {
            y += if beta == 1.0 { old } else { beta * old };
        }
        if let Some(scale) = self.dst_scale {
            y *= 1.0 / scale;
        }
        if let Some(shift) = self.dst_shift {
            y += shift;
        }
        y
    }
}

/// Attributes whose numbers are special themselves. Each of the kinds of loops that kernels have.
const STEPS: [Steps; 14] = [
    Steps { scale: Some(1.0), ..NONE },
    Steps { scale: Some(-0.75), ..NONE },
    Steps { scale: Some(0.0), ..NONE },
    Steps { scale: Some(f32::INFINITY), ..NONE },
    Steps { dst_scale: Some(0.0), ..NONE },
    Steps { dst_scale: Some(f32::NAN), ..NONE },
    Steps { dst_scale: Some(1e-40), dst_shift: Some(3.0), ..NONE },
    Steps { shift: Some(128.0), scale: Some(0.3), ..NONE },
    Steps { shift: Some(f32::INFINITY), ..NONE },
    Steps { beta: Some(1.0), ..NONE },
    Steps { beta: Some(0.0), ..NONE },
    Steps { beta: Some(f32::NAN), ..NONE },
    Steps { scale: Some(2.0), beta: Some(-0.5), dst_scale: Some(0.7), dst_shift: Some(-0.0), ..NONE },
    Steps {
        shift: Some(1.0),
        scale: Some(1e38),
        beta: Some(f32::INFINITY),
        dst_scale: Some(1e38),
        dst_shift: Some(1.0),
    },
];

/// Two types, and special numbers of both: of the source with what they become, of the destination as what is there before.
struct Pair {
    types: (DType, DType),
    from: Vec<u8>,
    old: Vec<u8>,
    plain: Vec<Vec<u8>>,
}

impl Pair {
    fn new(src: DType, dst: DType) -> Pair {
        let (from, old) = (specials(src, 1), specials(dst, 2));
        let one = |at| {
            let mut to = vec![0; dst.size()];
            convert(src, dst, &get(src, &from, at), &mut to);
            to
        };
        Pair { types: (src, dst), plain: (0..LEN).map(one).collect(), from, old }
    }

    /// The number at `index`, by the steps; false where it is a NaN of the arithmetic, whose sign and payload the processor chooses.
    fn element(&self, steps: &Steps, index: &[usize], from: &[u8], to: &mut [u8]) -> bool {
        if !steps.are_any() {
            to.copy_from_slice(&self.plain[index[0] * DIMS[1] + index[1]]);
            return true;
        }
        let as_f32 = |dtype, bytes: &[u8]| {
            let mut number = [0; 4];
            convert(dtype, DType::F32, bytes, &mut number);
            f32::from_ne_bytes(number)
        };
        let y = steps.of(as_f32(self.types.0, from), as_f32(self.types.1, to));
        convert(DType::F32, self.types.1, &y.to_ne_bytes(), to);
        !y.is_nan()
    }
}

/// Whether the element is NaN; where there is none, what stands for it.
fn is_nan(dtype: DType, found: &[u8]) -> bool {
    match dtype {
        DType::F4E2M1 | DType::F4E3M0 => found[0] & 7 == 7,
        _ => read(dtype, found).is_nan(),
    }
}

/// Runs a plan and compares all of the destination.
fn check(pair: &Pair, to_format: &str, steps: &Steps) {
    let (src, dst) = (dense(pair.types.0, &DIMS, "ab"), dense(pair.types.1, &DIMS, to_format));
    let dtype = pair.types.1;
    let (mut found, attributes) = (vec![SENTINEL; dst.size_bytes() + 9], steps.attributes());
    if steps.beta.is_some() {
        for at in 0..dst.required_len() {
            put(dtype, &mut found[1..], at, &get(dtype, &pair.old, at % LEN));
        }
    }
    let (before, mut expected) = (found.clone(), found.clone());
    let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
    plan.run_with(&pair.from, &mut found[1..], &attributes).unwrap();
    let has_nan = !matches!(
        dtype,
        DType::S32 | DType::S8 | DType::U8 | DType::S4 | DType::U4 | DType::Boolean | DType::E8M0
    );
    reorder_by(&src, &dst, &pair.from, &mut expected[1..], |index, from, to| {
        let at = dst.offset(index).unwrap();
        let is_exact = pair.element(steps, index, from, to);
        let ours = get(dtype, &found[1..], at);
        if !is_exact && has_nan && is_nan(dtype, &ours) {
            to.copy_from_slice(&ours);
        }
        assert_eq!(
            ours,
            to,
            "{:?} {steps:?} of {from:02x?} {:02x?} on {}\n{plan}",
            pair.types,
            get(dtype, &before[1..], at),
            Cpu::current()
        );
    });
    // Padding is zero, and nothing else was written.
    assert!(found == expected, "{src} -> {dst} {steps:?} on {}\n{plan}", Cpu::current());
}

/// The same in the memory of the source, where that can be.
fn check_in_place(pair: &Pair, to_format: &str) -> bool {
    let (src, dst) = (dense(pair.types.0, &DIMS, "ab"), dense(pair.types.1, &DIMS, to_format));
    let Ok(plan) = ReorderInPlace::new(&src, &dst) else { return false };
    let (mut found, mut expected) = (pair.from.clone(), pair.from.clone());
    plan.run(&mut found).unwrap();
    reorder_by(&src, &dst, &pair.from, &mut expected, |index, from, to| {
        pair.element(&NONE, index, from, to);
    });
    assert!(found == expected, "{src} -> {dst} in place on {}\n{plan}", Cpu::current());
    true
}

fn every_pair() {
    let mut in_place = 0;
    for src in DType::ALL {
        for dst in DType::ALL {
            let pair = Pair::new(src, dst);
            // Where nothing is optimised, one of them for each pair, and of the steps each for some pairs.
            for (i, to) in ["ab", "ba", "aB16b", "AB8a4b"].into_iter().enumerate() {
                if !cfg!(debug_assertions) || (src as usize + dst as usize + i).is_multiple_of(4) {
                    check(&pair, to, &NONE);
                }
            }
            for to in ["ab", "ba"] {
                in_place += usize::from(check_in_place(&pair, to));
            }
            for (i, steps) in STEPS.iter().enumerate() {
                let turn = i + src as usize + dst as usize;
                if !cfg!(debug_assertions) || turn.is_multiple_of(13) {
                    check(&pair, if turn.is_multiple_of(2) { "ab" } else { "ba" }, steps);
                }
            }
        }
    }
    // Types of equal sizes, converted or not.
    assert!(in_place > 90, "{in_place}");
    slices();
}

/// Slices of every type to slices of every type.
fn slices() {
    fn row<A: Element + Default + Clone, B: Element + Default + Clone>() {
        let from = specials(A::DTYPE, 1);
        let (mut src, mut dst) = (vec![A::default(); LEN], vec![B::default(); LEN]);
        // SAFETY: an element type is bytes, every pattern of which is a value.
        let bytes = unsafe { core::slice::from_raw_parts_mut(src.as_mut_ptr().cast::<u8>(), from.len()) };
        bytes.copy_from_slice(&from);
        convert_slice(&src, &mut dst).unwrap();
        // SAFETY: as above.
        let found = unsafe { core::slice::from_raw_parts(dst.as_ptr().cast::<u8>(), size_of_val(&dst[..])) };
        let mut expected = vec![0; B::DTYPE.size()];
        for at in 0..LEN {
            let number = get(A::DTYPE, &from, at);
            convert(A::DTYPE, B::DTYPE, &number, &mut expected);
            let found = get(B::DTYPE, found, at);
            assert_eq!(
                found,
                expected,
                "{} -> {} of {number:02x?} on {}",
                A::DTYPE,
                B::DTYPE,
                Cpu::current()
            );
        }
    }
    fn from<A: Element + Default + Clone>() {
        row::<A, f64>();
        row::<A, f32>();
        #[cfg(feature = "half")]
        row::<A, half::f16>();
        #[cfg(feature = "half")]
        row::<A, half::bf16>();
        row::<A, i32>();
        row::<A, i8>();
        row::<A, u8>();
        row::<A, F8E5M2>();
        row::<A, F8E4M3>();
        row::<A, E8M0>();
        row::<A, Boolean>();
    }
    from::<f64>();
    from::<f32>();
    #[cfg(feature = "half")]
    from::<half::f16>();
    #[cfg(feature = "half")]
    from::<half::bf16>();
    from::<i32>();
    from::<i8>();
    from::<u8>();
    from::<F8E5M2>();
    from::<F8E4M3>();
    from::<E8M0>();
    from::<Boolean>();
}

/// Says in a process of its own which family it is to run.
const FAMILY: &str = "TENSOR_LAYOUT_CPU";

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn on_every_family() {
    let families = [Cpu::Generic, Cpu::Neon, Cpu::Sse41, Cpu::Avx2, Cpu::Avx512];
    let start = |cpu: Cpu| {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "specials::on_this_family", "--nocapture"]).env(FAMILY, cpu.name());
        child.stdout(Stdio::piped()).stderr(Stdio::piped());
        (cpu, child.spawn().unwrap())
    };
    let here = families.into_iter().filter(|&cpu| Token::detect(cpu).is_some());
    let children: Vec<_> = here.map(start).collect();
    for (cpu, child) in children {
        let output = child.wait_with_output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(output.status.success() && said.contains(&format!("ran on {cpu}.")), "{cpu}: {said}");
    }
}

/// What the other test starts once for each family. By itself there is nothing to do.
#[test]
fn on_this_family() {
    if std::env::var_os(FAMILY).is_some() {
        every_pair();
        println!("ran on {}.", Cpu::current());
    }
}

/// Padding takes special numbers too.
#[test]
fn padding() {
    let number = |dtype, number: f64| {
        let (src, dst) = (dense(dtype, &[3], "a"), dense(dtype, &[3], "A4a"));
        let attributes = Attributes::new().padding(Padding::Number(number));
        let plan = Reorder::new(&src, &dst).unwrap();
        let mut out = vec![0; dst.size_bytes()];
        plan.run_with(&vec![0; src.size_bytes()], &mut out, &attributes).unwrap();
        get(dtype, &out, 3)
    };
    for dtype in DType::ALL {
        for value in wide() {
            let mut expected = vec![0; dtype.size()];
            convert(DType::F64, dtype, &value.to_ne_bytes(), &mut expected);
            assert_eq!(number(dtype, value), expected, "{dtype} {value:e}");
        }
    }
}
