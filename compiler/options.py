"""What a caller can choose: stages, levels, and the options that each target declares.

A target declares its options as rows of `Option` in its `target.py`; the command line's flags and the
keys of the Python interface both come from these rows.  `resolve_options` turns what a caller gave
into a complete, typed mapping, and reports unknown names and unsuitable values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Literal, cast

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.frontend import FrontEnd, FrontEndOptions
from glslc_multi.compiler.records import dataclass, field

#: The stages a shader can be compiled for.  A coordinate shader is a vertex shader that a binning GPU
#: runs for its position only: its GLSL text is that of the vertex stage.
STAGES = ("vertex", "fragment", "geometry", "coordinate")
_SHORT_STAGES = {"vert": "vertex", "frag": "fragment", "geom": "geometry"}

OPTIMISATION_LEVELS = (0, 1, 2, 3)
DEFAULT_OPTIMISATION = 2
#: The level for the smallest code: the default one, but small code is preferred to fast code.
SMALL = "s"

#: How thoroughly code is compared with its source; the command, batches and the Python interface do it quickly.
NO_PROOF, QUICK_PROOF, FULL_PROOF = PROOFS = ("off", "quick", "full")

OptionValue = bool | int | str

_MACRO_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SWITCHES = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}


#: What a linked fragment stage need not be sent; with "components" also single ones of a vector, which a machine of
#: vectors would have to put together.
KnownVaryings = Literal["constants", "copies", "uniforms", "components"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a target; the type of `default` is the type of its values."""

    #: With underscores; the flag is the same name with dashes.
    name: str
    default: OptionValue
    help: str
    #: Where not empty, the only values allowed.
    choices: tuple[OptionValue, ...] = ()

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def expectation(self) -> str:
        """The values it takes, in words."""
        if self.choices:
            return "one of " + ", ".join(str(choice) for choice in self.choices)
        return {bool: "true or false", int: "a whole number", str: "a word"}[type(self.default)]

    def convert(self, value: object) -> OptionValue | None:
        """`value` (possibly still text) as a value of this option; None where it is unsuitable."""
        kind = type(self.default)
        if type(value) is kind:
            converted = value if isinstance(value, (bool, int, str)) else None
        elif not isinstance(value, str):
            converted = None
        elif kind is bool:
            converted = _SWITCHES.get(value.lower())
        else:
            converted = int(value) if re.fullmatch(r"[+-]?[0-9]{1,18}", value) else None
        if converted is None or (self.choices and converted not in self.choices):
            return None
        return converted


#: Of targets that `codegen/exact` knows.
PROVE = Option("prove", False, "shorten blocks with a solver; --stats says how short they could be")


@dataclass(frozen=True, slots=True)
class LinkedVarying:
    """One component of a varying that the fragment stage reads."""

    name: str
    #: Element of the flattened array, column of a matrix, component of the column.
    element: int
    column: int
    component: int
    #: Whether it is an int.
    is_int: bool = False


@dataclass(frozen=True, slots=True)
class LinkedInterface:
    """What the stages of a linked pair must know of each other; both get the same."""

    #: The components that the fragment stage reads, in declared order of the fragment stage.
    varyings: tuple[LinkedVarying, ...]
    #: Components of gl_FragCoord that it reads.
    frag_coord: tuple[int, ...] = ()
    #: Its samplers, in declared order: name and number of elements.
    samplers: tuple[tuple[str, int], ...] = ()
    #: Varyings that are one vector of floats each, interpolated as usual.
    vectors: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TargetOptions:
    """What a code generator needs to know besides the module."""

    stage: str
    optimisation: int = DEFAULT_OPTIMISATION
    #: Every option of the target by name, defaults filled in.
    values: Mapping[str, OptionValue] = field(default_factory=dict)
    #: None for a stage that is compiled alone.
    linked: LinkedInterface | None = None
    #: `-fprecise`.
    precise: bool = False
    #: `-Os`: small code comes before fast code, where the target distinguishes them: by its costs, and where there are
    #: ifs in other ways, too.
    small: bool = False
    #: `--verify-each`.
    verify_each: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """How to compile, whatever the target."""

    optimisation: int = DEFAULT_OPTIMISATION
    #: `-fprecise`: only rewrites that are exact in IEEE arithmetic.
    precise: bool = False
    #: `-fpreamble`: what depends on uniforms alone is computed once, by the host, before the shader runs.
    preamble: bool = False
    front_end: FrontEndOptions = field(default_factory=FrontEndOptions)
    #: Options of the target by name, as the caller gave them.
    target_options: Mapping[str, object] = field(default_factory=dict)
    #: `-Os`: small code before fast code.
    small: bool = False
    #: `--verify-each`: the code is checked after every step, for those who work on the compiler.
    verify_each: bool = False
    #: `--inexact-integers`: ints that the machine's numbers may not hold are warned of, not refused.
    inexact_integers: bool = False
    #: `--proof`: how thoroughly the code is compared with its source (`compiler/proof/effort.py`), or "off".
    proof: str = NO_PROOF


