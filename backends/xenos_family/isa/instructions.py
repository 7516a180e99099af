"""The operations of ALU instructions as data: one row each.

From the rows come the encoder and decoder, what the assembler and disassembler read and print, the arithmetic of the
simulator, and the reference pages.

An ALU word holds a vector operation and a scalar one.  A vector row's `compute` takes an arithmetic
(`compiler/arithmetic/protocol.py`) and its sources, four components each; a scalar row's takes x and y, the
swizzled W and X of source 3, and the previous scalar result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from glslc_multi.backends.xenos_family.isa.semantics import (
    LARGEST,
    RELATIONS,
    SYMBOLS,
    ByComponent,
    any_component,
    as_number,
    clamped,
    cube,
    distance,
    dot,
    everywhere,
    flushed,
    fract,
    invert,
    is_one,
    log2,
    log_clamp,
    maximum,
    minimum,
    minus_one,
    multiply_by_previous,
    multiply_for_lit,
    push_predicate,
    push_result,
    reciprocal,
    reciprocal_root,
    rounded,
    scalar_test,
    select_if,
    trunc,
    versus_zero,
    zero_if,
)
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.records import dataclass

COMPONENTS = "xyzw"

# --- Operations -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Operation:
    """One row: half of an ALU instruction."""

    name: str
    code: int
    #: Sources of a vector operation; components (1 or 2) of a scalar one.
    sources: int
    doc: str
    compute: Callable[..., Number]
    #: New value of the predicate.
    predicate: Callable[..., Number] | None = None
    #: Whether the pixel is killed.
    kills: Callable[..., Number] | None = None
    #: New value of a0, before it is limited.
    address: Callable[..., Number] | None = None
    #: Source 3 names a constant, and a register in bits of other fields.
    of_constant: bool = False
    #: It reads the previous result of the scalar unit.
    of_previous: bool = False

    @property
    def has_effect(self) -> bool:
        """Whether it does something beside writing its result."""
        return self.predicate is not None or self.kills is not None or self.address is not None

    def slots_read(self, mask: int) -> tuple[int, ...]:
        """Return those of a vector operation's sources on which what it does depends, if it writes a mask."""
        if self.has_effect or (mask and not isinstance(self.compute, ByComponent)):
            return tuple(range(len(COMPONENTS)))
        return tuple(slot for slot in range(len(COMPONENTS)) if mask >> slot & 1)


def _compare_rows() -> tuple[Operation, ...]:
    return tuple(
        Operation(
            f"SET{name}v",
            code,
            2,
            f"a {SYMBOLS[name]} b ? 1 : 0",
            ByComponent(as_number(RELATIONS[name])),
        )
        for code, name in enumerate(("E", "GT", "GTE", "NE"), 4)
    )


def _push_rows() -> tuple[Operation, ...]:
    return tuple(
        Operation(
            f"PRED_SET{name}_PUSHv",
            code,
            2,
            f"predicate = a.w = 0 and b.w {SYMBOLS[name]} 0; a.x = 0 and b.x {SYMBOLS[name]} 0 ? 0 : a.x + 1",
            push_result(name),
            predicate=push_predicate(name),
        )
        for code, name in enumerate(("E", "NE", "GT", "GTE"), 20)
    )


def _kill_rows() -> tuple[Operation, ...]:
    return tuple(
        Operation(
            f"KILL{name}v",
            code,
            2,
            f"kills if any component a {SYMBOLS[name]} b; 1 if killed, else 0",
            everywhere(as_number(any_component(name))),
            kills=any_component(name),
        )
        for code, name in enumerate(("E", "GT", "GTE", "NE"), 24)
    )


