"""Values of the scene: the code generator computes each of those that register maps and simulators number."""

from __future__ import annotations

from backends.theia.codegen.rewrites.scene_inputs import SOURCES
from backends.theia.isa.conventions import SCENE_VALUES


def test_there_is_code_for_every_value_of_the_scene() -> None:
    assert tuple(SOURCES) == SCENE_VALUES
