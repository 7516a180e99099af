"""Uniforms that come to the vertex stage: what has their name there makes room, or is in the way."""

from __future__ import annotations

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import FLOAT, VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.at_vertices import names_in_the_way


def _fragment(*names: str) -> Module:
    module = Module("fragment")
    for name in names:
        module.add_variable(Variable(name, "uniform", VEC4))
    module.add_variable(Variable("v_other", "varying", VEC4))
    return module


def test_locals_take_another_name_that_nothing_has() -> None:
    vertex = Module("vertex")
    function = vertex.add_function("main")
    whole = vertex.add_variable(Variable("u_whole", "local", FLOAT))
    own = function.variables["u_own"] = Variable("u_own", "local", FLOAT)
    taken = vertex.add_variable(Variable("u_own$", "attribute", FLOAT))
    assert list(names_in_the_way(vertex, _fragment("u_whole", "u_own"))) == []
    assert (whole.name, own.name, taken.name) == ("u_whole$", "u_own$$", "u_own$")
    assert vertex.variables == {"u_whole$": whole, "u_own$": taken}
    assert function.variables == {"u_own$$": own}


def test_what_the_host_knows_by_its_name_is_in_the_way() -> None:
    vertex = Module("vertex")
    vertex.add_variable(Variable("u_both", "uniform", VEC4))
    for name in ("u_input", "v_other"):
        vertex.add_variable(Variable(name, "attribute", VEC4))
    fragment = _fragment("u_both", "u_input", "u_new")
    assert list(names_in_the_way(vertex, fragment)) == [fragment.variables["u_input"]]
    assert set(vertex.variables) == {"u_both", "u_input", "v_other"}
