"""Writes the files in this folder with NumPy and with the Python package `safetensors`: what the tests read.

Each array is `index[0] * 100 + index[1] * 10 + index[2] - 37`, in the type that the name of the file says; unsigned and
8-bit types leave out the hundreds, unsigned ones the 37 too.
"""

import os

import numpy as np
from safetensors.numpy import save_file

os.chdir(os.path.dirname(os.path.abspath(__file__)))

SHAPE = (2, 3, 4)
index = np.indices(SHAPE)
wide = 100 * index[0] + 10 * index[1] + index[2] - 37
narrow = 10 * index[1] + index[2] - 37 + index[0]

for name in ["f8", "f4", "f2", "i4"]:
    np.save(f"{name}.npy", wide.astype("<" + name))
np.save("i1.npy", narrow.astype("i1"))
np.save("u1.npy", (narrow + 37).astype("u1"))
np.save("f4_fortran.npy", np.asfortranarray(wide.astype("<f4")))
np.save("f4_big.npy", wide.astype(">f4"))
np.save("f2_big_fortran.npy", np.asfortranarray(wide.astype(">f2")))
np.save("scalar.npy", np.float64(2.5))
np.save("empty.npy", np.zeros((0, 3), "<f4"))
with open("version2.npy", "wb") as file:
    np.lib.format.write_array(file, wide.astype("<i4"), version=(2, 0))
# Refused: no data type of that name.
np.save("i8.npy", wide.astype("<i8"))
np.save("bool.npy", wide > 0)
np.save("record.npy", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4", (2,))]))
np.save("pickled.npy", np.array([None]))

save_file(
    {
        "wide": wide.astype("<f4"),
        "half": wide.astype("<f2"),
        "bytes": (narrow + 37).astype("u1"),
        "long": wide.astype("<i8"),
    },
    "weights.safetensors",
    metadata={"written": "by Python"},
)
