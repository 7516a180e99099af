"""Clauses as the text shows them: room for exports, what waits for what, and how full they are."""

from __future__ import annotations

import re

import pytest

import glslc_multi
from glslc_multi.backends.adreno.isa.container import unpack
from glslc_multi.backends.adreno.isa.instructions import A2XX


def _fragment(body: str, opt: int | str = 2) -> glslc_multi.CompiledShader:
    source = (
        "#extension GL_EXT_draw_buffers : enable\nprecision highp float;\n"
        f"varying vec4 v, w; uniform vec4 u; uniform sampler2D s;\nvoid main() {{ {body} }}\n"
    )
    return glslc_multi.compile(source, target="adreno", stage="fragment", opt=opt)


def _vertex(body: str) -> glslc_multi.CompiledShader:
    source = f"attribute vec4 a, b; uniform vec4 u; varying vec4 v; varying vec2 w[2];\nvoid main() {{ {body} }}\n"
    return glslc_multi.compile(source, target="adreno", stage="vertex")


def _allocs(shader: glslc_multi.CompiledShader) -> list[str]:
    return re.findall(r"^ALLOC (.*)$", shader.assembly, re.MULTILINE)


# ------------------------------------------------------------------------------------------------- room for exports
def test_an_alloc_says_one_less_than_what_it_makes_room_for() -> None:
    # Linked with nothing, all declared varyings have their places.
    place, size, varyings = "gl_Position = a;", "gl_PointSize = a.x;", "v = a; w[0] = b.xy; w[1] = b.zw;"
    assert _allocs(_vertex(f"{place} {varyings}")) == ["POSITION SIZE(0x0)", "PARAM/PIXEL SIZE(0x2)"]
    assert _allocs(_vertex(f"{place} {size} v = a;")) == ["POSITION SIZE(0x1)", "PARAM/PIXEL SIZE(0x0)"]
    # One without varyings makes room for them all the same, first of all.
    assert _allocs(_vertex(place)) == ["PARAM/PIXEL SIZE(0x0)", "POSITION SIZE(0x0)"]
    assert _allocs(_vertex(f"{place} {size}")) == ["PARAM/PIXEL SIZE(0x0)", "POSITION SIZE(0x1)"]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_colours_are_counted(count: int) -> None:
    body = " ".join(f"gl_FragData[{number}] = v * {number}.5;" for number in range(count))
    assert _allocs(_fragment(body)) == [f"PARAM/PIXEL SIZE({count - 1:#x})"]


def test_the_position_leaves_before_what_only_varyings_need() -> None:
    work = "vec4 t = floor(b * u + a); t = fract(t * 0.75) + b; t = floor(t * u.x + a.yxwz) - u.wxyz;"
    lines = _vertex(f"{work} v = t; gl_Position = a.wzyx + u; gl_PointSize = b.x * u.y;").assembly.splitlines()
    operations = [line for line in lines if "ALU:" in line]
    exported = [number for number, line in enumerate(operations) if "export62" in line or "export63" in line]
    assert exported == [0, 1]


# ------------------------------------------------------------------------------------------------------------ waits
_BODIES = {
    "long": "vec4 c = v; " + " ".join("c = fract(c.yzwx + u);" for _ in range(10)) + " gl_FragColor = c;",
    "lookups": "gl_FragColor = texture2D(s, v.xy) * texture2D(s, v.zw) + w;",
    "dependent": "vec4 c = texture2D(s, v.xy); c = texture2D(s, c.zw); gl_FragColor = texture2D(s, c.xy * u.xy) + c;",
    "dependent on one": "vec4 c = texture2D(s, v.xy), d = texture2D(s, v.zw); gl_FragColor = texture2D(s, c.xy) + d;",
    "not dependent": "gl_FragColor = texture2D(s, v.xy) + texture2D(s, v.wz).wzyx + texture2D(s, w.xy);",
}


@pytest.mark.parametrize("name", _BODIES)
def test_what_waits_follows_another_kind_or_needs_what_is_fetched(name: str) -> None:
    """Of code without jumps: the first instruction, changes of kind, and fetches that read what one before found."""
    program = unpack(_fragment(_BODIES[name]).binary)
    kinds: list[bool] = []
    found: set[int] = set()
    waits, expected = [], []
    for issue in program.issues():
        word = program.instruction(issue.slot)
        assert word is not None
        if not issue.is_fetch:
            found.clear()
        fields = A2XX.decode_fetch(word)[1] if issue.is_fetch else {}
        changes = not kinds or kinds[-1] != issue.is_fetch
        expected.append(changes or (issue.is_fetch and fields["src_reg"] in found))
        waits.append(issue.sync)
        if issue.is_fetch:
            found = {fields["dst_reg"]} if expected[-1] else found | {fields["dst_reg"]}
        kinds.append(issue.is_fetch)
    assert waits == expected


