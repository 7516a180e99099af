"""What a module needs to run: values for what it reads, textures, lanes in quads.

The evaluator asks when it comes to an instruction; compiled code cannot, so everything that the module may ask for
is asked for before it runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics.catalogue.evaluation import DERIVATIVE_WITHOUT_QUADS, MISSING_VALUE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable

_DERIVATIVES = {ops.DDX: "dFdx", ops.DDY: "dFdy"}
_QUADS_HELP = "arrange the lanes in 2x2 quads and set quads"


class Needs:
    """The first instruction that needs each thing."""

    def __init__(self, module: Module) -> None:
        self.reads = _by_variable(i for i in _instructions(module) if _reads_value(i, module))
        lookups = [instruction for instruction in _instructions(module) if instruction.op is ops.TEXTURE]
        self.lookups = _by_variable(lookups)
        #: Lookups whose level of detail comes from the neighbours.
        self.implicit = _by_variable(
            lookup for lookup in lookups if module.stage == "fragment" and lookup.attribute.mode in ("auto", "bias")
        )
        self.derivative = next((i for i in _instructions(module) if i.op in _DERIVATIVES), None)

    def check(self, given: Iterable[str], bound: Mapping[Variable, Sequence[Texture]], quads: bool) -> None:
        """Raise unless there are values under all names, textures for all samplers, and quads where needed."""
        names = set(given)
        for variable, read in self.reads.items():
            if variable.name not in names:
                fail(MISSING_VALUE, read.span, kind=variable.storage, name=variable.name)
        for variable, lookup in self.lookups.items():
            if variable not in bound:
                fail(MISSING_VALUE, lookup.span, kind="sampler", name=variable.name)
        if not quads:
            if self.derivative is not None:
                name = _DERIVATIVES[self.derivative.op]
                fail(DERIVATIVE_WITHOUT_QUADS, self.derivative.span, what=name, help=_QUADS_HELP)
            for variable, lookup in self.implicit.items():
                if any(texture.needs_level for texture in bound[variable]):
                    what = "the level of detail of a mipmapped texture"
                    fail(DERIVATIVE_WITHOUT_QUADS, lookup.span, what=what, help=_QUADS_HELP)


def _reads_value(instruction: Instruction, module: Module) -> bool:
    """Whether an instruction loads what must be given from outside."""
    if instruction.op is not ops.LOAD:
        return False
    variable = instruction.address.variable
    is_made_here = variable.is_written_by(module.stage) or variable.storage == "local" or variable.role == PREAMBLE
    return not is_made_here


def _instructions(module: Module) -> Iterator[Instruction]:
    return (instruction for function in module.functions.values() for instruction in function.instructions())


def _by_variable(instructions: Iterable[Instruction]) -> dict[Variable, Instruction]:
    """The first instruction for each variable."""
    first: dict[Variable, Instruction] = {}
    for instruction in instructions:
        first.setdefault(instruction.address.variable, instruction)
    return first
