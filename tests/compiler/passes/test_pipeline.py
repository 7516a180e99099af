"""Pipelines as text, and the runner that carries them out."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant
from glslc_multi.compiler.ir.module import Function, Instruction, Module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.passes import registry
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.pipeline import LEVELS, Repeat, level
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.trace import Watcher, watching
from glslc_multi.compiler.verification import BrokenByStep, Verifier
from tests.compiler.passes.pipelines import print_pipeline
from tests.generators.ir import generate
from tests.shared_data import PROJECT_ROOT
from tests.work import count_calls


@dataclass(frozen=True, slots=True)
class AddBlocks(Pass):
    """Adds a block until there are `limit`."""

    name: ClassVar[str] = "add-blocks"
    description: ClassVar[str] = "adds empty blocks"
    limit: int = 2
    broken: bool = False

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) >= self.limit:
            return False
        block = function.add_block("more")
        if not self.broken:
            Builder(block).ret()
        return True


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.PASSES, "add-blocks", f"{__name__}:AddBlocks")


def new_module() -> Module:
    module = Module("vertex")
    Builder(module.add_function("main").add_block("entry")).ret()
    return module


def entry_end(module: Module) -> Instruction:
    end = module.main.entry.terminator
    assert end is not None
    return end


def parse_error(text: str) -> str:
    with pytest.raises(CompileError) as raised:
        parse_pipeline(text, DiagnosticSink())
    return render(raised.value.diagnostics, "text", color=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "add-blocks",
        "add-blocks{limit=5}",
        "add-blocks{limit=5,broken=true},add-blocks",
        "repeat(add-blocks)",
        "repeat{rounds=3}(add-blocks{limit=9},repeat(add-blocks))",
    ],
)
def test_text_round_trip(text: str) -> None:
    assert print_pipeline(parse_pipeline(text, DiagnosticSink())) == text


def test_spaces_are_free() -> None:
    (step,) = parse_pipeline(" repeat { rounds = 3 } ( add-blocks { limit = 9 } ) ", DiagnosticSink())
    assert step == Repeat((AddBlocks(limit=9),), rounds=3)


def test_every_level_parses() -> None:
    for number in LEVELS:
        assert parse_pipeline(print_pipeline(level(number)), DiagnosticSink()) == level(number)


def test_unknown_pass_suggests_the_nearest() -> None:
    assert parse_error("add-block") == (
        "<passes>:1:1: error: there is no pass called 'add-block' [E0920]\n"
        "   1 | add-block\n"
        "     | ^^^^^^^^^\n"
        "help: did you mean 'add-blocks'?\n"
    )


@pytest.mark.parametrize(
    ("text", "column", "code"),
    [
        ("add-blocks{depth=1}", 12, "E0921"),
        ("add-blocks{limit=many}", 12, "E0921"),
        ("add-blocks{limit}", 17, "E0922"),
        ("add-blocks,", 12, "E0922"),
        ("add-blocks add-blocks", 12, "E0922"),
        ("repeat(add-blocks", 18, "E0922"),
        ("repeat{rounds=x}(add-blocks)", 8, "E0921"),
        (f"repeat{{rounds={'9' * 5000}}}(add-blocks)", 8, "E0921"),
        ("add-blocks;", 11, "E0922"),
        (";", 1, "E0922"),
        ("repeat", 7, "E0922"),
        ("repeat(add-blocks{limit=3},)", 28, "E0922"),
        ("add-blocks{}", 12, "E0922"),
        ("repeat-blocks", 1, "E0920"),
        ("repeat(" * 20 + "add-blocks" + ")" * 20, 119, "E0922"),
        ("repeat(" * 9999, 119, "E0922"),
    ],
)
def test_mistakes_are_located(text: str, column: int, code: str) -> None:
    assert parse_error(text).startswith(f"<passes>:1:{column}: error: ")
    assert f"[{code}]" in parse_error(text)


@pytest.mark.parametrize(
    "piece", ["add-blocks,", "add-blocks{limit=1},", "repeat(add-blocks),", "x", "(", "{", ",", " "]
)
def test_long_texts_take_linear_work(piece: str) -> None:
    def work(count: int) -> int:
        def parse() -> None:
            with suppress(CompileError):
                parse_pipeline(piece * count + "add-blocks", DiagnosticSink())

        return count_calls(parse)

    work(1)
    assert work(1000) < 4.1 * work(250)


class Runs(Watcher):
    """Counts the runs of passes."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def after(self, step: str, code: object, *, changed: bool) -> None:
        self.counts[step] += 1


