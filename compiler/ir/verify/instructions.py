"""Rules about single instructions: operation, attribute, operands, types, memory and stage."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator

from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN, round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Block, Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.opcodes.opcode import AttributeKind
from glslc_multi.compiler.ir.ops import OPCODES, Opcode
from glslc_multi.compiler.ir.signatures import SignatureError
from glslc_multi.compiler.ir.text import symbol
from glslc_multi.compiler.ir.types import VOID
from glslc_multi.compiler.ir.variables import PREAMBLE, TEXTURE_MODES, Address, TextureAccess, Variable
from glslc_multi.compiler.ir.verify.rules import Faults

_COMPONENT_TYPE: dict[str, type] = {"bool": bool, "int": int, "float": float}
_TARGET_COUNTS: dict[Opcode, int] = {ops.BR: 1, ops.CONDBR: 2}


class InstructionChecker:
    """Checks the instructions of one function, in any order; `block` and `instruction` are in `faults`."""

    __slots__ = ("faults", "function", "module", "numbers", "uses", "variables")

    def __init__(self, function: Function, module: Module, variables: set[Variable], faults: Faults) -> None:
        self.function = function
        self.module = module
        #: All variables of the module: a caller stores the parameters of its callees.
        self.variables = variables
        self.faults = faults
        self.numbers: set[int] = set()
        #: How often each value is used so far.
        self.uses: Counter[Value] = Counter()

    def check(self, instruction: Instruction) -> bool:
        """Whether operation, attribute and operands are sound enough to ask further questions."""
        number = instruction.id
        if not 0 <= number < self.function.id_bound:
            self.faults.add("numbers", f"the number is not from 0 to below {self.function.id_bound}")
        if number in self.numbers:
            self.faults.add("numbers", "another instruction has the same number")
        self.numbers.add(number)
        if instruction.flags & ~(PRECISE | RELAXED):
            self.faults.add("flags", f"has the unknown flags {instruction.flags}")
        # Every use is known to its definition.
        for value, count in Counter(instruction.operands).items():
            if not isinstance(value, Instruction):
                continue
            self.uses[value] += count
            if value.users.get(instruction) != count:
                self.faults.add("users", f"%{value.id} does not count this instruction as a user {count} times")
        if not (self._has_known_shape(instruction) and self._has_sound_operands(instruction)):
            return False
        self._check_types(instruction)
        check = _CHECKS.get(instruction.op)
        if check is not None:
            check(self, instruction)
        return True

    # operation and attribute ---------------------------------------------------------------
    def _has_known_shape(self, instruction: Instruction) -> bool:
        op = instruction.op
        if OPCODES.get(op.name) is not op:
            self.faults.add("opcode", "is not in the opcode table")
            return False
        if not _IS_ATTRIBUTE[op.attribute](instruction):
            self.faults.add("attribute", f"needs {_ATTRIBUTE_NAMES[op.attribute]}, found {_describe(instruction)}")
            return False
        return True

    # operands ------------------------------------------------------------------------------
    def _has_sound_operands(self, instruction: Instruction) -> bool:
        faults_before = len(self.faults.list)
        for number, operand in enumerate(instruction.operands, start=1):
            if isinstance(operand, Constant):
                self._check_constant(operand)
            else:
                if not isinstance(operand, Instruction):
                    self.faults.add("operand", f"operand {number} is neither a constant nor an instruction")
                elif operand.block is None or operand.block.function is not self.function:
                    self.faults.add("operand", f"operand {number}, %{operand.id}, is in no block of this function")
                elif operand.type is VOID or operand.type.is_sampler:
                    self.faults.add("operand", f"operand {number}, %{operand.id}, yields no value")
        return len(self.faults.list) == faults_before

    def check_use_count(self, instruction: Instruction) -> None:
        """And no definition knows of uses that do not exist; asked after all instructions were checked."""
        known, found = sum(instruction.users.values()), self.uses[instruction]
        if known > found:
            self.faults.add("users", f"counts {known} uses, there are {found}")

    def _check_constant(self, constant: Constant) -> None:
        kind, components = constant.type.kind, constant.components
        if kind not in _COMPONENT_TYPE:
            self.faults.add("constant-type", f"a constant cannot be of type {constant.type}")
        elif len(components) != constant.type.width:
            self.faults.add("constant-type", f"a constant of type {constant.type} has {len(components)} components")
        else:
            for component in components:
                if component is None:
                    continue
                if type(component) is not _COMPONENT_TYPE[kind]:
                    self.faults.add("constant-value", f"a constant of type {kind} cannot hold {component!r}")
                elif kind == "int" and not INT_MIN <= component <= INT_MAX:
                    self.faults.add("constant-range", f"{component} does not fit 32 bits")
                elif kind == "float" and not (
                    isinstance(component, float) and (math.isnan(component) or round_to_float32(component) == component)
                ):
                    self.faults.add("constant-range", f"{component!r} is no float32 value")

    # types ---------------------------------------------------------------------------------
    def _check_types(self, instruction: Instruction) -> None:
        types = [operand.type for operand in instruction.operands]
        try:
            inferred = instruction.op.infer(types, instruction.attribute)
        except SignatureError as error:
            self.faults.add("operand-types", str(error))
            return
        if inferred is not instruction.type:
            self.faults.add("result-type", f"must be of type {inferred}, is declared {instruction.type}")

    # memory and textures -------------------------------------------------------------------
    def check_load(self, instruction: Instruction) -> None:
        variable = instruction.address.variable
        self._check_address(instruction.address)
        if variable.storage == "sampler":
            self.faults.add("load", f"{symbol(variable.name)} is a sampler, which has no value")
        elif variable.is_written_by(self.module.stage):
            self.faults.add("load", f"{symbol(variable.name)} is an output of the stage, which cannot be read back")

    def check_store(self, instruction: Instruction) -> None:
        variable = instruction.address.variable
        self._check_address(instruction.address)
        is_preamble = self.function.name == PREAMBLE and variable.role == PREAMBLE
        if variable.storage != "local" and not variable.is_written_by(self.module.stage) and not is_preamble:
            self.faults.add(
                "store",
                f"{symbol(variable.name)} is {variable.storage}, which a {self.module.stage} shader cannot write",
            )

    def check_texture(self, instruction: Instruction) -> None:
        access: TextureAccess = instruction.attribute
        self._check_address(access.address)
        if not access.address.variable.type.is_sampler:
            return
        if instruction.op is ops.TEXTURE_SIZE:
            if access != TextureAccess(access.address):
                self.faults.add("texture", "a question for a size has neither mode nor offset")
            return
        for problem in _access_problems(access):
            self.faults.add("texture", f"{symbol(access.address.variable.name)} is {access.kind.name}, {problem}")
        if access.mode == "bias":
            self.check_derivative(instruction)

    def _check_address(self, address: Address) -> None:
        variable = address.variable
        if variable not in self.variables:
            self.faults.add("scope", f"{symbol(variable.name)} is listed neither by the module nor by a function")
        if address.dynamic_index and not variable.is_array:
            self.faults.add("index", f"{symbol(variable.name)} is no array, cannot have a dynamic index")
        if not address.dynamic_index and not 0 <= address.offset < variable.length:
            self.faults.add(
                "index", f"{symbol(variable.name)} has {variable.length} elements, no number {address.offset}"
            )
        if address.dynamic_column and not variable.is_matrix:
            self.faults.add("column", f"{symbol(variable.name)} is no matrix, cannot have a dynamic column")
        if not 0 <= address.column < (1 if address.dynamic_column else variable.columns):
            self.faults.add(
                "column", f"{symbol(variable.name)} has {variable.columns} columns, no number {address.column}"
            )

    # stages and calls ----------------------------------------------------------------------
    def check_kill(self, _instruction: Instruction) -> None:
        self._require("stage-kill", "fragment")

    def check_emit(self, _instruction: Instruction) -> None:
        self._require("stage-emit", "geometry")

    def check_derivative(self, _instruction: Instruction) -> None:
        self._require("stage-derivative", "fragment")

    def _require(self, rule: str, stage: str) -> None:
        if self.module.stage != stage:
            self.faults.add(rule, f"cannot occur in a {self.module.stage} shader")

    def check_call(self, instruction: Instruction) -> None:
        callee: Function = instruction.attribute
        if self.module.functions.get(callee.name) is not callee:
            self.faults.add("callee", f"{symbol(callee.name)} is no function of this module")
        elif callee.name == "main":
            self.faults.add("callee", "main cannot be called")


_CHECKS: dict[Opcode, Callable[[InstructionChecker, Instruction], None]] = {
    ops.LOAD: InstructionChecker.check_load,
    ops.STORE: InstructionChecker.check_store,
    ops.TEXTURE: InstructionChecker.check_texture,
    ops.TEXTURE_SIZE: InstructionChecker.check_texture,
    ops.CALL: InstructionChecker.check_call,
    ops.KILL: InstructionChecker.check_kill,
    ops.EMIT_VERTEX: InstructionChecker.check_emit,
    ops.END_PRIMITIVE: InstructionChecker.check_emit,
    ops.DDX: InstructionChecker.check_derivative,
    ops.DDY: InstructionChecker.check_derivative,
}


# -------------------------------------------------------------------------------- attribute kinds
def _is_number(value: object) -> bool:
    return type(value) is int


def _is_address(value: object) -> bool:
    return (
        isinstance(value, Address)
        and isinstance(value.variable, Variable)
        and _is_number(value.offset)
        and _is_number(value.column)
    )


def _is_texture(value: object) -> bool:
    return (
        isinstance(value, TextureAccess)
        and value.mode in TEXTURE_MODES
        and _is_address(value.address)
        and isinstance(value.offset, tuple)
        and all(map(_is_number, value.offset))
    )


def _access_problems(access: TextureAccess) -> Iterator[str]:
    """What the kind of the sampler forbids."""
    kind = access.kind
    if access.mode == "fetch" and not kind.can_fetch:
        yield "which has no fetches"
    if access.mode != "fetch" and not kind.can_filter:
        yield "which has fetches only"
    if access.offset and not kind.can_offset:
        yield "which has no offsets"
    elif len(access.offset) not in (0, kind.dimensions):
        yield f"whose offsets have {kind.dimensions} components, found {len(access.offset)}"


def _are_blocks(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(block, Block) for block in value)


def _are_sources(instruction: Instruction) -> bool:
    return _are_blocks(instruction.attribute) and len(instruction.attribute) == len(instruction.operands)


def _are_targets(instruction: Instruction) -> bool:
    targets = instruction.attribute
    return _are_blocks(targets) and len(targets) == _TARGET_COUNTS[instruction.op]


def _is_pattern(value: object) -> bool:
    return isinstance(value, tuple) and 1 <= len(value) <= 4 and all(map(_is_number, value))


_IS_ATTRIBUTE: dict[AttributeKind, Callable[[Instruction], bool]] = {
    "none": lambda i: i.attribute is None,
    "swizzle": lambda i: _is_pattern(i.attribute),
    "component": lambda i: _is_number(i.attribute),
    "address": lambda i: _is_address(i.attribute),
    "texture": lambda i: _is_texture(i.attribute),
    "blocks": _are_sources,
    "targets": _are_targets,
    "callee": lambda i: isinstance(i.attribute, Function),
}
_ATTRIBUTE_NAMES: dict[AttributeKind, str] = {
    "none": "no attribute",
    "swizzle": "a tuple of 1 to 4 component numbers",
    "component": "a component number",
    "address": "an address",
    "texture": "a texture access",
    "blocks": "a list with one block for each operand",
    "targets": "a list of its target blocks",
    "callee": "a function",
}


def _describe(instruction: Instruction) -> str:
    attribute = instruction.attribute
    if isinstance(attribute, int | float | str | tuple | None):
        return repr(attribute)
    count = f" of {len(attribute)}" if isinstance(attribute, list) else ""
    return f"{type(attribute).__name__}{count}"
