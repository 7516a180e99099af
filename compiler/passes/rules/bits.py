"""Rules for the bits of ints, for shifts, and for ints without a sign."""

from __future__ import annotations

from glslc_multi.compiler.passes.rules.rule import Rule

#: Counts are taken modulo 32, so that sums of two of them may be too large for one shift.
_TOGETHER = "ult(iadd(iand(#c, 31), iand(#d, 31)), 32)"
_TOO_FAR = "ule(32, iadd(iand(#c, 31), iand(#d, 31)))"
#: The divisor is a power of two: below 2^32, and so a float whose exponent is the shift.
_POWER_OF_TWO = "and(ine(#c, 0), ieq(iand(#c, isub(#c, 1)), 0))"
_EXPONENT = "isub(ushr(bitcast_ftoi(utof(#c)), 23), 127)"

BITS = (
    Rule("iand-zero", "iand(x, 0) -> 0"),
    Rule("iand-ones", "iand(x, -1) -> x"),
    Rule("iand-itself", "iand(x, x) -> x"),
    Rule("iand-opposite", "iand(x, inot(x)) -> 0"),
    Rule("iand-iand-constants", "iand(iand(x, #c), #d) -> iand(x, iand(#c, #d))"),
    Rule("iand-ior", "iand(x, ior(x, y)) -> x"),
    Rule("iand-inot", "iand(inot(x), inot(y)) -> inot(ior(x, y))"),
    Rule("ior-zero", "ior(x, 0) -> x"),
    Rule("ior-ones", "ior(x, -1) -> -1"),
    Rule("ior-itself", "ior(x, x) -> x"),
    Rule("ior-opposite", "ior(x, inot(x)) -> -1"),
    Rule("ior-ior-constants", "ior(ior(x, #c), #d) -> ior(x, ior(#c, #d))"),
    Rule("ior-iand", "ior(x, iand(x, y)) -> x"),
    Rule("ior-inot", "ior(inot(x), inot(y)) -> inot(iand(x, y))"),
    Rule("ixor-zero", "ixor(x, 0) -> x"),
    Rule("ixor-ones", "ixor(x, -1) -> inot(x)"),
    Rule("ixor-itself", "ixor(x, x) -> 0"),
    Rule("ixor-ixor-constants", "ixor(ixor(x, #c), #d) -> ixor(x, ixor(#c, #d))"),
    Rule("ixor-twice", "ixor(ixor(x, y), y) -> x"),
    Rule("ixor-inot", "ixor(inot(x), inot(y)) -> ixor(x, y)"),
    Rule("inot-inot", "inot(inot(x)) -> x"),
    Rule("inot-ineg", "inot(ineg(x)) -> iadd(x, -1)"),
    Rule("ineg-inot", "ineg(inot(x)) -> iadd(x, 1)"),
    Rule("inot-and-one", "iadd(inot(x), 1) -> ineg(x)"),
    Rule("bit-of-bool", "iand(btoi(x), 1) -> btoi(x)"),
)

SHIFTS = (
    Rule("ishl-by-zero", "ishl(x, 0) -> x"),
    Rule("ishr-by-zero", "ishr(x, 0) -> x"),
    Rule("ushr-by-zero", "ushr(x, 0) -> x"),
    Rule("zero-ishl", "ishl(0, x) -> 0"),
    Rule("zero-ishr", "ishr(0, x) -> 0"),
    Rule("ones-ishr", "ishr(-1, x) -> -1"),
    Rule("zero-ushr", "ushr(0, x) -> 0"),
    Rule("ishl-ishl", "ishl(ishl(x, #c), #d) -> ishl(x, iadd(#c, #d))", where=_TOGETHER),
    Rule("ishl-ishl-far", "ishl(ishl(x, #c), #d) -> 0", where=_TOO_FAR),
    Rule("ushr-ushr", "ushr(ushr(x, #c), #d) -> ushr(x, iadd(#c, #d))", where=_TOGETHER),
    Rule("ushr-ushr-far", "ushr(ushr(x, #c), #d) -> 0", where=_TOO_FAR),
    Rule("ishr-ishr", "ishr(ishr(x, #c), #d) -> ishr(x, iadd(#c, #d))", where=_TOGETHER),
    Rule("ishr-ishr-far", "ishr(ishr(x, #c), #d) -> ishr(x, 31)", where=_TOO_FAR),
    Rule("ushr-ishl", "ushr(ishl(x, #c), #c) -> iand(x, ushr(-1, #c))"),
    Rule("ishl-ushr", "ishl(ushr(x, #c), #c) -> iand(x, ishl(-1, #c))"),
    Rule("masked-count-ishl", "ishl(x, iand(y, 31)) -> ishl(x, y)"),
    Rule("masked-count-ishr", "ishr(x, iand(y, 31)) -> ishr(x, y)"),
    Rule("masked-count-ushr", "ushr(x, iand(y, 31)) -> ushr(x, y)"),
)

UNSIGNED = (
    Rule("udiv-power", f"udiv(x, #c) -> ushr(x, {_EXPONENT})", proof="values", where=_POWER_OF_TWO),
    Rule("urem-power", "urem(x, #c) -> iand(x, isub(#c, 1))", proof="values", where=_POWER_OF_TWO),
    Rule("zero-udiv", "udiv(0, x) -> 0"),
    Rule("udiv-itself", "udiv(x, x) -> 1", "domain", proof="values"),
    Rule("zero-urem", "urem(0, x) -> 0"),
    Rule("urem-itself", "urem(x, x) -> 0", proof="values"),
    Rule("irem-one", "irem(x, 1) -> 0", proof="values"),
    Rule("irem-minus-one", "irem(x, -1) -> 0", proof="values"),
    Rule("zero-irem", "irem(0, x) -> 0"),
    Rule("irem-itself", "irem(x, x) -> 0", proof="values"),
    Rule("ult-itself", "ult(x, x) -> false"),
    Rule("ule-itself", "ule(x, x) -> true"),
    Rule("ult-zero", "ult(x, 0) -> false"),
    Rule("zero-ule", "ule(0, x) -> true"),
    Rule("zero-ult", "ult(0, x) -> ine(x, 0)"),
    Rule("ule-zero", "ule(x, 0) -> ieq(x, 0)"),
    Rule("not-ult", "not(ult(x, y)) -> ule(y, x)"),
    Rule("not-ule", "not(ule(x, y)) -> ult(y, x)"),
    Rule("float-of-bits", "bitcast_itof(bitcast_ftoi(x)) -> x"),
    Rule("bits-of-float", "bitcast_ftoi(bitcast_itof(x)) -> x", "no-nan", proof="values"),
    Rule("round-int", "froundeven(itof(x)) -> itof(x)"),
    Rule("round-floor", "froundeven(ffloor(x)) -> ffloor(x)", proof="half"),
    Rule("round-round", "froundeven(froundeven(x)) -> froundeven(x)", proof="half"),
    Rule("floor-round", "ffloor(froundeven(x)) -> froundeven(x)", proof="half"),
)
