"""Every rule of the table holds, and wrong rules are found out."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.passes.rules.pattern import (
    Hole,
    Literal,
    Operation,
    Pattern,
    PatternError,
    leaves,
    operations,
    parse,
)
from glslc_multi.compiler.passes.rules.rule import ASSUMPTIONS, Rule, weight_of
from glslc_multi.compiler.passes.rules.table import RULES
from tests.compiler.passes.rules.meaning import OVER_VECTORS
from tests.compiler.passes.rules.proofs import refute, refute_by_values, refute_in_half, refute_symbolically, rule_from

EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


@EVERY_RULE
def test_rule_holds(rule: Rule) -> None:
    assert refute(rule) == ""


@EVERY_RULE
def test_rule_is_well_formed(rule: Rule) -> None:
    assert set(rule.assumes.split()) <= set(ASSUMPTIONS)
    assert rule.proof != "z3" or not {"rounding", "domain"} & set(rule.assumes.split())
    bound = {leaf.name for leaf in leaves(rule.pattern) if not isinstance(leaf, Literal)}
    used = {leaf.name for leaf in leaves(rule.replacement) if not isinstance(leaf, Literal)}
    assert used <= bound
    if rule.condition is not None:
        assert not any(isinstance(leaf, Hole) for leaf in leaves(rule.condition))
    # A number takes its width from the operation it stands in, so that must be component-wise.
    for part in operations(rule.replacement):
        if part.op is None or part.op in OVER_VECTORS:
            assert not any(isinstance(operand, Literal) for operand in part.operands)


@EVERY_RULE
def test_rewriting_ends(rule: Rule) -> None:
    """The weight goes down, or stays while operands come from nearer to the inputs."""
    before = sum(weight_of(part.op) for part in set(operations(rule.pattern)))
    assert rule.cost < before or (rule.cost == before and rule.is_shallower)


def test_names_are_unique() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_exact_rules_are_proven_where_an_answer_comes_in_time() -> None:
    proven = [rule for rule in RULES if rule.is_exact and rule.proof == "z3"]
    assert len(proven) > 0.6 * sum(rule.is_exact for rule in RULES)


# ------------------------------------------------------------------------------------------ wrong rules
WRONG = [
    # Forgotten NaN, infinity, sign of zero.
    ("fsub(x, x) -> 0.0", "", "fsub(inf, inf) is NaN"),
    ("fmul(x, 0.0) -> 0.0", "", "infinity times 0 is NaN"),
    ("fmul(x, 0.0) -> 0.0", "no-nan", "-1 * 0.0 is -0.0"),
    ("fadd(x, 0.0) -> x", "", "-0.0 + 0.0 is 0.0"),
    ("fsub(0.0, x) -> fneg(x)", "", "0.0 - 0.0 is 0.0"),
    ("feq(x, x) -> true", "", "NaN"),
    ("not(flt(x, y)) -> fle(y, x)", "", "NaN"),
    ("fdiv(x, x) -> 1.0", "no-inf", "0 / 0 is NaN"),
    ("fmin(x, y) -> fmin(y, x)", "", "NaN and zeros"),
    ("fmax(x, fneg(x)) -> fabs(x)", "", "-0.0"),
    ("select(fle(x, y), x, y) -> fmin(x, y)", "", "NaN"),
    ("fmix(x, y, 0.0) -> x", "no-nan", "-0.0 + 0.0"),
    # Rounding.
    ("fadd(fadd(x, #c), #d) -> fadd(x, fadd(#c, #d))", "", "rounds otherwise"),
    ("fdiv(x, #c) -> fmul(x, frcp(#c))", "no-nan no-inf", "rounds otherwise"),
    ("ftoi(itof(x)) -> x", "", "2^24 + 1"),
    # Plainly wrong, with every assumption made.
    ("fadd(fmul(x, y), fmul(x, z)) -> fmul(y, fadd(x, z))", "rounding no-nan no-inf no-signed-zero", "wrong factor"),
    ("fsub(x, fsub(y, x)) -> y", "rounding no-nan no-inf", "sign"),
    ("fpow(x, 2.0) -> fadd(x, x)", "rounding domain", "agrees at 2 only"),
    ("fpow(x, 3.0) -> fmul(x, x)", "rounding domain", "agrees at 0 and 1 only"),
    ("fmix(x, y, z) -> fadd(y, fmul(fsub(x, y), z))", "rounding no-nan no-inf", "ends changed about"),
    ("fstep(x, y) -> btof(flt(x, y))", "no-nan no-inf no-signed-zero", "equal operands"),
    ("fmax(fmin(x, #d), #c) -> fclamp(x, #c, #d)", "no-nan no-signed-zero", "bounds out of order"),
    ("select(c, x, y) -> select(c, y, x)", "no-nan no-inf no-signed-zero", "branches changed about"),
    ("select(c, select(d, x, y), y) -> select(or(c, d), x, y)", "no-nan", "or for and"),
    ("imul(x, 2) -> iadd(x, 2)", "", "agrees at 2 only"),
    ("idiv(imul(x, y), y) -> x", "domain", "wraps"),
    ("ilt(iadd(x, #c), #d) -> ilt(x, isub(#d, #c))", "", "wraps"),
    ("and(x, or(y, x)) -> y", "", "wrong operand"),
    ("xor(x, x) -> x", "", ""),
    ("ffloor(x) -> ftrunc(x)", "no-nan no-inf no-signed-zero", "negative numbers"),
    ("fclamp(x, 0.0, 1.0) -> fmin(x, 1.0)", "no-nan no-signed-zero", "negative numbers"),
    ("flt(#c, btof(x)) -> x", "", "without its condition"),
    ("cross(x, y) -> cross(y, x)", "no-nan no-inf no-signed-zero", "sign"),
    ("length(x) -> dot(x, x)", "rounding no-nan no-inf", "squared"),
    ("not(all(not(x))) -> all(x)", "", ""),
]


@pytest.mark.parametrize(("text", "assumes", "why"), WRONG, ids=[text for text, _, _ in WRONG])
def test_wrong_rules_are_refuted(text: str, assumes: str, why: str) -> None:
    assert refute_by_values(rule_from(text, assumes)), why


@pytest.mark.parametrize(
    ("text", "assumes"),
    [
        ("fsub(x, x) -> 0.0", ""),
        ("fadd(x, 0.0) -> x", ""),
        ("fmul(x, 0.0) -> 0.0", "no-nan"),
        ("not(flt(x, y)) -> fle(y, x)", ""),
        ("fmin(x, y) -> fmin(y, x)", "no-nan"),
        ("ftoi(itof(x)) -> x", ""),
        ("imul(x, 2) -> iadd(x, 2)", ""),
        ("flt(#c, btof(x)) -> x", ""),
        ("fexp2(flog2(x)) -> x", "no-nan"),
    ],
)
def test_wrong_rules_have_a_counterexample_in_z3(text: str, assumes: str) -> None:
    found = refute_symbolically(rule_from(text, assumes))
    assert found
    assert "no answer" not in found


@pytest.mark.parametrize(
    ("text", "assumes"),
    [
        ("fabs(fmul(x, x)) -> fmul(x, fabs(x))", ""),
        ("fcos(fneg(x)) -> fneg(fcos(x))", ""),
        ("fpow(x, 2.0) -> fmul(fmul(x, x), x)", "rounding domain"),
        ("ffract(x) -> fsub(x, ftrunc(x))", ""),
    ],
)
def test_wrong_rules_are_refuted_in_half_precision(text: str, assumes: str) -> None:
    assert "became" in refute_in_half(rule_from(text, assumes, "half"))


def test_rules_that_nothing_satisfies_are_refused() -> None:
    rule = rule_from("fadd(x, #c) -> x", "", "values", "and(flt(#c, 0.0), flt(0.0, #c))")
    assert "only 0 operands" in refute_by_values(rule)


def test_z3_knows_the_sign_of_zero() -> None:
    assert refute_symbolically(rule_from("fadd(x, -0.0) -> x")) == ""


# ------------------------------------------------------------------------------------------ the language
@pytest.mark.parametrize(
    "text",
    [
        "fadd(x, -0.0)",
        "select(true, x, y)",
        "fmul(x, splat(frsqrt(dot(x, x))))",
        "iadd(x, #c)",
        "dot(x:1, y:4)",
        "fadd(once(dot(x:2, y)), z)",
    ],
)
def test_patterns_print_as_they_are_written(text: str) -> None:
    assert str(parse(text)) == text


def test_only_an_operation_is_read_once() -> None:
    with pytest.raises(PatternError, match="x is no operation"):
        parse("fadd(once(x), y)")


def test_leaves_and_operations_are_listed() -> None:
    pattern: Pattern = parse("fsub(x, fmul(y, #c))")
    assert isinstance(pattern, Operation)
    assert [str(leaf) for leaf in leaves(pattern)] == ["x", "y", "#c"]
    assert [str(part) for part in operations(pattern)] == ["fsub(x, fmul(y, #c))", "fmul(y, #c)"]
