"""`python -m tests.witnesses.find --folder F`: looks for witnesses of the forms that have none.

    python -m tests.witnesses.find --folder adreno --count 500 --seed 1
    python -m tests.witnesses.find --folder adreno --form 'fixup: constant in absolute value' --statements 12

Compiles generated shaders; one in which a wanted form fires is reduced to the smallest text in which it still does and
still computes what it means, and appended to `cases/F/found.glsl`, to be read and put in its place.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random

from backends.registry import load_target, target_names
from compiler.diagnostics import CompileError
from frontends.glsl.reduce import reduce
from tests.generators.glsl import Stage, generate
from tests.witnesses.forms import forms_of, shown_forms
from tests.witnesses.run import Compiled, compile_witness
from tests.witnesses.witness import CASES, SHARED, Witness, prefix_of

_LEVELS = ("-O 2", "-O 0", "-O s")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.witnesses.find", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", required=True, choices=(*target_names(), SHARED))
    parser.add_argument("--form", action="append", default=[], help="look for this one only")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="option of the target")
    parser.add_argument("--count", type=int, default=200, help="shaders to try")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--statements", type=int, default=6)
    parser.add_argument("--list", action="store_true", help="only print the forms without a witness")
    found = parser.parse_args(arguments)
    prefix = prefix_of(found.folder)
    wanted = {prefix + form for form in found.form} or missing(found.folder)
    if found.list:
        print("\n".join(sorted(form.removeprefix(prefix) for form in wanted)))
        return 0
    for witness in candidates(found.folder, found.count, found.seed, found.statements, found.option):
        for compiled in _compiled(witness, found.folder):
            for form in sorted(wanted & compiled.fired):
                smallest = _smallest(witness, form, found.folder)
                if all(compiled.complaint() == "" for compiled in _compiled(smallest, found.folder)):
                    wanted.discard(form)
                    _keep(smallest)
        if not wanted:
            break
    print(f"{len(wanted)} forms without a witness")
    return 1 if wanted else 0


def missing(folder: str) -> set[str]:
    """The forms without a witness."""
    return forms_of(folder) - shown_forms(folder)


def candidates(folder: str, count: int, seed: int, statements: int, options: Sequence[str]) -> Iterator[Witness]:
    """Generated shaders, not yet witnesses of anything."""
    targets = target_names() if folder == SHARED else [folder]
    for number in range(seed, seed + count):
        random = Random(number)
        stages: list[Stage] = [s for s in ("vertex", "fragment") if any(s in load_target(t).stages for t in targets)]
        program = generate(random, random.choice(stages), random.randint(1, statements))
        words = (*random.choice(_LEVELS).split(), *options)
        yield Witness(CASES / folder / "found.glsl", 0, (), words, program.source)


def _compiled(witness: Witness, folder: str) -> list[Compiled]:
    """Its code for each target that has room for it."""
    found = []
    for target in target_names() if folder == SHARED else [folder]:
        with suppress(CompileError):
            found.append(compile_witness(witness, target))
    return found


def _smallest(witness: Witness, form: str, folder: str) -> Witness:
    def shows(source: str) -> bool:
        smaller = Witness(witness.path, 0, (form,), witness.options, source)
        return any(form in compiled.fired for compiled in _compiled(smaller, folder))

    return Witness(witness.path, 0, (form,), witness.options, reduce(witness.source, shows))


def _keep(witness: Witness) -> None:
    prefix = prefix_of(witness.folder)
    head = [*(form.removeprefix(prefix) for form in witness.forms), " ".join(witness.options)]
    text = "".join(f"//: {line}\n" for line in head if line) + witness.source.rstrip() + "\n\n"
    witness.path.parent.mkdir(parents=True, exist_ok=True)
    with witness.path.open("a", encoding="utf-8") as file:
        file.write(text)
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
