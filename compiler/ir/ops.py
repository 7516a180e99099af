"""The opcode table: the one place that says which operations exist and what they mean.

Builder, verifier, printer, parser, constant folding, evaluator, code generators and the reference
table in `README.md` all read it.  A row gives name, signature, meaning and properties.  The meaning
is written once over an arithmetic `a` (see `arithmetic.py`), in one of two forms:

* *component-wise*: a function of one component of each operand, applied to every component alike;
* *whole*: a function of the attribute and the operands' component lists, yielding a component list.

Rows without a meaning act on memory, textures, neighbouring lanes or control flow; the evaluator
defines them.  To add an opcode, add a row; the tests then ask for an independent witness.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Literal

from compiler.arithmetic.protocol import INT_MIN, Arithmetic, Number
from compiler.ir.signatures import Signature, SignatureError
from compiler.ir.types import INT, VOID, Type, vector
from compiler.records import dataclass, field

#: What an instruction carries beside its operands.
AttributeKind = Literal["none", "swizzle", "component", "address", "texture", "blocks", "targets", "callee"]
#: Kinds of which so few attributes exist that what types follow from them can be remembered.
_FEW_VALUES = frozenset(("none", "swizzle", "component"))
#: "pure": may be removed, moved and repeated; "read": may be removed; "cross-lane": pure, but reads
#: neighbouring lanes, so it must not move into divergent control flow; "effect": must stay;
#: "terminator": ends a block.
Effect = Literal["pure", "read", "cross-lane", "effect", "terminator"]

Components = list[Number]
TypeRule = Callable[[Sequence[Type], Any], Type]


@dataclass(frozen=True, slots=True, eq=False)
class Opcode:
    """One row of the table; compare with `is`."""

    name: str
    signature: str
    doc: str
    effect: Effect
    attribute: AttributeKind
    infer: TypeRule
    component: Callable[..., Number] | None
    whole: Callable[..., Components] | None
    commutative: bool
    associative: bool
    # What follows from these is asked for so often that it is kept.
    is_pure: bool = field(init=False)
    is_terminator: bool = field(init=False)
    has_semantics: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_pure", self.effect == "pure")
        object.__setattr__(self, "is_terminator", self.effect == "terminator")
        object.__setattr__(self, "has_semantics", self.component is not None or self.whole is not None)

    def __repr__(self) -> str:
        return self.name


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
    rule = infer if infer is not None else _rule_of(Signature(signature))
    if attribute in _FEW_VALUES:
        rule = _remembered(rule)
    row = Opcode(name, signature, doc, effect, attribute, rule, component, whole, commutative, associative)
    OPCODES[name] = row
    return row


def _rule_of(signature: Signature) -> TypeRule:
    return lambda types, _attribute: signature.infer(types)


def _remembered(rule: TypeRule) -> TypeRule:
    """The same rule, asked only once in every case that it allows."""
    known: dict[tuple[object, ...], Type] = {}

    def infer(types: Sequence[Type], attribute: object) -> Type:
        case = (*types, attribute)
        found = known.get(case)
        if found is None:
            found = known[case] = rule(types, attribute)
        return found

    return infer


# ------------------------------------------------------------------------- meanings, shared pieces
def _min(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.flt(y, x), y, x)


def _max(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.flt(x, y), y, x)


def _clamp(a: Arithmetic, x: Number, low: Number, high: Number) -> Number:
    return _min(a, _max(a, x, low), high)


def _saturate(a: Arithmetic, x: Number) -> Number:
    return _clamp(a, x, a.fconst(0.0), a.fconst(1.0))


def _sign(a: Arithmetic, x: Number) -> Number:
    zero = a.fconst(0.0)
    negative = a.select(a.flt(x, zero), a.fconst(-1.0), zero)
    return a.select(a.flt(zero, x), a.fconst(1.0), negative)


def _trunc(a: Arithmetic, x: Number) -> Number:
    return a.select(a.flt(x, a.fconst(0.0)), a.fneg(a.ffloor(a.fneg(x))), a.ffloor(x))


def _mod(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.fsub(x, a.fmul(y, a.ffloor(a.fdiv(x, y))))


def _mix(a: Arithmetic, x: Number, y: Number, t: Number) -> Number:
    return a.fadd(a.fmul(x, a.fsub(a.fconst(1.0), t)), a.fmul(y, t))


def _smoothstep(a: Arithmetic, low: Number, high: Number, x: Number) -> Number:
    t = _saturate(a, a.fdiv(a.fsub(x, low), a.fsub(high, low)))
    return a.fmul(a.fmul(t, t), a.fsub(a.fconst(3.0), a.fmul(a.fconst(2.0), t)))


def _rsqrt(a: Arithmetic, x: Number) -> Number:
    return a.fdiv(a.fconst(1.0), a.fsqrt(x))


def _dot(a: Arithmetic, x: Components, y: Components) -> Number:
    """Products summed from x to w, as every target that has a dot product does."""
    products = [a.fmul(p, q) for p, q in zip(x, y, strict=True)]
    return reduce(a.fadd, products)


def _normalize(a: Arithmetic, _: object, x: Components) -> Components:
    scale = _rsqrt(a, _dot(a, x, x))
    return [a.fmul(component, scale) for component in x]


def _cross(a: Arithmetic, _: object, x: Components, y: Components) -> Components:
    def minor(i: int, j: int) -> Number:
        return a.fsub(a.fmul(x[i], y[j]), a.fmul(x[j], y[i]))

    return [minor(1, 2), minor(2, 0), minor(0, 1)]


def _mat_vec(a: Arithmetic, _: object, *operands: Components) -> Components:
    columns, v = operands[:-1], operands[-1]
    scaled = [[a.fmul(entry, factor) for entry in column] for column, factor in zip(columns, v, strict=True)]
    return [reduce(a.fadd, row) for row in zip(*scaled, strict=True)]


def _vec_mat(a: Arithmetic, _: object, v: Components, *columns: Components) -> Components:
    return [_dot(a, v, column) for column in columns]


def _swizzle(_a: Arithmetic, pattern: tuple[int, ...], x: Components) -> Components:
    return [x[component] for component in pattern]


def _insert(_a: Arithmetic, component: int, x: Components, scalar: Components) -> Components:
    return [*x[:component], scalar[0], *x[component + 1 :]]


def _construct(_a: Arithmetic, _: object, *parts: Components) -> Components:
    return [component for part in parts for component in part]


def _clamped_index(a: Arithmetic, index: Number, count: int) -> Number:
    low = a.select(a.ilt(index, a.iconst(0)), a.iconst(0), index)
    last = a.iconst(count - 1)
    return a.select(a.ilt(last, low), last, low)


def _extract_dynamic(a: Arithmetic, _: object, x: Components, index: Components) -> Components:
    wanted = _clamped_index(a, index[0], len(x))
    result = x[0]
    for k in range(1, len(x)):
        result = a.select(a.ieq(wanted, a.iconst(k)), x[k], result)
    return [result]


def _insert_dynamic(a: Arithmetic, _: object, x: Components, scalar: Components, index: Components) -> Components:
    wanted = _clamped_index(a, index[0], len(x))
    return [a.select(a.ieq(wanted, a.iconst(k)), scalar[0], old) for k, old in enumerate(x)]


def _elementary(name: str) -> Callable[..., Number]:
    return lambda a, *arguments: a.elementary(name, *arguments)


# --------------------------------------------------------------- type rules that need the attribute
def _swizzle_type(types: Sequence[Type], pattern: tuple[int, ...]) -> Type:
    (source,) = _expect(types, 1)
    if not 1 <= len(pattern) <= 4:
        raise SignatureError("a swizzle selects 1 to 4 components")
    if any(not 0 <= component < source.width for component in pattern):
        raise SignatureError(f"swizzle selects a component that {source} does not have")
    return vector(source.kind, len(pattern))


def _insert_type(types: Sequence[Type], component: int) -> Type:
    target, scalar = _expect(types, 2)
    if scalar is not target.scalar:
        raise SignatureError(f"operand 2 must be {target.scalar}, found {scalar}")
    if not 0 <= component < target.width:
        raise SignatureError(f"{target} has no component {component}")
    return target


def _construct_type(types: Sequence[Type], _attribute: object) -> Type:
    if not types:
        raise SignatureError("takes at least 1 operand, found 0")
    kind = types[0].kind
    odd = next((t for t in types if t.kind != kind), None)
    if odd is not None:
        raise SignatureError(f"operands must be of one kind, found {types[0]} and {odd}")
    width = sum(t.width for t in types)
    if width > 4:
        raise SignatureError(f"constructs {width} components, a vector has at most 4")
    return vector(kind, width)


def _mat_vec_type(types: Sequence[Type], _attribute: object) -> Type:
    columns, factor = types[:-1], types[-1] if types else VOID
    return _matrix_product(columns, factor, factor_width=len(columns), result_width=None)


def _vec_mat_type(types: Sequence[Type], _attribute: object) -> Type:
    factor, columns = types[0] if types else VOID, types[1:]
    rows = columns[0].width if columns else 0
    return _matrix_product(columns, factor, factor_width=rows, result_width=len(columns))


def _matrix_product(columns: Sequence[Type], factor: Type, *, factor_width: int, result_width: int | None) -> Type:
    if not 2 <= len(columns) <= 4:
        raise SignatureError(f"a matrix has 2 to 4 columns, found {len(columns)}")
    if any(column is not columns[0] or column.kind != "float" or column.is_scalar for column in columns):
        raise SignatureError("matrix columns must be float vectors of one type")
    if factor is not vector("float", factor_width):
        raise SignatureError(f"the vector factor must be {vector('float', factor_width)}, found {factor}")
    return columns[0] if result_width is None else vector("float", result_width)


def _load_type(types: Sequence[Type], address: Any) -> Type:
    if types or address.is_dynamic:
        _check_indices(types, address.index_count)
    element: Type = address.variable.type
    return element


def _store_type(types: Sequence[Type], address: Any) -> Type:
    if not types:
        raise SignatureError("takes a value to store")
    if len(types) > 1 or address.is_dynamic:
        _check_indices(types[:-1], address.index_count)
    if types[-1] is not address.variable.type:
        raise SignatureError(f"the stored value must be {address.variable.type}, found {types[-1]}")
    return VOID


def _texture_type(types: Sequence[Type], access: Any) -> Type:
    _check_access(types, access, lambda: access.operand_types)
    result: Type = access.result_type
    return result


def _texture_size_type(types: Sequence[Type], access: Any) -> Type:
    _check_access(types, access, lambda: [INT])
    result: Type = access.size_type
    return result


def _check_access(types: Sequence[Type], access: Any, operand_types: Callable[[], list[Type]]) -> None:
    variable, indices = access.address.variable, access.address.index_count
    if not variable.type.is_sampler:
        raise SignatureError(f"takes a sampler, found {variable.type}")
    _check_indices(types[:indices], indices)
    wanted, found = operand_types(), list(types[indices:])
    if found != wanted:
        raise SignatureError(f"takes ({_names(wanted)}), found ({_names(found)})")


def _check_indices(types: Sequence[Type], count: int) -> None:
    if list(types) != [INT] * count:
        raise SignatureError(f"takes {count} int index operand{'' if count == 1 else 's'}, found ({_names(types)})")


def _names(types: Sequence[Type]) -> str:
    return ", ".join(map(str, types))


def _phi_type(types: Sequence[Type], blocks: Sequence[object]) -> Type:
    if not types or len(types) != len(blocks):
        raise SignatureError(f"takes one operand for each of its {len(blocks)} blocks, found {len(types)}")
    odd = next((t for t in types if t is not types[0]), None)
    if odd is not None:
        raise SignatureError(f"operands must be of one type, found {types[0]} and {odd}")
    return types[0]


def _expect(types: Sequence[Type], count: int) -> Sequence[Type]:
    if len(types) != count:
        raise SignatureError(f"takes {count} operand{'' if count == 1 else 's'}, found {len(types)}")
    return types


def _round_even(a: Arithmetic, x: Number) -> Number:
    """The floor, and the next number where the rest is above a half, or is one and the floor odd."""
    half = a.fconst(0.5)
    floor = a.ffloor(x)
    rest = a.fsub(x, floor)
    is_odd = a.bnot(a.feq(a.fmul(floor, half), a.ffloor(a.fmul(floor, half))))
    is_up = a.bor(a.flt(half, rest), a.band(a.feq(half, rest), is_odd))
    return a.select(is_up, a.fadd(floor, a.fconst(1.0)), floor)


def _remainder(quotient: Callable[..., Number]) -> Callable[..., Number]:
    def meaning(a: Arithmetic, x: Number, y: Number) -> Number:
        zero = a.iconst(0)
        return a.select(a.ieq(y, zero), zero, a.isub(x, a.imul(y, quotient(a, x, y))))

    return meaning


def _shift_count(a: Arithmetic, y: Number) -> Number:
    return a.bits_and(y, a.iconst(31))


def _unsigned_to_float(a: Arithmetic, x: Number) -> Number:
    """By halves, which are exact floats, so that their sum alone is rounded."""
    high = a.fmul(a.itof(a.shr(x, a.iconst(16))), a.fconst(65536.0))
    return a.fadd(high, a.itof(a.bits_and(x, a.iconst(0xFFFF))))


def _float_to_unsigned(a: Arithmetic, x: Number) -> Number:
    half = a.fconst(2.0**31)
    high = a.bits_xor(a.ftoi(a.fsub(x, half)), a.iconst(INT_MIN))
    return a.select(a.fle(half, x), high, a.ftoi(_max(a, x, a.fconst(0.0))))


# ------------------------------------------------------------------------------------- float rows
FADD = _op("fadd", "F, F -> F", "x + y", lambda a, x, y: a.fadd(x, y), commutative=True, associative=True)
FSUB = _op("fsub", "F, F -> F", "x - y", lambda a, x, y: a.fsub(x, y))
FMUL = _op("fmul", "F, F -> F", "x * y", lambda a, x, y: a.fmul(x, y), commutative=True, associative=True)
FDIV = _op("fdiv", "F, F -> F", "x / y", lambda a, x, y: a.fdiv(x, y))
FMAD = _op("fmad", "F, F, F -> F", "x * y + z, the product rounded first", lambda a, x, y, z: a.fadd(a.fmul(x, y), z))
FNEG = _op("fneg", "F -> F", "-x", lambda a, x: a.fneg(x))
FABS = _op("fabs", "F -> F", "|x|", lambda a, x: a.fabs(x))
FSIGN = _op("fsign", "F -> F", "1, 0 or -1 as x is above, equal to or below 0", _sign)
FFLOOR = _op("ffloor", "F -> F", "largest integer not above x", lambda a, x: a.ffloor(x))
FCEIL = _op("fceil", "F -> F", "smallest integer not below x", lambda a, x: a.fneg(a.ffloor(a.fneg(x))))
FTRUNC = _op("ftrunc", "F -> F", "x rounded towards 0", _trunc)
FROUNDEVEN = _op("froundeven", "F -> F", "nearest whole number, ties to even", _round_even)
FFRACT = _op("ffract", "F -> F", "x - floor(x)", lambda a, x: a.fsub(x, a.ffloor(x)))
FMOD = _op("fmod", "F, F -> F", "x - y * floor(x / y)", _mod)
FMIN = _op("fmin", "F, F -> F", "y < x ? y : x", _min, commutative=True, associative=True)
FMAX = _op("fmax", "F, F -> F", "x < y ? y : x", _max, commutative=True, associative=True)
#: Commutative but for NaN and the sign of zero, where the first operand wins: what must be exact keeps their order.
NEARLY_COMMUTATIVE = frozenset({FMIN, FMAX})
FCLAMP = _op("fclamp", "F, F, F -> F", "fmin(fmax(x, low), high)", _clamp)
FSATURATE = _op("fsaturate", "F -> F", "fclamp(x, 0, 1)", _saturate)
FMIX = _op("fmix", "F, F, F -> F", "x * (1 - t) + y * t", _mix)
FSTEP = _op(
    "fstep",
    "F, F -> F",
    "x < edge ? 0 : 1, operands (edge, x)",
    lambda a, edge, x: a.select(a.flt(x, edge), a.fconst(0.0), a.fconst(1.0)),
)
FSMOOTHSTEP = _op(
    "fsmoothstep", "F, F, F -> F", "t * t * (3 - 2 * t), t = saturate((x - low) / (high - low))", _smoothstep
)
FRCP = _op("frcp", "F -> F", "1 / x", lambda a, x: a.fdiv(a.fconst(1.0), x))
FSQRT = _op("fsqrt", "F -> F", "square root", lambda a, x: a.fsqrt(x))
FRSQRT = _op("frsqrt", "F -> F", "1 / sqrt(x)", _rsqrt)
FEXP2 = _op("fexp2", "F -> F", "2 to the x", _elementary("exp2"))
FLOG2 = _op("flog2", "F -> F", "logarithm to base 2", _elementary("log2"))
FEXP = _op("fexp", "F -> F", "e to the x", _elementary("exp"))
FLOG = _op("flog", "F -> F", "natural logarithm", _elementary("log"))
FPOW = _op("fpow", "F, F -> F", "x to the y, x >= 0", _elementary("pow"))
FSIN = _op("fsin", "F -> F", "sine of radians", _elementary("sin"))
FCOS = _op("fcos", "F -> F", "cosine of radians", _elementary("cos"))
FTAN = _op("ftan", "F -> F", "tangent of radians", _elementary("tan"))
FASIN = _op("fasin", "F -> F", "arc sine", _elementary("asin"))
FACOS = _op("facos", "F -> F", "arc cosine", _elementary("acos"))
FATAN = _op("fatan", "F -> F", "arc tangent", _elementary("atan"))
FATAN2 = _op("fatan2", "F, F -> F", "angle of the point (x, y), operands (y, x)", _elementary("atan2"))

# ------------------------------------------------- int rows: 32 bits, read with a sign but where `u` begins the name
IADD = _op("iadd", "I, I -> I", "x + y, wrapping", lambda a, x, y: a.iadd(x, y), commutative=True, associative=True)
ISUB = _op("isub", "I, I -> I", "x - y, wrapping", lambda a, x, y: a.isub(x, y))
IMUL = _op("imul", "I, I -> I", "x * y, wrapping", lambda a, x, y: a.imul(x, y), commutative=True, associative=True)
IDIV = _op("idiv", "I, I -> I", "x / y towards zero, 0 where y is 0", lambda a, x, y: a.idiv(x, y))
IREM = _op("irem", "I, I -> I", "x - y * (x / y), 0 where y is 0", _remainder(lambda a, x, y: a.idiv(x, y)))
UDIV = _op("udiv", "I, I -> I", "x / y without signs, 0 where y is 0", lambda a, x, y: a.udiv(x, y))
UREM = _op(
    "urem", "I, I -> I", "x - y * (x / y) without signs, 0 where y is 0", _remainder(lambda a, x, y: a.udiv(x, y))
)
INEG = _op("ineg", "I -> I", "-x, wrapping", lambda a, x: a.isub(a.iconst(0), x))
IAND = _op("iand", "I, I -> I", "bits of both", lambda a, x, y: a.bits_and(x, y), commutative=True, associative=True)
IOR = _op("ior", "I, I -> I", "bits of either", lambda a, x, y: a.bits_or(x, y), commutative=True, associative=True)
IXOR = _op(
    "ixor", "I, I -> I", "bits of exactly one", lambda a, x, y: a.bits_xor(x, y), commutative=True, associative=True
)
INOT = _op("inot", "I -> I", "all bits changed", lambda a, x: a.bits_not(x))
ISHL = _op("ishl", "I, I -> I", "x shifted left by y modulo 32", lambda a, x, y: a.shl(x, _shift_count(a, y)))
ISHR = _op(
    "ishr",
    "I, I -> I",
    "x shifted right by y modulo 32, the sign comes in",
    lambda a, x, y: a.asr(x, _shift_count(a, y)),
)
USHR = _op(
    "ushr", "I, I -> I", "x shifted right by y modulo 32, zeros come in", lambda a, x, y: a.shr(x, _shift_count(a, y))
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
UTOF = _op("utof", "I -> F", "int without a sign to nearest float", _unsigned_to_float)
FTOU = _op("ftou", "F -> I", "float to int without a sign towards zero, saturating", _float_to_unsigned)
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
    whole=_swizzle,
    infer=_swizzle_type,
    attribute="swizzle",
)
INSERT = _op(
    "insert",
    "T, t -> T",
    "the vector with one component replaced",
    whole=_insert,
    infer=_insert_type,
    attribute="component",
)
CONSTRUCT = _op(
    "construct",
    "(parts) -> (vector)",
    "the operands' components one after another",
    whole=_construct,
    infer=_construct_type,
)
EXTRACT_DYNAMIC = _op(
    "extract_dynamic", "T, i -> t", "component number i, clamped to the vector", whole=_extract_dynamic
)
INSERT_DYNAMIC = _op(
    "insert_dynamic",
    "T, t, i -> T",
    "the vector with component number i (clamped) replaced",
    whole=_insert_dynamic,
)

# ---------------------------------------------------------------------------------------- geometry
DOT = _op("dot", "F, F -> f", "sum of products from x to w", whole=lambda a, _, x, y: [_dot(a, x, y)], commutative=True)
LENGTH = _op("length", "F -> f", "sqrt(dot(x, x))", whole=lambda a, _, x: [a.fsqrt(_dot(a, x, x))])
NORMALIZE = _op("normalize", "F -> F", "x * rsqrt(dot(x, x))", whole=_normalize)
CROSS = _op("cross", "F3, F3 -> F3", "vector product", whole=_cross)
MAT_VEC = _op(
    "mat_vec", "(columns), F -> F", "matrix (given by its columns) * vector", whole=_mat_vec, infer=_mat_vec_type
)
VEC_MAT = _op(
    "vec_mat", "F, (columns) -> F", "vector * matrix (given by its columns)", whole=_vec_mat, infer=_vec_mat_type
)

# -------------------------------------------------------------------------------- memory, textures
LOAD = _op(
    "load",
    "i... -> (variable)",
    "element of a variable; indices out of range clamp",
    infer=_load_type,
    effect="read",
    attribute="address",
)
STORE = _op(
    "store",
    "i..., T -> void",
    "writes an element of a variable; indices out of range clamp",
    infer=_store_type,
    effect="effect",
    attribute="address",
)
TEXTURE = _op(
    "texture",
    "i..., (place)... -> (texel)",
    "samples a texture at a place; by the kind of sampler and the mode a depth, a level, a bias or gradients follow",
    infer=_texture_type,
    effect="cross-lane",
    attribute="texture",
)
TEXTURE_SIZE = _op(
    "texture_size",
    "i..., i -> (size)",
    "size of a level of a texture in texels, then the number of its layers",
    infer=_texture_size_type,
    attribute="texture",
)
DDX = _op("ddx", "F -> F", "difference to the right neighbour in the 2x2 quad", effect="cross-lane")
DDY = _op("ddy", "F -> F", "difference to the upper neighbour in the 2x2 quad", effect="cross-lane")

# ------------------------------------------------------------------------------------ control flow
PHI = _op(
    "phi",
    "T... -> T",
    "the operand that belongs to the block control came from",
    infer=_phi_type,
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
    """The components of the result, by the opcode's meaning in `arithmetic`.

    An operand narrower than the others (the scalar condition of a vector select) repeats.
    """
    if opcode.whole is not None:
        return opcode.whole(arithmetic, attribute, *operands)
    meaning = opcode.component
    if meaning is None:
        raise ValueError(f"{opcode.name} has no arithmetic meaning")
    width = max(len(operand) for operand in operands)
    rows = zip(*(operand * width if len(operand) == 1 else operand for operand in operands), strict=True)
    return [meaning(arithmetic, *row) for row in rows]
