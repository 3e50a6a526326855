//! Every error that a reorder, its attributes, `quantise` and `convert_slice` can end with, through descriptors and through typed
//! calls: one table of what provokes it and what it says. It names the argument, the axis by its letter, both numbers, and
//! what to write instead where the numbers do not say it. No variant is left out: their names are read from the source.

use crate::oracle::dense;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::layout::{Dim, Format, Nchw, Nchw16c, Nhwc, Oihw, PaddedDim, RowMajor};
use layout_core::reorder::{
    Attributes, Compensation, InPlaceError, Padding, PerAxes, PerAxis, PerGroup, Reorder, ReorderError,
    ReorderInPlace, Rounding, TypedAttributes, Values, convert_slice, convert_slice_with, dequantise,
    quantise, quantise_asymmetric, reorder, reorder_bytes, reorder_bytes_with, reorder_with,
    symmetric_scales,
};
use layout_core::view::Tensor;
use std::collections::BTreeSet;

/// The names of the variants of the enum `name` in `source`.
fn variants(source: &str, name: &str) -> BTreeSet<String> {
    let (_, body) = source.split_once(&format!("pub enum {name} {{\n")).unwrap();
    let (body, _) = body.split_once("\n}\n").unwrap();
    let variant = |line: &str| {
        let name =
            line.strip_prefix("    ").filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))?;
        Some(name.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned())
    };
    body.lines().filter_map(variant).collect()
}

/// What was said of which variants.
struct Table {
    seen: BTreeSet<String>,
    wrong: Vec<String>,
}

impl Table {
    fn new() -> Table {
        Table { seen: BTreeSet::new(), wrong: Vec::new() }
    }

    fn says(&mut self, error: impl std::fmt::Debug + std::fmt::Display, text: &str) {
        let name = format!("{error:?}");
        self.seen.insert(name.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned());
        if error.to_string() != text {
            self.wrong.push(format!("{name}\n  says     {error}\n  but not  {text}"));
        }
    }

    #[track_caller]
    fn finish(self, all: &BTreeSet<String>) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        let missing: Vec<_> = all.difference(&self.seen).collect();
        assert!(missing.is_empty(), "not provoked: {missing:?}");
    }
}

const DIMS: [usize; 4] = [2, 3, 4, 5];

fn planned(types: (DType, DType), to: &str, attributes: &Attributes<'_>) -> Result<Reorder, ReorderError> {
    Reorder::with_attributes(&dense(types.0, &DIMS, "nchw"), &dense(types.1, &DIMS, to), attributes)
}

/// Padded to more than there is memory for.
#[cfg(target_pointer_width = "64")]
type Large = Format<(PaddedDim<'a', 0x8000_0000>, PaddedDim<'b', 0x8000_0000>), (Dim<'a'>, Dim<'b'>)>;

#[test]
fn reorders() {
    let mut table = Table::new();
    operands(&mut table);
    attributes(&mut table);
    runs(&mut table);
    typed(&mut table);
    let mut all = variants(include_str!("../../src/reorder/error/mod.rs"), "ReorderError");
    assert!(all.len() > 25, "{all:?}");
    // What a view's strides do not describe stands in `Algebra`; 32 bits have no layout that is too large for memory alone.
    all.remove("Descriptor");
    if cfg!(not(target_pointer_width = "64")) {
        all.retain(|name| !["Allocation", "Size", "Algebra"].contains(&name.as_str()));
    }
    table.finish(&all);
}

