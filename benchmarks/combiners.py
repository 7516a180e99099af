"""What the search for combiner stages costs: shaders of growing difficulty against one that takes a single stage.

    python -m benchmarks.combiners [--rounds 7] [--json]

Times are CPU time, in this process; the first shader is the baseline.
"""

from __future__ import annotations

import argparse
from functools import partial
from time import process_time

import glslc_multi
from benchmarks.harness import as_json, as_table, compare

_HEAD = """precision mediump float;
uniform sampler2D u_a, u_b;
uniform vec4 u_tint;
varying vec2 v_uv;
varying vec4 v_color;
void main() {
    vec4 a = texture2D(u_a, v_uv), b = texture2D(u_b, v_uv);
"""
_COLOURS = {
    "one stage": "a.rgb * u_tint.rgb",
    "a screen": "1.0 - (1.0 - a.rgb) * (1.0 - b.rgb) * u_tint.rgb",
    "clamps in clamps": "mix(min(min(a.rgb + b.rgb, 1.0) * 2.0, 1.0), u_tint.rgb, u_tint.rgb)",
    "a literal colour": "clamp(min(mix(b.rgb, a.rgb, vec3(0.25, 0.5, 1.0)) + b.rgb, 1.0) * 4.0 - 1.0, 0.0, 1.0)",
}


def _compile(colour: str) -> object:
    text = f"{_HEAD}    gl_FragColor = vec4({colour}, mix(v_color.a, a.a, v_color.a));\n}}\n"
    return glslc_multi.compile(text, filename="a.frag", target="pica200")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    candidates = {name: partial(_compile, colour) for name, colour in _COLOURS.items()}
    timings = compare(candidates, rounds=asked.rounds, clock=process_time)
    print(as_json(timings) if asked.json else as_table(timings))


if __name__ == "__main__":
    main()
