"""Instruction selection: legalised IR to instructions on virtual registers.

Sources read uniforms, literals and inputs by themselves, with a swizzle and a sign; that a word reads one c register at
most, and one input, is the business of `fixup.py`.

What the machine lacks and its rules make up for:

* A dot product drops lanes where one side is 0, and becomes DPH where one lane is 1; of two lanes it is a product
  and a sum.
* Truncation is floor(x) + (floor(x) < min(x, 0)).
* A branch on two comparisons, joined, of lanes of the same registers is one CMP, which has two flags.

Comparisons as numbers and choices have a file of their own, `conditions.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backends.pica200.codegen.abi import Interface
from backends.pica200.codegen.conditions import RELATIONS_OF, is_all, origin, truth
from backends.pica200.codegen.fixup import MIRRORED
from backends.pica200.codegen.machine_ops import (
    BRANCH,
    EMIT,
    END,
    IF_BOTH,
    IF_EITHER,
    IF_X,
    JUMP,
    OPS,
    SETEMIT,
    SETEMIT_IF,
    OnBool,
    OnCount,
)
from backends.pica200.codegen.register_files import INPUTS, LOOP_COUNTER, OUTPUTS, VALUES
from backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from backends.pica200.codegen.rewrites.strips import Choice, Emission
from backends.pica200.codegen.rule_set import RULES, Emit, negated, numbers
from backends.pica200.isa.instructions import RELATION_NAMES
from compiler.codegen.machine import AnyRegister, Def, Lanes, Literal32, MachineInstruction, Uniform, Use
from compiler.codegen.operands import Modifiers, Operand, components_of, see_through
from compiler.codegen.registers import RegisterClass
from compiler.codegen.select import Emitter, Indexed
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.ir.types import FLOAT
from compiler.ir.variables import Variable


class Selection:
    """The machine as selection sees it."""

    rules = RULES
    modifiers = Modifiers(negate=True)

    def __init__(
        self, interface: Interface, counted: Sequence[CountedLoop], vertices: Mapping[Instruction, Emission | Choice]
    ) -> None:
        self.interface = interface
        self.vertices = vertices
        self.counters = {loop.counter for loop in counted}
        registers = ranges_of(counted)
        self.loops = {loop.goes_on: registers.index(loop.range) for loop in counted}

    def place(self, load: Instruction) -> AnyRegister | Indexed | None:
        address = load.address
        variable = address.variable
        if variable in self.counters:
            return LOOP_COUNTER
        if variable in self.interface.inputs:
            return INPUTS[self.interface.input_register(variable, address.offset, address.column)]
        if variable.storage != "uniform":
            return None
        uniform = Uniform(variable, address.offset, address.column)
        return Indexed(uniform, _index(load.operands[0])) if address.dynamic_index else uniform

    def register_class(self, value: Instruction) -> RegisterClass:
        return VALUES

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(OPS["MOV"], [target], [source])


def _index(index: Value) -> Value:
    """The number that an address register truncates."""
    while isinstance(index, Instruction) and index.op in (ops.FTOI, ops.FTRUNC):
        index = index.operands[0]
    return index


# --- Component by component -------------------------------------------------------------------------------------------

_PLAIN: dict[Opcode, str] = {
    ops.FADD: "ADD",
    ops.FMUL: "MUL",
    ops.FMAD: "MAD",
    ops.FMIN: "MIN",
    ops.FMAX: "MAX",
    ops.FFLOOR: "FLR",
    ops.FNEG: "MOV",
    ops.SWIZZLE: "MOV",
    ops.LOAD: "MOV",
    ops.FTOI: "MOV",
}


def _uses(e: Emitter, instruction: Instruction) -> list[Use]:
    return [e.use(operand, width=instruction.type.width) for operand in instruction.operands]


@RULES.rule(ops.FADD, ops.FMUL, ops.FMAD, ops.FMIN, ops.FMAX, ops.FFLOOR)
def plain(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        e.emit(OPS[_PLAIN[instruction.op]], [e.define(instruction)], _uses(e, instruction))

    return emit


@RULES.rule(ops.FNEG, ops.SWIZZLE, ops.LOAD, ops.FTOI)
def move(instruction: Instruction) -> Emit:
    """What an operand can say, but a register is asked for."""

    def emit(e: Emitter) -> None:
        value = instruction.operands[0] if instruction.op is ops.FTOI else instruction
        if instruction.op is ops.LOAD:
            place = e.target.place(instruction)
            source = _placed(e, instruction, place)
        else:
            source = e.use(value)
        e.copy(e.define(instruction), source)

    return emit


def _placed(e: Emitter, load: Instruction, place: AnyRegister | Indexed | None) -> Use:
    lanes = tuple(range(load.type.width))
    if isinstance(place, Indexed):
        return Use(place.place, lanes, relative=e.use(place.index))
    assert place is not None, "legalisation leaves no loads of locals"
    return Use(place, lanes)


@RULES.rule(ops.FSUB)
def difference(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        first, second = _uses(e, instruction)
        e.emit(OPS["ADD"], [e.define(instruction)], [first, negated(second)])

    return emit


@RULES.rule(ops.FABS)
def magnitude(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        first, second = e.use(instruction.operands[0]), e.use(instruction.operands[0])
        e.emit(OPS["MAX"], [e.define(instruction)], [first, negated(second)])

    return emit


@RULES.rule(ops.FTRUNC)
def truncation(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        width = instruction.type.width
        lanes = tuple(range(width))
        target = e.define(instruction)
        floor, lowest, is_less = (e.temporary(width, VALUES) for _ in range(3))
        value = instruction.operands[0]
        e.emit(OPS["FLR"], [Def(floor, lanes)], [e.use(value)])
        e.emit(OPS["MIN"], [Def(lowest, lanes)], [numbers(0.0, width), e.use(value)])
        e.emit(OPS["SLT"], [Def(is_less, lanes)], [Use(floor, lanes), Use(lowest, lanes)])
        e.emit(OPS["ADD"], [target], [Use(floor, lanes), Use(is_less, lanes)])

    return emit


@RULES.rule(ops.CONSTRUCT, ops.INSERT)
def gather(instruction: Instruction) -> Emit:
    return lambda e: e.gather(instruction, e.register(instruction))


# --- One number to all components -------------------------------------------------------------------------------------

_SCALAR: dict[Opcode, str] = {ops.FRCP: "RCP", ops.FRSQRT: "RSQ", ops.FEXP2: "EX2", ops.FLOG2: "LG2"}


@RULES.rule(*_SCALAR)
def scalar_function(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        target = e.define(instruction)
        for lane in target.lanes:
            source = e.use(instruction.operands[0], (lane,))
            e.emit(OPS[_SCALAR[instruction.op]], [Def(target.register, (lane,))], [source])

    return emit


@RULES.rule(ops.DOT)
def dot(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        first, second = instruction.operands
        lanes = [lane for lane in range(first.type.width) if not _is_product_zero(first, second, lane)]
        if len(lanes) > 2:
            _emit_dot(e, e.define(instruction), first, second, lanes)
        elif lanes:
            _emit_short_dot(e, e.define(instruction), first, second, lanes)
        else:
            e.copy(e.define(instruction), numbers(0.0, 1))

    return emit


def _emit_dot(e: Emitter, target: Def, first: Value, second: Value, lanes: list[int]) -> None:
    """DP3 or DP4, or DPH where a lane of one side is 1; its slots may be any lanes."""
    if len(lanes) == 4:
        for one_sided, other in ((first, second), (second, first)):
            ones = [lane for lane in lanes if _number_at(one_sided, lane) == 1.0]
            if ones:
                rest = tuple(lane for lane in lanes if lane != ones[-1])
                e.emit(OPS["DPH"], [target], [e.use(one_sided, (*rest, None)), e.use(other, (*rest, ones[-1]))])
                return
    chosen = tuple(lanes)
    e.emit(OPS["DP4" if len(lanes) == 4 else "DP3"], [target], [e.use(first, chosen), e.use(second, chosen)])


def _emit_short_dot(e: Emitter, target: Def, first: Value, second: Value, lanes: list[int]) -> None:
    """One or two products, and their sum."""
    chosen = tuple(lanes)
    sources = [e.use(first, chosen), e.use(second, chosen)]
    if len(lanes) == 1:
        e.emit(OPS["MUL"], [target], sources)
        return
    products = e.temporary(2, VALUES)
    e.emit(OPS["MUL"], [Def(products, (0, 1))], sources)
    e.emit(OPS["ADD"], [target], [Use(products, (0,)), Use(products, (1,))])


def _is_product_zero(first: Value, second: Value, lane: int) -> bool:
    return _number_at(first, lane) == 0.0 or _number_at(second, lane) == 0.0


def _number_at(value: Value, lane: int) -> float | None:
    """The constant that a lane of a value is."""
    operand = see_through(value, (lane,), Modifiers(negate=True))
    if not isinstance(operand.base, Constant) or operand.lanes[0] is None:
        return None
    number = operand.base.components[operand.lanes[0]]
    if number is None:
        return None
    return -number if operand.negate else number


# --- Control flow -----------------------------------------------------------------------------------------------------


@RULES.rule(ops.BR)
def jump(instruction: Instruction) -> Emit:
    return lambda e: _ignore(e.emit(JUMP))


@RULES.rule(ops.RET)
def end(instruction: Instruction) -> Emit:
    return lambda e: _ignore(e.emit(END))


def _ignore(_: object) -> None:
    return None


@RULES.rule(ops.CONDBR)
def branch(instruction: Instruction) -> Emit:
    test = instruction.operands[0]

    def emit(e: Emitter) -> None:
        if isinstance(test, Constant):
            known = Constant(FLOAT, (float(bool(test.components[0])),))
            _emit_compare(e, "eq", e.use(known, (0, None)), e.use(Constant(FLOAT, (1.0,)), (0, None)))
            return
        assert isinstance(test, Instruction)
        if not _branch_on_register(e, test):
            comparison, lane = origin(test, 0)
            if not _compare_both(e, comparison):
                _compare(e, comparison, lane)

    return emit


def _branch_on_register(e: Emitter, test: Instruction) -> bool:
    """Branch on a counted loop or on a b register, where the condition is that."""
    variable = _tested_variable(test)
    target = e.target
    assert isinstance(target, Selection)
    if variable in target.loops:
        e.emit(BRANCH, condition=OnCount(target.loops[variable]))
        return True
    register = target.interface.bools.get(variable) if variable is not None else None
    if register is None:
        return False
    e.emit(BRANCH, condition=OnBool(register, test.op is ops.FNE))
    return True


def _tested_variable(test: Instruction) -> Variable | None:
    """The bool whose load a condition compares with 0."""
    load = test.operands[0] if test.op in (ops.FNE, ops.FEQ) and is_all(test.operands[1], 0.0) else test
    if not isinstance(load, Instruction) or load.op is not ops.LOAD or load.address.is_dynamic:
        return None
    return load.address.variable


def _compare(e: Emitter, test: Instruction, lane: int) -> None:
    first, second = (e.use(value, (0 if value.type.is_scalar else lane, None)) for value in test.operands)
    _emit_compare(e, RELATIONS_OF[test.op], first, second)


def _emit_compare(e: Emitter, relation: str, first: Use, second: Use) -> None:
    number = RELATION_NAMES.index(relation)
    e.emit(OPS["CMP"], [], [first, second], relations=(number, number))
    e.emit(BRANCH, condition=IF_X)


def _compare_both(e: Emitter, test: Instruction) -> bool:
    """One CMP for two comparisons, joined by `and` or `or`, whose operands are lanes of the same registers."""
    joined = truth(test)
    if not isinstance(joined, Instruction) or joined.op not in _JOINING or not joined.type.is_scalar:
        return False
    if any(not isinstance(part, Instruction) or part.op is not ops.BTOF for part in joined.operands):
        return False
    (first, lane), (second, other) = (origin(part.operands[0], 0) for part in joined.operands)  # type: ignore[attr-defined]
    ours, theirs = _sides(first, lane), _sides(second, other)
    relations = [RELATIONS_OF[first.op], RELATIONS_OF[second.op]]
    for mirrored in (False, True):
        sources = [_two_lanes(e, a, b) for a, b in zip(ours, theirs[::-1] if mirrored else theirs, strict=True)]
        if None not in sources:
            names = [relations[0], MIRRORED[relations[1]] if mirrored else relations[1]]
            numbers = tuple(RELATION_NAMES.index(name) for name in names)
            e.emit(OPS["CMP"], [], [source for source in sources if source is not None], relations=numbers)
            e.emit(BRANCH, condition=_JOINING[joined.op])
            return True
    return False


_JOINING = {ops.FMIN: IF_BOTH, ops.FMAX: IF_EITHER}


def _sides(test: Instruction, lane: int) -> list[Operand]:
    """What a lane of a comparison compares."""
    return [
        see_through(value, (0 if value.type.is_scalar else lane,), Modifiers(negate=True)) for value in test.operands
    ]


def _two_lanes(e: Emitter, first: Operand, second: Operand) -> Use | None:
    """One source for two numbers; None where they are not in one register."""
    if isinstance(first.base, Constant) and isinstance(second.base, Constant):
        return Use(Literal32((_constant(first), _constant(second))), (0, 1))
    if first.base is not second.base or first.negate != second.negate:
        return None
    return e.use_operand(Operand(first.base, first.lanes + second.lanes, first.negate))


# --- Vertices of geometry shaders -------------------------------------------------------------------------------------


@RULES.rule(ops.EMIT_VERTEX)
def emission(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        assert isinstance(e.target, Selection)
        vertex = e.target.vertices.get(instruction)
        if vertex is not None:
            e.emit(SETEMIT, emission=vertex)
        e.emit(EMIT)

    return emit


def _emit_choice(e: Emitter, place: Value, choice: Choice) -> None:
    """The first SETEMIT, then another one instead if the place is another one; a CMP asks for two places."""
    (_, first), *others = choice.by_place.items()
    e.emit(SETEMIT, emission=first)
    equal = (RELATION_NAMES.index("eq"),) * 2
    for start in range(0, len(others), 2):
        asked = others[start : start + 2]
        numbers = Literal32(tuple(float(number) for number, _ in asked))
        is_pair = len(asked) == 2
        sources = [e.use(place, (0, 0 if is_pair else None)), Use(numbers, (0, 1 if is_pair else None))]
        e.emit(OPS["CMP"], [], sources, relations=equal)
        e.emit(SETEMIT_IF, emissions=tuple(emission for _, emission in asked))


@RULES.rule(ops.END_PRIMITIVE)
def end_of_strip(instruction: Instruction) -> Emit:
    """The next vertex goes to the first slot, which `strips.py` knows."""
    return lambda e: None


# --- Outputs ----------------------------------------------------------------------------------------------------------


@RULES.rule(ops.STORE)
def output(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        assert isinstance(e.target, Selection)
        choice = e.target.vertices.get(instruction)
        if isinstance(choice, Choice):
            _emit_choice(e, instruction.operands[-1], choice)
        else:
            _emit_output(e, instruction)

    return emit


def _emit_output(e: Emitter, store: Instruction) -> None:
    """All four components of the register, since each must be written: the last one serves for those missing."""
    target = e.target
    assert isinstance(target, Selection)
    address = store.address
    register = OUTPUTS[target.interface.output_register(address.variable, address.offset, address.column)]
    groups: dict[tuple[object, ...], list[tuple[int, Operand]]] = {}
    parts = _output_parts(store.operands[-1], target.modifiers)
    for component in range(4):
        operand = parts[min(component, len(parts) - 1)]
        constant = isinstance(operand.base, Constant)
        key = (constant,) if constant else (operand.base, operand.negate)
        groups.setdefault(key, []).append((component, operand))
    for members in groups.values():
        components = tuple(component for component, _ in members)
        e.copy(Def(register, components), _joined(e, [operand for _, operand in members]))


def _output_parts(value: Value, modifiers: Modifiers) -> list[Operand]:
    """Where each component comes from: a vector that something else needs in one register, else its origins."""
    whole = see_through(value, tuple(range(value.type.width)), modifiers)
    base = whole.base
    if isinstance(base, Instruction) and base.op in _PUT_TOGETHER and _is_read_whole(base):
        return [Operand(base, (lane,), whole.negate) for lane in whole.lanes]
    return components_of(value, modifiers)


_PUT_TOGETHER = frozenset({ops.CONSTRUCT, ops.INSERT})
_SHUFFLES = frozenset({ops.CONSTRUCT, ops.INSERT, ops.SWIZZLE, ops.FNEG, ops.STORE, ops.PHI})


def _is_read_whole(value: Instruction) -> bool:
    """Whether an operation reads several components of a vector at once."""
    for user in value.users:
        if user.op is ops.FNEG and _is_read_whole(user):
            return True
        if user.op not in _SHUFFLES:
            return True
    return False


def _joined(e: Emitter, operands: list[Operand]) -> Use:
    first = operands[0]
    if isinstance(first.base, Constant):
        values = tuple(_constant(operand) for operand in operands)
        return Use(Literal32(values), tuple(range(len(values))))
    lanes: Lanes = tuple(operand.lanes[0] for operand in operands)
    return e.use_operand(Operand(first.base, lanes, first.negate))


def _constant(operand: Operand) -> float:
    """The number of a component that is constant; 0 where no one cares."""
    assert isinstance(operand.base, Constant)
    lane = operand.lanes[0]
    number = None if lane is None else operand.base.components[lane]
    if number is None:
        return 0.0
    return -float(number) if operand.negate else float(number)
