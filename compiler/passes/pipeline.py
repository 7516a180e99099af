"""Pipelines: which passes run in what order, as text, and what the -O levels mean.

    sroa,mem2reg,loop-unroll{max=64},repeat{rounds=3}(instcombine,gvn,dce)

`name{option=value,...}` sets a pass's options; `repeat(...)` runs a group until nothing changes, at
most `rounds` times.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NoReturn, get_type_hints

from compiler.diagnostics import DiagnosticSink, SourceFile, Span
from compiler.diagnostics.catalogue import usage
from compiler.diagnostics.suggest import did_you_mean
from compiler.ir.module import Function, Module
from compiler.passes.base import Pass, PassContext
from compiler.passes.registry import FOR_BRANCHES, PASSES, pass_class
from compiler.records import dataclass, fields

#: Rounds of a `repeat` without a number.
DEFAULT_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Repeat:
    """A group of steps that runs until none makes progress."""

    steps: Pipeline
    rounds: int = DEFAULT_ROUNDS


@dataclass(frozen=True, slots=True)
class ForBranches(Pass):
    """A pass without options of `FOR_BRANCHES`: straight code, as of most vertex shaders, does without its import.

    That buys 9 % of a cold compile of such a shader (`benchmarks.cold_start`, a miss).
    """

    name: str  # type: ignore[misc]

    def run(self, function: Function, context: PassContext) -> bool:
        return len(function.blocks) > 1 and pass_class(self.name)().run(function, context)

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        is_straight = all(len(function.blocks) == 1 for function in module.functions.values())
        return not is_straight and pass_class(self.name)().run_on_module(module, context)


Step = Pass | Repeat
Pipeline = tuple[Step, ...]

#: Steps do not change, so every text is parsed once; compilers ask for the same few.
_parsed: dict[str, Pipeline] = {}

#: Memory becomes values: what every other pass works on.
_PROMOTE = "inline,simplify-cfg,sroa,mem2reg"
#: What is cheap and always good, until nothing changes; and the same with value numbering.
_CLEAN = "repeat{rounds=4}(sccp,instcombine,simplify-cfg,dce)"
_CLEAN_WELL = "repeat{rounds=4}(sccp,instcombine,gvn,simplify-cfg,dce)"
#: Unrolling makes indices constant, so that arrays become values; what is left of branches becomes selects.
_FULL = (
    f"{_PROMOTE},{_CLEAN_WELL},loop-unroll,sroa,mem2reg,reassociate,{_CLEAN_WELL},"
    f"if-convert,licm,{_CLEAN_WELL},sink,contract"
)
#: -fpreamble: what depends on uniforms alone goes to a function that the host runs, and what that leaves is cleaned.
PREAMBLE = f"{_PROMOTE},uniform-hoist,{_CLEAN}"
#: The -O levels.  What -O3 does more is the code generator's business.
LEVELS: dict[int, str] = {0: "", 1: f"{_PROMOTE},{_CLEAN}", 2: _FULL, 3: _FULL}

_TOKEN = re.compile(r"\s*(?:(?P<word>[A-Za-z0-9_.-]+)|(?P<mark>[{}(),=]))")


def level(number: int) -> Pipeline:
    """The pipeline of -O`number`."""
    return parse_pipeline(LEVELS[number], DiagnosticSink())


def parse_pipeline(text: str, sink: DiagnosticSink) -> Pipeline:
    """The steps that `text` names; a mistake is reported and raised."""
    if text not in _parsed:
        _parsed[text] = _Parser(text, sink).pipeline()
    return _parsed[text]


def print_pipeline(pipeline: Pipeline) -> str:
    """The text of a pipeline, which parses back to it."""
    return ",".join(_print_step(step) for step in pipeline)


def _print_step(step: Step) -> str:
    if isinstance(step, Repeat):
        rounds = "" if step.rounds == DEFAULT_ROUNDS else f"{{rounds={step.rounds}}}"
        return f"repeat{rounds}({print_pipeline(step.steps)})"
    if isinstance(step, ForBranches):
        return step.name
    changed = [
        f"{option.name.replace('_', '-')}={_print_value(getattr(step, option.name))}"
        for option in fields(step)  # type: ignore[arg-type]
        if getattr(step, option.name) != option.default
    ]
    return step.name + (f"{{{','.join(changed)}}}" if changed else "")


def _print_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Parser:
    """Recursive descent over the tokens of a pipeline."""

    def __init__(self, text: str, sink: DiagnosticSink) -> None:
        self.text = text
        self.sink = sink
        self.file = SourceFile("<passes>", text)
        self.tokens: list[tuple[str, int]] = []
        self.next = 0
        place = 0
        while place < len(text.rstrip()):
            match = _TOKEN.match(text, place)
            if match is None:
                self._fail(place, 1, "a pass's name")
            self.tokens.append((match.group().strip(), match.end() - len(match.group().strip())))
            place = match.end()

    def pipeline(self) -> Pipeline:
        steps = self._steps() if self.tokens else ()
        if self.next < len(self.tokens):
            self._expected("',' or the end")
        return steps

    def _steps(self) -> Pipeline:
        steps = [self._step()]
        while self._accept(","):
            steps.append(self._step())
        return tuple(steps)

    def _step(self) -> Step:
        name, place = self._word("a pass's name")
        options = self._options()
        if name == "repeat":
            return self._repeat(options)
        if name not in PASSES:
            self.sink.report(
                usage.UNKNOWN_PASS, self._span(place, len(name)), help=did_you_mean(name, PASSES), name=name
            )
            self.sink.raise_if_errors()
        return self._make(pass_class(name), options) if options else _plain_pass(name)

    def _repeat(self, options: list[tuple[str, str, int]]) -> Repeat:
        rounds = DEFAULT_ROUNDS
        for key, value, place in options:
            if key != "rounds" or not value.isdigit():
                self._bad_option("repeat", key, place, ["rounds"])
            rounds = int(value)
        self._require("(")
        steps = self._steps()
        self._require(")")
        return Repeat(steps, rounds)

    def _options(self) -> list[tuple[str, str, int]]:
        """`{key=value,...}` as (key, value, place of the key)."""
        found: list[tuple[str, str, int]] = []
        if not self._accept("{"):
            return found
        while True:
            key, place = self._word("an option's name")
            self._require("=")
            found.append((key, self._word("a value")[0], place))
            if not self._accept(","):
                break
        self._require("}")
        return found

    def _make(self, cls: type[Pass], options: list[tuple[str, str, int]]) -> Pass:
        types = get_type_hints(cls)
        known = {option.name.replace("_", "-"): option.name for option in fields(cls)}  # type: ignore[arg-type]
        values: dict[str, Any] = {}
        for key, text, place in options:
            value = _convert(text, types[known[key]]) if key in known else None
            if value is None:
                self._bad_option(cls.name, key, place, list(known))
            values[known[key]] = value
        return cls(**values)

    def _bad_option(self, name: str, key: str, place: int, known: list[str]) -> NoReturn:
        help = did_you_mean(key, known) or (f"its options are {', '.join(known)}" if known else "it has no options")
        self.sink.report(usage.BAD_PASS_OPTION, self._span(place, len(key)), help=help, name=name, option=key)
        self.sink.raise_if_errors()
        raise AssertionError("an error was reported")

    # tokens --------------------------------------------------------------------------------
    def _accept(self, mark: str) -> bool:
        if self.next < len(self.tokens) and self.tokens[self.next][0] == mark:
            self.next += 1
            return True
        return False

    def _require(self, mark: str) -> None:
        if not self._accept(mark):
            self._expected(f"'{mark}'")

    def _word(self, what: str) -> tuple[str, int]:
        if self.next >= len(self.tokens) or self.tokens[self.next][0] in "{}(),=":
            self._expected(what)
        self.next += 1
        return self.tokens[self.next - 1]

    def _expected(self, what: str) -> NoReturn:
        at_end = self.next >= len(self.tokens)
        text, place = ("", len(self.text)) if at_end else self.tokens[self.next]
        self._fail(place, max(1, len(text)), what)

    def _fail(self, place: int, length: int, expected: str) -> NoReturn:
        self.sink.report(usage.BAD_PIPELINE, self._span(place, length), expected=expected)
        self.sink.raise_if_errors()
        raise AssertionError("an error was reported")

    def _span(self, place: int, length: int) -> Span:
        return Span(self.file, 1, place + 1, 1, place + 1 + length)


@cache
def _plain_pass(name: str) -> Pass:
    """A pass without options, the same one wherever it is named."""
    return ForBranches(name) if name in FOR_BRANCHES else pass_class(name)()


def _convert(text: str, type_: type) -> object:
    """`text` as a value of an option's type; None where it is none."""
    if type_ is bool:
        return {"true": True, "false": False}.get(text)
    try:
        return type_(text)
    except ValueError:
        return None
