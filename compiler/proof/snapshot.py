"""A snapshot of a module: what the front end made, kept as it was before the passes changed it.

Values have numbers, and operands are those.  That is a fraction of a copy of the module, which passes could work on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Function, Module, Value
from glslc_multi.compiler.ir.types import Type
from glslc_multi.compiler.ir.variables import Address, TextureAccess, Variable
from glslc_multi.compiler.proof.numbers import UNDEFINED, Undefined, number_of

Components = list[Any]
#: Variable, element and column.
Cell = tuple[Variable, int, int]
#: What is undefined.
_UNDEFINED: dict[str, Any] = {"bool": Undefined(0), "int": Undefined(0), "float": UNDEFINED}


def undefined(type: Type) -> Components:
    """Components that nobody has written."""
    return [_UNDEFINED[type.kind]] * type.width


class Step(NamedTuple):
    """An instruction that does not end its block."""

    op: ops.Opcode
    #: Of its value.
    number: int
    operands: list[int]
    #: The instruction's; a `Cell` of an address without indices, the first block of a callee.
    attribute: Any
    type: Type


class Straight:
    """A block."""

    __slots__ = ("condition", "moves", "span", "steps", "targets")

    def __init__(self) -> None:
        self.steps: list[Step] = []
        #: Block that control comes from -> values of phis, and of what they are.
        self.moves: dict[Straight | None, list[tuple[int, int]]] = {}
        #: The value that decides between two targets.
        self.condition: int | None = None
        self.targets: list[Straight] = []
        #: Of the decision.
        self.span: Span | None = None


class Snapshot:
    """A module, to be run."""

    def __init__(self, module: Module) -> None:
        #: Its interface, without functions.
        self.module = Module(module.stage, module.name)
        self.module.pragmas, self.module.declarations = list(module.pragmas), list(module.declarations)
        self.module.exact_integers = module.exact_integers
        #: By number, those of constants; of others nothing.
        self.values: list[Components] = []
        self._variables: dict[Variable, Variable] = {
            variable: self.module.add_variable(_copy(variable)) for variable in module.variables.values()
        }
        self._blocks: dict[Block, Straight] = {}
        for function in module.functions.values():
            self._blocks |= {block: Straight() for block in function.blocks}
            self._variables |= {variable: _copy(variable) for variable in function.variables.values()}
        #: Function -> where it begins.
        self.entries = {name: self._blocks[function.entry] for name, function in module.functions.items()}
        numbers = _Numbers(self.values)
        for block, straight in self._blocks.items():
            self._fill(straight, block, numbers)
        #: Whether ints or bools of constants are undefined.
        self.has_undefined = numbers.has_undefined

    def _fill(self, straight: Straight, block: Block, numbers: _Numbers) -> None:
        steps = straight.steps
        for instruction in block:
            op, operands = instruction.op, [numbers[value] for value in instruction.operands]
            if op is ops.PHI:
                for number, came_from in zip(operands, instruction.attribute, strict=True):
                    moves = straight.moves.setdefault(self._blocks[came_from], [])
                    moves.append((numbers[instruction], number))
            elif instruction.is_terminator:
                straight.targets = [self._blocks[target] for target in instruction.targets]
                straight.condition, straight.span = operands[0] if operands else None, instruction.span
            else:
                attribute = self._attribute(instruction.attribute)
                steps.append(Step(op, numbers[instruction], operands, attribute, instruction.type))

    def _attribute(self, attribute: object) -> Any:
        if isinstance(attribute, Address):
            return self._cell(attribute)
        if isinstance(attribute, TextureAccess):
            return TextureAccess(self._address(attribute.address), attribute.mode, attribute.offset)
        return self._blocks[attribute.entry] if isinstance(attribute, Function) else attribute

    def _cell(self, address: Address) -> Cell | Address:
        if address.is_dynamic:
            return self._address(address)
        variable = self._variables[address.variable]
        return variable, min(address.offset, variable.length - 1), address.column

    def _address(self, address: Address) -> Address:
        variable = self._variables[address.variable]
        return Address(variable, address.offset, address.column, address.dynamic_index, address.dynamic_column)


class _Numbers(dict[Value, int]):
    """Numbers of values, given out when first asked for; what constants are is put down by number."""

    def __init__(self, values: list[Components]) -> None:
        self._values = values
        self.has_undefined = False

    def __missing__(self, value: Value) -> int:
        found = self[value] = len(self._values)
        if isinstance(value, Constant):
            self.has_undefined |= None in value.components and value.type.kind != "float"
            self._values.append(_constant(value))
        else:
            self._values.append([])
        return found


def _copy(variable: Variable) -> Variable:
    copy = Variable.__new__(Variable)
    for name in Variable.__slots__:
        setattr(copy, name, getattr(variable, name))
    return copy


def _constant(constant: Constant) -> Components:
    kind = constant.type.kind
    return [
        _UNDEFINED[kind] if x is None else number_of(round_to_float32(x)) if kind == "float" else x
        for x in constant.components
    ]
