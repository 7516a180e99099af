"""Selection: the operations that legalisation leaves, as instructions of this machine on virtual registers.

Most operations are one instruction of the same shape.  The rest of the rules are products with matrices in
consecutive registers, texture lookups, discards and stores.
"""

from __future__ import annotations

from typing import ClassVar

from glslc_multi.backends.agal.codegen.abi import Abi
from glslc_multi.backends.agal.codegen.machine_ops import END, GO, MOV, OPS
from glslc_multi.backends.agal.codegen.refuse import fixed_bias
from glslc_multi.backends.agal.codegen.register_files import RegisterFiles
from glslc_multi.backends.agal.codegen.rewrites.idioms import matrix_product
from glslc_multi.backends.agal.isa.registers import OUTPUT, SAMPLER, VARYING
from glslc_multi.compiler.codegen.machine import AnyRegister, Def, MachineFunction, Uniform, Use
from glslc_multi.compiler.codegen.operands import NO_MODIFIERS, Operand, by_origin, components_of
from glslc_multi.compiler.codegen.select import select
from glslc_multi.compiler.codegen.selection.emitter import Emitter, Indexed, SelectionTarget, literal
from glslc_multi.compiler.codegen.selection.rules import NoRule, RuleSet, gather
from glslc_multi.compiler.codegen.selection.templates import table_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT

#: Comparisons as numbers.
_SETS = table_of(
    "flt(x, y) -> slt(x, y)",
    "fle(x, y) -> sge(y, x)",
    "feq(x, y) -> seq(x, y)",
    "fne(x, y) -> sne(x, y)",
)
RULES: RuleSet[Emitter[Selector]] = RuleSet(
    "fadd(x, y) -> add(x, y)",
    "fsub(x, y) -> sub(x, y)",
    "fmul(x, y) -> mul(x, y)",
    "fdiv(x, y) -> div(x, y)",
    "frcp(x) -> rcp(x)",
    "fmin(x, y) -> min(x, y)",
    "fmax(x, y) -> max(x, y)",
    "ffract(x) -> frc(x)",
    "fsqrt(x) -> sqt(x)",
    "frsqrt(x) -> rsq(x)",
    "fpow(x, y) -> pow(x, y)",
    "flog2(x) -> log(x)",
    "fexp2(x) -> exp(x)",
    "fsin(x) -> sin(x)",
    "fcos(x) -> cos(x)",
    "fabs(x) -> abs(x)",
    "fneg(x) -> neg(x)",
    "fsaturate(x) -> sat(x)",
    "ddx(x) -> ddx(x)",
    "ddy(x) -> ddy(x)",
    "fstep(edge, x) -> sge(x, edge)",
    "dot(x:3, y) -> dp3(x, y)",
    "dot(x:4, y) -> dp4(x, y)",
    "normalize(x:3) -> nrm(x)",
    "cross(x, y) -> crs(x, y)",
    # A discard is of what is below 0.
    "kill(flt(x, y)) -> kil(sub(x, y))",
    "kill(flt(0.0, y)) -> kil(neg(y))",
    "kill(flt(x, 0.0)) -> kil(x)",
    "condbr(flt(x, y)) -> ifl(x, y)",
    "condbr(feq(x, y)) -> ife(x, y)",
    "condbr(fne(x, y)) -> ine(x, y)",
    "br -> go",
    "ret -> end",
)
RULES.rule("construct", "insert")(gather)


class Selector(SelectionTarget):
    """What the shared selection must know: rules, and where values are and go."""

    rules = RULES
    operations: ClassVar = {**OPS, "go": GO, "end": END}
    move = MOV

    def __init__(self, files: RegisterFiles, abi: Abi) -> None:
        self.files = files
        self.abi = abi
        self.values = files.temporaries

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


def select_code(function: Function, files: RegisterFiles, abi: Abi) -> MachineFunction:
    """RegisterFiles code of `function` on virtual registers, with symbolic constants."""
    code, _ = select(function, Selector(files, abi))
    return code


# --- Comparisons ------------------------------------------------------------------------------------------------------


@RULES.rule("btof(test)")
def numbers_of_test(e: Emitter[Selector], i: Instruction, test: Value) -> None:
    """The numbers of a comparison, or of several that a shuffle brings together."""
    for components, tested in by_origin(components_of(test, NO_MODIFIERS)):
        _set(e, Def(e.register(i), components), tested)


