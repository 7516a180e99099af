"""Input number i of seed s: always the same case, whichever process makes it, and after a restart.

Three kinds are mixed by fixed shares: mutants of shaders, texts made by a grammar, and bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from glslc_multi.compiler.records import dataclass
from tests.fuzz.case import Case, Mode
from tests.fuzz.commands import Shaders, make_command
from tests.fuzz.edits import edit
from tests.fuzz.grammar import write_shader
from tests.fuzz.mutate import mutate
from tests.fuzz.noise import make_noise
from tests.fuzz.texts import SUFFIX_OF_STAGE, Text, Texts
from tests.fuzz.versions import modernised
from tests.generators.glsl import Stage, generate

#: Those that the generator of typed programs knows.
_TYPED_STAGES: tuple[Stage, ...] = ("vertex", "fragment")
_STAGES = ("vertex", "fragment", "fragment", "geometry")
#: The share of long shaders among whole ones: in the front end a long one takes twenty times as long as a short one.
_LONG_FRONTEND, _LONG_COMPILER = 0.02, 0.3
_PAIR = 0.12


@dataclass(frozen=True, slots=True)
class Inputs:
    """All inputs of a seed."""

    mode: Mode
    seed: int
    texts: Texts

    def case(self, number: int) -> Case:
        random = Random(f"{self.mode} {self.seed} {number}")
        if self.mode == "frontend":
            origin, make = _pick(random, _FRONTEND)
            text = make(random, self.texts)
            return Case(origin, {f"fuzz{SUFFIX_OF_STAGE[text.stage]}": _encode(text)})
        if self.texts.pairs and random.random() < _PAIR:
            vertex, fragment = random.choice(self.texts.pairs)
            shaders: Shaders = (_edited(random, vertex), _edited(random, fragment))
            return make_command(random, "mutant", shaders)
        origin, make = _pick(random, _COMPILER)
        return make_command(random, origin, (make(random, self.texts),))


Make = Callable[[Random, Texts], Text]
Shares = tuple[tuple[float, str, Make], ...]


def _pick(random: Random, shares: Shares) -> tuple[str, Make]:
    _, origin, make = random.choices(shares, [share for share, _, _ in shares])[0]
    return origin, make


def _encode(text: Text) -> bytes:
    return text.source.encode("utf-8", "surrogateescape")


# ---------------------------------------------------------------------------------------- kinds
def _mutant(random: Random, texts: Texts) -> Text:
    text = texts.choose(random)
    return Text(text.stage, mutate(text.source, random, texts.choose(random).source))


def _whole_mutant(random: Random, texts: Texts) -> Text:
    text = texts.choose_whole(random)
    return Text(text.stage, mutate(text.source, random, texts.choose(random).source))


def _edited_mostly_short(random: Random, texts: Texts) -> Text:
    return _edited(random, texts.choose_plain(random, _LONG_FRONTEND))


def _edited_shader(random: Random, texts: Texts) -> Text:
    return _edited(random, texts.choose_plain(random, _LONG_COMPILER))


def _edited(random: Random, text: Text) -> Text:
    return Text(text.stage, edit(text.source, random))


def _walked(random: Random, texts: Texts) -> Text:
    return Text(random.choice(_STAGES), write_shader(random, random.choice(texts.versions)))


def _typed(random: Random, texts: Texts) -> Text:
    stage = random.choice(_TYPED_STAGES)
    source = generate(random, stage, random.choice((1, 3, 6, 10))).source
    source = modernised(source, stage, random.choice(texts.versions))
    return Text(stage, edit(source, random) if random.random() < 0.5 else source)


def _small_typed(random: Random, texts: Texts) -> Text:
    stage = random.choice(_TYPED_STAGES)
    source = modernised(generate(random, stage, 1).source, stage, random.choice(texts.versions))
    return Text(stage, edit(source, random))


def _noise(random: Random, texts: Texts) -> Text:
    text = random.choice(texts.short)
    noise = make_noise(random, text.source.encode("utf-8", "surrogatepass"))
    return Text(text.stage, noise.decode("utf-8", "surrogateescape"))


_FRONTEND: Shares = (
    (0.46, "mutant", _mutant),
    (0.03, "mutant", _whole_mutant),
    (0.10, "mutant", _edited_mostly_short),
    (0.22, "grammar", _walked),
    (0.07, "grammar", _small_typed),
    (0.12, "bytes", _noise),
)
_COMPILER: Shares = (
    (0.08, "mutant", _mutant),
    (0.45, "mutant", _edited_shader),
    (0.03, "grammar", _walked),
    (0.40, "grammar", _typed),
    (0.04, "bytes", _noise),
)
