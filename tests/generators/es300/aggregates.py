"""Random shaders in GLSL ES 3.00 on arrays and structs as values: `python -m tests.generated --kind aggregates`.

Structs hold arrays and other structs.  Both are assigned, compared, passed, returned and changed in parts, inside of
loops and switches (`flow.py`).  A member has a range as variables have one (`integers.py`), so that any two values
of a type can be exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from glslc_multi.compiler.records import dataclass
from tests.generators.es300.flow import FlowWriter
from tests.generators.es300.integers import Vector, float_type
from tests.generators.es300.whole_expressions import Whole, type_of
from tests.generators.glsl import Program, Stage


@dataclass(frozen=True, slots=True)
class Plain:
    """A scalar or vector: of whole numbers with their range, or of floats."""

    kind: str
    width: int
    low: int = -4
    high: int = 4

    @property
    def name(self) -> str:
        return float_type(self.width) if self.kind == "float" else type_of(self.kind, self.width)


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct with the types of its members."""

    name: str
    members: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class Array:
    """An array."""

    element: Plain | Struct
    length: int

    @property
    def name(self) -> str:
        return f"{self.element.name}[{self.length}]"


Type = Plain | Struct | Array
#: How many parts of arrays and structs enter the results.
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Thing:
    """A variable that is no scalar and no vector, or such a part of one."""

    text: str
    type: Type
    is_written: bool = True


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a value and a number."""

    name: str
    takes: Type
    #: None where it changes what it takes.
    returns: Type | None


def generate_aggregates(random: Random, stage: Stage, statements: int) -> Program:
    """A shader of so many statements, beside what declares types, functions and variables."""
    return AggregateWriter(random, stage, statements).program()


class AggregateWriter(FlowWriter):
    """Writes statements with such values among them."""

    def __init__(self, random: Random, stage: Stage, statements: int) -> None:
        super().__init__(random, stage, statements)
        self.types: list[Type] = []
        self.things: list[Thing] = []
        self.functions: list[Function] = []
        #: Of the function around the current statement.
        self.returned: Type | None = None
        self.given: dict[str, Any] = {}
        self.kinds += [self._assign_thing] * 5 + [self._compare] * 2 + [self._call] * 4 + [self._each] * 2
        self.kinds += [self._declare_thing]

    @property
    def scopes(self) -> tuple[list[Any], ...]:
        return (*super().scopes, self.things)

    def _begin(self) -> None:
        super()._begin()
        self._types()
        self._uniform()
        for _ in range(self.random.randint(1, 3)):
            self._function()
        for _ in range(self.random.randint(2, 3)):
            self._declare_thing()

    def _uniforms(self) -> dict[str, Any]:
        return {**super()._uniforms(), **self.given}

    def _finish(self) -> None:
        """Of arrays and structs some parts, at all places."""
        parts = [
            part
            for thing in self.things
            if thing.text.isidentifier()
            for part in self._plain_parts(thing.text, thing.type)
        ]
        for part in self.random.sample(parts, min(len(parts), _SHOWN)):
            self._add_plain(*part)
        super()._finish()

    # types -----------------------------------------------------------------------------------
    def _types(self) -> None:
        for number in range(self.random.randint(1, 3)):
            members = [self._member() for _ in range(self.random.randint(1, 3))]
            struct = Struct(f"S{number}", tuple((f"m{place}", type_) for place, type_ in enumerate(members)))
            fields = " ".join(f"{type_.name} {name};" for name, type_ in struct.members)
            self.globals.append(f"struct {struct.name} {{ {fields} }};")
            self.types.append(struct)
        for _ in range(self.random.randint(1, 2)):
            self.types.append(self._array())

    def _member(self) -> Type:
        inner = [type_ for type_ in self.types if isinstance(type_, Struct)]
        if inner and self.random.random() < 0.5:
            chosen = self.random.choice(inner)
            return Array(chosen, 2) if self.random.random() < 0.2 else chosen
        return self._array() if self.random.random() < 0.4 else self._plain()

    def _array(self) -> Array:
        structs = [type_ for type_ in self.types if isinstance(type_, Struct)]
        if structs and self.random.random() < 0.4:
            return Array(self.random.choice(structs), 2)
        return Array(self._plain(), self.random.choice((2, 2, 3, 4)))

    def _plain(self) -> Plain:
        kind, width = self.random.choice(("int", "uint", "float")), self.random.randint(1, 4)
        return Plain(kind, width) if kind == "float" else Plain(kind, width, *self.range_of(kind))

    def _parts(self, text: str, type_: Type) -> Iterator[tuple[str, Type]]:
        """It, and what is in it; of an array at one place."""
        yield text, type_
        if isinstance(type_, Struct):
            for name, member in type_.members:
                yield from self._parts(f"{text}.{name}", member)
        elif isinstance(type_, Array):
            yield from self._parts(f"{text}[{self.index(type_.length)}]", type_.element)

    def _plain_parts(self, text: str, type_: Type) -> Iterator[tuple[str, Plain]]:
        """All scalars and vectors in it."""
        if isinstance(type_, Plain):
            yield text, type_
        elif isinstance(type_, Struct):
            for name, member in type_.members:
                yield from self._plain_parts(f"{text}.{name}", member)
        else:
            for index in range(type_.length):
                yield from self._plain_parts(f"{text}[{index}]", type_.element)

    def _add_thing(self, text: str, type_: Type) -> None:
        for part, of in self._parts(text, type_):
            if isinstance(of, Plain):
                self._add_plain(part, of)
            else:
                self.things.append(Thing(part, of))

    def _add_plain(self, text: str, plain: Plain) -> None:
        if plain.kind == "float":
            self.add_vector(Vector(text, plain.width))
        else:
            self.add(Whole(text, plain.kind, plain.width, plain.low, plain.high))

    def _uniform(self) -> None:
        """One of a type, with its values; what code knows of its ranges is what it copies."""
        if self.random.random() < 0.5:
            return
        type_ = self.random.choice(self.types)
        self.globals.append(f"uniform {type_.name} h;")
        self._give("h", type_)
        self.things.append(Thing("h", type_, is_written=False))

    def _give(self, name: str, type_: Type) -> None:
        if isinstance(type_, Struct):
            for member, of in type_.members:
                self._give(f"{name}.{member}", of)
        elif isinstance(type_, Array) and isinstance(type_.element, Struct):
            for index in range(type_.length):
                self._give(f"{name}[{index}]", type_.element)
        elif isinstance(type_, Array):
            self.given[name] = [self._number(type_.element) for _ in range(type_.length)]
        else:
            self.given[name] = self._number(type_)

    def _number(self, plain: Plain | Struct) -> Any:
        assert isinstance(plain, Plain)
        scale = 4 if plain.kind == "float" else 1
        numbers = [self.random.randint(plain.low * scale, plain.high * scale) for _ in range(plain.width)]
        shown = [number / 4 if scale == 4 else number for number in numbers]
        return shown[0] if plain.width == 1 else shown

    # values ----------------------------------------------------------------------------------
    def _value_of(self, type_: Type, depth: int = 1) -> str:
        """A value: a constructor, a variable, or what a function returns."""
        if isinstance(type_, Plain):
            if type_.kind == "float":
                return self.float_value(type_.width)
            made = self.whole.make(type_.kind, type_.width, depth)
            return self.whole.fitted(made, type_.low, type_.high).text
        known = [thing.text for thing in self.things if thing.type == type_]
        if known and self.random.random() < 0.6:
            return self.random.choice(known)
        calls = [function for function in self.functions if function.returns == type_]
        if calls and depth > 0 and self.random.random() < 0.5:
            return self._called(self.random.choice(calls))
        if isinstance(type_, Struct):
            parts = [self._value_of(member, 0) for _, member in type_.members]
            return f"{type_.name}({', '.join(parts)})"
        parts = [self._value_of(type_.element, 0) for _ in range(type_.length)]
        return f"{self.random.choice((type_.name, f'{type_.element.name}[]'))}({', '.join(parts)})"

    def _called(self, function: Function) -> str:
        return f"{function.name}({self._value_of(function.takes, 0)}, {self._value_of(_COUNT, 1)})"

    # functions -------------------------------------------------------------------------------
    def _function(self) -> None:
        """It sees nothing of `main`; it may leave early."""
        kept = [list(scope) for scope in self.scopes], self.lines, self.depth
        for scope in self.scopes:
            scope.clear()
        self.lines, self.depth = [], 1
        ends, self.ends = self.ends, [] if self.random.random() < 0.7 else ["discard"] * (self.stage == "fragment")
        takes = self.random.choice(self.types)
        returns = self.random.choice((None, takes, self.random.choice(self.types)))
        name = self.fresh("g")
        self._add_thing("x", takes)
        self.add(Whole("m", "int", 1, _COUNT.low, _COUNT.high))
        self.floats.append(Vector("q", 4))
        self._declare()
        self._declare_floats(2)
        self.returned = returns
        if returns is None:
            self.ends = [*self.ends, "return"]
        if returns is not None and returns != takes:
            self._declare_thing(returns)
        self.some(3)
        if returns is not None:
            self.lines.append(f"return {self._value_of(returns)};")
        self.returned = None
        way = "inout " if returns is None else self.random.choice(("", "in "))
        head = f"{'void' if returns is None else returns.name} {name}({way}{takes.name} x, int m)"
        self.globals += [f"{head} {{", *self.lines, "}"]
        self.ends = ends
        scopes, self.lines, self.depth = kept
        for scope, values in zip(self.scopes, scopes, strict=True):
            scope[:] = values
        self.functions.append(Function(name, takes, returns))

    def _leave(self) -> None:
        if self.returned is not None and self.random.random() < 0.5:
            self.lines.append(f"if ({self.condition()}) return {self._value_of(self.returned)};")
            return
        super()._leave()

    # statements ------------------------------------------------------------------------------
    def _declare_thing(self, type_: Type | None = None) -> None:
        chosen = type_ or self.random.choice(self.types)
        name = self.fresh("o")
        declared = f"{chosen.name} {name}"
        if isinstance(chosen, Array) and self.random.random() < 0.5:
            declared = f"{chosen.element.name} {name}[{chosen.length}]"
        self.lines.append(f"{declared} = {self._value_of(chosen)};")
        self._add_thing(name, chosen)

    def _written_thing(self) -> Thing | None:
        written = [thing for thing in self.things if thing.is_written]
        return self.random.choice(written) if written else None

    def _assign_thing(self) -> None:
        thing = self._written_thing()
        if thing is None:
            return self._assign()
        self.lines.append(f"{thing.text} = {self._value_of(thing.type)};")
        return None

    def _compare(self) -> None:
        if not self.things:
            return self._truth()
        thing, relation = self.random.choice(self.things), self.random.choice(("==", "==", "!="))
        return self._name_truth(f"{thing.text} {relation} {self._value_of(thing.type)}")

    def _call(self) -> None:
        """A function that changes a variable, or returns a new one."""
        if not self.functions:
            return self._assign_thing()
        function = self.random.choice(self.functions)
        if function.returns is not None:
            name = self.fresh("o")
            self.lines.append(f"{function.returns.name} {name} = {self._called(function)};")
            return self._add_thing(name, function.returns)
        fitting = [thing for thing in self.things if thing.type == function.takes and thing.is_written]
        if not fitting:
            return self._declare_thing(function.takes)
        self.lines.append(f"{function.name}({self.random.choice(fitting).text}, {self._value_of(_COUNT, 1)});")
        return None

    def _each(self) -> None:
        """All elements of an array get new values, of which some may be those before."""
        arrays = [thing for thing in self.things if isinstance(thing.type, Array) and thing.is_written]
        if not arrays or self.depth >= self.deepest:
            return self._assign_thing()
        array = self.random.choice(arrays)
        assert isinstance(array.type, Array)
        counter = self.fresh("c")
        leaf = Whole(counter, "int", 1, 0, array.type.length - 1)
        with self.block(f"for (int {counter} = 0; {counter} < {array.text}.length(); {counter}++) {{"):
            self.leaves += [leaf, leaf]
            self._add_thing(f"{array.text}[{counter}]", array.type.element)
            self.lines.append(f"{array.text}[{counter}] = {self._value_of(array.type.element)};")
            if self.random.random() < 0.4:
                self.statement()
        return None


#: What functions take beside a value.
_COUNT = Plain("int", 1, 0, 7)
