"""Places for constants: uniforms get registers of their own in declared order, literals share what is left.

A `Use` of a `Uniform` or a `Literal32` becomes one of a physical register.  All lanes of a use must come from
one register, so literals are packed by component: a use with few different numbers goes where most of
them are already, and swizzles do the rest.  Where sources can be negated, a number serves its negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from math import copysign

from glslc_multi.compiler.codegen.interface import first_numbers, register_count, rows_or_columns
from glslc_multi.compiler.codegen.machine import Literal32, MachineFunction, Uniform, Use
from glslc_multi.compiler.codegen.registers import Register, RegisterFile
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass, field

#: What there is too little of, where the table ends beyond the file.
CONSTANT_REGISTERS = "constant registers"


@dataclass(slots=True)
class ConstantTable:
    """What the registers of a constant file hold."""

    file: RegisterFile
    #: First register of each uniform.
    uniforms: dict[Variable, int] = field(default_factory=dict)
    #: Literal registers: index -> a number for each component; None where the component is free, or not a literal's.
    literals: dict[int, list[float | None]] = field(default_factory=dict)

    @property
    def used(self) -> int:
        """How many registers hold something."""
        taken = {index for variable in self.uniforms for index in self.registers_of(variable)}
        return len(taken | self.literals.keys())

    @property
    def bound(self) -> int:
        """One more than the highest register in use."""
        ends = [self.registers_of(variable).stop for variable in self.uniforms]
        return max([0, *ends, *(index + 1 for index in self.literals)])

    def registers_of(self, variable: Variable) -> range:
        first = self.uniforms[variable]
        return range(first, first + register_count(variable))


def place_uniforms(variables: Iterable[Variable], file: RegisterFile) -> ConstantTable:
    """Return registers for uniforms, the pinned ones first, and the numbers of those that have some.

    Nothing checks the end of the file: a caller that gets a `bound` beyond it reports the limit.
    """
    table = ConstantTable(file, first_numbers(sorted(variables, key=lambda variable: variable.location is None)))
    for variable, first in table.uniforms.items():
        for element, numbers in variable.contents.items():
            held = [None if number is None else float(number) for number in numbers]
            table.literals[first + element] = held + [None] * (file.components - len(held))
    return table


@step("assign constants")
def assign_constants(
    function: MachineFunction,
    table: ConstantTable,
    *,
    negate: bool = False,
    free: Iterable[int] | None = None,
    shared: Mapping[int, tuple[int, ...]] | None = None,
) -> None:
    """Give every symbolic constant of `function` its register, adding literals to `table`.

    `free` are the registers that literals may take, best first (default: those after the uniforms); `shared` are
    components that uniforms leave over, which literals use first where given.  As with uniforms, a `bound` beyond the
    file is for the caller to report.
    """
    for use in _uses(function):
        if isinstance(use.register, Uniform):
            uniform = use.register
            use.register = table.file[
                table.uniforms[uniform.variable] + uniform.offset * rows_or_columns(uniform.variable) + uniform.column
            ]
    packer = _Packer(table, negate, free, shared or {})
    literal_uses: dict[_Need, list[Use]] = {}
    for use in _uses(function):
        if isinstance(use.register, Literal32):
            literal_uses.setdefault(_needs(use), []).append(use)
    packer.pack(literal_uses)
    for need, uses in literal_uses.items():
        packer.rewrite(need, uses)


def _uses(function: MachineFunction) -> Iterator[Use]:
    for instruction in function.instructions():
        yield from instruction.all_uses()


#: A number as a key: zeros of different sign are different numbers.
_Key = tuple[float, float]


def _key(value: float) -> _Key:
    return (float(value), copysign(1.0, value))


def _opposite(key: _Key) -> _Key:
    return (-key[0], -key[1])


def _lane_values(use: Use) -> list[float | None]:
    """The number that each lane of a literal use reads."""
    assert isinstance(use.register, Literal32)
    values = use.register.values
    wanted = [None if lane is None else values[lane] for lane in use.lanes]
    return [None if value is None else float(value) for value in wanted]


#: The different numbers of a use, in the order of its lanes.
_Need = tuple[_Key, ...]


def _needs(use: Use) -> _Need:
    return tuple(dict.fromkeys(_key(value) for value in _lane_values(use) if value is not None))


class _Packer:
    """Literals going to registers."""

    def __init__(
        self,
        table: ConstantTable,
        negate: bool,
        free: Iterable[int] | None,
        shared: Mapping[int, tuple[int, ...]],
    ) -> None:
        self.table = table
        self.negate = negate
        end = max(table.bound, table.file.count)
        # After the end of the file there is always room, which a caller sees by `bound`.
        self.free = chain(range(table.bound, end) if free is None else free, count(end))
        #: Register -> how many were used before it.
        self.order: dict[int, int] = {}
        #: Register -> number -> its component.
        self.places: dict[int, dict[_Key, int]] = {}
        #: Number -> the registers that have it, in the order in which they got it.
        self.holders: dict[_Key, list[int]] = {}
        #: Register -> components without a number; only registers that have some.
        self.room: dict[int, list[int]] = {}
        for index, components in shared.items():
            self._open(index, list(components))

    def pack(self, needs: Iterable[_Need]) -> None:
        """Put all numbers of each need into one register; the large needs come first."""
        for need in sorted(needs, key=lambda need: -len(need)):
            if need and self._register_of(need) is None:
                self._add(need)

    def rewrite(self, need: _Need, uses: Iterable[Use]) -> None:
        """Make literal uses ones of the register that has all their numbers."""
        register = self._register_of(need)
        # Where nobody cares for any lane, any register will do.
        index, negated = register or (0, False)
        places = {} if register is None else self.places[index]
        components = {_opposite(key) if negated else key: component for key, component in places.items()}
        for use in uses:
            lanes = [None if value is None else components[_key(value)] for value in _lane_values(use)]
            use.register, use.lanes, use.negate = self.table.file[index], tuple(lanes), use.negate != negated

    def _register_of(self, need: _Need) -> tuple[int, bool] | None:
        """A register that has all of `need`, or all of it negated."""
        if not need:
            return None
        for negated in (False, True) if self.negate else (False,):
            wanted = [_opposite(key) for key in need] if negated else need
            holders = [self.holders.get(key, []) for key in wanted]
            registers = set(holders[0]).intersection(*holders[1:])
            if registers:
                return min(registers, key=self.order.__getitem__), negated
        return None

    def _add(self, need: _Need) -> None:
        missing = {index: [key for key in need if key not in self.places[index]] for index in self.room}
        fitting = [index for index, keys in missing.items() if len(keys) <= len(self.room[index])]
        if fitting:
            # Where the fewest new numbers are needed, and then where the least room is left over.
            index = min(fitting, key=lambda i: (len(missing[i]), len(self.room[i])))
        else:
            index = next(self.free)
            self._open(index, list(range(self.table.file.components)))
        for key in missing.get(index, need):
            component = self.room[index].pop(0)
            self.places[index][key] = component
            self.holders.setdefault(key, []).append(index)
            self.table.literals[index][component] = key[0]
        if not self.room[index]:
            del self.room[index]

    def _open(self, index: int, room: list[int]) -> None:
        self.order[index] = len(self.order)
        self.places[index] = {}
        if room:
            self.room[index] = room
        self.table.literals.setdefault(index, [None] * self.table.file.components)


# --- Limits -----------------------------------------------------------------------------------------------------------


def report_constant_limit(
    table: ConstantTable, limit: int, target: str, sink: DiagnosticSink, code: MachineFunction
) -> None:
    """Report where the table of `code`, with its numbers, goes beyond `limit`."""
    need = table.bound
    if need <= limit:
        return
    last = next((variable for variable in table.uniforms if table.registers_of(variable).stop > limit), None)
    span = last.span if last is not None else _first_beyond(code, table, limit)
    Limit(target, CONSTANT_REGISTERS, limit, _help(table, need - limit)).report(need, span, sink)


def _first_beyond(code: MachineFunction, table: ConstantTable, limit: int) -> Span | None:
    """Find the place of the first instruction that reads a register beyond the limit."""
    for instruction in code.instructions():
        registers = (use.register for use in instruction.all_uses())
        beyond = (r for r in registers if isinstance(r, Register) and r.file is table.file and r.index >= limit)
        if next(beyond, None) is not None and instruction.span is not None:
            return instruction.span
    return None


def _help(table: ConstantTable, excess: int) -> str:
    numbers = table.used - sum(map(register_count, table.uniforms))
    if numbers > table.used // 2:
        return f"{numbers} registers hold numbers of the shader: use fewer different ones"
    arrays: dict[str, list[Variable]] = {}
    for variable in table.uniforms:
        # An array of structures is one variable for each member.
        arrays.setdefault(variable.name.partition("[]")[0], []).append(variable)
    sizes = {name: sum(map(register_count, leaves)) for name, leaves in arrays.items()}
    name = max(sizes, key=sizes.__getitem__)
    leaves = arrays[name]
    (length,) = {variable.dims[0] if variable.is_array else 1 for variable in leaves}
    fitting = length - -(-excess * length // sizes[name])
    # Uniforms that are pinned stay where they are.
    if fitting > 0 and all(variable.location is None for variable in table.uniforms):
        return f"'{name}' may have {fitting} elements at most"
    return "use smaller arrays of uniforms, or put several values into one vec4"
