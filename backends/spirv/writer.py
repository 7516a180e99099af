"""The instructions of a function while it is written.

One that is there already is not written again: values are shared within the scopes that control flow opens and closes.
"""

from __future__ import annotations

from collections import ChainMap

from glslc_multi.backends.spirv.assembly import Assembly, make
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Constant, Value
from glslc_multi.compiler.ir.types import Type
from glslc_multi.compiler.spirv.code import Instruction
from glslc_multi.compiler.spirv.grammar.standard import NUMBERS

#: What the decoration NoContraction is about.
_ARITHMETIC = ("OpF", "OpDot", "OpVectorTimes", "OpMatrixTimes")


class Writer:
    """Appends instructions; ids of the values of the IR."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        self.code: list[Instruction] = []
        self.ids: dict[Value, int] = {}
        #: PRECISE and RELAXED, for values that are written next.
        self.flags = 0
        #: What has been written, and dominates what is written next -> its id.
        self._shared: ChainMap[tuple[object, ...], int] = ChainMap()

    def open_scope(self) -> None:
        """Begin code that what follows its end does not pass."""
        self._shared = self._shared.new_child()

    def close_scope(self) -> None:
        """Forget what was shared since the scope began."""
        self._shared = self._shared.parents

    def of(self, value: Value) -> int:
        """Return the id of a value."""
        return self.assembly.constant(value) if isinstance(value, Constant) else self.ids[value]

    def type_of(self, type_: Type) -> int:
        """Return the id of a type of values."""
        return self.assembly.value_type(type_.kind, type_.width)

    def append(self, name: str, *operands: int) -> None:
        """Append an instruction that yields nothing."""
        self.code.append(make(name, 0, 0, *operands))

    def write(self, name: str, type_: int, *operands: int) -> int:
        """Append an instruction that yields a value; return its id."""
        id = self.assembly.take_id()
        self.code.append(make(name, type_, id, *operands))
        if self.flags & PRECISE and name.startswith(_ARITHMETIC):
            self.assembly.decorate(id, "NoContraction")
        if self.flags & RELAXED and name != "OpAccessChain":
            self.assembly.decorate(id, "RelaxedPrecision")
        return id

    def share(self, name: str, type_: int, *operands: int) -> int:
        """Return the id of a value that follows from operands alone."""
        key = (name, type_, operands, self.flags)
        id = self._shared.get(key)
        if id is None:
            id = self._shared[key] = self.write(name, type_, *operands)
        return id

    def call(self, function: str, type_: int, *operands: int) -> int:
        """Return the result of a function of GLSL.std.450."""
        return self.share("OpExtInst", type_, self.assembly.standard, NUMBERS[function], *operands)

    def splat(self, scalar: int, type_: Type) -> int:
        """Return a vector of one number."""
        return self.share("OpCompositeConstruct", self.type_of(type_), *[scalar] * type_.width)

    def bitcast(self, kind: str, id: int, width: int) -> int:
        """Return ints with or without a sign as the others."""
        return self.share("OpBitcast", self.assembly.value_type(kind, width), id)  # type: ignore[arg-type]
