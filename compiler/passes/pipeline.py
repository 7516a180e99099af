"""Pipelines: which passes run in what order, and what the -O levels mean.

A pipeline is a tuple of passes and of groups that run until nothing changes.  `pipeline_text.py` reads one from a text.
"""

from __future__ import annotations

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.passes.base import ModulePass, Pass, PassContext
from glslc_multi.compiler.passes.control_flow.inline import Inline
from glslc_multi.compiler.passes.memory.mem2reg import Mem2Reg
from glslc_multi.compiler.passes.memory.sroa import ScalarReplacement
from glslc_multi.compiler.passes.registry import pass_class
from glslc_multi.compiler.passes.scalar.contract import Contract
from glslc_multi.compiler.passes.scalar.dce import DeadCode
from glslc_multi.compiler.passes.scalar.gvn import ValueNumbering
from glslc_multi.compiler.passes.scalar.instcombine import InstCombine
from glslc_multi.compiler.passes.scalar.known_signs import KnownSigns
from glslc_multi.compiler.passes.scalar.sccp import Sccp
from glslc_multi.compiler.records import dataclass

#: Rounds of a `repeat` without a number.
DEFAULT_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Repeat:
    """A group of steps that runs until none makes progress."""

    steps: Pipeline
    rounds: int = DEFAULT_ROUNDS


@dataclass(frozen=True, slots=True)
class ForBranches(ModulePass):
    """A pass without options of `FOR_BRANCHES`: straight code, as of most vertex shaders, does without its import.

    That buys 9 % of a cold compile of such a shader (`benchmarks.cold_start`, a miss).
    """

    name: str  # type: ignore[misc]

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        is_straight = all(len(function.blocks) == 1 for function in module.functions.values())
        return not is_straight and pass_class(self.name)().run_on_module(module, context)


Step = Pass | Repeat
Pipeline = tuple[Step, ...]

#: Passes without options, which most pipelines have.
INLINE, SROA, MEM2REG = Inline(), ScalarReplacement(), Mem2Reg()
SCCP, INSTCOMBINE, GVN, DCE = Sccp(), InstCombine(), ValueNumbering(), DeadCode()
SIMPLIFY_CFG, IF_CONVERT, LICM = ForBranches("simplify-cfg"), ForBranches("if-convert"), ForBranches("licm")
LOOP_UNROLL, LOWER_ENDLESS, STRUCTURIZE = map(ForBranches, ("loop-unroll", "lower-endless", "structurize"))

#: Memory becomes values: what every other pass works on.
PROMOTE: Pipeline = (INLINE, SIMPLIFY_CFG, SROA, MEM2REG)
#: Control flow is a nest, too: what writers of languages begin with.
NESTED: Pipeline = (*PROMOTE, SIMPLIFY_CFG, LOWER_ENDLESS, STRUCTURIZE, DCE)
#: What is cheap and always good, until nothing changes; and the same with value numbering.
CLEAN = Repeat((SCCP, INSTCOMBINE, SIMPLIFY_CFG, DCE), 4)
CLEAN_WELL = Repeat((SCCP, INSTCOMBINE, GVN, SIMPLIFY_CFG, DCE), 4)
#: Unrolling makes indices constant, so that arrays become values; what is left of branches becomes selects.
_FULL: Pipeline = (
    *(*PROMOTE, CLEAN_WELL, LOOP_UNROLL, SROA, MEM2REG, CLEAN_WELL, KnownSigns()),
    *(IF_CONVERT, LICM, CLEAN_WELL, Contract()),
)
#: The -O levels.
LEVELS: dict[int, Pipeline] = {0: (), 1: (*PROMOTE, CLEAN), 2: _FULL, 3: _FULL}


def level(number: int) -> Pipeline:
    """Return the pipeline of -O`number`; what -O3 does more is the code generator's business."""
    return LEVELS[number]


def hoisting() -> Pipeline:
    """Return that of -fpreamble: what depends on uniforms alone goes to a function that the host runs."""
    from glslc_multi.compiler.passes.motion.uniform_hoist import UniformHoist

    return (*PROMOTE, UniformHoist(), CLEAN)
