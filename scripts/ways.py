#!/usr/bin/env python3
"""Fits the trees by which a plan chooses what to move at a time to what that takes on this machine:

    pip install catboost
    cargo bench --bench ways      # some minutes: writes target/bench/ways.csv
    scripts/ways.py               # half a minute: writes layout-core/src/reorder/plan/ways/forest/{long,short}

Registers of a whole line are the long ones, those of 32 bytes the short ones. One reorder in five is not fitted to; for these it prints
what the trees win over tiles, and what the best choice would. `scripts/ways.py FILE...` reads other files. `--dry` writes nothing.
"""

import csv
import json
import math
import pathlib
import sys
import tempfile

from catboost import CatBoostRegressor

DEPTH, RATE = 6, 0.5
# As many as leave a file within 400 lines; a third of that for few reorders.
TREES = {"moved": 54, "converted": 45}
# `DEPTH` is that of `forest/long/mod.rs` and `short/mod.rs`, `UNIT` and `MARGIN` those of `forest/mod.rs`. A natural logarithm of 1 is so many of what trees add up; ratios beyond CLIP are as good as any.
UNIT, CLIP = 64, 1.2
MARGIN = UNIT * 10 // 100
# What fills tiles and has no padding is what most tensors are, and few random ones.
FULL, WEIGHT = 128, 3
CLASSES = {"rows": "Rows", "crossed": "Tiles that are crossed", "strided": "Elements of any stride"}
MOVES = ("moved", "converted")
# What may be faster than tiles, as the benchmark calls it, and `Instead`.
UNITS = {"lines": "Lines", "narrowed": "Narrowed", "elements": "Elements", "tiles+halves": "Halves"}
FOLDER = pathlib.Path(__file__).parent.parent / "layout-core/src/reorder/plan/ways/forest"


def read(paths):
    """For each reorder its class, the facts by name, and the times by unit."""
    found = []
    for path in paths:
        with open(path) as file:
            for row in csv.DictReader(file):
                key = (row.pop("class"), row.pop("moves"))
                planned = float(row.pop("planned"))
                times = {name: float(row.pop(name) or "inf") for name in ("tiles", *UNITS)}
                found.append((key, {name: int(value) for name, value in row.items()}, times, planned))
    return found


def ratio(time, of_tiles):
    """The logarithm; none for what a reorder cannot be moved by."""
    return max(-CLIP, min(CLIP, math.log(time / of_tiles))) if math.isfinite(time) else math.nan


def weight(facts):
    filled = facts["DstFilled"] == 100 and facts["SrcFilled"] >= 99
    return WEIGHT if filled and facts["Tile"] >= FULL else 1


def fit(rows, names, trees):
    """The units, and trees for the logarithms of what each takes against tiles: [(asks, says of each unit)], as they are written."""
    units = [unit for unit in UNITS if sum(math.isfinite(times[unit]) for _, _, times, _ in rows) >= 400]
    if not units:
        return [], []
    facts = [[facts[name] for name in names] for _, facts, *_ in rows]
    ratios = [[ratio(times[unit], times["tiles"]) for unit in units] for _, _, times, _ in rows]
    model = CatBoostRegressor(
        loss_function="MultiRMSEWithMissingValues",
        iterations=trees if len(rows) > 4000 else trees // 3,
        depth=DEPTH,
        learning_rate=RATE,
        l2_leaf_reg=1,
        border_count=254,
        bootstrap_type="No",
        random_strength=0,
        random_seed=1,
        verbose=0,
        allow_writing_files=False,
    ).fit(facts, ratios, sample_weight=[weight(facts) for _, facts, *_ in rows])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        model = json.loads(path.read_text())
    scale, bias = model["scale_and_bias"]
    trees = []
    for index, tree in enumerate(model["oblivious_trees"]):
        asks = [(names[split["float_feature_index"]], math.floor(split["border"])) for split in tree["splits"]]
        says = [value * scale for value in tree["leaf_values"]]
        if index == 0:
            says = [value + bias[i % len(units)] for i, value in enumerate(says)]
        says = [max(-128, min(127, round(value * UNIT))) for value in says]
        while len(asks) < DEPTH:
            # A question that is never answered with yes.
            asks.append((names[0], 2**32 - 1))
            says = says + says
        trees.append((asks, says))
    return units, trees


def choose(forest, facts, times):
    """What `Reorder::fastest` chooses."""
    units, trees = forest
    sums = dict.fromkeys(units, 0)
    for asks, says in trees:
        at = sum((facts[name] > number) << bit for bit, (name, number) in enumerate(asks))
        for i, unit in enumerate(units):
            sums[unit] += says[at * len(units) + i]
    can = [unit for unit in units if math.isfinite(times[unit]) and sums[unit] < -MARGIN]
    return min(can, key=sums.get, default="tiles")


def text(class_, moves, forest):
    units, trees = forest
    lines = [
        f"//! {CLASSES[class_]}, which are {moves}. Written by `scripts/ways.py`.",
        "",
        "use super::super::super::facts::Fact::*;",
        "use super::super::Instead::*;",
        "use super::super::{Forest, Tree};",
        "use super::DEPTH;",
        "",
        "#[rustfmt::skip]",
        "pub(super) const FORESTS: &[Forest<DEPTH>] = &[",
        f"    Forest {{ of: &[{', '.join(UNITS[unit] for unit in units)}], trees: &[",
    ]
    for asks, says in trees:
        lines += [f"        Tree {{ asks: [{', '.join(f'({fact}, {number})' for fact, number in asks)}], says: &["]
        row = "           "
        for number in says:
            if len(row) + len(f" {number},") > 136:
                lines += [row]
                row = "           "
            row += f" {number},"
        lines += [row[:-1] + "] },"]
    return "\n".join(lines + ["    ] },", "];", ""])


def main(arguments):
    rows = read([path for path in arguments if path != "--dry"] or ["target/bench/ways.csv"])
    held_out = [row for i, row in enumerate(rows) if i % 5 == 0]
    fitted = [row for i, row in enumerate(rows) if i % 5 != 0]
    names = list(rows[0][1])
    family = "long" if any(math.isfinite(times["tiles+halves"]) for _, _, times, _ in rows) else "short"
    over_all = []
    for class_ in CLASSES:
        for moves in MOVES:
            forest = fit([row for row in fitted if row[0] == (class_, moves)], names, TREES[moves])
            ratios = []
            for key, facts, times, planned in held_out:
                if key == (class_, moves):
                    choice = times[choose(forest, facts, times)]
                    ratios.append([math.log(time / choice) for time in (times["tiles"], min(times.values()), planned)])
            over_all += ratios
            report(f"{class_}, {moves}", ratios)
            if "--dry" not in arguments:
                (FOLDER / family / f"{class_}_{moves}.rs").write_text(text(class_, moves, forest))
    report("all", over_all)


def report(name, ratios):
    if ratios:
        tiles, best, planned = (math.exp(sum(ratio) / len(ratios)) for ratio in zip(*ratios))
        slower = sum(ratio[0] < math.log(1 / 1.15) for ratio in ratios)
        print(f"{name}: {len(ratios)} reorders, {tiles:.3f} times as fast as tiles, the best choice {tiles / best:.3f}, as the "
              f"plans were {tiles / planned:.3f}; {slower} slower than tiles by more than 15 %")


if __name__ == "__main__":
    main(sys.argv[1:])
