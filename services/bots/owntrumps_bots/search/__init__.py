"""The compiled search kernel: the whole family on bit masks. Numba lives only in this package."""
