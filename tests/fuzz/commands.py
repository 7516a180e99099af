"""Random command lines: every target, every option that its table has, and the flags of compilations and links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from glslc_multi.backends.pica200.isa.asm.grammar import PROPERTIES
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.backends.xenos_family.isa.vertex_formats import STORAGE_FORMATS
from glslc_multi.cli.emit import KINDS
from glslc_multi.compiler.diagnostics.render import FORMATS
from glslc_multi.compiler.options import STAGES, Option
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.glsl.language.versions import STANDARDS
from tests.fuzz.case import Case
from tests.fuzz.texts import SUFFIX_OF_STAGE, Text

Shaders = tuple[Text] | tuple[Text, Text]
#: Name of the file that is asked for, without its suffix.
OUTPUT = "out"
_LEVELS = ("0", "1", "2", "2", "3", "s")
_WORD = re.compile(r"[A-Za-z_]\w*")
#: Kinds other than machine code; a page costs as much as twenty compilations.
_OTHER_KINDS = tuple(kind for kind in KINDS if kind not in ("bin", "html"))
_NUMBERS = ("0", "1", "-1", "0:1", "-4:4", "0:1e9", "1:0", "x", "")

#: Options whose values are words about the shader -> what stands beside a name.
VALUES_OF_WORDS: Mapping[str, Callable[[Random, str], str]] = {
    "agal_compat": lambda random, word: random.choice(("air", "baselineConstrained", "openfl", "ruffle", word)),
    "agal_samplers": lambda random, word: (
        word + ": " + random.choice(("nearest", "clamp, mipnone", "miplinear", "bias=-0.5", "?"))
    ),
    "attribute_formats": lambda random, word: word + "=" + random.choice((*STORAGE_FORMATS, "none")),
    "outputs": lambda random, word: word + "=" + random.choice((*PROPERTIES, "none")),
    "pin": lambda random, word: f"{word}=C{random.choice((0, 1, 2, 7, 63, 99))}",
    "ranges": lambda random, word: word + "=" + random.choice(("0..1", "-1..1", "0..4", "1..0", "0", "..")),
    "usages": lambda random, word: word + "=" + random.choice(("position", "texcoord3", "normal", "none")),
    "range": lambda random, word: word + "=" + random.choice(_NUMBERS),
    "bind": lambda random, word: word + "=" + random.choice(("TexCoord", "Normal", "Position", "none")),
}


def make_command(random: Random, origin: str, shaders: Shaders) -> Case:
    """A command line that compiles or links `shaders` for some target."""
    target = _choose_target(random, shaders)
    names = [f"fuzz{SUFFIX_OF_STAGE[text.stage]}" for text in shaders]
    files = {name: text.source.encode("utf-8", "surrogateescape") for name, text in zip(names, shaders, strict=True)}
    words = ["compile" if len(shaders) == 1 else "link", *names, "--target", target.name]
    words += ["-O", random.choice(_LEVELS), *_flags(random, target, shaders)]
    words += _output(random, target, shaders)
    return Case(origin, files, tuple(words))


def _choose_target(random: Random, shaders: Shaders) -> Target:
    """A target with the stages of the shaders, but for a few that lack one."""
    targets = [load_target(name) for name in target_names()]
    wanted = {text.stage for text in shaders}
    able = [target for target in targets if wanted <= set(target.stages) or len(shaders) == 2]
    return random.choice(targets if random.random() < 0.03 or not able else able)


def _output(random: Random, target: Target, shaders: Shaders) -> Iterator[str]:
    kind = "bin"
    if random.random() < 0.15:
        kind = "asm" if len(shaders) == 2 else random.choice(_OTHER_KINDS)
    elif random.random() < 0.01 and len(shaders) == 1:
        kind = "html"
    if kind != "bin":
        yield from ("-S",) if kind == "asm" else ("--emit", kind)
    yield from ("-o", OUTPUT + (target.suffix if kind == "bin" else f".{kind}"))


def _flags(random: Random, target: Target, shaders: Shaders) -> Iterator[str]:
    yield from (flag for flag in ("--verify-each", "-fprecise", "-fpreamble") if random.random() < 0.15)
    words = sorted(set(_WORD.findall("\n".join(text.source for text in shaders)))) or ["x"]
    if random.random() < 0.1:
        yield from ("-D", random.choice((f"{random.choice(words)}=1", "M", f"{random.choice(words)}=(", "float=int")))
    if random.random() < 0.03:
        yield from ("-U", random.choice(("GL_ES", "GL_FRAGMENT_PRECISION_HIGH", random.choice(words))))
    yield from (flag for flag in ("--compat", "--inexact-integers") if random.random() < 0.2)
    if random.random() < 0.05:
        yield f"--std={random.choice(tuple(STANDARDS))}"
    if random.random() < 0.1:
        yield from ("--diagnostics-format", random.choice(FORMATS))
    if random.random() < 0.1:
        yield random.choice(("-w", "-Werror", "--max-errors=1", "--max-errors=0", "--stats=json", "--stats=text"))
    if shaders[0].stage == "vertex" and "coordinate" in target.stages and len(shaders) == 1 and random.random() < 0.3:
        yield from ("--stage", "coordinate")
    elif len(shaders) == 1 and random.random() < 0.02:
        yield from ("--stage", random.choice(STAGES))
    if len(shaders) == 1 and random.random() < 0.05:
        yield random.choice(("--save-temps", "--reflect=map.json", "-MD"))
    for option in target.options:
        if random.random() < (0.25 if _is_safe(option) else 0.05):
            yield from _option(random, option, words)


def _is_safe(option: Option) -> bool:
    """Whether any value that is made for it is right."""
    return isinstance(option.default, bool) or bool(option.choices)


def _option(random: Random, option: Option, words: Sequence[str]) -> Iterator[str]:
    if isinstance(option.default, bool):
        yield random.choice((option.flag, f"--no-{option.flag[2:]}"))
        return
    if option.choices:
        value = str(random.choice(option.choices))
    elif isinstance(option.default, int):
        value = random.choice(("0", "1", "3", "64", "1000000", "-1", "many"))
    else:
        named = (VALUES_OF_WORDS[option.name](random, random.choice(words)) for _ in range(random.choice((1, 1, 2))))
        value = random.choice((",", ";")).join(named)
    yield f"{option.flag}={value}"
