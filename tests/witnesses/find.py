"""Looks for witnesses of what none reaches.

Compiles generated shaders; one that reaches something wanted is reduced to the smallest text that still does and
still computes what it means, and appended to `cases/F/found.glsl`, to be read and put in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from random import Random

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.arithmetic.evaluation_error import EvaluationError
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.frontends.glsl.reduce import reduce
from tests.generators.glsl import Stage, generate
from tests.witnesses.reach import Reach
from tests.witnesses.run import Compiled, compile_witness, targets_of
from tests.witnesses.witness import CASES, SHARED, Witness

_LEVELS = ("-O 2", "-O 0", "-O s")


@dataclass(frozen=True, slots=True)
class Search:
    """A search for witnesses of a folder, among shaders of so many statements compiled with some options."""

    reach: Reach
    statements: int
    options: Sequence[str]

    def look_for(self, wanted: Iterable[str], seeds: Iterable[int]) -> list[str]:
        """Keep a witness of each that is found; the others."""
        left = list(wanted)
        for witness in map(self._candidate, seeds):
            for name in self._shown(witness) & set(left):
                smallest = self._smallest(witness, name)
                if _computes_what_it_means(smallest):
                    left.remove(name)
                    _keep(smallest)
            if not left:
                break
        return left

    def _candidate(self, seed: int) -> Witness:
        """Generate a shader, not yet a witness of anything."""
        random = Random(seed)
        folder = random.choice(self.reach.folders)
        targets = target_names() if folder == SHARED else [folder]
        stages: list[Stage] = [s for s in ("vertex", "fragment") if any(s in load_target(t).stages for t in targets)]
        program = generate(random, random.choice(stages), random.randint(1, self.statements))
        words = (*random.choice(_LEVELS).split(), *self.options)
        return Witness(CASES / folder / "found.glsl", 0, "", words, program.source)

    def _shown(self, witness: Witness) -> set[str]:
        """Tell what a witness reaches."""
        self.reach.reached.clear()
        for _ in _compiled(witness):
            pass
        return set(self.reach.reached)

    def _smallest(self, witness: Witness, name: str) -> Witness:
        def shows(source: str) -> bool:
            return name in self._shown(replace(witness, source=source))

        return replace(witness, title=name, source=reduce(witness.source, shows))


def _compiled(witness: Witness) -> Iterator[Compiled]:
    """Compile it for each target that has room for it."""
    for target in targets_of(witness):
        with suppress(CompileError):
            yield compile_witness(witness, target, is_checked=False)


def _computes_what_it_means(witness: Witness) -> bool:
    # Not all that is generated ends.
    with suppress(EvaluationError):
        return all(compiled.complaint() == "" for compiled in _compiled(witness))
    return False


def _keep(witness: Witness) -> None:
    head = (witness.title, " ".join(witness.options))
    text = "".join(f"//: {line}\n" for line in head if line) + witness.source.rstrip() + "\n\n"
    witness.path.parent.mkdir(parents=True, exist_ok=True)
    with witness.path.open("a", encoding="utf-8") as file:
        file.write(text)
    print(text, flush=True)
