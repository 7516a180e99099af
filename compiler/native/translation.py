"""Machine code of a target as one LLVM function over groups of lanes: what the translators of all targets share.

In: a `Translator`, which knows one target's instructions.  Out: `TranslatedCode`, which runs on arrays.

A translator walks through *places*: an address with all that is known beforehand about the machine when it comes there
(stacks of calls, which instruction came before).  It says which places follow and emits the code of one place; what
instructions mean comes from the target's instruction table, over an arithmetic that emits.  Registers are variables
by name, one vector of lanes each, which LLVM keeps in its own registers.  The function is

    i64 run(inputs, outputs, constants, textures, sample_2d, sample_cube, first, end, limit)

for lanes `first` to `end`, a multiple of the width; it returns 0, or 1 if a group of lanes ran more than `limit`
instructions.

Where lanes may part (`lanes_part`), each lane keeps the number of the place that it waits at, and the lowest of these
numbers runs next, so that lanes meet again.  Elsewhere branches are jumps of the whole group.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, NoReturn, TypeVar

import numpy as np

from compiler.arithmetic.evaluation_error import fail
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import Texture
from compiler.diagnostics.catalogue.evaluation import NOT_TRANSLATED, TOO_MANY_STEPS
from compiler.native import machine
from compiler.native.arithmetic import HostArithmetic
from compiler.native.emitter import Emitter, Value
from compiler.native.lookup import TextureCall
from compiler.native.sampling import describe, samplers
from compiler.records import dataclass, field

_PARAMETERS = (
    "ptr noalias readonly %inputs, ptr noalias readonly %outputs, ptr noalias readonly %constants, "
    "ptr %textures, ptr %sample_2d, ptr %sample_cube, i64 %first, i64 %end, i64 %limit"
)
_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 6, *[ctypes.c_int64] * 3)
#: Where lanes are that have come to their end: after all places.
_ENDED = 2**31 - 1
_DTYPES: Mapping[str, type[np.generic]] = {
    "float": np.float32,
    "double": np.float64,
    "i32": np.int32,
    "i64": np.int64,
}
#: Element of inputs that are bytes for all lanes, with their number in front.
_MEMORY = "memory"
_SIZE_BYTES = 8
#: More places than any program has that ends: those of a loop that never comes to the same place again.
_MOST_PLACES = 1 << 14

#: Number of lanes, those that fill groups included.
_END = Value("%end", "i64")

Place = TypeVar("Place", bound=Hashable)
#: A value by lane that goes in or comes out: space, register and component, as the target counts them.
Key = Any


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
    type: str


class Translator(ABC, Generic[Place]):
    """Emits the function of one program."""

    #: Whether lanes of a group may take different paths.
    lanes_part = True

    def __init__(self, width: int) -> None:
        self.emitter = Emitter(width)
        self.inputs, self.outputs = Rows(), Rows()
        #: Outputs that have as many values a lane as `LaneState.most` says.
        self.growing: set[Key] = set()
        #: Lanes that run the place being emitted; None: all.
        self.mask: Value | None = None
        self._variables: dict[str, _Variable] = {}
        #: Variables that begin with a value from outside.
        self._given: dict[str, Key] = {}
        self.lookup = TextureCall(HostArithmetic(self.emitter))

    # what a target says ------------------------------------------------------------------------
    @property
    @abstractmethod
    def start(self) -> Place:
        """Where a program begins."""

    @abstractmethod
    def followers(self, place: Place) -> Sequence[Place]:
        """The places that may come next; none at the end of the program."""

    @abstractmethod
    def emit(self, place: Place) -> Sequence[Value]:
        """Emit the code of a place.  Where several places follow, the conditions of all but the last one: the first
        that holds decides, lane by lane, or for all lanes if it is an i1."""

    @abstractmethod
    def finish(self) -> None:
        """Emit what is done when all lanes have come to the end."""

    def rank(self, place: Place) -> Any:
        """Of lanes at different places, those at the lowest one run first."""
        return place

    # variables ---------------------------------------------------------------------------------
    def read(self, name: str, type: str | None = None, given: Key = None) -> Value:
        """A variable (of vectors of float, unless `type` says otherwise); at the start 0, or the input `given`."""
        found = self._variable(name, type or self.emitter.float)
        if given is not None:
            self._given[name] = given
        return self.emitter.value(found.type, f"load {found.type}, {found.pointer}")

    def write(self, name: str, value: Value, lanes: Value | None = None) -> None:
        """Change a variable in the lanes that run the place; of these, in `lanes` alone where they are given."""
        found = self._variable(name, value.type)
        chosen = self.both(self.mask, lanes)
        if chosen is not None and value.type.startswith("<"):
            value = self.emitter.select(chosen, value, self.read(name, value.type))
        self.emitter.line(f"store {value}, {found.pointer}")

    def both(self, first: Value | None, second: Value | None) -> Value | None:
        """Lanes in both masks."""
        if first is None or second is None:
            return second if first is None else first
        return self.emitter.binary("and", first, second)

    def _variable(self, name: str, type: str) -> _Variable:
        if name not in self._variables:
            self._variables[name] = _Variable(Value(f'%"{name}"', "ptr"), type)
        return self._variables[name]

    # memory ------------------------------------------------------------------------------------
    def scalar_constant(self, index: int, type: str = "i32") -> Value:
        """A word that is the same for all lanes."""
        return self.emitter.load(type, self.emitter.element(Value("%constants", "ptr"), index, "i32"))

    def input(self, key: Key, element: str = "float") -> Value:
        """A value by lane that comes from outside."""
        return self._load_row("%inputs", self.inputs.number(key, element), element)

    def output(self, key: Key, value: Value, element: str = "float") -> None:
        """Hand a value by lane to the outside."""
        self.emitter.store(value, self._row("%outputs", self.outputs.number(key, element), element))

    def append(self, key: Key, value: Value, number: Value, lanes: Value, element: str = "float") -> None:
        """Hand a value by lane to the outside, where `number` says the how manieth it is (below `LaneState.most`)."""
        emitter = self.emitter
        self.growing.add(key)
        first = emitter.binary("mul", emitter.convert("zext", number, emitter.i64), emitter.broadcast(_END))
        lane = emitter.binary("add", emitter.broadcast(Value("%lane", "i64")), emitter.lane_numbers("i64"))
        entry = self._entry("%outputs", self.outputs.number(key, element))
        emitter.scatter(value, emitter.element(entry, emitter.binary("add", first, lane), element), lanes)

    def constant(self, index: int, element: str = "float") -> Value:
        """A word that is the same for all lanes, in every lane."""
        return self.emitter.broadcast(self.scalar_constant(index, element))

    def constant_at(self, index: Value, element: str = "float") -> Value:
        """Each lane's own constant: `index` has an i64 a lane."""
        pointers = self.emitter.element(Value("%constants", "ptr"), index, "i32")
        return self.emitter.gather(self.emitter.vector(element), pointers)

    def memory(self, key: Key) -> tuple[Value, Value]:
        """Bytes from outside: their address, and how many there are."""
        emitter = self.emitter
        entry = self._entry("%inputs", self.inputs.number(key, _MEMORY))
        return emitter.element(entry, _SIZE_BYTES, "i8"), emitter.load("i64", entry, 8)

    def _load_row(self, table: str, number: int, element: str) -> Value:
        return self.emitter.load(self.emitter.vector(element), self._row(table, number, element))

    def _row(self, table: str, number: int, element: str) -> Value:
        return self.emitter.element(self._entry(table, number), Value("%lane", "i64"), element)

    def _entry(self, table: str, number: int) -> Value:
        """An address in a table."""
        place = self.emitter.element(Value(table, "ptr"), number, "ptr")
        return self.emitter.value("ptr", f"load ptr, {place}, align 8, !invariant.load !0")

    # the function ------------------------------------------------------------------------------
    def text(self, attributes: str) -> str:
        """The LLVM module."""
        emitter = self.emitter
        _Walk(self).emit()
        emitter.label("finish")
        self.mask = None
        self.finish()
        head = self._head()
        allocas = [f"  {found.pointer.text} = alloca {found.type}" for found in self._variables.values()]
        return "\n".join(
            [
                f"define i64 @run({_PARAMETERS}) {attributes} {{",
                *allocas,
                *self.lookup.allocas,
                "  br label %group",
                "group:",
                "  %lane = phi i64 [ %first, %0 ], [ %next_lane, %finished ]",
                *head,
                "  br label %p0",
                *emitter.lines,
                "  br label %finished",
                "finished:",
                f"  %next_lane = add i64 %lane, {emitter.width}",
                "  %is_more = icmp ult i64 %next_lane, %end",
                "  br i1 %is_more, label %group, label %done",
                "endless:",
                "  ret i64 1",
                "done:",
                "  ret i64 0",
                "}",
                "!0 = !{}",
            ]
        )

    def _head(self) -> list[str]:
        """The start of a group: what all variables begin with."""
        body, self.emitter = self.emitter, Emitter(self.emitter.width, prefix="h")
        for name, found in self._variables.items():
            value = Value(_zero(found.type), found.type)
            if name in self._given:
                value = self.input(self._given[name], found.type.split()[-1].rstrip(">"))
            self.emitter.line(f"store {value}, {found.pointer}")
        head, self.emitter = self.emitter.lines, body
        return head


