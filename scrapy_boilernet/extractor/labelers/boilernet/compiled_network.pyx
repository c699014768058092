# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The loops of the network's layers, compiled for the instructions that the processor has.

Sums have one order, and no fused operations. So they are the same on all processors, and for any
number of blocks that are computed together. Tests compare them with those of NumPy and torch.
"""

from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.stdlib cimport free, malloc

cdef extern from "compiled_network.h" nogil:
    enum:
        BLOCKS

    ctypedef struct Affine:
        const float *x
        ptrdiff_t rows, width
        const float *weights
        const float *bias
        float *out
        ptrdiff_t columns

    ctypedef struct Direction:
        const float *x
        ptrdiff_t blocks, width
        const float *weights
        const float *bias
        const float *recurrent
        ptrdiff_t hidden
        float *out
        ptrdiff_t stride
        int is_backward
        float *scratch

    int best_instructions()
    void affine(const Affine *given, int instructions)
    void direction(const Direction *given, int instructions)

BEST_INSTRUCTIONS = best_instructions()
"""What the processor can run: 0, what all can; 1, AVX2; 2, AVX-512. The others are quicker."""
cdef int _BEST = BEST_INSTRUCTIONS


cdef class _Floats:
    """The numbers of a contiguous float32 array of one or two dimensions."""

    cdef Py_buffer view
    cdef bint is_held
    cdef Py_ssize_t rows, columns
    cdef float *data

    def __cinit__(self, array, str name, Py_ssize_t rows, Py_ssize_t columns, bint is_out=False):
        """Hold the array; raise ``ValueError`` for another shape or type. Below 0: any number."""
        cdef int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (PyBUF_WRITABLE if is_out else 0)
        PyObject_GetBuffer(array, &self.view, flags)
        self.is_held = True
        self.rows = self.view.shape[0] if self.view.ndim == 2 else 1
        self.columns = self.view.shape[self.view.ndim - 1] if self.view.ndim else 0
        self.data = <float *>self.view.buf
        if (
            self.view.ndim not in (1, 2) or self.view.format != b"f"
            or 0 <= rows != self.rows or 0 <= columns != self.columns
        ):
            raise ValueError(f"{name} is not a float32 array of the shape that is needed")

    def __dealloc__(self):
        if self.is_held:
            PyBuffer_Release(&self.view)


def multiply(x, weights, bias, out, int instructions=_BEST):
    """Write ``x @ weights + bias`` into ``out``: float32 arrays of the shapes (blocks, width),
    (width, columns), (columns,) and (blocks, columns). Raises ``ValueError`` for other arrays.
    """
    cdef _Floats own = _Floats(x, "x", -1, -1)
    cdef _Floats by = _Floats(weights, "weights", own.columns, -1)
    cdef _Floats plus = _Floats(bias, "bias", 1, by.columns)
    cdef _Floats to = _Floats(out, "out", own.rows, by.columns, True)
    cdef Affine given
    given.x, given.rows, given.width = own.data, own.rows, own.columns
    given.weights, given.bias = by.data, plus.data
    given.out, given.columns = to.data, to.columns
    instructions = min(max(instructions, 0), _BEST)
    with nogil:
        affine(&given, instructions)


def run_lstm(x, weights, bias, recurrent, out, bint is_backward, int instructions=_BEST):
    """Write the states of an LSTM over the rows of ``x`` into the first or, if it runs backward,
    the second half of the columns of ``out``.

    ``x``: (blocks, width); ``weights``: (width, 4 * hidden); ``bias``: (4 * hidden,);
    ``recurrent``: (hidden, 4 * hidden); ``out``: (blocks, 2 * hidden); all float32. The gates are
    in torch's order. Raises ``ValueError`` for other arrays.
    """
    cdef _Floats own = _Floats(x, "x", -1, -1)
    cdef _Floats states = _Floats(recurrent, "recurrent", -1, -1)
    cdef Py_ssize_t hidden = states.rows
    cdef _Floats by = _Floats(weights, "weights", own.columns, 4 * hidden)
    cdef _Floats plus = _Floats(bias, "bias", 1, 4 * hidden)
    cdef _Floats to = _Floats(out, "out", own.rows, 2 * hidden, True)
    cdef Direction given
    if states.columns != 4 * hidden:
        raise ValueError("recurrent is not a float32 array of the shape that is needed")
    given.x, given.blocks, given.width = own.data, own.rows, own.columns
    given.weights, given.bias, given.recurrent = by.data, plus.data, states.data
    given.hidden, given.stride = hidden, 2 * hidden
    given.out = to.data + (hidden if is_backward else 0)
    given.is_backward = is_backward
    given.scratch = <float *>malloc(((BLOCKS + 1) * 4 + 2) * (hidden + 1) * sizeof(float))
    if given.scratch is NULL:
        raise MemoryError
    instructions = min(max(instructions, 0), _BEST)
    with nogil:
        direction(&given, instructions)
    free(given.scratch)
