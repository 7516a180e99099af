"""The evaluator: what belongs to a stage: neighbours and discard, textures, emitted vertices.

Expected values are computed here, a lane at a time, in plain Python.
"""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.arithmetic.sampling import Texture
from tests.compiler.ir.evaluating import error_of, run


# ------------------------------------------------------------------------- neighbours and discard
def derivative_text(opcode: str) -> str:
    return f"""
    shader fragment
    varying @v: vec2
    output @d: vec2
    func @main {{
    ^entry:
      %0:vec2 = load @v
      %1:vec2 = {opcode} %0
      store @d, %1
      ret
    }}
    """


def test_derivatives_are_those_of_the_own_row_and_column() -> None:
    v = [[1, 0], [4, 1], [10, 3], [100, 7], [0, 0], [0, 1], [0, 2], [0, 3]]
    right = run(derivative_text("ddx"), {"v": v}, lanes=8, quads=True).outputs["d"].tolist()
    assert right == [[3, 1], [3, 1], [90, 4], [90, 4], [0, 1], [0, 1], [0, 1], [0, 1]]
    upper = run(derivative_text("ddy"), {"v": v}, lanes=8, quads=True).outputs["d"].tolist()
    assert upper == [[9, 3], [96, 6], [9, 3], [96, 6], [0, 2], [0, 2], [0, 2], [0, 2]]


def test_derivatives_need_quads() -> None:
    assert error_of(derivative_text("ddx"), {"v": [[0, 0]]}) == (
        "dFdx needs pixels that are arranged in 2x2 quads [E0653]"
    )
    assert error_of(derivative_text("ddx"), {"v": [[0, 0]] * 6}, lanes=6, quads=True) == (
        "6 lanes do not make whole 2x2 quads [E0654]"
    )


def test_the_derivative_of_a_uniform_is_zero() -> None:
    text = derivative_text("ddx").replace("varying", "uniform")
    assert run(text, {}, {"v": [1, 2]}, lanes=4, quads=True).outputs["d"].tolist() == [[0, 0]] * 4


DISCARD = """
shader fragment
varying @n: int
output @d: float
func @main {
^entry:
  %0:int = load @n
  %1:bool = ilt %0, 2
  kill %1
  br ^head
^head:
  %2:int = phi [0, ^entry], [%4, ^body]
  %3:bool = ilt %2, %0
  condbr %3, ^body, ^exit
^body:
  %4:int = iadd %2, 1
  br ^head
^exit:
  %5:float = itof %2
  %6:float = ddx %5
  store @d, %6
  ret
}
"""


def test_lanes_meet_after_a_loop_and_discarded_lanes_help_their_neighbours() -> None:
    result = run(DISCARD, {"n": [5, 1, 3, 9]}, lanes=4, quads=True)
    assert result.discarded.tolist() == [False, True, False, False]
    assert result.outputs["d"].tolist() == [-4, -4, 6, 6]


# ---------------------------------------------------------------------------------------- textures
def test_texture_lookup_with_dynamic_sampler_and_missing_texture() -> None:
    text = """
    shader fragment
    varying @place: vec2
    varying @which: int
    sampler @maps: sampler2D[2]
    output @color: vec4
    func @main {
    ^entry:
      %0:vec2 = load @place
      %1:int = load @which
      %2:vec4 = texture @maps[%1 + 0], %0
      store @color, %2
      ret
    }
    """
    black, white = (Texture(np.full((1, 1, 4), value)) for value in (0.0, 1.0))
    inputs = {"place": [[0.5, 0.5]] * 3, "which": [0, 1, 5]}
    found = run(text, inputs, textures={"maps": [black, white]}, lanes=3)
    assert found.outputs["color"][:, 0].tolist() == [0, 1, 1]
    assert error_of(text, inputs, lanes=3) == "sampler 'maps' is read but was given no value [E0651]"
    assert error_of(text, inputs, lanes=3, textures={"maps": white}) == (
        "sampler 'maps' must have shape (2,), found 1 textures [E0652]"
    )


AUTOMATIC = """
shader STAGE
STORAGE @place: vec2
sampler @map: sampler2D
output @color: vec4
func @main {
^entry:
  %0:vec2 = load @place
  %1:vec4 = texture @map, %0
  store @color, %1
  ret
}
"""


def mipmapped() -> Texture:
    levels = [np.full((size, size, 1), float(number)) for number, size in enumerate((8, 4, 2, 1))]
    return Texture(levels[0], "nearest_mipmap_nearest", "repeat", levels[1:])


def test_the_level_comes_from_the_quad_or_is_0_for_vertices() -> None:
    fragment = AUTOMATIC.replace("STAGE", "fragment").replace("STORAGE", "varying")
    places = [[0, 0], [0.25, 0], [0, 0.5], [0.25, 0.5]]
    found = run(fragment, {"place": places}, textures={"map": mipmapped()}, lanes=4, quads=True)
    assert found.outputs["color"][:, 0].tolist() == [2, 2, 2, 2]
    assert error_of(fragment, {"place": places}, textures={"map": mipmapped()}, lanes=4) == (
        "the level of detail of a mipmapped texture needs pixels that are arranged in 2x2 quads [E0653]"
    )
    vertex = AUTOMATIC.replace("STAGE", "vertex").replace("STORAGE", "attribute")
    assert run(vertex, {"place": places}, textures={"map": mipmapped()}, lanes=4).outputs["color"][0, 0] == 0


def test_unusable_textures_name_their_sampler() -> None:
    text = AUTOMATIC.replace("STAGE", "fragment").replace("STORAGE", "varying")
    incomplete = Texture(np.zeros((4, 4, 4)), "linear_mipmap_linear")
    assert error_of(text, textures={"map": incomplete}) == (
        "the texture of sampler 'map' cannot be sampled: "
        "filter linear_mipmap_linear needs mipmap level 1, which is missing [E0655]"
    )
    assert error_of(text, textures={"map": Texture(np.zeros((6, 4, 4, 4)))}) == (
        "the texture of sampler 'map' cannot be sampled: it is a cube map, the sampler wants 2D [E0655]"
    )


# ---------------------------------------------------------------------------------------- geometry
def test_geometry_emits_vertices_in_order() -> None:
    text = """
    shader geometry
    input @count: int
    output @gl_Position: vec4
    func @main {
    ^entry:
      %0:int = load @count
      br ^head
    ^head:
      %1:int = phi [0, ^entry], [%4, ^body]
      %2:bool = ilt %1, %0
      condbr %2, ^body, ^exit
    ^body:
      %3:float = itof %1
      %5:vec4 = construct %3, %3, %3, 1.0
      store @gl_Position, %5
      emit_vertex
      %4:int = iadd %1, 1
      br ^head
    ^exit:
      end_primitive
      ret
    }
    """
    events = run(text, {"count": [2, 1]}, lanes=2).emitted
    assert [event.lanes.tolist() for event in events] == [[True, True], [True, False], [True, True]]
    assert [None if e.outputs is None else e.outputs["gl_Position"][0, 0] for e in events] == [0, 1, None]
