"""Rows of numbers and uniforms get registers: C1 to C7, set once in the constants block, else temporaries.

In: machine code that reads `Literal32` rows and `Uniform`s.  Out: the same on registers, and the instructions of
the constants block.  Rows are shared where one serves two uses, since some of its lanes may be of no use.  The
rows that are read most often are kept in C1 to C7; one of the others is made in the shader, before its only use
or, for several uses and those in loops, in the entry block.

A row takes at most three words: `SETX`, `SETY`, `SETZ`; fewer where a number fills it, or where it is near to 0, 1 or
-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from glslc_multi.backends.theia.codegen.abi import Interface
from glslc_multi.backends.theia.codegen.machine_ops import FILE, FRESH, OPS, ROW, SETS, ZERO
from glslc_multi.backends.theia.codegen.rows.layout import Patch, element_rows
from glslc_multi.backends.theia.isa.conventions import DEPTH
from glslc_multi.backends.theia.isa.instructions import SWIZZLES
from glslc_multi.backends.theia.isa.numbers import ONE, WORD_MASK, pattern_of
from glslc_multi.compiler.codegen.machine import (
    Def,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Uniform,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register, RegisterClass
from glslc_multi.compiler.records import dataclass, field

_XXX = SWIZZLES.index("XXX")
#: How often a loop is assumed to run.
_ROUNDS = 8
#: Patterns of the lanes; None where any does.
Numbers = tuple[int | None, int | None, int | None]
_Key = Numbers | Uniform


@dataclass(slots=True)
class Constants:
    """What `assign_constants` yields besides the changed code."""

    #: The constants block without its end.
    block: list[MachineInstruction] = field(default_factory=list)
    #: How many of C1 to C7 are used.
    used: int = 0


class _Site(NamedTuple):
    """Where a row is read."""

    function: MachineFunction
    block: MachineBlock
    instruction: MachineInstruction
    use: Use


@dataclass(slots=True)
class _Row:
    """A row that something reads."""

    uses: list[_Site] = field(default_factory=list)
    #: The lanes that are read, a bit each.
    lanes: int = 0
    #: How often the shader reads it for a pixel, about, and how many instructions do.
    worth: tuple[int, int] = (0, 0)
    #: Whether a loop reads it.
    in_loop: bool = False

    def weigh(self, shader: MachineFunction, depths: Mapping[MachineBlock, int]) -> None:
        reads = sum(_ROUNDS ** depths.get(use.block, 0) for use in self.uses if use.function is shader)
        self.worth = reads, len(self.uses)
        self.in_loop = any(depths.get(use.block) for use in self.uses)


def numbers_of(literal: Literal32) -> Numbers:
    """The patterns of a row of numbers."""
    x, y, z = (None if value is None else pattern_of(float(value)) for value in literal.values)
    return x, y, z


def assign_constants(
    functions: Sequence[MachineFunction],
    interface: Interface,
    needs: Mapping[int, int],
    depths: Mapping[MachineBlock, int],
) -> Constants:
    """Give every symbolic constant of the functions, of which the last runs for each pixel, its register.

    `needs` has the lanes that uses need, by their identity, `depths` the number of loops around a block.
    """
    rows = _collect(functions, needs)
    for zeros in [key for key in rows if isinstance(key, tuple) and not any(key)]:
        _assign(rows.pop(zeros).uses, ZERO)
    for row in rows.values():
        row.weigh(functions[-1], depths)
    kept_registers = _registers_of(rows, interface)
    constants = Constants(used=len(kept_registers))
    if DEPTH in interface.inputs.values():
        constants.block += _number_row((0, ONE, None), FILE[DEPTH])
    for key, row in rows.items():
        if key in kept_registers:
            constants.block += _row_code(key, kept_registers[key], row)
            _assign(row.uses, kept_registers[key])
            continue
        for function in functions:
            own = [use for use in row.uses if use.function is function]
            if own:
                _make_in_line(function, key, _Row(own, row.lanes, in_loop=row.in_loop), interface.temporaries)
    kept = [_written(instruction) for instruction in constants.block]
    for function in functions:
        function.live_in.update(dict.fromkeys((*kept, *interface.results.values()), ROW))
    return constants


def _registers_of(rows: Mapping[_Key, _Row], interface: Interface) -> dict[_Key, Register]:
    """The rows that are kept in C1 to C7: pinned ones, and those that the shader reads most."""
    kept_registers: dict[_Key, Register] = {}
    for key in rows:
        if isinstance(key, Uniform) and key.variable in interface.pins:
            number = key.offset * len(element_rows(key.variable)) + key.column
            kept_registers[key] = FILE[interface.pins[key.variable] + number]
    others = sorted((key for key in rows if key not in kept_registers), key=lambda key: rows[key].worth, reverse=True)
    for index, key in zip(interface.free_constants, others, strict=False):
        kept_registers[key] = FILE[index]
    return kept_registers


def _written(instruction: MachineInstruction) -> Register:
    register = instruction.defs[0].register
    assert isinstance(register, Register)
    return register


# --------------------------------------------------------------------------------------------- collection
_ZEROS: Numbers = (0, 0, 0)


def _collect(functions: Sequence[MachineFunction], needs: Mapping[int, int]) -> dict[_Key, _Row]:
    """The rows that are read, those merged that one row can be."""
    rows: dict[_Key, _Row] = {}
    for site in _sites(functions):
        key = _key(site.use)
        if key is not None:
            row = rows.setdefault(key, _Row())
            row.uses.append(site)
            row.lanes |= needs[id(site.use)]
    literals = [key for key in rows if isinstance(key, tuple)]
    #: What is wanted -> the first row that has all of it.
    servers = dict.fromkeys(_parts(_ZEROS), _ZEROS)
    for key in sorted(literals, key=lambda key: key.count(None)):
        server = servers.get(key)
        if server is None:
            for part in _parts(key):
                servers.setdefault(part, key)
        elif server in rows and server != key:
            rows[server].uses += rows.pop(key).uses
    return rows


def _parts(row: Numbers) -> Iterator[Numbers]:
    """A row with any of its lanes left open."""
    x, y, z = ((None, number) for number in row)
    return product(x, y, z)


def _sites(functions: Sequence[MachineFunction]) -> Iterator[_Site]:
    for function in functions:
        for block in function.blocks:
            for instruction in block.instructions:
                for use in instruction.uses:
                    yield _Site(function, block, instruction, use)


def _key(use: Use) -> _Key | None:
    if isinstance(use.register, Uniform):
        return use.register
    return numbers_of(use.register) if isinstance(use.register, Literal32) else None


def _assign(uses: Iterable[_Site], register: Register | VirtualRegister) -> None:
    for site in uses:
        site.use.register, site.use.lanes = register, ROW


def _make_in_line(function: MachineFunction, key: _Key, row: _Row, temporaries: RegisterClass) -> None:
    """Make a row before its uses; instead of a copy, where that is its only use."""
    blocks = {site.block for site in row.uses}
    block, first = row.uses[0].block, row.uses[0].instruction
    if len(row.uses) == 1 and first.op.copy and not row.in_loop and isinstance(first.defs[0].register, VirtualRegister):
        at = block.instructions.index(first)
        block.instructions[at : at + 1] = _row_code(key, first.defs[0].register, row)
        return
    register = function.new_register(1, temporaries, span=first.span)
    _assign(row.uses, register)
    if blocks == {block} and not row.in_loop:
        at = min(block.instructions.index(site.instruction) for site in row.uses)
    else:
        block = function.entry
        at = next(number for number, instruction in enumerate(block.instructions) if instruction.op.terminator)
        users = [block.instructions.index(site.instruction) for site in row.uses if site.block is block]
        at = min([at, *users])
    block.instructions[at:at] = _row_code(key, register, row)


# ------------------------------------------------------------------------------------------------ making
def _row_code(key: _Key, register: Register | VirtualRegister, row: _Row) -> list[MachineInstruction]:
    """The instructions that make a row; they come from its uniform, or from where a number is first used."""
    if isinstance(key, Uniform):
        made, span = list(_uniform_row(key, register, row.lanes)), key.variable.span
    else:
        made, span = list(_number_row(key, register)), row.uses[0].instruction.span
    for instruction in made:
        instruction.span = span
    return made


def _uniform_row(uniform: Uniform, register: Register | VirtualRegister, lanes: int) -> Iterator[MachineInstruction]:
    """The row with zeros that the host replaces."""
    parts = element_rows(uniform.variable)[uniform.column]
    is_splat = parts[0] == parts[1] == parts[2] and lanes.bit_count() > 1
    read = [(lane, part) for lane, part in enumerate(parts) if part is not None and lanes >> lane & 1]
    wanted = [(0, parts[0])] if is_splat else read
    for number, (lane, part) in enumerate(wanted):
        assert part is not None
        patch = Patch(uniform.variable, uniform.offset, *part)
        yield _set(lane, 0, register, is_first=number == 0, patch=patch)
    if is_splat:
        yield _in_place("SWIZZLE3D", register, _XXX)


def _number_row(numbers: Numbers, register: Register | VirtualRegister) -> Iterator[MachineInstruction]:
    filled = (_Base((number,) * 3, "SETX", number) for number in numbers if number is not None)
    base = min((*_SIMPLE_BASES, *filled), key=lambda base: base.words + base.missing(numbers))
    yield from base.instructions(register)
    is_first = base.words == 0
    for lane, number in enumerate(numbers):
        if number is not None and number != base.lanes[lane]:
            yield _set(lane, number, register, is_first=is_first)
            is_first = False


@dataclass(frozen=True, slots=True)
class _Base:
    """What a row can start as."""

    lanes: Numbers
    #: An instruction on the row of zeros, or a number for all lanes, or nothing.
    name: str = ""
    splat: int | None = None

    @property
    def words(self) -> int:
        return 2 if self.splat is not None else int(bool(self.name))

    def missing(self, numbers: Numbers) -> int:
        return sum(number is not None and number != have for have, number in zip(self.lanes, numbers, strict=True))

    def instructions(self, register: Register | VirtualRegister) -> Iterator[MachineInstruction]:
        if self.splat is not None:
            yield _set(0, self.splat, register, is_first=True)
            yield _in_place("SWIZZLE3D", register, _XXX)
        elif self.name:
            op = OPS[self.name]
            yield MachineInstruction(op, [Def(register, ROW)], [Use(ZERO, ROW) for _ in op.sources])


_MINUS_ONE = -ONE & WORD_MASK
_SIMPLE_BASES = (
    _Base((None, None, None)),
    _Base(_ZEROS, "ZERO"),
    _Base((ONE, ONE, ONE), "INC"),
    _Base((_MINUS_ONE,) * 3, "DEC"),
    _Base((ONE, 0, 0), "INCX"),
    _Base((0, ONE, 0), "INCY"),
    _Base((0, 0, ONE), "INCZ"),
)


def _set(
    lane: int, number: int, register: Register | VirtualRegister, *, is_first: bool, patch: Patch | None = None
) -> MachineInstruction:
    name = SETS[lane]
    op = FRESH[name] if is_first else OPS[name]
    uses = [] if is_first else [Use(register, ROW)]
    return MachineInstruction(op, [Def(register, ROW)], uses, attributes={"pattern": number, "patch": patch})


def _in_place(name: str, register: Register | VirtualRegister, immediate: int) -> MachineInstruction:
    return MachineInstruction(OPS[name], [Def(register, ROW)], [Use(register, ROW)], attributes={"pattern": immediate})
