"""How much of the project one run of the command loads and runs, counted: the same on any machine.

python -m tests.architecture.footprint examples/shaders/02_vertex_color.vert --target vc4 -o out.bin
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import NamedTuple

from tests.shared_data import PACKAGE

_FOLDER = f"{PACKAGE}/"


class Footprint(NamedTuple):
    """Modules, distinct functions, and calls of functions; comprehensions and lambdas count for none."""

    modules: int
    functions: int
    calls: int


def footprint(words: list[str]) -> Footprint:
    """Run the command in this process, which must be a new one, without its cache."""
    functions: set[object] = set()
    calls = 0

    def watch(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(_FOLDER) and not code.co_name.startswith("<"):
            functions.add(code)
            calls += 1

    sys.setprofile(watch)
    try:
        from glslc_multi.entry import run

        if run(words, {"GLSLC_MULTI_CACHE": "off"}):
            raise SystemExit(1)
    finally:
        sys.setprofile(None)
    loaded = [module for module in sys.modules.values() if (getattr(module, "__file__", "") or "").startswith(_FOLDER)]
    return Footprint(len(loaded), len(functions), calls)


if __name__ == "__main__":
    print(*footprint(sys.argv[1:]))
