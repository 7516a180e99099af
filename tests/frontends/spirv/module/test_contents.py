"""Modules in order: what stands where it may not, functions and their parameters, entry points."""

from __future__ import annotations

import pytest

from tests.frontends.spirv.modules import A, lowered, refusal, refusal_here, run, shader

_RESULT = "%result = OpCopyObject %vec4 %a\n"
_TYPES = """
%takes = OpTypeFunction %vec4 %vec4
%twice = OpTypeFunction %vec4 %vec4 %vec4
"""
#: What stands behind a good shader -> the code, and the message; the place is the line that is marked.
_REFUSED: dict[str, tuple[str, str]] = {
    "%f = OpFunction %vec4 None %fn ; here\nOpFunctionEnd": (
        "E1006",
        "invalid SPIR-V: OpFunction: its type is another one",
    ),
    "%f = OpFunction %void None %vec4 ; here\nOpFunctionEnd": (
        "E1006",
        "invalid SPIR-V: OpFunction: its type is another one",
    ),
    "%f = OpFunction %vec4 None %takes ; here\nOpFunctionEnd": (
        "E1006",
        "invalid SPIR-V: OpFunction: it has not as many parameters as its type",
    ),
    "%f = OpFunction %vec4 None %takes ; here\n%p = OpFunctionParameter %vec4\n%q = OpFunctionParameter %vec4\n"
    "OpFunctionEnd": (
        "E1006",
        "invalid SPIR-V: OpFunction: it has not as many parameters as its type",
    ),
    "%f = OpFunction %vec4 None %twice\n%p = OpFunctionParameter %vec4\n%q = OpFunctionParameter %float ; here\n"
    "OpFunctionEnd": (
        "E1006",
        "invalid SPIR-V: OpFunctionParameter: its function says another type",
    ),
    "%f = OpFunction %void None %fn ; here": ("E1007", "invalid SPIR-V: the function has no OpFunctionEnd"),
    "%f = OpFunction %void None %fn\n%l = OpLabel\nOpFunctionEnd ; here": (
        "E1007",
        "invalid SPIR-V: a block has no branch or return at its end",
    ),
    "%f = OpFunction %void None %fn\n%l = OpLabel\n%m = OpLabel ; here": (
        "E1007",
        "invalid SPIR-V: a block has no branch or return at its end",
    ),
    "%f = OpFunction %void None %fn\nOpReturn ; here": ("E1007", "invalid SPIR-V: OpReturn stands in no block"),
    "%f = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpKill ; here": (
        "E1007",
        "invalid SPIR-V: OpKill stands in no block",
    ),
    "OpReturn ; here": ("E1007", "invalid SPIR-V: OpReturn stands outside of all functions"),
    "%x = OpFAdd %float %f0 %f0 ; here": ("E1007", "invalid SPIR-V: OpFAdd stands outside of all functions"),
    "OpFunctionEnd ; here": ("E1007", "invalid SPIR-V: OpFunctionEnd stands outside of all functions"),
    "%ones = OpConstantNull %vec4 ; here": ("E1005", "invalid SPIR-V: OpConstantNull: %ones is defined twice"),
    "OpMemoryModel Physical32 GLSL450 ; here": (
        "E1010",
        "OpMemoryModel: no target has pointers that are values",
    ),
    '%cl = OpExtInstImport "OpenCL.std" ; here': (
        "E1010",
        "OpExtInstImport: the instructions 'OpenCL.std' are not known here",
    ),
    '%near = OpExtInstImport "NonSemanti.Others" ; here': (
        "E1010",
        "OpExtInstImport: the instructions 'NonSemanti.Others' are not known here",
    ),
}


@pytest.mark.parametrize("text", _REFUSED)
def test_what_stands_where_it_may_not(text: str) -> None:
    assert refusal_here(shader(_RESULT, _TYPES) + text + "\n") == _REFUSED[text]


