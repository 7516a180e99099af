"""Random typed GLSL expressions that mean the same in every number format (see `glsl_facts.py`).

`Expressions.make(type, depth)` writes an expression of a type from the slots in scope; productions are
picked at random among those of the type: operators, constructors, swizzles, built-ins, calls.  Every
production bounds its result with `fit`, which clamps and coarsens a value that grew too large.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from tests.generators.glsl_facts import (
    MAX_INT,
    TRUTH,
    VARIABLE_APPROXIMATE,
    VARIABLE_EXACT,
    VARIABLE_GRAIN,
    VARIABLE_INT,
    Fact,
    Slot,
    Typed,
    base,
    float_text,
    is_matrix,
    vector_of,
    width,
)
from tests.generators.glsl_forms import chosen_whole, compared, float_form

_COMPONENTS = ("xyzw", "rgba", "stpq")


class Expressions:
    """Writes expressions; `slots` is the current scope and may grow and shrink."""

    def __init__(
        self, random: Random, slots: list[Slot], *, fragment: bool, samplers: Sequence[tuple[str, str]]
    ) -> None:
        self.random = random
        self.slots = slots
        self.fragment = fragment
        self.samplers = samplers
        #: Derivatives and implicit levels of detail need all lanes of a quad.
        self.uniform_flow = True
        #: (type, divisor) of the helper functions `remainder<divisor>` that were called.
        self.remainders: set[tuple[str, int]] = set()
        #: What was written, for coverage tests.
        self.features: set[str] = set()

    # ----------------------------------------------------------------------------- entry points
    def exact(self, type_: str, depth: int) -> Typed:
        """An expression of `type_` whose value no format rounds."""
        return self.make(type_, depth, exact=True)

    def make(self, type_: str, depth: int, exact: bool = False) -> Typed:
        """An expression of a scalar, vector or matrix type."""
        if depth <= 0 or self.random.random() < 0.15:
            return self._leaf(type_, exact)
        kind = base(type_)
        if is_matrix(type_):
            return self._matrix(type_, depth, exact)
        if kind == "int":
            return self._int(type_, depth)
        if kind == "bool":
            return self._bool(type_, depth)
        return self._float(type_, depth, exact)

    def stored(self, type_: str, depth: int, exact: bool) -> Typed:
        """An expression that fits a variable of the exact or the approximate class."""
        return self.fit(self.make(type_, depth, exact), for_variable=True)

    def condition(self, depth: int) -> Typed:
        return self.make("bool", depth)

    # ------------------------------------------------------------------------------------ leaves
    def _leaf(self, type_: str, exact: bool) -> Typed:
        fitting = [s for s in self.slots if s.type == type_ and (s.fact.exact or not exact)]
        if fitting and self.random.random() < 0.8:
            slot = self.random.choice(fitting)
            return Typed(slot.text, type_, slot.fact)
        if width(type_) > 1 or is_matrix(type_):
            return self._construct(type_, 0, exact)
        return self._literal(type_)

    def _literal(self, type_: str) -> Typed:
        if type_ == "bool":
            return Typed(self.random.choice(("true", "false")), type_, TRUTH)
        if type_ == "int":
            value = self.random.choice((0, 1, 2, 3, 5, 7, 12, 0x10, -1, -4))
            form = "0x{:X}" if value == 16 else "{}"
            return Typed(f"({value})" if value < 0 else form.format(value), type_, Fact(abs(value)))
        number = self.random.choice((0.0, 0.5, 1.0, 2.0, 0.25, 1.5, 3.0, -1.0, -0.75, 4.0))
        return Typed(float_text(number), type_, Fact(abs(number), 2))

    def helpers(self) -> list[str]:
        """Definitions of the helper functions called: GLSL ES 1.00 has no %, and / truncates (section 5.9)."""
        return [
            f"{type_} remainder{n}({type_} x) {{ return x - x / {n} * {n}; }}" for type_, n in sorted(self.remainders)
        ]

    # ------------------------------------------------------------------------------------ bounds
    def fit(self, expression: Typed, for_variable: bool = False) -> Typed:
        """The expression, brought back into bounds when it left them."""
        fact, type_ = expression.fact, expression.type
        if base(type_) == "bool":
            return expression
        if base(type_) == "int":
            return self._fit_int(expression, VARIABLE_INT if for_variable else MAX_INT)
        if not fact.exact:
            limit = VARIABLE_APPROXIMATE if for_variable else VARIABLE_APPROXIMATE * 16
            return expression if fact.magnitude <= limit else self._clamp(expression, VARIABLE_APPROXIMATE)
        if fact.grain > VARIABLE_GRAIN and (for_variable or not fact.fits):
            expression = self._coarsen(expression)
        bound = VARIABLE_EXACT if for_variable else 256.0
        return expression if expression.fact.magnitude <= bound else self._clamp(expression, VARIABLE_EXACT)

    def _fit_int(self, expression: Typed, limit: int) -> Typed:
        if expression.fact.magnitude <= limit:
            return expression
        text = expression.text
        divisor = self.random.choice((7, 11, 16, 33))
        self.remainders.add((expression.type, divisor))
        return Typed(f"remainder{divisor}({text})", expression.type, Fact(divisor))

    def _clamp(self, expression: Typed, limit: float) -> Typed:
        fact = Fact(limit, expression.fact.grain, expression.fact.exact)
        if is_matrix(expression.type):
            return self._by_columns(expression, lambda column: self._clamp(column, limit))
        text = f"clamp({expression.text}, {float_text(-limit)}, {float_text(limit)})"
        return Typed(text, expression.type, fact)

    def _coarsen(self, expression: Typed) -> Typed:
        """Cut an exact value to the grain of variables."""
        if is_matrix(expression.type):
            return self._by_columns(expression, self._coarsen)
        scale = 2**VARIABLE_GRAIN
        text = f"(floor({expression.text} * {float_text(scale)}) * {float_text(1 / scale)})"
        return Typed(text, expression.type, Fact(expression.fact.magnitude + 1, VARIABLE_GRAIN))

    @staticmethod
    def _by_columns(matrix: Typed, change: Callable[[Typed], Typed]) -> Typed:
        """The matrix with every column changed."""
        size = width(matrix.type)
        columns = [change(Typed(f"{matrix.text}[{i}]", f"vec{size}", matrix.fact)) for i in range(size)]
        return Typed(f"{matrix.type}({', '.join(c.text for c in columns)})", matrix.type, columns[0].fact)

    # ------------------------------------------------------------------------------------ floats
    def _float(self, type_: str, depth: int, exact: bool) -> Typed:
        rules: list[Callable[[str, int, bool], Typed]] = [
            self._sum,
            self._sum,
            self._product,
            self._negate,
            self._construct,
            self._swizzle,
            self._choice,
            self._exact_builtin,
            self._exact_builtin,
            self._vector_element,
            partial(float_form, self),
            partial(float_form, self),
        ]
        if width(type_) > 1:
            rules.append(self._matrix_product)
        if not exact:
            rules += [self._rounding_builtin, self._rounding_builtin, self._quotient, self._texture]
        if self.fragment and self.uniform_flow:
            rules.append(self._derivative)
        return self.fit(self.random.choice(rules)(type_, depth - 1, exact))

    def _operands(self, type_: str, depth: int, exact: bool) -> tuple[Typed, Typed]:
        """Two operands; one of them may be a scalar (section 5.9)."""
        types = [type_, type_]
        if width(type_) > 1 and self.random.random() < 0.3:
            types[self.random.randrange(2)] = "float"
        left, right = (self.make(t, depth, exact) for t in types)
        return left, right

    def _sum(self, type_: str, depth: int, exact: bool) -> Typed:
        left, right = self._operands(type_, depth, exact)
        operator = self.random.choice("+-")
        self.features.add(f"float{operator}")
        return Typed(f"({left.text} {operator} {right.text})", type_, left.fact.add(right.fact))

    def _product(self, type_: str, depth: int, exact: bool) -> Typed:
        left, right = self._operands(type_, depth, exact)
        fact = left.fact.multiply(right.fact)
        if not fact.fits:
            left, right = (self.fit(side, for_variable=True) for side in (left, right))
            fact = left.fact.multiply(right.fact)
        self.features.add("float*")
        return Typed(f"({left.text} * {right.text})", type_, fact)

    def _quotient(self, type_: str, depth: int, _exact: bool) -> Typed:
        left = self.make(type_, depth)
        right = self.make(self.random.choice((type_, "float")), depth)
        self.features.add("float/")
        # The divisor stays away from 0.
        return Typed(f"({left.text} / (abs({right.text}) + 1.0))", type_, left.fact.rounded())

    def _negate(self, type_: str, depth: int, exact: bool) -> Typed:
        inner = self.make(type_, depth, exact)
        return Typed(f"(-{inner.text})", type_, inner.fact)

    def _choice(self, type_: str, depth: int, exact: bool) -> Typed:
        """condition ? a : b"""
        condition = self.condition(depth)
        left, right = self.make(type_, depth, exact), self.make(type_, depth, exact)
        self.features.add("?:")
        return Typed(f"({condition.text} ? {left.text} : {right.text})", type_, left.fact.join(right.fact))

    def _derivative(self, type_: str, depth: int, exact: bool) -> Typed:
        inner = self.make(type_, depth, exact)
        name, factor = self.random.choice((("dFdx", 2), ("dFdy", 2), ("fwidth", 4)))
        self.features.add(name)
        fact = Fact(inner.fact.magnitude * factor, inner.fact.grain, inner.fact.exact)
        return Typed(f"{name}({inner.text})", type_, fact)

    def _texture(self, type_: str, depth: int, exact: bool) -> Typed:
        if not self.samplers:
            return self._leaf(type_, exact)
        kind, name = self.random.choice(self.samplers)
        call = self._lookup(kind, name, depth)
        swizzle = "".join(self.random.choice("rgba") for _ in range(width(type_)))
        return Typed(f"{call}.{swizzle}", type_, Fact(1.0, 0, exact=False))

    def _lookup(self, kind: str, name: str, depth: int) -> str:
        """A texture call that hits the middle of texels, so that rounding picks the same one."""
        if kind == "samplerCube":
            return self._cube_lookup(name)
        parts = [self.exact("float", depth).text for _ in range(2)]
        x, y = (f"((floor(mod({part}, 8.0)) + 0.5) * 0.125)" for part in parts)
        forms = ["texture2D({s}, vec2({x}, {y}))", "texture2DProj({s}, vec3({x}, {y}, 1.0) * 2.0)"]
        forms.append("texture2DProj({s}, vec4({x}, {y}, 0.25, 1.0) * 0.5)")
        if not self.fragment:
            forms += ["texture2DLod({s}, vec2({x}, {y}), 0.0)", "texture2DProjLod({s}, vec3({x}, {y}, 1.0) * 4.0, 0.0)"]
        elif self.uniform_flow:
            forms.append("texture2D({s}, vec2({x}, {y}), 0.0)")
        form = self.random.choice(forms if self.uniform_flow or not self.fragment else forms[:1])
        self.features.add(form.split("(")[0])
        return form.format(s=name, x=x, y=y)

    def _cube_lookup(self, name: str) -> str:
        axis, sign = self.random.randrange(3), self.random.choice((1.0, -1.0))
        components = [float_text(self.random.choice((-0.75, -0.25, 0.25, 0.75))) for _ in range(3)]
        components[axis] = float_text(sign)
        function = "textureCube" if self.fragment or self.random.random() < 0.5 else "textureCubeLod"
        self.features.add(function)
        level = ", 0.0" if function == "textureCubeLod" else ""
        return f"{function}({name}, vec3({', '.join(components)}){level})"

    # ------------------------------------------------------------------------ shuffles, elements
    def _construct(self, type_: str, depth: int, exact: bool) -> Typed:
        """A constructor from parts, or a conversion."""
        if is_matrix(type_):
            return self._construct_matrix(type_, depth, exact)
        kind, count = base(type_), width(type_)
        if count == 1:
            return self._convert(type_, depth)
        parts: list[Typed] = []
        left = count
        while left:
            size = self.random.randint(1, left if left < count else count - 1)
            parts.append(self.make(vector_of(kind, size), depth - 1, exact))
            left -= size
        fact = parts[0].fact
        for part in parts[1:]:
            fact = fact.join(part.fact)
        return Typed(f"{type_}({', '.join(p.text for p in parts)})", type_, fact)

    def _convert(self, type_: str, depth: int) -> Typed:
        source = self.random.choice([t for t in ("float", "int", "bool") if t != type_])
        inner = self.exact(source, depth)
        self.features.add(f"{source}->{type_}")
        magnitude = 1.0 if "bool" in (source, type_) else inner.fact.magnitude
        return Typed(f"{type_}({inner.text})", type_, Fact(magnitude))

    def _swizzle(self, type_: str, depth: int, exact: bool) -> Typed:
        source = vector_of(base(type_), self.random.randint(2, 4))
        inner = self.make(source, depth, exact)
        letters = self.random.choice(_COMPONENTS)[: width(source)]
        pattern = "".join(self.random.choice(letters) for _ in range(width(type_)))
        self.features.add("swizzle")
        return Typed(f"{inner.text}.{pattern}", type_, inner.fact)

    def _vector_element(self, type_: str, depth: int, exact: bool) -> Typed:
        """v[i] with a constant or computed index, m[i] for a column."""
        if width(type_) > 1:
            matrices = [s for s in self.slots if s.type == f"mat{width(type_)}" and (s.fact.exact or not exact)]
            if not matrices:
                return self._leaf(type_, exact)
            matrix = self.random.choice(matrices)
            return Typed(f"{matrix.text}[{self.index(width(type_), depth)}]", type_, matrix.fact)
        vectors = [s for s in self.slots if s.type == vector_of(base(type_), 4) and (s.fact.exact or not exact)]
        if not vectors:
            return self._leaf(type_, exact)
        slot = self.random.choice(vectors)
        return Typed(f"{slot.text}[{self.index(4, depth)}]", type_, slot.fact)

    def index(self, length: int, depth: int) -> str:
        """An int expression from 0 to length - 1."""
        if self.random.random() < 0.4:
            return str(self.random.randrange(length))
        self.features.add("dynamic-index")
        inner = self.exact("float", min(depth, 0))
        return f"int(mod(floor({inner.text}), {float_text(2 ** (length.bit_length() - 1))}))"

    # ---------------------------------------------------------------------------------- matrices
    def _matrix(self, type_: str, depth: int, exact: bool) -> Typed:
        choice = self.random.randrange(4)
        if choice == 0:
            return self._construct_matrix(type_, depth, exact)
        left = self._leaf(type_, exact)
        right = self._leaf(type_, exact)
        if choice == 1:
            product = Fact(left.fact.magnitude * right.fact.magnitude * 4, left.fact.grain + right.fact.grain)
            exact_product = product.fits and left.fact.exact and right.fact.exact
            if exact_product:
                self.features.add("mat*mat")
                return Typed(f"({left.text} * {right.text})", type_, product)
        if choice == 2:
            self.features.add("matrixCompMult")
            fact = left.fact.multiply(right.fact)
            if fact.fits:
                return Typed(f"matrixCompMult({left.text}, {right.text})", type_, fact)
        self.features.add("mat+mat")
        return Typed(f"({left.text} {self.random.choice('+-')} {right.text})", type_, left.fact.add(right.fact))

    def _construct_matrix(self, type_: str, depth: int, exact: bool) -> Typed:
        count = width(type_)
        if self.random.random() < 0.3:
            scalar = self._leaf("float", exact)
            return Typed(f"{type_}({scalar.text})", type_, scalar.fact)
        columns = [self.fit(self.make(f"vec{count}", depth - 1, exact), for_variable=True) for _ in range(count)]
        fact = columns[0].fact
        for column in columns[1:]:
            fact = fact.join(column.fact)
        return Typed(f"{type_}({', '.join(c.text for c in columns)})", type_, fact)

    def _matrix_product(self, type_: str, depth: int, exact: bool) -> Typed:
        size = width(type_)
        matrices = [s for s in self.slots if s.type == f"mat{size}" and s.fact.exact]
        if not matrices:
            return self._leaf(type_, exact)
        matrix = self.random.choice(matrices)
        vector = self.fit(self.make(type_, depth, exact), for_variable=True)
        product = matrix.fact.multiply(vector.fact)
        fact = Fact(product.magnitude * size, product.grain, product.exact)
        left, right = self.random.choice(((matrix.text, vector.text), (vector.text, matrix.text)))
        self.features.add("mat*vec")
        return Typed(f"({left} * {right})", type_, fact)

    # ------------------------------------------------------------------------------------- ints
    def _int(self, type_: str, depth: int) -> Typed:
        rules: list[Callable[[str, int, bool], Typed]]
        rules = [self._int_sum, self._int_product, self._int_quotient, self._negate, self._construct, self._swizzle]
        rules.append(partial(chosen_whole, self))
        return self.fit(self.random.choice(rules)(type_, depth - 1, True))

    def _int_sum(self, type_: str, depth: int, _exact: bool) -> Typed:
        left, right = self.make(type_, depth), self.make(type_, depth)
        operator = self.random.choice("+-")
        self.features.add(f"int{operator}")
        return Typed(f"({left.text} {operator} {right.text})", type_, left.fact.add(right.fact))

    def _int_product(self, type_: str, depth: int, _exact: bool) -> Typed:
        left, right = (self._fit_int(self.make(type_, depth), VARIABLE_INT) for _ in range(2))
        self.features.add("int*")
        return Typed(f"({left.text} * {right.text})", type_, left.fact.multiply(right.fact))

    def _int_quotient(self, type_: str, depth: int, _exact: bool) -> Typed:
        left = self.make(type_, depth)
        divisor = self.random.choice((2, 3, 5, 7, -3))
        self.features.add("int/")
        return Typed(f"({left.text} / {f'({divisor})' if divisor < 0 else divisor})", type_, Fact(left.fact.magnitude))

    # ------------------------------------------------------------------------------------- bools
    def _bool(self, type_: str, depth: int) -> Typed:
        if width(type_) > 1:
            return self._bool_vector(type_, depth - 1)
        rules: tuple[Callable[[int], str], ...]
        rules = (self._comparison, self._comparison, self._logic, self._equality, self._reduction, self._not)
        rules += (lambda _: compared(self), lambda d: chosen_whole(self, "bool", d, True).text)
        return Typed(self.random.choice(rules)(depth - 1), type_, TRUTH)

    def _comparison(self, depth: int) -> str:
        type_ = self.random.choice(("float", "int"))
        left, right = self.exact(type_, depth), self.exact(type_, depth)
        operator = self.random.choice(("<", ">", "<=", ">="))
        self.features.add(f"{type_}{operator}")
        return f"({left.text} {operator} {right.text})"

    def _equality(self, depth: int) -> str:
        type_ = self.random.choice(("float", "int", "bool", "vec3", "ivec2", "bvec4"))
        left, right = self.exact(type_, depth), self.exact(type_, depth)
        operator = self.random.choice(("==", "!="))
        self.features.add(f"{type_}{operator}")
        return f"({left.text} {operator} {right.text})"

    def _logic(self, depth: int) -> str:
        operator = self.random.choice(("&&", "||", "^^"))
        self.features.add(operator)
        return f"({self.condition(depth).text} {operator} {self.condition(depth).text})"

    def _not(self, depth: int) -> str:
        self.features.add("!")
        return f"(!{self.condition(depth).text})"

    def _reduction(self, depth: int) -> str:
        name = self.random.choice(("any", "all"))
        self.features.add(name)
        return f"{name}({self.make(f'bvec{self.random.randint(2, 4)}', depth).text})"

    def _bool_vector(self, type_: str, depth: int) -> Typed:
        count = width(type_)
        choice = self.random.randrange(4)
        if choice == 0:
            return self._construct(type_, depth, True)
        if choice == 1:
            self.features.add("not")
            return Typed(f"not({self.make(type_, depth).text})", type_, TRUTH)
        names = ["lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual"]
        name = self.random.choice(names)
        kind = self.random.choice(("float", "int") if "Than" in name else ("float", "int", "bool"))
        left, right = (self.exact(vector_of(kind, count), depth) for _ in range(2))
        self.features.add(name)
        return Typed(f"{name}({left.text}, {right.text})", type_, TRUTH)

    # --------------------------------------------------------------------------------- built-ins
    def _exact_builtin(self, type_: str, depth: int, exact: bool) -> Typed:
        name = self.random.choice(tuple(_EXACT_BUILTINS))
        self.features.add(name)
        return _EXACT_BUILTINS[name](self, type_, depth, exact)

    def _rounding_builtin(self, type_: str, depth: int, _exact: bool) -> Typed:
        names = _ROUNDING_BUILTINS if type_ == "float" else {**_ROUNDING_BUILTINS, **_VECTOR_BUILTINS}
        if type_ == "float":
            names = {**names, **_SCALAR_BUILTINS}
        name = self.random.choice(tuple(names))
        self.features.add(name)
        template, magnitude = names[name]
        arguments = [self.make(type_, depth).text for _ in range(3)]
        vector = self.make(f"vec{self.random.choice((2, 3, 4))}", depth)
        same = self.make(vector.type, depth).text
        text = template.format(a=arguments[0], b=arguments[1], c=arguments[2], v=vector.text, w=same)
        return Typed(text, type_, Fact(magnitude, 0, exact=False))


def _unary(name: str, fact: Callable[[Fact], Fact]) -> Callable[[Expressions, str, int, bool], Typed]:
    """A built-in of one exact argument."""

    def write(e: Expressions, type_: str, depth: int, _exact: bool) -> Typed:
        inner = e.exact(type_, depth)
        return Typed(f"{name}({inner.text})", type_, fact(inner.fact))

    return write


def _extreme(name: str) -> Callable[[Expressions, str, int, bool], Typed]:
    """min and max, continuous and so fit for approximate values."""

    def write(e: Expressions, type_: str, depth: int, exact: bool) -> Typed:
        left = e.make(type_, depth, exact)
        right = e.make(e.random.choice((type_, "float")), depth, exact)
        return Typed(f"{name}({left.text}, {right.text})", type_, left.fact.join(right.fact))

    return write


def _abs(e: Expressions, type_: str, depth: int, exact: bool) -> Typed:
    inner = e.make(type_, depth, exact)
    return Typed(f"abs({inner.text})", type_, inner.fact)


def _clamp_builtin(e: Expressions, type_: str, depth: int, exact: bool) -> Typed:
    inner = e.make(type_, depth, exact)
    low, high = sorted(e.random.sample((-2.0, -1.0, 0.0, 0.5, 1.0, 3.0), 2))
    ends = (float_text(low), float_text(high))
    if e.random.random() < 0.5:
        ends = (f"{type_}({ends[0]})", f"{type_}({ends[1]})")
    grain = max(inner.fact.grain, 1)
    return Typed(f"clamp({inner.text}, {ends[0]}, {ends[1]})", type_, Fact(3.0, grain, inner.fact.exact))


def _mod_builtin(e: Expressions, type_: str, depth: int, _exact: bool) -> Typed:
    inner = e.exact(type_, depth)
    modulus = e.random.choice((1.0, 2.0, 4.0))
    form = float_text(modulus) if e.random.random() < 0.5 else f"{type_}({float_text(modulus)})"
    return Typed(f"mod({inner.text}, {form})", type_, Fact(modulus, inner.fact.grain))


def _step_builtin(e: Expressions, type_: str, depth: int, _exact: bool) -> Typed:
    edge = e.exact(e.random.choice((type_, "float")), depth)
    return Typed(f"step({edge.text}, {e.exact(type_, depth).text})", type_, Fact(1.0))


def _mix_builtin(e: Expressions, type_: str, depth: int, exact: bool) -> Typed:
    left, right = (e.fit(e.make(type_, depth, exact), for_variable=True) for _ in range(2))
    weight = e.random.choice((0.0, 0.25, 0.5, 1.0))
    form = float_text(weight) if e.random.random() < 0.5 else f"{type_}({float_text(weight)})"
    fact = left.fact.join(right.fact)
    return Typed(f"mix({left.text}, {right.text}, {form})", type_, Fact(fact.magnitude * 2, fact.grain + 2, fact.exact))


def _dot_builtin(e: Expressions, type_: str, depth: int, exact: bool) -> Typed:
    if type_ != "float":
        return _abs(e, type_, depth, exact)
    vector = f"vec{e.random.randint(2, 4)}"
    left, right = (e.fit(e.make(vector, depth, exact), for_variable=True) for _ in range(2))
    fact = left.fact.multiply(right.fact)
    return Typed(f"dot({left.text}, {right.text})", type_, Fact(fact.magnitude * 4, fact.grain, fact.exact))


def _cross_builtin(e: Expressions, type_: str, depth: int, exact: bool) -> Typed:
    if type_ != "vec3":
        return _abs(e, type_, depth, exact)
    left, right = (e.fit(e.make(type_, depth, exact), for_variable=True) for _ in range(2))
    fact = left.fact.multiply(right.fact)
    return Typed(f"cross({left.text}, {right.text})", type_, Fact(fact.magnitude * 2, fact.grain, fact.exact))


def _faceforward(e: Expressions, type_: str, depth: int, exact: bool) -> Typed:
    first = e.make(type_, depth, exact)
    second, third = (e.fit(e.exact(type_, depth), for_variable=True).text for _ in range(2))
    return Typed(f"faceforward({first.text}, {second}, {third})", type_, first.fact)


#: Built-ins whose result is exact for exact arguments.
_EXACT_BUILTINS: dict[str, Callable[[Expressions, str, int, bool], Typed]] = {
    "abs": _abs,
    "sign": _unary("sign", lambda _: Fact(1.0)),
    "floor": _unary("floor", lambda f: Fact(f.magnitude + 1)),
    "ceil": _unary("ceil", lambda f: Fact(f.magnitude + 1)),
    "fract": _unary("fract", lambda f: Fact(1.0, f.grain)),
    "mod": _mod_builtin,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "clamp": _clamp_builtin,
    "mix": _mix_builtin,
    "step": _step_builtin,
    "dot": _dot_builtin,
    "cross": _cross_builtin,
    "faceforward": _faceforward,
}

#: Built-ins that round: template over arguments a b c (of the result's type) and vectors v w, with
#: the domain kept away from singular points, and a bound of the result.
_ROUNDING_BUILTINS: dict[str, tuple[str, float]] = {
    "radians": ("radians({a})", 64.0),
    "degrees": ("degrees(clamp({a}, -1.0, 1.0))", 58.0),
    "sin": ("sin({a})", 1.0),
    "cos": ("cos({a})", 1.0),
    "tan": ("tan(clamp({a}, -1.0, 1.0))", 1.6),
    "asin": ("asin(clamp({a}, -0.875, 0.875))", 1.6),
    "acos": ("acos(clamp({a}, -0.875, 0.875))", 3.2),
    "atan": ("atan({a})", 1.6),
    "atan2": ("atan({a}, abs({b}) + 0.5)", 1.6),
    "pow": ("pow(clamp(abs({a}), 0.5, 4.0), clamp({b}, -2.0, 2.0))", 16.0),
    "exp": ("exp(clamp({a}, -3.0, 3.0))", 21.0),
    "log": ("log(clamp(abs({a}), 0.25, 64.0))", 5.0),
    "exp2": ("exp2(clamp({a}, -4.0, 4.0))", 16.0),
    "log2": ("log2(clamp(abs({a}), 0.25, 64.0))", 6.0),
    "sqrt": ("sqrt(clamp(abs({a}), 0.25, 64.0))", 8.0),
    "inversesqrt": ("inversesqrt(clamp(abs({a}), 0.25, 64.0))", 2.0),
    "smoothstep": ("smoothstep(-1.0, 2.0, {a})", 1.0),
    "normalize": ("normalize(clamp(abs({a}), 0.25, 8.0))", 1.0),
    "mix-by-value": ("mix(clamp({a}, -8.0, 8.0), clamp({b}, -8.0, 8.0), clamp({c}, 0.0, 1.0))", 16.0),
}
_SCALAR_BUILTINS: dict[str, tuple[str, float]] = {
    "length": ("length(clamp({v}, -8.0, 8.0))", 16.0),
    "distance": ("distance(clamp({v}, -8.0, 8.0), clamp({w}, -8.0, 8.0))", 32.0),
}
_VECTOR_BUILTINS: dict[str, tuple[str, float]] = {
    "reflect": ("reflect(clamp({a}, -4.0, 4.0), normalize(clamp(abs({b}), 0.25, 8.0)))", 24.0),
    "refract": ("refract(normalize(clamp(abs({a}), 0.25, 8.0)), normalize(clamp(abs({b}), 0.25, 8.0)), 0.5)", 4.0),
}
