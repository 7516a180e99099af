"""Instruction selection: legalised IR to instructions on virtual registers.

Sources read uniforms, literals and inputs by themselves, with a swizzle and a sign; that a word reads one c register at
most, and one input, is the business of `fixup.py`.  The rules are in `selection/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glslc_multi.backends.pica200.codegen.abi import Interface
from glslc_multi.backends.pica200.codegen.rewrites.loops import CountedLoop
from glslc_multi.backends.pica200.codegen.rewrites.strips import Choice, Emission
from glslc_multi.backends.pica200.codegen.selection import arithmetic, branches, conditions, outputs
from glslc_multi.backends.pica200.codegen.selection.machine import Machine, PicaEmitter
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.codegen.select import select
from glslc_multi.compiler.codegen.selection.rules import joined
from glslc_multi.compiler.ir.module import Function, Instruction

RULES = joined(arithmetic.RULES, conditions.RULES, branches.RULES, outputs.RULES)


def select_code(
    main: Function,
    interface: Interface,
    counted: Sequence[CountedLoop],
    vertices: Mapping[Instruction, Emission | Choice],
) -> MachineFunction:
    """Machine code of `main` on virtual registers, with symbolic constants."""
    function, _ = select(main, Machine(RULES, interface, counted, vertices), PicaEmitter)
    return function
