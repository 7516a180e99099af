"""Rules of float and int arithmetic: sums, products, quotients, negation, multiply-add.

Rows are tried in order, so what is exact stands before what is not.
"""

from __future__ import annotations

from glslc_multi.compiler.passes.rules.rule import Rule

#: Dividing by c is multiplying by its reciprocal, exactly: c is a power of two, and 1/c is finite.
_HAS_EXACT_RECIPROCAL = "and(feq(fexp2(ffloor(flog2(fabs(#c)))), fabs(#c)), flt(frcp(fabs(#c)), 3.0e38))"

SUMS = (
    Rule("add-minus-zero", "fadd(x, -0.0) -> x"),
    Rule("add-zero", "fadd(x, 0.0) -> x", "no-signed-zero"),
    Rule("sub-zero", "fsub(x, 0.0) -> x"),
    Rule("sub-minus-zero", "fsub(x, -0.0) -> x", "no-signed-zero"),
    Rule("minus-zero-sub", "fsub(-0.0, x) -> fneg(x)"),
    Rule("zero-sub", "fsub(0.0, x) -> fneg(x)", "no-signed-zero"),
    Rule("sub-itself", "fsub(x, x) -> 0.0", "no-nan"),
    Rule("sub-constant", "fsub(x, #c) -> fadd(x, fneg(#c))"),
    Rule("add-negated", "fadd(x, fneg(y)) -> fsub(x, y)"),
    Rule("sub-negated", "fsub(x, fneg(y)) -> fadd(x, y)"),
    Rule("negated-sub-constant", "fsub(fneg(x), #c) -> fsub(fneg(#c), x)"),
    Rule("sub-scaled", "fsub(x, fmul(y, #c)) -> fadd(x, fmul(y, fneg(#c)))", proof="values"),
    Rule("add-add-constants", "fadd(fadd(x, #c), #d) -> fadd(x, fadd(#c, #d))", "rounding no-nan no-inf", "values"),
    Rule("add-sub-constants", "fadd(fsub(#c, x), #d) -> fsub(fadd(#c, #d), x)", "rounding no-nan no-inf", "values"),
    Rule("sub-add-constants", "fsub(#c, fadd(x, #d)) -> fsub(fsub(#c, #d), x)", "rounding no-nan no-inf", "values"),
    Rule("sub-sub-constants", "fsub(#c, fsub(#d, x)) -> fadd(x, fsub(#c, #d))", "rounding no-nan no-inf", "values"),
    Rule("add-difference", "fadd(x, fsub(y, x)) -> y", "rounding no-nan no-inf", "values"),
    Rule("sub-of-sum", "fsub(fadd(x, y), x) -> y", "rounding no-nan no-inf", "values"),
    Rule("sub-sum", "fsub(x, fadd(x, y)) -> fneg(y)", "rounding no-nan no-inf", "values"),
    Rule(
        "common-factor-add", "fadd(fmul(x, y), fmul(x, z)) -> fmul(x, fadd(y, z))", "rounding no-nan no-inf", "values"
    ),
    Rule(
        "common-factor-sub", "fsub(fmul(x, y), fmul(x, z)) -> fmul(x, fsub(y, z))", "rounding no-nan no-inf", "values"
    ),
    Rule("common-divisor", "fadd(fdiv(x, z), fdiv(y, z)) -> fdiv(fadd(x, y), z)", "rounding no-nan no-inf", "values"),
)

SIGNS = (
    Rule("neg-neg", "fneg(fneg(x)) -> x"),
    Rule("neg-scaled", "fneg(fmul(x, #c)) -> fmul(x, fneg(#c))", proof="values"),
    Rule("neg-sub", "fneg(fsub(x, y)) -> fsub(y, x)", "no-signed-zero", "values"),
    Rule("neg-add-constant", "fneg(fadd(x, #c)) -> fsub(fneg(#c), x)", "no-signed-zero", "values"),
    Rule("neg-negated-product", "fneg(fmul(fneg(x), y)) -> fmul(x, y)", proof="values"),
    Rule("abs-abs", "fabs(fabs(x)) -> fabs(x)"),
    Rule("abs-neg", "fabs(fneg(x)) -> fabs(x)"),
    Rule("abs-square", "fabs(fmul(x, x)) -> fmul(x, x)", proof="half"),
    Rule("abs-dot", "fabs(dot(x, x)) -> dot(x, x)", proof="values"),
    Rule("abs-length", "fabs(length(x)) -> length(x)", proof="values"),
    Rule("abs-sqrt", "fabs(fsqrt(x)) -> fsqrt(x)", "no-signed-zero"),
    Rule("abs-exp2", "fabs(fexp2(x)) -> fexp2(x)", proof="half"),
    Rule("abs-saturate", "fabs(fsaturate(x)) -> fsaturate(x)", "no-signed-zero"),
    Rule("abs-bool", "fabs(btof(x)) -> btof(x)"),
    Rule("square-of-abs", "fmul(fabs(x), fabs(x)) -> fmul(x, x)", proof="half"),
    Rule("product-of-abs", "fmul(fabs(x), fabs(y)) -> fabs(fmul(x, y))", proof="values"),
    Rule("sign-sign", "fsign(fsign(x)) -> fsign(x)"),
    Rule("sign-bool", "fsign(btof(x)) -> btof(x)"),
    Rule("times-sign", "fmul(x, fsign(x)) -> fabs(x)", "no-signed-zero", proof="half"),
    Rule("abs-times-sign", "fmul(fabs(x), fsign(x)) -> x", "no-signed-zero", proof="half"),
)

