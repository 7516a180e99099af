"""Configurations as formulas: lifted, and run on numbers, against combiners that round nothing."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.fragment.container import write as write_file
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from glslc_multi.backends.pica200.isa.fragment.program import AlphaTest, Configuration
from glslc_multi.backends.pica200.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact, Stats
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import optimise
from glslc_multi.compiler.ir.evaluate import Result, evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.lifting.lift import lift
from glslc_multi.compiler.lifting.operations import Unliftable
from glslc_multi.compiler.records import replace
from tests.backends.pica200.machine.fragment import scalar
from tests.backends.pica200.machine.fragment.helpers import (
    configuration,
    fog_writes,
    of,
    random_colours,
    random_configuration,
)

_TEXTURES = ("texture0", "texture1", "texture2")
#: Sources by the names of their varyings.
_VARYINGS = {"primary": "color", "lighting0": "pica_primary", "lighting1": "pica_secondary"}
_LANES = 64
#: Entries of fog: a line, and a curve.
LINE = tuple(min(8 * number, 2047) << 13 | 8 for number in range(128))
CURVE = tuple(number * number // 8 << 13 for number in range(128))


def lifted(found: Configuration) -> Module:
    """The shader of a file without a register map."""
    data = write_file(encode(found))
    reflection = TARGET.read_interface(data, "<test>", DiagnosticSink())
    artifact = Artifact(data, str, reflection, Stats(0, 0, 0, 0))
    code = TARGET.machine_code(artifact, {})
    assert code is not None
    return optimise(lift(code, reflection, is_complete=False), 2)


def run(module: Module, colours: Mapping[str, Array]) -> Result:
    """A pixel for each row of the colours; those of textures are images with a texel for each."""
    count = len(next(iter(colours.values())))
    centres = np.stack([(np.arange(count) + 0.5) / count, np.full(count, 0.5)], axis=1).astype(np.float32)
    given = {
        name: (colours[source] / 255).astype(np.float32) for source, name in _VARYINGS.items() if source in colours
    }
    given |= {f"texcoord{number}": centres for number in range(3)}
    images = {
        name: Texture(colours[name][None].astype(np.uint8), filter="nearest") for name in _TEXTURES if name in colours
    }
    own = module.variables
    return evaluate(
        module,
        {name: value for name, value in given.items() if name in own},
        {},
        {name: image for name, image in images.items() if name in own},
        lanes=count,
    )


@pytest.mark.parametrize("seed", range(40))
def test_formulas_of_random_configurations(seed: int) -> None:
    rng = random.Random(seed)
    found, colours = random_configuration(rng, (*_VARYINGS, *_TEXTURES)), random_colours(rng, _LANES)
    result = run(lifted(found), {name: colours[name] for name in (*_VARYINGS, *_TEXTURES)}).outputs["gl_FragColor"]
    pixels = [{source: [int(x) for x in rows[lane]] for source, rows in colours.items()} for lane in range(_LANES)]
    wanted = [[float(x) / 255 for x in scalar.run(found, pixel, "exact")[-1]] for pixel in pixels]
    np.testing.assert_allclose(result, wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("function", "holds"),
    [
        ("never", lambda x, y: False),
        ("always", lambda x, y: True),
        ("==", operator.eq),
        ("!=", operator.ne),
        ("<", operator.lt),
        ("<=", operator.le),
        (">", operator.gt),
        (">=", operator.ge),
    ],
)
def test_alpha_test_discards(function: str, holds: Callable[[int, int], bool]) -> None:
    found = replace(configuration(of("primary")), alpha_test=AlphaTest(function, 128))
    alphas = (0, 1, 127, 128, 129, 254, 255)
    result = run(lifted(found), {"primary": np.array([[9, 8, 7, alpha] for alpha in alphas])})
    discarded = (
        np.zeros(len(alphas), bool) if result.discarded is None else np.broadcast_to(result.discarded, len(alphas))
    )
    assert discarded.tolist() == [not holds(alpha, 128) for alpha in alphas]


def test_a_table_that_is_a_line_is_a_formula() -> None:
    writes = fog_writes(255, 51, 0, z_flip=1)
    module = lifted(replace(configuration(of("primary")), unit_writes=writes, tables={"fog": LINE}))
    z = np.array([0.0, 0.25, 0.5, 1.0, 0.33])
    places = np.stack([z, z, z, z], axis=1).astype(np.float32)
    colours = np.full((len(z), 4), 0.6, np.float32)
    given = {"color": colours, "gl_FragCoord": places}
    result = evaluate(module, {name: given[name] for name in given if name in module.variables}, {}, lanes=len(z))
    wanted = z[:, None] / 2 * colours[:, :3] + (1 - z[:, None] / 2) * np.array([1.0, 0.2, 0.0])
    np.testing.assert_allclose(result.outputs["gl_FragColor"][:, :3], wanted, atol=2e-3)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (configuration(of("texture3")), "nothing is known of texture3"),
        (
            replace(configuration(of("primary")), unit_writes=fog_writes(0, 0, 0), tables={"fog": CURVE}),
            "the table fog 0 is no line",
        ),
    ],
)
def test_what_has_no_formula_is_refused(found: Configuration, reason: str) -> None:
    with pytest.raises(Unliftable, match=reason):
        lifted(found)
