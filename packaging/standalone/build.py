"""Builds the standalone executable, `python packaging/standalone/build.py OUT`.

In: this Python, and wheels.  Out: a folder with the executable and the licences of what is in it.
"""

from __future__ import annotations

import os
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from glslc_multi.playground.build import PROJECT, run
from glslc_multi.playground.licences import licences_text

HERE = Path(__file__).parent
#: What is in it, and what builds it.
_CONTENTS, _BUILDER = f"{PROJECT}[lsp]", "pyinstaller==6.22.3"


def build(out: Path) -> None:
    """Make the executable anew, in an environment that has nothing else."""
    with TemporaryDirectory() as place:
        work = Path(place)
        wheels, environment = work / "wheels", work / "venv"
        venv.create(environment, with_pip=True)
        python = str(environment / ("Scripts" if sys.platform == "win32" else "bin") / "python")
        run([python, "-m", "pip", "--quiet", "wheel", "--wheel-dir", str(wheels), _CONTENTS], work)
        contents = sorted(wheels.glob("*.whl"))
        run([python, "-m", "pip", "--quiet", "install", *map(str, contents), _BUILDER], work)
        folders = ["--distpath", str(out.resolve()), "--workpath", str(work / "work")]
        run([python, "-m", "PyInstaller", "--noconfirm", *folders, str(HERE / "glslc-multi.spec")], work)
        python_licence = Path(os.__file__).with_name("LICENSE.txt").read_text(encoding="utf-8")
        (out / "LICENCES.txt").write_text(
            f"{licences_text(contents)}\n{'=' * 80}\nPython {sys.version.split()[0]}\n\n{python_licence}",
            encoding="utf-8",
        )


if __name__ == "__main__":
    build(Path(sys.argv[1]))