PRODUCTS = (
    Rule("mul-one", "fmul(x, 1.0) -> x"),
    Rule("mul-minus-one", "fmul(x, -1.0) -> fneg(x)"),
    Rule("mul-zero", "fmul(x, 0.0) -> 0.0", "no-nan no-signed-zero"),
    Rule("mul-minus-zero", "fmul(x, -0.0) -> 0.0", "no-nan no-signed-zero"),
    Rule("mul-negated", "fmul(fneg(x), fneg(y)) -> fmul(x, y)", proof="values"),
    Rule("mul-negated-constant", "fmul(fneg(x), #c) -> fmul(x, fneg(#c))", proof="values"),
    Rule("mul-mul-constants", "fmul(fmul(x, #c), #d) -> fmul(x, fmul(#c, #d))", "rounding no-nan no-inf", "values"),
    Rule("mul-sqrt-sqrt", "fmul(fsqrt(x), fsqrt(x)) -> x", "rounding domain", "half"),
    Rule("mul-rsqrt-rsqrt", "fmul(frsqrt(x), frsqrt(x)) -> frcp(x)", "rounding domain", "half"),
    Rule("mul-own-rsqrt", "fmul(x, frsqrt(x)) -> fsqrt(x)", "rounding no-nan no-inf", "half"),
    Rule("mul-own-rcp", "fmul(x, frcp(x)) -> 1.0", "rounding no-nan no-inf", "half"),
    Rule("mul-div", "fmul(fdiv(x, y), y) -> x", "rounding no-nan no-inf", "values"),
    Rule("mul-exp2-exp2", "fmul(fexp2(x), fexp2(y)) -> fexp2(fadd(x, y))", "rounding no-nan no-inf", "values"),
    Rule("mul-exp-exp", "fmul(fexp(x), fexp(y)) -> fexp(fadd(x, y))", "rounding no-nan no-inf", "values"),
    Rule("mul-pow-pow", "fmul(fpow(x, y), fpow(x, z)) -> fpow(x, fadd(y, z))", "rounding domain no-inf", "values"),
)

QUOTIENTS = (
    Rule("div-one", "fdiv(x, 1.0) -> x"),
    Rule("div-minus-one", "fdiv(x, -1.0) -> fneg(x)"),
    Rule("one-div", "fdiv(1.0, x) -> frcp(x)"),
    Rule("minus-one-div", "fdiv(-1.0, x) -> fneg(frcp(x))", proof="half"),
    Rule("div-negated", "fdiv(fneg(x), fneg(y)) -> fdiv(x, y)", proof="values"),
    Rule("div-power-of-two", "fdiv(x, #c) -> fmul(x, frcp(#c))", proof="values", where=_HAS_EXACT_RECIPROCAL),
    Rule("div-constant", "fdiv(x, #c) -> fmul(x, frcp(#c))", "rounding no-inf no-nan", "values"),
    Rule("div-itself", "fdiv(x, x) -> 1.0", "no-nan", proof="half"),
    Rule("zero-div", "fdiv(0.0, x) -> 0.0", "no-nan no-signed-zero", proof="half"),
    Rule("div-rcp", "fdiv(x, frcp(y)) -> fmul(x, y)", "rounding no-nan no-inf", "values"),
    Rule("div-sqrt", "fdiv(x, fsqrt(y)) -> fmul(x, frsqrt(y))", "rounding no-nan no-inf", "values"),
    Rule("div-rsqrt", "fdiv(x, frsqrt(y)) -> fmul(x, fsqrt(y))", "rounding no-nan no-inf", "values"),
    Rule("div-exp2", "fdiv(x, fexp2(y)) -> fmul(x, fexp2(fneg(y)))", "rounding no-nan no-inf", "values"),
    Rule("div-div", "fdiv(x, fdiv(y, z)) -> fdiv(fmul(x, z), y)", "rounding no-nan no-inf", "values"),
    Rule("div-of-div", "fdiv(fdiv(x, y), z) -> fdiv(x, fmul(y, z))", "rounding no-nan no-inf", "values"),
    Rule("div-product", "fdiv(fmul(x, y), y) -> x", "rounding no-nan no-inf", "values"),
    Rule("div-common-factor", "fdiv(fmul(x, z), fmul(y, z)) -> fdiv(x, y)", "rounding no-nan no-inf", "values"),
    Rule("sin-div-cos", "fdiv(fsin(x), fcos(x)) -> ftan(x)", "rounding no-nan no-inf", "half"),
    Rule("rcp-rcp", "frcp(frcp(x)) -> x", "rounding no-nan no-inf", "half"),
    Rule("rcp-sqrt", "frcp(fsqrt(x)) -> frsqrt(x)"),
    Rule("rcp-length", "frcp(length(x)) -> frsqrt(dot(x, x))", proof="values"),
    Rule("rcp-rsqrt", "frcp(frsqrt(x)) -> fsqrt(x)", "rounding no-nan no-inf", "half"),
    Rule("rcp-div", "frcp(fdiv(x, y)) -> fdiv(y, x)", "rounding no-nan no-inf", "values"),
    Rule("rcp-exp2", "frcp(fexp2(x)) -> fexp2(fneg(x))", "rounding no-nan no-inf", "half"),
    Rule("rcp-exp", "frcp(fexp(x)) -> fexp(fneg(x))", "rounding no-nan no-inf", "half"),
)