@pytest.mark.parametrize("count", [5, 6, 7, 12, 13])
def test_a_clause_holds_six_instructions(count: int) -> None:
    body = "vec4 c = v; " + " ".join("c = fract(c.yzwx);" for _ in range(count)) + " gl_FragColor = c;"
    program = unpack(_fragment(body).binary)
    rows = [A2XX.decode_clause(word) for word in program.clauses]
    names = [row.name for row, _ in rows]
    assert [fields["cnt"] for _, fields in rows if "cnt" in fields] == [6] * (count // 6) + [count % 6] * (
        count % 6 > 0
    )
    # The number of clauses is even, and the last that runs ends the program.
    assert len(names) % 2 == 0
    assert [name for name in names if name not in ("ALLOC", "NOP")][-1] == "EXEC_END"
    assert names.count("NOP") <= 1


# ------------------------------------------------------------------------------------------------------------- loops
def _counted(shader: glslc_multi.CompiledShader) -> int:
    return sum("LOOP_START" in line for line in shader.assembly.splitlines())


def test_a_count_of_255_fits_a_loop_constant() -> None:
    body = "vec4 c = v; for (int i = 0; i < {}; i++) c = fract(c * 1.25 + w); gl_FragColor = c;"
    assert [_counted(_fragment(body.replace("{}", str(count)))) for count in (254, 255, 256)] == [1, 1, 0]


def test_four_counted_loops_nest() -> None:
    def nest(depth: int) -> str:
        loops = " ".join(f"for (int i{n} = 0; i{n} < {40 + n}; i{n}++)" for n in range(depth))
        return f"vec4 c = v; {loops} c = fract(c * 1.25 + w); gl_FragColor = c;"

    found = [_fragment(nest(depth)) for depth in (3, 4, 5)]
    assert [_counted(shader) for shader in found] == [3, 4, 4]
    assert ["COND_JMP" in shader.assembly for shader in found] == [False, False, True]


def test_thirty_two_counts_have_constants() -> None:
    def loops(counts: range) -> str:
        runs = " ".join(f"for (int i{n} = 0; i{n} < {n}; i{n}++) c = fract(c * 1.25 + w);" for n in counts)
        return f"vec4 c = v; {runs} gl_FragColor = c;"

    found = [_fragment(loops(range(100, 100 + count)), "s") for count in (32, 33)]
    assert [_counted(shader) for shader in found] == [32, 32]
    assert ["COND_JMP" in shader.assembly for shader in found] == [False, True]
    assert (found[0].reflection.limits or {})["loops"] == (32, 32)
    constants = [row.words[0] for row in found[0].reflection.literals if row.location.space == "loop"]
    assert constants == list(range(100, 132))


def test_loops_of_one_count_share_a_constant() -> None:
    body = " ".join(f"for (int i{n} = 0; i{n} < 90; i{n}++) c = fract(c * 1.25 + w);" for n in range(3))
    shader = _fragment(f"vec4 c = v; {body} gl_FragColor = c;")
    assert _counted(shader) == 3
    assert [row.words for row in shader.reflection.literals if row.location.space == "loop"] == [(90,)]


# ----------------------------------------------------------------------------------------------------------- lookups
def test_a_level_in_a_register_is_set_before_and_added_once() -> None:
    text = _fragment("gl_FragColor = texture2D(s, v.xy, w.x);").assembly
    assert [line.split()[1] for line in text.splitlines() if "FETCH" in line] == ["SET_TEX_LOD", "SAMPLE"]
    assert "REG_LOD(1)" in text


@pytest.mark.parametrize(
    ("level", "steps"),
    [("0.0", 0), ("0.0625", 1), ("3.9375", 63), ("4.0", None), ("-4.0", 64), ("-4.0625", None), ("0.03", None)],
)
def test_levels_of_sixteenths_fit_the_field(level: str, steps: int | None) -> None:
    """Seven bits with a sign."""
    program = unpack(_fragment(f"gl_FragColor = texture2D(s, v.xy, {level});").binary)
    fetches = [
        A2XX.decode_fetch(word)
        for issue in program.issues()
        if issue.is_fetch and (word := program.instruction(issue.slot)) is not None
    ]
    assert len(fetches) == (2 if steps is None else 1)
    assert fetches[-1][1]["lod_bias"] & 0x7F == (steps or 0)
