"""Shares memory with the library that `dlpack.rs` is, which the first argument names: `python3 dlpack.py libdlpack.so`."""

import ctypes
import gc
import sys

import numpy as np

NAME, USED = b"dltensor", b"used_dltensor"

api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

library = ctypes.CDLL(sys.argv[1])
library.picture.restype = ctypes.c_void_p
library.relu_blocked.restype = ctypes.c_void_p
library.relu_blocked.argtypes = [ctypes.c_void_p]


class Shared:
    """A structure of the library, as libraries of Python take it."""

    def __init__(self, pointer):
        assert pointer, "the library says why"
        self.pointer = pointer

    def __dlpack__(self, **_):
        return api.PyCapsule_New(self.pointer, NAME, None)

    def __dlpack_device__(self):
        return (1, 0)  # the CPU


def handed_over(tensor):
    """The structure of a tensor of NumPy or PyTorch, which the library then owns."""
    capsule = tensor.__dlpack__()
    pointer = api.PyCapsule_GetPointer(capsule, NAME)
    api.PyCapsule_SetName(capsule, USED)
    return pointer


def check(name, from_dlpack, to_numpy, float_tensor):
    # Ours in their hands: the strides are those of nhwc, and every element is where its index says.
    picture = to_numpy(from_dlpack(Shared(library.picture())))
    assert picture.shape == (1, 3, 2, 4) and picture.strides == (24, 1, 12, 3), picture.strides
    _, c, h, w = np.indices(picture.shape)
    assert np.array_equal(picture, (100 * c + 10 * h + w).astype("u1"))
    # Theirs in ours, with strides of any size, and back.
    numbers = np.arange(2 * 5 * 6 * 7, dtype="f4").reshape(2, 5, 6, 7) - 200
    for view in [numbers, numbers.transpose(0, 3, 1, 2), numbers[:, 1::2, ::3]]:
        result = to_numpy(from_dlpack(Shared(library.relu_blocked(handed_over(float_tensor(view))))))
        assert result.flags.c_contiguous and np.array_equal(result, np.maximum(view, 0)), view.strides
    del picture, result
    gc.collect()
    print(f"{name}: shared")


check("NumPy", np.from_dlpack, lambda array: array, lambda array: array)
# NumPy alone has steps backwards.
backwards = (np.arange(24, dtype="f4") - 12).reshape(1, 2, 3, 4)[:, ::-1, :, ::-1]
result = np.from_dlpack(Shared(library.relu_blocked(handed_over(backwards))))
assert np.array_equal(result, np.maximum(backwards, 0))
# What has no data type is refused, and given back.
assert not library.relu_blocked(handed_over(np.zeros((1, 2, 3, 4), dtype="i8")))
assert not library.relu_blocked(handed_over(np.zeros((2, 3), dtype="f4")))

try:
    import torch
except ImportError:
    print("note: no PyTorch here; skipped")
else:
    check("PyTorch", torch.from_dlpack, lambda tensor: tensor.numpy(), torch.from_numpy)
