"""Constraint levels, orders of instructions and variants: what is taken and what is said."""

from __future__ import annotations

import re

from tests.backends.pica200.codegen.test_large import early_values, long_shader
from tests.backends.pica200.compiled import compiled

_DESCRIPTORS = "failed: needs more than 32 operand descriptors of mad, pica200 has 32"


def test_a_program_that_fits_at_once_reports_no_level() -> None:
    assert compiled(long_shader(40, 10)).stats.levels == ()


def test_descriptors_that_suffice_at_a_tighter_level_are_reported() -> None:
    (taken,) = compiled(long_shader(80, 40)).stats.levels
    assert (taken.policy, taken.number, taken.count) == ("first that fits", 6, 12)
    assert taken.name == "fixed components, 24 mads"
    assert [other.level for other in taken.passed_over] == [
        "free components",
        "fixed components",
        "free components, 32 mads",
        "fixed components, 32 mads",
        "free components, 24 mads",
    ]
    assert {other.why for other in taken.passed_over} == {_DESCRIPTORS}


def with_numbers(source: str, count: int) -> str:
    """The shader with `count` numbers more, which live all the time."""
    made = "".join(f"float s{k} = max(a0.{'xyzw'[k % 4]}, u_k[{k}].x);\n" for k in range(count))
    used = " + ".join(f"s{k} * u_k[{k + 1}].y" for k in range(count))
    body, end = source.rsplit(";", 1)
    return f"{body} + vec4({used});{end}".replace("void main() {\n", f"void main() {{\n{made}")


def test_fixed_components_are_not_tried_again_where_they_found_no_registers() -> None:
    (taken,) = compiled(with_numbers(long_shader(60, 33), 14)).stats.levels
    assert taken.name == "free components, 16 mads"
    assert [(other.level, "registers" in other.why) for other in taken.passed_over] == [
        ("free components", False),
        ("fixed components", True),
        ("free components, 32 mads", False),
        ("free components, 24 mads", False),
    ]


def test_registers_that_suffice_for_another_order_are_reported() -> None:
    (taken,) = compiled(early_values(17)).stats.levels
    assert (taken.name, taken.number) == ("order for 64 components", 2)
    (source,) = taken.passed_over
    assert source.level == "source order"
    found = re.fullmatch(r"failed: needs (\d+) temporary registers, pica200 has 16", source.why)
    assert found is not None and int(found[1]) > 16


def test_variants_are_reported_with_their_sizes() -> None:
    source = """
    attribute vec4 p; uniform vec4 u; varying vec4 v_color;
    void main() { vec4 c = p; if (p.x > u.x) { SLOW } v_color = c; gl_Position = p; }
    """
    small = compiled(source.replace("SLOW", "c = u;"))
    (taken,) = small.stats.levels
    assert (taken.name, taken.policy) == ("flat", "smallest that fits")
    assert [(other.level, other.why) for other in taken.passed_over] == [("as written", "would be no shorter")]


_LOCAL_ARRAY = """
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec4 t[4]; t[0] = a; t[1] = a.wzyx; t[2] = a + u; t[3] = a * u;
    vec4 p = a;
    for (int i = 0; i < 3; i++) { LOOP }
    gl_Position = p;
}
"""


def test_loops_that_index_local_arrays_are_unrolled_at_every_level() -> None:
    source = _LOCAL_ARRAY.replace("LOOP", "p = p * 0.5 + t[i];")
    for opt in (0, 1, 2):
        (taken,) = compiled(source, opt).stats.levels
        assert (taken.name, taken.number, taken.count) == ("unrolled", 1, 2)
        assert [(other.level, other.why) for other in taken.passed_over] == [("as written", "would be no shorter")]


def test_loops_are_unrolled_and_their_branches_flat() -> None:
    source = _LOCAL_ARRAY.replace("LOOP", "p = p * 0.5 + t[i]; if (p.x > 0.0) p += a;")
    (plain,) = compiled(source, 1).stats.levels
    assert plain.name == "unrolled" and [other.level for other in plain.passed_over] == ["as written"]
    (taken,) = compiled(source, 2).stats.levels
    assert (taken.name, taken.number, taken.count) == ("unrolled and flat", 1, 4)
    assert [other.level for other in taken.passed_over] == ["flat", "as written", "unrolled"]


def test_branches_stay_where_selects_are_longer() -> None:
    source = _LOCAL_ARRAY.replace("LOOP", "if (p.x > 0.0) p = p.wzyx * t[i]; p = p + 1.0;")
    shader = compiled(source, 2)
    (taken,) = shader.stats.levels
    assert taken.name == "unrolled"
    longer = next(other.why for other in taken.passed_over if other.level == "unrolled and flat")
    assert longer.startswith("takes ") and int(longer.split()[1]) > shader.stats.code_words


def test_the_shortest_of_all_orders_is_taken_at_the_highest_level() -> None:
    shader = compiled(early_values(12), 3)
    by_order = next(taken for taken in shader.stats.levels if taken.count == 6)
    sizes = [int(other.why.split()[1]) for other in by_order.passed_over if other.why.startswith("takes")]
    assert by_order.policy == "smallest that fits" and sizes and shader.stats.code_words <= min(sizes)