/// Two tensors that do not go together, and buffers.
fn operands(table: &mut Table) {
    let of = |dims: &[usize], format: &str| dense(DType::U8, dims, format);
    let refused = |src: &Descriptor, dst: &Descriptor| Reorder::new(src, dst).map(drop).unwrap_err();
    table.says(
        refused(&of(&[1, 2, 3], "abc"), &of(&[1, 2], "ab")),
        "the source has rank 3, but the destination has rank 2; `squeeze` or `unsqueeze` one",
    );
    table.says(
        refused(&of(&[2, 2, 3, 3], "nchw"), &of(&[2, 2, 3, 3], "OIhw2o2i")),
        "axis 0 is `n` in the source, but `o` in the destination; `permute_axes` or `renamed` makes them agree",
    );
    let way = "tiles+inner1".parse().unwrap();
    table.says(
        Reorder::new(&of(&[9], "a"), &of(&[9], "a")).unwrap().with_way(way).unwrap_err(),
        "the plan cannot be moved by `tiles+inner1` on this processor; `Reorder::ways` lists how it can",
    );
    let extent = "axis `c` (position 1) has extent 17 in the source, but 16 in the destination; take a part of the larger one";
    let (more, fewer) = (of(&[1, 17, 5, 5], "nchw"), of(&[1, 16, 5, 5], "nChw16c"));
    table.says(refused(&more, &fewer), extent);
    table.says(reorder_bytes(&more, &[0; 425], &fewer, &mut [0; 400]).unwrap_err(), extent);
    let row = of(&[1, 3], "ab").broadcast(0, 4).unwrap();
    table.says(
        refused(&of(&[4, 3], "ab"), &row),
        "axis `a` (position 0) of the destination is broadcast: its elements share one place; give each its own",
    );
    let [threes, twos] = ["ABCDEFGHIJKL3a3b3c3d3e3f3g3h3i3j3k3l", "ABCDEFGHIJKL2a2b2c2d2e2f2g2h2i2j2k2l"]
        .map(|format| of(&[13; 12], format));
    table.says(
        refused(&threes, &twos),
        "the two layouts need at least 48 nested loops and segments, but a plan holds 26; reorder by way of a layout without blocks",
    );
    let (src, dst) = (of(&[2, 3], "ab"), of(&[2, 3], "aB4b"));
    table.says(
        reorder_bytes(&src, &[0; 5], &dst, &mut [0; 8]).unwrap_err(),
        "the source needs 6 bytes, but its buffer has 5",
    );
    table.says(
        reorder_bytes(&src, &[0; 6], &dst, &mut [0; 7]).unwrap_err(),
        "the destination needs 8 bytes, but its buffer has 7",
    );
}

/// Attributes of which no plan can be made, from descriptors.
fn attributes(table: &mut Table) {
    let (quantises, dequantises) = ((DType::F32, DType::S8), (DType::U8, DType::F32));
    let of = |types, attributes: &Attributes<'_>| planned(types, "nhwc", attributes).map(drop).unwrap_err();
    let one = Attributes::new();
    let six = [1.0; 6];
    table.says(
        of(quantises, &one.dst_scale(Values::per_axis('x', &six))),
        "the destination scale is per axis `x`, but the tensor has `n`, `c`, `h`, `w`",
    );
    table.says(
        of(dequantises, &one.src_scale(Values::per_axis('c', &six))),
        "the source scale has 6 values, but axis `c` has extent 3",
    );
    table.says(
        of(quantises, &one.dst_zero_point(Values::per_axis('c', &[1; 4]))),
        "the destination zero point has 4 values, but axis `c` has extent 3",
    );
    table.says(
        of(dequantises, &one.src_shift(Values::per_axis('w', &six))),
        "the source zero point has 6 values, but axis `w` has extent 5",
    );
    table.says(
        of(quantises, &one.dst_scale(Values::per_axes(&['n', 'h'], &six))),
        "the destination scale has 6 values, but its groups along `n`, `h` are 8",
    );
    table.says(
        of(quantises, &one.dst_scale(Values::grouped(&[('w', 2)], &six))),
        "the destination scale has 6 values, but its groups along `w` are 3",
    );
    table.says(
        of(quantises, &one.dst_scale(Values::per_axes(&[], &six))),
        "the destination scale has 6 values, but its groups along no axes are 1",
    );
    table.says(
        of(quantises, &one.dst_scale(Values::per_axes(&['n', 'n'], &six))),
        "the destination scale follows axis `n` twice; name it once",
    );
    table.says(
        of(quantises, &one.src_scale(Values::grouped(&[('n', 0)], &six))),
        "the source scale has groups of 0 indices along axis `n`; write 1 for a value for each index",
    );
    table.says(
        of(quantises, &one.dst_scale(Values::per_axes(&['n'; 13], &six))),
        "the destination scale follows 13 axes, but the tensor has 4; name each once",
    );
    table.says(
        of(quantises, &one.src_zero_point(Values::common(3))),
        "the source zero point is an integer, but the source holds f32; `src_shift` takes any number",
    );
    table.says(
        of((DType::U8, DType::Bf16), &one.dst_zero_point(Values::common(3))),
        "the destination zero point is an integer, but the destination holds bf16; `dst_shift` takes any number",
    );
    let axes: Vec<char> = ('a'..='l').collect();
    let turned: Vec<char> = axes.iter().rev().copied().collect();
    let twelve = dense(DType::F32, &[1; 12], "abcdefghijkl");
    let many = one.src_scale(Values::per_axes(&axes, &[2.0])).dst_scale(Values::per_axes(&turned, &[2.0]));
    table.says(
        Reorder::with_attributes(&twelve, &twelve, &many).map(drop).unwrap_err(),
        "scales, zero points and rounding by chance follow at least 24 axes altogether, but a plan notes 16: let them follow \
         the same axes in the same groups, or do the reorder in two",
    );
    let weights = dense(DType::S8, &[4, 3, 1, 1], "oihw");
    let sums = |weights: &Descriptor, axes: &[char]| Compensation::new(weights, axes).map(drop).unwrap_err();
    table.says(
        sums(&weights, &['x']),
        "the compensation is per axis `x`, but the tensor has `o`, `i`, `h`, `w`",
    );
    table.says(sums(&weights, &['o', 'o']), "the compensation follows axis `o` twice; name it once");
    table.says(
        sums(&dense(DType::F32, &[4, 3, 1, 1], "oihw"), &['o']),
        "compensation is for weights of s8 or u8, but these hold f32",
    );
    let shared = dense(DType::S8, &[4, 1, 1, 1], "oihw").broadcast(1, 3).unwrap();
    table.says(
        sums(&shared, &['o']),
        "axis `i` (position 1) of the weights is broadcast: they share one place; give each its own",
    );
    table.says(
        Compensation::new(&weights, &['o']).unwrap().sums(&[0; 12], &mut [0; 3]).unwrap_err(),
        "the compensation has 3 values, but axis `o` has extent 4",
    );
}

