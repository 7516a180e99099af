"""All rewrite rules, in the order in which they are tried, and the book that applies them."""

from __future__ import annotations

from functools import cache

from glslc_multi.compiler.passes.rules import arithmetic, bits, functions, logic
from glslc_multi.compiler.passes.rules.matcher import RuleBook
from glslc_multi.compiler.passes.rules.rule import Rule

#: Heading -> rows, as the README shows them.  Idioms stand first: other rules must not take them apart.
GROUPS: dict[str, tuple[Rule, ...]] = {
    "Rounding": functions.ROUNDING,
    "Minimum, maximum, clamp": functions.BOUNDS,
    "Step and mix": functions.STEPS,
    "Powers and roots": functions.POWERS,
    "Geometry": functions.GEOMETRY,
    "Sums": arithmetic.SUMS,
    "Signs": arithmetic.SIGNS,
    "Products": arithmetic.PRODUCTS,
    "Quotients": arithmetic.QUOTIENTS,
    "Multiply-add": arithmetic.MULTIPLY_ADD,
    "Integers": arithmetic.INTEGERS,
    "Bits": bits.BITS,
    "Shifts": bits.SHIFTS,
    "Without a sign": bits.UNSIGNED,
    "Comparisons": logic.COMPARISONS,
    "Bools": logic.BOOLS,
    "Selects": logic.SELECTS,
    "Conversions": logic.CONVERSIONS,
}
RULES: tuple[Rule, ...] = tuple(rule for rows in GROUPS.values() for rule in rows)


@cache
def rule_book() -> RuleBook:
    """The one book of all rules."""
    return RuleBook(RULES)
