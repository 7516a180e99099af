"""Pipelines as text: what `--passes` takes.

    sroa,mem2reg,loop-unroll{max=64},repeat{rounds=3}(instcombine,gvn,dce)

`name{option=value,...}` sets a pass's options; `repeat(...)` runs a group until nothing changes, at most `rounds`
times.  `pipeline_grammar.py` is the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from pyparsing import ParseBaseException

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.model import Entry
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.parsing import Word, expected
from glslc_multi.compiler.passes import pipeline_grammar
from glslc_multi.compiler.passes.base import Pass
from glslc_multi.compiler.passes.pipeline import DEFAULT_ROUNDS, ForBranches, Pipeline, Repeat, Step
from glslc_multi.compiler.passes.pipeline_grammar import Option, PassStep, RepeatStep
from glslc_multi.compiler.passes.registry import FOR_BRANCHES, PASSES, pass_class
from glslc_multi.compiler.records import fields

#: How many groups may stand inside each other.
DEEPEST_GROUP = 16

_ROUNDS = re.compile("[0-9]{1,9}")
_WORD = re.compile(r"[A-Za-z0-9_.-]+")
#: The types of options, each made of a word: `frozenset` is that of sets of opcodes.
_OPTION = (bool, int, float, str, frozenset)


def parse_pipeline(text: str, sink: DiagnosticSink, passes: Mapping[str, str] = PASSES) -> Pipeline:
    """Return the steps that `text` names, of these passes; a mistake is reported and raised."""
    return _Builder(text, sink, passes).pipeline()


class _Builder:
    """Makes the steps that a text names."""

    def __init__(self, text: str, sink: DiagnosticSink, passes: Mapping[str, str]) -> None:
        self.text = text
        self.sink = sink
        self.passes = passes
        self.file = SourceFile("<passes>", text)

    def pipeline(self) -> Pipeline:
        # Refuse what is too deep for the functions that read, print and run groups, which call themselves.
        depth = 0
        for index, letter in enumerate(self.text):
            depth += (letter == "(") - (letter == ")")
            if depth > DEEPEST_GROUP:
                self._fail(usage.BAD_PIPELINE, (index, index + 1), expected=f"at most {DEEPEST_GROUP} nested groups")
        try:
            return self._steps(pipeline_grammar.pipeline.parse_string(self.text)[0])
        except ParseBaseException as failure:
            match = _WORD.match(self.text, failure.loc)
            end = failure.loc + 1 if match is None else match.end()
            self._fail(usage.BAD_PIPELINE, (failure.loc, end), expected=expected(failure))

    def _steps(self, steps: Iterable[pipeline_grammar.Step]) -> Pipeline:
        return tuple(map(self._step, steps))

    def _step(self, step: pipeline_grammar.Step) -> Step:
        if isinstance(step, RepeatStep):
            rounds = DEFAULT_ROUNDS
            for option in step.options:
                if option.name[0] != "rounds" or not _ROUNDS.fullmatch(option.value[0]):
                    self._bad_option("repeat", option.name, ["rounds"])
                rounds = int(option.value[0])
            return Repeat(self._steps(step.steps), rounds)
        if isinstance(step, PassStep):
            return self._configured_pass(self._name(step.name), step.options)
        name = self._name(step)
        return ForBranches(name) if name in FOR_BRANCHES else pass_class(name, self.passes)()

    def _name(self, word: Word) -> str:
        name = word[0]
        if name not in self.passes:
            self._fail(usage.UNKNOWN_PASS, word.span(), did_you_mean(name, self.passes), name=name)
        return name

    def _configured_pass(self, name: str, options: Iterable[Option]) -> Pass:
        cls = pass_class(name, self.passes)
        # What no text can say are facts of a module that a target knows.
        known = {f.name.replace("_", "-"): f for f in fields(cls) if isinstance(f.default, _OPTION)}
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


def _convert(text: str, type_: type) -> object:
    """Read a value of an option's type; None where the text is none."""
    if type_ is bool:
        return {"true": True, "false": False}.get(text)
    try:
        return type_(text)
    except ValueError:
        return None
