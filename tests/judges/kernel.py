"""The Linux kernel's validator of VC4 shaders, which no program passes by on its way to the GPU.

It also derives facts, with which the driver puts addresses into the uniform stream of each draw call: the stream's
length, which of its words are the address of the stream itself, and which are of textures and buffers; and whether the
code switches threads.  A fact that is not as our reflection says makes a draw call fail, or the GPU read elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.judges.debian import fetch_from_linux
from tests.judges.model import NATIVE, THREADED, Complaint, Program, Unavailable
from tests.judges.native_judge import NativeJudge

_BYTES = 4
#: Files of the driver: what checks programs and jobs, and what these need.
_DRIVER = (
    "validate_shaders.c",
    "validate.c",
    "render_cl.c",
    "gem.c",
    "packet.h",
    "qpu_defines.h",
    "regs.h",
)


class KernelJudge(NativeJudge):
    """`vc4_validate_shaders.c` of Debian's kernel."""

    name = "linux-vc4"
    target = "vc4"
    variants = THREADED
    native = "kernel"
    members = (
        *(f"drivers/gpu/drm/vc4/vc4_{name}" for name in _DRIVER),
        *(f"include/uapi/drm/{name}" for name in ("drm.h", "drm_mode.h", "vc4_drm.h")),
    )
    flags = ("-D__user=",)

    def fetch(self, folder: Path) -> None:
        fetch_from_linux(self.members, folder)

    def complete(self, folder: Path) -> None:
        """What parses a job, out of a file with much else."""
        text = (folder / "vc4_gem.c").read_text(encoding="utf-8")
        found = re.search(r"^static int\nvc4_get_bcl\(.*?^}\n", text, re.MULTILINE | re.DOTALL)
        if found is None:
            raise Unavailable("vc4_gem.c has no function vc4_get_bcl")
        (folder / "vc4_get_bcl.c").write_text(found[0], encoding="utf-8")

    @property
    def driver(self) -> tuple[str, ...]:
        """Arguments for the C compiler, with which a program gets this driver's ioctl calls and headers."""
        ours = NATIVE / self.native
        wrapped = ("-Wl,--wrap=ioctl,--wrap=mmap,--wrap=munmap",)
        return (*self.flags, f"-I{ours}", f"-I{self._folder}", str(self._folder / "jobs.o"), *wrapped)

    def _products(self) -> Sequence[tuple[str, ...]]:
        jobs = ("-c", "-o", str(self._folder / "jobs.o"), str(NATIVE / self.native / "jobs.c"))
        return (jobs, *super()._products())

    def judge(self, program: Program) -> Sequence[Complaint]:
        done = self._run(program.code)
        if done.returncode:
            reasons = done.stderr.decode().strip().splitlines() or [f"it ends with {done.returncode}"]
            return [Complaint("refused", "; ".join(reasons))]
        return list(_complaints(program, done.stdout.decode().splitlines()))


def _complaints(program: Program, facts: Sequence[str]) -> Iterator[Complaint]:
    """Where the facts are not those of the stream."""
    kinds = [kind for kind, _ in program.stream]
    found: dict[str, list[list[int]]] = {}
    for fact in facts:
        name, *numbers = fact.split()
        found.setdefault(name, []).append([int(number) for number in numbers])
    ((size,),) = found["size"]
    if size != _BYTES * len(kinds):
        yield Complaint("stream size", f"the stream has {size} bytes, the reflection says {_BYTES * len(kinds)}")
    addresses = [number for (number,) in found.get("address", [])]
    ours = [index for index, kind in enumerate(kinds) if kind == "stream_address"]
    if addresses != ours:
        yield Complaint("stream address", f"words {addresses} are the stream's address, the reflection says {ours}")
    ((is_threaded,),) = found["threaded"]
    if is_threaded != (program.state.get("threads", 1) == 2):
        yield Complaint(
            "threads", f"the code is {'' if is_threaded else 'not '}threaded, the reflection says otherwise"
        )
    yield from _texture_complaints(kinds, found)


def _texture_complaints(kinds: Sequence[str], found: dict[str, list[list[int]]]) -> Iterator[Complaint]:
    """The first word of each request is the parameter that the kernel adds an address to."""
    lookups = {index for index, kind in enumerate(kinds) if kind.startswith("texture_config0")}
    reads = {index for index, kind in enumerate(kinds) if kind == "buffer"}
    read_there, looked_up_there = ({first for first, *_ in found.get(name, [])} for name in ("read", "lookup"))
    if mistaken := sorted(read_there & lookups):
        yield Complaint("lookup taken for a read", f"words {mistaken} are of lookups, the kernel takes them for reads")
    wrong = sorted((read_there | looked_up_there) ^ (lookups | reads))
    wrong += sorted(looked_up_there & reads)
    if wrong:
        yield Complaint("texture words", f"words {wrong} are not of the same kind to the kernel and to the reflection")
