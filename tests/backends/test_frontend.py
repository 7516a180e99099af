"""Files of machine code as sources: the names that they get, and what is wrong with them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from glslc_multi.backends.frontend import MachineCode
from glslc_multi.backends.pica200.isa.container import unpack, write
from glslc_multi.backends.pica200.isa.program import Geometry, Label
from glslc_multi.backends.registry import TARGETS, find_target
from glslc_multi.cli.main import main
from glslc_multi.compiler.assembly import assemble_text
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise, prepare
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import SWIZZLE
from glslc_multi.compiler.ir.types import VEC4
from glslc_multi.compiler.records import replace
from glslc_multi.frontends.registry import front_end_for
from glslc_multi.report.reflection import register_map
from tests.proof.prove import compile_text

AGAL = "// agal 1 vertex\nm44 op, va0, vc4\nmov v1, vc[va1.x+8]"
PIXEL = "// agal 2 fragment\ntex ft0, v0, fs3 <2d, linear>\nsub ft1.x, ft0.w, fc0.x\nkil ft1.x\nmov oc, ft0"
PICA = """
.fvec projection[4], tint
.bool dark
.in position v2
.out - position o0
.out - color o1
.out - texcoord0 o2.xy
.setf c90(0.5, 0.25, 1.0, 2.0)
.proc main
    dp4 o0.x, projection[0], position
    dp4 o0.y, projection[1], position
    dp4 o0.z, projection[2], position
    dp4 o0.w, projection[3], position
    ifu dark
        mul o1, c90, position
    .else
        mov o1, tint
    .end
    mov o2.xy, v3.zw
    end