MULTIPLY_ADD = (
    Rule("mad-one", "fmad(x, 1.0, z) -> fadd(x, z)", proof="values"),
    Rule("mad-minus-one", "fmad(x, -1.0, z) -> fsub(z, x)", proof="values"),
    Rule("mad-minus-zero", "fmad(x, y, -0.0) -> fmul(x, y)", proof="values"),
    Rule("mad-constants", "fmad(#c, #d, z) -> fadd(z, fmul(#c, #d))", proof="values"),
    Rule("mad-negated", "fmad(fneg(x), fneg(y), z) -> fmad(x, y, z)", proof="values"),
    Rule("mad-negated-constant", "fmad(fneg(x), #c, z) -> fmad(x, fneg(#c), z)", proof="values"),
    Rule("mad-add-zero", "fmad(x, y, 0.0) -> fmul(x, y)", "no-signed-zero", proof="values"),
    Rule("mad-zero", "fmad(x, 0.0, z) -> z", "no-nan no-signed-zero", proof="values"),
    Rule("mad-minus-zero-factor", "fmad(x, -0.0, z) -> z", "no-nan no-signed-zero", proof="values"),
    Rule("neg-negated-mad", "fneg(fmad(fneg(x), y, fneg(z))) -> fmad(x, y, z)", "no-signed-zero", proof="values"),
)

INTEGERS = (
    Rule("iadd-zero", "iadd(x, 0) -> x"),
    Rule("isub-zero", "isub(x, 0) -> x"),
    Rule("zero-isub", "isub(0, x) -> ineg(x)"),
    Rule("isub-itself", "isub(x, x) -> 0"),
    Rule("isub-constant", "isub(x, #c) -> iadd(x, ineg(#c))"),
    Rule("iadd-negated", "iadd(x, ineg(y)) -> isub(x, y)"),
    Rule("isub-negated", "isub(x, ineg(y)) -> iadd(x, y)"),
    Rule("ineg-ineg", "ineg(ineg(x)) -> x"),
    Rule("ineg-isub", "ineg(isub(x, y)) -> isub(y, x)"),
    Rule("ineg-iadd-constant", "ineg(iadd(x, #c)) -> isub(ineg(#c), x)"),
    Rule("ineg-scaled", "ineg(imul(x, #c)) -> imul(x, ineg(#c))"),
    Rule("iadd-iadd-constants", "iadd(iadd(x, #c), #d) -> iadd(x, iadd(#c, #d))"),
    Rule("iadd-isub-constants", "iadd(isub(#c, x), #d) -> isub(iadd(#c, #d), x)"),
    Rule("isub-iadd-constants", "isub(#c, iadd(x, #d)) -> isub(isub(#c, #d), x)"),
    Rule("isub-isub-constants", "isub(#c, isub(#d, x)) -> iadd(x, isub(#c, #d))"),
    Rule("iadd-difference", "iadd(x, isub(y, x)) -> y"),
    Rule("isub-of-sum", "isub(iadd(x, y), x) -> y"),
    Rule("isub-sum", "isub(x, iadd(x, y)) -> ineg(y)"),
    Rule("imul-zero", "imul(x, 0) -> 0"),
    Rule("imul-one", "imul(x, 1) -> x"),
    Rule("imul-minus-one", "imul(x, -1) -> ineg(x)"),
    Rule("imul-two", "imul(x, 2) -> iadd(x, x)"),
    Rule("imul-imul-constants", "imul(imul(x, #c), #d) -> imul(x, imul(#c, #d))", proof="values"),
    Rule("imul-negated", "imul(ineg(x), ineg(y)) -> imul(x, y)", proof="values"),
    Rule("imul-negated-constant", "imul(ineg(x), #c) -> imul(x, ineg(#c))", proof="values"),
    Rule("common-factor-iadd", "iadd(imul(x, y), imul(x, z)) -> imul(x, iadd(y, z))", proof="values"),
    Rule("common-factor-isub", "isub(imul(x, y), imul(x, z)) -> imul(x, isub(y, z))", proof="values"),
    Rule("idiv-one", "idiv(x, 1) -> x", proof="values"),
    Rule("idiv-minus-one", "idiv(x, -1) -> ineg(x)", proof="values"),
    Rule("zero-idiv", "idiv(0, x) -> 0"),
    Rule("idiv-itself", "idiv(x, x) -> 1", "domain", proof="values"),
)
