"""The engine that lifts: lanes whose numbers are values of the IR.

The fourth one beside the interpreter, the translator (`compiler/execution`) and the proof.  Registers are local
variables, which the passes turn into values; what comes from outside is read once, where the shader begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from glslc_multi.compiler.execution.machine_code import Given, MachineCode, Slot
from glslc_multi.compiler.execution.program import RIGHT, Element, Key, Lanes, Word
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant, float_constant, int_constant
from glslc_multi.compiler.ir.module import Constant, Function, Value
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, Type
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.lifting.addresses import sum_of
from glslc_multi.compiler.lifting.fetches import Fetches
from glslc_multi.compiler.lifting.interface import Interface
from glslc_multi.compiler.lifting.operations import LiftedOperations, Unliftable

_TYPES: dict[Element, Type] = {"float": FLOAT, "double": FLOAT, "i1": BOOL, "i32": INT, "i64": INT}
_ZEROS: dict[Type, Constant] = {FLOAT: float_constant(0.0), BOOL: bool_constant(False), INT: int_constant(0)}


#: Words of a register.
_REGISTER = len(COMPONENTS)


class LiftedLanes(Lanes):
    """One lane, under construction."""

    operations: LiftedOperations
    mask: Value | None

    def __init__(self, code: MachineCode, interface: Interface, function: Function, builder: Builder) -> None:
        """What is made where a place is run, `builder` makes; the first block of `function` reads what is given."""
        self.operations = LiftedOperations(builder)
        self._code = code
        self._interface = interface
        self._function = function
        self._builder = builder
        self._entry = Builder(function.entry)
        self._variables: dict[str, Variable] = {}
        self.outputs: dict[Key, Value] = {}
        self.fetches = Fetches(function.module)

    # --- Variables ----------------------------------------------------------------------------------------------------

    def read(self, name: str, element: Element = "float", given: Key = None) -> Value:
        return self._builder.load(self._variable(name, _TYPES[element], given))

    def write(self, name: str, value: Value, where: Value | None = None, given: Key = None) -> None:
        variable = self._variable(name, value.type, given)
        value = self._as_type(value, variable.type)
        chosen = self.both(self.mask, where)
        if chosen is not None:
            value = self.operations.select(chosen, value, self._builder.load(variable))
        self._builder.store(variable, value)

    def _variable(self, name: str, type: Type, given: Key) -> Variable:
        """The variable of a register; the first block gives it what it begins with."""
        if name not in self._variables:
            variable = self._function.add_variable(Variable(f"register.{name}", "local", type))
            self._variables[name] = variable
            element: Element = "float" if type is FLOAT else "i32"
            if given is None:
                start: Value = _ZEROS[type]
            elif isinstance(given, Word):
                start = self.constant(given.number, element)
            else:
                start = self.input(given, element)
            self._entry.store(variable, start)
        return self._variables[name]

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
        return given(LiftedOperations(self._entry), self._interface.read) if callable(given) else given

    def _in(self, value: Value | float | None, element: Element) -> Value:
        """What stands outside in the type that a program reads; what nothing stands in is 0."""
        type = _TYPES[element]
        if value is None:
            return _ZEROS[type]
        if not isinstance(value, Value):
            return float_constant(value) if type is FLOAT else int_constant(int(value))
        if value.type is type:
            return value
        return LiftedOperations(self._entry).op(ops.ITOF if type is FLOAT else ops.BITCAST_FTOI, value)

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
        raise Unliftable("bytes of a buffer are read")

    def lane_numbers(self) -> Value:
        raise Unliftable("the number of a lane is read")

    # --- Values to the outside ----------------------------------------------------------------------------------------

    def output(self, key: Key, value: Value, element: Element = "float") -> None:
        self.outputs[key] = value

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
