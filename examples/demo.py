"""What `make demo` runs: some commands and what they print, and at the end a picture.

The commands are those that one types; they run in this process, in the project's folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from glslc_multi.cli.main import main as glslc_multi

PROJECT = Path(__file__).resolve().parent.parent
PICTURE = Path("build", "demo.png")
#: What is shown, and the command that shows it.
STEPS = {
    "A shader as machine code of the Nintendo 3DS:": "examples/shaders/02_vertex_color.vert --target pica200 -S",
    "Where a larger one fits, what it costs there, and what is missing elsewhere:": (
        "examples/shaders/09_phong.frag --target all"
    ),
    "What became of each line, for the Raspberry Pi:": "explain examples/vignette.frag --target vc4",
    "Mistakes are found together, each with its place and a remedy:": "examples/mistake.frag --emit ir",
    f"A sphere, drawn by code for the Raspberry Pi on a simulator of its GPU, as {PICTURE}:": (
        f"render examples/shaders/09_phong.vert examples/shaders/09_phong.frag --target vc4 -o {PICTURE}"
    ),
}
NEXT = (
    "your.vert --target pica200 -o your.shbin",
    "explain your.vert --target pica200 -o page.html",
    "render your.vert your.frag --target vc4 -o your.png",
)


def main() -> int:
    os.chdir(PROJECT)
    PICTURE.parent.mkdir(exist_ok=True)
    for title, command in STEPS.items():
        print(f"== {title}\n\n$ glslc-multi {command}", flush=True)
        status = glslc_multi(command.split())
        if status != ("mistake" in command):
            return status
        print(flush=True)
    print(f"Look at {PICTURE}. Next:\n")
    for words in NEXT:
        print(f"    {os.path.relpath(Path(sys.executable).with_name('glslc-multi'))} {words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
