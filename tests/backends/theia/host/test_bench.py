"""The form `bench`: what its programs write, read back by a reader of the hardware's own conventions."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from glslc_multi.backends.theia.host import theia_bench, theia_numbers
from glslc_multi.backends.theia.host.theia_bench import Bench, BenchError, read_picture, word_of
from glslc_multi.backends.theia.isa.numbers import pattern_of
from glslc_multi.compiler.arithmetic import elementary
from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.theia.host import real
from tests.backends.theia.host.memory_files import given
from tests.backends.theia.host.programs import compiled, imported, texts_of, written
from tests.shared_data import shared_path

_SAMPLE, _SEED = 6, 26
SHADER = """
precision highp float;
struct Sun { vec3 color; float power; };
varying vec3 theia_Diffuse;
uniform mat3 u_turn;
uniform vec3 u_colors[2];
uniform Sun suns[2];
uniform int u_count;
uniform bool u_on;
uniform vec4 u_tint;
void main() {
    vec3 c = u_turn * theia_Diffuse + u_colors[1] * float(u_count);
    c += u_tint.rgb * u_tint.a + suns[1].color * suns[0].power;
    gl_FragColor = vec4(u_on ? c + u_colors[0] : c, 1.0);
}
"""
VALUES: dict[str, Any] = {
    "u_turn": [[1, 2, 3], [4, 5, 6], [7, 8, 9.5]],
    "u_colors": [[0.25, 0.5, 0.75], [-1, -2, -3]],
    "suns[].color": [10, 11, 12, 13, 14, 15],
    "suns[].power": [0.125, 0.375],
    "u_count": 7,
    "u_on": True,
    "u_tint": (0.5, -0.5, 100.0, 2.0**-17),
}


def test_values_are_immediate_in_the_code(tmp_path: Path) -> None:
    shader = compiled(SHADER)
    found = given(texts_of(written(shader, tmp_path), VALUES))
    numbers = {name: list(theia_bench._flat(value)) for name, value in VALUES.items()}
    seen = 0
    for binding in shader.reflection.uniforms:
        height = 3 if binding.type in ("mat3", "vec3") else 4 if binding.type == "vec4" else 1
        size = 9 if binding.type == "mat3" else height
        for place in binding.locations:
            number = numbers[binding.name][place.element * size + place.column * height + place.first]
            # By hand: two's complement with 17 digits after the point.
            assert found.words[place.index] & 0xFFFFFFFF == round(number * 131072) % 2**32
            seen += 1
    assert seen >= 24


def test_elements_of_arrays_are_set_alone(tmp_path: Path) -> None:
    module = written(compiled(SHADER), tmp_path)
    bench = module.bench()
    bench.set("u_colors", (4, 5, 6), first=1)
    assert bench.values["u_colors"] == [0, 0, 0, 4, 5, 6]


def test_uniforms_begin_with_their_initializers(tmp_path: Path) -> None:
    text = "#version 330\nuniform float u_share = 0.25;\nout vec4 c;\nvoid main() { c = vec4(u_share); }"
    module = written(compiled(text), tmp_path)
    assert module.bench().values == {"u_share": [0.25]}
    infinite = written(compiled(text.replace("0.25", "1.0 / 0.0")), tmp_path)
    assert infinite.bench().values == {"u_share": [math.inf]}
    assert any(word & 0xFFFFFFFF == 0x8000 for word in given(module.bench().files()).words.values())


def test_uniforms_of_the_scene_are_set_there(tmp_path: Path) -> None:
    text = "precision highp float; uniform vec3 theia_CameraPosition; uniform vec2 theia_Resolution;"
    text += "void main() { gl_FragColor = vec4(theia_CameraPosition * theia_Resolution.x, 1.0); }"
    found = given(
        texts_of(written(compiled(text), tmp_path), {"theia_CameraPosition": (1, 2, 3), "theia_Resolution": (20, 20)})
    )
    assert found.registers[1] == [0x20000, 0x40000, 0x60000]
    assert found.registers[4] == [20 * 0x20000, 20 * 0x20000, 0]
    assert found.bands[1] == ([0, 5 * 0x20000, 0], [20 * 0x20000, 10 * 0x20000, 0])


def test_fixed_point_is_that_of_the_compiler() -> None:
    random = Random(_SEED)
    edges = [0.0, -0.0, 1.0, -1.0, 2.0**-18, 3 * 2.0**-18, -(2.0**-18), 16384.0, -16384.0, 1e9, -1e9]
    for number in (*edges, float("inf"), float("nan"), *(random.uniform(-17000, 17000) for _ in range(500))):
        assert word_of(number) == pattern_of(number)


def test_the_recorded_scene_of_the_hardware(tmp_path: Path) -> None:
    """Words of registers and triangles as they were loaded into the hardware for the recorded images."""
    image = json.loads((shared_path("golden/theia") / "images.json").read_text())["images"][0]

    def values(rows: list[list[str]]) -> list[list[float]]:
        return [[(int(w, 16) ^ 1 << 31) / 131072 - 16384 for w in row] for row in rows]

    registers = image["registers"]
    (camera,) = values([registers["CREG_CAMERA_POSITION"]])
    window = values([registers["CREG_PROJECTION_WINDOW_MIN"], registers["CREG_PROJECTION_WINDOW_MAX"]])
    triangles = []
    for triangle in image["triangles"]:
        uvs = [row[:2] for row in values([triangle[f"UV{n}"] for n in range(3)])]
        corners, (diffuse,) = values([triangle[f"V{n}"] for n in range(3)]), values([triangle["DIFFUSE"]])
        triangles.append({"corners": corners, "uvs": uvs, "diffuse": diffuse})
    entries = (int(image[f"entry_{name}"], 16) for name in ("userconstants", "pixelshader"))
    table = (0, 44, 47, 69, 157, 232, 248, 190, 55, *entries, 37)
    program = theia_bench.Program(table, tuple(int(word, 16) for word in image["words"]), {}, {})
    scene = {"size": image["width"], "camera": camera, "window": window, "triangles": triangles}
    found = given(Bench(program, scene).files())
    for register, name in enumerate(
        ("CAMERA_POSITION", "PROJECTION_WINDOW_MIN", "PROJECTION_WINDOW_MAX", "RESOLUTION"), 1
    ):
        assert found.registers[register] == [int(word, 16) for word in registers[f"CREG_{name}"]]
    for there, triangle in zip(found.triangles, image["triangles"], strict=True):
        for name, row in there.items():
            assert row == [int(word, 16) for word in triangle[name.removeprefix("TRI_")]]
    assert [f"{word:016x}" for word in found.words.values()] == image["words"]
    assert (found.program.entries["PIXELSHADER"], found.control) == (int(image["entry_pixelshader"], 16), 7)


def test_arithmetic_of_computed_uniforms_is_that_of_the_compiler() -> None:
    random = Random(_SEED)
    floats = [0.0, -0.0, 1.0, -2.5, 3e38, 1e-40, math.inf, -math.inf, math.nan]
    floats += [PYTHON.fconst(random.uniform(-100, 100)) for _ in range(20)]
    ints = [0, 1, -1, 31, 2**31 - 1, -(2**31), *(random.randrange(-(2**31), 2**31) for _ in range(20))]
    ours = vars(theia_numbers)
    for name, function in elementary.FUNCTIONS.items():
        arguments = product(floats, repeat=2) if name in ("pow", "atan2") else ((x,) for x in floats)
        for values in arguments:
            if name in ("sin", "cos", "tan") and math.isinf(values[0]):
                continue  # The shader's value is undefined.
            assert _bits(ours[f"f{name}"](*values)) == _bits(PYTHON.fconst(function(*values))), (name, values)
    for names, numbers, count in (
        ("fadd fsub fmul fdiv flt fle feq", floats, 2),
        ("fneg fabs ffloor fsqrt ftoi bits", floats, 1),
        ("iadd isub imul idiv udiv ilt ieq ult bits_and bits_or bits_xor", ints, 2),
        ("bits_not itof number", ints, 1),
        ("band bor bxor", (False, True), 2),
        ("bnot", (False, True), 1),
    ):
        for name, values in product(names.split(), product(numbers, repeat=count)):
            assert _bits(ours[name](*values)) == _bits(getattr(PYTHON, name)(*values)), (name, values)
    for name, number, places in product(("shl", "shr", "asr"), ints, (0, 1, 17, 31)):
        assert ours[name](number, places) == getattr(PYTHON, name)(number, places)


def _bits(number: float) -> object:
    """Zeros have signs; all that are no numbers are alike."""
    if isinstance(number, float):
        return "nan" if math.isnan(number) else number.hex()
    return number


# --- Real shaders -----------------------------------------------------------------------------------------------------


def test_real_shaders_have_their_uniforms_and_inputs() -> None:
    paths = Random(_SEED).sample(real.real_shaders(), _SAMPLE)
    counts = [found for _, found in real.results(paths, _SEED)]
    assert sum(found["words"] for found in counts) > 0
    assert sum(found["inputs"] for found in counts) > 0


def test_results_that_nothing_reads_are_no_uniforms(tmp_path: Path) -> None:
    """What the chip's own block would compute for alpha, which no screen shows."""
    path = shared_path("corpus/real") / "raylib__rounded_rectangle.frag"
    shader = real.on_the_chip(path, preamble=False)
    assert shader is not None
    assert not [name for name in written(shader, tmp_path).PROGRAM.uniforms if name.startswith("$")]


