"""The Linux kernel's validator of VC4 shaders, which no program passes by on its way to the GPU.

It also derives facts, with which the driver puts addresses into the uniform stream of each draw call: the stream's
length, which of its words are the address of the stream itself, and which are of textures and buffers; and whether the
code switches threads.  A fact that is not as our reflection says makes a draw call fail, or the GPU read elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.judges.debian import fetch_from_linux
from tests.judges.model import THREADED, Complaint, Program
from tests.judges.native_judge import NativeJudge

_BYTES = 4


class KernelJudge(NativeJudge):
    """`vc4_validate_shaders.c` of Debian's kernel."""

    name = "linux-vc4"
    target = "vc4"
    variants = THREADED
    native = "kernel"
    members = (
        "drivers/gpu/drm/vc4/vc4_validate_shaders.c",
        "drivers/gpu/drm/vc4/vc4_qpu_defines.h",
    )

    def fetch(self, folder: Path) -> None:
        fetch_from_linux(self.members, folder)

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
