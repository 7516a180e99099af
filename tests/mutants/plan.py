"""Which faults are planted, and which tests must notice them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.belonging import belonging_to
from tests.mutants.faults import Fault, faults_of, is_program
from tests.shared_data import PROJECT_ROOT

_BACK_ENDS = ("agal", "pica200", "xenos_family", "theia", "vc4")
#: Back ends that are tried through a target.
_TRIED_BY = {"xenos_family": "adreno"}
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
#: Says whether the witnesses are complete, and nothing of a fault.
_SILENT = ("--deselect", "tests/witnesses/test_witnesses.py::test_every_rule_has_a_witness")


def sample(folders: Sequence[str], count: int, seed: int) -> list[Fault]:
    """So many faults, an equal share from each folder, as many of each kind as there are."""
    random = Random(seed)
    by_folder = {folder: _by_kind(folder) for folder in folders}
    wanted = Counter(folders[number % len(folders)] for number in range(count))
    return [fault for folder, number in wanted.items() for fault in _pick(by_folder[folder], number, random)]


def _by_kind(folder: str) -> dict[str, list[Fault]]:
    by_kind: dict[str, list[Fault]] = defaultdict(list)
    for path in files(folder):
        for fault in faults_of(path, text_of(path)):
            by_kind[fault.kind].append(fault)
    return by_kind


def _pick(by_kind: dict[str, list[Fault]], count: int, random: Random) -> list[Fault]:
    """Kind after kind, so that the common ones do not drown the others."""
    left = {kind: iter(random.sample(found, len(found))) for kind, found in sorted(by_kind.items())}
    picked: list[Fault] = []
    while left and len(picked) < count:
        for kind, faults in list(left.items()):
            fault = next((fault for fault in faults if is_program(fault, text_of(fault.path))), None)
            if fault is None:
                del left[kind]
            else:
                picked.append(fault)
    return picked[:count]


def files(folder: str) -> list[str]:
    """The Python files of a folder, or the file that is named."""
    path = PROJECT_ROOT / folder
    found = [path] if path.is_file() else sorted(path.rglob("*.py"))
    return [str(file.relative_to(PROJECT_ROOT)) for file in found]


def text_of(path: str) -> str:
    return (PROJECT_ROOT / path).read_text(encoding="utf-8")


def tests_of(path: str) -> tuple[str, ...]:
    """The arguments of pytest for the tests that belong to a file: its own, its room's, then whole shaders.

    These are not all that would catch a fault, but all that take a minute or two.
    """
    parts = Path(path).parts
    own = [str(test.relative_to(PROJECT_ROOT)) for test in belonging_to(PROJECT_ROOT / path)]
    mirror = f"tests/{Path(path).parent}/test_{Path(path).name}"
    own.sort(key=lambda test: test != mirror)
    if parts[0] == "backends":
        whole = ("tests/witnesses", "tests/generated", "tests/conformance/test_targets.py::test_own_cases")
        target = _TRIED_BY.get(parts[1], parts[1])
        return (*own, f"tests/backends/{target}", *whole, *_SILENT, "-k", f"{target} or {parts[1]}")
    if parts[0] in ("runtime", "glslc_multi"):
        return (*own, f"tests/{Path(path).parent}")
    room = f"tests/{'/'.join(parts[:2])}"
    rooms = (room,) if (PROJECT_ROOT / room).is_dir() else ("tests/compiler",)
    generated = [f"{_GENERATED}[{generator}-0]" for generator in _GENERATORS]
    return (*own, *rooms, "tests/witnesses", *generated, *_SILENT)
