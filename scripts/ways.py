#!/usr/bin/env python3
"""Fits the trees by which a plan chooses between tiles, lines and single elements to what these take on this machine:

    pip install catboost
    cargo bench --bench ways      # four minutes: writes target/bench/ways.csv
    scripts/ways.py               # ten seconds: writes layout-core/src/reorder/plan/ways/forest/*.rs

One reorder in five is not fitted to; for these it prints what the trees win over tiles, and what the best choice would.
`scripts/ways.py FILE...` reads other files. `--dry` writes nothing.
"""

import csv
import json
import math
import pathlib
import sys
import tempfile

from catboost import CatBoostRegressor

TREES, DEPTH, RATE = 24, 5, 0.4
# A natural logarithm of 1 is so many of what trees add up; ratios beyond CLIP are as good as any.
UNIT, CLIP = 64, 0.7
MARGIN = UNIT * 10 // 100
NAMES = {"rows": "Rows", "crossed": "Tiles that are crossed", "strided": "Elements of any stride"}
FOLDER = pathlib.Path(__file__).parent.parent / "layout-core/src/reorder/plan/ways/forest"


def read(paths):
    found = []
    for path in paths:
        with open(path) as file:
            for row in csv.DictReader(file):
                times = {name: float(row.pop(name) or "inf") for name in ("tiles", "lines", "elements")}
                key = (row.pop("class"), row.pop("moves"))
                found.append((key, {name: int(value) for name, value in row.items()}, times))
    return found


def fit(rows, names, unit):
    """Trees for the logarithm of what `unit` takes against tiles: [(asks, says)], both as they are written."""
    rows = [row for row in rows if math.isfinite(row[2][unit])]
    if len(rows) < 400:
        return []
    facts = [[facts[name] for name in names] for _, facts, _ in rows]
    ratios = [math.log(times[unit] / times["tiles"]) for *_, times in rows]
    ratios = [max(-CLIP, min(CLIP, ratio)) for ratio in ratios]
    model = CatBoostRegressor(
        iterations=TREES if len(rows) > 4000 else TREES // 3,
        depth=DEPTH,
        learning_rate=RATE,
        l2_leaf_reg=1,
        border_count=254,
        bootstrap_type="No",
        random_strength=0,
        random_seed=1,
        verbose=0,
        allow_writing_files=False,
    ).fit(facts, ratios)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        model = json.loads(path.read_text())
    scale, bias = model["scale_and_bias"]
    bias = bias[0] if isinstance(bias, list) else bias
    trees = []
    for index, tree in enumerate(model["oblivious_trees"]):
        asks = [(names[split["float_feature_index"]], math.floor(split["border"])) for split in tree["splits"]]
        says = [value * scale + (bias if index == 0 else 0) for value in tree["leaf_values"]]
        says = [max(-128, min(127, round(value * UNIT))) for value in says]
        while len(asks) < DEPTH:
            # A question that is never answered with yes.
            asks.append((names[0], 2**32 - 1))
            says = says + says
        trees.append((asks, says))
    return trees


def add(trees, facts):
    total = 0
    for asks, says in trees:
        total += says[sum((facts[name] > number) << bit for bit, (name, number) in enumerate(asks))]
    return total


def choose(forest, facts, times):
    """What `Reorder::faster` chooses."""
    lines, elements = add(forest["lines"], facts), add(forest["elements"], facts)
    has_lines = lines < -MARGIN and math.isfinite(times["lines"])
    if math.isfinite(times["elements"]) and elements < -MARGIN and (elements < lines or not has_lines):
        return "elements"
    return "lines" if has_lines else "tiles"


def text(name, forests):
    lines = [f"//! {NAMES[name]}. Written by `scripts/ways.py`.", "", "use super::super::facts::Fact::*;"]
    lines += ["use super::{Forest, Tree};", ""]
    for moves, forest in forests.items():
        lines += [f"/// What is {moves}.", "#[rustfmt::skip]"]
        lines += [f"pub(super) const {moves.upper()}: Forest = Forest {{"]
        for unit, trees in forest.items():
            lines += [f"    {unit}: &["]
            for asks, says in trees:
                lines += [f"        Tree {{ asks: [{', '.join(f'({fact}, {number})' for fact, number in asks)}],"]
                half = len(says) // 2
                first, second = (", ".join(map(str, part)) for part in (says[:half], says[half:]))
                lines += [f"            says: [{first},", f"                {second}] }},"]
            lines += ["    ],"]
        lines += ["};", ""]
    return "\n".join(lines[:-1]) + "\n"


def main(arguments):
    paths = [path for path in arguments if path != "--dry"] or ["target/bench/ways.csv"]
    rows = read(paths)
    held_out = [row for i, row in enumerate(rows) if i % 5 == 0]
    fitted = [row for i, row in enumerate(rows) if i % 5 != 0]
    names = list(rows[0][1])
    for name in NAMES:
        forests = {}
        for moves in ("moved", "converted"):
            own = [row for row in fitted if row[0] == (name, moves)]
            forest = {unit: fit(own, names, unit) for unit in ("lines", "elements")}
            forests[moves] = forest
            won, best, slower, count = 0, 0, 0, 0
            for key, facts, times in held_out:
                if key == (name, moves):
                    choice = times[choose(forest, facts, times)]
                    won += math.log(times["tiles"] / choice)
                    best += math.log(times["tiles"] / min(times.values()))
                    slower += choice > 1.15 * times["tiles"]
                    count += 1
            gain, most = math.exp(won / max(count, 1)), math.exp(best / max(count, 1))
            print(f"{name} {moves}: {count} reorders, {gain:.3f} times as fast as tiles, the best choice {most:.3f}; "
                  f"{slower} slower by more than 15 %")
        if "--dry" not in arguments:
            (FOLDER / f"{name}.rs").write_text(text(name, forests))


if __name__ == "__main__":
    main(sys.argv[1:])