/// Plans that are run with something else than they were made for.
fn runs(table: &mut Table) {
    let types = (DType::F32, DType::S8);
    let (from, mut to) = (vec![0; 480], vec![7; 2 * 16 * 20]);
    let six = [1.0; 6];
    let one = Attributes::new();
    let scaled = one.dst_scale(Values::per_axis('c', &six[..3]));
    let mut ran = |made: &Attributes<'_>, run: &Attributes<'_>| {
        let plan = planned(types, "nChw16c", made).unwrap();
        let error = plan.run_with(&from, &mut to, run).unwrap_err();
        assert!(to.iter().all(|&byte| byte == 7), "{error}");
        error
    };
    let missing = "the plan has a destination scale, of which no values are given; `run_with` takes them";
    table.says(ran(&scaled, &one), missing);
    table.says(planned(types, "nhwc", &scaled).unwrap().run(&[0; 480], &mut [0; 120]).unwrap_err(), missing);
    table.says(
        ran(&one.accumulate(1.0), &one),
        "the plan adds to the destination, but no factor is given; 0 leaves that out",
    );
    table.says(
        ran(&one, &one.accumulate(1.0)),
        "the destination is to be added to, but the plan overwrites it; make a plan with an accumulation",
    );
    table.says(
        ran(&scaled, &one.dst_scale(Values::per_axis('h', &six[..4]))),
        "the destination scale is per axis `h`, but in the plan it is per axis `c`; make a plan for it",
    );
    table.says(
        ran(&scaled, &one.dst_scale(Values::common(1.0))),
        "the destination scale is common, but in the plan it is per axis `c`; make a plan for it",
    );
    table.says(
        ran(&one.dst_scale(Values::common(1.0)), &one.dst_scale(Values::per_axes(&[], &six[..1]))),
        "the destination scale is along no axis, but in the plan it is common; make a plan for it",
    );
    table.says(
        ran(&one, &scaled),
        "the destination scale is per axis `c`, but the plan has none; make a plan for it",
    );
    let grouped = one.dst_scale(Values::grouped(&[('c', 1), ('h', 2)], &six));
    table.says(
        ran(&grouped, &one.dst_scale(Values::grouped(&[('c', 1), ('h', 3)], &six))),
        "the destination scale has groups of 3 along axis `h`, but in the plan they are of 2; make a plan for them",
    );
    table.says(
        ran(&grouped, &scaled),
        "the destination scale follows 1 axis, but in the plan it follows `c`, `h`; make a plan for it",
    );
    table.says(
        ran(&scaled, &grouped),
        "the destination scale follows 2 axes, but in the plan it follows `c`; make a plan for it",
    );
    table.says(
        ran(&scaled, &one.dst_scale(Values::per_axis('c', &six))),
        "the destination scale has 6 values, but axis `c` has extent 3",
    );
    table.says(
        ran(&one.rounding(Rounding::Down), &one),
        "the plan rounds down, but is run with rounding to nearest even; give `run_with` the rounding of the plan",
    );
    let padded = one.padding(Padding::ZeroPoint);
    table.says(
        ran(&one, &padded),
        "padding is to hold the destination zero point, but there is none; give a number",
    );
    let padded = padded.dst_zero_point(Values::per_axis('c', &[1, 2, 3]));
    table.says(
        ran(&padded, &padded),
        "padding is to hold the destination zero point, but that differs along axis `c`; give a number",
    );
}

