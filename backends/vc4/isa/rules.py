"""The rules that programs keep, by their codes: of the hardware, and of the Linux driver that loads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

HARDWARE: Mapping[str, str] = {
    "undefined-bits": "bits that no field owns are 0; operations, load modes, conditions and pack modes are documented",
    "undefined-register": "addresses that are read name a register",
    "no-end": "every path through the program ends with `thrend` and two more instructions",
    "register-latency": "a register of a file is not read by the instruction after the one that writes it",
    "sfu-latency": "r4 is neither read nor written in the two instructions after a write to the SFU",
    "noswap-latency": "`tmu_noswap` is written three or more instructions before the first write to a TMU",
    "tmu-parameters": "a TMU gets each of T, R and B at most once before S",
    "tmu-queue": "requests that wait fit into the TMU's queues: 8 parameters and 4 results, half with two threads",
    "tmu-no-result": "a result of a TMU is loaded after a request",
    "rotate-source": "both operands of a rotating MUL are of r0 to r3",
    "rotate-latency": "what is rotated, or gives the distance, is not written by the instruction before",
    "uniform-address": "the two instructions after a write to `unif_addr` use no uniform",
    "branch-spacing": "at least two instructions stand between branches",
    "branch-target": "a branch leads to an instruction of the program",
    "end-peripherals": "the last three instructions use no uniform, varying or VPM",
    "end-register-14": "the last three instructions do not touch ra14 and rb14",
    "end-register-write": "the instruction with `thrend` writes no register of a file",
    "end-depth": "the last instruction does not write `tlbz`",
    "end-scoreboard": "the instruction with `thrend` does not touch the tile buffer before the scoreboard is locked",
    "early-scoreboard": "the first two instructions of a fragment shader do not wait for the scoreboard",
    "switch-scoreboard": "no thread switch follows a wait for the scoreboard",
    "depth-mask": "the two instructions after a write to `tlbz` do not read `ms_mask`",
    "tile-order": "stencil setups and depth come before colours",
    "one-access": "an instruction has one access to TMU, tile buffer, SFU, mutex or semaphores",
    "conditional-write": "writes to VPM and TMU have no condition",
    "same-register": "both halves write one register under opposite conditions only, and never one peripheral",
    "partial-pack": "MUL's results are packed into bytes of registers, not of peripherals",
    "switch-spacing": "thread switches begin three or more instructions apart, no branch is in their slots",
    "switch-last": "a program that switches threads has one `lthrsw`, as its last switch",
    "switch-registers": "a program that switches threads uses registers 0 to 15 of the files",
    "switch-lost": "accumulators and flags are written after a thread switch before they are read",
    "vpm-setup": "an instruction that writes a VPM setup makes no other access to the VPM",
    "vpm-reads": "the VPM is read as often as the last setup says, before the next one",
}
DRIVER: Mapping[str, str] = {
    "driver-signal": "no breakpoint, no coverage or alpha mask load, no colour load that ends the program",
    "driver-end": "the program ends inside of its buffer",
    "driver-branch-slots": "no branch in the delay slots of another, or among the first two instructions",
    "driver-branch-kind": "branches are relative to the program counter and have no register and no link",
    "driver-branch-target": "branches lead to an instruction before the end, and are followed by one",
    "driver-register": "no host interrupt, `tmu_noswap`, alpha mask, mutex release, VPM transfer or `unif_addr_rel`",
    "driver-two-tmu-writes": "one half of an instruction writes to a TMU, not both",
    "driver-tmu-uniform": "an instruction that writes a parameter of a texture reads no uniform",
    "driver-tmu-parameters": "a TMU gets at most four parameters before S, and no branch leads in between",
    "driver-direct-load": "addresses of direct loads are `add t0s, x, unif`, with x = min(max(y, 0), unif)",
    "driver-direct-unit": "a TMU that has loaded words directly looks no texture up",
    "driver-uniform-reset": "`add unif_addr, rX, unif` alone in its word, the exact offset in rX by a plain `ldi`",
    "driver-uniform-read": "in a block that branches lead to, the uniform address is set before uniforms are used",
    "driver-switch": "thread switches begin three or more instructions apart, no branch is in their slots",
    "driver-switch-registers": "a program that switches threads uses registers 0 to 15 of the files",
}
RULES: Mapping[str, str] = {**HARDWARE, **DRIVER}


class Fault(NamedTuple):
    """A rule that is broken, at an instruction."""

    rule: str
    #: Number of the instruction.
    number: int

    def __str__(self) -> str:
        return f"instruction {self.number}: {RULES[self.rule]}"