VECTOR_OPERATIONS = (
    Operation("ADDv", 0, 2, "a + b", ByComponent(lambda a, x, y: a.fadd(x, y))),
    Operation("MULv", 1, 2, "a * b", ByComponent(lambda a, x, y: a.fmul(x, y))),
    Operation("MAXv", 2, 2, "a ≥ b ? a : b", ByComponent(maximum)),
    Operation("MINv", 3, 2, "a < b ? a : b", ByComponent(minimum)),
    *_compare_rows(),
    Operation("FRACv", 8, 1, "a - floor(a)", ByComponent(fract)),
    Operation("TRUNCv", 9, 1, "a rounded towards zero", ByComponent(trunc)),
    Operation("FLOORv", 10, 1, "floor(a)", ByComponent(lambda a, x: a.ffloor(x))),
    Operation("MULADDv", 11, 3, "a * b + c, rounded twice", ByComponent(lambda a, x, y, z: a.fadd(a.fmul(x, y), z))),
    Operation("CNDEv", 12, 3, "a = 0 ? b : c", select_if("E")),
    Operation("CNDGTEv", 13, 3, "a ≥ 0 ? b : c", select_if("GTE")),
    Operation("CNDGTv", 14, 3, "a > 0 ? b : c", select_if("GT")),
    Operation("DOT4v", 15, 2, "dot product of a and b, everywhere", everywhere(lambda a, x, y: dot(a, x, y, 4))),
    Operation("DOT3v", 16, 2, "dot product of xyz, everywhere", everywhere(lambda a, x, y: dot(a, x, y, 3))),
    Operation(
        "DOT2ADDv",
        17,
        3,
        "dot product of xy, plus c.x, everywhere",
        everywhere(lambda a, x, y, z: a.fadd(dot(a, x, y, 2), z[0])),
    ),
    Operation("CUBEv", 18, 2, "cube map coordinates of the direction v: a = v.zzxy, b = v.yxzz", cube),
    Operation(
        "MAX4v",
        19,
        1,
        "largest component, everywhere",
        everywhere(lambda a, x: maximum(a, x[0], maximum(a, x[1], maximum(a, x[2], x[3])))),
    ),
    *_push_rows(),
    *_kill_rows(),
    Operation("DSTv", 28, 2, "(1, a.y * b.y, a.z, b.w)", distance),
    Operation(
        "MOVAv",
        29,
        1,
        "a0 = floor(a.w + 0.5), limited to -256...255; max(a, b), where b is a copy of a",
        ByComponent(maximum),
        address=lambda a, x, y: rounded(a, x[3]),
    ),
)


def _scalar(name: str, code: int, doc: str, compute: Callable[..., Number], **more: Any) -> Operation:
    return Operation(name, code, 1, doc, compute, **more)


def _pair(name: str, code: int, doc: str, compute: Callable[..., Number], **more: Any) -> Operation:
    return Operation(name, code, 2, doc, compute, **more)


def _scalar_compare_rows() -> tuple[Operation, ...]:
    return tuple(
        _scalar(
            f"SET{name}s",
            code,
            f"x {SYMBOLS[name]} 0 ? 1 : 0",
            scalar_test(versus_zero(name)),
        )
        for code, name in enumerate(("E", "GT", "GTE", "NE"), 7)
    )


def _scalar_predicate_rows() -> tuple[Operation, ...]:
    return tuple(
        _scalar(
            f"PRED_SET{name}s",
            code,
            f"predicate = x {SYMBOLS[name]} 0; 0 if it holds, else 1",
            scalar_test(versus_zero(name), if_true=0.0),
            predicate=versus_zero(name),
        )
        for code, name in enumerate(("E", "NE", "GT", "GTE"), 27)
    )


def _scalar_kill_row(name: str, code: int, doc: str, holds: Callable[..., Number]) -> Operation:
    return _scalar(
        f"KILL{name}s",
        code,
        f"kills if x {doc}; 1 if killed, else 0",
        scalar_test(holds),
        kills=holds,
    )


def _constant_rows() -> tuple[Operation, ...]:
    meanings: tuple[tuple[str, str, Callable[..., Number]], ...] = (
        ("MUL", "*", lambda a, x, y, p: a.fmul(x, y)),
        ("ADD", "+", lambda a, x, y, p: a.fadd(x, y)),
        ("SUB", "-", lambda a, x, y, p: a.fsub(x, y)),
    )
    return tuple(
        Operation(
            f"{name}_CONST_{low}",
            42 + 2 * index + low,
            2,
            f"constant {symbol} register, whose number is {low} + 2 * bank + the middle of the swizzle",
            compute,
            of_constant=True,
        )
        for index, (name, symbol, compute) in enumerate(meanings)
        for low in (0, 1)
    )