def _set(e: Emitter[Selector], target: Def, tested: Operand) -> None:
    """1 where lanes of a comparison hold, else 0."""
    operation = _SETS.find(tested.base)
    assert operation is not None, "conditions are comparisons"
    template, values = operation
    template.emit(e, values, target, tested.lanes)


@RULES.rule("kill(condition)")
def kill(e: Emitter[Selector], i: Instruction, condition: Value) -> None:
    """Any condition: its number with the other sign."""
    (tested,) = components_of(condition, NO_MODIFIERS)
    if isinstance(tested.base, Constant):
        e.emit(OPS["kil"], [], [e.compute("mov", literal(-1.0 if tested.numbers()[0] else 0.0))])
        return
    mask, value = e.new(), e.new()
    _set(e, mask, tested)
    e.emit(OPS["kil"], [], [e.compute("neg", Use(mask.register), into=value)])


# --- Products with matrices -------------------------------------------------------------------------------------------


@RULES.rule("vec_mat")
def product(e: Emitter[Selector], i: Instruction) -> None:
    """The instruction finds the other rows after the first, and has no swizzle for them."""
    name = matrix_product(i)
    if name is None:
        raise NoRule(i)
    vector, first, *_ = i.operands
    row = e.use(first)
    row.lanes = (0, 1, 2, 3)
    components = tuple(range(4 if name == "m44" else 3))
    e.emit(OPS[name], [Def(e.register(i), components)], [e.use(vector), row])


# --- Loads, textures, stores ------------------------------------------------------------------------------------------


@RULES.rule("load")
def instance_number(e: Emitter[Selector], i: Instruction) -> None:
    e.copy(e.define(i), Use(e.target.abi.instance))


@RULES.rule("texture")
def lookup(e: Emitter[Selector], i: Instruction) -> None:
    address, abi = i.attribute.address, e.target.abi
    e.emit(
        OPS["tex"],
        [e.define(i)],
        [e.use(i.operands[0])],
        sampler=abi.files[SAMPLER][abi.sampler(address.variable, address.offset)],
        variable=address.variable,
        bias=fixed_bias(i) or 0,
    )


@RULES.rule("store")
def store(e: Emitter[Selector], i: Instruction) -> None:
    """A copy to the output for each origin; a colour is put together first, since it is written at once."""
    address, files, value = i.address, e.target.files, i.operands[-1]
    register = e.target.abi.output(address.variable, address.offset, address.column)
    origins = components_of(value, NO_MODIFIERS)
    means_nothing = all(part.is_undefined for part in origins)
    if register is None or (files.type_of(register) != VARYING and means_nothing):
        return
    is_colour = files.stage == "fragment" and files.type_of(register) == OUTPUT
    parts = _filled(origins, 4 if is_colour or files.type_of(register) in (OUTPUT, VARYING) else 1)
    if not is_colour or len(by_origin(parts)) == 1:
        e.assemble(parts, register)
        return
    whole = e.new(4)
    e.assemble(parts, whole.register)
    e.copy(Def(register, whole.lanes), Use(whole.register, whole.lanes))


def _filled(origins: list[Operand], width: int) -> list[Operand]:
    """Where each component comes from; those that mean nothing are copies of a neighbour, or 0; -0.0 is 0.0 here."""
    zero = Operand(Constant.splat(origins[0].base.type.scalar, 0.0), (0,))
    defined = [part for part in origins if not part.is_undefined]
    spare = defined[-1] if defined else zero
    origins = origins + [Operand(Constant(FLOAT, (None,)), (0,))] * (width - len(origins))
    own = [_own_component(defined, component) or spare for component in range(width)]
    filled = [rest if part.is_undefined else part for part, rest in zip(origins, own, strict=True)]
    return [zero if isinstance(part.base, Constant) and part.numbers() == [0.0] else part for part in filled]


def _own_component(defined: list[Operand], component: int) -> Operand | None:
    """The component of the vector that all others are those of, so that it is copied whole, or computed in place."""
    base = defined[0].base if defined else None
    is_whole = all(part.base is base and part.lanes == (index,) for index, part in enumerate(defined))
    if not isinstance(base, Instruction) or base.op is ops.LOAD or not is_whole or component >= base.type.width:
        return None
    return Operand(base, (component,), defined[0].negate, defined[0].absolute)
