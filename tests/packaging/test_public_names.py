"""A change of a public name or signature is a conscious one: it changes the recorded list, too."""

from __future__ import annotations

import textwrap
from pathlib import Path

import glslc_multi
from tests.packaging.public_names import documented_names, public_objects, public_text

RECORDED = Path(__file__).with_name("public_names.txt")


def test_public_names_are_as_recorded(accept: bool) -> None:
    text = public_text()
    if accept:
        RECORDED.write_text(text, encoding="utf-8")
    assert text == RECORDED.read_text(encoding="utf-8"), "docs/releasing.md says what to do"


def test_all_that_is_offered_is_public() -> None:
    objects = public_objects()
    assert {f"glslc_multi.{name}" for name in dir(glslc_multi)} - objects.keys() == {"glslc_multi.__version__"}
    # Contracts of plug-ins, the machines, and what is found in the fields of results.
    assert objects.keys() >= {
        "glslc_multi.compiler.target.Target",
        "glslc_multi.compiler.frontend.FrontEnd",
        "glslc_multi.compiler.artifact.Location",
        *(f"glslc_multi.backends.{name}.isa.asm.assemble" for name in glslc_multi.targets()),
    }


def test_documented_names_are_found() -> None:
    page = """
    The class `glslc_multi.a.b.Shape`, not `glslc_multi.a.b`, `Shape` or `T.Shape`.

    >>> from glslc_multi.a.c import draw, Line
    >>> from os import path
    """
    assert list(documented_names(textwrap.dedent(page))) == [
        "glslc_multi.a.b.Shape",
        "glslc_multi.a.c.draw",
        "glslc_multi.a.c.Line",
    ]
