"""What linking has added to a stage: uniforms of the other one, and varyings that the target has chosen.

The machine code of a linked stage may read and write what its source does not have (`Artifact.lent`); engines that
run it see a module with those variables, too.
"""

from __future__ import annotations

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.ir.module import Module

#: Engines that run the target's machine code.
MACHINE_ENGINES = ("simulator", "translated")


def with_lent(module: Module, artifact: Artifact) -> Module:
    """The interface of a stage's source and of its machine code, as a module without code."""
    if not artifact.lent:
        return module
    seen = Module(module.stage, module.name)
    seen.variables = {**module.variables, **{variable.name: variable for variable in artifact.lent}}
    seen.declarations, seen.blocks = module.declarations, module.blocks
    seen.exact_integers = module.exact_integers
    return seen