@pytest.mark.parametrize(
    "line",
    [
        "OpNop",
        "OpCapability Kernel",
        'OpExtension "SPV_KHR_anything"',
        'OpModuleProcessed "by hand"',
        'OpName %sum "sum"',
        "%group = OpDecorationGroup",
    ],
)
@pytest.mark.parametrize("place", ["%main = ", "%entry = OpLabel", "OpStore", "OpFunctionEnd"])
def test_what_means_nothing_may_stand_anywhere(line: str, place: str) -> None:
    assert run(shader(_RESULT).replace(place, f"{line}\n{place}", 1)) == list(A)


@pytest.mark.parametrize("name", ["NonSemantic.DebugPrintf", "NonSemantic.Anything", "OpenCL.DebugInfo.100"])
def test_instructions_that_compute_nothing_are_passed_over(name: str) -> None:
    """Outside of functions and inside of them; their numbers may be those of lines, of other sets."""
    text = shader(f"%said = OpExtInst %void %set 103 %f0\n{_RESULT}", "%told = OpExtInst %void %set 35 %f0\n")
    assert run(text.replace("%std =", f'%set = OpExtInstImport "{name}"\n%std =', 1)) == list(A)


_ENTRY = 'OpEntryPoint Fragment %main "main" %color\n'


@pytest.mark.parametrize(
    ("entries", "wanted"),
    [
        ("", "the module has no entry point of the stage fragment"),
        ('OpEntryPoint Vertex %main "main" %color\n', "the module has no entry point of the stage fragment"),
        ('OpEntryPoint GLCompute %main "main" %color\n', "the module has no entry point of the stage fragment"),
        (
            f'{_ENTRY}OpEntryPoint Fragment %main "other" %color\n',
            "the module has several fragment entry points: main, other",
        ),
    ],
)
def test_stages_without_one_entry_point(entries: str, wanted: str) -> None:
    text = shader(_RESULT).replace(_ENTRY, entries)
    assert refusal(text)[1:] == (wanted, 0)


def test_an_entry_point_is_named() -> None:
    text = shader(_RESULT).replace(_ENTRY, f'{_ENTRY}OpEntryPoint Fragment %main "other" %color\n')
    assert run(text, entry="other") == list(A)
    assert refusal(text, entry="others")[:2] == (
        "E1008",
        "the module has no entry point 'others' of the stage fragment",
    )


@pytest.mark.parametrize(
    ("function", "callee"),
    [
        # Another type of result, a parameter, a function that is none.
        ("%f = OpFunction %vec4 None %yields\n%l = OpLabel\nOpReturnValue %ones\n", "%f"),
        ("%f = OpFunction %void None %needs\n%p = OpFunctionParameter %vec4\n%l = OpLabel\nOpReturn\n", "%f"),
        ("", "%ones"),
    ],
)
def test_entry_points_that_are_none(function: str, callee: str) -> None:
    types = "%yields = OpTypeFunction %vec4\n%needs = OpTypeFunction %void %vec4\n"
    text = shader(_RESULT, types).replace(_ENTRY, f'{_ENTRY}OpEntryPoint Fragment {callee} "other" %color ; here\n')
    wanted = "invalid SPIR-V: other: the function of the entry point takes or yields something, or is none"
    end = "OpFunctionEnd\n" if function else ""
    assert refusal_here(text + function + end, entry="other") == ("E1012", wanted)


def test_functions_are_called_by_their_names() -> None:
    """Without the parameters that glslang puts behind; by a number where there is none; one alone is main."""
    for name, wanted in {'"shade(vf4;"': "shade", '"main"': "main$1", '""': "function"}.items():
        text = shader("%result = OpFunctionCall %vec4 %f %a\n", _TYPES)
        text = text.replace("OpDecorate", f"OpName %f {name}\nOpDecorate", 1)
        text += "%f = OpFunction %vec4 None %takes\n%p = OpFunctionParameter %vec4\n%l = OpLabel\nOpReturnValue %p\n"
        found = [each for each in lowered(text + "OpFunctionEnd\n").functions if each != "main"]
        assert [each.rstrip("0123456789") if wanted == "function" else each for each in found] == [wanted]
