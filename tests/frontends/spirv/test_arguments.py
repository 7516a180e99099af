"""Entry points and specialization constants as Python's functions and manifests of batches take them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import glslc_multi
from glslc_multi.cli.main import main

#: Two entry points; the size is constant 7, and the bool that turns it off is constant 3.
MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %small "small" %place %position
OpEntryPoint Vertex %large "large" %place %position
OpDecorate %place Location 0
OpName %place "a_position"
OpDecorate %position BuiltIn Position
OpDecorate %size SpecId 7
OpDecorate %flat SpecId 3
%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%fn = OpTypeFunction %void
%in = OpTypePointer Input %vec4
%out = OpTypePointer Output %vec4
%place = OpVariable %in Input
%position = OpVariable %out Output
%size = OpSpecConstant %float 0.5
%flat = OpSpecConstantFalse %bool
%zero = OpConstant %float 0
%ten = OpConstant %float 10
%small = OpFunction %void None %fn
%s = OpLabel
%s1 = OpLoad %vec4 %place
%s2 = OpSelect %float %flat %zero %size
%s3 = OpVectorTimesScalar %vec4 %s1 %s2
OpStore %position %s3
OpReturn
OpFunctionEnd
%large = OpFunction %void None %fn
%l = OpLabel
%l1 = OpLoad %vec4 %place
%l2 = OpVectorTimesScalar %vec4 %l1 %ten
OpStore %position %l2
OpReturn
OpFunctionEnd
"""
FRAGMENT = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %small "small" %color
OpExecutionMode %small OriginUpperLeft
OpName %color "c"
OpDecorate %color Location 0
OpDecorate %size SpecId 7
%void = OpTypeVoid
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%fn = OpTypeFunction %void
%out = OpTypePointer Output %vec4
%color = OpVariable %out Output
%size = OpSpecConstant %float 0.5
%small = OpFunction %void None %fn
%s = OpLabel
%s1 = OpCompositeConstruct %vec4 %size %size %size %size
OpStore %color %s1
OpReturn
OpFunctionEnd
"""


def scale(**arguments: Any) -> float:
    shader = glslc_multi.compile(MODULE, target="adreno", stage="vertex", filename="module.spvasm", **arguments)
    return float(shader.run({"a_position": [[1.0, 1.0, 1.0, 1.0]]})["gl_Position"][0][0])


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"entry": "large"}, 10.0),
        ({"entry": "small"}, 0.5),
        ({"entry": "small", "spec": {7: 2}}, 2.0),
        ({"entry": "small", "spec": {7: "0.25"}}, 0.25),
        ({"entry": "small", "spec": {7: 1.5, 3: True}}, 0.0),
    ],
)
def test_entry_points_and_constants_are_arguments(arguments: dict[str, Any], wanted: float) -> None:
    assert scale(**arguments) == wanted


def test_what_the_module_has_not_is_an_error() -> None:
    with pytest.raises(glslc_multi.CompileError, match="name one with --entry"):
        scale()
    with pytest.raises(glslc_multi.CompileError, match="9=1"):
        scale(entry="small", spec={9: 1})


def test_linked_modules_have_them_too() -> None:
    names: dict[str, Any] = {"vertex_filename": "module.spvasm", "fragment_filename": "colour.spvasm"}
    program = glslc_multi.link(MODULE, FRAGMENT, target="adreno", entry="small", spec={7: 4}, **names)
    found = program.stages["vertex"].run({"a_position": [[1.0, 1.0, 1.0, 1.0]]})
    assert float(found["gl_Position"][0][0]) == 4.0
    found = program.stages["fragment"].run({})
    assert float(found["c"][0][0]) == 4.0


def test_manifests_have_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files differ where the command's do, and are the same."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "module.spvasm").write_text(MODULE)
    (tmp_path / "batch.toml").write_text("""
targets = ["adreno"]
output = "out"
entry = "small"
[[shader]]
source = "module.spvasm"
name = "twice"
spec = {7 = 2, 3 = false}
[[shader]]
source = "module.spvasm"
name = "large"
entry = "large"
""")
    assert main(["batch", "batch.toml", "-j", "1"]) == 0
    common = ["module.spvasm", "--target", "adreno", "-o"]
    assert main([*common, "twice", "--entry", "small", "--spec", "7=2"]) == 0
    assert main([*common, "large", "--entry", "large"]) == 0
    rows = json.loads((tmp_path / "out" / "index.json").read_text())["variants"]
    assert [list(row["sources"]) for row in rows] == [["vertex"], ["vertex"]], "the module tells its stage"
    for row, name in zip(rows, ["twice", "large"], strict=True):
        # The constants are literals of the register map.
        for suffix in ("", ".json"):
            made = (tmp_path / "out" / f"{row['file']}{suffix}").read_bytes()
            assert made == (tmp_path / f"{name}{suffix}").read_bytes()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("spec = {size = 2}", "'spec' is not a table of numbers of constants and their values"),
        ("spec = {7 = [2]}", "'spec' is not a table of numbers of constants and their values"),
        ("entry = 7", "'entry' is not a text"),
    ],
)
def test_mistakes_in_manifests_are_explained(
    line: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "batch.toml").write_text(f'targets = ["adreno"]\n{line}\n[[shader]]\nsource = "a.spv"\n')
    assert main(["batch", str(tmp_path / "batch.toml")]) == 2
    assert problem in capsys.readouterr().err
