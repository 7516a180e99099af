"""Programs that hardly fit are made again, and say so; of several forms the shortest is taken."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.pica200.codegen.test_large import LANES, early_values, long_shader
from tests.backends.pica200.compiled import compiled, dyadic


def test_a_program_that_fits_is_made_once() -> None:
    assert compiled(long_shader(40, 10)).stats.exceeded == ()


def with_numbers(source: str, count: int) -> str:
    """The shader with `count` numbers more, which live all the time."""
    made = "".join(f"float s{k} = max(a0.{'xyzw'[k % 4]}, u_k[{k}].x);\n" for k in range(count))
    used = " + ".join(f"s{k} * u_k[{k + 1}].y" for k in range(count))
    body, end = source.rsplit(";", 1)
    return f"{body} + vec4({used});{end}".replace("void main() {\n", f"void main() {{\n{made}")


@pytest.mark.parametrize("source", [long_shader(80, 40), with_numbers(long_shader(60, 33), 14)])
def test_multiply_adds_whose_descriptors_find_no_room_are_two_words(source: str) -> None:
    """Of more than 32 shapes of multiply-adds; the validator, which judges every program, takes 32 descriptors."""
    shader = compiled(source)
    assert {error.values["what"] for error in shader.stats.exceeded} <= {"operand descriptors of mad"}
    inputs = {name: dyadic(seed, LANES, 4) for seed, name in enumerate(("a0", "a1"))}
    uniforms = {"u_k": dyadic(5, 40, 4)}
    wanted = shader.run(inputs, uniforms, engine="reference")["gl_Position"]
    assert np.allclose(shader.run(inputs, uniforms)["gl_Position"], wanted, 2.0**-8, 2.0**-8)


def test_an_order_is_found_for_which_registers_suffice() -> None:
    (error,) = compiled(early_values(17)).stats.exceeded
    assert error.values["what"] == "temporary registers" and int(error.values["need"]) > 16


_CHOICE = """
attribute vec4 p; uniform vec4 u; varying vec4 v_color;
void main() { vec4 c = p; if (p.x > u.x) { ARM } v_color = c; gl_Position = p; }
"""


@pytest.mark.parametrize(
    ("arm", "branches"), [("c = u;", 0), ("c = normalize(c.wzyx * u + c); c = normalize(c.yxwz * u - c);", 1)]
)
def test_small_arms_run_without_a_branch(arm: str, branches: int) -> None:
    assert compiled(_CHOICE.replace("ARM", arm)).assembly.count("ifc ") == branches


_LOCAL_ARRAY = """
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec4 t[4]; t[0] = a; t[1] = a.wzyx; t[2] = a + u; t[3] = a * u;
    vec4 p = a;
    for (int i = 0; i < 3; i++) { LOOP }
    gl_Position = p;
}
"""


@pytest.mark.parametrize("opt", [0, 1, 2])
def test_loops_that_index_local_arrays_are_unrolled(opt: int) -> None:
    assert "for " not in compiled(_LOCAL_ARRAY.replace("LOOP", "p = p * 0.5 + t[i];"), opt).assembly


@pytest.mark.parametrize(("opt", "branches"), [(1, 3), (2, 0)])
def test_loops_are_unrolled_and_their_branches_flat(opt: int, branches: int) -> None:
    source = _LOCAL_ARRAY.replace("LOOP", "p = p * 0.5 + t[i]; if (p.x > 0.0) p += a;")
    assert compiled(source, opt).assembly.count("ifc ") == branches


def test_branches_stay_where_selects_are_longer() -> None:
    source = _LOCAL_ARRAY.replace("LOOP", "if (p.x > 0.0) p = p.wzyx * t[i]; p = p + 1.0;")
    assert compiled(source).assembly.count("ifc ") == 3