def _zero(type: str) -> str:
    return "zeroinitializer" if type.startswith("<") else "0"


class _Walk(Generic[Place]):
    """The control flow of a function: runs of places that follow one another, each a block."""

    def __init__(self, translator: Translator[Place]) -> None:
        self._translator = translator
        self._emitter = translator.emitter
        self._followers = self._explore()
        arrivals: dict[Place, int] = {}
        for after in self._followers.values():
            for place in after:
                # After a branch a block begins, as at a place with several paths to it.
                arrivals[place] = arrivals.get(place, 0) + (1 if len(after) == 1 else 2)
        heads = {place for place, count in arrivals.items() if count > 1} - {translator.start}
        #: Number of each head; the start is 0.
        self._numbers = {translator.start: 0}
        self._numbers |= {place: number for number, place in enumerate(sorted(heads, key=translator.rank), 1)}
        self._partial = self._reached_apart() if translator.lanes_part else set()

    def emit(self) -> None:
        for place in self._numbers:
            self._emit_run(place)
        if self._partial:
            self._emit_dispatch()

    def _explore(self) -> dict[Place, tuple[Place, ...]]:
        """All places with those that follow."""
        found: dict[Place, tuple[Place, ...]] = {}
        open = [self._translator.start]
        while open:
            place = open.pop()
            if place in found:
                continue
            found[place] = tuple(self._translator.followers(place))
            open += found[place]
            if len(found) > _MOST_PLACES:
                refuse("a program of more paths than can be followed")
        return found

    def _reached_apart(self) -> set[Place]:
        """Places after branches, where some of the lanes may be elsewhere."""
        open = [after for found in self._followers.values() if len(found) > 1 for after in found]
        reached: set[Place] = set()
        while open:
            place = open.pop()
            if place not in reached:
                reached.add(place)
                open += self._followers[place]
        return reached

    def _emit_run(self, place: Place) -> None:
        emitter, translator = self._emitter, self._translator
        emitter.label(f"p{self._numbers[place]}")
        translator.mask = None
        if place in self._partial:
            number = emitter.ints(self._numbers[place])
            translator.mask = emitter.compare("icmp eq", translator.read("at", emitter.i32), number)
        count = 0
        while True:
            conditions = translator.emit(place)
            count += 1
            after = self._followers[place]
            if len(after) != 1 or after[0] in self._numbers:
                break
            place = after[0]
        self._count(count)
        self._leave(place, after, conditions)

    def _count(self, count: int) -> None:
        translator = self._translator
        steps = translator.read("steps", "i64")
        translator.write("steps", self._emitter.value("i64", f"add {steps}, {count}"))

    def _leave(self, place: Place, after: Sequence[Place], conditions: Sequence[Value]) -> None:
        """Go to the places that follow."""
        if place not in self._partial and self._partial.isdisjoint(after):
            self._jump(after, conditions)
            return
        emitter = self._emitter
        going = emitter.ints(self._numbers[after[-1]] if after else _ENDED)
        for target, condition in zip(reversed(after[:-1]), reversed(conditions), strict=True):
            going = emitter.select(condition, emitter.ints(self._numbers[target]), going)
        self._translator.write("at", going)
        emitter.jump("dispatch")

    def _jump(self, after: Sequence[Place], conditions: Sequence[Value]) -> None:
        """All lanes take the same path."""
        emitter = self._emitter
        if not after:
            emitter.jump("finish")
            return
        for target, condition in zip(after[:-1], conditions, strict=True):
            yes, no = emitter.fresh(), emitter.fresh()
            emitter.branch(condition, yes, no)
            emitter.label(yes)
            self._go(target)
            emitter.label(no)
        self._go(after[-1])

    def _go(self, target: Place) -> None:
        self._check_steps()
        self._emitter.jump(f"p{self._numbers[target]}")

    def _check_steps(self) -> None:
        emitter, fine = self._emitter, self._emitter.fresh()
        steps = self._translator.read("steps", "i64")
        emitter.branch(emitter.compare("icmp ugt", steps, Value("%limit", "i64")), "endless", fine)
        emitter.label(fine)

    def _emit_dispatch(self) -> None:
        """Lanes at the lowest place run next."""
        emitter = self._emitter
        emitter.label("dispatch")
        self._check_steps()
        waiting = self._translator.read("at", emitter.i32)
        lowest = emitter.value("i32", f"call i32 @llvm.vector.reduce.umin.v{emitter.width}i32({waiting})")
        waited = [number for place, number in self._numbers.items() if place in self._partial]
        targets = [f"i32 {number}, label %p{number}" for number in waited]
        emitter.line(f"switch {lowest}, label %finish [ {' '.join(targets)} ]")