# --- What the bench cannot do -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("varying vec2 v_uv; void main() { gl_FragColor = vec4(v_uv, 0.0, 1.0); }", {}, "give the shader v_uv"),
        ("void main() { gl_FragColor = vec4(gl_PointCoord, 0.0, 1.0); }", {}, "give the shader gl_PointCoord"),
        (
            "uniform vec3 theia_LightPosition; void main() { gl_FragColor = vec4(theia_LightPosition, 1.0); }",
            {},
            "loads no lights",
        ),
        ("void main() { gl_FragColor = vec4(1.0); }", {"output": "raw"}, "--output=raw"),
        ("void main() { gl_FragColor = vec4(1.0); }", {"variant": "icarus"}, "other variants"),
        ("void main() { gl_FragColor = vec4(1.0); }", {"variant": "v1.2"}, "other variants"),
    ],
)
def test_refused(text: str, options: dict[str, str], message: str, tmp_path: Path) -> None:
    shader = compiled(f"precision highp float; {text}", preamble=False, **options)
    with pytest.raises(CompileError, match="E0953") as caught:
        written(shader, tmp_path)
    assert message in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_values_of_the_scene_are_not_computed_before_it_is_known(tmp_path: Path) -> None:
    text = "precision highp float; uniform vec3 theia_CameraPosition; uniform vec3 u;"
    text += "void main() { gl_FragColor = vec4(normalize(theia_CameraPosition) * dot(u, u), 1.0); }"
    with pytest.raises(CompileError, match="depends on theia_CameraPosition"):
        written(compiled(text, preamble=True), tmp_path)
    assert written(compiled(text), tmp_path).PROGRAM.of_scene == {"theia_CameraPosition": "camera"}


