"""The opcode table: the one place that says which operations exist and what they mean.

Builder, verifier, printer, parser, constant folding, evaluator, code generators and the reference
table in `README.md` all read it.  A row gives name, signature, meaning and properties.  The meaning
is written once over an arithmetic `a` (see `compiler/arithmetic/protocol.py`), in one of two forms:

* *component-wise*: a function of one component of each operand, applied to every component alike;
* *whole*: a function of the attribute and the operands' component lists, yielding a component list.

Those of more than an expression are in `opcodes/meanings.py`.  Rows without a meaning act on memory, textures,
neighbouring lanes or control flow; the evaluator defines them.  To add an opcode, add a row; the tests then ask for an
independent witness.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from glslc_multi.compiler.arithmetic.protocol import Arithmetic, Number
from glslc_multi.compiler.ir.opcodes import meanings, type_rules
from glslc_multi.compiler.ir.opcodes.opcode import AttributeKind, Components, Effect, TypeRule, remembered, rule_of
from glslc_multi.compiler.ir.opcodes.opcode import Opcode as Opcode
from glslc_multi.compiler.ir.signatures import Signature

#: Kinds of which so few attributes exist that what types follow from them can be remembered.
_FEW_VALUES = frozenset(("none", "swizzle", "component"))
#: Every opcode by name, in table order.
OPCODES: dict[str, Opcode] = {}


def _op(
    name: str,
    signature: str,
    doc: str,
    component: Callable[..., Number] | None = None,
    *,
    whole: Callable[..., Components] | None = None,
    infer: TypeRule | None = None,
    effect: Effect = "pure",
    attribute: AttributeKind = "none",
    commutative: bool = False,
    associative: bool = False,
) -> Opcode:
    rule = infer if infer is not None else rule_of(Signature(signature))
    if attribute in _FEW_VALUES:
        rule = remembered(rule)
    row = Opcode(name, signature, doc, effect, attribute, rule, component, whole, commutative, associative)
    OPCODES[name] = row
    return row


# ------------------------------------------------------------------------------------- float rows
FADD = _op("fadd", "F, F -> F", "x + y", lambda a, x, y: a.fadd(x, y), commutative=True, associative=True)
FSUB = _op("fsub", "F, F -> F", "x - y", lambda a, x, y: a.fsub(x, y))
FMUL = _op("fmul", "F, F -> F", "x * y", lambda a, x, y: a.fmul(x, y), commutative=True, associative=True)
FDIV = _op("fdiv", "F, F -> F", "x / y", lambda a, x, y: a.fdiv(x, y))
FMAD = _op("fmad", "F, F, F -> F", "x * y + z, the product rounded first", lambda a, x, y, z: a.fadd(a.fmul(x, y), z))
FNEG = _op("fneg", "F -> F", "-x", lambda a, x: a.fneg(x))
FABS = _op("fabs", "F -> F", "|x|", lambda a, x: a.fabs(x))
FSIGN = _op("fsign", "F -> F", "1, 0 or -1 as x is above, equal to or below 0", meanings.sign)
FFLOOR = _op("ffloor", "F -> F", "largest integer not above x", lambda a, x: a.ffloor(x))
FCEIL = _op("fceil", "F -> F", "smallest integer not below x", lambda a, x: a.fneg(a.ffloor(a.fneg(x))))
FTRUNC = _op("ftrunc", "F -> F", "x rounded towards 0", meanings.truncate)
FROUNDEVEN = _op("froundeven", "F -> F", "nearest whole number, ties to even", meanings.round_to_even)
FFRACT = _op("ffract", "F -> F", "x - floor(x)", lambda a, x: a.fsub(x, a.ffloor(x)))
FMOD = _op("fmod", "F, F -> F", "x - y * floor(x / y)", meanings.modulo)
FMIN = _op("fmin", "F, F -> F", "y < x ? y : x", meanings.minimum, commutative=True, associative=True)
FMAX = _op("fmax", "F, F -> F", "x < y ? y : x", meanings.maximum, commutative=True, associative=True)
#: Commutative but for NaN and the sign of zero, where the first operand wins: what must be exact keeps their order.
NEARLY_COMMUTATIVE = frozenset({FMIN, FMAX})
FCLAMP = _op("fclamp", "F, F, F -> F", "fmin(fmax(x, low), high)", meanings.clamp)
FSATURATE = _op("fsaturate", "F -> F", "fclamp(x, 0, 1)", meanings.saturate)
FMIX = _op("fmix", "F, F, F -> F", "x * (1 - t) + y * t", meanings.mix)
FSTEP = _op(
    "fstep",
    "F, F -> F",
    "x < edge ? 0 : 1, operands (edge, x)",
    lambda a, edge, x: a.select(a.flt(x, edge), a.fconst(0.0), a.fconst(1.0)),
)
FSMOOTHSTEP = _op(
    "fsmoothstep", "F, F, F -> F", "t * t * (3 - 2 * t), t = saturate((x - low) / (high - low))", meanings.smoothstep
)
FRCP = _op("frcp", "F -> F", "1 / x", lambda a, x: a.fdiv(a.fconst(1.0), x))
FSQRT = _op("fsqrt", "F -> F", "square root", lambda a, x: a.fsqrt(x))
FRSQRT = _op("frsqrt", "F -> F", "1 / sqrt(x)", meanings.inverse_square_root)
FEXP2 = _op("fexp2", "F -> F", "2 to the x", meanings.elementary("exp2"))
FLOG2 = _op("flog2", "F -> F", "logarithm to base 2", meanings.elementary("log2"))
FEXP = _op("fexp", "F -> F", "e to the x", meanings.elementary("exp"))
FLOG = _op("flog", "F -> F", "natural logarithm", meanings.elementary("log"))
FPOW = _op("fpow", "F, F -> F", "x to the y, x >= 0", meanings.elementary("pow"))
FSIN = _op("fsin", "F -> F", "sine of radians", meanings.elementary("sin"))
FCOS = _op("fcos", "F -> F", "cosine of radians", meanings.elementary("cos"))
FTAN = _op("ftan", "F -> F", "tangent of radians", meanings.elementary("tan"))
FASIN = _op("fasin", "F -> F", "arc sine", meanings.elementary("asin"))
FACOS = _op("facos", "F -> F", "arc cosine", meanings.elementary("acos"))
FATAN = _op("fatan", "F -> F", "arc tangent", meanings.elementary("atan"))
FATAN2 = _op("fatan2", "F, F -> F", "angle of the point (x, y), operands (y, x)", meanings.elementary("atan2"))

# ------------------------------------------------- int rows: 32 bits, read with a sign but where `u` begins the name
IADD = _op("iadd", "I, I -> I", "x + y, wrapping", lambda a, x, y: a.iadd(x, y), commutative=True, associative=True)
ISUB = _op("isub", "I, I -> I", "x - y, wrapping", lambda a, x, y: a.isub(x, y))
IMUL = _op("imul", "I, I -> I", "x * y, wrapping", lambda a, x, y: a.imul(x, y), commutative=True, associative=True)
IDIV = _op("idiv", "I, I -> I", "x / y towards zero, 0 where y is 0", lambda a, x, y: a.idiv(x, y))
IREM = _op("irem", "I, I -> I", "x - y * (x / y), 0 where y is 0", meanings.remainder(lambda a, x, y: a.idiv(x, y)))
UDIV = _op("udiv", "I, I -> I", "x / y without signs, 0 where y is 0", lambda a, x, y: a.udiv(x, y))
UREM = _op(
    "urem",
    "I, I -> I",
    "x - y * (x / y) without signs, 0 where y is 0",
    meanings.remainder(lambda a, x, y: a.udiv(x, y)),
)
INEG = _op("ineg", "I -> I", "-x, wrapping", lambda a, x: a.isub(a.iconst(0), x))
IAND = _op("iand", "I, I -> I", "bits of both", lambda a, x, y: a.bits_and(x, y), commutative=True, associative=True)
IOR = _op("ior", "I, I -> I", "bits of either", lambda a, x, y: a.bits_or(x, y), commutative=True, associative=True)
IXOR = _op(
    "ixor", "I, I -> I", "bits of exactly one", lambda a, x, y: a.bits_xor(x, y), commutative=True, associative=True
)
INOT = _op("inot", "I -> I", "all bits changed", lambda a, x: a.bits_not(x))
ISHL = _op("ishl", "I, I -> I", "x shifted left by y modulo 32", lambda a, x, y: a.shl(x, meanings.shift_count(a, y)))
ISHR = _op(
    "ishr",
    "I, I -> I",
    "x shifted right by y modulo 32, the sign comes in",
    lambda a, x, y: a.asr(x, meanings.shift_count(a, y)),
)
USHR = _op(
    "ushr",
    "I, I -> I",
    "x shifted right by y modulo 32, zeros come in",
    lambda a, x, y: a.shr(x, meanings.shift_count(a, y)),
)

# ----------------------------------------------------------------------------- comparisons, logic
FLT = _op("flt", "F, F -> B", "x < y", lambda a, x, y: a.flt(x, y))
FLE = _op("fle", "F, F -> B", "x <= y", lambda a, x, y: a.fle(x, y))
FEQ = _op("feq", "F, F -> B", "x == y", lambda a, x, y: a.feq(x, y), commutative=True)
FNE = _op("fne", "F, F -> B", "x != y", lambda a, x, y: a.bnot(a.feq(x, y)), commutative=True)
ILT = _op("ilt", "I, I -> B", "x < y", lambda a, x, y: a.ilt(x, y))
ILE = _op("ile", "I, I -> B", "x <= y", lambda a, x, y: a.bnot(a.ilt(y, x)))
ULT = _op("ult", "I, I -> B", "x < y without signs", lambda a, x, y: a.ult(x, y))
ULE = _op("ule", "I, I -> B", "x <= y without signs", lambda a, x, y: a.bnot(a.ult(y, x)))
IEQ = _op("ieq", "I, I -> B", "x == y", lambda a, x, y: a.ieq(x, y), commutative=True)
INE = _op("ine", "I, I -> B", "x != y", lambda a, x, y: a.bnot(a.ieq(x, y)), commutative=True)
FISNAN = _op("fisnan", "F -> B", "x is not a number", lambda a, x: a.bnot(a.feq(x, x)))
AND = _op("and", "B, B -> B", "both", lambda a, x, y: a.band(x, y), commutative=True, associative=True)
OR = _op("or", "B, B -> B", "at least one", lambda a, x, y: a.bor(x, y), commutative=True, associative=True)
XOR = _op("xor", "B, B -> B", "exactly one", lambda a, x, y: a.bxor(x, y), commutative=True, associative=True)
NOT = _op("not", "B -> B", "negation", lambda a, x: a.bnot(x))
ALL = _op("all", "B -> b", "every component", whole=lambda a, _, x: [reduce(a.band, x)])
ANY = _op("any", "B -> b", "some component", whole=lambda a, _, x: [reduce(a.bor, x)])

# ------------------------------------------------------------------------------------ conversions
ITOF = _op("itof", "I -> F", "int to nearest float", lambda a, x: a.itof(x))
FTOI = _op("ftoi", "F -> I", "float to int towards zero, saturating", lambda a, x: a.ftoi(x))
UTOF = _op("utof", "I -> F", "int without a sign to nearest float", meanings.unsigned_to_float)
FTOU = _op("ftou", "F -> I", "float to int without a sign towards zero, saturating", meanings.float_to_unsigned)
BITCAST_FTOI = _op("bitcast_ftoi", "F -> I", "the bits of a float32", lambda a, x: a.bits(x))
BITCAST_ITOF = _op("bitcast_itof", "I -> F", "the float32 of these bits", lambda a, x: a.number(x))
BTOF = _op("btof", "B -> F", "1 or 0", lambda a, x: a.select(x, a.fconst(1.0), a.fconst(0.0)))
BTOI = _op("btoi", "B -> I", "1 or 0", lambda a, x: a.select(x, a.iconst(1), a.iconst(0)))
FTOB = _op("ftob", "F -> B", "x != 0", lambda a, x: a.bnot(a.feq(x, a.fconst(0.0))))
ITOB = _op("itob", "I -> B", "x != 0", lambda a, x: a.bnot(a.ieq(x, a.iconst(0))))

#: Operation on ints without a sign -> the one with a sign that does the same where no number is negative.
WITH_SIGN: dict[Opcode, Opcode] = {
    UDIV: IDIV,
    UREM: IREM,
    ULT: ILT,
    ULE: ILE,
    USHR: ISHR,
    UTOF: ITOF,
    FTOU: FTOI,
}

# -------------------------------------------------------------------------- selection and shuffles
SELECT = _op(
    "select",
    "C, T, T -> T",
    "the second operand where the condition holds, else the third",
    lambda a, c, x, y: a.select(c, x, y),
)
SWIZZLE = _op(
    "swizzle",
    "T -> (pattern)",
    "components of the operand in the pattern's order",
    whole=meanings.swizzle,
    infer=type_rules.swizzle_type,
    attribute="swizzle",
)
INSERT = _op(
    "insert",
    "T, t -> T",
    "the vector with one component replaced",
    whole=meanings.insert,
    infer=type_rules.insert_type,
    attribute="component",
)
CONSTRUCT = _op(
    "construct",
    "(parts) -> (vector)",
    "the operands' components one after another",
    whole=meanings.construct,
    infer=type_rules.construct_type,
)
EXTRACT_DYNAMIC = _op(
    "extract_dynamic", "T, i -> t", "component number i, clamped to the vector", whole=meanings.extract_dynamic
)
INSERT_DYNAMIC = _op(
    "insert_dynamic",
    "T, t, i -> T",
    "the vector with component number i (clamped) replaced",
    whole=meanings.insert_dynamic,
)

# ---------------------------------------------------------------------------------------- geometry
DOT = _op(
    "dot",
    "F, F -> f",
    "sum of products from x to w",
    whole=lambda a, _, x, y: [meanings.dot(a, x, y)],
    commutative=True,
)
LENGTH = _op("length", "F -> f", "sqrt(dot(x, x))", whole=lambda a, _, x: [a.fsqrt(meanings.dot(a, x, x))])
NORMALIZE = _op("normalize", "F -> F", "x * rsqrt(dot(x, x))", whole=meanings.normalize)
CROSS = _op("cross", "F3, F3 -> F3", "vector product", whole=meanings.cross)
MAT_VEC = _op(
    "mat_vec",
    "(columns), F -> F",
    "matrix (given by its columns) * vector",
    whole=meanings.matrix_times_vector,
    infer=type_rules.matrix_vector_type,
)
VEC_MAT = _op(
    "vec_mat",
    "F, (columns) -> F",
    "vector * matrix (given by its columns)",
    whole=meanings.vector_times_matrix,
    infer=type_rules.vector_matrix_type,
)

# -------------------------------------------------------------------------------- memory, textures
LOAD = _op(
    "load",
    "i... -> (variable)",
    "element of a variable; indices out of range clamp",
    infer=type_rules.load_type,
    effect="read",
    attribute="address",
)
STORE = _op(
    "store",
    "i..., T -> void",
    "writes an element of a variable; indices out of range clamp",
    infer=type_rules.store_type,
    effect="effect",
    attribute="address",
)
TEXTURE = _op(
    "texture",
    "i..., (place)... -> (texel)",
    "samples a texture at a place; by the kind of sampler and the mode a depth, a level, a bias or gradients follow",
    infer=type_rules.texture_type,
    effect="cross-lane",
    attribute="texture",
)
TEXTURE_SIZE = _op(
    "texture_size",
    "i..., i -> (size)",
    "size of a level of a texture in texels, then the number of its layers",
    infer=type_rules.texture_size_type,
    attribute="texture",
)
DDX = _op("ddx", "F -> F", "difference to the right neighbour in the 2x2 quad", effect="cross-lane")
DDY = _op("ddy", "F -> F", "difference to the upper neighbour in the 2x2 quad", effect="cross-lane")

# ------------------------------------------------------------------------------------ control flow
PHI = _op(
    "phi",
    "T... -> T",
    "the operand that belongs to the block control came from",
    infer=type_rules.phi_type,
    attribute="blocks",
)
CALL = _op(
    "call",
    "-> void",
    "runs a function; parameters and results are variables of the callee",
    effect="effect",
    attribute="callee",
)
KILL = _op("kill", "b -> void", "marks the lane as discarded where the condition holds", effect="effect")
EMIT_VERTEX = _op("emit_vertex", "-> void", "geometry: emits the outputs as a vertex", effect="effect")
END_PRIMITIVE = _op("end_primitive", "-> void", "geometry: ends the current primitive", effect="effect")
BR = _op("br", "-> void", "goes to the target", effect="terminator", attribute="targets")
CONDBR = _op(
    "condbr",
    "b -> void",
    "goes to the first target where the condition holds, else to the second",
    effect="terminator",
    attribute="targets",
)
RET = _op("ret", "-> void", "leaves the function", effect="terminator")


def evaluate(opcode: Opcode, arithmetic: Arithmetic, attribute: object, operands: Sequence[Components]) -> Components:
    """Return the components of the result, by the opcode's meaning in `arithmetic`."""
    if opcode.whole is not None:
        return opcode.whole(arithmetic, attribute, *operands)
    meaning = opcode.component
    if meaning is None:
        raise ValueError(f"{opcode.name} has no arithmetic meaning")
    if opcode is SELECT and len(operands[0]) == 1:
        # One condition chooses whole vectors.
        condition, *vectors = operands
        operands = [condition * len(vectors[0]), *vectors]
    return [meaning(arithmetic, *row) for row in zip(*operands, strict=True)]
