"""Rays that hit nothing look up nothing at places that only hits have."""

from __future__ import annotations

import pytest

from glslc_multi.backends.theia.codegen.rewrites import lookup_places
from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.conventions import DISTANCE, LEFT_BY_HITS, MISS, RAW_STEPS, RAW_THREE, TEXTURE_SIZE
from glslc_multi.backends.theia.isa.numbers import ONE
from glslc_multi.backends.theia.machine.simulate import run_block
from glslc_multi.backends.theia.machine.state import Machine
from glslc_multi.compiler.records import replace
from tests.backends.theia.compiled import compiled

_HEAD = """
#define HALF vec4(0.5)
#define LOOKUP texture2D(s, theia_TexCoord)
uniform sampler2D s; varying vec2 theia_TexCoord; varying float theia_Hit;
"""
_LOOKUP = instructions.BY_NAME["TMREAD"].code
#: An operation that trunk and icarus lack; it never completes, as a lookup at no address does.
_HANGS = 0x2E


def _outcome(text: str, distance: float, variant: str, **options: str) -> tuple[bool, list[int]]:
    """Whether a pixel completes although no lookup does, and what it writes where they do; rows of hits are rubbish."""
    program = unpack(compiled(text, options={"variant": variant, **options}).binary)
    hanging = tuple(_HANGS << 48 if word >> 48 == _LOOKUP else word for word in program.words)
    outcomes = []
    for words in (hanging, program.words):
        machine = Machine(replace(program, words=words), texture={})
        for address in LEFT_BY_HITS:
            machine.load(address, (0x15A5A5A5, 0x2BADBAD, 0x7FFFFFFF))
        machine.load(DISTANCE, (int(distance * ONE), 0x15A5A5A5, 0x2BADBAD))
        machine.load(TEXTURE_SIZE, (4 * ONE,) * 3)
        machine.load(RAW_THREE, (3, 3, 3))
        machine.load(RAW_STEPS, (0, 1, 2))
        run_block(machine, program.entries["USERCONSTANTS"])
        outcomes.append(run_block(machine, program.entries["PIXELSHADER"])[0])
    return outcomes[0].completes, [word for _, word in outcomes[1].output]


UNGUARDED = {
    "plain": "gl_FragColor = texture2D(s, theia_TexCoord) + HALF;",
    "too late": "gl_FragColor = vec4(texture2D(s, theia_TexCoord * 2.0).rgb * theia_Hit + 0.5, 1.0);",
    "other question": "gl_FragColor = HALF; if (theia_TexCoord.x > -99.0) gl_FragColor += LOOKUP;",
    "one of two": "vec2 p; if (gl_FragCoord.x < 2.0) p = theia_TexCoord; gl_FragColor = texture2D(s, p) + HALF;",
    "twice": "gl_FragColor = texture2D(s, texture2D(s, theia_TexCoord).xy) + HALF;",
}
GUARDED = {
    "more than 0": "gl_FragColor = HALF; if (theia_Hit > 0.0) gl_FragColor += LOOKUP;",
    "not 0": "gl_FragColor = HALF; if (theia_Hit != 0.0) gl_FragColor += LOOKUP;",
    "and": "gl_FragColor = HALF; if (theia_Hit == 1.0 && gl_FragCoord.x < 9.0) gl_FragColor += LOOKUP;",
    "else": "if (theia_Hit < 0.5) gl_FragColor = HALF; else gl_FragColor = LOOKUP;",
    "return": "gl_FragColor = HALF; if (theia_Hit == 0.0) return; gl_FragColor = LOOKUP;",
}
#: The optimiser makes a lookup and a choice of this.
CHOSEN = {
    "chosen": "gl_FragColor = theia_Hit > 0.0 ? texture2D(s, theia_TexCoord) : vec4(0.5);",
}


@pytest.mark.parametrize("filter", ["nearest", "linear"])
@pytest.mark.parametrize("variant", ["trunk", "icarus"])
@pytest.mark.parametrize(
    "body", [*UNGUARDED.values(), *GUARDED.values(), *CHOSEN.values()], ids=[*UNGUARDED, *GUARDED, *CHOSEN]
)
def test_a_miss_looks_nothing_up(body: str, variant: str, filter: str) -> None:
    text = f"{_HEAD} void main() {{ {body} }}"
    completes, colour = _outcome(text, MISS, variant, filter=filter)
    assert completes
    assert colour == [ONE // 2] * 3
    # A hit does look it up.
    assert not _outcome(text, -3.25, variant, filter=filter)[0]


@pytest.mark.parametrize("body", GUARDED.values(), ids=GUARDED)
def test_what_the_shader_guards_is_not_guarded_again(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded: list[object] = []
    monkeypatch.setattr(lookup_places, "_guard", lambda lookup, _: guarded.append(lookup))
    compiled(f"{_HEAD} void main() {{ {body} }}")
    assert guarded == []


@pytest.mark.parametrize("coordinate", ["gl_FragCoord.xy", "theia_RayDirection.xy", "v", "u"])
def test_places_that_every_pixel_has_are_looked_up_by_every_pixel(coordinate: str) -> None:
    declared = f"{_HEAD} varying vec3 theia_RayDirection; varying vec2 v; uniform vec2 u;"
    text = f"{declared} void main() {{ gl_FragColor = texture2D(s, {coordinate}) * theia_Hit; }}"
    assert not _outcome(text, MISS, "trunk")[0]


@pytest.mark.parametrize(
    "text",
    [
        "vec2 p; gl_FragColor = texture2D(s, p);",
        "vec2 p; p.x = 0.5; gl_FragColor = texture2D(s, p);",
        "vec2 p; p.y = 0.5; gl_FragColor = texture2D(s, p + 0.25);",
        "vec2 p; p.x = v.y; gl_FragColor = texture2D(s, p);",
        "vec2 p; p.y = v.x; gl_FragColor = texture2D(s, p * 2.0);",
        "vec2 p; if (v.x > 0.5) p = v; gl_FragColor = texture2D(s, p);",
    ],
)
def test_a_place_that_means_nothing_has_an_address(text: str) -> None:
    """No word reads a lane that nobody has written, wherever the registers have rubbish."""
    program = unpack(compiled(f"uniform sampler2D s; varying vec2 v; void main() {{ {text} }}").binary)
    found = []
    for rubbish in (0, 0x15A5A5A5):
        machine = Machine(program, texture={word: word * 77 for word in range(48)})
        for address in range(64, 83):
            machine.load(address, (rubbish,) * 3)
        machine.load(TEXTURE_SIZE, (4 * ONE,) * 3)
        machine.load(RAW_THREE, (3, 3, 3))
        machine.load(RAW_STEPS, (0, 1, 2))
        if "USERCONSTANTS" in program.entries:
            run_block(machine, program.entries["USERCONSTANTS"])
        outcome = run_block(machine, program.entries["PIXELSHADER"])[0]
        assert outcome.completes
        found.append(outcome.output)
    assert found[0] == found[1]
