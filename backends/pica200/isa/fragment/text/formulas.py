"""How functions of a combiner are spelled: `mix(b, a, c)` and its like mean in the text what they do in GLSL."""

from __future__ import annotations

import re
from collections.abc import Mapping

from glslc_multi.backends.pica200.isa.fragment.combiners import FUNCTIONS
from glslc_multi.backends.pica200.isa.fragment.program import Combiner, Operand

#: Function -> places in the registers of the operands, as they follow each other in the text.
PLACES: Mapping[str, tuple[int, ...]] = {
    name: tuple(map(int, re.findall(r"{(\d)}", row.formula))) for name, row in FUNCTIONS.items()
}
#: Functions that have a name in the text.
CALLS: Mapping[str, str] = {
    row.formula.partition("(")[0]: name for name, row in FUNCTIONS.items() if row.formula[0].isalpha()
}
#: The other functions by their operators.
OPERATORS: Mapping[str, str] = {
    "".join(re.findall(r" ([-+*]) ", row.formula)): name
    for name, row in FUNCTIONS.items()
    if name not in CALLS.values()
}

#: What follows 1 in the name of a selection.
COMPLEMENT = "1-"


def unused_operand(selection: str) -> Operand:
    """What stands in the place of an operand that a function does not take, unless the text says otherwise."""
    return Operand("primary", selection)


def spell_combiner(combiner: Combiner, selection: str) -> str:
    """The formula; the selection is that of unused operands, rgb or a."""
    formula = FUNCTIONS[combiner.function].formula.format(*map(spell_operand, combiner.operands))
    if combiner.scale != 1:
        formula = f"{combiner.scale} * ({formula})"
    rest = combiner.operands[len(combiner.taken) :]
    if any(operand != unused_operand(selection) for operand in rest):
        formula += f"  unused {', '.join(map(spell_operand, rest))}"
    return formula


def spell_operand(operand: Operand) -> str:
    """`texture0.rgb`, `(1 - texture0.rgb)`"""
    plain = f"{operand.source}.{operand.selection.removeprefix(COMPLEMENT)}"
    return f"(1 - {plain})" if operand.selection.startswith(COMPLEMENT) else plain
