"""Selection: the operations that legalisation leaves, as instructions of this machine on virtual registers.

Most operations are one instruction of the same shape, so one table carries them.  The rest of the rules are
products with matrices in consecutive registers, texture lookups, discards and stores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backends.agal.codegen.abi import Abi
from backends.agal.codegen.idioms import lacks_last, matrix_product
from backends.agal.codegen.machine_ops import END, GO, MOV, OPS
from backends.agal.codegen.refuse import fixed_bias
from backends.agal.codegen.register_files import RegisterFiles
from backends.agal.isa.registers import OUTPUT, SAMPLER, VARYING
from compiler.codegen.machine import AnyRegister, Def, MachineFunction, MachineInstruction, MachineOp, Uniform, Use
from compiler.codegen.operands import Modifiers, Operand, components_of
from compiler.codegen.registers import RegisterClass
from compiler.codegen.select import Emitter, Indexed, RuleSet, select
from compiler.ir import ops
from compiler.ir.module import Constant, Function, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.ir.types import FLOAT
from compiler.records import dataclass, replace

_Emit = Callable[[Emitter], None]
_NO_MODIFIERS = Modifiers()

#: Operations that one instruction computes component by component.
_EACH: Mapping[Opcode, str] = {
    ops.FADD: "add",
    ops.FSUB: "sub",
    ops.FMUL: "mul",
    ops.FDIV: "div",
    ops.FRCP: "rcp",
    ops.FMIN: "min",
    ops.FMAX: "max",
    ops.FFRACT: "frc",
    ops.FSQRT: "sqt",
    ops.FRSQRT: "rsq",
    ops.FPOW: "pow",
    ops.FLOG2: "log",
    ops.FEXP2: "exp",
    ops.FSIN: "sin",
    ops.FCOS: "cos",
    ops.FABS: "abs",
    ops.FNEG: "neg",
    ops.FSATURATE: "sat",
    ops.DDX: "ddx",
    ops.DDY: "ddy",
}
#: Comparisons as numbers: instruction, and whether it takes the operands swapped.
_SET: Mapping[Opcode, tuple[str, bool]] = {
    ops.FLT: ("slt", False),
    ops.FLE: ("sge", True),
    ops.FEQ: ("seq", False),
    ops.FNE: ("sne", False),
}


@dataclass(frozen=True, slots=True)
class Selector:
    """What the shared selection must know: rules, and where values are and go."""

    files: RegisterFiles
    abi: Abi
    rules: RuleSet
    modifiers: Modifiers = _NO_MODIFIERS

    def place(self, load: Instruction) -> AnyRegister | Indexed | None:
        address = load.address
        variable = address.variable
        if variable.role == "instance_id":
            # A rule loads it, since it cannot be an index register.
            return None
        if variable.storage != "uniform":
            return self.abi.input(variable, address.offset, address.column)
        uniform = Uniform(variable, address.offset, address.column)
        if not address.dynamic_index:
            return uniform
        index = load.operands[0]
        # The index of an address is the `ftoi` of the number that the index register holds.
        assert isinstance(index, Instruction) and index.op is ops.FTOI
        return Indexed(uniform, index.operands[0])

    def register_class(self, value: Instruction) -> RegisterClass:
        return self.files.temporaries

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(MOV, [target], [source])


def select_code(function: Function, files: RegisterFiles, abi: Abi) -> MachineFunction:
    """RegisterFiles code of `function` on virtual registers, with symbolic constants."""
    rules = RuleSet()
    code, _ = select(function, Selector(files, abi, _rules(rules, files, abi)))
    return code


def _rules(rules: RuleSet, files: RegisterFiles, abi: Abi) -> RuleSet:
    for opcode, name in _EACH.items():
        rules.rule(opcode)(_componentwise(OPS[name]))
    rules.rule(ops.BTOF)(_comparison)
    rules.rule(ops.FSTEP)(_step)
    rules.rule(ops.DOT)(_dot)
    rules.rule(ops.NORMALIZE)(_whole(OPS["nrm"]))
    rules.rule(ops.CROSS)(_whole(OPS["crs"]))
    rules.rule(ops.VEC_MAT)(_product)
    rules.rule(ops.VEC_MAT, priority=1)(_product_of_direction)
    rules.rule(ops.CONSTRUCT, ops.INSERT, ops.SWIZZLE)(_gathered)
    rules.rule(ops.LOAD)(lambda i: lambda e: _discard(e.copy(e.define(i), Use(abi.instance))))
    rules.rule(ops.TEXTURE)(lambda i: lambda e: _texture(e, i, abi))
    rules.rule(ops.KILL)(_kill)
    rules.rule(ops.KILL, priority=1)(_kill_below)
    rules.rule(ops.STORE)(lambda i: lambda e: _store(e, i, files, abi))
    rules.rule(ops.CONDBR)(_branch)
    rules.rule(ops.BR)(lambda i: lambda e: _discard(e.emit(GO)))
    rules.rule(ops.RET)(lambda i: lambda e: _discard(e.emit(END)))
    return rules


def _discard(_: object) -> None:
    """For rules whose instruction nobody needs."""


# --- Arithmetic -------------------------------------------------------------------------------------------------------


def _componentwise(op: MachineOp) -> Callable[[Instruction], _Emit]:
    def match(i: Instruction) -> _Emit:
        return lambda e: _discard(e.emit(op, [e.define(i)], [e.use(operand) for operand in i.operands]))

    return match


def _comparison(i: Instruction) -> _Emit | None:
    """The numbers of a comparison, or of several that a shuffle brings together."""
    groups: dict[Instruction, list[tuple[int, int]]] = {}
    for component, operand in enumerate(components_of(i.operands[0], _NO_MODIFIERS)):
        base = operand.base
        if not isinstance(base, Instruction) or base.op not in _SET:
            return None
        groups.setdefault(base, []).append((component, operand.lanes[0] or 0))

    def emit(e: Emitter) -> None:
        for comparison, members in groups.items():
            target = Def(e.register(i), tuple(component for component, _ in members))
            _set(e, target, comparison, tuple(lane for _, lane in members))

    return emit


def _set(e: Emitter, target: Def, comparison: Instruction, lanes: tuple[int, ...] = (0,)) -> None:
    name, is_swapped = _SET[comparison.op]
    operands = comparison.operands[::-1] if is_swapped else comparison.operands
    e.emit(OPS[name], [target], [e.use(operand, lanes) for operand in operands])


def _step(i: Instruction) -> _Emit:
    edge, x = i.operands
    return lambda e: _discard(e.emit(OPS["sge"], [e.define(i)], [e.use(x), e.use(edge)]))


def _dot(i: Instruction) -> _Emit | None:
    op = {3: OPS["dp3"], 4: OPS["dp4"]}.get(i.operands[0].type.width)
    if op is None:
        return None
    return lambda e: _discard(e.emit(op, [e.define(i)], [e.use(operand) for operand in i.operands]))


def _whole(op: MachineOp) -> Callable[[Instruction], _Emit | None]:
    """Operations on three components, all of which are written."""

    def match(i: Instruction) -> _Emit | None:
        if i.type.width != 3:
            return None
        return lambda e: _discard(e.emit(op, [e.define(i)], [e.use(operand) for operand in i.operands]))

    return match


def _product(i: Instruction) -> _Emit | None:
    name = matrix_product(i)
    if name is None:
        return None
    vector, first, *_ = i.operands
    op = OPS[name]
    components = tuple(range(i.type.width if name == "m44" else 3))
    return lambda e: _discard(e.emit(op, [Def(e.register(i), components)], [e.use(vector), _first_row(e, first)]))


def _product_of_direction(i: Instruction) -> _Emit | None:
    """A vector whose last component is 0 leaves three products of a 4x4 matrix, if no one reads the fourth."""
    if matrix_product(i) != "m44" or not lacks_last(i):
        return None
    vector, first, *_ = i.operands
    *_, last = components_of(vector, _NO_MODIFIERS)
    if not isinstance(last.base, Constant) or last.base.components[last.lanes[0] or 0] != 0:
        return None

    def emit(e: Emitter) -> None:
        target = Def(e.register(i), (0, 1, 2))
        e.emit(OPS["m33"], [target], [e.use(vector, (0, 1, 2)), _first_row(e, first)])

    return emit


def _first_row(e: Emitter, row: Value) -> Use:
    """The register of the first row; the instruction finds the others after it, and has no swizzle here."""
    return replace(e.use(row), lanes=(0, 1, 2, 3))


def _gathered(i: Instruction) -> _Emit:
    return lambda e: e.gather(i, e.register(i))


# --- Textures, discards, stores ---------------------------------------------------------------------------------------


def _texture(e: Emitter, i: Instruction, abi: Abi) -> None:
    access = i.attribute
    number = abi.sampler(access.address.variable, access.address.offset)
    e.emit(
        OPS["tex"],
        [e.define(i)],
        [e.use(i.operands[0])],
        sampler=abi.files[SAMPLER][number],
        variable=access.address.variable,
        bias=fixed_bias(i) or 0,
    )


def _kill(i: Instruction) -> _Emit | None:
    """Any condition: its number with the other sign."""
    (condition,) = components_of(i.operands[0], _NO_MODIFIERS)
    base, lanes = condition.base, (condition.lanes[0] or 0,)
    if isinstance(base, Constant):
        return _kill_all(i) if base.components[lanes[0]] else lambda e: None
    if not isinstance(base, Instruction) or base.op not in _SET:
        return None

    def emit(e: Emitter) -> None:
        mask, value = (Def(e.temporary(1, e.target.register_class(i))) for _ in range(2))
        _set(e, mask, base, lanes)
        e.emit(OPS["neg"], [value], [Use(mask.register)])
        e.emit(OPS["kil"], [], [Use(value.register)])

    return emit


def _kill_all(i: Instruction) -> _Emit:
    def emit(e: Emitter) -> None:
        value = Def(e.temporary(1, e.target.register_class(i)))
        e.copy(value, e.use(Constant(FLOAT, (-1.0,))))
        e.emit(OPS["kil"], [], [Use(value.register)])

    return emit


def _kill_below(i: Instruction) -> _Emit | None:
    """x < y: the difference is below 0."""
    condition = i.operands[0]
    if not isinstance(condition, Instruction) or condition.op is not ops.FLT:
        return None
    x, y = condition.operands

    def emit(e: Emitter) -> None:
        if _is_zero(y) and _is_variable(x):
            e.emit(OPS["kil"], [], [e.use(x)])
            return
        difference = Def(e.temporary(1, e.target.register_class(i)))
        op, operands = (OPS["neg"], [y]) if _is_zero(x) else (OPS["sub"], [x, y])
        e.emit(op, [difference], [e.use(operand) for operand in operands])
        e.emit(OPS["kil"], [], [Use(difference.register)])

    return emit


def _is_zero(value: Value) -> bool:
    return isinstance(value, Constant) and value.components[0] == 0


def _is_variable(value: Value) -> bool:
    return isinstance(value, Instruction)


def _branch(i: Instruction) -> _Emit:
    from backends.agal.codegen.branches import DIRECT

    test = i.operands[0]
    assert isinstance(test, Instruction)
    return lambda e: _discard(e.emit(OPS[DIRECT[test.op]], [], [e.use(operand) for operand in test.operands]))


def _store(e: Emitter, i: Instruction, files: RegisterFiles, abi: Abi) -> None:
    """A copy to the output for each origin; a colour is put together first, since it is written at once."""
    address = i.address
    register = abi.output(address.variable, address.offset, address.column)
    if register is None or (files.type_of(register) != VARYING and _means_nothing(i.operands[-1])):
        return
    is_colour = files.stage == "fragment" and files.type_of(register) == OUTPUT
    width = 4 if is_colour or files.type_of(register) in (OUTPUT, VARYING) else 1
    groups = _by_origin(_filled(i.operands[-1], width))
    if is_colour and len(groups) > 1:
        whole = e.temporary(4, files.temporaries)
        for components, use in _copies(e, groups):
            e.copy(Def(whole, components), use)
        e.copy(Def(register, (0, 1, 2, 3)), Use(whole, (0, 1, 2, 3)))
        return
    for components, use in _copies(e, groups):
        e.copy(Def(register, components), use)


def _filled(value: Value, width: int) -> list[Operand]:
    """Where each component comes from; those that mean nothing are copies of a neighbour, or 0."""
    origins = components_of(value, _NO_MODIFIERS)
    defined = [operand for operand in origins if not _is_undefined(operand)]
    spare = defined[-1] if defined else Operand(Constant.splat(value.type.scalar, 0.0), (0,))
    filled = [spare if _is_undefined(operand) else operand for operand in origins]
    return filled + [filled[-1]] * (width - len(filled))


def _means_nothing(value: Value) -> bool:
    return all(_is_undefined(operand) for operand in components_of(value, _NO_MODIFIERS))


def _is_undefined(operand: Operand) -> bool:
    return isinstance(operand.base, Constant) and operand.base.components[operand.lanes[0] or 0] is None


def _by_origin(operands: list[Operand]) -> list[list[tuple[int, Operand]]]:
    """Components with their operands, those of one value together, and those of constants."""
    groups: dict[object, list[tuple[int, Operand]]] = {}
    for component, operand in enumerate(operands):
        key = Constant if isinstance(operand.base, Constant) else operand.base
        groups.setdefault(key, []).append((component, operand))
    return list(groups.values())


def _copies(e: Emitter, groups: list[list[tuple[int, Operand]]]) -> list[tuple[tuple[int, ...], Use]]:
    found = []
    for members in groups:
        components = tuple(component for component, _ in members)
        operands = [operand for _, operand in members]
        first = operands[0].base
        lanes = tuple(operand.lanes[0] for operand in operands)
        if isinstance(first, Constant):
            numbers = tuple(_number(operand) for operand in operands)
            constant = Constant(first.type.with_width(len(numbers)), numbers)
            found.append((components, e.use(constant)))
        else:
            found.append((components, e.use_operand(Operand(first, lanes))))
    return found


def _number(operand: Operand) -> float:
    assert isinstance(operand.base, Constant)
    return float(operand.base.components[operand.lanes[0] or 0] or 0.0)