.end
"""


def assembled(text: str, target: str) -> bytes:
    """The file of a text."""
    sink = DiagnosticSink()
    return assemble_text(text, target=find_target(target, sink), filename="<text>", sink=sink)


def lowered(data: bytes, filename: str, register_map: str = "") -> Module:
    """The module that a file is read as."""
    front_end = MachineCode(None, register_map) if register_map else front_end_for(filename, data)
    return lower_source(Source(data, filename, front_end), FrontEndOptions(), DiagnosticSink())


def interface(module: Module) -> dict[str, str]:
    """The variables by name, as a person would declare them."""
    return {
        v.name: f"{v.storage} {v.outer_type}" + "".join(f"[{length}]" for length in v.dims)
        for v in module.variables.values()
    }


def test_registers_are_names_where_there_are_no_others() -> None:
    assert interface(lowered(assembled(AGAL, "agal"), "a.agalbin")) == {
        "va0": "attribute vec4",
        "va1": "attribute vec4",
        "vc": "uniform vec4[128]",
        "v1": "varying vec4",
        "gl_Position": "output vec4",
    }
    assert interface(lowered(assembled(PIXEL, "agal"), "a.agalbin")) == {
        "fc0": "uniform vec4",
        "fs3": "sampler sampler2D",
        "v0": "varying vec4",
        "gl_FragColor": "output vec4",
    }


def test_four_constants_that_a_vector_is_multiplied_with_are_a_matrix() -> None:
    text = "// agal 1 vertex\nm44 vt0, va0, vc4\nm33 vt1.xyz, va1.xyz, vc0\nmov vt1.w, va1.w\nadd op, vt0, vt1"
    assert interface(lowered(assembled(text, "agal"), "a.agalbin")) == {
        "va0": "attribute vec4",
        "va1": "attribute vec4",
        "vc4": "uniform mat4",
        "gl_Position": "output vec4",
        **{f"vc{number}": "uniform vec4" for number in range(3)},
    }


def test_symbols_of_files_are_names() -> None:
    variables = interface(lowered(assembled(PICA, "pica200"), "a.shbin"))
    assert variables == {
        "position": "attribute vec4",
        "v3": "attribute vec4",
        "projection": "uniform mat4",
        "tint": "uniform vec4",
        "dark": "uniform bool",
        "color": "varying vec4",
        "texcoord0": "varying vec2",
        "gl_Position": "output vec4",
    }


COMBINED = "precision mediump float; uniform vec4 u; varying vec4 v; void main() { gl_FragColor = u * v; }"
SHADER = """
attribute vec4 a_position; uniform mat4 u_matrix; uniform vec3 u_lights[2]; varying vec3 v_sum;
void main() { v_sum = u_lights[0] + u_lights[1]; gl_Position = u_matrix * a_position; }
"""
NAMES = {
    "a_position": "attribute vec4",
    "u_matrix": "uniform mat4",
    "u_lights": "uniform vec3[2]",
    "v_sum": "varying vec3",
    "gl_Position": "output vec4",
}


@pytest.mark.parametrize("target", ["agal", "pica200", "adreno", "xenos", "vc4"])
def test_a_register_map_names_everything(target: str, tmp_path: Path) -> None:
    """Beside the file, or where it is said to be."""
    _, artifact = compile_text(SHADER, target, "vertex")
    path = tmp_path / f"shader{TARGETS.load(target).suffix_of('vertex')}"
    path.write_bytes(artifact.binary)
    beside = Path(f"{path}.json")
    beside.write_text(register_map(artifact), encoding="utf-8")
    assert interface(lowered(artifact.binary, str(path))) == NAMES
    other = beside.rename(tmp_path / "other.json")
    assert interface(lowered(artifact.binary, str(path), str(other))) == NAMES


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "it is no register map"),
        ("[]", "it is no register map"),
        ("{}", "it is no register map"),
        (None, "No such file"),
        ("fragment", "it is of a fragment shader for agal"),
        ("pica200", "it is of a vertex shader for pica200"),
    ],
)
def test_what_is_no_register_map_of_the_file_is_told(content: str | None, problem: str, tmp_path: Path) -> None:
    _, artifact = compile_text(SHADER, "agal", "vertex")
    path = tmp_path / "map.json"
    if content in ("fragment", "pica200"):
        row = json.loads(register_map(artifact))
        path.write_text(json.dumps(row | ({"stage": content} if content == "fragment" else {"target": content})))
    elif content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(CompileError, match="E0964") as raised:
        lowered(artifact.binary, "a.agalbin", str(path))
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    "code",
    [
        "shader fragment",
        "shader fragment\nfunc @main {\n^entry:\n  ret\n}\n",
        "shader fragment\nfunc @preamble {\n^entry:\n  kill true\n  ret\n}\nfunc @main {\n^entry:\n  ret\n}\n",
        "shader fragment\nfunc @preamble {\n^a:\n  br ^b\n^b:\n  ret\n}\nfunc @main {\n^entry:\n  ret\n}\n",
        "nonsense",
        7,
    ],
)
def test_a_preamble_that_is_no_function_is_told(code: object, tmp_path: Path) -> None:
    _, artifact = compile_text(COMBINED, "pica200", "fragment")
    path = tmp_path / "map.json"
    data = json.loads(register_map(artifact))
    path.write_text(json.dumps(data | {"preamble": {**data["preamble"], "code": code}}), encoding="utf-8")
    with pytest.raises(CompileError, match="E0964"):
        lowered(artifact.binary, "a.tev", str(path))


def test_uniforms_of_a_preamble_are_those_of_the_source(tmp_path: Path) -> None:
    text = (
        "precision mediump float; uniform vec4 u[2]; varying vec4 v; void main() { gl_FragColor = (u[0] + u[1]) * v; }"
    )
    _, artifact = compile_text(text, "pica200", "fragment")
    path = tmp_path / "map.json"
    path.write_text(register_map(artifact), encoding="utf-8")
    assert interface(lowered(artifact.binary, "a.tev", str(path))) == {
        "u": "uniform vec4[2]",
        "v": "varying vec4",
        "gl_FragColor": "output vec4",
    }


def test_bytes_that_are_no_file_are_told() -> None:
    with pytest.raises(CompileError, match="E0808"):
        lowered(b"DVLB", "a.shbin")


def test_code_that_is_not_lifted_is_told() -> None:
    text = ".gsh variable c0 2\n.out - position o0\n.proc main\n    setemit 0, prim\n    emit\n    end\n.end\n"
    with pytest.raises(CompileError, match="E0862"):
        lowered(assembled(text, "pica200"), "a.shbin")


PAIR = """
.out - position o0
.proc main
    mov o0, v0
    end
.end
.proc other
    mov o0, v0.yxzw
    end
