"""Lanes as vectors of LLVM's: what a program does with them becomes code of one function.

Variables are slots on the stack, which LLVM turns into registers; inputs and outputs are rows of arrays, whose
addresses stand in tables that the function gets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.diagnostics.catalogue.evaluation import NOT_TRANSLATED
from glslc_multi.compiler.execution.program import Element, Key, Lanes, Word
from glslc_multi.compiler.native.arithmetic import HostArithmetic
from glslc_multi.compiler.native.emitter import Emitter, Value
from glslc_multi.compiler.native.lookup import TextureCall
from glslc_multi.compiler.native.lookup_kinds import CUBE, MACHINE_KINDS, PLANE
from glslc_multi.compiler.native.sampling import BY_LEVEL, BY_STEPS
from glslc_multi.compiler.records import dataclass

#: Element of inputs that are bytes for all lanes, with their number in front.
MEMORY = "memory"
SIZE_BYTES = 8
#: What the words are that become another type.
_STORED: Mapping[Element, Element] = {"double": "float"}
_KNOWN = "splat (i32 "
_END = Value("%end", "i64")


def refuse(construct: str) -> NoReturn:
    """There is no code for this: the interpreter has to run the program."""
    fail(NOT_TRANSLATED, construct=construct, help="run it on the simulator that interprets (engine 'simulator')")


class Rows:
    """Rows of values by lane that a function reads or writes, in the order of their first use."""

    def __init__(self) -> None:
        self.elements: dict[Key, str] = {}
        self._numbers: dict[Key, int] = {}

    def number(self, key: Key, element: str) -> int:
        """The place of a row in the table."""
        self.elements.setdefault(key, element)
        return self._numbers.setdefault(key, len(self._numbers))


@dataclass(slots=True)
class _Variable:
    pointer: Value
    element: Element
    #: What it begins with: an input, or a `Word`.
    given: Key = None


class VectorLanes(Lanes):
    """The lanes of one group, while the code for them is written."""

    def __init__(self, width: int) -> None:
        self.emitter = Emitter(width)
        self.operations = HostArithmetic(self.emitter)
        self.inputs, self.outputs = Rows(), Rows()
        #: Outputs that have as many values a lane as `LaneState.most` says.
        self.growing: set[Key] = set()
        #: Textures by number, and whether they are sampled as cube maps, as 2D textures, or either.
        self.sampled: dict[int, set[bool]] = {}
        self._variables: dict[str, _Variable] = {}
        self._lookup = TextureCall(self.operations, MACHINE_KINDS)

    # variables ---------------------------------------------------------------------------------
    def read(self, name: str, element: Element = "float", given: Key = None) -> Value:
        value = self._variable(name, element)
        value.given = given if value.given is None else value.given
        type = self.emitter.vector(value.element)
        return self.emitter.value(type, f"load {type}, {value.pointer}")

    def write(self, name: str, value: Value, where: Value | None = None, given: Key = None) -> None:
        chosen = self.both(self.mask, where)
        found = self._variable(name, _element_of(value))
        if found.element != _element_of(value):
            value = self.operations.number(value) if found.element == "float" else self.operations.bits(value)
        if chosen is not None:
            value = self.emitter.select(chosen, value, self.read(name, found.element, given))
        self.emitter.line(f"store {value}, {found.pointer}")

    def _variable(self, name: str, element: Element) -> _Variable:
        if name not in self._variables:
            # No name of the function's own has a point.
            self._variables[name] = _Variable(Value(f'%".{name}"', "ptr"), element)
        return self._variables[name]

    def allocations(self) -> list[str]:
        """Lines for the start of the function."""
        slots = [(found.pointer.text, self.emitter.vector(found.element)) for found in self._variables.values()]
        return [*(f"  {name} = alloca {type}" for name, type in slots), *self._lookup.allocas]

    def beginnings(self) -> list[str]:
        """Lines for the start of a group: what all variables begin with."""
        body, self.emitter.lines = self.emitter.lines, []
        for found in self._variables.values():
            value = Value("zeroinitializer", self.emitter.vector(found.element))
            if isinstance(found.given, Word):
                value = self.constant(found.given.number, found.element)
            elif found.given is not None:
                value = self.input(found.given, found.element)
            self.emitter.line(f"store {value}, {found.pointer}")
        head, self.emitter.lines = self.emitter.lines, body
        return head

    # values from outside -----------------------------------------------------------------------
    def input(self, key: Key, element: Element = "float") -> Value:
        row = self._row("%inputs", self.inputs.number(key, element), element)
        return self.emitter.load(self.emitter.vector(element), row)

    def constant(self, index: int, element: Element = "float") -> Value:
        word = self.emitter.element(Value("%constants", "ptr"), index, "i32")
        return self._word(self.emitter.broadcast(self.emitter.load(_STORED.get(element, element), word)), element)

    def constant_at(self, index: Value, element: Element = "float") -> Value:
        words = self.emitter.element(Value("%constants", "ptr"), index, "i32")
        return self._word(self.emitter.gather(self.emitter.vector(_STORED.get(element, element)), words), element)

    def _word(self, value: Value, element: Element) -> Value:
        return self.operations.widened(value) if element in _STORED else value

    def size(self, key: Key) -> Value:
        return self.emitter.broadcast(self.emitter.load("i64", self._memory(key), SIZE_BYTES))

    def load(self, key: Key, address: Value, element: Element) -> Value:
        data = self.emitter.element(self._memory(key), SIZE_BYTES, "i8")
        return self.emitter.gather(self.emitter.vector(element), self.emitter.element(data, address, "i8"), 1)

    def _memory(self, key: Key) -> Value:
        return self._entry("%inputs", self.inputs.number(key, MEMORY))

    def lane_numbers(self) -> Value:
        return self.emitter.lane_numbers()

    # values to the outside ---------------------------------------------------------------------
    def output(self, key: Key, value: Value, element: Element = "float") -> None:
        self.emitter.store(value, self._row("%outputs", self.outputs.number(key, element), element))

    def append(self, key: Key, value: Value, number: Value, where: Value, element: Element = "float") -> None:
        emitter = self.emitter
        self.growing.add(key)
        first = emitter.binary("mul", emitter.convert("zext", number, emitter.i64), emitter.broadcast(_END))
        lane = emitter.binary("add", emitter.broadcast(Value("%lane", "i64")), emitter.lane_numbers("i64"))
        entry = self._entry("%outputs", self.outputs.number(key, element))
        chosen = self.both(self.mask, where)
        emitter.scatter(value, emitter.element(entry, emitter.binary("add", first, lane), element), chosen)

    def _row(self, table: str, number: int, element: str) -> Value:
        return self.emitter.element(self._entry(table, number), Value("%lane", "i64"), element)

    def _entry(self, table: str, number: int) -> Value:
        """An address in a table."""
        address = self.emitter.element(Value(table, "ptr"), number, "ptr")
        return self.emitter.value("ptr", f"load ptr, {address}, align 8, !invariant.load !0")

    # all lanes ---------------------------------------------------------------------------------
    def any(self, mask: Value) -> Value:
        return self.emitter.any(mask)

    def negated(self, condition: Value) -> Value:
        return self.emitter.value("i1", f"xor {condition}, true")

    def either(
        self, condition: Value, then: Callable[[], Sequence[Value]], otherwise: Callable[[], Sequence[Value]]
    ) -> Sequence[Value]:
        emitter = self.emitter
        labels = [emitter.fresh() for _ in range(5)]
        yes, yes_end, no, no_end, join = labels
        emitter.branch(condition, yes, no)
        found = []
        for start, end, compute in ((yes, yes_end, then), (no, no_end, otherwise)):
            emitter.label(start)
            found.append(compute())
            emitter.jump(end)
            emitter.label(end)
            emitter.jump(join)
        emitter.label(join)
        return [
            emitter.value(x.type, f"phi {x.type} [ {x.text}, %{yes_end} ], [ {y.text}, %{no_end} ]")
            for x, y in zip(*found, strict=True)
        ]

    def known(self, value: Value) -> int | None:
        return int(value.text.removeprefix(_KNOWN)[:-1]) if value.text.startswith(_KNOWN) else None

    # textures ----------------------------------------------------------------------------------
    def sample(
        self,
        texture: int,
        coordinate: Sequence[Value],
        level: Value,
        *,
        by_steps: bool,
        is_cube: bool,
        steps: Sequence[Value] = (),
    ) -> Sequence[Value]:
        self.sampled.setdefault(texture, set()).add(is_cube)
        kind = CUBE if is_cube else PLANE
        if steps:
            return self._lookup.emit(kind, texture, BY_STEPS, [*coordinate, level, *steps])
        if not by_steps:
            return self._lookup.emit(kind, texture, BY_LEVEL, [*coordinate, level])
        arguments = [*coordinate, level, *self.steps(coordinate)]
        return self._lookup.emit(kind, texture, Value("%by_steps", "i64"), arguments)

    # mistakes ----------------------------------------------------------------------------------
    def require(self, mask: Value, reason: str) -> None:
        """There is nobody to tell while the program runs."""

    def fault(self, reason: str) -> NoReturn:
        refuse(reason)


def _element_of(value: Value) -> Element:
    """The type of a vector's elements."""
    element: Element = value.type.split()[-1].rstrip(">")  # type: ignore[assignment]
    return element
