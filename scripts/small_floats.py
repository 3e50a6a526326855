#!/usr/bin/env python3
"""Writes layout-core/tests/reorder/small_floats.txt: what ml_dtypes (pip install ml_dtypes) makes of the small floats.

A line a type: its name, the values of all patterns as f32 bits, and the patterns that f32 numbers become: one number for each
upper half of 16 bits with each of the lower halves 0, 1, 0x8000 and 0xffff. NaN is left out of the latter, as its payload is not
defined; repetitions are counted, as in 7e*12. e8m0 is rounded otherwise there: its values alone are written.
"""
import pathlib
import ml_dtypes
import numpy as np

TYPES = {
    "f8_e5m2": (ml_dtypes.float8_e5m2, 256),
    "f8_e4m3": (ml_dtypes.float8_e4m3fn, 256),
    "e8m0": (ml_dtypes.float8_e8m0fnu, 256),
    "f4_e2m1": (ml_dtypes.float4_e2m1fn, 16),
}


def runs(patterns):
    edges = np.flatnonzero(np.diff(patterns)) + 1
    bounds = [0, *edges.tolist(), len(patterns)]
    return " ".join(f"{patterns[a]:02x}*{b - a:x}" for a, b in zip(bounds, bounds[1:]))


lines = []
for name, (dtype, count) in TYPES.items():
    patterns = np.arange(count, dtype=np.uint8)
    values = patterns.view(dtype).astype(np.float32)
    decoded = " ".join("nan" if np.isnan(value) else f"{value.view(np.uint32):08x}" for value in values)
    encoded = ""
    if name != "e8m0":
        upper = np.arange(1 << 16, dtype=np.uint32) << 16
        bits = (upper[:, None] | np.array([0, 1, 0x8000, 0xFFFF], dtype=np.uint32)).reshape(-1)
        floats = bits.view(np.float32)
        floats = floats[~np.isnan(floats)]
        with np.errstate(all="ignore"):
            encoded = runs(floats.astype(dtype).view(np.uint8))
    lines.append(f"{name}|{decoded}|{encoded}\n")
target = pathlib.Path(__file__).parent.parent / "layout-core/tests/reorder/small_floats.txt"
target.write_text("".join(lines))
