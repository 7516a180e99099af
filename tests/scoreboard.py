"""`python -m tests.scoreboard [SECTION...]`: tables of the targets, of judges and of robustness: `docs/scoreboard.md`.

Every figure is the last line of a runner that anyone can start; the page says how.  Sections that are not named stay as
they are.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.records import dataclass
from tests.codesize.cases import DATA
from tests.conformance.spirv.compilers import COMMANDS
from tests.shared_data import PROJECT_ROOT, shared_root

PAGE = PROJECT_ROOT / "docs" / "scoreboard.md"
#: (heading, table)
_SECTION = re.compile(r"^## (.+)\n\n((?:\|.*\n)+)", re.MULTILINE)

_HEAD = """# Scoreboard

How each target does: machine code compared with recorded output of real assemblers, emulators, drivers and other
compilers; code and texts checked by [other projects' tools](../tests/judges/README.md); and what the
[fuzzer](../tests/fuzz/README.md) has tried. `make scoreboard` renews this page; each row names the command that gives
its figure.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what it is, and the runner that gives it as its last line."""

    title: str
    runner: str
    arguments: tuple[str, ...]

    @property
    def command(self) -> str:
        return f"python -m tests.{self.runner} {' '.join(self.arguments)}"


#: Engine options that make rows of their own.
_VARIANTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "agal": tuple(("--option", f"agal_version={version}") for version in (1, 2, 3)),
}


#: Recordings of units beside the shader core.
_FURTHER_UNITS = {"pica200": ("recorded fragment units", "golden/pica200-fragment/*.json")}
#: Shaders and what they compute, elsewhere, by the version of GLSL.
_VALUES = {
    "conformance": ("corpus/cts", "golden/reference/features.jsonl"),
    "real shaders": ("golden/reference/real.jsonl",),
    "conformance, newer GLSL": ("corpus/cts3", "golden/reference3/features3.jsonl"),
    "real shaders, newer GLSL": ("golden/reference3/real3.jsonl",),
}

#: The same by way of SPIR-V, on the evaluator.
SPIRV = "SPIR-V"
#: What programs of others say.
JUDGES = "outside judges"
_JUDGED = {
    "linux-vc4": "VC4 code, by the kernel's shader validator",
    "mesa-vc4": "VC4 code, by Mesa's validator and disassembler",
    "mesa-a2xx": "Adreno code, by Mesa's disassembler",
    "openfl-agal": "AGAL 1 code, by OpenFL and Chromium",
    "glslang": "GLSL texts, by glslang",
}
#: What the runs of `make fuzz` know, which take hours and are not started from here.
ROBUSTNESS = "robustness"
_FUZZED = {"frontend": "texts to the front end", "compiler": "command lines of any target and options"}


def sections() -> list[str]:
    """The tables in their order."""
    return [*target_names(), SPIRV, JUDGES, ROBUSTNESS]


def _measurable() -> list[str]:
    """The sections that can be measured now: a run of the fuzzer may not be known here."""
    return [section for section in sections() if section != ROBUSTNESS or (PROJECT_ROOT / "build" / "fuzz").is_dir()]


def rows(section: str) -> Iterator[Row]:
    """The figures of a section."""
    if section == SPIRV:
        for way in COMMANDS:
            for title, data in _VALUES.items():
                engine = ("--front-end", way, "--engine", "reference")
                yield Row(f"{title} ({way})", "conformance", (*engine, *data))
    elif section == JUDGES:
        for judge, title in _JUDGED.items():
            yield Row(title, "judges", ("--judge", judge))
    elif section == ROBUSTNESS:
        for mode, title in _FUZZED.items():
            yield Row(title, "fuzz", (mode, "--state", f"build/fuzz/{mode}.json", "--summary"))
    else:
        yield from _rows_of_target(section)


def _rows_of_target(target: str) -> Iterator[Row]:
    yield Row("recorded machine code", "golden", (target, f"golden/{target}/*.json"))
    if target in _FURTHER_UNITS:
        title, recordings = _FURTHER_UNITS[target]
        yield Row(title, "golden", (target, recordings))
    for options in _VARIANTS.get(target, ((),)):
        suffix = f" ({options[1]})" if options else ""
        for title, data in _VALUES.items():
            yield Row(f"{title}{suffix}", "conformance", ("--engine", target, *options, *data))
    for peer in DATA:
        if peer.target == target:
            yield Row(f"code size against the peer, {peer.name}", "codesize", (peer.path, "--target", target))


def measure(row: Row, shared: Path) -> str:
    """The last line that the runner prints."""
    arguments = [part for argument in row.arguments for part in _expanded(argument, shared)]
    command = [sys.executable, "-m", f"tests.{row.runner}", *arguments]
    done = subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    return lines[-1] if lines else f"no result: {done.stderr.strip().splitlines()[-1:]}"


def _expanded(argument: str, shared: Path) -> list[str]:
    """An argument with the place of the shared data, patterns expanded."""
    if not argument.startswith(("golden/", "corpus/")):
        return [argument]
    return sorted(map(str, shared.glob(argument))) or [str(shared / argument)]


def page(before: str, tables: Mapping[str, Sequence[tuple[Row, str]]]) -> str:
    """The page with new tables; what was not measured is as before."""
    kept = dict(_SECTION.findall(before))
    made = {section: _table(figures) for section, figures in tables.items()}
    found = kept | made
    return _HEAD + "".join(f"\n## {section}\n\n{found[section]}" for section in sections() if section in found)


def _table(figures: Sequence[tuple[Row, str]]) -> str:
    lines = [f"| {row.title} | {figure} | `{row.command}` |\n" for row, figure in figures]
    return "".join(["| what | figure | command |\n| --- | --- | --- |\n", *lines])


def main(arguments: Sequence[str] | None = None) -> int:
    wanted = list(sys.argv[1:] if arguments is None else arguments) or _measurable()
    unknown = [name for name in wanted if name not in sections()]
    if unknown:
        print(f"tests.scoreboard: error: there is no section '{unknown[0]}'", file=sys.stderr)
        return 2
    shared = shared_root()
    if not shared.is_dir():
        print("tests.scoreboard: the shared data is not here, so there is nothing to measure", file=sys.stderr)
        return 2
    for section in wanted:
        figures = []
        for row in rows(section):
            figures.append((row, measure(row, shared)))
            print(f"{section}: {row.title}: {figures[-1][1]}", flush=True)
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), {section: figures}), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
