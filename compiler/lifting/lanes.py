"""The engine that lifts: lanes whose numbers are values of the IR.

The fourth one beside the interpreter, the translator (`compiler/execution`) and the proof.  Registers are local
variables, which the passes turn into values; what comes from outside is read once, where the shader begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from glslc_multi.compiler.diagnostics.span import SourceFile, Span
from glslc_multi.compiler.execution.machine_code import Given, MachineCode, Slot
from glslc_multi.compiler.execution.program import RIGHT, Element, Key, Lanes, Named, Word
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant, float_constant, int_constant
from glslc_multi.compiler.ir.module import Constant, Function, Value
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, Type, vector
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.lifting.addresses import sum_of
from glslc_multi.compiler.lifting.cubes import Compute, Cubes
from glslc_multi.compiler.lifting.fetches import Fetches
from glslc_multi.compiler.lifting.interface import Interface
from glslc_multi.compiler.lifting.joining import join
from glslc_multi.compiler.lifting.operations import LiftedOperations, Unliftable
from glslc_multi.compiler.lifting.results import write_results

_TYPES: dict[Element, Type] = {"float": FLOAT, "double": FLOAT, "i1": BOOL, "i32": INT, "i64": INT}
_ZEROS: dict[Type, Constant] = {FLOAT: float_constant(0.0), BOOL: bool_constant(False), INT: int_constant(0)}


#: Where what is lifted comes from: a word is a line.
_WORDS = SourceFile("words")
_ELEMENTS: dict[str, Element] = {"float": "float", "bool": "i1", "int": "i32"}
#: Names of components: letters of places or colours, or numbers.
_COMPONENTS = {
    spelling: n for n, letters in enumerate(zip(COMPONENTS, "rgba", "0123", strict=True)) for spelling in letters
}
#: Words of a register.
_REGISTER = len(COMPONENTS)


class LiftedLanes(Lanes):
    """One lane, under construction."""

    operations: LiftedOperations
    mask: Value | None

    def __init__(
        self, code: MachineCode, interface: Interface, function: Function, builder: Builder, *, is_exact: bool
    ) -> None:
        """What is made where a place is run, `builder` makes; the first block of `function` reads what is given."""
        self.operations = LiftedOperations(builder, is_exact=is_exact)
        self._is_exact = is_exact
        self._code = code
        self._interface = interface
        self._function = function
        self._builder = builder
        self._entry = Builder(function.entry)
        self._at_entry = LiftedOperations(self._entry, self.operations.origins)
        self._variables: dict[str, Variable] = {}
        #: Name of a component -> its register, and its number there.
        self._names: dict[str, tuple[Variable, int]] = {}
        #: What the instruction that is run has written so far.
        self._written: dict[Variable, dict[int, Value]] = {}
        #: The first number that it has given.
        self._since = 0
        self.outputs: dict[Key, Value] = {}
        #: The word that runs, where words are counted.
        self._word = 0
        self.fetches = Fetches(function.module)
        self.cubes = Cubes(builder)
        self._compute_direction: Compute | None = None

    # --- Variables ----------------------------------------------------------------------------------------------------

    def read(self, name: str, element: Element = "float", given: Key = None) -> Value:
        register, component = self._register(name, _TYPES[element], given)
        if component in self._written.get(register, {}):
            return self._written[register][component]
        return self._builder.extract(self._builder.load(register), component)

    def write(self, name: str, value: Value, where: Value | None = None, given: Key = None) -> None:
        register, component = self._register(name, value.type, given)
        value = self._as_type(value, register.type.scalar)
        chosen = self.both(self.mask, where)
        if chosen is not None:
            value = self.operations.select(chosen, value, self.read(name, _ELEMENTS[register.type.kind], given))
        self._written.setdefault(register, {})[component] = value

    def begin(self, word: int) -> None:
        """Note which word of the program runs next."""
        self._word = word
        self._builder.span = Span(_WORDS, word + 1, 1, word + 1, 1)

    def end_instruction(self) -> None:
        """Let registers have what an instruction has written: components are written together."""
        b = self._builder
        for register, values in self._written.items():
            vector = join(tuple(values.values()), b, self._since)
            if len(values) < register.type.width:
                old = b.load(register)
                new = {component: b.extract(vector, number) for number, component in enumerate(values)}
                vector = b.construct(*(new.get(n) or b.extract(old, n) for n in range(register.type.width)))
            elif vector.type.width > 1:
                vector = b.swizzle(vector, [list(values).index(n) for n in range(register.type.width)])
            b.store(register, vector)
        self._written.clear()
        self._since = self._function.id_bound
        if b.span is not None:
            self.begin(self._word + 1)

    def limited(self, number: Value, low: int, high: int) -> Value:
        return super().limited(number, low, high) if self._is_exact else number

    def is_inside(self, address: Value, size: int) -> Value:
        return super().is_inside(address, size) if self._is_exact else bool_constant(True)

    def _register(self, name: str, type: Type, given: Key) -> tuple[Variable, int]:
        """The variable of a register, and which component of it a name means.

        Floats whose names end in a component are parts of a vector.  The first block gives it what it begins with.
        """
        if name not in self._names:
            whole, dot, letter = name.rpartition(".")
            component = _COMPONENTS.get(letter, -1) if dot and type is FLOAT else -1
            key = whole if component >= 0 else name
            if key not in self._variables:
                variable = Variable(
                    f"register.{key}", "local", vector("float", self._code.width) if component >= 0 else type
                )
                self._variables[key] = self._function.add_variable(variable)
                self._entry.store(variable, Constant.splat(variable.type, _ZEROS[type].components[0]))
            register, component = self._variables[key], max(component, 0)
            self._names[name] = register, component
            if given is not None:
                element = _ELEMENTS[type.kind]
                start = self.constant(given.number, element) if isinstance(given, Word) else self.input(given, element)
                if register.type.width > 1:
                    start = self._entry.insert(self._entry.load(register), start, component)
                self._entry.store(register, start)
        return self._names[name]

    def _as_type(self, value: Value, type: Type) -> Value:
        """A register's content in the type that a program reads."""
        if value.type is type:
            return value
        return self.operations.op(ops.BITCAST_FTOI if type is INT else ops.BITCAST_ITOF, value)

    # --- Values from outside ------------------------------------------------------------------------------------------

    def input(self, key: Key, element: Element = "float") -> Value:
        return self._in(self._given(self._code.input(key), is_constant=False), element)

    def constant(self, index: int, element: Element = "float") -> Value:
        return self._in(self._given(self._code.constant(index), is_constant=True), element)

    def _given(self, given: Given, is_constant: bool) -> Value | float | None:
        """What stands outside."""
        if isinstance(given, Slot):
            passed = self._code.passed.get(given)
            if passed is None:
                return self._interface.read(given, is_constant)
            given = passed
        return given(self._at_entry, self._interface.read) if callable(given) else given

    def _in(self, value: Value | float | None, element: Element) -> Value:
        """What stands outside in the type that a program reads; what nothing stands in is 0."""
        type = _TYPES[element]
        if value is None:
            return _ZEROS[type]
        if not isinstance(value, Value):
            return float_constant(value) if type is FLOAT else int_constant(int(value))
        if value.type is type:
            return value
        return self._at_entry.op(ops.ITOF if type is FLOAT else ops.BITCAST_FTOI, value)

    def constant_at(self, index: Value, element: Element = "float") -> Value:
        word = sum_of(index)
        if not word.factors:
            return self.constant(word.number, element)
        start = self._code.constant(word.number)
        if not isinstance(start, Slot):
            raise Unliftable("constants of the program are read by a computed address")
        registers = word._replace(number=0).divided(_REGISTER)
        if registers is None:
            raise Unliftable("components are counted")
        return self._interface.element(start, registers, self._builder)

    def element(self, key: Key, address: Value, count: int, read: Callable[[], Sequence[Value]]) -> Sequence[Value]:
        vertex = self._builder.load(self.fetches.buffer(key), address)
        return [self._builder.extract(vertex, component) for component in range(count)]

    def size(self, key: Key) -> Value:
        raise Unliftable("bytes of a buffer are read")

    def load(self, key: Key, address: Value, element: Element) -> Value:
        if isinstance(key, Named):
            # A real number stands behind the one of an element until it is known what that is.
            number = self.operations.op(ops.FTOI, address) if address.type is FLOAT else address
            return self._builder.load(self._interface.memory(key.name), number)
        return self._in(self.fetches.word(key, address, self._builder), element)

    def lane_numbers(self) -> Value:
        return self.operations.lane_number()

    # --- Values to the outside ----------------------------------------------------------------------------------------

    def output(self, key: Key, value: Value, element: Element = "float") -> None:
        self.outputs[key] = value

    def emit(self, outputs: Mapping[Key, Value]) -> None:
        write_results(self._code, outputs, self._interface, self._builder)
        self._builder.op(ops.EMIT_VERTEX)

    def end_strip(self) -> None:
        self._builder.op(ops.END_PRIMITIVE)

    def append(self, key: Key, value: Value, number: Value, where: Value, element: Element = "float") -> None:
        raise Unliftable("vertices are emitted")

    # --- All lanes ----------------------------------------------------------------------------------------------------

    def any(self, mask: Value) -> Value:
        return mask

    def negated(self, condition: Value) -> Value:
        return self.operations.op(ops.NOT, condition)

    def either(
        self, condition: Value, then: Callable[[], Sequence[Value]], otherwise: Callable[[], Sequence[Value]]
    ) -> Sequence[Value]:
        if isinstance(condition, Constant):
            return then() if condition.components[0] else otherwise()
        return [self.operations.select(condition, x, y) for x, y in zip(then(), otherwise(), strict=True)]

    def known(self, value: Value) -> int | None:
        return int(value.components[0] or 0) if isinstance(value, Constant) else None

    # --- Textures -----------------------------------------------------------------------------------------------------

    def face_of(self, direction: Sequence[Value], compute: Compute) -> Sequence[Value]:
        return self.cubes.face_of(direction, compute)

    def direction_of(self, point: Sequence[Value], compute: Compute) -> Sequence[Value]:
        self._compute_direction = compute
        return point

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
        b = self._builder
        sampler, element = self._interface.sampler(self._code.sampler(texture), is_cube)
        point = b.construct(*coordinate)
        is_plain = isinstance(level, Constant) and not level.components[0]
        if steps:
            if not is_plain:
                raise Unliftable("gradients and a level of detail together")
            count = len(coordinate)
            right, up = b.construct(*steps[:count]), b.construct(*steps[count:])
            colour = b.texture(sampler, point, right, up, mode="grad", index=element)
        elif not by_steps:
            colour = b.texture(sampler, point, level, mode="lod", index=element)
        elif is_plain:
            colour = b.texture(sampler, point, index=element)
        else:
            colour = b.texture(sampler, point, level, mode="bias", index=element)
        if is_cube and self._compute_direction is not None:
            self.cubes.look_up(colour, self._compute_direction)
        return [b.extract(colour, component) for component in range(4)]

    def step(self, x: Value, direction: int) -> Value:
        step = self._builder.op(ops.DDX if direction == RIGHT else ops.DDY, x)
        is_turned = self._code.rows_down and direction != RIGHT
        return self.operations.fneg(step) if is_turned else step

    # --- Mistakes -----------------------------------------------------------------------------------------------------

    def require(self, mask: Value, reason: str) -> None:
        pass

    def fault(self, reason: str) -> NoReturn:
        raise Unliftable(reason)
