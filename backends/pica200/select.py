"""Instruction selection: legalised IR to instructions on virtual registers.

Sources read uniforms, literals and inputs by themselves, with a swizzle and a sign; that a word reads one c register at
most, and one input, is the business of `fixup.py`.

What the machine lacks and its rules make up for:

* A dot product drops lanes where one side is 0, and becomes DPH where one lane is 1; of two lanes it is a product
  and a sum.
* Comparisons as numbers are SLT and SGE; equality takes both.
* `select` computes with the comparison as a number, exactly: x * c + y * (1 - c), where the hardware's 0 * infinity
  is 0.
* Truncation is floor(x) + (floor(x) < min(x, 0)).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backends.pica200.abi import Interface
from backends.pica200.fixup import MIRRORED
from backends.pica200.isa import RELATION_NAMES
from backends.pica200.loops import CountedLoop, ranges_of
from backends.pica200.machine_ops import BRANCH, END, IF_BOTH, IF_EITHER, IF_X, JUMP, OPS, OnBool, OnCount
from backends.pica200.registers import INPUTS, LOOP_COUNTER, OUTPUTS, VALUES
from compiler.codegen.machine import Def, Lanes, Literal32, MachineInstruction, Place, Uniform, Use
from compiler.codegen.operands import Modifiers, Operand, components_of, lanes_of, see_through
from compiler.codegen.registers import RegisterClass
from compiler.codegen.select import Emitter, Indexed, RuleSet
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.ir.types import FLOAT
from compiler.ir.variables import Variable

Emit = Callable[[Emitter], None]

RULES = RuleSet()


class Selection:
    """The machine as selection sees it."""

    rules = RULES
    modifiers = Modifiers(negate=True)

    def __init__(self, interface: Interface, counted: Sequence[CountedLoop]) -> None:
        self.interface = interface
        self.counters = {loop.counter for loop in counted}
        registers = ranges_of(counted)
        self.loops = {loop.goes_on: registers.index(loop.range) for loop in counted}

    def place(self, load: Instruction) -> Place | Indexed | None:
        address = load.address
        variable = address.variable
        if variable in self.counters:
            return LOOP_COUNTER
        if variable.storage == "attribute":
            return INPUTS[self.interface.inputs[variable] + address.offset * variable.columns + address.column]
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


def _placed(e: Emitter, load: Instruction, place: Place | Indexed | None) -> Use:
    lanes = tuple(range(load.type.width))
    if isinstance(place, Indexed):
        return Use(place.place, lanes, relative=e.use(place.index))
    assert place is not None, "legalisation leaves no loads of locals"
    return Use(place, lanes)


@RULES.rule(ops.FSUB)
def difference(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        first, second = _uses(e, instruction)
        e.emit(OPS["ADD"], [e.define(instruction)], [first, _negated(second)])

    return emit


@RULES.rule(ops.FABS)
def magnitude(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        first, second = e.use(instruction.operands[0]), e.use(instruction.operands[0])
        e.emit(OPS["MAX"], [e.define(instruction)], [first, _negated(second)])

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
        e.emit(OPS["MIN"], [Def(lowest, lanes)], [_numbers(0.0, width), e.use(value)])
        e.emit(OPS["SLT"], [Def(is_less, lanes)], [Use(floor, lanes), Use(lowest, lanes)])
        e.emit(OPS["ADD"], [target], [Use(floor, lanes), Use(is_less, lanes)])

    return emit


def _negated(use: Use) -> Use:
    return Use(use.register, use.lanes, not use.negate, use.absolute, use.relative, use.extra)


def _numbers(value: float, width: int) -> Use:
    return Use(Literal32((value,) * width), tuple(range(width)))


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
            e.copy(e.define(instruction), _numbers(0.0, 1))

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


# --- Comparisons ------------------------------------------------------------------------------------------------------

#: A comparison and one of its lanes.
_Question = tuple[Instruction, int]

#: Comparison -> the instruction that computes it as a number, and whether its operands change places.
_AS_NUMBER: dict[Opcode, tuple[str, bool]] = {ops.FLT: ("SLT", False), ops.FLE: ("SGE", True)}
#: The same of its opposite.
_OPPOSITE: dict[Opcode, tuple[str, bool]] = {ops.FLT: ("SGE", False), ops.FLE: ("SLT", True)}
_RELATION: dict[Opcode, str] = {ops.FLT: "lt", ops.FLE: "le", ops.FEQ: "eq", ops.FNE: "ne"}
_NEGATED_RELATION = {"lt": "ge", "le": "gt", "eq": "ne", "ne": "eq"}


@RULES.rule(ops.BTOF)
def comparison(instruction: Instruction) -> Emit:
    questions = [_origin(instruction.operands[0], lane) for lane in range(instruction.type.width)]
    return lambda e: _emit_tests(e, e.define(instruction), questions)


def _origin(condition: Value, lane: int | None) -> _Question:
    """The comparison that a lane of a condition is a lane of."""
    origin = see_through(condition, (lane,), Modifiers())
    assert isinstance(origin.base, Instruction) and origin.base.op in _RELATION, "conditions are comparisons"
    return origin.base, origin.lanes[0] or 0


def _emit_tests(e: Emitter, target: Def, questions: Sequence[_Question], *, opposite: bool = False) -> None:
    """Lanes of comparisons (or of their opposites) as 1 or 0."""
    for test in dict.fromkeys(test for test, _ in questions):
        asked = [(place, lane) for place, (by, lane) in zip(target.lanes, questions, strict=True) if by is test]
        part = Def(target.register, tuple(place for place, _ in asked))
        _emit_test(e, part, test, tuple(lane for _, lane in asked), opposite=opposite)


def _emit_test(e: Emitter, target: Def, test: Instruction, lanes: tuple[int, ...], *, opposite: bool = False) -> None:
    """Lanes of a comparison (or of its opposite) as 1 or 0."""

    def source(value: Value) -> Use:
        return e.use(value, (0,) * len(lanes) if value.type.is_scalar else lanes)

    first, second = test.operands
    ordered = (_OPPOSITE if opposite else _AS_NUMBER).get(test.op)
    if ordered is not None:
        name, swapped = ordered
        sources = (second, first) if swapped else (first, second)
        e.emit(OPS[name], [target], [source(value) for value in sources])
        return
    # x == y: both x >= y and y >= x; x != y: one of x < y and y < x.
    equal = (test.op is ops.FEQ) is not opposite
    parts = [e.temporary(len(lanes), VALUES) for _ in range(2)]
    own = tuple(range(len(lanes)))
    for part, sources in zip(parts, ((first, second), (second, first)), strict=True):
        e.emit(OPS["SGE" if equal else "SLT"], [Def(part, own)], [source(value) for value in sources])
    e.emit(OPS["MIN" if equal else "MAX"], [target], [Use(part, own) for part in parts])


# --- Selects ----------------------------------------------------------------------------------------------------------


@RULES.rule(ops.SELECT)
def select(instruction: Instruction) -> Emit:
    return lambda e: _Choice(e, instruction).emit()


class _Choice:
    """c ? x : y as arithmetic."""

    def __init__(self, e: Emitter, instruction: Instruction) -> None:
        self.e = e
        self.width = instruction.type.width
        condition, self.if_true, self.if_false = instruction.operands
        #: For each lane of the choice a comparison and its lane.
        self.asked = [_origin(condition, lane) for lane in lanes_of(condition, self.width)]
        self.target = e.define(instruction)
        self.lanes = tuple(range(self.width))

    def emit(self) -> None:
        if _is_all(self.if_false, 0.0):
            self._product(self.target, self.if_true, opposite=False)
        elif _is_all(self.if_true, 0.0):
            self._product(self.target, self.if_false, opposite=True)
        elif _is_all(self.if_true, 1.0) and _is_bounded(self.if_false):
            # y * (1 - c) + c
            self._sum(self.if_false, opposite=True)
        elif _is_all(self.if_false, 1.0) and _is_bounded(self.if_true):
            self._sum(self.if_true, opposite=False)
        elif self._is_finite(self.if_false):
            self._difference()
        else:
            self._two_products()

    def _test(self, *, opposite: bool) -> Use:
        """The condition (or its opposite) as a number."""
        known = self._number(opposite=opposite)
        if known is not None:
            return known
        questions = list(dict.fromkeys(self.asked))
        test = self.e.temporary(len(questions), VALUES)
        _emit_tests(self.e, Def(test, tuple(range(len(questions)))), questions, opposite=opposite)
        return Use(test, tuple(questions.index(question) for question in self.asked))

    def _truth(self) -> Value | None:
        """What is 1 or 0, where the condition asks whether it is not 0."""
        comparisons = {comparison for comparison, _ in self.asked}
        return _truth(self.asked[0][0]) if len(comparisons) == 1 else None

    def _number(self, *, opposite: bool) -> Use | None:
        """A condition "x is not 0" of what is 1 or 0 is x, and its opposite 1 - x."""
        truth = self._truth()
        if truth is None:
            return None
        asked = tuple(0 if truth.type.is_scalar else lane for _, lane in self.asked)
        if not opposite:
            return self.e.use(truth, asked)
        width = truth.type.width
        rest = self.e.temporary(width, VALUES)
        sources = [_numbers(1.0, width), _negated(self.e.use(truth))]
        self.e.emit(OPS["ADD"], [Def(rest, tuple(range(width)))], sources)
        return Use(rest, asked)

    def _product(self, target: Def, value: Value, *, opposite: bool) -> None:
        test = self._test(opposite=opposite)
        self.e.emit(OPS["MUL"], [target], [self.e.use(value, width=self.width), test])

    def _sum(self, value: Value, *, opposite: bool) -> None:
        """value * test + (1 - test)"""
        rest = self._test(opposite=not opposite)
        test = self._test(opposite=opposite)
        self.e.emit(OPS["MAD"], [self.target], [self.e.use(value, width=self.width), test, rest])

    def _difference(self) -> None:
        """y - c * y, and x * c added to it."""
        test = self._test(opposite=False)
        rest = self.e.temporary(self.width, VALUES)
        if_false = self.e.use(self.if_false, width=self.width)
        again = self.e.use(self.if_false, width=self.width)
        self.e.emit(OPS["MAD"], [Def(rest, self.lanes)], [if_false, _negated(test), again])
        if_true = self.e.use(self.if_true, width=self.width)
        self.e.emit(OPS["MAD"], [self.target], [if_true, _copy_of(test), Use(rest, self.lanes)])

    def _two_products(self) -> None:
        rest = self.e.temporary(self.width, VALUES)
        self._product(Def(rest, self.lanes), self.if_false, opposite=True)
        test = self._test(opposite=False)
        if_true = self.e.use(self.if_true, width=self.width)
        self.e.emit(OPS["MAD"], [self.target], [if_true, test, Use(rest, self.lanes)])

    def _is_finite(self, value: Value) -> bool:
        return self._truth() is not None or _is_bounded(value)


def _copy_of(use: Use) -> Use:
    return Use(use.register, use.lanes, use.negate, use.absolute, use.relative, use.extra)


def _truth(condition: Value) -> Value | None:
    """x of a condition x != 0 where x is 1 or 0."""
    if not isinstance(condition, Instruction) or condition.op is not ops.FNE:
        return None
    first, second = condition.operands
    return first if _is_all(second, 0.0) and _is_truth(first) else None


def _is_truth(value: Value, depth: int = 8) -> bool:
    """Whether a float is 1 or 0."""
    if isinstance(value, Constant):
        return all(c in (0.0, 1.0, None) for c in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op is ops.LOAD:
        return value.address.variable.source_kind == "bool"
    if value.op in (ops.FMIN, ops.FMAX, ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT):
        return all(_is_truth(operand, depth - 1) for operand in value.operands)
    if value.op is ops.FSUB:
        return _is_all(value.operands[0], 1.0) and _is_truth(value.operands[1], depth - 1)
    return value.op is ops.BTOF


def _is_all(value: Value, number: float) -> bool:
    return isinstance(value, Constant) and all(c is None or c == number for c in value.components)


#: What may be infinite although its operands are not.
_UNBOUNDED = frozenset({ops.FRCP, ops.FRSQRT, ops.FEXP2, ops.FLOG2, ops.PHI})


def _is_bounded(value: Value, depth: int = 12) -> bool:
    """Whether no infinity can come out of a function at a pole, as far as a short look tells."""
    if not isinstance(value, Instruction) or value.op is ops.LOAD:
        return True
    if value.op in _UNBOUNDED or depth == 0:
        return False
    return all(_is_bounded(operand, depth - 1) for operand in value.operands)


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
            truth = Constant(FLOAT, (float(bool(test.components[0])),))
            _emit_compare(e, "eq", e.use(truth, (0, None)), e.use(Constant(FLOAT, (1.0,)), (0, None)))
            return
        assert isinstance(test, Instruction)
        if not _branch_on_register(e, test):
            comparison, lane = _origin(test, 0)
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
    load = test.operands[0] if test.op in (ops.FNE, ops.FEQ) and _is_all(test.operands[1], 0.0) else test
    if not isinstance(load, Instruction) or load.op is not ops.LOAD or load.address.is_dynamic:
        return None
    return load.address.variable


def _compare(e: Emitter, test: Instruction, lane: int) -> None:
    first, second = (e.use(value, (0 if value.type.is_scalar else lane, None)) for value in test.operands)
    _emit_compare(e, _RELATION[test.op], first, second)


def _emit_compare(e: Emitter, relation: str, first: Use, second: Use) -> None:
    number = RELATION_NAMES.index(relation)
    e.emit(OPS["CMP"], [], [first, second], relations=(number, number))
    e.emit(BRANCH, condition=IF_X)


def _compare_both(e: Emitter, test: Instruction) -> bool:
    """One CMP for two comparisons, joined by `and` or `or`, whose operands are lanes of the same registers."""
    joined = _truth(test)
    if not isinstance(joined, Instruction) or joined.op not in _JOINING or not joined.type.is_scalar:
        return False
    if any(not isinstance(part, Instruction) or part.op is not ops.BTOF for part in joined.operands):
        return False
    (first, lane), (second, other) = (_origin(part.operands[0], 0) for part in joined.operands)  # type: ignore[attr-defined]
    ours, theirs = _sides(first, lane), _sides(second, other)
    relations = [_RELATION[first.op], _RELATION[second.op]]
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


# --- Outputs ----------------------------------------------------------------------------------------------------------


@RULES.rule(ops.STORE)
def output(instruction: Instruction) -> Emit:
    return lambda e: _emit_output(e, instruction)


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
