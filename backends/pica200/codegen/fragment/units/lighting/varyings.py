"""Normal and view come from the outputs of the rasteriser that the lighting unit reads.

In: a flat module, and the lighting in it.  Out: the module reads `$normalquat` and `$view` in the place of the
varyings that it made normal and view of; and what the vertex shader leaves there: for a normal the quaternion that
turns (0, 0, 1) to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.pica200.codegen.fragment.units.lighting.cosines import QUATERNION, VIEW
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.find import Lighting
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.rotation import quaternion_of_normal, turned_axis
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.vectors import AXES, Direction, VaryingNumber, Vector
from glslc_multi.compiler.analysis.affine import AffineForms, Form, Term
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.at_vertices import AtVertices
from glslc_multi.compiler.records import dataclass


def pass_lighting(module: Module, lighting: Lighting) -> list[AtVertices]:
    """Rewrite the module; nothing is done where it was done before, or where no cosine is."""
    if not lighting.numbers:
        return []
    return [*_carry_normal(module, lighting), *_carry_view(module, lighting)]


# --- Normal -----------------------------------------------------------------------------------------------------------


def _carry_normal(module: Module, lighting: Lighting) -> Iterator[AtVertices]:
    normal, rotation = lighting.cosines.normal, lighting.cosines.rotation
    if normal is None:
        return
    forms = AffineForms(module.main)
    if rotation is not None:
        yield from _carry_quaternion(module, rotation.quaternion, forms)
        return
    sources = [(i, sign) for i, sign in lighting.cosines.normals.items() if i.op is ops.NORMALIZE]
    terms = next((_terms(forms.of(i.operands[0])) for i, sign in sources if sign > 0), None)
    if terms is None:
        return
    variable = module.add_variable(Variable(QUATERNION, "varying", FLOAT.with_width(4), precision="highp"))
    first = _first(module, [i for i, _ in sources])
    axis = turned_axis(first, first.load(variable))
    for instruction, sign in sources:
        turned = axis if sign > 0 else Builder.before(instruction).op(ops.FNEG, axis)
        instruction.set_operand(0, turned)
    yield AtVertices(variable, terms, quaternion_of_normal)


def _carry_quaternion(module: Module, load: Instruction, forms: AffineForms) -> Iterator[AtVertices]:
    terms = _terms(forms.of(load))
    if load.address.variable.name == QUATERNION or terms is None:
        return
    variable = module.add_variable(Variable(QUATERNION, "varying", FLOAT.with_width(4), precision="highp"))
    load.replace_all_uses_with(Builder.before(load).load(variable))
    yield AtVertices(variable, terms)


def _first(module: Module, instructions: list[Instruction]) -> Builder:
    """Before the first of them."""
    wanted = set(instructions)
    return Builder.before(next(i for i in module.main.entry if i in wanted))


def _terms(forms: tuple[Form, ...]) -> tuple[Term, ...] | None:
    terms = tuple(form for form in forms if isinstance(form, Term))
    return terms if len(terms) == len(forms) else None


# --- View -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _View:
    """The view vector: a varying or its opposite, and what the host adds."""

    variable: Variable
    sign: int
    offset: Vector


def _carry_view(module: Module, lighting: Lighting) -> Iterator[AtVertices]:
    base = lighting.cosines.view
    view = None if base is None else _view(base)
    if view is None or view.variable.name == VIEW:
        return
    loads = [i for i in module.main.instructions() if i.op is ops.LOAD and i.address.variable is view.variable]
    offset = _offset(view, module)
    if isinstance(offset, Instruction) and not _moved_to_front(offset):
        return
    terms = _view_terms(AffineForms(module.main), loads[0], view.sign, offset)
    if terms is None:
        return
    variable = module.add_variable(Variable(VIEW, "varying", FLOAT.with_width(AXES), precision="highp"))
    for load in loads:
        builder = Builder.before(load)
        # v = offset + sign * varying: the varying is sign * (v - offset).
        value: Value = builder.load(variable)
        if offset is not None:
            value = builder.op(ops.FSUB, value, offset)
        if view.sign < 0:
            value = builder.op(ops.FNEG, value)
        _replace(load, value)
    yield AtVertices(variable, terms)


def _replace(load: Instruction, value: Value) -> None:
    """Read the vector in the place of the varying; a fourth component stays what it was."""
    if load.type.width == AXES:
        load.replace_all_uses_with(value)
        return
    for user in [user for user in load.users if user.op is ops.SWIZZLE and max(user.attribute) < AXES]:
        user.set_operand(0, value)


def _view(base: Vector) -> _View | None:
    found: set[tuple[Variable, int]] = set()
    for component, part in enumerate(Direction(base).varying):
        (monomial, factor), *rest = part.terms.items() or [((), 0)]
        atom = monomial[0] if monomial else None
        if rest or not isinstance(atom, VaryingNumber) or atom.component != component or abs(factor) != 1:
            return None
        found.add((atom.variable, int(factor)))
    if len(found) != 1:
        return None
    ((variable, sign),) = found
    return _View(variable, sign, Direction(base).offset)


def _offset(view: _View, module: Module) -> Value | None:
    """The value of the block that the host's part is; None where there is none."""
    if not any(view.offset):
        return None
    constants = [part.constant for part in view.offset]
    if None not in constants:
        return float_constant(*(float(part) for part in constants if part is not None))
    for instruction in module.main.entry:
        if instruction.type.width == AXES and [f"any %{instruction.id}.{part}" for part in range(AXES)] == [
            str(part) for part in view.offset
        ]:
            return instruction
    return None


def _moved_to_front(offset: Instruction) -> bool:
    """Tell whether it could be moved before everything that varies: a uniform as it is can."""
    block = offset.block
    if offset.op is not ops.LOAD or offset.operands or block is None:
        return False
    offset.unlink()
    block.insert_before(block.first, offset)
    return True


def _view_terms(forms: AffineForms, load: Instruction, sign: int, offset: Value | None) -> tuple[Term, ...] | None:
    """offset + sign * varying."""
    parts: tuple[Form, ...] = forms.of(load)
    if sign < 0:
        parts = tuple(map(forms.arithmetic.fneg, parts))
    if offset is not None:
        parts = tuple(forms.arithmetic.fadd(x, y) for x, y in zip(forms.of(offset), parts, strict=True))
    return _terms(parts)
