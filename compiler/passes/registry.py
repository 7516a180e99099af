"""The passes by name, imported when first used.

To add a pass, write its file and its test file and add a row; nothing else needs to know.  Those that only one machine
needs stand in `Target.passes`; `backends.registry.all_passes` has both.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compiler.passes.base import Pass

#: Name -> "module:class".  Lowerings (removals of a construct) stand in `compiler.lowering`.
PASSES: dict[str, str] = {
    "added-zeros": "compiler.lowering.zeros:AddedZeros",
    "contract": "compiler.passes.scalar.contract:Contract",
    "dce": "compiler.passes.scalar.dce:DeadCode",
    "factor-scales": "compiler.lowering.scales:FactorScales",
    "gvn": "compiler.passes.scalar.gvn:ValueNumbering",
    "if-convert": "compiler.passes.control_flow.if_convert:IfConvert",
    "index-offsets": "compiler.lowering.index_offsets:IndexOffsets",
    "inline": "compiler.passes.control_flow.inline:Inline",
    "instcombine": "compiler.passes.scalar.instcombine:InstCombine",
    "known-signs": "compiler.passes.scalar.known_signs:KnownSigns",
    "licm": "compiler.passes.motion.licm:LoopInvariantCodeMotion",
    "loop-unroll": "compiler.passes.control_flow.loop_unroll:LoopUnroll",
    "lower-bool-to-float": "compiler.lowering.bool_to_float:LowerBoolToFloat",
    "lower-builtins": "compiler.lowering.builtins:LowerBuiltins",
    "lower-endless": "compiler.lowering.endless:LowerEndless",
    "lower-indexing": "compiler.lowering.indexing:LowerIndexing",
    "lower-integer-bits": "compiler.lowering.integer_bits:LowerIntegerBits",
    "lower-int-to-float": "compiler.lowering.int_to_float:LowerIntToFloat",
    "lower-kill": "compiler.lowering.kill:LowerKill",
    "lower-matrices": "compiler.lowering.matrices:LowerMatrices",
    "lower-returns": "compiler.lowering.returns:LowerReturns",
    "lower-texture-sizes": "compiler.lowering.interface.texture_sizes:LowerTextureSizes",
    "lower-transcendentals": "compiler.lowering.elementary.transcendentals:LowerTranscendentals",
    "lower-vec4-split": "compiler.lowering.split:LowerVec4Split",
    "mem2reg": "compiler.passes.memory.mem2reg:Mem2Reg",
    "scalarize": "compiler.lowering.split:Scalarize",
    "sccp": "compiler.passes.scalar.sccp:Sccp",
    "simplify-cfg": "compiler.passes.control_flow.simplify_cfg:SimplifyCfg",
    "sroa": "compiler.passes.memory.sroa:ScalarReplacement",
    "structurize": "compiler.lowering.structure:Structurize",
    "uniform-hoist": "compiler.passes.motion.uniform_hoist:UniformHoist",
    "vectorize": "compiler.passes.scalar.vectorize:Vectorize",
    "whole-indices": "compiler.lowering.index_offsets:WholeIndices",
}
#: Those that leave a function of one block as it is, so that they need not be there for a module of such.
FOR_BRANCHES = frozenset(
    {"if-convert", "licm", "loop-unroll", "lower-endless", "lower-returns", "simplify-cfg", "structurize"}
)


def pass_class(name: str, passes: Mapping[str, str] = PASSES) -> type[Pass]:
    """Return the class of the pass called `name`, a key of `passes`."""
    module, _, attribute = passes[name].partition(":")
    class_: type[Pass] = getattr(import_module(module), attribute)
    return class_