/// The same through views; an axis that a layout has not does not compile.
fn typed(table: &mut Table) {
    let act = Tensor::<f32, Nhwc>::filled([1, 3, 2, 2], 1.0).unwrap();
    let mut quantised = Tensor::<u8, Nchw16c>::zeroed([1, 3, 2, 2]).unwrap();
    let mut other = Tensor::<u8, Nchw>::zeroed([1, 3, 2, 3]).unwrap();
    let extent = "axis `w` (position 3) has extent 2 in the source, but 3 in the destination; take a part of the larger one";
    table.says(reorder(&act, &mut other).unwrap_err(), extent);
    table.says(reorder_with(&act, &mut other, &Attributes::new()).unwrap_err(), extent);
    table.says(quantise(&act, &mut other, 1.0).unwrap_err(), extent);
    table.says(
        quantise(&act, &mut quantised, PerAxis::<'c'>(&[1.0; 4])).unwrap_err(),
        "the destination scale has 4 values, but axis `c` has extent 3",
    );
    table.says(
        quantise(&act, &mut quantised, PerAxes::<'c', 'w'>(&[1.0; 4])).unwrap_err(),
        "the destination scale has 4 values, but its groups along `c`, `w` are 6",
    );
    table.says(
        quantise_asymmetric(&act, &mut quantised, 1.0, PerAxis::<'h', i32>(&[1])).unwrap_err(),
        "the destination zero point has 1 values, but axis `h` has extent 2",
    );
    let mut back = Tensor::<f32, Nchw>::zeroed([1, 3, 2, 2]).unwrap();
    table.says(
        dequantise(&quantised, &mut back, PerGroup::<'c', 2, 'n'>(&[1.0; 3])).unwrap_err(),
        "the source scale has 3 values, but its groups along `c`, `n` are 2",
    );
    table.says(
        TypedAttributes::new().src_zero_point(1).reorder(&act, &mut quantised).unwrap_err(),
        "the source zero point is an integer, but the source holds f32; `src_shift` takes any number",
    );
    let weights = Tensor::<f32, Oihw>::zeroed([3, 2, 1, 1]).unwrap();
    table.says(
        symmetric_scales::<'o', _>(&weights, 127.0, &mut [0.0; 2]).unwrap_err(),
        "there is room for 2 scales, but axis `o` has extent 3",
    );
    let lengths = "the source has 2 elements, but the destination has 3";
    table.says(convert_slice(&[1.0f32; 2], &mut [0u8; 3]).unwrap_err(), lengths);
    table.says(convert_slice_with(&[1.0f32; 2], &mut [0u8; 3], Rounding::Up).unwrap_err(), lengths);
    let bytes = dense(DType::U8, &DIMS, "nchw");
    let scale = Attributes::new().src_scale(Values::per_axis('c', &[1.0; 2]));
    table.says(
        reorder_bytes_with(&bytes, &[0; 120], &bytes, &mut [0; 120], &scale).unwrap_err(),
        "the source scale has 2 values, but axis `c` has extent 3",
    );
    #[cfg(target_pointer_width = "64")]
    {
        let one: Tensor<u8, RowMajor> = Tensor::filled([1, 1], 1).unwrap();
        table.says(
            one.try_convert::<u8, Large>().map(drop).unwrap_err(),
            "there is no memory for a tensor of 4611686018427387904 bytes",
        );
        table.says(
            one.as_strided().try_convert::<f32, Large>().map(drop).unwrap_err(),
            "the tensor is larger than 9223372036854775807 bytes: axis `b` with extent 1 passes the limit (4 bytes an \
             element)",
        );
        let wide = one.as_strided().broadcast::<'a'>(1 << 62).unwrap();
        let error = reorder(&wide, &mut one.clone()).unwrap_err();
        let same = "axis `a` (position 0) has extent 4611686018427387904 in the source, but 1 in the destination; take a part of the \
                    larger one";
        table.says(error, same);
        let error = wide.broadcast::<'b'>(1 << 62).map(|view| reorder(&view, &mut one.clone()).unwrap_err());
        match error {
            Ok(error) => table.says(error, &error.to_string()),
            // A view of so many elements cannot be had in the first place.
            Err(_) => _ = table.seen.insert("Algebra".to_owned()),
        }
    }
}

