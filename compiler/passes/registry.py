"""The passes by name, imported when first used.

To add a pass, write its file and its test file and add a row; nothing else needs to know.  Those that only one machine
needs stand in `Target.passes`; `glslc_multi.backends.registry.all_passes` has both.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from glslc_multi.compiler.passes.base import Pass

#: Name -> "module:class".  Lowerings (removals of a construct) stand in `glslc_multi.compiler.lowering`.
PASSES: dict[str, str] = {
    "added-zeros": "glslc_multi.compiler.lowering.zeros:AddedZeros",
    "contract": "glslc_multi.compiler.passes.scalar.contract:Contract",
    "dce": "glslc_multi.compiler.passes.scalar.dce:DeadCode",
    "directions": "glslc_multi.compiler.passes.scalar.directions:Directions",
    "factor-scales": "glslc_multi.compiler.lowering.scales:FactorScales",
    "gvn": "glslc_multi.compiler.passes.scalar.gvn:ValueNumbering",
    "if-convert": "glslc_multi.compiler.passes.control_flow.if_convert:IfConvert",
    "index-offsets": "glslc_multi.compiler.lowering.index_offsets:IndexOffsets",
    "inline": "glslc_multi.compiler.passes.control_flow.inline:Inline",
    "instcombine": "glslc_multi.compiler.passes.scalar.instcombine:InstCombine",
    "known-signs": "glslc_multi.compiler.passes.scalar.known_signs:KnownSigns",
    "licm": "glslc_multi.compiler.passes.motion.licm:LoopInvariantCodeMotion",
    "loop-unroll": "glslc_multi.compiler.passes.control_flow.loop_unroll:LoopUnroll",
    "lower-bool-to-float": "glslc_multi.compiler.lowering.bool_to_float:LowerBoolToFloat",
    "lower-builtins": "glslc_multi.compiler.lowering.builtins:LowerBuiltins",
    "lower-endless": "glslc_multi.compiler.lowering.endless:LowerEndless",
    "lower-indexing": "glslc_multi.compiler.lowering.indexing:LowerIndexing",
    "lower-integer-bits": "glslc_multi.compiler.lowering.integer_bits:LowerIntegerBits",
    "lower-int-to-float": "glslc_multi.compiler.lowering.int_to_float:LowerIntToFloat",
    "lower-kill": "glslc_multi.compiler.lowering.kill:LowerKill",
    "lower-matrices": "glslc_multi.compiler.lowering.matrices:LowerMatrices",
    "lower-returns": "glslc_multi.compiler.lowering.returns:LowerReturns",
    "lower-texture-sizes": "glslc_multi.compiler.lowering.interface.texture_sizes:LowerTextureSizes",
    "lower-transcendentals": "glslc_multi.compiler.lowering.elementary.transcendentals:LowerTranscendentals",
    "lower-vec4-split": "glslc_multi.compiler.lowering.split:LowerVec4Split",
    "mem2reg": "glslc_multi.compiler.passes.memory.mem2reg:Mem2Reg",
    "pack": "glslc_multi.compiler.codegen.packing.pack:Pack",
    "scalarize": "glslc_multi.compiler.lowering.split:Scalarize",
    "sccp": "glslc_multi.compiler.passes.scalar.sccp:Sccp",
    "simplify-cfg": "glslc_multi.compiler.passes.control_flow.simplify_cfg:SimplifyCfg",
    "place-tables": "glslc_multi.compiler.lowering.tables:PlaceTables",
    "sroa": "glslc_multi.compiler.passes.memory.sroa:ScalarReplacement",
    "structurize": "glslc_multi.compiler.lowering.structure:Structurize",
    "uniform-hoist": "glslc_multi.compiler.passes.motion.uniform_hoist:UniformHoist",
    "vectorize": "glslc_multi.compiler.passes.scalar.vectorize:Vectorize",
    "whole-indices": "glslc_multi.compiler.lowering.index_offsets:WholeIndices",
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
