"""Pipelines: which passes run in what order, as text, and what the -O levels mean.

    sroa,mem2reg,loop-unroll{max=64},repeat{rounds=3}(instcombine,gvn,dce)

`name{option=value,...}` sets a pass's options; `repeat(...)` runs a group until nothing changes, at most `rounds`
times.  `pipeline_grammar.py` is the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, NoReturn

from pyparsing import ParseBaseException

from compiler.diagnostics import DiagnosticSink, SourceFile, Span
from compiler.diagnostics.catalogue import usage
from compiler.diagnostics.model import Entry
from compiler.diagnostics.suggest import did_you_mean
from compiler.ir.module import Module
from compiler.parsing import Word, expected
from compiler.passes import pipeline_grammar
from compiler.passes.base import ModulePass, Pass, PassContext
from compiler.passes.pipeline_grammar import Option, PassStep, RepeatStep
from compiler.passes.registry import FOR_BRANCHES, PASSES, pass_class
from compiler.records import dataclass, fields

#: Rounds of a `repeat` without a number.
DEFAULT_ROUNDS = 8
#: How many groups may stand inside each other.
DEEPEST_GROUP = 16


@dataclass(frozen=True, slots=True)
class Repeat:
    """A group of steps that runs until none makes progress."""

    steps: Pipeline
    rounds: int = DEFAULT_ROUNDS


@dataclass(frozen=True, slots=True)
class ForBranches(ModulePass):
    """A pass without options of `FOR_BRANCHES`: straight code, as of most vertex shaders, does without its import.

    That buys 9 % of a cold compile of such a shader (`benchmarks.cold_start`, a miss).
    """

    name: str  # type: ignore[misc]

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
    f"{_PROMOTE},{_CLEAN_WELL},loop-unroll,sroa,mem2reg,{_CLEAN_WELL},known-signs,"
    f"if-convert,licm,{_CLEAN_WELL},contract"
)
#: -fpreamble: what depends on uniforms alone goes to a function that the host runs, and what that leaves is cleaned.
PREAMBLE = f"{_PROMOTE},uniform-hoist,{_CLEAN}"
#: The -O levels.  What -O3 does more is the code generator's business.
LEVELS: dict[int, str] = {0: "", 1: f"{_PROMOTE},{_CLEAN}", 2: _FULL, 3: _FULL}

_ROUNDS = re.compile("[0-9]{1,9}")
_WORD = re.compile(r"[A-Za-z0-9_.-]+")


def level(number: int) -> Pipeline:
    """The pipeline of -O`number`."""
    return parse_pipeline(LEVELS[number], DiagnosticSink())


def parse_pipeline(text: str, sink: DiagnosticSink) -> Pipeline:
    """The steps that `text` names; a mistake is reported and raised."""
    if text not in _parsed:
        _parsed[text] = _Builder(text, sink).pipeline()
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


class _Builder:
    """Makes the steps that a text names."""

    def __init__(self, text: str, sink: DiagnosticSink) -> None:
        self.text = text
        self.sink = sink
        self.file = SourceFile("<passes>", text)

    def pipeline(self) -> Pipeline:
        self._check_depth()
        try:
            return self._steps(pipeline_grammar.pipeline.parse_string(self.text)[0])
        except ParseBaseException as failure:
            found = _WORD.match(self.text, failure.loc)
            end = failure.loc + 1 if found is None else found.end()
            self._fail(usage.BAD_PIPELINE, (failure.loc, end), expected=expected(failure))

    def _check_depth(self) -> None:
        """Groups are read, printed and run by functions that call themselves."""
        depth = 0
        for place, letter in enumerate(self.text):
            depth += (letter == "(") - (letter == ")")
            if depth > DEEPEST_GROUP:
                self._fail(usage.BAD_PIPELINE, (place, place + 1), expected=f"at most {DEEPEST_GROUP} nested groups")

    def _steps(self, steps: Iterable[pipeline_grammar.Step]) -> Pipeline:
        return tuple(map(self._step, steps))

    def _step(self, step: pipeline_grammar.Step) -> Step:
        if isinstance(step, RepeatStep):
            return self._repeat(step)
        if isinstance(step, PassStep):
            return self._configured_pass(self._name(step.name), step.options)
        return _plain_pass(self._name(step))

    def _name(self, word: Word) -> str:
        name = word[0]
        if name not in PASSES:
            self._fail(usage.UNKNOWN_PASS, word.span(), did_you_mean(name, PASSES), name=name)
        return name

    def _repeat(self, step: RepeatStep) -> Repeat:
        rounds = DEFAULT_ROUNDS
        for option in step.options:
            if option.name[0] != "rounds" or not _ROUNDS.fullmatch(option.value[0]):
                self._bad_option("repeat", option.name, ["rounds"])
            rounds = int(option.value[0])
        return Repeat(self._steps(step.steps), rounds)

    def _configured_pass(self, name: str, options: Iterable[Option]) -> Pass:
        cls = pass_class(name)
        known = {field.name.replace("_", "-"): field for field in fields(cls)}  # type: ignore[arg-type]
        values: dict[str, Any] = {}
        for option in options:
            key = option.name[0]
            # Every option has a default, which is of its type.
            value = _convert(option.value[0], type(known[key].default)) if key in known else None
            if value is None:
                self._bad_option(name, option.name, list(known))
            values[known[key].name] = value
        return cls(**values)

    def _bad_option(self, name: str, word: Word, known: list[str]) -> NoReturn:
        help = did_you_mean(word[0], known) or (f"its options are {', '.join(known)}" if known else "it has no options")
        self._fail(usage.BAD_PASS_OPTION, word.span(), help, name=name, option=word[0])

    def _fail(self, entry: Entry, place: tuple[int, int], help: str | None = None, **values: Any) -> NoReturn:
        span = Span(self.file, 1, place[0] + 1, 1, place[1] + 1)
        self.sink.report(entry, span, help=help, **values)
        self.sink.raise_if_errors()
        raise AssertionError("an error was reported")


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
