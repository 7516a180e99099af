"""Which faults are planted, and which tests must notice them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from zlib import crc32

from tests.mutants.faults import Fault, faults_of, is_program
from tests.mutants.nearest import nearest
from tests.shared_data import PROJECT_ROOT

_BACK_ENDS = ("agal", "pica200", "xenos_family", "theia", "vc4")
#: Whose tests are those of a back end, where these are not its own alone: targets that share much are a family.
_TRIED_BY = {
    "xenos_family": ("adreno", "xenos", "xenos_family"),
    "adreno": ("adreno", "xenos_family"),
    "xenos": ("xenos", "xenos_family"),
}
#: What is mutated if nothing else is asked for: what turns a shader into machine code, then everything else.
FOLDERS = (
    *("compiler/passes", "compiler/lowering", "compiler/codegen"),
    *(f"backends/{back_end}/codegen" for back_end in _BACK_ENDS),
)
PACKAGES = (
    *("frontends/glsl", "frontends/spirv", "compiler", "runtime", "glslc_multi"),
    *(f"backends/{back_end}" for back_end in (*_BACK_ENDS, "adreno", "xenos")),
)
#: A part of the generated shaders of a code generator: what every fault in shared code must pass.
_GENERATED = "tests/generated/test_generated.py::test_machine_code_computes_what_the_shader_means"
_GENERATORS = ("pica200", "agal-1", "adreno", "theia", "vc4")
#: Files of tests that are run with all their cases before others are.
_WHOLE = 3
#: They say whether the witnesses are complete, and nothing of a fault.
_COMPLETE = ("test_every_rule_has_a_witness", "test_what_is_elsewhere_is_there")
_SILENT = tuple(f"--deselect=tests/witnesses/test_witnesses.py::{name}" for name in _COMPLETE)


def sample(folders: Sequence[str], count: int, seed: int) -> list[Fault]:
    """Choose faults, an equal share from each folder, as many of each kind as there are.

    A change of a file brings up other faults of what has changed alone: chance is drawn from the lines themselves.
    """
    wanted = Counter(folders[number % len(folders)] for number in range(count))
    return [fault for folder, number in wanted.items() for fault in _pick(folder, number, seed)]


def _pick(folder: str, count: int, seed: int) -> list[Fault]:
    """Kind after kind, so that the common ones do not drown the others."""
    by_kind: dict[str, list[Fault]] = defaultdict(list)
    for path in files(folder):
        for fault in faults_of(path, text_of(path)):
            by_kind[fault.kind].append(fault)
    kinds = Random(f"{seed} {folder}").sample(sorted(by_kind), len(by_kind))
    left = {kind: iter(sorted(by_kind[kind], key=lambda fault: _lot(fault, seed))) for kind in kinds}
    picked: list[Fault] = []
    while left and len(picked) < count:
        for kind, faults in list(left.items()):
            found = next((fault for fault in faults if is_program(fault, text_of(fault.path))), None)
            if found is None:
                del left[kind]
            else:
                picked.append(found)
    return picked[:count]


def _lot(fault: Fault, seed: int) -> int:
    """A number drawn for a fault, by its line and what becomes of it."""
    text = text_of(fault.path)
    first, last = text.rfind("\n", 0, fault.start) + 1, text.find("\n", fault.end)
    changed = text[first : fault.start] + fault.replacement + text[fault.end : last]
    return crc32(f"{seed} {fault.path} {text[first:last]} {changed}".encode())


def files(folder: str) -> list[str]:
    """The Python files of a folder, or the file that is named."""
    path = PROJECT_ROOT / folder
    found = [path] if path.is_file() else sorted(path.rglob("*.py"))
    return [str(file.relative_to(PROJECT_ROOT)) for file in found]


@cache
def text_of(path: str) -> str:
    return (PROJECT_ROOT / path).read_text(encoding="utf-8")


def tests_of(path: str) -> tuple[tuple[str, ...], ...]:
    """Give the arguments of runs of pytest, one after the other: all near tests, few cases of others, the rest.

    These are not all that would catch a fault, but all that take a minute or two.
    """
    near, room, whole = tuple(nearest(path)), _room(path), _whole(path)
    sampled = [(*tests, "--sample") for tests in (near, whole, room)]
    return (near[:_WHOLE], *_witnesses(path), *sampled, near, (*room, *whole))


def _witnesses(path: str) -> tuple[tuple[str, ...], ...]:
    """Give those of a file's rules: of its targets, or of all."""
    package, room, *_ = Path(path).parts
    if package not in ("backends", "compiler"):
        return ()
    return (("tests/witnesses", *_SILENT, "-k", _any_of(room) if package == "backends" else "shared"),)


def _any_of(back_end: str) -> str:
    return " or ".join(_TRIED_BY.get(back_end, (back_end,)))


def _room(path: str) -> tuple[str, ...]:
    parts = Path(path).parts
    if parts[0] in ("runtime", "glslc_multi"):
        return (f"tests/{Path(path).parent}",)
    if parts[0] == "backends":
        return tuple(f"tests/backends/{name}" for name in _TRIED_BY.get(parts[1], parts[1:2]))
    room = f"tests/{'/'.join(parts[:2])}"
    return (room,) if (PROJECT_ROOT / room).is_dir() else ("tests/compiler",)


def _whole(path: str) -> tuple[str, ...]:
    """Give the tests of the package, or of machine code that comes by a file."""
    parts = Path(path).parts
    if parts[0] in ("runtime", "glslc_multi"):
        return ("tests/packaging",)
    if parts[0] == "backends":
        cases = "tests/conformance/test_targets.py::test_own_cases"
        return ("tests/witnesses", "tests/generated", cases, *_SILENT, "-k", _any_of(parts[1]))
    return ("tests/witnesses", *(f"{_GENERATED}[{generator}-0]" for generator in _GENERATORS), *_SILENT)
