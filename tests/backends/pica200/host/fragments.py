"""What generated programs set up for pixels, beside what the simulator makes of the file and of the uniforms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.isa.fragment.container import read
from glslc_multi.backends.pica200.isa.fragment.decode import decode
from glslc_multi.backends.pica200.isa.fragment.program import AlphaTest, Configuration
from glslc_multi.backends.pica200.machine.fragment.artifact import DRAW_SPACE
from glslc_multi.backends.pica200.machine.fragment.host_words import words_of_draw
from glslc_multi.backends.pica200.machine.fragment.images import generated_images
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp, set_up_of
from glslc_multi.backends.pica200.machine.fragment.set_up import words_of as words_of_configuration
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.records import replace
from glslc_multi.runtime.preamble import run_preamble, uniforms_read
from tests.backends.pica200.host.stub import Call, writes_of
from tests.backends.pica200.host.texels import rows_of_texels
from tests.backends.pica200.host.trial import Trial

#: Numbers by space and register, as the simulator takes them.
Given = Mapping[str, Mapping[int, Sequence[Any]]]


def check_fragment(trial: Trial, calls: Iterable[Call]) -> int:
    """How many values the host computes for the fragment stage."""
    artifact = trial.stages.get("fragment")
    if artifact is None:
        return 0
    calls = list(calls)
    given = _given(trial, artifact)
    writes, fog = writes_of(calls)
    found, file = decode(writes), decode(read(artifact.binary))
    if fog:
        found = replace(found, tables={**found.tables, "fog": fog})
    wanted = _drawn(file, given)
    assert _what_units_do(found) == _what_units_do(wanted)
    assert found.tables.keys() == file.tables.keys()
    words = words_of_draw(wanted, artifact.reflection, given)
    different = np.flatnonzero(words_of_configuration(found) != words)
    assert different.size == 0, (different, words_of_configuration(found)[different], words[different])
    _check_images(artifact, given, calls)
    return sum(len(numbers) for space in given.values() for numbers in space.values())


def _given(trial: Trial, artifact: Artifact) -> Given:
    """What the preamble computes, by registers."""
    if artifact.preamble is None:
        return {}
    names = [variable.name for variable in uniforms_read(artifact.preamble)]
    computed = run_preamble(artifact.preamble, {name: np.array(trial.values[name]) for name in names})
    given: dict[str, dict[int, Any]] = {}
    for binding in artifact.reflection.uniforms:
        values = np.reshape(computed[binding.name], -1).tolist()
        for place in binding.locations:
            space = given.setdefault(place.space, {})
            if place.transform == "table" or len(values) > 4:
                space[place.index] = values
                continue
            register = space.setdefault(place.index, [0.0] * 4)
            for number, letter in enumerate(place.components, start=place.first):
                register["xyzw".index(letter)] = values[number]
    return given


def _drawn(file: Configuration, given: Given) -> Configuration:
    """Nothing passes the alpha test where the host finds that nothing is drawn."""
    is_drawn = given.get(DRAW_SPACE, {0: [1.0]})[0][0] > 0.5
    return file if is_drawn else replace(file, alpha_test=AlphaTest("never", 0))


def _what_units_do(configuration: Configuration) -> SetUp:
    """Without the values that they do it with, and without what is the same for all programs."""
    found = set_up_of(configuration)
    stages = tuple(replace(stage, constant=(0, 0, 0, 0)) for stage in found.stages)
    return replace(found, stages=stages, output=None)


def _check_images(artifact: Artifact, given: Given, calls: Iterable[Call]) -> None:
    """Texels within a step, since floats of C are those of 32 bits; a row is repeated, as a texture has 8 at least."""
    last = {unit: rest for name, unit, *rest in (call for call in calls if call[0] == "image")}
    images = generated_images(artifact.reflection, given)
    assert last.keys() == images.keys()
    for unit, image in images.items():
        width, height, is_linear, *texels = last[unit]
        assert (width, is_linear) == (image.levels[0].shape[2], int(image.magnify == "linear"))
        found = rows_of_texels(np.array(texels, np.uint32), width, height)
        expected = np.broadcast_to(np.round(255 * image.levels[0][0]), found.shape)
        assert np.abs(found.astype(int) - expected).max() <= 1