def test_names_that_python_or_the_form_has_taken(tmp_path: Path) -> None:
    shader = compiled("void main() { gl_FragColor = vec4(1.0); }")
    for name in ("lambda", "theia_bench"):
        with pytest.raises(CompileError, match="have the name"):
            written(shader, tmp_path, name)


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ({"size": 10}, "multiple of 4"),
        ({"size": 580}, "at most 576"),
        ({"triangles": []}, "number of triangles"),
        ({"triangles": [theia_bench.SCENE["triangles"][0]] * 333}, "at most 332"),
        ({"triangles": [{"corners": [(0, 0, 0)] * 2}]}, "three corners"),
        ({"texture": {"size": 3, "texels": [(0, 0, 0)] * 9}}, "a power of two"),
        ({"texture": {"size": 2, "texels": [(0, 0, 0)]}}, "4 texels, not 1"),
        ({"camera": (1, 2)}, "not three numbers"),
        ({"lamp": (1, 2, 3)}, "no 'lamp'"),
        ({"uniforms": {"u_tnt": 1}}, "no uniform 'u_tnt'; there are: u_turn"),
        ({"uniforms": {"u_tint": (1, 2, 3)}}, "vec4: 3 numbers"),
        ({"uniforms": {"u_colors": [1] * 9}}, r"vec3\[2\]: 9 numbers"),
        ({"uniforms": {"u_colors": [1] * 4}}, "do not fit"),
    ],
)
def test_what_is_wrong_is_said(scene: dict[str, Any], message: str, tmp_path: Path) -> None:
    module = written(compiled(SHADER), tmp_path)
    with pytest.raises(ValueError, match=message):
        module.bench(scene).files()


