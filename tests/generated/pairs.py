"""One generated pair on one target: linked, and run from attributes to pixels by way of the register map.

It runs on its own values and on edges of the same sizes.  What the pixels are must be what the evaluator says, to the
bit where the target's colours are numbers.  A pair that is too much for a target is tried stage by stage, as is what
targets of one stage have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import dataclass, field, replace
from tests.code_generators import LEVELS
from tests.conformance.compare import complaints_about_values
from tests.conformance.engines.engines import InexactInteger, Outputs, make_engine
from tests.conformance.engines.machine import MachineEngine, make_machines
from tests.conformance.model import Expected, Run, Tolerance
from tests.generated.trial import LIMIT_CODES, Outcome
from tests.generated.values import edge_values
from tests.generators.es300.pairs import generate_es300_pair
from tests.generators.glsl import Program
from tests.generators.pairs import LANES, Pair

_NOTHING = Tolerance(0.0, 0.0)
_SEVERITY = ("failed", "passed", "skipped")


@dataclass(frozen=True, slots=True)
class PairTrials:
    """Generated pairs for one target."""

    target: str
    options: Mapping[str, str] = field(default_factory=dict)
    #: As after `-O`.
    levels: Sequence[str] = LEVELS

    def run(self, seed: int) -> list[Outcome]:
        """Make the pair of a seed, compile and run it at every level: whole, else its stages."""
        whole, *stages = runs_of(seed)
        outcomes = []
        for level, engine in zip(self.levels, make_machines(self.target, self.levels, self.options), strict=True):
            found = _outcome(engine, whole, seed, level)
            parts = [_outcome(engine, run, seed, level) for run in stages] if found.status == "skipped" else []
            outcomes.append(min([found, *parts], key=lambda outcome: _SEVERITY.index(outcome.status)))
        return outcomes


def runs_of(seed: int) -> list[Run]:
    """A pair, then each of its stages by itself, with what the evaluator says of them."""
    pair = generate_es300_pair(Random(seed))
    inputs = _with_edges(pair, Random(seed))
    sources = {"vertex": pair.vertex, "fragment": pair.fragment}
    evaluator = make_engine("reference", 0, {})

    def run(*stages: str, **values: tuple[tuple[float, ...], ...]) -> tuple[Run, Outputs]:
        made = Run({stage: sources[stage] for stage in stages}, f"pair {seed}", 2 * LANES, values, pair.uniforms, ())
        found = evaluator.run_values(made)
        return replace(made, expected=tuple(_expected(found))), found

    whole, _ = run("vertex", "fragment", **inputs)
    vertex, written = run("vertex", **inputs)
    # Elements are there by themselves, too.
    varyings = {name: tuple(map(tuple, lanes)) for name, lanes in written.values.items() if not name.endswith("]")}
    return [whole, vertex, run("fragment", **varyings)[0]]


def _with_edges(pair: Pair, random: Random) -> dict[str, tuple[tuple[float, ...], ...]]:
    """The pair's own attributes, and after them as many lanes of edges."""
    own = {name: list(map(list, lanes)) for name, lanes in pair.inputs.items()}
    program = Program("vertex", pair.vertex + pair.fragment, {}, own, {}, {}, quads=False)
    beside = edge_values(program, random, LANES).inputs
    return {name: tuple(map(tuple, [*lanes, *beside[name]])) for name, lanes in own.items()}


def _expected(found: Outputs) -> Iterator[Expected]:
    for name, lanes in found.values.items():
        yield Expected(name, tuple(map(tuple, lanes)), _NOTHING)


def _outcome(engine: MachineEngine, run: Run, seed: int, level: str) -> Outcome:
    source = "// ----\n".join(run.sources.values())
    if not engine.takes(run.sources):
        return Outcome(seed, level, "skipped", "stage", source)
    try:
        complaint = next(complaints_about_values(run, engine.run_values(run), _NOTHING), "")
    except InexactInteger:
        return Outcome(seed, level, "skipped", "inexact", source)
    except CompileError as error:
        codes = [diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"]
        if codes and all(code.startswith(LIMIT_CODES) for code in codes):
            return Outcome(seed, level, "skipped", codes[0], source)
        complaint = error.summary
    except Exception as error:
        complaint = f"crash: {type(error).__name__}: {error}"
    return Outcome(seed, level, "failed" if complaint else "passed", complaint, source)