@dataclass(slots=True)
class LaneState:
    """What a run begins with."""

    lanes: int
    #: By key, one value a lane, or one for all; or bytes.
    inputs: Mapping[Key, Any] = field(default_factory=dict)
    #: Words of 32 bits.
    constants: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    textures: Sequence[Texture | None] = ()
    max_steps: int = 1 << 20
    #: Values that a lane may have of outputs that grow.
    most: int = 1


class TranslatedCode:
    """A translated program, ready to run."""

    def __init__(self, translator: Translator[Any]) -> None:
        self.width = translator.emitter.width
        self.text = translator.text(machine.host().attributes)
        #: Keys of the rows in order, with their elements.
        self.inputs, self.outputs = translator.inputs.elements, translator.outputs.elements
        self.growing = translator.growing
        self._code = machine.link_function("run", self.text)
        self.function = _SIGNATURE(self._code.address)

    def bind(self, state: LaneState) -> Bound:
        """A call that can be repeated: rows in place, nothing is converted."""
        return Bound(self, state)

    def run(self, state: LaneState) -> dict[Key, Array]:
        """The outputs of all lanes; of those that grow, number by number."""
        bound = self.bind(state)
        bound()
        return {key: row[..., : state.lanes] for key, row in bound.outputs.items()}


class Bound:
    """Code with its arrays."""

    def __init__(self, code: TranslatedCode, state: LaneState) -> None:
        padded = -(-state.lanes // code.width) * code.width
        inputs = [_row(state, key, element, padded) for key, element in code.inputs.items()]
        self.outputs = {
            key: np.zeros((state.most, padded) if key in code.growing else padded, _DTYPES[element])
            for key, element in code.outputs.items()
        }
        self._limit = state.max_steps
        described = [None if texture is None else describe(texture) for texture in state.textures]
        tables = [
            _addresses(inputs),
            _addresses(list(self.outputs.values())),
            np.ascontiguousarray(state.constants),
            _addresses([None if entry is None else entry[0] for entry in described]),
        ]
        lookups = samplers(code.width).addresses if described else (0, 0)
        self._arguments = (*(table.ctypes.data for table in tables), *lookups, 0, padded, state.max_steps)
        self._call = code.function if padded else None
        #: What the addresses lead to.
        self._alive = (code, inputs, described, tables)

    def __call__(self) -> None:
        if self._call is not None and self._call(*self._arguments):
            fail(TOO_MANY_STEPS, limit=self._limit, help="give a larger limit if it only takes long")


def _row(state: LaneState, key: Key, element: str, length: int) -> Array:
    """An input as the function takes it."""
    value = state.inputs[key]
    return _sized(value) if element == _MEMORY else _padded(value, _DTYPES[element], state.lanes, length)


def _padded(values: Any, dtype: type[np.generic], lanes: int, length: int) -> Array:
    """A row of `length`: more of its last lane, which does nothing there that it does not do here."""
    row = np.broadcast_to(np.asarray(values), (lanes,)) if np.ndim(values) == 0 else np.asarray(values)
    row = np.ascontiguousarray(row, dtype)
    return row if len(row) == length else np.pad(row, (0, length - len(row)), mode="edge")


def _sized(data: bytes) -> Array:
    """Bytes after their number."""
    return np.frombuffer(len(data).to_bytes(_SIZE_BYTES, "little") + data, np.uint8)


def _addresses(arrays: Sequence[Array | None]) -> Array:
    return np.array([0 if array is None else array.ctypes.data for array in arrays], dtype=np.int64)