def known_names_help(name: str, known: Iterable[str], *, none: str = "there are none") -> str:
    """Help for an unknown name: the nearest known one, else all of them; `none` where there are none."""
    names = list(known)
    if not names:
        return none
    return did_you_mean(name, names) or f"known names: {', '.join(names)}"


def resolve_stage(
    stage: str | None, filename: str, stage_of_suffix: Mapping[str, str], sink: DiagnosticSink
) -> str | None:
    """The stage asked for, else the one that the suffix of `filename` stands for."""
    stage = _SHORT_STAGES.get(stage or "", stage)
    if stage in STAGES:
        return stage
    if stage is not None:
        sink.report(usage.UNKNOWN_STAGE, help=known_names_help(stage, STAGES), name=stage)
        return None
    stages = stage_of_suffix.get(PurePath(filename).suffix)
    if not stages:
        sink.report(usage.STAGE_NOT_KNOWN, help="name it with --stage (in Python: stage=...)", path=filename)
    return stages or None


def resolve_options(
    declared: Iterable[Option], given: Mapping[str, object], sink: DiagnosticSink
) -> dict[str, OptionValue]:
    """The value of every declared option, `given` values before defaults."""
    rows = {option.name: option for option in declared}
    values = {name: option.default for name, option in rows.items()}
    for name, value in given.items():
        option = rows.get(name)
        if option is None:
            sink.report(usage.UNKNOWN_OPTION, help=known_names_help(name, rows), option=name)
            continue
        converted = option.convert(value)
        if converted is None:
            sink.report(usage.INVALID_OPTION_VALUE, option=option.name, expected=option.expectation, value=str(value))
            continue
        values[name] = converted
    return values


def check_macros(options: FrontEndOptions, sink: DiagnosticSink) -> None:
    """Report names that no `#define` may introduce (GLSL ES 1.00 section 3.4), and values of several lines."""
    for name, value in options.defines.items():
        reserved = name.startswith("GL_") or "__" in name or name == "defined"
        if reserved or not _MACRO_NAME.match(name) or "\n" in value or "\r" in value:
            sink.report(usage.INVALID_DEFINE, text=f"{name}={value}" if value else name)


def check_standard(front_end: FrontEnd, options: FrontEndOptions, sink: DiagnosticSink) -> None:
    """Report a version that the language does not have."""
    if options.std and options.std not in front_end.standards:
        expected = (
            f"one of {', '.join(front_end.standards)}" if front_end.standards else f"no version of {front_end.name}"
        )
        sink.report(usage.INVALID_OPTION_VALUE, option="std", expected=expected, value=options.std)


def split_level(level: int | str) -> tuple[int, bool]:
    """The effort that a level means, and whether small code comes before fast code; `check_optimisation` judges it."""
    if level == SMALL:
        return DEFAULT_OPTIMISATION, True
    effort = int(level) if isinstance(level, str) and level.isdigit() else level
    return cast("int", effort), False


def check_optimisation(level: object, sink: DiagnosticSink) -> None:
    if level not in OPTIMISATION_LEVELS:
        sink.report(
            usage.INVALID_OPTION_VALUE, option="opt", expected=f"a level from 0 to 3, or {SMALL}", value=str(level)
        )