def test_the_command_writes_all_or_nothing(tmp_path: Path) -> None:
    written(compiled(SHADER), tmp_path)
    (tmp_path / "wrong.json").write_text('{"size": 10}')
    for scene, status in (("wrong.json", 1), (None, 0)):
        command = [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); import runpy; "
                   "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')", "lit.py"]  # fmt: skip
        found = subprocess.run(
            [*command, *([scene] if scene else []), "-o", "out", "--simulate"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={"PATH": ""},
        )
        assert found.returncode == status, found.stderr
        assert (tmp_path / "out").exists() == (status == 0)
    assert found.stdout == "skipped: THEIA_BENCH names no command that simulates the bench\n"
    assert len(given({path.name: path.read_text() for path in (tmp_path / "out").iterdir()}).triangles) == 2


def test_pictures_of_the_bench() -> None:
    """With its remarks between channels; an X is a pixel that nothing was written to."""
    text = "P3\n#made by hand\n 2 1\n255\n 1 \n# 0 0\n 2 3 X \n# 1 0\nX X "
    assert read_picture(text) == [[(1, 2, 3), (0, 0, 0)]]
    with pytest.raises(BenchError, match="has 2 numbers, not 6"):
        read_picture("P3 2 1 255 1 2")


# --- Planted faults ---------------------------------------------------------------------------------------------------


#: Rule of the format -> a piece of the module that programs share, and what breaks the rule.
FAULTS = {
    "the word's address": ("words[address - _ORIGIN] = ", "words[address - _ORIGIN - 1] = "),
    "order of halves": ("{row >> 32:08x} {row & 0xFFFFFFFF:08x}", "{row & 0xFFFFFFFF:08x} {row >> 32:08x}"),
    "order of bytes": (
        "return round(scaled) & 0xFFFFFFFF",
        'return int.from_bytes((round(scaled) & 0xFFFFFFFF).to_bytes(4, "big"), "little")',
    ),
    "fixed point": ("_ONE = 1 << 17", "_ONE = 1 << 16"),
    "rounding": ("return round(scaled)", "return int(scaled - 0.5)"),
    "columns": (
        "self.values[name][number]",
        "(v if len(v := self.values[name]) != 9 else v[0::3] + v[1::3] + v[2::3])[number]",
    ),
    "the count": ("str(2 * len(rows))", "str(len(rows))"),
    "the table": ("[*self.program.table, *words]", "[*self.program.table[1:], *words]"),
    "a row of parameters": ('("camera", _row("camera", scene["camera"])),', ""),
    "bands": ("core * size // _CORES, 0)", "core * size // 2, 0)"),
    "corners of the window": ('low, high = scene["window"]', 'high, low = scene["window"]'),
    "the root node": ('"0 0 // no other nodes"', '"0 // no other nodes"'),
    "how many triangles": ("{count:x} // triangles", "{count + 1:x} // triangles"),
    "order in triangles": ('[_row("corners", corner), (', '[(float(u), float(v), 1.0), _row("corners", corner)] or [('),
    "order of texels": ('_texels(self.scene["texture"])', '_texels(self.scene["texture"])[::-1]'),
    "the box": ("min(lane)", "max(lane)"),
}


@pytest.mark.parametrize("rule", FAULTS)
def test_planted_faults_are_found(rule: str, tmp_path: Path) -> None:
    old, new = FAULTS[rule]
    text = Path(theia_bench.__file__).read_text(encoding="utf-8")
    assert text.count(old) == 1
    shader = compiled(SHADER)
    assert real.check(shader, written(shader, tmp_path), Random(1))["words"] > 0
    (tmp_path / "theia_bench.py").write_text(text.replace(old, new))
    with pytest.raises(AssertionError):
        real.check(shader, imported(tmp_path, "lit"), Random(1))
