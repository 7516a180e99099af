"""Real fragment shaders that a hand has mapped fit, and the page tells of each."""

from __future__ import annotations

import pytest

from tests.backends.pica200.codegen.fragment.real.__main__ import PAGE
from tests.backends.pica200.codegen.fragment.real.shaders import BY_HAND, RealShader, fate_of, real_shaders

#: By hand a bool chooses between programs, the depth of the pixel does what a distance in a varying does, and two
#: constants of one stage are shared.
_MORE_STAGES = {
    "phaser__bitmapmask.frag": 1,
    "three.js__meshbasic_map_fog.frag": 1,
    "three.js__meshbasic_vertexcolors.frag": 1,
    "three.js__meshlambert_skinned.frag": 1,
}
_SHADERS = [shader for shader in real_shaders() if shader.name in BY_HAND]


@pytest.mark.parametrize("shader", _SHADERS, ids=lambda shader: shader.name)
def test_what_a_hand_has_mapped_fits(shader: RealShader) -> None:
    fate = fate_of(shader)
    assert not fate.reason
    assert fate.stages <= BY_HAND[shader.name] + _MORE_STAGES.get(shader.name, 0)
    assert f"| {shader.name} | {fate.stages}" in PAGE.read_text()


def test_the_page_tells_of_all() -> None:
    text = PAGE.read_text()
    assert all(f"| {shader.name} |" in text for shader in real_shaders())
