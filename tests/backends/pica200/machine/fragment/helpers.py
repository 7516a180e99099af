"""Configurations for tests: by hand, and random ones."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np

from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    SCALES,
    STAGES,
)
from glslc_multi.backends.pica200.isa.fragment.encode import FOG_BYTES
from glslc_multi.backends.pica200.isa.fragment.program import (
    INERT,
    Bytes,
    Combiner,
    Configuration,
    Operand,
    Stage,
    Write,
    passes,
)
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.backends.pica200.isa.fragment.rounding import Rounding
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile
from glslc_multi.backends.pica200.machine.fragment.set_up import set_up_of, words_of
from glslc_multi.backends.pica200.machine.fragment.simulate import Pixels, Result, maker, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.native.programs import TranslatedCode
from glslc_multi.compiler.records import replace

#: Stages whose results the buffer can take.
_BUFFERED_STAGES = 4
#: Registers' wraps as textures have them; the border's colour goes over what is beyond an edge.
_WRAPS = {"edge": "clamp", "border": "clamp", "repeat": "repeat", "mirrored": "mirror"}
GIVEN = ("primary", "lighting0", "lighting1", "texture0", "texture1", "texture2", "texture3")


def of(source: str) -> Stage:
    """The stage that hands over a source."""
    return Stage(passes(source, "rgb"), passes(source, "a"))


def combiner(text: str, scale: int = 1) -> Combiner:
    """`MODULATE texture0.rgb 1-primary.aaa`: operands that are not named are the first one."""
    function, *names = text.split()
    operands = [_operand(name) for name in names]
    first, second, third = (operands + [operands[0]] * 2)[:3]
    return Combiner(function, (first, second, third), scale)


def _operand(name: str) -> Operand:
    source, selection = name.removeprefix("1-").split(".")
    return Operand(source, ("1-" if name.startswith("1-") else "") + selection)


def configuration(*stages: Stage, buffer_colour: Bytes = (0, 0, 0, 0)) -> Configuration:
    """These stages; others hand on."""
    return Configuration((*stages, *[INERT] * (STAGES - len(stages))), buffer_colour)


def run(
    found: Configuration, colours: Mapping[str, object], rounding: Rounding = "azahar", *, translated: bool = False
) -> Result:
    """All stages of one pixel or many."""
    set_up = set_up_of(found, rounding, is_traced=True)
    arrays = {source: np.atleast_2d(np.asarray(colour)) for source, colour in colours.items()}
    count = max((len(array) for array in arrays.values()), default=1)
    engine = TranslatedCode(maker(set_up)) if translated else None
    return simulate(set_up, words_of(found), Pixels(count, arrays), engine)


def write(name: str, **fields: int | str) -> Write:
    """A whole register; choices by their names."""
    register = BY_NAME[name]
    codes = register.layout.codes_by_name
    return Write(
        register.address,
        register.format.encode(
            {field: codes[field][value] if isinstance(value, str) else value for field, value in fields.items()}
        ),
    )


def fog_writes(red: int, green: int, blue: int, *, z_flip: int = 0) -> tuple[Write, Write]:
    """Fog of a colour."""
    mode = write("TEXENV_UPDATE_BUFFER", mode="fog", z_flip=z_flip)
    return replace(mode, mask=FOG_BYTES), write("FOG_COLOR", r=red, g=green, b=blue)


def random_configuration(rng: random.Random, given: Sequence[str] = GIVEN) -> Configuration:
    """Any functions of any operands, but those that have no meaning."""
    stages = tuple(_random_stage(rng, number, given) for number in range(STAGES))
    return Configuration(stages, _random_bytes(rng))


def random_colours(rng: random.Random, count: int) -> dict[str, Array]:
    """Bytes of all sources that come from outside; many are the ends."""
    return {source: np.array([_random_bytes(rng) for _ in range(count)]) for source in GIVEN}


def _random_bytes(rng: random.Random) -> Bytes:
    return tuple(rng.choice((0, 1, 127, 128, 254, 255, rng.randrange(256))) for _ in range(4))


def _random_stage(rng: random.Random, number: int, given: Sequence[str]) -> Stage:
    sources = (*given, "constant", "buffer", *(("previous",) if number else ()))
    of_alpha = [name for name in FUNCTIONS if not name.startswith("DOT3")]

    def half(functions: Sequence[str], selections: Sequence[str]) -> Combiner:
        first, second, third = (Operand(rng.choice(sources), rng.choice(selections)) for _ in range(3))
        return Combiner(rng.choice(functions), (first, second, third), rng.choice(SCALES))

    colour, alpha = half(tuple(FUNCTIONS), tuple(COLOUR_SELECTIONS)), half(of_alpha, tuple(ALPHA_SELECTIONS))
    updates = [number < _BUFFERED_STAGES and rng.random() < 0.5 for _ in range(2)]
    return Stage(colour, alpha, _random_bytes(rng), *updates)


def wraps_of(registers: RegisterFile, unit: int) -> tuple[str, str]:
    """The wraps of the texture that a unit reads."""
    s, t = (_WRAPS[registers.choice(f"TEXUNIT{unit}_PARAM", field)] for field in ("wrap_s", "wrap_t"))
    return s, t