def test_repeat_stops_when_nothing_changes() -> None:
    module, runs = new_module(), Runs()
    with watching(runs):
        assert run_pipeline(module, parse_pipeline("repeat(add-blocks{limit=4})", DiagnosticSink()))
    assert len(module.main.blocks) == 4
    assert runs.counts == {"add-blocks": 4}


def test_what_had_nothing_to_do_is_left_out_until_something_changes() -> None:
    module, pipeline = new_module(), (AddBlocks(limit=1),)
    counts = []
    for change in (None, None, lambda: Builder.before(entry_end(module)).kill(bool_constant(False)), None):
        if change is not None:
            change()
        runs = Runs()
        with watching(runs):
            run_pipeline(module, pipeline)
        counts.append(runs.counts["add-blocks"])
    assert counts == [1, 0, 1, 0]


def test_other_surroundings_are_another_matter() -> None:
    module, pipeline = new_module(), (AddBlocks(limit=1),)
    runs = Runs()
    for context in (PassContext(), PassContext(precise=True), PassContext(CostModel(branch=1.0)), PassContext()):
        with watching(runs):
            run_pipeline(module, pipeline, context)
    assert runs.counts == {"add-blocks": 4}


def test_a_function_of_the_same_name_is_another_one() -> None:
    module, pipeline, runs = new_module(), (AddBlocks(limit=1),), Runs()
    for _ in range(2):
        with watching(runs):
            run_pipeline(module, pipeline)
        del module.functions["main"]
        Builder(module.add_function("main").add_block("entry")).ret()
    assert runs.counts == {"add-blocks": 2}


def test_repeat_is_bounded() -> None:
    module = new_module()
    run_pipeline(module, parse_pipeline("repeat{rounds=3}(add-blocks{limit=99})", DiagnosticSink()))
    assert len(module.main.blocks) == 4


def test_no_progress_is_reported() -> None:
    module = new_module()
    assert not run_pipeline(module, (AddBlocks(limit=1),))


def test_costs() -> None:
    """A vector instruction costs as much as a scalar one, or its components; what has no result costs as a scalar."""
    of_vectors, of_components = CostModel({ops.FADD: 3.0}), CostModel({ops.FADD: 3.0}, vector=False)
    assert [of_vectors.cost(ops.FADD, width) for width in (0, 1, 4)] == [3.0, 3.0, 3.0]
    assert [of_components.cost(ops.FADD, width) for width in (0, 1, 4)] == [3.0, 3.0, 12.0]
    assert [of_components.cost(ops.FMUL, width) for width in (0, 1, 4)] == [1.0, 1.0, 4.0]


def test_verify_each_names_the_pass_that_broke_the_ir() -> None:
    with pytest.raises(BrokenByStep, match="'add-blocks' broke a rule"), watching(Verifier()):
        run_pipeline(new_module(), (AddBlocks(broken=True),))


def test_the_readme_names_every_pass() -> None:
    readme = Path(registry.__file__).with_name("README.md").read_text(encoding="utf-8")
    passes = {name for name, row in registry.PASSES.items() if row.startswith("glslc_multi.compiler.passes.")}
    missing = sorted(name for name in passes if f"| `{name}` |" not in readme)
    assert not missing, "add rows to the table of compiler/passes/README.md"


def test_what_is_skipped_for_straight_code_would_not_change_it() -> None:
    checked = 0
    for seed in range(60):
        module = generate(Random(seed), statements=4).module
        for function in list(module.functions.values()):
            if len(function.blocks) == 1:
                before = print_module(module)
                changed = [
                    name for name in registry.FOR_BRANCHES if registry.pass_class(name)().run(function, PassContext())
                ]
                assert (changed, print_module(module)) == ([], before)
                checked += 1
    assert checked > 20


def test_branches_are_still_looked_after() -> None:
    module = new_module()
    module.main.add_block("never")
    Builder(module.main.blocks[-1]).ret()
    assert run_pipeline(module, parse_pipeline("simplify-cfg", DiagnosticSink()))
    assert len(module.main.blocks) == 1


STRAIGHT_LINE = """
import sys
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.ir.parse import parse_module
module = parse_module(open(sys.argv[1]).read(), "a.sir", DiagnosticSink())
assert run_pipeline(module, parse_pipeline("inline,simplify-cfg,sroa,mem2reg,dce", DiagnosticSink()))
print(len(module.main.blocks), len(module.functions), sorted({"networkx", "numpy", "llvmlite"} & set(sys.modules)))
"""


def test_a_straight_line_shader_needs_no_heavy_library() -> None:
    """Calls that are inlined leave one block; networkx is for functions of more than one."""
    case = Path(__file__).parent / "inline" / "two_calls.sir"
    command = [sys.executable, "-c", STRAIGHT_LINE, str(case)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PROJECT_ROOT)
    assert result.stdout == "1 1 []\n"
