"""Control flow: clauses that are skipped, counted loops, and what -O2 and -Os make of a shader."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.adreno.isa.container import unpack
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa.validate import validate
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, Result, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Reflection
from tests.backends.xenos_family.helpers import program_of

LEVELS = (0, 1, 2, 3, "s")
#: -Os makes selects of branches that set few values.
KEEPS_BRANCHES = (0, 1, 2, 3)


def _compile(body: str, declarations: str = "varying vec4 v;", opt: int | str = 2) -> glslc_multi.CompiledShader:
    source = f"precision highp float;\n{declarations}\nvoid main() {{\n{body}\n}}\n"
    return glslc_multi.compile(source, target="adreno", stage="fragment", opt=opt)


def _run(shader: glslc_multi.CompiledShader, values: Array) -> Result:
    """The shader on the interpreter, with its only varying in R0."""
    inputs = Inputs(_literals(shader.reflection), {0: values.T}, loops=_loops(shader.reflection))
    return simulate(unpack(shader.binary), inputs, len(values))


def _literals(reflection: Reflection) -> dict[int, list[float]]:
    found: dict[int, list[float]] = {}
    for literal in reflection.literals:
        if literal.location.space == "C":
            register = found.setdefault(literal.location.index, [0.0] * 4)
            for letter, word in zip(literal.location.components, literal.words, strict=True):
                register["xyzw".index(letter)] = struct.unpack("<f", struct.pack("<I", word))[0]
    return found


def _loops(reflection: Reflection) -> dict[int, int]:
    return {row.location.index: row.words[0] for row in reflection.literals if row.location.space == "loop"}


def _clauses(shader: glslc_multi.CompiledShader) -> list[str]:
    return [A2XX.decode_clause(word)[0].name for word in unpack(shader.binary).clauses]


def _slots(shader: glslc_multi.CompiledShader) -> int:
    return (shader.stats.extra or {})["slots96"]


def _colour(result: Result) -> Array:
    return result.outputs[0].T


def _work(number: int) -> str:
    return f"c = fract(c * {number}.5 + v.wzyx) + c.yzwx; c = c * c + {number}.0; c = floor(c * 2.0) * 0.25 + v;"


def _much(number: int) -> str:
    """So much that -O2 lets lanes skip it."""
    return _work(number) * 8


_RARE = f"vec4 c = v; if (v.x > 2.0) {{ {_much(1)} }} gl_FragColor = c;"


# ------------------------------------------------------------------------------------------------ skipped clauses
def test_a_branch_that_no_lane_takes_is_skipped() -> None:
    shader = _compile(_RARE)
    assert "COND_PRED_EXEC" in _clauses(shader)
    nobody, somebody = np.full((4, 4), 0.5), np.vstack([np.full((3, 4), 0.5), [[2.5, 1.0, 0.25, 0.5]]])
    result = _run(shader, nobody)
    np.testing.assert_array_equal(_colour(result), nobody)
    # The branch has more than forty slots; what is around it has three.
    assert result.issued + 40 < _run(shader, somebody).issued
    assert result.issued <= 5


def test_small_code_does_not_part_clauses() -> None:
    fast, small = _compile(_RARE), _compile(_RARE, opt="s")
    nobody = np.full((4, 4), 0.5)
    assert "COND_PRED_EXEC" not in _clauses(small)
    assert _slots(small) <= _slots(fast)
    assert _run(fast, nobody).executed_slots < _run(small, nobody).executed_slots
    np.testing.assert_array_equal(_colour(_run(small, nobody)), nobody)


@pytest.mark.parametrize("opt", LEVELS)
def test_both_arms_and_nested_arms_with_any_lanes(opt: int | str) -> None:
    body = """
  vec4 c = v;
  if (v.x > 0.0) {
    c = c * c.wzyx + v; c = fract(c) + c; c = c * 0.5 + v.yyxx; c = c * c; c += v.wxyz;
    if (v.y > 0.0) { c = c + 0.25; c = fract(c * 2.0) + c.yzwx; c = c * v + c; c = c * c.wwzz; c -= v; }
    else { c = c - 0.5; c = floor(c * 4.0) * 0.25; c = c.wxyz * c + v; c *= 0.5; c += v.zwxy; }
    c = c * v.wwww + c.zwxy;
  } else { c = c.yxwz + v; c = c * c - v; c = fract(c) * c.wwxx; c = c + 0.125; c *= c; }
  gl_FragColor = c;"""
    shader = _compile(body, opt=opt)
    signs = np.array([(x, y, 0.75, -0.5) for x in (-0.5, 0.5) for y in (-0.25, 0.25)])
    for lanes in ([0], [2], [3], [0, 2], [2, 3], [0, 1, 2, 3]):
        reference = shader.run({"v": signs[lanes]}, {}, engine="reference")["gl_FragColor"]
        np.testing.assert_allclose(_colour(_run(shader, signs[lanes])), reference, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("opt", KEEPS_BRANCHES)
def test_a_chain_of_branches_needs_one_counter(opt: int | str) -> None:
    chain = " else ".join(f"if (v.x < {number}.0) {{ {_much(number)} }}" for number in range(1, 5))
    shader = _compile(f"vec4 c = v; {chain} else {{ c = v.wzyx; }} gl_FragColor = c;", opt=opt)
    values = np.array([(x + 0.5, 0.25, -0.5, 0.125) for x in range(-1, 6)])
    reference = shader.run({"v": values}, {}, engine="reference")["gl_FragColor"]
    np.testing.assert_allclose(_colour(_run(shader, values)), reference, rtol=1e-5, atol=1e-6)
    counters = {line.split("=")[0].split()[-1] for line in shader.assembly.splitlines() if "_INVs" in line}
    assert len(counters) == 1


@pytest.mark.parametrize("opt", KEEPS_BRANCHES)
def test_code_after_an_inner_branch_runs_for_the_lanes_around_it(opt: int | str) -> None:
    body = f"""
  vec4 c = v;
  if (v.x > 0.0) {{
    {_work(1)}
    if (v.y > 0.0) {{ {_work(2)} if (v.z > 0.0) {{ {_work(3)} }} {_work(4)} }} else {{ {_work(5)} }}
    {_work(6)}
  }} else {{ {_work(7)} }}
  gl_FragColor = c;"""
    shader = _compile(body, opt=opt)
    values = np.array([(x, y, z, 0.375) for x in (-0.5, 0.5) for y in (-0.25, 0.25) for z in (-0.125, 0.75)])
    for lanes in ([0, 5], [7], list(range(8))):
        reference = shader.run({"v": values[lanes]}, {}, engine="reference")["gl_FragColor"]
        np.testing.assert_allclose(_colour(_run(shader, values[lanes])), reference, rtol=1e-5, atol=1e-6)


def test_a_skipped_clause_does_not_hide_a_change_of_kind() -> None:
    text = """
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC
   (S)FETCH: SAMPLE R1.xyzw = R0.xyx CONST(0) LOCATION(CENTER)
