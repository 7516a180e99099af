"""How long the language server takes to answer, through a real client, warm: `python -m benchmarks.editor [SHADER...]`.

For each request the median and the slowest of several, each after an edit, so that nothing is answered from what is
known.  Without shaders it takes a text of 200 lines.  The aim is 100 ms.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from tests.glslc_multi.lsp.client import Editor, editor
from tests.glslc_multi.lsp.edits import REQUESTS

#: Of the generated text.
_LINES = 200
_ROUNDS = 15


def generated() -> str:
    """A fragment shader of 200 lines with functions, structures and control flow."""
    lines = ["precision highp float;", "uniform vec4 u_light[4];", "varying vec3 v_normal;"]
    lines.append("struct Part { vec3 a; float b; };")
    number = 0
    while len(lines) < _LINES - 5:
        lines += [
            f"float part{number}(Part p, float x) {{",
            "    float sum = 0.0;",
            "    for (int i = 0; i < 4; i++) {",
            "        sum += max(dot(normalize(p.a), u_light[i].xyz), 0.0) * x; // each light",
            "    }",
            "    if (sum > p.b) { sum = mix(sum, p.b, 0.5); } else { sum = pow(abs(sum), 2.0); }",
            "    return sum;",
            "}",
        ]
        number += 1
    calls = " + ".join(f"part{each}(Part(v_normal, 0.5), {each}.0)" for each in range(number))
    return "\n".join([*lines, "void main() {", f"    gl_FragColor = vec4({calls});", "}", ""])


def measure(session: Editor, uri: str, text: str) -> Iterator[tuple[str, float, float]]:
    """Request, median and slowest in seconds."""
    from lsprotocol import types as lsp

    rng = random.Random(1)
    session.open(uri, text)
    lines = text.count("\n")
    for method, make in REQUESTS:
        taken = []
        for number in range(_ROUNDS + 3):
            session.change(uri, f"{text}// {number}\n")
            params = make(uri, lsp.Position(rng.randrange(lines), rng.randrange(4, 40)), rng)
            start = time.perf_counter()
            try:
                session.ask(method, params)
            except Exception as refusal:
                assert "rename" in method.lower(), refusal
            taken.append(time.perf_counter() - start)
        yield method, statistics.median(taken[3:]), max(taken[3:])


def main() -> None:
    parser = argparse.ArgumentParser(description="how long the language server takes to answer")
    parser.add_argument("shaders", nargs="*", type=Path)
    found = parser.parse_args()
    texts = {path.resolve().as_uri(): path.read_text(encoding="utf-8") for path in found.shaders}
    with editor({"targets": ["agal", "vc4"]}) as session:
        for uri, text in (texts or {"file:///benchmark/a.frag": generated()}).items():
            print(f"{uri}: {text.count(chr(10))} lines")
            for method, median, slowest in measure(session, uri, text):
                print(f"  {1000 * median:6.1f} ms  {1000 * slowest:6.1f} ms at most  {method}")


if __name__ == "__main__":
    main()
