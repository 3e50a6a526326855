#!/usr/bin/env python3
"""Writes strides.tsv: what PyTorch says about extents and strides, with NumPy as a second opinion.

    pip install numpy torch && python3 strides.py > strides.tsv

Columns, extents and strides in elements with commas between them:
  dims           extents of the tensor
  strides        its strides
  contiguous     1 for tensor.is_contiguous(memory_format=...) in each of contiguous_format, channels_last and
                 channels_last_3d, else 0; "-" where PyTorch does not define the format for the rank
  suggested      torch._prims_common.suggest_memory_format
  preserved      strides of torch.empty_like(tensor, memory_format=torch.preserve_format)
NumPy's flags.c_contiguous is asserted to agree with the first digit.
"""

import itertools

import numpy
import torch
from torch._prims_common import suggest_memory_format

NAMES = {
    torch.contiguous_format: "contiguous_format",
    torch.channels_last: "channels_last",
    torch.channels_last_3d: "channels_last_3d",
}


def dense(dims, order):
    """Strides of dense memory whose axes stand in `order`, outermost first."""
    strides, stride = [0] * len(dims), 1
    for axis in reversed(order):
        strides[axis] = stride
        stride *= max(dims[axis], 1)
    return strides


def cases():
    # The ambiguous shapes: C = 1, H = W = 1, N = 1, all of them, and C == H == W.
    shapes = [
        [2, 3, 4, 5], [2, 1, 4, 5], [2, 3, 1, 1], [1, 3, 4, 5], [1, 1, 4, 5], [1, 3, 1, 1], [4, 1, 1, 1], [1, 1, 1, 1],
        [2, 3, 1, 5], [2, 3, 4, 1], [2, 1, 4, 1], [1, 1, 1, 5], [4, 4, 4, 4], [0, 3, 4, 5], [2, 0, 4, 5], [2, 3, 0, 5],
    ]
    for dims in shapes:
        orders = [[0, 1, 2, 3], [0, 2, 3, 1], [1, 2, 3, 0], [0, 1, 3, 2], [0, 3, 2, 1]]
        for order in orders:
            yield dims, dense(dims, order)
        # A slice of a wider tensor: every stride but the innermost grows.
        for order in orders[:2]:
            wide = dense([n + 1 for n in dims], order)
            yield dims, wide
            # Every other column.
            yield dims, [2 * stride for stride in dense(dims, order)]
    # What PyTorch's own comment on ambiguity names.
    yield [4, 1, 1, 1], [5, 5, 5, 5]
    yield [2, 1, 3, 1], [3, 1, 1, 1]
    yield [2, 1, 3, 1], [3, 3, 1, 1]
    yield [1, 4, 1, 3], [12, 3, 3, 1]
    yield [1, 3, 1, 4], [12, 1, 3, 3]
    # Expanded tensors.
    yield [2, 3, 4, 5], [0, 0, 0, 0]
    yield [2, 3, 4, 5], [0, 1, 15, 3]
    yield [2, 3, 4, 5], [20, 0, 5, 1]
    yield [2, 3, 4, 5], [60, 1, 0, 3]
    for dims in [[2, 3, 4, 5, 2], [2, 1, 4, 5, 2], [2, 3, 1, 1, 1], [1, 1, 1, 1, 1], [3, 3, 3, 3, 3], [2, 3, 0, 5, 2]]:
        for order in [[0, 1, 2, 3, 4], [0, 2, 3, 4, 1], [1, 2, 3, 4, 0], [4, 3, 2, 1, 0]]:
            yield dims, dense(dims, order)
            yield dims, dense([n + 1 for n in dims], order)
    for dims in [[], [5], [1], [0], [2, 3], [1, 3], [3, 1], [3, 3], [2, 3, 4], [2, 1, 4], [1, 1, 4], [2, 0, 4]]:
        for order in itertools.permutations(range(len(dims))):
            yield dims, dense(dims, list(order))
            if dims:
                yield dims, dense([n + 2 for n in dims], list(order))


def main():
    print(f"# NumPy {numpy.__version__}, PyTorch {torch.__version__.split('+')[0]}; written by strides.py")
    print("dims\tstrides\tcontiguous\tsuggested\tpreserved")
    seen = set()
    for dims, strides in cases():
        key = (tuple(dims), tuple(strides))
        if key in seen:
            continue
        seen.add(key)
        tensor = torch.empty(100_000).as_strided(dims, strides)
        contiguous = ""
        for memory_format in NAMES:
            rank = {torch.channels_last: 4, torch.channels_last_3d: 5}.get(memory_format, len(dims))
            contiguous += str(int(tensor.is_contiguous(memory_format=memory_format))) if rank == len(dims) else "-"
        array = numpy.lib.stride_tricks.as_strided(
            numpy.empty(100_000, numpy.float32), dims, [4 * stride for stride in strides]
        )
        assert array.flags.c_contiguous == (contiguous[0] == "1"), (dims, strides)
        preserved = torch.empty_like(tensor, memory_format=torch.preserve_format).stride()
        suggested = NAMES[suggest_memory_format(tensor)]
        text = [",".join(map(str, numbers)) for numbers in (dims, strides, preserved)]
        print(text[0], text[1], contiguous, suggested, text[2], sep="\t")


main()
