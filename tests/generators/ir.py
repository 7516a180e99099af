"""Random well-formed IR modules with inputs: nested ifs, loops with breaks, phis, arrays, calls, discard.

`generate(random)` builds a `Program` whose module passes `verify_module(module, final=True)`, ends on
every input (loops count), and computes values that are exact in every target's number format (see
`ir_values.py`), so that two ways of running it must agree bit for bit.  `programs()` is the same as a
hypothesis strategy.  Texture lookups are left out unless asked for: their caller must bind textures
whose texels are quarters between 0 and 1, without filtering.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies

from glslc_multi.compiler.diagnostics.span import Origin, SourceFile, Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Block, Function, Module, Value
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, SAMPLER_2D, VEC2, VEC4, Type
from glslc_multi.compiler.ir.variables import Stage, Storage, Variable
from glslc_multi.compiler.records import dataclass, field
from tests.compiler.diagnostics.origins import with_origin
from tests.generators.ir_values import STORED, UNIT, Fact, Values

_TRIP_LIMIT = 4
_DEPTH_LIMIT = 3


@dataclass(slots=True)
class Program:
    """A module and values to run it with: nested lists, (lanes, [elements,] [columns,] [components])."""

    module: Module
    lanes: int
    inputs: dict[str, Any] = field(default_factory=dict)
    uniforms: dict[str, Any] = field(default_factory=dict)


def generate(
    random: Random, *, statements: int = 12, lanes: int = 4, textures: bool = False, spans: bool = False
) -> Program:
    """A program of about `statements` statements in `main`."""
    return _Generator(random, lanes, textures, spans).program(statements)


@strategies.composite
def programs(draw: strategies.DrawFn, statements: int = 8, textures: bool = False) -> Program:
    """`generate` as a strategy; hypothesis shrinks the random choices."""
    return generate(draw(strategies.randoms(use_true_random=False)), statements=statements, textures=textures)


class _Generator:
    """Builds the module: interface, helper functions, `main`."""

    def __init__(self, random: Random, lanes: int, textures: bool, spans: bool) -> None:
        self.random = random
        self.spans = spans
        stages: tuple[Stage, ...] = ("vertex", "fragment")
        self.module = Module(random.choice(stages), "generated")
        self.result = Program(self.module, lanes)
        self.helpers: list[Function] = []
        self._declare_interface(textures)

    def program(self, statements: int) -> Program:
        for number in range(self.random.randint(0, 2)):
            self.helpers.append(self._helper(number))
        _FunctionGenerator(self, self.module.add_function("main")).main(statements)
        return self.result

    # interface -----------------------------------------------------------------------------
    def _declare_interface(self, textures: bool) -> None:
        storage: Storage = "attribute" if self.module.stage == "vertex" else "varying"
        for number in range(self.random.randint(1, 3)):
            width = self.random.randint(1, 4)
            self._declare(Variable(f"in_{number}", storage, FLOAT.with_width(width), precision="highp"))
        self._declare(Variable("u_matrix", "uniform", VEC4, columns=4, layout=self.random.choice(("rows", "columns"))))
        self._declare(Variable("u_lights[].color", "uniform", FLOAT.with_width(3), dims=(self.random.randint(2, 4),)))
        self._declare(Variable("u_count", "uniform", INT, precision="mediump"))
        self._declare(Variable("u_flags", "uniform", BOOL.with_width(self.random.randint(1, 4)), dims=(2, 2)))
        self._declare_outputs()
        if textures:
            self.module.add_variable(Variable("u_maps", "sampler", SAMPLER_2D, dims=(2,), precision="lowp"))

    def _declare_outputs(self) -> None:
        add = self.module.add_variable
        if self.module.stage == "fragment":
            add(Variable("gl_FragData", "output", VEC4, dims=(self.random.randint(1, 2),), role="frag_data"))
            return
        add(Variable("gl_Position", "output", VEC4, precision="highp", role="position"))
        add(Variable("v_frame", "varying", FLOAT.with_width(3), columns=2, invariant=self.random.random() < 0.5))
        add(Variable("v_weights", "varying", FLOAT, dims=(self.random.randint(1, 3),), location=0))

    def _declare(self, variable: Variable) -> None:
        self.module.add_variable(variable)
        if variable.storage == "uniform":
            self.result.uniforms[variable.name] = self._value_of(variable)
        else:
            self.result.inputs[variable.name] = [self._value_of(variable) for _ in range(self.result.lanes)]

    def _value_of(self, variable: Variable) -> Any:
        """One value of the variable: lists for elements, columns and components, where it has them."""
        shape = [variable.length] * variable.is_array + [variable.columns] * variable.is_matrix
        return self._fill(shape + [variable.type.width] * (not variable.type.is_scalar), variable.type)

    def _fill(self, shape: list[int], type: Type) -> Any:
        if shape:
            return [self._fill(shape[1:], type) for _ in range(shape[0])]
        if type.kind == "float":
            return self.random.randint(-16, 16) / 4
        return self.random.randint(-4, 4) if type.kind == "int" else self.random.random() < 0.5

    # functions -----------------------------------------------------------------------------
    def _helper(self, number: int) -> Function:
        """`helper(parameter) -> result`, both variables of the function; it may call earlier ones."""
        function = self.module.add_function(f"helper_{number}")
        type = FLOAT.with_width(self.random.randint(1, 4))
        function.add_variable(Variable(f"helper_{number}.parameter", "local", type))
        function.add_variable(Variable(f"helper_{number}.result", "local", type))
        _FunctionGenerator(self, function).helper()
        return function

    def span(self) -> Span | None:
        """A made-up place, sometimes from a macro or an inlined call."""
        if not self.spans or self.random.random() < 0.2:
            return None
        span = self._range(self.random.choice(("a.vert", 'odd "name".vert', "größe.glsl")))
        while self.random.random() < 0.4:
            kind = self.random.choice(("macro", "inlined"))
            span = with_origin(span, Origin(kind, "SCALE", self._range("b.vert")))  # type: ignore[arg-type]
        return span

    def _range(self, file: str) -> Span:
        line, column = self.random.randint(1, 99), self.random.randint(1, 80)
        return Span(SourceFile(file), line, column, line, column + self.random.randint(0, 9))


class _FunctionGenerator:
    """Builds the statements of one function."""

    def __init__(self, owner: _Generator, function: Function) -> None:
        self.owner = owner
        self.random = owner.random
        self.module = owner.module
        self.function = function
        self.builder = Builder(function.add_block("entry"))
        self.values = Values(self.random, self.builder)
        self.exit: Block | None = None
        #: Locals that hold the outputs until the end of main.
        self.slots: dict[Variable, Variable] = {}
        self.array = function.add_variable(
            Variable(f"{function.name}.array", "local", self.values.type(), dims=(self.random.randint(2, 4),))
        )

    # whole functions -----------------------------------------------------------------------
    def main(self, statements: int) -> None:
        """Outputs live in locals until the one exit block stores them."""
        self.exit = self.function.add_block("exit")
        for output in self.module.outputs():
            self.slots[output] = self.function.add_variable(_slot(output))
        elements = [(output, index, column) for output in self.slots for index, column in _elements(output)]
        self._clear_array()
        for name in self.owner.result.inputs:
            self.values.add(self.builder.load(self.module.variables[name]), STORED)
        self._fill_slots(elements)
        self._statements(statements, 0)
        self._fill_slots(elements)
        self.builder.br(self.exit)
        self.builder.at_end_of(self.exit)
        for output, index, column in elements:
            self.builder.store(output, self.builder.load(self.slots[output], index, column), index, column)
        self.builder.ret()

    def _fill_slots(self, elements: list[tuple[Variable, int, int]]) -> None:
        for output, index, column in elements:
            value = self.values.bounded(self.values.pick(output.type))
            self.builder.store(self.slots[output], value, index, column)

    def helper(self) -> None:
        parameter, result, _ = self.function.variables.values()
        self._clear_array()
        self.values.add(self.builder.load(parameter), STORED)
        self._statements(3, 1)
        self.builder.store(result, self.values.bounded(self.values.pick(result.type)))
        self.builder.ret()

    def _clear_array(self) -> None:
        for index in range(self.array.length):
            self.builder.store(self.array, self.values.constant(self.array.type), index)

    # statements ----------------------------------------------------------------------------
    def _statements(self, count: int, depth: int) -> None:
        kinds = [self._compute] * 8 + [self._load, self._load, self._store, self._call]
        nested = [self._if, self._if, self._loop, self._loop, self._leave] if depth < _DEPTH_LIMIT else []
        for _ in range(count):
            self.builder.span = self.owner.span()
            self.builder.flags = self.random.choice((0, 0, 0, PRECISE, RELAXED))
            kind = self.random.choice([*kinds, *nested])
            kind(depth)

    def _compute(self, _depth: int) -> None:
        self.values.compute()

    def _load(self, _depth: int) -> None:
        outputs = set(self.module.outputs())
        readable = [v for v in self.module.variables.values() if v not in outputs and v.storage != "local"]
        variable = self.random.choice([*readable, self.array])
        if variable.storage == "sampler":
            coordinate = self.values.pick(VEC2)
            lookup = self.builder.texture(variable, coordinate, index=self._index(variable.length))
            self.values.add(lookup, Fact(0.0, 1.0, 2))
            return
        value = self.builder.load(variable, self._index(variable.length), self._index(variable.columns))
        self.values.add(value, UNIT if variable.type.kind == "bool" else STORED)

    def _index(self, length: int) -> Value | int:
        """A constant, or a value where there is something to choose from."""
        if length > 1 and self.random.random() < 0.5:
            return self.values.index(length)
        return self.random.randrange(length)

    def _store(self, _depth: int) -> None:
        variable = self.random.choice([self.array, *self.slots.values()])
        value = self.values.bounded(self.values.pick(variable.type))
        self.builder.store(variable, value, self._index(variable.length), self._index(variable.columns))

    def _call(self, _depth: int) -> None:
        callees = [helper for helper in self.owner.helpers if helper is not self.function]
        if not callees:
            return
        callee = self.random.choice(callees)
        parameter, result, _ = callee.variables.values()
        self.builder.store(parameter, self.values.bounded(self.values.pick(parameter.type)))
        self.builder.call(callee)
        self.values.add(self.builder.load(result), STORED)

    def _leave(self, _depth: int) -> None:
        """Go to the exit on a condition: an early return of main, or a discard."""
        if self.exit is None:
            return
        condition = self.values.condition()
        if self.module.stage == "fragment" and self.random.random() < 0.5:
            self.builder.kill(condition)
        stay = self.function.add_block("stay")
        self.builder.condbr(condition, self.exit, stay)
        self.builder.at_end_of(stay)

    def _if(self, depth: int) -> None:
        type = self.values.type()
        before = self.values.pick(type)
        then, join = self.function.add_block("then"), self.function.add_block("join")
        has_else = self.random.random() < 0.5
        other = self.function.add_block("else") if has_else else join
        origin = self.builder.block
        self.builder.condbr(self.values.condition(), then, other)
        incoming = [self._arm(then, join, type, depth)]
        incoming.append(self._arm(other, join, type, depth) if has_else else (before, origin))
        self.builder.at_end_of(join)
        fact = self.values.facts[incoming[0][0]] | self.values.facts[incoming[1][0]]
        self.values.add(self.builder.phi(type, incoming), fact)

    def _arm(self, block: Block, join: Block, type: Type, depth: int) -> tuple[Value, Block]:
        """The statements of a branch; the value it hands to the join."""
        scope_length = len(self.values.scope)
        self.builder.at_end_of(block)
        self._statements(self.random.randint(0, 3), depth + 1)
        value = self.values.pick(type)
        del self.values.scope[scope_length:]
        self.builder.br(join)
        return value, self.builder.block

    def _loop(self, depth: int) -> None:
        """A loop that counts to a small constant and may break before that."""
        builder, values = self.builder, self.values
        trips = self.random.randint(1, _TRIP_LIMIT)
        header, body, after = (self.function.add_block(name) for name in ("loop", "body", "after"))
        carried_type = values.type()
        initial = values.bounded(values.pick(carried_type))
        origin = builder.block
        builder.br(header)
        builder.at_end_of(header)
        counter = builder.phi(INT, [(int_constant(0), origin)])
        carried = builder.phi(carried_type, [(initial, origin)])
        values.add(counter, Fact(0.0, trips))
        values.add(carried, STORED)
        scope_length = len(values.scope)
        builder.condbr(builder.op(ops.ILT, counter, int_constant(trips)), body, after)
        builder.at_end_of(body)
        values.add(counter, Fact(0.0, trips - 1))
        early = self._loop_body(after, carried_type, depth)
        carried.add_incoming(values.bounded(values.pick(carried_type)), builder.block)
        counter.add_incoming(builder.op(ops.IADD, counter, int_constant(1)), builder.block)
        builder.br(header)
        # The exit through the break has another last block, so the increment comes before it.
        for phi in (carried, counter):
            phi.attribute[1] = builder.block
        del values.scope[scope_length:]
        values.facts[counter] = Fact(0.0, trips)
        builder.at_end_of(after)
        incoming = [(carried, header), *early]
        values.add(builder.phi(carried_type, incoming), STORED)

    def _loop_body(self, after: Block, type: Type, depth: int) -> list[tuple[Value, Block]]:
        """The statements of a loop; the values that its break, if it has one, hands to `after`."""
        self._statements(self.random.randint(1, 3), depth + 1)
        if self.random.random() < 0.5:
            return []
        condition, value = self.values.condition(), self.values.bounded(self.values.pick(type))
        stay = self.function.add_block("stay")
        breaking = self.builder.block
        self.builder.condbr(condition, after, stay)
        self.builder.at_end_of(stay)
        self._statements(self.random.randint(0, 2), depth + 1)
        return [(value, breaking)]


def _slot(output: Variable) -> Variable:
    """The local that holds an output until the end of main."""
    return Variable(f"{output.name}.slot", "local", output.type, columns=output.columns, dims=output.dims)


def _elements(variable: Variable) -> list[tuple[int, int]]:
    return [(index, column) for index in range(variable.length) for column in range(variable.columns)]