COND_PRED_EXEC COND(1)
   (S)ALU: ADDvEQ R2 = R0, R0
EXEC_END
      ALU: MAXv export0 = R1, R1
NOP
"""
    assert [fault.rule for fault in validate(program_of(text), "fragment")] == ["missing-sync"]
    assert validate(program_of(text.replace("      ALU: MAXv", "   (S)ALU: MAXv")), "fragment") == []
    assert validate(program_of(text.replace("COND_PRED_EXEC COND(1)", "EXEC")), "fragment") == []


def test_where_the_start_of_a_loop_is_skipped_what_follows_waits_for_its_end() -> None:
    body = f"""
  vec4 c = v;
  if (v.x > 0.5) {{
    for (int i = 0; i < 100; i++) {{ {_work(1)} if (c.y > 0.5) {{ {_much(2)} }} c += texture2D(s, c.xy); }}
  }}
  gl_FragColor = c;"""
    program = unpack(_compile(body, "varying vec4 v; uniform sampler2D s;").binary)
    names = [A2XX.decode_clause(word)[0].name for word in program.clauses]
    start = names.index("LOOP_START") + 1
    assert names[start] == "COND_PRED_EXEC"
    following = names.index("EXEC", start)
    first = next(issue for issue in program.issues() if issue.clause == following)
    assert (first.is_fetch, first.sync) == (False, True)


# --------------------------------------------------------------------------------------------------- counted loops
_COUNTED = "vec4 c = v; for (int i = 0; i < 100; i++) { c = fract(c * 1.25 + v.wzyx); } gl_FragColor = c;"
_LEFT = "float t = 0.0; for (int i = 0; i < 100; i++) { if (t > v.x) break; t += 0.5; } gl_FragColor = vec4(t);"


def _fractions(values: Array, count: int) -> Array:
    found = values.astype(np.float32)
    for _ in range(count):
        found = np.float32(1.25) * found + values[:, ::-1].astype(np.float32)
        found = found - np.floor(found)
    return found


@pytest.mark.parametrize("opt", LEVELS)
def test_the_machine_counts_loops_of_a_known_length(opt: int | str) -> None:
    shader = _compile(_COUNTED, opt=opt)
    assert {"LOOP_START", "LOOP_END"} <= set(_clauses(shader))
    assert "COND_JMP" not in _clauses(shader)
    assert _loops(shader.reflection) == {0: 100}
    values = np.array([[0.5, 0.25, 0.125, 0.75], [0.0, 0.5, 1.0, 0.375]])
    result = _run(shader, values)
    np.testing.assert_allclose(_colour(result), _fractions(values, 100), atol=1e-5)
    # The loop holds a multiply-add and a fraction: nothing is left of its counter.
    assert 200 <= result.issued <= 204


def test_a_loop_that_lanes_leave_ends_with_the_last_of_them() -> None:
    shader = _compile(_LEFT)
    assert "COND_JMP" in _clauses(shader)
    short, long = (_run(shader, np.array([[limit] * 4, [0.25] * 4])) for limit in (1.0, 20.0))
    np.testing.assert_array_equal(_colour(short)[:, 0], [1.5, 0.5])
    np.testing.assert_array_equal(_colour(long)[:, 0], [20.5, 0.5])
    assert short.executed_slots * 4 < long.executed_slots


@pytest.mark.parametrize("opt", LEVELS)
def test_counted_loops_in_loops_and_branches(opt: int | str) -> None:
    body = """
  float t = v.y;
  if (v.x > 0.0) {
    for (int i = 0; i < 70; i++) {
      for (int j = 0; j < 80; j++) {
        t = fract(t * 1.5 + v.z);
        if (t > 0.5) { t -= float(i) * 0.25; t = floor(t) + v.w; }
      }
      t = t * 0.5 + float(i);
    }
  } else { for (int k = 0; k < 90; k++) { t = fract(t + v.w) * 0.75; } }
  gl_FragColor = vec4(t);"""
    shader = _compile(body, opt=opt)
    assert sorted(_loops(shader.reflection).values()) == [70, 80, 90]
    values = np.array([[0.5, 0.25, 0.125, 0.75], [-1.0, 0.5, 1.0, 0.375], [1.0, -0.5, 0.0625, 0.5]])
    reference = shader.run({"v": values}, {}, engine="reference")["gl_FragColor"]
    np.testing.assert_allclose(_colour(_run(shader, values)), reference, rtol=1e-5, atol=1e-5)


def test_a_head_whose_values_are_read_after_the_loop_keeps_its_jump() -> None:
    body = """
  float t = v.x; float last = 0.0; int i = 0;
  while ((last = t * 0.5) > -1.0 && i < 100) { t += 0.25; i++; }
  gl_FragColor = vec4(last, t, 0.0, 1.0);"""
    shader = _compile(body, opt=0)
    np.testing.assert_allclose(_colour(_run(shader, np.full((1, 4), 0.5)))[0, :2], [12.75, 25.5])


# --------------------------------------------------------------------------------------------- small and fast code
_SHADERS = {
    "loop": "vec4 c = v; for (int i = 0; i < 12; i++) { c = fract(c * 1.5) + c.yzwx; } gl_FragColor = c;",
    "branches": f"""
  vec4 c = v;
  if (v.x > 0.25) {{ {_much(1)} }}
  if (v.y > 0.25) {{ {_much(2)} }}
  gl_FragColor = c;""",
    "loop in a branch": """
  vec4 c = v;
  if (v.x > 0.25) { for (int i = 0; i < 9; i++) { c = fract(c * 1.5) + c.yzwx; c -= v; } }
  gl_FragColor = c;""",
}


@pytest.mark.parametrize("name", _SHADERS)
def test_fast_code_executes_fewer_slots_and_small_code_has_fewer(name: str) -> None:
    fast, small = (_compile(_SHADERS[name], opt=opt) for opt in (2, "s"))
    values = np.full((4, 4), 0.125)
    results = [_run(shader, values) for shader in (fast, small)]
    assert results[0].executed_slots < results[1].executed_slots
    assert _slots(small) < _slots(fast)
    np.testing.assert_allclose(_colour(results[0]), _colour(results[1]), rtol=1e-5)
