"""LLVM IR as text, over vectors of one element a lane.

LLVM's text form is what its parser takes anyway, and writing it costs less than building objects first.  A
value is its name and its type; the emitter numbers names, and collects the lines of one function.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Value(NamedTuple):
    """An LLVM value: a name or a constant, and its type."""

    text: str
    type: str

    def __str__(self) -> str:
        return f"{self.type} {self.text}"


#: LLVM's name of the element types -> the suffix that overloaded intrinsics carry.
_SUFFIX = {"float": "f32", "double": "f64", "i1": "i1", "i8": "i8", "i32": "i32", "i64": "i64", "ptr": "p0"}


class Emitter:
    """Writes (a part of) the body of one function for vectors of `width` lanes.

    Names begin with `prefix`, which several emitters of one function need to tell theirs apart.
    """

    def __init__(self, width: int, prefix: str = "v") -> None:
        self.width = width
        self.prefix = prefix
        self.lines: list[str] = []
        self._next = 0
        self.float, self.double, self.i32, self.i64, self.mask, self.pointers = (
            self.vector(element) for element in ("float", "double", "i32", "i64", "i1", "ptr")
        )

    def vector(self, element: str) -> str:
        """The type of a vector with one `element` a lane."""
        return f"<{self.width} x {element}>"

    # lines ---------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def fresh(self) -> str:
        """A name that no other value of the function has."""
        self._next += 1
        return f"{self.prefix}{self._next}"

    def value(self, type: str, text: str) -> Value:
        """A line that computes a value."""
        name = f"%{self.fresh()}"
        self.lines.append(f"  {name} = {text}")
        return Value(name, type)

    # constants -----------------------------------------------------------------------------
    def splat(self, element: str, literal: str) -> Value:
        """The constant `literal` in every lane."""
        return Value(f"splat ({element} {literal})", self.vector(element))

    def floats(self, value: float) -> Value:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
        return self.splat("float", float_literal(rounded))

    def doubles(self, value: float) -> Value:
        return self.splat("double", float_literal(value))

    def ints(self, value: int, element: str = "i32") -> Value:
        return self.splat(element, str(value))

    def lane_numbers(self, element: str = "i32") -> Value:
        """0, 1, 2, ... by lane."""
        return Value(f"<{', '.join(f'{element} {lane}' for lane in range(self.width))}>", self.vector(element))

    # operations ----------------------------------------------------------------------------
    def binary(self, operation: str, x: Value, y: Value) -> Value:
        return self.value(x.type, f"{operation} {x}, {y.text}")

    def compare(self, predicate: str, x: Value, y: Value) -> Value:
        """`predicate` with the kind of comparison, such as `fcmp olt`."""
        type = self.mask if x.type.startswith("<") else "i1"
        return self.value(type, f"{predicate} {x}, {y.text}")

    def select(self, condition: Value, x: Value, y: Value) -> Value:
        return self.value(x.type, f"select {condition}, {x}, {y}")

    def convert(self, operation: str, x: Value, type: str) -> Value:
        return self.value(type, f"{operation} {x} to {type}")

    def intrinsic(self, name: str, type: str, *arguments: Value, overloads: Sequence[str] = ()) -> Value:
        """A call of `llvm.NAME`, overloaded on the result's type unless `overloads` says otherwise."""
        return self.value(type, self._call(name, type, overloads or (type,), arguments))

    def effect(self, name: str, *arguments: Value, overloads: Sequence[str]) -> None:
        """A call of `llvm.NAME` that yields nothing."""
        self.line(self._call(name, "void", overloads, arguments))

    def _call(self, name: str, type: str, overloads: Sequence[str], arguments: Sequence[Value]) -> str:
        suffix = ".".join(self._suffix(overload) for overload in overloads)
        return f"call {type} @llvm.{name}.{suffix}({', '.join(map(str, arguments))})"

    def _suffix(self, type: str) -> str:
        if type.startswith("<"):
            return f"v{self.width}{_SUFFIX[type.split()[-1][:-1]]}"
        return _SUFFIX[type]

    def broadcast(self, x: Value) -> Value:
        """A scalar in every lane."""
        type = self.vector(x.type)
        first = self.value(type, f"insertelement {type} poison, {x}, i32 0")
        return self.value(type, f"shufflevector {first}, {type} poison, <{self.width} x i32> zeroinitializer")

    def lane(self, x: Value, number: int) -> Value:
        """One lane of a vector."""
        return self.value(x.type.split()[-1][:-1], f"extractelement {x}, i32 {number}")

    def shuffle(self, x: Value, lanes: Sequence[int]) -> Value:
        """The vector whose lanes are those of `x` in another order."""
        order = ", ".join(f"i32 {lane}" for lane in lanes)
        return self.value(x.type, f"shufflevector {x}, {x.type} poison, <{self.width} x i32> <{order}>")

    def quads(self, x: Value, lanes: Sequence[int]) -> Value:
        """The same shuffle within each group of four lanes."""
        return self.shuffle(x, [first + lane for first in range(0, self.width, 4) for lane in lanes])

    def any(self, mask: Value) -> Value:
        """Whether some lane of a mask is set, as an i1."""
        bits = self.convert("bitcast", mask, f"i{self.width}")
        return self.value("i1", f"icmp ne {bits}, 0")

    def unless(self, rare: Value, usual: Sequence[Value], compute: Callable[[], Sequence[Value]]) -> list[Value]:
        """The values `usual`; where the i1 `rare` is true, which few groups of lanes meet, what `compute` emits."""
        start, other, end, join = (self.fresh() for _ in range(4))
        self.jump(start)
        self.label(start)
        expected = self.value("i1", f"call i1 @llvm.expect.i1(i1 {rare.text}, i1 false)")
        self.branch(expected, other, join)
        self.label(other)
        computed = compute()
        self.jump(end)
        self.label(end)
        self.jump(join)
        self.label(join)
        return [
            self.value(x.type, f"phi {x.type} [ {x.text}, %{start} ], [ {y.text}, %{end} ]")
            for x, y in zip(usual, computed, strict=True)
        ]

    # memory --------------------------------------------------------------------------------
    def element(self, base: Value, index: Value | int, element: str) -> Value:
        """The address of element `index` of an array; addresses where base or index is a vector."""
        index_text = f"i64 {index}" if isinstance(index, int) else str(index)
        is_vector = base.type != "ptr" or (isinstance(index, Value) and index.type.startswith("<"))
        return self.value(self.pointers if is_vector else "ptr", f"getelementptr {element}, {base}, {index_text}")

    def load(self, type: str, pointer: Value, align: int = 4) -> Value:
        return self.value(type, f"load {type}, {pointer}, align {align}")

    def store(self, x: Value, pointer: Value, align: int = 4) -> None:
        self.line(f"store {x}, {pointer}, align {align}")

    def gather(self, type: str, pointers: Value, align: int = 4) -> Value:
        """Each lane from its own address; all addresses must be valid."""
        arguments = f"{self.pointers} {pointers.text}, i32 {align}, {self.mask} splat (i1 true), {type} poison"
        suffix = f"{self._suffix(type)}.{self._suffix(self.pointers)}"
        return self.value(type, f"call {type} @llvm.masked.gather.{suffix}({arguments})")

    def scatter(self, x: Value, pointers: Value, mask: Value | None, align: int = 4) -> None:
        """Each lane of `mask` (None: all) to its own address."""
        shown = f"{self.mask} splat (i1 true)" if mask is None else str(mask)
        suffix = f"{self._suffix(x.type)}.{self._suffix(self.pointers)}"
        self.line(f"call void @llvm.masked.scatter.{suffix}({x}, {pointers}, i32 {align}, {shown})")

    # control flow --------------------------------------------------------------------------
    def jump(self, label: str) -> None:
        self.line(f"br label %{label}")

    def branch(self, condition: Value, if_true: str, if_false: str) -> None:
        self.line(f"br i1 {condition.text}, label %{if_true}, label %{if_false}")


def float_literal(value: float) -> str:
    """A float or double as LLVM writes it exactly: the bits of the double."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