.end
"""


def pair() -> bytes:
    """A file of two vertex shaders, of which the second begins at a label, and a geometry shader."""
    program = unpack(assembled(PAIR, "pica200"))
    (first,) = program.executables
    labelled = replace(first, entry=2, labels=[Label(0, 1, 2, 2, "other")])
    geometry = replace(first, geometry=Geometry("point"))
    return write(replace(program, executables=[geometry, first, labelled]))


@pytest.mark.parametrize(
    ("entry", "stage", "expected"),
    [
        ("", None, "vertex"),
        ("1", None, "vertex"),
        ("2", None, "vertex yxzw"),
        ("other", None, "vertex yxzw"),
        ("vertex", None, "vertex"),
        ("0", None, "geometry"),
        ("", "geometry", "geometry"),
        ("other", "geometry", "E0863"),
        ("3", None, "E0863"),
        ("main", None, "E0863"),
    ],
)
def test_a_shader_of_several_is_chosen(entry: str, stage: str | None, expected: str) -> None:
    source = Source(pair(), "a.shbin", MachineCode(None, "", entry), stage)
    try:
        module = lower_source(source, FrontEndOptions(), DiagnosticSink())
    except CompileError as error:
        assert error.diagnostics[-1].code == expected
        assert "0 (geometry), 1 (vertex), 2 (vertex) other" in str(error)
        return
    swizzles = [i.attribute for i in optimise(module, 2).main.instructions() if i.type is VEC4 and i.op is SWIZZLE]
    assert " ".join([module.stage, *("".join("xyzw"[n] for n in swizzle) for swizzle in swizzles)]) == expected


def test_files_of_one_shader_have_no_others() -> None:
    source = Source(assembled(PIXEL, "agal"), "a.agalbin", MachineCode(None, "", "1"))
    with pytest.raises(CompileError, match="E0863"):
        lower_source(source, FrontEndOptions(), DiagnosticSink())


def test_the_suffixes_are_those_of_targets() -> None:
    """Those whose files are read, each by one machine."""
    suffixes = MachineCode.suffixes
    own = {
        name: {TARGETS.load(name).suffix_of(stage) for stage in TARGETS.load(name).stages} for name in TARGETS.names()
    }
    assert suffixes == set().union(*own.values()) - {None}


def test_the_text_of_a_file_is_assembly() -> None:
    data = assembled(PIXEL, "agal")
    source = Source(data, "a.agalbin", front_end_for("a.agalbin", data))
    prepared = prepare(source, FrontEndOptions(), DiagnosticSink())
    assert "kil ft1.x" in source.front_end.print_prepared(prepared)
    assert source.front_end.stage_of("a.agalbin", data) == "fragment"


@pytest.mark.parametrize(
    ("target", "text", "stage"),
    [
        *((target, SHADER, "vertex") for target in ("agal", "pica200", "adreno", "xenos", "vc4")),
        ("pica200", COMBINED, "fragment"),
        ("theia", COMBINED, "fragment"),
    ],
)
def test_damaged_files_are_read_or_refused(target: str, text: str, stage: str) -> None:
    """Nothing but diagnostics comes of bytes that are changed here and there."""
    _, artifact = compile_text(text, target, stage)
    suffix, choice = TARGETS.load(target).suffix_of(stage), random.Random(3)
    outcomes = set()
    for _ in range(60):
        data = bytearray(artifact.binary)
        for _ in range(choice.choice((1, 2, 4))):
            data[choice.randrange(len(data))] ^= 1 << choice.randrange(8)
        try:
            lowered(bytes(data), f"a{suffix}")
            outcomes.add("read")
        except CompileError as error:
            outcomes.add(error.diagnostics[0].code)
    assert "read" in outcomes
    assert len(outcomes) > 1


@pytest.mark.parametrize("target", ["agal", "pica200"])
def test_assembly_is_read_as_its_machine_code(target: str, tmp_path: Path) -> None:
    """That of the Mini-Assembler, and of picasso."""
    text = "m44 op, va0, vc0\nmov v0, va1\n"
    if target == "agal":
        text = f"// agal 1 vertex\n{text}"
    else:
        text = ".out - position o0\n.proc main\n    add o0, c0, v0\n    end\n.end\n"
    path = tmp_path / "shader.txt"
    path.write_text(text, encoding="utf-8")
    assert main(["decompile", str(path), "--from", target, "-o", str(tmp_path / "out.vert")]) == 0
    expected = "gl_Position = va0 * vc0;" if target == "agal" else "gl_Position = c0 + v0;"
    assert expected in (tmp_path / "out.vert").read_text(encoding="utf-8")


def test_wrong_assembly_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "shader.txt"
    path.write_text("// agal 1 vertex\nmow op, va0\n", encoding="utf-8")
    assert main(["decompile", str(path), "--from", "agal"]) == 1
    assert f"{path}:2:1: error" in capsys.readouterr().err
