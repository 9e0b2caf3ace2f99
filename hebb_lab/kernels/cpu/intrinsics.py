"""What Python has no word for: asking the memory ahead of time, and reading a number's bits."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

AHEAD = 12  # turns of a loop: some 100 ns, as long as memory takes


def _prefetch(_context: Any, array: Any, index: Any) -> Any:
    if not (isinstance(array, types.Array) and isinstance(index, types.Integer)):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        held = make_array(kind)(context, builder, arguments[0])
        places = [context.cast(builder, arguments[1], signature.args[1], types.intp)]
        places += [ir.Constant(places[0].type, 0)] * (kind.ndim - 1)
        place = cgutils.get_item_pointer(context, builder, kind, held, places)
        byte = builder.bitcast(place, ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        fetch = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [byte.type, word, word, word]),
            "llvm.prefetch.p0",
        )
        builder.call(fetch, [byte, word(0), word(3), word(1)])
        return context.get_constant(types.int64, 0)

    return types.int64(array, index), generate


prefetch: Any = intrinsic(_prefetch)
"""Fetch the line of memory of ``array[index]``, [n] or [n, …], without waiting for it.

``index`` must be in the array. The result is 0; it is there since a function has one.
"""


def _reading_bits(of: Any, to: Any, kind: Any) -> Any:
    def sign(_context: Any, _value: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], kind)

        return to(of), generate

    return intrinsic(sign)


bits_of_float64: Any = _reading_bits(types.float64, types.int64, ir.IntType(64))
float64_of_bits: Any = _reading_bits(types.int64, types.float64, ir.DoubleType())
bits_of_float32: Any = _reading_bits(types.float32, types.int32, ir.IntType(32))
float32_of_bits: Any = _reading_bits(types.int32, types.float32, ir.FloatType())