/// Those of reorders within one piece of memory; `in_place` has a test for each refusal.
#[test]
fn in_place() {
    let mut table = Table::new();
    let f32s = |dims: &[usize], format: &str| dense(DType::F32, dims, format);
    let refused = |src: &Descriptor, dst: &Descriptor| ReorderInPlace::new(src, dst).map(drop).unwrap_err();
    table.says(
        refused(&f32s(&[2, 3], "ab"), &f32s(&[2, 4], "ba")),
        "axis `b` (position 1) has extent 3 in the source, but 4 in the destination; take a part of the larger one",
    );
    table.says(
        refused(&dense(DType::U8, &[4], "a"), &f32s(&[4], "a")),
        "an element takes 1 bytes as u8, but 4 as f32: this cannot be done in place; reorder into other memory",
    );
    table.says(
        refused(&dense(DType::S4, &[4, 3], "ab"), &dense(DType::S4, &[4, 3], "ba")),
        "two elements share a byte (s4 to s4) and do not stay what they are, side by side: this cannot be done in place; \
         reorder into other memory",
    );
    table.says(
        refused(&f32s(&[1, 17, 5, 5], "nchw"), &f32s(&[1, 17, 5, 5], "nChw16c")),
        "the source takes 1700 bytes with its padding, but the destination 3200: this cannot be done in place; reorder into \
         other memory",
    );
    table.says(
        refused(&f32s(&[3, 5], "AB4a6b"), &f32s(&[3, 5], "aB8b")),
        "axis `a` (position 0) is padded to 4 in the source, but to 3 in the destination: in place, padding would overwrite \
         data",
    );
    let part = f32s(&[1, 64, 3, 3], "nChw16c").submemory(&[0, 4, 0, 0], &[1, 28, 3, 3]).unwrap();
    table.says(
        refused(&part, &part),
        "axis `c` (position 1) takes the places 4..32 of blocks of 16: in place, blocks have to be whole, and nothing may lie \
         in front",
    );
    let wide = f32s(&[1, 16, 1, 1], "nchw").broadcast_to(&[1, 16, 4, 5]).unwrap();
    table.says(
        refused(&wide, &f32s(&[1, 16, 4, 5], "nchw")),
        "axis `h` (position 2) of the source is broadcast: there is memory for one of 4 elements",
    );
    let strided =
        |dims: &[usize], strides: &[isize]| Descriptor::from_strides(DType::S8, dims, strides).unwrap();
    table.says(
        refused(&strided(&[3, 4], &[4, 1]), &strided(&[3, 4], &[5, 1])),
        "the source takes the bytes 0..12, but the destination 0..14: in place, they have to be the same",
    );
    table.says(
        refused(&strided(&[2, 4], &[7, 1]), &strided(&[2, 4], &[1, 3])),
        "the gaps are not the same: the source has 4 places 1 bytes apart where the destination has 2 places 1 bytes apart",
    );
    let plan = ReorderInPlace::new(&f32s(&[2, 3], "ab"), &f32s(&[2, 3], "ba")).unwrap();
    let short: InPlaceError = plan.run(&mut [7; 23]).unwrap_err();
    table.says(short, "the tensor needs 24 bytes, but the buffer has 23");
    table.finish(&variants(include_str!("../../src/reorder/in_place/error.rs"), "InPlaceError"));
}
