"""The address maps: what the numbers 0 to 63 of the four address fields name, file A and file B apart.

Numbers 0 to 31 are registers of the file; the others are accumulators and peripherals.  A row's first name is the one
that the disassembler prints; the others are read as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.compiler.records import dataclass

FILE_SIZE = 32
#: Registers of each file that a shader of two threads has.
THREADED_FILE_SIZE = 16

# --- Numbers that programs and rules name -------------------------------------------------------------------------

R0, R3 = 32, 35
TMU_NOSWAP = 36
R5 = 37
UNIFORM_READ, VARYING_READ = 32, 35
UNIFORM_ADDRESS = 40
MS_MASK = 42
TLB_STENCIL, TLB_Z, TLB_COLOUR_MS, TLB_COLOUR, TLB_ALPHA_MASK = range(43, 48)
VPM, VPM_SETUP, VPM_ADDRESS = 48, 49, 50
MUTEX = 51
ACCUMULATORS = range(R0, R3 + 1)
SFU = range(52, 56)
TMU = range(56, 64)
#: The registers S of both TMUs, whose write is a request.
TMU_S = (56, 60)
TLB = range(TLB_STENCIL, TLB_ALPHA_MASK + 1)
#: Writes that need the scoreboard.
TLB_LOCKING = (TLB_Z, TLB_COLOUR_MS, TLB_COLOUR)
#: Reads, from either port, that are an access to a peripheral.
VPM_READ = VPM


@dataclass(frozen=True, slots=True)
class Register:
    """A register as one file of a port sees it."""

    number: int
    #: Files that have it under this number: "A", "B", or "AB".
    files: str
    names: tuple[str, ...]
    doc: str


def _rows(*rows: tuple[int, str, str, str]) -> tuple[Register, ...]:
    return tuple(Register(number, files, tuple(names.split()), doc) for number, files, names, doc in rows)


READS = _rows(
    (UNIFORM_READ, "AB", "unif uniform_read", "next word of the uniform stream"),
    (VARYING_READ, "AB", "vary varying_read", "next varying; r5 gets its other part one instruction later"),
    (38, "A", "elem_num element_number", "number of the lane"),
    (38, "B", "qpu_num qpu_number", "number of the QPU"),
    (NOWHERE, "AB", "nop", "undefined"),
    (41, "A", "x_coord x_pixel_coord quad_x", "pixel X, an integer"),
    (41, "B", "y_coord y_pixel_coord quad_y", "pixel Y, an integer"),
    (MS_MASK, "A", "ms_mask ms_flags", "multisample mask"),
    (42, "B", "rev_flag", "0 front face, 1 back face"),
    (VPM, "AB", "vpm vpm_read", "next row of the VPM"),
    (VPM_SETUP, "A", "vr_busy vpm_ld_busy", "whether a VPM load runs"),
    (VPM_SETUP, "B", "vw_busy vpm_st_busy", "whether a VPM store runs"),
    (VPM_ADDRESS, "A", "vr_wait vpm_ld_wait", "waits for the VPM load"),
    (VPM_ADDRESS, "B", "vw_wait vpm_st_wait", "waits for the VPM store"),
    (MUTEX, "AB", "mutex mutex_acq mutex_acquire", "acquires the mutex"),
)
WRITES = _rows(
    (32, "AB", "r0", ""),
    (33, "AB", "r1", ""),
    (34, "AB", "r2", ""),
    (35, "AB", "r3", ""),
    (TMU_NOSWAP, "AB", "tmu_noswap tmurs r4", "whether the TMUs are not exchanged (this does not write r4)"),
    (R5, "A", "r5quad", "r5 = lane 4q in quad q"),
    (R5, "B", "r5rep", "r5 = lane 0 in all lanes"),
    (38, "AB", "irq host_int interrupt", "interrupt of the host"),
    (NOWHERE, "AB", "- nop", "nothing"),
    (UNIFORM_ADDRESS, "A", "unif_addr", "address of the uniform stream"),
    (UNIFORM_ADDRESS, "B", "unif_addr_rel", "step of the uniform stream"),
    (41, "A", "x_coord x_pixel_coord", "pixel X"),
    (41, "B", "y_coord y_pixel_coord", "pixel Y"),
    (42, "A", "ms_mask ms_flags", "multisample mask"),
    (42, "B", "rev_flag", "face"),
    (TLB_STENCIL, "AB", "stencil tlb_stencil", "stencil setup"),
    (TLB_Z, "AB", "tlbz tlb_z", "depth to the tile buffer"),
    (TLB_COLOUR_MS, "AB", "tlbm tlb_colour_ms", "colour of one sample to the tile buffer"),
    (TLB_COLOUR, "AB", "tlbc tlb_colour_all", "colour of all samples to the tile buffer"),
    (TLB_ALPHA_MASK, "AB", "tlbam tlb_alpha_mask", "alpha mask to the tile buffer"),
    (VPM, "AB", "vpm vpm_write", "next row of the VPM"),
    (VPM_SETUP, "A", "vr_setup vpmvcd_rd_setup", "setup of VPM reads"),
    (VPM_SETUP, "B", "vw_setup vpmvcd_wr_setup", "setup of VPM writes"),
    (VPM_ADDRESS, "A", "vr_addr vpm_ld_addr", "starts a load from memory to the VPM"),
    (VPM_ADDRESS, "B", "vw_addr vpm_st_addr", "starts a store from the VPM to memory"),
    (MUTEX, "AB", "mutex mutex_rel mutex_release", "releases the mutex"),
    (52, "AB", "recip sfu_recip", "r4 = 1 / x, readable in the third instruction"),
    (53, "AB", "recipsqrt sfu_recipsqrt", "r4 = 1 / sqrt(abs(x))"),
    (54, "AB", "exp sfu_exp", "r4 = 2 to the power x"),
    (55, "AB", "log sfu_log", "r4 = log2(x)"),
    *(
        (56 + 4 * tmu + index, "AB", f"t{tmu}{letter} tmu{tmu}_{letter}", f"TMU {tmu}, {meaning}")
        for tmu in (0, 1)
        for index, (letter, meaning) in enumerate(
            zip("strb", ("S or address; makes the request", "T", "R or border colour", "bias or level"), strict=True)
        )
    ),
)


@dataclass(frozen=True, slots=True)
class Address:
    """An address that a name has: a number in one or both files."""

    number: int
    files: str


def _addresses(rows: Iterable[Register]) -> dict[str, Address]:
    addresses = {f"r{file.lower()}{number}": Address(number, file) for file in "AB" for number in range(64)}
    addresses.update((name, Address(row.number, row.files)) for row in rows for name in row.names)
    return addresses


def _spellings(rows: Iterable[Register]) -> dict[tuple[str, int], str]:
    spellings = {(file, number): f"r{file.lower()}{number}" for file in "AB" for number in range(FILE_SIZE)}
    spellings.update(((file, row.number), row.names[0]) for row in rows for file in row.files)
    return spellings


#: Name -> address, of registers that can be read through a port, and of those that can be written.
READ_ADDRESSES: Mapping[str, Address] = _addresses(READS)
WRITE_ADDRESSES: Mapping[str, Address] = _addresses(WRITES)
#: (file, number) -> name.
READ_NAMES: Mapping[tuple[str, int], str] = _spellings(READS)
WRITE_NAMES: Mapping[tuple[str, int], str] = _spellings(WRITES)
