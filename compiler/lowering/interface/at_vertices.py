"""Affine arithmetic moves from the pixels to the vertices: what flows between two linked stages is chosen anew.

In: a linked pair, and for each new varying the terms (`compiler/analysis/affine.py`) that are its components.  Out: a
vertex module that writes the new varyings, and no others, at its end.  What the old varyings hold is computed as
before, in local variables, until dead code elimination finds that nobody needs it.  That the fragment module reads
the new ones is up to the caller, who knows which values they stand for.

What all pixels share is copied into the vertex stage with the uniforms that it reads; what a preamble computes of them
is computed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy

from glslc_multi.compiler.analysis.affine import Part, Shared, Term, evaluate_terms
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant, float_constant, int_constant
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.variables import PREAMBLE, Address, Variable
from glslc_multi.compiler.records import dataclass, replace

#: Makes the value of a varying of the values of terms.
Make = Callable[[Builder, Sequence[Value]], Value]


def construct(builder: Builder, components: Sequence[Value]) -> Value:
    """The varying has the terms as its components."""
    return builder.construct(*components)


@dataclass(frozen=True, slots=True)
class AtVertices:
    """What the vertex stage leaves in a varying."""

    variable: Variable
    terms: tuple[Term, ...]
    make: Make = construct


def write_at_vertices(vertex: Module, fragment: Module, outputs: Sequence[AtVertices]) -> None:
    """Give the vertex module these varyings in the place of those that it has."""
    old = {v.name: v for v in vertex.variables.values() if v.storage == "varying"}
    for variable in old.values():
        variable.storage, variable.location, variable.interpolation, variable.invariant = "local", None, "", False
    new = [vertex.add_variable(copy(output.variable)) for output in outputs]
    for end in [i for i in vertex.main.instructions() if i.op is ops.RET]:
        writer = _Writer(Builder.before(end), old, fragment)
        values = evaluate_terms([t for output in outputs for t in output.terms], writer, writer.leaf)
        for variable, output in zip(new, outputs, strict=True):
            value = output.make(writer.builder, [values[term] for term in output.terms])
            writer.builder.store(variable, value)


class _Writer:
    """The operations that terms have, as instructions of the vertex module."""

    def __init__(self, builder: Builder, varyings: Mapping[str, Variable], fragment: Module) -> None:
        self.builder = builder
        self.builder.flags, self.builder.span = 0, None
        self._varyings = varyings
        self._fragment = fragment
        #: Instruction of the fragment module -> its copy.
        self._copies: dict[Instruction, Value] = {}

    def bconst(self, value: bool) -> Value:
        return bool_constant(value)

    def iconst(self, value: int) -> Value:
        return int_constant(value)

    def fconst(self, value: float) -> Value:
        return float_constant(value)

    def fadd(self, x: Value, y: Value) -> Value:
        return self.builder.op(ops.FADD, x, y)

    def fsub(self, x: Value, y: Value) -> Value:
        return self.builder.op(ops.FSUB, x, y)

    def fmul(self, x: Value, y: Value) -> Value:
        return self.builder.op(ops.FMUL, x, y)

    def fdiv(self, x: Value, y: Value) -> Value:
        return self.builder.op(ops.FDIV, x, y)

    def fneg(self, x: Value) -> Value:
        return self.builder.op(ops.FNEG, x)

    def select(self, condition: Value, if_true: Value, if_false: Value) -> Value:
        return self.builder.op(ops.SELECT, condition, if_true, if_false)

    def leaf(self, term: Term) -> Value:
        leaf = term.leaf
        if isinstance(leaf, Part):
            variable = self._varyings[leaf.variable.name]
            return self.builder.extract(self.builder.load(variable, leaf.element, leaf.column), leaf.component)
        assert isinstance(leaf, Shared), "constants are no business of this function"
        # A copy of an instruction of the fragment module, after copies of all that it needs.
        pending = [leaf.instruction]
        while pending:
            instruction = pending[-1]
            needed = [o for o in self._needs(instruction) if isinstance(o, Instruction) and o not in self._copies]
            if needed:
                pending += needed
                continue
            pending.pop()
            if instruction not in self._copies:
                self._copies[instruction] = self._copy(instruction)
        return self.builder.extract(self._copies[leaf.instruction], leaf.component)

    # what all pixels share -------------------------------------------------------------------------
    def _needs(self, instruction: Instruction) -> Sequence[Value]:
        computed = self._computed(instruction)
        return instruction.operands if computed is None else (computed,)

    def _computed(self, instruction: Instruction) -> Value | None:
        """What a preamble has stored where the instruction loads."""
        if instruction.op is not ops.LOAD or instruction.address.variable.role != PREAMBLE:
            return None
        stores = (i for i in self._fragment.functions[PREAMBLE].entry if i.op is ops.STORE)
        return next(i.operands[-1] for i in stores if i.address.variable is instruction.address.variable)

    def _copy(self, instruction: Instruction) -> Value:
        computed = self._computed(instruction)
        if computed is not None:
            return self._operand(computed)
        attribute = instruction.attribute
        if isinstance(attribute, Address):
            attribute = replace(attribute, variable=self._uniform(attribute.variable))
        return self.builder.op(instruction.op, *map(self._operand, instruction.operands), attribute=attribute)

    def _operand(self, value: Value) -> Value:
        return value if isinstance(value, Constant) else self._copies[_instruction(value)]

    def _uniform(self, variable: Variable) -> Variable:
        """The same uniform in the vertex module; one of another shape is not in use there, or the two did not fit."""
        vertex = self.builder.function.module
        uniform = vertex.find_variable(variable.name)
        if uniform is None:
            return vertex.add_variable(copy(variable))
        assert uniform.storage == "uniform", "who moves arithmetic has asked `names_in_the_way`"
        if (uniform.type, uniform.columns, len(uniform.dims)) != (variable.type, variable.columns, len(variable.dims)):
            uniform = vertex.variables[variable.name] = copy(variable)
        uniform.dims = tuple(map(max, uniform.dims, variable.dims))
        return uniform


def names_in_the_way(vertex: Module, fragment: Module) -> Iterable[Variable]:
    """Uniforms of the fragment stage that are something else in the vertex stage; locals make room."""
    for variable in [v for v in fragment.variables.values() if v.storage == "uniform"]:
        found = vertex.find_variable(variable.name)
        if found is not None and found.storage == "local":
            owner = next(
                v for v in (vertex.variables, *(f.variables for f in vertex.functions.values())) if found.name in v
            )
            del owner[found.name]
            found.name += "$"
            while vertex.find_variable(found.name) is not None:
                found.name += "$"
            owner[found.name] = found
        elif found is not None and found.storage != "uniform":
            yield variable


def _instruction(value: Value) -> Instruction:
    assert isinstance(value, Instruction)
    return value
