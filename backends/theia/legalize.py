"""From any module to one whose operations the selection rules know, one row of the machine a value.

In: a module in any form that the front end or the optimiser leaves.  Out: `main` alone, without memory of its
own, ints, matrix products or elementary functions; values have at most three components, but for loads, textures
and what is stored, which are put together at the border.  A discard is left at the end only.

The order is that of `compiler/lowering/README.md`.  What remains is `KEPT` and the simple operations that are not
`LACKING`.
"""

from __future__ import annotations

from backends.theia.elementary import lower_elementary
from backends.theia.registers import Variant
from backends.theia.texture import lower_lookups
from compiler.diagnostics import DiagnosticSink
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Module
from compiler.ir.ops import Opcode
from compiler.passes.base import CostModel, PassContext
from compiler.passes.pipeline import Pipeline, parse_pipeline
from compiler.passes.runner import run_pipeline

_KEPT = "fdiv.fstep.ffract.ftrunc.fsign.fsqrt.dot.cross.all.any"
_LACKING = "frcp.frsqrt.fmad"
#: The square root of icarus knows whole numbers only.
_LENGTHS: dict[Variant, str] = {"trunk": ".length", "icarus": ""}

_PROMOTE = "inline,simplify-cfg,sroa,mem2reg"
_CLEAN = "repeat{rounds=4}(sccp,instcombine,gvn,simplify-cfg,dce)"


def pipelines(variant: Variant) -> tuple[Pipeline, Pipeline]:
    """The lowerings in order: those before `elementary.py`, and those behind."""
    builtins = f"lower-builtins{{keep={_KEPT}{_LENGTHS[variant]},lacks={_LACKING}}}"
    before = (
        "lower-indexing{uniforms=true},sroa,lower-kill,mem2reg,lower-matrices{to=mads},"
        "lower-int-to-float{exact-divide=true},lower-vec4-split{width=3}"
    )
    # Rules of `instcombine` may make composite operations anew, or join what was split.
    after = f"{builtins},{_CLEAN},lower-vec4-split{{width=3}},{builtins},dce"
    return parse_pipeline(before, DiagnosticSink()), parse_pipeline(after, DiagnosticSink())


def legalize(
    module: Module,
    variant: Variant,
    costs: CostModel,
    sink: DiagnosticSink,
    *,
    precise: bool = False,
    clamp: bool = False,
) -> None:
    """Run the lowerings on `module`; with `clamp`, texture coordinates do not repeat."""
    context = PassContext(costs, precise)
    run_pipeline(module, parse_pipeline(_PROMOTE, DiagnosticSink()), context)
    lower_lookups(module.main, clamp=clamp, sink=sink)
    before, after = pipelines(variant)
    run_pipeline(module, before, context)
    lower_elementary(module.main, precise=precise)
    run_pipeline(module, after, PassContext(costs, precise))
    _split_roots(module.main)
    run_pipeline(module, parse_pipeline("gvn,dce", DiagnosticSink()), PassContext(costs, precise))
    for function in module.functions.values():
        function.renumber()


def _split_roots(function: Function) -> None:
    """Roots of single numbers: the loop that computes one ends when it is found."""
    for root in list(function.instructions()):
        if root.op is ops.FSQRT and not root.type.is_scalar:
            builder = Builder.in_front_of(root)
            parts = [builder.extract(root.operands[0], number) for number in range(root.type.width)]
            root.replace_all_uses_with(builder.construct(*(builder.op(ops.FSQRT, part) for part in parts)))
            root.erase()


#: What selection has rules for.
LEGAL: frozenset[Opcode] = frozenset(
    {
        *(ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FNEG, ops.FABS, ops.FSIGN, ops.FFLOOR, ops.FTRUNC, ops.FFRACT),
        *(ops.FMIN, ops.FMAX, ops.FSTEP, ops.FSQRT, ops.FLT, ops.FLE, ops.FEQ, ops.FNE, ops.AND, ops.OR, ops.XOR),
        *(ops.NOT, ops.ALL, ops.ANY, ops.BTOF, ops.FTOB, ops.SELECT, ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT, ops.DOT),
        *(ops.LENGTH, ops.CROSS, ops.LOAD, ops.STORE, ops.TEXTURE, ops.PHI, ops.KILL, ops.BR, ops.CONDBR, ops.RET),
    }
)