SCALAR_OPERATIONS = (
    _pair("ADDs", 0, "x + y", lambda a, x, y, p: a.fadd(x, y)),
    _scalar("ADD_PREVs", 1, "x + previous", lambda a, x, y, p: a.fadd(x, p), of_previous=True),
    _pair("MULs", 2, "x * y", lambda a, x, y, p: a.fmul(x, y)),
    _scalar("MUL_PREVs", 3, "x * previous", multiply_by_previous, of_previous=True),
    _pair(
        "MUL_PREV2s",
        4,
        "x * previous; -FLT_MAX where previous is -FLT_MAX or not finite, or y not finite or not positive",
        multiply_for_lit,
        of_previous=True,
    ),
    _pair("MAXs", 5, "x ≥ y ? x : y", lambda a, x, y, p: maximum(a, x, y)),
    _pair("MINs", 6, "x < y ? x : y", lambda a, x, y, p: minimum(a, x, y)),
    *_scalar_compare_rows(),
    _scalar("FRACs", 11, "x - floor(x)", lambda a, x, y, p: fract(a, x)),
    _scalar("TRUNCs", 12, "x rounded towards zero", lambda a, x, y, p: trunc(a, x)),
    _scalar("FLOORs", 13, "floor(x)", lambda a, x, y, p: a.ffloor(x)),
    _scalar("EXP_IEEE", 14, "2 to the power x", lambda a, x, y, p: a.elementary("exp2", x)),
    _scalar("LOG_CLAMP", 15, "log2(x); -FLT_MAX for -infinity", log_clamp),
    _scalar("LOG_IEEE", 16, "log2(x)", lambda a, x, y, p: log2(a, x)),
    _scalar("RECIP_CLAMP", 17, "1 / x; FLT_MAX for infinity", clamped(reciprocal)),
    _scalar("RECIP_FF", 18, "1 / x; 0 for infinity", flushed(reciprocal)),
    _scalar("RECIP_IEEE", 19, "1 / x", lambda a, x, y, p: reciprocal(a, x)),
    _scalar("RECIPSQ_CLAMP", 20, "1 / sqrt(x); FLT_MAX for infinity", clamped(reciprocal_root)),
    _scalar("RECIPSQ_FF", 21, "1 / sqrt(x); 0 for infinity", flushed(reciprocal_root)),
    _scalar("RECIPSQ_IEEE", 22, "1 / sqrt(x)", lambda a, x, y, p: reciprocal_root(a, x)),
    _pair(
        "MOVAs",
        23,
        "a0 = floor(x + 0.5), limited to -256...255; max(x, y)",
        lambda a, x, y, p: maximum(a, x, y),
        address=rounded,
    ),
    _pair(
        "MOVA_FLOORs",
        24,
        "a0 = floor(x), limited to -256...255; max(x, y)",
        lambda a, x, y, p: maximum(a, x, y),
        address=lambda a, x: a.ffloor(x),
    ),
    _pair("SUBs", 25, "x - y", lambda a, x, y, p: a.fsub(x, y)),
    _scalar("SUB_PREVs", 26, "x - previous", lambda a, x, y, p: a.fsub(x, p), of_previous=True),
    *_scalar_predicate_rows(),
    _scalar("PRED_SET_INVs", 31, "predicate = x = 1; 0 if it holds, else 1 for 0, else x", invert, predicate=is_one),
    _scalar(
        "PRED_SET_POPs",
        32,
        "predicate = x - 1 ≤ 0; 0 if it holds, else x - 1",
        lambda a, x, y, p: zero_if(a, a.fle(minus_one(a, x), a.fconst(0.0)), minus_one(a, x)),
        predicate=lambda a, x: a.fle(minus_one(a, x), a.fconst(0.0)),
    ),
    _scalar(
        "PRED_SET_CLRs",
        33,
        "predicate = false; FLT_MAX",
        lambda a, x, y, p: a.fconst(LARGEST),
        predicate=lambda a, x: a.bconst(False),
    ),
    _scalar(
        "PRED_SET_RESTOREs",
        34,
        "predicate = x = 0; 0 if it holds, else x",
        lambda a, x, y, p: zero_if(a, a.feq(x, a.fconst(0.0)), x),
        predicate=versus_zero("E"),
    ),
    _scalar_kill_row("E", 35, "= 0", versus_zero("E")),
    _scalar_kill_row("GT", 36, "> 0", versus_zero("GT")),
    _scalar_kill_row("GTE", 37, "≥ 0", versus_zero("GTE")),
    _scalar_kill_row("NE", 38, "≠ 0", versus_zero("NE")),
    _scalar_kill_row("ONE", 39, "= 1", is_one),
    _scalar("SQRT_IEEE", 40, "sqrt(x)", lambda a, x, y, p: a.fsqrt(x)),
    *_constant_rows(),
    _scalar("SIN", 48, "sine of x in radians", lambda a, x, y, p: a.elementary("sin", x)),
    _scalar("COS", 49, "cosine of x in radians", lambda a, x, y, p: a.elementary("cos", x)),
    _scalar("RETAIN_PREV", 50, "previous, which stays as it is", lambda a, x, y, p: p, of_previous=True),
)

VECTOR_BY_NAME: Mapping[str, Operation] = {row.name: row for row in VECTOR_OPERATIONS}
SCALAR_BY_NAME: Mapping[str, Operation] = {row.name: row for row in SCALAR_OPERATIONS}
VECTOR_BY_CODE: Mapping[int, Operation] = {row.code: row for row in VECTOR_OPERATIONS}
SCALAR_BY_CODE: Mapping[int, Operation] = {row.code: row for row in SCALAR_OPERATIONS}


def sets_predicate(fields: Mapping[str, int]) -> bool:
    """Whether a half of an ALU instruction sets the predicate."""
    rows = VECTOR_BY_CODE.get(fields["vector_op"]), SCALAR_BY_CODE.get(fields["scalar_op"])
    return any(row is not None and row.predicate is not None for row in rows)
