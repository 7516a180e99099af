"""Check files: a module, a pipeline and what must come out.

    ; passes: sroa,mem2reg               the pipeline, on the first line
    ; context: precise, branch=inf       optional: assumptions, and fields of the cost model
    ; expect-error: E0703                optional: the pipeline ends in this diagnostic
    shader vertex
    ...                                  the module; comments may explain the case
    ; CHECK: func @main {                patterns of `filecheck` over the text of the result, whose
    ; CHECK-NEXT: ^entry:                values and blocks are numbered anew

The module must be sound before and after, and finished after when it was finished before; each step must say whether
it changed anything, and leave no analysis that does not hold any more.  It is also
executed before and after with made-up inputs (see `trials.py`), but for files that say why they cannot be:

    ; not-executed: reads a variable that was never written
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any, TypeVar

from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import Options
from filecheck.parser import Parser, pattern_for_opts

from glslc_multi.backends.registry import all_passes
from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.demand import demand
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.ir.ops import OPCODES
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import check as verify
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.passes.base import CostModel, PassContext
from glslc_multi.compiler.passes.pipeline import Pipeline, Step
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import dataclass, fields
from glslc_multi.compiler.verification import verifying
from tests.compiler.passes.pipelines import print_pipeline

Result = TypeVar("Result")

TESTS = Path(__file__).parents[2]
_DIRECTIVE = re.compile(r"; (passes|context|expect-error|not-executed):(.*)")
_CHECK = re.compile(r"\s*; CHECK")


class CheckFailure(Exception):
    """The file does not hold; the text is for people."""


@dataclass(frozen=True, slots=True)
class CheckFile:
    """A file, taken apart."""

    path: Path
    text: str
    directives: Mapping[str, str]

    @property
    def pipeline(self) -> Pipeline:
        return _quoting(parse_pipeline, self.directives["passes"], DiagnosticSink(), all_passes())

    @property
    def name(self) -> str:
        return str(self.path.relative_to(TESTS)) if self.path.is_relative_to(TESTS) else self.path.name

    def module(self) -> Module:
        """The module of the file, sound."""
        sink = DiagnosticSink()
        module = parse_module(self.text, self.name, sink)
        if module is None:
            raise CheckFailure(render(sink.diagnostics))
        verify(module)
        return module

    def context(self) -> PassContext:
        return _context(self.directives.get("context", ""))

    def run(self) -> None:
        """Run the pipeline, and check nothing."""
        run_pipeline(self.module(), self.pipeline, self.context())

    def output(self) -> str:
        """The text after the pipeline."""
        module, context = self.module(), self.context()
        is_finished = not verify_module(module, final=True)
        for step in self.pipeline:
            _run_step(step, module, context)
        verify(module, final=is_finished)
        for function in module.functions.values():
            function.renumber()
        # Spans are checked where the file gives some.
        return print_module(module, spans=' at "' in self.text)


def check_files(*rooms: str) -> list[Path]:
    """The check files of some rooms; by default of all: lowerings, and rewrites of back ends, are passes too."""
    return sorted(path for room in rooms or ("compiler", "backends") for path in (TESTS / room).rglob("*.sir"))


def read_check_file(path: Path) -> CheckFile:
    text = path.read_text(encoding="utf-8")
    directives = {found[1]: found[2].strip() for found in map(_DIRECTIVE.fullmatch, text.splitlines()) if found}
    if not text.startswith("; passes:"):
        raise CheckFailure(f"{path}: the first line must be '; passes: ...'")
    return CheckFile(path, text, directives)


def run_check_file(file: CheckFile) -> None:
    """Raise `CheckFailure` unless the file holds."""
    expected = file.directives.get("expect-error")
    if expected is not None:
        _check_error(file, expected)
        return
    complaint = match(file.text, file.output(), file.name)
    if complaint:
        raise CheckFailure(complaint)


def _check_error(file: CheckFile, code: str) -> None:
    try:
        file.run()
    except CompileError as error:
        found = [diagnostic.code for diagnostic in error.diagnostics]
        if found != [code]:
            raise CheckFailure(f"{file.name}: expected {code}, found:\n{render(error.diagnostics)}") from None
        return
    raise CheckFailure(f"{file.name}: expected {code}, but there was no error")


def _run_step(step: Step, module: Module, context: PassContext) -> None:
    """Run a step of a pipeline, which must tell whether it changes anything, and drop the analyses that it breaks."""
    name, before = print_pipeline((step,)), print_module(module, spans=True)
    known = [(function, function.changes, context.analyses(function).get(demand)) for function in _functions(module)]
    with verifying(True):
        told = _quoting(run_pipeline, module, (step,), context)
    if told != (print_module(module, spans=True) != before):
        raise CheckFailure(f"{name} says that it {'changes' if told else 'does not change'} the module")
    for function, changes, needs in known:
        if told and changes != function.changes and context.analyses(function).get(demand) is needs:
            raise CheckFailure(f"{name} keeps an analysis of {function.name} that it changes")
    for function in _functions(module):
        kept, found = context.analyses(function).get(control_flow), ControlFlow(function)
        if (kept.order, kept.predecessors) != (found.order, found.predecessors):
            raise CheckFailure(f"{name} leaves an old flow graph of {function.name}")


def _functions(module: Module) -> list[Function]:
    return [function for function in module.functions.values() if function.blocks]


def match(checks: str, output: str, name: str) -> str:
    """What `filecheck` says against `output`; "" when the checks hold."""
    options = Options(match_filename=name, input_file="<result>")
    patterns = Parser(options, io.StringIO(checks), *pattern_for_opts(options))
    complaint = io.StringIO()
    with redirect_stderr(complaint):
        status = Matcher(options, FInput("<result>", output), patterns).run()
    return f"{complaint.getvalue()}\nthe result is\n{output}" if status else ""


def with_new_checks(file: CheckFile) -> str:
    """The file's text with checks for all of its present output.

    The declarations before the functions are checked where the passes changed them.
    """
    kept = [line for line in file.text.splitlines() if not _CHECK.match(line)]
    output = file.output()
    head, _, functions = output.partition("\nfunc ")
    same_head = print_module(file.module()).partition("\nfunc ")[0] == head
    lines = (f"func {functions}" if same_head else output).splitlines()
    checks = [f"; CHECK{'-NEXT' if number else ''}: {line}" for number, line in enumerate(lines)]
    checks = [line if line.partition(":")[2].strip() else "; CHECK-EMPTY:" for line in checks]
    return "\n".join([*kept, *checks, ""])


def _context(text: str) -> PassContext:
    """`precise`, fields of the cost model (`branch=inf`) and costs of opcodes (`cost.fmad=1`)."""
    costs: dict[str, Any] = {"opcodes": {}}
    convert: dict[str, Callable[[str], Any]] = {"bool": "true".__eq__, "int": int, "float": float}
    types = {field.name: str(field.type) for field in fields(CostModel)}
    precise = False
    for setting in filter(None, map(str.strip, text.split(","))):
        key, _, value = setting.partition("=")
        if key == "precise":
            precise = True
        elif key.startswith("cost."):
            costs["opcodes"][OPCODES[key.removeprefix("cost.")]] = float(value)
        else:
            costs[key] = convert[types[key]](value)
    return PassContext(CostModel(**costs), precise=precise)


def _quoting(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call, and let the text of a diagnostic be that of the failure."""
    try:
        return function(*arguments)
    except CompileError as error:
        raise CheckFailure(render(error.diagnostics)) from None
