"""`python -m tests.backends.pica200.codegen.fragment.real`: writes docs/pica200-real-shaders.md, by compiling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from glslc_multi.compiler.markdown import spaced_table
from tests.backends.pica200.codegen.fragment.real.shaders import BY_HAND, PROMISES, Fate, fate_of, real_shaders
from tests.shared_data import PROJECT_ROOT

PAGE = PROJECT_ROOT / "docs" / "pica200-real-shaders.md"
_HEAD = """# Real fragment shaders on the 3DS

What becomes of the fragment shaders of other projects, and of the examples of this one, when they are compiled for the
[texture combiners](pica200-fragment.md). They were not written for this machine. Each is linked with its
vertex shader, if it has one; those that fit in fewer stages with them may have
[generated images](pica200-fragment.md#generated-images).

Two of three.js take one stage more than when mapped by hand, where the fog unit did the fog. That unit has 128 straight
lines over depth:
fog that begins at 25 and ends at 75, between planes at 1 and 100, would be off by 37 steps of 1/255, and an image of
the distance, which these shaders have in a varying, is off by 2. `phaser__bitmapmask` takes another stage: by
hand it had a program for each value of its bool.

`python -m tests.backends.pica200.codegen.fragment.real` renews this page; it needs the shared corpus.
"""


def page(fates: Sequence[Fate]) -> str:
    fitting = [fate for fate in fates if not fate.reason]
    refused = [fate for fate in fates if fate.reason]
    by_hand = [fate for fate in fates if fate.shader.name in BY_HAND]
    ours = sum(not fate.reason for fate in by_hand)
    return (
        f"{_HEAD}\n{len(fitting)} of {len(fates)} fit. Of {len(by_hand)} that have been mapped by hand, {ours} do.\n\n"
        "## What fits\n\n"
        "Stages (in brackets those of a program by hand, where they differ), and by how many steps of 1/255 the\n"
        "result may differ.\n"
        + spaced_table(("shader", "stages", "bound", "beside the combiners", "promised"), map(_row, fitting))
        + "\n## What does not\n\nThe first reason that the compiler gives.\n"
        + spaced_table(("shader", "reason"), ((fate.shader.name, fate.reason) for fate in refused))
        + "\nHow often:\n"
        + spaced_table(("reason", "shaders"), _counted(refused))
    )


def _row(fate: Fate) -> tuple[str, ...]:
    by_hand = BY_HAND.get(fate.shader.name, fate.stages)
    stages = str(fate.stages) + (f" ({by_hand})" if by_hand != fate.stages else "")
    return fate.shader.name, stages, f"{fate.bound:.2f}", fate.uses, PROMISES.get(fate.shader.name, "")


def _counted(refused: Sequence[Fate]) -> Iterator[tuple[str, str]]:
    for reason, count in Counter(fate.reason for fate in refused).most_common():
        yield reason, str(count)


if __name__ == "__main__":
    PAGE.write_text(page([fate_of(shader) for shader in real_shaders()]))
