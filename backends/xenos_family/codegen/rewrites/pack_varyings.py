"""Varyings of a linked pair share registers: vectors that fit into one are read and written as one.

In: a stage of a pair.  Out: what the fragment stage reads of vectors of floats is components of wider varyings, so that
the vertex stage writes several of them at once, and the chip interpolates fewer.  Both stages pack by what is linked,
and so they agree.  Arrays, matrices and what is not interpolated as usual have registers of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import LinkedInterface
from glslc_multi.compiler.records import dataclass

_WIDTH = 4
#: The role of varyings that several of the source are parts of.
PACKED = "packed"
#: Name, element and column of a varying.
ColumnName = tuple[str, int, int]
#: The columns in a register, each with those of its components that are read, one after the other.
Register = dict[ColumnName, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Share:
    """Where a varying of the source is: components of a register, from `first` on."""

    register: int
    first: int
    components: tuple[int, ...]


def registers_of(linked: LinkedInterface) -> list[Register]:
    """The registers of the varyings, in the order in which the fragment stage has the first column of each."""
    columns = {
        name: tuple(row.component for row in rows)
        for name, rows in groupby(linked.varyings, lambda row: (row.name, row.element, row.column))
    }
    registers: list[Register] = []
    for name, components in sorted(columns.items(), key=lambda column: -len(column[1])):
        fits = (
            register
            for register in registers
            if _width(register) + len(components) <= _WIDTH
            and linked.vectors.issuperset({name[0], *(other for other, *_ in register)})
        )
        register = next(fits, None)
        if register is None:
            registers.append({name: components})
        else:
            register[name] = components
    order = {name: number for number, name in enumerate(columns)}
    return sorted(registers, key=lambda register: min(order[name] for name in register))


def packed_name(number: int) -> str:
    """Name the varying that the columns of a register are parts of."""
    return f"packed {number}"


def pack_varyings(module: Module, registers: Sequence[Register]) -> dict[Variable, Share]:
    """Replace varyings that share registers; tell where each of them is."""
    shares: dict[Variable, Share] = {}
    for number, register in enumerate(registers):
        if len(register) == 1:
            continue
        parts: dict[Variable, Share] = {}
        first = 0
        for (name, *_), components in register.items():
            if name in module.variables:
                parts[module.variables.pop(name)] = Share(number, first, components)
            first += len(components)
        _replace(module, number, _width(register), parts)
        shares |= parts
    return shares


def _width(register: Register) -> int:
    return sum(map(len, register.values()))


def _replace(module: Module, number: int, width: int, parts: Mapping[Variable, Share]) -> None:
    """Let all that reads or writes the parts of a register read or write the register."""
    accesses = [
        instruction
        for function in module.functions.values()
        for instruction in function.instructions()
        if instruction.op in (ops.LOAD, ops.STORE) and instruction.address.variable in parts
    ]
    if not accesses:
        return
    whole = module.add_variable(
        Variable(packed_name(number), "varying", FLOAT.with_width(width), precision="highp", role=PACKED)
    )
    if module.stage == "fragment":
        for load in accesses:
            _read(load, whole, parts[load.address.variable])
    else:
        _write(accesses, whole, parts)
    for access in accesses:
        access.erase()


def _read(load: Instruction, whole: Variable, share: Share) -> None:
    """Read the components that a varying has of the register."""
    at = {component: share.first + number for number, component in enumerate(share.components)}
    # What nobody reads may be anything.
    pattern = [at.get(component, share.first) for component in range(load.type.width)]
    builder = Builder.before(load)
    load.replace_all_uses_with(builder.swizzle(builder.load(whole), pattern))


def _write(stores: Sequence[Instruction], whole: Variable, parts: Mapping[Variable, Share]) -> None:
    """Write all at the last store; each varying has one, at the end of the program."""
    components: list[Value] = [Constant.undef(FLOAT)] * whole.type.width
    builder = Builder.before(stores[-1])
    for store in stores:
        share = parts[store.address.variable]
        for number, component in enumerate(share.components, share.first):
            components[number] = builder.extract(store.operands[-1], component)
    builder.store(whole, builder.construct(*components))
