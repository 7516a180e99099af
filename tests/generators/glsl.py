"""Random typed GLSL ES 1.00 programs with inputs: the oracle for frontend, passes and backends.

Programs are well defined by construction: variables are initialised, loops bounded, indices in range,
domains respected, and no branch depends on a value that a number format could round (`glsl_facts.py`).
Two implementations that both follow the language therefore agree, except for the rounding of approximate
outputs.  `generate(random, stage)` is deterministic; `programs(stage)` is the hypothesis strategy.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from glslc_multi.compiler.records import dataclass, field
from tests.generators.glsl_expressions import Expressions
from tests.generators.glsl_facts import APPROXIMATE, EXACT, TRUTH, WHOLE, Fact, Slot, base, is_matrix, width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

Stage = Literal["vertex", "fragment"]
LANES = 16
_LOCAL_TYPES = ("float", "vec2", "vec3", "vec4", "int", "ivec2", "ivec3", "bool", "bvec2", "mat2", "mat3", "mat4")
_FLOAT_TYPES = ("float", "vec2", "vec3", "vec4")


@dataclass(slots=True)
class Program:
    """A generated shader and what to run it on; names and shapes as in the `glsl-exec-1` records."""

    stage: Stage
    source: str
    uniforms: dict[str, Any]
    #: Input -> one value a lane.
    inputs: dict[str, list[Any]]
    #: Sampler -> kind and rows of texels 0..255, as the record schema has them before encoding.
    textures: dict[str, dict[str, Any]]
    #: Output -> whether its value is exact in every number format.
    outputs: dict[str, bool]
    quads: bool
    #: Language features written, for coverage tests.
    features: set[str] = field(default_factory=set)


def generate(random: Random, stage: Stage, statements: int = 8) -> Program:
    """A program of about `statements` statements in `main`."""
    return _Writer(random, stage, statements).program()


def programs(stage: Stage, statements: int = 8) -> SearchStrategy[Program]:
    """Hypothesis strategy of programs."""
    from hypothesis import strategies

    randoms = strategies.randoms(use_true_random=False)
    return strategies.builds(lambda random: generate(random, stage, statements), randoms)


def fact_of(type_: str, exact: bool) -> Fact:
    """What a variable of this type and class holds."""
    if base(type_) == "int":
        return WHOLE
    if base(type_) == "bool":
        return TRUTH
    return EXACT if exact else APPROXIMATE


class _Writer:
    """Writes one program from top to bottom."""

    def __init__(self, random: Random, stage: Stage, statements: int) -> None:
        self.random = random
        self.stage: Stage = stage
        self.statements = statements
        self.lines: list[str] = []
        self.indent = 0
        self.slots: list[Slot] = []
        self.uniforms: dict[str, Any] = {}
        self.inputs: dict[str, list[Any]] = {}
        self.textures: dict[str, dict[str, Any]] = {}
        self.outputs: dict[str, bool] = {}
        self.samplers: list[tuple[str, str]] = []
        self.counter = 0
        #: Varyings of a vertex shader: written first and last, never read.
        self.write_only: list[Slot] = []
        #: Written functions: name, return type, type of the inout parameter, whether it takes an array.
        self.functions: list[tuple[str, str, str, bool]] = []
        #: Loops around the current statement.
        self.loops = 0
        self.in_function = False
        self.expressions = Expressions(random, self.slots, fragment=stage == "fragment", samplers=self.samplers)

    def program(self) -> Program:
        if self.stage == "fragment":
            self._line("#extension GL_OES_standard_derivatives : enable")
            self._line("precision highp float;")
        head = len(self.lines)
        self._interface()
        self._globals()
        for _ in range(self.random.randint(0, 3)):
            self._function()
        self._main()
        self.lines[head:head] = self.expressions.helpers()
        source = "\n".join(self.lines) + "\n"
        features = self.expressions.features
        quads = self.stage == "fragment"
        return Program(self.stage, source, self.uniforms, self.inputs, self.textures, self.outputs, quads, features)

    # -------------------------------------------------------------------------------- interface
    def _interface(self) -> None:
        qualifier = "attribute" if self.stage == "vertex" else "varying"
        for number in range(self.random.randint(1, 3)):
            self._input(qualifier, f"in{number}")
        for number in range(self.random.randint(1, 4)):
            self._uniform(f"u{number}")
        for number in range(self.random.randint(0, 2)):
            self._sampler(f"s{number}")
        if self.stage == "vertex":
            for number in range(2):
                type_ = self.random.choice(_FLOAT_TYPES)
                self._line(f"varying {type_} out{number};")
                self.outputs[f"out{number}"] = False
                self._add(f"out{number}", type_, exact=False, writable=True, readable=False)
            self.outputs["gl_Position"] = True
        else:
            self.outputs["gl_FragColor"] = False

    def _input(self, qualifier: str, name: str) -> None:
        """A vector, now and then a matrix or, among varyings, an array."""
        form = self.random.random()
        type_ = self.random.choice(("mat2", "mat3") if form < 0.15 else _FLOAT_TYPES)
        if form > 0.85 and qualifier == "varying":
            self._line(f"{qualifier} {type_} {name}[2];")
            self.inputs[name] = [[self._value(type_) for _ in range(2)] for _ in range(LANES)]
            self._add_elements(name, "", type_, 2, writable=False)
            self.expressions.features.add("varying-array")
            return
        self._line(f"{qualifier} {type_} {name};")
        self.inputs[name] = [self._value(type_) for _ in range(LANES)]
        self._add(name, type_, exact=True, writable=False)
        if is_matrix(type_):
            self.expressions.features.add(f"{qualifier}-matrix")
            self._add(f"{name}[{self.expressions.index(2, 1)}]", f"vec{width(type_)}", exact=True, writable=False)

    def _uniform(self, name: str) -> None:
        form = self.random.choice(("plain", "plain", "array", "struct", "struct-array"))
        self.expressions.features.add(f"uniform-{form}")
        if form == "plain":
            type_ = self.random.choice(_LOCAL_TYPES)
            self._line(f"uniform {type_} {name};")
            self.uniforms[name] = self._value(type_)
            self._add(name, type_, exact=True, writable=False)
        elif form == "array":
            type_ = self.random.choice(("float", "vec2", "vec4", "mat2", "int", "bool"))
            self._line(f"uniform {type_} {name}[4];")
            self.uniforms[name] = [self._value(type_) for _ in range(4)]
            self._add_elements(name, "", type_, 4, writable=False)
        else:
            self._struct_uniform(name, is_array=form == "struct-array")

    def _struct_uniform(self, name: str, is_array: bool) -> None:
        self._line(f"struct S_{name} {{ vec3 a; float b[2]; int c; mat2 d; }};")
        self._line(f"uniform S_{name} {name}{'[2]' if is_array else ''};")
        for prefix in [f"{name}[0]", f"{name}[1]"] if is_array else [name]:
            self.uniforms[f"{prefix}.a"] = self._value("vec3")
            self.uniforms[f"{prefix}.b"] = [self._value("float") for _ in range(2)]
            self.uniforms[f"{prefix}.c"] = self._value("int")
            self.uniforms[f"{prefix}.d"] = self._value("mat2")
        prefix = f"{name}[{self.expressions.index(2, 1)}]" if is_array else name
        for member, type_ in (("a", "vec3"), ("c", "int"), ("d", "mat2")):
            self._add(f"{prefix}.{member}", type_, exact=True, writable=False)
        self._add_elements(f"{prefix}.b", "", "float", 2, writable=False)

    def _sampler(self, name: str) -> None:
        kind = self.random.choice(("sampler2D", "sampler2D", "samplerCube"))
        self._line(f"uniform {kind} {name};")
        self.samplers.append((kind, name))
        faces = 6 if kind == "samplerCube" else 1
        size = 2 if faces == 6 else 8
        data = [self.random.randrange(256) for _ in range(faces * size * size * 4)]
        self.textures[name] = {"kind": "cube" if faces == 6 else "2d", "width": size, "height": size, "data": data}

    def _value(self, type_: str) -> Any:
        """A random value that variables of the exact class can hold."""
        if is_matrix(type_):
            return [self.random.randint(-16, 16) / 8 for _ in range(width(type_) ** 2)]
        draw: Callable[[], float | int | bool]
        if base(type_) == "int":
            draw = lambda: self.random.randint(-9, 9)  # noqa: E731
        elif base(type_) == "bool":
            draw = lambda: self.random.random() < 0.5  # noqa: E731
        else:
            draw = lambda: self.random.randint(-32, 32) / 8  # noqa: E731
        return draw() if width(type_) == 1 else [draw() for _ in range(width(type_))]

    # ---------------------------------------------------------------------------------- scope
    def _add(self, text: str, type_: str, *, exact: bool, writable: bool, readable: bool = True) -> None:
        slot = Slot(text, type_, fact_of(type_, exact), writable)
        if readable:
            self.slots.append(slot)
        else:
            self.write_only.append(slot)

    def _add_elements(self, name: str, suffix: str, type_: str, length: int, writable: bool) -> None:
        """Slots for elements of an array, with constant and computed indices."""
        for index in dict.fromkeys((self.expressions.index(length, 1), str(self.random.randrange(length)))):
            self._add(f"{name}[{index}]{suffix}", type_, exact=True, writable=writable)

    @contextmanager
    def _scope(self, *, uniform_flow: bool | None = None) -> Iterator[None]:
        """A nested block: what is declared inside goes out of scope at its end."""
        depth, flow = len(self.slots), self.expressions.uniform_flow
        if uniform_flow is not None:
            self.expressions.uniform_flow = uniform_flow and flow
        self.indent += 1
        yield
        self.indent -= 1
        del self.slots[depth:]
        self.expressions.uniform_flow = flow

    def _fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    # -------------------------------------------------------------------------- globals, functions
    def _globals(self) -> None:
        for _ in range(self.random.randint(0, 2)):
            type_, name = self.random.choice(_LOCAL_TYPES), self._fresh("g")
            # No names are in scope, and one level keeps helper functions out: a constant expression.
            value = Expressions(self.random, [], fragment=False, samplers=()).exact(type_, 1)
            qualifier = self.random.choice(("const ", ""))
            self.expressions.features.add("global-const" if qualifier else "global")
            self._line(f"{qualifier}{type_} {name} = {value.text};")
            self.slots.append(Slot(name, type_, fact_of(type_, exact=True).join(value.fact), not qualifier))

    def _function(self) -> None:
        """A helper with in, out and inout parameters and an early return."""
        name = self._fresh("f")
        type_ = self.random.choice(("float", "vec3", "vec4"))
        changed = self.random.choice(("vec2", "float", "int"))
        array = self.random.random() < 0.3
        extra = ", in float list[2]" if array else ""
        self._line(f"{type_} {name}(in {type_} a, const float b, inout {changed} c, out vec2 d{extra}) {{")
        outer = list(self.slots)
        # Functions see globals, but not what main declares later.
        with self._scope(uniform_flow=False):
            self.in_function = True
            self._add("a", type_, exact=False, writable=True)
            self._add("b", "float", exact=True, writable=False)
            self._add("c", changed, exact=True, writable=True)
            if array:
                self._add_elements("list", "", "float", 2, writable=False)
            self._line(f"d = {self.expressions.stored('vec2', 2, exact=True).text};")
            if self.random.random() < 0.5:
                self.expressions.features.add("early-return")
                self._line(f"if ({self.expressions.condition(2).text}) return {self._result(type_)};")
            for _ in range(self.random.randint(1, 3)):
                self._statement(2)
            self._line(f"return {self._result(type_)};")
            self.in_function = False
        self._line("}")
        self.slots[:] = outer
        self.expressions.features.add("inout")
        self.functions.append((name, type_, changed, array))

    def _result(self, type_: str) -> str:
        return self.expressions.stored(type_, 2, exact=False).text

    def _call(self, depth: int) -> None:
        """A call with variables for its out parameters.  It is a statement of its own, since the language
        leaves open when side effects of operands happen."""
        if not self.functions or self.in_function:
            return self._declare(depth)
        name, type_, changed, array = self.random.choice(self.functions)
        result, c, d, values = (self._fresh(prefix) for prefix in ("v", "c", "d", "list"))
        arguments = [self.expressions.stored(type_, 2, exact=False).text]
        arguments += [self.expressions.stored("float", 2, exact=True).text, c, d]
        self._line(f"{changed} {c} = {self.expressions.stored(changed, 1, exact=True).text};")
        self._line(f"vec2 {d};")
        if array:
            self._line(f"float {values}[2];")
            self._line(f"{values}[0] = 1.5; {values}[1] = -0.25;")
            arguments.append(values)
        self._line(f"{type_} {result} = {name}({', '.join(arguments)});")
        self.expressions.features.add("call")
        self._add(result, type_, exact=False, writable=True)
        self._add(c, changed, exact=True, writable=True)
        return self._add(d, "vec2", exact=True, writable=True)

    # ------------------------------------------------------------------------------------- main
    def _main(self) -> None:
        self._line("void main() {")
        with self._scope():
            for slot in self.write_only:
                self._line(f"{slot.text} = {self.expressions.stored(slot.type, 2, exact=False).text};")
            for _ in range(self.statements):
                self._statement(3)
            self._finish()
        self._line("}")

    def _finish(self) -> None:
        """Write the outputs, so that most of what was computed reaches one."""
        for slot in self.write_only:
            self._line(f"{slot.text} = {self.expressions.stored(slot.type, 3, exact=False).text};")
        if self.stage == "vertex":
            self._line(f"gl_Position = {self.expressions.stored('vec4', 3, exact=True).text};")
            return
        if self.random.random() < 0.3:
            self.expressions.features.add("discard")
            self._line(f"if ({self.expressions.condition(2).text}) discard;")
            self.expressions.uniform_flow = False
        self._line(f"gl_FragColor = {self.expressions.stored('vec4', 4, exact=False).text};")

    # ------------------------------------------------------------------------------- statements
    def _statement(self, depth: int) -> None:
        kinds: list[Callable[[int], None]] = [
            self._declare,
            self._declare,
            self._declare_array,
            self._assign,
            self._assign,
            self._assign_component,
            self._step,
            self._struct,
            self._call,
        ]
        if depth > 0:
            kinds += [self._if, self._for, self._while]
        if self.loops and depth > 0:
            kinds.append(self._leave)
        self.random.choice(kinds)(depth)

    def _declare(self, _depth: int) -> None:
        type_, name = self.random.choice(_LOCAL_TYPES), self._fresh("v")
        exact = base(type_) != "float" or self.random.random() < 0.6
        value = self.expressions.stored(type_, 3, exact)
        qualifier = self.random.choice(("", "", "highp ")) if base(type_) != "bool" else ""
        self._line(f"{qualifier}{type_} {name} = {value.text};")
        self._add(name, type_, exact=exact, writable=True)

    def _declare_array(self, _depth: int) -> None:
        type_, name = self.random.choice(("float", "vec3", "int", "mat2")), self._fresh("arr")
        self._line(f"{type_} {name}[4];")
        self._line(f"for (int i = 0; i < 4; i++) {name}[i] = {self._array_value(type_)};")
        self.expressions.features.add("array")
        self._add_elements(name, "", type_, 4, writable=True)

    def _array_value(self, type_: str) -> str:
        self.slots.append(Slot("i", "int", Fact(3), False))
        text = self.expressions.stored(type_, 2, exact=True).text
        self.slots.pop()
        return text

    def _struct(self, _depth: int) -> None:
        """A struct variable: constructor, member access, assignment, comparison."""
        name, other = self._fresh("T"), self._fresh("t")
        self._line(f"struct {name} {{ vec2 p; float q; }};")
        first, second = (self.expressions.stored(t, 2, exact=True).text for t in ("vec2", "float"))
        self._line(f"{name} {other} = {name}({first}, {second});")
        copy = self._fresh("t")
        self._line(f"{name} {copy} = {other};")
        self._line(f"{copy}.q {self.random.choice(('=', '+='))} {self._literal_float()};")
        self._line(f"bool {copy}_same = {other} {self.random.choice(('==', '!='))} {copy};")
        self.expressions.features.add("struct")
        self._add(f"{copy}_same", "bool", exact=True, writable=True)
        for member, type_ in (("p", "vec2"), ("q", "float")):
            # The sum above may exceed what variables hold by one literal.
            fact = Fact(EXACT.magnitude + 4, EXACT.grain)
            self.slots.append(Slot(f"{copy}.{member}", type_, fact, True))

    def _literal_float(self) -> str:
        return self.random.choice(("0.5", "2.0", "(-1.0)"))

    def _writable(self) -> Slot | None:
        slots = [slot for slot in self.slots if slot.writable]
        return self.random.choice(slots) if slots else None

    def _assign(self, depth: int) -> None:
        slot = self._writable()
        if slot is None:
            return self._declare(depth)
        value = self.expressions.stored(slot.type, 3, slot.fact.exact)
        if base(slot.type) != "float" or is_matrix(slot.type) or self.random.random() < 0.6:
            return self._line(f"{slot.text} = {value.text};")
        # A compound assignment, brought back into the bounds of variables by a second statement.
        operator = self.random.choice("+-")
        self.expressions.features.add(f"{operator}=")
        self._line(f"{slot.text} {operator}= {value.text};")
        limit = "16.0" if slot.fact.exact else "64.0"
        return self._line(f"{slot.text} = clamp({slot.text}, -{limit}, {limit});")

    def _assign_component(self, depth: int) -> None:
        """v.yx = ..., v[i] = ..."""
        slots = [s for s in self.slots if s.writable and width(s.type) > 1 and not is_matrix(s.type)]
        if not slots:
            return self._declare(depth)
        slot = self.random.choice(slots)
        count = self.random.randint(1, width(slot.type))
        part = (
            {"float": "vec", "int": "ivec", "bool": "bvec"}[base(slot.type)] + str(count)
            if count > 1
            else base(slot.type)
        )
        value = self.expressions.stored(part, 2, slot.fact.exact)
        self.expressions.features.add("component-write")
        if count == 1 and self.random.random() < 0.5:
            index = self.expressions.index(width(slot.type), 1) if width(slot.type) != 3 else "1"
            return self._line(f"{slot.text}[{index}] = {value.text};")
        letters = "".join(self.random.sample("xyzw"[: width(slot.type)], count))
        return self._line(f"{slot.text}.{letters} = {value.text};")

    def _step(self, depth: int) -> None:
        """++ and --, as statements and inside expressions."""
        slots = [s for s in self.slots if s.writable and s.type in ("int", "float", "ivec2", "vec3") and s.fact.exact]
        if not slots:
            return self._declare(depth)
        slot = self.random.choice(slots)
        operator = self.random.choice(("++", "--"))
        self.expressions.features.add(operator)
        name = self._fresh("v")
        form = f"{slot.text}{operator}" if self.random.random() < 0.5 else f"{operator}{slot.text}"
        self._line(f"{slot.type} {name} = {form};")
        undo = "--" if operator == "++" else "++"
        return self._line(f"{slot.text}{undo};")

    def _if(self, depth: int) -> None:
        self.expressions.features.add("if")
        self._line(f"if ({self.expressions.condition(3).text}) {{")
        with self._scope(uniform_flow=False):
            self._statement(depth - 1)
        if self.random.random() < 0.5:
            self._line("} else {")
            with self._scope(uniform_flow=False):
                self._statement(depth - 1)
        self._line("}")

    def _for(self, depth: int) -> None:
        counter, limit = self._fresh("i"), self.random.randint(1, 5)
        header = self.random.choice(
            (
                f"for (int {counter} = 0; {counter} < {limit}; {counter}++) {{",
                f"for (int {counter} = {limit}; {counter} > 0; --{counter}) {{",
                f"for (int {counter} = 0; {counter} <= {2 * limit}; {counter} += 2) {{",
            )
        )
        self.expressions.features.add("for")
        self._line(header)
        self._body(depth, Slot(counter, "int", Fact(10), False))
        self._line("}")

    def _while(self, depth: int) -> None:
        """while and do loops over a counter of their own."""
        counter, limit = self._fresh("n"), self.random.randint(1, 4)
        self._line(f"int {counter} = 0;")
        slot = Slot(counter, "int", Fact(limit + 1), False)
        if self.random.random() < 0.5:
            self.expressions.features.add("while")
            self._line(f"while ({counter} < {limit}) {{")
            self._body(depth, slot, first=f"{counter}++;")
            self._line("}")
            return
        self.expressions.features.add("do")
        self._line("do {")
        self._body(depth, slot, first=f"{counter} += 1;")
        self._line(f"}} while ({counter} < {limit});")

    def _body(self, depth: int, counter: Slot, first: str = "") -> None:
        """A loop's body; `first` advances the counter before a continue could skip it."""
        with self._scope(uniform_flow=False):
            self.slots.append(counter)
            self.loops += 1
            if first:
                self._line(first)
            for _ in range(self.random.randint(1, 2)):
                self._statement(depth - 1)
            self.loops -= 1

    def _leave(self, _depth: int) -> None:
        word = self.random.choice(("break", "continue"))
        self.expressions.features.add(word)
        self._line(f"if ({self.expressions.condition(2).text}) {word};")
