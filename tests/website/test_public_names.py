"""What is public: what the package offers, what the pages name, and what is found in fields of these."""

from __future__ import annotations

import textwrap

import glslc_multi
from website.public_names import documented_names, public_objects


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
